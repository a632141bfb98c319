"""Means and variances of the losses of several models, gathered block by block."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Sums:
    """The rows of one class so far: how many, the sum of the losses of each model, and how many of them are infinite.

    Sums of blocks are kept and added at the end, so that a mean loses no digits in any number of rows.
    """

    def __init__(self, models: int) -> None:
        self.count = 0
        self.infinite: NDArray[np.int64] = np.zeros(models, dtype=np.int64)
        self._sums: list[Array] = []

    @classmethod
    def known(cls, count: int, sums: Array, infinite: NDArray[np.int64]) -> Sums:
        """Return the sums of rows that somebody else has added up."""
        found = cls(len(sums))
        found.count, found.infinite, found._sums = count, infinite, [sums]
        return found

    def add(self, losses: Array) -> None:
        """Add rows: an array of shape (models, n)."""
        self.count += losses.shape[1]
        self.infinite += np.isinf(losses).sum(axis=1)
        self._sums.append(losses.sum(axis=1))

    @property
    def mean(self) -> Array:
        """The mean loss of each model: 0 if there is no row."""
        sums = [math.fsum(column) for column in zip(*self._sums, strict=True)]
        return np.array(sums) / self.count if self.count else np.zeros(len(self.infinite))


class Moments:
    """The sums of one class so far, and how the losses scatter, and the differences of the losses of two models.

    ``scatter[i, i]`` is the sum of squared deviations of the losses of model i, ``scatter[i, j]`` that of how much more
    model i loses than j; so nothing cancels if two models hardly differ. It is NaN for a model that loses
    infinitely.
    """

    def __init__(self, models: int) -> None:
        self.sums = Sums(models)
        self.scatter = np.zeros((models, models))
        self._centre = np.zeros((models, models))

    @classmethod
    def known(cls, sums: Sums, scatter: Array) -> Moments:
        """Return the moments of rows that somebody else has added up."""
        found = cls(len(scatter))
        found.sums, found.scatter = sums, scatter
        return found

    def add(self, losses: Array) -> None:
        """Add rows: an array of shape (models, n).

        Source: Chan, Golub and LeVeque (1983), Eq. (2.1).
        """
        rows, before = losses.shape[1], self.sums.count
        self.sums.add(losses)
        if not rows:
            return
        share = rows / (before + rows)
        with np.errstate(invalid="ignore"):
            for i, j in combinations_with_replacement(range(len(losses)), 2):
                values = losses[i] if i == j else losses[i] - losses[j]
                centre = values.mean()
                gap = centre - self._centre[i, j]
                self._centre[i, j] += gap * share
                self.scatter[i, j] += np.square(values - centre).sum() + gap**2 * before * share
                self.scatter[j, i] = self.scatter[i, j]


def variance_of_mean(classes: tuple[Moments, Moments], proportions: tuple[float, float] | None) -> Array:
    """Return the variance of the mean loss of each model, and, off the diagonal, of the difference of two of them.

    It is NaN where it is not known. Without ``proportions`` the rows are a sample of both classes together; with them
    the classes are sampled separately, and weighted by their proportions.
    """
    if proportions is not None:
        return sum(
            (
                share**2 * _variance(one.scatter, one.sums.count)
                for share, one in zip(proportions, classes, strict=True)
            ),
            np.zeros_like(classes[0].scatter),
        )
    counts = [one.sums.count for one in classes]
    with np.errstate(invalid="ignore"):
        gap = classes[0].sums.mean - classes[1].sums.mean
        gaps = np.where(np.eye(len(gap), dtype=bool), gap, gap[:, None] - gap)
        between = gaps**2 * (counts[0] * counts[1] / sum(counts)) if all(counts) else 0.0
        return _variance(classes[0].scatter + classes[1].scatter + between, sum(counts))


def _variance(scatter: Array, count: int) -> Array:
    return scatter / (count - 1) / count if count > 1 else np.full_like(scatter, np.nan)
