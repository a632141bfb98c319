"""Means and variances of the losses of several models, gathered block by block."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from costderive.core.numpy_on_demand import Array, NDArray, np


class Sums:
    """The rows of one class so far: how many, their weight, the losses of each model, and how many are infinite.

    Losses count by the weights of the rows; without weights each row has the weight 1. Sums of blocks are kept and
    added at the end, so that a mean loses no digits in any number of rows.
    """

    def __init__(self, models: int) -> None:
        self.count = 0
        self.infinite: NDArray[np.int64] = np.zeros(models, dtype=np.int64)
        self._weights: list[float] = []
        self._sums: list[Array] = []

    @classmethod
    def known(cls, count: int, sums: Array, infinite: NDArray[np.int64]) -> Sums:
        """Return the sums of rows that somebody else has added up."""
        found = cls(len(sums))
        found.count, found.infinite, found._weights, found._sums = count, infinite, [float(count)], [sums]
        return found

    def add(self, losses: Array, weights: Array | None = None) -> None:
        """Add rows: an array of shape (models, n), and weights of shape (n,)."""
        self.count += losses.shape[1]
        self.infinite += np.isinf(losses).sum(axis=1)
        self._weights.append(float(losses.shape[1] if weights is None else weights.sum()))
        self._sums.append((losses if weights is None else losses * weights).sum(axis=1))

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return math.fsum(self._weights)

    @property
    def mean(self) -> Array:
        """The mean loss of each model: 0 if there is no row."""
        sums = [math.fsum(column) for column in zip(*self._sums, strict=True)]
        return np.array(sums) / self.weight if self.count else np.zeros(len(self.infinite))


class Moments:
    """The sums of one class so far, and how the losses scatter, and the differences of the losses of two models.

    ``scatter[i, i]`` is the sum of squared deviations of the losses of model i, each times the square of the row's
    weight, from their mean ``centre[i, i]`` by the squares of the weights; ``scatter[i, j]`` is that of how much more
    model i loses than j, so that nothing cancels if two models hardly differ. ``squares`` is the sum of the squares of
    the weights. The scatter is NaN for a model that loses infinitely.
    """

    def __init__(self, models: int) -> None:
        self.sums = Sums(models)
        self.squares = 0.0
        self.scatter = np.zeros((models, models))
        self.centre = np.zeros((models, models))

    @classmethod
    def known(cls, sums: Sums, scatter: Array) -> Moments:
        """Return the moments of rows that somebody else has added up, without weights."""
        found = cls(len(scatter))
        found.sums, found.scatter, found.squares = sums, scatter, float(sums.count)
        found.centre = _gaps(sums.mean)
        return found

    def add(self, losses: Array, weights: Array | None = None) -> None:
        """Add rows: an array of shape (models, n), and weights of shape (n,).

        Source: Chan, Golub and LeVeque (1983), Eq. (2.1).
        """
        rows, before = losses.shape[1], self.squares
        self.sums.add(losses, weights)
        if not rows:
            return
        square = np.ones(rows) if weights is None else weights**2
        new = float(square.sum())
        self.squares += new
        share = new / self.squares
        with np.errstate(invalid="ignore"):
            for i, j in combinations_with_replacement(range(len(losses)), 2):
                values = losses[i] if i == j else losses[i] - losses[j]
                centre = (square * values).sum() / new
                gap = centre - self.centre[i, j]
                self.centre[i, j] += gap * share
                self.scatter[i, j] += (square * (values - centre) ** 2).sum() + gap**2 * before * share
                if i != j:
                    self.scatter[j, i], self.centre[j, i] = self.scatter[i, j], -self.centre[i, j]

    def about(self, means: Array) -> Array:
        """Return the scatter about other means of the models, in place of the centre."""
        return self.scatter + self.squares * (self.centre - _gaps(means)) ** 2


def _gaps(means: Array) -> Array:
    """Return how much more each model has than each other, and on the diagonal what it has."""
    with np.errstate(invalid="ignore"):
        return np.where(np.eye(len(means), dtype=bool), means, means[:, None] - means)


def variance_of_mean(classes: tuple[Moments, ...], proportions: tuple[float, ...] | None) -> Array:
    """Return the variance of the mean loss of each model, and, off the diagonal, of the difference of two of them.

    It is NaN where it is not known. Without ``proportions`` the rows are a sample of all classes together; with them
    the classes are sampled separately, and weighted by their proportions. Rows with weights are a sample with unequal
    probabilities, and the mean a ratio of two sums: the variance is that of its linearisation.

    Source: Särndal, Swensson and Wretman (1992), result 5.6.1, for sampling with replacement.
    """
    if proportions is not None:
        return sum(
            (
                share**2 * _variance((one,), one.sums.mean)
                for share, one in zip(proportions, classes, strict=True)
            ),
            np.zeros_like(classes[0].scatter),
        )
    total = sum(one.sums.weight for one in classes)
    with np.errstate(invalid="ignore"):
        return _variance(classes, sum((one.sums.weight / total) * one.sums.mean for one in classes))


def _variance(parts: Sequence[Moments], means: Any) -> Array:
    """Return the variance of weighted means of the rows of some parts."""
    count, weight = sum(one.sums.count for one in parts), sum(one.sums.weight for one in parts)
    if count < 2:
        return np.full_like(parts[0].scatter, np.nan)
    with np.errstate(invalid="ignore"):
        scatter = sum(one.about(means) for one in parts if one.sums.count)
    return np.asarray(scatter / weight**2 * (count / (count - 1)))
