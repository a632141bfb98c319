"""How tables are fitted: panel by panel, to exact values at Chebyshev points.

A panel is an interval of a variable. Where the function is a power times a power series, in x or in its root, a panel
or two reach from the end to the middle of the piece. In ``log x`` powers, roots and logarithms of x are all smooth, so
that some more panels reach from the end (5e-324 away, if it is 0) to the middle, whatever the function does there.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import mpmath

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import np
from costderive.numeric import chebyshev
from costderive.numeric.end_tables import (
    LINEAR,
    LOG,
    MOST_FACTORS,
    ROOT,
    Panel,
    Table,
    Variable,
    divisible,
    of_subnormals,
    roots,
)
from costderive.numeric.many_digits import DIGITS, GONE, SMALLEST, End, Exact

THINNEST = 1e-3
NEAR = mpmath.mpf(10) ** -60  # a distance at which a power is alone
GENTLE = 4.0  # the largest ratio of two values on a panel of a power series
QUARTERS = 4  # of these a power is a multiple: a double that is not it shows very near the end
FEW = 5  # panels of a power series: where more are needed, the function has none

SHORT = 10  # octaves in which the panels are in the distance itself,
LONG = 72  # or this many, if no more are needed
STEEP = 50  # power, beyond which it may change within an octave
FEWEST = -1022  # octaves of a double with all digits
FAR = 500  # octaves from 1 at which a power of the distance may leave the range of doubles, but not the function


class NoFitError(CostDeriveError):
    """A function that no polynomial approximates, however short the panel."""


class Source(Protocol):
    """What a table is fitted to."""

    @property
    def variable(self) -> Variable:
        """What the polynomials are in."""

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return exact values at the points of a panel, each divided by ``x^power``."""

    def power(self, low: float, high: float) -> float:
        """Return a power that the function is near to on the panel."""

    def is_steep(self, low: float, high: float) -> bool:
        """Return whether the panel is hopelessly long, if that can be seen at once."""

    def is_gone(self, low: float, high: float) -> bool:
        """Return whether the function is too small for a double on all of the panel."""


Reaches = tuple[
    tuple[float, Table], ...
]  # tables by the double to which each reaches from an end, nearest first


class Known(Protocol):
    """A function whose exact values are known at any distance from an end; :class:`Exact` is one."""

    def value(self, end: End, x: Any) -> Any:
        """Return the value at a distance."""

    def power(self, end: End, x: Any) -> float:
        """Return the power that the function is near to at a distance."""


@dataclass(frozen=True, slots=True)
class Direct:
    """A known function near an end, in a variable, as what a table is fitted to."""

    exact: Known
    end: End
    variable: Variable
    is_monotone: bool = False

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return exact values at the points of a panel, each divided by ``x^power``."""
        with mpmath.workdps(DIGITS):
            return [value * x**-power for x, value in _sampled(self, low, high)]

    def is_steep(self, low: float, high: float) -> bool:
        """Return whether three values, before there are more, already swing whatever power they are divided by."""
        with mpmath.workdps(DIGITS):
            nodes = chebyshev.rounded_nodes(low, high)
            distances = [self.variable.distance(nodes[place]) for place in (0, len(nodes) // 2, -1)]
            values = [abs(self.exact.value(self.end, x)) for x in distances]
            if 0 in values:
                return False
            (x, y, z), (f, g, h) = ([mpmath.log(number) for number in row] for row in (distances, values))
            return bool(abs(g - f - (h - f) * (y - x) / (z - x)) > 2 * math.log(chebyshev.SWING))

    def is_gone(self, low: float, high: float) -> bool:
        """Return whether the function is too small for a double at both edges of the panel, and between them.

        A monotone one is; another is if it is so at each of the points.
        """
        if not all(map(self._is_small, (low, high))):
            return False
        return self.is_monotone or all(abs(value) < SMALLEST for _, value in _sampled(self, low, high))

    def _is_small(self, edge: float) -> bool:
        with mpmath.workdps(DIGITS):
            return bool(abs(self.exact.value(self.end, self.variable.distance(mpmath.mpf(edge)))) < SMALLEST)

    def power(self, low: float, high: float) -> float:
        """Return the power that the function is near to in the middle of the panel, or all over it if it is steep."""
        found = self.exact.power(self.end, self.variable.distance(mpmath.mpf(low + high) / 2))
        return found if abs(found) <= STEEP else self._rise(low, high)

    def _rise(self, low: float, high: float) -> float:
        """Return the power of the function from the first point of a panel to the last."""
        with mpmath.workdps(DIGITS):
            (x, first), *_, (y, last) = _sampled(self, low, high)
            return float(mpmath.log(abs(last / first)) / mpmath.log(y / x)) if first and last else 0.0


@functools.lru_cache(maxsize=2)
def _sampled(source: Direct, low: float, high: float) -> list[tuple[Any, Any]]:
    """Return the points of a panel as distances, with the exact values there: they are asked for by several powers."""
    distances = [source.variable.distance(node) for node in chebyshev.rounded_nodes(low, high)]
    return [(x, source.exact.value(source.end, x)) for x in distances]


def tabulated(exact: Exact, end: End, reach: float, is_monotone: bool = False) -> Reaches:
    """Fit tables of a closed form, from an end up to the double ``reach``; each value is right relative to itself."""
    at_end = float(exact.limit(end))
    series = power_series(exact, end, reach, at_end)
    if series is not None:
        return series
    bottom = exact.bottom(end, reach)
    knee = _knee(end, bottom, reach)
    near = list(_octaves(exact, end, bottom, knee, reach, is_monotone))
    if knee is None:
        return ((reach, Table.of(end, LINEAR, at_end, near, lowest(end, at_end, near[0].low))),)
    wide = Table.of(end, LINEAR, at_end, near)
    fitter = Fitter(Direct(exact, end, LOG, is_monotone), exact.power(end, bottom))
    far = list(fitter.panels(log_edges(exact, end, bottom, knee)))
    table = Table.of(end, LOG, at_end, far, lowest(end, at_end, math.exp(far[0].low)))
    return (knee, table), (reach, wide)


def lowest(end: End, at_end: float, low: float) -> float:
    """Return the distance up to which a table has its value at the end."""
    return low if at_end == 0 and low > end.nearest else 0.0


def _knee(end: End, bottom: Any, reach: float) -> float | None:
    """Return the double that parts panels in ``log x`` from those in x, None if the latter reach to the bottom."""
    length = abs(end.exact_distance(reach))
    if bottom > length / 2**LONG:
        return None
    return end.hi + end.side * float(length / 2**SHORT)


def _octaves(
    exact: Known, end: End, bottom: Any, knee: float | None, reach: float, is_monotone: bool
) -> list[Panel]:
    """Fit panels in the distance itself, from the knee or the bottom on."""
    low = float(bottom if knee is None else abs(end.exact_distance(knee)))
    return octaves(exact, end, low, float(abs(end.exact_distance(reach))), is_monotone)


def octaves(
    known: Known,
    end: End,
    low: float,
    reach: float,
    is_monotone: bool,
    is_level: bool = False,
    seams: Sequence[float] = (),
) -> list[Panel]:
    """Fit panels in the distance itself, half an octave or less each: its digits are all there, as those of
    ``log x`` are not, and a function that is steep needs them. At ``seams`` it may not be smooth.
    """
    count = max(1, round(2 * math.log2(reach / low)))
    inner = {reach / 2 ** (k / 2) for k in range(1, count)} | {x for x in seams if low < x < reach}
    edges = [low, *sorted(inner), reach * (1 + 1e-15)]
    source, power = Direct(known, end, LINEAR, is_monotone), known.power(end, mpmath.mpf(low))
    return list(Fitter(source, power, thinnest=low / 2**SHORT, is_level=is_level).panels(edges))


def power_series(exact: Known, end: End, reach: float, at_end: float) -> Reaches | None:
    """Fit a table per panel in the distance or its root, if the function is a power times a power series in it."""
    length = float(abs(end.exact_distance(reach)))
    power = exact.power(end, NEAR)
    if abs(power) > MOST_FACTORS or not (QUARTERS * power).is_integer():
        return None
    for variable in (LINEAR, ROOT):
        edges = [0.0, float(variable.of(np.array(length))) * (1 + 1e-15)]
        fitter = Fitter(Direct(exact, end, variable), power, thinnest=edges[1] / 2**FEW, fixed=True)
        try:
            panels = list(fitter.panels(edges))
            if len(panels) <= FEW:
                first = _double(end, variable, panels[0]) if panels[1:] else reach
                tables = [
                    (first, Table.of(end, variable, at_end, panels[:1])),
                    *_beyond(exact, end, first, reach, power),
                ]
                return (*tables[:-1], (reach, tables[-1][1]))
        except NoFitError:
            continue
    return None


def _beyond(
    exact: Known, end: End, first: float, reach: float, power: float
) -> Iterator[tuple[float, Table]]:
    """Fit the tables after the first: in the distance itself, which is not rounded as its root is."""
    if first == reach:
        return
    edges = [float(abs(end.exact_distance(point))) for point in (first, reach)]
    fitter = Fitter(Direct(exact, end, LINEAR), power, thinnest=edges[1] / 2**FEW, fixed=True)
    for panel in fitter.panels(edges):
        yield _double(end, LINEAR, panel), Table.of(end, LINEAR, 0.0, [panel])


def _double(end: End, variable: Variable, panel: Panel) -> float:
    """Return the point at which a panel ends."""
    return float(end.hi + end.side * float(variable.distance(panel.high)))


def lowest_edge(known: Known, end: End, bottom: Any) -> float:
    """Return the logarithm at which panels start: below the bottom, unless the function is gone by then."""
    below = bottom / 2
    is_gone = bottom > 2 * end.nearest and abs(known.value(end, below)) < GONE
    return float(mpmath.log(bottom if is_gone else below))


def log_edges(known: Known, end: End, bottom: Any, reach: float) -> list[float]:
    """Return the edges of the first panels: narrow at ``reach``, doubling in width towards the end."""
    low = lowest_edge(known, end, bottom)
    edges, width = [float(mpmath.log(abs(end.exact_distance(reach))))], 1.0
    while edges[-1] - 1.5 * width > low:
        edges.append(edges[-1] - width)
        width *= 2
    return [low, *reversed(edges)]


@dataclass(slots=True)
class Fitter:
    """Fits panel after panel, in the direction in which the source is known.

    ``power`` is that of the last one; panels share it if it is ``fixed``. What a polynomial leaves out is ``tail`` at
    most, relative to the function, or, if it ``is_level``, to the largest value on the panel.
    """

    source: Source
    power: float
    ascending: bool = True
    thinnest: float = THINNEST
    fixed: bool = False
    tail: float = chebyshev.TAIL
    is_level: bool = False

    def panels(self, edges: list[float]) -> Iterator[Panel]:
        """Yield panels between edges, each of them halved as often as it needs."""
        pairs = list(pairwise(edges))
        for pair in pairs if self.ascending else reversed(pairs):
            yield from self._halved(pair)

    def _halved(self, between: tuple[float, float]) -> Iterator[Panel]:
        panel = self._fitted(between)
        if panel is not None:
            yield panel
            return
        low, high = between
        if high - low < self.thinnest:
            raise NoFitError(
                f"no polynomial fits the loss between {low:.6g} and {high:.6g} in the variable of a table",
                "Report this with the context.",
            )
        middle = (low + high) / 2
        halves = ((low, middle), (middle, high))
        for half in halves if self.ascending else reversed(halves):
            yield from self._halved(half)

    def _fitted(self, between: tuple[float, float]) -> Panel | None:
        """Fit a panel with the last power, or with one of its own if the values would swing."""
        if not self.fixed and self.source.is_gone(*between):
            return Panel(*between, 0.0, 0, (0.0,) * (chebyshev.DEGREE + 1))
        power = self._taken(self.source.power(*between) if self.is_level else self.power, between[0])
        if not self.is_level and self.source.is_steep(*between):
            return None
        values = self.source.values(*between, power)
        if self.fixed and chebyshev.swings(values, GENTLE):
            return None
        if chebyshev.swings(values) and not (self.fixed or self.is_level):
            power = self._taken(self.source.power(*between), between[0])
            values = self.source.values(*between, power)
        shift, lift = self._shift(between[1], power), self._lift(between, power)
        with mpmath.workdps(DIGITS):
            scale = mpmath.mpf(2) ** (-shift * mpmath.mpf(power) - lift * roots(power))
            coefficients = chebyshev.fitted([scale * value for value in values], self.tail, self.is_level)
        if coefficients is None:
            return None
        self.power = power
        return Panel(*between, power, shift, coefficients, lift)

    def _taken(self, power: float, low: float) -> float:
        """Return a power next to one, of which double numbers have the factors from a distance on."""
        return of_subnormals(divisible(power)) if self._octaves(low) < FEWEST else divisible(power)

    def _shift(self, high: float, power: float) -> int:
        """Return the octaves by which the distance is multiplied before it is raised to a power."""
        octaves = math.ceil(self._octaves(high))
        return -octaves if abs(power) > MOST_FACTORS and abs(power * octaves) > FAR else 0

    def _lift(self, between: tuple[float, float], power: float) -> int:
        """Return the octaves by which each root of a steep power is multiplied, so that the largest is next to 1."""
        if abs(power) <= FAR:
            return 0
        largest = self._octaves(between[power > 0]) + self._shift(between[1], power)
        return -math.ceil(power / roots(power) * largest)

    def _octaves(self, edge: float) -> float:
        """Return the logarithm to base 2 of the distance at the edge of a panel."""
        return float(mpmath.log(self.source.variable.distance(mpmath.mpf(edge)), 2))
