"""The sign of a difference of two values of one rising function: it is that of the difference of the arguments.

Several logarithms with rational numbers before them are the difference of two, those of products of powers.

Of one that falls it is the opposite: ``E_n(z)`` and ``Gamma(n, z)``, at one n and for z > 0, are integrals from z on.
"""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Mul, Rational

from costderive.deciders.asking import Asking

ODD_AND_RISING = (sympy.erf, sympy.erfinv, sympy.atan, sympy.asin, sympy.asinh)
FALLING = (sympy.expint, sympy.uppergamma)  # in the last argument, of what is positive alone
MOST = 50  # factors of a product
RISING = (*ODD_AND_RISING, sympy.log, sympy.Ei)  # where they are real, Ei of what is positive alone


def by_arguments(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it ``c (F(a) - F(b))``, F rising, with ``c > 0`` and ``a > b``, or both the other way round?

    For one that falls, with ``a < b``. For an odd function ``F(a) + F(b)`` is ``F(a) - F(-b)``.
    """
    terms = Add.make_args(_with_one_logarithm_of_a_number(expr))
    found = [[part for part in Mul.make_args(term) if isinstance(part, RISING + FALLING)] for term in terms]
    if [len(parts) for parts in found] != [1, 1]:
        return False
    (first,), (second,) = found
    c = terms[0] / first
    if first.func != second.func or first.args[:-1] != second.args[:-1] or c.has(first):
        return False
    turns = (1, -1) if isinstance(first, ODD_AND_RISING) else (1,)
    turn = next((turn for turn in turns if sympy.expand(c * (first - turn * second) - expr) == 0), None)
    if turn is None or not (ask.real(first) and ask.real(second)):
        return False
    a, b = first.args[-1], turn * second.args[-1]
    if isinstance(first, FALLING):
        if not (ask.positive(a) and ask.positive(b)):
            return False
        a, b = b, a
    order = ask.positive if strict else ask.nonnegative
    return any(ask.positive(side * c) and order(sympy.expand(side * (a - b))) for side in (1, -1))


def by_products(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it what is not negative, and a positive number times ``log(a) - log(b)`` of products of powers, ``a > b``?"""
    logs, others = sympy.sift(Add.make_args(expr), _is_logarithm, binary=True)
    rest, pairs = Add(*others), [log.as_coeff_Mul() for log in logs]
    if len(pairs) < (3 if rest == 0 else 2) or not ask.nonnegative(rest):
        return False
    gap, order = _gap(pairs), ask.positive if strict and not ask.positive(rest) else ask.nonnegative
    return gap is not None and all(ask.positive(log.args[0]) for _, log in pairs) and order(gap)


def _is_logarithm(term: Expr) -> bool:
    number, function = term.as_coeff_Mul()
    return bool(number.is_Rational and isinstance(function, sympy.log))


def _gap(pairs: list[tuple[Rational, Expr]]) -> Expr | None:
    """Return ``a - b`` if a sum of logarithms is a positive number times ``log(a) - log(b)``, and these are short."""
    numbers = [number for number, _ in pairs]
    unit = sympy.ilcm(1, 1, *[number.q for number in numbers]) / Rational(sympy.igcd(*[n.p for n in numbers]))
    if sum(abs(number * unit) for number in numbers) > MOST:
        return None
    a, b = (Mul(*[log.args[0] ** abs(n * unit) for n, log in pairs if side * n > 0]) for side in (1, -1))
    return sympy.expand(a - b)


def _with_one_logarithm_of_a_number(expr: Expr) -> Expr:
    """Write ``c log(b) - r`` with numbers c and r as ``c log(b) - c log(q)`` if ``q = exp(r/c)`` is rational."""
    number, rest = expr.as_independent(*expr.free_symbols, as_Add=True)
    c, log = rest.as_independent(*expr.free_symbols, as_Add=False)
    if number == 0 or not isinstance(log, sympy.log) or not c.is_nonzero:
        return expr
    power = sympy.exp(sympy.expand(-number / c))
    return rest - c * sympy.log(power, evaluate=False) if power.is_Rational else expr
