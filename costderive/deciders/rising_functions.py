"""The sign of a difference of two values of one rising function: it is that of the difference of the arguments.

Of one that falls it is the opposite: ``E_n(z)`` and ``Gamma(n, z)``, at one n and for z > 0, are integrals from z on.
"""

from __future__ import annotations

import sympy
from sympy import Add, Expr, Mul

from costderive.deciders.asking import Asking

ODD_AND_RISING = (sympy.erf, sympy.erfinv, sympy.atan, sympy.asin, sympy.asinh)
FALLING = (sympy.expint, sympy.uppergamma)  # in the last argument, of what is positive alone
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


def _with_one_logarithm_of_a_number(expr: Expr) -> Expr:
    """Write ``c log(b) - r`` with numbers c and r as ``c log(b) - c log(q)`` if ``q = exp(r/c)`` is rational."""
    number, rest = expr.as_independent(*expr.free_symbols, as_Add=True)
    c, log = rest.as_independent(*expr.free_symbols, as_Add=False)
    if number == 0 or not isinstance(log, sympy.log) or not c.is_nonzero:
        return expr
    power = sympy.exp(sympy.expand(-number / c))
    return rest - c * sympy.log(power, evaluate=False) if power.is_Rational else expr
