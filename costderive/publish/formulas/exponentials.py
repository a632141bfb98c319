"""Sums of exponentials, each times a rational function: what stands before each."""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Expr


def of_exponentials(expr: Expr) -> Mapping[Expr, Expr] | None:
    """Return the rational factor of each exponential, and of 1 if there is one; ``None`` if that is not all of it.

    >>> from sympy import exp
    >>> from sympy.abc import x
    >>> of_exponentials(x * exp(x) + exp(x) / 2 - 3)
    {1: -3, exp(x): x + 1/2}
    """
    letters = {power: sympy.Dummy() for power in sorted(expr.atoms(sympy.exp), key=sympy.default_sort_key)}
    top, bottom = sympy.fraction(sympy.together(expr.xreplace(letters)))
    if not letters or bottom.has(*letters.values()) or not (top / bottom).is_rational_function():
        return None
    terms = sympy.Poly(top, *letters.values()).terms()
    if any(sum(degrees) > 1 for degrees, _ in terms):
        return None
    named = {letter: power for power, letter in letters.items()}
    found = {}
    for degrees, factor in terms:
        part = sympy.prod(letter**n for letter, n in zip(named, degrees, strict=True))
        found[part.xreplace(named)] = sympy.cancel(factor / bottom)
    return dict(sorted(found.items(), key=lambda item: item[0] != 1))
