"""The two losses of a proper scoring rule, with the threshold weight that mixes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Atom, Measure, Piece, Pieces
from costderive.costs.expected_loss import NOTHING


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of class 0 and 1 as functions of ``p``, and their threshold weight as a measure of ``s``.

    ``worst0`` is the value of loss 0 at ``p = 1``, the expected cost ``E[c0]``; ``worst1`` that of loss 1 at 0. What of
    these is ``one_sided``, at costs of which the other is 0, is paid there alone: by so much they exceed the limits.
    """

    loss0: Pieces
    loss1: Pieces
    weight: Measure
    worst0: Expr
    worst1: Expr
    one_sided: tuple[Expr, Expr] = NOTHING

    @property
    def limits(self) -> tuple[Expr, Expr]:
        """The limit of loss 0 at ``p = 1``, and that of loss 1 at 0."""
        return self.worst0 - self.one_sided[0], self.worst1 - self.one_sided[1]

    def with_limits(self) -> Losses:
        """Return the losses with their limits as the values of the sure reports."""
        worst0, worst1 = self.limits
        return replace(self, worst0=worst0, worst1=worst1, one_sided=NOTHING)

    def to_sympy(self, label: int) -> Expr:
        """Return a loss as one SymPy expression; if it jumps at the sure report, with its value there."""
        loss = (self.loss0, self.loss1)[label].to_sympy()
        if self.one_sided[label] == 0:
            return loss
        at, value = (sympy.S.Zero, self.worst1) if label else (sympy.S.One, self.worst0)
        branches = loss.args if isinstance(loss, sympy.Piecewise) else [(loss, True)]
        sure = sympy.Eq(self.loss0.variable, at, evaluate=False)  # SymPy drops 0, as the letter is positive
        return sympy.Piecewise((value, sure), *branches, evaluate=False)

    def map(self, change: Callable[[Expr], Expr]) -> Losses:
        """Return the losses with every value changed, and the weight kept."""
        return replace(self, loss0=self.loss0.map(change), loss1=self.loss1.map(change))

    def subs(self, values: Mapping[Symbol, Expr]) -> Losses:
        """Return the losses at given parameter values; pieces that shrink to a point disappear."""
        return Losses(
            _merged(_at_values(self.loss0, values)),
            _merged(_at_values(self.loss1, values)),
            measure_at(self.weight, values),
            self.worst0.subs(values),
            self.worst1.subs(values),
            (self.one_sided[0].subs(values), self.one_sided[1].subs(values)),
        )


def measure_at(weight: Measure, values: Mapping[Symbol, Expr]) -> Measure:
    kept = _kept(weight.density, values)
    pieces = tuple(piece for _, piece in kept)
    signs = tuple(weight.signs[index] for index, _ in kept)
    atoms = tuple(Atom(atom.at.subs(values), atom.mass.subs(values)) for atom in weight.atoms)
    return Measure(Pieces(weight.density.variable, pieces), signs, atoms)


def _at_values(function: Pieces, values: Mapping[Symbol, Expr]) -> Pieces:
    return Pieces(function.variable, tuple(piece for _, piece in _kept(function, values)))


def _kept(function: Pieces, values: Mapping[Symbol, Expr]) -> list[tuple[int, Piece]]:
    """Substitute from the left to the right; an end that is 0/0 belongs to an empty piece and takes its other end."""
    kept: list[tuple[int, Piece]] = []
    low = sympy.S.Zero
    for index, piece in enumerate(function):
        high = piece.high.subs(values)
        high = low if high is sympy.nan else high
        if high != low:
            kept.append((index, Piece(low, high, piece.value.subs(values))))
        low = high
    return kept


def _merged(function: Pieces) -> Pieces:
    """Join neighbouring pieces that are written the same."""
    joined: list[Piece] = []
    for piece in function:
        if joined and joined[-1].value == piece.value:
            joined[-1] = Piece(joined[-1].low, piece.high, piece.value)
        else:
            joined.append(piece)
    return Pieces(function.variable, tuple(joined))
