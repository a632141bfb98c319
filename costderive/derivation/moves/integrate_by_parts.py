"""From the threshold weight to the two losses: integration by parts, class by class and piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr

from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.costs.expected_loss import WeightedLoss
from costderive.deciders.limits import Approach, value_at
from costderive.proof.claims import Claim, Equal, Move, Reaches, Regular, Same, Tends
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class IntegrateByParts(Move):
    """Turn ``integral of s (1 - F0(s)) Omega(ds)`` into ``integral of L0(p) f0(p) dp``, and likewise for class 1.

    ``L0' = s w`` with ``L0(0) = 0`` and ``L1' = -(1 - s) w`` with ``L1(1) = 0``. The boundary term
    ``L0(s) (1 - F0(s))`` vanishes at 1 if L0 is bounded; otherwise it does if ``E[L0(p) | Y = 0]`` is finite,
    which the derivation states as a condition.
    """

    searched_by = "costderive.derivation.search.integrate_by_parts:integrate_by_parts"

    seconds: float = 60.0

    def claims(self, before: WeightedLoss, after: Losses, given: Given) -> Iterator[Claim]:
        yield Same("the weight is the one before", before.weight, after.weight)
        yield from slope_claims(after)
        yield from joint_claims(after, given)
        yield Same("what is paid on one side alone stays", before.one_sided, after.one_sided)
        yield Reaches("loss of class 0 at p = 1", after.loss0.pieces[-1].value, p, ONE, "-", after.limits[0])
        yield Reaches("loss of class 1 at p = 0", after.loss1.pieces[0].value, p, ZERO, "+", after.limits[1])


def slope_claims(losses: Losses) -> Iterator[Claim]:
    """On every piece, ``L0' = p w(p)`` and ``L1' = -(1 - p) w(p)``, of functions that are smooth there."""
    density = losses.weight.density
    yield Same("the losses are functions of p", (losses.loss0.variable, losses.loss1.variable), (p, p))
    yield Same("loss 0 has the pieces of the weight", ends(losses.loss0), ends(density))
    yield Same("loss 1 has the pieces of the weight", ends(losses.loss1), ends(density))
    for first, second, piece in zip(losses.loss0, losses.loss1, density, strict=False):
        on, value = losses.loss0.interval(first), piece.value.subs(s, p)
        yield Regular("loss 0 is smooth on the piece", first.value, on)
        yield Regular("loss 1 is smooth on the piece", second.value, on)
        yield Equal("slope of loss 0", Derivative(first.value, p), p * value, on)
        yield Equal("slope of loss 1", Derivative(second.value, p), -(1 - p) * value, on)


def joint_claims(losses: Losses, given: Given) -> Iterator[Claim]:
    """At 0 and 1 and at each breakpoint the losses start from, or join with, the right value."""
    yield Tends("loss 0 starts at 0", losses.loss0.pieces[0].value, p, ZERO, "+", ZERO)
    yield Tends("loss 1 ends at 0", losses.loss1.pieces[-1].value, p, ONE, "-", ZERO)
    for left, right in pairwise(losses.loss0):
        yield from _joint("loss 0", left, right, left.high * _mass(losses, left.high), given)
    for left, right in pairwise(losses.loss1):
        yield from _joint("loss 1", left, right, -(1 - left.high) * _mass(losses, left.high), given)


def _joint(name: str, left: Piece, right: Piece, jump: Expr, given: Given) -> Iterator[Claim]:
    value = value_at_end(left, given)
    yield Tends(f"{name} reaches its value from the left", left.value, p, left.high, "-", value)
    what = f"{name} is continuous" if jump == 0 else f"{name} jumps by its share of the atom"
    yield Tends(what, right.value, p, left.high, "+", value + jump)


def value_at_end(piece: Piece, given: Given) -> Expr:
    """Return the value of a loss at the upper end of a piece: its limit if the formula has none, as 0/0 or 0^(k - 1).

    So it is for incomplete Beta functions, which at 1 are complete.
    """
    value = piece.value.subs(p, piece.high)
    value = sympy.nan if any(map(_has_no_value, value.atoms(sympy.Pow))) else value
    if not value.has(sympy.nan, sympy.zoo, sympy.betainc):
        return value
    limit = value_at(piece.value, Approach(p, piece.high, "-"), given)
    return (sympy.nan if value.has(sympy.nan, sympy.zoo) else value) if limit is None else limit


def _has_no_value(power: Expr) -> bool:
    """Is it 1/0, or a power of 0 whose exponent has a sign by what is given alone?"""
    base, rational = power.base, power.base.is_Add and power.base.is_rational_function()
    return base == 0 or bool(rational and power.exp.is_negative and sympy.cancel(base) == 0)


def ends(function: Pieces) -> tuple[tuple[Expr, Expr], ...]:
    """Return the ends of the pieces, in order."""
    return tuple((piece.low, piece.high) for piece in function)


def _mass(losses: Losses, at: Expr) -> Expr:
    return sympy.Add(*[atom.mass for atom in losses.weight.atoms if atom.at == at])
