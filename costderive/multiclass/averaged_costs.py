"""Uncertain costs of a matrix: the mean loss over the cost of rejecting and over a factor, and why it is proper.

With the least expected cost e of the other acts, it is rejected if the cost x of that is below e. So the loss is
``E[x; x < e] + C[i, a] P(x >= e) = G(e) + (C[i, a] - e) (1 - F(e))``, where ``G(e) = E[min(x, e)]``, the limited
expected value, has the slope ``1 - F``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Expr, S, Symbol

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given, Interval
from costderive.core.short_repr import short_repr
from costderive.costs.laws import x
from costderive.multiclass.act_regions import ActLosses, inside_claims
from costderive.multiclass.cost_matrix import weighed
from costderive.multiclass.law_claims import distribution_claims
from costderive.multiclass.mixed_acts import MixedLosses, limited_claims
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.multiclass.stages import Distribution
from costderive.multiclass.uncertain_strictness import (
    IndependentTies,
    MovingThreshold,
    SharedAct,
    letter_claims,
)
from costderive.proof.claims import Claim, Conclusion, Equal, Move, NonNegative, Positive, Same
from costderive.rules.conclusions import Judgement


@dataclass(frozen=True, slots=True)
class AveragedLosses(ClassRule):
    """The mean losses over the law of the cost of rejecting, and of a factor, where these are uncertain.

    ``limited`` has ``E[min(x, z)]`` as a function of ``x = z``, in each region of the law of rejecting.
    """

    known: ActLosses
    factor: Distribution | None
    reject: Distribution | None
    limited: tuple[Expr, ...]

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return self.known.classes

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return self.known.parameters

    @property
    def scale(self) -> Expr:
        """The mean of the factor, or 1."""
        return S.One if self.factor is None else self.factor.mean

    def loss(self, cost: Expr, least: Expr, region: int) -> Expr:
        """Return the mean loss where the act costs so much in the class, and ``least`` on average."""
        if self.reject is None:
            return self.scale * cost
        limited, kept = (f.subs(x, least) for f in (self.limited[region], 1 - self.reject.cdfs[region]))
        return self.scale * (limited + (cost - least) * kept)

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a cost has letters.

        >>> from costderive.multiclass import CostMatrix, derive
        >>> derive(CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/2)")).rule.at(("2/3", "1/3"))
        (1/9, 4/9)
        """
        values = numbers(forecast, self.classes)
        costs = self.known.at(values)
        least = weighed(costs, values)
        if self.reject is None or least.is_nonpositive:
            return tuple(self.scale * cost for cost in costs)
        if any(mark.free_symbols for mark in self.reject.marks):
            raise ParametersLeftError("the cost of rejecting has letters", "Build the matrix with numbers.")
        region = sum(bool(mark < least) for mark in self.reject.marks)
        return tuple(self.loss(cost, least, region) for cost in costs)


@dataclass(frozen=True, slots=True)
class AverageCosts(Move):
    """Take the mean over the cost of rejecting and over the factor, which are known when it is decided."""

    searched_by = "costderive.multiclass.search.averaged_costs:average_costs"

    def claims(self, before: ActLosses, after: AveragedLosses, given: Given) -> Iterator[Claim]:
        matrix, reject = before.matrix, after.reject
        yield Same("the losses for known costs are the ones before", before, after.known)
        uncertain = (matrix.factor is not None, matrix.is_uncertain)
        found = (after.factor is not None, reject is not None)
        yield Same("what is uncertain has a distribution", found, uncertain)
        if found == uncertain and after.factor is not None:
            yield from distribution_claims(matrix.factor, after.factor, given)
        if found == uncertain and reject is not None:
            yield from distribution_claims(matrix.reject, reject, given)
            yield from limited_claims(reject, after.limited, given)


@dataclass(frozen=True, slots=True)
class EqualLosses:
    """Two forecasts at which the same act costs least, and all losses are the same.

    If the cost of rejecting is uncertain, the act costs the same under both, or two costs between which that of
    rejecting cannot be: both are in a ``gap``, a region of its law without a density.
    """

    act: int
    forecasts: tuple[Forecast, ...]
    gap: int | None = None


@dataclass(frozen=True, slots=True)
class LargestStake:
    """A bound on the least expected cost of acts other than to reject: where the law of that cost ends, or infinity.

    The acts with a region, in these ``shares``, cost no more than that in any class. The law has a positive density in
    so many ``regions`` below the bound.
    """

    regions: int
    shares: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ActProperness(Conclusion):
    """The losses of Bayes acts are proper.

    ``same`` shows that they are not strictly so, ``stake`` that they are; neither may be known.
    """

    losses: ActLosses | AveragedLosses | MixedLosses | ExpectedLosses
    same: EqualLosses | SharedAct | None
    stake: LargestStake | MovingThreshold | IndependentTies | None

    @property
    def judgement(self) -> Judgement:
        """Strictly proper everywhere, or proper."""
        return Judgement.STRICTLY_PROPER if self.stake else Judgement.PROPER


@dataclass(frozen=True, slots=True)
class TakeCheapestAct(Move):
    """The act of the truth costs least under the truth: in its region no act costs less, that of a report included.

    *Strictly*, for two classes, if the cost x of rejecting has a positive density up to the greatest value of the least
    expected cost m of the other acts. Let a report p take act a, which costs ``e = e_a(p)``, unless ``x < e``. If e
    is not m(q), then between the two the report rejects when it should not, or does not when it should. If it is, and x
    may be above it, then a has to cost m(q) under q too. As it costs more in one class than in the other, p = q. If
    x cannot, then m is greatest at both p and q, which happens once, since it bends and is nowhere level.

    *Strictly*, too, for two classes, if values of uncertain letters move the threshold between two acts from 0 to 1
    without a jump. Between p and q there is then a threshold for some values, hence for all values close to them: at
    these the least expected cost bends between p and q, so that no act costs least at both. The values have a positive
    probability.

    *Strictly*, too, if at every forecast m, for some values of the letters, two acts cost the same and all others more,
    for K - 1 such pairs whose differences of costs are independent of each other and of a row of ones. Let m be in the
    middle of p and q. For one pair the difference is then not orthogonal to ``q - p``: the first act costs less at one,
    the second at the other. Another act that costs least at both would cost no more than they do at m. So no act costs
    least at both, for all values close to these.
    """

    searched_by = "costderive.multiclass.search.averaged_costs:take_cheapest_act"

    def claims(
        self,
        before: ActLosses | AveragedLosses | MixedLosses | ExpectedLosses,
        after: ActProperness,
        given: Given,
    ) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        if isinstance(before, MixedLosses | ExpectedLosses):
            parts = before.parts if isinstance(before, ExpectedLosses) else (before.part,)
            yield from letter_claims(before.matrix, parts, before.scale, after.same, after.stake)
            return
        letters = isinstance(after.same, SharedAct) or isinstance(
            after.stake, MovingThreshold | IndependentTies
        )
        yield Same("what decides strictness is about no letters", letters, False)
        if isinstance(after.same, EqualLosses):
            yield from _same_claims(before, after.same)
        if isinstance(after.stake, LargestStake):
            strict = isinstance(before, AveragedLosses) and before.reject is not None and before.classes == 2
            yield Same("an uncertain cost of rejecting, and two classes", strict, True)
            if isinstance(before, AveragedLosses) and before.reject is not None:
                yield from _stake_claims(before.known, before.reject, after.stake)


def _same_claims(losses: ActLosses | AveragedLosses, same: EqualLosses) -> Iterator[Claim]:
    known = losses.known if isinstance(losses, AveragedLosses) else losses
    columns, chosen = known.matrix.columns, known.chosen
    is_pair = len(same.forecasts) == 2 and same.forecasts[0] != same.forecasts[1]
    sizes = {len(forecast) for forecast in same.forecasts} == {known.classes}
    fits = is_pair and sizes and same.act in chosen
    yield Same("there are two forecasts, and an act", fits, True)
    if fits:
        others = tuple(act for act in chosen if act != same.act)
        for forecast in same.forecasts:
            yield from inside_claims(columns, same.act, others, forecast)
        costs = tuple(weighed(columns[same.act], forecast) for forecast in same.forecasts)
        if isinstance(losses, AveragedLosses) and losses.reject is not None:
            yield from _level_claims(costs, losses.reject, same.gap)


def _level_claims(costs: tuple[Expr, ...], reject: Distribution, gap: int | None) -> Iterator[Claim]:
    """The mean loss is the same for both of the least costs."""
    if gap is None:
        yield Equal("the act costs the same under both", *costs)
        return
    there = 0 <= gap <= len(reject.marks)
    yield Same("there is such a region", there, True)
    if there:
        yield Same("the cost of rejecting cannot be between them", reject.densities[gap], S.Zero)
        low, high = reject.bounds(gap)
        for cost in costs:
            yield Positive("the act costs more than the start of the region", cost - low)
            if high is not S.Infinity:
                yield Positive("the act costs less than the end of the region", high - cost)


def _stake_claims(known: ActLosses, reject: Distribution, stake: LargestStake) -> Iterator[Claim]:
    columns = known.matrix.columns
    there = 0 < stake.regions <= len(reject.cdfs) and len(stake.shares) == len(known.chosen)
    yield Same("there are so many regions, and every act with one has a share", there, True)
    for region in range(stake.regions if there else 0):
        on = Interval(x, *reject.bounds(region))
        yield Positive("the cost of rejecting has a positive density", reject.densities[region], on)
    for act in known.chosen:
        low, high = columns[act][:2]
        yield Positive("the act costs more in one class than in the other", (low - high) ** 2)
        for cost in columns[act]:
            yield NonNegative("no cost is negative", cost)
    for share in stake.shares:
        yield NonNegative("a share is not negative", share)
    yield Equal("shares add up to one", sum(stake.shares, S.Zero), S.One)
    bound = reject.bounds(stake.regions - 1)[1] if there else S.Infinity
    if bound is not S.Infinity:
        for costs in zip(*[columns[act] for act in known.chosen], strict=True):
            most = bound - weighed(costs, stake.shares)
            yield NonNegative("the acts cost no more, in these shares, than the bound", most)
