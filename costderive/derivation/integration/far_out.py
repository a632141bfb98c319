"""Antiderivatives written so that their limits at infinity are seen term by term."""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Poly, Symbol


def logarithms_joined(expr: Expr, x: Symbol) -> Expr:
    """Write logarithms of polynomials in x, which cancel far out, as logarithms of quotients that have limits.

    >>> from sympy import log
    >>> x = Symbol("x", positive=True)
    >>> logarithms_joined(log(x + 1) - log(x + 2), x)
    log((x + 1)/(x + 2))
    """
    terms = [(term, _logarithm(term, x)) for term in Add.make_args(sympy.expand_mul(expr, deep=False))]
    logs = dict.fromkeys(log for _, log in terms if log is not None)
    if len(logs) < 2:
        return expr
    pivot = min(logs, key=lambda log: (_degree(log, x), sympy.count_ops(log)))
    total, left = sympy.S.Zero, sympy.S.Zero
    for term, log in terms:
        if log is None or log == pivot:
            total, left = (total + term, left) if log is None else (total, left + term / pivot)
            continue
        share = sympy.Rational(_degree(log, x), _degree(pivot, x))
        total += term / log * sympy.log(log.args[0] / pivot.args[0] ** share)
        left += share * term / log
    return total if sympy.cancel(left) == 0 else expr


def _logarithm(term: Expr, x: Symbol) -> Expr | None:
    """Return the logarithm of a term ``constant * log(polynomial in x)``."""
    _, moving = term.as_independent(x, as_Add=False)
    return moving if isinstance(moving, sympy.log) and moving.args[0].is_polynomial(x) else None


def _degree(log: Expr, x: Symbol) -> int:
    return int(Poly(log.args[0], x).degree())
