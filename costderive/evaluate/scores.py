"""Score several models on the same instances: what is asked, and how means of losses answer it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.costs.contexts import Context
from costderive.costs.contexts.context import whole_number
from costderive.costs.thresholds import Calibrated, Threshold, thresholded
from costderive.derivation.derive import derive
from costderive.evaluate.cost_matrix import CostMatrix
from costderive.evaluate.intervals import Bootstrap, Delta, intervals
from costderive.evaluate.model_scores import Difference, ModelScore, Scores
from costderive.evaluate.predictions import Known, in_memory
from costderive.evaluate.row_costs import RowCosts, require_letters
from costderive.evaluate.running_totals import Classes, Gathered
from costderive.evaluate.scaled_costs import compiled_context
from costderive.evaluate.simulation import Simulation, simulated
from costderive.evaluate.tally import Tally
from costderive.multiclass.class_costs import ClassContext
from costderive.numeric import CompiledLoss, compile


@dataclass(frozen=True, slots=True)
class How:
    """What is asked of scores, as the arguments of ``score`` say it."""

    threshold: Threshold = Calibrated()
    prevalence: float | None = None
    level: float = 0.95
    bootstrap: int = 0
    draws: int = 0
    seed: int | None = None
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        for name, value, example in (("prevalence", self.prevalence, 0.05), ("level", self.level, 0.95)):
            if value is not None and not 0 < value < 1:
                remedy = f"Give a proportion, such as {example}."
                raise DataError(f"{name} = {value!r} is not inside (0, 1)", remedy)
        if self.bootstrap:
            whole_number(self.bootstrap, "bootstrap", least=2)  # of one sample there are no quantiles


USUAL = How()


def score(  # noqa: PLR0913  (all but the data are keywords)
    context: Context | CostMatrix,
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    *,
    threshold: Threshold = Calibrated(),
    prevalence: float | None = None,
    level: float = 0.95,
    bootstrap: int = 0,
    draws: int = 0,
    seed: int | None = None,
    pos_label: Any = None,
    columns: Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    time_limit: float = 60.0,
) -> Scores:
    """Score each model's predictions under a cost context, with the Brier score and the log loss beside it.

    At a ``threshold`` of its own the loss need not be a proper scoring rule; it is what those decisions cost.

    ``models`` maps a name to probabilities of class 1, of shape (n,) or (n, 2), in NumPy, pandas, polars or anything
    that NumPy reads; a data frame will do. ``prevalence`` is the proportion of class 1 where the models will be used,
    if it is not that of the instances: means are then taken by it, and the predictions stay as they are. Intervals
    are those of a mean, at the confidence ``level``: by the delta method, with the normal distribution, or, with
    ``bootstrap``, between the quantiles of the means of so many samples drawn with replacement. Nothing is clipped, so
    a loss may be infinite. With ``draws`` all models are simulated too, with the same draws of the costs.

    ``columns`` gives each letter of the context its number, or an array of shape (n,): the costs of each row. A cost
    matrix in place of the context has costs of right decisions, too, and is scored by its regrets.

    ``sample_weight``, of shape (n,), are weights that are at least 0: means are then weighted, intervals those of a
    sample whose rows had unequal chances (not of repeated rows), and tallies and proportions are of weights. A row of
    weight 0 does not count. With ``groups``, of shape (n,), the rows of each group are scored apart, too.

    Raises:
        DataError: if labels, probabilities or costs cannot be scored, naming the row.
        ParametersLeftError: if a parameter of the context has no number.

    Example:
        >>> from costderive import Additive
        >>> scores = score(Additive(), [0, 0, 1, 1], {"a": [0.1, 0.4, 0.6, 0.9], "b": [0.1, 0.4, 0.3, 0.9]})
        >>> scores.best.model, round(scores.over("a")["b"].value, 4)
        ('a', 0.0825)

        The cost of a case of class 1 that is missed is its amount.

        >>> from costderive import Independent
        >>> context = Independent(fp=5, fn="amount")
        >>> rows = score(context, [0, 1, 1], {"a": [0.1, 0.2, 0.2]}, columns={"amount": [10, 10, 100]})
        >>> round(rows[0].loss, 4)
        3.3333
    """
    how = How(threshold, prevalence, level, bootstrap, draws, seed, time_limit)
    given = columns or {}
    return scored(
        context,
        how,
        lambda *rules: Gathered.of(
            _read(context, in_memory(y_true, models, pos_label, given, sample_weight, groups)), *rules
        ),
        tuple(given),
    )


def score_blocks(
    context: Context | CostMatrix, blocks: Iterable[Known], how: How = USUAL, columns: Sequence[str] = ()
) -> Scores:
    """Score predictions that come block by block, as ``from_files`` yields them: the memory needed is bounded.

    The losses are those of all rows. Beyond half a million distinct probabilities of a model ``recalibrated`` and the
    simulation take them rounded to 12 binary digits, of ``p`` and of ``1 - p``; beyond 16384 rows the bootstrap
    draws so many random groups of them in place of rows. That takes about 300 MB, and 30 MB for each further model.
    ``columns`` are the letters of the context of which the blocks have a number for each row; these are kept, 8 bytes
    each.
    """
    return scored(context, how, lambda *rules: Gathered.of(_read(context, blocks), *rules), tuple(columns))


def _read(context: Context | CostMatrix, blocks: Iterable[Known]) -> Iterable[Known]:
    """Return blocks with the columns that the regrets of a cost matrix need."""
    return context.blocks(blocks) if isinstance(context, CostMatrix) else blocks


Gather = Callable[[CompiledLoss, CompiledLoss, bool], Gathered]


def scored(start: Context | CostMatrix, how: How, gather: Gather, columns: tuple[str, ...] = ()) -> Scores:
    """Return the scores of what is gathered by the loss at the threshold, and that at the calibrated one.

    The third argument of ``gather`` says whether losses are wanted in groups too, for the bootstrap. ``columns`` are
    the letters that each row has a number for.
    """
    if isinstance(start, ClassContext):
        raise DataError(
            f"{start!r} has {start.classes} classes", "Score them with cd.evaluate.score_classes."
        )
    if not isinstance(start, Context | CostMatrix):
        raise DataError(
            f"{start!r} is not a cost context", "Pass what was derived from: costs, no derivation."
        )
    matrix, context = (start, start.context) if isinstance(start, CostMatrix) else (None, start)
    require_letters(letters_of(start, how.threshold), columns)
    if columns and how.draws:
        raise DataError("costs that each row has for itself are not simulated", "Leave out draws.")
    own, calibrated = _rules(context, how.threshold, how.time_limit)
    gathered = gather(own, calibrated, how.bootstrap > 0)
    found = _Wanted(context, how, calibrated, columns, matrix)
    whole = found.scores(gathered)
    return replace(
        whole, groups={name: found.of_group(name, part) for name, part in gathered.segments.items()}
    )


@dataclass(frozen=True)
class _Wanted:
    """What is asked of rows that were gathered: of all of them, and of those of a group."""

    context: Context
    how: How
    rule: CompiledLoss  # at the calibrated threshold
    columns: tuple[str, ...]
    matrix: CostMatrix | None

    def of_group(self, name: str, gathered: Gathered) -> Scores:
        """Return the scores of a group.

        Raises:
            DataError: naming the group.
        """
        try:
            return self.scores(gathered)
        except DataError as error:
            raise DataError(f"group {name!r}: {error.problem}", error.remedy) from None

    def scores(self, gathered: Gathered) -> Scores:
        """Return the scores."""
        proportions, costs = _proportions(gathered, self.how.prevalence), gathered.costs
        constant = (
            _constant(self.rule, proportions[1]) if costs is None else costs.constant(self.rule, proportions)
        )
        means = _Means(gathered, proportions, self._intervals(gathered, proportions))
        simulations = _simulations(self.context, self.how, gathered, proportions)
        return Scores(
            tuple(means.score(k, self.rule, constant, run) for k, run in enumerate(simulations)),
            means.differences(),
            gathered.counts,
            proportions,
            constant,
            self.how.level,
            gathered.tallies,
            self.rule,
            self.how.bootstrap,
            self.columns,
            _always(gathered, self.rule, proportions),
            0.0 if self.matrix is None else _rest(self.matrix, costs, proportions),
            self.matrix,
            gathered.weights != gathered.counts,
            context=thresholded(self.context, self.how.threshold),
        )

    def _intervals(self, gathered: Gathered, proportions: tuple[float, float]) -> Delta | Bootstrap:
        given = None if self.how.prevalence is None else proportions
        return intervals(gathered, given, self.how.level, self.how.bootstrap, self.how.seed)


def _rest(matrix: CostMatrix, costs: RowCosts | None, proportions: tuple[float, float]) -> float:
    """Return the mean cost of right decisions."""
    if costs is None:
        return math.fsum(share * matrix.rest(label, {}) for label, share in enumerate(proportions))
    return costs.average([matrix.rest(label, costs.classes[label]) for label in (0, 1)], proportions)


def letters_of(start: Context | CostMatrix, threshold: Threshold) -> list[str]:
    """Return the names of the letters of costs and of a threshold."""
    costs = start.context if isinstance(start, CostMatrix) else start
    decided = frozenset(thresholded(costs, threshold).parameters) - frozenset(costs.parameters)
    return sorted(symbol.name for symbol in decided.union(start.parameters))


def _always(gathered: Gathered, rule: CompiledLoss, proportions: tuple[float, float]) -> tuple[float, float]:
    """Return the mean losses of deciding for class 0 everywhere, and for class 1."""
    if gathered.costs is not None:
        return gathered.costs.mean(rule, 0.0, proportions), gathered.costs.mean(rule, 1.0, proportions)
    first, second = zip(proportions, (float(rule.loss0(1.0)), float(rule.loss1(0.0))), strict=True)
    return tuple(share * cost if share else 0.0 for share, cost in (second, first))  # type: ignore[return-value]


def _simulations(
    context: Context, how: How, gathered: Gathered, proportions: tuple[float, float]
) -> tuple[Simulation | None, ...]:
    if not how.draws:
        return (None,) * len(gathered.names)
    first, second = (
        share / (weight or 1.0) for share, weight in zip(proportions, gathered.weights, strict=True)
    )
    decided = thresholded(context, how.threshold)
    return simulated(decided, gathered.tallies, (first, second), draws=how.draws, seed=how.seed)


@lru_cache(maxsize=16)
def _rules(context: Context, threshold: Threshold, seconds: float) -> tuple[CompiledLoss, CompiledLoss]:
    """Return the losses at the threshold, and at the calibrated one."""
    if isinstance(threshold, Calibrated):
        loss = compiled_context(context, seconds)
        return loss, loss
    own = compile(derive(context, threshold=threshold, time_limit=seconds), time_limit=seconds)
    return own, _rules(context, Calibrated(), seconds)[1]


def _proportions(gathered: Gathered, prevalence: float | None) -> tuple[float, float]:
    counts, weights = gathered.counts, gathered.weights
    if prevalence is None:
        return weights[0] / sum(weights), weights[1] / sum(weights)
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
class _Means:
    """Means of what was gathered, by the proportions of the classes."""

    gathered: Gathered
    proportions: tuple[float, float]
    intervals: Delta | Bootstrap

    def score(self, k: int, rule: CompiledLoss, constant: float, simulation: Simulation | None) -> ModelScore:
        parts = self._parts(self.gathered.losses)[:, k]
        loss = float(parts.sum())
        return ModelScore(
            model=self.gathered.names[k],
            loss=loss,
            interval=self.intervals.estimate(loss, k, k),
            loss0=float(parts[0]),
            loss1=float(parts[1]),
            calibrated=float(self._parts(self.gathered.calibrated)[:, k].sum()),
            recalibrated=self._recalibrated(k, rule),
            skill=1 - loss / constant if 0 < constant < math.inf else math.nan,
            brier=float(self._parts(self.gathered.brier)[:, k].sum()),
            log_loss=float(self._parts(self.gathered.log_loss)[:, k].sum()),
            infinite=_infinite(self.gathered.losses, k),
            infinite_log_loss=_infinite(self.gathered.log_loss, k),
            simulation=simulation,
        )

    def _recalibrated(self, k: int, rule: CompiledLoss) -> float:
        if self.gathered.costs is not None:
            return math.nan
        return total_loss(rule, self.gathered.tallies[k].weighted(self.proportions).recalibrated())

    def differences(self) -> tuple[Difference, ...]:
        names, losses = self.gathered.names, self._parts(self.gathered.losses).sum(axis=0)
        with np.errstate(invalid="ignore"):
            return tuple(
                Difference(
                    names[i],
                    names[j],
                    self.intervals.estimate(float(losses[i] - losses[j]), i, j),
                )
                for i, j in combinations(range(len(names)), 2)
            )

    def _parts(self, classes: Classes) -> Array:
        """Return what each class contributes to the mean of each model, of shape (2, models)."""
        return np.array([share * one.mean for share, one in zip(self.proportions, classes, strict=True)])


def _infinite(classes: Classes, k: int) -> int:
    return int(classes[0].infinite[k] + classes[1].infinite[k])


def total_loss(rule: CompiledLoss, weighted: Tally) -> float:
    """Return the mean loss of weighted predictions: ``weighted`` adds up to 1 over both classes."""
    parts = ((weighted.zeros, rule.loss0), (weighted.ones, rule.loss1))
    return math.fsum(
        value
        for weights, loss in parts
        for value in (weights[weights > 0] * loss(weighted.probability[weights > 0])).tolist()
    )
