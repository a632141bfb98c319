"""Costs that both depend on one uncertain quantity."""

from __future__ import annotations

from bisect import bisect_left
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
from costderive.costs.assumed_facts import ASSUME, facts_about
from costderive.costs.contexts.context import Context, Costs, one_of
from costderive.costs.contexts.stretches import Stretch, stretches, turning
from costderive.costs.expected_loss import Arc, ExpectedLoss, Point
from costderive.costs.laws import (
    Density,
    Expectation,
    ImproperLaw,
    Law,
    law_of,
    require_proper,
    x,
)
from costderive.costs.laws.expectation import first_moment
from costderive.costs.laws.quadrature import at_points, compiled, points_between
from costderive.costs.never_negative import require_never_negative
from costderive.deciders.conditions import CASED, UnsettledError, settled
from costderive.deciders.signs import nonnegative

ROUNDED = 1e-9  # of the largest value, which what is computed in doubles may be wrong by


@dataclass(frozen=True, slots=True)
class Curve(Context):
    """Costs that both depend on one uncertain quantity ``x``: ``c0(x)``, ``c1(x)`` and the law of ``x``.

    ``density`` is any law, such as ``"gamma(2, 1)"``, or an expression in ``x`` together with its ``support``. Where
    the cost proportion cannot be solved for x, the losses are functions of ``x(p)``, the root of
    ``c0/(c0 + c1) = p``. Where it turns, or a cost has a kink as ``"max(x, 1/2)"`` has, the curve is split. Where it
    stays the same, only the expectations of the costs matter, and the threshold weight has an atom; where a cost is 0,
    the other error is made at the report alone that is sure of its class. Where it depends on letters whether a kink is
    reached, ``assuming`` says it, as ``"d < 2"``.

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
    assuming: InitVar[Any] = ()

    __repr__ = short_repr

    def __post_init__(self, support: Any, fp: Any, fn: Any, assuming: Any) -> None:
        for name, error, other in (("c0", fp, "fp"), ("c1", fn, "fn")):
            cost = exact(one_of(getattr(self, name), error, name, other), place=f"context.{name}")
            object.__setattr__(self, name, in_plain_functions(cost))
        law = self.density if support is None else Density(self.density, support)
        known = law_of(law, "context.density", improper=True, zero=True)
        object.__setattr__(self, "density", known.knowing(known.assumed + self._facts(assuming, known)))
        for stretch in self._stretches():
            self._require_costs(stretch)
            if stretch.turning != 0:
                self._require_one_way(stretch)
        self._require_known_costs()

    def _facts(self, assuming: Any, law: Law) -> tuple[Expr, ...]:
        letters = (self.c0.free_symbols | self.c1.free_symbols | law.parameters) - {x}
        return facts_about(assuming, letters)

    def given(self) -> Given:
        law: Law = self.density
        return law.given() if isinstance(law, ImproperLaw) else law.with_mean(self.c0, self.c1)

    def expected_loss(self) -> ExpectedLoss:
        law: Law = self.density
        if self._is_flat():
            require_proper(law, "context.density: with a cost proportion that stays the same it")
            return ExpectedLoss(points=(Point(self._average(self.c0), self._average(self.c1), S.One),))
        points = [Point(*self._costs_at(mass.value), mass.probability) for mass in law.masses]
        flat, moving = sympy.sift(self._stretches(), lambda one: one.turning == 0, binary=True)
        arcs = [
            Arc(x, one.c0, one.c1, one.part.density, low, high)
            for one in moving
            for low, high in one.one_way()
        ]
        return ExpectedLoss(arcs=tuple(arcs), points=(*points, *[one.point(law) for one in flat]))

    def expectations(self) -> tuple[Expectation, ...]:
        law: Law = self.density
        if isinstance(law, ImproperLaw):
            return ()
        if self._is_flat():
            costs = (self.c0, self.c1)
            return (Expectation(law), *[Expectation(law, cost, self._average(cost)) for cost in costs])
        flat = (one for one in self._stretches() if one.turning == 0)
        return (Expectation(law), *[found for one in flat for found in one.expectations(law)])

    def _stretches(self) -> tuple[Stretch, ...]:
        """Cut each interval of x where a cost has a kink, or a condition in it changes."""
        return stretches(self.c0, self.c1, self.density)

    def _is_flat(self) -> bool:
        """Whether the cost proportion stays the same all along."""
        return not (self.c0.has(*CASED) or self.c1.has(*CASED)) and turning(self.c0, self.c1) == 0

    def _average(self, cost: Expr) -> Expr:
        """Return the expectation of a cost."""
        spreads = [first_moment(f.density * cost / x, f.interval, self.given()) for f in self.density.spreads]
        return sympy.Add(*spreads, *[cost.subs(x, m.value) * m.probability for m in self.density.masses])

    def _costs_at(self, value: Expr) -> tuple[Expr, Expr]:
        """Return both costs at a value of x with a probability of its own."""
        first, second = (
            self._settled(name, cost.subs(x, value)) for name, cost in (("c0", self.c0), ("c1", self.c1))
        )
        return first, second

    def _settled(self, name: str, cost: Expr) -> Expr:
        try:
            return settled(cost, None, self.given())
        except UnsettledError as problem:
            raise SpecError(
                f"context.{name} = {cost} depends on whether {problem.condition}", ASSUME
            ) from None

    def _require_known_costs(self) -> None:
        for mass in self.density.masses:
            for name, cost in zip(("c0", "c1"), self._costs_at(mass.value), strict=True):
                if cost.is_negative or cost.is_finite is False:
                    remedy = "Costs are at least 0, and finite."
                    raise SpecError(f"context.{name} is {cost} at x = {mass.value}", remedy)

    def _require_one_way(self, stretch: Stretch) -> None:
        """Refuse a curve of numbers on which the proportion turns at a point that was not found."""
        cells, part = stretch.one_way(), stretch.part
        if self.parameters:
            return
        points, _ = points_between(float(part.low), float(part.high))
        places = [float(high) for _, high in cells[:-1]]
        slopes = zip(points, at_points(stretch.turning, x)(points), strict=True)
        for _, on_one_side in groupby(slopes, key=lambda found: bisect_left(places, found[0])):
            here = list(on_one_side)
            small = 1e-9 * max(abs(slope) for _, slope in here)
            clear = [(point, slope) for point, slope in here if abs(slope) > small]
            turns = [low for (low, first), (_, second) in pairwise(clear) if first * second < 0]
            if turns:
                raise SpecError(
                    f"the cost proportion of c0 = {self.c0}, c1 = {self.c1} turns near x = {turns[0]:.3g},"
                    " where no exact point was found",
                    "Take a law on one side of it, or costs that turn at a known point.",
                )

    def _require_costs(self, stretch: Stretch) -> None:
        part = stretch.part
        for name, cost in (("c0", stretch.c0), ("c1", stretch.c1)):
            if nonnegative(cost, part.interval, self.given()):
                continue
            if self.parameters:
                require_never_negative(f"context.{name}", cost, part.interval, self.given())
                continue
            points, _ = points_between(float(part.low), float(part.high))
            values = at_points(cost, x)(points)
            least, where = min(zip(values, points, strict=True))
            if least < -ROUNDED * max(map(abs, values)):
                raise SpecError(
                    f"context.{name} = {cost} is {least:.6g} at x = {where:.6g}",
                    "Costs are at least 0.",
                )

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        values = self.density.sample(generator, draws)
        return compiled(self.c0, x)(values), compiled(self.c1, x)(values)
