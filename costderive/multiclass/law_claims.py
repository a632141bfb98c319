"""What makes a distribution that of a law: its functions, region by region, and their values at the ends of regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, S

from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import Law, x
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.multiclass.stages import Distribution
from costderive.proof.claims import Claim, Equal, NonNegative, Positive, Regular, Same, Tends

POSITIVE = Interval(x, S.Zero, S.Infinity)


def distribution_claims(law: Law, found: Distribution, given: Given) -> Iterator[Claim]:
    """The functions are those of the law: slopes, values at the ends of regions, and the mean."""
    ends = {end for pair in law.ends for end in pair} - {S.Zero, S.Infinity}
    yield Same("the marks are the ends and the masses of the law", frozenset(found.marks), frozenset(ends))
    counts = (len(found.densities), len(found.cdfs), len(found.moments))
    yield Same("every region has its functions", counts, (len(found.marks) + 1,) * 3)
    for low, high in pairwise((S.Zero, *found.marks)):
        yield Positive("the marks ascend", high - low)
    jumps = tuple(mass_at(law, mark) for mark in found.marks)
    yield Same("the jumps are the masses of the law", found.jumps, jumps)
    for jump in found.jumps:
        yield NonNegative("a probability is not negative", jump)
    for region, density in enumerate(found.densities):
        yield from _region_claims(law, found, region, density, given)
    yield from _passage_claims(found, given)
    yield Equal("the mean is the sum of its parts", found.mean, _mean(found, given))


def _region_claims(
    law: Law, found: Distribution, region: int, density: Expr, given: Given
) -> Iterator[Claim]:
    low, high = found.bounds(region)
    on = Interval(x, low, high)
    cdf, moment = found.cdfs[region], found.moments[region]
    yield Same("the density is that of the law", density, density_between(law, low, high, found.marks))
    yield NonNegative("the density is not negative", density, on)
    yield Equal("the distribution function has the density for its slope", Derivative(cdf, x), density, on)
    yield Equal("slope of the antiderivative behind the mean", Derivative(moment, x), x * density, on)
    for function in (cdf, moment):
        yield from smooth_claims(function, on, given)


def smooth_claims(function: Expr, on: Interval, given: Given) -> Iterator[Claim]:
    """A function is smooth on all of (0, oo); or in its region, with limits at the ends."""
    if regular(function, POSITIVE, given):
        yield Regular("it is smooth, also at the ends of its region", function, POSITIVE)
        return
    yield Regular("it is smooth in its region", function, on)
    for end, side in ((on.low, "+"), (on.high, "-")):
        yield Tends("it has a limit at an end", function, x, end, side, at_end(function, end, side, given))


def at_end(function: Expr, end: Expr, side: str, given: Given = Given()) -> Expr:
    """Return the value of a function at an end of its region: its limit, which has to be decided and finite, or NaN."""
    if end not in (S.Zero, S.Infinity) and regular(function, POSITIVE, given):
        return function.subs(x, end)
    value = value_at(function, Approach(x, end, side), given)
    return S.NaN if value is None or value.is_infinite else value


def density_between(law: Law, low: Expr, high: Expr, marks: tuple[Expr, ...]) -> Expr:
    """Return the sum of the densities that cover a region between neighbouring marks."""
    places = {mark: place for place, mark in enumerate((S.Zero, *marks, S.Infinity))}
    covering = [
        spread.density
        for spread in law.spreads
        if places[spread.low] <= places[low] and places[high] <= places[spread.high]
    ]
    return sympy.Add(*covering)


def mass_at(law: Law, mark: Expr) -> Expr:
    """Return the probability of a value."""
    return sympy.Add(*[mass.probability for mass in law.masses if mass.value == mark])


def _passage_claims(found: Distribution, given: Given) -> Iterator[Claim]:
    yield Tends("the distribution function starts at 0", found.cdfs[0], x, S.Zero, "+", S.Zero)
    yield Tends("the distribution function ends at 1", found.cdfs[-1], x, S.Infinity, "-", S.One)
    for mark, jump, below, above in zip(found.marks, found.jumps, found.cdfs, found.cdfs[1:], strict=False):
        risen = at_end(above, mark, "+", given) - at_end(below, mark, "-", given)
        yield Equal("the distribution function rises by the probability of a mark", risen, jump)
    yield Tends("the last moment ends at 0", found.moments[-1], x, S.Infinity, "-", S.Zero)


def _mean(found: Distribution, given: Given) -> Expr:
    """Add up the parts of the mean; the antiderivative of the last region is 0 at infinity."""
    parts = [mark * jump for mark, jump in zip(found.marks, found.jumps, strict=True)]
    for region, moment in enumerate(found.moments):
        low, high = found.bounds(region)
        parts.append(-at_end(moment, low, "+", given))
        parts.append(S.Zero if high is S.Infinity else at_end(moment, high, "-", given))
    return sympy.Add(*parts)
