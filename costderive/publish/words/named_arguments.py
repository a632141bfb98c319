"""What differentiation needs of the named arguments of incomplete Beta and Gamma functions, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr, Pow

from costderive.core.symbols import p, s
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain, formula
from costderive.publish.words.document_blocks import displayed, ended
from costderive.publish.words.scene import Description, Scene, listed, say
from costderive.rules import Losses

_BETA = (sympy.betainc, sympy.betainc_regularized)


def slopes_of_arguments(scene: Scene) -> Description:
    """Write the slopes of arguments that are rational, what stands beside them in a slope, and their values at ends.

    A sum under a root that the threshold weight writes in another way than the losses is written in both.
    """
    found, arguments = scene.losses, scene.names.arguments
    rational = {x: name.func.__name__ for x, name in arguments.items() if x.is_rational_function(p)}
    for argument, name in rational.items():
        rows = [formula(f"{name}'(p) = {{}}", sympy.factor(sympy.diff(argument, p)))]
        if _is_of_beta(argument, found):
            rows.append(formula(f"1 - {name}(p) = {{}}", sympy.factor(1 - argument)))
        yield say(f"The argument ${name}$ has")
        yield displayed([[ended(chain(r" \qquad ", [ended(row, ",") for row in rows]), ",")]])
        yield say("and {}.", listed(_values(name, argument, found)))
        yield from _two_signs(name, argument, found)
    same = list(_written_in_two_ways(found)) if rational else []
    if same:
        yield say("Under the roots, {}.", listed(same))


def _two_signs(name: str, argument: Expr, found: Losses) -> Description:
    """Say why there are two pieces where the root of an argument, a square, changes its sign if it is written out."""
    if not any(argument in call.args and not call.args[0].is_integer for call in _betas(found)):
        return
    above, below = sympy.fraction(sympy.factor(argument))
    for factor, power in sympy.factor_list(above)[1]:
        for at in (at for at in found.loss0.breaks if power == 2 and factor.subs(p, at) == 0):
            rest = sympy.cancel(above / factor**2)
            if rest.subs(p, at).is_positive and below.subs(p, at).is_positive:
                number, plain = below.as_content_primitive()
                root = sympy.Abs(factor) * sympy.sqrt(rest / number) / sympy.sqrt(plain)
                yield say(_TWO_SIGNS % name, root, factor, at)


_TWO_SIGNS = r"So $\sqrt{%s(p)} = {}$, and ${}$ changes its sign at $p = {}$; hence the two pieces."


def _betas(found: Losses) -> Iterator[Expr]:
    for value in _values_of(found):
        yield from value.atoms(*_BETA)


def _is_of_beta(argument: Expr, found: Losses) -> bool:
    return any(argument in call.args for call in _betas(found))


def _values_of(found: Losses) -> list[Expr]:
    return [piece.value for piece in (*found.loss0, *found.loss1)]


def _values(name: str, argument: Expr, found: Losses) -> Iterator[Row]:
    """Write an argument at the ends of the pieces of the losses that have it."""
    pieces = [piece for piece in (*found.loss0, *found.loss1) if piece.value.has(argument)]
    for at in sorted(
        {end for piece in pieces for end in (piece.low, piece.high)}, key=sympy.default_sort_key
    ):
        yield formula(f"{name}({{}}) = {{}}", at, argument.subs(p, at))


def _written_in_two_ways(found: Losses) -> Iterator[Row]:
    """Write sums under a root of the threshold weight as they stand in the losses, if that is otherwise."""
    weight = [piece.value.subs(s, p) for piece in found.weight.density]
    for first in _under_roots(weight):
        for second in _under_roots(piece.value for piece in found.loss0):
            if first != second and sympy.expand(first - second) == 0:
                yield formula("{} = {}", first, second)


def _under_roots(values: Iterable[Expr]) -> list[Expr]:
    """Return the sums of which values have a root, in one order."""
    powers = {power for value in values for power in value.atoms(Pow) if not power.exp.is_integer}
    return sorted({x.base for x in powers if x.base.is_Add and x.base.has(p)}, key=sympy.default_sort_key)
