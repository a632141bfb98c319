"""The one door through which the text and the numbers of a user become exact SymPy expressions.

Text is hostile. A grammar of our own reads it, never ``eval``, ``ast`` or ``sympify``. And because SymPy
evaluates while it builds, it is only asked to build what is known to stay small: ``growth.facts`` bounds, before
each step, the numbers that powers, logarithms and roots can merge into.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sympy import Expr, Heaviside, Piecewise, sign

from costderive.core.errors import SpecError
from costderive.core.expressions.exact_numbers import declared, exact_number, shown
from costderive.core.expressions.grammar import Parser
from costderive.core.expressions.growth import RefusedError


def parse(text: str, *, place: str = "expression", names: Mapping[str, Expr] | None = None) -> Expr:
    """Return the exact expression that ``text`` writes in the grammar of costderive.

    Decimals are exact, ``^`` and ``**`` are powers, ``pi`` is a constant (Euler's number is ``exp(1)``).
    ``names`` gives reserved letters their symbols; every other name is a positive parameter. ``oo``, or
    ``inf``, may only stand alone, with a sign.

    Raises ``SpecError``, which starts with ``place`` and points at the column, also for a text whose value is
    not a finite real number or would take SymPy long to build.

    >>> parse("0.1*a + 2^-3", place="context.c0.low")
    a/10 + 1/8
    >>> from costderive.symbols import s
    >>> parse("exp(-s)", names={"s": s})
    exp(-s)
    """
    return Parser(text, place, names or {}).parse()


def inequalities(text: str, *, place: str, names: Mapping[str, Expr]) -> tuple[Expr, ...]:
    """Return the differences that are at least 0 where ``a <= b``, or a chain such as ``a <= b <= c``, holds.

    Several that all hold are joined by commas or by ``and``.

    Raises ``SpecError`` as `parse` does, also for a text without a relation.

    >>> from costderive.symbols import c0, c1
    >>> inequalities("c0 + 2*c1 <= 2", place="support", names={"c0": c0, "c1": c1})
    (-c0 - 2*c1 + 2,)
    """
    return Parser(text, place, names).inequalities()


def call(
    text: str, *, place: str, functions: Collection[str], names: Mapping[str, Expr] | None = None
) -> tuple[str, tuple[Expr, ...]] | None:
    """Return name and arguments if the whole text calls one of the functions, else ``None``.

    ``names`` gives letters their symbols, as in `parse`.

    Raises ``SpecError`` as `parse` does, for an argument.

    >>> call("uniform(a, 2*a)", place="context.c0", functions=("uniform",))
    ('uniform', (a, 2*a))
    """
    return Parser(text, place, names or {}).whole_call(functions)


def multiple_of_call(
    text: str, *, place: str, functions: Collection[str], names: Mapping[str, Expr] | None = None
) -> tuple[str, tuple[Expr, ...], Expr] | None:
    """Return name, arguments and factor if the whole text is a call times an expression, in either order.

    ``names`` gives letters their symbols, as in `parse`.

    Raises ``SpecError`` as `parse` does, and for the product of two calls.

    >>> multiple_of_call("2*a*uniform(1, b)", place="context.c0", functions=("uniform",))
    ('uniform', (1, b), 2*a)
    """
    return Parser(text, place, names or {}).multiple(functions)


def exact(value: object, *, place: str) -> Expr:
    """Return a number, a text or a SymPy expression of a user as an exact expression.

    A float means its shortest decimal: 0.1 is 1/10. In a SymPy expression the same holds for each Float, and
    each symbol becomes the letter of `costderive.symbols` or the positive parameter of the same name.

    Raises ``SpecError`` for a bool, NaN, an array, and an expression that is not real and finite or has a
    symbol that cannot be positive.

    >>> exact(0.1, place="context.c0.low")
    1/10
    >>> from sympy import Symbol
    >>> exact(Symbol("a") / 2, place="context.c0.low") == parse("a/2")
    True
    """
    if isinstance(value, str):
        return parse(value, place=place)
    try:
        return declared(value) if isinstance(value, Expr) else exact_number(value)
    except RefusedError as refusal:
        raise SpecError(f"{place} = {shown(value)}: {refusal.problem}", refusal.remedy) from None


def plain(value: object, *, place: str) -> object:
    """Return what a user gave, unless it is a SymPy expression by cases, of which `exact` would drop those at 0.

    Raises ``SpecError`` for a ``Piecewise``, a sign or a Heaviside step.
    """
    if isinstance(value, Expr) and value.has(Piecewise, sign, Heaviside):
        raise SpecError(
            f"{place} = {shown(value)} is written by cases", "Write one expression for all of them."
        )
    return value
