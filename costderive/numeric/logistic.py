"""The logistic function to more digits than a double has."""

from __future__ import annotations

import functools
import math
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import Array, np

PARTS = 128  # of an octave, whose powers of 2 are listed
DIGITS = 40
LEAST = -746.0  # below it the logistic function is 0
SPLITTER = 2.0**27 + 1
LOW_BITS = 2.0**-33  # of log(2)/PARTS, split so that its high part times an integer below 2^18 is exact


def logistic(logit: Array) -> tuple[Array, Array]:
    """Return ``p = 1/(1 + exp(-z))`` for logits ``z <= 0``, and its rounding error relative to itself.

    Together they are right to 2^-60 of p where p is a normal double. The exponential function is a listed power of 2
    times a short series (Tang); its quotient by ``1 + exp(z)`` is corrected by what a product leaves (Dekker).

    Source: Tang (1989), Table-driven implementation of the exponential function in IEEE floating-point arithmetic.
    """
    z = np.maximum(logit, LEAST)
    step_high, step_low, powers_high, powers_low = _listed()
    count = np.rint(z / (step_high + step_low))
    t = (z - count * step_high) - count * step_low
    series = t * (1 + t * (1 / 2 + t * (1 / 6 + t * (1 / 24 + t * (1 / 120)))))
    whole = count.astype(np.int64)
    place = whole & (PARTS - 1)
    power = powers_high.take(place)
    low = powers_low.take(place) + power * series
    high = power + low
    low += power - high
    exponent = (whole - place) // PARTS
    # high + low is exp(z) 2^-exponent; of the sum 1 + exp(z) only what is rounded off is small
    scale = np.ldexp(1.0, np.maximum(exponent, -200))
    top, bottom = high * scale, low * scale
    total = 1 + top
    error = ((1 - total) + top) + bottom
    share = high / total
    left = _remainder(high, share, total) + low - share * error
    found = share + left / total
    rest = ((share - found) + left / total) / found
    with np.errstate(under="ignore"):
        p = np.ldexp(found, exponent)
    return p, rest


def logistic_of_one(logit: float) -> tuple[float, float]:
    """Return what `logistic` does, of one logit: the same steps, and the same bits."""
    z = LEAST if logit < LEAST else logit
    step_high, step_low, powers_high, powers_low = _listed_numbers()
    whole = round(z / (step_high + step_low))
    t = (z - whole * step_high) - whole * step_low
    series = t * (1 + t * (1 / 2 + t * (1 / 6 + t * (1 / 24 + t * (1 / 120)))))
    place = whole & (PARTS - 1)
    power = powers_high[place]
    low = powers_low[place] + power * series
    high = power + low
    low += power - high
    exponent = (whole - place) // PARTS
    scale = math.ldexp(1.0, max(exponent, -200))
    top, bottom = high * scale, low * scale
    total = 1 + top
    error = ((1 - total) + top) + bottom
    share = high / total
    left = (_remainder(high, share, total) + low - share * error) / total
    found = share + left
    return math.ldexp(found, exponent), ((share - found) + left) / found


def _remainder(high: Any, share: Any, total: Any) -> Any:
    """Return ``high - share total`` exactly but for its last rounding."""
    a, c, product = share * SPLITTER, total * SPLITTER, share * total
    a, c = a - (a - share), c - (c - total)
    b, d = share - a, total - c
    return (high - product) - (((a * c - product) + a * d + b * c) + b * d)


@functools.cache
def _listed() -> tuple[float, float, Array, Array]:
    """Return log(2)/PARTS and the powers of 2 within an octave, each in two parts."""
    with mpmath.workdps(DIGITS):
        step = mpmath.log(2) / PARTS
        step_high = float(mpmath.floor(step / mpmath.mpf(LOW_BITS) / 2**-7) * 2**-7 * mpmath.mpf(LOW_BITS))
        powers = [mpmath.mpf(2) ** (mpmath.mpf(k) / PARTS) for k in range(PARTS)]
        high = [float(power) for power in powers]
        low = [float(power - double) for power, double in zip(powers, high, strict=True)]
        return step_high, float(step - step_high), np.array(high), np.array(low)


@functools.cache
def _listed_numbers() -> tuple[float, float, list[float], list[float]]:
    step_high, step_low, high, low = _listed()
    return step_high, step_low, high.tolist(), low.tolist()
