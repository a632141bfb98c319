"""Exact values of expressions at points: fractions where all is rational, substitution elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import nan, prod

from sympy import Add, Expr, Float, Mul, Pow, Rational, Symbol

MAX_EXPONENT = 1000


def value_at(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Return ``expr.subs(values)``; many times faster where expression and values are rational."""
    try:
        exact = _fraction(expr, values)
    except (LookupError, ZeroDivisionError):
        return expr.subs(values)
    return Rational(exact.numerator, exact.denominator)


def _fraction(expr: Expr, values: Mapping[Symbol, Expr]) -> Fraction:
    """Raise ``LookupError`` where something is not rational, or has no value."""
    if isinstance(expr, Symbol):
        expr = values[expr]
    if isinstance(expr, Rational) and expr.is_finite:
        return Fraction(expr.p, expr.q)
    if isinstance(expr, Add):
        return sum((_fraction(arg, values) for arg in expr.args), Fraction(0))
    if isinstance(expr, Mul):
        return prod((_fraction(arg, values) for arg in expr.args), start=Fraction(1))
    if isinstance(expr, Pow) and expr.exp.is_Integer and abs(expr.exp) <= MAX_EXPONENT:
        return _fraction(expr.base, values) ** int(expr.exp)
    raise LookupError(expr)


def rough_value(expr: Expr, values: Mapping[Symbol, float]) -> float:
    """Return a value in doubles, in a fraction of the time where numbers are roots; ``nan`` if there is none."""
    try:
        return _rough(expr, values)
    except (LookupError, ArithmeticError, TypeError, ValueError):
        return nan


def _rough(expr: Expr, values: Mapping[Symbol, float]) -> float:
    """Raise ``LookupError`` for a letter without a value, and what Python raises where a number is no double."""
    if isinstance(expr, Symbol):
        return values[expr]
    if isinstance(expr, Add):
        return sum(_rough(arg, values) for arg in expr.args)
    if isinstance(expr, Mul):
        return prod(_rough(arg, values) for arg in expr.args)
    if isinstance(expr, Pow) and expr.exp.is_Rational:
        return float(_rough(expr.base, values) ** float(expr.exp))
    return float(expr.xreplace({letter: Float(value) for letter, value in values.items()}))
