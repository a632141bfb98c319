"""Limits of antiderivatives at infinity, read at 0 of the inverse of the parameter (``library/InverseParameter.v``).

There fractions, roots and angles are continuous: ``x/(x^2 + 1)`` is ``u/(1 + u^2)``, the angle of ``x`` a right one
less that of ``u``.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Dummy, Expr, Symbol

from costderive.publish.coq.endpoints import stays_plain

ZERO, ONE = sympy.S.Zero, sympy.S.One
IMPORTS = ("InverseParameter",)


@dataclass(frozen=True, slots=True)
class Inverted:
    """A function of the inverse of a parameter, and the parameter from which on it is the one that is sought."""

    formula: Expr
    start: Expr


def inverted(expr: Expr, x: Symbol) -> Inverted | None:
    """Return what an expression is of the inverse of a variable; ``None`` unless that is plainly continuous at 0."""
    large, starts = Dummy(), {ZERO}
    products = (sympy.expand(part, deep=False) for part in sympy.Add.make_args(expr))
    terms = [_term(part, x, large, starts) for found in products for part in sympy.Add.make_args(found)]
    if any(term is None for term in terms):
        return None
    found = sympy.Add(*terms)
    if sympy.simplify(found.coeff(large, 1)) != 0:
        return None
    formula = found.subs(large, ZERO)
    plain = all(stays_plain(node, ZERO, x) for node in sympy.preorder_traversal(formula))
    return Inverted(formula, sympy.Max(*starts)) if plain else None


def _term(part: Expr, x: Symbol, large: Symbol, starts: set[Expr]) -> Expr | None:
    """Return a product at the inverse, in which ``large`` is the logarithm of the variable."""
    found, power = ONE, ZERO
    for factor in sympy.Mul.make_args(part):
        taken = _factor(factor, x, large, starts)
        if taken is None:
            return None
        found, power = found * taken[0], power + taken[1]
    return found * x**power if (2 * power).is_Integer and power >= 0 else None


def _factor(factor: Expr, x: Symbol, large: Symbol, starts: set[Expr]) -> tuple[Expr, Expr] | None:
    """Return a factor at the inverse as another one times a power of the inverse."""
    if not factor.has(x):
        return factor, ZERO
    if isinstance(factor, sympy.log | sympy.atan):
        reverse = _reversed(factor.args[0], x)
        if reverse is None:
            return None
        if isinstance(factor, sympy.log):
            return sympy.log(reverse[0]) + reverse[1] * large, ZERO
        return _angle(reverse, x, starts)
    base, exponent = factor.as_base_exp()
    reverse = _reversed(base, x)
    if reverse is None or not exponent.is_Rational:
        return None
    return reverse[0] ** exponent, -reverse[1] * exponent


def _reversed(base: Expr, x: Symbol) -> tuple[Expr, Expr] | None:
    """Return a polynomial with its coefficients the other way round, and its degree."""
    if not base.is_polynomial(x):
        return None
    poly = sympy.Poly(base, x)
    return sympy.Poly(poly.all_coeffs()[::-1], x).as_expr(), sympy.Integer(poly.degree())


def _angle(reverse: tuple[Expr, Expr], x: Symbol, starts: set[Expr]) -> tuple[Expr, Expr] | None:
    """Return a right angle less that of the inverse of a line that rises."""
    line, degree = reverse
    slope, rest = line.subs(x, ZERO), sympy.diff(line, x)
    if degree != 1 or not slope.is_positive or not (rest.is_nonnegative or rest.is_number):
        return None
    turn = sympy.simplify(-rest / slope)
    starts.add(ZERO if rest.is_nonnegative else turn)
    return sympy.pi / 2 - sympy.atan(sympy.radsimp(x / slope) / (1 - turn * x)), ZERO
