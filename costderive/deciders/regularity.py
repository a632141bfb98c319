"""Is an expression real and analytic inside an interval? Decided part by part: every function here is analytic."""

from __future__ import annotations

import sympy
from sympy import Expr, Integral, Pow, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.exactness import of_exact_numbers
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.signs import nonnegative, positive, real, runs_where_it_may, through_parameters

ENTIRE = (sympy.exp, sympy.sin, sympy.cos, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc)


@of_exact_numbers(False)
def regular(expr: Expr, on: Interval, given: Given) -> bool:
    """Return whether every part of an expression is inside the domain where it is real and analytic.

    An integral counts as smooth in its end: that its integrand is integrable at the other end is not asked here.
    """
    if on.variable not in expr.free_symbols:
        return real(expr, None, given) or _constant_integrals(expr, on, given)
    moved = through_parameters(expr, on, given)
    if moved and moved[1] is not None and moved[1] != on:
        return regular(moved[0], moved[1], moved[2])
    if isinstance(expr, Integral):
        return _integral(expr, on, given)
    return _node(expr, on, given) and all(regular(arg, on, given) for arg in expr.args)


def _constant_integrals(expr: Expr, on: Interval, given: Given) -> bool:
    """A constant may hold integrals of functions that are smooth between their ends: numbers, of an open value.

    That they converge is not asked here.
    """
    integrals = outer_integrals(expr)
    letters = fresh("i", (expr,), on, given, real=True)
    images = {node: next(letters) for node in integrals}
    return bool(integrals) and (
        all(_smooth_between(node, given) for node in integrals) and real(expr.xreplace(images), None, given)
    )


def outer_integrals(expr: Expr) -> set[Integral]:
    """Return the integrals in an expression that are not in the integrand of another."""
    if isinstance(expr, Integral):
        return {expr}
    return set().union(*map(outer_integrals, expr.args))


def _smooth_between(node: Integral, given: Given) -> bool:
    (inner, low, high), *more = node.limits
    return not more and regular_integrand(node.function, Interval(inner, low, high), given.without(inner))


def _node(node: Expr, on: Interval, given: Given) -> bool:
    if isinstance(node, (Symbol, sympy.Add, sympy.Mul, *ENTIRE)):
        return True
    if isinstance(node, Pow):
        return _power(node, on, given)
    if isinstance(node, sympy.log):
        return positive(node.args[0], on, given) is not None
    if isinstance(node, sympy.Ei):
        return any(positive(sign * node.args[0], on, given) for sign in (1, -1))
    if isinstance(node, sympy.asin | sympy.acos):
        return positive(1 - node.args[0] ** 2, on, given) is not None
    if isinstance(node, sympy.erfinv):
        return real(node, on, given)
    if isinstance(node, sympy.uppergamma | sympy.lowergamma | sympy.expint):
        return _of_shape(node, on, given)
    return isinstance(node, sympy.betainc) and _beta(node, on, given)


def _of_shape(node: Expr, on: Interval, given: Given) -> bool:
    """``Gamma(a, y)`` and ``E_a(y)`` are smooth for y > 0 and a constant a, and so is ``gamma(a, y)`` for a > 0.

    At the shapes 0, -1, -2, ... ``gamma(a, y)`` is infinite, whatever y is.
    """
    shape, argument = node.args
    if isinstance(node, sympy.lowergamma) and not positive(shape, None, given):
        return False
    return positive(argument, on, given) is not None and not shape.has(on.variable)


def _power(node: Pow, on: Interval, given: Given) -> bool:
    if node.exp.is_Integer and node.exp.is_positive:
        return True
    if positive(node.base, on, given):
        return True
    return bool(node.exp.is_Integer and positive(-node.base, on, given))


def _beta(node: Expr, on: Interval, given: Given) -> bool:
    """``B_z(a, b)`` with constants a > 0 and b is smooth for 0 < z < 1."""
    first, second, low, z = node.args
    inside = positive(z, on, given) and positive(1 - z, on, given)
    constants = positive(first, None, given) and second.is_real and not (first * second).has(on.variable)
    return bool(inside and constants and low == 0)


def _integral(node: Integral, on: Interval, given: Given) -> bool:
    """An integral between an end of the interval and the variable, of an integrand that is smooth inside."""
    (inner, low, high), *more = node.limits
    ends = (low, high) in {(on.low, on.variable), (on.variable, on.high)}
    inside = Interval(inner, on.low, on.high)
    return bool(
        not more
        and ends
        and on.variable not in node.function.free_symbols
        and regular_integrand(node.function, inside, given.without(inner))
    )


@of_exact_numbers(False)
def regular_integrand(expr: Expr, on: Interval, given: Given) -> bool:
    """Return the same for an integrand, which may have as a factor an integral with its variable as a parameter.

    That this inner integral converges, and evenly so, is not asked here.
    """
    parts = sympy.Mul.make_args(expr)
    inner = [part for part in parts if isinstance(part, Integral) and on.variable in part.free_symbols]
    rest = sympy.Mul(*[part for part in parts if part not in inner])
    if not runs_where_it_may(on.variable, on.low, None, given):
        return False
    return regular(rest, on, given) and all(_continuous_under(part, on, given) for part in inner)


def _continuous_under(node: Integral, on: Interval, given: Given) -> bool:
    """Is the integrand smooth in both variables, for a parameter between 0 and 1, and so are the ends?"""
    (inner, low, high), *more = node.limits
    ends = [end for end in (low, high) if on.variable in end.free_symbols]
    return bool(
        not more
        and nonnegative(on.low, None, given)
        and nonnegative(1 - on.high, None, given)
        and nonnegative(low, on, given)
        and all(regular(end, on, given) for end in ends)
        and regular(node.function, on, given.without(inner).also(positive=(inner,)))
    )
