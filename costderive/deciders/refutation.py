"""Exact counterexamples to the sign of a rational function, on lines through the domain of its letters.

On a line where one letter moves and the others have rational values, the sign is decided in every cell. For a
function of one letter that line is all there is, so that its sign is always decided.
"""

from __future__ import annotations

from sympy import Expr, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.line import falsified
from costderive.deciders.number_signs import is_number, number_sign
from costderive.deciders.sample_points import Point, points, scattered
from costderive.deciders.size import steep

MAX_LETTERS = 12

Refutation = tuple[Point, str]


def refuted(expr: Expr, on: Interval | None, given: Given, *, strict: bool) -> Refutation | None:
    """Return a point at which ``expr >= 0`` (``> 0`` if strict) fails, with what it is there, if one was found."""
    if is_number(expr):
        return _refuted_number(expr, on, given, strict)
    known = _facts(on, given)
    letters = _letters(expr, known)
    if steep(expr) or not expr.is_rational_function() or not 0 < len(letters) <= MAX_LETTERS:
        return None
    bases = [{}] if len(letters) == 1 else [*points(letters, on, given), *scattered(letters, on, given)]
    for base in bases:
        for x in sorted(expr.free_symbols, key=str):
            found = _on_line(expr, x, base, known, strict)
            if found is not None:
                return found
    return None


def _refuted_number(expr: Expr, on: Interval | None, given: Given, strict: bool) -> Refutation | None:
    """A number may have any sign where nothing satisfies the facts; so a point that does is a part of the answer."""
    sign = number_sign(expr)
    if sign is None or sign > 0 or (sign == 0 and not strict):
        return None
    found = points(set(), on, given)
    return (found[0], "negative" if sign else "zero") if found else None


def settled(expr: Expr, on: Interval | None, given: Given, *, strict: bool) -> bool:
    """Return whether the sign holds of a rational function of one letter, under facts about that letter alone."""
    known = _facts(on, given)
    (x, *others) = _letters(expr, known) or (None,)
    if x is None or others:
        return False
    decided, found = falsified(expr, x, known, strict=strict)
    return decided and found is None


def _facts(on: Interval | None, given: Given) -> Given:
    return given if on is None else given.also(positive=on.facts)


def _letters(expr: Expr, known: Given) -> set[Symbol]:
    return set().union(*[e.free_symbols for e in (expr, *known.positive, *known.nonnegative)])


def _on_line(expr: Expr, x: Symbol, base: Point, known: Given, strict: bool) -> Refutation | None:
    fixed = {name: value for name, value in base.items() if name != x}
    at_base = Given().also(
        positive=tuple(fact.subs(fixed) for fact in known.positive),
        nonnegative=tuple(fact.subs(fixed) for fact in known.nonnegative),
    )
    _, found = falsified(expr.subs(fixed), x, at_base, strict=strict)
    return None if found is None else ({**fixed, x: found.at}, found.why)
