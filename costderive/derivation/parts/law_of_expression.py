"""Laws of sums, products, ratios, extremes and other functions of independent quantities, in closed form.

An expression in which each quantity stands once, such as ``lost*margin + penalty`` or ``min(lost, limit)``, is read
from its leaves upwards. A function of one quantity carries its law along between the places where it turns; the density
of a sum or a product of two is an integral, which is kept only if its derivative is proved to be the integrand. What
comes out is a law like any other: that its density is nowhere negative and that its total is 1 is looked at here, and
claimed again by the derivation.

Source: Casella and Berger (2002), Statistical Inference, sections 2.1, 4.3 and 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, reduce

import sympy
from sympy import Add, Expr, Max, Min, Mul, S, Symbol

from costderive.core.errors import SpecError
from costderive.costs.laws import Law, Mass, require_law, x
from costderive.deciders.regularity import regular
from costderive.derivation.parts.functions_of_one import image
from costderive.derivation.parts.integrals import CLOSED
from costderive.derivation.parts.two_quantities import (
    convolved,
    extreme,
    multiplied,
    negative_low,
    of_difference,
)

Laws = Mapping[Symbol, Law]
COMBINED: Mapping[type[Expr], Callable[[Law, Law, str], Law]] = {
    Add: convolved,
    Mul: multiplied,
    Max: partial(extreme, Max),
    Min: partial(extreme, Min),
}


def law_of_expression(expr: Expr, laws: Laws, place: str) -> Law:
    """Return the law of an expression in independent quantities, each of which stands in it once.

    Raises:
        SpecError: if a quantity stands in two terms, a function is not seen to rise or to fall between the places where
            it turns, or no closed form is found.
    """
    found = _bounded_below(_law(sympy.factor_terms(expr), laws, place), expr, place)
    for part in found.spreads:
        if not regular(part.density, part.interval, found.given()):
            raise SpecError(f"{place}: its density {part.density} is not seen to be smooth", CLOSED)
    return require_law(found, place)


def _law(expr: Expr, laws: Laws, place: str) -> Law:
    inside = expr.free_symbols & set(laws)
    if not inside:
        return Law(masses=(Mass(expr, S.One),))
    if len(inside) == 1:
        part = inside.pop()
        return image(laws[part], expr.subs(part, x), place)
    if (whole := _only_quantity(expr, set(laws))) is not None:
        return _applied(whole, lambda inner: expr.subs(whole, inner), laws, place)
    if expr.func in COMBINED:
        return _combined(expr, laws, place)
    raise SpecError(
        f"{place}: {expr} has several uncertain quantities", "Write sums, products, ratios, min and max."
    )


def _only_quantity(expr: Expr, quantities: set[Symbol]) -> Expr | None:
    """Return what is in an expression, in one or several places, and holds all its uncertain quantities."""
    parts = (part for part in sympy.preorder_traversal(expr) if part != expr)
    return next((part for part in parts if not expr.subs(part, x).free_symbols & quantities), None)


def _combined(expr: Expr, laws: Laws, place: str) -> Law:
    """Combine the terms of a sum, the factors of a product or the arguments of an extreme one by one."""
    known, uncertain = sympy.sift(expr.args, lambda arg: not arg.free_symbols & set(laws), binary=True)
    if known:
        return _applied(expr.func(*uncertain), lambda inner: expr.func(inner, *known), laws, place)
    _require_once(expr, uncertain, set(laws), place)
    combine = COMBINED[expr.func]
    found = [_bounded_below(_law(arg, laws, place), expr, place) for arg in uncertain]
    return reduce(lambda whole, law: combine(whole, law, place), found)


def _require_once(expr: Expr, args: list[Expr], quantities: set[Symbol], place: str) -> None:
    seen: set[Symbol] = set()
    for arg in args:
        if twice := seen & arg.free_symbols & quantities:
            name = min(map(str, twice))
            raise SpecError(
                f"{place}: {name} stands more than once in {expr}", "Write it so that it stands once."
            )
        seen |= arg.free_symbols


def _bounded_below(law: Law, expr: Expr, place: str) -> Law:
    if S.NegativeInfinity in (low for low, _ in law.ends):
        raise SpecError(
            f"{place}: {expr} may be negative without bound",
            "Costs are at least 0: write abs(a - b) or max(a - b, 0) for a difference, or the law of what is meant.",
        )
    return law


def _applied(inner: Expr, function: Callable[[Expr], Expr], laws: Laws, place: str) -> Law:
    """Return the law of a function of what may be negative: x is positive, so that is x and its least value."""
    if (sides := _opposed(inner, laws, place)) is not None:
        return of_difference(function, *sides, place)
    law = _bounded_below(_law(inner, laws, place), inner, place)
    low = negative_low(law)
    return image(law.moved(1, -low) if low else law, function(x + low), place)


def _opposed(expr: Expr, laws: Laws, place: str) -> tuple[Law, Law] | None:
    """Return the laws of two quantities of which an expression is the difference, if the second has no bound."""
    kept, taken = sympy.sift(
        Add.make_args(expr), lambda term: not term.could_extract_minus_sign(), binary=True
    )
    above, below = Add(*kept), -Add(*taken)
    if not below.free_symbols & set(laws):
        return None
    _require_once(expr, [above, below], set(laws), place)
    first, second = (_bounded_below(_law(side, laws, place), expr, place) for side in (above, below))
    if not any(high is S.Infinity for _, high in second.ends):
        return None
    low = min(map(negative_low, (first, second)))
    return first.moved(1, -low), second.moved(1, -low)
