"""Antiderivatives of rational functions whose poles are known, with letters: partial fractions, one pole at a time.

Near a pole r of order m the other factors are power series in ``t = x - r``, whose first m coefficients are the
numerators of ``1/t^m, ..., 1/t``: products of powers of differences of poles, which are kept as they stand.
"""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Poly, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.signs import nonnegative, positive
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


def over_quadratic_factors(f: Expr, on: Interval, given: Given) -> Expr | None:
    """Integrate a fraction whose denominator has factors of degree 2 at most, whose centres and sizes may be letters.

    >>> from costderive.core.symbols import c0, parameter
    >>> a = parameter("a")
    >>> over_quadratic_factors(1 / (c0**2 + a), Interval(c0, sympy.S.Zero, sympy.oo), Given())
    atan(c0/sqrt(a))/sqrt(a)
    """
    x = on.variable
    if not f.is_rational_function(x):
        return None
    parts = Add.make_args(sympy.apart(sympy.factor(f), x))
    found = [_part(part, on, given) for part in parts]
    return None if None in found else Add(*found)


def _part(part: Expr, on: Interval, given: Given) -> Expr | None:
    """Integrate a polynomial, or one over a power of a line or of a quadratic of higher degree than its own."""
    x = on.variable
    rest, fraction = part.as_independent(x, as_Add=False)
    top, bottom = sympy.fraction(fraction)
    if not bottom.has(x):
        return rest * sympy.integrate(fraction, x)
    base, order = bottom.as_base_exp()
    factor, above = Poly(base, x), Poly(top, x)
    if factor.degree() > 2 or above.degree() >= factor.degree():
        return None
    searched = _over_line if factor.degree() == 1 else _over_quadratic
    found = searched(above, factor.monic(), order, on, given)
    return None if found is None else rest * found / factor.LC() ** order


def _over_line(top: Poly, line: Poly, order: int, on: Interval, given: Given) -> Expr:
    return top.as_expr() * _of_slope(line.as_expr(), order, on, given)


def _over_quadratic(top: Poly, square: Poly, order: int, on: Interval, given: Given) -> Expr | None:
    """Split ``a x + b`` into a multiple of the slope of the quadratic and a number, about the centre."""
    x = on.variable
    centre = -square.coeff_monomial(x) / 2
    number = _over_square(x - centre, sympy.factor(square.eval(centre)), order, on, given)
    if number is None:
        return None
    slope = top.coeff_monomial(x)
    return slope / 2 * _of_slope(square.as_expr(), order, on, given) + sympy.cancel(top.eval(centre)) * number


def _of_slope(g: Expr, order: int, on: Interval, given: Given) -> Expr:
    """Integrate ``g'/g^order``."""
    return sympy.log(_size(g, on, given)) if order == 1 else g ** (1 - order) / (1 - order)


def _over_square(t: Expr, size: Expr, order: int, on: Interval, given: Given) -> Expr | None:
    """Integrate ``1/(t^2 + size)^order`` over t, the size being positive or negative for all letters."""
    if order > 1:
        lower = _over_square(t, size, order - 1, on, given)
        share = t / (t**2 + size) ** (order - 1)
        return None if lower is None else (share + (2 * order - 3) * lower) / (2 * (order - 1) * size)
    root, other = sympy.sqrt(size), sympy.sqrt(-size)
    if positive(size, None, given):
        return sympy.atan(t / root) / root
    if positive(-size, None, given):
        return sympy.log(_size((t - other) / (t + other), on, given)) / (2 * other)
    return None


def _size(value: Expr, on: Interval, given: Given) -> Expr:
    return -value if nonnegative(-value, on, given) else value
