"""Costs that each row has for itself: numbers for the letters of a rule, in columns beside the predictions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from costderive.core.errors import DataError, ParametersLeftError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.evaluate.predictions import Known
from costderive.numeric import CompiledLoss

Columns = dict[str, Array]
Losses = tuple[Callable[[Array, Columns], Array], Callable[[Array, Columns], Array]]

SAMPLE = 1 << 13  # rows among which the best constant forecast is searched
LOGITS = tuple(-20 + k / 2 for k in range(81))
ZOOMS = 3


def of_rows(rule: CompiledLoss) -> Losses:
    """Return both losses as functions of probabilities, of shape (n,), and of the columns of the same rows."""
    return (
        lambda p, columns: np.asarray(rule.loss0(p, **_own(rule, columns))),
        lambda p, columns: np.asarray(rule.loss1(p, **_own(rule, columns))),
    )


def _own(rule: CompiledLoss, columns: Columns) -> Columns:
    """Return the columns that a rule has letters for; others have no part in it."""
    return {name: columns[name] for name in rule.parameters}


def require_letters(letters: Sequence[str], columns: Sequence[str]) -> None:
    """Require a column for each letter of a context, and no other.

    Raises:
        ParametersLeftError: for a letter without a column.
        DataError: for a column without a letter.
    """
    if missing := [name for name in letters if name not in columns]:
        raise ParametersLeftError(
            f"{', '.join(missing)} in the context has no value",
            "Scores need numbers in place of letters, or a column of numbers for each (columns).",
        )
    if unknown := [name for name in columns if name not in letters]:
        listed = ", ".join(letters) or "none"
        raise DataError(f"{unknown[0]!r} is no letter of the context", f"Its letters: {listed}.")


def require_costs(rule: CompiledLoss, given: Columns, place: Callable[[int], str]) -> None:
    """Require numbers that the rule admits.

    Raises:
        DataError: naming the first row, the column and the condition that it breaks.
    """
    columns, count = _own(rule, given), _count(given)
    if _admits(rule, columns, count):
        return
    good, bad = 0, count
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if _admits(rule, columns, middle) else (good, middle)
    try:
        rule.admit(**{name: values[good] for name, values in columns.items()})
    except DataError as error:
        raise DataError(f"{place(good)}: {error.problem}", error.remedy) from None


def _admits(rule: CompiledLoss, columns: Columns, count: int) -> bool:
    """Return whether a rule admits the numbers of the first rows."""
    try:
        rule.admit(**{name: values[:count] for name, values in columns.items()})
    except DataError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class RowCosts:
    """The columns of the rows of class 0 and of those of class 1, and their weights."""

    classes: tuple[Columns, Columns]
    weights: tuple[Array, Array]

    @classmethod
    def of(cls, block: Known) -> RowCosts:
        """Take them from a block."""
        zero, one = (
            np.ones(np.count_nonzero(block.is_one == label)) if weights is None else weights
            for label, weights in ((0, block.weights_of(0)), (1, block.weights_of(1)))
        )
        return cls((block.of_class(0), block.of_class(1)), (zero, one))

    @classmethod
    def joined(cls, parts: Iterable[RowCosts]) -> RowCosts:
        """Join those of several blocks."""
        parts = list(parts)
        zeros, ones = zip(*(part.classes for part in parts), strict=True)
        zero, one = (np.concatenate([part.weights[label] for part in parts]) for label in (0, 1))
        return cls((_joined(zeros), _joined(ones)), (zero, one))

    def constant(self, rule: CompiledLoss, proportions: tuple[float, float]) -> float:
        """Return the least mean loss that was found of a constant forecast: of 0, of 1, and of a search between them.

        With costs of their own for each row that mean need not have one minimum, so a grid of log-odds is searched, and
        then three finer ones about its best point; beyond ``SAMPLE`` rows by as many random ones.
        """
        some = self._sample()
        best, step = 0.0, 0.0
        grid: Sequence[float] = LOGITS
        for _ in range(1 + ZOOMS):
            losses = [some.mean(rule, _logistic(logit), proportions) for logit in grid]
            best, step = grid[int(np.argmin(losses))], grid[1] - grid[0]
            grid = np.linspace(best - step, best + step, 17).tolist()
        return min(self.mean(rule, p, proportions) for p in (0.0, _logistic(best), 1.0))

    def mean(self, rule: CompiledLoss, p: float, proportions: tuple[float, float]) -> float:
        """Return the mean loss of a constant forecast."""
        losses = zip(of_rows(rule), self.classes, strict=True)
        return self.average(
            [loss(np.full(_count(columns), p), columns) for loss, columns in losses], proportions
        )

    def average(self, values: Sequence[Array | float], proportions: tuple[float, float]) -> float:
        """Return the mean of what each class has in its rows, or in all of them."""
        rows = zip(proportions, values, self.weights, strict=True)
        return math.fsum(
            share * float(np.average(np.broadcast_to(each, weights.shape), weights=weights))
            for share, each, weights in rows
            if len(weights)
        )

    def _sample(self) -> RowCosts:
        counts = [_count(columns) for columns in self.classes]
        if sum(counts) <= SAMPLE:
            return self
        generator = np.random.default_rng(0)
        zeros, ones = (
            generator.choice(count, math.ceil(count * SAMPLE / sum(counts)), replace=False)
            for count in counts
        )
        return RowCosts(
            (_taken(self.classes[0], zeros), _taken(self.classes[1], ones)),
            (self.weights[0][zeros], self.weights[1][ones]),
        )


def _count(columns: Columns) -> int:
    return len(next(iter(columns.values())))


def _taken(columns: Columns, rows: NDArray[np.intp]) -> Columns:
    return {name: values[rows] for name, values in columns.items()}


def _joined(parts: tuple[Columns, ...]) -> Columns:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
