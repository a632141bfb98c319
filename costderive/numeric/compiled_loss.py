"""The compiled loss: what users call on labels and predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from reprlib import repr as shown
from typing import Any

from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.derivation.derivation import Derivation
from costderive.numeric import parameters as given_parameters
from costderive.numeric.blocks import (
    Both,
    Evaluated,
    Given,
    Logits,
    Rows,
    Sums,
    Unusual,
    added,
    careful_mean,
    is_plain,
    mapped,
    one_of,
    per_row,
    row_alone,
    sums,
)
from costderive.numeric.checked_data import predicted
from costderive.numeric.compiling import COMPILING, both, in_numbers, limited, panelled, without_factors
from costderive.numeric.formula_losses import Formulas, Multiple, formulas
from costderive.numeric.machine_program import Kernel
from costderive.numeric.one_number import AtOne, at_one_logit, at_one_number
from costderive.numeric.parameters import Parameters
from costderive.numeric.plan import Plan
from costderive.numeric.tables_at_call import OfTables, Tables
from costderive.rules import ScoringRule

Task = tuple[int, str, bool]  # the order, in what, and whether of 1 - p
LOSSES: Task = (0, "p", False)
MANY_ROWS = 2**16  # of a call, as many as files are read at a time


def compile(
    rule: ScoringRule | Derivation, *, fast: bool = False, time_limit: float | None = 60.0
) -> CompiledLoss:
    """Return the losses of a scoring rule as a function of labels and predicted probabilities.

    Values are within four units in the last place of the exact loss for every double in [0, 1], the ends
    included, unless the plan says otherwise. They are never clipped: a loss that is infinite at an end is ``inf``
    there. With ``fast`` the mean of probabilities is taken by a machine program that Numba makes (the extra ``fast``)
    and keeps on disk.

    Losses for which NumPy would sort the rows are also written as panels, which spare it that: at once if ``fast``,
    else in the first call of :data:`MANY_ROWS` rows. Calls of fewer rows do not use them.

    A rule with parameters takes these as keyword arguments; see :class:`CompiledLoss`. Those that all costs are
    proportional to are factors of what is compiled without them. With others the losses are their formulas, with a
    running bound of the rounding errors: rows in which this leaves more than 32 units in the last place are computed
    again with twice the digits. Nothing more is promised there; numbers below 1e-60 or above 1e60 are refused. Where
    there are no such formulas, each of up to 32 different numbers has tables, which are made when it is first given.

    What takes too many exact values is put into tables of fewer. Their work is counted, some six seconds of CPU time:
    the load of a machine changes nothing. Their error, and that of losses whose threshold weight is an integral, is
    measured at points that they are not made from, and stated by :attr:`CompiledLoss.plan`; it is not certified.

    The work is done in a child process that is ended after ``time_limit`` seconds; the derivatives, and panels, have
    as long again when they are first asked for. With None there is no limit. What took long is kept in the user's cache
    (``costderive cache`` shows and clears it) and read again when the same losses are compiled by the same version.

    Raises:
        CompileTimeError: if that takes longer than ``time_limit``.
        LostError: if the process that compiles is ended from outside, twice.
        MissingPackageError: if ``fast`` is asked for and Numba is not installed.
        SpecError: if ``fast`` is asked for and the rule has parameters.

    Example:
        >>> from costderive import Additive
        >>> from costderive import derive
        >>> brier = compile(derive(Additive(budget=2)))
        >>> brier([0, 1, 1], [0.5, 0.5, 1.0])
        0.16666666666666666
        >>> brier.loss0(0.25)
        0.0625
        >>> scaled = compile(derive(Additive(budget="2*m")))
        >>> scaled([0, 1, 1], [0.5, 0.5, 1.0], m=[10, 20, 30])
        2.5
    """
    chosen = rule.rule if isinstance(rule, Derivation) else rule
    if not isinstance(chosen, ScoringRule):
        raise SpecError(
            f"{shown(chosen)} is not a scoring rule of two classes",
            "Pass a rule or a derivation: compile(derive(context))"
            + (
                ". For K classes there is costderive.multiclass.compile."
                if hasattr(chosen, "classes")
                else "."
            ),
        )
    factors, plain = without_factors(chosen, time_limit)
    if fast and chosen.parameters:
        raise SpecError(
            "a rule with parameters has no machine program", "Leave out fast, or use rule.at(...)."
        )
    if plain.parameters:
        found = _with_parameters(plain, time_limit)
        return CompiledLoss(chosen, found, None, time_limit, _factors=factors, _plain=plain)
    numbers = in_numbers(plain)
    losses = limited(time_limit, both, (numbers, *LOSSES, fast))
    if not fast:
        return CompiledLoss(chosen, losses, None, time_limit, _factors=factors, _plain=plain)
    read = limited(time_limit, panelled, (numbers, *LOSSES, True), losses)
    return CompiledLoss(chosen, losses, Kernel.of(read), time_limit, _read={LOSSES: read}, _plain=plain)


def _with_parameters(rule: ScoringRule, time_limit: float | None) -> Formulas | Tables:
    try:
        found: Formulas = limited(time_limit, formulas, (rule, 0, "p"))
    except ParametersLeftError:
        return Tables(ScoringRule(rule.cases), partial(compile, time_limit=time_limit))
    return found


@dataclass(frozen=True, eq=False, repr=False)
class CompiledLoss:
    """The mean loss of predictions under a scoring rule; build it with :func:`compile`.

    Wherever labels and predictions are asked for: ``y_true`` has shape (n,) and two classes, 0 and 1 (or False
    and True, or -1 and 1), or any two labels of which ``pos_label`` names class 1; ``y_proba`` has shape (n,),
    the probabilities of class 1, or shape (n, 2), a column per label in ascending order, as ``predict_proba``
    of scikit-learn gives. In its place may stand ``complement``, the probabilities of class 0, which near 0 know
    what ``1 - complement`` has lost, or ``logit``, the logarithms of the odds of class 1 (within 708 of 0 the
    smaller probability is a normal double; beyond that it has fewer digits, of which no bound tells, and beyond 745 it
    is 0).

    Data are checked as they are read, and bad ones raise ``DataError`` with the first offending index and its
    value. ``validate=False`` leaves that out for labels 0 and 1 and numbers that are known to be right; what comes
    out otherwise is not said. ``threads`` work on as many chunks of rows at a time and change no result. An
    object may be used from several threads. It pickles with what it has compiled, but for the panels by which many
    rows are read.

    Parameters of the rule are keyword arguments of their names: a number for all rows, or an array of shape (n,), or of
    the shape of ``p``. Numbers that no case of the rule admits raise ``DataError`` with the row and the condition.
    """

    rule: ScoringRule
    _losses: Both | Formulas | Tables
    _kernel: Kernel | None = None
    _time_limit: float | None = 60.0
    _others: dict[Task, Both | Formulas] = field(default_factory=dict)
    _read: dict[Task, Both] = field(default_factory=dict)  # with panels
    _factors: tuple[str, ...] = ()  # parameters that all losses are proportional to
    _plain: ScoringRule | None = None  # with 1 in their place

    def __repr__(self) -> str:
        return f"<CompiledLoss of {self.rule!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: without panels, which take most room and are soon found again for many rows."""
        return self.__dict__ | ({} if self._kernel else {"_read": {}})

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
        **parameters: ArrayLike,
    ) -> float:
        """Return the mean loss, weighted by ``sample_weight`` of shape (n,) if that is given.

        A row of weight 0 does not count, even if its loss is infinite. Sums lose no digits in any number of rows.

        Raises:
            DataError: if labels, predictions or weights cannot be scored.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        count, known = _counted(threads), self._parameters(parameters)
        is_bare = sample_weight is None and pos_label is None and known is None
        if is_bare and (row := row_alone(y_true, name, values)) is not None:
            return self._of_one(*row, name)
        given = Given(y_true, name, values, sample_weight, pos_label, known)
        return given.score(partial(self._mean, threads=count), validate)

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
        **parameters: ArrayLike,
    ) -> Array:
        """Return the loss of each row, shape (n,).

        Raises:
            DataError: if labels or predictions cannot be scored.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, None, pos_label, self._parameters(parameters))
        return self._each(given, validate, threads)

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
        **parameters: ArrayLike,
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
        given = Given(y_true, name, values, None, pos_label, self._parameters(parameters))
        return self._each(given, validate, threads, 1, wrt)

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
        **parameters: ArrayLike,
    ) -> Array:
        """Return the second derivative of each row's loss in ``p``, shape (n,): ``w + p w'``, or ``w - (1 - p) w'``.

        With ``wrt="logit"`` it is the second derivative in the logit of ``p``. It may be negative.

        Raises:
            DataError: if labels or predictions cannot be scored, or ``wrt`` is another word.
        """
        name, values = one_of(y_proba=y_proba, complement=complement, logit=logit)
        given = Given(y_true, name, values, None, pos_label, self._parameters(parameters))
        return self._each(given, validate, threads, 2, wrt)

    def loss0(
        self,
        p: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        **parameters: ArrayLike,
    ) -> Any:
        """Return the loss of predicting ``p`` when the class is 0: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1], or a logit is NaN.
        """
        name, values = one_of(p=p, complement=complement, logit=logit)
        return self._anywhere(False, name, values, parameters)

    def loss1(
        self,
        p: ArrayLike | None = None,
        *,
        complement: ArrayLike | None = None,
        logit: ArrayLike | None = None,
        **parameters: ArrayLike,
    ) -> Any:
        """Return the loss of predicting ``p`` when the class is 1: a float for a number, else an array like ``p``.

        Raises:
            DataError: if a value is not in [0, 1], or a logit is NaN.
        """
        name, values = one_of(p=p, complement=complement, logit=logit)
        return self._anywhere(True, name, values, parameters)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters of the rule."""
        return tuple(symbol.name for symbol in self.rule.parameters)

    def admit(self, **parameters: ArrayLike) -> None:
        """Check numbers for the parameters of the rule.

        Raises:
            DataError: naming the first that no case of the rule admits, with its row and the condition.
        """
        self._parameters(parameters)

    @property
    def plan(self) -> Plan:
        """How each loss is computed on each part of [0, 1], why, and how accurate that is: a tuple of parts.

        It prints a line for each. Derivatives, functions of ``1 - p``, and panels follow once they have been asked for.
        """
        known = {LOSSES: self._losses, **self._others} | self._read
        return Plan(part for found in known.values() for part in found.parts)

    def _parameters(self, given: Mapping[str, ArrayLike]) -> Parameters | None:
        """Read the parameters of a call."""
        if not given and not self.parameters:
            return None
        cases = () if isinstance(self._losses, Both) else self._losses.cases
        return given_parameters.read(self.parameters, cases, given)

    def evaluated(self, rows: Rows, order: int = 0, wrt: str = "p") -> Evaluated:
        """Return both losses, or their derivatives, as functions of the predictions of some rows."""
        found = self._without_factors(rows, order, _variable(wrt))
        return Multiple(found, self._factors) if self._factors else found

    def _without_factors(self, rows: Rows, order: int, wrt: str) -> Evaluated:
        if isinstance(self._losses, Tables):
            return OfTables(self._losses, order, wrt)
        if isinstance(self._losses, Formulas):
            return self._formulas((order, wrt, False))
        found = self._both if len(rows) < MANY_ROWS else self._with_panels
        if rows.name == "logit":
            return Logits(found((order, wrt, False)), found((order, wrt, True)))
        return found((order, wrt, rows.name == "complement"))

    def _formulas(self, task: Task) -> Formulas:
        found = self._compiled(task, formulas, task[:2])
        assert isinstance(found, Formulas)
        return found

    def _both(self, task: Task) -> Both:
        """Return functions of p, or of ``1 - p``, compiled when they are first asked for, but for the losses."""
        found = self._compiled(task, both, task)
        assert isinstance(found, Both)
        return found

    def _compiled(self, task: Task, work: Callable[..., Any], how: tuple[Any, ...]) -> Both | Formulas:
        known = self._losses if task == LOSSES else self._others.get(task)
        assert not isinstance(known, Tables)
        if known is not None:
            return known
        with COMPILING:
            if task not in self._others:
                self._others[task] = limited(self._time_limit, work, (self._subject(), *how))
            return self._others[task]

    def _subject(self) -> Any:
        """Return what is compiled: losses without parameters, or a rule with those that are no factors."""
        rule = self.rule if self._plain is None else self._plain
        return rule if rule.parameters else in_numbers(rule)

    def _with_panels(self, task: Task) -> Both:
        """Return the same functions with panels, if these help and are made in time."""
        found = self._both(task)
        with COMPILING:
            if task not in self._read:
                with suppress(TimeoutError):
                    found = limited(self._time_limit, panelled, (self._subject(), *task, False), found)
                self._read[task] = found
            return self._read[task]

    def _mean(self, rows: Rows, threads: int) -> float:
        try:
            return added(mapped(self._adding(rows), rows, threads)).mean
        except Unusual:
            if not rows.trusted:
                raise
            return careful_mean(rows, self.evaluated(rows))

    def _adding(self, rows: Rows) -> Callable[[Rows], Sums]:
        """Return what sums the losses of some of the rows."""
        if self._kernel is not None and rows.name == "y_proba":
            return self._kernel.sums
        evaluated = self.evaluated(rows)
        return lambda part: sums(part, evaluated)

    def _each(self, given: Given, validate: bool, threads: int, order: int = 0, wrt: str = "p") -> Array:
        """Return the value of one of both functions in each row."""
        count = _counted(threads)
        is_bare = given.pos_label is None and given.parameters is None
        if is_bare and (row := row_alone(given.y_true, given.name, given.predictions)) is not None:
            return np.array([self._of_one(*row, given.name, order, wrt)])

        def values(rows: Rows) -> Array:
            both = self.evaluated(rows, order, wrt)
            return np.concatenate(mapped(lambda part: per_row(part, both), rows, count))

        return given.score(values, validate)

    def _of_one(self, is_one: bool, number: float, name: str, order: int = 0, wrt: str = "p") -> float:
        """Return the value of a function at one number: a probability, its complement, or a logit."""
        return _at_one(self, name, order, _variable(wrt))[is_one](number)

    def _anywhere(self, is_one: bool, name: str, values: ArrayLike, given: Mapping[str, ArrayLike]) -> Any:
        """Return the loss of one class."""
        found = self._parameters(given)
        if found is None and type(values) is float and is_plain(name, values):
            return self._of_one(is_one, values, name)
        numbers = predicted(name, values)
        flat = numbers.reshape(-1)
        if found is not None:
            found.require(len(flat), name)
        rows = Rows(np.full(len(flat), is_one), name, flat, None, trusted=True, parameters=found)
        losses = per_row(rows, self.evaluated(rows))
        return float(losses[0]) if numbers.ndim == 0 else losses.reshape(numbers.shape)


@lru_cache(maxsize=64)
def _at_one(loss: CompiledLoss, name: str, order: int, wrt: str) -> tuple[AtOne, AtOne]:
    """Return the function of each class at one number, which is a prediction under a name."""
    low, high = (partial(loss._both, (order, wrt, is_mirrored)) for is_mirrored in (False, True))
    if name == "logit":
        return at_one_logit(low(), high())
    return at_one_number(high() if name == "complement" else low())


def _counted(threads: int) -> int:
    if type(threads) is int and threads > 0:  # as it mostly is
        return threads
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or threads < 1:
        raise DataError(f"threads = {threads!r} is not a number of threads", "Give 1 or more.")
    return int(threads)


def _variable(wrt: str) -> str:
    if wrt not in ("p", "logit"):
        raise DataError(f"wrt = {wrt!r} is not a variable of a loss", "Write wrt='p' or wrt='logit'.")
    return wrt
