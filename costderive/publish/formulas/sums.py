"""Sums that are seen through when written otherwise: shares of two ends, sums of two squares, one logarithm."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy
from sympy import Add, Expr, Mul, Rational, Symbol

from costderive.core import symbols

UNIT = (symbols.p, symbols.q, symbols.s, symbols.t)
"""Letters that lie in (0, 1)."""

HALF = Rational(1, 2)
MAX_NUMBER, ARGUMENT = 1000, 12  # in a logarithm that others are joined to: of a number, and operations


def unit_letter(total: Expr) -> Symbol | None:
    """Return the one letter between 0 and 1 of a polynomial, if there is just one."""
    found = [x for x in UNIT if total.has(x)]
    return found[0] if len(found) == 1 and total.is_polynomial(found[0]) else None


def between_ends(total: Expr) -> tuple[Expr, ...] | None:
    """Return the terms of a linear function by its values at 0 and 1, where a sum is what p is multiplied by.

    Values that are sums are written so if that is shorter.

    >>> from costderive.symbols import p
    >>> m, n = sympy.symbols("m n", positive=True)
    >>> between_ends((n - m) * p + m)
    (m*(1 - p), n*p)
    """
    x = unit_letter(total)
    if x is None or sympy.degree(total, x) != 1:
        return None
    ends = tuple(sympy.expand(total.subs(x, end)) for end in (0, 1))
    if not all(end.free_symbols for end in ends):
        return None
    low, high = (_in_factors(end) for end in ends)
    shares = Mul(*Mul.make_args(low), 1 - x, evaluate=False), high * x
    simple = not any(isinstance(end, Add) for end in ends)
    return shares if simple or _is_shorter(shares, total) else None


def with_number_apart(total: Expr) -> Expr:
    """Return a sum with ``4 (1 - w)`` in place of ``4 - 4 w``, for a letter that is a parameter.

    >>> from costderive.symbols import p
    >>> w = Symbol("w", positive=True)
    >>> with_number_apart(4 - 4 * w), with_number_apart(2 - 2 * p), with_number_apart(4 - 3 * w)
    (4*(1 - w), 2 - 2*p, 4 - 3*w)
    """
    number, _ = total.as_coeff_Add()
    if not number.is_Integer or number < 2:
        return total
    letters = [x for x in total.free_symbols if x not in UNIT and -number * x in total.args]
    others = [x for x in total.args if x not in (number, *(-number * letter for letter in letters))]
    if len(letters) != 1 or any(x.free_symbols == set(letters) for x in others):
        return total
    product = Mul(number, 1 - letters[0], evaluate=False)
    return Add(*others, product, evaluate=False) if others else product


def _in_factors(end: Expr) -> Expr:
    return sympy.factor(end) if isinstance(end, Add) and end.is_polynomial(*end.free_symbols) else end


def _is_shorter(shares: tuple[Expr, ...], total: Expr) -> bool:
    return bool(sympy.count_ops(Add(*shares, evaluate=False)) < sympy.count_ops(total))


def is_positive_between(total: Expr) -> bool:
    """Is a polynomial of one letter positive on (0, 1)?

    >>> from costderive.symbols import p
    >>> is_positive_between(4 - 3 * p), is_positive_between(1 - p), is_positive_between(1 - 2 * p)
    (True, True, False)
    >>> is_positive_between(p**2 - 8 * p + 8)
    True
    """
    x = unit_letter(total) if isinstance(total, Add) else None
    if x is None or total.free_symbols != {x}:
        return False
    if sympy.degree(total, x) > 1:
        return _has_no_zero(total, x) and bool(total.subs(x, HALF).is_positive)
    low, high = (total.subs(x, end) for end in (0, 1))
    return bool(low.is_nonnegative and high.is_nonnegative)


@lru_cache
def _has_no_zero(total: Expr, x: Symbol) -> bool:
    """Return whether a polynomial has rational coefficients and no zero in (0, 1)."""
    polynomial = sympy.Poly(total, x)
    if not all(coefficient.is_Rational for coefficient in polynomial.coeffs()):
        return False
    at_ends = sum(polynomial.eval(end) == 0 for end in (0, 1))
    return bool(polynomial.count_roots(0, 1) == at_ends)


def two_squares(total: Expr) -> tuple[Expr, ...] | None:
    """Return the terms of ``a p^2 + b (1 - p)^2`` with positive numbers, which is seen to be positive.

    Terms that have other letters stand behind them.

    >>> from costderive.symbols import c1, s
    >>> two_squares(2 * s**2 - 2 * s + 1), two_squares(2 * s**2 - 2 * s + 1 - s**2 * c1**2)
    ((s**2, (1 - s)**2), (s**2, (1 - s)**2, -c1**2*s**2))
    """
    x = unit_letter(total)
    if x is None:
        return None
    others = tuple(term for term in Add.make_args(total) if term.free_symbols - {x})
    squares = _two_squares(total - Add(*others), x)
    return (*squares, *others) if squares else None


def _two_squares(total: Expr, x: Symbol) -> tuple[Expr, ...] | None:
    if total.free_symbols != {x} or sympy.degree(total, x) != 2:
        return None
    leading, linear, low = sympy.Poly(total, x).all_coeffs()
    high = leading + linear + low
    if linear != -2 * low or not (low.is_positive and high.is_positive):
        return None
    return high * x**2, low * (1 - x) ** 2


def with_shares(total: Add) -> Expr:
    """Take out of ``c - c w`` what is common, of probabilities of a class first: ``c (1 - w)``."""
    letters = sorted(
        total.free_symbols - {symbols.c0, symbols.c1}, key=lambda x: (x in UNIT, str(x)), reverse=True
    )
    for share in letters:
        for term in total.args:
            whole = -term / share
            if whole.free_symbols - {*UNIT} and share not in whole.free_symbols and whole in total.args:
                kept = [x for x in total.args if x not in (term, whole)]
                rest = Add(*kept)
                return Add(with_shares(rest) if isinstance(rest, Add) else rest, whole * (1 - share))
    return total


def joined_logarithms(total: Add, positive: Callable[[Expr], bool]) -> Expr:
    """Join logarithms that are added or subtracted alike: ``ln 5 - ln p + ln(1 - p)`` is ``ln(5 (1 - p)/p)``.

    ``positive`` says of what is in a logarithm whether it is seen to be positive: only that is joined.
    """
    groups: dict[Expr, list[tuple[Expr, int]]] = {}
    terms: dict[Expr, list[Expr]] = {}
    for term in total.args:
        factor, log = _logarithm(term)
        if log is not None and positive(log):
            sign, size = _oriented(factor, positive)
            groups.setdefault(size, []).append((log, sign))
            terms.setdefault(size, []).append(term)
    joined = {factor: parts for factor, parts in groups.items() if _is_short(parts)}
    gone = {term for factor in joined for term in terms[factor]}
    kept = [term for term in total.args if term not in gone]
    ones = [_one_logarithm(factor, parts) for factor, parts in joined.items()]
    return Add(*kept, *ones, evaluate=False) if joined else total


def _oriented(factor: Expr, positive: Callable[[Expr], bool]) -> tuple[int, Expr]:
    """Return the sign and the size of a factor, with ``1 - p`` in place of ``p - 1``."""
    powers = [part.as_base_exp() for part in Mul.make_args(factor)]
    turned = [(base, exp) for base, exp in powers if base.is_Add and exp.is_Integer and positive(-base)]
    sign = (-1) ** sum(exp for _, exp in turned)
    size = factor.xreplace({base**exp: (-base) ** exp for base, exp in turned})
    return (-sign, -size) if size.could_extract_minus_sign() else (sign, size)


def _logarithm(term: Expr) -> tuple[Expr, Expr | None]:
    """Split a term into a factor and what is in its logarithm, if it is a logarithm times something without one."""
    logs = [factor for factor in Mul.make_args(term) if isinstance(factor, sympy.log)]
    if len(logs) != 1:
        return term, None
    factor = term / logs[0]
    return factor, None if factor.has(sympy.log) else logs[0].args[0]


def _is_short(parts: list[tuple[Expr, int]]) -> bool:
    """Are there two logarithms or more, not of numbers alone, that stay short when they are joined?"""
    if len(parts) < 2 or not any(part.free_symbols for part, _ in parts):
        return False
    number = _number(parts)
    short = number.is_Rational and max(number.p, number.q) <= MAX_NUMBER
    return bool(short and sum(sympy.count_ops(part) + 1 for part, _ in parts) <= ARGUMENT)


def _number(parts: list[tuple[Expr, int]]) -> Expr:
    return Mul(*[part**sign for part, sign in parts if part.is_number])


def _one_logarithm(factor: Expr, parts: list[tuple[Expr, int]]) -> Expr:
    if all(sign < 0 for _, sign in parts):
        return _one_logarithm(-factor, [(part, 1) for part, _ in parts])
    rest = Mul(*[part**sign for part, sign in parts if not part.is_number])
    inside = Mul(_number(parts), rest, evaluate=False) if _number(parts) != 1 else rest
    return Mul(factor, sympy.log(inside, evaluate=False), evaluate=False)
