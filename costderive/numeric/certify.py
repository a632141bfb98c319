"""A bound on the distance of a fitted polynomial from its function: computed, not sampled."""

from __future__ import annotations

import functools
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


def certified(table: Table, analytic: Analytic) -> float | None:
    """Return a bound on the relative error of a table before any rounding but that of its coefficients, in ulp.

    The polynomial P is compared with the interpolant of the exact function in more Chebyshev points, exactly, and
    what the interpolant leaves out is bounded in the complex plane. Rounding in the evaluation comes on top. None
    if the table is in ``log x``, or if the function could not be bounded.
    """
    if table.variable is LOG or len(table.centres) != 1:
        return None
    if analytic.exact.expr == 0:
        return None if table.coefficients.any() else 0.0
    size = _least(table)
    if size <= 0:
        return None
    missing, points = _left_out(table, analytic, size)
    if missing is None:
        return None
    error = missing + _difference(table, analytic, points)
    least = size - error
    return float(error / least * 2**53) if least > 0 else None


def _left_out(table: Table, analytic: Analytic, size: float) -> tuple[float | None, int]:
    """Bound what an interpolant leaves out, and return in how many points: in more if few leave out much of a size."""
    low, high = _ends(table)
    root = 1 if table.variable is LINEAR else 2
    few, more = (
        functools.partial(left_out, analytic, low, high, root, float(table.powers[0]), points)
        for points in POINTS
    )
    missing = few()
    if missing is None or missing <= LITTLE * size:
        return missing, POINTS[0]
    return more(), POINTS[1]


def _ends(table: Table) -> tuple[float, float]:
    centre, half = float(table.centres[0]), 1 / float(table.scales[0])
    low = centre - half
    return (low if low > 1e-12 * half else 0.0), centre + half  # 0 may have been rounded


def _difference(table: Table, analytic: Analytic, count: int) -> float:
    """Bound the difference between the polynomial and the interpolant by the sum of its Chebyshev coefficients."""
    points, transform = _chebyshev(count)
    with mpmath.workdps(DIGITS):
        centre, scale = mpmath.mpf(float(table.centres[0])), mpmath.mpf(float(table.scales[0]))
        coefficients = [mpmath.mpf(float(value)) for value in table.coefficients[:, 0]]
        apart = []
        for z in points:
            x = table.variable.distance(centre + z / scale)
            exact = analytic.exact.value(analytic.end, x) * x ** -float(table.powers[0])
            apart.append(exact - mpmath.polyval(coefficients, z))
        return float(sum(map(abs, transform.times(apart)))) * (1 + 1e-12)


def _least(table: Table) -> float:
    """Bound the polynomial from below on -1 to 1: its values in the middle of small parts, less its steepest slope."""
    coefficients = table.coefficients[:, 0]
    middles = (2 * np.arange(PARTS) + 1) / PARTS - 1
    slope = sum(degree * abs(value) for degree, value in enumerate(coefficients[::-1]))
    return float((abs(np.polyval(coefficients, middles)).min() - slope / PARTS) * (1 - 1e-12))


@functools.cache
def _chebyshev(count: int) -> tuple[list[Any], Matrix]:
    """Return so many Chebyshev points, and the matrix that turns values there into coefficients."""
    with mpmath.workdps(DIGITS):
        angles = [mpmath.pi * (2 * j + 1) / (2 * count) for j in range(count)]
        rows = [[(2 if k else 1) * mpmath.cos(k * a) / count for a in angles] for k in range(count)]
        return [mpmath.cos(angle) for angle in angles], Matrix.of(rows)
