"""Is a number made of radicals zero? An exact answer, by a bound below which no such number but zero can lie.

A number built from integers by sums, products, quotients and k-th roots is a quotient ``U/L`` of algebraic
integers. Let ``u`` and ``l`` bound ``U``, ``L`` and all their conjugates, and let ``D`` be the product of the
orders of the roots. The norm of ``U`` is a whole number, so that ``U/L`` is zero or at least
``1/(u^(D - 1) l)`` in size. The rules for ``u`` and ``l`` are those of Burnikel, Funke, Mehlhorn, Schirra and
Schmitt, A separation bound for real algebraic expressions, Algorithmica 55 (2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy
from mpmath import iv, mp
from sympy import Add, Expr, Mul, Pow, Rational

MAX_BITS = 100_000
GUARD_BITS = 128
SLACK_BITS = 20


@dataclass(frozen=True, slots=True)
class _Size:
    """Bounds of the logarithms to base 2 of ``u`` and ``l``, rounded up to whole numbers."""

    u: int
    l: int  # noqa: E741  the letter of the source

    def plus(self, other: _Size) -> _Size:
        return _Size(max(self.u + other.l, self.l + other.u) + 1, self.l + other.l)

    def times(self, other: _Size) -> _Size:
        return _Size(self.u + other.u, self.l + other.l)

    def inverse(self) -> _Size:
        return _Size(self.l, self.u)

    def root(self, k: int) -> _Size:
        """Both ``(U L^(k-1))^(1/k) / L`` and ``U / (U^(k-1) L)^(1/k)`` are the root; take the smaller one."""
        if self.u >= self.l:
            return _Size(-(-(self.u + (k - 1) * self.l) // k), self.l)
        return _Size(self.u, -(-((k - 1) * self.u + self.l) // k))


def vanishes(expr: Expr) -> bool:
    """Return whether ``expr`` is a real number made of rationals and roots that is certainly zero.

    >>> vanishes(sympy.sqrt(5 + 2 * sympy.sqrt(6)) - sympy.sqrt(2) - sympy.sqrt(3))
    True
    """
    if not made_of_roots(expr):
        return False
    size, order = _size(expr), _order(expr)
    bits = (order - 1) * size.u + size.l
    if bits > MAX_BITS:
        return False
    enclosed = _enclosed(expr, bits + GUARD_BITS)
    return enclosed is not None and abs(enclosed).b < iv.mpf(2) ** -bits


def plain(expr: Expr) -> Expr:
    """Write 0, 1 or -1 for what is made of roots and equal to it, in a number that may hold functions too.

    >>> plain(sympy.asin(sympy.sqrt(7) / sympy.sqrt(4 + sympy.sqrt(9)), evaluate=False))
    pi/2
    """
    if not expr.args or not expr.is_number or expr.has(sympy.Integral):
        return expr
    written = expr.func(*map(plain, expr.args))
    if not made_of_roots(written):
        return written
    if not any(isinstance(node, Pow) and node.base.args for node in sympy.preorder_traversal(written)):
        return sympy.radsimp(sympy.expand(written))
    return next((whole for whole in SMALL if vanishes(written - whole)), written)


SMALL = (sympy.S.Zero, sympy.S.One, sympy.S.NegativeOne)


def made_of_roots(expr: Expr) -> bool:
    """Return whether a number is made of rationals by sums, products and powers with rational exponents."""
    return all(
        isinstance(node, Rational | Add | Mul) or (isinstance(node, Pow) and node.exp.is_Rational)
        for node in sympy.preorder_traversal(expr)
    )


def _size(expr: Expr) -> _Size:
    if isinstance(expr, Rational):
        return _Size(_bits(expr.p), _bits(expr.q))
    if isinstance(expr, Add):
        return reduce(_Size.plus, map(_size, expr.args))
    if isinstance(expr, Mul):
        return reduce(_Size.times, map(_size, expr.args))
    base = _size(expr.base).root(expr.exp.q)
    raised = _Size(abs(expr.exp.p) * base.u, abs(expr.exp.p) * base.l)
    return raised if expr.exp.is_positive else raised.inverse()


def _bits(number: int) -> int:
    """Return the least whole number that is not less than the logarithm of ``|number|``; that of zero is 0."""
    return (abs(int(number)) - 1).bit_length() if number else 0


def _order(expr: Expr) -> int:
    """Return the product of the orders of all different roots."""
    roots = {(node.base, node.exp.q) for node in expr.atoms(Pow)}
    return int(sympy.prod([order for _, order in roots]))


def _enclosed(expr: Expr, bits: int) -> Any | None:
    before, iv.prec = iv.prec, bits
    try:
        return _interval(expr)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    finally:
        iv.prec = before


def _interval(expr: Expr) -> Any:
    if isinstance(expr, Rational):
        return iv.mpf(expr.p) / iv.mpf(expr.q)
    if isinstance(expr, Add):
        return sum((_interval(arg) for arg in expr.args), iv.mpf(0))
    if isinstance(expr, Mul):
        return reduce(lambda product, factor: product * factor, map(_interval, expr.args))
    return _power(_interval(expr.base), expr.exp)


def _power(base: Any, exponent: Rational) -> Any:
    if exponent.is_Integer:
        return base ** int(exponent)
    if not base.a > 0:
        raise ValueError("the root of a number that is not known to be positive")
    return _root(base ** int(exponent.p), int(exponent.q))


def _root(radicand: Any, order: int) -> Any:
    """Enclose the root of a positive number by two numbers whose powers lie below and above it."""
    with mp.workprec(iv.prec):
        width = mp.ldexp(1, SLACK_BITS - iv.prec)
        low, high = (mp.root(mp.mpf(end), order) for end in (radicand.a, radicand.b))
        found = iv.mpf([low * (1 - width), high * (1 + width)])
    if not ((iv.mpf(found.a) ** order).b <= radicand.a and (iv.mpf(found.b) ** order).a >= radicand.b):
        raise ValueError("a root less accurate than it should be")
    return found
