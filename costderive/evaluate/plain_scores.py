"""Scores of predictions without NumPy, as a page in a browser takes them: the numbers of ``score``."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import combinations
from statistics import NormalDist
from typing import Any

from costderive.core.errors import DataError
from costderive.costs.contexts import Context
from costderive.evaluate.csv_predictions import Chosen, Rows, csv_rows, no_probability
from costderive.evaluate.label_order import Classes
from costderive.evaluate.model_scores import Compared, Difference, Estimate, ModelScore
from costderive.evaluate.plain_losses import PlainLosses
from costderive.evaluate.plain_tally import PlainTally
from costderive.evaluate.predictions import group_name, require_few, require_weight

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
Parts = tuple[float, float]  # of class 0 and class 1


@dataclass(frozen=True, slots=True)
class PlainRows:
    """Rows of predictions: whether each is class 1, its weight, a column of probabilities for each model, its group."""

    is_one: list[bool]
    weights: list[float]
    models: dict[str, list[float]]
    left_out: dict[str, str]
    is_weighted: bool
    groups: list[str] = field(default_factory=list)  # of each row, if there are any

    @classmethod
    def of_csv(
        cls,
        name: str,
        data: bytes,
        y_true: str,
        pos_label: str | None = None,
        weights: str | None = None,
        by: str | None = None,
    ) -> PlainRows:
        """Read a CSV file, as ``from_files`` does; ``name`` is what messages call it.

        Raises:
            DataError: naming the line and the column of what is wrong.
        """
        asked = Chosen(y_true, (), () if weights is None else (weights,), by)
        classes, parts = Classes(pos_label), list(csv_rows(name, BytesIO(data), len(data), asked))
        if not parts:
            raise DataError(f"{name} has no rows", "Each row is one instance: its label and probabilities.")
        if weights is not None and weights not in parts[0].numbers:
            raise DataError(f"{name} has no column {weights!r}", "Name the column of the weights.")
        if by is not None and parts[0].groups is None:
            raise DataError(f"{name} has no column {by!r}", "Name the column of the groups.")
        found = cls(
            [], [], {model: [] for model in parts[0].chosen.models}, parts[0].chosen.left_out, bool(weights)
        )
        for part in parts:
            found._add(part, classes, weights)
        classes.close(name)
        if not found.is_one:
            raise DataError(
                "there are no predictions", "A mean loss needs at least one row of positive weight."
            )
        return found

    def _add(self, part: Rows, classes: Classes, weights: str | None) -> None:
        for model in self.models:
            _require_probabilities(part, model)
        is_one = classes.of_cells(
            part.labels, lambda row: f"{part.place(row)}, column {part.chosen.y_true!r}"
        )
        each = [1.0] * len(is_one) if weights is None else _weights(part, weights)
        kept = [row for row, weight in enumerate(each) if weight]
        if part.groups is not None:
            self.groups.extend(group_name(part.groups[row], part.place, row) for row in kept)
        self.is_one.extend(is_one[row] for row in kept)
        self.weights.extend(each[row] for row in kept)
        for model, values in self.models.items():
            column = part.numbers[model]
            values.extend(column[row] for row in kept)

    def segments(self) -> dict[str, PlainRows]:
        """Return the rows of each group, by its name.

        Raises:
            DataError: if there are more groups than tables can show.
        """
        places: dict[str, list[int]] = defaultdict(list)
        for row, name in enumerate(self.groups):
            places[name].append(row)
        require_few(sorted(places))
        return {name: self._at(places[name]) for name in sorted(places)}

    def _at(self, places: list[int]) -> PlainRows:
        return replace(
            self,
            is_one=[self.is_one[row] for row in places],
            weights=[self.weights[row] for row in places],
            models={name: [p[row] for row in places] for name, p in self.models.items()},
            groups=[],
        )


def _require_probabilities(part: Rows, model: str) -> None:
    for row, value in enumerate(part.numbers[model]):
        if not 0 <= value <= 1:
            no_probability(value, model, part.place(row))


def _weights(part: Rows, name: str) -> Sequence[float]:
    for row, weight in enumerate(part.numbers[name]):
        require_weight(weight, f"weight {name!r}", part.place, row)
    return part.numbers[name]


@dataclass(frozen=True, slots=True, repr=False)
class PlainScores(Compared[ModelScore]):
    """Scores as ``Scores`` has them, of a context without letters, with intervals by the delta method."""

    models: tuple[ModelScore, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, int]
    proportions: Parts
    constant: float
    tallies: tuple[PlainTally, ...]
    losses: PlainLosses  # at the calibrated threshold
    context: Context
    left_out: dict[str, str]
    is_weighted: bool
    level: float = LEVEL
    groups: dict[str, PlainScores] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    bootstrap: int = 0
    matrix: None = None

    @property
    def weighted(self) -> dict[str, PlainTally]:
        """The tally of each model, with weights that add up to 1."""
        return {
            row.model: tally.weighted(self.proportions) for row, tally in zip(self, self.tallies, strict=True)
        }

    @classmethod
    def of(
        cls, rows: PlainRows, context: Context, own: PlainLosses, calibrated: PlainLosses | None = None
    ) -> PlainScores:
        """Score rows by the losses at the threshold asked for, with those at the calibrated one beside it.

        Source: Särndal, Swensson and Wretman (1992), result 5.6.1, for the variance of a mean.
        """
        means = _Means.of(rows, own, calibrated or own)
        names = list(rows.models)
        differences = tuple(
            Difference(names[i], names[j], means.difference(i, j))
            for i, j in combinations(range(len(names)), 2)
        )
        return cls(
            tuple(means.score(k) for k in range(len(names))),
            differences,
            means.counts,
            means.proportions,
            means.constant,
            means.tallies,
            means.calibrated,
            context,
            rows.left_out,
            rows.is_weighted,
            groups={name: cls.of(part, context, own, calibrated) for name, part in rows.segments().items()},
        )


@dataclass(frozen=True)
class _Means:
    """Weighted means of losses over rows."""

    rows: PlainRows
    own: PlainLosses
    calibrated: PlainLosses
    values: tuple[list[float], ...]  # the loss of each row, by model
    tallies: tuple[PlainTally, ...]
    counts: tuple[int, int]
    proportions: Parts
    constant: float

    @classmethod
    def of(cls, rows: PlainRows, own: PlainLosses, calibrated: PlainLosses) -> _Means:
        ones = [weight for weight, one in zip(rows.weights, rows.is_one, strict=True) if one]
        zeros = [weight for weight, one in zip(rows.weights, rows.is_one, strict=True) if not one]
        first, second = math.fsum(zeros), math.fsum(ones)
        proportions = first / (first + second), second / (first + second)
        parts = zip(proportions, (calibrated.at(label, proportions[1]) for label in (0, 1)), strict=True)
        return cls(
            rows,
            own,
            calibrated,
            _of_rows(rows, own),
            tuple(PlainTally.of(p, rows.is_one, rows.weights) for p in rows.models.values()),
            (len(zeros), len(ones)),
            proportions,
            math.fsum(share * value for share, value in parts if share),
        )

    def score(self, k: int) -> ModelScore:
        name, probabilities = list(self.rows.models.items())[k]
        parts = self._parts(self.values[k])
        loss, log_loss = sum(parts), self._by_class(_log_losses, probabilities)
        calibrated = (
            loss if self.calibrated is self.own else sum(self._parts(_of_rows(self.rows, self.calibrated)[k]))
        )
        return ModelScore(
            model=name,
            loss=loss,
            interval=self._estimate(loss, self.values[k], 0.0),
            loss0=parts[0],
            loss1=parts[1],
            calibrated=calibrated,
            recalibrated=self._recalibrated(k),
            skill=1 - loss / self.constant if 0 < self.constant < math.inf else math.nan,
            brier=sum(self._parts(self._by_class(_squares, probabilities))),
            log_loss=sum(self._parts(log_loss)),
            infinite=sum(map(math.isinf, self.values[k])),
            infinite_log_loss=sum(map(math.isinf, log_loss)),
            simulation=None,
        )

    def difference(self, i: int, j: int) -> Estimate:
        """Return how much more model i loses than model j."""
        first, second = self.values[i], self.values[j]
        gap = sum(self._parts(first)) - sum(self._parts(second))
        return self._estimate(gap, [x - y for x, y in zip(first, second, strict=True)], -math.inf)

    def _by_class(self, task: Any, probabilities: list[float]) -> list[float]:
        return [task(p, one) for p, one in zip(probabilities, self.rows.is_one, strict=True)]

    def _parts(self, values: list[float]) -> Parts:
        """Return what each class contributes to the mean."""
        sums = [
            math.fsum(
                w * x
                for w, x, one in zip(self.rows.weights, values, self.rows.is_one, strict=True)
                if one == k
            )
            for k in (0, 1)
        ]
        total = math.fsum(self.rows.weights)
        return sums[0] / total, sums[1] / total

    def _estimate(self, mean: float, values: list[float], least: float) -> Estimate:
        """Return a mean with its standard error and an interval, no end of which is below ``least``."""
        count, total = len(values), math.fsum(self.rows.weights)
        if count < 2 or not all(map(math.isfinite, values)):
            return Estimate(mean, math.nan, math.nan, math.nan)
        scatter = math.fsum((w * (x - mean)) ** 2 for w, x in zip(self.rows.weights, values, strict=True))
        error = math.sqrt(scatter * (count / (count - 1))) / total
        return Estimate(mean, error, max(mean - Z * error, least), mean + Z * error)

    def _recalibrated(self, k: int) -> float:
        found = self.tallies[k].weighted(self.proportions).recalibrated()
        parts = []
        for label, weights in enumerate((found.zeros, found.ones)):
            counted = [(p, weight) for p, weight in zip(found.probability, weights, strict=True) if weight]
            values = self.calibrated.values(label, [[p for p, _ in counted]])
            parts += [weight * values[p] for p, weight in counted]
        return math.fsum(parts)


def _of_rows(rows: PlainRows, losses: PlainLosses) -> tuple[list[float], ...]:
    """Return the loss of each row, by model."""
    found = []
    for label in (0, 1):
        places = [row for row, one in enumerate(rows.is_one) if one == label]
        found.append(losses.values(label, [[p[row] for row in places] for p in rows.models.values()]))
    return tuple([found[one][x] for x, one in zip(p, rows.is_one, strict=True)] for p in rows.models.values())


def _squares(p: float, one: bool) -> float:
    return (1 - p) ** 2 if one else p * p


def _log_losses(p: float, one: bool) -> float:
    if one:
        return -math.log(p) if p else math.inf
    return -math.log1p(-p) if p < 1 else math.inf
