"""Tables: a function near an end of a piece as ``x^power`` times polynomials in ``log x``, x the distance.

A panel is an interval of ``log x``; its polynomial is fitted to exact values at Chebyshev points. In ``log x``
powers, roots and logarithms of x are all smooth, so that a few panels reach from the end (5e-324 away, if it is
0) to the middle of a piece, whatever the function does there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from costderive.errors import CostDeriveError
from costderive.numeric import chebyshev
from costderive.numeric.exact import DIGITS, Array, End, Evaluate, Exact, number

THINNEST = 1e-3
Panel = tuple[float, float, list[float]]
Values = Callable[[float, float], list[Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A function at distances ``x`` from an end, as ``x^power`` times one polynomial in ``log x`` per panel.

    ``coefficients`` has one row per degree, highest first, and one column per panel; ``at_end`` is the limit.
    """

    end: End
    power: float
    at_end: float
    edges: Array
    centres: Array
    scales: Array
    coefficients: Array

    @classmethod
    def of(cls, end: End, power: float, at_end: float, panels: Sequence[Panel]) -> Table:
        """Lay panels, in any order, into arrays."""
        lows, highs, rows = zip(*sorted(panels), strict=True)
        low, high = np.array(lows), np.array(highs)
        coefficients = np.ascontiguousarray(np.array(rows).T[::-1])
        return cls(end, power, at_end, high[:-1], (low + high) / 2, 2 / (high - low), coefficients)

    def __call__(self, points: Array, rest: Array) -> Array:
        """Return the values at ``p``, an array; ``rest`` is ``1 - p``."""
        x = rest if self.end.at == 1 else self.end.distance(points)
        logarithm = np.log(x)
        panel = np.searchsorted(self.edges, logarithm)
        z = (logarithm - self.centres[panel]) * self.scales[panel]
        value = self.coefficients[0][panel]
        for row in self.coefficients[1:]:
            value *= z
            value += row[panel]
        if self.power:
            root = x if self.power == 2 else np.power(x, self.power / 2)
            value = root * value * root  # in this order, a subnormal result loses no digits on the way
        value[x == 0] = self.at_end
        return np.asarray(value)


def tabulated(exact: Exact, end: End, reach: float, relative: bool = True) -> Table:
    """Fit a table of a closed form, from an end up to the double ``reach``.

    With ``relative``, each value is right relative to itself; a function that changes sign cannot be.
    """
    power = exact.power(end)

    def values(low: float, high: float) -> list[Any]:
        with mpmath.workdps(DIGITS):
            return [exact.value(end, x) * x**-power for x in _distances(low, high)]

    panels = _panels(values, _edges(end, reach), True, relative)
    return Table.of(end, power, float(exact.limit(end)), list(panels))


def listed(value: Callable[[float], Any], low: End, high: End) -> Evaluate:
    """Return a function that looks up its value at each of the doubles ``low < p <= high``."""
    doubles = [low.floor]
    while doubles[-1] < high.floor:
        doubles.append(math.nextafter(doubles[-1], math.inf))
    known = np.array([float(value(double)) for double in doubles[1:]])
    return lambda points, rest: known[np.searchsorted(doubles[1:], points)]


# ---------------------------------------------------------------------------- losses that stay integrals


@dataclass(slots=True)
class Running:
    """A loss, carried on from panel to panel by integrating its rate of growth, a closed form in the distance x.

    With ``f = loss x^-power`` and ``z = log x`` it solves ``df/dz = rate x^(1 - power) - power f`` by collocation,
    upwards from the end that the loss grows from; downwards to the other end the rate is negative. Unlike the
    loss, ``f`` varies slowly, so that panels may be wide. ``reached`` holds f at each edge so far.
    """

    rate: Exact
    end: End
    power: float
    ascending: bool
    reached: dict[float, Any]

    def values(self, low: float, high: float) -> list[Any]:
        """Return the values of f at the points of a panel."""
        with mpmath.workdps(DIGITS):
            half, sign = (mpmath.mpf(high) - low) / 2, 1 if self.ascending else -1
            known, sought = (low, high) if self.ascending else (high, low)
            source = [self.rate.value(self.end, x) * x ** (1 - self.power) for x in _distances(low, high)]
            rows, whole = chebyshev.integration(self.ascending)
            drive = [self.reached[known] + half * mpmath.fdot(row, source) for row in rows]
            found = chebyshev.solved(rows, sign * half * self.power, drive)
            slope = [part - sign * self.power * value for part, value in zip(source, found, strict=True)]
            self.reached[sought] = self.reached[known] + half * mpmath.fdot(whole, slope)
            return found

    def begin(self, z: float, loss: Any) -> None:
        """Set the loss at the edge to start from."""
        self.reached[z] = loss * mpmath.exp(-self.power * mpmath.mpf(z))

    def loss(self, z: float) -> Any:
        """Return the loss at an edge that was reached."""
        return self.reached[z] * mpmath.exp(self.power * mpmath.mpf(z))


def integrated(rate: Exact, zero: End, far: End, middle: float, start: Any) -> tuple[Table, Table]:
    """Fit the tables of ``start + integral of rate`` from the end ``zero`` to the other end, split at ``middle``."""
    with mpmath.workdps(DIGITS):
        near, beyond = _edges(zero, middle), _edges(far, middle)
        rise, fall = (1 + rate.power(zero)) if start == 0 else 0.0, min(0.0, 1 + rate.power(far))
        first = Running(rate, zero, rise, True, {})
        first.begin(near[0], start + _first_bit(rate, zero, near[0]))
        panels = list(_panels(first.values, near, True))
        joint = first.loss(near[-1]) + _gap(rate, zero, far, near[-1], beyond[-1])
        second = Running(rate, far, fall, False, {})
        second.begin(beyond[-1], joint)
        more = list(_panels(second.values, beyond, False))
        diverges = 1 + rate.power(far) <= 0
        worst = mpmath.inf if diverges else second.loss(beyond[0]) + _first_bit(rate, far, beyond[0])
        return Table.of(zero, rise, float(start), panels), Table.of(far, fall, float(worst), more)


def integral(rate: Exact, low: End, high: End, middle: float) -> Any:
    """Return the integral of a closed form over a piece."""
    with mpmath.workdps(DIGITS):
        return sum(from_end(rate, end, abs(end.exact_distance(middle))) for end in (low, high))


def from_end(rate: Exact, end: End, length: Any) -> Any:
    """Integrate from an end, scaled so that the quadrature's absolute tolerance is a relative one."""
    scale = rate.value(end, length / 2)
    if scale == 0:
        return mpmath.mpf(0)
    return scale * length * mpmath.quad(lambda y: rate.value(end, length * y) / scale, [0, 1])


def _first_bit(rate: Exact, end: End, z: float) -> Any:
    return from_end(rate, end, mpmath.exp(mpmath.mpf(z)))


def _gap(rate: Exact, zero: End, far: End, low: float, high: float) -> Any:
    """Return what lies between the two rounded logarithms of the distances of one and the same middle."""
    x = mpmath.exp(mpmath.mpf(low))
    width = abs(number(far.at, DIGITS) - number(zero.at, DIGITS))
    return rate.value(zero, x) * (width - x - mpmath.exp(mpmath.mpf(high)))


# ------------------------------------------------------------------------------------------------ panels


def _edges(end: End, reach: float) -> list[float]:
    """Return the edges of the first panels: narrow at ``reach``, doubling in width towards the end."""
    low = float(mpmath.log(mpmath.mpf(end.nearest) / 2))
    edges, width = [float(mpmath.log(abs(end.exact_distance(reach))))], 1.0
    while edges[-1] - 1.5 * width > low:
        edges.append(edges[-1] - width)
        width *= 2
    return [low, *reversed(edges)]


def _distances(low: float, high: float) -> list[Any]:
    return [mpmath.exp(node) for node in chebyshev.nodes(low, high)]


def _panels(values: Values, edges: list[float], ascending: bool, relative: bool = True) -> Iterator[Panel]:
    pairs = list(zip(edges[:-1], edges[1:], strict=True))
    for pair in pairs if ascending else reversed(pairs):
        yield from _halved(values, pair, ascending, relative)


def _halved(values: Values, panel: tuple[float, float], ascending: bool, relative: bool) -> Iterator[Panel]:
    """Fit a panel, or its two halves if it is too wide for one polynomial."""
    low, high = panel
    coefficients = chebyshev.fitted(values(low, high), relative)
    if coefficients is not None:
        yield low, high, coefficients
        return
    if high - low < THINNEST:
        raise CostDeriveError(
            f"no polynomial fits the loss at distances about exp({low:.6g}) from an end of a piece",
            "Report this with the context.",
        )
    middle = (low + high) / 2
    halves = ((low, middle), (middle, high))
    for half in halves if ascending else reversed(halves):
        yield from _halved(values, half, ascending, relative)
