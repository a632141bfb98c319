"""The leading term of an expression as ``x -> 0`` from above: what it is, its order and its limit."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.deciders.signs import positive

ZERO, ONE = sympy.S.Zero, sympy.S.One


@dataclass(frozen=True, slots=True)
class Leading:
    """The term ``coefficient * x^power * (-log x)^logs``; the coefficient is a non-zero constant.

    If it ``decays``, it is instead of an unnamed order below every power of x, as ``exp(-1/x)`` is. If it is
    ``small``, nothing is known but that it vanishes. What outgrows every power of 1/x has the power ``-oo``.
    """

    coefficient: Expr
    power: Expr = ZERO
    logs: Expr = ZERO
    decays: bool = False
    small: bool = False

    def order(self, given: Given = Given()) -> int | None:
        """Return -1 if the term grows without bound, 0 if it is constant, 1 if it vanishes."""
        if self.decays or self.small:
            return 1
        if self.power == 0:
            return 0 if self.logs == 0 else sign_of(-self.logs, given)
        return sign_of(self.power, given)


def sign_of(expr: Expr, given: Given = Given()) -> int | None:
    """Return the sign of a power, 0 not being one."""
    if expr.is_extended_positive or sympy.expand(expr) in given.positive:
        return 1
    if expr.is_extended_negative or sympy.expand(-expr) in given.positive:
        return -1
    return constant_sign(expr, given) if given.positive and expr.free_symbols else None


class NoLeadingTerm(Exception):
    """The leading term could not be found by the rules."""


def limit_of(term: Leading | None, given: Given) -> Expr | None:
    """Return the limit of what has this leading term, possibly infinite, or ``None`` if a sign is not known."""
    order = 1 if term is None else term.order(given)
    if term is None or order == 1:
        return ZERO
    if order == 0:
        return term.coefficient
    sign = constant_sign(term.coefficient, given)
    return None if sign is None or order is None else sign * sympy.oo


def constant_sign(expr: Expr, given: Given) -> int | None:
    """Return 1 or -1 if a constant has that sign for all admissible parameters."""
    if positive(expr, None, given):
        return 1
    return -1 if positive(-expr, None, given) else None


def definite(term: Leading, given: Given) -> Leading:
    """Return the term if its coefficient has a sign for all admissible parameters: one that vanishes leads nothing."""
    if constant_sign(term.coefficient, given) is None:
        raise NoLeadingTerm
    return term


def is_small_power(term: Leading, given: Given) -> bool:
    """Is it a positive multiple of a positive power of x, with no logarithm?"""
    named = not (term.decays or term.small) and term.logs == 0
    return named and term.order(given) == 1 and constant_sign(term.coefficient, given) == 1


def power_of(argument: Leading, exponent: Expr, factor: Expr) -> Leading:
    power, logs = (sympy.expand(old * exponent) for old in (argument.power, argument.logs))
    return Leading(factor * argument.coefficient**exponent, power, logs)
