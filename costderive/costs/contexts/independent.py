"""Contexts in which the two costs are independent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from typing import Any

from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.symbols import c0 as cost0
from costderive.core.symbols import c1 as cost1
from costderive.costs.contexts.context import Context, Costs, bounds, known_order, one_of
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Point
from costderive.costs.finite_means import smaller_finite_if
from costderive.costs.laws import Expectation, Law, Spread, law_of, x


@dataclass(frozen=True, slots=True)
class IndependentUniform(Context):
    """Independent costs, c0 uniform between two bounds and c1 uniform between two bounds, ``0 <= low < high``.

    With both on [0, 1] the scoring rule is the Inverse Score. A symbolic bound is a positive number; the formulas
    for a lower bound of 0 follow by putting 0 in the result, or are derived outright when 0 is given here.

    Raises:
        SpecError: if a bound is negative or infinite, or a lower bound is not below its upper bound.

    Example:
        >>> IndependentUniform(c0=("a", "b"), c1=(0, 1)).parameters
        (a, b)
    """

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "c0", bounds(one_of(self.c0, fp, "c0", "fp"), "context.c0"))
        object.__setattr__(self, "c1", bounds(one_of(self.c1, fn, "c1", "fn"), "context.c1"))
        known_order(self.given())

    def given(self) -> Given:
        return Given().also(positive=(self.c0[1] - self.c0[0], self.c1[1] - self.c1[0]))

    def expected_loss(self) -> ExpectedLoss:
        (a, b), (d, e) = self.c0, self.c1
        density = 1 / ((b - a) * (e - d))
        return ExpectedLoss(areas=(Area(density, (cost0 - a, b - cost0, cost1 - d, e - cost1)),))

    def expectations(self) -> tuple[Expectation, ...]:
        return tuple(Expectation(Law((Spread(a, b, 1 / (b - a)),))) for a, b in (self.c0, self.c1))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        (a, b), (d, e) = [[float(bound) for bound in cost] for cost in (self.c0, self.c1)]
        return generator.uniform(a, b, draws), generator.uniform(d, e, draws)


@dataclass(frozen=True, slots=True)
class Independent(Context):
    """Independent costs, each with a law of its own on [0, oo).

    A law is a number (a known cost), a sympy.stats variable, a ``Density(expression in x, support)``, or one of
    the named laws of ``costderive.laws``. A cost may be 0 with a probability: then the other error is made at the
    report alone that is sure of its class.

    Raises:
        SpecError: if a law has negative values or does not add up to one.

    Example:
        >>> from costderive.laws import exponential
        >>> Independent(c0=exponential(2), c1="a").parameters
        (a,)
    """

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "c0", law_of(one_of(self.c0, fp, "c0", "fp"), "context.c0", zero=True))
        object.__setattr__(self, "c1", law_of(one_of(self.c1, fn, "c1", "fn"), "context.c1", zero=True))
        known_order(self.given())

    def given(self) -> Given:
        first: Law = self.c0
        second: Law = self.c1
        means = (fact for law in self._beside_zero() for fact in law.with_mean().positive)
        return first.given().also(
            positive=(*second.given().positive, *smaller_finite_if(first.tail, second.tail), *means)
        )

    def _beside_zero(self) -> Iterator[Law]:
        """Yield the law of each cost beside which the other one may be 0."""
        for law, other in ((self.c0, self.c1), (self.c1, self.c0)):
            if other.chance_of_zero != 0:
                yield law

    def expected_loss(self) -> ExpectedLoss:
        first, second = self.c0.without_zero(), self.c1.without_zero()
        return ExpectedLoss(
            areas=tuple(product_area(f, g) for f in first.spreads for g in second.spreads),
            arcs=tuple(
                [
                    Arc(x, x, m.value, m.probability * f.density, f.low, f.high)
                    for f in first.spreads
                    for m in second.masses
                ]
                + [
                    Arc(x, m.value, x, m.probability * g.density, g.low, g.high)
                    for m in first.masses
                    for g in second.spreads
                ]
            ),
            points=(
                *(
                    Point(m.value, n.value, m.probability * n.probability)
                    for m in first.masses
                    for n in second.masses
                ),
                *self._one_sided(),
            ),
        )

    def _one_sided(self) -> Iterator[Point]:
        """Yield the costs of which one is 0, on average."""
        zero0, zero1 = self.c0.chance_of_zero, self.c1.chance_of_zero
        if zero0 != 0 and zero1 != 1:
            yield Point(S.Zero, _mean(self.c1) / (1 - zero1), zero0 * (1 - zero1))
        if zero1 != 0 and zero0 != 1:
            yield Point(_mean(self.c0) / (1 - zero0), S.Zero, zero1 * (1 - zero0))
        if zero0 != 0 and zero1 != 0:
            yield Point(S.Zero, S.Zero, zero0 * zero1)

    def expectations(self) -> tuple[Expectation, ...]:
        means = (Expectation(law, x, _mean(law)) for law in self._beside_zero())
        return Expectation(self.c0), Expectation(self.c1), *means

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        return self.c0.sample(generator, draws), self.c1.sample(generator, draws)


def _mean(law: Law) -> Expr:
    """Return the mean of a cost beside which the other one may be 0: the loss of a sure report has it."""
    found = law.mean(law.with_mean())
    if found.is_infinite:
        raise SpecError(
            "context: a cost has an infinite mean where the other one is 0",
            "Give it a law with a mean, or the other cost one above 0.",
        )
    return found


def product_area(first: Spread, second: Spread, joined: Expr = S.One) -> Area:
    """Return the product of two spreads, times what joins them, as a density on a rectangle that may be unbounded."""
    density = first.density.subs(x, cost0) * second.density.subs(x, cost1) * joined
    return Area(density, (*_within(cost0, first), *_within(cost1, second)))


def _within(cost: Expr, spread: Spread) -> tuple[Expr, ...]:
    below = () if spread.high is S.Infinity else (spread.high - cost,)
    return (cost - spread.low, *below)
