"""Letters in a heavy tail: what they must satisfy for the expected costs to be finite, and means in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import mpmath
import pytest
import sympy

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import parameter
from costderive.costs.contexts.context import Context
from costderive.costs.laws import law_of, x
from costderive.proof.claims import Verdict

k, m = parameter("k"), parameter("m")
parts = cd.costs_of_parts

ASKED: list[tuple[Callable[[], Context], sympy.Expr]] = [
    (partial(cd.Additive, budget="pareto(k, 1)"), k - 1),
    (partial(cd.Geometric, mean="burr(2, k, 1)"), 2 * k - 1),
    (partial(cd.PowerMean, 2, mean="betaprime(2, k)"), k - 1),
    (partial(cd.CommonFactor, "lomax(k, 3)", cd.FixedCosts(1, 2)), k - 1),
    (partial(cd.Curve, "x^2", "x^2 + 1", "pareto(k, 1)"), k - 2),
    (partial(cd.Curve, "x", "x^2", "pareto(k, 1)"), k - 1),
    (partial(cd.Curve, "1/x", "1 + 1/x", "beta(k, 2)"), k - 1),
    (partial(parts, "b*a", "2*b", parts={"b": "pareto(k, 1)", "a": "uniform(0, 1)"}), k - 1),
    (partial(cd.Joint, "k*(k + 1)*(1 + c0 + c1)^(-k - 2)", "c0 > 0"), k - 1),
    (partial(cd.Joint, "4*k*(1 + c0^2 + c1^2)^(-k - 1)/pi", "c0 > 0"), 2 * k - 1),
    (partial(cd.Joint, "k*c0^(-k - 2)", "c0 > 1 and c1 < c0"), k - 1),
    (partial(cd.Independent, "pareto(k, 1)", "lomax(m, 1)"), k + m - 1),
    (partial(cd.Copula, "fgm", "1/2", c0="pareto(k, 1)", c1="pareto(m, 1)"), k + m - 1),
]


@pytest.mark.parametrize(("context", "fact"), ASKED)
def test_a_context_asks_that_the_smaller_cost_has_a_mean(
    context: Callable[[], Context], fact: sympy.Expr
) -> None:
    assert fact in context().given().positive


@pytest.mark.parametrize(
    "context",
    [
        partial(cd.Additive, budget="gamma(k, 1)"),
        partial(cd.Independent, "pareto(k, 1)", "uniform(0, 1)"),
        partial(cd.Curve, "x", "1", "pareto(k, 1)"),
        partial(cd.Joint, "k*c0^(-k - 1)", "c0 > 1 and c1 < 1"),
        partial(cd.Additive, budget="pareto(3, a)"),
    ],
)
def test_nothing_is_asked_where_the_smaller_cost_has_a_mean_anyway(context: Callable[[], Context]) -> None:
    assert context().given().positive == ()


MEANS = [
    ("pareto(k, m)", {"k": 2.5, "m": 0.7}),
    ("lomax(k, m)", {"k": 2.5, "m": 0.3}),
    ("burr(m, k, l)", {"k": 2.5, "m": 1.7, "l": 1.2}),
    ("dagum(k, m, a)", {"k": 2.5, "m": 1.3, "a": 2.0}),
    ("loglogistic(a, k)", {"k": 2.5, "a": 3.0}),
    ("betaprime(a, b, d)", {"a": 1.3, "b": 2.2, "d": 3.0}),
    ("frechet(k, a)", {"k": 2.2, "a": 2.0}),
    ("invgamma(k, a)", {"k": 2.2, "a": 2.0}),
    ("weibull(k, a)", {"k": 1.7, "a": 3.0}),
    ("gengamma(k, m, a)", {"k": 1.7, "m": 2.3, "a": 2.0}),
    ("betaprime(3/2, 7/3)", {}),
]


@pytest.mark.parametrize(("text", "values"), MEANS)
def test_the_mean_of_a_law_with_letters_is_closed_and_that_of_its_density(
    text: str, values: dict[str, float]
) -> None:
    law = law_of(text, "context.c0")
    mean, at = law.mean(law.with_mean()), {parameter(name): value for name, value in values.items()}
    assert not mean.has(sympy.Integral)
    (spread,) = law.spreads
    moment = sympy.lambdify(x, (x * spread.density).subs(at), "mpmath")
    low = float(spread.low.subs(at))
    found = mpmath.quad(moment, [low, low + 1, 5, 20, 1000, mpmath.inf])
    assert math.isclose(float(mean.subs(at)), found, rel_tol=1e-6)


def test_without_the_fact_the_mean_is_no_number() -> None:
    law = law_of("pareto(k, 1)", "context.c0")
    assert law.mean().has(sympy.Integral)
    assert law.mean(Given((k - 1,))) == k / (k - 1)


PROVED: list[tuple[Callable[[], Context], sympy.Expr]] = [
    (partial(cd.Additive, budget="pareto(k, 1)"), k * sympy.Symbol("p", positive=True) ** 2 / (2 * (k - 1))),
    (
        partial(cd.Joint, "k*(k + 1)*(1 + c0 + c1)^(-k - 2)", "c0 > 0"),
        sympy.Symbol("p", positive=True) ** 2 / (k - 1),
    ),
]


@pytest.mark.parametrize(("context", "loss"), PROVED)
def test_the_rule_is_closed_and_proved_where_costs_have_means(
    context: Callable[[], Context], loss: sympy.Expr
) -> None:
    derivation = cd.derive(context())
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert sympy.simplify(derivation.rule.loss0 - loss) == 0
    with pytest.raises(SpecError, match="k - 1 is not positive for k = 1/2"):
        derivation.rule.at(k="1/2")


def test_a_curve_whose_losses_join_where_a_power_vanishes_by_what_is_given_is_proved() -> None:
    derivation = cd.derive(cd.Curve("x", "x + 1", "pareto(k, 1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss = cd.numeric.compile(derivation.rule.at(k=3))
    expected = mpmath.quad(lambda cost: cost * 3 * cost**-4, [1, mpmath.mpf("0.45") / mpmath.mpf("0.1")])
    assert math.isclose(loss.loss0(0.45), expected, rel_tol=1e-12)


def test_all_numbers_of_one_letter_at_which_a_form_changes_are_cases() -> None:
    derivation = cd.derive(cd.Independent("pareto(k, 1)", "uniform(0, 1)"))
    assert len(derivation.cases) == 5
    assert cd.check(derivation).verdict is Verdict.PROVED
    for shape in (0.5, 1, 1.5, 2, 3):
        loss = cd.numeric.compile(derivation.rule.at(k=sympy.Rational(shape)))
        expected = mpmath.quad(
            lambda cost, a=shape: a * cost**-a * (1 - cost / 4), [1, 4]
        )  # c1 > c0/4, p = 4/5
        assert math.isclose(loss.loss0(0.8), expected, rel_tol=1e-12)
