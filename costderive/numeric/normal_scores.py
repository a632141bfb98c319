"""Error functions and the quantile of the normal law, in the longest floating-point numbers and to many digits.

In long numbers each is a Chebyshev series on a few ranges, fitted once to values by mpmath. What falls fast is written
by what falls slowly: ``erfc z = exp(-z^2) erfcx z``. A quantile is asked for with both of its tails, as far out one of
them is too near to the whole to be told from it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import mpmath
import sympy

from costderive.core.numpy_on_demand import NDArray, np

Longs = NDArray[Any]  # of longdouble
SCORE = sympy.Function("score")  # erfinv(y), of its tails 1 + y and 1 - y
FIT_DIGITS, DEGREE, SMALL = 30, 40, 2.0**-70
NEAR = 1.0  # up to which erf z/z is one series
TURN = 3.0  # where erfcx, from 0 to infinity, has the middle of its series
LEAST = 1e-300
GONE = 110.0  # where erfc is less than the least long number
TAILS = (
    0.0,
    0.4,
    0.83,
    1.2,
    2.0,
    4.0,
    8.0,
    16.0,
    32.0,
    64.0,
    128.0,
)  # the roots of -log of all tails, in parts


def digits_score(low: Any, high: Any) -> Any:
    """Return ``erfinv(y)`` from its tails as an mpmath number of the working precision."""
    if mpmath.im(low) or mpmath.im(high) or not (low > 0 and high > 0):
        return mpmath.nan
    return -_at_tail(low) if low < high else _at_tail(high)


def _at_tail(tail: Any) -> Any:
    """Return the z with ``erfc z = tail``, at most 1, by Chebyshev's method for its nearly parabolic logarithm."""
    wanted = mpmath.log(tail)
    z = mpmath.mpf(_nearly(float(tail))) if tail > LEAST else mpmath.sqrt(-wanted)
    while True:
        slow = _erfcx(z) * mpmath.sqrt(mpmath.pi)
        step = (mpmath.log(slow / mpmath.sqrt(mpmath.pi)) - z * z - wanted) * slow / 2
        z += step * (1 + step * (z - 1 / slow))
        if abs(step) ** 3 <= mpmath.eps:  # the next one would be about its cube
            return z


def _nearly(tail: float) -> float:
    return -NormalDist().inv_cdf(tail / 2) / math.sqrt(2)


def _erfcx(z: Any) -> Any:
    return mpmath.exp(z * z) * mpmath.erfc(z)


def long_erf(z: Longs) -> Longs:
    """Return the error function."""
    return _by_size(z, _erf_near, lambda far: np.sign(far) * (1 - _falling(abs(far))))


def long_erfc(z: Longs) -> Longs:
    """Return the complement of the error function."""
    return _by_size(z, lambda near: 1 - _erf_near(near), _erfc_far)


def _by_size(z: Longs, near: Callable[[Longs], Longs], far: Callable[[Longs], Longs]) -> Longs:
    """Return one function of what is less than NEAR from 0, and another of the rest."""
    values = np.asarray(z)
    found, is_near = np.empty(values.shape, dtype=values.dtype), abs(values) < NEAR
    found[is_near], found[~is_near] = near(values[is_near]), far(values[~is_near])
    return found


def _erf_near(z: Longs) -> Longs:
    return np.asarray(z * _near(z**2))


def _erfc_far(z: Longs) -> Longs:
    falling = _falling(abs(z))
    return np.where(z < 0, 2 - falling, falling)


def long_erfcx(z: Longs) -> Longs:
    """Return ``exp(z^2) erfc z``."""
    slow = _slow(abs(z))
    return np.asarray(np.where(z < 0, 2 * np.exp(z * z) - slow, slow))


def long_tail(power: Longs, above: Longs, z: Longs) -> Longs:
    """Return ``exp(power) exp(z^2) erfc z``; ``above`` is ``power + z^2``, without what cancels."""
    slow = np.exp(power) * _slow(abs(z))
    return np.asarray(np.where(z < 0, 2 * np.exp(np.where(z < 0, above, 0)) - slow, slow))


def _falling(size: Longs) -> Longs:
    """Return erfc of what is not negative: its square is taken in two parts, as it is large and its rounding counts."""
    size = np.minimum(size, GONE)
    short = size.astype(np.float32).astype(np.longdouble)
    with np.errstate(under="ignore", over="ignore"):
        return np.asarray(np.exp(-short * short) * np.exp((short - size) * (short + size)) * _slow(size))


def _slow(size: Longs) -> Longs:
    part = (size - TURN) / (size + TURN)
    return np.asarray(
        np.polynomial.chebyshev.chebval(np.where(np.isfinite(size), part, 1), _of_slow()) / (1 + size)
    )


def _near(square: Longs) -> Longs:
    return np.asarray(np.polynomial.chebyshev.chebval(2 * square / NEAR**2 - 1, _of_near()))


def long_score(low: Longs, high: Longs) -> Longs:
    """Return ``erfinv(y)`` from its tails."""
    low, high = np.broadcast_arrays(low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(-np.log(np.minimum(np.minimum(low, high), 1)))
    inside = np.where(root < TAILS[-1], root, 0)  # neither no number nor infinity
    place = np.searchsorted(TAILS, inside, side="right") - 1
    starts, ends = np.array(TAILS[:-1])[place], np.array(TAILS[1:])[place]
    found = _clenshaw((2 * inside - starts - ends) / (ends - starts), _of_scores(), place)
    return np.where(root < TAILS[-1], np.where(low < high, -found, found), np.nan)


def _clenshaw(x: Longs, series: Longs, place: NDArray[Any]) -> Longs:
    """Return at each point the sum of one of several Chebyshev series, of shape (terms, series)."""
    twice, last, before = 2 * x, np.zeros_like(x), np.zeros_like(x)
    for coefficients in series[:0:-1]:
        last, before = coefficients[place] + twice * last - before, last
    return np.asarray(series[0][place] + x * last - before)


@functools.cache
def _of_slow() -> Longs:
    def at(part: Any) -> Any:
        size = TURN * (1 + part) / (1 - part)
        return (1 + size) * _erfcx(size)

    return fitted(at)


@functools.cache
def _of_near() -> Longs:
    def at(part: Any) -> Any:
        z = NEAR * mpmath.sqrt((1 + part) / 2)
        return mpmath.erf(z) / z

    return fitted(at)


@functools.cache
def _of_scores() -> Longs:
    """Return the series of all parts side by side, filled up with 0."""
    found = [_of_score(*ends) for ends in pairwise(TAILS)]
    most = max(map(len, found))
    return np.array([np.pad(series, (0, most - len(series))) for series in found]).T


def _of_score(start: float, end: float) -> Longs:
    return fitted(lambda part: _at_tail(mpmath.exp(-((((1 + part) * end + (1 - part) * start) / 2) ** 2))))


def fitted(function: Callable[[Any], Any], terms: int = DEGREE) -> Longs:
    """Return the Chebyshev coefficients of a function on [-1, 1], from so many values."""
    with mpmath.workdps(FIT_DIGITS):
        angles = [mpmath.pi * (2 * k + 1) / (2 * terms) for k in range(terms)]
        values = [function(mpmath.cos(angle)) for angle in angles]
        sums = [
            mpmath.fsum(value * mpmath.cos(n * angle) for value, angle in zip(values, angles, strict=True))
            for n in range(terms)
        ]
        series = [x * (2 if n else 1) / terms for n, x in enumerate(sums)]
        count = max(n for n, x in enumerate(series) if abs(x) > SMALL) + 1
        return np.array([np.longdouble(mpmath.nstr(x, 25)) for x in series[:count]])
