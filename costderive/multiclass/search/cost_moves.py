"""The derivation of the rule of K costs: the search for distributions, slices of all orders, and integrals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.plain_functions import by_exponentials
from costderive.costs.laws import x
from costderive.multiclass.bayes_acts import ActOptimally
from costderive.multiclass.class_costs import ClassContext, ClassCosts
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.cost_moves import (
    ChooseByCost,
    FindDistributions,
    IntegrateCosts,
    factor_of,
    masses_of,
    regions_above,
    sum_of,
)
from costderive.multiclass.derive_classes import MulticlassDerivation
from costderive.multiclass.letters import predicted
from costderive.multiclass.orders import MAX_ORDERS, count, orders
from costderive.multiclass.search.averaged_costs import moves_of
from costderive.multiclass.search.distributions import any_distribution
from costderive.multiclass.single_integrals import HoldOwnCost
from costderive.multiclass.stages import (
    Cell,
    ClassLosses,
    CostSlice,
    Distribution,
    IndependentDistributions,
    Order,
    SplitCell,
    SplitLoss,
    SplitLosses,
    TermIntegral,
)
from costderive.multiclass.sums import ONE, ExponentialSum, NotASumError

CLOSED = ChooseByCost(), IntegrateCosts()
OPEN = (HoldOwnCost(),)
MAX_CLASSES, MAX_TERMS = 16, 512
MAX_WORK = 150_000  # terms in all slices of all orders: half a minute of deriving and checking


def find_distributions(move: FindDistributions, before: ClassCosts, given: Given) -> IndependentDistributions:
    """Integrate each law once."""
    laws = before.laws
    known = {law: any_distribution(law, given) for law in set(laws)}
    return IndependentDistributions(factor_of(before), tuple(known[law] for law in laws))


def choose_by_cost(move: ChooseByCost, before: IndependentDistributions, given: Given) -> SplitLosses:
    """Multiply out what each class loses in every slice of every order."""
    cells = tuple(_cell(order, before, given) for order in orders(before.of_class))
    return SplitLosses(before, cells)


def has_closed_form(found: tuple[Distribution, ...], given: Given) -> bool:
    """Return whether all functions are sums of ``C x^n exp(-r x)``, and few enough to multiply out in each order."""
    try:
        longest = {one: max(map(len, _terms(one, given))) for one in set(found)}
    except NotASumError:
        return False
    terms, slices = prod(longest[one] for one in found), 1 + sum(len(one.marks) for one in found)
    is_short = len(found) <= MAX_CLASSES and terms <= MAX_TERMS and count(found) <= MAX_ORDERS
    return is_short and count(found) * slices * len(found) * terms <= MAX_WORK


def _terms(one: Distribution, given: Given) -> Iterator[Mapping[Any, Expr]]:
    functions = (*one.densities, *one.cdfs) if one.carried else one.cdfs
    yield from (ExponentialSum.read(function, given).terms for function in functions)


def _cell(order: Order, costs: IndependentDistributions, given: Given) -> SplitCell:
    labels = range(len(costs.of_class))
    return SplitCell(order, tuple(_split(label, order, costs, given) for label in labels))


def _split(label: int, order: Order, costs: IndependentDistributions, given: Given) -> SplitLoss:
    found = costs.of_class
    scaled = predicted(label)
    ends = pairwise((S.Zero, *[mark.weighed / scaled for mark in order], S.Infinity))
    slices = []
    for place, (low, high) in enumerate(ends):
        regions = regions_above(order[:place], len(found))
        slices.append(CostSlice(low, high, regions, _integrand(label, regions, found, given)))
    return SplitLoss(tuple(slices), tuple(masses_of(label, order, costs)))


def _integrand(label: int, regions: tuple[int, ...], found: tuple[Distribution, ...], given: Given) -> Expr:
    """Multiply out; what is not a product any more has an antiderivative term by term."""
    density = ExponentialSum.read(found[label].densities[regions[label]], given)
    chosen = ONE
    for other, region in enumerate(regions):
        if other != label:
            cdf = ExponentialSum.read(found[other].cdfs[region], given)
            chosen = chosen * cdf.at_multiple(predicted(label) / predicted(other))
    return (ExponentialSum({(1, S.Zero): S.One}) * density * (ONE - chosen)).to_sympy()


def integrate_costs(move: IntegrateCosts, before: SplitLosses, given: Given) -> ClassLosses:
    """Integrate the terms of every slice, and add them up."""
    return ClassLosses(
        before.costs, tuple(_integrated(cell, before.costs.factor, given) for cell in before.cells)
    )


def _integrated(cell: SplitCell, factor: Expr, given: Given) -> Cell:
    integrals = tuple(tuple(_integrals(part, given) for part in loss.slices) for loss in cell.losses)
    losses = [sum_of(loss, found, factor) for loss, found in zip(cell.losses, integrals, strict=True)]
    return Cell(cell.order, tuple(_written(loss) for loss in losses), integrals)


def _integrals(part: CostSlice, given: Given) -> tuple[TermIntegral, ...]:
    """Integrate each exponential by itself, so that each slope is compared by itself."""
    return tuple(_integral(term, part) for term in ExponentialSum.read(part.integrand, given).by_rate())


def _integral(term: ExponentialSum, part: CostSlice) -> TermIntegral:
    antiderivative = term.antiderivative().to_sympy()
    at_high = S.Zero if part.high is S.Infinity else antiderivative.subs(x, part.high)
    return TermIntegral(term.to_sympy(), antiderivative, antiderivative.subs(x, part.low), at_high)


def _written(loss: Expr) -> Expr:
    """Multiply out and gather exponentials; with inverses of sums only if that is shorter."""
    forecast = tuple(symbol for symbol in loss.free_symbols if symbol.name[0] == "p")
    sums = [power for power in loss.atoms(sympy.Pow) if power.exp.is_negative and power.base.is_Add]
    inverses = {power: _from_one(power, forecast) for power in sums if power.base.has(*forecast)}
    if not inverses:
        return _gathered(loss)
    kept = {inverse: sympy.Dummy(positive=True) for inverse in inverses.values()}
    gathered = _gathered(loss.xreplace({power: kept[inverse] for power, inverse in inverses.items()}))
    restored = gathered.xreplace({letter: inverse for inverse, letter in kept.items()})
    return min(loss.xreplace(inverses), restored, key=sympy.count_ops)


def _gathered(loss: Expr) -> Expr:
    expanded = sympy.expand_mul(loss.replace(sympy.exp, lambda exponent: sympy.exp(sympy.expand(exponent))))
    return by_exponentials(expanded, expanded.atoms(sympy.exp))


def _from_one(power: Expr, forecast: tuple[Symbol, ...]) -> Expr:
    """Write a power of ``c + ...`` as that of ``1 + ...`` times a constant."""
    constant, _ = power.base.as_independent(*forecast, as_Add=True)
    if constant == 0:
        return power
    return constant**power.exp * sympy.expand(power.base / constant) ** power.exp


def derive(context: ClassContext) -> MulticlassDerivation:
    """Derive the scoring rule that costs of K classes make, with its proof of properness.

    The decision is ``argmax p_i c_i``, and the loss of class i ``E[c_i; i not chosen]``: the loss of a Bayes act. So
    is that of a `CostMatrix`, the cost of the act of least expected cost. Losses of costs whose densities are no sums
    of ``C x^n exp(-r x)``, or which have too many orders to be written down, are single integrals.

    Raises:
        SpecError: if this is not a context of costs, there are too many classes, or a law has no distribution function
            in closed form here.

    Example:
        >>> from costderive.multiclass import DirichletCosts
        >>> derive(DirichletCosts((1, 1, 1))).rule.at(("1/3", "1/3", "1/3"))
        (7/18, 7/18, 7/18)
    """
    if isinstance(context, CostMatrix):
        return MulticlassDerivation.by(context, *moves_of(context))
    if not isinstance(context, ClassCosts):
        remedy = "Build one, e.g. costderive.multiclass.DirichletCosts((1, 1, 1))."
        raise SpecError(f"{context!r} is not a cost context of several classes", remedy)
    if context.classes > MAX_CLASSES:
        problem = (
            f"a derivation of {context.classes} classes has too many claims, above {MAX_CLASSES} classes"
        )
        raise SpecError(problem, "Score them: costderive.multiclass.compile(context).")
    found = MulticlassDerivation.by(context, FindDistributions())
    closed = has_closed_form(found.conclusion.of_class, found.given)
    return found.followed_by(*(CLOSED if closed else OPEN), ActOptimally())
