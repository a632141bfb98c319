"""Sums that are negative where they stand, written as minus their opposite: ``1/(1 - 2 p)``, not ``-1/(2 p - 1)``."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow

from costderive.core.piecewise import Given, Interval
from costderive.deciders.signs import positive
from costderive.publish.formulas.shorter import single_fraction

TERMS = 3  # of a sum that is turned


def turned(expr: Expr, on: Interval | None = None, given: Given = Given()) -> Expr:
    """Return the same function with each linear factor that is negative there as minus its opposite.

    If the sign of one is not decided, all are left: turning some of a product would hide that its signs cancel.

    >>> from costderive.core.symbols import p
    >>> turned(1 / (2 * p - 1), Interval(p, sympy.S.Zero, sympy.Rational(1, 2)))
    -1/(1 - 2*p)
    """
    expr = expr.replace(sympy.exp, lambda exponent: sympy.exp(single_fraction(exponent)))
    sums = set(_sums(expr))
    letters = {base: Dummy(positive=True) for base in sums if positive(-base, on, given)}
    if not letters or not all(positive(base, on, given) for base in sums - letters.keys()):
        return expr
    kept = expr.xreplace({base: -letter for base, letter in letters.items()})
    return kept.xreplace({letter: -base for base, letter in letters.items()})


def _sums(expr: Expr) -> Iterator[Expr]:
    """Yield the short linear sums that are a factor or the base of a power."""
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, Mul | Pow):
            yield from (base for base in node.args if _is_short(base))


def _is_short(base: Expr) -> bool:
    letters = base.free_symbols
    return bool(
        isinstance(base, Add)
        and len(base.args) <= TERMS
        and letters
        and base.is_polynomial(*letters)
        and all(sympy.degree(base, letter) == 1 for letter in letters)
    )
