"""From the law of the costs to the threshold: write the expected loss, and make s the outer variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Derivative, Expr, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, s
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Sheet, Strand, ThresholdIntegral
from costderive.deciders.one_way import not_both_zero
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.proof.claims import Claim, Equal, Move, Positive, Regular, Same, Tends

COST0 = s * c1 / (1 - s)
UNIT = Interval(s, sympy.S.Zero, sympy.S.One)
_r = Symbol("_r", positive=True)


@dataclass(frozen=True, slots=True)
class ChangeOfVariables(Move):
    """Put ``c0 = s c1/(1 - s)``: the threshold s becomes the outer variable, c1 stays the inner one.

    Where an error costs nothing, as at ``c0 = 0``, the other one is made at the report that is sure of its class alone.
    """

    searched_by = "costderive.derivation.search.change_of_variables:change_variables"

    def claims(self, before: ExpectedLoss, after: ThresholdIntegral, given: Given) -> Iterator[Claim]:
        parts = areas, lines, points, arcs = before.two_sided.parts
        images = (after.sheets, after.densities, after.atoms, after.strands)
        yield Same("each of these parts is carried over", tuple(map(len, parts)), tuple(map(len, images)))
        yield Same("and what is paid on one side alone", before.one_sided, after.one_sided)
        for area, sheet in zip(areas, after.sheets, strict=False):
            yield from _sheet_claims(area, sheet)
        for line, piece in zip(lines, after.densities, strict=False):
            yield Same("range of the cost proportion", (line.low, line.high), (piece.low, piece.high))
            on = Interval(s, line.low, line.high)
            yield Equal("magnitude times density", piece.value, line.magnitude * line.density, on)
        for point, atom in zip(points, after.atoms, strict=False):
            yield Equal("place of the atom", atom.at * (point.c0 + point.c1), point.c0)
            yield Equal("mass of the atom", atom.mass, (point.c0 + point.c1) * point.probability)
        for arc, strand in zip(arcs, after.strands, strict=False):
            yield from _strand_claims(arc, strand, given)


def at_threshold(density: Expr) -> Expr:
    """Put ``c0 = s c1/(1 - s)`` with a letter for ``1 - s`` on the way: roots split, since it is positive."""
    return density.subs(c0, s * c1 / _r).subs(_r, 1 - s)


def in_threshold(area: Area) -> tuple[Expr, ...]:
    """Return the constraints of an area in s and c1."""
    return tuple(constraint.subs(c0, COST0) for constraint in area.constraints)


def _sheet_claims(area: Area, sheet: Sheet) -> Iterator[Claim]:
    yield Equal("Jacobian of c0 = s c1/(1 - s)", sheet.jacobian, Derivative(COST0, s), UNIT)
    yield Positive("the Jacobian is positive", sheet.jacobian, UNIT)
    total = (COST0 + c1) * at_threshold(area.density) * sheet.jacobian
    yield Equal("integrand in the new variables", sheet.integrand, total, UNIT)
    yield Same("constraints in the new variables", in_threshold(area), sheet.constraints)


def _strand_claims(arc: Arc, strand: Strand, given: Given) -> Iterator[Claim]:
    """The inverse gives back s, is smooth, and takes the ends of the piece to those of the arc, and back.

    A continuous function with a left inverse is strictly monotone. So between its last passage of one end of the
    arc and its first of the other it runs once through the arc; and these passages are at the ends of the piece,
    because the cost proportion tends to these at the ends of the arc.
    """
    on, along = Interval(s, strand.piece.low, strand.piece.high), Interval(arc.variable, arc.low, arc.high)
    first, second, density = (f.subs(arc.variable, strand.inverse) for f in (arc.c0, arc.c1, arc.density))
    yield Equal("the inverse gives back the cost proportion", first * (1 - s), s * second, on)
    yield Positive("the costs are not both zero", not_both_zero(arc.c0, arc.c1, along, given), along)
    yield Regular("the inverse is smooth, so the cost proportion runs one way", strand.inverse, on)
    yield Equal("slope of the inverse", strand.slope, Derivative(strand.inverse, s), on)
    rising = rises(strand.slope, on, given)
    speed = strand.slope if rising else -strand.slope
    yield Equal("total cost times density", strand.piece.value, (first + second) * density * speed, on)
    low, high = (arc.low, arc.high) if rising else (arc.high, arc.low)
    yield Tends("lower end of the arc", strand.inverse, s, strand.piece.low, "+", low)
    yield Tends("upper end of the arc", strand.inverse, s, strand.piece.high, "-", high)
    share = arc.c0 / (arc.c0 + arc.c1)
    first_end, last_end = (on.low, on.high) if rising else (on.high, on.low)
    yield Tends("cost proportion at the lower end", share, arc.variable, arc.low, "+", first_end)
    yield Tends("cost proportion at the upper end", share, arc.variable, arc.high, "-", last_end)


def rises(slope: Expr, on: Interval, given: Given) -> bool:
    """Guess the direction from the sign, else from one point; if it is wrong, the ends of the arc are not met."""
    if positive(slope, on, given) or positive(-slope, on, given):
        return positive(slope, on, given) is not None
    found = points(slope.free_symbols, on, given)[:1]
    return all(slope.subs(values).evalf(30).is_nonnegative for values in found)
