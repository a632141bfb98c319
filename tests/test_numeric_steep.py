"""Losses that fall faster than any fixed power of the distance keep their digits down to the smallest doubles."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from scipy import stats
from scipy.integrate import quad

import costderive as cd
from costderive.core.symbols import p
from costderive.numeric import compiling
from costderive.numeric.end_tables import LINEAR, Panel, Table, divisible, roots
from costderive.numeric.integral_losses import integrated, off
from costderive.numeric.loss_functions import compiled
from costderive.numeric.many_digits import End, Exact, in_p_and_r
from costderive.numeric.point_pairs import Points
from costderive.publish.export import code
from tests import targets

ONE = End.of(sympy.Integer(1), -1)
REPORTS = (1e-6, 0.1, 0.5, 0.8, 0.9, 0.92, 0.93, 0.935)


def test_gompertz_beside_uniform_costs_is_within_its_stated_error_where_it_falls_like_a_power_of_thousands() -> (
    None
):
    """Integrate ``E[c1; c0 > c1 p/(1 - p)]``: no cost c0 is larger than x with probability ``exp((1 - e^(x/2))/2)``."""
    loss = cd.numeric.compile(cd.derive(cd.Independent("gompertz(1/2, 2)", "uniform(1, 3)")).rule)
    stated = max(part.ulps or 0 for part in loss.plan)
    assert stated < 1e4
    for report in REPORTS:
        with mpmath.workdps(40):
            odds = mpmath.mpf(report) / (1 - mpmath.mpf(report))
            least = mpmath.exp((1 - mpmath.exp(odds / 2)) / 2)
            fall = 1 + odds * mpmath.exp(odds / 2) / 4

            def above(x: mpmath.mpf, odds: mpmath.mpf = odds) -> mpmath.mpf:
                return mpmath.exp((mpmath.exp(odds / 2) - mpmath.exp(odds * x / 2)) / 2)

            cuts = [1, *(1 + k / fall for k in (1, 5, 20, 60) if k < fall), 3]
            expected = least * mpmath.quad(lambda c1: c1 / 2 * above(c1), cuts)
            assert abs(loss.loss1(report) / expected - 1) <= stated * 2**-52
    assert loss.loss1(0.95) == 0.0


def test_costs_of_very_different_scales_are_compiled() -> None:
    """Integrate the loss of class 0 for Pareto costs above 10^5 and exponential ones of mean 10^-6."""
    loss = cd.numeric.compile(cd.derive(cd.Independent("pareto(3, 10^5)", "exponential(10^-6)")).rule)
    assert loss.loss0(complement=1.0) == 0.0  # the plan has the functions of 1 - p from now on
    stated = max(part.ulps or 0 for part in loss.plan)
    assert stated < 200
    for rest in (2e-9, 1e-9, 3e-10, 1e-10):
        with mpmath.workdps(40):
            k = mpmath.mpf(10) ** 11 * mpmath.mpf(rest) / (1 - mpmath.mpf(rest))
            tail = mpmath.quad(lambda y: mpmath.exp(-y) / (1 + y / k) ** 3, [0, 1, 5, 20, 100])  # noqa: B023
            expected = mpmath.mpf(300000) * mpmath.exp(-k) * tail / k
        assert abs(loss.loss0(complement=rest) / expected - 1) <= stated * 2**-52
    assert loss.loss0(0.5) == 0.0
    assert loss.loss1(0.5) == pytest.approx(1e-6, rel=1e-15)


def test_the_power_of_each_root_is_not_rounded() -> None:
    for power in (3.7, 1999.9, 2000.1, 6000.4, 6123.4, -98765.4):
        found = divisible(power)
        assert Fraction(found) / roots(found) == Fraction(found / roots(found))
        assert abs(found - power) <= roots(power)


@pytest.mark.parametrize("power", [600.0, 6000.0, 12350.0, -6000.0])
def test_a_steep_power_is_taken_in_roots_that_are_doubles(power: float) -> None:
    low, high, shift = 0.09, 0.1, 3
    lift = -int(np.ceil(power / roots(power) * np.log2((high if power > 0 else low) * 2.0**shift)))
    scale = -600 if power > 0 else 600
    panel = Panel(low, high, power, shift, (2.0**scale,), lift)
    table = Table.of(ONE, LINEAR, 0.0, [panel])
    x = np.linspace(low, high, 50)
    found = table(Points(1 - x, x))
    with mpmath.workdps(60):
        for got, at in zip(found.tolist(), x.tolist(), strict=True):
            factor = (mpmath.mpf(at) * 2**shift) ** power * mpmath.mpf(2) ** (lift * roots(power))
            wanted = mpmath.ldexp(factor, scale)
            if 1e-300 < wanted < 1e300:
                assert abs(got / wanted - 1) <= (2 + roots(power)) * 2**-52


@pytest.mark.parametrize("target", ["python", "c", "sql", "javascript"])
def test_steep_tables_are_read_in_other_languages(target: str) -> None:
    """What a logarithm rounds off shows: as many units as the power, times its size."""
    rule = cd.derive(cd.Independent("gompertz(1/2, 2)", "uniform(1, 3)")).rule
    (_, found), *_ = targets.RUNNERS[target]([(code(rule, target), REPORTS)])
    expected = cd.numeric.compile(rule).loss1(np.array(REPORTS))
    assert found == pytest.approx(expected.tolist(), rel=1e4 * 2**-52, abs=0)


@pytest.mark.parametrize(
    ("c0", "c1"), [("pareto(5/2, 1)", "weibull(3, 2)"), ("halfnormal(3)", "pareto(7/2, 2)")]
)
def test_losses_that_fall_like_exponentials_of_powers_have_tables_of_a_few_units(c0: str, c1: str) -> None:
    assert_few_units(c0, c1, 10.0)


def test_an_integrand_that_is_level_for_hundreds_of_octaves_is_summed_finely_enough() -> None:
    assert_few_units("invgamma(3, 2)", "gamma(2, 1)", 40.0)


LAWS = {
    "pareto(5/2, 1)": stats.pareto(2.5),
    "weibull(3, 2)": stats.weibull_min(3, scale=2),
    "halfnormal(3)": stats.halfnorm(scale=3),
    "pareto(7/2, 2)": stats.pareto(3.5, scale=2),
    "invgamma(3, 2)": stats.invgamma(3, scale=2),
    "gamma(2, 1)": stats.gamma(2),
}


def test_a_rate_that_is_gone_may_be_steep() -> None:
    """The rate ``(1 - p) exp(-1/p)/p^3`` is steeper than any polynomial where the loss no longer grows."""
    zero = End.of(sympy.Integer(0), 1)
    rate = Exact.of(in_p_and_r((1 - p) * sympy.exp(-1 / p) / p**3))
    (near, far), *_ = integrated(rate, ONE, zero, 0.5, mpmath.mpf(0))
    for report in (1e-300, 1e-15, 1e-3, 0.03, 0.4):
        with mpmath.workdps(40):
            expected = mpmath.exp(-1) - mpmath.exp(-1 / mpmath.mpf(report)) / mpmath.mpf(report)
            assert abs(far.exactly(mpmath.mpf(report)) / expected - 1) < 2**-53
    assert max(off(rate, ONE, zero, 0.5, mpmath.mpf(0), (near, far))) < 1


def test_what_quadrature_finds_in_another_table_is_stated() -> None:
    zero = End.of(sympy.Integer(0), 1)
    rate, other = (Exact.of(in_p_and_r(growth)) for growth in (p**2, p**2 * (1 + p / 2**30)))
    tables, *_ = integrated(other, zero, ONE, 0.5, mpmath.mpf(0))
    below, above = off(rate, zero, ONE, 0.5, mpmath.mpf(0), tables)
    assert below == pytest.approx(2**23 * 0.45 * 0.75, rel=1e-3)
    assert above > below


def test_losses_that_are_integrals_of_closed_forms_state_their_error() -> None:
    loss = cd.numeric.compile(cd.derive(cd.PowerMean(4)))
    stated = [part.ulps for part in loss.plan]
    assert all(ulps is not None and ulps < 5 for ulps in stated)  # 2.9 found at 1,000 places a panel: 4.45
    assert "compared with quadrature" in str(loss.plan)


def test_slopes_of_costs_of_very_different_scales_are_compiled() -> None:
    rule = cd.derive(cd.Independent("pareto(3, 10^5)", "exponential(10^-6)")).rule
    slope = compiled(compiling.in_numbers(rule), 0, order=1)
    for rest in (2e-9, 1e-10):
        expected = pytest.approx(steep_slope(rest), rel=1e-13)
        assert slope(Points(1 - np.array([rest]), np.array([rest]))) == expected
    assert slope(Points.of(np.array([0.3]))) == 0.0


def steep_slope(rest: float) -> float:
    """Integrate ``p w(p)`` over the exponential cost, which is ``(least + y) 10^-6``, the other at least 10^5."""
    with mpmath.workdps(40):
        r = mpmath.mpf(rest)
        least = mpmath.mpf(10) ** 11 * r / (1 - r)

        def inside(y: Any) -> Any:
            c1 = (least + y) / 10**6
            density = 3 * mpmath.mpf(10) ** 15 / (c1 * (1 - r) / r) ** 4
            return c1**2 * density * mpmath.exp(-least - y) / r**3

        return float((1 - r) * mpmath.quad(inside, [0, 1, 5, 20, 100]))


def assert_few_units(c0: str, c1: str, most: float) -> None:
    """Compare with ``E[c0; c1 > c0/u]`` and ``E[c1; c0 > c1 u]``, u being the odds of the report.

    What is stated is that of logits too, whose distances from an end are less precise.
    """
    loss = cd.numeric.compile(cd.derive(cd.Independent(c0, c1)).rule, time_limit=None)
    assert max(part.ulps or 0 for part in loss.plan) <= most
    for report in (0.03, 0.37, 0.62, 0.95):
        odds = report / (1 - report)
        expected = expected_cost(LAWS[c0], LAWS[c1], 1 / odds), expected_cost(LAWS[c1], LAWS[c0], odds)
        assert (loss.loss0(report), loss.loss1(report)) == pytest.approx(expected, rel=1e-9)


def expected_cost(cost: Any, other: Any, factor: float) -> float:
    """Integrate a cost where the other is above a multiple of it, between quantiles of both."""
    shares = (1e-14, 1e-9, 1e-4, 0.1, 0.5, 0.9, 1 - 1e-4, 1 - 1e-9)
    edges = sorted({*cost.ppf(shares), *other.ppf(shares) / factor})
    edges = [x for x in edges if cost.support()[0] <= x] + [1e6 * edges[-1]]

    def rate(z: float) -> float:
        x = np.exp(z)
        return float(x * x * cost.pdf(x) * other.sf(factor * x))

    return sum(
        quad(rate, np.log(low), np.log(high), epsabs=0, epsrel=1e-11, limit=200)[0]
        for low, high in pairwise(edges)
    )


@pytest.mark.parametrize(
    ("c0", "c1", "density"),
    [
        ("x", "exp(-x) + 1/10", "gamma(2, 1)"),
        ("sqrt(x)", "1 + x/3", "lognormal(0, 1/2)"),
        ("x + log(1 + x)", "2 + x", "uniform(0, 5)"),
        ("1 + x^3", "5 - x", "uniform(0, 4)"),
    ],
)
def test_losses_of_curves_without_an_inverse_have_close_tables(c0: str, c1: str, density: str) -> None:
    pytest.importorskip("flint")
    plan = cd.numeric.compile(cd.derive(cd.Curve(c0, c1, density))).plan
    assert max(part.ulps or 0 for part in plan) < 20
    assert not any("too long" in part.why for part in plan)


def test_a_steep_table_ends_where_its_values_are_no_doubles() -> None:
    """Below, coefficients are subnormal or 0, and the power that they say is none."""
    found = cd.derive(
        cd.costs_of_parts("k", "a + b", parts={"a": "exponential(m)", "b": "exponential(n)"})
    ).rule.at(k="33/10", m="13/5", n="71/10")
    assert max(part.ulps or 0 for part in cd.numeric.compile(found).plan) < 8


def test_exponentials_of_rational_functions_are_not_factored_as_high_powers_of_several() -> None:
    """``exp(-27 (1/4 - t)^3/(t + 3/4)^3)`` is a product of powers of four exponentials: of the 27th, and the 81st."""
    rule = cd.derive(cd.costs_of_parts("a + b", 3, parts={"a": "uniform(0, 1)", "b": "weibull(3, 1)"})).rule
    assert max(part.ulps or 0 for part in cd.numeric.compile(rule).plan) < 20
