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
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive
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
    for one in on_rays(sheet):
        yield from _one_interval(one, sheet, on, (ONE, -ONE))
        yield NonNegative("a constraint holds at the lower bound", one.held(piece.lower, on), on)
        if piece.upper is sympy.oo:
            yield NonNegative("a constraint holds however large c1 is", one.leading, on)
        else:
            yield NonNegative("a constraint holds at the upper bound", one.held(piece.upper, on), on)
    yield from _tight(sheet, piece.lower, ONE, on)
    if piece.upper is not sympy.oo:
        yield from _tight(sheet, piece.upper, -ONE, on)


def _one_interval(one: OnRay, sheet: Sheet, on: Interval, sides: tuple[Expr, ...]) -> Iterator[Claim]:
    """On each ray a constraint holds on an interval of c1: it is concave in c1 or in 1/c1, or monotone in 1/c1.

    Divided by c1^2 it is ``square + middle/c1 + rest/c1^2``, whose slope in 1/c1 is that of its polar, which another
    constraint keeps on one side. So what holds at two places holds between, and what falls to zero fails beyond.
    """
    if one.square == 0:
        return
    if any(sympy.cancel(x - side * one.polar) == 0 for x in sheet.constraints for side in sides):
        yield Same("the region is on one side of the polar of a constraint", one.square == 0, False)
    elif nonnegative(-one.square, on):
        yield NonNegative("a constraint is concave in c1", -one.square, on)
    else:
        yield NonNegative("a constraint is concave in 1/c1", -one.rest, on)


def _tight(sheet: Sheet, bound: Expr, sign: Expr, on: Interval) -> Iterator[Claim]:
    """A bound is where some constraint, of the right slope, becomes an equality."""
    one = _binding(sheet, bound, sign, on)
    yield from _one_interval(one, sheet, on, (-sign,))
    yield Positive("beyond the bound the constraint fails", sign * one.slope(bound), on)
    yield Equal("at the bound the constraint is an equality", one.value(bound), ZERO, on)


def _binding(sheet: Sheet, bound: Expr, sign: Expr, on: Interval) -> OnRay:
    """Return a constraint that is an equality at the bound, one of the right slope if there is one."""
    equal = [one for one in on_rays(sheet) if one.at(bound, on) == 0]
    right = (one for one in equal if positive(sign * one.slope(bound), on))
    return next(right, (equal or [OnRay(ZERO, ONE, ZERO)])[0])


def _empty_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """A lower and an upper bound, each forced by a constraint, contradict each other, or one constraint never holds."""
    on = Interval(s, piece.low, piece.high)
    if piece.lower is sympy.oo:
        yield from _never_claims(sheet, on)
        return
    yield from _tight(sheet, piece.lower, ONE, on)
    yield from _tight(sheet, piece.upper, -ONE, on)
    yield NonNegative("the lower bound of c1 is above the upper one", piece.lower - piece.upper, on)


def _never_claims(sheet: Sheet, on: Interval) -> Iterator[Claim]:
    """Some constraint is negative for all c1 > 0: it has no zeros, or no coefficient above 0."""
    found = [one for one in on_rays(sheet) if one.square != 0 and positive(-one.rest, on)]
    missed = [one for one in found if positive(-one.discriminant, on)]
    one = (missed or found or [OnRay(ZERO, ZERO, ONE)])[0]
    yield Positive("a constraint fails for small c1", -one.rest, on)
    if missed:
        yield Positive("it has no zeros", -one.discriminant, on)
    else:
        yield NonNegative("it does not rise with c1", -one.middle, on)
        yield NonNegative("it does not rise with the square of c1", -one.square, on)


@dataclass(frozen=True, slots=True)
class OnRay:
    """A constraint on the ray of one s, ``square c1^2 + middle c1 + rest >= 0``, divided by c1 if that lowers it."""

    square: Expr
    middle: Expr
    rest: Expr

    @classmethod
    def of(cls, constraint: Expr) -> OnRay:
        slope = sympy.diff(constraint, c1)
        parts = (sympy.diff(slope, c1) / 2, slope.subs(c1, 0), constraint.subs(c1, 0))
        square, middle, rest = (ZERO if zero(part) else sympy.together(part) for part in parts)
        return cls(ZERO, square, middle) if rest == 0 and square != 0 else cls(square, middle, rest)

    @property
    def leading(self) -> Expr:
        return self.middle if self.square == 0 else self.square

    @property
    def discriminant(self) -> Expr:
        return sympy.factor(self.middle**2 - 4 * self.square * self.rest)

    @property
    def polar(self) -> Expr:
        """The line that halves, harmonically, each ray's way through the curve on which the constraint is zero."""
        return self.middle * c1 + 2 * self.rest

    def value(self, bound: Expr) -> Expr:
        return self.square * bound**2 + self.middle * bound + self.rest

    def at(self, bound: Expr, on: Interval) -> Expr:
        value = self.value(bound)
        return ZERO if zero(value, on) else value

    def held(self, bound: Expr, on: Interval) -> Expr:
        """Return the value at a bound, written as 0 where roots would hide that it is."""
        return self.value(bound) if bound.is_rational_function(s) else self.at(bound, on)

    def slope(self, bound: Expr) -> Expr:
        return 2 * self.square * bound + self.middle


def on_rays(sheet: Sheet) -> list[OnRay]:
    """Return the constraints as polynomials in c1."""
    return [OnRay.of(constraint) for constraint in sheet.constraints]


def linear_roots(expr: Expr) -> list[Expr]:
    """Solve for s an equation that is linear in s once its denominators are cleared."""
    top = sympy.expand(sympy.numer(sympy.together(expr)))
    if sympy.degree(top, s) < 1:
        return []
    return [sympy.factor(-top.coeff(s, 0) / top.coeff(s, 1))] if sympy.degree(top, s) == 1 else []
