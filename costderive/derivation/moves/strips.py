"""How a ray through the origin cuts an area of costs: the strips in which it is below, across or above it.

One cost is held, and the other one, whose ends are lines over the held cost, is integrated from where the ray is, at a
``ratio`` times the held cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import sympy
from sympy import Derivative, Expr, Symbol

from costderive.core.piecewise import Interval
from costderive.costs.expected_loss import Antiderivative
from costderive.proof.claims import Claim, Equal, NonNegative, Open, Regular, Same, Tends


class Strip(Protocol):
    """A range of the held cost over which the ray cuts the other cost in one and the same way."""

    @property
    def over(self) -> Interval: ...

    @property
    def cut(self) -> Expr: ...


def strip_claims(
    strips: Sequence[Strip], held: Interval, other: Interval, ratio: Expr, odds: Interval
) -> Iterator[Claim]:
    """The strips follow one another over all values of the held cost, and each is cut where it says."""
    ends = [strip.over for strip in strips]
    yield Same("the first strip starts at the lowest cost", ends[0].low if ends else None, held.low)
    yield Same("the last strip ends at the highest cost", ends[-1].high if ends else None, held.high)
    for before, after in pairwise(ends):
        yield Same("a strip starts where the one before ends", before.high, after.low)
    for strip in strips:
        yield Same("a strip is over the held cost", strip.over.variable, held.variable)
        if strip.over.high is not sympy.oo:
            yield NonNegative("the ends of a strip ascend", strip.over.high - strip.over.low, odds)
        yield from _cut_claims(strip, held, other, ratio, odds)


def _cut_claims(
    strip: Strip, held: Interval, other: Interval, ratio: Expr, odds: Interval
) -> Iterator[Claim]:
    """Up to the low end, or from the high end on, the ray is beside all other costs; else it is among them."""
    cost, cuts = held.variable, cuts_of(held, other, ratio)
    lines = [end for end in (other.low, other.high) if end.is_finite is not False]
    yield Same("the ends of the other range are lines", all(_is_line(end, cost) for end in lines), True)
    yield Same("a cut is at an end or at the ray", strip.cut in cuts, True)
    for what, gap in cuts.get(strip.cut, {}).items():
        for value in values_at_ends(gap, strip.over):
            yield NonNegative(what, value, odds)


def cuts_of(held: Interval, other: Interval, ratio: Expr) -> dict[Expr, dict[str, Expr]]:
    """Return the places of a cut, with what is not negative all over a strip that is cut there."""
    ray = ratio * held.variable
    among = {"the ray is not below the other costs": ray - other.low}
    if other.high is not sympy.oo:
        among["the ray is not above the other costs"] = other.high - ray
    beside = {
        other.low: {"the ray is below all other costs": other.low - ray},
        other.high: {"the ray is above all other costs": ray - other.high},
    }
    return {ray: among, **beside}


def values_at_ends(gap: Expr, on: Interval) -> Iterator[Expr]:
    """Yield what is not negative just where a line is not so between two ends: its values, and a slope at infinity."""
    yield gap.subs(on.variable, on.low)
    yield sympy.diff(gap, on.variable) if on.high is sympy.oo else gap.subs(on.variable, on.high)


def _is_line(end: Expr, cost: Symbol) -> bool:
    return bool(end.is_polynomial(cost)) and sympy.degree(end, cost) <= 1


def integral_claims(
    what: str, found: Antiderivative, f: Expr, on: Interval, other: Interval
) -> Iterator[Claim]:
    """The antiderivative of a function of one variable is right wherever another one is in its range."""
    variable, facts = on.variable, other.facts
    if found.function is None:
        yield Open(f"the antiderivative of {what}")
        return
    yield Equal(f"antiderivative of {what}", Derivative(found.function, variable), f, on, facts)
    yield Regular(f"the antiderivative of {what} is smooth", found.function, on, facts)
    for end, side, value in ((on.low, "+", found.at_low), (on.high, "-", found.at_high)):
        yield Tends(
            f"the antiderivative of {what} at an end", found.function, variable, end, side, value, other
        )
