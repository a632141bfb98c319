"""Signs of algebraic functions of one variable: rational numbers, sums, products, quotients and square roots.

Where such a function is zero, so is its norm, the product of all that it is if the signs of its roots are changed. The
norm is a polynomial over the rationals. So a function that is real and continuous on an interval is positive there if
it is positive at one point inside, and at each zero of the norm.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import sympy
from sympy import Add, CRootOf, Expr, Mul, Poly, Pow, Rational, Symbol

from costderive.core.piecewise import Interval
from costderive.deciders.enclosure import enclose
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.number_signs import number_sign
from costderive.deciders.radicals import vanishes
from costderive.deciders.size import steep

MAX_ROOTS, MAX_DEGREE, MAX_SIZE = 4, 40, 600
FINE = Rational(1, 10**12)


@lru_cache(maxsize=4096)
def positive_throughout(expr: Expr, on: Interval) -> bool:
    """Return whether a function that is real and continuous on the open interval is certainly positive there."""
    if not _is_algebraic(expr, on.variable) or not _are_numbers(on):
        return False
    norm = _norm(expr, on.variable)
    if norm is None:
        return False
    return all(_positive_at(expr, on.variable, point) for point in (_point_inside(on), *_places(norm, on)))


def _is_algebraic(expr: Expr, x: Symbol) -> bool:
    return not steep(expr) and all(
        node == x
        or isinstance(node, Rational | Add | Mul)
        or (isinstance(node, Pow) and node.exp.is_Rational and (2 * node.exp).is_Integer)
        for node in sympy.preorder_traversal(expr)
    )


def _are_numbers(on: Interval) -> bool:
    return bool(on.low.is_number and on.low.is_finite and on.high.is_number)


def _norm(expr: Expr, x: Symbol) -> Poly | None:
    """Return a polynomial over the rationals that is zero wherever the function is, unless it is too large."""
    letters, roots = fresh("g", (expr,)), dict[Expr, Symbol]()

    def image(node: Expr) -> Expr:
        if not node.args:
            return node
        if isinstance(node, Pow) and not node.exp.is_Integer:
            letter = roots.setdefault(image(node.base), next(letters))
            return letter ** int(2 * node.exp)
        return node.func(*map(image, node.args))

    top = sympy.numer(sympy.together(image(expr)))
    if len(roots) > MAX_ROOTS:
        return None
    for base, letter in reversed(roots.items()):  # a root in a root comes after the one that it is in
        above, below = sympy.fraction(sympy.together(base))
        top = sympy.resultant(top, below * letter**2 - above, letter) if top.has(letter) else top
    norm = Poly(top, x)
    return None if norm.is_zero or norm.degree() > MAX_DEGREE or not norm.domain.is_Exact else norm


def _places(norm: Poly, on: Interval) -> Iterator[Expr]:
    """Yield the zeros of a polynomial that are not certainly outside the interval or one of its ends."""
    for factor, _ in norm.factor_list()[1]:
        for number, ((low, high), _) in enumerate(factor.intervals(eps=FINE)):
            if not _is_outside(factor, low, high, on):
                yield low if low == high else CRootOf(factor, number)


def _is_outside(factor: Poly, low: Rational, high: Rational, on: Interval) -> bool:
    """Is the one zero of an irreducible factor between two numbers beyond an end of the interval, or that end?"""
    ends = [end for end in (on.low, on.high) if end is not sympy.oo]
    beyond = number_sign(on.low - high) == 1 or (on.high is not sympy.oo and number_sign(low - on.high) == 1)
    return beyond or any(_is_zero_at(factor, low, high, end) for end in ends)


def _is_zero_at(factor: Poly, low: Rational, high: Rational, end: Expr) -> bool:
    within = number_sign(end - low) in (0, 1) and number_sign(high - end) in (0, 1)
    return within and vanishes(factor.as_expr().subs(factor.gen, end))


def _point_inside(on: Interval) -> Expr:
    return on.low + 1 if on.high is sympy.oo else (on.low + on.high) / 2


def _positive_at(expr: Expr, x: Symbol, point: Expr) -> bool:
    bounds = enclose(expr, {x: point})
    return bounds is not None and bool(bounds[0] > 0)
