"""Is a rule superior: does every right prediction have a smaller loss than every wrong one?

A prediction is right if the class has the largest probability of all, and wrong if another class has a larger one; a
tie for the largest is neither. What decides is the largest loss that right predictions approach and the smallest one
that wrong ones approach, or two forecasts.

Source: Ahmadian, Ghatee and Wahlström (2024), Definition 5 and Theorems 1 to 4 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, TypeAlias

import sympy
from sympy import Derivative, Expr, Rational, S, Symbol

from costderive.decide.signs import nonnegative, positive
from costderive.errors import SpecError
from costderive.laws import x
from costderive.multiclass.letters import predicted
from costderive.multiclass.orders import gaps
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.rules import ClassRule, Forecast
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.walk import MulticlassDerivation, MulticlassRule
from costderive.pieces import Given, Interval
from costderive.proof import Case, Claim, Equal, Move, NonNegative, Open, Positive, Regular, Same, Step, Tends
from costderive.rule import Conclusion, Judgement

Count: TypeAlias = int | Symbol
K = Symbol("K", positive=True)  # any number of classes above two
MORE = Interval(K, sympy.Integer(2), S.Infinity)
UNIT, HALF = Interval(x, S.Zero, S.One), Interval(x, S.Zero, S.Half)
NEAR = (1, 10, 100, 10_000)
MAX_LETTERS, MAX_CLASSES = 3, 1000


@dataclass(frozen=True, slots=True)
class BoundedLosses:
    """The least upper bound of the losses of right predictions, and the greatest lower bound of those of wrong ones."""

    proper: Conclusion
    classes: Count
    largest_right: Expr
    smallest_wrong: Expr


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
        return self.proper.judgement


# ---- bounds


@dataclass(frozen=True, slots=True)
class BoundLosses(Move):
    """Find the bounds where they are approached: at equal probabilities of all classes, and of two."""

    classes: Count

    def apply(self, before: Conclusion, given: Given) -> BoundedLosses:
        rule = _rule(before)
        return BoundedLosses(before, self.classes, *_extremes(rule, self.classes))

    def claims(self, before: Conclusion, after: BoundedLosses, given: Given) -> Iterator[Claim]:
        rule = _rule(before)
        yield Same("the rule is the one before", before, after.proper)
        yield from _class_claims(rule, self.classes, after.classes)
        if isinstance(rule, PenalisedRule):
            yield NonNegative("the penalty is not negative", rule.penalty)
            penalty, base = rule.penalty, rule.base
        else:
            penalty, base = S.Zero, rule
        lowest = after.smallest_wrong - penalty
        yield Same("no parameter of the rule is called K", K in _letters(rule), False)
        if isinstance(base, SymmetricLosses):
            yield from _right_claims(base, self.classes, after.largest_right)
            yield from _wrong_claims(base, lowest)
        else:
            yield from _claims_in_regions(base, self.classes, after.largest_right, lowest)


def _letters(rule: ClassRule) -> set[Symbol]:
    base = rule.base if isinstance(rule, PenalisedRule) else rule
    found: set[Symbol] = base.loss.free_symbols if isinstance(base, SymmetricLosses) else set()
    return found


def _class_claims(rule: ClassRule, *counts: Count) -> Iterator[Claim]:
    own = _own_classes(rule)
    yield Same("the number of classes", set(counts) | ({own} if own else set()), {counts[0]})


def _own_classes(rule: Any) -> int | None:
    return rule.entropy_function.classes if isinstance(rule, GivenLosses) else getattr(rule, "classes", None)


def _rule(conclusion: Any) -> Any:
    losses = conclusion.losses
    return losses if isinstance(losses, ClassRule) else MulticlassRule(losses)


def _extremes(rule: ClassRule, classes: Count) -> tuple[Expr, Expr]:
    if isinstance(rule, PenalisedRule):
        right, wrong = _extremes(rule.base, classes)
        return right, wrong + rule.penalty
    if isinstance(rule, SymmetricLosses):
        shares = [(1 / sympy.sympify(count), count) for count in (classes, 2)]
        right, wrong = (_tidy(_loss_at(rule, share, _sum_at(rule, share, count))) for share, count in shares)
        return right, wrong
    told = [(group, rule.at(_equal(group, classes))) for group in _groups(classes)]
    right = [losses[label] for group, losses in told for label in group]
    wrong = [losses[i] for group, losses in told for i in range(classes) if group != (i,)]
    return sympy.Max(*right), sympy.Min(*wrong)


def _groups(classes: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, classes + 1):
        yield from combinations(range(classes), size)


def _equal(group: tuple[int, ...], classes: int) -> Forecast:
    return tuple(Rational(label in group, len(group)) for label in range(classes))


def _right_claims(rule: SymmetricLosses, classes: Count, bound: Expr) -> Iterator[Claim]:
    """A right prediction has a probability above 1/K. The sum t over the classes is at most a ceiling.

    Where the summand g is convex, and 0 at 0, ``g(p) <= (p/x) g(x)`` for p up to the largest probability x, so that
    ``t <= g(x)/x``. Where it is concave, ``t <= K g(1/K)`` by Jensen's inequality.
    """
    inner, share, most = rule.entropy_function.inner, 1 / sympy.sympify(classes), t
    if rule.loss.has(t):
        bend = _tidy(sympy.diff(inner, x, 2))
        yield Equal("the bend of a summand", bend, Derivative(inner, x, x), UNIT)
        yield from _grows_with_the_sum(rule)
        if nonnegative(bend, UNIT, rule.entropy_function.given()):
            yield NonNegative("a summand is convex", bend, UNIT)
            most = _tidy(inner / x)
            yield Equal("the largest sum", most, inner / x, UNIT)
        else:
            yield _concave(bend, rule)
            most = _sum_at(rule, share, classes)
    yield from _falls(
        "the largest loss of a right prediction", rule.loss.subs(t, most), share, S.One, Positive
    )
    yield Equal("its bound, at equal probabilities", bound, _loss_at(rule, share, most.subs(x, share)))
    yield Equal("the loss there is the bound", bound, _loss_at(rule, share, _sum_at(rule, share, classes)))


def _concave(bend: Expr, rule: SymmetricLosses) -> Claim:
    """Return a claim, which a letter may leave open."""
    if nonnegative(-bend, UNIT, rule.entropy_function.given()):
        return NonNegative("a summand is concave", -bend, UNIT)
    return Open("is a summand convex or concave?")


def _wrong_claims(rule: SymmetricLosses, bound: Expr) -> Iterator[Claim]:
    """A wrong prediction has a probability below 1/2, and some class a larger one: ``t >= 2 g(x)`` for a rising g."""
    inner = rule.entropy_function.inner
    if rule.loss.has(t):
        slope = _tidy(sympy.diff(inner, x))
        yield Equal("the slope of a summand", slope, Derivative(inner, x), UNIT)
        yield NonNegative("a summand rises with the probability", slope, UNIT)
        yield from _grows_with_the_sum(rule)
    floor = rule.loss.subs(t, 2 * inner)
    yield from _falls("the smallest loss of a wrong prediction", floor, S.Zero, S.Half, NonNegative)
    told = _loss_at(rule, S.Half, _sum_at(rule, S.Half, 2))
    yield Equal("its bound, at equal probabilities of two classes", bound, told)


def _grows_with_the_sum(rule: SymmetricLosses) -> Iterator[Claim]:
    inner, slope = rule.entropy_function.inner, _tidy(sympy.diff(rule.loss, t))
    yield NonNegative("no summand is negative", inner, UNIT)
    yield Tends("a class of probability 0 adds nothing to the sum", inner, x, S.Zero, "+", S.Zero)
    yield Equal("the slope of the loss in the sum", slope, Derivative(rule.loss, t), UNIT)
    yield NonNegative("the loss rises with the sum over the classes", slope, UNIT)


def _falls(what: str, function: Expr, low: Expr, high: Expr, sign: Any) -> Iterator[Claim]:
    on, slope = Interval(x, low, high), sympy.factor(_tidy(sympy.diff(function, x)))
    yield Equal(f"the slope of {what}", slope, Derivative(function, x), on)
    yield sign(f"{what} falls as its probability rises", -slope, on)


def _tidy(expr: Expr) -> Expr:
    return sympy.powsimp(sympy.simplify(expr))


def _sum_at(rule: SymmetricLosses, share: Expr, count: Count) -> Expr:
    """Return the sum t where so many classes have the same share, and the others nothing."""
    return sympy.powsimp(count * rule.entropy_function.inner.subs(x, share))


def _loss_at(rule: SymmetricLosses, share: Expr, total: Expr) -> Expr:
    return rule.loss.subs({x: share, t: total}, simultaneous=True)


# ---- bounds of losses in the letters of all classes


def _regions(rule: ClassRule, classes: int) -> list[tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
    """Return the losses in free positive letters, with what is at least 0 where they hold.

    Classes with the same law of costs may be exchanged, and right and wrong predictions with them.
    """
    letters = [predicted(label) for label in range(classes)]
    if isinstance(rule, GivenLosses):
        onto = {p: p / sympy.Add(*letters) for p in letters}
        return [((), tuple(loss.subs(onto, simultaneous=True) for loss in rule.losses))]
    if isinstance(rule, MulticlassRule):
        return [(gaps(cell.order), cell.losses) for cell in rule.cells]
    raise SpecError(f"{type(rule).__name__} is no rule whose losses are known", "Take one of this room.")


def _claims_in_regions(
    rule: ClassRule, classes: int, largest: Expr, smallest: Expr
) -> Iterator[Positive | NonNegative]:
    regions = _regions(rule, classes)
    letters = [predicted(label) for label in range(classes)]
    for facts, losses in regions:
        for label, loss in enumerate(losses):
            above = tuple(letters[label] - other for other in letters if other != letters[label])
            # facts of a strict claim hold inside one region alone
            if len(regions) == 1:
                yield Positive("a right prediction loses less than the bound", largest - loss, None, above)
            else:
                yield NonNegative(
                    "a right prediction loses at most the bound", largest - loss, None, (*facts, *above)
                )
            for other in letters:
                if other != letters[label]:
                    below = (*facts, other - letters[label])
                    yield NonNegative(
                        "a wrong prediction loses at least the bound", loss - smallest, None, below
                    )


# ---- ranking


@dataclass(frozen=True, slots=True)
class RankPredictions(Move):
    """Compare the bounds, or find a right prediction that loses at least as much as a wrong one."""

    classes: Count

    def apply(self, before: Any, given: Given) -> Ranked:
        proper, bounds = (before.proper, before) if isinstance(before, BoundedLosses) else (before, None)
        rule = _rule(proper)
        if bounds is not None and _are_apart(rule, bounds):
            return Ranked(proper, self.classes, True, bounds)
        if bounds is not None and isinstance(self.classes, Symbol):
            rises = positive(_rise(bounds), MORE, given) is not None
            return Ranked(proper, self.classes, False if rises else None, bounds)
        found = _reversed(rule, self.classes)
        return Ranked(proper, self.classes, False if found else None, bounds, *(found or ()))

    def claims(self, before: Any, after: Ranked, given: Given) -> Iterator[Claim]:
        bounds = before if isinstance(before, BoundedLosses) else None
        yield Same("the rule is the one before", after.proper, before if bounds is None else bounds.proper)
        yield Same("the bounds are the ones before", after.bounds, bounds)
        counts = (after.classes,) if bounds is None else (after.classes, bounds.classes)
        yield from _class_claims(_rule(after.proper), self.classes, *counts)
        if after.superior is None:
            yield Open("is the rule superior?")
        elif after.superior:
            yield from _superior_claims(bounds)
        elif bounds is not None and isinstance(self.classes, Symbol):
            yield from _crossing_claims(bounds)
        else:
            yield from _reversal_claims(_rule(after.proper), self.classes, after.right, after.wrong)


def _are_apart(rule: ClassRule, bounds: BoundedLosses) -> bool:
    gap = bounds.smallest_wrong - bounds.largest_right
    return bool(gap.is_positive if _in_pieces(rule) else gap.is_nonnegative)


def _in_pieces(rule: ClassRule) -> bool:
    """Tell whether losses are given by pieces: then the largest loss may be reached where two of them meet."""
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
    return sympy.factor(_tidy(sympy.diff(bounds.largest_right, K)))


def _superior_claims(bounds: BoundedLosses | None) -> Iterator[Claim]:
    yield Same("the losses are bounded", bounds is not None, True)
    if bounds is not None:
        kind = Positive if _in_pieces(_rule(bounds.proper)) else NonNegative
        yield kind("right predictions stay below wrong ones", bounds.smallest_wrong - bounds.largest_right)


def _reversal_claims(
    rule: ClassRule, classes: Any, right: Prediction | None, wrong: Prediction | None
) -> Iterator[Claim]:
    known = right is not None and wrong is not None
    yield Same("there are two predictions", known, True)
    if right is None or wrong is None:
        return
    shapes = [_is_forecast(one, classes) for one in (right, wrong)]
    yield Same("both are forecasts of a class", shapes, [True, True])
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
        _told(rule, _near(range(classes), top, n), top)
        for top in range(1 if symmetric else classes)
        for n in NEAR
    ]
    if not all(one.loss.is_number for one in right):
        return None
    pairs = [(0, 1)] if symmetric else permutations(range(classes), 2)
    wrong = [_told(rule, _near(pair, pair[0], n, classes), pair[1]) for pair in pairs for n in NEAR]
    worst, best = max(right, key=_loss), min(wrong, key=_loss)
    return (worst, best) if (worst.loss - best.loss).is_nonnegative else None


def _near(group: Sequence[int], top: int, n: int, classes: int | None = None) -> Forecast:
    """Return nearly equal probabilities for a group of classes, the largest for one of them."""
    counts = [(label in group) * n + (label == top) for label in range(classes or len(group))]
    return tuple(Rational(count, sum(counts)) for count in counts)


def _told(rule: ClassRule, forecast: Forecast, label: int) -> Prediction:
    return Prediction(forecast, label, rule.at(forecast)[label])


def _loss(one: Prediction) -> float:
    return float(one.loss)


def superior(derivation: MulticlassDerivation, classes: int | None = None) -> MulticlassDerivation:
    """Return the derivation of a rule with last steps that decide whether it is superior.

    Its ``conclusion`` has ``superior``, the ``bounds`` of the losses where they were found, and for a rule that is not
    superior a ``right`` prediction that loses at least as much as a ``wrong`` one. ``check`` decides that all of it
    holds. A rule of an entropy for any number of classes is decided for the number that is given, or else for all
    numbers above two at once, called K; then the bounds, which cross, show that it is not superior.

    Raises:
        SpecError: if the number of classes is another than that of the rule, or not from 2 to 1000.

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
    rule = _rule(derivation.conclusion)
    count = _classes(rule, classes)
    (case,) = derivation.cases
    start = derivation.conclusion
    bounded = (
        Step.make(BoundLosses(count), start, case.given) if _is_bounded(rule, count, case.given) else None
    )
    bounds = () if bounded is None else (bounded,)
    ranked = Step.make(RankPredictions(count), bounded.after if bounded else start, case.given)
    return MulticlassDerivation(derivation.context, (Case(case.given, (*case.steps, *bounds, ranked)),))


def _is_bounded(rule: ClassRule, classes: int, given: Given) -> bool:
    """Tell whether bounds are known; for losses in the letters of all classes, which are not all monotone, try them."""
    if isinstance(rule, PenalisedRule | SymmetricLosses):
        return True
    if classes > MAX_LETTERS:
        return False
    claims = list(_claims_in_regions(rule, classes, *_extremes(rule, classes)))
    return all(nonnegative(claim.expr, None, given.also(nonnegative=claim.facts)) for claim in claims)


def _classes(rule: ClassRule, classes: int | None) -> Any:
    own = _own_classes(rule)
    if K in _letters(rule):
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
