"""Scoring rules of K classes as metrics of scikit-learn, as ``costderive.sklearn`` has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costderive.core.errors import DataError
from costderive.multiclass import (
    ClassRule,
    MulticlassDerivation,
    MulticlassLoss,
    compile,
)
from costderive.multiclass.checked_classes import named_classes
from costderive.multiclass.class_costs import ClassContext
from costderive.numeric.checked_data import as_numpy

ClassesRule = ClassRule | ClassContext | MulticlassDerivation | MulticlassLoss


@dataclass(frozen=True, eq=False)
class ClassMetric:
    """The mean loss of a scoring rule of K classes as scikit-learn calls metrics; `metric` builds it.

    It has a ``__name__``, no parameters to set, and pickles: joblib may send it to other processes.
    """

    loss: MulticlassLoss
    __name__: str = "cost_loss"

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: Sequence[Any] | None = None,
    ) -> float:
        """Return the mean loss, for labels of shape (n,) and probabilities of shape (n, K).

        ``labels`` names the classes in the order of the columns, as `MulticlassLoss.per_sample` says.

        Raises:
            DataError: if labels, probabilities or weights cannot be scored.
        """
        return self.loss(y_true, y_proba, sample_weight, labels=labels)


@dataclass(frozen=True, eq=False)
class EstimatorMetric(ClassMetric):
    """The metric of a scorer: its columns are in ascending order of the labels, as those of ``predict_proba`` are.

    ``labels`` are in the order of the classes of the costs. Of two classes there may be the column of the last alone.
    """

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        labels: Sequence[Any] | None = None,
    ) -> float:
        """Return the mean loss, for labels of shape (n,) and probabilities of shape (n, K), or (n,) of two classes.

        Raises:
            DataError: if labels, probabilities or weights cannot be scored, or labels have no order.
        """
        columns = as_numpy(y_proba)
        if columns.ndim == 1:
            columns = np.stack([1 - columns, columns], axis=1)
        if labels is not None:
            columns = _in_order_of(named_classes(labels, self.loss.classes), columns)
        return self.loss(y_true, columns, sample_weight, labels=labels)


def _in_order_of(names: tuple[Any, ...], columns: NDArray[Any]) -> NDArray[Any]:
    """Return columns in the order of the names, which are in ascending order as they come."""
    try:
        ascending = sorted(range(len(names)), key=names.__getitem__)
    except TypeError:
        raise DataError(f"labels = {names!r} have no order", "Give labels of one type.") from None
    if columns.ndim != 2 or columns.shape[1] != len(names):
        remedy = "A classifier must have met every class: stratify the folds."
        raise DataError(f"predict_proba has the shape {columns.shape} for {len(names)} labels", remedy)
    return columns[:, np.argsort(ascending)]


def compiled(rule: ClassesRule) -> MulticlassLoss:
    """Return a rule of K classes in numbers."""
    return rule if isinstance(rule, MulticlassLoss) else compile(rule)
