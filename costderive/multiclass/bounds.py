"""What right predictions of a rule of several classes lose at most, and what wrong ones lose at least.

A prediction is right if the class has the largest probability of all, and wrong if another class has a larger one; a
tie for the largest is neither.

Source: Ahmadian, Ghatee and Wahlström (2024), Theorems 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import sympy
from sympy import Derivative, Expr, Rational, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import x
from costderive.deciders.signs import nonnegative
from costderive.multiclass.derive_classes import MulticlassRule
from costderive.multiclass.letters import predicted
from costderive.multiclass.orders import gaps
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.simplex import GivenLosses, SymmetricLosses, t
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.proof.claims import Claim, Conclusion, Equal, Move, NonNegative, Open, Positive, Same, Tends

Count: TypeAlias = int | Symbol
K = Symbol("K", positive=True)  # any number of classes above two
UNIT = Interval(x, S.Zero, S.One)
MAX_LETTERS = 3


@dataclass(frozen=True, slots=True)
class BoundedLosses:
    """The least upper bound of the losses of right predictions, and the greatest lower bound of those of wrong ones.

    For losses in the letters of all classes, forecasts have no zeros in them.
    """

    proper: Conclusion
    classes: Count
    largest_right: Expr
    smallest_wrong: Expr


@dataclass(frozen=True, slots=True)
class BoundLosses(Move):
    """Find the bounds where they are approached: at equal probabilities of all classes, and of two."""

    classes: Count

    def apply(self, before: Conclusion, given: Given) -> BoundedLosses:
        rule = rule_of(before)
        return BoundedLosses(before, self.classes, *_extremes(rule, self.classes))

    def claims(self, before: Conclusion, after: BoundedLosses, given: Given) -> Iterator[Claim]:
        rule = rule_of(before)
        yield Same("the rule is the one before", before, after.proper)
        yield from class_claims(rule, self.classes, after.classes)
        if isinstance(rule, PenalisedRule):
            yield NonNegative("the penalty is not negative", rule.penalty)
            penalty, base = rule.penalty, rule.base
        else:
            penalty, base = S.Zero, rule
        lowest = after.smallest_wrong - penalty
        yield Same("no parameter of the rule is called K", K in letters_of(rule), False)
        if isinstance(base, SymmetricLosses):
            yield from _right_claims(base, self.classes, after.largest_right)
            yield from _wrong_claims(base, lowest)
        else:
            extremes = _extremes(base, own_classes(base) or 2)
            yield Same(
                "the bounds are losses at equal probabilities of some classes",
                (after.largest_right, lowest),
                extremes,
            )
            yield from _claims_in_regions(base, self.classes, after.largest_right, lowest)


def letters_of(rule: ClassRule) -> set[Symbol]:
    """Return the letters in the loss of a rule for any number of classes."""
    base = rule.base if isinstance(rule, PenalisedRule) else rule
    found: set[Symbol] = base.loss.free_symbols if isinstance(base, SymmetricLosses) else set()
    return found


def class_claims(rule: ClassRule, *counts: Count) -> Iterator[Claim]:
    """All mean the same number of classes, that of the rule if it is for one number alone."""
    own = own_classes(rule)
    several = all(count == K if isinstance(count, Symbol) else count >= 2 for count in counts)
    yield Same("there are two classes or more, or any number K", several, True)
    yield Same("the number of classes", frozenset((*counts, own or counts[0])), frozenset(counts[:1]))


def own_classes(rule: Any) -> int | None:
    """Return the number of classes that a rule is for, or ``None`` if it is for any."""
    return rule.entropy_function.classes if isinstance(rule, GivenLosses) else getattr(rule, "classes", None)


def rule_of(conclusion: Any) -> Any:
    """Return the rule that a conclusion is about."""
    losses = conclusion.losses
    return losses if isinstance(losses, ClassRule) else MulticlassRule(losses)


def _extremes(rule: ClassRule, classes: Count) -> tuple[Expr, Expr]:
    if isinstance(rule, PenalisedRule):
        right, wrong = _extremes(rule.base, classes)
        return right, wrong + rule.penalty
    if isinstance(rule, SymmetricLosses):
        shares = [(sympy.S.One / count, count) for count in (classes, 2)]
        right, wrong = (tidied(_loss_at(rule, share, _sum_at(rule, share, count))) for share, count in shares)
        return right, wrong
    by_group = [(group, rule.at(_equal(group, classes))) for group in _groups(classes)]
    right = [losses[label] for group, losses in by_group for label in group]
    wrong = [losses[i] for group, losses in by_group for i in range(classes) if group != (i,)]
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
    inner, share, most = rule.entropy_function.inner, sympy.S.One / classes, t
    if rule.loss.has(t):
        bend = tidied(sympy.diff(inner, x, 2))
        yield Equal("the bend of a summand", bend, Derivative(inner, x, x), UNIT)
        yield from _grows_with_the_sum(rule)
        if nonnegative(bend, UNIT, rule.entropy_function.given()):
            yield NonNegative("a summand is convex", bend, UNIT)
            most = tidied(inner / x)
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
        slope = tidied(sympy.diff(inner, x))
        yield Equal("the slope of a summand", slope, Derivative(inner, x), UNIT)
        yield NonNegative("a summand rises with the probability", slope, UNIT)
        yield from _grows_with_the_sum(rule)
    floor = rule.loss.subs(t, 2 * inner)
    yield from _falls("the smallest loss of a wrong prediction", floor, S.Zero, S.Half, NonNegative)
    value = _loss_at(rule, S.Half, _sum_at(rule, S.Half, 2))
    yield Equal("its bound, at equal probabilities of two classes", bound, value)


def _grows_with_the_sum(rule: SymmetricLosses) -> Iterator[Claim]:
    inner, slope = rule.entropy_function.inner, tidied(sympy.diff(rule.loss, t))
    yield NonNegative("no summand is negative", inner, UNIT)
    yield Tends("a class of probability 0 adds nothing to the sum", inner, x, S.Zero, "+", S.Zero)
    yield Equal("the slope of the loss in the sum", slope, Derivative(rule.loss, t), UNIT)
    yield NonNegative("the loss rises with the sum over the classes", slope, UNIT)


def _falls(what: str, function: Expr, low: Expr, high: Expr, sign: Any) -> Iterator[Claim]:
    on, slope = Interval(x, low, high), sympy.factor(tidied(sympy.diff(function, x)))
    yield Equal(f"the slope of {what}", slope, Derivative(function, x), on)
    yield sign(f"{what} falls as its probability rises", -slope, on)


def tidied(expr: Expr) -> Expr:
    """Return an expression in a form that is easier to decide; claims hold it against the one it comes from."""
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
    raise SpecError(
        f"{type(rule).__name__} is not a rule whose losses are known", "Take one of costderive.multiclass."
    )


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


def is_bounded(rule: ClassRule, classes: int, given: Given) -> bool:
    """Return whether bounds are known; losses in the letters of all classes may not be monotone, so they are tried."""
    if isinstance(rule, PenalisedRule | SymmetricLosses):
        return True
    if classes > MAX_LETTERS:
        return False
    claims = list(_claims_in_regions(rule, classes, *_extremes(rule, classes)))
    return all(nonnegative(claim.expr, None, given.also(nonnegative=claim.facts)) for claim in claims)
