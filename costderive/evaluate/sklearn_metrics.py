"""Scoring rules as metrics, scorers and classifiers of scikit-learn (extra ``ml``), by its conventions.

A metric is called ``metric(y_true, y_proba, *, sample_weight=None, pos_label=None)`` and is a mean loss: less is
better. A scorer is its negative, so that scikit-learn, which looks for the greatest score, picks the cheapest model.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from numpy.typing import ArrayLike

from costderive.core.errors import CostDeriveError, DataError
from costderive.derivation.derivation import Derivation
from costderive.evaluate.sklearn_classes import ClassesRule, ClassMetric, EstimatorMetric, compiled
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.checked_data import decisions
from costderive.rules import ScoringRule

__all__ = [
    "ClassMetric",
    "CostClassifier",  # noqa: F822  (loaded when first touched)
    "ExpectedCost",
    "Metric",
    "make_scorer",
    "metric",
    "scorer",
    "tuned_threshold",
]

Rule = ScoringRule | Derivation | CompiledLoss


@dataclass(frozen=True, eq=False)
class Metric:
    """The mean loss of a scoring rule as scikit-learn calls metrics; build it with :func:`metric`.

    It has a ``__name__``, no parameters to set, and pickles: joblib may send it to other processes.
    """

    loss: CompiledLoss
    __name__: str = "cost_loss"

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **parameters: Any,
    ) -> float:
        """Return the mean loss, for labels of shape (n,) and probabilities of shape (n,) or (n, 2).

        ``pos_label`` names class 1, and is needed unless labels are 0 and 1, or -1 and 1. Arrays of other libraries
        that are in main memory are read through DLPack or NumPy's protocol. ``parameters`` of the rule are numbers, or
        arrays of shape (n,).

        Raises:
            DataError: if labels, probabilities or weights cannot be scored.
        """
        return self.loss(y_true, y_proba, sample_weight=sample_weight, pos_label=pos_label, **parameters)


@overload
def metric(rule: Rule, *, name: str = "cost_loss", fast: bool = False) -> Metric: ...


@overload
def metric(rule: ClassesRule, *, name: str = "cost_loss", fast: bool = False) -> ClassMetric: ...


def metric(rule: Rule | ClassesRule, *, name: str = "cost_loss", fast: bool = False) -> Metric | ClassMetric:
    """Return the mean loss of a scoring rule, of two classes or of K, as a metric of scikit-learn.

    Example:
        >>> from costderive import Additive
        >>> from costderive import derive
        >>> brier = metric(derive(Additive(budget=2)))
        >>> brier(["ham", "spam"], [0.5, 1.0], pos_label="spam")
        0.125
        >>> from costderive.multiclass import log_score
        >>> round(metric(log_score())(["c", "a", "b"], [[0.3, 0.2, 0.5], [0.6, 0.2, 0.2], [0, 1, 0]]), 6)
        0.401324
    """
    if isinstance(rule, ClassesRule):
        return ClassMetric(compiled(rule), name)
    return Metric(rule if isinstance(rule, CompiledLoss) else compile(rule, fast=fast), name)


def scorer(
    rule: Rule | ClassesRule,
    *,
    pos_label: Any = None,
    labels: Sequence[Any] | None = None,
    name: str = "cost_loss",
    fast: bool = False,
) -> Any:
    """Return a scorer for ``cross_val_score``, ``GridSearchCV`` and the like: the negative mean loss.

    It asks a classifier for ``predict_proba``. For two classes ``pos_label`` is as for the metric. For K classes
    ``labels`` names them in the order of the costs; without it that is their ascending order, which is the one of
    scikit-learn's columns. Parameters of the rule reach it by scikit-learn's metadata routing, as weights do:
    ``scorer(rule).set_score_request(amount=True)``.

    Raises:
        CostDeriveError: if scikit-learn is not installed.
        DataError: if ``pos_label`` is given for K classes, or ``labels`` for two.
    """
    _require_sklearn("a scorer")
    from sklearn.metrics import make_scorer

    chosen = _estimator_metric(rule, name, fast)
    wrong = "pos_label" if isinstance(chosen, EstimatorMetric) else "labels"
    given = {key: value for key, value in (("pos_label", pos_label), ("labels", labels)) if value is not None}
    if wrong in given:
        remedy = "Rules of two classes take pos_label, those of K classes labels."
        raise DataError(f"{wrong} = {given[wrong]!r} does not go with this rule", remedy)
    return make_scorer(chosen, greater_is_better=False, response_method="predict_proba", **given)


def _estimator_metric(rule: Rule | ClassesRule, name: str, fast: bool) -> Metric | EstimatorMetric:
    if isinstance(rule, ClassesRule):
        return EstimatorMetric(compiled(rule), name)
    return metric(rule, name=name, fast=fast)


make_scorer = scorer  # by scikit-learn's name


def tuned_threshold(rule: Rule, estimator: Any, *, pos_label: Any = None, **settings: Any) -> Any:
    """Return scikit-learn's ``TunedThresholdClassifierCV``, which learns the threshold that costs least in the mean.

    It is for classifiers that decide before the costs are known: a mistake on class k is then worth ``E[ck]``. For
    calibrated probabilities that threshold is ``evaluate.threshold_for(rule)``. ``settings`` are those of
    scikit-learn's class, such as ``cv``.

    Raises:
        CostDeriveError: if scikit-learn is not installed.
        DataError: if an expected cost is infinite.
    """
    _require_sklearn("a tuned threshold")
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import TunedThresholdClassifierCV

    loss = rule if isinstance(rule, CompiledLoss) else compile(rule)
    costs = loss.loss0(1.0), loss.loss1(0.0)
    if not all(map(math.isfinite, costs)):
        raise DataError(f"expected costs of {costs[0]:g} and {costs[1]:g} have no mean", "Bound the costs.")
    more = {} if pos_label is None else {"pos_label": pos_label}
    cost = make_scorer(ExpectedCost(*costs), greater_is_better=False, **more)
    return TunedThresholdClassifierCV(estimator, scoring=cost, response_method="predict_proba", **settings)


@dataclass(frozen=True)
class ExpectedCost:
    """The mean cost of decisions, if a mistake on class k costs ``cost0`` or ``cost1``, finite and at least 0."""

    cost0: float
    cost1: float
    __name__: str = "expected_cost"

    def __post_init__(self) -> None:
        """Check the costs."""
        for name, cost in (("cost0", self.cost0), ("cost1", self.cost1)):
            if not 0 <= cost < math.inf:
                raise DataError(f"{name} = {cost!r} is not a cost", "Costs are finite and at least 0.")

    def __call__(self, y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = None) -> float:
        """Return the mean cost, for labels and decisions of shape (n,), which are the same two labels.

        ``pos_label`` names class 1, and is needed unless labels are 0 and 1, or -1 and 1.

        Raises:
            DataError: if labels or decisions are not such, or differ in length.
        """
        is_one, decided = decisions(y_true, y_pred, pos_label)
        return float(self.cost0 * (decided & ~is_one).mean() + self.cost1 * (~decided & is_one).mean())


def __getattr__(name: str) -> Any:
    """Load the classifier when it is first touched: unlike a metric it needs scikit-learn."""
    if name != "CostClassifier":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    _require_sklearn("a classifier")
    return importlib.import_module("costderive.evaluate.sklearn_classifier").CostClassifier


def _require_sklearn(what: str) -> None:
    if importlib.util.find_spec("sklearn") is None:
        raise CostDeriveError(
            f"{what} needs scikit-learn, which is not installed",
            'Install it with pip install "costderive[ml]"; a metric works without.',
        )
