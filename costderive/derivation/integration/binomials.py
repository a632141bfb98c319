"""Antiderivatives of rational functions over ``A + B x^n``, n > 2, by incomplete Beta functions of fractions.

With ``w = (B/A) x^n`` a fraction ``x^m/(A + B x^n)^j`` is, up to a constant, ``w^(f - 1)/(1 + w)^j dw`` for a fraction
f below j, and in ``z = w/(1 + w)`` it is ``z^(f - 1) (1 - z)^(j - f - 1) dz``. These are led back to ``B_z(f, 1 - f)``
for ``0 < f < 1``, the whole of which is ``pi/sin(pi f)``; for f = 1/2 it is an arc tangent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Add, Expr, Mul, Poly, Rational, Symbol

from costderive.core.piecewise import Given
from costderive.deciders.signs import positive

LOWEST, HIGHEST = 3, 12  # degrees; others see what is elementary below


@dataclass(frozen=True, slots=True)
class Binomial:
    """``start + slope x^degree``, both numbers positive."""

    start: Expr
    slope: Expr
    degree: int

    def power(self, f: Expr, x: Symbol) -> Expr:
        """Return ``w^f`` for ``w = (slope/start) x^degree``."""
        return (self.slope / self.start) ** f * x ** (self.degree * f)

    def beta(self, a: Expr, b: Expr, x: Symbol) -> Expr:
        """Return ``B_z(a, b)`` up to a constant for fractions a and b whose sum is a positive whole number."""
        w = self.power(sympy.S.One, x)
        if a > 1 and a + b > 1:
            lower = (a - 1) * self.beta(a - 1, b, x)
            return (lower - self.power(a - 1, x) / (1 + w) ** (a + b - 1)) / (a + b - 1)
        if b > 1:
            lower = (b - 1) * self.beta(a, b - 1, x)
            return (lower + self.power(a, x) / (1 + w) ** (a + b - 1)) / (a + b - 1)
        if a == b:
            return 2 * sympy.atan(self.power(a, x))
        return sympy.betainc(a, b, 0, sympy.cancel(w / (1 + w)))


def over_binomials(f: Expr, x: Symbol, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a rational function, or ``None`` if it has other denominators.

    >>> x = Symbol("x", positive=True)
    >>> over_binomials(4 * x**2 / (1 + x**4), x)
    betainc(3/4, 1/4, 0, x**4/(x**4 + 1))
    """
    degrees = _degrees(f, x) if f.is_rational_function(x) else set()
    if not degrees or not LOWEST <= max(degrees) <= HIGHEST:
        return None
    same = len(degrees) == 1
    parts = _parts_in_power(f, x, *degrees) if same else Add.make_args(sympy.apart(sympy.cancel(f), x))
    found = [_of_fraction(part, x, given) for part in parts]
    return None if None in found else Add(*found)


def _degrees(f: Expr, x: Symbol) -> set[int]:
    """Return the degrees of the factors of a denominator as it is written, none if one is no binomial."""
    bases = [part.as_base_exp()[0] for part in Mul.make_args(sympy.denom(sympy.together(f))) if part.has(x)]
    lines = [Poly(base, x) for base in bases]
    return {line.degree() for line in lines} if all(len(line.terms()) == 2 for line in lines) else set()


def _parts_in_power(f: Expr, x: Symbol, n: int) -> Iterator[Expr]:
    """Yield partial fractions in ``x^n``, for each remainder of the powers of x above."""
    top, bottom = sympy.fraction(sympy.together(f))
    y, tops = Symbol("_y", positive=True), defaultdict[int, Expr](lambda: sympy.S.Zero)
    for (m,), c in Poly(top, x).terms():
        tops[m % n] += c * y ** (m // n)
    below = bottom.replace(lambda node: node.is_Pow and node.base == x, lambda node: y ** (node.exp / n))
    for rest, above in tops.items():
        for part in Add.make_args(sympy.apart(sympy.cancel(above / below), y)):
            yield x**rest * part.subs(y, x**n)


def _of_fraction(part: Expr, x: Symbol, given: Given) -> Expr | None:
    """Integrate a polynomial over a power of one binomial, term by term."""
    top, bottom = sympy.fraction(sympy.together(part))
    constant, moving = bottom.as_independent(x, as_Add=False)
    base, order = moving.as_base_exp()
    line = Poly(base, x)
    ends = line.nth(0), line.LC()
    if not (order.is_Integer and len(line.terms()) == 2 and all(positive(end, None, given) for end in ends)):
        return None
    binomial = Binomial(*ends, line.degree())
    found = [_of_power(m, binomial, order, x) for (m,), _ in Poly(top, x).terms()]
    factors = [c / constant for _, c in Poly(top, x).terms()]
    return None if None in found else Add(*[c * value for c, value in zip(factors, found, strict=True)])


def _of_power(m: int, binomial: Binomial, order: Expr, x: Symbol) -> Expr | None:
    """Integrate ``x^m/(A + B x^n)^order``."""
    first, total = Rational(m + 1, binomial.degree), binomial.start + binomial.slope * x**binomial.degree
    if not first.is_Integer:
        scale = (binomial.start / binomial.slope) ** first / binomial.start**order / binomial.degree
        return scale * binomial.beta(first, order - first, x) if first < order else None
    whole = sympy.log(total) if order == 1 else total ** (1 - order) / (1 - order)
    return whole / (binomial.degree * binomial.slope) if first == 1 else None
