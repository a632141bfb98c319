"""Contexts in which the two costs depend on each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, S
from sympy.core.relational import Relational

from costderive.contexts.context import Context, Costs, bounds, one_of, positive_number
from costderive.errors import SpecError
from costderive.expressions import exact
from costderive.integrals import Arc, Area, ExpectedLoss, Point
from costderive.laws import Law, law_of, x
from costderive.pieces import Given
from costderive.symbols import c0 as cost0
from costderive.symbols import c1 as cost1

COSTS = {"c0": cost0, "c1": cost1}
SAMPLE_BLOCK = 4096
SAMPLE_TRIES = 10_000


@dataclass(frozen=True, slots=True)
class Joint(Context):
    """Costs with a joint density on a rectangle, a polygon or a region given by inequalities linear in the costs.

    ``support`` is ``((low0, high0), (low1, high1))``, an inequality in ``symbols.c0`` and ``symbols.c1``, or
    several of them; costs are never negative, whether the support says so or not. The density is an expression
    in the same two letters; that its integral over the support is 1 is the user's word, and is not checked.

    Raises:
        SpecError: if an inequality is not linear in the costs, or the support cannot be read.
    """

    density: Any
    support: Any

    def __post_init__(self) -> None:
        place = "context.density"
        object.__setattr__(self, "density", exact(self.density, place=place))
        object.__setattr__(self, "support", _constraints(self.support, "context.support"))

    def given(self) -> Given:
        return Given()

    def expected_loss(self) -> ExpectedLoss:
        return ExpectedLoss(areas=(Area(self.density, self.support),))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        raise SpecError(
            "a joint density cannot be drawn from yet", "Use Independent, Curve or Mixture for simulations."
        )


def _constraints(support: Any, place: str) -> tuple[Expr, ...]:
    """Read a support as expressions, linear in the costs, that are >= 0 on it."""
    if isinstance(support, Relational) or not isinstance(support, Iterable):
        support = (support,)
    items = tuple(support)
    if len(items) == 2 and not any(isinstance(item, Relational) for item in items):
        (a, b), (d, e) = (bounds(item, place, unbounded=True) for item in items)
        ends = (cost0 - a, b - cost0, cost1 - d, e - cost1)
        return tuple(end for end in ends if not end.has(S.Infinity))
    return (cost0, cost1, *(_linear(item, place) for item in items))


def _linear(relation: Any, place: str) -> Expr:
    if not (isinstance(relation, Relational) and hasattr(relation, "gts")):
        raise SpecError(
            f"{place} has the item {relation!r}",
            "Write an inequality such as c0 + c1 <= 2 in symbols.c0, symbols.c1.",
        )
    gap = sympy.expand(exact(relation.gts, place=place) - exact(relation.lts, place=place))
    if not (gap.is_polynomial(cost0, cost1) and sympy.Poly(gap, cost0, cost1).total_degree() == 1):
        raise SpecError(
            f"{place}: {relation} is not linear in the costs", "Only linear inequalities bound a support."
        )
    return gap


@dataclass(frozen=True, slots=True)
class Curve(Context):
    """Costs that both depend on one uncertain quantity ``x``: ``c0(x)``, ``c1(x)`` and the law of ``x``.

    The cost proportion must rise or fall throughout the support of ``x``.
    """

    c0: Any = None
    c1: Any = None
    density: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    def __post_init__(self, fp: Any, fn: Any) -> None:
        object.__setattr__(self, "c0", exact(one_of(self.c0, fp, "c0", "fp"), place="context.c0"))
        object.__setattr__(self, "c1", exact(one_of(self.c1, fn, "c1", "fn"), place="context.c1"))
        object.__setattr__(self, "density", law_of(self.density, "context.density"))

    def given(self) -> Given:
        law: Law = self.density
        return law.given()

    def expected_loss(self) -> ExpectedLoss:
        law: Law = self.density
        return ExpectedLoss(
            arcs=tuple(Arc(x, self.c0, self.c1, part.density, part.low, part.high) for part in law.spreads),
            points=tuple(
                Point(self.c0.subs(x, m.value), self.c1.subs(x, m.value), m.probability) for m in law.masses
            ),
        )

    @property
    def parameters(self) -> tuple[sympy.Symbol, ...]:
        """The free parameters, by name."""
        free = self.c0.free_symbols | self.c1.free_symbols | self.density.parameters
        return tuple(sorted(free - {x}, key=str))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        values = self.density.sample(generator, draws)
        return _evaluated(self.c0, values), _evaluated(self.c1, values)


def _evaluated(cost: Expr, values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(sympy.lambdify(x, cost, "numpy")(values), dtype=float) + np.zeros_like(values)


@dataclass(frozen=True, slots=True)
class FixedCosts(Context):
    """Costs that are known: the threshold weight is one atom at ``c0/(c0 + c1)``."""

    c0: Any = None
    c1: Any = None
    fp: InitVar[Any] = None
    fn: InitVar[Any] = None

    def __post_init__(self, fp: Any, fn: Any) -> None:
        for name, value, other in (("c0", self.c0, fp), ("c1", self.c1, fn)):
            chosen = exact(
                one_of(value, other, name, {"c0": "fp", "c1": "fn"}[name]), place=f"context.{name}"
            )
            object.__setattr__(self, name, positive_number(chosen, f"context.{name}"))

    def given(self) -> Given:
        return Given()

    def expected_loss(self) -> ExpectedLoss:
        return ExpectedLoss(points=(Point(self.c0, self.c1, S.One),))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        return np.full(draws, float(self.c0)), np.full(draws, float(self.c1))


@dataclass(frozen=True, slots=True, init=False)
class Mixture(Context):
    """One of several contexts, each with its probability: ``Mixture((w1, context1), (w2, context2), ...)``.

    Weights may be symbolic; they must add up to one, e.g. ``"w"`` and ``"1 - w"``.
    """

    parts: tuple[tuple[Expr, Context], ...]

    def __init__(self, *parts: tuple[Any, Context]) -> None:
        for index, part in enumerate(parts):
            if not (isinstance(part, tuple) and len(part) == 2 and isinstance(part[1], Context)):
                raise SpecError(
                    f"context.parts[{index}] = {part!r} is not a pair (weight, context)",
                    "Write (w, context).",
                )
        read = tuple(
            (exact(weight, place=f"context.parts[{i}]"), context) for i, (weight, context) in enumerate(parts)
        )
        total = sympy.expand(sum((weight for weight, _ in read), S.Zero))
        if total != 1 or any(weight.is_nonpositive for weight, _ in read):
            shown = ", ".join(str(weight) for weight, _ in read)
            raise SpecError(
                f"the weights {shown or 'of no part'} are not probabilities",
                "They are positive and add up to 1.",
            )
        object.__setattr__(self, "parts", read)

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

    @property
    def parameters(self) -> tuple[sympy.Symbol, ...]:
        """The free parameters, by name."""
        free = {
            symbol for weight, context in self.parts for symbol in (*weight.free_symbols, *context.parameters)
        }
        return tuple(sorted(free, key=str))

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        weights = np.array([float(weight) for weight, _ in self.parts])
        counts = generator.multinomial(draws, weights / weights.sum())
        drawn = [context._draw(generator, int(n)) for n, (_, context) in zip(counts, self.parts, strict=True)]
        order = generator.permutation(draws)
        first, second = (np.concatenate(costs)[order] for costs in zip(*drawn, strict=True))
        return first, second
