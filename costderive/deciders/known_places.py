"""Places on curves that are known: a parameter that is asked for at the proportion that its curve has at a place.

A curve that runs one way (`one_way`) has each proportion at one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import sympy
from sympy import Expr

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.piecewise import Given, Interval
from costderive.deciders.in_parameters import parameters_in
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive

Zero = Callable[[Expr, Interval | None, Given], str | None]
LARGEST = 1000  # denominator of a place that is guessed
DIGITS, NEAR = 20, 1e-15


def at_known_places(expr: Expr, on: Interval | None, given: Given, zero: Zero) -> Expr:
    """Write places for the parameters of curves that are asked for at the proportions there."""
    known = {node: _known(node, on, given, zero) or _cancelled(node) for node in parameters_in(expr)}
    moved = {node: place for node, place in known.items() if place != node}
    return expr.xreplace(moved)  # what stays may hold others that move


def _cancelled(node: CurveParameter) -> Expr:
    """Write the proportion in lowest terms, so that equal ones look alike."""
    at = node.proportion
    is_fraction = at.free_symbols and at.is_rational_function() and not at.has(CurveParameter)
    return CurveParameter(node.stretch, sympy.cancel(at)) if is_fraction else node


def _known(node: CurveParameter, on: Interval | None, given: Given, zero: Zero) -> Expr | None:
    curve = node.stretch
    for place in _candidates(node, on, given):
        at = curve.proportion.xreplace({curve.variable: place})
        if _is_inside(place, curve, on, given) and zero(at - node.proportion, on, given):
            return place
    return None


def _is_inside(place: Expr, curve: OneWay, on: Interval | None, given: Given) -> bool:
    below = curve.high is sympy.oo or positive(curve.high - place, on, given)
    return bool(below and positive(place - curve.low, on, given))


def _candidates(node: CurveParameter, on: Interval | None, given: Given) -> Iterator[Expr]:
    """Yield places that it may be: the variable, or what is guessed."""
    if on is None or on.variable not in node.free_symbols:
        yield from _guessed(node, given)
    elif node.proportion != on.variable:
        yield on.variable


def _guessed(node: CurveParameter, given: Given) -> Iterator[Expr]:
    """Yield places that are a rational multiple of 1, or of what its proportion is made of."""
    for values in points(node.free_symbols, None, given)[:1]:
        place = node.xreplace(dict(values)).evalf(DIGITS)
        for part in (sympy.S.One, *dict.fromkeys(sympy.preorder_traversal(node.proportion))):
            ratio = place / part.xreplace(dict(values)).evalf(DIGITS)
            if ratio.is_Float and ratio.is_positive and (guess := _simple(Fraction(str(ratio)))):
                yield guess * part


def _simple(ratio: Fraction) -> Expr | None:
    guess = ratio.limit_denominator(LARGEST)
    near = abs(guess - ratio) <= NEAR * guess
    return sympy.Rational(guess.numerator, guess.denominator) if near else None
