"""Stretches of a curve of costs: intervals of its parameter on which neither cost has cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.costs.assumed_facts import ASSUME, remedy
from costderive.costs.cut_points import (
    Cells,
    cells_between,
    gaps,
    lengths,
    places,
    turns,
    turns_of_sines,
)
from costderive.costs.expected_loss import Point
from costderive.costs.laws import Expectation, Law, Spread, x
from costderive.costs.laws.distribution_functions import probability_between
from costderive.costs.laws.expectation import first_moment
from costderive.deciders.one_way import gains
from costderive.deciders.signs import nonnegative, positive


@dataclass(frozen=True, slots=True)
class Stretch:
    """Costs without cases on an interval of x, with the density of x there, under what is given."""

    c0: Expr
    c1: Expr
    part: Spread
    given: Given

    @property
    def turning(self) -> Expr:
        """An expression with the sign of the slope of the cost proportion."""
        return turning(self.c0, self.c1)

    def one_way(self) -> list[tuple[Expr, Expr]]:
        """Return the intervals of x, each with its ends, on which the cost proportion runs one way.

        Raises:
            SpecError: if it is open whether it turns.
        """
        turning = self.turning
        signs = (positive(sign * turning, self.part.interval, self.given) for sign in (1, -1))
        if gains(self.c0, self.c1, self.part.interval, self.given) or any(signs):
            return [(self.part.low, self.part.high)]
        inside = [root for root in self._turns(turning) if self._inside(root)]
        inner = sorted(inside, key=lambda root: float(root) if root.is_number else 0.0)
        return list(pairwise([self.part.low, *inner, self.part.high]))

    def _turns(self, turning: Expr) -> Iterator[Expr]:
        """Yield exact roots: of factors that are polynomials of degree 1 or 2 in x, or those that SymPy finds."""
        if not turning.is_rational_function():
            yield from turns_of_sines(turning, x, self.part.low, self.part.high) or turns(turning, x)
            return
        for factor, _ in sympy.factor_list(sympy.numer(sympy.together(turning)))[1]:
            if factor.has(x) and sympy.degree(factor, x) <= 2:
                yield from (root for root in sympy.roots(sympy.Poly(factor, x)) if root.is_real is not False)

    def _inside(self, root: Expr) -> bool:
        part = self.part
        distances = lengths(root, part.interval)
        if all(positive(gap, None, self.given) for gap in distances):
            return True
        if any(nonnegative(-gap, None, self.given) for gap in distances):
            return False
        raise SpecError(
            f"whether the cost proportion turns at x = {root}, between {part.low} and {part.high}, is open",
            remedy(root, part.low, part.high),
        )

    def point(self, law: Law) -> Point:
        """Return the costs on average and the probability of a stretch on which the proportion stays the same."""
        probability = self._probability(law)
        return Point(self._mean(self.c0, probability), self._mean(self.c1, probability), probability)

    def expectations(self, law: Law) -> tuple[Expectation, ...]:
        """Return what has to be proved of `point`: the probability of the stretch, and means of costs that vary."""
        here, probability = Law((self.part,)), self._probability(law)
        means = [Expectation(here, cost, self._moment(cost)) for cost in (self.c0, self.c1) if cost.has(x)]
        return (Expectation(here, S.One, probability), *means)

    def _probability(self, law: Law) -> Expr:
        return probability_between(law, self.part.low, self.part.high) or self._moment(S.One)

    def _mean(self, cost: Expr, probability: Expr) -> Expr:
        return self._moment(cost) / probability if cost.has(x) else cost

    def _moment(self, factor: Expr) -> Expr:
        """Return the integral of a factor times the density."""
        return first_moment(self.part.density * factor / x, self.part.interval, self.given)


def turning(c0: Expr, c1: Expr) -> Expr:
    """Return an expression with the sign of the slope of ``c0/(c0 + c1)``."""
    slope = sympy.diff(c0, x) * c1 - c0 * sympy.diff(c1, x)
    return sympy.factor(sympy.together(slope)) if slope.is_rational_function(x) else sympy.simplify(slope)


def stretches(c0: Expr, c1: Expr, law: Law) -> tuple[Stretch, ...]:
    """Cut each interval of a law of x where one of two costs has a kink, or a condition in it changes.

    Raises:
        SpecError: if it is open where that is.
    """
    return tuple(stretch for part in law.spreads for stretch in _of_part(c0, c1, part, law.given()))


def _of_part(c0: Expr, c1: Expr, part: Spread, given: Given) -> Iterator[Stretch]:
    kinks = places([*gaps(c0), *gaps(c1)], x)
    cells = cells_between(kinks, part.interval, given, "context: a curve", ASSUME)
    _require_known(cells, given)
    first, second = (cells.settled(cost, x, f"context.{name}") for name, cost in (("c0", c0), ("c1", c1)))
    for (low, high), one, other in zip(pairwise(cells.ends), first, second, strict=True):
        yield Stretch(one, other, Spread(low, high, part.density), given)


def _require_known(cells: Cells, given: Given) -> None:
    """Refuse a kink of which it is open whether it is inside."""
    fact = next((fact for fact in cells.given.positive if positive(fact, None, given) is None), None)
    if fact is not None:
        problem = f"context: whether {fact} > 0 is open, and a kink of a cost depends on it"
        raise SpecError(problem, remedy(fact))
