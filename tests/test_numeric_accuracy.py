"""Compiled losses and derivatives are within four units in the last place of 50 exact digits."""

from __future__ import annotations

import math
from functools import cache

import mpmath
import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.logistic import logistic, logistic_of_one
from costderive.numeric.one_number import DOUBT
from costderive.numeric.point_pairs import missing_of_one
from tests.accuracy import TRIED, exact, gallery, ulps, worst, worst_of_arguments

MOST = 4.0  # ulp, the promise
OTHERS = {
    "square roots": cd.PowerMean("1/2"),
    "steep": cd.PowerMean(-2),
    "exponential": cd.Independent(c0=cd.laws.exponential(1), c1=cd.laws.exponential(3)),
    "gamma": cd.Independent(c0=cd.laws.gamma(2), c1=cd.laws.gamma("1/2")),
    "a jump": cd.Mixture(("1/3", cd.FixedCosts(c0=1, c1=2)), ("2/3", cd.PowerMean("oo"))),
}


@cache
def compiled(name: str) -> CompiledLoss:
    return compile(gallery_rules()[name] if name in TRIED else cd.derive(OTHERS[name]))


@cache
def gallery_rules() -> dict[str, cd.rule.ScoringRule]:
    return gallery(TRIED)


@pytest.mark.parametrize("name", (*TRIED, *OTHERS))
def test_losses_and_derivatives_are_within_four_ulp(name: str) -> None:
    found = worst(compiled(name).rule, compiled(name), count=40, seed=len(name))
    assert {quantity: (error, at) for quantity, (error, at) in found.items() if not error <= MOST} == {}


def last_piece(name: str, label: int):
    """Return the loss above the last breakpoint as a function of an mpmath number."""
    case = gallery_rules()[name].only_case
    return sympy.lambdify(cd.symbols.p, (case.loss0, case.loss1)[label].pieces[-1].value, "mpmath")


@pytest.mark.parametrize("name", TRIED)
def test_a_complement_keeps_the_digits_that_p_has_lost(name: str) -> None:
    losses = compiled(name).loss0, compiled(name).loss1
    for r in (5e-324, 1e-300, 1e-40, 1.1e-16, 1e-9, 1e-3):
        for label, loss in enumerate(losses):
            with mpmath.workdps(1400):
                wanted = last_piece(name, label)(1 - mpmath.mpf(r))
            assert ulps(loss(complement=r), wanted) <= MOST


@pytest.mark.parametrize("name", TRIED)
def test_a_logit_reaches_where_p_cannot(name: str) -> None:
    losses = compiled(name).loss0, compiled(name).loss1
    for logit in (700.0, 300.0, 40.0, 36.1, 9.0, 2.0):
        for label, loss in enumerate(losses):
            with mpmath.workdps(1400):
                wanted = last_piece(name, label)(1 / (1 + mpmath.exp(-mpmath.mpf(logit))))
            assert ulps(loss(logit=logit), wanted) <= MOST


@pytest.mark.parametrize("kind", ["loss", "slope"])
@pytest.mark.parametrize("name", ("additive", "inverse-score", "maximum", "exponential"))
def test_complements_and_logits_are_as_accurate_as_probabilities(name: str, kind: str) -> None:
    loss = compiled(name)
    found = worst_of_arguments(loss.rule, loss, kind, count=5)
    assert {argument: error for argument, error in found.items() if not error[0] <= MOST} == {}


def test_a_power_of_a_complement_above_one_is_right() -> None:
    loss = compiled("exponential")
    for r in (1e-300, 1e-170, 1e-20, 1e-17, 3e-16, 1e-12, 1e-8):
        for label, function in enumerate((loss.loss0, loss.loss1)):
            with mpmath.workdps(1400):
                wanted = exponential(label, 1 - mpmath.mpf(r))
            assert ulps(function(complement=r), wanted) <= MOST
    assert loss.loss1(complement=1e-20) == pytest.approx(1e-40 / 3, rel=1e-15)


def exponential(label: int, p: mpmath.mpf) -> mpmath.mpf:
    """Integrate costs of means 1 and 3: with P(c0 (1 - p) < c1 p | c1) in closed form."""
    if label == 0:  # E[c0; c0 (1-p) < c1 p] for c0 ~ exp(1), c1 ~ exp(3): c1 > c0 (1-p)/p
        return 1 / (1 + (1 - p) / (3 * p)) ** 2
    return 3 / (1 + 3 * p / (1 - p)) ** 2  # E[c1; c0 > c1 p/(1-p)]


def test_a_breakpoint_belongs_to_the_same_piece_however_it_is_given() -> None:
    jump = compile(cd.derive(cd.FixedCosts(c0=1, c1=3)))  # a jump at 1/4: at it the decision is class 0
    assert jump.loss0(0.25) == jump.loss0(complement=0.75) == 0.0
    assert jump.loss0(complement=math.nextafter(0.75, 0)) == 1.0
    at = math.log(1 / 3)  # a double a little above or below the logit
    is_above = mpmath.mpf(at) > mpmath.log(mpmath.mpf(1) / 3)
    assert (jump.loss0(logit=at) == 1.0) == is_above
    assert jump.loss0(logit=math.nextafter(at, -math.inf if is_above else math.inf)) == float(not is_above)
    far = compile(cd.derive(cd.FixedCosts(c0=10**20, c1=1)))  # a jump that no double p can separate from 1
    assert far.loss1(complement=2e-20) == far.loss1(logit=45.0) == 1.0
    assert far.loss1(complement=0.5e-20) == far.loss1(logit=47.0) == 0.0


@pytest.mark.parametrize("name", TRIED)
def test_both_ends_have_one_value_however_they_are_given(name: str) -> None:
    loss = compiled(name)
    for p, r, z in ((0.0, 1.0, -math.inf), (1.0, 0.0, math.inf)):
        for method in (loss.per_sample, loss.gradient):
            found = [
                method([0, 1], **{key: [x, x]})
                for key, x in (("y_proba", p), ("complement", r), ("logit", z))
            ]
            assert (found[0] == found[1]).all() and (found[0] == found[2]).all()


def test_logits_are_read_to_sixty_binary_digits() -> None:
    generator = np.random.default_rng(2)
    z = -np.concatenate([generator.uniform(0, 1, 300), generator.uniform(0, 700, 300), [0.0, 1e-300, 5e-324]])
    for logit, p, rest in zip(z, *logistic(z), strict=True):
        with mpmath.workdps(60):
            wanted = 1 / (1 + mpmath.exp(-mpmath.mpf(logit)))
            assert abs(mpmath.mpf(p) * (1 + mpmath.mpf(rest)) - wanted) <= wanted * mpmath.mpf(2) ** -59
        assert ulps(p, wanted) < 0.51
        assert logistic_of_one(logit) == (p, rest)
        assert abs(missing_of_one(logit, p, rest) - rest) < DOUBT


def test_a_logit_reaches_where_the_table_of_an_integral_did_not() -> None:
    loss = compile(cd.derive(cd.PowerMean(5), time_limit=2.0))
    most = loss.loss0(1.0)
    for logit in (37.0, 100.0, 300.0):
        near = math.exp(-logit)  # close to 1 - p, and c1 is then close to 2^(1/5) (1 - s)
        assert loss.loss0(logit=logit) == pytest.approx(most, rel=1e-15)
        assert loss.loss1(logit=logit) == pytest.approx(2 ** (1 / 5) * near**2 / 2, rel=1e-13)


@pytest.mark.parametrize("name", ["additive", "harmonic", "geometric", "inverse-score"])
def test_derivatives_in_the_logit_follow_from_those_in_p(name: str) -> None:
    loss, truth = compiled(name), exact(gallery_rules()[name])
    for x in (5e-324, 1e-300, 1e-8, 0.1, 0.37, 0.5, 0.7, 1 - 1e-8):
        for label in (0, 1):
            with mpmath.workdps(700):
                p, slope, curvature = mpmath.mpf(x), truth[f"slope{label}"](x), truth[f"curvature{label}"](x)
                first, second = (
                    p * (1 - p) * slope,
                    p * (1 - p) * ((1 - 2 * p) * slope + p * (1 - p) * curvature),
                )
            assert ulps(loss.gradient([label], [x], wrt="logit")[0], first) <= MOST
            assert ulps(loss.hessian([label], [x], wrt="logit")[0], second) <= MOST


def test_the_log_loss_has_the_gradient_of_logistic_regression() -> None:
    log, logits = compiled("harmonic"), np.array([-800.0, -30.0, 0.0, 2.0, 30.0, 800.0])
    p = 1 / (1 + np.exp(-np.clip(logits, -700, 700)))
    for label in (0, 1):
        labels = np.full(len(logits), label)
        gradient = log.gradient(labels, logit=logits, wrt="logit")  # of half the log loss: (p - y)/2
        assert gradient == pytest.approx((p - label) / 2, rel=1e-15, abs=1e-13)
        assert log.hessian(labels, logit=logits, wrt="logit") == pytest.approx(p * (1 - p) / 2, abs=1e-13)


def test_the_mean_of_many_equal_losses_is_one_of_them() -> None:
    loss, rows = compiled("inverse-score"), 10**7
    y, p = np.broadcast_to(np.array(True), rows), np.broadcast_to(np.array(0.1), rows)
    assert loss(y, p) == pytest.approx(loss.loss1(0.1), rel=1e-15)


def test_the_mean_of_losses_of_all_sizes_loses_no_digits() -> None:
    generator, log = np.random.default_rng(1), compiled("harmonic")
    y, p = generator.random(300_000) < 0.5, 10.0 ** -generator.uniform(0, 300, 300_000)
    assert log(y, p) == pytest.approx(math.fsum(log.per_sample(y, p)) / len(p), rel=1e-15)


def test_another_closed_form_takes_over_where_one_loses_digits() -> None:
    loss = compile(gallery(["rectangle-first-order"])["rectangle-first-order"], time_limit=None)
    parts = [part for part in loss.plan if part.function == "loss0" and 0.33 < part.low < 0.57]
    assert [part.method for part in parts] == ["closed form", "closed form"]
    assert max(part.ulps for part in parts) <= MOST
