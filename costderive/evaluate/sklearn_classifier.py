"""A classifier of scikit-learn that decides by costs (extra ``ml``), as ``costderive.sklearn`` has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils.validation import check_is_fitted

from costderive.core.errors import DataError
from costderive.evaluate.case_decisions import Decisions, compiled, decide
from costderive.numeric.checked_data import decisions

CALIBRATIONS = ("sigmoid", "isotonic", None)


class CostClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier that calibrates another one, and then decides for the class that costs less, as ``cd.decide`` does.

    ``context`` is a cost context, or a scoring rule that stands for one. ``calibration`` is the ``method`` of
    scikit-learn's ``CalibratedClassifierCV``, or None for an estimator whose probabilities are calibrated already, and
    ``cv`` its folds. ``pos_label`` names class 1, and is needed unless labels are 0 and 1, or -1 and 1.

    Letters of the context are costs of each case: ``predict(X, columns={"amount": amounts})``. Through scikit-learn's
    metadata routing they come after ``set_predict_request(columns=True)``.

    Example:
        >>> from costderive import FixedCosts
        >>> from sklearn.linear_model import LogisticRegression
        >>> X, y = [[0], [1], [2], [3]] * 5, [0, 0, 1, 1] * 5
        >>> cheap_alarms = CostClassifier(LogisticRegression(), FixedCosts(fp=1, fn=1000))
        >>> cheap_alarms.fit(X, y).predict([[0], [3]])
        array([1, 1])
    """

    def __init__(
        self,
        estimator: Any,
        context: Any,
        *,
        calibration: str | None = "sigmoid",
        cv: Any = None,
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.context = context
        self.calibration = calibration
        self.cv = cv
        self.pos_label = pos_label

    def fit(self, X: Any, y: ArrayLike, **fit_params: Any) -> Self:
        """Fit the estimator, calibrate it, and compile the rule of the costs.

        Raises:
            DataError: if labels are not two classes, or it is not said which is class 1.
        """
        is_one, _ = decisions(y, y, self.pos_label)
        self.estimator_ = self._calibrating().fit(X, y, **fit_params)
        self.classes_: NDArray[Any] = self.estimator_.classes_
        if len(self.classes_) != 2:
            raise DataError(f"y has the one label {self.classes_[0]!r}", "Give cases of both classes.")
        self.column_ = int(np.flatnonzero(self.classes_ == np.asarray(y)[is_one][0])[0])
        self.loss_ = compiled(self.context)
        return self

    def _calibrating(self) -> Any:
        if self.calibration not in CALIBRATIONS:
            raise DataError(
                f"calibration = {self.calibration!r} is unknown", "Write 'sigmoid', 'isotonic' or None."
            )
        plain = clone(self.estimator)
        return (
            plain
            if self.calibration is None
            else CalibratedClassifierCV(plain, method=self.calibration, cv=self.cv)
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return calibrated probabilities of the classes, of shape (n, 2)."""
        check_is_fitted(self)
        found: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return found

    def decide(
        self, X: Any, columns: Mapping[str, ArrayLike] | None = None, *, capacity: int | None = None
    ) -> Decisions:
        """Return the decisions with their expected costs; ``columns`` and ``capacity`` are those of ``cd.decide``.

        Raises:
            DataError: naming the first case without costs.
        """
        p = self.predict_proba(X)[:, self.column_]
        return decide(p, self.loss_, columns=columns, capacity=capacity)

    def predict(self, X: Any, columns: Mapping[str, ArrayLike] | None = None) -> NDArray[Any]:
        """Return the label of the cheaper decision for each case, of shape (n,).

        Raises:
            DataError: naming the first case without costs.
        """
        is_one = self.decide(X, columns).decision == 1
        return self.classes_[np.where(is_one, self.column_, 1 - self.column_)]
