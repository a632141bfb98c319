"""From the losses of the calibrated threshold to those of a threshold that is a function of the cost proportion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import p, s
from costderive.costs.thresholds import DistortedThreshold
from costderive.deciders.limits import Approach, value_at
from costderive.derivation.moves.conditions import given_at, sides, value_claims, where
from costderive.derivation.moves.integrate_by_parts import ends, value_at_end
from costderive.derivation.moves.risk_slope import SignOfWeight, SlopeOfRisk
from costderive.proof.claims import (
    Case,
    Claim,
    Equal,
    Move,
    NonNegative,
    Positive,
    Regular,
    Same,
    Step,
    Tends,
)
from costderive.rules.conclusions import Calibration, Miscalibration
from costderive.rules.loss_pair import LossPair, Value
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(s, ZERO, ONE)


@dataclass(frozen=True, slots=True)
class DistortThreshold(Move):
    """Decide at ``T = g(s)``, with a growing ``g``, instead of at the cost proportion s.

    ``T < p`` is ``s < h(p)``, with h the inverse of g, and so the losses are those of the calibrated threshold at
    ``h(p)``. Below ``g(0)`` every instance is taken for class 0, above ``g(1)`` for class 1. Claimed is the loss at
    ``p = g(s)`` for each s, which needs no inverse.
    """

    searched_by = "costderive.derivation.search.distorted_thresholds:distort_threshold"

    threshold: DistortedThreshold
    seconds: float = 60.0

    def claims(self, before: Losses, after: LossPair, given: Given) -> Iterator[Claim]:
        at = self.threshold.at
        yield Regular("the threshold is smooth in the cost proportion", at, UNIT)
        yield Positive("the threshold grows with the cost proportion", sympy.diff(at, s), UNIT)
        low, *_, high = places = reached(at, before, given)
        yield Tends("the least threshold", at, s, ZERO, "+", low)
        yield Tends("the greatest threshold", at, s, ONE, "-", high)
        yield NonNegative("the threshold is not below 0", low)
        yield NonNegative("the threshold is not above 1", 1 - high)
        yield Same("the losses are functions of p", (after.loss0.variable, after.loss1.variable), (p, p))
        for loss in (after.loss0, after.loss1):
            yield Same("pieces end where the calibrated ones do", ends(loss), pieces_between(places))
        yield Same("at each end both losses are known", after.values, values_at(places, before, given))
        for label in (0, 1):
            yield from _piece_claims(at, label, before, after, places)
        yield Same("nothing more is assumed", after.assumed, ())


def _piece_claims(
    at: Expr, label: int, before: Losses, after: LossPair, places: tuple[Expr, ...]
) -> Iterator[Claim]:
    """Each piece at ``p = g(s)`` is that of the calibrated threshold at s; beyond all thresholds it is constant."""
    calibrated, pieces = _loss(before, label), list(_loss(after, label))
    worst = before.worst1 if label else before.worst0
    if places[0] != ZERO and pieces:
        below = pieces.pop(0).value
        yield Same(f"loss {label} below all thresholds", below, worst if label else ZERO)
        yield Same(f"loss {label} is finite there", _is_infinite(below), False)
    if places[-1] != ONE and pieces:
        above = pieces.pop().value
        yield Same(f"loss {label} above all thresholds", above, ZERO if label else worst)
        yield Same(f"loss {label} is finite there", _is_infinite(above), False)
    yield Same("one piece for each calibrated one", len(pieces), len(calibrated.pieces))
    for own, piece in zip(pieces, calibrated, strict=False):
        yield Equal(
            f"loss {label} is the calibrated one",
            own.value.subs(p, at),
            piece.value.subs(p, s),
            Interval(s, piece.low, piece.high),
        )


def _is_infinite(expr: Expr) -> bool:
    return bool(expr.has(sympy.oo, sympy.nan, sympy.zoo))


def _loss(pair: Losses | LossPair, label: int) -> Pieces:
    return (pair.loss0, pair.loss1)[label]


def reached(at: Expr, before: Losses, given: Given) -> tuple[Expr, ...]:
    """Return the threshold at 0, at each breakpoint and at 1; ``nan`` where a limit is not found."""
    found = (value_at(at, Approach(s, end, side), given) for end, side in ((ZERO, "+"), (ONE, "-")))
    low, high = (sympy.nan if x is None else x if x.has(sympy.Function) else sympy.cancel(x) for x in found)
    return (low, *[at.subs(s, piece.high) for piece in before.loss0.pieces[:-1]], high)


def pieces_between(places: tuple[Expr, ...]) -> tuple[tuple[Expr, Expr], ...]:
    """Return the ends of the pieces on [0, 1] that some thresholds make."""
    whole = _from_0_to_1(places)
    return tuple(pairwise(whole))


def _from_0_to_1(places: tuple[Expr, ...]) -> tuple[Expr, ...]:
    before = () if places[0] == ZERO else (ZERO,)
    after = () if places[-1] == ONE else (ONE,)
    return (*before, *places, *after)


def values_at(places: tuple[Expr, ...], before: Losses, given: Given) -> tuple[Value, ...]:
    """Return the values of both losses at each end of a piece, where ``T = p`` decides for class 0."""
    least, greatest = Value(ZERO, ZERO, before.worst1), Value(ONE, before.worst0, ZERO)
    inner = [
        Value(at, value_at_end(first, given), value_at_end(second, given))
        for at, first, second in zip(places[1:-1], before.loss0, before.loss1, strict=False)
    ]
    below = [least] if places[0] == ZERO else [least, Value(places[0], least.loss0, least.loss1)]
    above = [greatest] if places[-1] == ONE else [Value(places[-1], greatest.loss0, greatest.loss1), greatest]
    return (*below, *inner, *above)


@dataclass(frozen=True, slots=True)
class FindMiscalibration(Move):
    """See that a threshold ``T = g(s)`` is not the cost proportion where the calibrated rule is strictly proper.

    Under a belief q the report ``g(q)`` decides as the calibrated rule does, and q itself as that of the report
    ``h(q)``. Since ``g - s`` is analytic and not 0 at one proportion, it is 0 at isolated ones alone: some belief q
    where the calibrated rule is strictly proper has ``h(q) != q``, and then q costs more than ``g(q)``. Of an atom at
    t that is so for each belief between t and ``g(t)``: the atom lies between ``h(q)`` and q.
    """

    searched_by = "costderive.derivation.search.distorted_thresholds:find_comparison"

    def claims(self, before: LossPair, after: Miscalibration, given: Given) -> Iterator[Claim]:
        yield from _strictly_proper_at_s(before, after, given)
        yield from _is_another(after)


@dataclass(frozen=True, slots=True)
class FindCalibration(Move):
    """See that a threshold is s if letters have certain values, and by ``FindMiscalibration`` only then."""

    searched_by = "costderive.derivation.search.distorted_thresholds:find_comparison"

    def claims(self, before: LossPair, after: Calibration, given: Given) -> Iterator[Claim]:
        yield Same("there are conditions", len(after.conditions) == len(after.otherwise) > 0, True)
        if not after.otherwise:
            return
        first, known = after.otherwise[0], given
        yield from _strictly_proper_at_s(before, first, given)
        at = first.threshold
        for condition, other in zip(after.conditions, after.otherwise, strict=False):
            so_far = replace(first, threshold=other.threshold, proportion=other.proportion, above=other.above)
            yield Same("under the conditions before it is the same rule", other, so_far)
            yield Equal("under the conditions before it is that threshold", other.threshold, at, UNIT)
            yield from value_claims(condition, known)
            below, above = sides(condition)
            yield from where(above, _is_another(other))
            yield from where(below, _is_another(replace(other, above=not other.above)))
            at, known = at.subs(condition.letter, condition.value), given_at(condition, known)
        yield Equal("under the conditions the threshold is the proportion", at, s, UNIT)


def _strictly_proper_at_s(before: LossPair, after: Miscalibration, given: Given) -> Iterator[Claim]:
    yield Same("the pair is the one before", before, after.losses)
    calibrated = after.proper.losses
    yield Same("the calibrated losses have a threshold weight", isinstance(calibrated, Losses), True)
    if not isinstance(calibrated, Losses):
        return
    slope = SlopeOfRisk().apply(calibrated, given)
    yield from SlopeOfRisk().claims(calibrated, slope, given)
    yield from SignOfWeight().claims(slope, after.proper, given)
    if after.between is not None:
        yield Same("there the calibrated rule is strict", after.between in after.proper.strict, True)
        yield Positive("these beliefs have a length", after.between[1] - after.between[0])


def _is_another(found: Miscalibration) -> Iterator[Claim]:
    place = found.proportion
    yield Positive("the proportion is above 0", place)
    yield Positive("the proportion is below 1", 1 - place)
    away = found.threshold.subs(s, place) - place
    yield Positive("there the threshold is another", away if found.above else -away)
    if found.between is None:
        atoms = found.proper.losses.weight.atoms if isinstance(found.proper.losses, Losses) else ()
        masses = [atom.mass for atom in atoms if atom.at == place]
        yield Same("the proportion is that of an atom", len(masses), 1)
        yield from (Positive("the atom has a mass", mass) for mass in masses)


def calibration_claims(case: Case) -> Iterator[Claim]:
    """A threshold that is compared with s is the one decided at, instead of at s with the calibrated losses."""
    for before, step in pairwise((None, *case.steps)):
        if isinstance(step, Step) and isinstance(step.move, FindMiscalibration | FindCalibration):
            said = step.after.otherwise[0] if isinstance(step.after, Calibration) else step.after
            at, *made = _distorted(before)
            yield Same("the losses are those of the step before", made, [said.proper.losses, step.before])
            yield Equal("the threshold is that of the step before", said.threshold, at, UNIT)


def _distorted(step: Step | None) -> tuple[Any, ...]:
    """Return a threshold, the losses of the calibrated one, and its own, if a step is about one."""
    is_distortion = step is not None and isinstance(step.move, DistortThreshold)
    return (step.move.threshold.at, step.before, step.after) if is_distortion else (sympy.nan,)  # type: ignore[union-attr]
