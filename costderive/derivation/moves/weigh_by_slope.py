"""The threshold weight by the slope of a loss, ``s w(s) = L0'(s)``, where the losses are closed and it is an integral.

The losses are the integrals of the weight: ``L0(p)`` is that of ``s w(s)`` from 0 to p. So between breakpoints the
slope of a loss gives the weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sympy import Derivative, Expr

from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.proof.claims import Claim, Equal, Move, Regular, Same
from costderive.rules.losses import Losses


@dataclass(frozen=True, slots=True)
class WeighBySlope(Move):
    """Write the threshold weight by the slope of the loss of class 0; the losses, and the signs, stay."""

    def apply(self, before: Losses, given: Given) -> Losses:
        slopes = (Piece(one.low, one.high, _in_s(one).diff(s) / s) for one in before.loss0)
        return replace(before, weight=replace(before.weight, density=Pieces(s, tuple(slopes))))

    def claims(self, before: Losses, after: Losses, given: Given) -> Iterator[Claim]:
        density = after.weight.density
        same = replace(after.weight, density=before.weight.density)
        yield Same("only the density of the weight is written anew", replace(after, weight=same), before)
        yield Same("the weight is a function of s", density.variable, s)
        cuts = ends(before.weight.density)
        yield Same("the pieces are those of the weight", (ends(density), ends(before.loss0)), (cuts, cuts))
        for weight, loss in zip(density, before.loss0, strict=False):
            on = Interval(s, loss.low, loss.high)
            yield Regular("the loss of class 0 has a slope", _in_s(loss), on)
            yield Regular("the weight is continuous", weight.value, on)
            yield Equal("the weight is a slope", s * weight.value, Derivative(_in_s(loss), s), on)


def _in_s(loss: Piece) -> Expr:
    return loss.value.subs(p, s)
