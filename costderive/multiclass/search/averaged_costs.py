"""The search for mean losses over uncertain costs of a matrix, and for what decides strict properness."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import sympy
from sympy import Expr, Rational, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.deciders.signs import nonnegative, positive
from costderive.multiclass.act_regions import ActLosses, CompareActs
from costderive.multiclass.averaged_costs import (
    ActProperness,
    AverageCosts,
    AveragedLosses,
    EqualLosses,
    LargestStake,
    TakeCheapestAct,
)
from costderive.multiclass.cost_matrix import CostMatrix, weighed
from costderive.multiclass.law_claims import at_end
from costderive.multiclass.mixed_acts import MixActs, MixedLosses
from costderive.multiclass.search.act_regions import fraction, is_inside, rationals
from costderive.multiclass.search.distributions import any_distribution
from costderive.multiclass.search.independent_ties import independent_ties
from costderive.multiclass.search.linear_programs import best_cover
from costderive.multiclass.search.uncertain_strictness import moving_threshold, shared_act
from costderive.multiclass.several_uncertain import ExpectCheapest, ExpectedLosses
from costderive.multiclass.simplex_rule import Forecast
from costderive.multiclass.stages import Distribution
from costderive.proof.claims import Move

HALVINGS = 40
GRID = 64


def moves_of(matrix: CostMatrix) -> tuple[Move, ...]:
    """Return the moves that derive the rule of a matrix."""
    if matrix.parts:
        return MixActs() if matrix.part else ExpectCheapest(), TakeCheapestAct()
    averaged = (AverageCosts(),) if matrix.is_uncertain or matrix.factor is not None else ()
    return CompareActs(), *averaged, TakeCheapestAct()


def average_costs(move: AverageCosts, before: ActLosses, given: Given) -> AveragedLosses:
    """Integrate the law of rejecting twice, and find the mean of the factor."""
    return AveragedLosses(before, *averages(before.matrix, given))


def mix_acts(move: MixActs, before: CostMatrix, given: Given) -> MixedLosses:
    """Integrate the law of the uncertain letter twice, and find the mean of the factor."""
    assert before.part is not None
    factor, *_ = averages(before, given)
    part = any_distribution(before.part[1], given)
    return MixedLosses(before, factor, part, tuple(_limited(part, given)))


def expect_cheapest(move: ExpectCheapest, before: CostMatrix, given: Given) -> ExpectedLosses:
    """Integrate the law of each uncertain letter twice, and find the mean of the factor."""
    factor, *_ = averages(before, given)
    known = {law: any_distribution(law, given) for _, law in before.parts}
    parts = tuple(known[law] for _, law in before.parts)
    return ExpectedLosses(before, factor, parts, tuple(tuple(_limited(one, given)) for one in parts))


def averages(
    matrix: CostMatrix, given: Given
) -> tuple[Distribution | None, Distribution | None, tuple[Expr, ...]]:
    """Return the distributions of the factor and of an uncertain cost of rejecting, with its limited expected value.

    Raises:
        SpecError: if a law has no closed form here.
    """
    factor = None if matrix.factor is None else any_distribution(matrix.factor, given)
    reject = any_distribution(matrix.reject, given) if matrix.is_uncertain else None
    return factor, reject, () if reject is None else tuple(_limited(reject, given))


def _limited(reject: Distribution, given: Given) -> Iterator[Expr]:
    """Integrate by parts: ``E[min(x, z)] = z (1 - F(z)) + E[x; x <= z]``.

    Raises:
        SpecError: if the mean between two ends is not found.
    """
    below = S.Zero
    for region, (cdf, moment) in enumerate(zip(reject.cdfs, reject.moments, strict=True)):
        low, high = reject.bounds(region)
        start = at_end(moment, low, "+", given)
        if start is S.NaN:
            raise SpecError(f"the mean {reject.mean} is not known to be finite", "Give the law numbers.")
        spent = moment - start + below
        yield sympy.expand(x * (1 - cdf) + spent)
        if high is not S.Infinity:
            below = at_end(spent, high, "-", given) + high * reject.jumps[region]


def take_cheapest_act(
    move: TakeCheapestAct, before: ActLosses | AveragedLosses | MixedLosses | ExpectedLosses, given: Given
) -> ActProperness:
    """Look for a bound on what is at stake, which proves strictness, or for two forecasts with the same losses."""
    if isinstance(before, MixedLosses | ExpectedLosses):
        parts = before.parts if isinstance(before, ExpectedLosses) else (before.part,)
        about = before.matrix, parts, given
        moving = moving_threshold(*about)
        shared = None if moving else shared_act(*about)
        return ActProperness(before, shared, moving or (None if shared else independent_ties(*about)))
    if isinstance(before, ActLosses) or before.reject is None:
        known = before if isinstance(before, ActLosses) else before.known
        pairs = (EqualLosses(region.act, region.inside) for region in known.regions if len(region.inside) > 1)
        return ActProperness(before, next(pairs, None), None)
    stake = _stake(before.known, before.reject, given) if before.classes == 2 else None
    same = None if stake else next(_level_pairs(before.known, before.reject, given), None)
    return ActProperness(before, same, stake)


def _stake(known: ActLosses, reject: Distribution, given: Given) -> LargestStake | None:
    """Bound the least expected cost by the best mixture of acts, and see if the law reaches so far without gaps."""
    columns = [known.matrix.columns[act] for act in known.chosen]
    rising = all(positive((low - high) ** 2, None, given) for low, high in columns)
    if not rising or not all(nonnegative(cost, None, given) for column in columns for cost in column):
        return None
    found = best_cover([list(map(fraction, column)) for column in columns], [Fraction(0)] * 2, total=True)
    shares = rationals(found.shares)
    mixed = [weighed(costs, shares) for costs in zip(*columns, strict=True)]
    for region, density in enumerate(reject.densities):
        low, high = reject.bounds(region)
        if not positive(density, Interval(x, low, high), given):
            return None
        if high is S.Infinity or all(nonnegative(high - cost, None, given) for cost in mixed):
            return LargestStake(region + 1, shares)
    return None


def _level_pairs(known: ActLosses, reject: Distribution, given: Given) -> Iterator[EqualLosses]:
    """Yield pairs of forecasts inside a region at which its act costs the same, or in the same gap of the law."""
    for region in known.regions:
        others = tuple(act for act in known.chosen if act != region.act)
        near = (
            tuple(p + Rational(1, 2**n) * step for p, step in zip(start, along, strict=True))
            for start in region.inside[:1]
            for along in _level(known.matrix.columns[region.act])
            for n in range(1, HALVINGS)
        )
        for forecast in near:
            if is_inside(known.matrix.columns, forecast, region.act, others, given):
                yield EqualLosses(region.act, (region.inside[0], forecast))
    for gap, density in enumerate(reject.densities):
        if density == 0 and not known.matrix.parameters:
            yield from _pairs_in_gap(known, reject, gap)


def _level(costs: tuple[Expr, ...]) -> Iterator[Forecast]:
    """Yield directions along which probabilities add up to the same, and so does what an act costs."""
    for i, j, k in combinations(range(len(costs)), 3):
        along = {i: costs[j] - costs[k], j: costs[k] - costs[i], k: costs[i] - costs[j]}
        size = sum(map(sympy.Abs, along.values()))
        if size != 0:
            yield tuple(along.get(n, S.Zero) / size for n in range(len(costs)))
    if len(set(costs[:2])) == 1:
        yield (S.One, S.NegativeOne, *[S.Zero] * (len(costs) - 2))


def _pairs_in_gap(known: ActLosses, reject: Distribution, gap: int) -> Iterator[EqualLosses]:
    """Try a few forecasts of two classes."""
    low, high = reject.bounds(gap)
    found: dict[int, list[Forecast]] = {}
    for n in range(1, GRID if known.classes == 2 else 0):
        forecast = (1 - Rational(n, GRID), Rational(n, GRID))
        act = known.act(forecast)
        others = tuple(other for other in known.chosen if other != act)
        within = low < weighed(known.matrix.columns[act], forecast) < high and act in known.chosen
        if within and is_inside(known.matrix.columns, forecast, act, others, Given()):
            found.setdefault(act, []).append(forecast)
    for act, forecasts in found.items():
        if len(forecasts) > 1:
            yield EqualLosses(act, (forecasts[0], forecasts[1]), gap)
