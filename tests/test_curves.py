"""Curves: the area under each is the score, by quadrature of its own; reliability, ROC, net benefit."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import sympy
from sklearn.metrics import confusion_matrix, roc_auc_score

import costderive as cd
from costderive.core.errors import DataError
from costderive.evaluate import (
    Scores,
    cheapest,
    constant_curves,
    cost_curves,
    optimal_curves,
    reliabilities,
    rocs,
    score,
    threshold_for,
)

CONTEXTS = {
    "Brier curve": cd.Additive(),
    "log-loss curve": cd.Harmonic(budget=1),
    "geometric": cd.Geometric(),
    "Euclidean": cd.PowerMean(2),
    "rectangle": cd.IndependentUniform(c0=(1, 10), c1=(1, 2)),
    "atom": cd.FixedCosts(c0=1, c1=3),
    "mixture": cd.Mixture(("1/4", cd.FixedCosts(c0=1, c1=3)), ("3/4", cd.Additive())),
}
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def predictions() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    generator = np.random.default_rng(8)
    logit = generator.normal(-0.5, 1.5, 120)
    y = (generator.random(120) < 1 / (1 + np.exp(-logit))).astype(int)
    # a tie at the threshold of the known costs, 1/4, and ties elsewhere
    first = np.concatenate([np.round(1 / (1 + np.exp(-logit[:-2])), 2).clip(0.01, 0.99), [0.25, 0.25]])
    return y, {"first": first, "second": 1 / (1 + np.exp(0.3 - 2 * logit))}


Y, MODELS = predictions()


@cache
def scores(name: str, prevalence: float | None = None) -> Scores:
    return score(CONTEXTS[name], Y, MODELS, prevalence=prevalence)


def integral(function, edges: np.ndarray) -> float:  # type: ignore[no-untyped-def]
    """Gauss-Legendre in the angle x, s = sin(x)^2, between edges: roots at the ends of [0, 1] do no harm."""
    angles = np.arcsin(np.sqrt(edges))
    low, high = angles[:-1, None], angles[1:, None]
    x = (low + high) / 2 + (high - low) / 2 * NODES
    values = function(np.sin(x) ** 2) * 2 * np.sin(x) * np.cos(x)
    return float((values * WEIGHTS * (high - low) / 2).sum())


@pytest.mark.parametrize(
    ("name", "prevalence"), [*((name, None) for name in CONTEXTS), ("log-loss curve", 0.1), ("mixture", 0.1)]
)
def test_the_area_under_a_cost_curve_is_the_score(name: str, prevalence: float | None) -> None:
    found = scores(name, prevalence)
    rule = found.rule.rule
    weight = sympy.lambdify(cd.symbols.s, rule.weight, "numpy")
    breaks = [float(x) for x in rule.measures[0].density.breaks]
    for row, curve in zip(found, cost_curves(found), strict=True):
        edges = np.unique([*curve.edges, *breaks])
        total = integral(lambda s, q=curve.elementary: q(s) * weight(s), edges)
        total += sum(float(a.mass) * _elementary(row.model, float(a.at), found) for a in rule.atoms)
        assert curve.area == pytest.approx(row.loss, rel=1e-12)
        assert total == pytest.approx(row.loss, rel=1e-12)
        if not rule.atoms:
            assert integral(curve, edges) == pytest.approx(row.loss, rel=1e-12)


def _elementary(model: str, s: float, found: Scores) -> float:
    """Q(s), counted from the predictions."""
    above = MODELS[model] > s
    return (
        found.proportions[0] * s * above[Y == 0].mean()
        + found.proportions[1] * (1 - s) * (~above[Y == 1]).mean()
    )


def test_elementary_scores_are_counted_right() -> None:
    found = scores("Brier curve", 0.1)
    places = np.concatenate([np.linspace(0, 1, 101), MODELS["first"]])
    for curve in cost_curves(found):
        wanted = [_elementary(curve.name, s, found) for s in places]
        assert curve.elementary(places) == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize("name", CONTEXTS)
def test_the_area_under_the_optimal_curve_is_the_recalibrated_score(name: str) -> None:
    found = scores(name)
    for row, curve in zip(found, optimal_curves(found), strict=True):
        assert curve.area == pytest.approx(row.recalibrated, rel=1e-12)


def test_the_optimal_curve_is_the_lower_envelope_over_all_thresholds() -> None:
    found = scores("Brier curve")
    s = np.linspace(0.003, 0.997, 200)
    for curve in optimal_curves(found):
        p = MODELS[curve.name]
        lines = [
            (np.outer(s, (p > t) & (Y == 0)) + np.outer(1 - s, (p <= t) & (Y == 1))).mean(axis=1)
            for t in (-1.0, *p)
        ]
        assert curve.elementary(s) == pytest.approx(np.min(lines, axis=0), abs=1e-14)


def test_always_deciding_for_one_class_costs_what_the_other_is_worth() -> None:
    found = scores("rectangle")
    never, always = constant_curves(found)
    assert never.area == pytest.approx(found.proportions[1] * 1.5, rel=1e-12)  # E[c1] = 3/2
    assert always.area == pytest.approx(found.proportions[0] * 5.5, rel=1e-12)  # E[c0] = 11/2


def test_net_benefit_is_that_of_the_confusion_matrix_and_gives_the_score() -> None:
    found = scores("Brier curve")
    for row, curve in zip(found, cost_curves(found), strict=True):
        for t in (0.05, 0.25, 0.7):
            (_, false), (_, true) = confusion_matrix(Y, MODELS[row.model] > t)
            assert curve.net_benefit(t) == pytest.approx((true - false * t / (1 - t)) / len(Y), rel=1e-12)
        total = integral(lambda s, b=curve.net_benefit: 2 * (1 - s) * (Y.mean() - b(s)), curve.edges)
        assert total == pytest.approx(row.loss, rel=1e-12)


def test_above_a_threshold_of_1_there_is_nothing_to_gain_or_lose() -> None:
    found = score(cd.Additive(), [0, 1, 1], {"sure": [1.0, 1.0, 0.5]})
    for curve in (*cost_curves(found), *constant_curves(found)):
        assert curve.net_benefit([1.0, 1]).tolist() == [0, 0]
    (sure,) = cost_curves(found)
    assert float(sure.net_benefit(0.0)) == pytest.approx(2 / 3)
    assert float(sure.net_benefit(0.75)) == pytest.approx(1 / 3 - 3 / 3)


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_loss_is_miscalibration_less_discrimination_plus_uncertainty(name: str) -> None:
    found = scores(name)
    for row, each in zip(found, reliabilities(found), strict=True):
        assert min(each.miscalibration, each.discrimination, each.uncertainty) >= -1e-15
        total = each.miscalibration - each.discrimination + each.uncertainty
        assert total == pytest.approx(row.loss, rel=1e-12)
        assert len(each.recalibrated) == len(np.unique(MODELS[row.model]))
        assert (np.diff(each.recalibrated) >= 0).all()
        assert each.weight @ each.recalibrated == pytest.approx(Y.mean(), rel=1e-12)


def test_the_roc_is_that_of_scikit_learn_and_its_hull_is_above() -> None:
    found = scores("Brier curve")
    for curve, hull in zip(rocs(found), rocs(found, hull=True), strict=True):
        assert curve.area == pytest.approx(roc_auc_score(Y, MODELS[curve.name]), rel=1e-12)
        assert hull.area > curve.area


def test_one_class_has_cost_curves_and_no_rates() -> None:
    found = score(cd.Additive(), [0, 0], {"m": [0.25, 0.75]})
    assert cost_curves(found)[0].area == found[0].loss
    for undefined in (reliabilities, rocs):
        with pytest.raises(DataError, match="all 2 instances are of class 0"):
            undefined(found)


def test_the_cheapest_model_is_the_one_with_the_lowest_elementary_score() -> None:
    found = scores("Brier curve")
    parts = cheapest(found)
    assert parts[0].low == 0 and parts[-1].high == 1 and len(parts) > 2
    for part, after in pairwise(parts):
        assert part.high == after.low and part.model != after.model
    for part in parts:
        for s in np.linspace(part.low, part.high, 7)[1:-1]:
            each = {model: _elementary(model, s, found) for model in MODELS}
            assert each[part.model] <= min(each.values()) + 1e-15


def test_lines_that_cross_between_predictions_change_places_there() -> None:
    """Always 0 costs (1 - s)/3 and always 1 costs 2s/3: they cross at 1/3, where neither predicts anything."""
    found = score(cd.Additive(), [0, 0, 1], {"never": [0.0] * 3, "always": [1.0] * 3})
    first, second = cheapest(found)
    assert (first.model, second.model) == ("always", "never")
    assert first.high == pytest.approx(1 / 3, rel=1e-15)


def test_predictions_a_unit_in_the_last_place_apart_are_compared() -> None:
    near = np.nextafter(1.0, 0.0)
    found = score(cd.Additive(), [0, 1, 1], {"a": [0.1, near, 1.0], "b": [0.1, 0.5, near]})
    assert cheapest(found)[0].model == "a" and cheapest(found)[-1].high == 1


def test_the_threshold_for_all_costs_is_the_cheapest_fixed_one() -> None:
    """Against the expected cost of every fixed threshold on calibrated predictions, which are dense."""
    context = cd.Additive(density="beta(2,1)")  # E[c0] = 4/3, E[c1] = 2/3
    p = (np.arange(2000) + 0.5) / 2000
    cost = [((p > t) * (1 - p) * 4 / 3 + (p <= t) * p * 2 / 3).mean() for t in p]
    assert threshold_for(context) == pytest.approx(p[int(np.argmin(cost))], abs=1 / 1000)
    with pytest.raises(DataError, match="both expected costs are infinite"):
        threshold_for(cd.Harmonic())
