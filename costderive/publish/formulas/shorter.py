"""What is shorter when written otherwise: error functions as normal distribution functions, sums, squares, logs."""

from __future__ import annotations

from itertools import combinations

import sympy
from sympy import Add, Expr, Function, Mul, Pow, Rational, igcd, ilcm, sqrt

from costderive.publish.formulas.exponentials import multiplied_in

LETTERS = 3  # in a sum that may be written by the powers of some of them
TERMS = 8  # of a sum that is multiplied out
MAX_POWER, MAX_NUMBER = 20, 1000  # of what a logarithm is joined from, and in what it is joined to


class NormalCdf(Function):
    """The distribution function of the standard normal law; formulas alone have it, derivations have ``erf``."""

    nargs = 1


class NormalQuantile(Function):
    """The quantile of the standard normal law; derivations have ``erfinv``."""

    nargs = 1


def shorter(expr: sympy.Basic) -> sympy.Basic:
    """Return the same function as a person would write it.

    >>> from costderive.core.symbols import p
    >>> shorter((1 - sympy.erf(p / sqrt(2))) / 2)
    NormalCdf(-p)
    """
    expr = expr.replace(sympy.erfinv, _quantile).replace(_is_size_of_logarithm, _size)
    if expr.has(sympy.uppergamma):
        expr = expr.replace(lambda part: isinstance(part, Add) and part.has(sympy.uppergamma), _lower)
    if expr.has(sympy.exp):
        expr = multiplied_in(expr)
    if expr.has(sympy.erf):
        return expr.replace(lambda part: isinstance(part, Add) and part.has(sympy.erf), _normal)
    return expr


def _is_size_of_logarithm(part: sympy.Basic) -> bool:
    """Is it a root of ``log(x)^2`` with x seen to be in (0, 1), as ``1 - e^(-y)`` and ``1 - (1 + y)^(-a)`` are?"""
    if not (isinstance(part, Pow) and isinstance(part.base, Pow) and part.base.exp == 2):
        return False
    log = part.base.base
    return isinstance(log, sympy.log) and _is_small_power(1 - log.args[0])


def _is_small_power(expr: Expr) -> bool:
    """Is an expression seen to be in (0, 1), as a negative power of what is over 1?"""
    base, exponent = expr.as_base_exp()
    return bool(exponent.is_negative and (base - 1).is_positive)


def _size(root: Pow) -> Expr:
    return (-root.base.base) ** (2 * root.exp)


def _lower(total: Add) -> Expr:
    """Return ``k Gamma(a) - k Gamma(a, x)`` within a sum as ``k`` times the lower incomplete function."""
    for term in total.args:
        factor, upper = term.as_independent(sympy.uppergamma, as_Add=False)
        if not isinstance(upper, sympy.uppergamma):
            continue
        shape, place = sympy.expand(upper.args[0]), upper.args[1]
        whole = next((x for x in total.args if sympy.gammasimp(x + factor * sympy.gamma(shape)) == 0), None)
        if whole is not None:
            return total - whole - term - factor * sympy.lowergamma(shape, place)
    return total


def _quantile(y: Expr) -> Expr:
    level = (1 + y) / 2
    return NormalQuantile(min(sympy.expand(level), sympy.factor(level), key=sympy.count_ops)) / sqrt(2)


def _normal(total: Add) -> Expr:
    """Return ``k (1 + erf(z))`` as ``2 k Phi(z sqrt 2)``, and ``k (1 - erf(z))`` alike; other sums stay."""
    if len(total.args) != 2:
        return total
    first, second = sorted(total.args, key=lambda part: part.has(sympy.erf))
    factor, function = second.as_independent(sympy.erf, as_Add=False)
    if first.has(sympy.erf) or not isinstance(function, sympy.erf):
        return total
    ratio = sympy.cancel(factor / first)
    if ratio not in (1, -1):
        return total
    return 2 * first * NormalCdf(_joined(ratio * sqrt(2) * function.args[0]))


def _joined(argument: Expr) -> Expr:
    """Return an argument over one bar, if that is shorter."""
    found = sympy.together(sympy.expand_mul(argument))
    above, below = sympy.fraction(found)
    logs = [x for x in above.atoms(sympy.log) if x.free_symbols]
    collected = sympy.collect(sympy.expand_mul(above), logs) / below
    return min(argument, found, sympy.factor_terms(found), collected, key=sympy.count_ops)


def cleared(expr: Expr, variable: sympy.Symbol) -> Expr:
    """Return a quotient without powers of ``1/(1 - variable)`` above and below its bar, if that is shorter.

    The variable is between 0 and 1.

    >>> from costderive.core.symbols import p
    >>> x = sqrt(p) * sqrt(1 / (1 - p))
    >>> cleared(x / (x + 2), p)
    sqrt(p)/(sqrt(p) + 2*sqrt(1 - p))
    """
    rest = sympy.Dummy(positive=True)
    signs = {1 - variable: 1, 1 / (1 - variable): -1}
    powers = {
        power: rest ** (signs[power.base] * power.exp)
        for power in expr.atoms(Pow)
        if power.base in signs and power != 1 / (1 - variable)
    }
    above, below = sympy.fraction(sympy.together(expr.xreplace(powers)))
    found = (sympy.factor_terms(above) / sympy.factor_terms(below)).subs(rest, 1 - variable)
    return min(expr, found, key=sympy.count_ops)


def multiplied_out(expr: Expr) -> Expr:
    """Return polynomials of one letter without powers of sums, where that is not longer: what was derived has no form.

    >>> from costderive.core.symbols import p
    >>> multiplied_out(3 * (1 - p) ** 2 - 3 * p + 1), multiplied_out((1 - p) ** 2)
    (3*p**2 - 9*p + 4, (1 - p)**2)
    """
    return expr.replace(lambda part: isinstance(part, Add), _sum_of_powers)


def _sum_of_powers(total: Add) -> Expr:
    """Return a polynomial of one letter without powers of sums, if that is not longer."""
    if len(total.free_symbols) != 1 or not _has_power_of_sum(total) or not total.is_polynomial():
        return total
    found = sympy.expand(total)
    short = len(Add.make_args(found)) <= TERMS and sympy.count_ops(found) <= sympy.count_ops(total)
    return found if short else total


def _has_power_of_sum(total: Add) -> bool:
    return any(isinstance(power.base, Add) for power in total.atoms(Pow))


def squared(exponent: Expr) -> Expr:
    """Complete the square of a polynomial in a logarithm, if that is shorter: ``x^2 + 2ax + a^2`` is ``(x + a)^2``."""
    logs = [log for log in exponent.atoms(sympy.log) if log.free_symbols]
    if len(logs) != 1:
        return exponent
    root = sympy.Dummy()
    inside = exponent.subs(logs[0], root)
    if not inside.is_polynomial(root) or sympy.degree(inside, root) != 2:
        return exponent
    a, b, c = sympy.Poly(inside, root).all_coeffs()
    shift, rest = sympy.cancel(b / (2 * a)), sympy.cancel(c - b**2 / (4 * a))
    found = sympy.factor(a) * (logs[0] + sympy.expand(shift)) ** 2 + sympy.expand(rest)
    return min(exponent, found, key=sympy.count_ops)


def one_logarithm(total: Add) -> Expr:
    """Join the logarithms of numbers in a sum: ``5 ln 3 + 5/2 ln 2 - 5/2 ln 10`` is ``5/2 ln(9/5)``."""
    logs = {term: term.as_coeff_Mul() for term in total.args}
    logs = {term: (r, rest) for term, (r, rest) in logs.items() if _is_log_of_number(rest)}
    if len(logs) < 2:
        return total
    numbers = [r for r, _ in logs.values()]
    content = Rational(igcd(*[r.p for r in numbers]), ilcm(*[r.q for r in numbers]))
    powers = [rest.args[0] ** (r / content) for r, rest in logs.values() if abs(r / content) <= MAX_POWER]
    number = Mul(*powers)
    if len(powers) < len(logs) or max(number.p, number.q) > MAX_NUMBER:
        return total
    joined = Mul(content, sympy.log(number))  # of 1/2 it is -log(2)
    return Add(joined, *[term for term in total.args if term not in logs])


def _is_log_of_number(expr: Expr) -> bool:
    return isinstance(expr, sympy.log) and expr.args[0].is_Rational and bool(expr.args[0].is_positive)


def without_gammas(expr: Expr) -> Expr:
    """Return a quotient of Gamma and Beta functions as the rational function that it is, if it is one."""
    found = sympy.gammasimp(expr.rewrite(sympy.gamma))
    return expr if found.has(sympy.gamma) else found


def by_letters(value: Expr) -> Expr:
    """Return a quotient whose numerator is written by the powers of one or two of its letters, if that is shorter.

    >>> a, b, d, e = sympy.symbols("a b d e", positive=True)
    >>> by_letters(sympy.expand(3 * b * d * (d + e) - 2 * a * (d**2 + d * e + e**2)) / (6 * d))
    (-2*a*(d**2 + d*e + e**2) + 3*b*d*(d + e))/(6*d)
    """
    above, below = sympy.fraction(value)
    letters = sorted(above.free_symbols, key=str)
    if not isinstance(above, Add) or not above.is_polynomial(*letters) or len(letters) < LETTERS:
        return value
    groups = [*[(x,) for x in letters], *combinations(letters, 2)]
    forms = [sympy.collect(sympy.expand(above), group, func=sympy.factor) for group in groups]
    return min((above, *forms), key=sympy.count_ops) / below


def lower_gamma(product: Expr) -> Expr:
    """Return a product with ``z Gamma(z)`` in place of ``Gamma(z + 1)``, where that is shorter.

    >>> k = sympy.Symbol("k", positive=True)
    >>> lower_gamma(k * sympy.gamma(2 + 1 / k) / (k + 1))
    gamma(1 + 1/k)
    """
    for found in product.atoms(sympy.gamma):
        less = sympy.factor(found.args[0] - 1)
        other = product / found * less * sympy.gamma(sympy.expand(less))
        product = min(product, other, key=sympy.count_ops)
    return product


def single_fraction(exponent: Expr) -> Expr:
    """Return a rational function as one fraction, unless that is longer: ``1 + s/(1 - s)`` is ``1/(1 - s)``."""
    if not exponent.is_rational_function() or exponent.is_polynomial(*exponent.free_symbols):
        return exponent
    forms = sympy.factor(sympy.cancel(exponent)), exponent
    return min(forms, key=lambda form: min(sympy.count_ops(form), sympy.count_ops(-form)))
