"""Is a one-sided limit what it is said to be? By continuity where that holds, else by leading terms."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Add, Expr, Integral, Mul, Pow, Symbol

from costderive.decide.identities import zero
from costderive.decide.leading import limit_at_zero
from costderive.decide.signs import nonnegative, positive
from costderive.decide.size import steep
from costderive.decide.smooth import regular
from costderive.pieces import Given, Interval

_x = Symbol("_x", positive=True)
FAR_OUT = {
    sympy.exp: {-sympy.oo: sympy.S.Zero},
    sympy.erf: {sympy.oo: sympy.S.One, -sympy.oo: sympy.S.NegativeOne},
    sympy.erfc: {sympy.oo: sympy.S.Zero, -sympy.oo: sympy.Integer(2)},
    sympy.atan: {sympy.oo: sympy.pi / 2, -sympy.oo: -sympy.pi / 2},
}
CONTINUOUS = (sympy.asin, sympy.acos, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc, sympy.exp)


@dataclass(frozen=True, slots=True)
class Approach:
    """``variable -> point`` from above (side ``"+"``) or from below (``"-"``)."""

    variable: Symbol
    point: Expr
    side: str


def tends(expr: Expr, approach: Approach, value: Expr, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr -> value``, or return ``None`` if none does."""
    reached = value_by_continuity(expr, approach, given)
    if reached is not None:
        return (
            "continuity"
            if (value.has(Integral) or value.is_finite is not False) and zero(reached - value, None, given)
            else None
        )
    if expr.has(Integral):
        return (
            "comparison with 1/x" if value is sympy.oo and _integral_diverges(expr, approach, given) else None
        )
    return _by_leading_terms(expr, approach, value, given)


def value_at(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the limit by continuity, else by leading terms, possibly infinite, or ``None``."""
    value = value_by_continuity(expr, approach, given)
    if value is None and not expr.has(Integral):
        value = value_by_leading_terms(expr, approach, given)
    return value


def value_by_continuity(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the value at the point if the expression is continuous there, else ``None``."""
    if approach.point is sympy.oo:
        return expr if approach.variable not in expr.free_symbols else None
    reached = _by_continuity(expr, approach, given)
    if reached is None and expr.is_rational_function() and not steep(expr):
        reached = _by_continuity(sympy.cancel(expr), approach, given)
    return reached


def _by_continuity(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value at the point if the expression is continuous there, piece by piece of its structure."""
    if approach.variable not in expr.free_symbols:
        return expr
    if isinstance(expr, Symbol):
        return approach.point
    if isinstance(expr, Integral):
        return _integral_value(expr, approach, given)
    parts = [_by_continuity(arg, approach, given) for arg in expr.args]
    if any(part is None for part in parts):
        return _saturated(expr, approach, given)
    return _joined(expr, parts, given)


def _saturated(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value far out of a function that has one, if its argument grows without bound."""
    if expr.func not in FAR_OUT:
        return None
    reached = value_by_leading_terms(expr.args[0], approach, given)
    return FAR_OUT[expr.func].get(reached)


def _joined(expr: Expr, parts: list[Expr], given: Given) -> Expr | None:
    if isinstance(expr, (Add, Mul, *CONTINUOUS)):
        return expr.func(*parts)
    if isinstance(expr, sympy.log):
        return expr.func(*parts) if positive(parts[0], None, given) else None
    if isinstance(expr, Pow):
        base, exponent = parts
        if exponent.is_Integer and exponent.is_positive:
            return base**exponent
        if positive(base, None, given) or (exponent.is_Integer and positive(-base, None, given)):
            return base**exponent
        return base**exponent if exponent.is_positive and zero(base, None, given) else None
    return None


def _integral_value(expr: Integral, approach: Approach, given: Given) -> Expr | None:
    """The value of an integral with the variable as one end, if it converges up to the point."""
    end = _moving_end(expr, approach, given)
    if end is None or not _integrable(expr.function, end, given):
        return None
    (inner, low, high) = expr.limits[0]
    if approach.point in (low, high):
        return sympy.S.Zero
    whole = expr.subs(approach.variable, approach.point)
    inside = Interval(inner, *whole.limits[0][1:])
    return whole if regular(expr.function, inside, given) and _converges(whole, given) else None


def _moving_end(expr: Integral, approach: Approach, given: Given) -> Approach | None:
    """Return how the inner variable approaches the point, if just one end of the integral is the variable.

    The integral must run forwards: its upper end rises to the point, or falls to it as the lower end, or the
    point is the fixed end itself.
    """
    (inner, low, high), *more = expr.limits
    if more or expr.function.has(approach.variable):
        return None
    forwards = {"-": (high, low, approach.point - low), "+": (low, high, high - approach.point)}
    moving, fixed, room = forwards[approach.side]
    if moving == approach.variable and not fixed.has(approach.variable) and nonnegative(room, None, given):
        return Approach(inner, approach.point, approach.side)
    starting = {"+": (high, low), "-": (low, high)}[approach.side]
    if starting[0] == approach.variable and starting[1] == approach.point:
        return Approach(inner, approach.point, approach.side)
    return None


def integrals_converge(expr: Expr, on: Interval, given: Given) -> bool:
    """Tell whether each integral up to (or from) the interval's variable converges at its fixed end."""
    return all(_converges(node, given, on.variable) for node in expr.atoms(Integral))


def _converges(expr: Integral, given: Given, moving: Symbol | None = None) -> bool:
    (inner, low, high), *_ = expr.limits
    ends = ((low, "+"), (high, "-"))
    return all(
        end == moving or _integrable(expr.function, Approach(inner, end, side), given) for end, side in ends
    )


def _integrable(integrand: Expr, end: Approach, given: Given) -> bool:
    """Does the integrand, times the square root of the distance to the end, vanish there? That is enough."""
    return tends(integrand * sympy.sqrt(_distance(end)), end, sympy.S.Zero, given) is not None


def _distance(approach: Approach) -> Expr:
    ahead = approach.variable - approach.point
    return ahead if approach.side == "+" else -ahead


def _integral_diverges(expr: Expr, approach: Approach, given: Given) -> bool:
    """Is one term an integral up to the variable whose integrand is at least ``c/x`` near the end, with c > 0?"""
    integrals = [term for term in Add.make_args(expr) if isinstance(term, Integral)]
    rest = expr - Add(*integrals)
    if len(integrals) != 1 or _by_continuity(rest, approach, given) is None:
        return False
    end = _moving_end(integrals[0], approach, given)
    if end is None or approach.point in integrals[0].limits[0]:
        return False
    limit = value_by_leading_terms(integrals[0].function * _distance(end), end, given)
    return limit is not None and (limit is sympy.oo or positive(limit, None, given) is not None)


def _by_leading_terms(expr: Expr, approach: Approach, value: Expr, given: Given) -> str | None:
    found = value_by_leading_terms(expr, approach, given)
    if found is None:
        return None
    agrees = found == value or (found.is_finite and value.is_finite and zero(found - value, None, given))
    return "leading terms" if agrees else None


def value_by_leading_terms(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the limit that the leading terms give, possibly infinite, or ``None``."""
    if approach.point is sympy.oo:
        return limit_at_zero(expr.subs(approach.variable, 1 / _x), _x, given)
    step = _x if approach.side == "+" else -_x
    return limit_at_zero(expr.subs(approach.variable, approach.point + step), _x, given)
