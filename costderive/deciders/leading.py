"""Leading terms ``c x^power (-log x)^logs`` of an expression as ``x -> 0`` from above.

Every rule here is a theorem about leading terms; where the leading terms of a sum cancel, or a function is
met that has no rule, there is no answer.
"""

from __future__ import annotations

from dataclasses import replace

import sympy
from sympy import Add, Expr, Mul, Pow, Symbol

from costderive.core.derivatives import derivative
from costderive.core.piecewise import Given
from costderive.deciders.identities import zero
from costderive.deciders.leading_functions import rule_of
from costderive.deciders.leading_terms import (
    ONE,
    ZERO,
    Leading,
    NoLeadingTerm,
    constant_sign,
    definite,
    is_small_power,
    power_of,
    sign_of,
)
from costderive.deciders.signs import positive
from costderive.deciders.size import steep


def leading(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """Return the leading term of an expression, ``None`` for zero.

    Raises:
        NoLeadingTerm: if the rules do not give one.
    """
    if x not in expr.free_symbols:
        return None if zero(expr, None, given) else definite(Leading(expr), given)
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
    expr = _from_below(expr, x, given)
    if not isinstance(expr, Add):
        return leading(expr, x, given)
    if expr.is_polynomial(x) and not steep(expr):
        return _lowest(expr, x, given)
    if len(expr.args) == 2 and isinstance(whole := sympy.factor_terms(expr), Mul):
        return leading(whole, x, given)
    found = [term for term in (_summand(arg, x, given) for arg in expr.args) if term is not None]
    terms = [term for term in found if not term.small]
    if len(terms) < len(found):
        return _besides_small(terms, given)
    total = _dominant(terms, given)
    if (
        total is not None
        and total.small
        and (gap := _gap_to_one(expr, x, given) or _by_slope(expr, x, given))
    ):
        return gap
    if total is None or not total.small or not expr.is_rational_function(x) or steep(expr):
        return total
    top, bottom = sympy.fraction(sympy.together(expr))  # over one denominator what cancels is seen
    return leading(sympy.expand(top) / bottom, x, given)


def _from_below(expr: Expr, x: Symbol, given: Given) -> Expr:
    """Write ``Gamma(a, y)`` as ``Gamma(a) - gamma(a, y)`` where y vanishes: the constant may cancel."""
    known = {node: sympy.gamma(sympy.cancel(node.args[0])) for node in expr.atoms(sympy.gamma)}
    for node in expr.atoms(sympy.uppergamma):
        shape, y = sympy.cancel(node.args[0]), node.args[1]
        if y.has(x) and positive(shape, None, given) and _vanishes(y, x, given):
            known[node] = sympy.gamma(shape) - sympy.lowergamma(shape, y)
    return sympy.expand_mul(expr.xreplace(known)) if known.keys() & expr.atoms(sympy.uppergamma) else expr


def _vanishes(y: Expr, x: Symbol, given: Given) -> bool:
    try:
        found = leading(y, x, given)
    except NoLeadingTerm:
        return False
    return found is None or found.order(given) == 1


def _by_slope(expr: Add, x: Symbol, given: Given) -> Leading | None:
    """Powers with letters of what is positive at 0 are smooth there: where they cancel, the slope leads."""
    powers = [node for node in expr.atoms(Pow) if node.has(x)]
    smooth = not any(node.has(x) for node in expr.atoms(sympy.Function, sympy.Integral)) and all(
        not power.exp.has(x) and positive(power.base.subs(x, 0), None, given) for power in powers
    )
    if not smooth or expr.is_rational_function(x) or not zero(expr.subs(x, 0), None, given):
        return None
    slope = derivative(expr, x).subs(x, 0)
    return Leading(slope, ONE) if constant_sign(slope, given) else None


def _gap_to_one(expr: Add, x: Symbol, given: Given) -> Leading | None:
    """Where y tends to 1, ``1 - y^e`` is led by what leads ``e (1 - y)``; where g vanishes, ``1 - exp(g)`` by -g."""
    constant, moving = expr.as_independent(x, as_Add=True)
    power = -moving / constant
    if isinstance(power, sympy.exp):
        return leading(-constant * power.args[0], x, given) if _vanishes(power.args[0], x, given) else None
    if not isinstance(power, Pow) or power.exp.has(x):
        return None
    start = leading(power.base, x, given)
    if start is None or start.order(given) != 0 or not zero(start.coefficient - 1, None, given):
        return None
    return leading(constant * power.exp * sympy.together(1 - power.base), x, given)


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
    found = Leading(total, top[0].power, top[0].logs)
    if constant_sign(total, given) is not None:
        return found
    if found.order(given) != 1:
        raise NoLeadingTerm
    return Leading(ONE, small=True)  # whatever the sign of the factor, and if it is 0: all terms vanish


def _summand(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """Return the leading term of a summand; its constant factor may be of unknown sign if a larger term leads."""
    factor, moving = expr.as_independent(x, as_Add=False)
    if moving == 1:
        return Leading(expr)
    term = leading(moving, x, given)
    return None if term is None else replace(term, coefficient=factor * term.coefficient)


def _lowest(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    for (power,), coefficient in reversed(sympy.Poly(expr, x).terms()):
        if not zero(coefficient, None, given):
            return definite(Leading(sympy.together(coefficient), sympy.Integer(power)), given)
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
    decays, power = any(term.decays for term in known), Add(*[term.power for term in known])
    if decays and power.is_infinite:  # which of the two wins is not known
        raise NoLeadingTerm
    return Leading(
        Mul(*[term.coefficient for term in known]),
        power,
        Add(*[term.logs for term in known]),
        decays,
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
    if base.power.is_infinite and sign_of(-exponent, given) == 1:
        return Leading(ONE, decays=True)
    return power_of(base, exponent, ONE)


def _function(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    rule = rule_of(expr, x)
    if isinstance(expr, sympy.betainc) and not positive(expr.args[1], None, given):
        return _unbounded_beta(expr, x, given)
    argument = leading(expr.args[-1], x, given)
    order = 1 if argument is None else argument.order(given)
    if order is None or (argument is not None and (argument.decays or argument.small)):
        raise NoLeadingTerm
    return rule(argument, order, given)


def _unbounded_beta(expr: Expr, x: Symbol, given: Given) -> Leading | None:
    """With ``b <= 0 < a``, ``B_z(a, b)`` grows as z rises to 1: like ``(1 - z)^b/(-b)``, or ``-log(1 - z)`` if b = 0.

    It starts as any other, as ``z^a/a``.
    """
    first, second, low, z = expr.args
    if low != 0 or not positive(first, None, given):
        raise NoLeadingTerm
    start = leading(z, x, given)
    if start is not None and is_small_power(start, given):
        return power_of(start, first, 1 / first)
    rest = leading(sympy.together(1 - z), x, given)
    if rest is None or not is_small_power(rest, given):
        raise NoLeadingTerm
    if second == 0:
        return Leading(rest.power, ZERO, ONE)
    if not positive(-second, None, given):
        raise NoLeadingTerm
    return power_of(rest, second, -1 / second)
