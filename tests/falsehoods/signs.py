"""False claims of kind Positive and NonNegative: each is negative, or zero, at a point that the referee looks at."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.proof.claims import NonNegative, Positive
from tests.falsehoods import referee
from tests.falsehoods.material import (
    INNER,
    LETTERS,
    certainly_positive,
    fraction,
    functions,
    given_facts,
    inside,
    interval,
    letters_where,
    p,
    polynomial,
    tiny,
)
from tests.falsehoods.statement import Statement, of_claim


def _false(
    family: str,
    expr: Expr,
    on: Interval | None,
    point: Any,
    given: Given = Given(),
    facts: tuple[Expr, ...] = (),
) -> Statement | None:
    """Return the strongest claim on the sign that the value at a point contradicts."""
    where = ", ".join(f"{x} = {value}" for x, value in point.items())
    if referee.is_negative(expr, point):
        return of_claim(family, NonNegative("", expr, on, facts), f"negative at {where}", given)
    if referee.is_not_positive(expr, point):
        return of_claim(family, Positive("", expr, on, facts), f"zero at {where}", given)
    return None


def _turned(draw: Random, expr: Expr, x: Symbol) -> Expr:
    """Return something of the same sign."""
    g = certainly_positive(draw, x)
    return draw.choice(
        (
            expr,
            expr,
            expr * g,
            sympy.expand(expr * g),
            expr / g,
            sympy.exp(expr) - 1,
            sympy.atan(expr),
            sympy.asinh(expr),
            sympy.erf(expr),
            expr**3,
            sympy.Min(expr, g),
            sympy.log(1 + expr / (1 + expr**2)),
            sympy.expand(expr),
            sympy.together(expr / (1 + x)),
            sympy.sqrt(1 + expr**2) * expr,
            1 - sympy.exp(-expr),
            sympy.factor(expr),
        )
    )


def dip(draw: Random) -> Statement | None:
    """A function touches 0, or dips below it by next to nothing."""
    on = interval(draw)
    r, g = inside(draw, on), certainly_positive(draw, p)
    bowl = draw.choice(
        (
            (p - r) ** 2,
            (p - r) ** 4,
            (p - r) ** 2 * g,
            sympy.Abs(p - r),
            1 - sympy.cos(p - r),
            sympy.exp(p - r) - 1 - p + r,
            (p**2 - r**2) ** 2,
            ((p - r) ** 2 * (p + 1) ** 2),
        )
    )
    depth = draw.choice((0, tiny(draw), tiny(draw)))
    return _false("dip", _turned(draw, bowl - depth, p), on, {p: r})


def end(draw: Random) -> Statement | None:
    """A function is negative close to an end only, or far out only."""
    on, eps = interval(draw), tiny(draw)
    n = draw.choice((1, 1, 2, 3, Rational(1, 2)))
    if on.high is sympy.oo and draw.random() < 0.5:
        return _false(
            "end",
            _turned(draw, 1 - eps * p**n, p),
            on,
            {p: Fraction(2) / Fraction(int(eps.p), int(eps.q)) ** 2},
        )
    rises = draw.choice(((p - on.low) ** n - eps, (p - on.low) * certainly_positive(draw, p) - eps))
    if on.high is not sympy.oo and draw.random() < 0.5:
        rises = rises.subs(p, on.low + on.high - p)
        return _false(
            "end", _turned(draw, rises, p), on, {p: on.high - min(eps**3 / 100, (on.high - on.low) / 2)}
        )
    return _false("end", _turned(draw, rises, p), on, {p: on.low + eps**3 / 100})


def lowered(draw: Random) -> Statement | None:
    """Any function, lowered until it is barely negative where it is lowest on a grid."""
    on = interval(draw)
    f = functions(draw, p, draw.choice((1, 2, 2, 3)))
    places = [inside(draw, on) for _ in range(24)]
    found = [(value, x) for x in places if (value := referee.number(f, {p: x})) is not None]
    if not found or not f.has(p):
        return None
    low, x = min(found, key=lambda pair: pair[0])
    level = Rational(int(Fraction(low) * 10**12), 10**12) + tiny(draw) + Rational(1, 10**11)
    if draw.random() < 0.2:  # lower it by the very value: it is 0 there
        level = f.subs(p, x)
    return _false("lowered", f - level, on, {p: x})


def letters(draw: Random) -> Statement | None:
    """A polynomial in letters that is negative for some of their values for which all facts hold."""
    chosen = tuple(draw.sample(LETTERS, draw.choice((1, 2, 2, 3))))
    given = given_facts(draw, chosen)
    on = interval(draw) if draw.random() < 0.4 else None
    symbols = chosen if on is None else (*chosen, p)
    f = draw.choice(
        (
            polynomial(draw, symbols, 3, 2),
            draw.choice(chosen) - fraction(draw, 0, 8),
            polynomial(draw, symbols, 2, 2) ** 2 - tiny(draw),
            _of_letters(draw, chosen),
        )
    )
    for point in letters_where(draw, chosen, given):
        full = point if on is None else {**point, p: inside(draw, on)}
        found = _false("letters", f, on, full, given)
        if found is not None:
            return found
    return None


def _of_letters(draw: Random, chosen: tuple[Symbol, ...]) -> Expr:
    a, b = draw.choice(chosen), draw.choice(chosen)
    c = fraction(draw, 0, 3)
    return draw.choice(
        (
            a**c - b,
            sympy.log(a + b) - c,
            sympy.exp(a) - b - 1,
            a**b - c,
            sympy.gamma(a) - c,
            sympy.Max(a - 1, b - 1),
            sympy.Min(a, b) - c,
            sympy.sqrt(a**2 + 1) - a - tiny(draw),
            sympy.Min(a, 0) + tiny(draw) * (b - 1),
            sympy.log(a) + sympy.log(b),
            a**a - b**b + c,
            sympy.exp(-a) - tiny(draw),
            sympy.beta(a, b) - c,
            sympy.erf(a) - c,
            (a + c) ** b - 1,
            (1 - c) ** a - tiny(draw),
            sympy.Max(a, b) - b - tiny(draw),
        )
    )


def symbolic_ends(draw: Random) -> Statement | None:
    """An interval with letters for its ends, where the function is negative for some of their values."""
    a, b = LETTERS[:2]
    on = draw.choice(
        (
            Interval(p, a, a + b),
            Interval(p, sympy.S.Zero, a),
            Interval(p, a, sympy.oo),
            Interval(p, a / (a + b), sympy.S.One),
            Interval(p, a, b),
        )
    )
    given = given_facts(draw, (a, b))
    f = draw.choice(
        (
            p - fraction(draw, 0, 4),
            a - p + tiny(draw) * b,
            polynomial(draw, (p, a, b), 3, 2),
            p * (1 - p),
            (p - a) * (b - p) - tiny(draw),
            (p - a) ** 2 - tiny(draw),
        )
    )
    for point in letters_where(draw, (a, b), given):
        low, high = (referee.exact(x, point) if x is not sympy.oo else None for x in (on.low, on.high))
        if high is not None and not low < high:
            continue
        top = low + 5 if high is None else high
        for share in (Fraction(1, 2), Fraction(1, 10**6), Fraction(9, 10), 1 - Fraction(1, 10**6)):
            found = _false("symbolic ends", f, on, {**point, p: low + share * (top - low)}, given)
            if found is not None:
                return found
    return None


def facts_of_the_claim(draw: Random) -> Statement | None:
    """A claim with facts of its own, at a point at which they hold."""
    a, b = LETTERS[:2]
    facts = given_facts(draw, (a, b)).positive or (a - b,)
    f = draw.choice(
        (
            polynomial(draw, (a, b), 3, 2),
            a - 2 * b,
            a - b - tiny(draw),
            a**2 - b**2 - tiny(draw),
            a / b - 2,
            b - a,
        )
    )
    for point in letters_where(draw, (a, b), Given().also(positive=facts)):
        found = _false("facts of the claim", f, None, point, Given(), facts)
        if found is not None:
            return found
    return None


def least_and_most(draw: Random) -> Statement | None:
    """The least, the largest and the size of functions."""
    on = interval(draw)
    r, eps = inside(draw, on), tiny(draw)
    f, g = (p - r) ** 2, certainly_positive(draw, p)
    expr = draw.choice(
        (
            sympy.Min(f, g),
            sympy.Min(f - eps, g),
            sympy.Max(-f, -eps * g),
            sympy.Abs(p - r),
            sympy.Abs(p - r) - eps,
            sympy.Max(f, p - r),
            sympy.Min(sympy.Abs(p - r), 1) * g,
            sympy.Max(r - p, p - r),
            sympy.Min(p, 1) - r - eps,
            sympy.Max(0, p - r),
            sympy.Min(g, f) + sympy.Min(0, p - r - eps),
        )
    )
    return _false("least and most", expr, on, {p: r})


def integrals(draw: Random) -> Statement | None:
    """An integral that is negative: its integrand is, or its ends run the wrong way."""
    v, on = Symbol("v", positive=True), Interval(p, sympy.S.Zero, sympy.S.One)
    r = fraction(draw, 0, 1)
    f = draw.choice(
        (
            v - r,
            1 - v / r,
            (v - r) ** 2 - tiny(draw),
            sympy.cos(v) - r,
            v**2 - v * r,
            sympy.exp(-v) - r,
            v * r - tiny(draw),
        )
    )
    expr = draw.choice(
        (
            Integral(f, (v, 0, p)),
            Integral(f, (v, p, 1)),
            -Integral(certainly_positive(draw, v), (v, r, 1)),
            Integral(certainly_positive(draw, v), (v, p, r)),
            p * Integral(f * p, (v, 0, p)),
            Integral(v * p, (v, 0, 1)) - r,
        )
    )
    for x in (r / 2, r, (1 + r) / 2, tiny(draw), 1 - tiny(draw)):
        found = _false("integrals", expr, on, {p: x})
        if found is not None:
            return found
    return None


def weak_letters(draw: Random) -> Statement | None:
    """Letters that may be 0, or negative: not all are positive."""
    n, r = Symbol("n", nonnegative=True), Symbol("r", real=True)
    x = draw.choice((n, n, r))
    g = certainly_positive(draw, LETTERS[0])
    expr = draw.choice(
        (
            x,
            x * g,
            x**2,
            x + x**2,
            x**2 * g,
            sympy.exp(x) - 1,
            x / (1 + x**2),
            x**3 + x,
            x * (1 + x**2),
            sympy.sqrt(1 + x**2) - 1,
            sympy.Max(x, 0),
            sympy.Min(x**2, g),
        )
    )
    given = Given() if draw.random() < 0.7 else Given().also(nonnegative=(x,))
    values = (0, Fraction(-1, 2)) if x == r and given == Given() else (0,)
    for value in values:
        found = _false("weak letters", expr, None, {x: Fraction(value), LETTERS[0]: Fraction(3, 2)}, given)
        if found is not None:
            return found
    return None


def inner_names(draw: Random) -> Statement | None:
    """Letters with names that the deciders use themselves."""
    weak = draw.random() < 0.5
    x = Symbol(draw.choice(INNER), **({"nonnegative": True} if weak else {"positive": True}))
    y = draw.choice((p, LETTERS[0]))
    c = fraction(draw, 0, 2)
    f = draw.choice(
        (
            x - c * y,
            sympy.sqrt(y) - x,
            sympy.exp(-y) - x,
            sympy.exp(-x) - c,
            sympy.sqrt(1 + y) - 1 - x,
            y**x - c,
            x * y - tiny(draw),
            sympy.log(1 + x) - y,
            sympy.sqrt(x * y) - x,
            (1 + y) ** (-x) - c,
        )
    )
    on = Interval(y, sympy.S.Zero, sympy.S.One) if draw.random() < 0.5 else None
    for one in (Fraction(0), Fraction(1, 100), Fraction(1, 2), Fraction(1), Fraction(5), Fraction(50)):
        for other in (Fraction(1, 1000), Fraction(1, 2), Fraction(99, 100)):
            if (one > 0 or weak) and (found := _false("inner names", f, on, {x: one, y: other})):
                return found
    return None


def decimals(draw: Random) -> Statement | None:
    """Floating-point numbers, which are not what they look like."""
    f = draw.choice(
        (
            sympy.Float("0.1") * p - p / 10 - Rational(1, 10**16),
            Rational(1, 10**20) * sympy.Float(1.0) - Rational(2, 10**20),
            1.0 - p - tiny(draw),
            sympy.Float(1.0) * (p - fraction(draw, 0, 1)) ** 2 - tiny(draw),
            p + sympy.Float(1e-300) - 1,
        )
    )
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    for x in (fraction(draw, 0, 1), fraction(draw, 0, 1), 1 - tiny(draw) ** 2, tiny(draw)):
        found = _false("decimals", f, on, {p: x})
        if found is not None:
            return found
    return None


GENERATORS = (
    dip,
    end,
    lowered,
    letters,
    symbolic_ends,
    facts_of_the_claim,
    least_and_most,
    integrals,
    weak_letters,
    inner_names,
    decimals,
)
