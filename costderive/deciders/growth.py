"""The sign of a sum of polynomials times exponentials, from where it starts and from the sign of its slope.

If ``f >= 0`` at the lower end of an interval and ``f' >= 0`` inside, then ``f >= 0`` inside; and ``f > 0`` if one of
the two is strict. Multiplied by an exponential one of the terms is a polynomial, which further slopes make 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

import sympy
from sympy import Dummy, Expr

from costderive.core.piecewise import Given, Interval
from costderive.deciders.asking import Decide
from costderive.deciders.size import steep

Sum = dict[Expr, Expr]  # the polynomial that goes with exp(rate y), for each rate

MOST_TERMS = 4
MOST_DEGREE = 8
_y = Dummy("y", positive=True)


def by_growth(expr: Expr, on: Interval | None, given: Given, strict: bool, decide: Decide) -> bool:
    """Return whether an expression with exponentials is certainly positive, or not negative, on an interval."""
    if on is None or not _grows(expr, on) or expr.has(sympy.Integral) or steep(expr):
        return False
    everywhere = given.without(on.variable)  # not in a part of the interval alone, apart from its end
    for inside, image in _writings(expr, on):
        found = _sum(image, inside, everywhere, decide)
        if found is not None and any(
            _has_sign(found, inside, everywhere, strict, decide, first) for first in (_lowest, _slowest)
        ):
            return True
    return False


def _grows(expr: Expr, on: Interval) -> bool:
    """Is there an exponential of the variable? Of a polynomial beside others the same would be asked again."""
    return any(power.has(on.variable) for power in expr.atoms(sympy.exp))


def _lowest(found: Sum) -> Expr:
    """Return the rate of the polynomial of least degree."""
    return min(found, key=lambda rate: (sympy.degree(found[rate], _y), str(rate)))


def _slowest(found: Sum) -> Expr:
    """Return the least rate, if rates are numbers."""
    return min(found) if all(rate.is_Rational for rate in found) else _lowest(found)


def _writings(expr: Expr, on: Interval) -> Iterator[tuple[Interval, Expr]]:
    """Yield the expression in its variable, and upwards in its inverse, on [0, 1] in the odds and their inverse.

    Above a positive end it is written in the distance to that end.
    """
    if on.low.is_positive:
        yield Interval(_y, sympy.S.Zero, on.high - on.low), expr.subs(on.variable, on.low + _y)
    if on.low.is_zero:
        yield Interval(_y, on.low, on.high), expr.subs(on.variable, _y)
        if on.high.is_positive and (1 - on.high).is_nonnegative:
            top = sympy.oo if on.high == 1 else on.high / (1 - on.high)
            yield Interval(_y, sympy.S.Zero, top), expr.subs(on.variable, _y / (1 + _y))
        if on.high is sympy.oo:
            yield Interval(_y, sympy.S.Zero, sympy.oo), expr.subs(on.variable, 1 / _y)
    if on.high == 1 and on.low.is_nonnegative and (1 - on.low).is_positive:
        top = sympy.oo if on.low == 0 else (1 - on.low) / on.low
        yield Interval(_y, sympy.S.Zero, top), expr.subs(on.variable, 1 / (1 + _y))


def _sum(expr: Expr, on: Interval, given: Given, decide: Decide) -> Sum | None:
    """Write an expression, times what is positive, as a sum of polynomials times exponentials of rates."""
    found: Sum = {}
    for term in sympy.Add.make_args(sympy.expand(sympy.powsimp(expr, combine="exp"), deep=False)):
        part = _rate_and_rest(term)
        if part is None:
            return None
        found[part[0]] = found.get(part[0], sympy.S.Zero) + part[1]
    whole = {rate: sympy.fraction(sympy.together(part)) for rate, part in found.items()}
    common = reduce(sympy.lcm, [bottom for _, bottom in whole.values()])
    if len(found) > MOST_TERMS or not decide(common, on, given, True):
        return None
    return _without_zeros(
        {rate: sympy.cancel(top * common / bottom) for rate, (top, bottom) in whole.items()}
    )


def _rate_and_rest(term: Expr) -> tuple[Expr, Expr] | None:
    """Write a term as a rational function times ``exp(rate y)``, if it can be."""
    constant, moving = term.as_independent(_y, as_Add=False)
    rational, exponential = moving.as_independent(sympy.exp, as_Add=False)
    base, exponent = exponential.as_base_exp()
    if base is not sympy.E and exponential != 1:
        return None
    whole = sympy.cancel(exponent) if base is sympy.E else sympy.S.Zero
    fixed, steady = sympy.expand(whole).as_independent(_y, as_Add=True)
    rate, rest = sympy.cancel(steady / _y), constant * rational * sympy.exp(fixed)
    return (rate, rest) if not rate.has(_y) and rate.is_real and rest.is_rational_function() else None


def _without_zeros(found: Sum) -> Sum | None:
    """Leave out what is 0; a part that is no polynomial, or one of too high a degree, is not written so."""
    polynomials = {rate: sympy.expand(part) for rate, part in found.items()}
    if any(
        not part.is_polynomial(_y) or sympy.degree(part, _y) > MOST_DEGREE for part in polynomials.values()
    ):
        return None
    return {rate: part for rate, part in polynomials.items() if part != 0}


def _has_sign(
    found: Sum, on: Interval, given: Given, strict: bool, decide: Decide, first: Callable[[Sum], Expr]
) -> bool:
    """Decide the parts one by one, else the start and the slope, once the first part stands without an exponential."""
    if all(decide(part, on, given, False) for part in found.values()):
        return not strict or any(decide(part, on, given, True) for part in found.values())
    if len(found) < 2:
        return False
    least = first(found)
    rest = {sympy.expand(rate - least): part for rate, part in found.items()}
    if len(rest) < len(found):
        return False
    start = sympy.Add(*[part.subs(_y, 0) for part in rest.values()])
    slope = _without_zeros({rate: sympy.diff(part, _y) + rate * part for rate, part in rest.items()})
    if slope is None or not decide(start, None, given, False):
        return False
    above = bool(decide(start, None, given, True))
    return _has_sign(slope, on, given, strict and not above, decide, first)
