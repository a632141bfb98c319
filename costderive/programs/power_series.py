"""Power series of a loss in the distance from the end where it is 0, where its closed form would cancel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import gcd
from typing import Any

import mpmath
import sympy
from sympy import Expr, Integral, Rational

from costderive.core.piecewise import Piece
from costderive.core.symbols import p
from costderive.numeric.distance_trees import times_power
from costderive.numeric.parameter_trees import formula
from costderive.numeric.program_tree import Name, Node, Number, Program, number, product, total

NEAR_END = Rational(1, 8)  # a loss that starts from 0 uses its series up to here


@dataclass(frozen=True, slots=True)
class Series:
    """``factor * x**exponent * sum of coefficients[k] x**(k step)``."""

    factor: Expr
    exponent: float
    step: float
    coefficients: tuple[float, ...]

    def program(self, x: Node) -> Program:
        """Return the program of the series in x, its polynomial by Horner's rule."""
        steps = () if self.step == 1 else (("step", times_power(Number(1.0), x, self.step)),)
        power = Name("step") if steps else x
        *others, value = map(number, self.coefficients)
        for coefficient in reversed(others):
            value = total(product(value, power), coefficient)
        factor = formula(self.factor)
        found = value if self.factor == 1 else product(factor.result, value)
        return Program((*factor.steps, *steps), times_power(found, x, self.exponent))


def series_of(piece: Piece, label: int) -> Series | None:
    """Find the series in the distance x from the end where a loss is 0, if its closed form would cancel.

    ``label`` says of which class the loss is: that of class 0 starts from 0 at p = 0, that of class 1 at p
    = 1.
    """
    value = piece.value.subs(p, 1 - p) if label else piece.value
    factor, rest = sympy.factor_terms(value).as_independent(p, as_Add=False)
    length = piece.high - piece.low
    if (
        rest.is_rational_function(p)
        or rest.free_symbols != {p}
        or rest.func is sympy.log
        or rest.has(Integral)
    ):
        return None
    if length.free_symbols or length <= NEAR_END:
        return None
    factor, rest = (factor, rest) if factor.free_symbols else (sympy.S.One, factor * rest)
    found = _expansion(rest)
    return found and Series(factor, *found)


@lru_cache(maxsize=64)
def _expansion(function: Expr) -> tuple[float, float, tuple[float, ...]] | None:
    """Find exponent, step and coefficients of a series in p, or else in sqrt(p), that has 15 digits."""
    with mpmath.workdps(60):
        for root in (1, 2):
            in_root = sympy.lambdify(p, function.subs(p, p**root), "mpmath")
            exponents, coefficients = _taylor(in_root, mpmath.mpf(1) / 8 ** (1 / mpmath.mpf(root)))
            if exponents and _agrees(exponents, coefficients, in_root, root):
                step = reduce(gcd, [k - exponents[0] for k in exponents]) or 1
                chosen = range(exponents[0], exponents[-1] + 1, step)
                return exponents[0] / root, step / root, tuple(float(coefficients[k]) for k in chosen)
    return None


def _taylor(function: Callable[[Any], Any], end: Any) -> tuple[list[int], list[Any]]:
    """Find Taylor coefficients by Cauchy's integral over a circle, and which of them count up to ``end``."""
    radius, half = mpmath.mpf(2) / 5, 128
    circle = [
        radius * mpmath.expjpi((k + mpmath.mpf(1) / 2) / half) for k in range(half)
    ]  # the upper half is enough
    terms = [function(v) for v in circle]
    coefficients = []
    for _ in range(half // 2):
        coefficients.append(mpmath.fsum(terms).real / half)
        if abs(coefficients[-1]) < mpmath.mpf(10) ** -25 * max(map(abs, terms)):
            coefficients[-1] = mpmath.mpf(0)
        terms = [term / v for term, v in zip(terms, circle, strict=True)]
    sizes = [abs(coefficient) * end**k for k, coefficient in enumerate(coefficients)]
    kept = [k for k, size in enumerate(sizes) if size > max(sizes) * mpmath.mpf(10) ** -18]
    return kept, coefficients


def _agrees(exponents: list[int], coefficients: list[Any], function: Callable[[Any], Any], root: int) -> bool:
    """Return whether the series has 15 digits of the function, from the end of its range down to 1e-12."""
    for x in (mpmath.mpf(1) / 8, mpmath.mpf(1) / 11, mpmath.mpf(1) / 50, mpmath.mpf(10) ** -12):
        v = x ** (mpmath.mpf(1) / root)
        total, exact = mpmath.fsum(coefficients[k] * v**k for k in exponents), function(v)
        if abs(total - exact) > abs(exact) * mpmath.mpf(10) ** -15:
            return False
    return True
