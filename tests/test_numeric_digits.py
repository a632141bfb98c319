"""Digits that are easily lost on the way to a compiled loss: of powers, distances, logits and special functions."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.symbols import p
from costderive.numeric import compile
from costderive.numeric.closed_form import is_short
from costderive.numeric.end_tables import LINEAR, Panel, Table
from costderive.numeric.many_digits import End, Exact, in_p_and_r, roots
from costderive.numeric.point_pairs import Points
from costderive.numeric.scaled import FUNCTIONS
from costderive.numeric.table_fit import tabulated
from tests.accuracy import Argument, exact, gallery, rules, ulps, worst_of_arguments

MOST = 4.0  # ulp, the promise


def test_a_loss_that_falls_like_an_exponential_keeps_the_digits_of_a_logit() -> None:
    """The costs 2 and an exponential one: class 0 costs 2 if c1 > 2 (1 - p)/p."""
    loss = compile(cd.derive(cd.Independent(c0=2, c1=cd.laws.exponential(1))))
    for z in (-5.5, -5.1, -4.3, -3.138, -1.7, 0.8, 9.0, 300.0):
        with mpmath.workdps(60):
            wanted = 2 * mpmath.exp(-2 * mpmath.exp(-mpmath.mpf(z)))
            assert ulps(loss.loss0(logit=z), wanted) <= MOST


def test_a_loss_next_to_a_breakpoint_keeps_the_digits_of_logits_and_complements() -> None:
    """Costs uniform on [1, 2] and on [2, 3]: L0 starts from 0 at 1/4, with the third power of the distance there."""
    loss = compile(cd.derive(cd.IndependentUniform(c0=(1, 2), c1=(2, 3))))

    def exactly(ratio: mpmath.mpf) -> mpmath.mpf:  # E[c0; c1 > c0 ratio], where ratio < 3 is near 3
        return 3 * (9 / ratio**2 - 1) / 2 - ratio * (27 / ratio**3 - 1) / 3

    for z in (-1.098, -1.09, -1.0):
        with mpmath.workdps(60):
            assert ulps(loss.loss0(logit=z), exactly(mpmath.exp(-mpmath.mpf(z)))) <= MOST
    for r in (0.7499999, 0.747, 0.73):
        with mpmath.workdps(60):
            assert ulps(loss.loss0(complement=r), exactly(mpmath.mpf(r) / (1 - mpmath.mpf(r)))) <= MOST


@pytest.mark.parametrize("name", ["bounded-brier", "harmonic-cost", "independent-uniform", "gamma"])
def test_losses_slopes_and_curvatures_next_to_a_breakpoint_have_the_digits_of_a_logit(name: str) -> None:
    """A logit next to that of a breakpoint, or to one at which a curvature is 0, says more than any double p."""
    rule = gallery([name])[name]
    loss = compile(rule)
    for kind in ("loss", "slope", "curvature"):
        for error, place in worst_of_arguments(rule, loss, kind, 3).values():
            assert error <= MOST, (kind, place)


def test_the_smallest_logits_beside_a_breakpoint_lose_no_digits() -> None:
    """The curvature is 0 at 1/2, and about ``78.9 z`` at a logit z: more than the distance of p, which underflows."""
    rule = rules()["survey: beta(2, 2) x beta(3, 2)"]()
    loss, truth = compile(rule), exact(rule)["curvature0"]
    for z in (-5e-324, -1e-322, -1e-310, -1e-290, 0.0, 5e-324, 1e-310):
        assert ulps(float(loss.hessian([0], logit=[z])[0]), truth(Argument("logit", z))) <= MOST


@pytest.mark.parametrize("p", [5.595735410097995e-06, 1.65e-09])
def test_tables_do_not_amplify_what_they_round_off(p: float) -> None:
    rule = rules()["survey: log-normal pair, symbolic"]()
    assert ulps(float(compile(rule).hessian([1], [p])[0]), exact(rule)["curvature1"](p)) <= MOST


def test_a_power_that_is_no_double_holds_for_the_smallest_complements() -> None:
    """Of the weight ``(1 - s)^(1/3)`` the loss of class 1 is ``3/7 (1 - p)^(7/3)``."""
    loss = compile(cd.rule_from_weight("(1 - s)^(1/3)"))
    for r in (0.3, 1e-9, 1e-30, 1e-100, 1e-130):
        with mpmath.workdps(60):
            wanted = mpmath.mpf(3) / 7 * mpmath.mpf(r) ** (mpmath.mpf(7) / 3)
        assert ulps(loss.loss1(complement=r), wanted) <= MOST


def test_a_table_of_a_third_root_holds_for_the_smallest_doubles() -> None:
    exact = Exact.of(sympy.cbrt(p) * (1 + p))
    ((_, table), *_) = tabulated(exact, End.of(sympy.Integer(0), 1), 0.25)
    at = np.array([5e-324, 1e-300, 1e-100, 1e-20, 1e-6])
    for x, got in zip(at, table(Points.of(at)), strict=True):
        with mpmath.workdps(60):
            assert ulps(got, mpmath.cbrt(mpmath.mpf(float(x))) * (1 + mpmath.mpf(float(x)))) <= MOST


@pytest.mark.parametrize("power", [3.0, 3.5, 4.0, 6.0])
def test_a_high_power_of_the_distance_from_a_breakpoint_keeps_its_digits(power: float) -> None:
    end = End.of(sympy.Rational(2, 3), -1)
    table = Table.of(end, LINEAR, 0.0, [Panel(0.0, 0.25, power, 0, (1.0,))])
    at = 2 / 3 - 10 ** np.random.default_rng(1).uniform(-14, -1, 300)
    with mpmath.workdps(60):
        wanted = [(mpmath.mpf(2) / 3 - mpmath.mpf(float(x))) ** power for x in at]
    errors = [ulps(got, value) for got, value in zip(table(Points.of(at)), wanted, strict=True)]
    assert max(errors) <= 2.6


@pytest.mark.parametrize("a", ["5/3", "1/10", "-5/3", "25/2"])
@pytest.mark.parametrize("z", ["1e-30", "1/2", "20", "90", "400"])
def test_incomplete_gamma_functions_are_right_to_all_digits(a: str, z: str) -> None:
    with mpmath.workdps(90):
        first, second = (mpmath.mpf(sympy.Rational(text).p) / sympy.Rational(text).q for text in (a, z))
        above, below = mpmath.gammainc(first, second), mpmath.gammainc(first, 0, second)
    with mpmath.workdps(60):
        scaled = FUNCTIONS["gammax"](first, second) * mpmath.exp(-second)
        assert abs(scaled / above - 1) < mpmath.mpf(10) ** -55
        assert abs(FUNCTIONS["below"](first, second) / below - 1) < mpmath.mpf(10) ** -55
        assert abs(FUNCTIONS["gamma"](first) / mpmath.gamma(first) - 1) < mpmath.mpf(10) ** -55


def test_an_exponential_of_an_exponential_has_a_value_in_no_time() -> None:
    """mpmath takes exp(exp(1e30)) digit by digit; the loss of a Gompertz cost next to 0 and 1 asks for such numbers."""
    exp = FUNCTIONS["exp"]
    with mpmath.workdps(50):
        far = exp(mpmath.mpf(10) ** 30)
        assert exp(far) == mpmath.inf and exp(-far) == 0
        assert mpmath.almosteq(exp(mpmath.mpf(12345)), mpmath.e**12345, 1e-45)
    rule = cd.derive(cd.Independent("gompertz(1, 1)", "1")).rule
    loss1 = Exact.of(in_p_and_r(next(iter(rule.only_case.loss1)).value))
    below_1 = End.of(sympy.S.One, -1)
    assert float(loss1.at(End.of(sympy.S.Zero, 1), 5e-324)) == 1
    assert float(loss1.at(below_1, 0.75)) == pytest.approx(math.exp(1 - math.exp(3)), rel=1e-14)
    assert loss1.at(below_1, 1 - 2.0**-53) == 0


def test_an_error_function_that_cancels_beside_other_terms_has_a_value_next_to_0() -> None:
    """With ``x^2 = p/(1 - p)`` two terms that are immeasurably small leave ``x^2`` times as much as they are."""
    x = sympy.sqrt(p / (1 - p))
    expr = sympy.sqrt(2 / sympy.pi) * x * sympy.exp(-1 / (2 * x**2)) + sympy.erf(1 / (sympy.sqrt(2) * x)) - 1
    got = Exact.of(expr).value(End.of(sympy.Integer(0), 1), mpmath.mpf(2) ** -20)
    with mpmath.workdps(60):
        x = mpmath.sqrt(mpmath.mpf(2) ** -20 / (1 - mpmath.mpf(2) ** -20))
        series = mpmath.fsum(
            (-1) ** (n + 1) * mpmath.fac2(2 * n - 1) * x ** (2 * n + 1) for n in range(1, 30)
        )
        wanted = mpmath.sqrt(2 / mpmath.pi) * mpmath.exp(-1 / (2 * x**2)) * series
        assert abs(got / wanted - 1) < mpmath.mpf(10) ** -25


def test_where_a_function_is_too_small_for_a_double_it_changes_no_sign() -> None:
    """The weight of inverse Gaussian beside uniform costs falls like ``exp(-1/(2 p))``, its terms cancelling."""
    root, ends = sympy.sqrt(8 * p * (1 - p)), (End.of(sympy.S.Zero, 1), End.of(sympy.S.One, -1))
    weight = (
        6 * (sympy.erf((3 * p - 2) / root) + 1)
        - 2 * sympy.E * sympy.erfc((2 - p) / root)
        - 16
        * p
        / sympy.sqrt(sympy.pi)
        / root
        * sympy.exp(-p / (8 * (1 - p)) + sympy.S.Half - (1 - p) / (2 * p))
    )
    assert roots(Exact.of(in_p_and_r(weight)), *ends) == ()
    assert roots(Exact.of(in_p_and_r(weight * (4 * p - 1))), *ends) == (sympy.Rational(1, 4),)


def test_exponentials_that_are_high_powers_of_each_other_are_not_factored() -> None:
    assert not is_short(p * sympy.exp(-(10**8) / p) + sympy.exp(-1 / (10**8 * p)))
    assert not is_short(sympy.exp(-(10**8) / (p + 1)) + sympy.exp(-1 / (10**8 * p + 10**8)))
    assert is_short(p * sympy.exp(-2 / p) + sympy.exp(-1 / p))


def test_what_repeats_inside_an_integral_is_no_value_outside_of_it() -> None:
    """``integral of x^2 exp(-p x^2) exp(-x^2)`` over x > 0 is ``sqrt(pi)/(4 (1 + p)^(3/2))``."""
    x = sympy.Symbol("x", positive=True)
    expr = sympy.Integral(x**2 * sympy.exp(-p * x**2) * sympy.exp(-(x**2)), (x, 0, sympy.oo))
    got = Exact.of(expr).value(End.of(sympy.Integer(0), 1), mpmath.mpf(1) / 2)
    with mpmath.workdps(40):
        assert abs(got / (mpmath.sqrt(mpmath.pi) / 4 / mpmath.mpf("1.5") ** mpmath.mpf("1.5")) - 1) < 1e-25


@pytest.mark.parametrize("fast", [False, True])
def test_a_table_in_the_logarithm_keeps_what_the_logarithm_rounds_off(fast: bool) -> None:
    """Costs whose logarithms are normal: their losses fall like ``exp(-log(p)^2/9)`` towards 0."""
    spread = "lognormal(3/2, 3/2)"
    loss = compile(cd.derive(cd.Independent(c0=spread, c1=spread)).rule, fast=fast)
    for at in (2.4e-12, 2.7e-10, 1.03e-7, 3.6e-5):
        with mpmath.workdps(60):
            logit = mpmath.log(mpmath.mpf(at) / (1 - mpmath.mpf(at)))
            tail = mpmath.erfc((mpmath.mpf(9) / 4 - logit) / 3) / 2
            wanted = mpmath.exp(mpmath.mpf(21) / 8) * tail
        assert ulps(loss([0], [at]), wanted) <= 4


@pytest.mark.parametrize("label", [0, 1])
def test_a_form_that_overflows_on_its_way_is_not_taken_for_exact(label: int) -> None:
    """Near 1 one of the forms is infinity times 0, which is no number: an error without a size is not a small one."""
    rule = cd.derive(cd.Independent("exponential(2)", "uniform(0, 1)")).rule
    loss, truth = compile(rule, time_limit=None), exact(rule)[f"loss{label}"]
    at = 1 - 2.0 ** -np.arange(1, 53)
    errors = [
        ulps(got, truth(x)) for got, x in zip(loss.per_sample([label] * 52, at), at.tolist(), strict=True)
    ]
    assert max(errors) <= MOST
