"""Antiderivatives by the product rule: ``g' h + g h'`` is the slope of ``g h``, as in the law of a maximum."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Mul, Symbol

from costderive.core.derivatives import derivative
from costderive.core.piecewise import Given, Interval
from costderive.deciders.enclosure import differ
from costderive.deciders.identities import zero


def by_product_rule(f: Expr, on: Interval, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a sum of which a factor of one term has a slope that divides the others.

    >>> from sympy import erf, exp, oo, pi, sqrt
    >>> x = Symbol("x", positive=True)
    >>> by_product_rule(2 * exp(-(x**2)) / sqrt(pi) * (1 - 1 / x) + erf(x) / x**2, Interval(x, sympy.S.One, oo))
    (1 - 1/x)*erf(x)
    """
    x = on.variable
    constant, moving = f.as_independent(x, as_Add=False)
    for factor, shared, rest in _factors(moving, x):
        slope = derivative(factor, x)
        if differ(derivative(rest / slope, x), shared, on, given):
            continue
        beside = sympy.powsimp(_as_product(rest) / _as_product(slope), combine="exp")
        if zero(derivative(beside, x) - shared, on, given):
            return constant * beside * factor
    return None


def _factors(f: Expr, x: Symbol) -> Iterator[tuple[Expr, Expr, Expr]]:
    """Yield each factor that x is in with the sum of what stands beside it, and with that of the other terms."""
    terms = {term: Mul.make_args(term) for term in Add.make_args(f)}
    for factor in dict.fromkeys(factor for factors in terms.values() for factor in factors if factor.has(x)):
        shared = [term for term, factors in terms.items() if factor in factors]
        if len(shared) < len(terms):
            yield factor, Add(*[term / factor for term in shared]), f - Add(*shared)


def _as_product(expr: Expr) -> Expr:
    return sympy.powsimp(sympy.factor_terms(expr), combine="exp")
