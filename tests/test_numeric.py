"""Compiled losses: right to a few units in the last place everywhere, and strict about what they are given."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise

import mpmath
import numpy as np
import pytest

import costderive as cd
from costderive.numeric import CompiledLoss, compile

TOLERANCE = 1e-14  # relative: twice the largest error that the compiler lets a closed form keep at its probes, and some
POWERS = (1, -1, 0, 2, -2, "1/2", "-1/2", "oo", "-oo", 3, -3)
RECTANGLES = (
    ((0, 1), (0, 1)),
    ((1, 2), (1, 3)),
    ((1, 2), (2, 5)),
    ((0, "7/3"), ("1/3", "11/7")),
    ((1, "1.000001"), (1, 2)),
    ((1, 1000), ("1/1000", 1)),
)
ENDS = (5e-324, 1e-308, 1e-300, 1e-160, 1e-100, 1e-30, 1e-16, 1e-12, 1e-8, 1e-5, 1e-3)


@cache
def compiled(context: cd.contexts.Context) -> CompiledLoss:
    return compile(cd.derive(context, time_limit=2.0))


def power_mean(k: object) -> CompiledLoss:
    return compiled(cd.PowerMean(k))


def rectangle(c0: tuple[object, object], c1: tuple[object, object]) -> CompiledLoss:
    return compiled(cd.IndependentUniform(c0=c0, c1=c1))


def doubles_near(points: list[float]) -> list[float]:
    near = [math.nextafter(x, side) for x in points for side in (0.0, 1.0)]
    return [x for x in (*points, *near) if 0 < x < 1]


def some_points() -> list[float]:
    spread = np.random.default_rng(5).random(8).tolist() + (10 ** -np.random.default_rng(6).uniform(0, 20, 6)).tolist()
    near = [*ENDS, *spread, *doubles_near([0.5])]
    return sorted({*near, *(1 - x for x in near)} - {1.0})


# ---------------------------------------------------------------------- the expected costs, without the losses


def magnitude(k: object, s: mpmath.mpf) -> mpmath.mpf:
    """``b(s)`` with the power mean of ``b s`` and ``b (1 - s)`` equal to 1."""
    if k == "oo":
        return 1 / max(s, 1 - s)
    if k == "-oo":
        return 1 / min(s, 1 - s)
    if k == 0:
        return 1 / mpmath.sqrt(s * (1 - s))
    power = mpmath.mpf(Fraction(k).numerator) / Fraction(k).denominator
    return (2 / (s**power + (1 - s) ** power)) ** (1 / power)


def expected_c0(k: object, distances: list[float]) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """``E[c0; s < x]`` and ``E[c0; s < 1 - x]`` for ascending x up to 1/2: the integral of ``s b(s)``, carried on."""
    xs = [mpmath.mpf(0), *map(mpmath.mpf, distances), mpmath.mpf(0.5)]
    below = list(accumulate(quad(lambda s: s * magnitude(k, s), *ends) for ends in pairwise(xs)))
    down = (log_quad(lambda r: (1 - r) * magnitude(k, r), *ends) for ends in reversed(list(pairwise(xs[1:]))))
    above = list(accumulate(down, initial=below[-1]))
    return below[:-1], above[:0:-1]


def quad(function, low: mpmath.mpf, high: mpmath.mpf) -> mpmath.mpf:
    """Integrate relative to the size of the result, which may be as small as 1e-640."""
    if low == high:
        return mpmath.mpf(0)
    scale = function(high)
    return scale * high * mpmath.quad(lambda y: function(high * y) / scale, [low / high, 1])


def log_quad(function, low: mpmath.mpf, high: mpmath.mpf) -> mpmath.mpf:
    """Integrate in the logarithm: the function may grow like 1/x over hundreds of decades."""
    if low == high:
        return mpmath.mpf(0)
    return mpmath.quad(lambda v: function(mpmath.exp(v)) * mpmath.exp(v), [mpmath.log(low), mpmath.log(high)])


def rectangle_losses(c0, c1, p: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    """``E[c0; t < p]`` and ``E[c1; t >= p]`` over the rectangle, by integrating over c0 what c1 leaves of it."""
    (a, b), (d, e) = [
        [mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in cost] for cost in (c0, c1)
    ]
    slope = (1 - p) / p  # t < p means c1 > slope c0
    edge = lambda x: min(max(slope * x, d), e)  # noqa: E731
    cuts = sorted({a, b, *(x for x in (d / slope, e / slope) if a < x < b)})
    area = (b - a) * (e - d)
    first = mpmath.quad(lambda x: x * (e - edge(x)), cuts, method="gauss-legendre", maxdegree=2)
    second = mpmath.quad(lambda x: (edge(x) ** 2 - d**2) / 2, cuts, method="gauss-legendre", maxdegree=2)
    return first / area, second / area


def off(got: float, wanted: mpmath.mpf) -> float:
    """The relative error; below the normal doubles, in units of the smallest of them."""
    return float(abs(got - wanted) / max(abs(wanted), mpmath.mpf(2) ** -1022))


@pytest.mark.parametrize("k", POWERS)
def test_losses_of_power_means_equal_the_expected_costs(k: object) -> None:
    loss, distances = power_mean(k), sorted({min(p, 1 - p) for p in some_points()} - {0.0})
    with mpmath.workdps(40):
        below, above = expected_c0(k, distances)
    for x, low, high in zip(distances, below, above, strict=True):
        assert max(off(loss.loss0(x), low), off(loss.loss1(x), high)) < TOLERANCE
        if 1 - (1 - x) == x:  # 1 - x is a double
            assert max(off(loss.loss0(1 - x), high), off(loss.loss1(1 - x), low)) < TOLERANCE


@pytest.mark.parametrize(("c0", "c1"), RECTANGLES)
def test_losses_of_uniform_costs_equal_the_expected_costs(c0, c1) -> None:
    loss = rectangle(c0, c1)
    breaks = [part.high for part in loss.plan if part.high < 1]
    points = sorted({*some_points(), *doubles_near(breaks)})
    with mpmath.workdps(400):
        exact = [rectangle_losses(c0, c1, mpmath.mpf(p)) for p in points]
    worst0 = max(off(loss.loss0(p), wanted) for p, (wanted, _) in zip(points, exact, strict=True))
    worst1 = max(off(loss.loss1(p), wanted) for p, (_, wanted) in zip(points, exact, strict=True))
    assert max(worst0, worst1) < TOLERANCE
