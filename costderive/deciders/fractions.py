"""Rational functions as a polynomial over powers of polynomials: sums of them need no greatest common divisor."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from operator import mul

from sympy import Add, Expr, Mul, Pow, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed
from sympy.polys.rings import PolyElement, PolyRing

Fraction = tuple[PolyElement, Counter[PolyElement]]  # the numerator, and the powers below it


def fraction(expr: Expr, ring: PolyRing) -> Fraction:
    """Write a rational function over the rationals as a fraction, in which nothing is cancelled.

    Raises:
        CoercionFailed: if it is none, in the letters of the ring.
        ZeroDivisionError: if a denominator is zero.
    """
    if isinstance(expr, Rational) and expr.is_finite:
        return ring.domain_new(ring.domain.from_sympy(expr)) * ring.one, Counter()
    if isinstance(expr, Symbol) and expr in ring.symbols:
        return ring.gens[ring.symbols.index(expr)], Counter()
    if isinstance(expr, Add):
        return _sum([fraction(arg, ring) for arg in expr.args], ring)
    if isinstance(expr, Mul):
        return reduce(_product, (fraction(arg, ring) for arg in expr.args))
    if isinstance(expr, Pow) and expr.exp.is_Integer:
        return _power(fraction(expr.base, ring), int(expr.exp), ring)
    raise CoercionFailed(f"{expr} is no rational function")


def expanded(factors: Counter[PolyElement], ring: PolyRing) -> PolyElement:
    """Multiply out powers."""
    return reduce(mul, (factor**power for factor, power in factors.items()), ring.one)


def _product(first: Fraction, second: Fraction) -> Fraction:
    return first[0] * second[0], first[1] + second[1]


def _sum(parts: list[Fraction], ring: PolyRing) -> Fraction:
    below = reduce(lambda one, other: one | other, (bottom for _, bottom in parts))
    return sum((top * expanded(below - bottom, ring) for top, bottom in parts), ring.zero), below


def _power(base: Fraction, exponent: int, ring: PolyRing) -> Fraction:
    top, bottom = base
    powers = Counter({factor: abs(exponent) * power for factor, power in bottom.items()})
    if exponent >= 0:
        return top**exponent, powers
    if top == 0:
        raise ZeroDivisionError
    return expanded(powers, ring), Counter() if top.is_ground and top == 1 else Counter({top: -exponent})
