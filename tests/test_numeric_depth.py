"""Losses that fall slower than any power: what lies below every double counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational, exp, log, oo

import costderive as cd
from costderive.core.curve_parameters import OneWay
from costderive.core.symbols import p, parameter
from costderive.numeric.end_tables import of_subnormals
from costderive.numeric.in_depth import in_depth
from costderive.numeric.many_digits import DIGITS, End, Exact, r

Costs = tuple[Callable[[Any], Any], Callable[[Any], Any]]

# the context, both costs as functions of its log-normal variable, and the distances from the end where it is infinite
SLOW: dict[str, tuple[cd.Curve, Costs, Rational, tuple[float, ...]]] = {
    "no formula for the variable": (
        cd.Curve("x*exp(x)", "1/(1 + x^2)", density="lognormal(0, 1)"),
        (lambda x: x * mpmath.exp(x), lambda x: 1 / (1 + x * x)),
        sympy.S.One,
        (1e-320, 1e-300, 1e-100, 1e-12, 1e-5, 0.01, 0.3),
    ),
    "an end inside (0, 1)": (
        cd.Curve("1 + (1 + x)*exp(-x)", "1", density="lognormal(0, 1)"),
        (lambda x: 1 + (1 + x) * mpmath.exp(-x), lambda _: mpmath.mpf(1)),
        sympy.S.Half,
        (1e-15, 1e-12, 1e-5, 0.01, 0.1),
    ),
}


def beyond(costs: Costs, end: Rational, x: float, label: int) -> tuple[float, Any]:
    """Return a double next to an end, or its complement, and the expected cost of a class beyond its place."""
    point = x if end == 1 else float(end + sympy.Float(x))
    with mpmath.workdps(DIGITS + 330):
        odds = (1 - mpmath.mpf(point)) / mpmath.mpf(point)
        odds = odds if end == 1 else 1 / odds

        def gap(z: Any) -> Any:
            return mpmath.log(costs[0](mpmath.exp(z)) / costs[1](mpmath.exp(z))) - mpmath.log(odds)

        start, high = mpmath.mpf(-20), mpmath.mpf(8)
        for _ in range(140):
            middle = (start + high) / 2
            start, high = (middle, high) if gap(middle) * gap(high) < 0 else (start, middle)
    with mpmath.workdps(DIGITS):

        def grown(z: Any) -> Any:
            return costs[label](mpmath.exp(z)) * mpmath.npdf(z)

        return point, mpmath.quad(grown, [start + mpmath.mpf(k) / 4 for k in range(80)])


@pytest.mark.parametrize("name", SLOW)
def test_a_loss_that_falls_slower_than_any_power_is_within_what_the_plan_states(name: str) -> None:
    context, costs, end, distances = SLOW[name]
    loss = cd.numeric.compile(cd.derive(context).rule)
    label = 1 if end == 1 else 0
    stated = max(part.ulps for part in loss.plan if part.function == f"loss{label}")
    assert stated < 10
    for x in distances:
        point, expected = beyond(costs, end, x, label)
        where = {"complement": [point]} if end == 1 else {"y_proba": [point]}
        found = float(loss.per_sample([label], **where)[0])
        assert abs(found - expected) <= stated * np.spacing(float(expected)), x


@pytest.mark.parametrize("balls", [True, False])
def test_what_falls_with_the_logarithm_alone_is_found_in_depth_or_the_rest_is_stated(
    balls: bool,
) -> None:
    rate = Exact.of(1 / (r * log(p / r) ** 2))
    if not balls:
        rate = Exact(rate.expr, rate.function, None)
    with mpmath.workdps(DIGITS):
        length = mpmath.mpf(2) ** -1075
        found, missed = in_depth(rate, End.of(sympy.S.One, -1), length)
        expected = 1 / mpmath.log((1 - length) / length)  # but for what p is less than 1
        assert abs(found / expected - 1) < (1e-18 if balls else missed)
        assert missed == 0 if balls else 0.1 < missed < 4


def test_subnormal_distances_keep_their_digits_under_powers_next_to_one() -> None:
    for power in (-0.98, 0.95, -2.97, 1.96):
        found = of_subnormals(power)
        assert abs(found - power) <= 0.04
        fraction = abs(found) % 1
        assert fraction == 0 or 5e-324**fraction > 2.3e-308
    assert of_subnormals(-0.5) == -0.5


def test_losses_next_to_the_largest_double_have_a_bound() -> None:
    context = cd.Curve("x*exp(x)", "1/(1 + x^2)", density="lognormal(0, 1)")
    assert all(part.ulps < 10 for part in cd.numeric.compile(cd.derive(context).rule).plan)


def test_the_place_of_a_proportion_next_to_an_end_inside_is_found() -> None:
    x = parameter("x")
    curve = OneWay(1 + (1 + x) * exp(-x), 1, x, 0, oo, Rational(2, 3), Rational(1, 2), -1)
    for digits in (120, 240):
        with mpmath.workdps(digits):
            distance = mpmath.mpf(10) ** -57
            found = curve.place_of(distance + mpmath.mpf(1) / 2)
            assert abs((1 + found) * mpmath.exp(-found) / (4 * distance) - 1) < 1e-50
