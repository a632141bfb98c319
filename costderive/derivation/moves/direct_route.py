"""A second way to both losses, without a change of variables and without a threshold weight.

At each p the decision is for class 1 where ``c0 < u c1`` with ``u = p/(1 - p)``, so that the losses are integrals over
both costs in one fixed order, ``L0(p) = int dc1 int_{c0 < u c1} c0 f dc0`` and ``L1(p) = int c1 dc1 int_{c0 >= u c1} f
dc0``: an antiderivative in c0, then one in c1, each with its limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import c0, c1, p, u
from costderive.costs.expected_loss import Antiderivative, Area
from costderive.derivation.moves.integrate_magnitude import holds
from costderive.derivation.moves.slices import covering
from costderive.derivation.moves.strips import integral_claims, strip_claims
from costderive.derivation.moves.total_integrals import in_order, sides_of
from costderive.proof.claims import Claim, Equal, Same

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNKNOWN = Antiderivative()
RAY = u * c1  # where c0 is as large as the decision allows


@dataclass(frozen=True, slots=True)
class Strip:
    """A range of c1 over which the decision is for class 1 up to one and the same ``cut`` in c0.

    The cut is the low end of the costs of class 0, their high end, or ``u c1``. With the antiderivatives in c1.
    """

    over: Interval
    cut: Expr
    cost0: Antiderivative = UNKNOWN
    cost1: Antiderivative = UNKNOWN


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle of costs, and antiderivatives in c0 of ``c0 f`` and of the density f."""

    first: Interval
    second: Interval
    mean: Antiderivative
    mass: Antiderivative

    def inner0(self, cut: Expr) -> Expr:
        """Return the integral of ``c0 f`` over c0 up to a cut."""
        return self._at(self.mean, cut) - self.mean.at_low

    def inner1(self, cut: Expr) -> Expr:
        """Return the integral of ``c1 f`` over c0 from a cut on."""
        return c1 * (self.mass.at_high - self._at(self.mass, cut))

    def _at(self, found: Antiderivative, cut: Expr) -> Expr:
        ends = {self.first.low: found.at_low, self.first.high: found.at_high}
        function = ZERO if found.function is None else found.function
        return ends[cut] if cut in ends else function.subs(c0, cut)


@dataclass(frozen=True, slots=True)
class Cell:
    """A range of p, and for each rectangle the strips in which the decision cuts it there."""

    low: Expr
    high: Expr
    strips: tuple[tuple[Strip, ...], ...]

    @property
    def odds(self) -> Interval:
        """The range of the odds."""
        return Interval(
            u, self.low / (1 - self.low), sympy.oo if self.high == 1 else self.high / (1 - self.high)
        )


def direct_claims(
    areas: Sequence[Area],
    rectangles: Sequence[Rectangle],
    cells: Sequence[Cell],
    losses: tuple[Pieces, Pieces],
    given: Given,
) -> Iterator[Claim]:
    """Yield what shows that two functions of p are the expected costs over areas, for p inside the cells."""
    yield Same("each area is integrated over", len(rectangles), len(areas))
    for area, one in zip(areas, rectangles, strict=False):
        yield Same("the area is a rectangle", sides_of(one.first, one.second), in_order(area.constraints))
        yield from integral_claims("the costs of class 0", one.mean, c0 * area.density, one.first, one.second)
        yield from integral_claims("the density", one.mass, area.density, one.first, one.second)
    yield from covering([(cell.low, cell.high) for cell in cells])
    for cell in cells:
        yield Same("each area is cut", len(cell.strips), len(rectangles))
        for one, strips in zip(rectangles, cell.strips, strict=False):
            yield from strip_claims(strips, one.second, one.first, u, cell.odds)
            for strip in strips:
                for f, found in parts_of(one, strip):
                    yield from integral_claims("what is left over c1", found, f, strip.over, cell.odds)
        for number, pieces in enumerate(losses):
            yield _sum_claim(f"loss {number}", sum_over(rectangles, cell, number), pieces, cell, given)


def parts_of(one: Rectangle, strip: Strip) -> list[tuple[Expr, Antiderivative]]:
    """Return what is left to integrate over c1 for each loss that is not 0 there, with its antiderivative."""
    parts = []
    if strip.cut != one.first.low:
        parts.append((one.inner0(strip.cut), strip.cost0))
    if strip.cut != one.first.high:
        parts.append((one.inner1(strip.cut), strip.cost1))
    return parts


def sum_over(rectangles: Sequence[Rectangle], cell: Cell, number: int) -> Expr:
    """Add up the parts of a loss on a cell, in the odds."""
    found = [
        (strip.cost0, strip.cut != one.first.low)
        if number == 0
        else (strip.cost1, strip.cut != one.first.high)
        for one, strips in zip(rectangles, cell.strips, strict=False)
        for strip in strips
    ]
    return sympy.Add(*[part.at_high - part.at_low for part, counts in found if counts])


def _sum_claim(what: str, total: Expr, pieces: Pieces, cell: Cell, given: Given) -> Claim:
    piece = next((piece for piece in pieces if holds(piece, cell.low, cell.high, given)), None)
    if piece is None:
        return Same(f"{what} has one piece on the cell", piece, True)
    at = total.subs(u, p / (1 - p))
    return Equal(f"{what} is what both integrations give", at, piece.value, Interval(p, cell.low, cell.high))
