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
from costderive.core.short_repr import short_repr
from costderive.costs.laws import x
from costderive.multiclass.bayes_acts import BayesProperness
from costderive.multiclass.derive_classes import MulticlassDerivation
from costderive.multiclass.letters import predicted
from costderive.multiclass.simplex import (
    SimplexProperness,
    SymmetricLosses,
    t,
)
from costderive.multiclass.simplex_moves import witness_claims
from costderive.multiclass.simplex_rule import ClassRule, numbers
from costderive.proof.claims import Claim, Conclusion, Equal, Move, NonNegative, Same, Tends
from costderive.rules.conclusions import Improperness, Judgement, Undecided

UNIT = Interval(x, S.Zero, S.One)


class Ties(Enum):
    """Which classes are predicted if several are the most probable: the lowest, or all, so that none is charged.

    Certificates of version 0.2 and before say ``NOBODY`` for ``ALL``.
    """

    LOWEST = "lowest"
    ALL = "all"
    NOBODY = ALL


@dataclass(frozen=True, slots=True)
class PenalisedRule(ClassRule):
    """A base rule, and a penalty if the class is not the one predicted, which has the largest probability."""

    base: SymmetricLosses
    penalty: Expr
    classes: int
    ties: Ties = Ties.LOWEST

    __repr__ = short_repr

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        values = numbers(forecast, self.classes)
        largest = [label for label, value in enumerate(values) if value == max(values)]
        right = largest if self.ties is Ties.ALL else largest[:1]
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
            "the penalty is the loss at equal forecasts",
            penalty,
            self.base.rule.at(equal_forecast(classes))[0],
        )
        yield from _bound_claims(self.base.rule, penalty, classes)
        yield from _sign_claims(self.base.rule)


@dataclass(frozen=True, slots=True)
class ChargeWrong(Move):
    """Charge the loss at equal forecasts for each class below the largest probability: a tie is not charged."""

    classes: int

    def apply(self, before: SimplexProperness, given: Given) -> PenalisedRule:
        return _charged(before, self.classes)

    def claims(self, before: SimplexProperness, after: PenalisedRule, given: Given) -> Iterator[Claim]:
        found = _charged(before, self.classes)
        yield Same(
            "the rule is the base with its penalty, a tie is not charged",
            replace(after, penalty=S.Zero),
            replace(found, penalty=S.Zero),
        )
        yield Equal("the penalty is the loss at equal forecasts", after.penalty, found.penalty)


def _charged(proper: SimplexProperness, classes: int) -> PenalisedRule:
    base: Any = proper.losses
    return PenalisedRule(base, base.at(equal_forecast(classes))[0], classes, Ties.ALL)


@dataclass(frozen=True, slots=True)
class ReportTie(Move):
    """Find a belief near equal forecasts under which it costs less to report them, so that no class is charged."""

    searched_by = "costderive.multiclass.search.penalised:report_tie"

    classes: int

    def claims(self, before: PenalisedRule, after: Improperness | Undecided, given: Given) -> Iterator[Claim]:
        yield from witness_claims(before, after)


def _penalty_of(zero_one: BayesProperness) -> tuple[Expr, int]:
    """Return the known cost that all classes have, and their number."""
    found = zero_one.losses.costs.of_class
    if any(one != found[0] or one.jumps != (S.One,) for one in found):
        raise SpecError(
            "the costs are not known and the same for every class", "Write IndependentCosts((w, w, w))."
        )
    return found[0].marks[0] * zero_one.losses.costs.factor, len(found)


def equal_forecast(classes: int) -> tuple[Expr, ...]:
    """Return the same probability for each class."""
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
