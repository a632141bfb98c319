"""Antiderivatives by the product rule: ``g' h + g h'`` is the slope of ``g h``, as in the law of a maximum."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Mul, Symbol

from costderive.core.piecewise import Given, Interval
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
    for term, factor in _factors(moving, x):
        slope = _as_product(sympy.diff(factor, x))
        beside = sympy.powsimp(_as_product(moving - term) / slope, combine="exp")
        if zero(sympy.diff(beside, x) - term / factor, on, given):
            return constant * beside * factor
    return None


def _factors(f: Expr, x: Symbol) -> Iterator[tuple[Expr, Expr]]:
    """Yield the terms of a sum with each of their factors that x is in."""
    for term in f.args if isinstance(f, Add) else ():
        yield from ((term, factor) for factor in Mul.make_args(term) if factor.has(x))


def _as_product(expr: Expr) -> Expr:
    return sympy.powsimp(sympy.factor_terms(expr), combine="exp")
