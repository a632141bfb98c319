"""Is a law a law? The certificate of a total, or of an expectation: antiderivatives with their limits at the ends.

Where a density is not negative and F is smooth inside an interval with ``F' = g f`` and finite limits at both ends, the
integral of ``g f`` is the difference of these limits. For a joint density that is done twice: in each cost alone for a
product of functions of one cost on a rectangle, else over c1 at a fixed cost proportion s, on slices that cover the
region, and then over s.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Derivative, Expr, Integral, Mul, Symbol

from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, s
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    Area,
    Factor,
    Plane,
    PlaneIntegral,
    ProductIntegral,
    Sheet,
    Slice,
)
from costderive.costs.laws import Expectation, x
from costderive.costs.laws.total_probability import OF_DENSITY, OF_JOINT_DENSITY, differs_from_one
from costderive.deciders.identities import zero
from costderive.deciders.size import steep
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.antiderived import line_candidates, lowered, searched, unit_candidates
from costderive.derivation.moves.change_of_variables import COST0, UNIT, at_threshold, in_threshold
from costderive.derivation.moves.integrate_magnitude import inner_claims, integrated
from costderive.derivation.moves.slices import covering, slice_claims, sliced
from costderive.proof.claims import Claim, Equal, NonNegative, Open, Positive, Regular, Same, Tends

ZERO, ONE = sympy.S.Zero, sympy.S.One
JACOBIAN = c1 / (1 - s) ** 2
SECONDS, SHARE_SECONDS = 20.0, 3.0

Found = tuple[Antiderivative, ...] | PlaneIntegral | ProductIntegral


def evaluated(context: Context, given: Given) -> tuple[Found, ...]:
    """Integrate every law of a context, as far as antiderivatives are found.

    Raises:
        SpecError: if a total is not 1.
    """
    return tuple(_evaluated(wanted, given) for wanted in context.expectations())


def _evaluated(wanted: Expectation | Plane, given: Given) -> Found:
    deadline = Deadline.after(SECONDS)
    found: Found = (
        _by_factors(wanted, given, deadline) or _over_plane(wanted, given, deadline)
        if isinstance(wanted, Plane)
        else _along_line(wanted, given, deadline)
    )
    _require_value(wanted, found, given)
    return found


def evaluation_claims(context: Context, found: tuple[Found, ...], given: Given) -> Iterator[Claim]:
    """Claim that every law of a context has the total 1, and that every expectation in it is what it is said to be."""
    wanted = context.expectations()
    if wanted and not found:
        yield Open("every law of the context has the total 1: no antiderivative is given that shows it")
        return
    yield Same("every law of the context is integrated", len(wanted), len(found))
    for one, integral in zip(wanted, found, strict=False):
        plane = isinstance(one, Plane)
        yield Same(
            "over an interval or the plane", isinstance(integral, PlaneIntegral | ProductIntegral), plane
        )
        if isinstance(one, Plane) and isinstance(integral, PlaneIntegral):
            yield from _plane_claims(one, integral, given)
        elif isinstance(one, Plane) and isinstance(integral, ProductIntegral):
            yield from _product_claims(one, integral)
        elif isinstance(one, Expectation) and isinstance(integral, tuple):
            yield from _line_claims(one, integral)


# ---- laws of one variable


def _along_line(wanted: Expectation, given: Given, deadline: Deadline) -> tuple[Antiderivative, ...]:
    left = wanted.value.atoms(Integral)
    parts = _integrands(wanted)
    found = tuple(
        Antiderivative()
        if _integral(integrand, on) in left
        else searched(integrand, on, given, line_candidates, deadline)
        for integrand, on in parts
    )
    if wanted.is_total or zero(_sum(wanted, found) - wanted.value, None, given):
        return found
    return tuple(lowered(one, *part, given) for one, part in zip(found, parts, strict=True))


def _integrands(wanted: Expectation) -> list[tuple[Expr, Interval]]:
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
    for (integrand, on), one in zip(_integrands(wanted), found, strict=False):
        yield from _antiderivative_claims(integrand, on, one)
    yield Equal(_what(wanted, found), _sum(wanted, found), wanted.value)


def _antiderivative_claims(integrand: Expr, on: Interval, found: Antiderivative) -> Iterator[Claim]:
    if found.function is None:
        yield Same(
            "without an antiderivative there are no limits", (found.at_low, found.at_high), (ZERO, ZERO)
        )
        yield Regular("what is integrated is smooth", integrand, on)
        yield Regular("the integral is finite", _integral(integrand, on), UNIT)
        return
    ends = (found.at_low, found.at_high)
    yield Equal("antiderivative of a density", Derivative(found.function, on.variable), integrand, on)
    yield Regular("the antiderivative is smooth between the ends", found.function, on)
    yield Tends("the antiderivative at the lower end", found.function, on.variable, on.low, "+", ends[0])
    yield Tends("the antiderivative at the upper end", found.function, on.variable, on.high, "-", ends[1])
    infinite = any(end.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan) for end in ends)
    yield Same("the antiderivative is finite at both ends", infinite, False)


def _sum(wanted: Expectation, found: tuple[Antiderivative, ...]) -> Expr:
    known = [wanted.function.subs(x, mass.value) * mass.probability for mass in wanted.law.masses]
    parts = zip(_integrands(wanted), found, strict=False)
    return sympy.Add(*known, *[_increase(one, integrand, on) for (integrand, on), one in parts])


def _increase(found: Antiderivative, integrand: Expr, on: Interval) -> Expr:
    return _integral(integrand, on) if found.function is None else found.at_high - found.at_low


def _integral(integrand: Expr, on: Interval) -> Expr:
    return Integral(integrand, (on.variable, on.low, on.high))


def _what(wanted: Expectation, found: tuple[Antiderivative, ...]) -> str:
    if not wanted.is_total:
        return "the expectation is the increase of the antiderivatives"
    if any(one.function is None for one in found):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability is 1"


# ---- joint densities that are products on rectangles


def _by_factors(wanted: Plane, given: Given, deadline: Deadline) -> ProductIntegral | None:
    """Integrate a density in each cost alone, if every area is a rectangle with a product for its density."""
    found = [_factors(area, given, deadline) for area in wanted.areas]
    known = tuple(pair for pair in found if pair is not None)
    return ProductIntegral(known) if len(known) == len(found) else None


def _factors(area: Area, given: Given, deadline: Deadline) -> tuple[Factor, Factor] | None:
    ranges, functions = (_range_of(c0, area), _range_of(c1, area)), _separated(area.density)
    if functions is None or _sides(*ranges) != _sorted(area.constraints):
        return None
    first, second = (
        Factor(f, on, searched(f, on, given, line_candidates, deadline))
        for f, on in zip(functions, ranges, strict=True)
    )
    both = first.antiderivative.function is not None and second.antiderivative.function is not None
    return (first, second) if both else None


def _separated(density: Expr) -> tuple[Expr, Expr] | None:
    """Write a density as a function of c0 times one of c1, if its factors are each of one of them."""
    plain = density.is_rational_function(c0, c1) and not steep(density)
    parts = Mul.make_args(sympy.factor(density) if plain else sympy.expand_power_exp(density))
    if any(part.has(c0) and part.has(c1) for part in parts):
        return None
    first = Mul(*[part for part in parts if part.has(c0)])
    return first, Mul(*[part for part in parts if not part.has(c0)])


def _range_of(cost: Symbol, area: Area) -> Interval:
    """Return the range that the constraints on a cost alone give it, as far as each says one end."""
    gaps = [gap for gap in area.constraints if gap.has(cost)]
    low = next((cost - gap for gap in gaps if not (cost - gap).has(c0, c1)), ZERO)
    high = next((gap + cost for gap in gaps if not (gap + cost).has(c0, c1)), sympy.oo)
    return Interval(cost, low, high)


def _sides(first: Interval, second: Interval) -> tuple[Expr, ...]:
    return _sorted((*first.facts, *second.facts))


def _sorted(constraints: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(sympy.ordered(constraints))


def _product_claims(wanted: Plane, found: ProductIntegral) -> Iterator[Claim]:
    """By Tonelli's theorem the total over a rectangle is the product of those of its factors, none negative."""
    yield Same("every area is a rectangle", len(wanted.areas), len(found.rectangles))
    for area, (first, second) in zip(wanted.areas, found.rectangles, strict=False):
        yield Same("each factor is of its own cost", (first.on.variable, second.on.variable), (c0, c1))
        yield Same("the area is the rectangle", _sorted(area.constraints), _sides(first.on, second.on))
        yield Same("each factor is of one cost alone", _holds(first, c1) or _holds(second, c0), False)
        product = first.function * second.function
        yield Equal("the density is the product", area.density, product, None, area.constraints)
        for one in (first, second):
            yield from _factor_claims(one)
    yield Equal("the total probability of the joint density is 1", _product_sum(found), ONE)


def _holds(one: Factor, cost: Symbol) -> bool:
    return any(part.has(cost) for part in (one.function, one.on.low, one.on.high))


def _factor_claims(one: Factor) -> Iterator[Claim]:
    yield NonNegative("costs are not negative", one.on.low)
    if one.on.high is not sympy.oo:
        yield Positive("the range of a cost has a length", one.on.high - one.on.low)
    yield NonNegative("a factor of the density is not negative", one.function, one.on)
    yield from _antiderivative_claims(one.function, one.on, one.antiderivative)


def _product_sum(found: ProductIntegral) -> Expr:
    rises = [
        [_increase(one.antiderivative, one.function, one.on) for one in pair] for pair in found.rectangles
    ]
    return sympy.Add(*[sympy.Mul(*pair) for pair in rises])


# ---- joint densities on other regions


def _over_plane(wanted: Plane, given: Given, deadline: Deadline) -> PlaneIntegral:
    sheets = _sheets(wanted)
    slices = tuple(sliced(sheet, given) for sheet in sheets)
    pairs = _paired(sheets, slices)
    try:
        inner = tuple(integrated(sheet, piece, given) for sheet, piece in pairs)
    except DivergentCostError:
        raise _wrong_total("infinity", "A joint density has a finite integral.") from None
    outer = tuple(
        Antiderivative()
        if one.value.has(Integral)
        else searched(one.value, _range(one.slice), given, unit_candidates, deadline)
        for one in inner
    )
    return PlaneIntegral(slices, inner, outer)


def _sheets(wanted: Plane) -> tuple[Sheet, ...]:
    """Write the density itself in s and c1, not times the total cost as the expected loss has it."""
    return tuple(
        Sheet(
            JACOBIAN,
            at_threshold(area.density) * JACOBIAN,
            in_threshold(area),
        )
        for area in wanted.areas
    )


def _paired(sheets: tuple[Sheet, ...], slices: tuple[tuple[Slice, ...], ...]) -> list[tuple[Sheet, Slice]]:
    return [(sheet, piece) for sheet, parts in zip(sheets, slices, strict=False) for piece in parts]


def _range(piece: Slice) -> Interval:
    return Interval(s, piece.low, piece.high)


def _plane_claims(wanted: Plane, found: PlaneIntegral, given: Given) -> Iterator[Claim]:
    sheets = _sheets(wanted)
    yield Same("every area is sliced", len(sheets), len(found.slices))
    for area, sheet, parts in zip(wanted.areas, sheets, found.slices, strict=False):
        density = at_threshold(area.density) * Derivative(COST0, s)
        yield Equal("the density in s and c1", sheet.integrand, density, UNIT)
        yield from covering([(piece.low, piece.high) for piece in parts])
        for piece in parts:
            yield from slice_claims(sheet, piece)
    pairs = _paired(sheets, found.slices)
    counts = (len(found.inner), len(found.outer))
    yield Same("every slice is integrated twice", counts, (len(pairs),) * 2)
    yield Same("in its own slice", tuple(x.slice for x in found.inner), tuple(piece for _, piece in pairs))
    for (sheet, _), inner, outer in zip(pairs, found.inner, found.outer, strict=False):
        yield from inner_claims(sheet, inner, given)
        yield from _antiderivative_claims(inner.value, _range(inner.slice), outer)
    yield Equal(_plane_what(found), _plane_sum(found), ONE)


def _plane_sum(found: PlaneIntegral) -> Expr:
    parts = zip(found.inner, found.outer, strict=False)
    return sympy.Add(*[_increase(outer, inner.value, _range(inner.slice)) for inner, outer in parts])


def _plane_what(found: PlaneIntegral) -> str:
    if any(one.function is None for one in found.outer):
        return "the total probability is 1, for which there is quadrature only: no antiderivative was found"
    return "the total probability of the joint density is 1"


# ---- totals that are not 1


def _require_value(wanted: Expectation | Plane, found: Found, given: Given) -> None:
    """Refuse a total that is known exactly and is another number, for some letters at least."""
    if isinstance(wanted, Plane):
        total = _plane_total(found)
    elif wanted.is_total and isinstance(found, tuple):
        total = _sum(wanted, found)
    else:
        return
    wrong = None if total.has(Integral) else differs_from_one(total, given)
    if wrong is not None:
        raise _wrong_total(wrong, OF_JOINT_DENSITY if isinstance(wanted, Plane) else OF_DENSITY)


def _plane_total(found: Found) -> Expr:
    match found:
        case PlaneIntegral():
            return _plane_sum(found)
        case ProductIntegral():
            return _product_sum(found)
    return ONE


def _wrong_total(total: str, remedy: str) -> SpecError:
    return SpecError(f"a law of the context has total probability {total}, not 1", remedy)
