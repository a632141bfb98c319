"""Numbers of twice the digits of a double: unevaluated sums of two arrays of doubles.

Source: Dekker (1971), A floating-point technique for extending the available precision; Hida, Li and Bailey (2001),
Algorithms for quad-double precision floating point arithmetic.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import Array, np
from costderive.numeric.program_tree import Number

HALVINGS = 9  # of the argument of the exponential function before its series
TERMS = 10
NEAR_ONE = 2.0**-7  # of 1, where a logarithm is taken by its series
DIGITS = 40


@dataclass(frozen=True, slots=True)
class Twofold:
    """The sum ``high + low``, of which ``high`` is the double nearest to it."""

    high: Any
    low: Any

    @classmethod
    def of(cls, high: Any, low: Any = 0.0) -> Twofold:
        """Add two doubles."""
        return cls(*_sum(high, low))

    @classmethod
    def number(cls, given: Number) -> Twofold:
        """Read a constant."""
        if not given.digits:
            return cls(given.value, 0.0)
        with mpmath.workdps(DIGITS):
            return cls(given.value, float(mpmath.mpf(given.digits) - given.value))

    def __neg__(self) -> Twofold:
        return Twofold(-self.high, -self.low)

    def __add__(self, other: Twofold) -> Twofold:
        high, low = _sum(self.high, other.high)
        more, rest = _sum(self.low, other.low)
        high, low = _fast_sum(high, low + more)
        return Twofold(*_fast_sum(high, low + rest))

    def __sub__(self, other: Twofold) -> Twofold:
        return self + -other

    def __mul__(self, other: Twofold) -> Twofold:
        high, low = _product(self.high, other.high)
        return Twofold(*_fast_sum(high, low + (self.high * other.low + self.low * other.high)))

    def __truediv__(self, other: Twofold) -> Twofold:
        first = self.high / other.high
        rest = self - other * Twofold(first, 0.0)
        second = rest.high / other.high
        rest = rest - other * Twofold(second, 0.0)
        return Twofold(*_fast_sum(first, second)) + Twofold(rest.high / other.high, 0.0)

    def times(self, power_of_two: float) -> Twofold:
        """Multiply by a power of 2."""
        return Twofold(self.high * power_of_two, self.low * power_of_two)


ONE, TWO = Twofold(1.0, 0.0), Twofold(2.0, 0.0)


def sqrt(x: Twofold) -> Twofold:
    """Return the square root."""
    near = np.sqrt(x.high)
    rest = x - Twofold(*_product(near, near))
    return Twofold(*_fast_sum(near, np.where(near > 0, rest.high / (2 * near), 0.0)))


def exp(x: Twofold) -> Twofold:
    """Return the exponential function."""
    count = np.rint(x.high / np.log(2))
    rest = (x - log_two() * Twofold(count, 0.0)).times(2.0**-HALVINGS)
    total = ONE
    for k in range(TERMS, 1, -1):
        total = ONE + rest * total / Twofold(float(k), 0.0)
    minus_one = rest * total
    for _ in range(HALVINGS):
        minus_one = minus_one.times(2.0) + minus_one * minus_one
    found = ONE + minus_one
    half = np.trunc(count / 2)
    return found.times(2.0**half).times(2.0 ** (count - half))


def log(x: Twofold) -> Twofold:
    """Return the logarithm: near 1 by a series in what is beyond 1, else by a step of Newton's method."""
    beyond = x - ONE
    is_near = abs(beyond.high) < NEAR_ONE
    near = log_beyond(_where(is_near, beyond, Twofold(0.0, 0.0)))
    away = _where(is_near, TWO, x)
    first = Twofold(np.log(away.high), 0.0)
    left = away * exp(-first) - ONE
    return _where(is_near, near, first + left - (left * left).times(0.5))


def log_beyond(x: Twofold) -> Twofold:
    """Return the logarithm of 1 + x for small x: twice the inverse hyperbolic tangent of x/(2 + x)."""
    z = x / (TWO + x)
    square, total = z * z, Twofold(0.0, 0.0)
    for k in range(17, 0, -2):
        total = total * square + ONE / Twofold(float(k), 0.0)
    return (z * total).times(2.0)


def _log_of(x: Twofold, rest: Twofold) -> Twofold:
    """Return the logarithm of x, where the rest is 1 - x and may have more digits."""
    is_near = abs(rest.high) < NEAR_ONE
    near = log_beyond(_where(is_near, -rest, Twofold(0.0, 0.0)))
    return _where(is_near, near, log(_where(is_near, ONE, x)))


def _where(fact: Any, first: Twofold, second: Twofold) -> Twofold:
    return Twofold(np.where(fact, first.high, second.high), np.where(fact, first.low, second.low))


def log1p(x: Twofold) -> Twofold:
    """Return the logarithm of 1 + x."""
    return _log_of(ONE + x, -x)


CALLS: Mapping[str, Callable[..., Twofold]] = {
    "sqrt": sqrt,
    "exp": exp,
    "log": log,
    "log_p": _log_of,
    "log_r": lambda p, r: _log_of(r, p),
    "log1p": log1p,
    "power": lambda x, y: exp(y * log(x)),
}


def logistic(z: Twofold) -> Twofold:
    """Return ``1/(1 + exp(-z))``."""
    rise = exp(-abs_of(z))
    share = ONE / (ONE + rise)
    return _where(z.high < 0, rise * share, share)


def abs_of(x: Twofold) -> Twofold:
    """Return the absolute value."""
    return _where(x.high < 0, -x, x)


def _sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded sum, and what was rounded off."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _fast_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the same where b is the smaller number."""
    total = a + b
    return total, b - (total - a)


def _product(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded product, and what was rounded off."""
    product = a * b
    (c, d), (e, f) = _halves(a), _halves(b)
    return product, ((c * e - product) + c * f + d * e) + d * f


def _halves(x: Any) -> tuple[Array, Array]:
    """Split doubles in two of 26 digits."""
    large = x * (2.0**27 + 1)
    high = large - (large - x)
    return high, x - high


@functools.cache
def log_two() -> Twofold:
    """Return the logarithm of 2."""
    with mpmath.workdps(DIGITS):
        exact = mpmath.log(2)
        return Twofold(float(exact), float(exact - float(exact)))
