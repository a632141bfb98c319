"""The compiled loss: what users call on labels and predictions."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from costderive.core.errors import CompileTimeError, DataError, ParametersLeftError, SpecError
from costderive.core.time_limit import within
from costderive.core.user_cache import kept
from costderive.derivation.derivation import Derivation
from costderive.numeric.blocks import (
    Both,
    Evaluated,
    Given,
    Logits,
    Pair,
    Rows,
    Sums,
    Unusual,
    added,
    careful_mean,
    mapped,
    one_of,
    per_row,
    sums,
)
from costderive.numeric.checked_data import predicted
from costderive.numeric.loss_functions import compiled, in_panels
from costderive.numeric.machine_program import Kernel
from costderive.numeric.mirror import mirrored
from costderive.numeric.plan import Plan
from costderive.numeric.point_pairs import Array
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair

Task = tuple[int, str, bool]  # the order, in what, and whether of 1 - p
LOSSES: Task = (0, "p", False)
MANY_ROWS = 2**16  # of a call, as many as files are read at a time
_COMPILING = threading.RLock()  # mpmath's precision is that of the process


def compile(
    rule: ScoringRule | Derivation, *, fast: bool = False, time_limit: float | None = 60.0
) -> CompiledLoss:
    """Return the losses of a scoring rule as a function of labels and predicted probabilities.

    Values are within four units in the last place of the exact loss for every double in [0, 1], the ends
    included, and are never clipped: a loss that is infinite at an end is ``inf`` there. With ``fast`` the mean of
    probabilities is taken by a machine program that Numba makes (the extra ``fast``) and keeps on disk.

    Losses for which NumPy would sort the rows are also written as panels, which spare it that: at once if ``fast``,
    else in the first call of :data:`MANY_ROWS` rows. Calls of fewer rows do not use them.

    The work is done in a child process that is ended after ``time_limit`` seconds; the derivatives, and panels, have
    as long again when they are first asked for. With None there is no limit, nor is there in a daemonic process, which
    may have no children. What took long is kept in the user's cache (``costderive cache`` shows and clears it) and read
    again when the same losses are compiled by the same version.

    Raises:
        CompileTimeError: if that takes longer than ``time_limit``.
        ParametersLeftError: if a parameter of the rule has no number.
        MissingPackageError: if ``fast`` is asked for and Numba is not installed.

    Example:
        >>> from costderive import Additive
        >>> from costderive import derive
        >>> brier = compile(derive(Additive(budget=2)))
        >>> brier([0, 1, 1], [0.5, 0.5, 1.0])
        0.16666666666666666
        >>> brier.loss0(0.25)
        0.0625
    """
    chosen = rule.rule if isinstance(rule, Derivation) else rule
    numbers = _in_numbers(chosen)
    losses = _limited(time_limit, _both, (numbers, *LOSSES, fast))
    if not fast:
        return CompiledLoss(chosen, losses, None, time_limit)
    read = _limited(time_limit, _panelled, (numbers, *LOSSES, True), losses)
    return CompiledLoss(chosen, losses, Kernel.of(read), time_limit, _read={LOSSES: read})


def functions(
    rule: ScoringRule,
    order: int = 0,
    wrt: str = "p",
    *,
    in_lanes: bool = False,
    of_margin: bool = False,
    time_limit: float | None = 60.0,
) -> Pair:
    """Return the losses of class 0 and 1 as compiled functions, or their derivatives of the first or second order.

    ``of_margin`` asks for programs that take p and ``1 - p`` as both are computed from a logit.

    Raises:
        CompileTimeError: if that takes longer than ``time_limit`` seconds.
        ParametersLeftError: if a parameter of the rule has no number.
    """
    return _functions(_in_numbers(rule), order, wrt, in_lanes, of_margin, time_limit)


@lru_cache(maxsize=64)  # a gallery writes the same losses in several languages
def _functions(
    losses: Losses | LossPair,
    order: int,
    wrt: str,
    in_lanes: bool,
    of_margin: bool,
    time_limit: float | None,
) -> Pair:
    pair: Pair = _limited(time_limit, _pair, (losses, order, wrt, in_lanes, False, of_margin))
    return pair


def _in_numbers(rule: Any) -> Losses | LossPair:
    """Return the losses of a rule without parameters."""
    if not isinstance(rule, ScoringRule):
        raise SpecError(
            f"{rule!r} is not a scoring rule", "Pass a rule or a derivation: compile(derive(context))."
        )
    if rule.parameters:
        names = [symbol.name for symbol in rule.parameters]
        example = ", ".join(f"{name}={value}" for value, name in enumerate(names, start=1))
        raise ParametersLeftError(
            f"cannot compile a rule with open parameters: {', '.join(names)}",
            f"Give each parameter a number first: rule.at({example}).",
        )
    losses = rule.cases[0][1]
    if isinstance(losses, LossPair) and not losses.from_the_left:
        raise SpecError(
            "a value at a breakpoint is not the one on its left",
            "Compiled losses are continuous from the left.",
        )
    return losses


def _limited(seconds: float | None, task: Callable[..., Any], about: tuple[Any, ...], *given: Any) -> Any:
    """Return ``task(*about, *given)``, in a child process if there is a limit, unless an earlier process found it.

    What is ``given`` follows from what it is ``about``: two losses, the order of a derivative, and how it is compiled.
    """
    if seconds is not None and not seconds > 0:
        raise SpecError(f"time_limit = {seconds!r} is not a time", "Give seconds, or None for no limit.")
    return kept((task.__name__, *about), lambda: _computed(seconds, task, about, *given))


def _computed(seconds: float | None, task: Callable[..., Any], about: tuple[Any, ...], *given: Any) -> Any:
    with _COMPILING:
        if seconds is None or multiprocessing.current_process().daemon:
            return task(*about, *given)
        try:
            return within(seconds, task, *about, *given)
        except TimeoutError:
            what = f"the derivatives of order {about[1]}" if about[1] else "the losses"
            raise CompileTimeError(
                f"{what} were not compiled within time_limit = {seconds:g} s",
                "Give compile a longer time_limit, or None to wait as long as it takes.",
            ) from None


def _pair(losses: Losses | LossPair, order: int, wrt: str, *how: bool) -> Pair:
    return compiled(losses, 0, order, wrt, *how), compiled(losses, 1, order, wrt, *how)


def _both(losses: Losses | LossPair, order: int, wrt: str, is_mirrored: bool, in_lanes: bool = False) -> Both:
    pair = _pair(mirrored(losses) if is_mirrored else losses, order, wrt, in_lanes, is_mirrored)
    return Both(pair, is_mirrored=True, sign=(-1) ** order) if is_mirrored else Both(pair)


def _panelled(
    losses: Losses | LossPair, order: int, wrt: str, is_mirrored: bool, in_lanes: bool, both: Both
) -> Both:
    """Return functions with panels; ``in_lanes`` says how ``both`` were compiled."""
    del in_lanes
    chosen = mirrored(losses) if is_mirrored else losses
    return replace(both, panels=in_panels(chosen, both.functions, order, wrt, is_mirrored))


@dataclass(frozen=True, eq=False, repr=False)
class CompiledLoss:
    """The mean loss of predictions under a scoring rule; build it with :func:`compile`.

    Wherever labels and predictions are asked for: ``y_true`` has shape (n,) and two classes, 0 and 1 (or False
    and True, or -1 and 1), or any two labels of which ``pos_label`` names class 1; ``y_proba`` has shape (n,),
    the probabilities of class 1, or shape (n, 2), a column per label in ascending order, as ``predict_proba``
    of scikit-learn gives. In its place may stand ``complement``, the probabilities of class 0, which near 0 know
    what ``1 - complement`` has lost, or ``logit``, the logarithms of the odds of class 1 (within 708 of 0 the
    smaller probability is a normal double; beyond 745 it is 0).

    Data are checked as they are read, and bad ones raise ``DataError`` with the first offending index and its
    value. ``validate=False`` leaves that out for labels 0 and 1 and numbers that are known to be right; what comes
    out otherwise is not said. ``threads`` work on as many chunks of rows at a time and change no result. An
    object pickles with what it has compiled and may be used from several threads.
    """

    rule: ScoringRule
    _losses: Both
    _kernel: Kernel | None = None
    _time_limit: float | None = 60.0
    _others: dict[Task, Both] = field(default_factory=dict)
    _read: dict[Task, Both] = field(default_factory=dict)  # with panels

    def __repr__(self) -> str:
        return f"<CompiledLoss of {self.rule!r}>"

    def __call__(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        validate: bool = True,
        threads: int = 1,
    ) -> float:
        """Return the mean loss, weighted by ``sample_weight`` of shape (n,) if that is given.

        A row of weight 0 does not count, even if its loss is infinite. Sums lose no digits in any number of rows.

        Raises:
            DataError: if labels, predictions or weights cannot be scored.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, sample_weight, pos_label)
        return given.score(lambda rows: self._mean(rows, _counted(threads)), validate)

    def per_sample(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        pos_label: Any = None,
        validate: bool = True,
        threads: int = 1,
    ) -> Array:
        """Return the loss of each row, shape (n,).

        Raises:
            DataError: if labels or predictions cannot be scored.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, None, pos_label)
        return given.score(lambda rows: self._each(rows, threads), validate)

    def gradient(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        wrt: str = "p",
        pos_label: Any = None,
        validate: bool = True,
        threads: int = 1,
    ) -> Array:
        """Return the derivative of each row's loss in ``p``, shape (n,): ``p w(p)``, or ``-(1 - p) w(p)``.

        With ``wrt="logit"`` it is the derivative in the logit of ``p``, ``p (1 - p)`` times that. ``w`` is the
        density of the threshold weight; a rule that was not derived from one has its derivative alone. At a
        breakpoint it is the derivative from the left, at 0 the limit from the right; jumps of the loss (atoms of
        the weight) do not show.

        Raises:
            DataError: if labels or predictions cannot be scored, or ``wrt`` is another word.

        Source: Buja, Stuetzle and Shen (2005), section 3.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, None, pos_label)
        return given.score(lambda rows: self._each(rows, threads, 1, wrt), validate)

    def hessian(
        self,
        y_true: ArrayLike,
        y_proba: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        wrt: str = "p",
        pos_label: Any = None,
        validate: bool = True,
        threads: int = 1,
    ) -> Array:
        """Return the second derivative of each row's loss in ``p``, shape (n,): ``w + p w'``, or ``w - (1 - p) w'``.

        With ``wrt="logit"`` it is the second derivative in the logit of ``p``. It may be negative.

        Raises:
            DataError: if labels or predictions cannot be scored, or ``wrt`` is another word.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, None, pos_label)
        return given.score(lambda rows: self._each(rows, threads, 2, wrt), validate)

    def loss0(
        self,
        p: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
    ) -> Any:
        """Return the loss of predicting ``p`` when the class is 0: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1], or a logit is NaN.
        """
        name, values = one_of(p=p, complement=complement, logit=logit)
        return self._anywhere(False, name, values)

    def loss1(
        self,
        p: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
    ) -> Any:
        """Return the loss of predicting ``p`` when the class is 1: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1], or a logit is NaN.
        """
        name, values = one_of(p=p, complement=complement, logit=logit)
        return self._anywhere(True, name, values)

    @property
    def plan(self) -> Plan:
        """How each loss is computed on each part of [0, 1], why, and how accurate that is: a tuple of parts.

        It prints a line for each. Derivatives, functions of ``1 - p``, and panels follow once they have been asked for.
        """
        known = {LOSSES: self._losses, **self._others} | self._read
        return Plan(part for both in known.values() for part in both.parts)

    def _evaluated(self, rows: Rows, order: int = 0, wrt: str = "p") -> Evaluated:
        """Return both losses, or their derivatives, as functions of the predictions of some rows."""
        if wrt not in ("p", "logit"):
            raise DataError(f"wrt = {wrt!r} is not a variable of a loss", "Write wrt='p' or wrt='logit'.")
        found = self._both if len(rows) < MANY_ROWS else self._with_panels
        if rows.name == "logit":
            return Logits(found((order, wrt, False)), found((order, wrt, True)))
        return found((order, wrt, rows.name == "complement"))

    def _both(self, task: Task) -> Both:
        """Return functions of p, or of ``1 - p``, compiled when they are first asked for, but for the losses."""
        if task == LOSSES:
            return self._losses
        with _COMPILING:
            if task not in self._others:
                self._others[task] = _limited(self._time_limit, _both, (_in_numbers(self.rule), *task))
            return self._others[task]

    def _with_panels(self, task: Task) -> Both:
        """Return the same functions with panels, if these help and are made in time."""
        both = self._both(task)
        with _COMPILING:
            if task not in self._read:
                numbers = _in_numbers(self.rule)
                with suppress(CompileTimeError):
                    both = _limited(self._time_limit, _panelled, (numbers, *task, False), both)
                self._read[task] = both
            return self._read[task]

    def _mean(self, rows: Rows, threads: int) -> float:
        evaluated = self._evaluated(rows)
        try:
            return added(mapped(lambda part: self._sums(part, evaluated), rows, threads)).mean
        except Unusual:
            if not rows.trusted:
                raise
            return careful_mean(rows, evaluated)

    def _sums(self, rows: Rows, evaluated: Evaluated) -> Sums:
        if self._kernel is not None and rows.name == "y_proba":
            return self._kernel.sums(rows)
        return sums(rows, evaluated)

    def _each(self, rows: Rows, threads: int, order: int = 0, wrt: str = "p") -> Array:
        """Return the value of one of both functions in each row."""
        both = self._evaluated(rows, order, wrt)
        return np.concatenate(mapped(lambda part: per_row(part, both), rows, _counted(threads)))

    def _anywhere(self, is_one: bool, name: str, values: ArrayLike) -> Any:
        """Return the loss of one class."""
        numbers = predicted(name, values)
        flat = numbers.reshape(-1)
        rows = Rows(np.full(len(flat), is_one), name, flat, None, trusted=True)
        found = per_row(rows, self._evaluated(rows))
        return float(found[0]) if numbers.ndim == 0 else found.reshape(numbers.shape)


def _counted(threads: int) -> int:
    if not isinstance(threads, int) or threads < 1:
        raise DataError(f"threads = {threads!r} is not a number of threads", "Give 1 or more.")
    return threads
