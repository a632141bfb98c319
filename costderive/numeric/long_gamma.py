"""Incomplete Gamma functions of a fixed shape, mostly positive, in the longest floating-point numbers of a machine.

Up to a turn the lower one is a series of positive terms, beyond it the upper one is a continued fraction; each gives
the other, as there it is not much smaller. Exponential integrals are those of a shape that is not positive.

Source: NIST Digital Library of Mathematical Functions, 6.6.2, 8.7.1, 8.9.2, 8.19.1 and 8.19.12.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import NDArray, np

Longs = NDArray[Any]  # of longdouble
Compute = Callable[[Longs], Longs]
LEAST_TURN, MOST_SHAPE = 1.0, 100.0
LEVELS, FEWEST = 130, 10  # of the fraction at a turn of 1, and of any
BANDS, WIDER = 3, 4.0  # of arguments
EPSILON = 2.0**-66
DIGITS = 25
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
        lambda far: 1 / (far * fraction_in_reciprocal(1 - n, 1 / far, 1)),
    )


def _expintx_near(n: Any, z: Longs) -> Longs:
    """Return ``exp(z) E_n(z)`` for small z, by that of an order up to 1."""
    order = n - math.ceil(n) + 1
    found = _first_expintx(z) if order == 1 else z ** (order - 1) * long_gammax(1 - order, z)
    while order < n:
        found, order = (1 - z * found) / order, order + 1
    return found


def _first_expintx(z: Longs) -> Longs:
    """Return ``exp(z) E_1(z)`` by the series of E_1."""
    term, total, k = z.copy(), z.copy(), 1
    while (abs(term) > EPSILON * k).any():
        k += 1
        term = -term * z / k
        total = total + term / k
    return np.asarray(np.exp(z) * (total - np.longdouble(EULER) - np.log(z)))


def _from_turn(turn: float, z: Longs, near: Compute, far: Compute) -> Longs:
    """Return what is computed in two ways, on either side of a turn, for positive arguments, else nan."""
    found = np.full_like(z, np.nan)
    is_near, is_far = (z > 0) & (z < turn), z >= turn
    found[is_near], found[is_far] = near(z[is_near]), far(z[is_far])
    return found


def _turn(shape: Any) -> float:
    return max(LEAST_TURN, float(shape))


def _gamma(shape: Any) -> Any:
    with mpmath.workdps(DIGITS):
        exact = mpmath.gamma(
            mpmath.mpf(float(shape)) + mpmath.mpf(float(shape - np.longdouble(float(shape))))
        )
        return np.longdouble(mpmath.nstr(exact, DIGITS))


def _series(shape: Any, z: Longs) -> Longs:
    """Return ``z^a e^-z (1/a + z/(a (a + 1)) + ...)``."""
    term = np.full_like(z, 1 / np.longdouble(shape))
    total, count = term.copy(), np.longdouble(shape)
    while (term > EPSILON * total).any():
        count = count + 1
        term = term * z / count
        total = total + term
    return np.asarray(z**shape * np.exp(-z) * total)


def _fraction(shape: Any, z: Longs) -> Longs:
    """Return ``z^a/(z + (1 - a)/(1 + 1/(z + (2 - a)/(1 + 2/(z + ...)))))`` from its innermost level out, for z >= a."""
    rest, turn = z.copy(), _turn(shape)
    for start, inside in _bands(turn, z):
        far = found = z[inside]
        for level in range(_levels(float(shape), start), 0, -1):
            found = far + (level - shape) / (1 + level / found)
        rest[inside] = found
    return np.asarray(z**shape / rest)


def fraction_in_reciprocal(shape: Any, w: Longs, turn: int) -> Longs:
    """Return ``1 + (1 - a) w/(1 + w/(1 + (2 - a) w/(1 + 2 w/ ...)))``, for a below 1 and ``0 <= w <= 1/turn``.

    Times ``exp(z) Gamma(a, z)`` it is ``z^(a - 1)`` if w is ``1/z``.
    """
    rest = np.ones_like(w)
    with np.errstate(divide="ignore"):
        bands = _bands(float(turn), 1 / w)
    for start, inside in bands:
        small, found = w[inside], rest[inside]
        for level in range(int(LEVELS / start) + FEWEST, 0, -1):
            found = 1 + (level - shape) * small / (1 + level * small / found)
        rest[inside] = found
    return rest


def _bands(turn: float, z: Longs) -> list[tuple[float, NDArray[np.bool_]]]:
    """Return which arguments are beyond the turn, or many times as far out, where fewer levels do."""
    starts = [turn * WIDER**k for k in range(BANDS)]
    ends = [*starts[1:], np.inf]
    found = [(start, (z >= start) & (z <= end)) for start, end in zip(starts, ends, strict=True)]
    return [(start, inside) for start, inside in found if inside.any()]


def _levels(shape: float, start: float) -> int:
    """Return how many levels the fraction needs for all digits, from its turn or a number beyond it on, as tried."""
    return int(LEVELS / start + 13 * math.sqrt(shape)) + FEWEST
