"""Losses with integrals, and those that would take too long, have tables whose error is measured and stated."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

import costderive as cd
from costderive.numeric import compiling
from costderive.numeric.loss_functions import compiled
from costderive.numeric.point_pairs import Points

POINTS = (1e-9, 0.02, 0.3, 0.5, 0.77, 0.999)


@pytest.fixture(scope="module")
def normal_and_exponential() -> cd.rule.ScoringRule:
    """The weight of log-normal costs beside exponential ones has no closed form."""
    return cd.derive(cd.Independent("lognormal(0,1)", "exponential(1)")).rule


def weight(p: float) -> float:
    """Integrate ``c1^2 f0(u c1) f1(c1)/(1 - p)^3`` over c1, u being the odds."""
    u = p / (1 - p)

    def inside(z: float) -> float:
        c1 = np.exp(z)
        return float(c1**2 * np.exp(-(np.log(u * c1) ** 2) / 2 - c1) / (u * np.sqrt(2 * np.pi)))

    middle = -np.log(u)
    return (
        quad(inside, middle - 12, middle + 12, points=[middle], epsabs=0, epsrel=1e-12, limit=400)[0]
        / (1 - p) ** 3
    )


def test_slopes_of_a_weight_that_is_an_integral_are_those_of_quadrature(
    normal_and_exponential: cd.rule.ScoringRule,
) -> None:
    loss = cd.numeric.compile(normal_and_exponential, time_limit=None)
    for p in (0.02, 0.3, 0.77):
        w = weight(p)
        assert loss.gradient([0, 1], [p, p]) == pytest.approx([p * w, -(1 - p) * w], rel=1e-10)
    assert all(part.ulps is not None and part.ulps < 4 for part in loss.plan)
    assert "was compared with exact values at points that are not used" in str(loss.plan)


@pytest.mark.parametrize("label", [0, 1])
def test_a_rough_table_is_within_the_error_that_its_plan_states(label: int) -> None:
    losses = compiling.in_numbers(cd.derive(cd.IndependentUniform((0, 1), (0, 1))).rule)
    rough = compiled(losses, label, is_rough=True)
    points = np.array(POINTS)
    exact = cd.numeric.compile(cd.derive(cd.IndependentUniform((0, 1), (0, 1)))).per_sample(
        np.full(len(points), label), points
    )
    off = abs(rough(Points.of(points)) - exact) / np.spacing(exact)
    stated = max(segment.part.ulps or 0.0 for segment in rough.segments)
    assert 0 < off.max() <= stated < 2.0**30
    assert all("would take too long" in segment.part.why for segment in rough.segments)


def test_what_takes_too_long_becomes_a_rough_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    monkeypatch.setattr(compiling, "CLOSELY", 0.01)
    loss = cd.numeric.compile(cd.derive(cd.Independent("gamma(2,1)", "uniform(1,2)")))
    assert "certified tables would take too long" in str(loss.plan)
    p = mpmath.mpf("0.3")
    u = float(p / (1 - p))
    expected = quad(lambda c1: float(mpmath.gammainc(3, 0, u * c1)), 1, 2, epsrel=1e-12)[0]
    assert loss.loss0(float(p)) == pytest.approx(expected, rel=1e-9)
