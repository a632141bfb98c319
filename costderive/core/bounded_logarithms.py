"""A bound on what SymPy works out by itself: all digits of 10**10**9 in ``exp((10**9*log(10) + log(5))*x)``.

``exp`` asks ``logcombine`` to write sums of logarithms as one, and the powers of numbers in it are computed whatever
they are. Importing this module leaves sums with large coefficients as they are, which is no less true.
"""

from __future__ import annotations

import sys
from typing import Any

from sympy import Expr, Rational

LARGEST = 1000  # numerator or denominator of a coefficient

_module: Any = sys.modules["sympy.simplify.simplify"]  # as an attribute it is the function of that name
_logcombine = _module.logcombine


def logcombine(expr: Expr, force: bool = False) -> Expr:
    """Return what SymPy does, or an expression with large numbers beside logarithms as it is."""
    numbers = expr.atoms(Rational) if isinstance(expr, Expr) else ()
    if any(abs(number.p) > LARGEST or number.q > LARGEST for number in numbers):
        return expr
    combined: Expr = _logcombine(expr, force)
    return combined


_module.logcombine = logcombine
