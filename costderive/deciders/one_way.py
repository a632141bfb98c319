"""Does a curve run one way, so that its parameter is an analytic function of the cost proportion?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Basic, Expr, Mul

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.piecewise import Given, Interval
from costderive.deciders.exactness import rounded
from costderive.deciders.limits import Approach, integrals_converge, tends, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive

DEEPEST = 3  # derivatives that are looked at


def curves_in(part: Any) -> Iterator[OneWay]:
    """Yield the curves whose parameters are in an expression, or in a part of an interval, of facts or of a claim."""
    if isinstance(part, Basic):
        yield from (node.stretch for node in part.atoms(CurveParameter))
    elif isinstance(part, tuple):
        for one in part:
            yield from curves_in(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from curves_in(getattr(part, field.name))


@lru_cache(maxsize=256)
def runs_one_way(curve: OneWay, given: Given) -> bool:
    """Return whether the cost proportion is analytic, strictly monotone as it says, and has the limits that it says.

    The variable of the curve is positive.
    """
    on = Interval(curve.variable, curve.low, curve.high)
    ends = ((curve.low, "+", curve.first), (curve.high, "-", curve.last))
    return bool(
        not rounded(curve.parts)
        and curve.variable == sympy.Symbol(curve.variable.name, positive=True)
        and not any(part.has(CurveParameter) for part in curve.parts)
        and not any(curve.variable in end.free_symbols for end in (*curve.reach, curve.low, curve.high))
        and curve.direction in (1, -1)
        and nonnegative(curve.low, None, given)
        and _costs_something(curve, on, given)
        and all(
            regular(cost, on, given) and integrals_converge(cost, on, given) for cost in (curve.c0, curve.c1)
        )
        and _turns_nowhere(curve, on, given)
        and all(
            tends(curve.proportion, Approach(curve.variable, end, side), value, given)
            for end, side, value in ends
        )
    )


def _costs_something(curve: OneWay, on: Interval, given: Given) -> bool:
    """Is the sum of the costs positive, seen as a whole or cost by cost?"""
    if positive(curve.c0 + curve.c1, on, given):
        return True
    never_negative = all(nonnegative(cost, on, given) for cost in (curve.c0, curve.c1))
    return never_negative and bool(positive(not_both_zero(curve.c0, curve.c1, on, given), on, given))


def not_both_zero(c0: Expr, c1: Expr, on: Interval, given: Given) -> Expr:
    """Return what has to be positive for costs that are never negative not to be 0 together: one, or the sum."""
    return next((cost for cost in (c0, c1) if positive(cost, on, given)), c0 + c1)


def gains(c0: Expr, c1: Expr, on: Interval, given: Given) -> int:
    """Return 1 if one positive cost rises while the other falls, -1 if it falls while that rises, else 0."""
    slopes = sympy.diff(c0, on.variable), -sympy.diff(c1, on.variable)
    for sign in (1, -1):
        weak = all(nonnegative(sign * slope, on, given) for slope in slopes)
        if weak and any(positive(sign * slope, on, given) for slope in slopes):
            return sign if positive(c0, on, given) and positive(c1, on, given) else 0
    return 0


def _turns_nowhere(curve: OneWay, on: Interval, given: Given) -> bool:
    """Is the sign of the slope that of the direction, cost by cost, as a whole or factor by factor?"""
    if gains(curve.c0, curve.c1, on, given) == curve.direction:
        return True
    slope = curve.direction * curve.turning
    if positive(slope, on, given) or positive(sympy.expand(slope), on, given):
        return True
    signs = [_sign(factor, on, given, DEEPEST) for factor in Mul.make_args(sympy.factor(slope))]
    return bool(sympy.prod(signs) == 1)


def _sign(expr: Expr, on: Interval, given: Given, deep: int) -> int:
    """Return 1 or -1 if a function has that sign, 0 if it is not known: it is monotone, and does not begin below 0."""
    for sign in (1, -1):
        if positive(sign * expr, on, given):
            return sign
    rises = (
        _sign(sympy.diff(expr, on.variable), on, given, deep - 1) if deep and regular(expr, on, given) else 0
    )
    ends = (Approach(on.variable, on.low, "+"), Approach(on.variable, on.high, "-"))[:: rises or 1]
    for sign, end in zip((1, -1), ends, strict=True):
        if rises and _is_nonnegative(sign * expr, end, given):
            return sign
    return 0


def _is_nonnegative(expr: Expr, end: Approach, given: Given) -> bool:
    limit = value_at(expr, end, given)
    return limit is not None and (limit == sympy.oo or nonnegative(limit, None, given) is not None)
