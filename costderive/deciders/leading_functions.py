"""Leading terms of functions, by those of their argument: each rule here is a theorem.

Source: DLMF, chapters 4, 6, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given
from costderive.core.plain_functions import complete_beta
from costderive.deciders.identities import zero
from costderive.deciders.leading_terms import (
    ONE,
    ZERO,
    Leading,
    NoLeadingTerm,
    constant_sign,
    definite,
    power_of,
)
from costderive.deciders.signs import positive


def rule_of(expr: Expr, x: Symbol) -> Callable[..., Leading | None]:
    """Return the rule of a function of its last argument; the other arguments are constants."""
    if any(arg.has(x) for arg in expr.args[:-1]):
        raise NoLeadingTerm
    if expr.func in _FAMILIES:
        return _FAMILIES[expr.func](*expr.args[:-1])
    if expr.func not in _RULES:
        raise NoLeadingTerm
    return _RULES[expr.func]


def _log(argument: Leading | None, order: int, given: Given) -> Leading | None:
    """``log(c x^a (-log x)^b)`` is led by ``-a (-log x)``, or is ``log c`` for a constant c other than 1."""
    if argument is None or not positive(argument.coefficient, None, given):
        raise NoLeadingTerm
    if argument.power != 0:
        return definite(Leading(-argument.power, ZERO, ONE), given)
    return _constant(sympy.log(argument.coefficient), order, given)


def _exp(argument: Leading | None, order: int, given: Given) -> Leading | None:
    if argument is None or order == 1:
        return Leading(ONE)
    if order == 0:
        return _constant(sympy.exp(argument.coefficient), order, given)
    faster_than_log = argument.power != 0 or (argument.logs - 1).is_positive
    sign = constant_sign(argument.coefficient, given) if faster_than_log else None
    if sign is None:
        raise NoLeadingTerm
    return Leading(ONE, decays=True) if sign == -1 else Leading(ONE, -sympy.oo)


def _asinh(argument: Leading | None, order: int, given: Given) -> Leading | None:
    """``asinh(y)`` is y near 0 and ``sign(y) log(2|y|)`` far out."""
    if argument is None or order == 1:
        return argument
    if order == 0:
        return _constant(sympy.asinh(argument.coefficient), order, given)
    sign = constant_sign(argument.coefficient, given)
    if sign is None or argument.power == 0:
        raise NoLeadingTerm
    return definite(Leading(-sign * argument.power, ZERO, ONE), given)  # an infinite power has no known sign


def _constant(value: Expr, order: int, given: Given) -> Leading | None:
    """A continuous function at a constant; where its value is 0, all that is known is that it vanishes."""
    if order != 0:
        raise NoLeadingTerm
    if zero(value, None, given):
        return Leading(ONE, small=True)
    return definite(Leading(value), given)


def _saturating(function: Callable[[Expr], Expr], slope: Expr, far: Expr) -> Callable[..., Leading | None]:
    """Return the rule of an odd function with a slope at 0 and a limit far out."""

    def rule(argument: Leading | None, order: int, given: Given) -> Leading | None:
        if argument is None:
            return None
        if order == 1:
            return Leading(slope * argument.coefficient, argument.power, argument.logs)
        if order == 0:
            return _constant(function(argument.coefficient), order, given)
        sign = constant_sign(argument.coefficient, given)
        if sign is None:
            raise NoLeadingTerm
        return Leading(sign * far)

    return rule


def _erfc(argument: Leading | None, order: int, given: Given) -> Leading | None:
    """``erfc`` falls from 2 to 0, where it decays."""
    if argument is None or order == 1:
        return Leading(ONE)
    if order == 0:
        return definite(Leading(sympy.erfc(argument.coefficient)), given)
    sign = constant_sign(argument.coefficient, given)
    if sign is None or (argument.power == 0 and not (argument.logs - 1).is_nonnegative):
        raise NoLeadingTerm
    return Leading(ONE, decays=True) if sign == 1 else Leading(sympy.Integer(2))


def _exponential_integral(order_of: Expr) -> Callable[..., Leading | None]:
    """``E1(y)`` starts as ``-log y`` and decays far out."""

    def rule(argument: Leading | None, order: int, given: Given) -> Leading | None:
        if order_of != 1 or argument is None or constant_sign(argument.coefficient, given) != 1:
            raise NoLeadingTerm
        if order == 0:
            return Leading(sympy.expint(1, argument.coefficient))
        if argument.power == 0:
            raise NoLeadingTerm
        return Leading(argument.power, ZERO, ONE) if order == 1 else Leading(ONE, decays=True)

    return rule


def _asin(argument: Leading | None, order: int, given: Given) -> Leading | None:
    if argument is None or order == 1:
        return argument
    if order == 0 and positive(1 - argument.coefficient**2, None, given):
        return _constant(sympy.asin(argument.coefficient), order, given)
    raise NoLeadingTerm


def _upper_gamma(shape: Expr) -> Callable[..., Leading | None]:
    """``Gamma(a, y)`` decays far out and starts at ``Gamma(a)`` for a > 0."""

    def rule(argument: Leading | None, order: int, given: Given) -> Leading | None:
        if (
            order == -1
            and argument is not None
            and argument.power != 0
            and constant_sign(argument.coefficient, given) == 1
        ):
            return Leading(ONE, decays=True)
        if order == 1 and positive(shape, None, given):
            return Leading(sympy.gamma(shape))
        if argument is None:
            raise NoLeadingTerm
        return _constant(sympy.uppergamma(shape, argument.coefficient), order, given)

    return rule


def _lower_gamma(shape: Expr) -> Callable[..., Leading | None]:
    """``gamma(a, y)`` starts as ``y^a/a`` and ends at ``Gamma(a)``, for a > 0."""

    def rule(argument: Leading | None, order: int, given: Given) -> Leading | None:
        if (
            argument is None
            or not positive(shape, None, given)
            or constant_sign(argument.coefficient, given) != 1
        ):
            raise NoLeadingTerm
        if order == 1:
            return power_of(argument, shape, 1 / shape)
        return (
            Leading(sympy.gamma(shape))
            if order == -1
            else _constant(sympy.lowergamma(shape, argument.coefficient), 0, given)
        )

    return rule


def _incomplete_beta(first: Expr, second: Expr, low: Expr) -> Callable[..., Leading | None]:
    """``B_z(a, b)`` starts as ``z^a/a`` and reaches ``B(a, b)`` at z = 1, for a, b > 0."""

    def rule(argument: Leading | None, order: int, given: Given) -> Leading | None:
        if argument is None or low != 0 or not positive(first, None, given):
            raise NoLeadingTerm
        if order == 1:
            return power_of(argument, first, 1 / first)
        at_one = order == 0 and zero(argument.coefficient - 1, None, given)
        if at_one and positive(second, None, given):
            return Leading(complete_beta(first, second))
        raise NoLeadingTerm

    return rule


_FAMILIES: dict[object, Callable[..., Callable[..., Leading | None]]] = {
    sympy.uppergamma: _upper_gamma,
    sympy.lowergamma: _lower_gamma,
    sympy.betainc: _incomplete_beta,
    sympy.expint: _exponential_integral,
}

_RULES: dict[object, Callable[[Leading | None, int, Given], Leading | None]] = {
    sympy.log: _log,
    sympy.exp: _exp,
    sympy.asinh: _asinh,
    sympy.asin: _asin,
    sympy.erfc: _erfc,
    sympy.atan: _saturating(sympy.atan, ONE, sympy.pi / 2),
    sympy.erf: _saturating(sympy.erf, 2 / sympy.sqrt(sympy.pi), ONE),
}
