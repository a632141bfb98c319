"""Pairs of independent costs with rational densities, each in a unit of its own that a letter says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import sympy
from scipy import integrate, stats

import costderive as cd
from costderive.core.piecewise import Given
from costderive.core.symbols import p, parameter
from costderive.deciders.limits import Approach, tail, tends
from costderive.proof.checker import decide
from costderive.proof.claims import Step, Verdict
from costderive.rules import Losses

A, B = parameter("a"), parameter("b")
REPORTS = (0.07, 0.4375, 0.62, 0.8, 0.93)


def lomax(shape: int, scale: str) -> cd.laws.Density:
    return cd.laws.Density(f"{shape}*{scale}^{shape}/({scale} + x)^{shape + 1}", (0, "oo"))


@cache
def derived() -> cd.Derivation:
    return cd.derive(cd.Independent(c0=lomax(2, "a"), c1=lomax(2, "b")))


def expected(report: float, a: float, b: float) -> tuple[float, float]:
    """Integrate the definition: a cost times the chance that the other is on the other side of the threshold."""
    first, second = stats.lomax(2, scale=a), stats.lomax(2, scale=b)
    odds = report / (1 - report)
    loss0 = integrate.quad(lambda x: x * first.pdf(x) * second.sf(x / odds), 0, np.inf, epsabs=1e-13)[0]
    loss1 = integrate.quad(lambda y: y * second.pdf(y) * first.sf(y * odds), 0, np.inf, epsabs=1e-13)[0]
    return loss0, loss1


def test_two_units_have_a_closed_form_that_is_proved() -> None:
    derivation = derived()
    assert derivation.rule.closed_form
    assert cd.check(derivation).require_proved()


@pytest.mark.parametrize(("a", "b"), [(2.0, 0.5), (1.0, 1.0), (0.3, 7.0)])
def test_the_losses_are_those_of_quadrature_at_any_units(a: float, b: float) -> None:
    loss = cd.numeric.compile(derived().rule)
    for report in REPORTS:
        found = float(loss.loss0(report, a=a, b=b)), float(loss.loss1(report, a=a, b=b))
        assert found == pytest.approx(expected(report, a, b), rel=1e-9)  # of the quadrature


def test_next_to_the_odds_of_the_units_no_digits_are_lost() -> None:
    loss, there = cd.numeric.compile(derived().rule), 0.8  # a/(a + b), where the formula is 0/0
    for distance in (0.0, 1e-17, 1e-12, 1e-8, 1e-5, 1e-3):
        near = there + distance
        numbers = cd.numeric.compile(derived().rule.at(a=2, b="1/2"))
        assert float(loss.loss0(near, a=2, b=0.5)) == pytest.approx(float(numbers.loss0(near)), rel=4e-16)
        assert float(loss.loss1(logit=np.log(4 + distance), a=2, b=0.5)) == pytest.approx(
            float(numbers.loss1(logit=np.log(4 + distance))), rel=1e-15
        )


def test_at_equal_units_the_formula_is_0_over_0_at_a_half_and_the_loss_is_its_limit() -> None:
    loss = cd.numeric.compile(derived().rule)
    limit = expected(0.5, 1.0, 1.0)
    assert (float(loss.loss0(0.5, a=1, b=1)), float(loss.loss1(0.5, a=1, b=1))) == pytest.approx(limit)


def test_a_loss_in_the_unit_of_the_other_cost_is_refused() -> None:
    derivation = derived()
    step = next(step for step in derivation.steps if isinstance(step.after, Losses))
    wrong = replace(step.after, loss0=step.after.loss0.map(lambda value: value * B / A))
    verdicts = {
        decide(claim, Given()).verdict for claim in Step(step.move, step.before, wrong).claims(Given())
    }
    assert Verdict.REFUTED in verdicts


AT_UNITS = A / (A + B)
SLOPE = sympy.log(B * p / (A * (1 - p))) / (p * (A + B) - A)


@pytest.mark.parametrize("side", ["+", "-"])
def test_a_limit_at_odds_of_letters_is_decided_and_no_other_value_is_taken_for_it(side: str) -> None:
    approach = Approach(p, AT_UNITS, side)
    assert tends(SLOPE, approach, (A + B) / (A * B))
    assert not tends(SLOPE, approach, (A + B) / A**2)
    assert tends(1 / (p - AT_UNITS), approach, sympy.oo if side == "+" else -sympy.oo)
    assert not tends(1 / (p - AT_UNITS), approach, -sympy.oo if side == "+" else sympy.oo)
    assert tends((p - AT_UNITS) / (1 - p), approach, sympy.S.Zero)


def test_how_fast_an_integrand_grows_at_odds_of_letters_decides_whether_its_integral_is_finite() -> None:
    for power, finite in ((sympy.Rational(1, 2), True), (sympy.S.One, False), (sympy.Integer(2), False)):
        integrand = (p - AT_UNITS) ** -power
        assert (tail(integrand, Approach(p, AT_UNITS, "+")) == 0) is finite


UNITS = {
    "small rates": ("exponential(10^-9)", "uniform(0, 1)", stats.expon(scale=1e-9), stats.uniform()),
    "a wide range": (
        "uniform(1/1000, 10^7)",
        "exponential(10^-6)",
        stats.uniform(1e-3, 1e7 - 1e-3),
        stats.expon(scale=1e-6),
    ),
    "two rates": ("exponential(10^-6)", "gamma(2, 10^3)", stats.expon(scale=1e-6), stats.gamma(2, scale=1e3)),
}


@pytest.mark.parametrize("name", UNITS)
def test_costs_of_very_different_sizes_are_closed_and_proved(name: str) -> None:
    first, second, law0, law1 = UNITS[name]
    derivation = cd.derive(cd.Independent(c0=first, c1=second), time_limit=20)
    cd.check(derivation).require_proved()
    loss = cd.numeric.compile(derivation.rule)
    odds = law0.mean() / law1.mean()
    report = odds / (1 + odds)  # where both decisions cost alike

    def wrong(level: float) -> float:
        cost = law0.ppf(level)
        return float(cost * law1.sf(cost / odds))

    wanted = integrate.quad(wrong, 0, 1, epsabs=0, epsrel=1e-10, limit=200)[0]
    complement = 1 / (1 + odds)
    assert loss([0], complement=[complement]) == pytest.approx(wanted, rel=1e-8), report
