"""Identities with exponents of many digits, as costs in decimals bring them: proved when true, never when false."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from scipy import stats
from scipy.integrate import quad
from sympy import Rational, S, erf, exp, log, pi, sqrt

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter, u
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive
from costderive.deciders.size import steep
from costderive.rules import odds_form

x = sympy.Symbol("x", positive=True)
a = parameter("a")
HALF_LINE = Interval(x, S.Zero, S.Infinity)
GENERATOR = np.random.default_rng(184125)


def decimal(low: float = 0.1, high: float = 4.0, digits: int = 4) -> Rational:
    return Rational(round(GENERATOR.uniform(low, high) * 10**digits), 10**digits)


def density(mu: sympy.Expr, sigma: sympy.Expr) -> sympy.Expr:
    return exp(-((log(x) - mu) ** 2) / (2 * sigma**2)) / (x * sigma * sqrt(2 * pi))


def distribution(mu: sympy.Expr, sigma: sympy.Expr) -> sympy.Expr:
    return (1 + erf((log(x) - mu) / (sqrt(2) * sigma))) / 2


PAIRS = [(decimal(), decimal()) for _ in range(6)] + [
    (Rational(23, 10), Rational(5, 4)),
    (log(10), decimal()),
]


@pytest.mark.parametrize(("mu", "sigma"), PAIRS, ids=str)
def test_a_log_normal_density_is_the_slope_of_its_distribution(mu: sympy.Expr, sigma: sympy.Expr) -> None:
    slope = sympy.diff(distribution(mu, sigma), x)
    written = slope.replace(lambda part: isinstance(part, exp), lambda part: exp(sympy.expand(part.args[0])))
    assert zero(written - density(mu, sigma), HALF_LINE)


@pytest.mark.parametrize(("mu", "sigma"), PAIRS, ids=str)
def test_a_digit_that_is_wrong_is_seen(mu: sympy.Expr, sigma: sympy.Expr) -> None:
    little = Rational(1, 10**4)
    slope = sympy.diff(distribution(mu, sigma), x)
    for other in (
        density(mu + little, sigma),
        density(mu, sigma + little),
        density(mu, sigma) * (1 + little),
    ):
        assert zero(slope - other, HALF_LINE) is None


@pytest.mark.parametrize("exponent", [decimal(digits=6) for _ in range(5)], ids=str)
def test_powers_add_their_exponents(exponent: Rational) -> None:
    other = decimal(digits=5)
    split = (x * (1 + x)) ** exponent * x**other - x ** (exponent + other) * (1 + x) ** exponent
    assert zero(split, HALF_LINE)
    assert zero(exp(exponent * log(x) + a) * x**other - x ** (exponent + other) * exp(a), HALF_LINE)
    assert zero(split + x ** (exponent / 2), HALF_LINE) is None
    assert zero(x**exponent - x ** (exponent + Rational(1, 10**6)), HALF_LINE) is None


def test_fine_and_coarse_roots_stand_side_by_side() -> None:
    fine = x ** Rational(184, 625)
    assert zero(sqrt(2) * sqrt(x) * fine * (sqrt(2) * sqrt(x)) - 2 * x * fine, HALF_LINE)
    assert zero((sqrt(x) + 1) ** 2 * fine - (x + 2 * sqrt(x) + 1) * fine, HALF_LINE)
    assert zero((sqrt(x) + fine) ** 2 - x - sqrt(x) * fine - fine**2, HALF_LINE) is None


def test_a_high_power_is_steep_with_or_without_roots() -> None:
    assert steep((1 + x) ** 1000, roots=False)
    assert steep((1 + x) ** Rational(184, 125)) and not steep((1 + x) ** Rational(184, 125), roots=False)
    assert zero((1 + x) ** 1000 - (1 + x) ** 999 * (1 + x + x**2), HALF_LINE, Given()) is None


@pytest.mark.parametrize(
    "context",
    [
        cd.Independent(c0="lognormal(1.9459,0.73234)", c1="lognormal(2.3026,1.25584)"),
        cd.Independent(c0=1, c1="lognormal(2.3, 1.25)"),
    ],
    ids=["pair", "known"],
)
def test_log_normal_costs_in_decimals_are_closed_and_proved(context: cd.Independent) -> None:
    derivation = cd.derive(context, time_limit=30)
    cd.check(derivation).require_proved()
    assert not any(piece.value.has(sympy.Integral) for piece in derivation.rule.cases[0][1].loss0)
    costs = np.asarray(context.sample(400_000, seed=3))
    for q in (0.2, 0.5, 0.8):
        drawn = costs[0] * (costs[0] < q * costs.sum(axis=0))
        truth, error = drawn.mean(), drawn.std() / len(drawn) ** 0.5
        value = float(derivation.rule.loss0.subs(cd.symbols.p, Rational(q).limit_denominator(10)))
        assert value == pytest.approx(truth, abs=5 * error + 1e-3)


def _law(name: str) -> stats.rv_continuous:
    return {
        "weibull(1.2345, 2.1)": stats.weibull_min(1.2345, scale=2.1),
        "loglogistic(1.23, 2.35)": stats.fisk(2.35, scale=1.23),
        "beta(2.35, 1.28)": stats.beta(2.35, 1.28),
        "lomax(2.3471, 1.25)": stats.lomax(2.3471, scale=1.25),
        "pareto(2.3471, 1.0273)": stats.pareto(2.3471, scale=1.0273),
        "invgamma(2.3471, 1.25)": stats.invgamma(2.3471, scale=1.25),
    }[name]


@pytest.mark.parametrize(
    "name",
    [
        "weibull(1.2345, 2.1)",
        "loglogistic(1.23, 2.35)",
        "beta(2.35, 1.28)",
        "lomax(2.3471, 1.25)",
        "pareto(2.3471, 1.0273)",
        "invgamma(2.3471, 1.25)",
    ],
)
def test_laws_fitted_to_data_are_closed_proved_and_compiled(name: str) -> None:
    derivation = cd.derive(cd.Independent(c0=name, c1="3.25"))
    cd.check(derivation).require_proved()
    assert derivation.rule.closed_form
    loss, law = cd.numeric.compile(derivation.rule), _law(name)
    for report in (0.3, 0.6):
        most = 3.25 * report / (1 - report)
        mean = (
            quad(lambda cost: cost * law.pdf(cost), law.support()[0], min(most, law.support()[1]))[0]
            if most > law.support()[0]
            else 0.0
        )
        assert loss.loss0(report) == pytest.approx(mean, rel=1e-7)
        assert loss.loss1(report) == pytest.approx(3.25 * law.sf(most), rel=1e-12)


@pytest.mark.parametrize(
    "shapes", [("2.3471", "0.35"), ("2.35", "1.28"), ("1.7", "2.3"), ("4.25", "0.75")], ids=str
)
def test_the_mass_of_a_beta_law_with_decimals_is_one(shapes: tuple[str, str]) -> None:
    first, second = map(Rational, shapes)
    written = (
        sympy.gamma(first + second) / (sympy.gamma(first) * sympy.gamma(second)) * sympy.beta(first, second)
    )
    assert zero(written - 1)
    assert zero(written * (1 + Rational(1, 10**9)) - 1) is None
    assert zero(sympy.gamma(first) * sympy.gamma(1 - first) - pi / sympy.sin(pi * first))
    assert zero(sympy.gamma(first) * sympy.gamma(1 - first) + pi / sympy.sin(pi * first)) is None


def test_a_sum_of_fine_powers_has_the_sign_of_its_bases() -> None:
    unit, k = Interval(x, S.Zero, S.One), Rational(23471, 10000)
    assert positive(1 - x**k, unit) and positive(2 ** (k + 1) - 2 * x**k, unit)
    assert positive(1 - (x / (1 + x)) ** k, HALF_LINE) and positive(x**k - x ** (2 * k), unit)
    assert not positive(1 - 2 * x**k, unit) and not nonnegative(2 * x**k - 1, unit)
    assert not nonnegative(x ** (2 * k) - x**k, unit) and not positive(x**k - x ** (2 * k), HALF_LINE)
    assert not nonnegative(2**k - 3 * x**k, unit)


def test_a_minus_sign_does_not_leave_a_root() -> None:
    """``(1 - 3 u)^(32/25)`` is real where it is integrated; ``(-1)^(7/25) (4 s - 1)^(32/25)`` would not be."""
    for factor, limit in ((3, 4), (Rational(1, 2), Rational(3, 2))):
        written = odds_form.to_probability((1 - factor * u) ** Rational(32, 25), x)
        wanted = (1 - limit * x) ** Rational(32, 25) / (1 - x) ** Rational(32, 25)
        assert written.subs(x, Rational(1, 5)).evalf() == pytest.approx(
            wanted.subs(x, Rational(1, 5)).evalf()
        )
