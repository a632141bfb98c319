"""Laws of greatest and least quantities, their distribution functions and totals, against draws and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sympy import Integral, Rational, S, Symbol, betainc, exp, gamma, log, oo, pi, sqrt

import costderive as cd
from costderive import laws
from costderive.core.piecewise import Interval
from costderive.core.unevaluated import ordered_terms, unevaluated
from costderive.costs.laws import x
from costderive.costs.laws.distribution_functions import levels
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.product_rule import by_product_rule
from costderive.proof.claims import Verdict

LAWS = {
    "beta(3/2, 5/2)": scipy.stats.beta(1.5, 2.5),
    "lognormal(0, 1)": scipy.stats.lognorm(1),
    "weibull(3/2, 2)": scipy.stats.weibull_min(1.5, scale=2),
    "loglogistic(2, 5/2)": scipy.stats.fisk(2.5, scale=2),
    "invgamma(3, 2)": scipy.stats.invgamma(3, scale=2),
    "triangular(0, 1, 3)": scipy.stats.triang(1 / 3, 0, 3),
}
PAIRS = [
    ("beta(3/2, 5/2)", "lognormal(0, 1)"),
    ("weibull(3/2, 2)", "triangular(0, 1, 3)"),
    ("weibull(3/2, 2)", "invgamma(3, 2)"),
    ("lognormal(0, 1)", "loglogistic(2, 5/2)"),
    ("beta(3/2, 5/2)", "weibull(3/2, 2)"),
]
LEVELS = {
    **LAWS,
    "betaprime(3/2, 5/2, 2)": scipy.stats.betaprime(1.5, 2.5, scale=2),
    "betaprime(2, 5/2)": scipy.stats.betaprime(2, 2.5),
    "beta(2, 5/2)": scipy.stats.beta(2, 2.5),
    "pert(1, 2, 9/2)": scipy.stats.beta(1 + 8 / 7, 1 + 20 / 7, loc=1, scale=3.5),
    "arcsine()": scipy.stats.arcsine(),
}


@pytest.mark.parametrize("law", LEVELS)
def test_distribution_functions_are_those_of_scipy(law: str) -> None:
    truth = LEVELS[law]
    for part, level in levels(laws.part_law_of(law, "a"), "a"):
        for at in np.quantile(truth.rvs(2000, random_state=1), [0.1, 0.4, 0.8]):
            if float(part.low) < at < float(part.high):
                place = {x: Rational(float(at))}
                assert float(level.below.subs(place)) == pytest.approx(truth.cdf(at), rel=1e-9)
                assert float(level.above.subs(place)) == pytest.approx(truth.sf(at), rel=1e-9)


@pytest.mark.parametrize("which", ["max", "min"])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_extremes_beside_a_known_cost_are_proved(which: str, first: str, second: str) -> None:
    costs = cd.costs_of_parts(f"{which}(a, b)", "1", parts={"a": first, "b": second})
    derivation = cd.derive(costs)
    assert cd.check(derivation).verdict is Verdict.PROVED
    generator = np.random.default_rng(3)
    draws = [LAWS[law].rvs(200_000, random_state=generator) for law in (first, second)]
    cost = np.maximum(*draws) if which == "max" else np.minimum(*draws)
    paid = np.where(cost / (cost + 1) >= 0.45, 1.0, 0)
    assert cd.numeric.compile(derivation.rule).loss1(0.45) == pytest.approx(paid.mean(), abs=6e-3)


def test_the_greatest_of_three() -> None:
    parts = {"a": "weibull(2, 1)", "b": "exponential(1)", "c": "uniform(0, 2)"}
    derivation = cd.derive(cd.costs_of_parts("max(a, b, c, 1/2)", "1", parts=parts))
    assert cd.check(derivation).verdict is Verdict.PROVED
    generator = np.random.default_rng(3)
    draws = generator.weibull(2, 400_000), generator.exponential(1, 400_000), generator.uniform(0, 2, 400_000)
    cost = np.maximum(np.maximum.reduce(draws), 0.5)
    compiled = cd.numeric.compile(derivation.rule)
    for at in (0.4, 0.6):
        paid = np.where(cost / (cost + 1) < at, cost, 0)
        assert compiled.loss0(at) == pytest.approx(paid.mean(), abs=4e-3)


# ---- the product rule


def test_the_product_rule_gives_no_more_than_it_has() -> None:
    letter = Symbol("x", positive=True)
    on = Interval(letter, S.One, oo)
    assert by_product_rule(exp(-letter) + exp(-(letter**2)), on) is None
    assert by_product_rule(exp(-letter), on) is None
    assert by_product_rule(log(letter) * exp(-letter) - exp(-letter), on) is None


def test_three_factors() -> None:
    letter = Symbol("x", positive=True)
    whole = (1 - exp(-letter)) * (1 - exp(-sqrt(letter))) * (1 - 1 / (1 + letter))
    factors = whole.args
    slope = sum(factor.diff(letter) * whole / factor for factor in factors)
    found = by_product_rule(slope, Interval(letter, S.Zero, oo))
    assert found is not None
    assert (found - whole).simplify() == 0


# ---- incomplete Beta functions are between 0 and the whole


def test_incomplete_beta_functions_have_bounds() -> None:
    a, b, on = Rational(3, 2), Rational(5, 2), Interval(x, S.Zero, S.One)
    whole = gamma(a) * gamma(b) / gamma(a + b)
    assert positive(whole - betainc(a, b, 0, x), on)
    assert nonnegative(betainc(a, b, 0, x), on)


@pytest.mark.parametrize(
    "expr",
    [
        pi / 16 - Rational(1, 1000) - betainc(Rational(3, 2), Rational(5, 2), 0, x),
        pi / 16 - betainc(Rational(3, 2), Rational(5, 2), 0, 2 * x),
        pi / 16 - betainc(Rational(3, 2), Rational(5, 2), -1, x),
        pi / 16 - 2 * betainc(Rational(3, 2), Rational(5, 2), 0, x),
    ],
)
def test_no_bound_that_does_not_hold_is_believed(expr: object) -> None:
    assert not positive(expr, Interval(x, S.Zero, S.One))


# ---- constants that are integrals are written, not evaluated


def never() -> Integral:
    """Return a constant of which no quadrature ends soon."""
    return Integral(exp(-(x**3)) * exp(exp(x)) / (1 + exp(exp(x)) * 10**9) ** 40, (x, 1, oo))


def test_constants_are_written_and_stay() -> None:
    p = Symbol("p")
    total = p**2 + p * never() + never()
    assert "Integral" in str(unevaluated(total))
    terms = ordered_terms(total)
    assert sum(terms) == total
    assert terms[0] == p**2
