"""Derivatives of long expressions. SymPy asks of every sum in them whether it is zero, and looks for roots for that."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Add, Expr, Function, Mul, Pow, Symbol


@lru_cache(maxsize=4096)
def derivative(expr: Expr, x: Symbol) -> Expr:
    """Return the derivative of an expression in x.

    >>> x = Symbol("x")
    >>> derivative(x**2 * sympy.exp(3 * x), x)
    3*x**2*exp(3*x) + 2*x*exp(3*x)
    """
    if not expr.has(x):
        return sympy.S.Zero
    if isinstance(expr, Add):
        return Add(*[derivative(arg, x) for arg in expr.args])
    if isinstance(expr, Mul):
        return Add(*[_one_factor(expr, number, x) for number in range(len(expr.args))])
    if isinstance(expr, Pow) and not expr.exp.has(x):
        return expr.exp * expr.base ** (expr.exp - 1) * derivative(expr.base, x)
    if isinstance(expr, Function) and len(expr.args) == 1:
        return expr.fdiff() * derivative(expr.args[0], x)
    return expr.diff(x)


def _one_factor(expr: Mul, number: int, x: Symbol) -> Expr:
    before, factor, after = expr.args[:number], expr.args[number], expr.args[number + 1 :]
    return Mul(*before, derivative(factor, x), *after)
