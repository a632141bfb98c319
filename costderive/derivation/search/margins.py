"""The search for the margins of a joint density on rectangles: one cost integrated out at each value of the other.

A context may know these antiderivatives, such as the conditional distribution of a copula; else they are searched for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import sympy
from sympy import Dummy, Expr, Pow, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import Area, Margin, MarginIntegral, Plane
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.total_integrals import in_order, sides_of
from costderive.derivation.search.antiderived import Candidates, from_above, line_candidates, searched
from costderive.rules import odds_form

SECONDS = 20.0
COSTS = ((c0, c1), (c1, c0))  # for each class the cost that is held, and the other


def range_of_cost(cost: Symbol, area: Area) -> Interval:
    """Return the range that the constraints on a cost alone give it, as far as each says one end."""
    gaps = [gap for gap in area.constraints if gap.has(cost)]
    low = next((cost - gap for gap in gaps if not (cost - gap).has(c0, c1)), sympy.S.Zero)
    high = next((gap + cost for gap in gaps if not (gap + cost).has(c0, c1)), sympy.oo)
    return Interval(cost, low, high)


def margins(
    context: Context, areas: tuple[Area, ...], number: int, given: Given
) -> tuple[Margin, ...] | None:
    """Integrate each area over the cost that is not that of a class, and the rest over that."""
    deadline, hints = Deadline.after(SECONDS), _hints(context, areas, number)
    return _all(_margin(area, _ranges(area, number, given), hint, given, deadline) for area, hint in hints)


def margins_of_mean(
    context: Context, areas: tuple[Area, ...], number: int, given: Given
) -> tuple[Margin, ...] | None:
    """Integrate the cost of a class over areas: over the other cost first, or else over that cost itself."""
    deadline, hints = Deadline.after(SECONDS), _hints(context, areas, number)
    own, found = COSTS[number][0], []
    for area, hint in hints:
        held, other = (_ranges(area, one, given) for one in (number, 1 - number))
        weighted = replace(area, density=own * area.density)
        found.append(
            _margin(area, held, hint, given, deadline, factor=own, infinite=True)
            or _margin(weighted, other, None, given, deadline, infinite=True)
        )
    return _all(found)


def _hints(context: Context, areas: tuple[Area, ...], number: int) -> list[tuple[Area, Expr | None]]:
    known = context.conditionals()
    return [(area, known.get(area, (None, None))[number]) for area in areas]


def _all(found: Iterable[Margin | None]) -> tuple[Margin, ...] | None:
    whole: list[Margin] = []
    for one in found:
        if one is None:
            return None
        whole.append(one)
    return tuple(whole)


def _margin(
    area: Area,
    ranges: tuple[Interval, Interval] | None,
    hint: Expr | None,
    given: Given,
    deadline: Deadline,
    *,
    factor: Expr = sympy.S.One,
    infinite: bool = False,
) -> Margin | None:
    if ranges is None:
        return None
    held, other = ranges
    known = given.also(positive=(held.variable, *held.facts))

    def candidates(f: Expr, on: Interval, facts: Given, left: Deadline) -> Candidates:
        if hint is not None:
            yield lambda: hint
        yield from line_candidates(f, on, facts, left)
        if on.low.has(held.variable):
            yield from _from_the_line(f, on, facts, left)

    within = from_above(
        searched(area.density, other, known, candidates, deadline), area.density, other, known
    )
    if within.function is None:
        return None
    at_low, at_high = (_shorter(_signed(end, known), known) for end in (within.at_low, within.at_high))
    within = replace(within, at_low=at_low, at_high=at_high)
    wanted = factor * _shortened(at_high - at_low, known)
    over = searched(wanted, held, given, line_candidates, deadline, infinite=infinite)
    return Margin(held, other, within, over)


def _from_the_line(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    """Antiderivatives by way of the distance from the low end, a line over the held cost."""
    above = Dummy("y", positive=True)
    moved = sympy.expand_mul(f.subs(on.variable, on.low + above))
    for candidate in line_candidates(moved, Interval(above, sympy.S.Zero, sympy.oo), given, deadline):
        yield partial(_moved_back, candidate, above, on.variable - on.low)


def _moved_back(candidate: Callable[[], Expr | None], above: Symbol, distance: Expr) -> Expr | None:
    found = candidate()
    return None if found is None else found.subs(above, distance)


def _ranges(area: Area, number: int, given: Given) -> tuple[Interval, Interval] | None:
    """Return the ranges of the cost of a class and of the other one, whose ends may be functions of the first."""
    held, other = (range_of_cost(cost, area) for cost in COSTS[number])
    if sides_of(held, other) == in_order(area.constraints):
        return held, other
    return _between_lines(area, *COSTS[number], given)


def _between_lines(area: Area, held: Symbol, other: Symbol, given: Given) -> tuple[Interval, Interval] | None:
    """Return the ranges of an area between lines, of which at each held cost the same two are next to it."""
    cuts = [_solved(gap, other, given) for gap in area.constraints]
    lows, highs, rest = ([gap for side, gap in filter(None, cuts) if side == sign] for sign in (1, -1, 0))
    widths = [high - low for low in lows for high in highs]
    sides = [_solved(gap, held, given) for gap in (*rest, *widths)]
    if None in (*cuts, *sides):
        return None
    low, high = (
        _extreme([x for side, x in filter(None, sides) if side == i], i, None, given) for i in (1, -1)
    )
    if low is None or any(side == 0 and not positive(gap, None, given) for side, gap in filter(None, sides)):
        return None
    on = Interval(held, low, sympy.oo if high is None else high)
    above, below = _extreme(lows, 1, on, given), _extreme(highs, -1, on, given)
    return (
        None
        if above is None or (highs and below is None)
        else (on, Interval(other, above, sympy.oo if below is None else below))
    )


def _solved(gap: Expr, cost: Symbol, given: Given) -> tuple[int, Expr] | None:
    """Return on which side of a value a linear gap holds a cost, or 0 and the gap if it has no such cost."""
    gap = sympy.expand(gap)
    if not gap.has(cost):
        return 0, gap
    if not gap.is_polynomial(cost) or sympy.degree(gap, cost) > 1:
        return None
    slope = gap.coeff(cost, 1)
    side = next((i for i in (1, -1) if positive(i * slope, None, given)), None)
    return None if side is None else (side, sympy.expand(-gap.coeff(cost, 0) / slope))


def _extreme(ends: list[Expr], side: int, on: Interval | None, given: Given) -> Expr | None:
    """Return the greatest of lower ends (side 1), or the least of upper ones (side -1), if it is known."""
    return next((x for x in ends if all(nonnegative(side * (x - y), on, given) for y in ends)), None)


def _signed(end: Expr, given: Given) -> Expr:
    """Write absolute values without bars, and powers of powers as one, where the signs are known."""

    def without(y: Expr) -> Expr:
        return next((side for side in (y, -y) if positive(side, None, given)), sympy.Abs(y))

    return end.replace(sympy.Abs, without)


def _shorter(end: Expr, given: Given) -> Expr:
    """Write an end with exponentials that cancel as one, or in factors, if that is shorter."""
    short = _shortened(end, given)
    forms = [sympy.powsimp(form, combine="exp") for form in (sympy.expand(short), odds_form.factored(short))]
    return min(short, *forms, key=sympy.count_ops)


def _shortened(density: Expr, given: Given) -> Expr:
    """Write powers of powers of logarithms of known signs as one: ``((-log y)^k)^(1/k)`` is ``-log y`` for y < 1."""
    letters = {node: Dummy("y", positive=True) for node in density.atoms(sympy.log)}
    signs = {node: next((i for i in (1, -1) if positive(i * node, None, given)), None) for node in letters}
    known = {node: (sign, letters[node]) for node, sign in signs.items() if sign is not None}
    short = density.xreplace({node: sign * letter for node, (sign, letter) in known.items()})
    short = short.replace(
        lambda node: isinstance(node, Pow), lambda node: node.base ** sympy.expand(node.exp)
    )
    return short.xreplace({letter: sign * node for node, (sign, letter) in known.items()})


def total_over_margins(context: Context, wanted: Plane, given: Given) -> MarginIntegral | None:
    """Integrate a joint density over one cost and then over the other, if an antiderivative is found for each."""
    for number in (0, 1):
        found = margins(context, wanted.areas, number, given)
        if found is not None and all(one.over.function is not None for one in found):
            return MarginIntegral(found)
    return None
