"""Costs that both depend on one uncertain quantity."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from itertools import groupby, pairwise
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.plain_functions import in_plain_functions
from costderive.core.short_repr import short_repr
from costderive.costs.contexts.context import Context, Costs, one_of
from costderive.costs.cut_points import turns, turns_of_sines
from costderive.costs.expected_loss import Arc, ExpectedLoss, Point
from costderive.costs.laws import (
    Density,
    Expectation,
    ImproperLaw,
    Law,
    Spread,
    law_of,
    require_proper,
    x,
)
from costderive.costs.laws.expectation import first_moment
from costderive.costs.laws.quadrature import at_points, compiled, points_between
from costderive.deciders.enclosure import sample as samples
from costderive.deciders.refutation import refuted
from costderive.deciders.signs import nonnegative, positive

ROUNDED = 1e-9  # of the largest value, which what is computed in doubles may be wrong by


@dataclass(frozen=True, slots=True)
class Curve(Context):
    """Costs that both depend on one uncertain quantity ``x``: ``c0(x)``, ``c1(x)`` and the law of ``x``.

    ``density`` is any law, such as ``"gamma(2, 1)"``, or an expression in ``x`` together with its ``support``. Where
    the cost proportion cannot be solved for x, the losses are functions of ``x(p)``, the root of
    ``c0/(c0 + c1) = p``. Where it turns, the curve is split. If it stays the same all along, only the expectations of
    the costs matter, and the threshold weight is one atom.

    Raises:
        SpecError: if a cost is negative, or the cost proportion turns where no exact point is found.

    Example:
        >>> Curve(c0="x", c1="1 + a*x", density="exponential(1)").parameters
        (a,)
    """

    c0: Any = None
    c1: Any = None
    density: Any = None
    support: InitVar[Any] = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, support: Any, fp: Any, fn: Any) -> None:
        for name, error, other in (("c0", fp, "fp"), ("c1", fn, "fn")):
            cost = exact(one_of(getattr(self, name), error, name, other), place=f"context.{name}")
            object.__setattr__(self, name, in_plain_functions(cost))
        law = self.density if support is None else Density(self.density, support)
        object.__setattr__(self, "density", law_of(law, "context.density", improper=True))
        for part in self.density.spreads:
            self._require_costs(part)
            self._cells(part)

    def given(self) -> Given:
        law: Law = self.density
        return law.given()

    def expected_loss(self) -> ExpectedLoss:
        law: Law = self.density
        if self._turning() == 0:
            require_proper(law, "context.density: with a cost proportion that stays the same it")
            return ExpectedLoss(points=(Point(self._average(self.c0), self._average(self.c1), S.One),))
        points = [
            Point(self.c0.subs(x, m.value), self.c1.subs(x, m.value), m.probability) for m in law.masses
        ]
        arcs = [
            Arc(x, self.c0, self.c1, part.density, low, high)
            for part in law.spreads
            for low, high in self._cells(part)
        ]
        return ExpectedLoss(arcs=tuple(arcs), points=tuple(points))

    def expectations(self) -> tuple[Expectation, ...]:
        law: Law = self.density
        if isinstance(law, ImproperLaw):
            return ()
        if self._turning() != 0:
            return (Expectation(law),)
        costs = (self.c0, self.c1)
        return (Expectation(law), *[Expectation(law, cost, self._average(cost)) for cost in costs])

    def _turning(self) -> Expr:
        """Return an expression with the sign of the slope of ``c0/(c0 + c1)``."""
        slope = sympy.diff(self.c0, x) * self.c1 - self.c0 * sympy.diff(self.c1, x)
        return sympy.factor(sympy.together(slope)) if slope.is_rational_function(x) else sympy.simplify(slope)

    def _average(self, cost: Expr) -> Expr:
        """Return the expectation of a cost."""
        spreads = [first_moment(f.density * cost / x, f.interval, self.given()) for f in self.density.spreads]
        return sympy.Add(*spreads, *[cost.subs(x, m.value) * m.probability for m in self.density.masses])

    def _cells(self, part: Spread) -> list[tuple[Expr, Expr]]:
        """Return the intervals of x, each with its ends, on which the cost proportion runs one way."""
        turning, given = self._turning(), self.given()
        if turning == 0 or any(positive(sign * turning, part.interval, given) for sign in (1, -1)):
            return [(part.low, part.high)]
        inside = [root for root in self._turns(turning, part) if self._inside(root, part)]
        ends = [part.low, *sorted(inside, key=lambda root: float(root) if root.is_number else 0.0), part.high]
        self._require_one_way(part, inside)
        return list(pairwise(ends))

    def _turns(self, turning: Expr, part: Spread) -> Iterator[Expr]:
        """Yield exact roots: of factors that are polynomials of degree 1 or 2 in x, or those that SymPy finds."""
        if not _is_rational(turning):
            yield from turns_of_sines(turning, x, part.low, part.high) or turns(turning, x)
            return
        for factor, _ in sympy.factor_list(sympy.numer(sympy.together(turning)))[1]:
            if factor.has(x) and sympy.degree(factor, x) <= 2:
                yield from (root for root in sympy.roots(sympy.Poly(factor, x)) if root.is_real is not False)

    def _inside(self, root: Expr, part: Spread) -> bool:
        given = self.given()
        gaps = [root - part.low, *([] if part.high is S.Infinity else [part.high - root])]
        if all(positive(gap, None, given) for gap in gaps):
            return True
        if any(nonnegative(-gap, None, given) for gap in gaps):
            return False
        raise SpecError(
            f"whether the cost proportion turns at x = {root}, between {part.low} and {part.high}, is open",
            "Give the parameters numbers.",
        )

    def _require_one_way(self, part: Spread, turns: list[Expr]) -> None:
        """Refuse a curve of numbers on which the proportion turns at a point that was not found."""
        if self.parameters:
            return
        points, _ = points_between(float(part.low), float(part.high))
        places = sorted(float(turn) for turn in turns)
        slopes = zip(points, at_points(self._turning(), x)(points), strict=True)
        for _, on_one_side in groupby(slopes, key=lambda found: bisect_left(places, found[0])):
            here = [slope for _, slope in on_one_side]
            small = 1e-9 * max(map(abs, here))
            if max(here) > small and min(here) < -small:
                raise SpecError(
                    f"the cost proportion of c0 = {self.c0}, c1 = {self.c1} turns where no exact point was found",
                    "Split the curve there: a Mixture of curves.",
                )

    def _require_costs(self, part: Spread) -> None:
        for name, cost in (("c0", self.c0), ("c1", self.c1)):
            if nonnegative(cost, part.interval, self.given()):
                continue
            if self.parameters:
                self._require_not_negative(f"context.{name}", cost, part)
                continue
            points, _ = points_between(float(part.low), float(part.high))
            values = at_points(cost, x)(points)
            least, where = min(zip(values, points, strict=True))
            if least < -ROUNDED * max(map(abs, values)):
                raise SpecError(
                    f"context.{name} = {cost} is {least:.6g} at x = {where:.6g}",
                    "Costs are at least 0.",
                )

    def _require_not_negative(self, place: str, cost: Expr, part: Spread) -> None:
        """Refuse a cost with letters for which values are found, within what is given, that make it negative."""
        found = refuted(cost, part.interval, self.given(), strict=False)
        below = (sample.point for sample in samples(cost, part.interval, self.given()) if sample.high < 0)
        point = next(below, None) if found is None else found[0].items()
        if point is not None:
            where = ", ".join(f"{letter} = {value}" for letter, value in point)
            raise SpecError(
                f"{place} = {cost} is negative at {where}, and {cost} >= 0 is needed where"
                f" {part.low} < x < {part.high}",
                "Give the letters numbers, or write a bound plus a letter: 1 + a for a letter that is above 1.",
            )

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        values = self.density.sample(generator, draws)
        return compiled(self.c0, x)(values), compiled(self.c1, x)(values)


def _is_rational(expr: Expr) -> bool:
    return bool(expr.is_rational_function())
