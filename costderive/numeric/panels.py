"""Two functions as one table of short polynomials, which NumPy reads without sorting rows by class and segment.

The smaller of ``p`` and ``1 - p`` is cut into panels that its bits number, each side of 1/2 and each class having its
own. On a panel the value is a polynomial in the distance from the panel's start, interpolated from the certified
table of the segment and certified in turn. Where there is none (around breakpoints and at the very ends) it is NaN:
such rows are left to the segments.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric.end_tables import LINEAR, Table
from costderive.numeric.function import Segment
from costderive.numeric.many_digits import DIGITS
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import Points, has_long, long_epsilon

OCTAVES = 10  # of the smaller probability, down from 1/2, that have panels
FINENESS = 9  # an octave has 2^FINENESS of them
SHIFT = 52 - FINENESS
START = -1 << SHIFT  # what of the bits of a double says where its panel starts
FIRST = (1022 - OCTAVES) << FINENESS  # the number of the lowest panel, as the bits have it
SIDE = (OCTAVES << FINENESS) + 1  # panels of one class on one side of 1/2, the last being for 1/2 itself
LOWEST = 2.0 ** (-OCTAVES - 1)

DEGREES = (4, 5)  # of the polynomials
LEFT = 60  # terms of a polynomial that a row takes as long as if it is left to the segments
NODES = 16
RHO = 16.0  # of the ellipse around a panel on which a table is bounded, half-axes over half the length
REACH = (RHO + 1 / RHO) / 2  # its longer half-axis
LEFT_OUT = 4 * RHO ** -(NODES - 1) / (RHO - 1)  # what interpolation leaves out, relative to that bound
MOST = 4.0  # ulp that a value from a panel may be off
LEAST_SHARE = 0.75  # of the unit interval, that is worth a table
SUMMED = 250  # roundings of a value in its evaluation and in the transform, at most

Long = NDArray[Any]  # of longdouble


@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """Polynomials for both classes: one row of coefficients per degree, highest first, one column per panel.

    ``bound`` is a certified bound on the distance of the values from the functions in ulp, rounding included.
    """

    coefficients: tuple[Array, ...]
    bound: float

    @property
    def part(self) -> Part:
        """What the plan says of them."""
        why = "one table for both classes needs no sorting of rows; others are computed as said above"
        return Part("both", LOWEST, 1 - LOWEST, "panels", why, None, self.bound)

    def values(self, is_one: NDArray[np.bool_], points: Points) -> Array:
        """Return the value in each row, NaN in those that are left to the segments."""
        x = np.minimum(points.p, points.r)
        offset = (points.p > points.r) * np.int16(SIDE)
        offset += is_one * np.int16(2 * SIDE)
        del points
        if not x.min() >= LOWEST:
            np.fmax(x, LOWEST, out=x)  # which has no polynomial; NaN goes there, too
        bits = x.view(np.int64)
        place = bits >> SHIFT
        place -= FIRST
        place += offset
        x -= (bits & START).view(np.float64)
        value = self.coefficients[0].take(place)
        for row in self.coefficients[1:]:
            value *= x
            value += row.take(place)
        return value


def panels(segments: tuple[Iterable[Segment], Iterable[Segment]]) -> Panels | None:
    """Return the panels of two functions from certified tables, None if there are too few to be worth it.

    The numbers are computed with the digits of ``longdouble``; there are none where it has no more than a double.
    """
    if not has_long():
        return None
    both = tuple(map(tuple, segments))
    found = min((_laid(both, degree) for degree in DEGREES), key=lambda laid: laid.cost)
    return found.panels() if found.share >= LEAST_SHARE else None


@dataclass(frozen=True, slots=True)
class _Laid:
    """Polynomials of one degree: a column per panel, lowest coefficient first, and bounds; NaN where there is none."""

    coefficients: Array
    bounds: Array

    @property
    def share(self) -> float:
        """The share of the unit interval that has polynomials, for both classes together."""
        widths = np.diff(_starts(), append=0.5)
        return float(np.sum(widths * ~np.isnan(self.bounds.reshape(4, SIDE))) / 2)

    @property
    def cost(self) -> float:
        """The time that a row takes, on the average, in terms of a polynomial."""
        return len(self.coefficients) + LEFT * (1 - self.share)

    def panels(self) -> Panels:
        """Return them as what is evaluated."""
        known = ~np.isnan(self.bounds)
        degree = int(np.max(np.flatnonzero(self.coefficients[:, known].any(axis=1)), initial=0))
        rows = tuple(row.copy() for row in self.coefficients[degree::-1])
        return Panels(rows, float(self.bounds[known].max()))


def _laid(segments: tuple[tuple[Segment, ...], ...], degree: int) -> _Laid:
    found = _Laid(np.full((degree + 1, 4 * SIDE), np.nan), np.full(4 * SIDE, np.nan))
    for label, own in enumerate(segments):
        for segment, is_high in itertools.product(own, (False, True)):
            places, coefficients, bounds = _fitted(segment, is_high, degree)
            places = places + (2 * label + is_high) * SIDE
            found.coefficients[:, places], found.bounds[places] = coefficients, bounds
    return found


@functools.cache
def _starts() -> Array:
    starts: Array = ((FIRST + np.arange(SIDE)) << SHIFT).view(np.float64)
    return starts


def _inside(segment: Segment, is_high: bool) -> NDArray[np.intp]:
    """Return the panels, less the lowest, whose every point belongs to a segment."""
    starts = _starts()
    ends = np.append(starts[1:], 0.5)
    first, last = (1 - ends, 1 - starts) if is_high else (starts, ends)
    found: NDArray[np.bool_] = (segment.part.low < first) & (last <= segment.part.high)
    found[0] = False
    return np.flatnonzero(found)


def _fitted(segment: Segment, is_high: bool, degree: int) -> tuple[NDArray[np.intp], Array, Array]:
    """Return panels, their coefficients, and bounds in ulp on the relative error of what these evaluate to."""
    assert isinstance(segment.evaluate, Table) and segment.part.bound is not None
    places = _inside(segment, is_high)
    starts = _starts()[places]
    lengths = np.spacing(starts) * 2.0**SHIFT
    series = Series(segment.evaluate, is_high)
    with np.errstate(all="ignore"):
        chebyshev = _transform() @ series.values(starts + lengths * (_nodes()[:, None] + 1) / 2)
        sizes = _doubles(abs(chebyshev))
        plain = _monomials(degree) @ chebyshev[: degree + 1]
        rounded = _doubles(plain)
        off = sizes[degree + 1 :].sum(axis=0) + _doubles(abs(plain - rounded).sum(axis=0))
        off += series.uncertain(starts + lengths / 2, lengths / 2) + _rounding(rounded)
        bounds = segment.part.bound + 0.5 + off / (sizes[0] - sizes[1:].sum(axis=0)) * 2**53
    bounds[~sizes.any(axis=0)] = 0.0
    good = (bounds >= 0) & (bounds <= MOST)
    scaled = rounded / lengths ** np.arange(degree + 1)[:, None]
    return places[good], scaled[:, good], bounds[good]


def _rounding(coefficients: Array) -> Array:
    """Bound what Horner's rule rounds off before its last addition, for arguments from 0 to 1.

    Source: Higham (2002), Accuracy and Stability of Numerical Algorithms, section 5.1.
    """
    roundings = 2 * np.arange(len(coefficients)) * (1 + 1e-12)
    found: Array = (roundings[:, None] * abs(coefficients)).sum(axis=0) / 2**53
    return found


def _doubles(numbers: Any) -> Array:
    found: Array = numbers.astype(np.float64)
    return found


@dataclass(frozen=True, slots=True)
class Series:
    """A table of one panel, in x or its root, as a function of the smaller probability, on one side of 1/2."""

    table: Table
    is_high: bool

    @property
    def power(self) -> float:
        """The power of the distance that is a factor."""
        return float(self.table.powers[0])

    def distance(self, x: Any) -> Any:
        """Return the distance from the end of the table, right to the last digit but one."""
        end = self.table.end
        if end.is_outer:
            return x if self.is_high == (end.hi == 1) else 1 - x
        place = (1 - np.longdouble(end.hi)) - x if self.is_high else x - np.longdouble(end.hi)
        return end.side * (place - np.longdouble(end.lo))

    def values(self, x: Long) -> Long:
        """Return the values with the digits of ``longdouble``."""
        distance, value = self.distance(x), np.zeros_like(x)
        z = (self.table.variable.of(distance) - self.table.centres[0]) * self.table.scales[0]
        for coefficient in self.table.coefficients[:, 0]:
            value = value * z + coefficient
        found: Long = value * distance**self.power if self.power else value
        return found

    def uncertain(self, x: Array, half: Array) -> Array:
        """Bound what interpolation on panels around x leaves out of the values, and what these have rounded off.

        It is NaN where a table is not known to be analytic.

        Source: Trefethen (2013), Approximation Theory and Approximation Practice, Theorem 8.2.
        """
        distance = self.distance(x.astype(np.longdouble)).astype(np.float64)
        most, slope = self._most(distance, half)
        places = abs(float(self.table.centres[0])) + self.table.variable.of(distance + half)
        inexact = (
            SUMMED * most + 4 * slope * places + (x + 3 * distance) * self._steepness(most, slope, distance)
        )
        found: Array = LEFT_OUT * self._most(distance, half * REACH)[0] + long_epsilon() * inexact
        return found

    def _steepness(self, most: Array, slope: Array, distance: Array) -> Array:
        """Bound the derivative in the distance."""
        rate = 1.0 if self.table.variable is LINEAR else 1 / np.sqrt(distance)
        return slope * rate + abs(self.power) * most / distance

    def _most(self, distance: Array, radius: Array) -> tuple[Array, Array]:
        """Bound the values, and their derivatives in the variable, on discs of complex distances."""
        is_root, power = self.table.variable is not LINEAR, self.power
        inner = np.where(distance > 1.01 * radius, distance - radius, np.nan)
        spread = radius / np.sqrt(inner) if is_root else radius
        scale = self.table.scales[0]
        z = (abs(self.table.variable.of(distance) - self.table.centres[0]) + spread) * scale
        factor = (distance + radius) ** power if power >= 0 else inner**power
        if power != int(power) or is_root:
            factor = factor + 0 * inner
        sizes = abs(self.table.coefficients[:, 0])
        return np.polyval(sizes, z) * factor, np.polyval(np.polyder(sizes), z) * scale * factor


@functools.cache
def _nodes() -> Long:
    """Return the Chebyshev points from -1 to 1."""
    return np.array([_cosine(2 * j + 1) for j in range(NODES)])


@functools.cache
def _transform() -> Long:
    """Return the matrix that turns values at the points into Chebyshev coefficients."""
    rows = [[_cosine(k * (2 * j + 1)) for j in range(NODES)] for k in range(NODES)]
    found: Long = np.array(rows) * (np.where(np.arange(NODES), 2, 1) / np.longdouble(NODES))[:, None]
    return found


@functools.cache
def _monomials(degree: int) -> Long:
    """Return the matrix that turns Chebyshev coefficients into those of powers of ``(z + 1)/2``."""
    ones = [np.polynomial.chebyshev.cheb2poly([0] * k + [1]) for k in range(degree + 1)]
    shifted = [np.polynomial.Polynomial(one)(np.polynomial.Polynomial([-1, 2])).coef for one in ones]
    return np.array([np.pad(one, (0, degree + 1 - len(one))) for one in shifted]).T.astype(np.longdouble)


def _cosine(part: int) -> np.longdouble:
    """Return the cosine of so many parts of a right angle, of which it has NODES."""
    with mpmath.workdps(DIGITS):
        return np.longdouble(mpmath.nstr(mpmath.cos(part * mpmath.pi / (2 * NODES)), 25))
