"""Integrands as functions of the distance from an end of their range, so that what is 0 there keeps its digits."""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol

from costderive.core.symbols import p
from costderive.numeric.many_digits import r

DISTANCE = Symbol("d", positive=True)
EXPM1, LOG1P = sympy.Function("expm1"), sympy.Function("log1p")


def beside(integrand: Expr, x: Symbol, end: Expr, side: int) -> Expr:
    """Return an integrand in ``x``, ``p`` and ``r`` by the distance from an end that lies below (side 1) or above."""
    if end == 0:
        return integrand.xreplace({x: side * DISTANCE})
    moved = integrand.xreplace({x: end + side * DISTANCE})
    return moved.replace(lambda node: isinstance(node, sympy.Add) and node.has(DISTANCE), _cancelled)


def _cancelled(total: Expr) -> Expr:
    """Write a sum that is 0 at no distance as a product, or, if it has a power, by ``expm1`` and ``log1p``."""
    if total.is_rational_function(DISTANCE, p, r):
        plain = total.subs(r, 1 - p)
        vanishes = plain.is_Add and sympy.cancel(plain.subs(DISTANCE, 0)) == 0
        return in_r(sympy.factor(plain)) if vanishes else total
    for term in total.args:
        factor, power = term.as_independent(DISTANCE, as_Add=False)
        if isinstance(power, sympy.Pow) and -factor in total.args and not power.exp.has(DISTANCE):
            above = _cancelled(power.base - 1)
            if above.subs(DISTANCE, 0) == 0:
                return total - term + factor + factor * EXPM1(power.exp * LOG1P(above))
    return total


def in_r(expr: Expr) -> Expr:
    """Write ``a - a p`` as ``a r`` wherever it stands."""
    return expr.replace(_is_multiple_of_r, lambda node: node.coeff(p, 0) * r)


def _is_multiple_of_r(node: Expr) -> bool:
    """Return whether a sum is ``a - a p``."""
    return (
        isinstance(node, sympy.Add)
        and len(node.args) == 2
        and bool(node.coeff(p, 0) == -node.coeff(p, 1) != 0)
    )
