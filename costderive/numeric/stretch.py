"""Intervals on which a function has one expression: what is compiled, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr

from costderive.core.numpy_on_demand import np
from costderive.numeric.many_digits import End, Exact
from costderive.numeric.measure import Half
from costderive.numeric.plan import Part

FEW_DOUBLES = 256


@dataclass(frozen=True, slots=True)
class Growth:
    """How a loss grows: its rate, away from the end ``zero``, and what gives its value there."""

    rate: Expr
    zero: End
    start: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Stretch:
    """An interval on which a function has one expression.

    ``growth`` is there for a loss.
    ``in_lanes`` asks for closed forms of functions that a processor computes for several numbers at a time,
    ``of_margin`` for those of p and ``1 - p`` that were both computed from a logit.
    """

    name: str
    low: End
    high: End
    value: Expr
    growth: Growth | None = None
    in_lanes: bool = False
    of_margin: bool = False

    def strict(self) -> Stretch:
        """Return the stretch with its low end rather than its high one."""
        low, high = (replace(end, is_strict=True) for end in (self.low, self.high))
        if self.growth is None:
            return replace(self, low=low, high=high)
        zero = low if self.growth.zero is self.low else high
        return replace(self, low=low, high=high, growth=replace(self.growth, zero=zero))

    @property
    def middle(self) -> float:
        """A double about half-way."""
        return (self.low.hi + self.high.hi) / 2

    @property
    def holds_doubles(self) -> bool:
        """Whether there is any ``p`` with ``low < p <= high``."""
        return bool(self.low.floor < self.high.floor)

    @property
    def is_narrow(self) -> bool:
        """Whether it holds so few doubles that they can be listed."""
        return bool(self.high.floor - self.low.floor <= FEW_DOUBLES * np.spacing(self.high.floor))

    def halves(self, exact: Exact) -> tuple[Half, Half]:
        """Return the halves at the low and at the high end."""
        bounds = self.low.floor, self.high.floor
        low, high = (Half.of(end, self.middle, bounds, exact) for end in (self.low, self.high))
        return low, high

    def part(self, low: float, high: float, method: str, why: str, ulps: float | None = None) -> Part:
        """Return a part of the plan for this stretch."""
        return Part(self.name, low, high, method, why, ulps)
