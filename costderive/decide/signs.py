"""Signs of expressions on an interval, for all admissible parameters at once.

A sign is decided by structure (products, powers and sums of signed terms), by a fact that is given, by
exact real-root isolation for one variable over the rationals, or, with parameters, by writing the interval
and the facts in variables that run over (0, oo) and finding only coefficients of one sign.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy
from sympy import Add, Expr, Integral, Max, Min, Mul, Poly, Pow, Symbol

from costderive.arithmetic import value_at
from costderive.decide.orthant import nonnegative_coefficients
from costderive.decide.points import points
from costderive.decide.size import steep
from costderive.pieces import Given, Interval


def positive(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr > 0`` on the interval, or return ``None`` if none does."""
    return _decided(expr, on, given, strict=True)


def nonnegative(expr: Expr, on: Interval | None = None, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr >= 0`` on the interval, or return ``None`` if none does."""
    return _decided(expr, on, given, strict=False)


POSITIVE_OF_POSITIVE = (sympy.gamma, sympy.beta, sympy.uppergamma, sympy.lowergamma, sympy.expint)
ODD_AND_RISING = (sympy.erf, sympy.atan, sympy.asin, sympy.asinh)
REAL_OF_REAL = (
    sympy.exp,
    sympy.erf,
    sympy.erfc,
    sympy.atan,
    sympy.asinh,
    sympy.Abs,
    sympy.sin,
    sympy.cos,
)


@lru_cache(maxsize=4096)
def _decided(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    if _is_number(expr):
        sign = _number_sign(expr)
        return "structure" if sign == 1 or (sign == 0 and not strict) else None
    if is_rational(expr) and not steep(expr):
        return _rational(expr, on, given, strict)
    sign = _structural(expr, on, given)
    if sign is not None:
        return "structure" if sign > 0 or (sign == 0 and not strict) else None
    return _in_free_variables(expr, on, given, strict)


def _in_free_variables(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    """Decide a rational function of exponentials, powers and roots, each of them taken for a variable of its own.

    A root of what is positive is any positive number; a power that is certainly below 1 is any number in (0, 1).
    """
    images, known = _below_one(expr, on, given)
    image = expr.xreplace(images | _roots(expr, on, given))
    if image == expr or not is_rational(image) or image.atoms(sympy.exp):
        return None
    return _decided(image, on, known, strict)


def _below_one(expr: Expr, on: Interval | None, given: Given) -> tuple[dict[Expr, Expr], Given]:
    """Return a letter for each power below 1, the inverse of one for each above 1, and what is known of them."""
    images: dict[Expr, Expr] = {}
    for index, node in enumerate(sorted(expr.atoms(sympy.exp, Pow), key=str)):
        direction = _direction(node, on, given)
        if direction is None:
            continue
        letter, (sign, strictly) = Symbol(f"_e{index}", positive=True), direction
        images[node] = letter**-sign
        room = (1 - letter,)
        given = given.also(positive=room) if strictly else given.also(nonnegative=room)
    return images, given


def _direction(power: Expr, on: Interval | None, given: Given) -> tuple[int, bool] | None:
    """Return 1 if a power is above 1, -1 if it is below, and whether it certainly differs from 1."""
    base, exponent = power.as_base_exp()
    if exponent.is_Rational or not power.free_symbols:
        return None
    side = 1 if base is sympy.E else _side_of_one(base, on, given)
    for sign in (1, -1) if side else ():
        if positive(sign * exponent, on, given):
            return sign * side, True
        if nonnegative(sign * exponent, on, given):
            return sign * side, False
    return None


def _side_of_one(base: Expr, on: Interval | None, given: Given) -> int:
    """Return 1 if a base is above 1, -1 if it is positive and below 1, else 0."""
    if positive(base - 1, on, given):
        return 1
    return -1 if positive(base, on, given) and positive(1 - base, on, given) else 0


def _roots(expr: Expr, on: Interval | None, given: Given) -> dict[Expr, Expr]:
    """Write each power with a fraction for its exponent as a whole power of the root of its base."""
    powers = [node for node in expr.atoms(Pow) if node.exp.is_Rational and not node.exp.is_Integer]
    bases = {node.base for node in powers if not node.base.is_number and positive(node.base, on, given)}
    found: dict[Expr, Expr] = {}
    for index, base in enumerate(sorted(bases, key=str)):
        root, above = Symbol(f"_r{index}", positive=True), [node for node in powers if node.base == base]
        degree = sympy.ilcm(1, *[node.exp.q for node in above])
        found |= {node: root ** (degree * node.exp) for node in above}
    return found


def _is_number(expr: Expr) -> bool:
    """Tell whether an expression is a number whose sign may be asked for: an integral would be evaluated."""
    return bool(expr.is_number) and not expr.has(Integral)


def is_rational(expr: Expr) -> bool:
    """Tell whether an expression is a rational function of non-negative symbols with real coefficients."""
    if _is_number(expr):
        return bool(expr.is_real and expr.is_finite)
    if isinstance(expr, Symbol):
        return bool(expr.is_nonnegative)
    if isinstance(expr, Pow):
        return bool(expr.exp.is_Integer) and is_rational(expr.base)
    return isinstance(expr, Add | Mul) and all(is_rational(arg) for arg in expr.args)


@lru_cache(maxsize=4096)
def real(expr: Expr, on: Interval | None, given: Given) -> bool:
    """Tell whether an expression is certainly real and finite inside the interval."""
    if _is_number(expr):
        return bool(expr.is_real and expr.is_finite)
    if isinstance(expr, Symbol):
        return bool(expr.is_real)
    if not all(real(arg, on, given) for arg in _arguments(expr)):
        return False
    if isinstance(expr, Pow):
        return _power_real(expr, on, given)
    if isinstance(expr, (sympy.log, *POSITIVE_OF_POSITIVE)):
        return all(positive(arg, on, given) for arg in expr.args)
    if isinstance(expr, sympy.asin | sympy.acos):
        return nonnegative(1 - expr.args[0] ** 2, on, given) is not None
    if isinstance(expr, sympy.betainc):
        return _beta_real(expr, on, given)
    return isinstance(expr, (Add, Mul, Integral, Min, Max, *REAL_OF_REAL))


def _arguments(expr: Expr) -> tuple[Expr, ...]:
    return (expr.limits[0][1], expr.limits[0][2]) if isinstance(expr, Integral) else expr.args


def _power_real(expr: Pow, on: Interval | None, given: Given) -> bool:
    if expr.exp.is_Integer and expr.exp.is_positive:
        return True
    if positive(expr.base, on, given):
        return True
    if expr.exp.is_Integer:
        return positive(-expr.base, on, given) is not None
    return bool(expr.exp.is_positive) and nonnegative(expr.base, on, given) is not None


def _beta_real(expr: Expr, on: Interval | None, given: Given) -> bool:
    first, second, low, z = expr.args
    shapes = positive(first, None, given) and positive(second, None, given)
    return bool(shapes and low == 0 and nonnegative(z, on, given) and nonnegative(1 - z, on, given))


def _structural(expr: Expr, on: Interval | None, given: Given) -> int | None:
    """Return 1 for positive, 0 for non-negative, -1 for negative, and ``None`` if the structure does not say."""
    if _is_number(expr):
        return _number_sign(expr)
    if isinstance(expr, Symbol):
        return 1 if expr.is_positive else 0 if expr.is_nonnegative else None
    if isinstance(expr, Mul):
        return _product_sign(
            [_factor_sign(factor, on, given) for factor in _weak_logs_turned(expr, on, given)]
        )
    if isinstance(expr, Add):
        return _sum_sign([_structural(term, on, given) for term in expr.args])
    return _factor_sign(expr, on, given)


def _weak_logs_turned(expr: Mul, on: Interval | None, given: Given) -> tuple[Expr, ...]:
    """Write ``log(x)`` as ``-log(1/x)`` if x may be 1 but not more: then a sign is known that takes the minus."""
    weak = [
        factor
        for factor in expr.args
        if isinstance(factor, sympy.log)
        and _sign_by_range(factor, on, given) is None
        and positive(factor.args[0], on, given)
        and nonnegative(1 - factor.args[0], on, given)
    ]
    turned = [sympy.log(1 / factor.args[0], evaluate=False) for factor in weak]
    return (*Mul.make_args((-1) ** len(weak) * expr / Mul(*weak)), *turned)


def _number_sign(expr: Expr) -> int | None:
    if expr.is_zero:
        return 0
    if expr.is_positive:
        return 1
    return -1 if expr.is_negative else None


def _factor_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if isinstance(expr, Pow):
        return _power_sign(expr, on, given)
    if isinstance(expr, sympy.exp | sympy.erfc):
        return 1 if real(expr.args[0], on, given) else None
    if isinstance(expr, tuple(RANGES)):
        return _sign_by_range(expr, on, given)
    if isinstance(expr, Integral):
        return _integral_sign(expr, on, given)
    if isinstance(expr, (*POSITIVE_OF_POSITIVE, sympy.betainc)):
        return _special_sign(expr, on, given)
    if isinstance(expr, ODD_AND_RISING):
        return _structural(expr.args[0], on, given) if real(expr, on, given) else None
    if isinstance(expr, Add | Min | Max):
        return _bracket_sign(expr, on, given)
    return _structural(expr, on, given) if isinstance(expr, Symbol | Mul) or expr.is_number else None


def _sign_by_range(expr: Expr, on: Interval | None, given: Given) -> int | None:
    """Return the sign that a function has where certain bounds on its argument are positive: the row that applies."""
    (x,) = expr.args
    for sign, bounds in RANGES[expr.func]:
        if all(positive(bound, on, given) for bound in bounds(x)):
            return sign
    return 0 if isinstance(expr, sympy.log) and nonnegative(x - 1, on, given) else None


Bounds = Callable[[Expr], tuple[Expr, ...]]
RANGES: dict[type[Expr], tuple[tuple[int, Bounds], ...]] = {
    sympy.log: ((1, lambda x: (x - 1,)), (-1, lambda x: (x, 1 - x))),
    sympy.sin: ((1, lambda x: (x, sympy.pi - x)), (-1, lambda x: (-x, x + sympy.pi))),
    sympy.cos: ((1, lambda x: (x + sympy.pi / 2, sympy.pi / 2 - x)),),
}


def _bracket_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    termwise = _sum_sign([_structural(term, on, given) for term in expr.args])
    rational = None if termwise else _rational_sign(expr, on, given)
    found = termwise if rational is None else rational
    return _free_sign(expr, on, given) if found is None and isinstance(expr, Add) else found


def _free_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    for sign in (1, -1):
        if _in_free_variables(sign * expr, on, given, strict=True):
            return sign
    return None


def _special_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if isinstance(expr, sympy.betainc):
        return 1 if _beta_real(expr, on, given) and positive(expr.args[3], on, given) else None
    return 1 if all(_structural(arg, on, given) == 1 for arg in expr.args) else None


def _power_sign(expr: Pow, on: Interval | None, given: Given) -> int | None:
    base = _factor_sign(expr.base, on, given)
    if base == 1:
        return 1 if real(expr.exp, on, given) else None
    if expr.exp.is_even and base is not None and (base != 0 or expr.exp.is_positive):
        return abs(base)
    if base is None and expr.exp.is_even and expr.exp.is_positive:
        return 0 if real(expr.base, on, given) else None
    if base == -1 and expr.exp.is_odd:
        return -1
    return 0 if base == 0 and expr.exp.is_positive else None


def _rational_sign(expr: Expr, on: Interval | None, given: Given) -> int | None:
    if _rational(expr, on, given, strict=True):
        return 1
    if _rational(-expr, on, given, strict=True):
        return -1
    return 0 if _rational(expr, on, given, strict=False) else None


def _integral_sign(expr: Integral, on: Interval | None, given: Given) -> int | None:
    """An integral of a non-negative integrand over an interval in ascending order is non-negative."""
    (variable, low, high), *more = expr.limits
    if more or not (high is sympy.oo or nonnegative(high - low, on, given)):
        return None
    known = given if on is None else given.also(positive=on.facts)
    inside = Interval(variable, low, high)
    return 0 if nonnegative(expr.function, inside, known.without(variable)) else None


def _product_sign(signs: list[int | None]) -> int | None:
    if any(sign is None for sign in signs):
        return None
    product = sympy.prod([sign for sign in signs if sign is not None])
    return int(product) if 0 not in signs else (0 if -1 not in signs else None)


def _sum_sign(signs: list[int | None]) -> int | None:
    if any(sign is None for sign in signs):
        return None
    if -1 not in signs:
        return 1 if 1 in signs else 0
    return -1 if set(signs) == {-1} else None


def _rational(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    """Decide a rational function through the signs of its irreducible factors."""
    if not is_rational(expr) or steep(expr):
        return None
    if _given_fact(expr, given, strict):
        return "given fact"
    numerator, denominator = map(sympy.expand, sympy.fraction(sympy.together(expr)))
    try:
        coefficient, factors = _factor_list(numerator, denominator)
    except sympy.PolynomialError:
        return None
    if coefficient == 0:
        return None if strict else "rational canonical form"
    sign, methods = _number_sign(coefficient), {"structure"}
    for factor, multiplicity in factors:
        method, factor_sign = _factor_decision(factor, multiplicity, on, given, strict)
        if sign is None or method is None:
            return None
        sign, methods = sign * factor_sign, methods | {method}
    return " and ".join(sorted(methods - {"structure"})) or "structure" if sign == 1 else None


def _factor_list(numerator: Expr, denominator: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """Factor the product of two expanded polynomials; SymPy fails on a constant that stands beside one."""
    parts = [(part, []) if part.is_number else sympy.factor_list(part) for part in (numerator, denominator)]
    return parts[0][0] * parts[1][0], [*parts[0][1], *parts[1][1]]


def _factor_decision(
    factor: Expr, multiplicity: int, on: Interval | None, given: Given, strict: bool
) -> tuple[str | None, int]:
    if multiplicity % 2 == 0 and not strict:
        return "structure", 1
    for sign in (1, -1):
        method = _polynomial(sign * factor, on, given, strict)
        if method:
            return method, sign ** (multiplicity % 2)
    return None, 0


@lru_cache(maxsize=4096)
def _polynomial(poly: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
    poly = sympy.expand(poly)
    if poly.is_number:
        return "structure" if poly.is_positive else None
    if _given_fact(poly, given, strict):
        return "given fact"
    if on is not None and _univariate(poly, on):
        return _sturm(Poly(poly, on.variable), on)
    if any(value_at(poly, point).is_negative for point in points(poly.free_symbols, on, given)):
        return None
    if nonnegative_coefficients(poly, on, given, strict):
        return "non-negative coefficients"
    return "a completed square" if any(_definite(poly, x, given) for x in poly.free_symbols) else None


def _definite(poly: Expr, x: Symbol, given: Given) -> bool:
    """Is it ``a x^2 + b x + c`` with ``a > 0`` and ``4 a c > b^2``, so positive whatever x is?"""
    if poly.diff(x, 3) != 0 or poly.diff(x, 2) == 0:
        return False
    a, b, c = (poly.coeff(x, n) for n in (2, 1, 0))
    return bool(positive(a, None, given) and positive(4 * a * c - b**2, None, given))


def _given_fact(poly: Expr, given: Given, strict: bool) -> bool:
    facts = given.positive if strict else given.positive + given.nonnegative
    return any(_positive_multiple(poly, sympy.expand(fact)) for fact in facts)


def _positive_multiple(poly: Expr, fact: Expr) -> bool:
    terms, others = poly.as_coefficients_dict(), fact.as_coefficients_dict()
    if set(terms) != set(others):
        return False
    ratios = {coefficient / others[monomial] for monomial, coefficient in terms.items()}
    return len(ratios) == 1 and bool(ratios.pop().is_positive)


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
