"""Costs whose laws are joined by a copula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar, dataclass
from typing import Any

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.symbols import c0 as cost0
from costderive.core.symbols import c1 as cost1
from costderive.costs.contexts.context import Context, Costs, known_order, one_of
from costderive.costs.contexts.copula_families import (
    APART,
    DENSITIES,
    DRAWS,
    RANGES,
    SLOPES,
    CopulaFamily,
)
from costderive.costs.contexts.curve import Curve
from costderive.costs.contexts.independent import Independent, product_area
from costderive.costs.contexts.monotone import has_quantile, partner
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane
from costderive.costs.finite_means import smaller_finite_if
from costderive.costs.laws import Expectation, Spread, law_of, x
from costderive.costs.laws.distribution_functions import Level, levels, normal_scores
from costderive.deciders.parameter_values import TAKEN
from costderive.deciders.signs import nonnegative, positive


@dataclass(frozen=True, slots=True)
class Copula(Context):
    """Dependent costs: a law for each, and a copula that joins them.

    The families are ``"clayton"`` (theta >= 0), ``"frank"`` (any theta), ``"fgm"`` (-1 <= theta <= 1), ``"gumbel"``
    (theta >= 1), ``"gaussian"`` (-1 < rho < 1) and, without a
    parameter, ``"comonotone"`` and ``"countermonotone"``, in which one cost is a function of the other. A letter for
    the parameter stands for a positive number in this range. Where the parameter makes the costs independent, and
    if one of them is known, the context is that of independent costs.

    Raises:
        SpecError: for an unknown family, a parameter outside its range, or a law that the family cannot join.

    Source: Nelsen (2006), An Introduction to Copulas.

    Example:
        >>> Copula("fgm", "theta", c0="uniform(0, 1)", c1="exponential(2)").parameters
        (theta,)
    """

    family: Any
    theta: Any = None
    c0: Any = None
    c1: Any = None
    rho: InitVar[Any] = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, rho: Any, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "family", _family(self.family))
        object.__setattr__(self, "theta", _parameter(self.family, self.theta, rho))
        object.__setattr__(self, "c0", law_of(one_of(self.c0, fp, "c0", "fp"), "context.c0"))
        object.__setattr__(self, "c1", law_of(one_of(self.c1, fn, "c1", "fn"), "context.c1"))
        known_order(self.given())
        _ = self.simpler() or self._areas()

    def given(self) -> Given:
        first, second, where = self.c0.given(), self.c1.given(), RANGES.get(self.family)
        given = Given().also(positive=(*first.positive, *second.positive))
        if where is None:
            return given
        if self.family in APART:
            given = given.also(positive=smaller_finite_if(self.c0.tail, self.c1.tail))
        facts = given.also(positive=where.positive(self.theta), nonnegative=where.nonnegative(self.theta))
        weak = tuple(fact for fact in facts.nonnegative if not nonnegative(fact))
        return Given(tuple(fact for fact in facts.positive if not positive(fact)), weak)

    def simpler(self) -> Independent | Curve | None:
        """Return the context of another class that this is, if the costs are independent or on a curve."""
        where = RANGES.get(self.family)
        known = any(not law.spreads and len(law.masses) == 1 for law in (self.c0, self.c1))
        if known or (where is not None and self.theta == where.independent):
            return Independent(c0=self.c0, c1=self.c1)
        if where is None:
            return self._curve(rising=self.family is CopulaFamily.COMONOTONE)
        return None

    def _curve(self, *, rising: bool) -> Curve:
        """Write one cost as a function of the other, c1 if there is a formula for it."""
        try:
            return Curve(c0=x, c1=partner(self.c0, self.c1, rising=rising), density=self.c0)
        except SpecError as problem:
            if self.c1.name is None or not has_quantile(self.c0):
                raise problem
        return Curve(c0=partner(self.c1, self.c0, rising=rising), c1=x, density=self.c1)

    def expected_loss(self) -> ExpectedLoss:
        simpler = self.simpler()
        return ExpectedLoss(areas=self._areas()) if simpler is None else simpler.expected_loss()

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        simpler = self.simpler()
        if simpler is not None:
            return simpler.expectations()
        return Expectation(self.c0), Expectation(self.c1), Plane(self._areas())

    def conditionals(self) -> Mapping[Area, tuple[Expr, Expr]]:
        if self.simpler() is not None:
            return {}
        return dict(zip(self._areas(), self._conditionals(SLOPES[self.family]), strict=True))

    def _conditionals(self, slope: Callable[[Expr, Any, Any], Expr]) -> Iterator[tuple[Expr, Expr]]:
        """The families are symmetric in their levels."""
        for first, u, second, v in self._parts():
            yield (
                first.density.subs(x, cost0) * slope(self.theta, u, v),
                second.density.subs(x, cost1) * slope(self.theta, v, u),
            )

    def _areas(self) -> tuple[Area, ...]:
        """Return the joint density on each rectangle on which both laws have one formula."""
        joined = DENSITIES[self.family]
        return tuple(
            product_area(first, second, joined(self.theta, u, v)) for first, u, second, v in self._parts()
        )

    def _parts(self) -> Iterator[tuple[Spread, Any, Spread, Any]]:
        """Yield each pair of spreads with what the family joins: levels, or normal scores."""
        read = normal_scores if self.family is CopulaFamily.GAUSSIAN else levels
        for first, u in read(self.c0, "context.c0"):
            for second, v in read(self.c1, "context.c1"):
                yield first, _of(cost0, u), second, _of(cost1, v)

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        simpler = self.simpler()
        if simpler is not None:
            return simpler._draw(generator, draws)
        u, v = DRAWS[self.family](generator, draws, float(self.theta))
        return self.c0.at_levels(u), self.c1.at_levels(v)


def _of(cost: Expr, place: Level | Expr) -> Level | Expr:
    if isinstance(place, Level):
        return Level(place.below.subs(x, cost), place.above.subs(x, cost))
    return place.subs(x, cost)


def _family(value: Any) -> CopulaFamily:
    names = [family.value for family in CopulaFamily]
    if isinstance(value, CopulaFamily):
        return value
    if not isinstance(value, str) or value not in names:
        raise SpecError(
            f"context.family = {shown(value)} is not a family of copulas", f"Families: {', '.join(names)}."
        )
    return CopulaFamily(value)


def _parameter(family: CopulaFamily, theta: Any, rho: Any) -> Expr | None:
    """Read the parameter of a family, which is called rho if it is a correlation."""
    where, name = RANGES.get(family), "rho" if family is CopulaFamily.GAUSSIAN else "theta"
    if where is None:
        if theta is not None or rho is not None:
            raise SpecError(f"context: the {family.value} copula has no parameter", "Leave it out.")
        return None
    if rho is not None and (theta is not None or name != "rho"):
        raise SpecError(
            f"context.rho is not the parameter of the family {family.value}", f"Give {name} alone."
        )
    if theta is None and rho is None:
        raise SpecError(f"context.{name} is missing", f"In the family {family.value} it is {where.words}.")
    value = exact(rho if theta is None else theta, place=f"context.{name}")
    _require_within(family, value, f"context.{name}")
    return value


def _require_within(family: CopulaFamily, value: Expr, place: str) -> None:
    where = RANGES[family]
    taken = {symbol.name for symbol in value.free_symbols} & TAKEN
    real = value.is_finite is not False and value.is_real is not False
    outside = any(nonnegative(-fact) for fact in where.positive(value)) or any(
        positive(-fact) for fact in where.nonnegative(value)
    )
    if taken:
        raise SpecError(
            f"{place} = {value} has the letter {min(taken)}, which has a meaning", "Take another."
        )
    if not real or outside:
        raise SpecError(
            f"{place} = {value} is outside the range of the family {family.value}", f"It is {where.words}."
        )
