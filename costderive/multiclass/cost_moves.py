"""The moves of K classes: distributions, the Bayes act, the integrals over the costs, and properness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations

import sympy
from sympy import Derivative, Expr, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import Law, gamma, x
from costderive.deciders.limits import Approach, value_at
from costderive.multiclass.class_costs import ClassCosts, DirichletCosts
from costderive.multiclass.letters import believed, cost, predicted
from costderive.multiclass.orders import exchanges, gaps, interleavings, is_representative
from costderive.multiclass.stages import (
    BayesProperness,
    ClassLosses,
    CostSlice,
    Distribution,
    IndependentDistributions,
    Order,
    SplitLoss,
    SplitLosses,
    TermIntegral,
)
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends

POSITIVE = Interval(x, S.Zero, S.Infinity)
_total = Symbol("_total", positive=True)


@dataclass(frozen=True, slots=True)
class FindDistributions(Move):
    """Find the distribution function and the mean of each cost; of Dirichlet costs, those of independent Gammas."""

    searched_by = "costderive.multiclass.search.cost_moves:find_distributions"

    def claims(self, before: ClassCosts, after: IndependentDistributions, given: Given) -> Iterator[Claim]:
        yield Same("every class has a distribution", len(before.laws), len(after.of_class))
        for law, found in zip(before.laws, after.of_class, strict=False):
            yield from distribution_claims(law, found)
        yield Same("the factor is that of the context", factor_of(before), after.factor)
        if isinstance(before, DirichletCosts):
            yield from _dirichlet_claims(before, after)


def factor_of(costs: ClassCosts) -> Expr:
    """Return what costs that share a budget are multiples of independent ones by; else 1."""
    return costs.budget / sum(costs.shapes) if isinstance(costs, DirichletCosts) else S.One


def distribution_claims(law: Law, found: Distribution) -> Iterator[Claim]:
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
        yield from _region_claims(law, found, region, density)
    yield from _passage_claims(found)
    yield Equal("the mean is the sum of its parts", found.mean, _mean(found))


def _region_claims(law: Law, found: Distribution, region: int, density: Expr) -> Iterator[Claim]:
    low, high = found.bounds(region)
    on = Interval(x, low, high)
    cdf, moment = found.cdfs[region], found.moments[region]
    yield Same("the density is that of the law", density, density_between(law, low, high, found.marks))
    yield NonNegative("the density is not negative", density, on)
    yield Equal("the distribution function has the density for its slope", Derivative(cdf, x), density, on)
    yield Equal("slope of the antiderivative behind the mean", Derivative(moment, x), x * density, on)
    for function in (cdf, moment):
        yield Regular("it is smooth, also at the ends of its region", function, POSITIVE)


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


def _passage_claims(found: Distribution) -> Iterator[Claim]:
    yield Tends("the distribution function starts at 0", found.cdfs[0], x, S.Zero, "+", S.Zero)
    yield Tends("the distribution function ends at 1", found.cdfs[-1], x, S.Infinity, "-", S.One)
    for mark, jump, below, above in zip(found.marks, found.jumps, found.cdfs, found.cdfs[1:], strict=False):
        risen = above.subs(x, mark) - below.subs(x, mark)
        yield Equal("the distribution function rises by the probability of a mark", risen, jump)
    yield Tends("the last moment ends at 0", found.moments[-1], x, S.Infinity, "-", S.Zero)


def _mean(found: Distribution) -> Expr:
    """Add up the parts of the mean; the antiderivative of the last region is 0 at infinity."""
    parts = [mark * jump for mark, jump in zip(found.marks, found.jumps, strict=True)]
    for region, moment in enumerate(found.moments):
        low, high = found.bounds(region)
        parts.append(-_start(moment, low))
        parts.append(S.Zero if high is S.Infinity else moment.subs(x, high))
    return sympy.Add(*parts)


def _start(moment: Expr, low: Expr) -> Expr:
    """Return the value of an antiderivative at the start of a region: at 0 its limit, which has to be decided."""
    if low != 0:
        return moment.subs(x, low)
    start = value_at(moment, Approach(x, S.Zero, "+"))
    return S.NaN if start is None else start


def _dirichlet_claims(before: DirichletCosts, after: IndependentDistributions) -> Iterator[Claim]:
    """Independent Gammas are shares of their total: the shares are Dirichlet, and independent of the total.

    So what is of the first degree in the costs has, for shares of a budget, its expectation for the Gammas times the
    budget over the mean of their total.
    """
    free = tuple(Symbol(f"_w{label}", positive=True) for label in range(1, before.classes))
    shares = (1 - sum(free), *free)
    costs = sympy.Matrix([_total * share for share in shares])
    jacobian = costs.jacobian([_total, *free]).det()
    whole = gamma(sum(before.shapes), S.One).spreads[0].density.subs(x, _total)
    parts = [law.spreads[0].density for law in before.laws]
    joint = sympy.Mul(*[part.subs(x, value) for part, value in zip(parts, costs, strict=True)])
    yield Equal("volume in terms of the total and the shares", jacobian, _total ** (before.classes - 1))
    product = before.density(shares) * whole
    yield Equal("the shares are Dirichlet, the total Gamma", joint * _total ** (before.classes - 1), product)
    means = sympy.Add(*[found.mean for found in after.of_class])
    yield Equal("the factor makes the budget of the mean total", after.factor * means, before.budget)


@dataclass(frozen=True, slots=True)
class ChooseByCost(Move):
    """Decide for ``argmax p_i c_i``: class i is not chosen with probability ``1 - prod G_j(p_i x/p_j)`` at c_i = x."""

    searched_by = "costderive.multiclass.search.cost_moves:choose_by_cost"

    def claims(self, before: IndependentDistributions, after: SplitLosses, given: Given) -> Iterator[Claim]:
        yield Same("the costs are the ones before", before, after.costs)
        found = tuple(cell.order for cell in after.cells)
        covered = len(set(found)) * exchanges(before.of_class)
        yield Same("the orders are all there are", covered, interleavings(before.of_class))
        for cell in after.cells:
            known = is_representative(cell.order, before.of_class)
            yield Same("the order is one of the marks", known, True)
            yield Same("every class has a loss", len(cell.losses), len(before.of_class))
            for label, loss in enumerate(cell.losses if known else ()):
                yield from _split_claims(label, loss, cell.order, before)


def regions_above(below: Order, classes: int) -> tuple[int, ...]:
    """Return the region of each class above some marks: the number of its marks among them."""
    return tuple(sum(mark.label == label for mark in below) for label in range(classes))


def masses_of(label: int, order: Order, costs: IndependentDistributions) -> Iterator[Expr]:
    """Yield value times probability times the probability that the class is not chosen, for each mass."""
    found = costs.of_class[label]
    for value, jump in zip(found.marks, found.jumps, strict=True):
        if jump != 0:
            place = next(n for n, mark in enumerate(order) if (mark.label, mark.value) == (label, value))
            regions = regions_above(order[:place], len(costs.of_class))
            yield value * jump * costs.unchosen(label, value, regions)


def _split_claims(
    label: int, loss: SplitLoss, order: Order, costs: IndependentDistributions
) -> Iterator[Claim]:
    ends = tuple((part.low, part.high) for part in loss.slices)
    joined = (ends[0][0], *[high for _, high in ends]) if ends else ()
    outer = (joined[:1], joined[-1:])
    yield Same("the slices start at 0 and end at infinity", outer, ((S.Zero,), (S.Infinity,)))
    yield Same("each slice starts where the one before it ends", tuple(pairwise(joined)), ends)
    yield Same("there is a slice between any two marks", len(ends), len(order) + 1)
    for place, part in enumerate(loss.slices):
        yield from _slice_claims(label, part, place, order, costs)
    masses = tuple(masses_of(label, order, costs))
    yield Same("the masses count with their chance not to be chosen", loss.masses, masses)


def _slice_claims(
    label: int, part: CostSlice, place: int, order: Order, costs: IndependentDistributions
) -> Iterator[Claim]:
    """The slice between two marks lies in the regions that it says, by the order of the marks: each rises to the next.

    A rise is a gap, or one times the value of its marks, which is positive because the marks of a law ascend from 0.
    """
    found = costs.of_class
    facts, regions = gaps(order), regions_above(order[:place], len(found))
    rises = tuple(high.weighed - low.weighed for low, high in pairwise(order))
    yield Same("the regions of a slice", part.regions, regions)
    if part.high is not S.Infinity:
        length = (part.high - part.low) * predicted(label)
        yield NonNegative("a slice has an end above its start", length, None, facts[place - 1 : place])
    for other, region in enumerate(regions):
        low, high = found[other].bounds(region)
        marks = [place for place, mark in enumerate(order) if mark.label == other]
        if low != 0:
            room = part.low * predicted(label) - low * predicted(other)
            between = sympy.Add(*rises[marks[region - 1] : place - 1])
            yield Equal("a slice is above the start of a region by the rises of the marks", room, between)
        if high is not S.Infinity:
            room = high * predicted(other) - part.high * predicted(label)
            between = sympy.Add(*rises[place : marks[region]])
            yield Equal("a slice is below its end by the rises of the marks", room, between)
    whole = costs.integrand(label, regions)
    yield Equal("cost, density and chance not to be chosen", part.integrand, whole, POSITIVE)


@dataclass(frozen=True, slots=True)
class IntegrateCosts(Move):
    """Integrate over the cost of each class: the losses."""

    searched_by = "costderive.multiclass.search.cost_moves:integrate_costs"

    def claims(self, before: SplitLosses, after: ClassLosses, given: Given) -> Iterator[Claim]:
        yield Same("the costs are the ones before", before.costs, after.costs)
        orders_before, orders_after = (tuple(cell.order for cell in found.cells) for found in (before, after))
        yield Same("the cells are the ones before", orders_before, orders_after)
        for split, cell in zip(before.cells, after.cells, strict=False):
            counts = (len(cell.losses), len(cell.integrals))
            yield Same("every class has its integrals", counts, (len(split.losses),) * 2)
            for parts in zip(split.losses, cell.integrals, cell.losses, strict=False):
                yield from _integral_claims(*parts, before.costs.factor)


def sum_of(loss: SplitLoss, integrals: tuple[tuple[TermIntegral, ...], ...], factor: Expr) -> Expr:
    """Add up the terms of all slices and the masses."""
    terms = [term.at_high - term.at_low for found in integrals for term in found]
    return factor * sympy.Add(*terms, *loss.masses)


def _integral_claims(
    loss: SplitLoss, integrals: tuple[tuple[TermIntegral, ...], ...], value: Expr, factor: Expr
) -> Iterator[Claim]:
    yield Same("every slice has its integral", len(loss.slices), len(integrals))
    for part, terms in zip(loss.slices, integrals, strict=False):
        added = sympy.Add(*[term.integrand for term in terms])
        yield Equal("the terms add up to the integrand", added, part.integrand, POSITIVE)
        for term in terms:
            yield from _term_claims(term, part)
    yield Equal("the loss adds up its integrals and masses", value, sum_of(loss, integrals, factor))


def _term_claims(term: TermIntegral, part: CostSlice) -> Iterator[Claim]:
    slope = Derivative(term.antiderivative, x)
    yield Equal("slope of the antiderivative", slope, term.integrand, POSITIVE)
    yield Regular("the antiderivative is smooth", term.antiderivative, POSITIVE)
    for end, side, limit in ((part.low, "+", term.at_low), (part.high, "-", term.at_high)):
        yield Tends("limit of the antiderivative", term.antiderivative, x, end, side, limit)


@dataclass(frozen=True, slots=True)
class ActOptimally(Move):
    """The loss of a Bayes act is proper: for the cost that occurs, no act of another report costs less on average."""

    def apply(self, before: ClassLosses, given: Given) -> BayesProperness:
        return BayesProperness(before, _strict_where(before.costs.of_class))

    def claims(self, before: ClassLosses, after: BayesProperness, given: Given) -> Iterator[Claim]:
        found = before.costs.of_class
        yield Same("the losses are the ones before", before, after.losses)
        yield Positive("the factor of the costs is positive", before.costs.factor)
        for act, other in permutations(range(len(found)), 2):
            yield _optimal(act, other, len(found))
        yield Same("where the rule is strictly proper", after.strict, _strict_where(found))
        if after.strict is not None:
            for one in found:
                yield from _support_claims(one)


def _optimal(act: int, other: int, classes: int) -> Claim:
    """Where the act is chosen under the belief, another one costs at least as much under that belief."""
    weighed = [believed(label) * cost(label) for label in range(classes)]
    chosen = tuple(weighed[act] - weight for label, weight in enumerate(weighed) if label != act)
    excess = sum(weight for label, weight in enumerate(weighed) if label != other)
    excess -= sum(weight for label, weight in enumerate(weighed) if label != act)
    return NonNegative(f"acting on class {other} costs no less than on class {act}", excess, None, chosen)


def _strict_where(found: tuple[Distribution, ...]) -> tuple[Expr, ...] | None:
    """Return what must be positive at a belief q, or ``None`` if that was not located.

    The excess ``R(p|q) - R(q|q)`` is the expectation of ``max_j q_j c_j - q_a c_a``, where a is the class for which p
    decides. So it is positive if and only if p decides, with positive probability, for a class that is not best.

    *Needed.* If ``q_m c_m <= q_j c_j`` for all costs, class m is never best alone, and a report that gives it less, and
    changes no other ratio, still decides for best ones. If all costs take finitely many values, reports close
    enough to q decide for best ones.
    *Enough, if every cost is known or spread over one interval.* Some z is such that each cost ``z/q_i`` is inside its
    interval. Near these costs q is undecided between all classes, but p decides for those with the largest
    ``p_i/q_i``, which are not all.
    *Enough, if the cost of a class j is spread up to infinity.* Take a class i with another ratio ``p_i/q_i`` than j.
    Near the largest ``q_i c_i``, where all others may be below it, ``q_j c_j`` may be just above and just below. In one
    of these cases, whichever ratio is larger, p ranks the lesser of i and j before the best.
    """
    if not any(one.carried for one in found):
        return (S.Zero,)
    endless = any(one.is_interval and one.span[1] is S.Infinity for one in found)
    if not endless and not all(one.is_interval or one.is_known for one in found):
        return None
    spans = [one.span for one in found]
    return tuple(
        high * believed(m) - low * believed(j)
        for (m, (_, high)), (j, (low, _)) in permutations(enumerate(spans), 2)
        if high is not S.Infinity and low != 0
    )


def _support_claims(found: Distribution) -> Iterator[Claim]:
    for region, density in enumerate(found.densities):
        if density != 0:
            low, high = found.bounds(region)
            yield Positive("the density is positive", density, Interval(x, low, high))
    for jump in found.jumps:
        if jump != 0:
            yield Positive("a probability is positive", jump)
