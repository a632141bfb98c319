"""Is a law a law? The certificate of a total, or of an expectation: antiderivatives with their limits at the ends.

Where a density is not negative and F is smooth inside an interval with ``F' = g f`` and finite limits at both ends, the
integral of ``g f`` is the difference of these limits. For a joint density that is done twice: in each cost alone for a
product of functions of one cost on a rectangle, else over c1 at a fixed cost proportion s, on slices that cover the
region, and then over s.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Derivative, Expr, Integral, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, s
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    Area,
    Factor,
    Margin,
    MarginIntegral,
    Plane,
    PlaneIntegral,
    ProductIntegral,
    Sheet,
    Slice,
)
from costderive.costs.laws import Expectation, x
from costderive.deciders.limits import integrals_converge
from costderive.derivation.moves.change_of_variables import COST0, UNIT, at_threshold, in_threshold
from costderive.derivation.moves.integrate_magnitude import inner_claims
from costderive.derivation.moves.slices import covering, slice_claims
from costderive.derivation.moves.strips import integral_claims
from costderive.proof.claims import Claim, Equal, NonNegative, Open, Positive, Regular, Same, Tends

ZERO, ONE = sympy.S.Zero, sympy.S.One
JACOBIAN = c1 / (1 - s) ** 2

Found = tuple[Antiderivative, ...] | PlaneIntegral | ProductIntegral | MarginIntegral


def evaluation_claims(context: Context, found: tuple[Found, ...], given: Given) -> Iterator[Claim]:
    """Claim that every law of a context has the total 1, and that every expectation in it is what it is said to be."""
    wanted = context.expectations()
    if wanted and not found:
        yield Open("every law of the context has the total 1: no antiderivative is given that shows it")
        return
    yield Same("every law of the context is integrated", len(wanted), len(found))
    for one, integral in zip(wanted, found, strict=False):
        match one, integral:
            case Plane(), PlaneIntegral():
                yield from _plane_claims(one, integral, given)
            case Plane(), ProductIntegral():
                yield from _product_claims(one, integral)
            case Plane(), MarginIntegral():
                yield from _margins_claims(one, integral)
            case Expectation(), tuple():
                yield from _line_claims(one, integral)
            case _:
                yield Same("over an interval or the plane", (type(one), type(integral)), None)


# ---- laws of one variable


def integrands(wanted: Expectation) -> list[tuple[Expr, Interval]]:
    """Return what each part of a law integrates to, with its interval."""
    return [(sympy.powsimp(wanted.function * part.density), part.interval) for part in wanted.law.spreads]


def _line_claims(wanted: Expectation, found: tuple[Antiderivative, ...]) -> Iterator[Claim]:
    yield Same("every part of a law is integrated", len(wanted.law.spreads), len(found))
    if wanted.is_total:
        for part in wanted.law.spreads:
            if part.high is not sympy.oo:
                yield Positive("the interval of a density has a length", part.high - part.low)
            yield NonNegative("the density of a law is not negative", part.density, part.interval)
        for mass in wanted.law.masses:
            yield Positive("a probability is positive", mass.probability)
    for (integrand, on), one in zip(integrands(wanted), found, strict=False):
        yield from antiderivative_claims(integrand, on, one)
    yield Equal(_what(wanted, found), sum_of(wanted, found), wanted.value)


def antiderivative_claims(integrand: Expr, on: Interval, found: Antiderivative) -> Iterator[Claim]:
    """The antiderivative is right and finite at both ends; without one, the integral is finite."""
    if found.function is None:
        yield Same(
            "without an antiderivative there are no limits", (found.at_low, found.at_high), (ZERO, ZERO)
        )
        yield Regular("what is integrated is smooth", integrand, on)
        yield Regular("the integral is finite", integral_over(integrand, on), UNIT)
        return
    yield from _limit_claims(found.function, integrand, on, found)
    yield Same("the antiderivative is finite at both ends", _has_finite_ends(found), True)


def _limit_claims(function: Expr, integrand: Expr, on: Interval, found: Antiderivative) -> Iterator[Claim]:
    yield Equal("antiderivative of a density", Derivative(function, on.variable), integrand, on)
    yield Regular("the antiderivative is smooth between the ends", function, on)
    yield Tends("the antiderivative at the lower end", function, on.variable, on.low, "+", found.at_low)
    yield Tends("the antiderivative at the upper end", function, on.variable, on.high, "-", found.at_high)


def _has_finite_ends(found: Antiderivative) -> bool:
    return not (_is_infinite(found.at_low) or _is_infinite(found.at_high))


def mean_claims(integrand: Expr, on: Interval, found: Antiderivative, given: Given) -> Iterator[Claim]:
    """What is never negative has a finite integral, or by its antiderivative an infinite one, or it is not known."""
    if has_finite_integral(integrand, on, found, given):
        yield from antiderivative_claims(integrand, on, found)
    elif found.function is None:
        yield Same("a mean that may be infinite has no antiderivative", found, Antiderivative())
    else:
        yield from _limit_claims(found.function, integrand, on, found)
        yield Same("the mean is infinite", increase(found, integrand, on), sympy.oo)


def has_finite_integral(integrand: Expr, on: Interval, found: Antiderivative, given: Given) -> bool:
    """Has it an antiderivative that is finite at both ends, or else an integral that converges?"""
    if found.function is not None:
        return _has_finite_ends(found)
    return integrals_converge(integral_over(integrand, on), UNIT, given)


def worst_claim(what: str, found: Expr, total: Expr) -> Claim:
    """Claim that an expected cost is a sum of others: as none is negative, it is infinite if one is."""
    return (Same if sympy.oo in (found, total) else Equal)(what, found, total)


def _is_infinite(end: Expr) -> bool:
    return bool(end.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan))


def sum_of(wanted: Expectation, found: tuple[Antiderivative, ...]) -> Expr:
    """Add up the masses of a law and the integrals of its parts, by their antiderivatives where there are some."""
    known = [wanted.function.subs(x, mass.value) * mass.probability for mass in wanted.law.masses]
    parts = zip(integrands(wanted), found, strict=False)
    return sympy.Add(*known, *[increase(one, integrand, on) for (integrand, on), one in parts])


def increase(found: Antiderivative, integrand: Expr, on: Interval) -> Expr:
    """Return the integral over an interval, by an antiderivative if there is one."""
    return integral_over(integrand, on) if found.function is None else found.at_high - found.at_low


def integral_over(integrand: Expr, on: Interval) -> Expr:
    """Write an integral over an interval."""
    return Integral(integrand, (on.variable, on.low, on.high))


def _what(wanted: Expectation, found: tuple[Antiderivative, ...]) -> str:
    if not wanted.is_total:
        return "the expectation is the increase of the antiderivatives"
    if any(one.function is None for one in found):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability is 1"


# ---- joint densities that are products on rectangles


def sides_of(first: Interval, second: Interval) -> tuple[Expr, ...]:
    """Return the constraints of a rectangle."""
    return in_order((*first.facts, *second.facts))


def in_order(constraints: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return constraints in an order that does not depend on how they were written."""
    return tuple(sympy.ordered(constraints))


def _product_claims(wanted: Plane, found: ProductIntegral) -> Iterator[Claim]:
    """By Tonelli's theorem the total over a rectangle is the product of those of its factors, none negative."""
    yield Same("every area is a rectangle", len(wanted.areas), len(found.rectangles))
    for area, (first, second) in zip(wanted.areas, found.rectangles, strict=False):
        yield Same("each factor is of its own cost", (first.on.variable, second.on.variable), (c0, c1))
        yield Same("the area is the rectangle", in_order(area.constraints), sides_of(first.on, second.on))
        yield Same("each factor is of one cost alone", _holds(first, c1) or _holds(second, c0), False)
        product = first.function * second.function
        yield Equal("the density is the product", area.density, product, None, area.constraints)
        for one in (first, second):
            yield from _factor_claims(one)
    yield Equal("the total probability of the joint density is 1", product_sum(found), ONE)


def _holds(one: Factor, cost: Symbol) -> bool:
    return any(part.has(cost) for part in (one.function, one.on.low, one.on.high))


def _factor_claims(one: Factor) -> Iterator[Claim]:
    yield NonNegative("costs are not negative", one.on.low)
    if one.on.high is not sympy.oo:
        yield Positive("the range of a cost has a length", one.on.high - one.on.low)
    yield NonNegative("a factor of the density is not negative", one.function, one.on)
    yield from antiderivative_claims(one.function, one.on, one.antiderivative)


def product_sum(found: ProductIntegral) -> Expr:
    """Add up the integrals over rectangles, each the product of those of its factors."""
    rises = [
        [increase(one.antiderivative, one.function, one.on) for one in pair] for pair in found.rectangles
    ]
    return sympy.Add(*[sympy.Mul(*pair) for pair in rises])


# ---- joint densities that are integrated over one cost at each value of the other


def _margins_claims(wanted: Plane, found: MarginIntegral) -> Iterator[Claim]:
    """By Tonelli's theorem the total over an area is that of the density of the held cost, which is not negative."""
    yield Same("every area is integrated", len(wanted.areas), len(found.margins))
    for area, one in zip(wanted.areas, found.margins, strict=False):
        yield from margin_claims(area, one)
        yield from antiderivative_claims(one.density, one.held, one.over)
    yield Equal("the total probability of the joint density is 1", margin_sum(found), ONE)


def margin_claims(area: Area, one: Margin) -> Iterator[Claim]:
    """The area is where one cost is between numbers, and the one integrated over between functions of it."""
    held, other = one.held, one.other
    costs = (held.variable, other.variable)
    yield Same("one cost is held and the other one is integrated over", costs in ((c0, c1), (c1, c0)), True)
    yield Same("the ends of a range are numbers", _is_bounded_by(held, c0, c1), False)
    yield Same(
        "the ends of the other range depend on the held cost", _is_bounded_by(other, other.variable), False
    )
    inside = (*held.facts, *other.facts)
    for gap in area.constraints:
        yield Positive("both ranges are inside the area", gap, None, inside)
    for gap in inside:
        yield Positive("the area is inside both ranges", gap, None, area.constraints)
    if other.high is not sympy.oo:
        yield NonNegative("the ends of the other range ascend", other.high - other.low, held)
    yield from _within_claims(area, one)


def _is_bounded_by(on: Interval, *costs: Symbol) -> bool:
    return any(end.has(*costs) for end in (on.low, on.high))


def _within_claims(area: Area, one: Margin) -> Iterator[Claim]:
    yield from integral_claims("the density", one.within, area.density, one.other, one.held)
    infinite = any(map(_is_infinite, (one.within.at_low, one.within.at_high)))
    yield Same("the antiderivative is finite at both ends", infinite, False)


def margin_sum(found: MarginIntegral) -> Expr:
    """Add up the totals of the densities of c0."""
    return sympy.Add(*[increase(one.over, one.density, one.held) for one in found.margins])


# ---- joint densities on other regions


def sheets_of(wanted: Plane) -> tuple[Sheet, ...]:
    """Write the density itself in s and c1, not times the total cost as the expected loss has it."""
    return tuple(
        Sheet(
            JACOBIAN,
            at_threshold(area.density) * JACOBIAN,
            in_threshold(area),
        )
        for area in wanted.areas
    )


def paired(sheets: tuple[Sheet, ...], slices: tuple[tuple[Slice, ...], ...]) -> list[tuple[Sheet, Slice]]:
    """Return each slice with its sheet."""
    return [(sheet, piece) for sheet, parts in zip(sheets, slices, strict=False) for piece in parts]


def range_of(piece: Slice) -> Interval:
    """Return the interval of s of a slice."""
    return Interval(s, piece.low, piece.high)


def _plane_claims(wanted: Plane, found: PlaneIntegral, given: Given) -> Iterator[Claim]:
    sheets = sheets_of(wanted)
    yield Same("every area is sliced", len(sheets), len(found.slices))
    for area, sheet, parts in zip(wanted.areas, sheets, found.slices, strict=False):
        density = at_threshold(area.density) * Derivative(COST0, s)
        yield Equal("the density in s and c1", sheet.integrand, density, UNIT)
        yield from covering([(piece.low, piece.high) for piece in parts])
        for piece in parts:
            yield from slice_claims(sheet, piece)
    pairs = paired(sheets, found.slices)
    counts = (len(found.inner), len(found.outer))
    yield Same("every slice is integrated twice", counts, (len(pairs),) * 2)
    yield Same("in its own slice", tuple(x.slice for x in found.inner), tuple(piece for _, piece in pairs))
    for (sheet, _), inner, outer in zip(pairs, found.inner, found.outer, strict=False):
        yield from inner_claims(sheet, inner, given)
        yield from antiderivative_claims(inner.value, range_of(inner.slice), outer)
    yield Equal(_plane_what(found), plane_sum(found), ONE)


def plane_sum(found: PlaneIntegral) -> Expr:
    """Add up the integrals over s of what is left of each slice."""
    parts = zip(found.inner, found.outer, strict=False)
    return sympy.Add(*[increase(outer, inner.value, range_of(inner.slice)) for inner, outer in parts])


def _plane_what(found: PlaneIntegral) -> str:
    if any(one.function is None for one in found.outer):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability of the joint density is 1"


# ---- totals that are not 1
