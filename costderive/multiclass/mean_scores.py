"""Scores of predictions of K classes, in doubles: a mean loss from labels and an array of probabilities.

`row_losses` explains how the losses of rows are computed, and how accurately.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sympy import Expr, Symbol

from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.core.time_limit import limited
from costderive.costs.laws import x
from costderive.multiclass.class_costs import ClassCosts
from costderive.multiclass.cost_moves import FindDistributions
from costderive.multiclass.derive_classes import MulticlassRule
from costderive.multiclass.letters import predicted
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.row_losses import (
    GammaRows,
    GivenRows,
    PenalisedRows,
    RowLosses,
    SymmetricRows,
    UniformRows,
)
from costderive.multiclass.row_quadrature import QuadratureRows
from costderive.multiclass.search.cost_moves import find_distributions
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.multiclass.sums import ExponentialSum, NotASumError
from costderive.numeric.checked_data import as_numpy, probabilities, sample_weights

SUM_TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True)
class MulticlassLoss:
    """A scoring rule of K classes as a mean loss; the number of classes is any if it is ``None``."""

    classes: int | None
    rows: RowLosses

    __repr__ = short_repr

    def __call__(
        self, y_true: ArrayLike, y_proba: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the mean loss; weights of shape (n,) are not negative and not all 0.

        Raises:
            DataError: naming the first row that cannot be scored.
        """
        losses = self.per_sample(y_true, y_proba)
        if sample_weight is None:
            return float(losses.mean())
        weights = sample_weights(sample_weight, len(losses))
        counted = weights > 0
        return float(np.average(losses[counted], weights=weights[counted]))

    def per_sample(self, y_true: ArrayLike, y_proba: ArrayLike) -> Array:
        """Return the loss of each row: labels 0, ..., K - 1, or one-hot rows, and probabilities of shape (n, K).

        Raises:
            DataError: naming the first row that cannot be scored.
        """
        forecasts = _forecasts(y_proba, self.classes)
        labels = _labels(y_true, forecasts.shape)
        return self.rows.of_rows(forecasts, labels)


def compile(
    rule: MulticlassRule | SymmetricLosses | GivenLosses | PenalisedRule | ClassCosts,
    *,
    time_limit: float = 60.0,
) -> MulticlassLoss:
    """Return a scoring rule of several classes, or that of costs, as a function of labels and probabilities.

    A context of costs is taken as it is, so that no closed form is needed and there may be thousands of classes. Costs
    that are all Gamma, or all uniform from 0 upwards, have losses exact to about 1e-14 of themselves for up to 1000
    classes, wherever the probabilities are; all others to 1e-14 of the mean cost, more slowly (by a hundred). Rules of
    an entropy are exact to a few roundings of their terms. At probabilities 0 and 1 are the limits, maybe infinite.

    Raises:
        ParametersLeftError: if a parameter has no number.
        SpecError: if it is neither a rule of an entropy nor one of costs; or if the distribution functions of costs
            are not found within ``time_limit``, in seconds of CPU time.

    Example:
        >>> from costderive.multiclass import log_score
        >>> round(compile(log_score().rule)([0, 2], [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]), 6)
        0.601986
    """
    if isinstance(rule, SymmetricLosses):
        _require_numbers(rule.loss)
        return MulticlassLoss(None, SymmetricRows(rule))
    if isinstance(rule, GivenLosses):
        classes = rule.entropy_function.classes
        _require_numbers(*rule.losses, letters={predicted(label) for label in range(classes)})
        return MulticlassLoss(classes, GivenRows(rule))
    if isinstance(rule, PenalisedRule):
        _require_numbers(rule.base.loss)
        return MulticlassLoss(rule.classes, PenalisedRows(rule))
    if isinstance(rule, ClassCosts):
        about = FindDistributions(), rule, rule.given()
        found = limited(time_limit, "finding the distributions of the costs", find_distributions, *about)
        return MulticlassLoss(rule.classes, _cost_rows(found))
    if not isinstance(rule, MulticlassRule):
        raise SpecError(f"{type(rule).__name__} has no numeric form here", "rule.at(forecast) is exact.")
    return MulticlassLoss(rule.classes, _cost_rows(rule.losses.costs))


def _require_numbers(*exprs: Expr, letters: Collection[Symbol] = (x, t)) -> None:
    left = sorted({s.name for expr in exprs for s in expr.free_symbols.difference(letters)})
    if left:
        raise ParametersLeftError(f"{', '.join(left)} has no value", "Build the rule with numbers.")


def _cost_rows(costs: IndependentDistributions) -> RowLosses:
    exprs = [expr for one in set(costs.of_class) for expr in (*one.marks, *one.densities)]
    _require_numbers(costs.factor, *exprs)
    uniform = [_uniform_end(one) for one in costs.of_class]
    if None not in uniform:
        return UniformRows(float(costs.factor), tuple(end for end in uniform if end is not None))
    gammas = [_gamma_of(one) for one in costs.of_class]
    if None not in gammas:
        return GammaRows.of(float(costs.factor), tuple(one for one in gammas if one is not None))
    return QuadratureRows.of(costs)


@lru_cache
def _uniform_end(one: Distribution) -> float | None:
    spread = len(one.marks) == 1 and one.densities == (1 / one.marks[0], 0) and one.jumps == (0,)
    return float(one.marks[0]) if spread else None


@lru_cache
def _gamma_of(one: Distribution) -> tuple[int, float] | None:
    """Return shape and rate."""
    if one.marks:
        return None
    try:
        terms = ExponentialSum.read(one.densities[0], Given()).terms
    except NotASumError:
        return None
    return next(((n + 1, float(rate)) for n, rate in terms), None) if len(terms) == 1 else None


# ---- data


def checked_rows(
    y_true: ArrayLike, y_proba: ArrayLike, classes: int, name: str = ""
) -> tuple[NDArray[np.intp], Array]:
    """Return labels of shape (n,) and probabilities of shape (n, K).

    Raises:
        DataError: naming the first row that cannot be scored, after the name of what they belong to.
    """
    try:
        forecasts = _forecasts(y_proba, classes)
        return _labels(y_true, forecasts.shape), forecasts
    except DataError as error:
        raise DataError(f"{name}: {error.problem}" if name else error.problem, error.remedy) from None


def _forecasts(y_proba: ArrayLike, classes: int | None) -> Array:
    found = np.asarray(probabilities("y_proba", y_proba), dtype=float)
    if found.ndim != 2 or found.shape[1] < 2 or not len(found) or classes not in (None, found.shape[1]):
        wanted = "K" if classes is None else classes
        raise DataError(f"y_proba has the shape {found.shape}", f"Give an array of the shape (n, {wanted}).")
    off = found.sum(axis=1) - 1
    bad = np.flatnonzero(np.abs(off) > SUM_TOLERANCE)
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"y_proba[{row}] adds up to {1 + off[row]:.17g}, which is {abs(off[row]):.3g} off",
            "Divide each row by its sum.",
        )
    return found


def _labels(y_true: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.intp]:
    found = as_numpy(y_true)
    if found.ndim == 2 and found.shape == shape:
        found = _from_one_hot(found)
    if found.shape != shape[:1]:
        raise DataError(
            f"y_true has the shape {found.shape} and y_proba {shape}",
            "Give one label for each row, or one-hot rows.",
        )
    if found.dtype.kind not in "iuf":
        raise DataError(f"y_true has the type {found.dtype}", f"Number the classes from 0 to {shape[1] - 1}.")
    bad = np.flatnonzero(~((found >= 0) & (found < shape[1]) & (found == np.floor(found))))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"y_true[{row}] = {found[row]} is not a class", f"Number the classes from 0 to {shape[1] - 1}."
        )
    return found.astype(np.intp)


def _from_one_hot(rows: NDArray[Any]) -> NDArray[Any]:
    ones = (rows == 1).sum(axis=1) == 1
    bad = np.flatnonzero(~(ones & ((rows != 0).sum(axis=1) == 1)))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"y_true[{row}] = {rows[row].tolist()} is not one-hot", "Write one 1, and 0 elsewhere."
        )
    return np.asarray(rows.argmax(axis=1))
