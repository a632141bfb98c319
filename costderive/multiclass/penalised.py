"""Penalised rules: a rule of K classes and a penalty for a wrong prediction, so that right ones always score better.

The penalty is the loss of a known cost, the same for every class. With ties to the lowest class it is that of a Bayes
act, hence proper; if no class is charged at a tie, it is not.

Source: Ahmadian, Ghatee and Wahlström (2024), Eq. (4), Theorems 5 and 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Rational, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.multiclass.class_costs import IndependentCosts
from costderive.multiclass.derive_classes import MulticlassDerivation, derive
from costderive.multiclass.letters import predicted
from costderive.multiclass.simplex import (
    SimplexImproperness,
    SimplexProperness,
    SimplexUndecided,
    SimplexWitness,
    SymmetricLosses,
    t,
)
from costderive.multiclass.simplex_moves import FindSimplexWitness
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.multiclass.stages import BayesProperness
from costderive.proof.claims import Case, Claim, Equal, Move, NonNegative, Same, Step, Tends
from costderive.rules import Conclusion, Judgement

UNIT = Interval(x, S.Zero, S.One)


class Ties(Enum):
    """Which classes are predicted if several are the most probable: the lowest, or all, so that none is charged."""

    LOWEST = "lowest"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class PenalisedRule(ClassRule):
    """A base rule, and a penalty if the class is not the one predicted, which has the largest probability."""

    base: SymmetricLosses
    penalty: Expr
    classes: int
    ties: Ties = Ties.LOWEST

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        values = numbers(forecast, self.classes)
        largest = [label for label, value in enumerate(values) if value == max(values)]
        right = largest if self.ties is Ties.NOBODY else largest[:1]
        return tuple(
            loss if label in right else loss + self.penalty for label, loss in enumerate(self.base.at(values))
        )


@dataclass(frozen=True, slots=True)
class Superiority(Conclusion):
    """The rule is strictly proper, and every right prediction has a smaller loss than every wrong one.

    ``losses`` are at most the penalty for a right prediction, and above it for a wrong one.
    """

    losses: PenalisedRule

    @property
    def judgement(self) -> Judgement:
        """Strictly proper, as the base rule is."""
        return Judgement.STRICTLY_PROPER


@dataclass(frozen=True, slots=True)
class AddPenalty(Move):
    """Add the zero-one loss of a Bayes act to a strictly proper rule."""

    base: MulticlassDerivation

    def apply(self, before: BayesProperness, given: Given) -> Superiority:
        return Superiority(PenalisedRule(self.base.rule, *_penalty_of(before)))

    def claims(self, before: BayesProperness, after: Superiority, given: Given) -> Iterator[Claim]:
        yield from _base_claims(self.base)
        penalty, classes = _penalty_of(before)
        rule = PenalisedRule(self.base.rule, penalty, classes)
        yield Same("the rule is the base with the penalty, ties to the lowest class", after.losses, rule)
        yield Equal(
            "the penalty is the loss at equal forecasts", penalty, self.base.rule.at(_equal(classes))[0]
        )
        yield from _bound_claims(self.base.rule, penalty, classes)
        yield from _sign_claims(self.base.rule)


@dataclass(frozen=True, slots=True)
class ChargeWrong(Move):
    """Charge the loss at equal forecasts for each class below the largest probability: a tie is not charged."""

    classes: int

    def apply(self, before: SimplexProperness, given: Given) -> PenalisedRule:
        base: Any = before.losses
        penalty = base.at(_equal(self.classes))[0]
        return PenalisedRule(base, penalty, self.classes, Ties.NOBODY)

    def claims(self, before: SimplexProperness, after: PenalisedRule, given: Given) -> Iterator[Claim]:
        found = self.apply(before, given)
        yield Same(
            "the rule is the base with its penalty, ties to nobody",
            replace(after, penalty=S.Zero),
            replace(found, penalty=S.Zero),
        )
        yield Equal("the penalty is the loss at equal forecasts", after.penalty, found.penalty)


@dataclass(frozen=True, slots=True)
class ReportTie(Move):
    """Find a belief near equal forecasts under which it costs less to report them, so that no class is charged."""

    classes: int

    def apply(self, before: PenalisedRule, given: Given) -> SimplexImproperness | SimplexUndecided:
        report = _equal(self.classes)
        for n in (2, 10, 100):
            belief = tuple(Rational(n + (label == 0), self.classes * n + 1) for label in range(self.classes))
            found = SimplexWitness(belief, report, before.entropy(belief), before.risk(report, belief))
            if (found.truthful - found.better).is_positive:
                return SimplexImproperness(before, found)
        return SimplexUndecided(before)

    def claims(
        self, before: PenalisedRule, after: SimplexImproperness | SimplexUndecided, given: Given
    ) -> Iterator[Claim]:
        yield from FindSimplexWitness(self.classes).claims(before, after, given)


def _penalty_of(zero_one: BayesProperness) -> tuple[Expr, int]:
    """Return the known cost that all classes have, and their number."""
    found = zero_one.losses.costs.of_class
    if any(one != found[0] or one.jumps != (S.One,) for one in found):
        raise SpecError(
            "the costs are not known and the same for every class", "Write IndependentCosts((w, w, w))."
        )
    return found[0].marks[0] * zero_one.losses.costs.factor, len(found)


def _equal(classes: int) -> tuple[Expr, ...]:
    return (Rational(1, classes),) * classes


def _base_claims(base: MulticlassDerivation) -> Iterator[Claim]:
    """The steps of the base rule lead from its entropy to strict properness."""
    (case,) = base.cases
    yield Same("the base starts from its entropy", case.steps[0].before, base.context)
    yield Same("the base assumes nothing else", case.given, base.context.given())
    for one, other in pairwise(case.steps):
        yield Same("the step starts from what the step before it gave", one.after, other.before)
    for step in case.steps:
        yield from step.claims(case.given)
    strict = isinstance(base.conclusion, SimplexProperness) and base.conclusion.strict
    yield Same("the base rule is strictly proper", strict, True)


def _bound_claims(base: SymmetricLosses, bound: Expr, classes: int) -> Iterator[Claim]:
    """A right prediction loses at most the bound; the order of the other classes does not matter."""
    letters = [predicted(label) for label in range(classes)]
    total = sympy.Add(*letters)
    ordered = tuple(high - low for high, low in pairwise(letters))
    if t not in base.loss.free_symbols:
        yield NonNegative("the loss falls as the probability rises", -sympy.diff(base.loss, x), UNIT)
        share = classes * letters[0] - total
        yield NonNegative("the largest probability is at least 1/K", share, None, ordered)
        return
    inner = sympy.Add(*[base.entropy_function.inner.subs(x, letter / total) for letter in letters])
    loss = base.loss.subs({x: letters[0] / total, t: inner}, simultaneous=True)
    yield NonNegative("a right prediction loses at most the penalty", bound - loss, None, ordered)


def _sign_claims(base: SymmetricLosses) -> Iterator[Claim]:
    """The entropy is 0 where one class is certain, so no loss is negative, and none is 0 elsewhere.

    For the loss of class i at p is the height above i of a tangent at p, which is above the entropy there, strictly
    unless p is certain of i, because the entropy is strictly concave and continuous.
    """
    entropy = base.entropy_function
    certain = entropy.outer.subs(t, entropy.inner.subs(x, 1))
    yield Equal("the entropy of a certain forecast is 0", certain, S.Zero)
    yield Tends("a class of probability 0 adds nothing to the sum", entropy.inner, x, S.Zero, "+", S.Zero)


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
    the ``"lowest"`` class. If ``"nobody"`` is charged, as in Algorithm 1 of the source, the rule is not proper:
    a belief and a report show it.

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
    penalty = rule.at(_equal(classes))[0]
    if not penalty.is_positive:
        raise SpecError(
            f"the loss at equal forecasts is {penalty}, not positive", "Add a constant to the entropy."
        )
    if ties not in [one.value for one in Ties]:
        raise SpecError(f"ties = {ties!r:.60} is not known", 'Write "lowest" or "nobody".')
    if Ties(ties) is Ties.NOBODY:
        (case,) = base.cases
        charged = Step.make(ChargeWrong(classes), base.conclusion, case.given)
        tied = Step.make(ReportTie(classes), charged.after, case.given)
        return MulticlassDerivation(base.context, (Case(case.given, (*case.steps, charged, tied)),))
    zero_one = derive(IndependentCosts((penalty,) * classes))
    (case,) = zero_one.cases
    step = Step.make(AddPenalty(base), zero_one.conclusion, case.given)
    return MulticlassDerivation(zero_one.context, (Case(case.given, (*case.steps, step)),))
