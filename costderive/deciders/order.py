"""Putting symbolic breakpoints in order, or saying which fact would decide it."""

from __future__ import annotations

from functools import cmp_to_key

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative


class Undecided(Exception):
    """The order of two breakpoints depends on the sign of an expression in the parameters."""

    def __init__(self, fact: Expr) -> None:
        self.fact = fact
        super().__init__(f"the sign of {fact} is not known")


class OpenSign(Undecided):
    """What is right where an expression in the parameters is positive differs from what is right below 0, and at it."""


def compare(left: Expr, right: Expr, given: Given) -> int:
    """Return 1, 0 or -1 as ``left`` is at or above, equal to, at or below ``right``.

    Raises:
        Undecided: if the given facts leave it open.
    """
    gap = left - right
    if zero(gap, None, given):
        return 0
    if nonnegative(gap, None, given):
        return 1
    if nonnegative(-gap, None, given):
        return -1
    raise Undecided(_undecided_factor(gap, given))


def _undecided_factor(gap: Expr, given: Given) -> Expr:
    """Return the factor of a difference whose sign is open, with its first term positive."""
    open_ones = [
        f for f in _factors(gap) if not nonnegative(f, None, given) and not nonnegative(-f, None, given)
    ]
    fact = sympy.prod(open_ones) if open_ones else gap
    return -fact if _starts_with_minus(fact) else fact


def _factors(gap: Expr) -> list[Expr]:
    try:
        return [factor for factor, _ in sympy.factor_list(sympy.expand(sympy.numer(sympy.together(gap))))[1]]
    except sympy.PolynomialError:
        return []


def _starts_with_minus(fact: Expr) -> bool:
    try:
        first = sympy.LT(fact, *sorted(fact.free_symbols, key=str))
    except sympy.PolynomialError:
        first = fact
    return bool(first.could_extract_minus_sign())


def ascending(points: list[Expr], given: Given) -> list[Expr]:
    """Return the points in ascending order, equal ones once."""
    ordered = sorted(points, key=cmp_to_key(lambda x, y: compare(x, y, given)))
    kept = ordered[:1]
    for point in ordered[1:]:
        if compare(point, kept[-1], given) != 0:
            kept.append(point)
    return kept
