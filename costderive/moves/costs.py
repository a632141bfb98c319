"""From the law of the costs to the threshold weight: substitute, slice the region, integrate the magnitude out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import sympy
from sympy import Derivative, Expr

from costderive import forms
from costderive.antiderivatives import inner_antiderivative
from costderive.contexts import Context
from costderive.decide.signs import nonnegative, positive
from costderive.errors import SpecError
from costderive.integrals import (
    ExpectedLoss,
    InnerIntegral,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.moves.order import ascending
from costderive.pieces import Atom, Given, Interval, Measure, Piece, Pieces
from costderive.proof import Claim, Equal, Move, NonNegative, Positive, Regular, Same
from costderive.symbols import c0, c1, s

COST0 = s * c1 / (1 - s)
ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class TakeExpectation(Move):
    """Write the expected loss of a context as integrals over its costs."""

    def apply(self, before: Context, given: Given) -> ExpectedLoss:
        return before.expected_loss()

    def claims(self, before: Context, after: ExpectedLoss, given: Given) -> Iterator[Claim]:
        yield Same("the expected loss is that of the context", before.expected_loss(), after)
        for fact in before.given().positive:
            yield Positive("a fact about the parameters", fact)
        for area in after.areas:
            yield NonNegative("the density of the costs is not negative", area.density)
        for line in after.lines:
            on = Interval(s, line.low, line.high)
            yield NonNegative("the density of the cost proportion is not negative", line.density, on)
            yield NonNegative("the cost magnitude is not negative", line.magnitude, on)
        for point in after.points:
            yield NonNegative("a probability is not negative", point.probability)


@dataclass(frozen=True, slots=True)
class ChangeOfVariables(Move):
    """Put ``c0 = s c1/(1 - s)``: the threshold s becomes the outer variable, c1 stays the inner one."""

    def apply(self, before: ExpectedLoss, given: Given) -> ThresholdIntegral:
        jacobian = c1 / (1 - s) ** 2
        sheets = tuple(
            Sheet(
                jacobian,
                sympy.powsimp(area.density.subs(c0, COST0) * c1 / (1 - s) * jacobian),
                tuple(constraint.subs(c0, COST0) for constraint in area.constraints),
            )
            for area in before.areas
        )
        densities = tuple(Piece(line.low, line.high, line.magnitude * line.density) for line in before.lines)
        atoms = tuple(Atom(x.c0 / (x.c0 + x.c1), (x.c0 + x.c1) * x.probability) for x in before.points)
        return ThresholdIntegral(sheets, densities, atoms)

    def claims(self, before: ExpectedLoss, after: ThresholdIntegral, given: Given) -> Iterator[Claim]:
        counts = (len(before.areas), len(before.lines), len(before.points))
        yield Same("every part is carried over", counts, (len(after.sheets), len(after.densities), len(after.atoms)))
        on = Interval(s, ZERO, ONE)
        for area, sheet in zip(before.areas, after.sheets, strict=False):
            yield Equal("Jacobian of c0 = s c1/(1 - s)", sheet.jacobian, Derivative(COST0, s), on)
            total = (COST0 + c1) * area.density.subs(c0, COST0) * sheet.jacobian
            yield Equal("integrand in the new variables", sheet.integrand, total, on)
            yield Same("constraints in the new variables", tuple(x.subs(c0, COST0) for x in area.constraints), sheet.constraints)
        for line, piece in zip(before.lines, after.densities, strict=False):
            yield Same("range of the cost proportion", (line.low, line.high), (piece.low, piece.high))
            yield Equal("magnitude times density", piece.value, line.magnitude * line.density, Interval(s, line.low, line.high))
        for point, atom in zip(before.points, after.atoms, strict=False):
            yield Equal("place of the atom", atom.at * (point.c0 + point.c1), point.c0)
            yield Equal("mass of the atom", atom.mass, (point.c0 + point.c1) * point.probability)


@dataclass(frozen=True, slots=True)
class SliceRegion(Move):
    """Find, between each two neighbouring breakpoints in s, the interval over which c1 runs."""

    def apply(self, before: ThresholdIntegral, given: Given) -> SlicedIntegral:
        return SlicedIntegral(before, tuple(_slices(sheet, given) for sheet in before.sheets))

    def claims(self, before: ThresholdIntegral, after: SlicedIntegral, given: Given) -> Iterator[Claim]:
        yield Same("the integral is the one before", before, after.integral)
        yield Same("each sheet is sliced", len(before.sheets), len(after.slices))
        for sheet, slices in zip(before.sheets, after.slices, strict=False):
            yield from _covering([(x.low, x.high) for x in slices])
            for piece in slices:
                yield from _empty_claims(sheet, piece) if piece.empty else _slice_claims(sheet, piece)


def _covering(ends: list[tuple[Expr, Expr]]) -> Iterator[Claim]:
    """The pieces cover [0, 1], in ascending order and without gaps."""
    yield Same("the first piece starts at 0", ends[0][0] if ends else None, ZERO)
    yield Same("the last piece ends at 1", ends[-1][1] if ends else None, ONE)
    for (_, high), (low, _) in pairwise(ends):
        yield Same("a piece starts where the one before ends", low, high)
    for low, high in ends:
        yield NonNegative("the breakpoints ascend", high - low)


def _slice_claims(sheet: Sheet, piece: Slice) -> Iterator[Claim]:
    """Between the bounds all constraints hold; at each bound one holds with equality and fails beyond it."""
    on = Interval(s, piece.low, piece.high)
    yield NonNegative("costs are not negative", piece.lower, on)
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
    slope, rest = _binding(sheet, bound, on)
    yield Positive("beyond the bound the constraint fails", sign * slope, on)
    yield Equal("at the bound the constraint is an equality", slope * bound + rest, ZERO, on)


def _binding(sheet: Sheet, bound: Expr, on: Interval) -> tuple[Expr, Expr]:
    lines = [_linear(constraint) for constraint in sheet.constraints]
    return next((line for line in lines if sympy.cancel(line[0] * bound + line[1]) == 0), (ONE, ZERO))


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


def _slices(sheet: Sheet, given: Given) -> tuple[Slice, ...]:
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
    meets = [point for first, second in combinations(lines, 2) for point in _meeting(first, second, lines, given)]
    turns = [root for slope, _ in lines for root in _roots(slope)]
    return [ZERO, ONE, *[point for point in dict.fromkeys([*meets, *turns]) if _inside(point, given)]]


def _meeting(first: tuple[Expr, Expr], second: tuple[Expr, Expr], lines: list[tuple[Expr, Expr]], given: Given) -> list[Expr]:
    return [root for root in _roots(first[0] * second[1] - second[0] * first[1]) if _in_region(root, first, second, lines, given)]


def _roots(expr: Expr) -> list[Expr]:
    """Solve for s an equation that is linear in s once its denominators are cleared."""
    top = sympy.expand(sympy.numer(sympy.together(expr)))
    if sympy.degree(top, s) < 1:
        return []
    return [sympy.factor(-top.coeff(s, 0) / top.coeff(s, 1))] if sympy.degree(top, s) == 1 else []


def _in_region(root: Expr, first: tuple[Expr, Expr], second: tuple[Expr, Expr], lines: list[tuple[Expr, Expr]], given: Given) -> bool:
    slope, rest = next(((a, b) for a, b in (first, second) if sympy.cancel(a.subs(s, root)) != 0), (ONE, ZERO))
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
    if nonnegative(upper - lower, on, given):
        return Slice(on.low, on.high, lower, upper)
    return Slice(on.low, on.high, lower, upper, empty=True)


def _extreme(bounds: list[Expr], on: Interval, given: Given, sign: Expr) -> Expr:
    """Return the largest (sign 1) or smallest (sign -1) of the bounds on the whole interval."""
    for bound in dict.fromkeys(bounds):
        if all(bound == other or nonnegative(sign * (bound - other), on, given) for other in bounds):
            return bound
    raise SpecError(
        f"the bounds {', '.join(map(str, bounds))} of c1 have no order that could be decided for {on.low} < s < {on.high}",
        "State more about the parameters, or give them numbers.",
    )


@dataclass(frozen=True, slots=True)
class IntegrateMagnitude(Move):
    """Integrate c1 out on each slice and add up: what is left is the threshold weight."""

    def apply(self, before: SlicedIntegral, given: Given) -> WeightedLoss:
        inner = tuple(
            _inner(sheet, piece, given)
            for sheet, slices in zip(before.integral.sheets, before.slices, strict=True)
            for piece in slices
        )
        parts = [Piece(x.slice.low, x.slice.high, x.value) for x in inner] + list(before.integral.densities)
        breaks = ascending(list(dict.fromkeys([ZERO, ONE, *[end for x in parts for end in (x.low, x.high)]])), given)
        pieces = tuple(Piece(low, high, _total(parts, low, high, given)) for low, high in pairwise(breaks))
        return WeightedLoss(Measure(Pieces(s, pieces), before.integral.atoms), inner)

    def claims(self, before: SlicedIntegral, after: WeightedLoss, given: Given) -> Iterator[Claim]:
        sheets = [(sheet, x) for sheet, slices in zip(before.integral.sheets, before.slices, strict=False) for x in slices]
        yield Same("one inner integral for each slice", tuple(x for _, x in sheets), tuple(x.slice for x in after.inner))
        for (sheet, _), inner in zip(sheets, after.inner, strict=False):
            yield from _inner_claims(sheet, inner)
        yield from _covering([(x.low, x.high) for x in after.weight.density])
        yield Same("the atoms stay", before.integral.atoms, after.weight.atoms)
        parts = [Piece(x.slice.low, x.slice.high, x.value) for x in after.inner] + list(before.integral.densities)
        for piece in after.weight.density:
            yield from _sum_claims(piece, parts, given)


def _inner(sheet: Sheet, piece: Slice, given: Given) -> InnerIntegral:
    if piece.empty:
        return InnerIntegral(piece, None, ZERO)
    found = inner_antiderivative(sheet.integrand, c1)
    if found is None or piece.upper is sympy.oo:
        raise SpecError(f"no antiderivative of {sheet.integrand} in c1 was found", "This density is not supported yet.")
    value = found.subs(c1, piece.upper) - found.subs(c1, piece.lower)
    return InnerIntegral(piece, found, forms.shorter_weight(value, s, given))


def _inner_claims(sheet: Sheet, inner: InnerIntegral) -> Iterator[Claim]:
    on, within = Interval(s, inner.slice.low, inner.slice.high), Interval(c1, inner.slice.lower, inner.slice.upper)
    if inner.slice.empty:
        yield Same("nothing comes from an empty slice", inner.value, ZERO)
        return
    yield NonNegative("the inner integrand is not negative", sheet.integrand, on)
    yield Equal("antiderivative in c1", Derivative(inner.antiderivative, c1), sheet.integrand, on)
    yield Regular("the antiderivative is smooth between the bounds", inner.antiderivative, within)
    ends = inner.antiderivative.subs(c1, inner.slice.upper) - inner.antiderivative.subs(c1, inner.slice.lower)
    yield Equal("the inner integral is the difference at its bounds", inner.value, ends, on)


def _total(parts: list[Piece], low: Expr, high: Expr, given: Given) -> Expr:
    return sympy.Add(*[part.value for part in parts if _holds(part, low, high, given)])


def _holds(part: Piece, low: Expr, high: Expr, given: Given) -> bool:
    return bool(nonnegative(low - part.low, None, given) and nonnegative(part.high - high, None, given))


def _sum_claims(piece: Piece, parts: list[Piece], given: Given) -> Iterator[Claim]:
    """A piece of the weight is the sum of the parts that hold it; every other part lies beside it."""
    inside = [part for part in parts if _holds(part, piece.low, piece.high, given)]
    total = sympy.Add(*[part.value for part in inside])
    yield Equal("the weight is the sum of its parts", piece.value, total, Interval(s, piece.low, piece.high))
    for part in parts:
        if part not in inside:
            apart = part.low - piece.high if nonnegative(part.low - piece.high, None, given) else piece.low - part.high
            yield NonNegative("the other parts lie beside the piece", apart)
