"""One function of ``p`` on [0, 1], compiled piece by piece: the closed form where it is accurate, else a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sympy import Expr, Integral

from costderive.numeric.closed import closed_form
from costderive.numeric.exact import Array, End, Evaluate, Exact, in_p_and_r
from costderive.numeric.measure import Half, errors, first_good, worst
from costderive.numeric.table import from_end, integrated, listed, tabulated

FEW_DOUBLES = 256


@dataclass(frozen=True, slots=True)
class Part:
    """How a function is computed for ``low < p <= high``: by its closed form or from a table, and why.

    ``ulps`` is the largest error found at the probes of the part, in units in the last place; it is None where
    there is no closed form to compare with.
    """

    function: str
    low: float
    high: float
    method: str
    why: str
    ulps: float | None

    def __str__(self) -> str:
        return f"{self.function} for {_shown(self.low)} < p <= {_shown(self.high)}: {self.method}; {self.why}"


def _shown(point: float) -> str:
    return f"1 - {1 - point:.3g}" if 0 < 1 - point < 1e-4 else f"{point:.6g}"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part with what computes it from ``p`` and ``1 - p``."""

    part: Part
    evaluate: Evaluate


@dataclass(frozen=True, slots=True)
class Function:
    """A function of ``p`` on [0, 1], with its values at 0 and at 1 apart."""

    segments: tuple[Segment, ...]
    at_zero: float
    at_one: float

    def __call__(self, points: Array) -> Array:
        """Return the values at a one-dimensional array of numbers in [0, 1]."""
        with np.errstate(all="ignore"):  # the values at 0 and 1 are overwritten; what underflows is 0
            values = self._inside(points, 1 - points)
        values[points == 0] = self.at_zero
        values[points == 1] = self.at_one
        return values

    def _inside(self, points: Array, rest: Array) -> Array:
        if len(self.segments) == 1:
            return np.array(self.segments[0].evaluate(points, rest))
        values = np.empty_like(points)
        place = np.searchsorted([segment.part.high for segment in self.segments[:-1]], points)
        for index, segment in enumerate(self.segments):
            here = np.flatnonzero(place == index)
            if here.size:
                values[here] = segment.evaluate(points[here], rest[here])
        return values


@dataclass(frozen=True, slots=True)
class Stretch:
    """An interval on which a function has one expression.

    ``size`` sets the scale of errors where the value itself does not; ``grown`` is there for a loss: its rate of
    growth, the end it grows from, and what it starts with there.
    """

    name: str
    low: End
    high: End
    value: Expr
    size: Expr | None = None
    growth: Callable[[], tuple[Expr, End, Any]] | None = None

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

    def halves(self) -> tuple[Half, Half]:
        """Return the halves at the low and at the high end."""
        low, high = self.low.floor, self.high.floor
        return Half.of(self.low, self.middle, low, high), Half.of(self.high, self.middle, low, high)

    def part(self, low: float, high: float, method: str, why: str, ulps: float | None = None) -> Part:
        """Return a part of the plan for this stretch."""
        return Part(self.name, low, high, method, why, ulps)


def segments(stretch: Stretch) -> Iterator[Segment]:
    """Compile one stretch."""
    if stretch.is_narrow:
        yield _narrow(stretch)
    elif stretch.value.has(Integral):
        yield from _integral(stretch, "the integral has no closed form")
    elif stretch.growth is not None and closed_form(in_p_and_r(stretch.value)) is None:
        yield from _integral(stretch, "NumPy lacks a function of the closed form")
    else:
        yield from _measured(stretch)


def _integral(stretch: Stretch, why: str) -> Iterator[Segment]:
    """Put tables made from the rate of growth alone, which does not cancel."""
    assert stretch.growth is not None
    rate, zero, start = stretch.growth()
    far = stretch.high if zero is stretch.low else stretch.low
    tables = integrated(Exact.of(in_p_and_r(rate)), zero, far, stretch.middle, start)
    below, above = tables if zero is stretch.low else reversed(tables)
    yield Segment(stretch.part(stretch.low.floor, stretch.middle, "table", why), below)
    yield Segment(stretch.part(stretch.middle, stretch.high.floor, "table", why), above)


def _narrow(stretch: Stretch) -> Segment:
    if stretch.growth is not None and stretch.value.has(Integral):
        rate, zero, start = stretch.growth()
        grown = Exact.of(in_p_and_r(rate))
        table = listed(
            lambda point: start + from_end(grown, zero, zero.exact_distance(point)), stretch.low, stretch.high
        )
    else:
        exact = Exact.of(in_p_and_r(stretch.value))
        table = listed(lambda point: exact.at(stretch.high, point), stretch.low, stretch.high)
    why = "the piece holds few doubles, each with its value"
    return Segment(stretch.part(stretch.low.floor, stretch.high.floor, "table", why, 0.5), table)


def _measured(stretch: Stretch) -> Iterator[Segment]:
    """Measure the closed form in each half of a stretch and put a table where it is not accurate."""
    exact, closed = Exact.of(in_p_and_r(stretch.value)), closed_form(in_p_and_r(stretch.value))
    size = None if stretch.size is None else Exact.of(in_p_and_r(stretch.size))
    below, above = (_Judged.of(half, exact, closed, size) for half in stretch.halves())
    low, high = stretch.low.floor, stretch.high.floor
    if below.cut is not None and above.cut is not None and above.cut - below.cut < (high - low) / 4:
        below, above = replace(below, cut=stretch.middle), replace(above, cut=stretch.middle)
    if below.cut is not None:
        yield below.tabulated(stretch, exact, size, low, below.cut)
        low = below.cut
    if above.cut is not None:
        high = above.cut
    if low < high and closed is not None:
        ulps = max(below.kept, above.kept)
        yield Segment(stretch.part(low, high, "closed form", f"measured within {ulps:.2g} ulp", ulps), closed)
    if above.cut is not None:
        yield above.tabulated(stretch, exact, size, above.cut, stretch.high.floor)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A half with the errors of the closed form there; up to ``cut`` from the end it is not accurate."""

    half: Half
    found: Array
    cut: float | None
    why: str

    @classmethod
    def of(cls, half: Half, exact: Exact, closed: Evaluate | None, size: Exact | None) -> _Judged:
        if closed is None:
            return cls(
                half,
                np.full(len(half.doubles), np.inf),
                half.middle,
                "NumPy lacks a function of the closed form",
            )
        found = errors(closed, exact, half, size)
        if not found.size:
            return cls(half, found, None, "")
        at = int(np.argmax(np.nan_to_num(found, nan=np.inf)))
        why = f"the closed form loses {found[at]:.2g} ulp at p = {half.doubles[at]:.17g}"
        return cls(half, found, first_good(half, found), why)

    @property
    def kept(self) -> float:
        """The largest error where the closed form stays."""
        if self.cut is None:
            return worst(self.found)
        beyond = self.half.end.side * (self.half.doubles - self.cut) >= 0
        return worst(self.found[beyond]) if self.cut != self.half.middle else 0.0

    def tabulated(
        self, stretch: Stretch, exact: Exact, size: Exact | None, low: float, high: float
    ) -> Segment:
        """Return the table that stands in for the closed form."""
        assert self.cut is not None
        table = tabulated(exact, self.half.end, self.cut, size)
        covered = self.half.end.side * (self.half.doubles - self.cut) <= 0
        half = Half(self.half.end, self.half.middle, self.half.doubles[covered])
        ulps = worst(errors(table, exact, half, size))
        return Segment(stretch.part(low, high, "table", self.why, ulps), table)
