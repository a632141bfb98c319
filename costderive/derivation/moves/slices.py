"""The region of the inner variable: between neighbouring breakpoints in s, from where to where c1 runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, s
from costderive.costs.expected_loss import Sheet, Slice, SlicedIntegral, ThresholdIntegral
from costderive.deciders.signs import positive
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Same

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class SliceRegion(Move):
    """Find, between each two neighbouring breakpoints in s, the interval over which c1 runs."""

    searched_by = "costderive.derivation.search.slices:slice_region"

    def claims(self, before: ThresholdIntegral, after: SlicedIntegral, given: Given) -> Iterator[Claim]:
        yield Same("the integral is the one before", before, after.integral)
        yield Same("each sheet is sliced", len(before.sheets), len(after.slices))
        for sheet, slices in zip(before.sheets, after.slices, strict=False):
            yield from covering([(x.low, x.high) for x in slices])
            for piece in slices:
                yield from slice_claims(sheet, piece)


def covering(ends: Sequence[tuple[Expr, Expr]]) -> Iterator[Claim]:
    """The pieces cover [0, 1], in ascending order and without gaps."""
    yield from joined(ends, "the last piece ends at 1", ONE)
    for low, high in ends:
        yield NonNegative("the breakpoints ascend", high - low)


def joined(ends: Sequence[tuple[Expr, Expr]], last: str, end: Expr) -> Iterator[Claim]:
    """The pieces follow one another without gaps, from 0 to an end; ``last`` says in words that they reach it."""
    yield Same("the first piece starts at 0", ends[0][0] if ends else None, ZERO)
    yield Same(last, ends[-1][1] if ends else None, end)
    for (_, high), (low, _) in pairwise(ends):
        yield Same("a piece starts where the one before ends", low, high)


def slice_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """The bounds of c1 on a slice are those of its constraints, or contradict each other if it is empty."""
    yield from _empty_claims(sheet, piece) if piece.empty else _range_claims(sheet, piece)


def _range_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """Between the bounds all constraints hold; at each bound one holds with equality and fails beyond it."""
    on = Interval(s, piece.low, piece.high)
    yield NonNegative("costs are not negative", piece.lower, on)
    if piece.upper is not sympy.oo:
        yield NonNegative("the lower bound of c1 is below the upper one", piece.upper - piece.lower, on)
    for constraint in sheet.constraints:
        slope, rest = linear(constraint)
        yield NonNegative("a constraint holds at the lower bound", slope * piece.lower + rest, on)
        if piece.upper is sympy.oo:
            yield NonNegative("a constraint holds however large c1 is", slope, on)
        else:
            yield NonNegative("a constraint holds at the upper bound", slope * piece.upper + rest, on)
    yield from _tight(sheet, piece.lower, ONE, on)
    if piece.upper is not sympy.oo:
        yield from _tight(sheet, piece.upper, -ONE, on)


def _tight(sheet: Sheet, bound: Expr, sign: Expr, on: Interval) -> Iterator[Claim]:
    """A bound is where some constraint, of the right slope, becomes an equality."""
    slope, rest = _binding(sheet, bound, sign, on)
    yield Positive("beyond the bound the constraint fails", sign * slope, on)
    yield Equal("at the bound the constraint is an equality", slope * bound + rest, ZERO, on)


def _binding(sheet: Sheet, bound: Expr, sign: Expr, on: Interval) -> tuple[Expr, Expr]:
    """Return a constraint that is an equality at the bound, one of the right slope if there is one."""
    lines = [linear(constraint) for constraint in sheet.constraints]
    equal = [line for line in lines if sympy.cancel(line[0] * bound + line[1]) == 0]
    return next((line for line in equal if positive(sign * line[0], on)), (equal or [(ONE, ZERO)])[0])


def _empty_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """A lower and an upper bound, each forced by a constraint, contradict each other."""
    on = Interval(s, piece.low, piece.high)
    yield from _tight(sheet, piece.lower, ONE, on)
    yield from _tight(sheet, piece.upper, -ONE, on)
    yield NonNegative("the lower bound of c1 is above the upper one", piece.lower - piece.upper, on)


def linear(constraint: Expr) -> tuple[Expr, Expr]:
    """Return slope and intercept of a constraint that is linear in c1."""
    slope = sympy.together(sympy.diff(constraint, c1))
    return slope, sympy.together(constraint.subs(c1, 0))


def linear_roots(expr: Expr) -> list[Expr]:
    """Solve for s an equation that is linear in s once its denominators are cleared."""
    top = sympy.expand(sympy.numer(sympy.together(expr)))
    if sympy.degree(top, s) < 1:
        return []
    return [sympy.factor(-top.coeff(s, 0) / top.coeff(s, 1))] if sympy.degree(top, s) == 1 else []
