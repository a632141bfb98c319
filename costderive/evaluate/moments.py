"""Means and covariances of the losses of several models, gathered block by block."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Moments:
    """The rows of one class so far: how many, and of the losses of each model the mean and the scatter matrix.

    Sums of blocks are kept and added at the end, so that a mean loses no digits in any number of rows.
    """

    def __init__(self, models: int) -> None:
        self.count = 0
        self.scatter = np.zeros((models, models))
        self.infinite = np.zeros(models, dtype=np.int64)
        self._sums: list[Array] = []
        self._centre = np.zeros(models)

    def add(self, losses: Array) -> None:
        """Add rows: an array of shape (models, n). The scatter of a model that loses infinitely is NaN.

        Source: Chan, Golub and LeVeque (1983), Eq. (2.1).
        """
        rows = losses.shape[1]
        if not rows:
            return
        self.infinite += np.isinf(losses).sum(axis=1)
        with np.errstate(invalid="ignore"):
            centre = losses.mean(axis=1)
            deviations, gap = losses - centre[:, None], centre - self._centre
            share = rows / (self.count + rows)
            self.scatter += deviations @ deviations.T + np.outer(gap, gap) * (self.count * share)
            self._centre = self._centre + gap * share
        self._sums.append(losses.sum(axis=1))
        self.count += rows

    @property
    def mean(self) -> Array:
        """The mean loss of each model: 0 if there is no row."""
        sums = [math.fsum(column) for column in zip(*self._sums, strict=True)]
        return np.array(sums) / self.count if self.count else np.zeros(len(self.infinite))


def covariance_of_mean(classes: tuple[Moments, Moments], proportions: tuple[float, float] | None) -> Array:
    """Return the covariance matrix of the mean losses of models over both classes; NaN where it is not known.

    Without ``proportions`` the rows are a sample of both classes together; with them the classes are sampled
    separately, and weighted by their proportions.
    """
    if proportions is not None:
        return sum(
            (
                share**2 * _covariance(one.scatter, one.count)
                for share, one in zip(proportions, classes, strict=True)
            ),
            np.zeros_like(classes[0].scatter),
        )
    counts = [one.count for one in classes]
    with np.errstate(invalid="ignore"):
        gap = classes[0].mean - classes[1].mean
        between = np.outer(gap, gap) * (counts[0] * counts[1] / sum(counts)) if all(counts) else 0.0
        return _covariance(classes[0].scatter + classes[1].scatter + between, sum(counts))


def _covariance(scatter: Array, count: int) -> Array:
    return scatter / (count - 1) / count if count > 1 else np.full_like(scatter, np.nan)
