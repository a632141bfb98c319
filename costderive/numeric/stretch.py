"""Intervals on which a function has one expression: what is compiled, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import np
from costderive.numeric.long_integrals import Long
from costderive.numeric.many_digits import End, Exact, in_p_and_r
from costderive.numeric.measure import Half
from costderive.numeric.plan import Part
from costderive.numeric.sampled import FINE, LONG, ROUGH, Multiple, Sampled

FEW_DOUBLES = 256
LITTLE_OFF, MOST_OFF, ROUGHLY_OFF = 2.0**10, 2.0**40, 2.0**50  # units of 2^-53 that long numbers may lose


@dataclass(frozen=True, slots=True)
class Growth:
    """How a loss grows: its rate, away from the end ``zero``, and what gives its value there, perhaps a rough one."""

    rate: Expr
    zero: End
    start: Callable[[bool], Any]


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

    def sampled(self) -> Multiple:
        """Return its terms, or the function itself, known at few points."""
        found = self.terms or ((sympy.S.One, self.value),)
        return Multiple(
            tuple((Exact.of(in_p_and_r(factor)), self._sampled(in_p_and_r(expr))) for factor, expr in found)
        )

    def _sampled(self, expr: Expr) -> Sampled:
        """Sample a function in long numbers, if they have enough digits for it, else from its exact values."""
        ends = self.low, self.high
        long = Long.of(expr)
        if long is not None:
            with suppress(CostDeriveError):
                found = Sampled.of(long, *ends, self.middle, LONG)
                if max(map(found.off, ends)) <= self._allowed:
                    return found
        return Sampled.of(Exact.of(expr), *ends, self.middle, ROUGH if self.is_rough else FINE)

    @property
    def _allowed(self) -> float:
        """What may be lost, as exact values would take too long: of a loss more, and most of what is rough."""
        return ROUGHLY_OFF if self.is_rough else MOST_OFF if self.growth else LITTLE_OFF

    def halves(self, exact: Exact) -> tuple[Half, Half]:
        """Return the halves at the low and at the high end."""
        bounds = self.low.floor, self.high.floor
        low, high = (Half.of(end, self.middle, bounds, exact) for end in (self.low, self.high))
        return low, high

    def part(self, low: float, high: float, method: str, why: str, ulps: float | None = None) -> Part:
        """Return a part of the plan for this stretch."""
        return Part(self.name, low, high, method, why, ulps)
