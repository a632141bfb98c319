"""The search for the losses of a threshold that is a function of the cost proportion: its inverse, put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import sympy
from sympy import Expr

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, s, u
from costderive.core.time_limit import within
from costderive.deciders.enclosure import differ
from costderive.deciders.identities import zero
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.conditions import given_at, sides
from costderive.derivation.moves.distorted_thresholds import (
    UNIT,
    DistortThreshold,
    FindCalibration,
    FindMiscalibration,
    pieces_between,
    reached,
    values_at,
)
from costderive.derivation.moves.risk_slope import SignOfWeight, SlopeOfRisk
from costderive.derivation.moves.witness import FindWitness
from costderive.proof.claims import Step
from costderive.rules import Calibration, Condition, Improperness, Losses, Miscalibration, Witness, odds_form
from costderive.rules.loss_pair import LossPair

ZERO, ONE = sympy.S.Zero, sympy.S.One
BELIEFS = sympy.Rational(1, 2), sympy.Rational(1, 3), sympy.Rational(2, 3), sympy.Rational(1, 5)
HALF, SHARE_SECONDS, MOST_CONDITIONS = BELIEFS[0], 10.0, 2
GROWS = "A threshold that depends on the costs has to grow with s = c0/(c0 + c1)"


def distort_threshold(move: DistortThreshold, before: Losses, given: Given) -> LossPair:
    """Put the inverse of the threshold into the losses, and constants beyond all thresholds."""
    at = move.threshold.at
    if not (regular(at, UNIT, given) and positive(sympy.diff(at, s), UNIT, given)):
        raise SpecError(f"threshold = {at} is not seen to grow on 0 < s < 1", f"{GROWS}, and be smooth.")
    places = reached(at, before, given)
    if not (nonnegative(places[0], None, given) and nonnegative(1 - places[-1], None, given)):
        raise SpecError(
            f"threshold = {at} runs from {places[0]} to {places[-1]}", "A threshold lies between 0 and 1."
        )
    _refuse_divergence(before, places)
    put_in = _in_odds(at) or partial(
        _put_in, inverse(at, (places[0], places[-1]), given, min(move.seconds, SHARE_SECONDS))
    )
    spans = pieces_between(places)
    found = ([put_in(piece, at, given) for piece in loss] for loss in (before.loss0, before.loss1))
    constants = ((ZERO, before.worst0), (before.worst1, ZERO))
    loss0, loss1 = (
        _pieces(spans, values, ends, places) for values, ends in zip(found, constants, strict=True)
    )
    return LossPair(loss0, loss1, values_at(places, before, given))


def _refuse_divergence(before: Losses, places: tuple[Expr, ...]) -> None:
    for name, worst, beyond in (
        ("c0", before.worst0, places[-1] != ONE),
        ("c1", before.worst1, places[0] != ZERO),
    ):
        if beyond and worst.is_infinite:
            raise DivergentCostError(
                f"the expected cost E[{name}] is infinite, and a prediction beyond all thresholds costs as much",
                "Thresholds have to come near 0 and near 1 then.",
            )


def inverse(at: Expr, reach: tuple[Expr, Expr], given: Given, seconds: float) -> Expr:
    """Find h with ``g(h(p)) = p`` inside (0, 1): a formula, or the parameter of the curve ``g``, ``1 - g``."""
    try:
        found: Expr | None = within(seconds, _solved, at, given)
    except Exception:  # SymPy may fail in any way: then it has found nothing
        found = None
    if found is not None:
        return found
    return CurveParameter(OneWay(at, 1 - at, s, ZERO, ONE, *reach, ONE), p)


def _solved(at: Expr, given: Given) -> Expr | None:
    for root in sympy.solve(at - p, s):
        written = odds_form.tidy(root, p, given) if root.is_rational_function() else sympy.simplify(root)
        if not written.has(sympy.I) and zero(written.subs(p, at) - s, UNIT, given):
            return written
    return None


def _in_odds(at: Expr) -> Callable[[Piece, Expr, Given], Expr] | None:
    """Return how to write a piece whose odds are a root of a multiple of those of the threshold, else ``None``."""
    factor, power = _odds(at).as_coeff_exponent(u)
    if factor.has(u) or power.is_zero or (1 / power).is_Integer:  # of whole powers the inverse is rational
        return None
    root = 1 / power
    return partial(_at_odds, p**root * (1 - p) ** -root * factor**-root)


def _odds(at: Expr) -> Expr:
    """Return the odds of a threshold as a function of those of the cost proportion."""
    top, bottom = sympy.fraction(sympy.together(odds_form.to_odds(at, s)))
    return sympy.powsimp(sympy.factor(top / sympy.expand(bottom - top)))


def _at_odds(odds: Expr, piece: Piece, at: Expr, given: Given) -> Expr:
    return sympy.factor(odds_form.to_odds(piece.value, p, given)).subs(u, odds)


def _put_in(proportion: Expr, piece: Piece, at: Expr, given: Given) -> Expr:
    value = odds_form.arguments_factored(piece.value.subs(p, proportion), p)
    short = odds_form.tidy(value, p, given)
    on = Interval(p, *(at.subs(s, end) for end in (piece.low, piece.high)))
    return value if differ(short, value, on, given) else short


def _pieces(
    spans: tuple[tuple[Expr, Expr], ...],
    values: list[Expr],
    constants: tuple[Expr, Expr],
    places: tuple[Expr, ...],
) -> Pieces:
    below = [] if places[0] == ZERO else [constants[0]]
    above = [] if places[-1] == ONE else [constants[1]]
    written = zip(spans, [*below, *values, *above], strict=True)
    return Pieces(p, tuple(Piece(low, high, value) for (low, high), value in written))


# ---- the verdict


def witnesses(step: Step, given: Given) -> Iterator[Step]:
    """Yield a witness that may be proved: under a belief q the report ``g(q)`` decides as a proper rule does."""
    witness = _witness(step, step.move.threshold.at, given)  # type: ignore[attr-defined]
    if witness is not None:
        yield Step(FindWitness(), step.after, Improperness(step.after, witness))


def calibrations(step: Step, given: Given) -> Iterator[Step]:
    """Yield that a threshold is s at one value of each of some letters alone."""
    for found in (*_with_beliefs(step, given), *_with_atoms(step, given)):
        orders = _faithful(found.threshold, given)
        calibrated = (_calibrated(found, step.before, order, given) for order in orders)
        yield from (Step(FindCalibration(), step.after, one) for one in calibrated if one)


def miscalibrations(step: Step, given: Given) -> Iterator[Step]:
    """Yield that a threshold is another than s where the rule that decides at s is strictly proper."""
    for found in _with_beliefs(step, given):
        yield from _miscalibrated(found, step, given)


def miscalibrations_at_atoms(step: Step, given: Given) -> Iterator[Step]:
    """Yield that a threshold is another than s at an atom of the rule that decides at s."""
    for found in _with_atoms(step, given):
        yield from _miscalibrated(found, step, given)


def _miscalibrated(found: Miscalibration, step: Step, given: Given) -> Iterator[Step]:
    return (Step(FindMiscalibration(), step.after, one) for one in _elsewhere(found, step.before, given))


def find_comparison(
    move: FindMiscalibration | FindCalibration, before: LossPair, given: Given
) -> Miscalibration | Calibration:
    """Refuse: what decides at s is known where the threshold was distorted, and not from the losses alone."""
    raise SpecError(
        "losses alone do not say which rule decides at the cost proportion", "Derive the rule from its costs."
    )


def as_written_in(step: Step, found: Step) -> Step:
    """Put what a step holds, as it is written there, into a comparison: another process writes it anew."""
    said, at = found.after, step.move.threshold.at  # type: ignore[attr-defined]
    if isinstance(said, Miscalibration):
        return replace(found, before=step.after, after=_as_written(step, said, at))
    if not isinstance(said, Calibration):
        return found
    others: list[Miscalibration] = []
    for condition, other in zip(said.conditions, said.otherwise, strict=True):
        others.append(_as_written(step, other, at))
        at = at.subs(condition.letter, condition.value)
    return replace(found, before=step.after, after=replace(said, otherwise=tuple(others)))


def _as_written(step: Step, said: Miscalibration, at: Expr) -> Miscalibration:
    proper = SignOfWeight().apply(SlopeOfRisk().apply(step.before, Given()), Given())
    own = (*proper.strict, *[atom.at for atom in step.before.weight.atoms])
    theirs = (*said.proper.strict, *[atom.at for atom in said.proper.losses.weight.atoms])  # type: ignore[union-attr]
    same: dict[Any, Any] = dict(zip(theirs, own, strict=True))
    place = same.get(said.proportion, said.proportion)
    return Miscalibration(step.after, at, proper, same.get(said.between), place, said.above)


def _calibrated(
    found: Miscalibration, calibrated: Losses, conditions: tuple[Condition, ...], given: Given
) -> Calibration | None:
    """See that the threshold is another one on both sides of each value, if the conditions before it hold."""
    others: list[Miscalibration] = []
    for condition in conditions:
        below, above = (given.also(positive=(side,)) for side in sides(condition))
        seen = _elsewhere(found, calibrated, above)
        both = (other for other in seen if _is_seen(replace(other, above=not other.above), below))
        if (other := next(both, None)) is None:
            return None
        others.append(other)
        found = replace(found, threshold=found.threshold.subs(condition.letter, condition.value))
        given = given_at(condition, given)
    return Calibration(conditions, tuple(others))


def _with_beliefs(step: Step, given: Given) -> list[Miscalibration]:
    """Return a threshold with beliefs for which the rule that decides at s is strict, if there are some."""
    found = _at_s(step, given)
    spans = [span for span in found.proper.strict if positive(span[1] - span[0], None, given)]
    return [replace(found, between=span) for span in spans[:1]]


def _with_atoms(step: Step, given: Given) -> list[Miscalibration]:
    """Return a threshold without such beliefs, if the rule that decides at s has atoms."""
    return [_at_s(step, given)] if step.before.weight.atoms else []


def _at_s(step: Step, given: Given) -> Miscalibration:
    at: Expr = step.move.threshold.at  # type: ignore[attr-defined]
    proper = SignOfWeight().apply(SlopeOfRisk().apply(step.before, given), given)
    return Miscalibration(step.after, at, proper, None, HALF, True)


def _elsewhere(found: Miscalibration, calibrated: Losses, given: Given) -> Iterator[Miscalibration]:
    """Yield proportions at which the threshold is seen to be another one."""
    for place, above in product(_proportions(found, calibrated, given), (True, False)):
        other = replace(found, proportion=place, above=above)
        if _is_seen(other, given):
            yield other


def _proportions(found: Miscalibration, calibrated: Losses, given: Given) -> list[Expr]:
    if found.between is None:
        return [atom.at for atom in calibrated.weight.atoms]
    low, *_, high = reached(found.threshold, calibrated, given)
    beyond = low / 2, (1 + high) / 2
    return [*BELIEFS, *(place for place in beyond if place not in (ZERO, ONE))]


def _is_seen(found: Miscalibration, given: Given) -> bool:
    away = found.threshold.subs(s, found.proportion) - found.proportion
    return bool(positive(away if found.above else -away, None, given))


def _witness(step: Step, at: Expr, given: Given) -> Witness | None:
    """Return a belief, and the report under which the risk is that of the calibrated rule, where that is less."""
    for belief in BELIEFS:
        truth = step.after.at(belief, given)
        if truth is None:
            continue
        least = _calibrated_risk(step.before, belief)
        gap = sympy.factor(truth.risk(belief) - least)
        if positive(gap, None, given):
            return Witness(belief, _report(at, belief), least + gap, least)
    return None


def _calibrated_risk(losses: Losses, belief: Expr) -> Expr:
    first, second = (loss.piece_at(belief).value.subs(p, belief) for loss in (losses.loss0, losses.loss1))
    return (1 - belief) * first + belief * second


def _report(at: Expr, belief: Expr) -> Expr:
    odds = sympy.powsimp(_odds(at).subs(u, belief / (1 - belief)))
    return sympy.factor(odds / (1 + odds))


def _faithful(at: Expr, given: Given, letters: int = MOST_CONDITIONS) -> Iterator[tuple[Condition, ...]]:
    """Yield conditions on the letters of a threshold at which it is the cost proportion itself, few of them first."""
    own = sorted(at.free_symbols - {s}, key=str)
    conditions = [Condition(x, value) for x, value in product(own, (ONE, *own)) if x != value]
    for condition in conditions:
        if zero(at.subs(condition.letter, condition.value) - s, UNIT, given):
            yield (condition,)
    for condition in conditions if letters > 1 else ():
        rest = at.subs(condition.letter, condition.value)
        yield from ((condition, *more) for more in _faithful(rest, given, letters - 1))
