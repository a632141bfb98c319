"""Signs of rational functions: of the irreducible factors of numerator and denominator, each by an exact method.

A factor is a given fact, has its real roots counted, or has only coefficients of one sign in variables that run over
the positive numbers. A pole inside the domain has no sign, so a factor of the denominator is never zero there.
"""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Add, Expr, Mul, Poly, Pow, Symbol

from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given, Interval
from costderive.deciders.algebraic import positive_throughout
from costderive.deciders.number_signs import is_number, number_sign
from costderive.deciders.orthant import nonnegative_coefficients
from costderive.deciders.refutation import settled
from costderive.deciders.sample_points import points
from costderive.deciders.size import steep


def is_rational(expr: Expr) -> bool:
    """Return whether an expression is a rational function of non-negative symbols with real coefficients."""
    if is_number(expr):
        return bool(expr.is_real and expr.is_finite)
    if isinstance(expr, Symbol):
        return bool(expr.is_nonnegative)
    if isinstance(expr, Pow):
        return bool(expr.exp.is_Integer) and is_rational(expr.base)
    return isinstance(expr, Add | Mul) and all(is_rational(arg) for arg in expr.args)


def rational(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    """Name the method that proves that a rational function is finite and has its sign, or return ``None``."""
    if not is_rational(expr) or steep(expr):
        return None
    if _given_fact(expr, given, strict):
        return "given fact"
    return _by_factors(expr, on, given, strict) or _on_a_line(expr, on, given, strict)


def rational_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    """Return 1, -1 or, if it is only known to be at least 0, 0."""
    if rational(expr, on, given, strict=True):
        return 1
    if rational(-expr, on, given, strict=True):
        return -1
    return 0 if rational(expr, on, given, strict=False) else None


def _on_a_line(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    tried = points(expr.free_symbols, on, given) if len(expr.free_symbols) == 1 else []
    if not tried or any(value_at(expr, point).is_negative for point in tried):
        return None
    return "real-root isolation" if settled(expr, on, given, strict=strict) else None


def _by_factors(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    try:
        coefficient, factors = _factor_list(expr)
    except sympy.PolynomialError:
        return None
    if coefficient == 0:
        return None if strict else "rational canonical form"
    sign, methods = number_sign(coefficient), {"structure"}
    for factor, multiplicity in factors.items():
        method, factor_sign = _factor_decision(factor, multiplicity, on, given, strict)
        if sign is None or method is None:
            return None
        sign, methods = sign * factor_sign, methods | {method}
    return " and ".join(sorted(methods - {"structure"})) or "structure" if sign == 1 else None


def _factor_list(expr: Expr) -> tuple[Expr, dict[Expr, int]]:
    """Factor a rational function; SymPy fails on a constant, as sqrt(pi), that stands beside or before a polynomial.

    Raises:
        sympy.PolynomialError: if it cannot be factored.
    """
    constant, found = sympy.S.One, dict[Expr, int]()
    for part, side in zip(map(sympy.expand, sympy.fraction(sympy.together(expr))), (1, -1), strict=True):
        before, moving = (
            (part, sympy.S.One) if part.is_number else part.as_independent(*part.free_symbols, as_Add=False)
        )
        number, factors = (sympy.S.One, []) if part.is_number else polynomial_factors(moving)
        constant *= (before * number) ** side
        for factor, multiplicity in factors:
            found[factor] = found.get(factor, 0) + side * multiplicity
    constant *= Mul(*[factor ** found.pop(factor) for factor in list(found) if factor.is_number])
    return constant, {factor: multiplicity for factor, multiplicity in found.items() if multiplicity}


def polynomial_factors(poly: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """Factor a polynomial, with letters for roots of numbers that are no numbers of algebra."""
    roots = [node for node in poly.atoms(Pow) if node.is_number and not node.base.is_rational]
    names = {root: sympy.Dummy() for root in roots}
    number, factors = sympy.factor_list(poly.xreplace(names))
    back = {name: root for root, name in names.items()}
    return number, [(factor.xreplace(back), multiplicity) for factor, multiplicity in factors]


def _factor_decision(
    factor: Expr, multiplicity: int, on: Interval | None, given: Given, strict: bool
) -> tuple[str | None, int]:
    """Return the method and the sign of a factor; one below a fraction line must not vanish."""
    if multiplicity > 0 and multiplicity % 2 == 0 and not strict:
        return "structure", 1
    for sign in (1, -1):
        method = _polynomial(sign * factor, on, given, strict or multiplicity < 0)
        if method:
            return method, sign ** (multiplicity % 2)
    return None, 0


@lru_cache(maxsize=4096)
def _polynomial(poly: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    poly = sympy.expand(poly)
    if poly.is_number:
        return "structure" if number_sign(poly) == 1 else None
    if _given_fact(poly, given, strict):
        return "given fact"
    if on is not None and _univariate(poly, on):
        return _sturm(Poly(poly, on.variable), on)
    if on is not None and poly.free_symbols == {on.variable} and positive_throughout(poly, on):
        return "zeros of the norm"
    if any(value_at(poly, point).is_negative for point in points(poly.free_symbols, on, given)):
        return None
    if nonnegative_coefficients(poly, *_between_polynomials(on, given), strict):
        return "non-negative coefficients"
    return "a completed square" if any(_definite(poly, x, given) for x in poly.free_symbols) else None


def _between_polynomials(on: Interval | None, given: Given) -> tuple[Interval | None, Given]:
    """Write an interval between fractions as facts, as far as their denominators have a known sign."""
    if on is None or all(end.is_polynomial() for end in (on.low, on.high)):
        return on, given
    known = [_cleared(fact, given) for fact in on.facts]
    return None, given.also(positive=tuple(fact for fact in known if fact is not None))


def _cleared(fact: Expr, given: Given) -> Expr | None:
    top, bottom = sympy.fraction(sympy.together(fact))
    sign = rational_sign(bottom, None, given)
    return sympy.expand(sign * top) if sign else None


def _definite(poly: Expr, x: Symbol, given: Given) -> bool:
    """Is it ``a x^2 + b x + c`` with ``a > 0`` and ``4 a c > b^2``, so positive whatever x is?"""
    if poly.diff(x, 3) != 0 or poly.diff(x, 2) == 0:
        return False
    a, b, c = (poly.coeff(x, n) for n in (2, 1, 0))
    return bool(rational(a, None, given, True) and rational(4 * a * c - b**2, None, given, True))


def _given_fact(poly: Expr, given: Given, strict: bool) -> bool:
    facts = given.positive if strict else given.positive + given.nonnegative
    return any(_positive_multiple(poly, sympy.expand(fact)) for fact in facts)


def _positive_multiple(poly: Expr, fact: Expr) -> bool:
    terms, others = poly.as_coefficients_dict(), fact.as_coefficients_dict()
    if set(terms) != set(others):
        return False
    ratios = {coefficient / others[monomial] for monomial, coefficient in terms.items()}
    return len(ratios) == 1 and number_sign(ratios.pop()) == 1


def _univariate(poly: Expr, on: Interval) -> bool:
    """Is it a polynomial in the variable alone over the rationals, on an interval with rational ends?"""
    if poly.free_symbols != {on.variable} or not on.low.is_Rational:
        return False
    coefficients = Poly(poly, on.variable).all_coeffs()
    return bool(on.high.is_Rational or on.high is sympy.oo) and all(c.is_Rational for c in coefficients)


def _sturm(poly: Poly, on: Interval) -> str | None:
    """Count the real roots in the open interval exactly, then look at one rational point."""
    bounded = on.high is not sympy.oo
    middle = (on.low + on.high) / 2 if bounded else on.low + 1
    roots = poly.count_roots(on.low, on.high if bounded else None)
    at_ends = len({end for end in (on.low, on.high) if end is not sympy.oo and poly.eval(end) == 0})
    return "real-root isolation" if roots == at_ends and poly.eval(middle) > 0 else None
