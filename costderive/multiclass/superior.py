"""Is a rule superior: does every right prediction have a smaller loss than every wrong one?

A prediction is right if the class has the largest probability of all, and wrong if another class has a larger one; a
tie for the largest is neither. What decides is the largest loss that right predictions approach and the smallest one
that wrong ones approach, or two forecasts.

Source: Ahmadian, Ghatee and Wahlström (2024), Definition 5 and Theorems 1 to 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Derivative, Expr, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.multiclass.bounds import BoundedLosses, Count, K, class_claims, rule_of, tidied
from costderive.multiclass.derive_classes import MulticlassRule
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.proof.claims import Claim, Conclusion, Equal, Move, NonNegative, Open, Positive, Regular, Same
from costderive.rules.conclusions import BeyondProperness

MORE = Interval(K, sympy.Integer(2), S.Infinity)


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
class Ranked(BeyondProperness):
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


@dataclass(frozen=True, slots=True)
class RankPredictions(Move):
    """Compare the bounds, or find a right prediction that loses at least as much as a wrong one."""

    searched_by = "costderive.multiclass.search.superior:rank_predictions"

    classes: Count

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


def in_pieces(rule: ClassRule) -> bool:
    """Return whether losses are given by pieces: then the largest loss may be reached where two of them meet."""
    return isinstance(rule, MulticlassRule) and len(rule.cells) > 1


def _crossing_claims(bounds: BoundedLosses) -> Iterator[Claim]:
    """For two classes the bounds are equal, and the one of right predictions rises with the number of classes."""
    right, rise = bounds.largest_right, rise_of(bounds)
    yield Equal("for two classes the bounds are equal", right.subs(K, 2), bounds.smallest_wrong)
    yield Same(
        "the bound of wrong predictions is the same for all K", K in bounds.smallest_wrong.free_symbols, False
    )
    yield Regular("the bound of right predictions is smooth", right, MORE)
    yield Equal("its slope", rise, Derivative(right, K), MORE)
    yield Positive("it rises, so that some right predictions lose more than some wrong ones", rise, MORE)


def rise_of(bounds: BoundedLosses) -> Expr:
    """Return the slope in K of the bound of right predictions."""
    return sympy.factor(tidied(sympy.diff(bounds.largest_right, K)))


def _superior_claims(bounds: BoundedLosses | None) -> Iterator[Claim]:
    yield Same("the losses are bounded", bounds is not None, True)
    if bounds is not None:
        kind = Positive if in_pieces(rule_of(bounds.proper)) else NonNegative
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
