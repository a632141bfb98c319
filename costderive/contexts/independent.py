"""Contexts in which the two costs are independent."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np

from costderive.contexts.context import Context, Costs, bounds, known_order, one_of
from costderive.integrals import Area, ExpectedLoss
from costderive.pieces import Given
from costderive.symbols import c0 as cost0
from costderive.symbols import c1 as cost1


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

    def _draw(self, generator: np.random.Generator, draws: int) -> Costs:
        (a, b), (d, e) = [[float(bound) for bound in cost] for cost in (self.c0, self.c1)]
        return generator.uniform(a, b, draws), generator.uniform(d, e, draws)
