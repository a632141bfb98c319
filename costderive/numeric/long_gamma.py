"""Incomplete Gamma functions of a fixed shape, mostly positive, in the longest floating-point numbers of a machine.

Up to a turn the lower one is a series of positive terms, beyond it the upper one is a continued fraction; each gives
the other, as there it is not much smaller.

Source: NIST Digital Library of Mathematical Functions, 8.7.1 and 8.9.2.
"""

from __future__ import annotations

import math
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import NDArray, np

Longs = NDArray[Any]  # of longdouble
LEAST_TURN, MOST_SHAPE = 1.0, 100.0
LEVELS, FEWEST = 130, 10  # of the fraction at a turn of 1, and of any
EPSILON = 2.0**-66
DIGITS = 25


def long_below(shape: Any, z: Longs) -> Longs:
    """Return the lower incomplete Gamma function, for a shape in (0, 100] and positive arguments, else nan."""
    if not 0 < shape <= MOST_SHAPE:
        return np.full_like(z, np.nan)
    turn = _turn(shape)
    near = _series(shape, np.clip(z, 0, turn))
    far = _gamma(shape) - np.exp(-z) * _fraction(shape, np.maximum(z, turn))
    return np.asarray(np.where(z > 0, np.where(z < turn, near, far), np.nan))


def long_gammax(shape: Any, z: Longs) -> Longs:
    """Return ``exp(z)`` times the upper incomplete Gamma function, in the same range."""
    if not 0 < shape <= MOST_SHAPE:
        return np.full_like(z, np.nan)
    turn = _turn(shape)
    short = np.clip(z, 0, turn)
    near = np.exp(short) * (_gamma(shape) - _series(shape, short))
    far = _fraction(shape, np.maximum(z, turn))
    return np.asarray(np.where(z > 0, np.where(z < turn, near, far), np.nan))


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
    rest = z
    for level in range(_levels(float(shape)), 0, -1):
        rest = z + (level - shape) / (1 + level / rest)
    return np.asarray(z**shape / rest)


def fraction_in_reciprocal(shape: Any, w: Longs, turn: int) -> Longs:
    """Return ``1 + (1 - a) w/(1 + w/(1 + (2 - a) w/(1 + 2 w/ ...)))``, for a below 1 and ``0 <= w <= 1/turn``.

    Times ``exp(z) Gamma(a, z)`` it is ``z^(a - 1)`` if w is ``1/z``.
    """
    rest = np.ones_like(w)
    for level in range(int(LEVELS / turn) + FEWEST, 0, -1):
        rest = 1 + (level - shape) * w / (1 + level * w / rest)
    return rest


def _levels(shape: float) -> int:
    """Return how many levels the fraction needs at its turn for all digits, as tried."""
    return int(LEVELS / _turn(shape) + 13 * math.sqrt(shape)) + FEWEST
