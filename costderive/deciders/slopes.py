"""The sign of a function with exponentials, logarithms, sines or the like, from an end and the sign of its slope.

If ``f >= 0`` at the lower end and ``f' >= 0`` inside, then ``f >= 0`` inside; so it is if ``f >= 0`` at the upper end
and ``f' <= 0`` inside; and ``f > 0`` if the value or the slope is strictly so. This needs a function that is smooth
inside and continuous up to that end: sums and products of the variable, of numbers and letters, of logarithms of what
is positive there, of whole powers, of which those with negative exponents are of what is positive there, of roots of a
variable that is positive, and of functions such as the sine that are smooth everywhere. A sum whose terms all die out
has the value 0 at infinity. What stands before all logarithms or the like may be divided by first, if it has a sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import sympy
from sympy import Add, Expr, Mul, Pow, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.asking import Decide


class Deciders(NamedTuple):
    """How signs are decided: those of slopes with logarithms, or of exponentials, by structure alone, which ends."""

    by_any_way: Decide
    by_structure: Decide

    def __call__(self, expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
        return self.by_any_way(expr, on, given, strict)


MOST_SLOPES = 4
LONGEST = 300  # operations in a function whose slopes are asked
DYING = (sympy.erfc, sympy.expint, sympy.uppergamma)  # as fast as an exponential, where the argument grows
TURNING = (sympy.log, sympy.sin, sympy.cos, sympy.erf, *DYING)
SMOOTH = (sympy.sin, sympy.cos, sympy.exp, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc)
SMOOTH_OF_POSITIVE = (sympy.log, sympy.expint, sympy.uppergamma)


def by_slopes(expr: Expr, on: Interval | None, given: Given, strict: bool, decide: Deciders) -> bool:
    """Return whether an expression with such functions is certainly positive, or not negative, on an interval."""
    if not expr.has(*TURNING, sympy.exp):
        return False
    found = on if on is not None else _between(expr, given)
    if found is None:
        return any(_along(x, expr, given, strict, decide) for x in _turning_letters(expr))
    everywhere = given.without(found.variable)  # not in a part of the interval alone, apart from its end
    if not any(
        _has_sign(writing, found, everywhere, strict, decide, MOST_SLOPES)
        for writing in _writings(expr, found, everywhere, decide)
    ):
        return False
    weak = [] if on is not None else [end for fact, end in _ends(found) if fact not in given.positive]
    return all(decide(_value(expr, found.variable, end), None, given, strict) for end in weak)


def _writings(expr: Expr, on: Interval, given: Given, decide: Deciders) -> Iterator[Expr]:
    """Yield an expression, and what has its sign and numbers before all logarithms or the like."""
    yield expr
    if on.variable not in expr.free_symbols or expr.has(sympy.Integral):
        return
    terms = Add.make_args(sympy.expand(expr))
    nodes = sorted((node for node in Add(*terms).atoms(*TURNING) if node.has(on.variable)), key=str)
    factors = [sympy.factor(Add(*terms).coeff(node)) for node in nodes]
    if not factors or factors[0].is_number or 0 in factors or factors[0].has(*nodes):
        return
    if all(sympy.cancel(factor / factors[0]).is_number for factor in factors):
        for sign in (1, -1):
            if decide(sign * factors[0], on, given, True):
                yield sympy.expand(Add(*[sympy.cancel(sign * term / factors[0]) for term in terms]))


def _along(x: Symbol, expr: Expr, given: Given, strict: bool, decide: Deciders) -> bool:
    """Decide for all positive values of a letter, whatever else is given of it."""
    return _has_sign(expr, Interval(x, sympy.S.Zero, sympy.oo), given.without(x), strict, decide, MOST_SLOPES)


def _turning_letters(expr: Expr) -> list[Symbol]:
    letters = set[Symbol]().union(*(node.free_symbols for node in expr.atoms(*TURNING)))
    return sorted((x for x in letters & expr.free_symbols if x.is_positive), key=str)


def _ends(on: Interval) -> Iterator[tuple[Expr, Expr]]:
    """Yield the ends of a bounded interval, each after the fact that would exclude it."""
    return zip(on.facts, (on.low, on.high), strict=True)


def _between(expr: Expr, given: Given) -> Interval | None:
    """Return the interval that the facts name for the only letter, first those that exclude its end."""
    if len(expr.free_symbols) != 1:
        return None
    (x,) = expr.free_symbols
    lows, highs = given.ends(x, weak=True)
    if not lows or not highs:
        return None
    return Interval(x, sympy.expand(lows[0]), sympy.expand(highs[0]))


def _has_sign(expr: Expr, on: Interval, given: Given, strict: bool, decide: Deciders, depth: int) -> bool:
    """Decide the value at an end and the slope; a slope without logarithms is decided as it is.

    Of a long function little is decided so, after a long time: its sign is to be seen in another way.
    """
    if sympy.count_ops(expr) > LONGEST:
        return False
    slope = sympy.expand(sympy.diff(expr, on.variable))
    for sign, end in ((1, on.low), (-1, on.high)):
        value = _value(expr, on.variable, end)
        if not _smooth(expr, on, end, given, decide) or not decide(value, None, given, False):
            continue
        still = strict and not decide(value, None, given, True)
        if _slope_has_sign(expr, sign * slope, on, given, still, decide, depth):
            return True
    return False


def _value(expr: Expr, x: Symbol, end: Expr) -> Expr:
    """Return the value at an end, that is no number where it is infinite or not known."""
    if end is sympy.oo:
        return sympy.S.Zero if _dies_out(expr, x) else sympy.nan
    return sympy.expand(sympy.expand_log(expr.subs(x, end)))  # so that it is seen to be 0


def _dies_out(expr: Expr, x: Symbol) -> bool:
    """Is each term a rational function, times at least one function that falls as an exponential does?"""
    if isinstance(expr, Add):
        return all(_dies_out(term, x) for term in expr.args)
    dying, rest = sympy.sift(Mul.make_args(expr), lambda factor: _falls_fast(factor, x), binary=True)
    sums = [factor for factor in rest if not factor.is_rational_function(x)]
    return bool(dying or sums) and all(isinstance(part, Add) and _dies_out(part, x) for part in sums)


def _falls_fast(factor: Expr, x: Symbol) -> bool:
    """Has it an argument that is a polynomial in x and grows without bound?"""
    if not isinstance(factor, (sympy.exp, *DYING)) or any(shape.has(x) for shape in factor.args[:-1]):
        return False
    argument = -factor.args[-1] if isinstance(factor, sympy.exp) else factor.args[-1]
    return bool(argument.has(x) and argument.is_polynomial(x) and sympy.LC(argument, x).is_positive)


def _slope_has_sign(
    before: Expr, slope: Expr, on: Interval, given: Given, strict: bool, decide: Deciders, depth: int
) -> bool:
    if slope.has(*TURNING) or (slope.has(sympy.exp) and not before.has(*TURNING)):
        seen = decide.by_structure(slope, on, given, strict)
        return bool(seen) or (depth > 1 and _has_sign(slope, on, given, strict, decide, depth - 1))
    return bool(decide(sympy.together(slope), on, given, strict))


def _smooth(expr: Expr, on: Interval, end: Expr, given: Given, decide: Deciders) -> bool:
    """Is a function smooth inside, and at an end that is finite?"""
    return all(
        decide(part, on, given, True)
        and (end is sympy.oo or decide(part.subs(on.variable, end), None, given, True))
        for part in _must_be_positive(expr, on.variable)
    )


def _must_be_positive(expr: Expr, x: Symbol) -> Iterator[Expr]:
    """Yield what a function is smooth for if it is positive; the number -1 if it has other parts."""
    if expr == x or not expr.has(x) or _is_root_of_positive(expr, x):
        return
    if isinstance(expr, Add | Mul):
        for arg in expr.args:
            yield from _must_be_positive(arg, x)
    elif isinstance(expr, SMOOTH_OF_POSITIVE) and not any(shape.has(x) for shape in expr.args[:-1]):
        yield expr.args[-1]
        yield from _must_be_positive(expr.args[-1], x)
    elif isinstance(expr, Pow) and expr.exp.is_Integer:
        if expr.exp.is_negative:
            yield expr.base
        yield from _must_be_positive(expr.base, x)
    elif isinstance(expr, SMOOTH):
        yield from _must_be_positive(expr.args[0], x)
    else:
        yield sympy.S.NegativeOne


def _is_root_of_positive(expr: Expr, x: Symbol) -> bool:
    return bool(
        isinstance(expr, Pow) and expr.base == x and x.is_positive and expr.exp.is_Rational and expr.exp > 0
    )
