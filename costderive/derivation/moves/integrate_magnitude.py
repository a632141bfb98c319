"""From slices to the threshold weight: integrate c1 out, add up, and read the sign of what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, Integral

from costderive.core.errors import DivergentCostError
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import c1, s, u
from costderive.costs.expected_loss import (
    InnerIntegral,
    Sheet,
    Slice,
    SlicedIntegral,
    ThresholdIntegral,
    WeightedLoss,
)
from costderive.deciders.enclosure import differ, sample
from costderive.deciders.limits import Approach, tail, value_at
from costderive.deciders.order import ascending
from costderive.deciders.sample_points import points
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.derivation.moves.slices import covering, linear_roots
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules import odds_form

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(s, ZERO, ONE)


@dataclass(frozen=True, slots=True)
class IntegrateMagnitude(Move):
    """Integrate c1 out on each slice and add up: what is left is the threshold weight.

    The weight is not negative, because each part of it is a product of non-negative factors or the integral of a
    non-negative integrand over an interval whose upper end is at or above its lower end.
    """

    def apply(self, before: SlicedIntegral, given: Given) -> WeightedLoss:
        inner = tuple(integrated(sheet, piece, given) for sheet, piece in _sheet_slices(before))
        parts, atoms = _parts(inner, before.integral), before.integral.atoms
        ends = [
            ZERO,
            ONE,
            *[end for part in parts for end in (part.low, part.high)],
            *[atom.at for atom in atoms],
        ]
        cells = list(pairwise(ascending(list(dict.fromkeys(ends)), given)))
        pieces = tuple(Piece(low, high, _total(parts, low, high, given)) for low, high in cells)
        signs = tuple(_sign(piece, before, inner, given) for piece in pieces)
        return WeightedLoss(Measure(Pieces(s, pieces), signs, atoms), inner)

    def claims(self, before: SlicedIntegral, after: WeightedLoss, given: Given) -> Iterator[Claim]:
        sheets = _sheet_slices(before)
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
        yield from _atom_claims(after.weight)
        parts = _parts(after.inner, before.integral)
        for piece in after.weight.density:
            yield from _sum_claims(piece, parts, given)
        yield Same("each piece has a sign", len(after.weight.density.pieces), len(after.weight.signs))
        for piece, sign in zip(after.weight.density, after.weight.signs, strict=False):
            yield from _sign_claims(piece, sign, before, after.inner, given)


def _sheet_slices(before: SlicedIntegral) -> list[tuple[Sheet, Slice]]:
    return [
        (sheet, x)
        for sheet, slices in zip(before.integral.sheets, before.slices, strict=False)
        for x in slices
    ]


def _parts(inner: tuple[InnerIntegral, ...], integral: ThresholdIntegral) -> list[Piece]:
    return [Piece(x.slice.low, x.slice.high, x.value) for x in inner] + list(integral.pieces)


def integrated(sheet: Sheet, piece: Slice, given: Given) -> InnerIntegral:
    """Take the first antiderivative that nothing refutes; without one, leave the integral as it stands.

    So it is left where its value is written with a pole inside the slice: the integral itself has a value there.
    """
    if piece.empty:
        return InnerIntegral(piece, None, ZERO, ZERO, ZERO)
    ends = [Approach(c1, piece.lower, "+"), Approach(c1, piece.upper, "-")]
    _refuse_divergence(sheet, piece, ends, given)
    for found in _antiderivatives(sheet, piece, given):
        inner = _between(found, ends, sheet, piece, given)
        if inner is not None and not (_poles(inner.value, piece, given) or _refuted(sheet, inner, given)):
            return inner
    whole = Integral(sheet.integrand, (c1, piece.lower, piece.upper))
    return InnerIntegral(piece, None, ZERO, whole, whole)


def _antiderivatives(sheet: Sheet, piece: Slice, given: Given) -> Iterator[Expr]:
    """Yield candidates in the odds, where most quantities are positive as they stand.

    A root splits over a factor, which is wrong if the factor is negative between the bounds: so the integrand is
    written a second time with what is known there.
    """
    tried: list[Expr] = []
    inside = tuple(odds_form.to_odds(fact, s) for fact in _inside(sheet, piece))
    for known in (given, given.also(positive=inside)):
        integrand = odds_form.to_odds(sheet.integrand, s, known)
        if integrand not in tried:
            yield from filter(None, (search(integrand) for search in _searches(given)))
        tried.append(integrand)


def _searches(given: Given) -> tuple[Callable[[Expr], Expr | None], ...]:
    return (lambda expr: primitive(expr, c1, given)), (lambda expr: by_ansatz(expr, c1))


def _between(
    found: Expr, ends: list[Approach], sheet: Sheet, piece: Slice, given: Given
) -> InnerIntegral | None:
    """Write the difference of an antiderivative at the bounds in s, if its limits are found and it is real."""
    lower, upper = (_limit(found, end, piece, given) for end in ends)
    if lower is None or upper is None:
        return None
    facts = odds_form.homogeneous((*Interval(s, piece.low, piece.high).facts, *_inside(sheet, piece)), s)
    known = given.also(positive=facts)
    value = odds_form.shorter_weight(odds_form.to_probability(upper - lower, s, known), s, given)
    found, lower, upper = (odds_form.in_probability(expr, s, known) for expr in (found, lower, upper))
    if found.has(sympy.I):  # a root split over a factor that is negative between the bounds
        return None
    return InnerIntegral(piece, found, lower, upper, value)


def _refuted(sheet: Sheet, inner: InnerIntegral, given: Given) -> bool:
    """Return whether some point shows that the slope in c1 is not the integrand, or the value not the difference."""
    piece, on = inner.slice, Interval(s, inner.slice.low, inner.slice.high)
    if differ(inner.value, inner.at_upper - inner.at_lower, on, given):
        return True
    gap = sympy.diff(inner.antiderivative, c1) - sheet.integrand
    for values in points(gap.free_symbols - {c1}, on, given):
        low, high = (end.subs(values) for end in (piece.lower, piece.upper))
        within = Interval(c1, low, high)
        if any(found.excludes_zero for found in sample(gap.subs(values), within, Given())):
            return True
    return False


def _refuse_divergence(sheet: Sheet, piece: Slice, ends: list[Approach], given: Given) -> None:
    for end in ends:
        if tail(odds_form.to_odds(sheet.integrand, s), _in_odds(end), given):
            raise DivergentCostError(
                f"the expected cost diverges at c1 = {end.point}:"
                f" the integral of {sheet.integrand} over c1 is infinite there for {piece.low} < s < {piece.high}",
                "Without finite integrals over c1 there is no threshold weight.",
            )


def _limit(found: Expr, end: Approach, piece: Slice, given: Given) -> Expr | None:
    """Return the limit of an antiderivative in the odds of the slice, if it is known to be finite."""
    on = Interval(
        u, piece.low / (1 - piece.low), sympy.oo if piece.high == 1 else piece.high / (1 - piece.high)
    )
    value = value_at(found, _in_odds(end), given.also(positive=on.facts))
    return None if value is None or value.is_finite is False else value


def _in_odds(end: Approach) -> Approach:
    return Approach(end.variable, odds_form.to_odds(end.point, s), end.side)


def inner_claims(sheet: Sheet, inner: InnerIntegral, given: Given) -> Iterator[Claim]:
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
    return [] if inner.antiderivative is None else _poles(inner.antiderivative, inner.slice, given)


def _poles(expr: Expr, piece: Slice, given: Given) -> list[Expr]:
    _, factors = odds_form.factor_list(sympy.denom(sympy.together(expr)))
    rational = [factor for factor, _ in factors if not factor.has(c1) and factor.is_polynomial(s)]
    roots = [root for factor in rational for root in linear_roots(factor)]
    inside = [
        root
        for root in dict.fromkeys(roots)
        if positive(root - piece.low, None, given) and positive(piece.high - root, None, given)
    ]
    return ascending(inside, given)


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


def _total(parts: list[Piece], low: Expr, high: Expr, given: Given) -> Expr:
    return sympy.Add(*[part.value for part in parts if _holds(part, low, high, given)])


def _holds(part: Piece | Slice, low: Expr, high: Expr, given: Given) -> bool:
    return bool(nonnegative(low - part.low, None, given) and nonnegative(part.high - high, None, given))


def _sum_claims(piece: Piece, parts: list[Piece], given: Given) -> Iterator[Claim]:
    """A piece of the weight is the sum of the parts that hold it; every other part lies beside it."""
    inside = [part for part in parts if _holds(part, piece.low, piece.high, given)]
    total = sympy.Add(*[part.value for part in inside])
    yield Equal("the weight is the sum of its parts", piece.value, total, Interval(s, piece.low, piece.high))
    for part in parts:
        if part not in inside:
            apart = (
                part.low - piece.high
                if nonnegative(part.low - piece.high, None, given)
                else piece.low - part.high
            )
            yield NonNegative("the other parts lie beside the piece", apart)


def _sign(piece: Piece, before: SlicedIntegral, inner: tuple[InnerIntegral, ...], given: Given) -> Sign:
    if piece.value == 0:
        return Sign.ZERO
    if positive(piece.value, Interval(s, piece.low, piece.high), given) or _positive_slice(
        piece, before, given
    ):
        return Sign.POSITIVE
    return Sign.NONNEGATIVE


def _positive_slice(piece: Piece, before: SlicedIntegral, given: Given) -> tuple[Sheet, Slice] | None:
    """Find a sheet whose integrand is positive inside a slice that holds the piece and has a length there."""
    on = Interval(s, piece.low, piece.high)
    for sheet, part in _sheet_slices(before):
        if part.empty or not _holds(part, piece.low, piece.high, given):
            continue
        facts = _inside(sheet, part)
        has_length = part.upper is sympy.oo or positive(part.upper - part.lower, on, given)
        if has_length and positive(sheet.integrand, on, given.also(positive=facts)):
            return sheet, part
    return None


def _inside(sheet: Sheet, part: Slice) -> tuple[Expr, ...]:
    return Interval(c1, part.lower, part.upper).facts


def _sign_claims(
    piece: Piece, sign: Sign, before: SlicedIntegral, inner: tuple[InnerIntegral, ...], given: Given
) -> Iterator[Claim]:
    """Zero is written so; positive is decided on the expression, or on the integrand and length of a slice.

    That the weight is not negative follows from the claims on its parts, their ranges and their densities.
    """
    on = Interval(s, piece.low, piece.high)
    if sign is Sign.ZERO:
        yield Same("the weight is zero", piece.value, ZERO)
    if sign is not Sign.POSITIVE:
        return
    found = None if positive(piece.value, on, given) else _positive_slice(piece, before, given)
    if found is None:
        yield Positive("the threshold weight is positive", piece.value, on)
        return
    sheet, part = found
    if part.upper is not sympy.oo:
        yield Positive("the slice has a length", part.upper - part.lower, on)
    yield Positive(
        "the inner integrand is positive inside the slice", sheet.integrand, on, _inside(sheet, part)
    )
