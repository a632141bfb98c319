"""A second way to both losses, without a change of variables and without a threshold weight.

At each p the decision is for class 1 where ``c0 < u c1`` with ``u = p/(1 - p)``, so that the losses are integrals over
both costs in one fixed order, ``L0(p) = int dc1 int_{c0 < u c1} c0 f dc0`` and ``L1(p) = int c1 dc1 int_{c0 >= u c1} f
dc0``: an antiderivative in c0, then one in c1, each with its limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import c0, c1, p, u
from costderive.costs.expected_loss import Antiderivative, Area
from costderive.derivation.moves.integrate_magnitude import holds
from costderive.derivation.moves.slices import covering
from costderive.derivation.moves.total_integrals import in_order, sides_of
from costderive.proof.claims import Claim, Equal, NonNegative, Open, Regular, Same, Tends

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
        yield from _antiderivative("the costs of class 0", one.mean, c0 * area.density, one.first, one.second)
        yield from _antiderivative("the density", one.mass, area.density, one.first, one.second)
    yield from covering([(cell.low, cell.high) for cell in cells])
    for cell in cells:
        yield Same("each area is cut", len(cell.strips), len(rectangles))
        for one, strips in zip(rectangles, cell.strips, strict=False):
            yield from _strip_claims(one, strips, cell.odds)
        for number, pieces in enumerate(losses):
            yield _sum_claim(f"loss {number}", sum_over(rectangles, cell, number), pieces, cell, given)


def _antiderivative(
    what: str, found: Antiderivative, f: Expr, on: Interval, other: Interval
) -> Iterator[Claim]:
    """The antiderivative of a function of one variable is right wherever another one is in its range."""
    variable, facts = on.variable, other.facts
    if found.function is None:
        yield Open(f"the antiderivative of {what}")
        return
    yield Equal(f"antiderivative of {what}", Derivative(found.function, variable), f, on, facts)
    yield Regular(f"the antiderivative of {what} is smooth", found.function, on, facts)
    for end, side, value in ((on.low, "+", found.at_low), (on.high, "-", found.at_high)):
        yield Tends(
            f"the antiderivative of {what} at an end", found.function, variable, end, side, value, other
        )


def _strip_claims(one: Rectangle, strips: Sequence[Strip], odds: Interval) -> Iterator[Claim]:
    """The strips follow one another over all costs of class 1, and each is cut where it says."""
    ends = [strip.over for strip in strips]
    yield Same("the first strip starts at the lowest cost", ends[0].low if ends else None, one.second.low)
    yield Same("the last strip ends at the highest cost", ends[-1].high if ends else None, one.second.high)
    for before, after in pairwise(ends):
        yield Same("a strip starts where the one before ends", before.high, after.low)
    for strip in strips:
        if strip.over.high is not sympy.oo:
            yield NonNegative("the ends of a strip ascend", strip.over.high - strip.over.low, odds)
        yield from _cut_claims(one.first, strip, odds)
        for f, found in parts_of(one, strip):
            yield from _antiderivative("what is left over c1", found, f, strip.over, odds)


def _cut_claims(first: Interval, strip: Strip, odds: Interval) -> Iterator[Claim]:
    """Up to the low end, or from the high end on, ``u c1`` is beside all costs; else it is among them."""
    yield Same("a cut is at an end or at the odds times c1", strip.cut in (first.low, first.high, RAY), True)
    below, above = u * strip.over.low, u * strip.over.high
    if strip.cut == first.low:
        yield NonNegative("no cost of class 0 is that low", first.low - above, odds)
    elif strip.cut == first.high:
        yield NonNegative("no cost of class 0 is that high", below - first.high, odds)
    else:
        yield NonNegative("the cut is not below the costs", below - first.low, odds)
        if first.high is not sympy.oo:
            yield NonNegative("the cut is not above the costs", first.high - above, odds)


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
