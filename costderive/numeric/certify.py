"""A bound on the distance of a fitted polynomial from its function: computed, not sampled."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import np
from costderive.numeric.end_tables import LINEAR, LOG, Table
from costderive.numeric.fixed_point import Matrix
from costderive.numeric.majorant import Analytic, left_out
from costderive.numeric.many_digits import DIGITS

POINTS = 36, 72  # the more if the fewer leave out much, as of a sum that cancels in the complex plane
LITTLE = 2.0**-60  # of the least value, that may be left out
PARTS = 256  # of a panel, for the least value on it
GOOD, HALVINGS = 4.0, 3  # a bound in ulp with which nothing is halved, and how often a panel is at most


def certified(table: Table, analytic: Analytic) -> float | None:
    """Return a bound on the relative error of a table before any rounding but that of its coefficients, in ulp.

    The polynomial P is compared with the interpolant of the exact function in more Chebyshev points, exactly, and
    what the interpolant leaves out is bounded in the complex plane: on the panel, or on parts of it where the function
    is much larger around the panel than on it. Rounding in the evaluation comes on top. None if the table is in
    ``log x``, or if the function could not be bounded.
    """
    if table.variable is LOG or len(table.centres) != 1:
        return None
    if analytic.exact.expr == 0:
        return None if table.coefficients.any() else 0.0
    return _on(Span(table, -1.0, 1.0), analytic, HALVINGS)


@dataclass(frozen=True, slots=True)
class Span:
    """Part of the only panel of a table, from ``low`` to ``high`` where the panel goes from -1 to 1."""

    table: Table
    low: float
    high: float

    @property
    def middle(self) -> float:
        """The middle, exactly: the ends are multiples of a power of 2."""
        return (self.low + self.high) / 2

    @property
    def half(self) -> float:
        """Half the length."""
        return (self.high - self.low) / 2

    @property
    def halves(self) -> tuple[Span, Span]:
        """Both halves."""
        return replace(self, high=self.middle), replace(self, low=self.middle)

    @property
    def ends(self) -> tuple[float, float]:
        """The ends in the variable of the table."""
        centre, half = float(self.table.centres[0]), 1 / float(self.table.scales[0])
        low = centre + self.low * half
        return (low if low > 1e-12 * half else 0.0), centre + self.high * half  # 0 may have been rounded


def _on(part: Span, analytic: Analytic, halvings: int) -> float | None:
    """Bound the error on part of a panel, or on its halves if that bound is large."""
    found = _undivided(part, analytic)
    if halvings == 0 or (found is not None and found <= GOOD):
        return found
    halves = []
    for half in part.halves:
        bound = _on(half, analytic, halvings - 1)
        if bound is None:
            return found
        halves.append(bound)
    return max(halves) if found is None else min(found, max(halves))


def _undivided(part: Span, analytic: Analytic) -> float | None:
    size = _least(part)
    if size <= 0:
        return None
    missing, points = _left_out(part, analytic, size)
    if missing is None:
        return None
    error = missing + _difference(part, analytic, points)
    least = size - error
    return float(error / least * 2**53) if least > 0 else None


def _left_out(part: Span, analytic: Analytic, size: float) -> tuple[float | None, int]:
    """Bound what an interpolant leaves out, and return in how many points: in more if few leave out much of a size."""
    low, high = part.ends
    root = 1 if part.table.variable is LINEAR else 2
    few, more = (
        functools.partial(left_out, analytic, low, high, root, float(part.table.powers[0]), points)
        for points in POINTS
    )
    missing = few()
    if missing is None or missing <= LITTLE * size:
        return missing, POINTS[0]
    return more(), POINTS[1]


def _difference(part: Span, analytic: Analytic, count: int) -> float:
    """Bound the difference between the polynomial and the interpolant by the sum of its Chebyshev coefficients."""
    table, (points, transform) = part.table, _chebyshev(count)
    with mpmath.workdps(DIGITS):
        centre, scale = mpmath.mpf(float(table.centres[0])), mpmath.mpf(float(table.scales[0]))
        coefficients = [mpmath.mpf(float(value)) for value in table.coefficients[:, 0]]
        apart = []
        for point in points:
            z = part.middle + part.half * point
            x = table.variable.distance(centre + z / scale)
            exact = analytic.exact.value(analytic.end, x) * x ** -float(table.powers[0])
            apart.append(exact - mpmath.polyval(coefficients, z))
        return float(sum(map(abs, transform.times(apart)))) * (1 + 1e-12)


def _least(part: Span) -> float:
    """Bound the polynomial from below: its values in the middle of small pieces, less its steepest slope."""
    coefficients = part.table.coefficients[:, 0]
    middles = part.middle + part.half * ((2 * np.arange(PARTS) + 1) / PARTS - 1)
    slope = sum(degree * abs(value) for degree, value in enumerate(coefficients[::-1]))
    return float((abs(np.polyval(coefficients, middles)).min() - slope * part.half / PARTS) * (1 - 1e-12))


@functools.cache
def _chebyshev(count: int) -> tuple[list[Any], Matrix]:
    """Return so many Chebyshev points, and the matrix that turns values there into coefficients."""
    with mpmath.workdps(DIGITS):
        angles = [mpmath.pi * (2 * j + 1) / (2 * count) for j in range(count)]
        rows = [[(2 if k else 1) * mpmath.cos(k * a) / count for a in angles] for k in range(count)]
        return [mpmath.cos(angle) for angle in angles], Matrix.of(rows)
