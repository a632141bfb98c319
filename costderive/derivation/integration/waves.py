"""Antiderivatives of damped waves: ``x^n exp(-k x) sin(a x + b)``, of a cosine too, for a whole number n."""

from __future__ import annotations

import sympy
from sympy import Expr, Mul, Symbol, cos, sin


def primitive_of_wave(term: Expr, x: Symbol) -> Expr | None:
    """Return an antiderivative of such a term, ``None`` of another one.

    >>> x = Symbol("x", positive=True)
    >>> primitive_of_wave(sympy.exp(-x) * sin(x), x)
    (-sin(x)/2 - cos(x)/2)*exp(-x)
    """
    waves, rest = sympy.sift(Mul.make_args(term), lambda factor: isinstance(factor, sin | cos), binary=True)
    if len(waves) != 1 or not _is_line(angle := waves[0].args[0], x):
        return None
    constant, moving = Mul(*rest).as_independent(x, as_Add=False)
    damped, powers = sympy.sift(
        Mul.make_args(moving), lambda factor: isinstance(factor, sympy.exp), binary=True
    )
    degree, exponent = _degree(Mul(*powers), x), sympy.Add(*[factor.exp for factor in damped])
    if degree is None or not (exponent == 0 or _is_line(exponent, x)):
        return None
    first = (1, 0) if isinstance(waves[0], sin) else (0, 1)
    weights = _weights(degree, first, sympy.diff(exponent, x), sympy.diff(angle, x), x)
    return constant * sympy.exp(exponent) * (weights[0] * sin(angle) + weights[1] * cos(angle))


def _weights(degree: int, of: tuple[Expr, Expr], k: Expr, a: Expr, x: Symbol) -> tuple[Expr, Expr]:
    """Integrate ``x^n exp(k x) (A sin + B cos)`` by parts; the slope of both waves without ``x^n`` is undone first."""
    first, second = of
    once = (k * first + a * second) / (a**2 + k**2), (k * second - a * first) / (a**2 + k**2)
    if degree == 0:
        return once
    rest = _weights(degree - 1, once, k, a, x)
    return x**degree * once[0] - degree * rest[0], x**degree * once[1] - degree * rest[1]


def _is_line(expr: Expr, x: Symbol) -> bool:
    return bool(expr.is_polynomial(x) and sympy.degree(expr, x) == 1)


def _degree(power: Expr, x: Symbol) -> int | None:
    base, exponent = power.as_base_exp()
    if power == 1:
        return 0
    return int(exponent) if base == x and exponent.is_Integer and exponent.is_positive else None
