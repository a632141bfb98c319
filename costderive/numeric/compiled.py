"""The compiled loss: what users call on labels and predictions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costderive.derivation import Derivation
from costderive.errors import ParametersLeftError, SpecError
from costderive.numeric.data import Batch, batch, probabilities, sample_weights
from costderive.numeric.exact import Array
from costderive.numeric.function import Function, Part
from costderive.numeric.losses import compiled_curvature, compiled_loss, compiled_slope
from costderive.pairs import LossPair
from costderive.rule import ScoringRule

ROWS = 65_536  # rows in one block: what is held beside the data stays below a few megabytes


def compile(rule: ScoringRule | Derivation) -> CompiledLoss:
    """Return the losses of a scoring rule as a function of labels and predicted probabilities.

    Values are within a few units in the last place of the exact loss for every double in [0, 1], the ends
    included, and are never clipped: a loss that is infinite at an end is ``inf`` there.

    Raises:
        ParametersLeftError: if a parameter of the rule has no number.

    Example:
        >>> from costderive.contexts import Additive
        >>> from costderive.walks import derive
        >>> brier = compile(derive(Additive(budget=2)))
        >>> brier([0, 1, 1], [0.5, 0.5, 1.0])
        0.16666666666666666
        >>> brier.loss0(0.25)
        0.0625
    """
    chosen = rule.rule if isinstance(rule, Derivation) else rule
    if not isinstance(chosen, ScoringRule):
        raise SpecError(
            f"{rule!r} is not a scoring rule", "Pass a rule or a derivation: compile(derive(context))."
        )
    if chosen.parameters:
        names = [symbol.name for symbol in chosen.parameters]
        example = ", ".join(f"{name}={value}" for value, name in enumerate(names, start=1))
        raise ParametersLeftError(
            f"cannot compile a rule with open parameters: {', '.join(names)}",
            f"Give each parameter a number first: compile(rule.at({example})).",
        )
    losses = chosen.cases[0][1]
    if isinstance(losses, LossPair) and not losses.from_the_left:
        raise SpecError(
            "a value at a breakpoint is not the one on its left",
            "Compiled losses are continuous from the left.",
        )
    return CompiledLoss(chosen, compiled_loss(losses, 0), compiled_loss(losses, 1))


@dataclass(frozen=True, eq=False)
class CompiledLoss:
    """The mean loss of predictions under a scoring rule; build it with :func:`compile`.

    Wherever labels and predictions are asked for: ``y_true`` has shape (n,) and two classes, 0 and 1 (or False
    and True, or -1 and 1), or any two labels of which ``pos_label`` names class 1; ``y_proba`` has shape (n,),
    the probabilities of class 1, or shape (n, 2), a column per label in ascending order, as ``predict_proba``
    of scikit-learn gives. Bad input raises ``DataError`` with the first offending index and its value.
    """

    rule: ScoringRule
    _loss0: Function
    _loss1: Function

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> float:
        """Return the mean loss, weighted by ``sample_weight`` of shape (n,) if that is given.

        A row of weight 0 does not count, even if its loss is infinite.

        Raises:
            DataError: if labels, probabilities or weights cannot be scored.
        """
        data = batch(y_true, y_proba, pos_label)
        weights = None if sample_weight is None else sample_weights(sample_weight, len(data))
        total = self._total(data, weights, scale=1.0)
        size = len(data) if weights is None else math.fsum(weights)
        return total / size if total < math.inf else self._total(data, weights, scale=size)

    def per_sample(self, y_true: ArrayLike, y_proba: ArrayLike, *, pos_label: Any = None) -> Array:
        """Return the loss of each row, shape (n,).

        Raises:
            DataError: if labels or probabilities cannot be scored.
        """
        return _by_class(batch(y_true, y_proba, pos_label), self._loss0, self._loss1)

    def gradient(self, y_true: ArrayLike, y_proba: ArrayLike, *, pos_label: Any = None) -> Array:
        """Return the derivative of each row's loss in ``p``, shape (n,): ``p w(p)``, or ``-(1 - p) w(p)``.

        ``w`` is the density of the threshold weight; a rule that was not derived from one has its derivative alone.
        At a breakpoint it is the derivative from the left, at 0 the limit from the right; jumps of the loss (atoms
        of the weight) do not show.

        Raises:
            DataError: if labels or probabilities cannot be scored.

        Source: Buja, Stuetzle and Shen (2005), section 3.
        """
        return _by_class(batch(y_true, y_proba, pos_label), *self._slopes)

    def hessian(self, y_true: ArrayLike, y_proba: ArrayLike, *, pos_label: Any = None) -> Array:
        """Return the second derivative of each row's loss in ``p``, shape (n,): ``w + p w'``, or ``w - (1 - p) w'``.

        It may be negative. It is accurate relative to itself or to ``w(p)``, whichever is larger.

        Raises:
            DataError: if labels or probabilities cannot be scored.
        """
        return _by_class(batch(y_true, y_proba, pos_label), *self._curvatures)

    def loss0(self, p: ArrayLike) -> Any:
        """Return the loss of predicting ``p`` when the class is 0: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1].
        """
        return _anywhere(self._loss0, p)

    def loss1(self, p: ArrayLike) -> Any:
        """Return the loss of predicting ``p`` when the class is 1: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1].
        """
        return _anywhere(self._loss1, p)

    @property
    def plan(self) -> tuple[Part, ...]:
        """How each loss is computed on each part of [0, 1], why, and how accurate it was measured to be."""
        return tuple(segment.part for loss in (self._loss0, self._loss1) for segment in loss.segments)

    @cached_property
    def _slopes(self) -> tuple[Function, Function]:
        losses = self.rule.cases[0][1]
        return compiled_slope(losses, 0), compiled_slope(losses, 1)

    @cached_property
    def _curvatures(self) -> tuple[Function, Function]:
        losses = self.rule.cases[0][1]
        return compiled_curvature(losses, 0), compiled_curvature(losses, 1)

    def _total(self, data: Batch, weights: Array | None, scale: float) -> float:
        """Return the sum of the losses, each divided by ``scale`` first; ``inf`` if it overflows."""
        sums = []
        for rows in _slices(len(data)):
            losses = _by_class(data[rows], self._loss0, self._loss1) / scale
            sums.append(_sum(losses, None if weights is None else weights[rows]))
        try:
            return math.fsum(sums)
        except OverflowError:
            return math.inf

    def __reduce__(self) -> tuple[Any, ...]:
        return compile, (self.rule,)  # generated functions do not pickle; the rule does


def _slices(count: int) -> Iterator[slice]:
    return (slice(start, start + ROWS) for start in range(0, count, ROWS))


def _by_class(data: Batch, function0: Function, function1: Function) -> Array:
    """Return the first function where the class is 0 and the second where it is 1."""
    values = np.empty(len(data))
    for rows in _slices(len(data)):
        block, here = data[rows], values[rows]
        zeros, ones = np.flatnonzero(~block.is_one), np.flatnonzero(block.is_one)
        here[zeros] = function0(block.probability[zeros])
        here[ones] = function1(block.probability[ones])
    return values


def _anywhere(function: Function, points: ArrayLike) -> Any:
    numbers = probabilities("p", points)
    flat = numbers.reshape(-1)
    values = np.empty_like(flat)
    for rows in _slices(len(flat)):
        values[rows] = function(flat[rows])
    return float(values[0]) if numbers.ndim == 0 else values.reshape(numbers.shape)


def _sum(losses: Array, weights: Array | None) -> float:
    """Sum pairwise; a loss of weight 0 does not count, even if it is infinite."""
    with np.errstate(over="ignore", under="ignore"):
        if weights is None:
            return float(np.sum(losses))
        counted = weights > 0
        return float(np.sum(losses[counted] * weights[counted]))
