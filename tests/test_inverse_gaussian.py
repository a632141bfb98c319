"""Costs with an inverse Gaussian law: closed forms by error functions, against quadrature of the definition."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import integrate, stats

import costderive as cd

LAW = cd.laws.Density("sqrt(l/(2*pi*x^3))*exp(-l*(x - m)^2/(2*m^2*x))", (0, "oo"))
MEAN, SHAPE, KNOWN = 1.5, 3.0, 2.0
COST = stats.invgauss(MEAN / SHAPE, scale=SHAPE)


@cache
def with_known_cost() -> cd.Derivation:
    return cd.derive(cd.Independent(c0=LAW, c1="c"))


def test_an_inverse_gaussian_cost_beside_a_known_one_is_closed_and_proved() -> None:
    assert with_known_cost().rule.closed_form
    cd.check(with_known_cost()).require_proved()


@pytest.mark.parametrize("report", [0.07, 0.4375, 0.62, 0.93])
def test_its_losses_are_those_of_quadrature(report: float) -> None:
    rule = with_known_cost().rule.at(m="3/2", l=3, c=2)
    loss = cd.numeric.compile(rule)
    top = KNOWN * report / (1 - report)
    loss0 = integrate.quad(lambda x: x * COST.pdf(x), 0, top, epsabs=1e-13)[0]
    assert float(loss.loss0(report)) == pytest.approx(loss0, rel=1e-9)
    assert float(loss.loss1(report)) == pytest.approx(KNOWN * COST.sf(top), rel=1e-9)


def test_beside_a_uniform_cost_it_is_closed_and_proved_too() -> None:
    law = cd.laws.Density("exp(-(x - 1)^2/(2*x))/sqrt(2*pi*x^3)", (0, "oo"))
    derivation = cd.derive(cd.Independent(c0=law, c1=cd.laws.uniform(0, 2)))
    cd.check(derivation).require_proved()
    report, cost = 0.4375, stats.invgauss(1)
    odds = report / (1 - report)
    loss1 = integrate.quad(lambda y: y / 2 * cost.sf(y * odds), 0, 2, epsabs=1e-13)[0]
    assert derivation.rule.closed_form
    assert float(cd.numeric.compile(derivation.rule).loss1(report)) == pytest.approx(loss1, rel=1e-9)


def test_far_from_the_threshold_the_losses_are_the_expected_costs() -> None:
    loss = cd.numeric.compile(with_known_cost().rule.at(m="3/2", l=3, c=2))
    assert float(loss.loss0(1.0)) == pytest.approx(MEAN)
    assert np.isclose(float(loss.loss1(0.0)), KNOWN)
