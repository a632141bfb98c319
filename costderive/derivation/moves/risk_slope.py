"""From the losses to properness: the slope of the risk, its sign, and where it is strict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import sympy
from sympy import Derivative, Expr

from costderive.core.piecewise import Given, Measure, Sign
from costderive.core.symbols import p, q, s
from costderive.derivation.moves.integrate_by_parts import ends, joint_claims
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Reaches, Same
from costderive.rules.conclusions import Properness, RiskSlope
from costderive.rules.losses import Losses


@dataclass(frozen=True, slots=True)
class SlopeOfRisk(Move):
    """Differentiate the risk in the report: ``dR(p|q)/dp = w(p) (p - q)`` on every piece."""

    def apply(self, before: Losses, given: Given) -> RiskSlope:
        return RiskSlope(before, before.weight)

    def claims(self, before: Losses, after: RiskSlope, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        yield Same("the slope's factor is the threshold weight", before.weight, after.factor)
        yield Same("the risk has the pieces of the weight", ends(before.loss0), ends(after.factor.density))
        for first, second, piece in zip(before.loss0, before.loss1, after.factor.density, strict=False):
            risk = (1 - q) * first.value + q * second.value
            on = before.loss0.interval(first)
            yield Equal("slope of the risk", Derivative(risk, p), piece.value.subs(s, p) * (p - q), on)


@dataclass(frozen=True, slots=True)
class SignOfWeight(Move):
    """Read the sign: the risk falls up to q and rises after it, strictly wherever the weight is positive."""

    def apply(self, before: RiskSlope, given: Given) -> Properness:
        return Properness(before.losses, positive_ranges(before.factor))

    def claims(self, before: RiskSlope, after: Properness, given: Given) -> Iterator[Claim]:
        losses = before.losses
        yield Same("the losses are the ones before", losses, after.losses)
        yield Same("strict where the weight is positive", positive_ranges(before.factor), after.strict)
        yield from joint_claims(losses, given)
        first, last = losses.loss1.pieces[0].value, losses.loss0.pieces[-1].value
        limit0, limit1 = losses.limits
        yield Reaches("the limit of the risk at p = 1", last, p, sympy.S.One, "-", limit0)
        yield Reaches("the limit of the risk at p = 0", first, p, sympy.S.Zero, "+", limit1)
        for jump in filter(None, losses.one_sided):
            yield NonNegative("a sure report pays no less", jump)


def positive_ranges(weight: Measure) -> tuple[tuple[Expr, Expr], ...]:
    """Join neighbouring pieces on which the weight is positive."""
    runs = groupby(zip(weight.density, weight.signs, strict=True), key=lambda pair: pair[1] is Sign.POSITIVE)
    kept = [[piece for piece, _ in run] for is_positive, run in runs if is_positive]
    return tuple((run[0].low, run[-1].high) for run in kept)
