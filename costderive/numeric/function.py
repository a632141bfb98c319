"""Functions of ``p`` on [0, 1] by segments, each of which has what computes it: a closed form, or a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sympy import Integral

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric.end_tables import Table
from costderive.numeric.many_digits import End, Exact, in_p_and_r, logit_floor
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import Evaluate, Points, grouped
from costderive.numeric.stretch import Stretch
from costderive.numeric.table_fit import power_series

STEEP = 1.2  # a function that grows faster than this power of p
NUDGE = 2.0**-44
WIDTH, SQUARE = 2 * NUDGE, NUDGE**2
NEAR = 2.0**-8  # of a segment, in which distances from its ends are those of logits


@dataclass(frozen=True, slots=True)
class Segment:
    """A part with what computes it, for probabilities that are rounded off by what ``Points`` call their rest.

    ``is_steep`` says that this would show in the values. ``edge`` is the largest logit of the part. ``near`` are tables
    next to breakpoints, with the distance to which each reaches: a logit says more of that distance than p does.
    """

    part: Part
    evaluate: Evaluate
    is_steep: bool = False
    edge: float = math.inf
    near: tuple[tuple[float, Table], ...] = ()

    def values(self, points: Points) -> Array:
        """Return the values at some points."""
        values = self.evaluate(points)
        if points.rest is None or not self.is_steep or self.reads_logits:
            return values
        first, second = self._derivatives(points.p, values)
        found = restored(values, first, second, points.missing())
        found = np.where(np.isfinite(found), found, values)
        for reach, table in self.near:
            here = np.flatnonzero(abs(points.p - table.end.hi) < reach)
            if len(here):
                found[here] = table(points.take(here))
        return found

    @property
    def reads_logits(self) -> bool:
        """Whether values are those at logits, and not at p alone."""
        return isinstance(self.evaluate, Table) and not self.evaluate.end.is_outer

    def _derivatives(self, p: Array, values: Array) -> tuple[Array, Array]:
        """Return how the values change with a relative change of p, in the first and in the second order."""
        above, below = (self.evaluate(Points.of(p * (1 + step))) for step in (NUDGE, -NUDGE))
        return slopes(values, above, below)

    def judged(self, stretch: Stretch) -> Segment:
        """Return the segment, found to be steep or not, with the largest logit that it holds."""
        away = (self.part.high - self.part.low) * 10.0 ** -np.arange(0.3, 18, 0.5)
        near = np.concatenate([self.part.low + away, self.part.high - away])
        near = near[(self.part.low < near) & (near < self.part.high)]
        with np.errstate(all="ignore"):
            values = self.evaluate(Points.of(near))
            slopes = self._derivatives(near, values)[0] / values
        is_steep = bool((abs(slopes[np.isfinite(slopes)]) > STEEP).any())
        last = stretch.high if self.part.high == stretch.high.floor else None
        tables = tuple(self._near(stretch)) if is_steep and not self.reads_logits else ()
        return replace(self, is_steep=is_steep, edge=logit_floor(self.part.high, last), near=tables)

    def _near(self, stretch: Stretch) -> Iterator[tuple[float, Table]]:
        """Fit a table next to each breakpoint at which the segment ends and the function is 0."""
        if stretch.value.has(Integral):
            return
        exact, length = Exact.of(in_p_and_r(stretch.value)), self.part.high - self.part.low
        ends = (
            (stretch.low, stretch.low.floor == self.part.low),
            (stretch.high, stretch.high.floor == self.part.high),
        )
        for end, is_there in ends:
            if is_there and not end.is_outer and vanishes(exact, end):
                tables = power_series(exact, end, end.hi + end.side * length * NEAR, 0.0)
                if tables is not None:
                    yield abs(tables[0][0] - end.hi), tables[0][1]


def slopes(value: Any, above: Any, below: Any) -> tuple[Any, Any]:
    """Return first and second derivatives in log p from the values at p and `NUDGE` beside it."""
    return (above - below) / WIDTH, ((above - value) + (below - value)) / SQUARE


def restored(value: Any, first: Any, second: Any, missing: Any) -> Any:
    """Return a value with what p is missing put back, from both derivatives."""
    return value + missing * (first + missing * second / 2)


def vanishes(exact: Exact, end: End) -> bool:
    """Return whether the limit at an end is certainly 0."""
    try:
        return bool(exact.limit(end) == 0)
    except CostDeriveError:  # no value that is certain
        return False


@dataclass(frozen=True, slots=True)
class Function:
    """A function of ``p`` on [0, 1], with its values at 0 and at 1 apart."""

    segments: tuple[Segment, ...]
    at_zero: float
    at_one: float

    def __call__(self, points: Points) -> Array:
        """Return the values at some points."""
        values = np.empty_like(points.p)
        for rows, found in self.by_segment(points):
            if rows is None:
                return found
            values[rows] = found
        return values

    def by_segment(self, points: Points) -> Iterator[tuple[NDArray[np.intp] | None, Array]]:
        """Yield, for each segment that holds some of the points, which these are (None: all), and the values there."""
        if len(self.segments) == 1:
            yield None, self.values(0, points)
            return
        for index, rows in grouped(self.kinds(points), len(self.segments)):
            yield rows, self.values(index, points.take(rows))

    def kinds(self, points: Points) -> NDArray[np.integer[Any]]:
        """Return the number of the segment of each point."""
        found: NDArray[Any] = np.zeros(len(points), dtype=np.int8 if len(self.segments) < 64 else np.int16)
        for segment in self.segments[:-1]:
            found += points.p > segment.part.high if points.logit is None else points.logit > segment.edge
        return found

    def alone(self, points: Points) -> Array:
        """Return the value at a single point, for which nothing is sorted."""
        return self.values(int(self.kinds(points)[0]), points)

    def values(self, index: int, points: Points) -> Array:
        """Return the values at points of one segment."""
        if not len(points):
            return np.empty(0)
        with np.errstate(all="ignore"):  # the values at 0 and 1 are overwritten; what underflows is 0
            values = self.segments[index].values(points)
        if index == 0 and points.p.min() == 0:
            values = np.where(points.p == 0, self.at_zero, values)
        if index == len(self.segments) - 1 and points.r.min() == 0:
            values = np.where(points.r == 0, self.at_one, values)
        return values


Pair = tuple[Function, Function]  # of class 0 and of class 1
