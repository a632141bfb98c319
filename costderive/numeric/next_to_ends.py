"""Integrals from an end of a piece, whatever the rate is like there."""

from __future__ import annotations

import functools
from typing import Any

import mpmath

from costderive.core.errors import CostDeriveError
from costderive.numeric.in_depth import NARROW, SLOWLY, Measured, in_depth
from costderive.numeric.many_digits import DIGITS, End, Valued

STEEP = 100
SLOW = (
    0.5  # power of the distance, below which quadrature in the distance itself misses what lies near the end
)
DEEP = mpmath.mpf(10) ** -40  # where that is seen


def first_bit(rate: Valued, end: End, z: float) -> Measured:
    """Integrate the bit next to an end, where most rates are a power that varies slowly with the logarithm.

    Of one so steep that the bit is too little to count only the size is found.
    """
    length = mpmath.exp(mpmath.mpf(z))
    if rate.exact is not rate and rate.exact is not None and _is_slow(rate.exact, end, length):
        return in_depth(rate.exact, end, length)  # below its panels a sampled rate goes on as one power
    rise = _rise(rate, end, length)
    if rise >= STEEP:
        return length * rate.value(end, length) / rise, 0.0
    coarse, fine = (_by_laguerre(rate, end, length, count) for count in (8, 14))
    return (fine, 0.0) if abs(fine - coarse) <= SLOWLY * abs(fine) else _from_end(rate, end, length)


def from_end(rate: Valued, end: End, length: Any) -> Any:
    """Integrate from an end."""
    return _from_end(rate, end, length)[0]


def _from_end(rate: Valued, end: End, length: Any) -> Measured:
    if _is_slow(rate, end, min(length, DEEP)):
        return in_depth(rate.exact or rate, end, length)
    return between(rate, end, mpmath.mpf(0), length), 0.0


def _is_slow(rate: Valued, end: End, x: Any) -> bool:
    """Return whether the integral up to a distance is like a low power of it, or falls slower than any."""
    try:
        return rate.value(end, x) != 0 and bool(_rise(rate, end, x) < SLOW)
    except CostDeriveError:  # so near the end there are no values
        return False


def between(rate: Valued, end: End, low: Any, high: Any) -> Any:
    """Integrate between two distances from an end, scaled so that the absolute tolerance is a relative one."""
    length = high - low
    scale = rate.value(end, low + length / 2)
    if scale == 0:
        return mpmath.mpf(0)
    return scale * length * mpmath.quad(lambda y: rate.value(end, low + length * y) / scale, [0, 1])


def _rise(rate: Valued, end: End, x: Any) -> Any:
    """Return the power that ``x rate`` is near to right above a distance."""
    first, second = rate.value(end, x), rate.value(end, x * (1 + NARROW))
    return 1 + mpmath.log(second / first) / mpmath.log(1 + NARROW) if first * second > 0 else mpmath.mpf(0)


def _by_laguerre(rate: Valued, end: End, length: Any, count: int) -> Any:
    """Integrate by a rule that is exact for a power times a polynomial of degree ``2 count - 1`` in the logarithm."""
    fall = 1 + mpmath.mpf(rate.power(end, length / 2))
    if not 0 < fall < STEEP:
        return mpmath.nan
    return (
        length
        / fall
        * mpmath.fsum(
            share * mpmath.exp(tau * (1 - 1 / fall)) * rate.value(end, length * mpmath.exp(-tau / fall))
            for tau, share in _laguerre(count)
        )
    )


@functools.cache
def _laguerre(count: int) -> list[tuple[Any, Any]]:
    """Return the nodes and weights of Gauss's rule for integrals with ``exp(-tau)``."""
    coefficients = [(-1) ** k * mpmath.binomial(count, k) / mpmath.factorial(k) for k in range(count, -1, -1)]
    with mpmath.workdps(DIGITS):
        nodes = map(mpmath.mpf, mpmath.polyroots(coefficients, maxsteps=200, extraprec=200))
        return [(tau, tau / ((count + 1) * mpmath.laguerre(count + 1, 0, tau)) ** 2) for tau in nodes]
