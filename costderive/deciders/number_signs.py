"""Signs of numbers: exact for fractions, by enclosures that exclude zero, and zero by a bound for radicals."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Expr, Integral

from costderive.deciders.enclosure import enclose
from costderive.deciders.radicals import vanishes


def is_number(expr: Expr) -> bool:
    """Return whether an expression is a number whose sign may be asked for: an integral would be evaluated."""
    return bool(expr.is_number) and not expr.has(Integral)


@lru_cache(maxsize=4096)
def number_sign(expr: Expr) -> int | None:
    """Return the sign of a number: of a fraction at sight, of another by an enclosure or as a zero of radicals."""
    if expr.is_Rational:
        return int(sympy.sign(expr))
    bounds = enclose(expr)
    if bounds is not None and (bounds[0] > 0 or bounds[1] < 0):
        return 1 if bounds[0] > 0 else -1
    return 0 if vanishes(expr) else None
