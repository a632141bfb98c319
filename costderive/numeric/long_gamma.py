"""Incomplete Gamma functions of a fixed shape, mostly positive, in the longest floating-point numbers of a machine.

Up to a turn the lower one is a power and an exponential times an entire function, beyond it the upper one is so times a
function that goes on slowly to infinity; each gives the other, as there it is not much smaller. Both are Chebyshev
series, fitted once to a continued fraction and to values by mpmath. Exponential integrals are those of a shape that is
not positive.

Source: NIST Digital Library of Mathematical Functions, 6.6.2, 8.2.11, 8.7.1, 8.9.2, 8.19.1 and 8.19.12.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import NDArray, np
from costderive.numeric.normal_scores import fitted

Longs = NDArray[Any]  # of longdouble
Compute = Callable[[Longs], Longs]
LEAST_TURN, MOST_SHAPE = 1.0, 100.0
BANDS = (0.0, 0.0625, 0.25, 1.0)  # of the reciprocals of arguments, in that of the turn
DIGITS = 25
TERMS, MOST_TERMS, LITTLE = 48, 44, 2.0**-64  # of series
LEVELS, LEVELS_OF_SHAPE, FEWEST = 130, 13, 10  # of the continued fraction, for an argument of 1 and for any
EULER = "0.577215664901532860606512090082"


def long_below(shape: Any, z: Longs) -> Longs:
    """Return the lower incomplete Gamma function, for a shape in (0, 100] and positive arguments, else nan."""
    if not 0 < shape <= MOST_SHAPE:
        return np.full_like(z, np.nan)
    return _from_turn(
        _turn(shape),
        z,
        lambda near: _series(shape, near),
        lambda far: _gamma(shape) - np.exp(-far) * _fraction(shape, far),
    )


def long_gammax(shape: Any, z: Longs) -> Longs:
    """Return ``exp(z)`` times the upper incomplete Gamma function, in the same range."""
    if not 0 < shape <= MOST_SHAPE:
        return np.full_like(z, np.nan)
    return _from_turn(
        _turn(shape),
        z,
        lambda near: np.exp(near) * (_gamma(shape) - _series(shape, near)),
        lambda far: _fraction(shape, far),
    )


def long_expintx(n: Any, z: Longs) -> Longs:
    """Return ``exp(z) E_n(z)``, for n in (0, 100] and positive arguments, else nan."""
    if not 0 < n <= MOST_SHAPE:
        return np.full_like(z, np.nan)
    return _from_turn(
        LEAST_TURN,
        z,
        lambda near: _expintx_near(n, near),
        lambda far: slowly(1 - n, 1 / far, 1) / far,
    )


def _expintx_near(n: Any, z: Longs) -> Longs:
    """Return ``exp(z) E_n(z)`` for small z, by that of an order up to 1."""
    order = n - math.ceil(n) + 1
    found = _first_expintx(z) if order == 1 else z ** (order - 1) * long_gammax(1 - order, z)
    while order < n:
        found, order = (1 - z * found) / order, order + 1
    return found


def _first_expintx(z: Longs) -> Longs:
    """Return ``exp(z) E_1(z)`` for z up to 1 by an entire function, which lacks the logarithm."""
    return np.asarray(np.exp(z) * (z * _sum(_of_first(), 2 * z - 1) - np.longdouble(EULER) - np.log(z)))


def _from_turn(turn: float, z: Longs, near: Compute, far: Compute) -> Longs:
    """Return what is computed in two ways, on either side of a turn, for positive arguments, else nan."""
    found = np.full_like(z, np.nan)
    is_near, is_far = (z > 0) & (z < turn), z >= turn
    found[is_near], found[is_far] = near(z[is_near]), far(z[is_far])
    return found


def _turn(shape: Any) -> float:
    return max(LEAST_TURN, float(shape))


def _gamma(shape: Any) -> Any:
    near, rest = _in_two(shape)
    with mpmath.workdps(DIGITS):
        return np.longdouble(mpmath.nstr(mpmath.gamma(mpmath.mpf(near) + rest), DIGITS))


def _series(shape: Any, z: Longs) -> Longs:
    """Return ``z^a e^-z (1/a + z/(a (a + 1)) + ...)`` up to the turn."""
    turn = _turn(shape)
    return np.asarray(
        _power(z, shape) * np.exp(-z) * _sum(_of_series(*_in_two(shape), turn), 2 * z / turn - 1)
    )


def _fraction(shape: Any, z: Longs) -> Longs:
    """Return ``exp(z) Gamma(a, z)`` from the turn on."""
    return np.asarray(_power(z, shape - 1) * slowly(shape, 1 / z, _turn(shape)))


def slowly(shape: Any, w: Longs, turn: float) -> Longs:
    """Return ``z^(1 - a) exp(z) Gamma(a, z)``, z being ``1/w``, for ``0 <= w <= 1/turn``: it is 1 at 0."""
    found = np.ones_like(w)
    edges = [share / turn for share in BANDS]
    place = np.searchsorted(edges[1:-1], w)
    for band, (low, high) in enumerate(pairwise(edges)):
        inside = place == band
        if inside.any():
            series = _of_slow(*_in_two(shape), low, high)
            found[inside] = (
                1 / _fraction_in_reciprocal(shape, w[inside], high)
                if series is None
                else _sum(series, _on_band(w[inside], low, high))
            )
    return found


def _on_band(w: Longs, low: float, high: float) -> Longs:
    return np.asarray(2 * (w - low) / (np.longdouble(high) - low) - 1)


def _fraction_in_reciprocal(shape: Any, w: Longs, largest: float) -> Longs:
    """Return ``1 + (1 - a) w/(1 + w/(1 + (2 - a) w/(1 + 2 w/ ...)))``, from its innermost level out."""
    found, levels = np.ones_like(w), LEVELS * largest + LEVELS_OF_SHAPE * math.sqrt(max(0.0, shape))
    for level in range(int(levels) + FEWEST, 0, -1):
        found = 1 + (level - shape) * w / (1 + level * w / found)
    return found


def _power(z: Longs, shape: Any) -> Longs:
    """Return a power: by products and a root, if it may be, in a tenth of the time."""
    whole = math.floor(shape)
    if shape - whole not in (0, 0.5):
        return np.asarray(z**shape)
    return np.asarray(whole_power(z, whole) * (np.sqrt(z) if shape > whole else 1))


def whole_power(x: Any, n: int) -> Any:
    """Return a power of long numbers by squaring."""
    if n < 0:
        return 1 / whole_power(x, -n)
    found = x if n % 2 else 1
    while n := n // 2:
        x = x * x
        found = found * x if n % 2 else found
    return found


def _sum(series: Longs, x: Longs) -> Longs:
    return np.asarray(np.polynomial.chebyshev.chebval(x, series))


@functools.lru_cache(maxsize=256)
def _of_slow(shape: float, rest: float, low: float, high: float) -> Longs | None:
    """Return the series on a band by the continued fraction, None if it takes too many terms."""
    nodes = _cosines()[1]
    w = np.longdouble(low) + (np.longdouble(high) - low) * (1 + nodes) / 2
    found = 2 * _cosines() @ (1 / _fraction_in_reciprocal(np.longdouble(shape) + rest, w, high)) / TERMS
    found[0] /= 2
    count = int(np.flatnonzero(abs(found) > LITTLE).max(initial=0)) + 1
    return found[:count] if count < MOST_TERMS else None


@functools.cache
def _cosines() -> Longs:
    """Return the Chebyshev polynomials, a row for each, at as many Chebyshev points."""
    with mpmath.workdps(DIGITS):
        table = [
            np.longdouble(mpmath.nstr(mpmath.cospi(mpmath.mpf(k) / (2 * TERMS)), DIGITS))
            for k in range(4 * TERMS)
        ]
    places = np.outer(np.arange(TERMS), 2 * np.arange(TERMS) + 1) % (4 * TERMS)
    return np.array(table)[places]


@functools.lru_cache(maxsize=64)
def _of_series(shape: float, rest: float, turn: float) -> Longs:
    def at(part: Any) -> Any:
        a = mpmath.mpf(shape) + rest
        return mpmath.hyp1f1(1, a + 1, turn * (1 + part) / 2) / a

    return fitted(at, TERMS)


@functools.cache
def _of_first() -> Longs:
    return fitted(lambda part: mpmath.hyp2f2(1, 1, 2, 2, -(1 + part) / 2), TERMS)


def _in_two(shape: Any) -> tuple[float, float]:
    """Return a long number as two doubles."""
    near = float(shape)
    return near, float(shape - np.longdouble(near))
