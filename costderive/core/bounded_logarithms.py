"""A bound on what SymPy works out of itself: it writes ``exp((10**9*log(10) + log(5))*x)`` with all digits of 10**10**9.

``exp`` asks ``logcombine`` to write sums of logarithms as one, and the powers of numbers in it are computed whatever
they are. Importing this module leaves sums with large coefficients as they are, which is no less true.
"""

from __future__ import annotations

import sys
from typing import Any

import sympy
from sympy import Expr, Rational

LARGEST = 1000  # numerator or denominator of a coefficient

_module: Any = sys.modules["sympy.simplify.simplify"]  # the name ``sympy.simplify.simplify`` is that of a function
_logcombine = _module.logcombine


def logcombine(expr: Expr, force: bool = False) -> Expr:
    """Return what SymPy does, or an expression with large numbers beside logarithms as it is."""
    numbers = sympy.sympify(expr).atoms(Rational)
    if any(abs(number.p) > LARGEST or number.q > LARGEST for number in numbers):
        return expr
    return _logcombine(expr, force)  # type: ignore[no-any-return]


_module.logcombine = logcombine
