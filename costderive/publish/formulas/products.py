"""Products, as powers, that are shorter when written otherwise: one root below a bar, no fraction in another."""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Integer, Mul, Rational

Powers = list[tuple[Expr, Expr]]

HALF = Rational(1, 2)
MOST = 10**12  # that is split into primes
LONGER = 4  # operations that a fraction within a fraction is worth


def one_root(number: Rational, powers: Powers) -> tuple[Rational, Powers]:
    """Take the square root of a whole number under a root below the bar, if numbers get smaller.

    So ``sqrt(2)/(2 sqrt(pi) sqrt(x))`` is ``1/sqrt(2 pi x)``.

    >>> from sympy import pi
    >>> one_root(HALF, [(Integer(2), HALF), (pi, -HALF)])
    (1, [(2, -1/2), (pi, -1/2)])
    """
    roots = [(base, exponent) for base, exponent in powers if base.is_Integer and abs(exponent) == HALF]
    if not roots or not any(exponent == -HALF and not base.is_Integer for base, exponent in powers):
        return number, powers
    square = sympy.prod(base ** (2 * exponent) for base, exponent in roots)
    if square.p * square.q > MOST:
        return number, powers
    under = _square_free(square.p * square.q)
    above = number * sympy.sqrt(square / under)  # times the root of that number
    if _size(above * under) > _size(above):
        return number, powers
    return above * under, [(under, -HALF), *(power for power in powers if power not in roots)]


def root_below(number: Rational, powers: Powers) -> tuple[Rational, Powers]:
    """Put the square root of a whole number below the bar where that divides what is there: ``1/sqrt(19)``.

    >>> root_below(Rational(18, 19), [(Integer(19), HALF)])
    (18, [(19, -1/2)])
    """
    found = []
    for base, exponent in powers:
        lower = base.is_Integer and exponent == HALF and number.q % base == 0
        number = number * base if lower else number
        found.append((base, -HALF if lower else exponent))
    return number, found


def one_power(powers: Powers) -> Powers:
    """Join two powers whose exponents hold a letter and are equal or opposite: ``p^(1 - a) (1 - p)^(a - 1)``.

    No quotient but the odds is made that would stand in another fraction.

    >>> a, x, y = sympy.symbols("a x y", positive=True)
    >>> one_power([(x, 1 - a), (y, a - 1)]), one_power([(x, a), (3 / y, a)])
    ([(y/x, a - 1)], [(3*x/y, a)])
    """
    for k, (base, exponent) in enumerate(powers):
        if not exponent.free_symbols or exponent.could_extract_minus_sign():
            continue
        for n, (other, another) in enumerate(powers):
            sign = _relation(exponent, another)
            kept = [power for i, power in enumerate(powers) if i not in (k, n)]
            if n != k and sign and (base + other == 1 or not _is_fraction_within(base * other**sign, kept)):
                return one_power([*kept, (base * other**sign, exponent)])
    return powers


def _is_fraction_within(joined: Expr, others: Powers) -> bool:
    """Would a quotient stand in another fraction?"""
    below = any(exponent.could_extract_minus_sign() for _, exponent in others)
    return below and sympy.fraction(joined)[1] != 1


def _relation(exponent: Expr, another: Expr) -> int:
    """Return 1 if two exponents are equal, -1 if they are opposite, else 0."""
    return next((sign for sign in (1, -1) if sympy.cancel(exponent - sign * another) == 0), 0)


def plain_exponent(exponent: Expr) -> Expr:
    """Return a sum with fractions of parameters in an exponent as one, if that has fewer minus signs.

    >>> k = sympy.Symbol("k", positive=True)
    >>> plain_exponent(1 / (1 - k) - 1), plain_exponent(-1 - 1 / (k - 1))
    (k/(1 - k), -k/(k - 1))
    """
    if not exponent.is_rational_function() or exponent.is_polynomial(*exponent.free_symbols):
        return exponent
    above, below = sympy.fraction(sympy.together(exponent))
    one = sympy.factor_terms(sympy.expand(above), sign=True) / below
    return min(exponent, one, key=lambda form: min(map(_signs_and_size, (form, -form))))


def _signs_and_size(form: Expr) -> tuple[int, int]:
    return str(form).count("-"), int(sympy.count_ops(form))


def _square_free(number: int) -> Integer:
    return Integer(sympy.prod(prime for prime, power in sympy.factorint(number).items() if power % 2))


def _size(number: Rational) -> int:
    return int(abs(number.p) * number.q)


def turned_over(powers: Powers) -> Powers:
    """Return ``1/(1 + a/b)^2`` as ``(b/(a + b))^2``, and within a longer product as ``b^2/(a + b)^2``.

    >>> from sympy.abc import a, b
    >>> turned_over([(1 + a / b, Integer(-2))])
    [(b/(a + b), 2)]
    """
    if len(powers) == 1 and powers[0][1].is_Integer and powers[0][1] < -1:
        ((base, exponent),) = powers
        turned = _one_fraction(base)
        return powers if turned == base else [(1 / turned, -exponent)]
    found: dict[Expr, Expr] = {}
    for base, exponent in powers:
        turned = _one_fraction(base) if exponent.is_Integer and exponent < 0 else base
        for part, power in _parts(turned) if turned != base else [(base, Integer(1))]:
            found[part] = found.get(part, Integer(0)) + power * exponent
    return [(base, exponent) for base, exponent in found.items() if exponent != 0]


def _parts(fraction: Expr) -> Powers:
    return [part.as_base_exp() for part in Mul.make_args(fraction)]


def _one_fraction(base: Expr) -> Expr:
    """Return a sum that holds fractions as one fraction, if that is not much longer."""
    if not (isinstance(base, Add) and base.is_rational_function()):
        return base
    found = sympy.together(base)
    _, below = sympy.fraction(found)
    long = sympy.count_ops(found) > sympy.count_ops(base) + LONGER
    return base if below.is_number or long else found
