"""The sign of a function with bounded functions on an interval: sines and cosines also over whole turns.

A sine is between -1 and 1, and so is an error function, an incomplete Gamma or Beta function between 0 and the whole
one: where an expression is linear in one, its sign is that which it has at both ends. So it is with a letter between
two numbers. And an expression in sines and cosines of one angle alone is rational in the tangent of half the angle,
less a number of half turns:
``sin(c + y) = ±2t/(1 + t^2)`` and ``cos(c + y) = ±(1 - t^2)/(1 + t^2)`` with ``t = tan(y/2)``, which rises for
``-pi < y < pi``.
"""

from __future__ import annotations

import sympy
from sympy import Add, Dummy, Expr, Mul, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits

from costderive.core.piecewise import Given, Interval
from costderive.deciders.asking import Asking, Decide
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.number_signs import is_number, number_sign
from costderive.deciders.related_gammas import with_one_incomplete_beta
from costderive.deciders.size import MAX_DEGREE

MOST_BOUNDED = 3
SINES = (sympy.sin, sympy.cos)
INCOMPLETE = (sympy.lowergamma, sympy.uppergamma, sympy.betainc)
BOUNDED = (*SINES, sympy.erf, *INCOMPLETE)


def by_bounds(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Return whether what is linear in something bounded is certainly positive, or not negative, on an interval."""
    if expr.has(ExprWithLimits, sympy.Derivative, sympy.Subs):  # these bind letters
        return False
    return (
        _between_ends_of_a_letter(expr, strict, ask)
        or (expr.has(*BOUNDED) and _within_bounds(expr, strict, ask))
        or (expr.has(*SINES) and _by_half_angle(expr, strict, ask))
    )


def _between_ends_of_a_letter(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it linear in a positive letter between two numbers, and has it the sign at both, whatever is known else?

    At 0, which the letter is not, it need not be positive.
    """
    taken = set() if ask.on is None else Add(*ask.on.facts).free_symbols
    for x in sorted(expr.free_symbols - taken, key=str):
        lows, highs = ask.given.ends(x, weak=True)
        if not (highs and x.is_positive and _is_linear(expr, x)):
            continue
        low, high = sympy.Max(0, *lows), sympy.Min(*highs)
        ends = Asking(ask.decide, ask.is_real, ask.on, ask.given.without(x))
        last = ends.positive if strict else ends.nonnegative
        first = ends.nonnegative if low == 0 else last
        if first(expr.subs(x, low)) and last(expr.subs(x, high)):
            return True
    return False


def _within_bounds(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it linear in each of a few functions of real arguments, and has it the sign with their bounds for them?

    Those that never reach their bounds need a strict sign at some of these only.
    """
    expr = with_one_incomplete_beta(expr)
    nodes = sorted((node for node in expr.atoms(*BOUNDED) if node.free_symbols), key=str)
    bounds = {node: ends for node in nodes if (ends := _bounds(node, ask))}
    if not 0 < len(bounds) <= MOST_BOUNDED:
        return False
    corners = (expr,)
    for node, ends in bounds.items():
        if not all(_is_linear(corner, node) for corner in corners):
            return False
        corners = tuple(corner.xreplace({node: end}) for corner in corners for end in ends)
    if any(isinstance(node, SINES) for node in bounds):
        return all(map(ask.positive if strict else ask.nonnegative, corners))
    return all(map(ask.nonnegative, corners)) and (not strict or any(map(ask.positive, corners)))


def _bounds(node: Expr, ask: Asking) -> tuple[Expr, Expr] | None:
    """Return what a function is between: 0 and the whole, for what is incomplete, with positive arguments."""
    if not isinstance(node, INCOMPLETE):
        return (sympy.S.NegativeOne, sympy.S.One) if ask.real(node.args[0]) else None
    inside, whole = node.args, sympy.gamma(node.args[0])
    if isinstance(node, sympy.betainc):
        a, b, start, end = node.args
        inside, whole = (a, b, end, 1 - end), sympy.beta(a, b).rewrite(sympy.gamma) if start == 0 else None
    known = whole is not None and all(ask.positive(arg) and ask.real(arg) for arg in inside)
    return (sympy.S.Zero, whole) if known else None


def _is_linear(expr: Expr, node: Expr) -> bool:
    """Is it a polynomial of degree 1 at most? (A constant slope would not do: that of a step function is 0.)"""
    letter = Dummy(real=True)
    image = sympy.expand(expr.xreplace({node: letter}))
    return bool(image.is_polynomial(letter)) and sympy.degree(image, letter) <= 1


def _by_half_angle(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Write it in the tangent of half the angle, counted from that multiple of pi from which the interval is seen."""
    image, tangent, on = sympy.expand_trig(expr), Dummy("t", real=True), ask.on  # of either sign
    if on is None or (turns := _half_turns(on)) is None:
        return False
    sign, over = (-1) ** turns, 1 + tangent**2
    sines = {
        sympy.sin(on.variable): 2 * sign * tangent / over,
        sympy.cos(on.variable): sign * (1 - tangent**2) / over,
    }
    top, bottom = sympy.fraction(sympy.together(image.xreplace(sines)))
    product = sympy.expand(top * bottom)
    if product.has(on.variable, *SINES) or not product.is_polynomial(tangent):
        return False
    poly, known = sympy.Poly(product, tangent), ask.given.without(on.variable)
    if poly.degree() > MAX_DEGREE:
        return False
    ends = (_tangent(on.low, turns), _tangent(on.high, turns))
    return _has_sign(poly, *ends, known, strict, ask.decide)


def _half_turns(on: Interval) -> int | None:
    """Return an n such that the interval is within ``((n - 1) pi, (n + 1) pi)``, if there is one."""
    if not (is_number(on.low) and is_number(on.high)) or on.high.is_infinite:
        return None
    first = int(sympy.floor(on.low / sympy.pi)) + 1
    return next((turns for turns in (first, first - 1) if _is_seen(on, turns)), None)


def _is_seen(on: Interval, turns: int) -> bool:
    gaps = (on.low - (turns - 1) * sympy.pi, (turns + 1) * sympy.pi - on.high)
    return all(number_sign(sympy.expand(gap)) in (0, 1) for gap in gaps)


def _tangent(end: Expr, turns: int) -> Expr:
    """Return the tangent of half of what an angle is beyond some half turns; a half turn beyond it is infinite."""
    beyond = sympy.expand(end - turns * sympy.pi)
    for side in (1, -1):
        if number_sign(sympy.pi - side * beyond) == 0:
            return side * sympy.oo
    return sympy.tan(sympy.expand(beyond / 2))


def _has_sign(poly: sympy.Poly, low: Expr, high: Expr, given: Given, strict: bool, decide: Decide) -> bool:
    """Decide a polynomial in a tangent between two ends: counted from one of them, it is a positive letter."""
    if low.is_infinite and high.is_infinite:
        halves = ((low, sympy.S.Zero), (sympy.S.Zero, high))
        at_start = bool(decide(poly.as_expr().subs(poly.gen, 0), None, given, strict))
        return at_start and all(_has_sign(poly, *half, given, strict, decide) for half in halves)
    start, side = (high, -1) if low.is_infinite else (low, 1)
    letter = next(fresh("h", (poly.as_expr(), low, high), None, given, positive=True))
    moved = sympy.Poly(sympy.expand(poly.as_expr().subs(poly.gen, start + side * letter)), letter)
    value = sympy.Add(*[sympy.radsimp(factor) * letter**n for (n,), factor in moved.terms()])
    return bool(decide(value, Interval(letter, sympy.S.Zero, high - low), given, strict))


def is_wave(expr: Expr, x: Symbol) -> bool:
    """Is it a sine or a cosine of what is real, or a sum of multiples of them that x does not change?"""
    if isinstance(expr, SINES):
        (angle,) = expr.args
        return angle.is_rational_function() and all(letter.is_real for letter in angle.free_symbols)
    if isinstance(expr, Add):
        return all(not term.has(x) or is_wave(term, x) for term in expr.args)
    if not isinstance(expr, Mul):
        return False
    _, moving = expr.as_independent(x, as_Add=False)
    return moving != expr and is_wave(moving, x)
