"""The search for a tie that shows a penalised rule improper, the derivations of penalised rules, and reversals."""

from __future__ import annotations

from dataclasses import dataclass
from warnings import warn

from sympy import Expr, Rational, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.multiclass.class_costs import IndependentCosts
from costderive.multiclass.derive_classes import MulticlassDerivation
from costderive.multiclass.penalised import (
    AddPenalty,
    ChargeWrong,
    PenalisedRule,
    ReportTie,
    Ties,
    equal_forecast,
)
from costderive.multiclass.search.cost_moves import derive
from costderive.multiclass.simplex import SymmetricLosses
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.rules import Improperness, Judgement, Undecided, Witness


def report_tie(move: ReportTie, before: PenalisedRule, given: Given) -> Improperness | Undecided:
    """Try beliefs nearer and nearer to equal forecasts."""
    report = equal_forecast(move.classes)
    for n in (2, 10, 100):
        belief = tuple(Rational(n + (label == 0), move.classes * n + 1) for label in range(move.classes))
        found = Witness(belief, report, before.entropy(belief), before.risk(report, belief))
        if (found.truthful - found.better).is_positive:
            return Improperness(before, found)
    return Undecided(before)


@dataclass(frozen=True, slots=True)
class Reversal:
    """A wrong prediction that has no larger loss than a right one: two forecasts, their classes and losses."""

    right: Forecast
    right_label: int
    right_loss: Expr
    wrong: Forecast
    wrong_label: int
    wrong_loss: Expr


def reversal(rule: ClassRule, classes: int) -> Reversal | None:
    """Look for a wrong prediction that a rule ranks with or before a right one, among forecasts without ties.

    The right one is nearly undecided between all classes, the wrong one between two, sure that it is no other. What is
    returned is exact. ``None`` says that these show nothing; `penalised` rules are proved to have no reversal.

    Example:
        >>> from costderive.multiclass import brier
        >>> found = reversal(brier().rule, classes=3)
        >>> found.right_loss > found.wrong_loss
        True
    """
    weights = (Rational(100 + (label == 0), 100 * classes + 1) for label in range(classes))
    right = tuple(weights)
    wrong = (Rational(51, 100), Rational(49, 100), *[S.Zero] * (classes - 2))
    losses = rule.at(right)[0], rule.at(wrong)[1]
    found = Reversal(right, 0, losses[0], wrong, 1, losses[1])
    return found if (losses[0] - losses[1]).is_nonnegative else None


def penalised(base: MulticlassDerivation, classes: int, ties: str = "lowest") -> MulticlassDerivation:
    """Derive a rule that charges a penalty for a wrong prediction: the loss of the base rule at equal forecasts.

    For the Brier score that is ``(K - 1)/K`` and for the log loss ``log K``, the largest loss of a right prediction.
    ``check`` decides that the rule is strictly proper and that right predictions always score better, if a tie goes to
    the ``"lowest"`` class. If it goes to ``"all"``, so that none is charged, as in Algorithm 1 of the source, the rule
    is not proper: a belief and a report show it.

    Raises:
        SpecError: if the base is not a strictly proper rule for any number of classes, its loss is not positive at
            equal forecasts, or ties go to neither.

    Example:
        >>> from costderive.multiclass import brier
        >>> penalised(brier(), classes=3).rule.penalty
        2/3
    """
    rule = base.rule
    if not isinstance(rule, SymmetricLosses) or base.verdict is not Judgement.STRICTLY_PROPER:
        raise SpecError(
            "the base is not a strictly proper rule for any number of classes", "Take brier(), say."
        )
    if isinstance(classes, bool) or not isinstance(classes, int) or not 2 <= classes <= 16:
        raise SpecError(f"classes = {classes!r} is not a whole number from 2 to 16", "Write 3, say.")
    penalty = rule.at(equal_forecast(classes))[0]
    if not penalty.is_positive:
        raise SpecError(
            f"the loss at equal forecasts is {penalty}, not positive", "Add a constant to the entropy."
        )
    if _read(ties) is Ties.ALL:
        return base.followed_by(ChargeWrong(classes), ReportTie(classes))
    return derive(IndependentCosts((penalty,) * classes)).followed_by(AddPenalty(base))


def _read(ties: str) -> Ties:
    if ties == "nobody":
        warn('ties="nobody" is called ties="all" now', DeprecationWarning, stacklevel=3)
        return Ties.ALL
    if ties not in [one.value for one in Ties]:
        raise SpecError(f"ties = {ties!r:.60} is not known", 'Write "lowest" or "all".')
    return Ties(ties)
