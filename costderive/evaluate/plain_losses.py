"""Losses of predictions without NumPy: in doubles where these agree with exact values, else exactly."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
from sympy import Expr

from costderive.core.errors import CostDeriveError, DataError, ExportError
from costderive.numeric.compiling import in_numbers, require_left
from costderive.numeric.many_digits import End, Exact, in_p_and_r
from costderive.numeric.parameter_trees import end_values
from costderive.programs.languages import LANGUAGES
from costderive.programs.program import of_formulas
from costderive.rules import ScoringRule

SAMPLE = 48  # probabilities at which doubles are compared with exact values
AGREE = 1e-13  # of a value
OF_MEAN = 1e-14  # of the mean loss: smaller errors do not matter to it
DIGITS = 40
BESIDE = 4  # units in the last place from a breakpoint, which may be rounded: a loss may jump there
MOST_EXACT = 20_000  # values that take long
Loss = Callable[[float], float]


@dataclass(frozen=True)
class ExactLoss:
    """A loss to 38 digits of its terms: its pieces, the last doubles of all but the last, and the values at 0 and 1."""

    pieces: tuple[Callable[[Any, Any], Any], ...]  # of p and 1 - p
    breaks: tuple[float, ...]
    ends: tuple[float, float]

    @classmethod
    def of(cls, pieces: Iterable[Any], ends: tuple[Expr, Expr]) -> ExactLoss:
        """Prepare the pieces of a loss."""
        functions, breaks = zip(
            *((Exact.of(in_p_and_r(each.value)).function, End.of(each.high, -1).floor) for each in pieces),
            strict=True,
        )
        first, last = map(float, ends)
        return cls(functions, breaks[:-1], (first, last))

    def __call__(self, p: float) -> float:
        """Return the loss of a probability."""
        if p in (0, 1):
            return self.ends[int(p)]
        with mpmath.workdps(DIGITS):
            exact = mpmath.mpf(p)
            return float(mpmath.re(self.pieces[bisect_left(self.breaks, p)](exact, 1 - exact)))

    def is_beside_break(self, p: float) -> bool:
        """Return whether a probability is so near to a breakpoint that its place may be mistaken."""
        return any(abs(p - at) <= BESIDE * math.ulp(at) for at in self.breaks)


@dataclass(frozen=True)
class PlainLosses:
    """The losses of a rule without letters at many probabilities, accurate enough for means to 13 digits.

    The formulas are programs in doubles. About probabilities at which one disagrees with an exact value the values are
    computed exactly, which takes a thousand times as long.
    """

    exact: tuple[ExactLoss, ExactLoss]
    doubles: tuple[Loss | None, Loss | None]

    @classmethod
    def of(cls, rule: ScoringRule) -> PlainLosses:
        """Prepare the losses of a rule.

        Raises:
            DataError: if they are left as integrals.
            ParametersLeftError: if a parameter has no number.
        """
        losses = in_numbers(require_left(rule))
        if not rule.closed_form:
            raise DataError(
                "a loss is left as an integral, which needs NumPy",
                "Score with the command line: costderive score.",
            )
        pairs = zip(
            (losses.loss0, losses.loss1), (end_values(losses, label) for label in (0, 1)), strict=True
        )
        exact0, exact1 = (ExactLoss.of(pieces, ends) for pieces, ends in pairs)
        return cls((exact0, exact1), _programs(rule))

    def at(self, label: int, p: float) -> float:
        """Return the loss of a probability if the class is ``label``."""
        return self.exact[label](p)

    def values(self, label: int, columns: Iterable[Sequence[float]]) -> dict[float, float]:
        """Return the losses of all probabilities in columns if the class is ``label``, for the mean of each column.

        Raises:
            DataError: if doubles do not do, and there are too many probabilities.
        """
        given = [column for column in columns if column]
        points, exact = sorted(set().union(*given)), self.exact[label]
        found = self._in_doubles(label, points, given)
        rest = [p for p in points if p not in found]
        if len(rest) > MOST_EXACT:
            raise DataError(
                f"the formula of loss{label} cancels at {len(rest)} different probabilities",
                "Score with the command line: costderive score.",
            )
        return found | {p: exact(p) for p in rest}

    def _in_doubles(
        self, label: int, points: list[float], columns: Sequence[Sequence[float]]
    ) -> dict[float, float]:
        """Return values in doubles: between neighbours of a sample at which these are the exact ones."""
        loss, exact = self.doubles[label], self.exact[label]
        inner = [p for p in points if 0 < p < 1 and not exact.is_beside_break(p)]
        if loss is None or not inner:
            return {}
        found = {p: _double(loss, p) for p in inner}
        means = [math.fsum(found.get(p, 0.0) for p in column) / len(column) for column in columns]
        error = OF_MEAN * max(0.0, min(means))  # 0 if it is NaN
        ends = dict.fromkeys([*inner[:: max(1, len(inner) // SAMPLE)], inner[-1]])
        agrees = {p: math.isclose(found[p], exact(p), rel_tol=AGREE, abs_tol=error) for p in ends}
        chosen = [p for p in inner[:1] if agrees[p]]
        for low, high in pairwise(ends):
            if agrees[low] and agrees[high]:
                chosen += inner[bisect_right(inner, low) : bisect_right(inner, high)]
        return {p: found[p] for p in chosen if math.isfinite(found[p])}


def _double(loss: Loss, p: float) -> float:
    """Return the value of a program, NaN where it has none."""
    try:
        return loss(p)
    except (ArithmeticError, ValueError):
        return math.nan


def _programs(rule: ScoringRule) -> tuple[Loss | None, Loss | None]:
    """Return the losses as programs in doubles, if there are any."""
    module: dict[str, Any] = {}
    try:
        exec(of_formulas(rule, LANGUAGES["python"]), module)
    except (ExportError, CostDeriveError):
        return None, None
    return module["loss0"], module["loss1"]
