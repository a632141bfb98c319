"""From the losses to properness: the slope of the risk, its sign, and where it is strict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Derivative, Expr

from costderive.decide.signs import positive
from costderive.moves.losses import ends, joint_claims
from costderive.pieces import Given
from costderive.proof import Claim, Equal, Move, NonNegative, Positive, Same, Tends
from costderive.rule import Losses, Properness, RiskSlope
from costderive.symbols import p, q, s


@dataclass(frozen=True, slots=True)
class SlopeOfRisk(Move):
    """Differentiate the risk in the report: ``dR(p|q)/dp = w(p) (p - q)`` on every piece."""

    def apply(self, before: Losses, given: Given) -> RiskSlope:
        return RiskSlope(before, before.weight.density)

    def claims(self, before: Losses, after: RiskSlope, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        yield Same("the slope's factor is the threshold weight", before.weight.density, after.factor)
        yield Same("the risk has the pieces of the weight", ends(before.loss0), ends(after.factor))
        for first, second, piece in zip(before.loss0, before.loss1, after.factor, strict=False):
            risk = (1 - q) * first.value + q * second.value
            on = before.loss0.interval(first)
            yield Equal("slope of the risk", Derivative(risk, p), piece.value.subs(s, p) * (p - q), on)


@dataclass(frozen=True, slots=True)
class SignOfWeight(Move):
    """Read the sign: the risk falls up to q and rises after it, strictly wherever the weight is positive."""

    def apply(self, before: RiskSlope, given: Given) -> Properness:
        strict = [
            (piece.low, piece.high)
            for piece in before.factor
            if piece.value != 0 and positive(piece.value, before.factor.interval(piece), given)
        ]
        return Properness(before.losses, tuple(_joined(strict)))

    def claims(self, before: RiskSlope, after: Properness, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before.losses, after.losses)
        for piece in before.factor:
            on = before.factor.interval(piece)
            yield NonNegative("the threshold weight is not negative", piece.value, on)
            if any(_inside(piece.low, piece.high, part, before) for part in after.strict):
                yield Positive("the threshold weight is positive", piece.value, on)
        for atom in before.losses.weight.atoms:
            yield NonNegative("the mass of the atom is not negative", atom.mass)
        yield Same("strictness is claimed on whole pieces", _within(after.strict, before), True)
        yield from joint_claims(before.losses)
        losses = before.losses
        yield Tends("the risk at p = 1 is the limit of the risk", losses.loss0.pieces[-1].value, p, sympy.S.One, "-", losses.worst0)
        yield Tends("the risk at p = 0 is the limit of the risk", losses.loss1.pieces[0].value, p, sympy.S.Zero, "+", losses.worst1)


def _joined(parts: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    joined: list[tuple[Expr, Expr]] = []
    for low, high in parts:
        if joined and joined[-1][1] == low:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return joined


def _breaks(before: RiskSlope) -> list[Expr]:
    return [piece.low for piece in before.factor] + [before.factor.pieces[-1].high]


def _inside(low: Expr, high: Expr, part: tuple[Expr, Expr], before: RiskSlope) -> bool:
    """Does a strict part cover the piece? Ends are compared by their place among the breakpoints."""
    places = _breaks(before)
    if not (part[0] in places and part[1] in places):
        return False
    return places.index(part[0]) <= places.index(low) and places.index(high) <= places.index(part[1])


def _within(strict: tuple[tuple[Expr, Expr], ...], before: RiskSlope) -> bool:
    places = _breaks(before)
    return all(low in places and high in places for low, high in strict)
