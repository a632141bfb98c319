"""The place on a curve of costs that has a given cost proportion, found numerically."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from sympy import Expr, Symbol

from costderive.core.curve_parameters import GUARD, OneWay

MARGIN = 12  # bits that are not known of those computed
DOUBLE = 36  # bits that are known of a root found in doubles
MOST_STEPS = 5000
FARTHEST = 2**20  # of the logarithm of a place

Gap = Callable[[Any], tuple[Any, Any, Any]]


def found_place(stretch: OneWay, at: Any) -> Any:
    """Return the variable at a cost proportion to the working precision, ``nan`` beyond the ends of a stretch.

    Newton's method for the log-odds of the proportion as a function of the logit or the logarithm of the variable's
    place: next to an end one is nearly linear in the other. It starts with doubles, or if these do not do, with all
    digits at once.
    """
    with mpmath.extraprec(GUARD):
        try:
            wanted = mpmath.log(at / (1 - at))
            z = _refined(stretch, wanted)
            gap = _gap(stretch, wanted, mpmath.mp)
            found: Any = gap(_bracketed(gap, mpmath.mp) if z is None else z)[0]
        except (ArithmeticError, ValueError, TypeError):  # beyond the ends a cost need not be real
            return mpmath.nan
    return +found


def _refined(stretch: OneWay, wanted: Any) -> Any:
    """Return the place of a root, found in doubles, whose digits each step doubles; ``None`` if that fails."""
    target, known = mpmath.mp.prec, DOUBLE
    try:
        z = mpmath.mpf(_bracketed(_gap(stretch, float(wanted), mpmath.fp), mpmath.fp))
    except (ArithmeticError, ValueError, TypeError, NameError):
        return None
    while known < target:
        reached = min(target, 2 * known - MARGIN)
        with mpmath.workprec(reached):
            _, value, slope = _gap(stretch, wanted, mpmath.mp)(z)
            step = value / slope if slope else mpmath.inf
            if not abs(step) <= max(1, abs(z)) * mpmath.ldexp(1, MARGIN - known):
                return None
            z, known = z - step, reached
    return z


def _bracketed(gap: Gap, numbers: Any) -> Any:
    """Return the place of a root, first put between bounds, to nearly all digits."""
    low, high = -numbers.one, numbers.one
    while gap(low)[1] > 0:
        low *= 2
    while gap(high)[1] < 0:
        high *= 2
    z, reach = (low + high) / 2, numbers.eps * 2**MARGIN
    for _ in range(MOST_STEPS):
        _, value, slope = gap(z)
        low, high = (z, high) if value < 0 else (low, z)
        step = value / slope if slope else numbers.inf
        if abs(step) <= reach * max(1, abs(z)) or high - low <= reach * max(1, abs(z)):
            break
        z = z - step if low < z - step < high else (low + high) / 2
    return z


def _gap(stretch: OneWay, wanted: Any, numbers: Any) -> Gap:
    """Return the variable, by how much the log-odds at it are more than those wanted, and their slope."""
    beyond_low, before_high, ends = _functions(stretch, "math" if numbers is mpmath.fp else "mpmath")
    low, high = (end() for end in ends)
    is_bounded = high != numbers.inf

    def gap(z: Any) -> tuple[Any, Any, Any]:
        if abs(z) > FARTHEST:
            raise OverflowError("no variable of the stretch has this cost proportion")
        step = numbers.exp(-abs(z)) if is_bounded else numbers.exp(z)
        part = (high - low) * step / (1 + step) if is_bounded else step
        from_high = is_bounded and z > 0
        x = high - part if from_high else low + part
        c0, c1, turning = (before_high if from_high else beyond_low)(part)
        if min(c0, c1) <= 0:  # too few digits are left of a cost that is near 0
            return x, numbers.inf if c0 > c1 else -numbers.inf, 0
        speed = part / (1 + step) if is_bounded else part
        return x, numbers.log(c0 / c1) - wanted, turning / (c0 * c1) * speed

    return gap if stretch.direction == 1 else lambda z: _falling(*gap(z))


def _falling(x: Any, value: Any, slope: Any) -> tuple[Any, Any, Any]:
    return x, -value, -slope


@lru_cache(maxsize=64)
def _functions(
    stretch: OneWay, module: str
) -> tuple[Callable[..., Any], Callable[..., Any], Sequence[Callable[[], Any]]]:
    """Return both costs and the sign of the slope as functions of the distance from each end, and the ends."""
    distance = sympy.Dummy("distance", positive=True)
    places = (stretch.low + distance, distance if stretch.high is sympy.oo else stretch.high - distance)
    near = (
        sympy.lambdify(
            distance, [_at(part, stretch.variable, place) for part in stretch.odds], module, cse=True
        )
        for place in places
    )
    return next(near), next(near), [sympy.lambdify((), end, module) for end in (stretch.low, stretch.high)]


def _at(expr: Expr, variable: Symbol, place: Expr) -> Expr:
    """Put in a place; a polynomial is multiplied out, so that it does not cancel where it is 0."""
    found = expr.subs(variable, place)
    return sympy.expand(found) if expr.is_polynomial(variable) else found
