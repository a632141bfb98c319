"""The search for the total of each law of a context, which is 1, and for the expectations in it."""

from __future__ import annotations

from dataclasses import replace

import sympy
from sympy import Expr, Integral, Mul

from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import c0, c1
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    Area,
    ExpectedLoss,
    Factor,
    Plane,
    PlaneIntegral,
    ProductIntegral,
)
from costderive.costs.laws import Expectation
from costderive.costs.laws.total_probability import OF_DENSITY, OF_JOINT_DENSITY, differs_from_one
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative
from costderive.deciders.size import steep
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.take_expectation import TakeExpectation
from costderive.derivation.moves.total_integrals import (
    Found,
    in_order,
    integral_over,
    integrands,
    paired,
    plane_sum,
    product_sum,
    range_of,
    sheets_of,
    sides_of,
    sum_of,
)
from costderive.derivation.search.antiderived import line_candidates, lowered, searched, unit_candidates
from costderive.derivation.search.integrate_magnitude import integrated
from costderive.derivation.search.margins import range_of_cost, total_over_margins
from costderive.derivation.search.slices import sliced

ZERO, ONE = sympy.S.Zero, sympy.S.One

SECONDS = 20.0


def take_expectation(move: TakeExpectation, before: Context, given: Given) -> ExpectedLoss:
    """Write the expected loss, and integrate its laws as far as antiderivatives are found.

    Raises:
        SpecError: if one of the costs is always 0, or a total is not 1.
    """
    found = before.expected_loss()
    if not any(found.two_sided.parts):
        raise SpecError(
            "at all costs an error of class 0 or one of class 1 costs nothing",
            "Who knows that never makes the other one: there is nothing to score.",
        )
    return replace(found, totals=evaluated(before, given))


def evaluated(context: Context, given: Given) -> tuple[Found, ...]:
    """Integrate every law of a context, as far as antiderivatives are found.

    Raises:
        SpecError: if a total is not 1.
    """
    return tuple(_evaluated(wanted, context, given) for wanted in context.expectations())


def _evaluated(wanted: Expectation | Plane, context: Context, given: Given) -> Found:
    deadline = Deadline.after(SECONDS)
    found: Found = (
        _of_joint_density(wanted, context, given, deadline)
        if isinstance(wanted, Plane)
        else _along_line(wanted, given, deadline)
    )
    _require_value(wanted, found, given)
    return found


def _along_line(wanted: Expectation, given: Given, deadline: Deadline) -> tuple[Antiderivative, ...]:
    left = wanted.value.atoms(Integral)
    parts = integrands(wanted)
    found = tuple(
        Antiderivative()
        if integral_over(integrand, on) in left
        else searched(integrand, on, given, line_candidates, deadline)
        for integrand, on in parts
    )
    if wanted.is_total or zero(sum_of(wanted, found) - wanted.value, None, given):
        return found
    return tuple(lowered(one, *part, given) for one, part in zip(found, parts, strict=True))


def _of_joint_density(wanted: Plane, context: Context, given: Given, deadline: Deadline) -> Found:
    """Integrate in each cost alone, or first over that of which a context knows the conditional law, or over rays."""
    found = _by_factors(wanted, given, deadline)
    if found is not None:
        return found
    is_conditional = bool(context.conditionals())
    known = total_over_margins(context, wanted, given) if is_conditional else None
    if known is not None:
        return known
    over = _over_plane(wanted, given)
    if is_conditional or all(one.function is not None for one in over.outer):
        return over
    return total_over_margins(context, wanted, given) or over


def _by_factors(wanted: Plane, given: Given, deadline: Deadline) -> ProductIntegral | None:
    """Integrate a density in each cost alone, if every area is a rectangle with a product for its density."""
    found = [_factors(area, given, deadline) for area in wanted.areas]
    known = tuple(pair for pair in found if pair is not None)
    return ProductIntegral(known) if len(known) == len(found) else None


def _factors(area: Area, given: Given, deadline: Deadline) -> tuple[Factor, Factor] | None:
    ranges, functions = (range_of_cost(c0, area), range_of_cost(c1, area)), _separated(area.density)
    if functions is None or sides_of(*ranges) != in_order(area.constraints):
        return None
    below = nonnegative(-functions[0], ranges[0], given)  # then so is the other factor, and both are turned
    first, second = (
        Factor(f, on, searched(f, on, given, line_candidates, deadline))
        for f, on in zip([-f for f in functions] if below else functions, ranges, strict=True)
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


def _over_plane(wanted: Plane, given: Given) -> PlaneIntegral:
    sheets = sheets_of(wanted)
    slices = tuple(sliced(sheet, given) for sheet in sheets)
    pairs = paired(sheets, slices)
    try:
        inner = tuple(integrated(sheet, piece, given) for sheet, piece in pairs)
    except DivergentCostError:
        raise _wrong_total("infinity", "A joint density has a finite integral.") from None
    deadline = Deadline.after(SECONDS)
    outer = tuple(
        Antiderivative()
        if one.value.has(Integral)
        else searched(one.value, range_of(one.slice), given, unit_candidates, deadline)
        for one in inner
    )
    return PlaneIntegral(slices, inner, outer)


def _require_value(wanted: Expectation | Plane, found: Found, given: Given) -> None:
    """Refuse a total that is known exactly and is another number, for some letters at least."""
    if isinstance(wanted, Plane):
        total = _plane_total(found)
    elif wanted.is_total and isinstance(found, tuple):
        total = sum_of(wanted, found)
    else:
        return
    wrong = None if total.has(Integral) else differs_from_one(total, given)
    if wrong is not None:
        raise _wrong_total(wrong, OF_JOINT_DENSITY if isinstance(wanted, Plane) else OF_DENSITY)


def _plane_total(found: Found) -> Expr:
    match found:
        case PlaneIntegral():
            return plane_sum(found)
        case ProductIntegral():
            return product_sum(found)
    return ONE


def _wrong_total(total: str, remedy: str) -> SpecError:
    return SpecError(f"a law of the context has total probability {total}, not 1", remedy)
