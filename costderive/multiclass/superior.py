"""Is a rule superior: does every right prediction have a smaller loss than every wrong one?

A prediction is right if the class has the largest probability of all, and wrong if another class has a larger one; a
tie for the largest is neither. What decides is the largest loss that right predictions approach and the smallest one
that wrong ones approach, or two forecasts.

Source: Ahmadian, Ghatee and Wahlström (2024), Definition 5 and Theorems 1 to 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import sympy
from sympy import Derivative, Expr, Rational, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import limited
from costderive.deciders.signs import positive
from costderive.multiclass.bounds import (
    BoundedLosses,
    BoundLosses,
    Count,
    K,
    class_claims,
    is_bounded,
    letters_of,
    own_classes,
    rule_of,
    tidied,
)
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.simplex import SymmetricLosses
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.proof.checker import decide
from costderive.proof.claims import (
    Case,
    Claim,
    Equal,
    Move,
    NonNegative,
    Open,
    Positive,
    Regular,
    Same,
    Step,
    Verdict,
)
from costderive.rules import Conclusion, Judgement

MORE = Interval(K, sympy.Integer(2), S.Infinity)
NEAR = (1, 10, 100, 10_000)
MAX_CLASSES = 1000


@dataclass(frozen=True, slots=True)
class Prediction:
    """A forecast, a class, and its loss."""

    forecast: Forecast
    label: int
    loss: Expr

    @property
    def right(self) -> bool | None:
        """Whether the class alone has the largest probability; ``None`` for a tie at the top that it shares."""
        most = max(self.forecast)
        if self.forecast[self.label] < most:
            return False
        return True if self.forecast.count(most) == 1 else None


@dataclass(frozen=True, slots=True)
class Ranked(Conclusion):
    """Whether a rule is superior; ``None`` if that is open. If it is, there are bounds, and if not, two predictions."""

    proper: Conclusion
    classes: Count
    superior: bool | None
    bounds: BoundedLosses | None
    right: Prediction | None = None
    wrong: Prediction | None = None

    @property
    def losses(self) -> Any:
        """The losses of the rule."""
        return self.proper.losses  # type: ignore[attr-defined]

    @property
    def judgement(self) -> Judgement:
        """That of the rule: whether it is proper."""
        return Judgement(self.proper.judgement)


@dataclass(frozen=True, slots=True)
class RankPredictions(Move):
    """Compare the bounds, or find a right prediction that loses at least as much as a wrong one."""

    classes: Count

    def apply(self, before: BoundedLosses | Conclusion, given: Given) -> Ranked:
        proper, bounds = (before.proper, before) if isinstance(before, BoundedLosses) else (before, None)
        rule = rule_of(proper)
        if bounds is not None and _are_apart(rule, bounds):
            return Ranked(proper, self.classes, True, bounds)
        if bounds is not None and isinstance(self.classes, Symbol):
            rises = positive(_rise(bounds), MORE, given) is not None
            return Ranked(proper, self.classes, False if rises else None, bounds)
        found = _reversed(rule, self.classes)
        return Ranked(proper, self.classes, False if found else None, bounds, *(found or ()))

    def claims(self, before: BoundedLosses | Conclusion, after: Ranked, given: Given) -> Iterator[Claim]:
        bounds = before if isinstance(before, BoundedLosses) else None
        yield Same("the rule is the one before", after.proper, before if bounds is None else bounds.proper)
        yield Same("the bounds are the ones before", after.bounds, bounds)
        counts = (after.classes,) if bounds is None else (after.classes, bounds.classes)
        yield from class_claims(rule_of(after.proper), self.classes, *counts)
        if after.superior is None:
            yield Open("is the rule superior?")
        elif after.superior:
            yield from _superior_claims(bounds)
        elif bounds is not None and isinstance(self.classes, Symbol):
            yield from _crossing_claims(bounds)
        else:
            yield from _reversal_claims(rule_of(after.proper), self.classes, after.right, after.wrong)


def _are_apart(rule: ClassRule, bounds: BoundedLosses) -> bool:
    gap = bounds.smallest_wrong - bounds.largest_right
    return bool(gap.is_positive if _in_pieces(rule) else gap.is_nonnegative)


def _in_pieces(rule: ClassRule) -> bool:
    """Return whether losses are given by pieces: then the largest loss may be reached where two of them meet."""
    return isinstance(rule, MulticlassRule) and len(rule.cells) > 1


def _crossing_claims(bounds: BoundedLosses) -> Iterator[Claim]:
    """For two classes the bounds are equal, and the one of right predictions rises with the number of classes."""
    right, rise = bounds.largest_right, _rise(bounds)
    yield Equal("for two classes the bounds are equal", right.subs(K, 2), bounds.smallest_wrong)
    yield Same(
        "the bound of wrong predictions is the same for all K", K in bounds.smallest_wrong.free_symbols, False
    )
    yield Regular("the bound of right predictions is smooth", right, MORE)
    yield Equal("its slope", rise, Derivative(right, K), MORE)
    yield Positive("it rises, so that some right predictions lose more than some wrong ones", rise, MORE)


def _rise(bounds: BoundedLosses) -> Expr:
    return sympy.factor(tidied(sympy.diff(bounds.largest_right, K)))


def _superior_claims(bounds: BoundedLosses | None) -> Iterator[Claim]:
    yield Same("the losses are bounded", bounds is not None, True)
    if bounds is not None:
        kind = Positive if _in_pieces(rule_of(bounds.proper)) else NonNegative
        yield kind("right predictions stay below wrong ones", bounds.smallest_wrong - bounds.largest_right)


def _reversal_claims(
    rule: ClassRule, classes: Any, right: Prediction | None, wrong: Prediction | None
) -> Iterator[Claim]:
    known = right is not None and wrong is not None
    yield Same("there are two predictions", known, True)
    if right is None or wrong is None:
        return
    shapes = tuple(_is_forecast(one, classes) for one in (right, wrong))
    yield Same("both are forecasts of a class", shapes, (True, True))
    if all(shapes):
        yield Same("one is right, the other wrong", (right.right, wrong.right), (True, False))
        for one in (right, wrong):
            yield Equal("a loss of the rule", one.loss, rule.at(one.forecast)[one.label])
        yield NonNegative("the right one loses at least as much", right.loss - wrong.loss)


def _is_forecast(found: Prediction, classes: int) -> bool:
    p = found.forecast
    return (
        len(p) == classes and sum(p) == 1 and all(q.is_nonnegative for q in p) and 0 <= found.label < classes
    )


def _reversed(rule: ClassRule, classes: int) -> tuple[Prediction, Prediction] | None:
    """Look for a right prediction that loses at least as much as a wrong one, among a few.

    Right ones are nearly undecided between all classes, wrong ones between two, sure that it is no other.
    """
    symmetric = isinstance(rule, SymmetricLosses | PenalisedRule)
    right = [
        _prediction(rule, _near(range(classes), top, n), top)
        for top in range(1 if symmetric else classes)
        for n in NEAR
    ]
    if not all(one.loss.is_number for one in right):
        return None
    pairs = [(0, 1)] if symmetric else permutations(range(classes), 2)
    wrong = [_prediction(rule, _near(pair, pair[0], n, classes), pair[1]) for pair in pairs for n in NEAR]
    worst, best = max(right, key=_loss), min(wrong, key=_loss)
    return (worst, best) if (worst.loss - best.loss).is_nonnegative else None


def _near(group: Sequence[int], top: int, n: int, classes: int | None = None) -> Forecast:
    """Return nearly equal probabilities for a group of classes, the largest for one of them."""
    counts = [(label in group) * n + (label == top) for label in range(classes or len(group))]
    return tuple(Rational(count, sum(counts)) for count in counts)


def _prediction(rule: ClassRule, forecast: Forecast, label: int) -> Prediction:
    return Prediction(forecast, label, rule.at(forecast)[label])


def _loss(one: Prediction) -> float:
    return float(one.loss)


def superior(
    derivation: MulticlassDerivation, classes: int | None = None, *, time_limit: float = 600.0
) -> MulticlassDerivation:
    """Return the derivation of a rule with last steps that decide whether it is superior.

    Its ``conclusion`` has ``superior``, which is ``None`` if it is not proved either way, the ``bounds`` of the losses
    where they were sought and found, and for a rule that is not superior a ``right`` prediction that loses at least as
    much as a ``wrong`` one. A rule of an entropy for any number of classes is decided for the number that is given, or
    else for all numbers above two at once, called K; then the bounds, which cross, show that it is not superior.

    Raises:
        SpecError: if the number of classes is another than that of the rule, or not from 2 to 1000, or it takes longer
            than ``time_limit`` seconds.

    Example:
        >>> from costderive.multiclass import brier, penalised
        >>> found = superior(brier(), classes=3).conclusion
        >>> found.superior, found.bounds.largest_right, found.bounds.smallest_wrong
        (False, 2/3, 1/2)
        >>> superior(brier()).conclusion.bounds.largest_right
        (K - 1)/K
        >>> superior(penalised(brier(), classes=3)).conclusion.superior
        True
    """
    rule = rule_of(derivation.conclusion)
    count = _classes(rule, classes)
    ranked: MulticlassDerivation = limited(
        time_limit, "the ranking of predictions", _ranked, derivation, count
    )
    return ranked


def _ranked(derivation: MulticlassDerivation, count: Any) -> MulticlassDerivation:
    """Return the derivation with its last steps: as a whole, since SymPy may rewrite what a process returns."""
    (case,) = derivation.cases
    steps = tuple(_ranking(rule_of(derivation.conclusion), count, derivation.conclusion, case.given))
    ranked = (*case.steps, *_as_far_as_proved(steps, case.given))
    return MulticlassDerivation(derivation.context, (Case(case.given, ranked),))


def _as_far_as_proved(steps: tuple[Step, ...], given: Given) -> tuple[Step, ...]:
    """Leave it open whether the rule is superior if a claim on which that rests is not proved."""
    *bounded, last = steps
    claims = (claim for step in steps for claim in step.claims(given))
    if last.after.superior is None or all(decide(x, given).verdict is Verdict.PROVED for x in claims):
        return steps
    return (*bounded, replace(last, after=replace(last.after, superior=None, right=None, wrong=None)))


def _ranking(rule: ClassRule, count: Any, start: Conclusion, given: Given) -> Iterator[Step]:
    """Yield the last steps: of losses in pieces, whose bounds can take minutes, two predictions are enough."""
    move = RankPredictions(count)
    if isinstance(rule, MulticlassRule) and len(rule.cells) > 1 and not rule.parameters:
        ranked = Step.make(move, start, given)
        if ranked.after.superior is False:
            yield ranked
            return
    if is_bounded(rule, count, given):
        bounded = Step.make(BoundLosses(count), start, given)
        yield bounded
        start = bounded.after
    yield Step.make(move, start, given)


def _classes(rule: ClassRule, classes: int | None) -> Any:
    own = own_classes(rule)
    if K in letters_of(rule):
        raise SpecError(
            "the rule has a parameter K, which is the number of classes here", "Take another name."
        )
    if classes is None and isinstance(rule, SymmetricLosses):
        return K
    count = own if classes is None else classes
    if isinstance(count, bool) or not isinstance(count, int) or not 2 <= count <= MAX_CLASSES:
        raise SpecError(
            f"classes = {classes!r} is not a whole number from 2 to {MAX_CLASSES}", "Write classes=3, say."
        )
    if own not in (None, count):
        raise SpecError(f"classes = {classes}, and the rule has {own}", "Leave it out.")
    return count
