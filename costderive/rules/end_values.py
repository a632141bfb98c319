"""Values of a function at the end of an interval: limits that SymPy finds, or an error in words."""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import SpecError


def end_value(function: Expr, letter: Symbol, end: Expr, side: str) -> Expr:
    """Return the limit of a function as a letter tends to an end from inside, which may be infinite.

    Raises:
        SpecError: if SymPy finds none.
    """
    try:
        found: Expr = sympy.limit(function, letter, end, side)
    except Exception as error:  # SymPy raises errors of any kind where it knows no series
        raise _unknown(function, letter, end) from error
    if found.has(sympy.nan, sympy.zoo, sympy.Limit, sympy.AccumBounds, letter):
        raise _unknown(function, letter, end)
    return found


def _unknown(function: Expr, letter: Symbol, end: Expr) -> SpecError:
    problem = f"the limit of {str(function)[:80]} as {letter} tends to {end} is not found"
    return SpecError(problem, "Take a forecast inside, or write the function without min, max and abs.")
