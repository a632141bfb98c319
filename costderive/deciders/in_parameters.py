"""Statements about the parameter of a curve, as statements in which that parameter is the variable.

Where x(p) is the x with ``c0(x)/(c0(x) + c1(x)) = p``, what is said for all p of an interval is said for all x between
two ends, with ``p = c0(x)/(c0(x) + c1(x))``. That a curve runs one way, so that x(p) exists and is analytic, is decided
once for each curve of a claim (`one_way`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Add, Expr, Integral, Symbol

from costderive.core.curve_parameters import CurveParameter
from costderive.core.piecewise import Given, Interval
from costderive.deciders.fresh_letters import fresh

Decides = Callable[[Expr, Interval | None, Given], str | None]
Moved = tuple[Expr, Interval | None, Given]


def parameters_in(expr: Expr) -> tuple[CurveParameter, ...]:
    """Return the parameters of curves in an expression, none if one is under an integral, where letters are bound."""
    if any(node.function.has(CurveParameter) for node in expr.atoms(Integral)):
        return ()
    return tuple(sorted(expr.atoms(CurveParameter), key=lambda node: str(node.args)))


def moving(expr: Expr, variable: Symbol) -> tuple[CurveParameter, ...]:
    """Return the parameters of curves in an expression that depend on a variable."""
    return tuple(node for node in parameters_in(expr) if variable in node.free_symbols)


def in_parameters(
    expr: Expr, on: Interval | None, given: Given, positive: Decides, nonnegative: Decides
) -> Moved | None:
    """Return a statement with letters for parameters of curves that exist, ``None`` if there are none.

    If only one of them moves with the variable of the interval, its letter is the new variable. The facts about the old
    one are left out, which makes the statement a stronger one.
    """
    found = parameters_in(expr)
    inside = [node for node in found if _exists(node, on, given, positive, nonnegative)]
    if not inside:
        return None
    letters = dict(zip(inside, fresh("x", (expr,), on, given, positive=True), strict=False))
    image = expr.xreplace(letters)
    resting = [node for node in inside if on is None or on.variable not in node.free_symbols]
    facts = [fact for node in inside for fact in _facts(node, letters[node])]
    facts += [fact for node in resting for fact in _compared(image, node, letters[node], given, positive)]
    known = given.also(positive=tuple(facts))
    alone = () if on is None else moving(expr, on.variable)
    if on is None or len(alone) != 1 or alone[0] not in letters:
        return image, on, known
    [node] = alone
    put, curve = letters[node], node.stretch
    there = image.subs(on.variable, variable_at(node, on.variable, put))
    return there, Interval(put, curve.low, curve.high), known.without(on.variable)


def _facts(node: CurveParameter, letter: Symbol) -> tuple[Expr, ...]:
    return Interval(letter, node.stretch.low, node.stretch.high).facts


def _compared(
    image: Expr, node: CurveParameter, letter: Symbol, given: Given, positive: Decides
) -> Iterator[Expr]:
    """Yield on which side of the numbers in an expression a place is: that of its proportion among theirs."""
    curve = node.stretch
    for number in set(_zeros(image, letter)):
        gap = curve.direction * (node.proportion - curve.proportion.xreplace({curve.variable: number}))
        if all(positive(end, None, given) for end in (number - curve.low, curve.high - number)):
            yield from (sign * (letter - number) for sign in (1, -1) if positive(sign * gap, None, given))


def _zeros(image: Expr, letter: Symbol) -> Iterator[Expr]:
    """Yield the rational zeros of the sums in an expression that are linear in a letter."""
    for total in image.atoms(Add):
        slope = sympy.diff(total, letter)
        if slope.is_Rational and slope and (zero := sympy.expand(letter - total / slope)).is_Rational:
            yield zero


def variable_at(node: CurveParameter, variable: Symbol, letter: Symbol) -> Expr:
    """Return the variable where the parameter of a curve is a letter: the cost proportion there, or 1 less that."""
    proportion = node.stretch.proportion.xreplace({node.stretch.variable: letter})
    return proportion if node.proportion == variable else 1 - proportion


def is_plain(node: CurveParameter, variable: Symbol) -> bool:
    """Return whether the proportion of a parameter is a variable, or 1 less that, and its curve does not move."""
    return variable not in node.stretch.letters and node.proportion in (variable, 1 - variable)


def _exists(
    node: CurveParameter, on: Interval | None, given: Given, positive: Decides, nonnegative: Decides
) -> bool:
    """Is the proportion between the ends of the curve, wherever the statement is made?"""
    least, greatest = node.stretch.reach
    if on is None or on.variable not in node.free_symbols:
        gaps = node.proportion - least, greatest - node.proportion
        return all(positive(gap, None, given) for gap in gaps)
    if not is_plain(node, on.variable):
        return False
    low, high = (on.low, on.high) if node.proportion == on.variable else (1 - on.high, 1 - on.low)
    return all(nonnegative(gap, None, given) for gap in (low - least, greatest - high))
