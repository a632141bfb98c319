"""Antiderivatives of rational functions whose poles are known, with letters: partial fractions, one pole at a time.

Near a pole r of order m the other factors are power series in ``t = x - r``, whose first m coefficients are the
numerators of ``1/t^m, ..., 1/t``: products of powers of differences of poles, which are kept as they stand.
"""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Poly, Symbol

from costderive.rules import odds_form

MAX_ORDER = 12
Series = list[Expr]


def over_linear_factors(f: Expr, x: Symbol) -> Expr | None:
    """Integrate a proper fraction whose denominator has linear factors only, or return ``None`` for any other.

    >>> x, a, b = sympy.symbols("x a b", positive=True)
    >>> over_linear_factors(1 / ((x + a) * (x + b)), x)
    -log((a + x)/(b + x))/(a - b)
    """
    if not f.is_rational_function(x):
        return None
    top, bottom = sympy.fraction(sympy.together(f))
    constant, factors = odds_form.factor_list(bottom)
    poles = [(Poly(factor, x).all_coeffs(), order) for factor, order in factors if factor.has(x)]
    rest = sympy.Mul(constant, *[factor**order for factor, order in factors if not factor.has(x)])
    orders = [order for _, order in poles]
    if any(len(line) != 2 for line, _ in poles) or not sum(orders) > 0 or max(orders) > MAX_ORDER:
        return None
    numerator = Poly(top, x)
    if numerator.degree() >= sum(orders):
        return None
    scale = sympy.Mul(rest, *[slope**order for (slope, _), order in poles])
    places = [(start / slope, order) for (slope, start), order in poles]
    found = [_at_pole(numerator, index, places) for index in range(len(places))]
    return _integrated(found, [factor for factor, _ in factors if factor.has(x)], x) / scale


def _at_pole(numerator: Poly, index: int, poles: list[tuple[Expr, int]]) -> Series:
    """Return the coefficients of ``1/t^m, ..., 1/t`` for ``t = x + a``, of ``numerator/product of (x + b)^n``."""
    a, order = poles[index]
    series = _shifted(numerator, -a, order)
    for other, power in (pole for place, pole in enumerate(poles) if place != index):
        series = _product(series, _power(sympy.factor(other - a), -power, order))
    return [sympy.factor(coefficient) for coefficient in series]


def _shifted(poly: Poly, place: Expr, order: int) -> Series:
    """Return the first coefficients of a polynomial in ``t = x - place``."""
    found, x = [], poly.gen
    for n in range(order):
        found.append(poly.as_expr().subs(x, place) / sympy.factorial(n))
        poly = poly.diff(x)
    return found


def _power(constant: Expr, exponent: int, order: int) -> Series:
    """Return the first coefficients of ``(constant + t)^exponent``."""
    return [sympy.binomial(exponent, n) * constant ** (exponent - n) for n in range(order)]


def _product(first: Series, second: Series) -> Series:
    return [Add(*[first[k] * second[n - k] for k in range(n + 1)]) for n in range(len(first))]


def _integrated(found: list[Series], lines: list[Expr], x: Symbol) -> Expr:
    """Add up ``c/t^j`` and the logarithms; where the residues cancel, these are of quotients that tend to 1 far out."""
    monic = [sympy.expand(line / Poly(line, x).LC()) for line in lines]
    total = sympy.S.Zero
    for series, t in zip(found, monic, strict=True):
        total += Add(
            *[c * t ** (n + 1 - len(series)) / (n + 1 - len(series)) for n, c in enumerate(series[:-1])]
        )
    residues = [series[-1] for series in found]
    if sympy.cancel(Add(*residues)) != 0:
        return total + Add(*[c * sympy.log(line) for c, line in zip(residues, lines, strict=True)])
    quotients = [sympy.factor(t / monic[-1]) for t in monic[:-1]]
    return total + Add(*[c * sympy.log(quotient) for c, quotient in zip(residues, quotients, strict=False)])
