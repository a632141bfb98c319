"""Intervals on which a function has one expression: what is compiled, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr

from costderive.core.numpy_on_demand import np
from costderive.numeric.many_digits import End, Exact, in_p_and_r
from costderive.numeric.measure import Half
from costderive.numeric.plan import Part
from costderive.numeric.sampled import FINE, ROUGH, Multiple, Quality, Sampled

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

    ``growth`` is there for a loss. What has integrals that are sampled is the sum of ``terms``, each a closed form and
    an integral that it is multiplied by; a loss has those of its rate. If it ``is_rough``, tables are as coarse as need
    be.
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
    terms: tuple[tuple[Expr, Expr], ...] = ()
    is_rough: bool = False

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

    @property
    def quality(self) -> Quality:
        """How closely it is sampled."""
        return ROUGH if self.is_rough else FINE

    def sampled(self) -> Multiple:
        """Return its terms, or the function itself, known at few points."""
        found = self.terms or ((sympy.S.One, self.value),)
        known = [tuple(Exact.of(in_p_and_r(expr)) for expr in pair) for pair in found]
        ends = self.low, self.high, self.middle, self.quality
        return Multiple(tuple((factor, Sampled.of(function, *ends)) for factor, function in known))

    def halves(self, exact: Exact) -> tuple[Half, Half]:
        """Return the halves at the low and at the high end."""
        bounds = self.low.floor, self.high.floor
        low, high = (Half.of(end, self.middle, bounds, exact) for end in (self.low, self.high))
        return low, high

    def part(self, low: float, high: float, method: str, why: str, ulps: float | None = None) -> Part:
        """Return a part of the plan for this stretch."""
        return Part(self.name, low, high, method, why, ulps)
