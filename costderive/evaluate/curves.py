"""Curves of predictions over the cost proportion s, as arrays; the area under a cost curve is the score.

At the threshold s, and for costs that add up to 1, the predictions cost ``Q(s) = s z(s) + (1 - s) o(s)`` an instance,
where z is the proportion of instances of class 0 above s, and o that of class 1 at or below s. The score is the
integral of Q by the threshold weight, whatever the context: a cost curve is Q times its density.

Source: Drummond and Holte (2006); Hernandez-Orallo, Flach and Ferri (2011); Ehm, Gneiting, Jordan and Krueger (2016).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.core.short_repr import short_repr
from costderive.evaluate.model_scores import Scores
from costderive.evaluate.tally import Tally
from costderive.numeric import CompiledLoss


@dataclass(frozen=True, slots=True)
class CostCurve:
    """What predictions cost at each cost proportion, under the rule of a context.

    ``edges``, of shape (m + 1,), ascends from 0 to 1; between two of them ``Q`` is a line: ``above`` and ``below``, of
    shape (m,), are the proportions of all instances that are of class 0 above s, and of class 1 at or below s.
    """

    name: str
    edges: Array
    above: Array
    below: Array
    prevalence: float
    rule: CompiledLoss

    __repr__ = short_repr

    @classmethod
    def of(cls, name: str, weighted: Tally, rule: CompiledLoss) -> CostCurve:
        """Return the curve of predictions whose weights add up to 1."""
        edges = np.unique(np.concatenate([[0.0], weighted.probability, [1.0]]))
        return cls(name, edges, *weighted.mistakes(edges[:-1]), float(weighted.ones.sum()), rule)

    def elementary(self, s: ArrayLike) -> Array:
        """Return ``Q(s)``, the mean cost at the threshold s of costs that add up to 1: a Murphy diagram."""
        s = np.asarray(s, dtype=np.float64)
        above, below = self._mistakes(s)
        return np.asarray(s * above + (1 - s) * below)

    def _mistakes(self, s: Array) -> tuple[Array, Array]:
        """Return the proportions of all instances that are of class 0 above s, and of class 1 at or below s."""
        cell = np.clip(np.searchsorted(self.edges, s, side="right") - 1, 0, len(self.above) - 1)
        return np.where(s < 1, self.above[cell], 0.0), np.where(s < 1, self.below[cell], self.prevalence)

    def __call__(self, s: ArrayLike) -> Array:
        """Return the height of the cost curve: ``Q(s)`` times the density of the threshold weight."""
        return self.elementary(s) * density(self.rule, s)

    def net_benefit(self, t: ArrayLike) -> Array:
        """Return the net benefit at the threshold t, in true ones: ``prevalence - Q(t)/(1 - t)``.

        At t = 1, above which there is nothing, it is 0. So the score is also the integral of
        ``(1 - t) (prevalence - net benefit)`` by the threshold weight.

        Source: Vickers and Elkin (2006).
        """
        t = np.asarray(t, dtype=np.float64)
        above, below = self._mistakes(t)
        return np.asarray(self.prevalence - below - above * t / np.where(t < 1, 1 - t, 1.0))

    @property
    def areas(self) -> Array:
        """The exact areas under the curve between the edges, atoms of the threshold weight included."""
        rises = np.diff(self.rule.loss0(self.edges)), -np.diff(self.rule.loss1(self.edges))
        parts = [
            np.where(part > 0, part * np.where(part > 0, rise, 0.0), 0.0)
            for part, rise in zip((self.above, self.below), rises, strict=True)
        ]
        return np.asarray(parts[0] + parts[1])

    @property
    def area(self) -> float:
        """The area under the curve: the mean loss of the predictions."""
        return math.fsum(self.areas.tolist())

    def corners(self) -> tuple[Array, Array]:
        """Return ``s`` and ``Q(s)`` at the ends of every line, of shape (2 m,): where Q jumps, s comes twice."""
        low, high = self.edges[:-1], self.edges[1:]
        s = np.column_stack([low, high]).ravel()
        heights = [edge * self.above + (1 - edge) * self.below for edge in (low, high)]
        return s, np.column_stack(heights).ravel()


def density(rule: CompiledLoss, s: ArrayLike) -> Array:
    """Return the density of the threshold weight of a proper rule: ``L0'(s)/s = -L1'(s)/(1 - s)``; no atoms."""
    s = np.asarray(s, dtype=np.float64)
    flat, is_low = s.ravel(), s.ravel() < 0.5
    slopes = rule.gradient(is_low.astype(int), flat) if flat.size else flat
    return np.asarray(np.where(is_low, -slopes / (1 - flat), slopes / np.where(is_low, 1, flat))).reshape(
        s.shape
    )


@dataclass(frozen=True, slots=True)
class Reliability:
    """What classes follow on each probability, and what that costs.

    The loss is miscalibration - discrimination + uncertainty: what recalibration saves, what recalibrated forecasts
    save of the loss of the best constant one, and that loss. None is negative. ``probability`` ascends, of shape
    (m,), as ``recalibrated``, its isotonic recalibration, and ``weight``, which adds up to 1.

    Source: Dimitriadis, Gneiting and Jordan (2021).
    """

    name: str
    probability: Array
    recalibrated: Array
    weight: Array
    miscalibration: float
    discrimination: float
    uncertainty: float

    __repr__ = short_repr


def cost_curves(scores: Scores) -> tuple[CostCurve, ...]:
    """Return the cost curve of each model: its area is the loss at the calibrated threshold."""
    return tuple(
        CostCurve.of(row.model, tally.weighted(scores.proportions), scores.rule)
        for row, tally in zip(scores, scores.tallies, strict=True)
    )


def optimal_curves(scores: Scores) -> tuple[CostCurve, ...]:
    """Return the cost curves at the best threshold for each s: lower envelopes, from the convex hulls of the ROCs.

    They are those of the recalibrated predictions.
    """
    weighted = [tally.weighted(scores.proportions).recalibrated() for tally in scores.tallies]
    return tuple(
        CostCurve.of(row.model, tally, scores.rule) for row, tally in zip(scores, weighted, strict=True)
    )


def constant_curves(scores: Scores) -> tuple[CostCurve, CostCurve]:
    """Return the cost curves of always deciding for class 0, and for class 1."""
    zeros, ones = (np.array([share]) for share in scores.proportions)
    always = [Tally(np.array([p]), zeros, ones) for p in (0.0, 1.0)]
    return (
        CostCurve.of("always 0", always[0], scores.rule),
        CostCurve.of("always 1", always[1], scores.rule),
    )


def reliabilities(scores: Scores) -> tuple[Reliability, ...]:
    """Return the reliability diagram of each model, with the decomposition of its loss.

    Raises:
        DataError: if there is one class only: then there is nothing to calibrate to.
    """
    require_both_classes(scores)
    found = []
    for row, tally in zip(scores, scores.tallies, strict=True):
        weighted = tally.weighted(scores.proportions)
        parts = row.calibrated - row.recalibrated, scores.constant - row.recalibrated, scores.constant
        weight = weighted.zeros + weighted.ones
        found.append(Reliability(row.model, tally.probability, weighted.recalibration(), weight, *parts))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Roc:
    """Rates of false and true ones, both of shape (m,), from (1, 1) down to (0, 0) as the threshold rises."""

    name: str
    threshold: Array
    false_ones: Array
    true_ones: Array

    __repr__ = short_repr

    @property
    def area(self) -> float:
        """The area under the curve: the chance that an instance of class 1 ranks above one of class 0, ties half."""
        return float(-np.trapezoid(self.true_ones, self.false_ones))


def rocs(scores: Scores, *, hull: bool = False) -> tuple[Roc, ...]:
    """Return the ROC of each model, or its convex hull.

    Raises:
        DataError: if there is one class only, where a rate is undefined.
    """
    require_both_classes(scores)
    return tuple(
        _roc(row.model, tally.recalibrated() if hull else tally)
        for row, tally in zip(scores, scores.tallies, strict=True)
    )


def _roc(name: str, tally: Tally) -> Roc:
    threshold = np.concatenate([[-np.inf], tally.probability])
    above, below = tally.mistakes(threshold)
    return Roc(name, threshold, above / above[0], 1 - below / below[-1])


def require_both_classes(scores: Scores) -> None:
    """Raise a ``DataError`` if there is one class only."""
    if not all(scores.counts):
        raise DataError(
            f"all {sum(scores.counts)} instances are of class {int(scores.counts[0] == 0)}",
            "A rate of each class needs instances of both.",
        )
