"""Frozen laws of SciPy: each is read as the law whose distribution function SciPy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import costderive as cd
from costderive.core.errors import SpecError
from costderive.costs import laws
from costderive.costs.laws import law_of
from costderive.costs.laws.quadrature import compiled
from costderive.costs.laws.scipy_laws import READ
from costderive.costs.read_threshold import threshold_from
from costderive.proof.claims import Verdict

FROZEN: dict[str, Any] = {
    "uniform": stats.uniform(1, 3),
    "expon": stats.expon(loc=2, scale=0.5),
    "gamma": stats.gamma(2.5, scale=3),
    "beta": stats.beta(2, 3.5, loc=1, scale=4),
    "lognorm": stats.lognorm(0.5, scale=2),
    "weibull_min": stats.weibull_min(1.5, 0, 2),
    "pareto": stats.pareto(b=3, scale=2),
    "triang": stats.triang(0.25, 1, 2),
    "rayleigh": stats.rayleigh(scale=np.float64(1.5)),
    "halfnorm": stats.halfnorm(0, 2),
    "fisk": stats.fisk(3, scale=2),
    "invgamma": stats.invgamma(4, scale=2),
    "arcsine": stats.arcsine(1, 2),
    "lomax": stats.lomax(3, scale=2),
    "betaprime": stats.betaprime(2, 3, scale=2),
    "maxwell": stats.maxwell(scale=2),
    "gompertz": stats.gompertz(0.5, scale=2),
    "invgauss": stats.invgauss(0.75, scale=2),
    "chi2": stats.chi2(5),
    "truncnorm": stats.truncnorm(-1, np.inf, loc=1, scale=0.5),
    "burr": stats.burr(3, 1.5, scale=2),
    "burr12": stats.burr12(2, 3, scale=2),
    "chi": stats.chi(3, scale=2),
    "erlang": stats.erlang(3, scale=2),
    "gengamma": stats.gengamma(2, 3, scale=2),
    "genpareto": stats.genpareto(0.25, scale=2),
    "mielke": stats.mielke(3, 2, scale=2),
    "invweibull": stats.invweibull(2.5, scale=2),
    "levy": stats.levy(scale=2),
    "loguniform": stats.loguniform(1, 5),
    "nakagami": stats.nakagami(1.5, scale=2),
    "powerlaw": stats.powerlaw(1.5, scale=2),
    "reciprocal": stats.reciprocal(2, 3),
}


def test_every_law_that_is_read_is_tried() -> None:
    assert set(FROZEN) == set(READ)


@pytest.mark.parametrize(
    ("shape", "name"), [(0, "exponential(2)"), (-0.5, "beta(1, 2)"), (0.5, "lomax(2, 4)")]
)
def test_a_generalised_pareto_law_is_one_of_three(shape: float, name: str) -> None:
    assert law_of(stats.genpareto(shape, scale=2), "c0") == law_of(name, "c0").scaled(4 if shape < 0 else 1)


@pytest.mark.parametrize("name", FROZEN)
def test_a_law_has_the_probabilities_of_scipy(name: str) -> None:
    frozen = FROZEN[name]
    law = law_of(frozen, "c0")
    for level in (0.1, 0.5, 0.9):
        at = frozen.ppf(level)
        below = 0.0
        for part in law.spreads:
            low, high = float(part.low), min(float(part.high), at)
            if low < high:
                density = compiled(part.density, cd.laws.x)
                below += integrate.quad(
                    lambda v, density=density: float(density(np.array([v]))[0]), low, high
                )[0]
        assert below == pytest.approx(level, abs=1e-7)


def test_a_rule_of_frozen_costs_is_proved() -> None:
    derivation = cd.derive(cd.Independent(fp=2, fn=stats.expon(loc=1, scale=3)))
    assert cd.check(derivation).verdict is Verdict.PROVED


def test_a_rounded_end_is_no_place_of_a_negative_density() -> None:
    assert law_of(cd.laws.triangular("1/3", 1, 2), "c0").negative_at() is None
    assert law_of(cd.Density("18*(x - 1/3)", ("1/3", "2/3")), "c0").negative_at() is None


REFUSED: dict[str, tuple[Any, str]] = {
    "no name here": (stats.norm(5, 1), "norm of scipy.stats"),
    "a count": (stats.poisson(3), "law of counts"),
    "a histogram": (stats.rv_histogram(np.histogram([0.1, 0.5, 0.7])), "has no formula"),
    "a smoothed sample": (stats.gaussian_kde([0.1, 0.5, 0.7]), "has no formula"),
    "negative values": (stats.uniform(-1, 3), "c0"),
    "not a number": (stats.expon(scale=float("nan")), "c0"),
    "a bound below 0": (stats.truncnorm(-3, 1, loc=1), "truncnormal.low = -2 is negative"),
    "rows": (stats.expon(scale=np.array([1.0, 2.0])), "c0"),
    "not frozen": (stats.expon, "scipy.stats"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_laws_are_refused(name: str) -> None:
    frozen, words = REFUSED[name]
    with pytest.raises(SpecError) as refusal:
        law_of(frozen, "c0")
    assert words in str(refusal.value)


def test_a_threshold_may_be_a_frozen_law() -> None:
    assert threshold_from(stats.beta(2, 3)) == threshold_from("beta(2, 3)")
    assert threshold_from(laws.beta(2, 3)) == threshold_from("beta(2, 3)")
    with pytest.raises(SpecError):
        threshold_from(stats.expon())


@pytest.mark.parametrize("support", ["c0^2 + c1^2 >= 1", "c0 - c1 <= 1"])
def test_a_density_that_does_not_fall_off_has_no_total(support: str) -> None:
    with pytest.raises(SpecError, match="no finite total probability"):
        cd.derive(cd.Joint("1", support))
