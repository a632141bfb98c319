"""Quantiles of the normal law, in what is decided and in numbers: true statements are decided, false ones never."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Expr, Rational, erf, erfinv, exp, gamma, lowergamma, oo, sqrt, uppergamma

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive, real
from costderive.numeric.long_gamma import long_below, long_expintx, long_gammax
from costderive.numeric.normal_scores import (
    digits_score,
    long_erf,
    long_erfc,
    long_erfcx,
    long_score,
    long_tail,
)
from costderive.numeric.scaled import BELOW, scaled

x, y, a, b = map(parameter, "xyab")
shape = sympy.Symbol("shape", real=True)
UNIT = Interval(x, sympy.S.Zero, sympy.S.One)
HALF_LINE = Interval(x, sympy.S.Zero, oo)


# ---- what is decided

LIMITS = {
    "up": (erfinv(2 * x - 1), 1, "-", oo),
    "down": (erfinv(2 * x - 1), 0, "+", -oo),
    "far out": (erfinv(1 - 2 * exp(-x)), oo, "-", oo),
    "inside": (erfinv(x), Rational(1, 2), "-", erfinv(Rational(1, 2))),
    "a Gamma law": (erfinv(2 * lowergamma(a, x) / gamma(a) - 1), oo, "-", oo),
    "a law of a whole shape": (erfinv(1 - 2 * (1 + x) * exp(-x)), 0, "+", -oo),
    "beside what stays": (erf((erfinv(2 * x - 1) - a) / b), 1, "-", sympy.S.One),
    "with a negative factor": ((y - erfinv(2 * x - 1)) / b, 0, "+", oo),
}
NO_LIMITS = {
    "from outside": (erfinv(x), 1, "+"),
    "from outside below": (erfinv(-1 - x), 0, "+"),
    "beyond": (erfinv(1 + x), 0, "+"),
    "two that grow": (erfinv(2 * x - 1) - erfinv(x), 1, "-"),
    "a factor of either sign": ((a - 1) * erfinv(2 * x - 1), 1, "-"),
    "never near an end": (erfinv(2 * x), 1, "-"),
    "from outside at a negative place": (erfinv(sympy.Symbol("z", real=True)), -1, "-"),
    "from outside, turned": (erfinv(1 - sympy.Symbol("z", real=True)), 0, "-"),
}


def approach(point: object, side: str) -> Approach:
    return Approach(x, sympy.sympify(point), side)


@pytest.mark.parametrize("name", LIMITS)
def test_quantiles_grow_without_bound_where_a_tail_vanishes(name: str) -> None:
    expr, point, side, value = LIMITS[name]
    assert value_at(expr, approach(point, side)) == value


@pytest.mark.parametrize("name", NO_LIMITS)
def test_no_limit_is_found_where_there_may_be_none(name: str) -> None:
    expr, point, side = NO_LIMITS[name]
    (variable,) = expr.free_symbols - {a}
    assert value_at(expr, Approach(variable, sympy.sympify(point), side)) is None


def test_a_quantile_is_smooth_where_its_level_is_between_its_ends() -> None:
    assert regular(erfinv(2 * x - 1), UNIT, Given())
    assert real(erfinv(1 - 2 * exp(-x)), HALF_LINE, Given())
    for beyond in (erfinv(2 * x), erfinv(x - 2), erfinv(1 + x), erfinv(a * x)):
        assert not real(beyond, UNIT, Given())
        assert not regular(beyond, UNIT, Given())


def test_the_slope_of_a_quantile_is_the_inverse_of_a_density() -> None:
    level = 2 * lowergamma(a, x) / gamma(a) - 1
    density = x ** (a - 1) * exp(-x) / gamma(a)
    slope = sympy.diff(erfinv(level), x)
    assert zero(slope - sqrt(sympy.pi) * density * exp(erfinv(level) ** 2), HALF_LINE)
    assert not zero(slope - sqrt(sympy.pi) * density * exp(erfinv(level)), HALF_LINE)
    assert not zero(erfinv(2 * x - 1) - 2 * erfinv(x) + 1, UNIT)


SIGNS: dict[str, tuple[Expr, Interval | None, Given]] = {
    "below the whole": (gamma(a) - lowergamma(a, x), None, Given()),
    "above nothing": (uppergamma(a, x) / gamma(a) + erf(x) ** 2, HALF_LINE, Given()),
    "two functions": (1 - erf(x) * erf(2 * x), HALF_LINE, Given()),
    "roots": (erf(sqrt(x)) - 2 * sqrt(x) * exp(-x) / sqrt(sympy.pi), HALF_LINE, Given()),
    "an inverse": (1 - exp(-1 / x) * (1 + 1 / x), HALF_LINE, Given()),
    "a letter that stays": (2 - 2 * (1 + x) * exp(-x), Interval(y, sympy.S.Zero, sympy.S.One), Given()),
    "facts about a letter that stays": (
        1 - (x - 3) * (x - 1),
        Interval(y, sympy.S.Zero, sympy.S.One),
        Given((x - 1, 2 - x)),
    ),
}
NO_SIGNS: dict[str, tuple[Expr, Interval | None, Given]] = {
    "another shape": (gamma(a) - lowergamma(a + 1, x), None, Given()),
    "a shape of either sign": (gamma(shape) - uppergamma(shape, x), None, Given()),
    "a squared function": (Rational(1, 2) - erf(x) ** 2, HALF_LINE, Given()),
    "a sum that may be below": (1 + erf(x - 1) + erf(x - 2), HALF_LINE, Given()),
    "roots": (erf(sqrt(x)) - sqrt(x), HALF_LINE, Given()),
    "an inverse": (Rational(1, 2) - exp(-1 / x) * (1 + 1 / x), HALF_LINE, Given()),
    "a letter that stays": (2 - 3 * (1 + x) * exp(-x), Interval(y, sympy.S.Zero, sympy.S.One), Given()),
    "facts about another letter": (
        1 - (x - 3) * (x - 1),
        Interval(y, sympy.S.Zero, sympy.S.One),
        Given((y - 1, 2 - y)),
    ),
    "a quantile": (erfinv(2 * x - 1), UNIT, Given()),
    "weak facts": (x - 1, Interval(y, sympy.S.Zero, sympy.S.One), Given((), (x - 1,))),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs_between_bounds_are_decided(name: str) -> None:
    assert positive(*SIGNS[name])
    assert not nonnegative(-SIGNS[name][0], *SIGNS[name][1:])


@pytest.mark.parametrize("name", NO_SIGNS)
def test_what_is_not_positive_everywhere_is_not_decided(name: str) -> None:
    assert not positive(*NO_SIGNS[name])


# ---- numbers

UNITS = 2.0**64  # in one, for numbers of 64 bits
GENERATOR = np.random.default_rng(5)
ARGUMENTS = (10 ** GENERATOR.uniform(-12, 1.9, 60)).astype(np.longdouble)


def exact(number: Any) -> Any:
    part, exponent = np.frexp(np.longdouble(number))
    return mpmath.ldexp(mpmath.mpf(int(part * np.longdouble(2) ** 64)), int(exponent) - 64)


def worst(found: Any, wanted: Any, points: Any) -> float:
    with mpmath.workdps(40):
        return max(float(abs(exact(f) / wanted(exact(z)) - 1)) for f, z in zip(found, points, strict=True))


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (long_erf, mpmath.erf),
        (long_erfc, mpmath.erfc),
        (long_erfcx, lambda z: mpmath.exp(z * z) * mpmath.erfc(z)),
        (lambda z: long_score(z / (1 + z), (2 + z) / (1 + z)), lambda z: -_quantile(z / (1 + z))),
    ],
)
def test_functions_of_the_normal_law_are_right_to_the_last_bits(function: Any, wanted: Any) -> None:
    assert worst(function(ARGUMENTS), wanted, ARGUMENTS) * UNITS < 40


@pytest.mark.parametrize("far", [1e5, 1e20, 1e29, 1e40, np.inf])
def test_an_error_function_is_a_number_however_far_out(far: float) -> None:
    z = np.array([far, -far], dtype=np.longdouble)
    assert long_erfc(z).tolist() == [0, 2]
    assert long_erf(z).tolist() == [1, -1]


def test_an_exponential_times_a_scaled_error_function_far_below_zero_is_no_product_of_zero_and_infinity() -> (
    None
):
    z = np.array([-3, -1e30, 3], dtype=np.longdouble)
    found = long_tail(-(z**2), np.zeros(3, dtype=np.longdouble), z)
    assert found == pytest.approx(long_erfc(z), rel=1e-17)


def _quantile(tail: Any) -> Any:
    return mpmath.findroot(
        lambda z: mpmath.log(mpmath.erfc(z)) - mpmath.log(tail), mpmath.sqrt(-mpmath.log(tail))
    )


@pytest.mark.parametrize("text", ["0.02", "0.5", "1", "2", "7.3", "40"])
def test_incomplete_gamma_functions_are_right_to_the_last_bits(text: str) -> None:
    power = np.longdouble(text)
    points = ARGUMENTS[ARGUMENTS < 60]
    with mpmath.workdps(40):
        known = exact(power)
    assert worst(long_below(power, points), lambda z: mpmath.gammainc(known, 0, z), points) * UNITS < 40
    whole = worst(long_gammax(power, points), lambda z: mpmath.exp(z) * mpmath.gammainc(known, z), points)
    assert whole * UNITS < 1000  # of small shapes little is left of the whole


@pytest.mark.parametrize("text", ["1", "2", "5", "0.5", "2.3"])
def test_exponential_integrals_are_right_to_the_last_bits(text: str) -> None:
    order = np.longdouble(text)
    points = ARGUMENTS[ARGUMENTS < 60]
    with mpmath.workdps(40):
        known = exact(order)
    found = long_expintx(order, points)
    assert worst(found, lambda z: mpmath.exp(z) * mpmath.expint(known, z), points) * UNITS < 100


def test_what_has_no_value_is_no_number() -> None:
    tails = np.array([0, 2, np.nan, -1, 3], dtype=np.longdouble)
    assert np.isnan(long_score(tails, 2 - tails)).all()
    assert np.isnan(long_below(0, ARGUMENTS)).all()
    assert np.isnan(long_expintx(0, ARGUMENTS)).all()
    assert np.isnan(long_below(1000, ARGUMENTS)).all()
    assert mpmath.isnan(digits_score(mpmath.mpf(0), mpmath.mpf(2)))


def test_a_quantile_has_as_many_digits_as_are_asked_for() -> None:
    for digits in (20, 80):
        with mpmath.workdps(digits + 10):
            for tail in ("1e-5000", "1e-20", "0.3", "0.999"):
                found = digits_score(2 - mpmath.mpf(tail), mpmath.mpf(tail))
                assert abs(mpmath.erfc(found) / mpmath.mpf(tail) - 1) < mpmath.mpf(10) ** -digits


def test_tails_that_cancel_are_written_without_a_difference() -> None:
    for order in (2, 3, Rational(5, 2), Rational(1, 3)):
        level = lowergamma(order, x) / gamma(order)
        low, high = scaled(erfinv(2 * level - 1)).args
        for tail, function in ((low, lowergamma), (high, uppergamma)):
            text = str(tail)
            assert ("below" in text) == (function is lowergamma), text


# ---- rules

TOP = 60


def loss_of_class_0(rho: Any, odds: Any) -> Any:
    """Return ``E[c0; c0 < odds c1]`` for a uniform c0 and an exponential c1 joined by a Gaussian copula."""

    def over(cost: Any) -> Any:
        above = mpmath.exp(-cost / odds)
        score = mpmath.sqrt(2) * (_quantile(2 * above) if above < 0.5 else -_quantile(2 * (1 - above)))
        own = mpmath.sqrt(2) * (_quantile(2 * (1 - cost)) if cost > 0.5 else -_quantile(2 * cost))
        return cost * mpmath.ncdf((rho * own - score) / mpmath.sqrt(1 - rho**2))

    top = min(mpmath.mpf(1), TOP * odds)
    return mpmath.quad(over, [0, top / 64, top / 16, top / 4, top / 2, top])


def test_what_is_left_to_certainty_stays_a_product_in_scores() -> None:
    """Expanded, ``1 - y`` would cancel next to y = 1, and ``exp(x - x/y)`` fall apart in two factors."""
    assert scaled(erfinv(1 - 2 * exp(-x) * (1 - y))).args[1] == 2 * exp(-x) * (1 - y)
    z = x * (1 - y) / y
    low, high = scaled(erfinv(1 - 2 * (1 + z) * exp(-z))).args
    assert low == 2 * BELOW(2, z)
    assert high == 2 * (1 + z) * exp(-z)


def test_losses_under_a_gaussian_copula_are_proved_and_within_the_error_that_the_plan_states() -> None:
    derivation = cd.derive(cd.Copula("gaussian", "1/2", c0="uniform(0, 1)", c1="exponential(1)"))
    cd.check(derivation).require_proved()
    loss = cd.numeric.compile(derivation.rule)
    stated = max(part.ulps for part in loss.plan if part.ulps is not None)
    assert stated < 10
    for report in (1e-4, 0.3, 0.9):
        odds = mpmath.mpf(report) / (1 - mpmath.mpf(report))
        wanted = loss_of_class_0(mpmath.mpf(1) / 2, odds)
        assert abs(loss([0], [report]) / float(wanted) - 1) < (stated + 1) * 2**-52


def test_a_gaussian_copula_of_two_uniform_laws_away_from_0_is_proved() -> None:
    cd.check(
        cd.derive(cd.Copula("gaussian", "1/2", c0="uniform(1, 3)", c1="uniform(5, 20)"))
    ).require_proved()


@pytest.mark.parametrize("law", ["gamma(a, 1)", "kumaraswamy(2, 3)", "invgamma(3, 1)", "triangular(0, 1, 2)"])
def test_a_gaussian_copula_joins_laws_whose_quantiles_have_no_formula(law: str) -> None:
    derivation = cd.derive(cd.Copula("gaussian", "-1/3", c0=law, c1="uniform(0, 1)"))
    cd.check(derivation).require_proved()
    assert derivation.rule.only_case.loss0.pieces[0].value.has(sympy.Integral)
