"""The sign of polynomials of degree 2 at most in the variable of an interval, by what they are at its ends.

Inside an interval a concave function is not below the lesser of its values at the ends, and a convex one not below its
tangent at an end. So signs are decided where the ends have roots of sums of letters.
"""

from __future__ import annotations

import sympy
from sympy import Expr, Poly, Symbol

from costderive.deciders.asking import Asking
from costderive.deciders.rational import is_rational, polynomial_factors

DEGREE = 2


def by_parabolas(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Return whether a product of such polynomials is certainly positive, or not negative."""
    on = ask.on
    if on is None or on.high is sympy.oo or (is_rational(on.low) and is_rational(on.high)):
        return False
    above, below = sympy.fraction(sympy.together(expr))
    if not all(part.is_polynomial(*part.free_symbols) for part in (above, below)):
        return False
    (first, upper), (second, lower) = polynomial_factors(above), polynomial_factors(below)
    alone = len(upper) + len(lower) == 1
    wanted = [*((x, n, strict) for x, n in upper if n % 2 or strict), *((x, n, True) for x, n in lower)]
    signs = [_sign(factor, is_strict, alone, ask) ** n for factor, n, is_strict in wanted]
    return bool(sympy.sign(first * second) * sympy.prod(signs) == 1)


def _sign(factor: Expr, strict: bool, alone: bool, ask: Asking) -> int:
    """Return the sign of a factor, 0 if it is not known; one of several may be decided in any way."""
    if alone:
        return next((sign for sign in (1, -1) if _is_above_0(sign * factor, strict, ask)), 0)
    known = ask.positive if strict else ask.nonnegative
    return next((sign for sign in (1, -1) if known(sign * factor)), 0)


def _is_above_0(poly: Expr, strict: bool, ask: Asking) -> bool:
    assert ask.on is not None
    x, beside = ask.on.variable, ask._replace(on=None, given=ask.given.without(ask.on.variable))
    if not poly.has(x) or not poly.is_polynomial(x) or sympy.degree(poly, x) > DEGREE:
        return False
    bend, slope = sympy.diff(poly, x, 2), sympy.diff(poly, x)
    if not all(
        beside.positive(below) or beside.positive(-below)
        for below in map(_denominator, (ask.on.low, ask.on.high))
    ):
        return False
    low, high = (_at_end(poly, x, end) for end in (ask.on.low, ask.on.high))
    slopes = _at_end(slope, x, ask.on.low), _at_end(-slope, x, ask.on.high)
    if beside.nonnegative(-bend):
        return _are_above_0([low, high], -bend, strict, beside)
    return beside.nonnegative(bend) and any(
        _are_above_0([value, inwards], bend, strict, beside)
        for value, inwards in zip((low, high), slopes, strict=True)
    )


def _are_above_0(numbers: list[Expr], bend: Expr, strict: bool, beside: Asking) -> bool:
    """Is none negative, and one of them, or the bend, positive if that is asked?"""
    return all(map(beside.nonnegative, numbers)) and (
        not strict or any(map(beside.positive, (*numbers, bend)))
    )


def _denominator(end: Expr) -> Expr:
    return sympy.fraction(sympy.together(end))[1]


def _at_end(poly: Expr, x: Symbol, end: Expr) -> Expr:
    """Return a polynomial at an end, times the square of the end's denominator."""
    top, bottom = sympy.fraction(sympy.together(end))
    return sympy.expand(
        sympy.Add(*[c * top**n * bottom ** (DEGREE - n) for (n,), c in Poly(poly, x).terms()])
    )
