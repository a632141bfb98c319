"""Costs with a factor in common, from which the threshold does not depend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr

from costderive.core.errors import ImproperLawError, SpecError
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.costs.contexts.context import Context, Costs
from costderive.costs.contexts.held_part import require_whole
from costderive.costs.expected_loss import ExpectedLoss, Plane
from costderive.costs.laws import Expectation, Law, law_of, x
from costderive.deciders.signs import positive


@dataclass(frozen=True, slots=True)
class CommonFactor(Context):
    """Costs ``F c0`` and ``F c1``: those of a context times one positive factor that is independent of them.

    The threshold ``c0/(c0 + c1)`` does not depend on the factor, so each loss is ``E[F]`` times that of the context.

    Raises:
        SpecError: if the expectation of the factor is not known to be finite and positive, or what is given is not a
            context of costs with a probability.

    Example:
        >>> from costderive import FixedCosts
        >>> CommonFactor("uniform(1, 2)", FixedCosts(1, "a")).mean
        3/2
    """

    factor: Any
    context: Any

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not isinstance(self.context, Context):
            raise SpecError(
                f"{shown(self.context)} is not a cost context", "Build one, e.g. costderive.Additive()."
            )
        require_whole(self.context, "context.context")
        if self.context.improper_law is not None:
            problem = (
                "context.factor multiplies costs with an improper law, which do not occur with a probability"
            )
            raise ImproperLawError(problem, "Multiply the losses instead.")
        object.__setattr__(self, "factor", law_of(self.factor, "context.factor", zero=True))
        if self.mean.is_finite is False or not positive(self.mean, None, self.given()):
            raise SpecError(
                f"context.factor has the expectation {self.mean}, which is not known to be finite and positive",
                "Only its expectation matters: give that.",
            )

    @property
    def mean(self) -> Expr:
        """The expectation of the factor."""
        law: Law = self.factor
        return law.mean(law.with_mean())

    def given(self) -> Given:
        costs: Context = self.context
        return costs.given().also(positive=self.factor.with_mean().positive)

    def expected_loss(self) -> ExpectedLoss:
        costs: Context = self.context
        return costs.expected_loss().scaled(self.mean)

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        factor = Expectation(self.factor), Expectation(self.factor, x, self.mean)
        return (*self.context.expectations(), *factor)

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        first, second = self.context._draw(generator, draws)
        factor = self.factor.sample(generator, draws)
        return factor * first, factor * second
