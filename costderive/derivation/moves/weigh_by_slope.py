"""The threshold weight by the slope of a loss, where the losses are closed and it is an integral.

The losses are the integrals of the weight: ``L0(p)`` is that of ``s w(s)`` from 0 to p, and ``L1(p)`` that of
``(1 - s) w(s)`` from p to 1. So between breakpoints the slope of either gives the weight.
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
    """Write the threshold weight by the slope of the loss of one class; the losses, and the signs, stay."""

    label: int

    def apply(self, before: Losses, given: Given) -> Losses:
        slopes = (
            Piece(one.low, one.high, _in_s(one).diff(s) / _share(self.label)) for one in self._loss(before)
        )
        return replace(before, weight=replace(before.weight, density=Pieces(s, tuple(slopes))))

    def claims(self, before: Losses, after: Losses, given: Given) -> Iterator[Claim]:
        density, loss = after.weight.density, self._loss(before)
        same = replace(after.weight, density=before.weight.density)
        yield Same("only the density of the weight is written anew", replace(after, weight=same), before)
        yield Same("the weight is a function of s", density.variable, s)
        cuts = ends(before.weight.density)
        yield Same("the pieces are those of the weight", (ends(density), ends(loss)), (cuts, cuts))
        for weight, piece in zip(density, loss, strict=False):
            on, value = Interval(s, piece.low, piece.high), _in_s(piece)
            yield Regular(f"the loss of class {self.label} has a slope", value, on)
            yield Regular("the weight is continuous", weight.value, on)
            yield Equal("the weight is a slope", _share(self.label) * weight.value, Derivative(value, s), on)

    def _loss(self, losses: Losses) -> Pieces:
        return losses.loss1 if self.label else losses.loss0


def _share(label: int) -> Expr:
    """Return the slope of a loss over the weight: the cost of the class, in units of both, with its sign."""
    return s - 1 if label else s


def _in_s(loss: Piece) -> Expr:
    return loss.value.subs(p, s)
