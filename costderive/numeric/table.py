"""Tables: a function near an end of a piece as ``x^power`` times polynomials in ``log x``, x the distance.

A panel is an interval of ``log x``; its polynomial is fitted to exact values at Chebyshev points. In ``log x``
powers, roots and logarithms of x are all smooth, so that a few panels reach from the end (5e-324 away, if it is
0) to the middle of a piece, whatever the function does there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import mpmath
import numpy as np
from numpy.typing import NDArray

from costderive.errors import CostDeriveError
from costderive.numeric import chebyshev
from costderive.numeric.exact import DIGITS, Array, End, Evaluate, Exact, number, snapped

THINNEST = 1e-3
STEEP = 30.0  # a greater power of the distance may leave the range of doubles where the function does not


@dataclass(frozen=True, slots=True)
class Panel:
    """On ``low < log x < high`` a function is ``(2^shift x)^power`` times a polynomial.

    The coefficients are for -1 to 1, lowest first.
    """

    low: float
    high: float
    power: float
    shift: int
    coefficients: tuple[float, ...]


class Source(Protocol):
    """What a table is fitted to."""

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return exact values at the points of a panel, each divided by ``x^power``."""

    def sizes(self, low: float, high: float, power: float, values: list[Any]) -> list[Any]:
        """Return what the errors of these values are measured by."""

    def power(self, low: float, high: float) -> float:
        """Return a power that the function is near to on the panel."""


@dataclass(frozen=True, slots=True)
class Table:
    """A function at distances ``x`` from an end: on each panel, a power of x times a polynomial in ``log x``.

    ``coefficients`` has one row per degree, highest first, and one column per panel, ``powers`` and ``shifts`` one
    entry per panel; closer to the end than ``bottom`` the value is ``at_end``.
    """

    end: End
    bottom: float
    at_end: float
    edges: Array
    centres: Array
    scales: Array
    powers: Array
    shifts: NDArray[np.int_]
    coefficients: Array

    @classmethod
    def of(cls, end: End, at_end: float, panels: Iterable[Panel]) -> Table:
        """Lay panels, in any order, into arrays."""
        found = sorted(panels, key=lambda panel: panel.low)
        low, high = np.array([panel.low for panel in found]), np.array([panel.high for panel in found])
        rows = np.array([panel.coefficients for panel in found])
        powers, shifts = (
            np.array([panel.power for panel in found]),
            np.array([panel.shift for panel in found]),
        )
        lowest = math.exp(low[0])
        bottom = lowest if at_end == 0 and lowest > end.nearest else 0.0
        return cls(
            end,
            bottom,
            at_end,
            high[:-1],
            (low + high) / 2,
            2 / (high - low),
            powers,
            shifts,
            np.ascontiguousarray(rows.T[::-1]),
        )

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
        if self.powers.any():
            root = self._root(x, panel)
            value = root * value * root  # in this order, a subnormal result loses no digits on the way
        value[x <= self.bottom] = self.at_end
        return np.asarray(value)

    def _root(self, x: Array, panel: NDArray[np.intp]) -> Array:
        """Return ``(2^shift x)^(power/2)``."""
        first, shifted = float(self.powers[0]), x
        if self.shifts.any():
            shifted = np.ldexp(x, self.shifts[panel])
        if (self.powers != first).any():
            return np.power(shifted, self.powers[panel] / 2)
        return shifted if first == 2 else np.power(shifted, first / 2)


@dataclass(frozen=True, slots=True)
class Direct:
    """A closed form near an end, as what a table is fitted to."""

    exact: Exact
    end: End
    size: Exact

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return exact values at the points of a panel, each divided by ``x^power``."""
        with mpmath.workdps(DIGITS):
            return [self.exact.value(self.end, x) * x**-power for x in _distances(low, high)]

    def sizes(self, low: float, high: float, power: float, values: list[Any]) -> list[Any]:
        """Return the sizes of the values, or the values of ``size`` where those are larger."""
        others = (
            values if self.size is self.exact else replace(self, exact=self.size).values(low, high, power)
        )
        return [max(abs(value), abs(other)) for value, other in zip(values, others, strict=True)]

    def power(self, low: float, high: float) -> float:
        """Return the power that the larger of function and size is near to in the middle of the panel."""
        return self.power_at(mpmath.exp(mpmath.mpf(low + high) / 2))

    def power_at(self, x: Any) -> float:
        """Return the power that the larger of function and size is near to at a distance."""
        is_larger = abs(self.exact.value(self.end, x)) >= abs(self.size.value(self.end, x))
        return (self.exact if is_larger else self.size).power(self.end, x)


def tabulated(exact: Exact, end: End, reach: float, size: Exact | None = None) -> Table:
    """Fit a table of a closed form, from an end up to the double ``reach``.

    Each value is right relative to itself; to ``size``, if that is given, where the function changes sign.
    """
    source = Direct(exact, end, size or exact)
    bottom = min(source.exact.bottom(end, reach), source.size.bottom(end, reach))
    panels = Fitter(source, source.power_at(bottom)).panels(_edges(end, bottom, reach))
    return Table.of(end, float(exact.limit(end)), panels)


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
    loss, ``f`` varies slowly, so that panels may be wide. ``reached`` holds the loss at each edge so far.
    """

    rate: Exact
    end: End
    sign: int
    reached: dict[float, Any]

    def values(self, low: float, high: float, power: float) -> list[Any]:
        """Return the values of f at the points of a panel."""
        known, sought = (low, high) if self.sign > 0 else (high, low)
        with mpmath.workdps(DIGITS):
            half, start = (
                (mpmath.mpf(high) - low) / 2,
                self.reached[known] * mpmath.exp(-power * mpmath.mpf(known)),
            )
            source = [self.rate.value(self.end, x) * x ** (1 - power) for x in _distances(low, high)]
            rows, whole = chebyshev.integration(self.sign > 0)
            drive = [start + half * mpmath.fdot(row, source) for row in rows]
            found = chebyshev.solved(rows, self.sign * half * power, drive)
            slope = [part - self.sign * power * value for part, value in zip(source, found, strict=True)]
            reached = start + half * mpmath.fdot(whole, slope)
            self.reached[sought] = reached * mpmath.exp(power * mpmath.mpf(sought))
            return found

    def sizes(self, low: float, high: float, power: float, values: list[Any]) -> list[Any]:
        """Return the values themselves."""
        return values

    def power(self, low: float, high: float) -> float:
        """Return the power that the loss is near to at the edge from which it is carried on."""
        known = low if self.sign > 0 else high
        x = mpmath.exp(mpmath.mpf(known))
        return snapped(float(self.sign * x * self.rate.value(self.end, x) / self.reached[known]))


def integrated(rate: Exact, zero: End, far: End, middle: float, start: Any) -> tuple[Table, Table]:
    """Fit the tables of ``start + integral of rate`` from the end ``zero`` to the other end, split at ``middle``."""
    with mpmath.workdps(DIGITS):
        bottom, beyond = rate.bottom(zero, middle, 1), mpmath.mpf(far.nearest)
        near, away = _edges(zero, bottom, middle), _edges(far, beyond, middle)
        first = Running(rate, zero, 1, {near[0]: start + _first_bit(rate, zero, near[0])})
        rise = 1 + rate.power(zero, bottom) if start == 0 else 0.0
        panels = list(Fitter(first, rise).panels(near))
        joint = first.reached[near[-1]] + _gap(rate, zero, far, near[-1], away[-1])
        second, fall = Running(rate, far, -1, {away[-1]: joint}), 1 + rate.power(far, beyond)
        more = list(Fitter(second, min(0.0, fall), ascending=False).panels(away))
        worst = mpmath.inf if fall <= 0 else second.reached[away[0]] + _first_bit(rate, far, away[0])
        return Table.of(zero, float(start), panels), Table.of(far, float(worst), more)


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


def _edges(end: End, bottom: Any, reach: float) -> list[float]:
    """Return the edges of the first panels: narrow at ``reach``, doubling in width towards the end."""
    low = float(mpmath.log(bottom / 2))
    edges, width = [float(mpmath.log(abs(end.exact_distance(reach))))], 1.0
    while edges[-1] - 1.5 * width > low:
        edges.append(edges[-1] - width)
        width *= 2
    return [low, *reversed(edges)]


def _distances(low: float, high: float) -> list[Any]:
    return [mpmath.exp(node) for node in chebyshev.nodes(low, high)]


@dataclass(slots=True)
class Fitter:
    """Fits panel after panel, in the direction in which the source is known; ``power`` is that of the last one."""

    source: Source
    power: float
    ascending: bool = True

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
        if high - low < THINNEST:
            raise CostDeriveError(
                f"no polynomial fits the loss at distances about exp({low:.6g}) from an end of a piece",
                "Report this with the context.",
            )
        middle = (low + high) / 2
        halves = ((low, middle), (middle, high))
        for half in halves if self.ascending else reversed(halves):
            yield from self._halved(half)

    def _fitted(self, between: tuple[float, float]) -> Panel | None:
        """Fit a panel with the last power, or with one of its own if the values would swing."""
        power = self.power
        values, sizes = self._values(between, power)
        if chebyshev.swings(sizes):
            power = self.source.power(*between)
            values, sizes = self._values(between, power)
        shift = -math.ceil(between[1] / math.log(2)) if abs(power) > STEEP else 0
        with mpmath.workdps(DIGITS):
            scale = mpmath.mpf(2) ** (-shift * mpmath.mpf(power))
            values, sizes = ([scale * value for value in found] for found in (values, sizes))
        coefficients = chebyshev.fitted(values, sizes)
        if coefficients is None:
            return None
        self.power = power
        return Panel(*between, power, shift, coefficients)

    def _values(self, between: tuple[float, float], power: float) -> tuple[list[Any], list[Any]]:
        values = self.source.values(*between, power)
        return values, self.source.sizes(*between, power, values)
