"""Polynomials on a panel, from exact values at its Chebyshev points; every row of numbers here is made once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import np
from costderive.numeric.fixed_point import ChebyshevSeries, Matrix
from costderive.numeric.many_digits import DIGITS

POINTS = 26
DEGREE = 18
STALLED = 4  # times smaller, at least, is a quarter of coefficients that fall than the one before
TAIL = 2.0**-56  # what a fitted polynomial may leave out, relative to its values
BESIDE, SLIGHT = (-1.05, -1, 0, 1, 1.05), 2.0**-10
SWING = 3.0  # the largest ratio of two values on one panel

MOST = 1e300
ROUNDS = 20


def rounded_nodes(low: float, high: float, count: int = POINTS) -> list[Any]:
    """Return the points that a table takes for Chebyshev points, as it has rounded the centre and the scale."""
    with mpmath.workdps(DIGITS):
        centre, scale = (mpmath.mpf(number) for number in centre_and_scale(low, high))
        return [centre + z / scale for z in _points(count)]


def centre_and_scale(low: float, high: float) -> tuple[float, float]:
    """Return the doubles with which a panel is mapped to -1 to 1."""
    return (low + high) / 2, 2 / (high - low)


def swings(values: list[Any], most: float = SWING) -> bool:
    """Return whether values differ so much that a polynomial would not be accurate at the small ones."""
    sizes = [abs(value) for value in values]
    return bool(max(sizes) > most * min(sizes))


def fitted(values: list[Any], tail: float = TAIL, is_level: bool = False) -> tuple[float, ...] | None:
    """Return the coefficients in ``z`` from -1 to 1, lowest first, or None if what they leave out is too much.

    It must be little beside the least of the values, and those be of one magnitude, in the range of doubles. Or, if it
    ``is_level``, beside the largest of them.
    """
    if (swings(values) and not is_level) or max(map(abs, values)) > MOST:
        return None
    with mpmath.workdps(DIGITS):
        series, most = _transform().times(values), tail * (max if is_level else min)(map(abs, values))
        degree = POINTS - 1
        while degree and sum(map(abs, series[degree:])) <= most:
            degree -= 1
        if degree > DEGREE:
            return None
        return tuple(map(float, _monomials(degree).times(series[: degree + 1])))


@dataclass(frozen=True, slots=True, eq=False)
class Interpolant:
    """A polynomial on an interval, as a table maps that to -1 to 1, by its Chebyshev coefficients, lowest first."""

    low: float
    high: float
    coefficients: list[Any]

    @classmethod
    def of(cls, function: Callable[[Any], Any], low: float, high: float) -> Interpolant:
        """Return the polynomial that has the values of a function at the Chebyshev points."""
        return cls.through([function(x) for x in rounded_nodes(low, high)], low, high)

    @classmethod
    def through(cls, values: list[Any], low: float, high: float) -> Interpolant:
        """Return the polynomial that has these values at as many Chebyshev points."""
        return cls(low, high, _transform(len(values)).times(values))

    @property
    def least(self) -> Any:
        """A lower bound on the absolute values, which may be beyond the range of doubles."""
        first, *others = map(abs, self.coefficients)
        return first - sum(others)

    @property
    def last(self) -> Any:
        """The size of the last two coefficients: about what a longer polynomial would add."""
        return sum(map(abs, self.coefficients[-2:]))

    @property
    def changes_sign(self) -> bool:
        """Whether it is far from 0 on either side of it, on the interval or right beside."""
        values = [_series(self).at(mpmath.mpf(z)) for z in BESIDE]
        least, largest = min(values), max(values)
        return bool(min(-least, largest) > SLIGHT * max(-least, largest))

    @property
    def has_stalled(self) -> bool:
        """Whether the last quarter of the coefficients falls no further, as where rounding is all that is left."""
        sizes, quarter = list(map(abs, self.coefficients)), len(self.coefficients) // 4
        return bool(STALLED * max(sizes[-quarter:]) >= max(sizes[-2 * quarter : -quarter]))

    def without(self, most: Any, degree: int) -> Interpolant:
        """Return what is left without the last coefficients: of higher degrees, or that add up to so little."""
        count = len(self.coefficients)
        while count > 1 and (count > degree + 1 or sum(map(abs, self.coefficients[count - 1 :])) <= most):
            count -= 1
        return Interpolant(self.low, self.high, self.coefficients[:count])

    def at(self, x: Any) -> Any:
        """Return the value at a point."""
        centre, scale = centre_and_scale(self.low, self.high)
        return _series(self).at((mpmath.mpf(x) - centre) * scale)

    def grown(self, side: int, x: float, value: Any) -> Interpolant:
        """Return what has a value at a point and grows from there at this rate, or falls (side -1)."""
        first, *others = [*self.coefficients, mpmath.mpf(0), mpmath.mpf(0)]
        rates = [2 * first, *others]
        step = side / mpmath.mpf(centre_and_scale(self.low, self.high)[1])
        risen = [step * (rates[k - 1] - rates[k + 1]) / (2 * k) for k in range(1, len(rates) - 1)]
        from_zero = Interpolant(self.low, self.high, [mpmath.mpf(0), *risen])
        return Interpolant(self.low, self.high, [value - from_zero.at(x), *risen])

    def slope(self) -> Interpolant:
        """Return the derivative."""
        scale = centre_and_scale(self.low, self.high)[1]
        found = [mpmath.mpf(0)] * (len(self.coefficients) + 1)
        for k in range(len(self.coefficients) - 1, 0, -1):
            found[k - 1] = found[k + 1] + 2 * k * scale * self.coefficients[k]
        return Interpolant(self.low, self.high, [found[0] / 2, *found[1:-1]])

    def shortened(self) -> tuple[list[Any], float]:
        """Return the coefficients of the powers of ``z`` up to DEGREE, and a bound on what they leave out."""
        kept, rest = self.coefficients[: DEGREE + 1], self.coefficients[DEGREE + 1 :]
        return _monomials(DEGREE).times(kept), float(sum(map(abs, rest)))


@functools.lru_cache(maxsize=1024)
def _series(polynomial: Interpolant) -> ChebyshevSeries:
    return ChebyshevSeries.of(polynomial.coefficients)


def solved(rows: Matrix, factor: Any, drive: list[Any]) -> list[Any]:
    """Solve ``(1 + factor rows) found = drive``: in doubles, and then for what is missing, until nothing is."""
    if factor == 0:
        return drive
    left = np.eye(POINTS) + float(factor) * np.array(rows.rows, dtype=float) * 2.0**-rows.scale
    found, enough = [mpmath.mpf(0)] * POINTS, max(map(abs, drive)) * mpmath.mpf(10) ** (5 - DIGITS)
    for _ in range(ROUNDS):
        missing = [
            wanted - value - factor * summed
            for wanted, value, summed in zip(drive, found, rows.times(found), strict=True)
        ]
        size = max(map(abs, missing))
        if size <= enough:
            return found
        step = np.linalg.solve(left, [float(part / size) for part in missing])
        found = [value + size * float(part) for value, part in zip(found, step, strict=True)]
    raise CostDeriveError(f"a collocation with the factor {factor} does not converge", "Report this.")


@functools.cache
def integration(ascending: bool) -> tuple[Matrix, Matrix]:
    """Return the matrix that integrates the interpolating polynomial from -1 up to (or from 1 down to) each point.

    The second result is the one row for the whole of -1 to 1.
    """
    with mpmath.workdps(DIGITS):
        columns = list(zip(*_transform_rows(), strict=True))

        def row(low: Any, high: Any) -> list[Any]:
            weights = [_primitive(k, high) - _primitive(k, low) for k in range(POINTS)]
            return [mpmath.fdot(weights, column) for column in columns]

        one = mpmath.mpf(1)
        each = [row(-one, z) if ascending else row(z, one) for z in _points()]
        return Matrix.of(each), Matrix.of([row(-one, one)])


def _primitive(k: int, z: Any) -> Any:
    """Return an antiderivative of the Chebyshev polynomial ``T_k``."""
    if k < 2:
        return z ** (k + 1) / (k + 1)
    return (mpmath.chebyt(k + 1, z) / (k + 1) - mpmath.chebyt(k - 1, z) / (k - 1)) / 2


@functools.cache
def _points(count: int = POINTS) -> list[Any]:
    with mpmath.workdps(DIGITS):
        return [-mpmath.cos(mpmath.pi * (2 * j + 1) / (2 * count)) for j in range(count)]


@functools.cache
def _transform(count: int = POINTS) -> Matrix:
    """Return the matrix that turns values at so many points into Chebyshev coefficients."""
    return Matrix.of(_transform_rows(count))


def _transform_rows(count: int = POINTS) -> list[list[Any]]:
    with mpmath.workdps(DIGITS):
        angles = [mpmath.acos(z) for z in _points(count)]
        return [[(2 if k else 1) * mpmath.cos(k * angle) / count for angle in angles] for k in range(count)]


@functools.cache
def _monomials(degree: int) -> Matrix:
    """Return the matrix that turns Chebyshev coefficients up to a degree into those of ``z^0 .. z^DEGREE``."""
    rows = np.zeros((DEGREE + 1, degree + 1))
    for k in range(degree + 1):
        rows[: k + 1, k] = np.polynomial.chebyshev.cheb2poly([0] * k + [1])
    return Matrix.of_integers(rows.astype(int).tolist())
