"""Scores of predictions of K classes under costs of each class: the mean cost of each model, and the differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, zip_longest
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive import multiclass
from costderive.core.errors import DataError
from costderive.core.short_repr import short_repr
from costderive.evaluate.label_order import number
from costderive.evaluate.loss_moments import Array, Moments, Sums
from costderive.evaluate.model_scores import Compared, Difference, Estimate
from costderive.evaluate.prediction_files import Block, blocks
from costderive.multiclass import ClassCosts

ROUNDED = (
    1e-3  # how far off 1 a row may add up: losses depend on ratios alone, and files hold rounded numbers
)
Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class KnownClasses:
    """Rows of known classes: labels 0, ..., K - 1 of shape (n,), and for each model probabilities of shape (n, K)."""

    labels: Labels
    models: dict[str, Array]
    left_out: dict[str, str] = field(default_factory=dict)

    __repr__ = short_repr


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

    ``constant`` is the loss of the best constant forecast.
    """

    models: tuple[ClassModelScore, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, ...]
    level: float
    constant: float
    context: ClassCosts

    __repr__ = short_repr


def score_classes(context: ClassCosts, rows: Iterable[KnownClasses], *, level: float = 0.95) -> ClassScores:
    """Score each model's predictions under costs of K classes; intervals are those of a mean, by the normal law.

    Raises:
        DataError: if there is no row, or the level is not inside (0, 1).
        ParametersLeftError: if a parameter of the context has no number.
        SpecError: if costs of the context are neither all uniform from 0 upwards nor all of Gamma laws.

    Example:
        >>> from costderive.multiclass import DirichletCosts
        >>> rows = KnownClasses(np.array([0, 2]), {"a": np.array([[0.5, 0.25, 0.25], [0.2, 0.2, 0.6]])})
        >>> scores = score_classes(DirichletCosts((1, 1, 1)), [rows])
        >>> round(scores[0].loss, 6)
        0.143407
    """
    if not 0 < level < 1:
        raise DataError(f"level = {level!r} is not inside (0, 1)", "Give a proportion, such as 0.95.")
    loss, moments, names = multiclass.compile(context), list[Moments](), tuple[str, ...]()
    usual = (Sums(0), Sums(0))
    for block in rows:
        if not names:
            names = tuple(block.models)
            moments = [Moments(len(names)) for _ in range(context.classes + 1)]
            usual = Sums(len(names)), Sums(len(names))
        losses = np.array([loss.per_sample(block.labels, proba) for proba in block.models.values()])
        moments[-1].add(losses)
        for label, one in enumerate(moments[:-1]):
            one.add(losses[:, block.labels == label])
        for sums, score in zip(usual, (_brier, _log_loss), strict=True):
            sums.add(np.array([score(block.labels, proba) for proba in block.models.values()]))
    if not names:
        raise DataError("there are no predictions", "A mean cost needs at least one row.")
    counts = np.array([one.sums.count for one in moments[:-1]])
    met = np.flatnonzero(counts)
    shares = counts / counts.sum()
    constant = float(shares[met] @ loss.per_sample(met, np.tile(shares, (len(met), 1))))
    return _scores(context, names, moments, usual, constant, level)


def _brier(labels: Labels, proba: Array) -> Array:
    return np.asarray(((proba - np.eye(proba.shape[1])[labels]) ** 2).sum(axis=1))


def _log_loss(labels: Labels, proba: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(proba[np.arange(len(labels)), labels]))


def _scores(
    context: ClassCosts,
    names: tuple[str, ...],
    moments: list[Moments],
    usual: tuple[Sums, Sums],
    constant: float,
    level: float,
) -> ClassScores:
    *classes, whole = moments
    z, count, means = NormalDist().inv_cdf((1 + level) / 2), whole.sums.count, whole.sums.mean

    def estimate(value: float, scatter: float, least: float = -math.inf) -> Estimate:
        error = math.sqrt(scatter / (count - 1) / count) if count > 1 else math.nan
        low, high = value - z * error, value + z * error
        return Estimate(float(value), error, low if math.isnan(low) else max(low, least), high)

    parts = np.array([one.sums.mean * (one.sums.count / count) for one in classes])
    models = tuple(
        ClassModelScore(
            name,
            float(means[k]),
            estimate(means[k], whole.scatter[k, k], least=0.0),
            tuple(map(float, parts[:, k])),
            1 - float(means[k]) / constant if 0 < constant < math.inf else math.nan,
            *(float(sums.mean[k]) for sums in usual),
        )
        for k, name in enumerate(names)
    )
    pairs = combinations(range(len(names)), 2)
    differences = tuple(
        Difference(names[i], names[j], estimate(means[i] - means[j], whole.scatter[i, j])) for i, j in pairs
    )
    return ClassScores(
        models, differences, tuple(one.sums.count for one in classes), level, constant, context
    )


# ---- files


def class_files(
    paths: Sequence[str | Path],
    *,
    y_true: str,
    labels: Sequence[str],
    y_proba: Sequence[str] = (),
    delimiter: str | None = None,
) -> Iterator[KnownClasses]:
    """Yield the rows of files with a column ``MODEL:LABEL`` for each model and label, or ``LABEL`` for one model.

    The labels are in the order of the classes of the costs. Several files hold the same instances in the same order.
    The probabilities of a row may add up to 1 but for rounding, and are divided by their sum.

    Raises:
        DataError: naming file, row and column.
    """
    if len(set(labels)) < len(labels):
        raise DataError(f"labels = {', '.join(labels)} has a label twice", "Give each once.")
    read = [
        blocks(path, y_true=y_true, y_proba=y_proba, delimiter=delimiter, classes=labels) for path in paths
    ]
    for parts in zip_longest(*read):
        known = [_classes(part, labels) if part else np.empty(0, np.intp) for part in parts]
        for path, other in zip(paths[1:], known[1:], strict=True):
            if not np.array_equal(known[0], other):
                remedy = "Files that are compared hold the same instances in the same order."
                raise DataError(
                    f"{path} has other labels, or another number of rows, than {paths[0]}", remedy
                )
        found = [_models(part, path, labels) for part, path in zip(parts, paths, strict=True)]
        left_out = {name: what for part in parts for name, what in part.left_out.items()}
        yield KnownClasses(known[0], _named(found, paths), left_out)


def _classes(part: Block, labels: Sequence[str]) -> Labels:
    """Return the number of each row's class; labels that are numbers are compared as such."""
    table = {_key(label): k for k, label in enumerate(labels)}
    keys = [_key(str(cell)) for cell in part.labels.tolist()]
    for row, key in enumerate(keys):
        if key not in table:
            where = f"{part.place(row)}: the label {str(part.labels[row])[:40]!r} is not a class"
            raise DataError(where, f"The labels are {', '.join(labels)}: name others with --labels.")
    return np.array([table[key] for key in keys], dtype=np.intp)


def _key(text: str) -> Any:
    value = number(text)
    return text.strip() if value is None else float(value)


def _models(part: Block, path: str | Path, labels: Sequence[str]) -> dict[str, Array]:
    """Gather the columns of each model of a file, and divide rows by their sums."""
    columns: dict[str, dict[str, Array]] = {}
    for name, values in part.models.items():
        model, _, label = name.rpartition(":")
        if label.strip() not in labels:
            remedy = f"Name columns MODEL:LABEL, with one of the labels {', '.join(labels)}, or choose with --y-proba."
            raise DataError(f"{path}: column {name!r} belongs to no class", remedy)
        columns.setdefault(model.strip(), {})[label.strip()] = values
    return {model: _forecasts(found, model, part, path, labels) for model, found in columns.items()}


def _forecasts(
    found: dict[str, Array], model: str, part: Block, path: str | Path, labels: Sequence[str]
) -> Array:
    missing = [label for label in labels if label not in found]
    if missing:
        named = f"{model}:{missing[0]}" if model else missing[0]
        raise DataError(f"{path} has no column {named!r}", "Every class needs its probabilities.")
    rows = np.stack([found[label] for label in labels], axis=1)
    sums = rows.sum(axis=1)
    off = np.flatnonzero(np.abs(sums - 1) > ROUNDED)
    if len(off):
        where = f"{part.place(int(off[0]))}: the probabilities of {model or 'the classes'} add up to {sums[off[0]]:.6g}"
        raise DataError(where, "They add up to 1, but for rounding.")
    return np.asarray(rows / sums[:, None])


def _named(found: list[dict[str, Array]], paths: Sequence[str | Path]) -> dict[str, Array]:
    stems = [Path(path).stem for path in paths]
    files = [
        stem if Counter(stems)[stem] == 1 else str(path) for stem, path in zip(stems, paths, strict=True)
    ]
    named = {}
    for file, models in zip(files, found, strict=True):
        for model, values in models.items():
            alone = len(paths) == 1 and model
            named[model if alone else f"{file}: {model}" if model else file] = values
    if len(named) < sum(map(len, found)):
        raise DataError(f"{Counter(files).most_common(1)[0][0]} is given twice", "Give each file once.")
    return named
