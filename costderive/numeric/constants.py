"""Constants to many digits."""

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
    with mpmath.workdps(digits + 10):
        if expr.has(sympy.gamma):  # for which SymPy takes long
            return sympy.lambdify((), expr, [FUNCTIONS, "mpmath"])()
        return sympy.N(expr, digits + 10)._to_mpmath(mpmath.mp.prec)
