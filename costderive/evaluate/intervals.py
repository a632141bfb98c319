"""Intervals of mean losses and of their differences: by the delta method, or from random samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from costderive.core.numpy_on_demand import Array, np
from costderive.evaluate.loss_moments import variance_of_mean
from costderive.evaluate.model_scores import Estimate
from costderive.evaluate.running_totals import Gathered


@dataclass(frozen=True)
class Delta:
    """Intervals by the variances of means and of their differences, as ``variance_of_mean`` has them.

    No mean loss is below 0, and so is no end of its interval.
    """

    variance: Array
    z: float

    def estimate(self, value: float, i: int, j: int) -> Estimate:
        """Return the estimate for model i, or for how much more than model j it loses."""
        error = math.sqrt(self.variance[i, j])
        low = value - self.z * error
        return Estimate(value, error, max(low, 0.0) if i == j else low, value + self.z * error)


@dataclass(frozen=True)
class Bootstrap:
    """Intervals between quantiles of the means of random samples, of shape (draws, models)."""

    means: Array
    level: float

    def estimate(self, value: float, i: int, j: int) -> Estimate:
        """Return the estimate for model i, or for how much more than model j it loses."""
        drawn = self.means[:, i] if i == j else self.means[:, i] - self.means[:, j]
        if not np.isfinite(drawn).all():
            return Estimate(value, math.nan, math.nan, math.nan)
        low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2])
        return Estimate(value, float(drawn.std(ddof=1)), float(low), float(high))


def intervals(
    gathered: Gathered, proportions: tuple[float, float] | None, level: float, draws: int, seed: int | None
) -> Delta | Bootstrap:
    """Return the intervals of means; with ``proportions`` the classes are sampled separately, and weighted by them."""
    if gathered.groups is not None:
        return Bootstrap(gathered.groups.means(draws, seed, proportions), level)
    return Delta(variance_of_mean(gathered.moments, proportions), NormalDist().inv_cdf((1 + level) / 2))
