"""The region of the inner variable: between neighbouring breakpoints in s, from where to where c1 runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, s
from costderive.costs.expected_loss import Sheet, Slice, SlicedIntegral, ThresholdIntegral
from costderive.deciders.order import ascending
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Same

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class SliceRegion(Move):
    """Find, between each two neighbouring breakpoints in s, the interval over which c1 runs."""

    def apply(self, before: ThresholdIntegral, given: Given) -> SlicedIntegral:
        return SlicedIntegral(before, tuple(sliced(sheet, given) for sheet in before.sheets))

    def claims(self, before: ThresholdIntegral, after: SlicedIntegral, given: Given) -> Iterator[Claim]:
        yield Same("the integral is the one before", before, after.integral)
        yield Same("each sheet is sliced", len(before.sheets), len(after.slices))
        for sheet, slices in zip(before.sheets, after.slices, strict=False):
            yield from covering([(x.low, x.high) for x in slices])
            for piece in slices:
                yield from slice_claims(sheet, piece)


def covering(ends: list[tuple[Expr, Expr]]) -> Iterator[Claim]:
    """The pieces cover [0, 1], in ascending order and without gaps."""
    yield Same("the first piece starts at 0", ends[0][0] if ends else None, ZERO)
    yield Same("the last piece ends at 1", ends[-1][1] if ends else None, ONE)
    for (_, high), (low, _) in pairwise(ends):
        yield Same("a piece starts where the one before ends", low, high)
    for low, high in ends:
        yield NonNegative("the breakpoints ascend", high - low)


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
        slope, rest = _linear(constraint)
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
    lines = [_linear(constraint) for constraint in sheet.constraints]
    equal = [line for line in lines if sympy.cancel(line[0] * bound + line[1]) == 0]
    return next((line for line in equal if positive(sign * line[0], on)), (equal or [(ONE, ZERO)])[0])


def _empty_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """A lower and an upper bound, each forced by a constraint, contradict each other."""
    on = Interval(s, piece.low, piece.high)
    yield from _tight(sheet, piece.lower, ONE, on)
    yield from _tight(sheet, piece.upper, -ONE, on)
    yield NonNegative("the lower bound of c1 is above the upper one", piece.lower - piece.upper, on)


def _linear(constraint: Expr) -> tuple[Expr, Expr]:
    """Return slope and intercept of a constraint that is linear in c1."""
    slope = sympy.together(sympy.diff(constraint, c1))
    return slope, sympy.together(constraint.subs(c1, 0))


def sliced(sheet: Sheet, given: Given) -> tuple[Slice, ...]:
    breaks = ascending(_breakpoints(sheet, given), given)
    found = [_slice(sheet, Interval(s, low, high), given) for low, high in pairwise(breaks)]
    return tuple(_joined(found))


def _joined(slices: list[Slice]) -> list[Slice]:
    joined = slices[:1]
    for piece in slices[1:]:
        last = joined[-1]
        if (last.lower, last.upper, last.empty) == (piece.lower, piece.upper, piece.empty):
            joined[-1] = Slice(last.low, piece.high, piece.lower, piece.upper, piece.empty)
        else:
            joined.append(piece)
    return joined


def _breakpoints(sheet: Sheet, given: Given) -> list[Expr]:
    """Bounds change where two constraint lines meet in the region, and where a constraint turns its slope."""
    lines = [_linear(constraint) for constraint in sheet.constraints]
    meets = [
        point for first, second in combinations(lines, 2) for point in _meeting(first, second, lines, given)
    ]
    turns = [root for slope, _ in lines for root in linear_roots(slope)]
    return [ZERO, ONE, *[point for point in dict.fromkeys([*meets, *turns]) if _inside(point, given)]]


def _meeting(
    first: tuple[Expr, Expr], second: tuple[Expr, Expr], lines: list[tuple[Expr, Expr]], given: Given
) -> list[Expr]:
    return [
        root
        for root in linear_roots(first[0] * second[1] - second[0] * first[1])
        if _in_region(root, first, second, lines, given)
    ]


def linear_roots(expr: Expr) -> list[Expr]:
    """Solve for s an equation that is linear in s once its denominators are cleared."""
    top = sympy.expand(sympy.numer(sympy.together(expr)))
    if sympy.degree(top, s) < 1:
        return []
    return [sympy.factor(-top.coeff(s, 0) / top.coeff(s, 1))] if sympy.degree(top, s) == 1 else []


def _in_region(
    root: Expr,
    first: tuple[Expr, Expr],
    second: tuple[Expr, Expr],
    lines: list[tuple[Expr, Expr]],
    given: Given,
) -> bool:
    slope, rest = next(
        ((a, b) for a, b in (first, second) if sympy.cancel(a.subs(s, root)) != 0), (ONE, ZERO)
    )
    height = sympy.cancel((-rest / slope).subs(s, root))
    values = [sympy.cancel((a * height + b).subs(s, root)) for a, b in lines]
    return not any(positive(-value, None, given) for value in values)


def _inside(point: Expr, given: Given) -> bool:
    return bool(positive(point, None, given) and positive(1 - point, None, given))


def _slice(sheet: Sheet, on: Interval, given: Given) -> Slice:
    lowers, uppers = [], []
    for slope, rest in (_linear(constraint) for constraint in sheet.constraints):
        bound = sympy.factor(-rest / slope)
        if positive(slope, on, given):
            lowers.append(bound)
        elif positive(-slope, on, given):
            uppers.append(bound)
    lower = _extreme(lowers, on, given, sympy.S.One)
    upper = _extreme(uppers, on, given, -sympy.S.One) if uppers else sympy.oo
    if upper is sympy.oo or nonnegative(upper - lower, on, given):
        return Slice(on.low, on.high, lower, upper)
    return Slice(on.low, on.high, lower, upper, empty=True)


def _extreme(bounds: list[Expr], on: Interval, given: Given, sign: Expr) -> Expr:
    """Return the largest (sign 1) or smallest (sign -1) of the bounds on the whole interval."""
    for bound in dict.fromkeys(bounds):
        if all(bound == other or nonnegative(sign * (bound - other), on, given) for other in bounds):
            return bound
    raise SpecError(
        f"the order of the bounds {', '.join(map(str, bounds))} of c1 is open for {on.low} < s < {on.high}",
        "State more about the parameters, or give them numbers.",
    )
