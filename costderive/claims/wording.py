"""Numbers, ranges and witnesses in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

import mpmath
import sympy
from sympy import Expr, Rational, Symbol

from costderive.claims.fields import Where
from costderive.decide.enclosure import enclose
from costderive.export.printing import inline
from costderive.pieces import Given, Interval, Pieces

SHARES = tuple(Rational(k, n) for n in (2, 3, 4, 5) for k in range(1, n))
SIZES = tuple(Rational(n) for n in (1, 2, 3, 5, 7, 10, 11))
SHARE = re.compile(r"[FABC]\d?(\(.*\))?|pi[01]|[pqstwc]")  # letters that are shown as numbers below 1
TRIES, DRAWS = 400, 4000
SHORT, PLAIN = 60, 12

Point = dict[Symbol, Expr]


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


def span(on: Interval) -> str:
    """Return ``0 < p < 1``."""
    return f"{inline(on.low)} < {inline(on.variable)} < {inline(on.high)}"


def pieces(name: str, function: Pieces) -> Iterator[str]:
    """Write a function piece by piece."""
    for piece in function:
        whole = len(function.pieces) == 1
        where = "" if whole else f" for {span(function.interval(piece))}"
        yield f"{name} = {inline(piece.value)}{where}"


def counterexample(left: Expr, right: Expr, on: Interval | None, given: Given) -> str:
    """Return a point, as simple as can be found, at which two expressions differ beyond doubt, and their values.

    The text follows "differ" or the like; it is empty if no such point was found.
    """
    for point in islice(_points(left.free_symbols | right.free_symbols, on, given), TRIES):
        bounds = enclose((left - right).subs(point))
        if bounds is not None and (bounds[0] > 0 or bounds[1] < 0):
            at = ", ".join(f"{inline(name)} = {inline(value)}" for name, value in point.items())
            sides = " but ".join(number(side.subs(point)) for side in (left, right))
            return f" at {at}: {sides}" if at else f": {sides}"
    return ""


def contains_half(on: Interval | None) -> bool:
    """Tell whether an interval certainly contains 1/2, the simplest report to look at."""
    return on is not None and bool(
        (sympy.S.Half - on.low).is_positive and (on.high - sympy.S.Half).is_positive
    )


def _points(letters: set[Symbol], on: Interval | None, given: Given) -> Iterator[Point]:
    """Return small numbers for letters, different ones, and the variable within its range."""
    inner = {on.variable} if on else set()
    facts = set().union(*(fact.free_symbols for fact in given.positive + given.nonnegative))
    ends = on.low.free_symbols | on.high.free_symbols if on else set()
    names = sorted((letters | facts | ends) - inner, key=str)
    pools = [SHARES if SHARE.fullmatch(name.name) else SIZES for name in names]
    for values in islice(product(*pools), DRAWS):
        point = dict(zip(names, values, strict=True))
        if (len(set(values)) == len(values) or len(names) > len(SIZES)) and given.holds_at(point):
            yield from ([point] if on is None else _inside(point, on))


def _inside(point: Point, on: Interval) -> Iterator[Point]:
    low, high = on.low.subs(point), on.high.subs(point)
    if low < sympy.S.Half < high:
        yield {**point, on.variable: sympy.S.Half}
    for share in SHARES:
        yield {
            **point,
            on.variable: low + (share / (1 - share) if high is sympy.oo else share * (high - low)),
        }
