"""Scores of predictions of K classes, in doubles: a mean loss from labels and an array of probabilities.

No sum over subsets of the classes is formed, so K may be in the thousands. Costs that are uniform from 0 upwards are
integrated between the sorted forecasts, exactly but for rounding. Gamma costs (with whole-numbered shapes, so
exponential and Dirichlet ones too) are integrated by the trapezoidal rule after a substitution that takes small costs
by their logarithm and large ones as they are. Its error for functions that are analytic near the line falls like
``exp(-pi^2/h)``: at the step h = 1/4, like 1e-17.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray
from sympy import Expr, S

from costderive.errors import DataError, ParametersLeftError, SpecError
from costderive.laws import x
from costderive.multiclass.contexts import ClassCosts
from costderive.multiclass.moves import FindDistributions
from costderive.multiclass.objects import Distribution, IndependentDistributions
from costderive.multiclass.simplex import SymmetricLosses, t
from costderive.multiclass.sums import ExponentialSum, NotASumError
from costderive.multiclass.walk import MulticlassRule
from costderive.numeric.data import as_numpy, probabilities, sample_weights
from costderive.pieces import Given

Array = NDArray[np.float64]
SUM_TOLERANCE = 1e-8
STEP, LOWEST = 0.25, -19.0
BLOCK = 2_000_000  # numbers in one array of nodes


class RowLosses(ABC):
    """The losses of rows: probabilities of shape (n, K), and the label of each row."""

    __slots__ = ()

    @abstractmethod
    def of_rows(self, forecasts: Array, labels: NDArray[np.intp]) -> Array:
        """Return the loss of each row."""


@dataclass(frozen=True, slots=True)
class MulticlassLoss:
    """A scoring rule of K classes as a mean loss; the number of classes is any if it is ``None``."""

    classes: int | None
    rows: RowLosses

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


def compile(rule: MulticlassRule | SymmetricLosses | ClassCosts) -> MulticlassLoss:
    """Return a scoring rule of several classes, or that of costs, as a function of labels and probabilities.

    A context of costs is taken as it is, so that no closed form is needed and there may be thousands of classes.

    Raises:
        ParametersLeftError: if a parameter has no number.
        SpecError: if costs of the context are neither all uniform from 0 upwards nor all of Gamma laws.

    Example:
        >>> from costderive.multiclass import log_score
        >>> round(compile(log_score().rule)([0, 2], [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]), 6)
        0.601986
    """
    if isinstance(rule, SymmetricLosses):
        _require_numbers(rule.loss)
        return MulticlassLoss(None, SymmetricRows(rule))
    if isinstance(rule, ClassCosts):
        return MulticlassLoss(rule.classes, _cost_rows(FindDistributions().apply(rule, rule.given())))
    if not isinstance(rule, MulticlassRule):
        raise SpecError(f"{type(rule).__name__} has no numeric form here", "rule.at(forecast) is exact.")
    return MulticlassLoss(rule.classes, _cost_rows(rule.losses.costs))


def _require_numbers(*exprs: Expr) -> None:
    left = sorted({s.name for expr in exprs for s in expr.free_symbols - {x, t}})
    if left:
        raise ParametersLeftError(f"{', '.join(left)} has no value", "Build the rule with numbers.")


@dataclass(frozen=True, slots=True)
class SymmetricRows(RowLosses):
    """A rule of the probability of the class and a sum over all classes."""

    losses: SymmetricLosses

    def of_rows(self, forecasts: Array, labels: NDArray[np.intp]) -> Array:
        inner, loss = self.losses.entropy_function.inner, self.losses.loss
        own = forecasts[np.arange(len(forecasts)), labels]
        totals = np.zeros(len(forecasts))
        if t in loss.free_symbols:
            totals = _at_probabilities(inner, (x,), forecasts).sum(axis=1)
        return _at_probabilities(loss, (x, t), own, totals)


def _at_probabilities(function: Expr, letters: tuple[Any, ...], values: Array, *more: Array) -> Array:
    """Return the values of a function, at probability 0 its limit."""
    compiled = sympy.lambdify(letters, function, "numpy")
    inside = np.where(values > 0, values, 1.0)
    found = np.broadcast_to(compiled(inside, *more), values.shape)
    if (values > 0).all():
        return np.array(found)
    limit = sympy.limit(function, x, S.Zero, "+")
    at_zero = np.inf if limit is S.Infinity else sympy.lambdify(letters[1:], limit, "numpy")(*more)
    return np.where(values > 0, found, at_zero)


def _cost_rows(costs: IndependentDistributions) -> RowLosses:
    exprs = [expr for one in costs.of_class for expr in (*one.marks, *one.densities)]
    _require_numbers(costs.factor, *exprs)
    uniform = [_uniform_end(one) for one in costs.of_class]
    if None not in uniform:
        return UniformRows(float(costs.factor), tuple(end for end in uniform if end is not None))
    gammas = [_gamma_of(one) for one in costs.of_class]
    if None not in gammas:
        return GammaRows(float(costs.factor), tuple(one for one in gammas if one is not None))
    raise SpecError(
        "these costs have no numeric form for whole arrays",
        "It takes costs that are all uniform from 0 upwards, or all of Gamma laws; rule.at(forecast) is exact.",
    )


def _uniform_end(one: Distribution) -> float | None:
    spread = len(one.marks) == 1 and one.densities == (1 / one.marks[0], 0) and one.jumps == (0,)
    return float(one.marks[0]) if spread else None


def _gamma_of(one: Distribution) -> tuple[int, float] | None:
    """Return shape and rate."""
    if one.marks:
        return None
    try:
        terms = ExponentialSum.read(one.densities[0], Given()).terms
    except NotASumError:
        return None
    return next(((n + 1, float(rate)) for n, rate in terms), None) if len(terms) == 1 else None


@dataclass(frozen=True, slots=True)
class UniformRows(RowLosses):
    """Costs uniform on (0, end) for each class."""

    factor: float
    ends: tuple[float, ...]

    def of_rows(self, forecasts: Array, labels: NDArray[np.intp]) -> Array:
        weighed = forecasts * np.array(self.ends)
        losses = [
            _uniform_losses(weighed[rows], labels[rows])
            for rows in _blocks(len(labels), weighed.shape[1] * 8)
        ]
        return self.factor * np.array(self.ends)[labels] * np.concatenate(losses)


def _uniform_losses(weighed: Array, labels: NDArray[np.intp]) -> Array:
    """Integrate ``y (1 - prod min(1, y/s_j))`` over (0, 1), with ``s_j`` the others relative to the own class, sorted.

    Below the largest ``s_j`` the product has at least one factor below 1, and above it the integrand is 0.
    """
    others = weighed.shape[1] - 1
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        shares = np.sort(_others(weighed / weighed[np.arange(len(labels)), labels][:, None], labels), axis=1)
        shares = np.where(np.isnan(shares), np.inf, shares)
        highs = np.minimum(shares, 1.0)
        lows = np.concatenate([np.zeros((len(labels), 1)), highs[:, :-1]], axis=1)
        below = np.cumsum(np.log(shares)[:, ::-1], axis=1)[:, ::-1]
        left = np.arange(others, 0, -1)
        parts = [_parts(ends, left, below) for ends in (highs, lows)]
    return np.asarray(highs[:, -1] ** 2 / 2 - ((parts[0] - parts[1]) / (left + 2)).sum(axis=1))


def _parts(ends: Array, left: NDArray[np.int_], below: Array) -> Array:
    powers = np.exp(left * np.log(ends) - below)
    return np.asarray(np.where(ends > 0, ends**2 * powers, 0.0))


def _others(values: Array, labels: NDArray[np.intp]) -> Array:
    kept = np.arange(values.shape[1]) != labels[:, None]
    return np.asarray(values[kept].reshape(len(labels), -1))


@dataclass(frozen=True, slots=True)
class GammaRows(RowLosses):
    """Costs of Gamma laws, (shape, rate) for each class, the shapes whole numbers."""

    factor: float
    laws: tuple[tuple[int, float], ...]

    def of_rows(self, forecasts: Array, labels: NDArray[np.intp]) -> Array:
        nodes = len(self._nodes()[0])
        losses = [
            self._block(forecasts[rows], labels[rows])
            for rows in _blocks(len(labels), nodes * forecasts.shape[1])
        ]
        return self.factor * np.concatenate(losses)

    def _nodes(self) -> tuple[Array, Array]:
        """Return nodes ``log(1 + exp v)`` at equal steps of v, and weights: logarithmic below 1, even above it."""
        largest = max(shape for shape, _ in self.laws)
        places = np.arange(LOWEST, 45.0 + 8 * largest, STEP)
        return np.logaddexp(0.0, places), STEP / (1 + np.exp(-places))

    def _block(self, forecasts: Array, labels: NDArray[np.intp]) -> Array:
        shapes, rates = (np.array(values) for values in zip(*self.laws, strict=True))
        own, (nodes, weights) = forecasts[np.arange(len(labels)), labels][:, None], self._nodes()
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            relative = _others(np.where(own > 0, own / forecasts * rates, 0.0), labels)
            rate, nearest = rates[labels], relative.min(axis=1)
            certain = ~np.isfinite(nearest)  # then the class is chosen whatever it costs
            scale = 1 / (rate + np.where(certain, 0.0, nearest))
            costs = nodes[None, :] * scale[:, None]
            unchosen = self._unchosen(
                costs, relative, _others(np.broadcast_to(shapes, forecasts.shape), labels)
            )
        moment = _moment(costs * rate[:, None], shapes[labels])
        return np.asarray(np.where(certain, 0.0, scale * ((moment * unchosen) @ weights)))

    def _unchosen(self, costs: Array, relative: Array, shapes: Array) -> Array:
        """Return the probability that some other class weighs more, at each cost."""
        reached = np.minimum(costs[:, :, None] * relative[:, None, :], 1e300)
        logs = np.log1p(-_survival(reached, shapes[:, None, :]))
        return np.asarray(-np.expm1(logs.sum(axis=2)))


def _survival(reached: Array, shapes: Array) -> Array:
    """Return ``exp(-v) sum of v^k/k!`` for k below the shape, in logarithms so that nothing overflows."""
    total = np.exp(-reached)
    for k in range(1, int(shapes.max())):
        term = np.exp(k * np.log(reached) - reached - float(sympy.loggamma(k + 1)))
        total = total + np.where(k < shapes, term, 0.0)
    return np.minimum(total, 1.0)


def _moment(scaled: Array, shapes: Array) -> Array:
    """Return ``x f(x)`` of a Gamma law where its rate times x is ``scaled``."""
    factorials = np.array([float(sympy.loggamma(int(shape))) for shape in shapes])[:, None]
    return np.asarray(np.exp(shapes[:, None] * np.log(scaled) - scaled - factorials))


def _blocks(rows: int, size: int) -> Iterator[slice]:
    step = max(1, BLOCK // size)
    yield from (slice(start, start + step) for start in range(0, rows, step))


# ---- data


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
