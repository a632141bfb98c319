"""Exact points of an interval and of the parameters' domain, at which to try a statement."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import pairwise

import sympy
from sympy import Expr, Poly, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed

from costderive.decide.size import steep
from costderive.pieces import Given, Interval

COUNT = 8
TRIES = 400
TEN, MAX_MAGNITUDE = Rational(10), 4

Point = dict[Symbol, Expr]


def points(symbols: set[Symbol], on: Interval | None, given: Given) -> list[Point]:
    """Return a few reproducible rational points that satisfy the facts and lie inside the interval."""
    facts = set().union(*[fact.free_symbols for fact in given.positive + given.nonnegative])
    ends = set() if on is None else on.low.free_symbols | on.high.free_symbols
    names = frozenset((symbols | facts | ends) - ({on.variable} if on else set()))
    placed = [_placed(values, share, on) for values, share in _parameter_values(names, given)]
    return [values for values in placed if values is not None and given.holds_at(values)]


@lru_cache(maxsize=256)
def _parameter_values(names: frozenset[Symbol], given: Given) -> list[tuple[Point, Expr]]:
    draw = random.Random(20150427)
    return _drawn(names, given, draw, 0) or _drawn(names, given, draw, MAX_MAGNITUDE)


def _drawn(
    names: frozenset[Symbol], given: Given, draw: random.Random, magnitude: int
) -> list[tuple[Point, Expr]]:
    """Draw values of the order of 1, or of all orders up to a magnitude, and keep those that satisfy the facts."""
    found: list[tuple[Point, Expr]] = []
    for _ in range(TRIES):
        if len(found) == COUNT:
            break
        values = {name: Rational(draw.randint(1, 60), draw.randint(1, 12)) for name in sorted(names, key=str)}
        if magnitude:
            values = {name: x * TEN ** draw.randint(-magnitude, magnitude) for name, x in values.items()}
        share = Rational(draw.randint(1, 99), 100)
        if given.holds_at(values):
            found.append((values, share))
    return found


def _placed(values: Point, share: Expr, on: Interval | None) -> Point | None:
    if on is None:
        return values
    low, high = on.low.subs(values), on.high.subs(values)
    if not (low.is_real and (high.is_real or high is sympy.oo) and low < high):
        return None
    inside = low + share / (1 - share) if high is sympy.oo else low + share * (high - low)
    return {**values, on.variable: inside} if inside > 0 else None


def between_roots(expr: Expr, on: Interval | None) -> list[Point]:
    """Return rational points that separate the real roots of a rational function of one variable, that of ``on``.

    Where such a function has any sign, it has that sign at one of these points.
    """
    if on is None or steep(expr) or not (on.low.is_Rational and on.high.is_Rational):
        return []
    top, bottom = sympy.fraction(sympy.together(expr))
    try:
        poly = Poly(top * bottom, on.variable, domain=sympy.QQ)
    except (sympy.PolynomialError, CoercionFailed):
        return []
    if poly.degree() < 1:
        return []
    edges = [on.low, *[end for found in poly.intervals(inf=on.low, sup=on.high) for end in found[0]], on.high]
    return [{on.variable: (low + high) / 2} for low, high in pairwise(edges) if low < high]
