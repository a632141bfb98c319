"""The moves of K classes: distributions, the Bayes act, the integrals over the costs, and properness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, S, Symbol

from costderive.core.piecewise import Given
from costderive.costs.laws import gamma, x
from costderive.multiclass.class_costs import ClassCosts, DirichletCosts
from costderive.multiclass.law_claims import POSITIVE, distribution_claims
from costderive.multiclass.letters import predicted
from costderive.multiclass.orders import exchanges, gaps, interleavings, is_representative
from costderive.multiclass.stages import (
    ClassLosses,
    CostSlice,
    IndependentDistributions,
    Order,
    SplitLoss,
    SplitLosses,
    TermIntegral,
)
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Regular, Same, Tends

_total = Symbol("_total", positive=True)


@dataclass(frozen=True, slots=True)
class FindDistributions(Move):
    """Find the distribution function and the mean of each cost; of Dirichlet costs, those of independent Gammas."""

    searched_by = "costderive.multiclass.search.cost_moves:find_distributions"

    def claims(self, before: ClassCosts, after: IndependentDistributions, given: Given) -> Iterator[Claim]:
        yield Same("every class has a distribution", len(before.laws), len(after.of_class))
        for law, found in zip(before.laws, after.of_class, strict=False):
            yield from distribution_claims(law, found, given)
        yield Same("the factor is that of the context", factor_of(before), after.factor)
        if isinstance(before, DirichletCosts):
            yield from _dirichlet_claims(before, after)


def factor_of(costs: ClassCosts) -> Expr:
    """Return what costs that share a budget are multiples of independent ones by; else 1."""
    return costs.budget / sum(costs.shapes) if isinstance(costs, DirichletCosts) else S.One


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
