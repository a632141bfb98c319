"""Leading terms ``c x^power (-log x)^logs`` of an expression as ``x -> 0`` from above.

Every rule here is a theorem about leading terms; where the leading terms of a sum cancel, or a function is
met that has no rule, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy
from sympy import Add, Expr, Mul, Pow, Symbol

from costderive.core.piecewise import Given
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.deciders.size import steep

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
    """Return the sign of a power that is known at sight or is a given fact, 0 not being one."""
    if expr.is_extended_positive or sympy.expand(expr) in given.positive:
        return 1
    return -1 if expr.is_extended_negative or sympy.expand(-expr) in given.positive else None


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


def leading(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """Return the leading term of an expression, ``None`` for zero.

    Raises:
        NoLeadingTerm: if the rules do not give one.
    """
    if x not in expr.free_symbols:
        return None if zero(expr, None, given) else _definite(Leading(expr), given)
    if expr == x:
        return Leading(ONE, ONE)
    if isinstance(expr, Add):
        return _sum(expr, x, given)
    if isinstance(expr, Mul):
        return _product([leading(arg, x, given) for arg in expr.args])
    if isinstance(expr, Pow):
        return _power(expr, x, given)
    return _function(expr, x, given)


def _sum(expr: Add, x: Symbol, given: Given) -> Leading | None:
    if expr.is_polynomial(x) and not steep(expr):
        return _lowest(expr, x, given)
    found = [term for term in (_summand(arg, x, given) for arg in expr.args) if term is not None]
    terms = [term for term in found if not term.small]
    if len(terms) < len(found):
        return _besides_small(terms, given)
    total = _dominant(terms, given)
    if total is None or not total.small or not expr.is_rational_function(x) or steep(expr):
        return total
    top, bottom = sympy.fraction(sympy.together(expr))  # over one denominator what cancels is seen
    return leading(sympy.expand(top) / bottom, x, given)


def _besides_small(terms: list[Leading], given: Given) -> Leading:
    """What merely vanishes is dominated by a constant or by something that grows; else it all merely vanishes."""
    total = _dominant(terms, given)
    order = 1 if total is None else total.order(given)
    if order is None:
        raise NoLeadingTerm
    return Leading(ONE, small=True) if total is None or order == 1 else total


def _dominant(terms: list[Leading], given: Given) -> Leading | None:
    top: list[Leading] = []
    for term in terms:
        rank = _rank(term, top[0]) if top else 0
        top = [term] if rank > 0 else [*top, term] if rank == 0 else top
    if not top or top[0].decays:
        return top[0] if top else None
    total = Add(*[term.coefficient for term in top])
    if top[0].power == 0 == top[0].logs and zero(total, None, given):
        return Leading(ONE, small=True)  # constants that cancel leave what vanishes
    return _definite(Leading(total, top[0].power, top[0].logs), given)


def _summand(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """Return the leading term of a summand; its constant factor may be of unknown sign if a larger term leads."""
    factor, moving = expr.as_independent(x, as_Add=False)
    if moving == 1:
        return Leading(expr)
    term = leading(moving, x, given)
    return None if term is None else replace(term, coefficient=factor * term.coefficient)


def _definite(term: Leading, given: Given) -> Leading:
    """Return the term if its coefficient has a sign for all admissible parameters: one that vanishes leads nothing."""
    if constant_sign(term.coefficient, given) is None:
        raise NoLeadingTerm
    return term


def _lowest(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    for (power,), coefficient in reversed(sympy.Poly(expr, x).terms()):
        if not zero(coefficient, None, given):
            return _definite(Leading(sympy.together(coefficient), sympy.Integer(power)), given)
    return None


def _rank(term: Leading, other: Leading) -> int:
    """Return 1 if a term dominates another, 0 if they are of one order, -1 if it is dominated."""
    if term.decays or other.decays:
        return other.decays - term.decays
    for gap in (other.power - term.power, term.logs - other.logs):
        sign = 0 if gap == 0 else sign_of(gap)
        if sign is None:
            raise NoLeadingTerm
        if sign:
            return sign
    return 0


def _product(terms: list[Leading | None]) -> Leading | None:
    known = [term for term in terms if term is not None]
    if len(known) < len(terms):
        return None
    if any(term.small for term in known):
        return _small_product(known)
    return Leading(
        Mul(*[term.coefficient for term in known]),
        Add(*[term.power for term in known]),
        Add(*[term.logs for term in known]),
        any(term.decays for term in known),
    )


def _small_product(terms: list[Leading]) -> Leading:
    if any(term.order() not in (0, 1) for term in terms):
        raise NoLeadingTerm
    return Leading(ONE, small=True)


def _power(expr: Pow, x: Symbol, given: Given) -> Leading | None:
    base, exponent = leading(expr.base, x, given), expr.exp
    if exponent.has(x) or base is None:
        raise NoLeadingTerm
    if not (exponent.is_Integer or positive(base.coefficient, None, given)):
        raise NoLeadingTerm
    if base.small and sign_of(exponent, given) == 1:
        return base
    if base.decays or base.small:
        raise NoLeadingTerm
    return Leading(base.coefficient**exponent, base.power * exponent, base.logs * exponent)


def _function(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    rule = _rule(expr, x)
    if isinstance(expr, sympy.betainc) and not positive(expr.args[1], None, given):
        return _unbounded_beta(expr, x, given)
    argument = leading(expr.args[-1], x, given)
    order = 1 if argument is None else argument.order(given)
    if order is None or (argument is not None and (argument.decays or argument.small)):
        raise NoLeadingTerm
    return rule(argument, order, given)


def _rule(expr: Expr, x: Symbol) -> Callable[..., Leading | None]:
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
        return _definite(Leading(-argument.power, ZERO, ONE), given)
    return _constant(sympy.log(argument.coefficient), order, given)


def _exp(argument: Leading | None, order: int, given: Given) -> Leading | None:
    if argument is None or order == 1:
        return Leading(ONE)
    if order == 0:
        return _constant(sympy.exp(argument.coefficient), order, given)
    faster_than_log = argument.power != 0 or (argument.logs - 1).is_positive
    if not (faster_than_log and constant_sign(argument.coefficient, given) == -1):
        raise NoLeadingTerm
    return Leading(ONE, decays=True)


def _asinh(argument: Leading | None, order: int, given: Given) -> Leading | None:
    """``asinh(y)`` is y near 0 and ``sign(y) log(2|y|)`` far out."""
    if argument is None or order == 1:
        return argument
    if order == 0:
        return _constant(sympy.asinh(argument.coefficient), order, given)
    sign = constant_sign(argument.coefficient, given)
    if sign is None or argument.power == 0:
        raise NoLeadingTerm
    return Leading(-sign * argument.power, ZERO, ONE)


def _constant(value: Expr, order: int, given: Given) -> Leading | None:
    """A continuous function at a constant; where its value is 0, all that is known is that it vanishes."""
    if order != 0:
        raise NoLeadingTerm
    if zero(value, None, given):
        return Leading(ONE, small=True)
    return _definite(Leading(value), given)


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
        return _definite(Leading(sympy.erfc(argument.coefficient)), given)
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
            return _power_of(argument, shape, 1 / shape)
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
            return _power_of(argument, first, 1 / first)
        at_one = order == 0 and zero(argument.coefficient - 1, None, given)
        if at_one and positive(second, None, given):
            return Leading(sympy.beta(first, second))
        raise NoLeadingTerm

    return rule


def _unbounded_beta(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """With ``b <= 0 < a``, ``B_z(a, b)`` grows as z rises to 1: like ``(1 - z)^b/(-b)``, or ``-log(1 - z)`` if b = 0.

    It starts as any other, as ``z^a/a``.
    """
    first, second, low, z = expr.args
    if low != 0 or not positive(first, None, given):
        raise NoLeadingTerm
    start = leading(z, x, given)
    if start is not None and _is_small_power(start, given):
        return _power_of(start, first, 1 / first)
    rest = leading(sympy.together(1 - z), x, given)
    if rest is None or not _is_small_power(rest, given):
        raise NoLeadingTerm
    if second == 0:
        return Leading(rest.power, ZERO, ONE)
    if not positive(-second, None, given):
        raise NoLeadingTerm
    return _power_of(rest, second, -1 / second)


def _is_small_power(term: Leading, given: Given) -> bool:
    """Is it a positive multiple of a positive power of x, with no logarithm?"""
    named = not (term.decays or term.small) and term.logs == 0
    return named and term.order(given) == 1 and constant_sign(term.coefficient, given) == 1


def _power_of(argument: Leading, exponent: Expr, factor: Expr) -> Leading:
    return Leading(
        factor * argument.coefficient**exponent, argument.power * exponent, argument.logs * exponent
    )


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
