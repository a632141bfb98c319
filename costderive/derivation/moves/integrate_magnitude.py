"""From slices to the threshold weight: integrate c1 out, add up, and read the sign of what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Dummy, Expr, Integral

from costderive.core.piecewise import Given, Interval, Measure, Piece, Sign
from costderive.core.symbols import c1, s
from costderive.costs.expected_loss import (
    InnerIntegral,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.deciders.order import ascending
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.slices import covering, linear_roots
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(s, ZERO, ONE)


@dataclass(frozen=True, slots=True)
class IntegrateMagnitude(Move):
    """Integrate c1 out on each slice and add up: what is left is the threshold weight.

    The weight is not negative, because each part of it is a product of non-negative factors or the integral of a
    non-negative integrand over an interval whose upper end is at or above its lower end.
    """

    searched_by = "costderive.derivation.search.integrate_magnitude:integrate_magnitude"

    def claims(self, before: SlicedIntegral, after: WeightedLoss, given: Given) -> Iterator[Claim]:
        sheets = sheet_slices(before)
        yield Same(
            "one inner integral for each slice",
            tuple(x for _, x in sheets),
            tuple(x.slice for x in after.inner),
        )
        for (sheet, _), inner in zip(sheets, after.inner, strict=False):
            yield from inner_claims(sheet, inner, given)
        yield Same("the weight is a function of s", after.weight.density.variable, s)
        yield from covering([(x.low, x.high) for x in after.weight.density])
        yield Same("the atoms stay", before.integral.atoms, after.weight.atoms)
        yield Same("what is paid on one side alone stays", before.integral.one_sided, after.one_sided)
        yield from _atom_claims(after.weight)
        parts = parts_of(after.inner, before.integral)
        for piece in after.weight.density:
            yield from _sum_claims(piece, parts, given)
        yield Same("each piece has a sign", len(after.weight.density.pieces), len(after.weight.signs))
        for piece, sign in zip(after.weight.density, after.weight.signs, strict=False):
            yield from _sign_claims(piece, sign, before, given)


def sheet_slices(before: SlicedIntegral) -> list[tuple[Sheet, Slice]]:
    """Return each slice with its sheet."""
    return [
        (sheet, x)
        for sheet, slices in zip(before.integral.sheets, before.slices, strict=False)
        for x in slices
    ]


def parts_of(inner: tuple[InnerIntegral, ...], integral: ThresholdIntegral) -> list[Piece]:
    """Return what adds up to the weight, each part on its own range."""
    return [Piece(x.slice.low, x.slice.high, x.value) for x in inner] + list(integral.pieces)


def inner_claims(sheet: Sheet, inner: InnerIntegral, given: Given) -> Iterator[Claim]:
    """The integral over c1 is right at each s of a slice, on both sides of each pole of its antiderivative."""
    if inner.slice.empty:
        yield Same("nothing comes from an empty slice", inner.value, ZERO)
    elif inner.antiderivative is None:
        whole = Integral(sheet.integrand, (c1, inner.slice.lower, inner.slice.upper))
        yield Same("the inner integral is left as it stands", inner.value, whole)
    else:
        ends = [inner.slice.low, *poles(inner, given), inner.slice.high]
        for low, high in pairwise(ends):
            yield from _antiderivative_claims(sheet, inner, inner.antiderivative, Interval(s, low, high))


def poles(inner: InnerIntegral, given: Given) -> list[Expr]:
    """Find where in its slice an antiderivative has a pole in s; the threshold weight needs no single s."""
    return [] if inner.antiderivative is None else poles_between(inner.antiderivative, inner.slice, given)


def poles_between(expr: Expr, piece: Slice, given: Given) -> list[Expr]:
    """Find the poles in s of an expression inside a slice, as far as its denominator has linear factors."""
    bases = [part.as_base_exp()[0] for part in sympy.Mul.make_args(sympy.denom(sympy.together(expr)))]
    factors = [factor for base in bases for factor in _factors(base)]
    rational = [factor for factor in factors if not factor.has(c1) and factor.is_polynomial(s)]
    roots = [root for factor in rational for root in linear_roots(factor)]
    inside = [
        root
        for root in dict.fromkeys(roots)
        if positive(root - piece.low, None, given) and positive(piece.high - root, None, given)
    ]
    return ascending(inside, given)


def _factors(expr: Expr) -> list[Expr]:
    """Return the factors without exponentials: SymPy takes ``exp(10^6 x)`` for a power of ``exp x``."""
    names = {node: Dummy() for node in expr.atoms(sympy.exp)}
    try:
        found = [factor for factor, _ in sympy.factor_list(expr.xreplace(names))[1]]
    except sympy.PolynomialError:
        return []
    return [factor for factor in found if not factor.has(*names.values())]


def _antiderivative_claims(sheet: Sheet, inner: InnerIntegral, found: Expr, on: Interval) -> Iterator[Claim]:
    within, facts = Interval(c1, inner.slice.lower, inner.slice.upper), (*UNIT.facts, *on.facts)
    between = tuple(_cleared(fact) for fact in within.facts)
    yield Equal("antiderivative in c1", Derivative(found, c1), sheet.integrand, on, between)
    yield Regular(
        "the antiderivative is smooth between the bounds", found, within, tuple(dict.fromkeys(facts))
    )
    yield Tends("the antiderivative at the lower bound", found, c1, within.low, "+", inner.at_lower, on)
    yield Tends("the antiderivative at the upper bound", found, c1, within.high, "-", inner.at_upper, on)
    difference = inner.at_upper - inner.at_lower
    yield Equal("the inner integral is the difference at its bounds", inner.value, difference, on)


def _cleared(fact: Expr) -> Expr:
    """Multiply by a denominator that is positive for 0 < s < 1."""
    top, bottom = sympy.fraction(sympy.together(fact))
    return sympy.expand(top) if positive(bottom, UNIT) else fact


def _atom_claims(weight: Measure) -> Iterator[Claim]:
    ends = {piece.low for piece in weight.density} | {piece.high for piece in weight.density}
    for atom in weight.atoms:
        yield Same("an atom sits at a breakpoint", atom.at in ends, True)
        yield NonNegative("the mass of the atom is not negative", atom.mass)


def holds(part: Piece | Slice, low: Expr, high: Expr, given: Given) -> bool:
    """Return whether a range is inside that of a part."""
    return bool(nonnegative(low - part.low, None, given) and nonnegative(part.high - high, None, given))


def total_between(parts: list[Piece], low: Expr, high: Expr, given: Given) -> Expr:
    """Add up the parts that hold a range."""
    return sympy.Add(*[part.value for part in parts if holds(part, low, high, given)])


def _sum_claims(piece: Piece, parts: list[Piece], given: Given) -> Iterator[Claim]:
    """A piece of the weight is the sum of the parts that hold it; every other part lies beside it."""
    total = total_between(parts, piece.low, piece.high, given)
    yield Equal("the weight is the sum of its parts", piece.value, total, Interval(s, piece.low, piece.high))
    for part in parts:
        if not holds(part, piece.low, piece.high, given):
            apart = (
                part.low - piece.high
                if nonnegative(part.low - piece.high, None, given)
                else piece.low - part.high
            )
            yield NonNegative("the other parts lie beside the piece", apart)


def positive_slice(piece: Piece, before: SlicedIntegral, given: Given) -> tuple[Sheet, Slice] | None:
    """Find a sheet whose integrand is positive inside a slice that holds the piece and has a length there."""
    on = Interval(s, piece.low, piece.high)
    for sheet, part in sheet_slices(before):
        if part.empty or not holds(part, piece.low, piece.high, given):
            continue
        facts = inside_slice(part)
        has_length = part.upper is sympy.oo or positive(part.upper - part.lower, on, given)
        if has_length and positive(sheet.integrand, on, given.also(positive=facts)):
            return sheet, part
    return None


def shown_by(piece: Piece, before: SlicedIntegral, given: Given) -> tuple[Sheet, Slice] | None:
    """Return a slice that shows that the weight is positive, unless its expression shows it as well as that."""
    on = Interval(s, piece.low, piece.high)
    at_sight = piece.value.is_rational_function() and positive(piece.value, on, given)
    return None if at_sight else positive_slice(piece, before, given)


def inside_slice(part: Slice) -> tuple[Expr, ...]:
    """Return what is positive for c1 inside a slice."""
    return Interval(c1, part.lower, part.upper).facts


def _sign_claims(piece: Piece, sign: Sign, before: SlicedIntegral, given: Given) -> Iterator[Claim]:
    """Zero is written so; positive is decided on the expression, or on the integrand and length of a slice.

    That the weight is not negative follows from the claims on its parts, their ranges and their densities.
    """
    on = Interval(s, piece.low, piece.high)
    if sign is Sign.ZERO:
        yield Same("the weight is zero", piece.value, ZERO)
    if sign is not Sign.POSITIVE:
        return
    found = shown_by(piece, before, given)
    if found is None:
        yield Positive("the threshold weight is positive", piece.value, on)
        return
    sheet, part = found
    if part.upper is not sympy.oo:
        yield Positive("the slice has a length", part.upper - part.lower, on)
    yield Positive(
        "the inner integrand is positive inside the slice", sheet.integrand, on, inside_slice(part)
    )
