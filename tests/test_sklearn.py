"""Metrics and scorers by scikit-learn's conventions: the right sign, the right column, in other processes too."""

from __future__ import annotations

import importlib.util
import inspect
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import costderive as cd
from costderive.core.errors import CostDeriveError, DataError

BRIER = cd.derive(cd.Additive(budget=2))
UNEVEN = cd.numeric.compile(cd.derive(cd.Independent(fp=cd.laws.exponential(1), fn=cd.laws.exponential(9))))
X, BENIGN = load_breast_cancer(return_X_y=True)
NAMES = np.where(BENIGN == 1, "benign", "malignant")


def model() -> object:
    return make_pipeline(StandardScaler(), LogisticRegression())


def negative_brier_scores(y: np.ndarray, folds: int = 3) -> list[float]:
    return [-s for s in cross_val_score(model(), X, y, cv=folds, scoring="neg_brier_score")]


def test_the_metric_has_scikit_learns_signature() -> None:
    parameters = inspect.signature(cd.sklearn.metric(BRIER)).parameters
    assert list(parameters) == ["y_true", "y_proba", "sample_weight", "pos_label", "parameters"]
    assert all(
        parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in ("sample_weight", "pos_label")
    )


def test_the_metric_of_additive_costs_is_scikit_learns_brier_score() -> None:
    generator = np.random.default_rng(1)
    p, weights = generator.random(500), generator.random(500)
    y = np.where(generator.random(500) < p, "yes", "no")
    ours = cd.sklearn.metric(BRIER)(y, p, sample_weight=weights, pos_label="yes")
    assert ours == pytest.approx(brier_score_loss(y, p, sample_weight=weights, pos_label="yes"), rel=1e-14)


def test_a_scorer_is_the_negative_loss_of_each_fold() -> None:
    scores = cross_val_score(model(), X, BENIGN, cv=3, scoring=cd.sklearn.scorer(BRIER))
    assert [-score for score in scores] == pytest.approx(negative_brier_scores(BENIGN), rel=1e-12)


def test_a_scorer_gets_the_parameters_of_a_rule_by_routing() -> None:
    rule, amounts = cd.derive(cd.Additive(budget="2*amount")).rule, np.linspace(1, 50, len(BENIGN))
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = cd.sklearn.scorer(rule).set_score_request(amount=True)
        scores = cross_validate(model(), X, BENIGN, cv=3, scoring=scorer, params={"amount": amounts})
        classifier, loss = model().fit(X, BENIGN), cd.numeric.compile(rule)
        found = -scorer(classifier, X, BENIGN, amount=amounts)
    assert len({*scores["test_score"]}) == 3
    wanted = (
        brier_score_loss(BENIGN, classifier.predict_proba(X)[:, 1], sample_weight=amounts) * amounts.mean()
    )
    assert found == pytest.approx(wanted, rel=1e-12)
    assert found == loss(BENIGN, classifier.predict_proba(X), amount=amounts)


def test_a_scorer_takes_the_column_of_the_positive_label() -> None:
    for label in ("benign", "malignant"):
        scores = cross_val_score(
            model(), X, NAMES, cv=3, scoring=cd.sklearn.scorer(UNEVEN, pos_label=label), error_score="raise"
        )
        truth = (label == NAMES).astype(int)
        wanted = cross_val_score(model(), X, truth, cv=3, scoring=cd.sklearn.scorer(UNEVEN))
        assert scores == pytest.approx(wanted, rel=1e-6)


def test_labels_that_say_nothing_need_a_positive_label() -> None:
    with pytest.raises(DataError, match="pos_label"):
        cross_val_score(model(), X, NAMES, cv=3, scoring=cd.sklearn.scorer(BRIER), error_score="raise")


def test_a_grid_search_in_other_processes_picks_the_cheapest_model() -> None:
    grid = {"logisticregression__C": [1e-4, 1.0]}
    scoring = cd.sklearn.scorer(UNEVEN)
    search = GridSearchCV(model(), grid, scoring=scoring, cv=3, n_jobs=2).fit(X, 1 - BENIGN)
    assert search.best_params_ == {"logisticregression__C": 1.0}
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) < 0


@pytest.mark.parametrize("library", [pd, pl])
def test_cross_validation_takes_frames_and_prints_no_warnings(library: Any) -> None:
    """Warnings are errors in these tests."""
    frame, labels = library.DataFrame({f"x{k}": X[:, k] for k in range(4)}), library.Series(1 - BENIGN)
    scoring = {"cost": cd.sklearn.make_scorer(BRIER), "brier": "neg_brier_score"}
    found = cross_validate(model(), frame, labels, scoring=scoring, cv=3, error_score="raise")
    assert found["test_cost"] == pytest.approx(found["test_brier"], rel=1e-12)


def test_a_metric_and_a_scorer_pickle() -> None:
    metric = pickle.loads(pickle.dumps(cd.sklearn.metric(BRIER, name="brier")))
    assert (metric.__name__, metric([0, 1], [0.5, 1.0])) == ("brier", 0.125)
    assert "brier" in repr(pickle.loads(pickle.dumps(cd.sklearn.scorer(BRIER, name="brier"))))


class Foreign:
    """An array of another library: it knows DLPack and nothing of NumPy."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __dlpack__(self, **options: object) -> object:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


def test_arrays_of_other_libraries_pass_through() -> None:
    y, p = Foreign(np.array([0, 1, 1])), Foreign(np.array([0.5, 0.25, 1.0]))
    assert cd.sklearn.metric(BRIER)(y, p) == cd.sklearn.metric(BRIER)([0, 1, 1], [0.5, 0.25, 1.0])
    bad = Foreign(np.array([0.5, math.nan, 1.0]))
    with pytest.raises(DataError, match=r"y_proba\[1\] = nan"):
        cd.sklearn.metric(BRIER)(y, bad)


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(CostDeriveError, match=r"costderive\[ml\]"):
        cd.sklearn.scorer(BRIER)


def test_a_tuned_threshold_uses_the_expected_costs() -> None:
    generator = np.random.default_rng(4)
    logit = generator.normal(-1, 1.5, (20_000, 1))
    names = np.where(generator.random(20_000) < 1 / (1 + np.exp(-logit[:, 0])), "ill", "well")
    train, test = slice(10_000), slice(10_000, None)
    tuned = cd.sklearn.tuned_threshold(UNEVEN, LogisticRegression(), cv=3, pos_label="ill")
    tuned.fit(logit[train], names[train])
    # the probabilities are calibrated, a missed ill one costs 9, a false alarm 1: the threshold is near 1/10
    assert tuned.best_threshold_ == pytest.approx(cd.evaluate.threshold_for(UNEVEN), abs=0.04)
    at_half = LogisticRegression().fit(logit[train], names[train])
    costs = [
        np.where(names[test] == "ill", 9 * (found == "well"), found == "ill").mean()
        for found in (tuned.predict(logit[test]), at_half.predict(logit[test]))
    ]
    assert costs[0] < 0.8 * costs[1]
    assert pickle.loads(pickle.dumps(tuned)).best_threshold_ == tuned.best_threshold_
    with pytest.raises(DataError, match="have no mean"):
        cd.sklearn.tuned_threshold(cd.derive(cd.Harmonic()), model())


# ---- decisions, and shapes and labels that are not what they should be

COST = cd.sklearn.ExpectedCost(1.5, 2.0)


@pytest.mark.parametrize(
    "pair", [([0, 1], [1, 0]), ([-1, 1], [1, -1]), ([False, True], [True, False]), ([0.0, 1.0], [1, 0])]
)
def test_decisions_about_usual_labels_need_no_positive_label(pair: Any) -> None:
    assert COST(*pair) == COST(*(np.array(labels, dtype=object) for labels in pair)) == 1.75


def test_decisions_about_names_need_a_positive_label() -> None:
    with pytest.raises(DataError, match="pos_label"):
        COST(["no", "yes"], ["yes", "no"])
    assert COST(["no", "yes"], ["yes", "no"], pos_label="yes") == 1.75
    assert COST(["no", "yes", "no"], ["yes", "yes", "no"], pos_label="yes") == 0.5
    assert COST(["no", "yes", "no"], ["yes", "yes", "no"], pos_label="no") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("y", "decided"),
    [
        ([0, 1, 1], [1]),
        ([0, 1], [[0], [1]]),
        ([[0], [1]], [0, 1]),
        ([0, 1], [0, 2]),
        ([0, 1], ["0", "1"]),
        ([0, math.nan], [0, 1]),
        ([0, 1], [None, 1]),
        ([], []),
        (0, 1),
    ],
)
def test_decisions_of_other_shapes_and_labels_are_refused(y: Any, decided: Any) -> None:
    with pytest.raises(DataError):
        COST(y, decided)


@pytest.mark.parametrize("costs", [(math.nan, 1), (1, math.inf), (-1, 1)])
def test_what_is_no_cost_is_refused(costs: tuple[float, float]) -> None:
    with pytest.raises(DataError, match="is not a cost"):
        cd.sklearn.ExpectedCost(*costs)


def test_a_tuned_threshold_of_named_labels_is_that_of_numbers() -> None:
    settings = {"cv": 3, "thresholds": 9}
    named = cd.sklearn.tuned_threshold(BRIER, model(), pos_label="benign", **settings).fit(X, NAMES)
    numbered = cd.sklearn.tuned_threshold(BRIER, model(), **settings).fit(X, BENIGN)
    assert named.best_threshold_ == pytest.approx(numbered.best_threshold_, rel=1e-12)
    assert named.best_score_ == pytest.approx(numbered.best_score_, rel=1e-12) and named.best_score_ < 0


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (1,), (2,), ()])
def test_weights_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    y, p, weights = [0, 1, 1], [0.5, 0.25, 1.0], np.ones(shape)
    for loss in (cd.sklearn.metric(BRIER), UNEVEN):
        with pytest.raises(DataError, match="sample_weight"):
            loss(y, p, sample_weight=weights)


@pytest.mark.parametrize("shapes", [((3, 1), (3,)), ((3,), (3, 1)), ((3,), (1, 3)), ((3,), (2,)), ((), ())])
def test_labels_and_predictions_of_other_shapes_are_refused(shapes: Any) -> None:
    y, values = (np.full(shape, 1.0) for shape in shapes)
    for name in ("y_proba", "complement", "logit"):
        for method in (UNEVEN, UNEVEN.per_sample, UNEVEN.gradient, UNEVEN.hessian):
            with pytest.raises(DataError):
                method(y, **{name: values})


@pytest.mark.parametrize(
    "weights", [[1, -1, 1], [1, math.nan, 1], [1, math.inf, 1], [0, 0, 0], ["1", "1", "1"]]
)
def test_bad_weights_are_refused(weights: Any) -> None:
    with pytest.raises(DataError, match="sample_weight"):
        UNEVEN([0, 1, 1], [0.5, 0.25, 1.0], sample_weight=weights)


# ---- K classes

FLOWERS, SPECIES = load_iris(return_X_y=True)
SPECIES = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
UNEQUAL = cd.multiclass.IndependentCosts(("uniform(0, 1)", "uniform(0, 5)", "exponential(3)"))


def test_a_scorer_of_several_classes_is_scikit_learns_log_loss_with_its_sign() -> None:
    """With names, also on frames; ``neg_log_loss`` clips at its epsilon, which no probability here comes near."""
    scoring = {"ours": cd.sklearn.scorer(cd.multiclass.log_score()), "theirs": "neg_log_loss"}
    found = cross_validate(model(), FLOWERS, SPECIES, scoring=scoring, cv=3, error_score="raise")
    assert found["test_ours"] == pytest.approx(found["test_theirs"], rel=1e-12)


def test_labels_of_a_scorer_are_in_the_order_of_the_costs() -> None:
    order = ["virginica", "setosa", "versicolor"]
    found = -cd.sklearn.make_scorer(UNEQUAL, labels=order)(model().fit(FLOWERS, SPECIES), FLOWERS, SPECIES)
    proba = model().fit(FLOWERS, SPECIES).predict_proba(FLOWERS)[:, [2, 0, 1]]
    numbers = [order.index(name) for name in SPECIES]
    assert found == pytest.approx(cd.multiclass.compile(UNEQUAL)(numbers, proba), rel=1e-14)


@pytest.mark.parametrize("labels", [("no", "yes"), ("yes", "no")])
def test_two_classes_of_a_rule_of_several_are_scored_from_the_one_column_that_scikit_learn_gives(
    labels: tuple[str, str],
) -> None:
    costs = cd.multiclass.IndependentCosts(("uniform(0, 1)", "uniform(0, 5)"))
    y, proba = np.where(BENIGN == 1, "yes", "no"), (fitted := model().fit(X, BENIGN)).predict_proba(X)
    found = -cd.sklearn.scorer(costs, labels=labels)(fitted.fit(X, y), X, y)
    columns = proba if labels[0] == "no" else proba[:, ::-1]
    assert found == pytest.approx(cd.multiclass.compile(costs)(y, columns, labels=labels), rel=1e-9)


def test_weights_reach_a_scorer_of_several_classes_by_routing() -> None:
    weights, fitted = np.linspace(0, 3, len(SPECIES)), model().fit(FLOWERS, SPECIES)
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = cd.sklearn.scorer(cd.multiclass.log_score()).set_score_request(sample_weight=True)
        found = -scorer(fitted, FLOWERS, SPECIES, sample_weight=weights)
        cross_validate(
            LogisticRegression(max_iter=500).set_fit_request(sample_weight=False),
            FLOWERS,
            SPECIES,
            scoring=scorer,
            params={"sample_weight": weights},
            cv=3,
        )
    assert found == pytest.approx(
        log_loss(SPECIES, fitted.predict_proba(FLOWERS), sample_weight=weights), rel=1e-12
    )


CLASS_RULES = [
    cd.multiclass.brier(),
    cd.multiclass.from_entropy("p0*p1 + p0*p2 + p1*p2", 3).rule,
    cd.multiclass.penalised(cd.multiclass.brier(), 3).rule,
    UNEQUAL,
    cd.multiclass.DirichletCosts((1, 2, 3)),
    cd.multiclass.IndependentCosts(("uniform(0, 1)",) * 3),
]


@pytest.mark.parametrize("rule", CLASS_RULES)
def test_a_metric_of_several_classes_pickles(rule: Any) -> None:
    metric = cd.sklearn.metric(rule, name="mine")
    again, proba = pickle.loads(pickle.dumps(metric)), [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    assert again.__name__ == "mine" and again([2, 1], proba) == metric([2, 1], proba)
    assert len(pickle.dumps(metric)) < 20_000


def test_a_grid_search_over_several_classes_runs_in_other_processes() -> None:
    grid = {"logisticregression__C": [1e-4, 1.0]}
    scoring = cd.sklearn.scorer(UNEQUAL, labels=["virginica", "setosa", "versicolor"])
    search = GridSearchCV(model(), grid, scoring=scoring, cv=3, n_jobs=2).fit(FLOWERS, SPECIES)
    assert search.best_params_ == {"logisticregression__C": 1.0} and search.best_score_ < 0


def test_what_does_not_go_with_a_scorer_is_refused() -> None:
    with pytest.raises(DataError, match="pos_label = 'a' does not go with this rule"):
        cd.sklearn.scorer(UNEQUAL, pos_label="a")
    with pytest.raises(DataError, match=r"labels = \['a', 'b'\] does not go with this rule"):
        cd.sklearn.scorer(BRIER, labels=["a", "b"])
    with pytest.raises(DataError, match=r"shape \(100, 2\) for 3 labels"):
        two = model().fit(FLOWERS[:100], SPECIES[:100])
        cd.sklearn.scorer(UNEQUAL, labels=sorted({*SPECIES}))(two, FLOWERS[:100], SPECIES[:100])
