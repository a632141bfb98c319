"""From any pair of losses to properness: its threshold weight, its jumps, and its values at ties and at the ends.

A pair is proper if and only if its losses grow as ``L0' = p w`` and ``L1' = -(1 - p) w`` with one density
``w >= 0``, they jump at each breakpoint t by the shares ``t m`` and ``-(1 - t) m`` of one mass ``m >= 0``, and each
report has a line ``q -> R(p|q)`` that lies on or above the entropy and touches it at ``q = p``. For the report t
that says: with ``x = L0(t) - L0(t-)`` and ``y = L1(t) - L1(t+)`` both at least 0, ``(1 - t) x + t y = t (1 - t) m``.
(More would put the line above the entropy at t itself: another report would be better under the belief t.)

Source: Buja, Stuetzle and Shen (2005), section 3; Gneiting and Raftery (2007), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, Rational

from costderive.core.piecewise import Given, Interval, Measure, Piece, Sign
from costderive.core.symbols import p, s
from costderive.deciders.signs import positive
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.risk_slope import positive_ranges
from costderive.derivation.moves.slices import covering
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules.conclusions import Properness
from costderive.rules.loss_pair import Limits, LossPair, Value, WeighedPair

ZERO, ONE = sympy.S.Zero, sympy.S.One
SHARES = tuple(Rational(1, n) for n in (2, 3, 4, 5, 7))


def well_formed(pair: LossPair) -> Iterator[Claim]:
    """The pieces of both losses cover [0, 1] alike, and there is one value at each of their ends."""
    yield Same("the losses are functions of p", (pair.loss0.variable, pair.loss1.variable), (p, p))
    yield Same("both losses have the same pieces", ends(pair.loss0), ends(pair.loss1))
    yield from covering(ends(pair.loss0))
    for piece in pair.loss0:
        yield Positive("a piece has a length", piece.high - piece.low)
    places = (ZERO, *(piece.high for piece in pair.loss0))
    yield Same("a value at each end of a piece", tuple(value.at for value in pair.values), places)


@dataclass(frozen=True, slots=True)
class FindWeight(Move):
    """Read the threshold weight off a pair of losses: ``w = L0'/p = -L1'/(1 - p)``, and atoms where they jump."""

    searched_by = "costderive.derivation.search.any_losses:find_weight"

    def claims(self, before: LossPair, after: WeighedPair, given: Given) -> Iterator[Claim]:
        yield Same("the pair is the one before", before, after.pair)
        yield from well_formed(before)
        density = after.weight.density
        yield Same("the weight is a function of s", density.variable, s)
        yield Same("the weight has the pieces of the losses", ends(density), ends(before.loss0))
        yield Same("each piece has a sign", len(density.pieces), len(after.weight.signs))
        for first, second, piece in zip(before.loss0, before.loss1, density, strict=False):
            yield from _slope_claims(first, second, piece)
        yield Same("limits at each end of a piece", _places(before.values), _places(after.limits))
        for joint, (left, right) in zip(after.limits, neighbours(before), strict=False):
            yield from _limit_claims(joint, left, right)
        for joint in after.limits[1:-1]:
            mass = _mass(after.weight, joint.at)
            yield Equal(
                "loss 0 jumps by its share of the atom", _gap(joint.right0, joint.left0), joint.at * mass
            )
            share = (1 - joint.at) * mass
            yield Equal("loss 1 jumps by its share of the atom", _gap(joint.left1, joint.right1), share)
        inner = {joint.at for joint in after.limits[1:-1]}
        yield Same("atoms sit at breakpoints", {atom.at for atom in after.weight.atoms} <= inner, True)


def _slope_claims(first: Piece, second: Piece, piece: Piece) -> Iterator[Claim]:
    on, value = Interval(p, first.low, first.high), piece.value.subs(s, p)
    yield Regular("loss 0 is smooth on the piece", first.value, on)
    yield Regular("loss 1 is smooth on the piece", second.value, on)
    yield Equal("slope of loss 0", Derivative(first.value, p), p * value, on)
    yield Equal("slope of loss 1", Derivative(second.value, p), -(1 - p) * value, on)


def _limit_claims(
    joint: Limits, left: tuple[Piece, Piece] | None, right: tuple[Piece, Piece] | None
) -> Iterator[Claim]:
    """Each side that a joint has, has the limits that it says; it has none on a side without a piece."""
    for side, pieces, limits in (
        ("-", left, (joint.left0, joint.left1)),
        ("+", right, (joint.right0, joint.right1)),
    ):
        if pieces is None:
            yield Same("nothing beyond 0 and 1", limits, (None, None))
            continue
        for label, (piece, limit) in enumerate(zip(pieces, limits, strict=True)):
            if limit is None:
                yield Same("a limit is given where one is needed", _may_be_open(joint.at, label), True)
            else:
                what = f"limit of loss {label} at a breakpoint"
                yield Tends(what, piece.value, p, joint.at, side, limit)


def _may_be_open(at: Expr, label: int) -> bool:
    """At 0 only the loss of class 1 may have no limit that is given, at 1 only that of class 0."""
    return (at == 0 and label == 1) or (at == 1 and label == 0)


def _gap(left: Expr | None, right: Expr | None) -> Expr:
    return sympy.nan if left is None or right is None else left - right


def _places(items: tuple[Value, ...] | tuple[Limits, ...]) -> tuple[Expr, ...]:
    return tuple(item.at for item in items)


def neighbours(pair: LossPair) -> list[tuple[tuple[Piece, Piece] | None, tuple[Piece, Piece] | None]]:
    """Return, for each breakpoint, the pieces of both losses on its left and on its right."""
    cells = [None, *zip(pair.loss0, pair.loss1, strict=False), None]
    return list(pairwise(cells))


def _mass(weight: Measure, at: Expr) -> Expr:
    return sympy.Add(*[atom.mass for atom in weight.atoms if atom.at == at])


# ---- the search for the weight


def positive_point(piece: Piece, given: Given) -> Expr | None:
    """Find a point inside a piece at which the weight is positive."""
    places = [piece.low + share * (piece.high - piece.low) for share in SHARES]
    return next((x for x in places if positive(piece.value.subs(s, x), None, given)), None)


# ---- properness


@dataclass(frozen=True, slots=True)
class JudgeProperness(Move):
    """Read properness off the weight, the jumps and the values: every report's line lies on or above the entropy."""

    def apply(self, before: WeighedPair, given: Given) -> Properness:
        return Properness(before.pair, positive_ranges(before.weight))

    def claims(self, before: WeighedPair, after: Properness, given: Given) -> Iterator[Claim]:
        yield Same("the pair is the one before", before.pair, after.losses)
        weight = before.weight
        yield Same("strict where the weight is positive", positive_ranges(weight), after.strict)
        yield Same("each piece has a sign", len(weight.density.pieces), len(weight.signs))
        for piece, sign in zip(weight.density, weight.signs, strict=False):
            yield from sign_claims(piece, sign, given)
        yield Same("limits at each value", _places(before.pair.values), _places(before.limits))
        first, *inner, last = zip(before.pair.values, before.limits, strict=False)
        for value, joint in inner:
            yield from _tie_claims(value, joint, _mass(weight, joint.at))
        yield from _end_claims("0", (first[0].loss0, first[0].loss1), (first[1].right0, first[1].right1))
        yield from _end_claims("1", (last[0].loss1, last[0].loss0), (last[1].left1, last[1].left0))


def sign_claims(piece: Piece, sign: Sign, given: Given) -> Iterator[Claim]:
    """A density is not negative, and positive where it says so.

    An analytic weight that is not negative, and positive at one point, is positive but for isolated points.
    """
    on = Interval(s, piece.low, piece.high)
    if sign is Sign.ZERO:
        yield Same("the weight is zero", piece.value, ZERO)
    elif sign is Sign.POSITIVE and (point := _isolated(piece, on, given)) is not None:
        yield Regular("the weight is analytic on the piece", piece.value, on)
        yield NonNegative("the weight is not negative", piece.value, on)
        yield Positive("the weight is positive at a point", piece.value.subs(s, point))
    elif sign is Sign.POSITIVE:
        yield Positive("the weight is positive", piece.value, on)
    else:
        yield NonNegative("the weight is not negative", piece.value, on)


def _isolated(piece: Piece, on: Interval, given: Given) -> Expr | None:
    return None if positive(piece.value, on, given) else positive_point(piece, given)


def _tie_claims(value: Value, joint: Limits, mass: Expr) -> Iterator[Claim]:
    """The line of the report t touches the entropy at t, between the slopes that the entropy has there."""
    t, x, y = joint.at, _gap(value.loss0, joint.left0), _gap(value.loss1, joint.right1)
    yield NonNegative("the mass of the atom is not negative", mass)
    yield NonNegative("the value of loss 0 at a tie is not below its limit from the left", x)
    yield NonNegative("the value of loss 1 at a tie is not below its limit from the right", y)
    yield Equal("the values at a tie share the atom", (1 - t) * x + t * y, t * (1 - t) * mass)


def _end_claims(
    end: str, values: tuple[Expr, Expr], limits: tuple[Expr | None, Expr | None]
) -> Iterator[Claim]:
    """At an end: first the loss of the class that is certain there, then that of the other class."""
    (certain, other), (certain_limit, other_limit) = values, limits
    if other is sympy.oo:
        low = _gap(certain_limit, certain)
        yield NonNegative(f"the report {end} loses least where it is certain", low)
    else:
        yield Equal(f"the report {end} loses the limit of its neighbours", _gap(certain, certain_limit), ZERO)
        yield NonNegative(f"the report {end} loses no less than its neighbours", _gap(other, other_limit))
