"""How many digits a compiled form keeps: its values beside exact ones at doubles chosen to catch cancellation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from costderive.core.numpy_on_demand import Array, np
from costderive.numeric.closed_form import Closed
from costderive.numeric.many_digits import End, Exact
from costderive.numeric.point_pairs import Evaluate, Points

MOST_ULPS = (
    3.3  # what a closed form may lose at a probe: between probes it loses a little more, and 4 is the promise
)
FEW_ULPS = 2.6  # what it may lose where it takes over from a table, as its errors grow towards the table
SCATTERED = 60
MORE = 15000


@dataclass(frozen=True, slots=True)
class Probes:
    """Points and the exact values there, held as doubles and what these have rounded off."""

    points: Points
    rounded: Array
    rest: Array

    @classmethod
    def of(cls, points: Points, exact: list[Any]) -> Probes:
        """Round exact values."""
        rounded = np.array([float(number) for number in exact])
        rest = [float(number - double) for number, double in zip(exact, rounded.tolist(), strict=True)]
        return cls(points, rounded, np.array(rest))

    def errors(self, evaluate: Evaluate) -> Array:
        """Return the error at each point in units in the last place."""
        with np.errstate(all="ignore"):
            got = evaluate(self.points)
            found = abs((self.rounded - got) + self.rest) / np.spacing(abs(self.rounded))
        found[got == self.rounded] = 0.0
        found[~(np.isfinite(got) & np.isfinite(self.rounded)) & (got != self.rounded)] = np.inf
        return found

    def between(self, low: float, high: float) -> Probes:
        """Return those with ``low <= p <= high``."""
        kept = np.flatnonzero((low <= self.points.p) & (self.points.p <= high))
        return Probes(self.points.take(kept), self.rounded[kept], self.rest[kept])


@dataclass(frozen=True, slots=True)
class Half:
    """The half of a piece next to one of its ends, up to ``middle``, with probes, nearest first."""

    end: End
    middle: float
    probes: Probes
    more: Array

    @classmethod
    def of(cls, end: End, middle: float, bounds: tuple[float, float], exact: Exact) -> Half:
        """Choose the probes among the doubles of the piece, ``low < p <= high``."""
        low, high = bounds

        def inside(*points: Array) -> Array:
            found = np.unique(np.concatenate(points))
            side = found <= middle if end.side > 0 else found > middle
            return found[side & (low < found) & (found <= high) & (found > 0) & (found < 1)][:: end.side]

        doubles = inside(_spread(end, middle), _scattered(end, middle, SCATTERED), _neighbours(end))
        more = inside(_scattered(end, middle, MORE)) if np.finfo(np.longdouble).nmant > 60 else np.empty(0)
        probes = Probes.of(Points.of(doubles), [exact.at(end, point) for point in doubles])
        return cls(end, middle, probes, more)

    @property
    def doubles(self) -> Array:
        """The probes as probabilities."""
        return self.probes.points.p

    def errors(self, evaluate: Evaluate) -> Array:
        """Return the error at each probe in units in the last place."""
        return self.probes.errors(evaluate)

    def closely(self, form: Closed) -> tuple[Array, Array]:
        """Return many points, nearest first, and the errors of a closed form there.

        Beside the probes these are points at which longer numbers than doubles stand for exact ones. (Where these
        lose their digits too, the probes show the errors.)
        """
        with np.errstate(all="ignore"):
            got, wanted = form(Points.of(self.more)), form.precisely(self.more)
            rounded = wanted.astype(np.float64)
            errors = np.where(got == rounded, 0, abs(got - wanted) / np.spacing(abs(rounded))).astype(
                np.float64
            )
        points = np.concatenate([self.doubles, self.more])
        order = np.argsort(self.end.side * points, kind="stable")
        return points[order], np.concatenate([self.errors(form), errors])[order]

    def first_good(self, points: Array, found: Array) -> float | None:
        """Return the point from which on every error is small, the middle if none is, None if all are."""
        if (found <= MOST_ULPS).all():
            return None
        bad = np.flatnonzero(~(found <= FEW_ULPS))
        following = int(bad[-1]) + 2
        return float(points[following]) if following < len(points) else self.middle


def _spread(end: End, middle: float) -> Array:
    """Return points at distances that fill every scale from the end to the middle."""
    smallest = -322.0 if end.hi == 0 else -17.0
    scales = (np.arange(smallest, -22, 20), np.arange(max(smallest, -22), 0, 0.5), np.linspace(-0.9, 0, 30))
    return _away(end, middle, np.concatenate(scales))


def _scattered(end: End, middle: float, count: int) -> Array:
    """Return points whose digits are of no pattern."""
    generator = np.random.default_rng(17)
    scales = generator.uniform(-4, 0, count), np.log10(generator.uniform(0, 1, count))
    return _away(end, middle, np.concatenate(scales))


def _away(end: End, middle: float, scales: Array) -> Array:
    with np.errstate(under="ignore"):
        return np.asarray(end.hi + end.side * abs(middle - end.hi) * 10.0**scales)


def _neighbours(end: End) -> Array:
    steps = np.array([0, 1, 2, 3, 5, 8, 16, 32, 64, 128])
    return np.asarray(end.hi + end.side * steps * (5e-324 if end.hi == 0 else math.ulp(end.hi)))


def worst(found: Array) -> float:
    """Return the largest of some errors, 0 if there are none; what has no value has no digit."""
    return float(np.where(np.isnan(found), np.inf, found).max(initial=0.0))
