"""Scores of predictions of K classes under costs of each class: the mean cost of each model, and the differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from reprlib import repr as shown
from statistics import NormalDist
from typing import Any

import costderive
from costderive import multiclass
from costderive.core.errors import DataError, SpecError, require_values
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.short_repr import cut, html_of, short_repr
from costderive.evaluate.data_frames import data_frame
from costderive.evaluate.loss_moments import Moments, Sums, variance_of_mean
from costderive.evaluate.model_scores import SHOWN, Compared, Difference, Estimate
from costderive.evaluate.predictions import (
    by_group,
    checked_weights,
    column,
    grouped,
    named_columns,
    require_few,
)
from costderive.multiclass.checked_classes import ascending, checked_rows, named_classes
from costderive.multiclass.class_costs import ClassContext
from costderive.multiclass.mean_scores import MulticlassLoss
from costderive.numeric.checked_data import as_numpy

Labels = NDArray["np.intp"]


@dataclass(frozen=True, slots=True)
class KnownClasses:
    """Rows of known classes: labels 0, ..., K - 1 of shape (n,), and for each model probabilities of shape (n, K).

    ``weights`` are those of the rows, all positive, ``groups`` the group that each row belongs to, and ``place(i)``
    says where row i stands; ``share`` is how much of a file has been read.
    """

    labels: Labels
    models: dict[str, Array]
    left_out: dict[str, str] = field(default_factory=dict)
    weights: Array | None = None
    groups: NDArray[Any] | None = None
    place: Callable[[int], str] = "row {}".format
    share: float = 1.0

    __repr__ = short_repr

    def at(self, rows: NDArray[np.bool_]) -> KnownClasses:
        """Return some of the rows, given as a mask of shape (n,)."""
        numbers = np.flatnonzero(rows)
        return KnownClasses(
            self.labels[rows],
            {name: values[rows] for name, values in self.models.items()},
            self.left_out,
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
            lambda row: self.place(int(numbers[row])),
            self.share,
        )

    def weighted(self, weights: Array, name: str) -> KnownClasses:
        """Return the rows with weights, but for those whose weight is 0.

        Raises:
            DataError: naming the first row whose weight is none.
        """
        found = checked_weights(weights, name, self.place)
        return replace(self, weights=found).at(found > 0)

    def segments(self) -> Iterator[tuple[str, KnownClasses]]:
        """Yield the rows of each group, with its name."""
        for name, rows in by_group(self.groups, self.place):
            yield name, self.at(rows)


@dataclass(frozen=True, slots=True)
class ClassModelScore:
    """The mean cost of a model, what instances of each class contribute to it, and well-known scores beside it.

    ``skill`` is 1 - loss/H, where H is the loss of the best constant forecast. ``brier`` adds up over all classes.
    """

    model: str
    loss: float
    interval: Estimate
    of_classes: tuple[float, ...]
    skill: float
    brier: float
    log_loss: float

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ClassScores(Compared[ClassModelScore]):
    """Scores of models, in the order in which they were given, and the differences of all pairs of them.

    ``constant`` is the loss of the best constant forecast, ``labels`` what the classes are called, and ``groups`` the
    scores of groups of rows, by name.
    """

    models: tuple[ClassModelScore, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, ...]
    level: float
    constant: float
    context: ClassContext
    labels: tuple[str, ...]
    is_weighted: bool = False
    groups: dict[str, ClassScores] = field(default_factory=dict)

    def __repr__(self) -> str:
        names = cut(", ".join(f"{row.model} {row.loss:.4g}" for row in self), SHOWN)
        return f"<Scores of {sum(self.counts)} instances of {len(self.counts)} classes: {names}>"

    def __str__(self) -> str:
        """The tables that ``costderive score`` prints."""
        return str(costderive.export.text(self))

    _repr_html_ = html_of

    def to_frame(self) -> Any:
        """Return a row of numbers for each model as a data frame of pandas, with the ends of its interval.

        Raises:
            CostDeriveError: if pandas is not installed.
        """
        alone = ("model", "loss", "skill", "brier", "log_loss")
        numbers = {each.name: [getattr(row, each.name) for row in self] for each in fields(ClassModelScore)}
        ends = {end: [getattr(row.interval, end) for row in self] for end in ("low", "high")}
        parts = {f"of {name}": [row.of_classes[k] for row in self] for k, name in enumerate(self.labels)}
        return data_frame({**{name: numbers[name] for name in alone}, **ends, **parts}, "model")


def score_classes(
    context: ClassContext,
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    *,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time_limit: float = 60.0,
) -> ClassScores:
    """Score each model's predictions under costs of K classes.

    ``y_true`` holds the classes 0, ..., K - 1 of the rows, or one-hot rows, or names of classes, which ``labels`` has
    in the order of their costs (without it they are in ascending order, and all are met); ``models`` maps a name to
    probabilities of shape (n, K), which `multiclass.compile` describes. Weights, of shape (n,), are at least 0; means
    are then weighted, and intervals those of a ratio. With ``groups``, of shape (n,), the rows of each are scored
    apart, too.

    Raises:
        DataError: naming the model and the first row that cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.
        SpecError: if these are no costs of classes, or the losses are not compiled within ``time_limit``, in seconds
            of CPU time.

    Example:
        >>> from costderive.multiclass import DirichletCosts
        >>> proba = [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]
        >>> scores = score_classes(DirichletCosts((1, 1, 1)), [0, 2], {"a": proba})
        >>> round(scores[0].loss, 6)
        0.143407
    """
    if not isinstance(context, ClassContext):
        remedy = "Give costs of classes: IndependentCosts, DirichletCosts or a CostMatrix."
        raise SpecError(f"{shown(context)} is not a context of costs of classes", remedy)
    names = _names(y_true, context.classes, labels)
    checked = {
        name: checked_rows(y_true, proba, context.classes, names, f"model {name!r}")
        for name, proba in named_columns(models).items()
    }
    if not checked:
        raise DataError("models is empty", "Give probabilities for at least one model.")
    known = next(iter(checked.values()))[0]
    rows = KnownClasses(
        known,
        {name: proba for name, (_, proba) in checked.items()},
        groups=None if groups is None else grouped(groups, len(known)),
    )
    if sample_weight is not None:
        rows = rows.weighted(column("sample_weight", sample_weight, len(known)), "sample_weight")
    return score_class_rows(context, [rows], labels=labels or names, level=level, time_limit=time_limit)


def _names(y_true: ArrayLike, classes: int, labels: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """Return what labels are looked up in: none for numbers of classes, which may have names of other kinds."""
    kind = as_numpy(y_true).dtype.kind
    if labels is None:
        return ascending(as_numpy(y_true), classes) if kind in "OUST" else None
    names = named_classes(labels, classes)
    return None if kind in "iuf" and any(isinstance(name, str) for name in names) else names


def score_class_rows(
    context: ClassContext,
    rows: Iterable[KnownClasses],
    *,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    time_limit: float = 60.0,
) -> ClassScores:
    """Score predictions that come block by block, as `score_classes` does: the memory needed is bounded.

    Raises:
        DataError: if there is no row, or the level is not inside (0, 1).
        ParametersLeftError: if a parameter of the context has no number.
        SpecError: if the losses are not compiled in time.
    """
    if not 0 < level < 1:
        raise DataError(f"level = {level!r} is not inside (0, 1)", "Give a proportion, such as 0.95.")
    require_values(context.parameters, "costs")
    called = tuple(map(str, labels or range(context.classes)))
    loss = multiclass.compile(context, time_limit=time_limit)
    readings: dict[str | None, _Reading] = {}
    for block in rows:
        if not len(block.labels):
            continue
        for name, part in ((None, block), *block.segments()):
            readings.setdefault(name, _Reading(context, loss, tuple(block.models))).add(part)
        require_few([name for name in readings if name is not None])
    if None not in readings:
        raise DataError("there are no predictions", "A mean cost needs at least one row of positive weight.")
    whole = readings.pop(None).scores(called, level)
    parts = {name: readings[name].scores(called, level) for name in sorted(filter(None, readings))}
    return replace(whole, groups=parts)


class _Reading:
    """Gathers blocks: the losses of all rows, and of those of each class."""

    def __init__(self, context: ClassContext, loss: MulticlassLoss, names: tuple[str, ...]) -> None:
        self._context, self._loss, self._names = context, loss, names
        self._whole = Moments(len(names))
        self._classes = [Sums(len(names)) for _ in range(context.classes)]
        self._usual = Sums(len(names)), Sums(len(names))
        self._is_weighted = False

    def add(self, block: KnownClasses) -> None:
        losses = self._of_models(block, self._loss.per_sample)
        self._whole.add(losses, block.weights)
        self._is_weighted |= block.weights is not None
        for label, sums in enumerate(self._classes):
            rows = block.labels == label
            sums.add(losses[:, rows], None if block.weights is None else block.weights[rows])
        for sums, score in zip(self._usual, (_brier, _log_loss), strict=True):
            sums.add(self._of_models(block, score), block.weights)

    @staticmethod
    def _of_models(block: KnownClasses, losses: Callable[[Labels, Array], Array]) -> Array:
        return np.array([losses(block.labels, proba) for proba in block.models.values()])

    def scores(self, labels: tuple[str, ...], level: float) -> ClassScores:
        z, variance = NormalDist().inv_cdf((1 + level) / 2), variance_of_mean((self._whole,), None)
        means, total = self._whole.sums.mean, self._whole.sums.weight
        parts = np.array([sums.mean * (sums.weight / total) for sums in self._classes])
        constant = self._constant()

        def estimate(value: float, i: int, j: int) -> Estimate:
            error = math.sqrt(variance[i, j])
            low = value - z * error
            return Estimate(value, error, max(low, 0.0) if i == j and low < 0 else low, value + z * error)

        models = tuple(
            ClassModelScore(
                name,
                float(means[k]),
                estimate(float(means[k]), k, k),
                tuple(map(float, parts[:, k])),
                1 - float(means[k]) / constant if 0 < constant < math.inf else math.nan,
                *(float(sums.mean[k]) for sums in self._usual),
            )
            for k, name in enumerate(self._names)
        )
        with np.errstate(invalid="ignore"):
            differences = tuple(
                Difference(self._names[i], self._names[j], estimate(float(means[i] - means[j]), i, j))
                for i, j in combinations(range(len(models)), 2)
            )
        counts = tuple(sums.count for sums in self._classes)
        return ClassScores(
            models, differences, counts, level, constant, self._context, labels, self._is_weighted
        )

    def _constant(self) -> float:
        """Return the mean loss of the forecast that is the proportion of each class."""
        weights = np.array([sums.weight for sums in self._classes])
        shares, met = weights / weights.sum(), np.flatnonzero(weights)
        return float(shares[met] @ self._loss.per_sample(met, np.tile(shares, (len(met), 1))))


def _brier(labels: Labels, proba: Array) -> Array:
    return np.asarray(((proba - np.eye(proba.shape[1])[labels]) ** 2).sum(axis=1))


def _log_loss(labels: Labels, proba: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(proba[np.arange(len(labels)), labels]))
