"""Known costs, and mixtures of contexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, replace
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.errors import ImproperLawError, SpecError
from costderive.core.expressions import exact
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.costs.contexts.context import Context, Costs, one_of, positive_number
from costderive.costs.contexts.held_part import require_whole
from costderive.costs.expected_loss import Area, ExpectedLoss, Plane, Point
from costderive.costs.laws import Expectation, Law, Mass


@dataclass(frozen=True, slots=True)
class FixedCosts(Context):
    """Costs that are known: the threshold weight is one atom at ``c0/(c0 + c1)``.

    In a mixture a cost may be 0: then the other error is made at the report alone that is sure of its class.
    """

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    __repr__ = short_repr

    def __post_init__(self, fp: Any, fn: Any) -> None:
        for name, value, other in (("c0", self.c0, fp), ("c1", self.c1, fn)):
            chosen = exact(
                one_of(value, other, name, {"c0": "fp", "c1": "fn"}[name]), place=f"context.{name}"
            )
            object.__setattr__(
                self, name, chosen if chosen == 0 else positive_number(chosen, f"context.{name}")
            )

    def given(self) -> Given:
        return Given()

    def expected_loss(self) -> ExpectedLoss:
        return ExpectedLoss(points=(Point(self.c0, self.c1, S.One),))

    def expectations(self) -> tuple[Expectation, ...]:
        return ()

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        return np.full(draws, float(self.c0)), np.full(draws, float(self.c1))


@dataclass(frozen=True, slots=True, init=False)
class Mixture(Context):
    """One of several contexts, each with its probability: ``Mixture((w1, context1), (w2, context2), ...)``.

    Weights may be symbolic; they must add up to one, e.g. ``"w"`` and ``"1 - w"``.
    """

    parts: tuple[tuple[Expr, Context], ...]

    __repr__ = short_repr

    def __init__(self, *parts: tuple[Any, Context]) -> None:
        for index, part in enumerate(parts):
            if not (isinstance(part, tuple) and len(part) == 2 and isinstance(part[1], Context)):
                raise SpecError(
                    f"context.parts[{index}] = {shown(part)} is not a pair (weight, context)",
                    "Write (w, context).",
                )
        read = tuple(
            (exact(weight, place=f"context.parts[{i}]"), context) for i, (weight, context) in enumerate(parts)
        )
        _require_proper(read)
        total = sympy.cancel(sympy.together(sympy.Add(*[weight for weight, _ in read])))
        if total != 1 or any(weight.is_nonpositive for weight, _ in read):
            weights = ", ".join(str(weight) for weight, _ in read)
            raise SpecError(
                f"the weights {weights or 'of no part'} are not probabilities",
                "They are positive and add up to 1.",
            )
        object.__setattr__(self, "parts", read)

    def _built(self, values: Mapping[str, Any]) -> Mixture:
        return Mixture(*values["parts"])

    def given(self) -> Given:
        given = Given().also(positive=tuple(weight for weight, _ in self.parts))
        for _, context in self.parts:
            facts = context.given()
            given = given.also(positive=facts.positive, nonnegative=facts.nonnegative)
        return given

    def expected_loss(self) -> ExpectedLoss:
        scaled = [context.expected_loss().scaled(weight) for weight, context in self.parts]
        return ExpectedLoss(
            *(sum((getattr(loss, name) for loss in scaled), ()) for name in ExpectedLoss.__slots__)
        )

    def conditionals(self) -> Mapping[Area, tuple[Expr, Expr]]:
        """Return those of the parts, and of their share in the whole."""
        found: dict[Area, tuple[Expr, Expr]] = {}
        for weight, context in self.parts:
            for area, (first, second) in context.conditionals().items():
                share = replace(area, density=weight * area.density)
                found |= {area: (first, second), share: (weight * first, weight * second)}
        return found

    def expectations(self) -> tuple[Expectation | Plane, ...]:
        """Return those of the parts, and of the law of the number of the part."""
        number = Law(masses=tuple(Mass(sympy.Integer(n), w) for n, (w, _) in enumerate(self.parts, 1)))
        parts = (one for _, context in self.parts for one in context.expectations())
        return (Expectation(number), *parts)

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        weights = np.array([float(weight) for weight, _ in self.parts])
        counts = generator.multinomial(draws, weights / weights.sum())
        drawn = [context._draw(generator, int(n)) for n, (_, context) in zip(counts, self.parts, strict=True)]
        order = generator.permutation(draws)
        first, second = (np.concatenate(costs)[order] for costs in zip(*drawn, strict=True))
        return first, second


def _require_proper(parts: tuple[tuple[Expr, Context], ...]) -> None:
    for index, (_, context) in enumerate(parts):
        require_whole(context, f"context.parts[{index}]")
        if context.improper_law is not None:
            raise ImproperLawError(
                f"context.parts[{index}] has an improper law, whose costs do not occur with a probability",
                "Add the rules instead: derive(first).rule + derive(second).rule.",
            )
