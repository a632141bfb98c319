"""How many nodes sums and polynomials need on an interval of costs, by the number of rivals and its width.

A function that is at most M in the ellipse with the foci -1 and 1 and the semiaxes a and b is integrated by n nodes
with an error below ``64/15 M/(1 - r^-2) r^-2n`` where ``r = a + b``, and is a polynomial of a degree below n up to
``2 M r^(1 - n)/(r - 1)``.

Source: Trefethen (2013), Approximation Theory and Approximation Practice, Theorems 8.2 and 19.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.multiclass.numeric_laws import REACH, NumericLaw

DOUBLINGS, STEPS = 8, 6
HALVES = tuple(
    2.0 ** (n / STEPS) for n in range(-DOUBLINGS * STEPS, 1)
)  # of intervals, divided by their middles
SUMS = 6, 8, 10, 14, 20, 32, 48, 64  # numbers of nodes: with more of them, groups of intervals are small
HUGE = SUMS[-1]  # where an interval needs as many, it is cut
POLYNOMIALS = 8, 12, 16, 20, 24, 32, 40, 48, 64
QUADRATURE = 1e-15


def wideness(middles: Array, halves: Array) -> NDArray[np.intp]:
    """Return the places in `HALVES` of halves divided by middles."""
    found = np.ceil((np.log2((halves / middles).astype(np.float32)) + DOUBLINGS) * STEPS).astype(np.intp)
    return np.asarray(np.maximum(found, 0))


def sum_nodes(
    own: NumericLaw, tabled: Sequence[NumericLaw], others: Sequence[NumericLaw]
) -> NDArray[np.intp]:
    """Return how many nodes make a sum exact, or right to `QUADRATURE` of the mean cost.

    Rows are for so many of the tabled rivals, columns for `HALVES`.
    """
    grown = [np.log(np.maximum(one.growth[1], 1.0)) for one in others]
    bound = np.log(np.maximum(own.growth[0], 1e-300)) + np.sum(grown, axis=0) + _growth(tabled)
    speed = _speed()
    with np.errstate(divide="ignore"):
        found = (bound[:, None, :] - np.log(QUADRATURE) - np.log(-np.expm1(-2 * speed))) / (2 * speed)
    exact = (1 + own.degree + sum(one.degree + 1 for one in others) + _degrees(tabled)) / 2 + 1
    return _numbers(found, exact, SUMS)


def polynomial_nodes(tabled: Sequence[NumericLaw]) -> NDArray[np.intp]:
    """Return how many nodes make a polynomial of the product of as many distribution functions, up to `QUADRATURE`."""
    speed = _speed()
    with np.errstate(divide="ignore"):
        found = 1 + (_growth(tabled)[:, None, :] + np.log(2 / QUADRATURE) - np.log(np.expm1(speed))) / speed
    return _numbers(found, _degrees(tabled) + 1, POLYNOMIALS)


def _growth(tabled: Sequence[NumericLaw]) -> Array:
    """Return the logarithms of how far products of 0, 1, ... distribution functions grow, by `REACH`."""
    grown = [np.log(np.maximum(one.growth[1], 1.0)) for one in tabled]
    most = np.asarray(np.max(grown, axis=0, initial=0.0), dtype=float)
    return np.asarray(np.arange(len(tabled) + 1)[:, None] * most)


def _degrees(tabled: Sequence[NumericLaw]) -> Array:
    return np.asarray(np.arange(len(tabled) + 1) * 1.0 * max((one.degree + 1 for one in tabled), default=0))


def _speed() -> Array:
    """Return ``log r`` by `HALVES` and `REACH`."""
    axes = np.maximum(np.array(REACH) / np.array(HALVES)[:, None], 1.0)
    return np.asarray(np.log(axes + np.sqrt(axes**2 - 1)))


def _numbers(found: Array, exact: Array, numbers: tuple[int, ...]) -> NDArray[np.intp]:
    least = np.ceil(np.min(found, axis=2, initial=numbers[-1]))
    enough = np.minimum(least, np.minimum(exact, numbers[-1])[:, None]).astype(int)
    return np.asarray(np.array(numbers)[np.searchsorted(numbers, enough)])
