"""The search for predictions that show whether a rule is superior, and the derivation that ends with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from sympy import Rational, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.time_limit import limited
from costderive.deciders.signs import positive
from costderive.multiclass.bounds import (
    BoundedLosses,
    BoundLosses,
    K,
    is_bounded,
    letters_of,
    own_classes,
    rule_of,
)
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.simplex import SymmetricLosses
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.multiclass.superior import MORE, Prediction, Ranked, RankPredictions, in_pieces, rise_of
from costderive.proof.checker import decide
from costderive.proof.claims import Step, Verdict
from costderive.rules import Conclusion

NEAR = (1, 10, 100, 10_000)
MAX_CLASSES = 1000


def rank_predictions(move: RankPredictions, before: BoundedLosses | Conclusion, given: Given) -> Ranked:
    """See whether the bounds are apart, else try a few predictions."""
    proper, bounds = (before.proper, before) if isinstance(before, BoundedLosses) else (before, None)
    rule = rule_of(proper)
    if bounds is not None and _are_apart(rule, bounds):
        return Ranked(proper, move.classes, True, bounds)
    if bounds is not None and isinstance(move.classes, Symbol):
        rises = positive(rise_of(bounds), MORE, given) is not None
        return Ranked(proper, move.classes, False if rises else None, bounds)
    found = _reversed(rule, move.classes)
    return Ranked(proper, move.classes, False if found else None, bounds, *(found or ()))


def _are_apart(rule: ClassRule, bounds: BoundedLosses) -> bool:
    gap = bounds.smallest_wrong - bounds.largest_right
    return bool(gap.is_positive if in_pieces(rule) else gap.is_nonnegative)


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
    given = derivation.given
    steps = tuple(_ranking(rule_of(derivation.conclusion), count, derivation.conclusion, given))
    return derivation.with_steps(_as_far_as_proved(steps, given))


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
