"""Functions whose exact values take long: by polynomials through a few of them, and compared with others.

Near an end of a piece a function is ``x^power`` times a polynomial in ``log x`` on each panel, x being the distance.
What the polynomials lose is measured at points that they were not made from; nothing is certified.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
import sympy

from costderive.core.errors import CostDeriveError
from costderive.numeric import chebyshev
from costderive.numeric.chebyshev import Interpolant
from costderive.numeric.many_digits import DIGITS, FIRST, GONE, End, Exact, Valued
from costderive.numeric.table_fit import log_edges

BEYOND = 60  # the logarithm of a distance that panels go on below the last double
ELSEWHERE = (0.29, 0.83)  # of a panel, where it is compared
NOISIEST, PLATEAU = 2.0**-50, 4  # relative noise that shorter panels would not reduce, and how it is left out
NEARLY = (
    2.0**-40
)  # what longer polynomials would add, where it may be noise; more is noise if it falls no further
FEW = 3  # points at which values are checked by another way
LEAST = mpmath.mpf(10) ** -300  # of values that are compared


@dataclass(frozen=True, slots=True)
class Quality:
    """How many values a panel takes, what its polynomial may leave out, and how often panels are halved."""

    points: int
    tail: float
    deepest: int


LONG = Quality(chebyshev.POINTS, 2.0**-57, 9)
FINE = Quality(chebyshev.POINTS, 2.0**-58, 10)
ROUGH = Quality(chebyshev.POINTS, 2.0**-57, 9)


@dataclass(frozen=True, slots=True)
class Stored:
    """``x^power`` times a polynomial in ``log x``."""

    power: float
    polynomial: Interpolant
    level: Any = 0  # the largest value, of a panel beside which the sign changes

    def value(self, z: Any, x: Any) -> Any:
        """Return the value at the distance x, of which z is the logarithm; below the panel the power goes on alone."""
        low = self.polynomial.low
        return x**self.power * self.polynomial.at(z if float(z) > low else low)


@dataclass(frozen=True, slots=True, eq=False)
class Sampled(Valued):
    """A function on a piece, by the panels from each of its ends to the middle."""

    source: Valued
    quality: Quality
    sides: dict[int, tuple[Stored, ...]]

    @classmethod
    @functools.lru_cache(maxsize=16)
    def of(cls, source: Valued, low: End, high: End, middle: float, quality: Quality) -> Sampled:
        """Sample a function between two ends."""
        with mpmath.workdps(DIGITS):
            return cls(
                source,
                quality,
                {end.side: tuple(_panels(source, end, middle, quality)) for end in (low, high)},
            )

    def value(self, end: End, x: Any) -> Any:
        """Return the value at a distance from an end, up to the middle."""
        panel, z = self._panel(end, x)
        return panel.value(z, x)

    def _panel(self, end: End, x: Any) -> tuple[Stored, Any]:
        panels, z = self.sides[end.side], mpmath.log(x)
        place = bisect_left(panels, float(z), key=lambda panel: panel.polynomial.high)
        return panels[min(place, len(panels) - 1)], z

    def elsewhere(self, end: End) -> list[Any]:
        """Return distances at which the polynomials have no points, in the range of doubles."""
        least = mpmath.log(max(mpmath.mpf(end.nearest), _least(self.source, end)))
        spans = [(panel.polynomial.low, panel.polynomial.high) for panel in self.sides[end.side]]
        found = [low + part * (high - low) for low, high in spans for part in ELSEWHERE]
        return [mpmath.exp(mpmath.mpf(z)) for z in found if z > least]

    def edges(self, end: End) -> list[float]:
        """Return the edges of the panels, in the logarithm of the distance."""
        panels = self.sides[end.side]
        return [panels[0].polynomial.low, *(panel.polynomial.high for panel in panels)]

    def off(self, end: End) -> float:
        """Return the largest relative error elsewhere, in units of 2^-53."""
        return max((error for _, error in self.errors(end)), default=0.0)

    @functools.lru_cache(maxsize=64)  # noqa: B019
    def errors(self, end: End) -> list[tuple[Any, float]]:
        """Return distances elsewhere, with the relative errors there."""
        with mpmath.workdps(DIGITS):
            points = self.elsewhere(end)
            few = points[:: max(1, len(points) // FEW)]
            exact = [
                *zip(points, self.source.values(end, points), strict=True),
                *((x, self.source.checked(end, x)) for x in few),
            ]
            return [(x, self._apart(end, x, value)) for x, value in exact]

    def _apart(self, end: End, x: Any, exact: Any) -> float:
        """Return the error at a distance, in units of 2^-53 of the value, or of the largest one beside a root."""
        panel, z = self._panel(end, x)
        found = panel.value(z, x)
        return float(abs(found - exact) / panel.level * 2**53) if panel.level else apart(exact, found)


@dataclass(frozen=True, slots=True)
class Multiple(Valued):
    """A sum of sampled functions, each times a closed form; all have the same ends."""

    terms: tuple[tuple[Exact, Sampled], ...]

    def value(self, end: End, x: Any) -> Any:
        """Return the value at a distance from an end, up to the middle."""
        return sum(factor.value(end, x) * sampled.value(end, x) for factor, sampled in self.terms)

    @property
    def exact(self) -> Exact | None:
        """The closed form that is sampled, None if one of the functions has none."""
        found = [(factor.expr, sampled.source.exact) for factor, sampled in self.terms]
        known = [factor * source.expr for factor, source in found if source is not None]
        return Exact.of(sympy.Add(*known)) if len(known) == len(found) else None

    @property
    def tail(self) -> float:
        """What the polynomials may leave out."""
        return max(sampled.quality.tail for _, sampled in self.terms)

    def edges(self, end: End) -> list[float]:
        """Return the edges of all panels, in the logarithm of the distance."""
        return sorted({edge for _, sampled in self.terms for edge in sampled.edges(end)})

    def errors(self, end: End) -> list[tuple[Any, float]]:
        """Return distances elsewhere, with what the error of one of the sampled functions is of the sum there."""
        return [
            (x, error * self._share(factor, sampled, end, x))
            for factor, sampled in self.terms
            for x, error in sampled.errors(end)
        ]

    def _share(self, factor: Exact, sampled: Sampled, end: End, x: Any) -> float:
        """Return the size of a term beside that of the sum, which is smaller where terms cancel."""
        if len(self.terms) == 1:
            return 1.0
        term, total = factor.value(end, x) * sampled.value(end, x), self.value(end, x)
        return float(abs(term / total)) if total else 1.0

    def off(self, end: End) -> float:
        """Return the largest relative error of one of the sampled functions elsewhere, in units of 2^-53."""
        return max(sampled.off(end) for _, sampled in self.terms)


def apart(exact: Any, found: Any) -> float:
    """Return the relative error of a value, in units of 2^-53."""
    if exact == found or max(abs(exact), abs(found)) < LEAST:
        return 0.0
    return float(abs(found / exact - 1) * 2**53) if exact else math.inf


@functools.lru_cache(maxsize=64)
def _least(source: Valued, end: End) -> Any:
    """Return a distance down to which values can be had."""
    if not end.is_outer:
        return mpmath.mpf(end.nearest)
    try:
        least = mpmath.mpf(end.nearest)
        source.value(end, least)
    except (CostDeriveError, ValueError):
        return FIRST
    return least


def _panels(source: Valued, end: End, middle: float, quality: Quality) -> Iterator[Stored]:
    """Yield panels from the end to the middle."""
    least = _least(source, end)
    bottom = least if least == FIRST else max(source.bottom(end, middle), least)
    edges = log_edges(source, end, bottom, middle)
    if bottom <= end.nearest:
        edges = [edges[0] - BEYOND, *edges]
    for low, high in pairwise(edges):
        yield from _halved(source, end, low, high, quality, quality.deepest)


def _halved(
    source: Valued, end: End, low: float, high: float, quality: Quality, left: int
) -> Iterator[Stored]:
    nodes = [mpmath.exp(z) for z in chebyshev.rounded_nodes(low, high, quality.points)]
    values = source.values(end, nodes)
    if max(map(abs, values)) < GONE:
        yield Stored(0.0, Interpolant(low, high, [mpmath.mpf(0)]))
        return
    plain = Interpolant.through(values, low, high)
    if plain.changes_sign and plain.last <= quality.tail * (largest := max(map(abs, values))):
        yield Stored(0.0, plain.without(quality.tail * largest, len(values)), largest)
        return
    first, last = values[0], values[-1]
    power = float(mpmath.log(last / first) / mpmath.log(nodes[-1] / nodes[0])) if first * last > 0 else 0.0
    flat = [value * x**-power for value, x in zip(values, nodes, strict=True)]
    found = Interpolant.through(flat, low, high)
    beside = _beside(found, values)
    most = quality.tail * beside
    if most < found.last and (found.last <= NEARLY * beside or found.has_stalled):
        most = max(quality.tail, source.noise(end, nodes, values)) * beside
    if most < found.last <= NOISIEST * beside and found.has_stalled:
        most = PLATEAU * found.last
    if left == 0 or found.last <= most:
        yield Stored(power, found.without(most, chebyshev.DEGREE if left == 0 else len(values)))
        return
    middle = (low + high) / 2
    for half in ((low, middle), (middle, high)):
        yield from _halved(source, end, *half, quality, left - 1)


def _beside(found: Interpolant, values: list[Any]) -> Any:
    """Return beside what little may be left out: the least value, or the largest if it changes its sign."""
    return found.least if min(values) * max(values) > 0 else max(map(abs, found.coefficients))
