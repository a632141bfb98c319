"""Losses as functions of ``1 - p``: near p = 1 a complement has digits that p has lost, and programs of its own."""

from __future__ import annotations

from costderive.core.piecewise import Atom, Measure, Piece, Pieces
from costderive.rules import Losses
from costderive.rules.loss_pair import LossPair, Value


def mirrored(losses: Losses | LossPair) -> Losses | LossPair:
    """Return the losses with the classes exchanged, as functions of ``1 - p``."""
    loss0, loss1 = _reflected(losses.loss1), _reflected(losses.loss0)
    if isinstance(losses, LossPair):
        values = tuple(Value(1 - value.at, value.loss1, value.loss0) for value in reversed(losses.values))
        return LossPair(loss0, loss1, values, losses.assumed)
    weight = losses.weight
    atoms = tuple(Atom(1 - atom.at, atom.mass) for atom in reversed(weight.atoms))
    measure = Measure(_reflected(weight.density), weight.signs[::-1], atoms)
    return Losses(loss0, loss1, measure, losses.worst1, losses.worst0, losses.one_sided[::-1])


def _reflected(function: Pieces) -> Pieces:
    x = function.variable
    pieces = (
        Piece(1 - piece.high, 1 - piece.low, piece.value.subs(x, 1 - x))
        for piece in reversed(function.pieces)
    )
    return Pieces(x, tuple(pieces))
