"""The search for the breakpoints of a region in s, and for the bounds of c1 between them."""

from __future__ import annotations

from itertools import combinations, pairwise

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import s
from costderive.costs.expected_loss import Sheet, Slice, SlicedIntegral, ThresholdIntegral
from costderive.deciders.order import ascending
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.slices import SliceRegion, linear, linear_roots

ZERO, ONE = sympy.S.Zero, sympy.S.One


def slice_region(move: SliceRegion, before: ThresholdIntegral, given: Given) -> SlicedIntegral:
    """Slice every sheet."""
    return SlicedIntegral(before, tuple(sliced(sheet, given) for sheet in before.sheets))


def sliced(sheet: Sheet, given: Given) -> tuple[Slice, ...]:
    """Slice a sheet at its breakpoints, and join neighbours with the same bounds."""
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
    lines = [linear(constraint) for constraint in sheet.constraints]
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
    for slope, rest in (linear(constraint) for constraint in sheet.constraints):
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
