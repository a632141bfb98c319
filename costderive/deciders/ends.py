"""The sign of a smooth function on an interval, from its limits at both ends and the signs of its slopes.

One that rises is above its limit at the lower end, one that falls above that at the upper end, and one whose slope
falls, a concave one, is above the lesser of both. This asks for nothing at the ends but the limits, which may be
infinite.
"""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Expr, Integral, Mul, oo

from costderive.core.piecewise import Given, Interval
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import between, nonnegative, positive
from costderive.deciders.size import steep

MOST_SLOPES = 4
MOST_DIVISORS = 3
METHOD = "limits at the ends and slopes"


def sign_from_ends(expr: Expr, on: Interval | None, given: Given, *, strict: bool) -> str | None:
    """Name the method if every factor is positive, or without ``strict`` not negative, on the interval.

    Without an interval a factor in one letter is looked at between the bounds that the facts name.
    """
    seen = any(
        all(_has_sign(factor, on, given, strict) for factor in Mul.make_args(whole))
        for whole in _wholes(expr)
    )
    return METHOD if seen else None


def _wholes(expr: Expr) -> dict[Expr, None]:
    """Return an expression over one denominator, and as it is."""
    is_long = expr.has(Integral) or steep(expr)
    return dict.fromkeys((expr,) if is_long else (sympy.factor_terms(sympy.together(expr), sign=False), expr))


def _has_sign(expr: Expr, on: Interval | None, given: Given, strict: bool) -> bool:
    if _decided(expr, on, given, strict):
        return True
    place = between(expr, given) if on is None else on
    if place is None or place.variable not in expr.free_symbols or steep(expr) or expr.has(Integral):
        return False
    everywhere = given.without(place.variable)  # not in a part of the interval alone, apart from its ends
    smooth = bool(regular(expr, place, everywhere))
    return smooth and any(
        _from_ends(f, place, everywhere, strict, MOST_SLOPES) for f in _writings(expr, place)
    )


def _writings(expr: Expr, on: Interval) -> tuple[Expr, ...]:
    """Return an expression, and it divided by each exponential in it, which is positive."""
    divisors = sorted((node for node in expr.atoms(sympy.exp) if node.has(on.variable)), key=str)
    return expr, *[sympy.expand(expr / node) for node in divisors[:MOST_DIVISORS]]


def _decided(expr: Expr, on: Interval | None, given: Given, strict: bool) -> bool:
    return bool(positive(expr, on, given) if strict else nonnegative(expr, on, given))


@lru_cache(maxsize=1024)
def _from_ends(expr: Expr, on: Interval, given: Given, strict: bool, slopes: int) -> bool:
    """Decide a function that is smooth inside; all its slopes are."""
    if _decided(expr, on, given, strict):
        return True
    if slopes == 0:
        return False
    low, high = (
        _limit_sign(expr, Approach(on.variable, *end), given) for end in ((on.low, "+"), (on.high, "-"))
    )
    slope = _slope(expr, on)
    for end, sign in ((low, 1), (high, -1)):
        if end is not None and _from_ends(sign * slope, on, given, strict and end == 0, slopes - 1):
            return True
    if low is None or high is None or slopes < 2:
        return False
    bend = sympy.expand(sympy.diff(expr, on.variable, 2))
    return _from_ends(-bend, on, given, strict and 0 in (low, high), slopes - 2)


def _slope(expr: Expr, on: Interval) -> Expr:
    """Return what has the sign of the slope: it without the exponentials that multiply all of it."""
    factors = Mul.make_args(sympy.factor_terms(sympy.expand(sympy.diff(expr, on.variable))))
    return Mul(*[factor for factor in factors if not isinstance(factor, sympy.exp)])


def _limit_sign(expr: Expr, end: Approach, given: Given) -> int | None:
    """Return 1 if a limit is positive, 0 if it is not negative, ``None`` if that is not known."""
    limit = value_at(expr, end, given)
    if limit is None or limit in (sympy.nan, sympy.zoo, -oo):
        return None
    if limit is oo or positive(limit, None, given):
        return 1
    return 0 if nonnegative(limit, None, given) or zero(limit, None, given) else None
