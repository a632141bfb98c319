"""The scores of several models on the same instances, side by side, and how sure the differences are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costderive.contexts import Context
from costderive.errors import DataError
from costderive.evaluate.moments import Array, Moments, covariance_of_mean
from costderive.evaluate.predictions import Known, in_memory
from costderive.evaluate.simulation import Simulation, simulated
from costderive.evaluate.tally import Counting, Tally
from costderive.numeric import CompiledLoss, compile
from costderive.thresholds import Calibrated, Threshold, thresholded
from costderive.walks import derive


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over instances, its standard error and a confidence interval; NaN where these are not known."""

    value: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ModelScore:
    """What one model loses: the mean loss, its parts from the two classes, and well-known scores beside it.

    ``loss = loss0 + loss1``, in the units of the costs: ``loss0`` is what instances of class 0 contribute to the
    mean over all instances, ``loss1`` what those of class 1 do. ``calibrated`` is the mean loss if decisions are
    made at ``c0/(c0 + c1)``, and ``recalibrated`` that after isotonic recalibration on these instances: what
    recalibration saves is at most the difference. ``skill`` is 1 - calibrated/H, where H is the loss of the best
    constant forecast. ``infinite`` counts the rows whose loss is infinite.
    """

    model: str
    loss: float
    interval: Estimate
    loss0: float
    loss1: float
    calibrated: float
    recalibrated: float
    skill: float
    brier: float
    log_loss: float
    infinite: int
    infinite_log_loss: int
    simulation: Simulation | None


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more ``model`` loses than ``other``, on the same instances."""

    model: str
    other: str
    loss: Estimate


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of models, in the order in which they were given, and the differences of all pairs of them.

    ``proportions`` are those of the classes by which means are taken, ``constant`` the loss of the best constant
    forecast, ``tallies`` the predictions of each model, counted, and ``rule`` the loss at the calibrated threshold.
    """

    models: tuple[ModelScore, ...]
    differences: tuple[Difference, ...]
    counts: tuple[int, int]
    proportions: tuple[float, float]
    constant: float
    level: float
    tallies: tuple[Tally, ...]
    rule: CompiledLoss

    def __iter__(self) -> Iterator[ModelScore]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, index: int) -> ModelScore:
        return self.models[index]

    @property
    def best(self) -> ModelScore:
        """The cheapest model."""
        return min(self.models, key=lambda model: model.loss)

    def over(self, other: str) -> dict[str, Estimate]:
        """Return how much more every model loses than one of them."""
        found = {each.model: each.loss for each in self.differences if each.other == other}
        turned = {each.other: _turned(each.loss) for each in self.differences if each.model == other}
        return {model.model: (found | turned)[model.model] for model in self.models if model.model != other}


def score(  # noqa: PLR0913  (all but the data are keywords)
    context: Context,
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    *,
    threshold: Threshold = Calibrated(),
    prevalence: float | None = None,
    level: float = 0.95,
    draws: int = 0,
    seed: int | None = None,
    pos_label: Any = None,
    time_limit: float = 60.0,
) -> Scores:
    """Score each model's predictions under a cost context, with the Brier score and the log loss beside it.

    At a ``threshold`` of its own the loss need not be a proper scoring rule; it is what those decisions cost.

    ``models`` maps a name to probabilities of class 1, of shape (n,) or (n, 2). ``prevalence`` is the proportion of
    class 1 where the models will be used, if it is not that of the instances: means are then taken by it, and the
    predictions stay as they are. Intervals are those of a mean (by the delta method, with the normal
    distribution), at the confidence ``level``. Nothing is clipped, so a loss may be infinite. With ``draws`` all
    models are simulated too, with the same draws of the costs.

    Raises:
        DataError: if labels or probabilities cannot be scored.
        ParametersLeftError: if a parameter of the context has no number.

    Example:
        >>> from costderive.contexts import Additive
        >>> scores = score(Additive(), [0, 0, 1, 1], {"a": [0.1, 0.4, 0.6, 0.9], "b": [0.1, 0.4, 0.3, 0.9]})
        >>> scores.best.model, round(scores.over("a")["b"].value, 4)
        ('a', 0.0825)
    """
    blocks = in_memory(y_true, models, pos_label)
    more: dict[str, Any] = {"draws": draws, "seed": seed, "time_limit": time_limit}
    return score_blocks(context, blocks, threshold=threshold, prevalence=prevalence, level=level, **more)


def score_blocks(
    context: Context,
    blocks: Iterable[Known],
    *,
    threshold: Threshold = Calibrated(),
    prevalence: float | None = None,
    level: float = 0.95,
    draws: int = 0,
    seed: int | None = None,
    time_limit: float = 60.0,
) -> Scores:
    """Score predictions that come block by block, as ``from_files`` yields them: the memory needed is bounded.

    The losses are those of all rows. Beyond a million distinct probabilities of a model ``recalibrated`` and the
    simulation take them rounded to 12 binary digits, of ``p`` and of ``1 - p``.
    """
    for name, value in (("prevalence", prevalence), ("level", level)):
        if value is not None and not 0 < value < 1:
            raise DataError(f"{name} = {value!r} is not inside (0, 1)", "Give a proportion, such as 0.05.")
    own, calibrated = _rules(context, threshold, time_limit)
    gathered = _Gathered.of(blocks, own, calibrated)
    counts = gathered.counts
    proportions = _proportions(counts, prevalence)
    simulations: tuple[Simulation | None, ...] = (None,) * len(gathered.names)
    if draws:
        weights = tuple(share / max(1, count) for share, count in zip(proportions, counts, strict=True))
        decided = thresholded(context, threshold)
        simulations = simulated(decided, gathered.tallies, (weights[0], weights[1]), draws=draws, seed=seed)
    constant = _constant(calibrated, proportions[1])
    covariance = covariance_of_mean(gathered.losses, None if prevalence is None else proportions)
    z = NormalDist().inv_cdf((1 + level) / 2)
    means = _Means(gathered, proportions, covariance, z)
    scored = tuple(
        means.score(k, calibrated, constant, simulation) for k, simulation in enumerate(simulations)
    )
    return Scores(
        scored, means.differences(), counts, proportions, constant, level, gathered.tallies, calibrated
    )


@lru_cache(maxsize=16)
def _rules(context: Context, threshold: Threshold, seconds: float) -> tuple[CompiledLoss, CompiledLoss]:
    """Return the losses at the threshold, and at the calibrated one."""
    if isinstance(threshold, Calibrated):
        loss = compile(derive(context, time_limit=seconds))
        return loss, loss
    own = compile(derive(context, threshold=threshold, time_limit=seconds))
    return own, _rules(context, Calibrated(), seconds)[1]


def _proportions(counts: tuple[int, int], prevalence: float | None) -> tuple[float, float]:
    if prevalence is None:
        return counts[0] / sum(counts), counts[1] / sum(counts)
    if not all(counts):
        raise DataError(
            f"prevalence = {prevalence!r} needs instances of both classes, and there are none of class "
            f"{counts.index(0)}",
            "Leave it out, or add instances.",
        )
    return 1 - prevalence, prevalence


def _constant(loss: CompiledLoss, prevalence: float) -> float:
    """Return the entropy at the proportion of class 1: a proper rule has no better constant forecast."""
    parts = (1 - prevalence, loss.loss0(prevalence)), (prevalence, loss.loss1(prevalence))
    return math.fsum(share * value for share, value in parts if share)


@dataclass(frozen=True)
class _Gathered:
    """What is kept of the rows: per class the moments of the losses, the Brier score and the log loss, and tallies."""

    names: tuple[str, ...]
    losses: tuple[Moments, Moments]
    calibrated: tuple[Moments, Moments]
    brier: tuple[Moments, Moments]
    log_loss: tuple[Moments, Moments]
    tallies: tuple[Tally, ...]

    @classmethod
    def of(cls, blocks: Iterable[Known], own: CompiledLoss, calibrated: CompiledLoss) -> _Gathered:
        """Read all blocks."""
        names: tuple[str, ...] = ()
        kept: list[tuple[_Pair, tuple[Moments, Moments]]] = []
        counting: list[Counting] = []
        for block in blocks:
            if not names:
                names = tuple(block.models)
                pairs = _pairs(own, calibrated)
                kept = [(pair, (Moments(len(names)), Moments(len(names)))) for pair in pairs]
                counting = [Counting() for _ in names]
            _gather(block, kept)
            for count, values in zip(counting, block.models.values(), strict=True):
                count.add(Tally.of(values, block.is_one))
        if not names:
            raise DataError("there are no predictions", "A mean loss needs at least one row.")
        own_losses, *others, brier, log_loss = (both for _, both in kept)
        return cls(names, own_losses, (others or [own_losses])[0], brier, log_loss, _tallies(counting))

    @property
    def counts(self) -> tuple[int, int]:
        return self.losses[0].count, self.losses[1].count


_Pair = tuple[Callable[[Array], Array], Callable[[Array], Array]]


def _tallies(counting: Iterable[Counting]) -> tuple[Tally, ...]:
    return tuple(count.tally() for count in counting)


def _pairs(own: CompiledLoss, calibrated: CompiledLoss) -> list[_Pair]:
    """Return the losses of class 0 and 1 by the rule, the calibrated rule if that is another, and two usual ones."""
    rules: list[_Pair] = [(own.loss0, own.loss1)]
    if calibrated is not own:
        rules.append((calibrated.loss0, calibrated.loss1))
    return [
        *rules,
        (lambda p: p * p, lambda p: (1 - p) ** 2),
        (lambda p: -np.log1p(-p), lambda p: -np.log(p)),
    ]


def _gather(block: Known, kept: list[tuple[_Pair, tuple[Moments, Moments]]]) -> None:
    for label, chosen in enumerate((~block.is_one, block.is_one)):
        values = [probability[chosen] for probability in block.models.values()]
        for losses, moments in kept:
            with np.errstate(divide="ignore"):  # a log loss may be infinite
                moments[label].add(np.array([losses[label](each) for each in values]))


@dataclass(frozen=True)
class _Means:
    """Means of what was gathered, by the proportions of the classes."""

    gathered: _Gathered
    proportions: tuple[float, float]
    covariance: Array
    z: float

    def score(self, k: int, rule: CompiledLoss, constant: float, simulation: Simulation | None) -> ModelScore:
        parts = self._parts(self.gathered.losses)[:, k]
        calibrated = float(self._parts(self.gathered.calibrated)[:, k].sum())
        chosen = np.eye(len(self.gathered.names))[k]
        return ModelScore(
            model=self.gathered.names[k],
            loss=float(parts.sum()),
            interval=self._estimate(float(parts.sum()), chosen),
            loss0=float(parts[0]),
            loss1=float(parts[1]),
            calibrated=calibrated,
            recalibrated=total_loss(rule, self.gathered.tallies[k].weighted(self.proportions).recalibrated()),
            skill=1 - calibrated / constant if 0 < constant < math.inf else math.nan,
            brier=float(self._parts(self.gathered.brier)[:, k].sum()),
            log_loss=float(self._parts(self.gathered.log_loss)[:, k].sum()),
            infinite=_infinite(self.gathered.losses, k),
            infinite_log_loss=_infinite(self.gathered.log_loss, k),
            simulation=simulation,
        )

    def differences(self) -> tuple[Difference, ...]:
        names, losses = self.gathered.names, self._parts(self.gathered.losses).sum(axis=0)
        each = np.eye(len(names))
        with np.errstate(invalid="ignore"):
            return tuple(
                Difference(
                    names[i], names[j], self._estimate(float(losses[i] - losses[j]), each[i] - each[j])
                )
                for i, j in combinations(range(len(names)), 2)
            )

    def _parts(self, classes: tuple[Moments, Moments]) -> Array:
        """Return what each class contributes to the mean of each model, of shape (2, models)."""
        return np.array([share * one.mean for share, one in zip(self.proportions, classes, strict=True)])

    def _estimate(self, value: float, contrast: Array) -> Estimate:
        rows = np.flatnonzero(contrast)
        variance = float(contrast[rows] @ self.covariance[np.ix_(rows, rows)] @ contrast[rows])
        error = math.sqrt(max(0.0, variance)) if math.isfinite(variance) else math.nan
        return Estimate(value, error, value - self.z * error, value + self.z * error)


def _infinite(classes: tuple[Moments, Moments], k: int) -> int:
    return int(classes[0].infinite[k] + classes[1].infinite[k])


def _turned(loss: Estimate) -> Estimate:
    return Estimate(-loss.value, loss.standard_error, -loss.high, -loss.low)


def total_loss(rule: CompiledLoss, weighted: Tally) -> float:
    """Return the mean loss of weighted predictions: ``weighted`` adds up to 1 over both classes."""
    parts = ((weighted.zeros, rule.loss0), (weighted.ones, rule.loss1))
    return math.fsum(
        value
        for weights, loss in parts
        for value in (weights[weights > 0] * loss(weighted.probability[weights > 0])).tolist()
    )
