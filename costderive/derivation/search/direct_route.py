"""The search for the antiderivatives of the direct route: in c0, in c1, and the strips in which p cuts a rectangle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import c0, c1, u
from costderive.costs.expected_loss import Antiderivative, Area
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.signs import nonnegative
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.direct_route import RAY, Cell, Rectangle, Strip, parts_of
from costderive.derivation.moves.total_integrals import in_order, sides_of
from costderive.derivation.search.antiderived import Candidates, line_candidates, searched
from costderive.derivation.search.margins import range_of_cost

ZERO, ONE = sympy.S.Zero, sympy.S.One


class NoDirectRoute(Exception):
    """A step of the direct route that is not found; the text says which."""


def direct_route(
    areas: Sequence[Area], losses: Sequence[Pieces], given: Given, deadline: Deadline
) -> tuple[tuple[Rectangle, ...], tuple[Cell, ...]]:
    """Return rectangles and cells with all antiderivatives.

    Raises:
        NoDirectRoute: if an area is no rectangle, or an antiderivative is not found in time.
    """
    rectangles = tuple(_rectangle(area, given, deadline) for area in areas)
    try:
        ends = ascending(_breakpoints(rectangles, losses), given)
    except Undecided as order:
        raise NoDirectRoute(f"where the costs are cut depends on the sign of {order.fact}") from None
    cells = tuple(_cell(low, high, rectangles, given, deadline) for low, high in pairwise(ends))
    return rectangles, cells


def _rectangle(area: Area, given: Given, deadline: Deadline) -> Rectangle:
    first, second = (range_of_cost(cost, area) for cost in (c0, c1))
    if sides_of(first, second) != in_order(area.constraints):
        raise NoDirectRoute("the costs are not spread over rectangles")
    known = given.also(positive=(c1, *second.facts))
    mean, mass = (_found(f, first, known, deadline) for f in (c0 * area.density, area.density))
    return Rectangle(first, second, mean, mass)


def _found(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Antiderivative:
    if f == 0:
        return Antiderivative(ZERO)
    found = searched(f, on, given, _candidates, deadline)
    if found.function is None:
        raise NoDirectRoute(f"no antiderivative of {f} in {on.variable} was found")
    return found


def _candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    yield lambda: over_linear_factors(f, on.variable)
    yield from line_candidates(f, on, given, deadline)


def _breakpoints(rectangles: Sequence[Rectangle], losses: Sequence[Pieces]) -> list[Expr]:
    """Return where the ray through the origin meets a corner, and where a loss has another form."""
    corners = [
        sympy.factor(x / (x + y))
        for one in rectangles
        for x in (one.first.low, one.first.high)
        for y in (one.second.low, one.second.high)
        if sympy.oo not in (x, y) and ZERO not in (x, y)
    ]
    pieces = [end for loss in losses for piece in loss for end in (piece.low, piece.high)]
    return list(dict.fromkeys([ZERO, ONE, *corners, *pieces]))


def _cell(low: Expr, high: Expr, rectangles: Sequence[Rectangle], given: Given, deadline: Deadline) -> Cell:
    cell = Cell(low, high, ())
    strips = tuple(
        tuple(_integrated(one, strip, cell, given, deadline) for strip in _strips(one, cell, given))
        for one in rectangles
    )
    return Cell(low, high, strips)


def _strips(one: Rectangle, cell: Cell, given: Given) -> Iterator[Strip]:
    """Yield the strips below the ray, across it and above it, as far as there are any."""
    first, second = one.first, one.second
    entering = second.low if first.low == 0 else _between(first.low / u, second, cell, given)
    leaving = second.high if first.high is sympy.oo else _between(first.high / u, second, cell, given)
    ends = (second.low, entering, leaving, second.high)
    for (low, high), cut in zip(pairwise(ends), (first.low, RAY, first.high), strict=True):
        if low != high:
            yield Strip(Interval(c1, low, high), cut)


def _between(at: Expr, on: Interval, cell: Cell, given: Given) -> Expr:
    """Return a value if it is in a range for all odds of a cell, else the end beyond which it is."""
    if nonnegative(on.low - at, cell.odds, given):
        return on.low
    if on.high is sympy.oo or nonnegative(on.high - at, cell.odds, given):
        return at
    return on.high


def _integrated(one: Rectangle, strip: Strip, cell: Cell, given: Given, deadline: Deadline) -> Strip:
    known = given.also(positive=(u, *cell.odds.facts))
    found = {
        name: _found(f, strip.over, known, deadline)
        for (f, _), name in zip(parts_of(one, strip), _names(one, strip), strict=True)
    }
    return Strip(strip.over, strip.cut, **found)


def _names(one: Rectangle, strip: Strip) -> list[str]:
    ends = {"cost0": one.first.low, "cost1": one.first.high}
    return [name for name, end in ends.items() if strip.cut != end]
