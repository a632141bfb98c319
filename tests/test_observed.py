"""Observed pairs of costs: the empirical rule against brute force, and fits against scipy.stats and the truth."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

import costderive as cd
from costderive.core.errors import CostDeriveError, DataError
from costderive.core.symbols import p
from costderive.evaluate.observed_costs import FITS
from costderive.proof.claims import Verdict

DRAW = np.random.default_rng(7)


def brute(costs: Any, y: Any, report: Any) -> float:
    """Pay c0 for each instance of class 0 above the threshold c0/(c0 + c1), c1 for each of class 1 that is not."""
    total = 0.0
    for c0, c1 in costs:
        above = report > c0 / (c0 + c1)
        total += np.where(y == 1, np.where(above, 0, c1), np.where(above, c0, 0)).mean()
    return total / len(costs)


def test_empirical_rule_is_what_the_mistakes_cost() -> None:
    costs = DRAW.integers(1, 6, (300, 2)).astype(float)  # many ties, also with the reports
    y, report = DRAW.integers(0, 2, 500), DRAW.integers(0, 13, 500) / 12
    assert cd.empirical_rule(costs)(y, report) == pytest.approx(brute(costs, y, report), rel=1e-13)


def test_empirical_rule_is_that_of_the_derived_context() -> None:
    costs = [(1, 3), (2, 1), (1, 1), (5, 1), (2, 6)]
    derivation, rule = cd.derive(cd.empirical_context(costs)), cd.empirical_rule(costs)
    assert cd.check(derivation).verdict is Verdict.PROVED
    for report in (0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0):
        exact = [float(loss.subs(p, report)) for loss in (derivation.rule.loss0, derivation.rule.loss1)]
        assert [rule.loss0(report), rule.loss1(report)] == pytest.approx(exact, abs=1e-15)


def test_a_million_pairs_take_seconds() -> None:
    costs = DRAW.gamma(2.0, 1.0, (10**6, 2))
    start = time.process_time()
    rule = cd.empirical_rule(costs)
    value = rule(DRAW.integers(0, 2, 10**6), DRAW.uniform(size=10**6))
    assert time.process_time() - start < 20  # one second or two on a quiet machine
    assert rule.loss0(1.0) == pytest.approx(costs[:, 0].mean(), rel=1e-12) and value > 0


@pytest.mark.parametrize(
    ("name", "law", "fixed"),
    [
        ("exponential", stats.expon(scale=3), {"floc": 0}),
        ("gamma", stats.gamma(2.5, scale=2), {"floc": 0}),
        ("lognormal", stats.lognorm(0.7, scale=2), {"floc": 0}),
        ("weibull", stats.weibull_min(1.8, scale=3), {"floc": 0}),
        ("halfnormal", stats.halfnorm(scale=2), {"floc": 0}),
        ("rayleigh", stats.rayleigh(scale=2), {"floc": 0}),
    ],
)
def test_fits_are_at_least_as_likely_as_those_of_scipy(name: str, law: Any, fixed: Any) -> None:
    cost = law.rvs(2000, random_state=np.random.default_rng(3))
    parameters, found = FITS[name](cost)
    family = law.dist
    theirs = family.logpdf(cost, *family.fit(cost, **fixed)).sum()
    assert found >= theirs - 1e-3  # scipy's optimiser stops at 1e-8 of the parameters
    shown = {
        "exponential": lambda m: stats.expon(scale=m),
        "gamma": lambda k, m: stats.gamma(k, scale=m),
        "lognormal": lambda m, d: stats.lognorm(d, scale=np.exp(m)),
        "weibull": lambda k, m: stats.weibull_min(k, scale=m),
        "halfnormal": lambda m: stats.halfnorm(scale=m),
        "rayleigh": lambda m: stats.rayleigh(scale=m),
    }[name]
    assert found == pytest.approx(shown(*parameters).logpdf(cost).sum(), rel=1e-9)


def test_the_law_that_made_the_costs_is_found_and_its_rule_derived() -> None:
    costs = np.column_stack([DRAW.exponential(2.0, 4000), DRAW.uniform(1, 3, 4000)])
    fit = cd.fit_context(costs)
    assert abs(fit.correlation) < 0.06  # four standard errors
    assert (fit.c0[0].name in ("exponential", "gamma", "weibull")) and fit.c1[0].name == "uniform"
    assert fit.c0[0].parameters[-1] == pytest.approx(2, rel=0.1)
    assert fit.aic == fit.c0[0].aic + fit.c1[0].aic
    assert [law.aic for law in fit.c0] == sorted(law.aic for law in fit.c0)


def test_a_fitted_context_has_a_proved_rule() -> None:
    costs = np.column_stack([DRAW.uniform(0.5, 2, 500), DRAW.uniform(1, 3, 500)])
    derivation = cd.fit_context(costs).derive()
    assert cd.check(derivation).verdict is Verdict.PROVED
    empirical = cd.empirical_rule(costs)
    found = float(derivation.rule.loss0.subs(p, 0.4))
    assert found == pytest.approx(empirical.loss0(0.4), abs=0.1)  # five standard errors of a mean of 500


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([], "shape"),
        ([1, 2], "shape"),
        ([(1, 2, 3)], "shape"),
        ("abc", "not numbers"),
        ([(1, 2), (1, -1)], r"costs\[1\]"),
        ([(1, 2), (float("nan"), 1)], r"costs\[1\]"),
        ([(0, 1)], r"costs\[0\]"),
        ([(1, float("inf"))], r"costs\[0\]"),
    ],
)
def test_bad_costs_are_refused_with_their_index(costs: Any, message: str) -> None:
    for make in (cd.empirical_rule, cd.empirical_context, cd.fit_context):
        with pytest.raises(CostDeriveError, match=message):
            make(costs)


def test_what_cannot_be_fitted_or_proved_is_refused() -> None:
    with pytest.raises(DataError, match="do not show how c1 varies"):
        cd.fit_context([(1, 2), (2, 2), (3, 2)])
    with pytest.raises(DataError, match="too many"):
        cd.empirical_context(np.ones((51, 2)))
    with pytest.raises(DataError, match=r"p\[1\]"):
        cd.empirical_rule([(1, 2)]).loss0([0.5, 1.5])


# ---- losses of hostile pairs, against fractions


def exactly(costs: Any, reports: Any) -> list[tuple[Fraction, Fraction]]:
    """Return both losses of each report as fractions, by the nearest doubles to the thresholds."""
    pairs = [(Fraction(c0), Fraction(c1)) for c0, c1 in np.asarray(costs).tolist()]
    places = [min(float(c0 / (c0 + c1)), math.nextafter(1, 0)) for c0, c1 in pairs]
    found = []
    for report in reports:
        known = list(zip(pairs, places, strict=True))
        zero = sum((c0 for (c0, _), at in known if report > at), Fraction(0)) / len(pairs)
        one = sum((c1 for (_, c1), at in known if report <= at), Fraction(0)) / len(pairs)
        found.append((zero, one))
    return found


def off(got: float, wanted: Fraction) -> float:
    rounded = float(wanted)
    return 0.0 if got == rounded else float(abs(Fraction(float(got)) - wanted) / Fraction(math.ulp(rounded)))


HOSTILE = {
    "ratios to 1e±300": 10.0 ** DRAW.uniform(-150, 150, (300, 2)),
    "a few large": np.vstack([DRAW.gamma(2, 1, (200, 2)), [(1e9, 1), (1, 1e9), (1e18, 1e18)]]),
    "the end of the range": DRAW.uniform(0.5, 1.79e308, (100, 2)),
    "both ends of the range": np.vstack([DRAW.uniform(1e307, 1.79e308, (40, 2)), [(1e308, 5e-324)] * 3]),
    "subnormal": DRAW.integers(1, 40, (200, 2)) * 5e-324,
    "subnormal beside large": np.where(DRAW.random((200, 2)) < 0.5, 5e-324, 1.7e308),
    "ties": DRAW.integers(1, 4, (200, 1)) * np.array([[3.0, 7.0]]),
    "one": np.array([[1e308, 1e308]]),
}


@pytest.mark.parametrize("costs", HOSTILE.values(), ids=HOSTILE)
def test_empirical_losses_of_hostile_pairs_are_right_to_two_ulp(costs: Any) -> None:
    rule = cd.empirical_rule(costs)
    near = [math.nextafter(at, side) for at in rule.thresholds[::7].tolist() for side in (0, 1)]
    reports = [0.0, 5e-324, 1e-300, 0.3, 0.5, 1 - 2**-53, 1.0, *rule.thresholds[::7].tolist(), *near]
    for report, (zero, one) in zip(reports, exactly(costs, reports), strict=True):
        assert off(rule.loss0(report), zero) <= 2 and off(rule.loss1(report), one) <= 2, report
    assert rule.loss0(0.0) == rule.loss1(1.0) == 0


def test_empirical_thresholds_are_the_nearest_doubles() -> None:
    costs = np.vstack([10.0 ** DRAW.uniform(-3, 3, (3000, 2)), DRAW.integers(1, 99, (3000, 2))])
    wanted = {float(Fraction(c0) / (Fraction(c0) + Fraction(c1))) for c0, c1 in costs.tolist()}
    assert cd.empirical_rule(costs).thresholds.tolist() == sorted(wanted)


def test_the_mean_of_a_million_hostile_pairs_is_that_of_fractions() -> None:
    costs = 10.0 ** DRAW.uniform(-9, 9, (10**6, 2))
    rule = cd.empirical_rule(costs)
    assert rule.loss0(1.0) == pytest.approx(math.fsum(costs[:, 0]) / 10**6, rel=4e-16)
    share = costs[:, 0] / costs.sum(axis=1)
    for report in (0.1, 0.999, 1 - 1e-12):
        wanted = math.fsum(costs[share >= report, 1]) / 10**6
        assert rule.loss1(report) == pytest.approx(wanted, rel=4e-16)


def test_a_mean_of_the_greatest_losses_does_not_overflow() -> None:
    rule = cd.empirical_rule([(1.7e308, 1.7e308)])
    assert rule([0, 0, 1], [0.9, 0.8, 0.1]) == pytest.approx(1.7e308, rel=1e-15)


@pytest.mark.parametrize("costs", [[("1", "2")], np.array([[1j, 2]]), np.ma.masked_less([[1.0, 2.0]], 1.5)])
def test_costs_that_are_no_real_numbers_are_refused(costs: Any) -> None:
    with pytest.raises(DataError, match="costs"):
        cd.empirical_rule(costs)
