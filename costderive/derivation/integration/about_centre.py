"""Polynomials times a root of a quadratic without real roots: incomplete Beta functions on each side of its centre."""

from __future__ import annotations

import sympy
from sympy import Add, Dummy, Expr, Mul, Poly, Symbol

from costderive.core.piecewise import Given
from costderive.derivation.integration.primitive_table import primitive
from costderive.rules import odds_form

_y = Symbol("_y", positive=True)


def centre_of(expr: Expr, x: Symbol) -> Expr | None:
    """Return the centre of the quadratic in ``polynomial * quadratic^r``, for a fraction r that is no half.

    >>> x = Symbol("x", positive=True)
    >>> centre_of(x * (x**3 + (1 - x) ** 3) ** sympy.Rational(-1, 3), x)
    1/2
    """
    found = _split(expr, x)
    return None if found is None else _centre(found[1])


def primitive_beside_centre(expr: Expr, x: Symbol, side: int, given: Given) -> Expr | None:
    """Integrate such a product below (side -1) or above (side 1) the centre."""
    found = _split(expr, x)
    if found is None:
        return None
    polynomial, quadratic, exponent = found
    centre = _centre(quadratic)
    shifted, root = (
        sympy.expand(part.as_expr().subs(x, centre + side * _y)) for part in (polynomial, quadratic)
    )
    terms = [primitive(c * _y**n * root**exponent, _y, given) for (n,), c in Poly(shifted, _y).terms()]
    return None if None in terms else _written(side * Add(*terms).subs(_y, side * (x - centre)), x, given)


def _written(found: Expr, x: Symbol, given: Given) -> Expr:
    """Factor the bases of powers and the arguments of functions: near the centre none of them cancels."""
    functions = {node: Dummy("b", real=True) for node in found.atoms(sympy.betainc)}
    shown = {
        letter: node.func(*node.args[:3], sympy.factor(node.args[3])) for node, letter in functions.items()
    }
    powers = odds_form.powers_split(sympy.expand(found.xreplace(functions)), x, given)
    return sympy.powsimp(powers).xreplace(shown)


def _centre(quadratic: Poly) -> Expr:
    lead, slope, _ = quadratic.all_coeffs()
    return sympy.cancel(-slope / (2 * lead))


def _split(expr: Expr, x: Symbol) -> tuple[Poly, Poly, Expr] | None:
    roots, rest = sympy.sift(Mul.make_args(expr), lambda part: _is_root(part, x), binary=True)
    if len(roots) != 1 or not all(part.is_polynomial(x) for part in rest):
        return None
    base, exponent = roots[0].as_base_exp()
    quadratic = Poly(base, x)
    if quadratic.degree() != 2 or not (-quadratic.discriminant()).is_positive:
        return None
    return Poly(Mul(*rest), x), quadratic, exponent


def _is_root(part: Expr, x: Symbol) -> bool:
    base, exponent = part.as_base_exp()
    return bool(base.has(x) and base.is_polynomial(x) and exponent.is_Rational and exponent.q > 2)
