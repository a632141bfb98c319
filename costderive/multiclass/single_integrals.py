"""The losses of K classes as single integrals, for costs of any laws: over the cost of each class itself.

At the cost x of class i, the class is chosen if no other weighs more. Costs are independent, so that this has the
probability ``prod G_j(p_i x/p_j)`` with the distribution functions of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integral, S, Symbol

from costderive.core.errors import require_values
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.costs.laws import x
from costderive.multiclass.law_claims import at_end
from costderive.multiclass.letters import is_free
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.multiclass.sums import ExponentialSum, NotASumError
from costderive.proof.claims import Claim, Move, Same

Placed = tuple[Expr, int, Expr]  # a mark in units of the own cost; less the label; the mark


@dataclass(frozen=True, slots=True)
class SingleIntegrals(ClassRule):
    """The losses ``E[c_i] - int x prod G_j(p_i x/p_j) dG_i(x)``, where j runs over the other classes."""

    costs: IndependentDistributions

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return len(self.costs.of_class)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        exprs = [e for one in self.costs.of_class for e in (*one.marks, *one.jumps, *one.densities)]
        found = frozenset().union(self.costs.factor.free_symbols, *[expr.free_symbols for expr in exprs])
        return tuple(sorted(filter(is_free, found), key=str))

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly: a sum of integrals between numbers; ties go to the lower class.

        At a probability 0 it is the limit: a class that is never chosen costs its mean, and is no rival to the others.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a parameter of the context has no number.

        >>> from costderive.multiclass import IndependentCosts, derive
        >>> rule = derive(IndependentCosts(("rayleigh(1)",) * 2)).rule
        >>> round(float(rule.at(("1/2", "1/2"))[0]), 12)  # sqrt(pi)/4
        0.443113462726
        """
        values = numbers(forecast, self.classes)
        require_values(self.parameters, "costs")
        return tuple(self.costs.factor * self._loss(label, values) for label in range(self.classes))

    def _loss(self, label: int, values: Forecast) -> Expr:
        own = self.costs.of_class[label]
        if values[label] == 0:
            return own.mean
        shares = {j: values[label] / value for j, value in enumerate(values) if value != 0}
        placed = sorted(
            (mark / share, -j, mark) for j, share in shares.items() for mark in self.costs.of_class[j].marks
        )
        ends = pairwise((S.Zero, *[place for place, _, _ in placed], S.Infinity))
        slices = [
            self._slice(label, shares, low, high, placed[:n])
            for n, (low, high) in enumerate(ends)
            if low < high
        ]
        return sympy.Add(own.mean, *[-chosen for chosen in (*slices, *self._masses(label, shares, placed))])

    def _slice(self, label: int, shares: dict[int, Expr], low: Expr, high: Expr, below: list[Placed]) -> Expr:
        """Return the mean cost between two marks, if the class is chosen."""
        own, region = self.costs.of_class[label], _regions_above(below, shares)
        chosen = self._chosen(label, shares, x, region)
        density = own.densities[region[label]]
        if density == 0 or chosen == 0:
            return S.Zero
        if chosen == 1:
            moment = own.moments[region[label]]
            return at_end(moment, high, "-") - at_end(moment, low, "+")
        return _integral(x * density * chosen, low, high)

    def _masses(self, label: int, shares: dict[int, Expr], placed: list[Placed]) -> Iterator[Expr]:
        """Yield each value that has a probability, times that and the probability that the class is chosen."""
        own = self.costs.of_class[label]
        for mark, jump in zip(own.marks, own.jumps, strict=True):
            if jump != 0:
                below = placed[: placed.index((mark, -label, mark))]
                yield mark * jump * self._chosen(label, shares, mark, _regions_above(below, shares))

    def _chosen(self, label: int, shares: dict[int, Expr], cost: Expr, region: dict[int, int]) -> Expr:
        others = [(self.costs.of_class[j], share, region[j]) for j, share in shares.items() if j != label]
        return sympy.Mul(*[_below(one, cost * share, at) for one, share, at in others])


def _integral(integrand: Expr, low: Expr, high: Expr) -> Expr:
    """Return an integral over costs, as a number where the integrand is a sum of ``C x^n exp(-r x)``."""
    try:
        whole = ExponentialSum.read(integrand, Given()).antiderivative().to_sympy()
    except NotASumError:
        return Integral(integrand, (x, low, high))
    top = S.Zero if high is S.Infinity else whole.subs(x, high)
    return top - whole.subs(x, low)


def _regions_above(below: list[Placed], shares: dict[int, Expr]) -> dict[int, int]:
    """Return the region of each class above some marks: the number of its marks among them."""
    return {label: sum(-negative == label for _, negative, _ in below) for label in shares}


def _below(one: Distribution, cost: Expr, region: int) -> Expr:
    """Return the distribution function in a region, maybe at an end of it."""
    cdf = one.cdfs[region]
    for end, side in zip(one.bounds(region), "+-", strict=True):
        if cost == end:
            return at_end(cdf, end, side)
    return cdf.subs(x, cost)


@dataclass(frozen=True, slots=True)
class HoldOwnCost(Move):
    """Decide for ``argmax p_i c_i`` at each cost x of class i, which is chosen with the probability ``prod G_j``.

    The losses are finite: they are at most the means. What is not integrated needs no other claim.
    """

    def apply(self, before: IndependentDistributions, given: Given) -> SingleIntegrals:
        return SingleIntegrals(before)

    def claims(
        self, before: IndependentDistributions, after: SingleIntegrals, given: Given
    ) -> Iterator[Claim]:
        yield Same("the costs are the ones before", before, after.costs)
