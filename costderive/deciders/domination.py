"""Bounds for an integral with a parameter, ``integral of |g(c, s)| dc <= constant * k(s)`` for 0 < s < 1.

Each factor that depends on both variables has a bound that does not, or is a product; what results is a product
``h(c) k(s)``. With ``h`` integrable this bounds the integral, and it is continuous in s by dominated convergence.

Source: Folland (1999), Real Analysis, theorem 2.27.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import sympy
from sympy import Dummy, Expr, Integral, Mul, Pow, Rational, Symbol, oo

from costderive.core.piecewise import Given, Interval
from costderive.deciders.signs import nonnegative

_r = Dummy("r", positive=True)
ZERO, ONE = sympy.S.Zero, sympy.S.One


def majorants(integral: Integral, s: Symbol, given: Given) -> Iterator[tuple[Expr, Interval, Expr]]:
    """Yield ``h(c)``, an interval that holds the range of c, and ``k(s)``, such that ``|g| <= |h k|``.

    If c runs over all positive numbers, so does c in units of ``(1 - s)/s``, which gives a second bound.
    """
    (c, low, high), *more = integral.limits
    inside = given.also(positive=(1 - s,))
    if more or not (s.is_positive and c.is_positive and nonnegative(low, None, inside)):
        return
    if s in low.free_symbols | high.free_symbols:
        low, high = ZERO, oo
    units = (ONE, (1 - s) / s) if (low, high) == (ZERO, oo) else (ONE,)
    for unit, (writing, bound) in product(units, WAYS):
        scaled = (unit * integral.function.subs(c, c * unit)).subs(1 - s, _r)
        parts = _separated(writing(scaled), c, {s, _r}, bound, given)
        if parts is not None:
            yield parts[0], Interval(c, low, high), parts[1].subs(_r, 1 - s)


def _multiplied_out(expr: Expr) -> Expr:
    return expr.replace(sympy.exp, lambda exponent: sympy.exp(sympy.expand(exponent)))


def _as_it_stands(expr: Expr) -> Expr:
    return expr


def _separated(
    expr: Expr, c: Symbol, outer: set[Symbol], bound: Bound, given: Given
) -> tuple[Expr, Expr] | None:
    """Return ``h(c)`` and ``k(s)`` with a product that is at least the expression, or ``None``."""

    def mixed(factor: Expr) -> bool:
        return c in factor.free_symbols and bool(outer & factor.free_symbols)

    bounds = [bound(factor, given) if mixed(factor) else factor for factor in _factors(expr)]
    factors = list(_factors(Mul(*[found for found in bounds if found is not None])))
    if None in bounds or any(map(mixed, factors)):
        return None
    of_outer = [factor for factor in factors if outer & factor.free_symbols]
    return Mul(*[factor for factor in factors if factor not in of_outer]), Mul(*of_outer)


def _factors(expr: Expr) -> Iterator[Expr]:
    """Split a product, its powers over their bases, and its exponentials over the terms of their exponents."""
    for factor in Mul.make_args(sympy.expand_power_base(expr)):
        if isinstance(factor, sympy.exp):
            yield from (sympy.exp(term) for term in sympy.Add.make_args(factor.args[0]))
        else:
            yield factor


@dataclass(frozen=True, slots=True)
class Bound:
    """``exp(-x) <= (n/e)^n x^(-n)`` and ``(1 + x)^(-n) <= x^(-share n)`` for ``x >= 0``, n > 0, a share from 0 to 1."""

    n: Expr
    share: Expr

    def __call__(self, factor: Expr, given: Given) -> Expr | None:
        """Return the bound of a factor, ``None`` if it is of neither kind."""
        if isinstance(factor, sympy.exp):
            x = -factor.args[0]
            return (self.n / sympy.E) ** self.n * x**-self.n if nonnegative(x, None, given) else None
        if isinstance(factor, Pow) and factor.exp.is_negative and nonnegative(factor.base - 1, None, given):
            return (factor.base - 1) ** (self.share * factor.exp)
        return None


WAYS = (
    *((_multiplied_out, Bound(Rational(n, 2), ZERO)) for n in (0, 1, 3, 5, 9, 15)),
    *((_as_it_stands, Bound(ZERO, Rational(n, 4))) for n in range(4)),
)
