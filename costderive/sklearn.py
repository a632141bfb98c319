"""Scoring rules as metrics and scorers of scikit-learn (extra ``ml``), by its conventions.

A metric is called ``metric(y_true, y_proba, *, sample_weight=None, pos_label=None)`` and is a mean loss: less is
better. A scorer is its negative, so that scikit-learn, which looks for the greatest score, picks the cheapest model.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from costderive.derivation import Derivation
from costderive.errors import CostDeriveError
from costderive.numeric import CompiledLoss, compile
from costderive.rule import ScoringRule

__all__ = ["Metric", "metric", "scorer"]

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
    ) -> float:
        """Return the mean loss, for labels of shape (n,) and probabilities of shape (n,) or (n, 2).

        ``pos_label`` names class 1, and is needed unless labels are 0 and 1, or -1 and 1. Arrays of other libraries
        that are in main memory are read through DLPack or NumPy's protocol.

        Raises:
            DataError: if labels, probabilities or weights cannot be scored.
        """
        return self.loss(y_true, y_proba, sample_weight=sample_weight, pos_label=pos_label)


def metric(rule: Rule, *, name: str = "cost_loss", fast: bool = False) -> Metric:
    """Return the mean loss of a scoring rule as a metric of scikit-learn.

    Example:
        >>> from costderive.contexts import Additive
        >>> from costderive.walks import derive
        >>> brier = metric(derive(Additive(budget=2)))
        >>> brier(["ham", "spam"], [0.5, 1.0], pos_label="spam")
        0.125
    """
    return Metric(rule if isinstance(rule, CompiledLoss) else compile(rule, fast=fast), name)


def scorer(rule: Rule, *, pos_label: Any = None, name: str = "cost_loss", fast: bool = False) -> Any:
    """Return a scorer for ``cross_val_score``, ``GridSearchCV`` and the like: the negative mean loss.

    It asks a classifier for ``predict_proba``; ``pos_label`` is as for the metric.

    Raises:
        CostDeriveError: if scikit-learn is not installed.
    """
    if importlib.util.find_spec("sklearn") is None:
        raise CostDeriveError(
            "a scorer needs scikit-learn, which is not installed",
            'Install it with pip install "costderive[ml]"; a metric works without.',
        )
    from sklearn.metrics import make_scorer

    more = {} if pos_label is None else {"pos_label": pos_label}
    return make_scorer(
        metric(rule, name=name, fast=fast), greater_is_better=False, response_method="predict_proba", **more
    )
