"""Numbers to many digits, and as whole numbers times a power of 2."""

from __future__ import annotations

import functools
from typing import Any

import mpmath
import sympy
from sympy import Expr

from costderive.numeric.scaled import FUNCTIONS


@functools.lru_cache(maxsize=4096)
def number(expr: Expr, digits: int) -> Any:
    """Return a constant expression as an mpmath number of so many digits."""
    expr = expr.replace(sympy.beta, lambda a, b: sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b))
    with mpmath.workdps(digits + 10):
        if expr.has(sympy.gamma):  # for which SymPy takes long
            return sympy.lambdify((), expr, [FUNCTIONS, "mpmath"])()
        return sympy.N(expr, digits + 10)._to_mpmath(mpmath.mp.prec)


def mantissa_and_exponent(x: Any) -> tuple[int, int]:
    """Return m and n with ``x = m 2^n`` for a finite number.

    The ``man_exp`` of mpmath leaves out the sign, and an ``mpf`` of an ``mpf`` is rounded to the working precision.
    """
    is_negative, mantissa, exponent, _ = (x if isinstance(x, mpmath.mpf) else mpmath.mpf(x))._mpf_
    return int(-mantissa if is_negative else mantissa), int(exponent)
