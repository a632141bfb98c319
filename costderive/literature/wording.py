"""Numbers, ranges and witnesses in words."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.deciders.enclosure import enclose
from costderive.literature.definitions import Where, filled
from costderive.literature.witnesses import Point, Setting
from costderive.publish.formulas.layout import terms
from costderive.publish.formulas.printing import inline

SHORT, PLAIN = 60, 12


def number(value: Expr, digits: int = 5) -> str:
    """Return an exact number with its decimals: ``7/72 ≈ 0.097222``; only these if it is long to write."""
    text = inline(value)
    enclosed = enclose(value)
    if enclosed is None or (value.is_Rational and value.q <= PLAIN and len(text) <= SHORT):
        return text
    with mpmath.workdps(60):
        decimals = mpmath.nstr((enclosed[0] + enclosed[1]) / 2, digits)
    return f"{text} ≈ {decimals}" if len(text) <= SHORT else f"about {decimals}"


def equations(definitions: Where) -> str:
    """Return definitions of letters as text."""
    return ", ".join(f"{inline(name)} = {inline(value)}" for name, value in definitions)


def under(definitions: Where = (), on: Interval | None = None, positive: tuple[Expr, ...] = ()) -> str:
    """Return the conditions of a statement, led in by a comma."""
    parts = [f"where {equations(definitions)}"] if definitions else []
    parts += [f"for {span(on)}"] if on else []
    parts += [f"if {inline(fact)} > 0" for fact in positive]
    return "".join(f", {part}" for part in parts)


def equation(left: Expr, right: Expr) -> str:
    """Return an equation as text, its left side term by term where the tidied sides would look the same."""
    sides = inline(left), inline(right)
    return f"{_term_by_term(left) if sides[0] == sides[1] else sides[0]} = {sides[1]}"


def _term_by_term(total: Expr) -> str:
    return " + ".join(map(inline, terms(total))).replace("+ −", "− ")


def span(on: Interval) -> str:
    """Return ``0 < p < 1``."""
    return f"{inline(on.low)} < {inline(on.variable)} < {inline(on.high)}"


def pieces(name: str, function: Pieces) -> Iterator[str]:
    """Write a function piece by piece."""
    for piece in function:
        whole = len(function.pieces) == 1
        where = "" if whole else f" for {span(function.interval(piece))}"
        yield f"{name} = {inline(piece.value)}{where}"


def counterexample(
    left: Expr, right: Expr, on: Interval | None, given: Given, definitions: Where = ()
) -> str:
    """Return a point, as simple as can be found, at which two expressions certainly differ, and their values.

    The text follows "differ" or the like; it is empty if no such point was found.
    """
    setting = Setting(definitions, on, given)
    point = setting.witness((left, right), lambda bounds: bounds[0] > 0 or bounds[1] < 0)
    return "" if point is None else values_at(point, (left, right), setting)


def values_at(point: Point, sides: tuple[Expr, Expr], setting: Setting, between: str = " but ") -> str:
    """Return a point and the values of two sides at it, with those of the letters that are defined."""
    letters = set().union(*(side.free_symbols for side in (*sides, *(x for _, x in setting.definitions))))
    shown = {x: value for x, value in point.items() if x in letters or x.name != "pi1"}
    known = {**shown, **{x: value for x, value in setting.defined(point).items() if x not in point and point}}
    values = [filled(side, setting.definitions).subs(point) for side in sides]
    at = ", ".join(f"{inline(name)} = {number(value)}" for name, value in known.items())
    shown_values = between.join(map(number, values))
    return f" at {at}: {shown_values}" if at else f": {shown_values}"


def contains_half(on: Interval | None) -> bool:
    """Return whether an interval certainly contains 1/2, the simplest report to look at."""
    return on is not None and bool(
        (sympy.S.Half - on.low).is_positive and (on.high - sympy.S.Half).is_positive
    )
