"""False claims of kind Equal: the two sides differ at a point that the referee looks at."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import sympy
from sympy import Derivative, Expr, Integral, Rational, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.proof.claims import Equal
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

UNIT = Interval(p, sympy.S.Zero, sympy.S.One)


def _false(
    family: str,
    left: Expr,
    right: Expr,
    on: Interval | None,
    points: Any,
    given: Given = Given(),
    facts: tuple[Expr, ...] = (),
) -> Statement | None:
    for point in points:
        if referee.differ(left, right, point):
            where = ", ".join(f"{x} = {value}" for x, value in point.items())
            return of_claim(family, Equal("", left, right, on, facts), f"they differ at {where}", given)
    return None


def _places(draw: Random, on: Interval) -> list[dict[Symbol, Any]]:
    return [{p: inside(draw, on)} for _ in range(6)]


def _rewritten(draw: Random, f: Expr, x: Symbol) -> Expr:
    """Return the same function, written in another way."""
    g = certainly_positive(draw, x)
    return draw.choice(
        (
            f,
            sympy.expand(f),
            sympy.together(f + g) - g,
            sympy.factor_terms(f),
            sympy.expand((f + g) ** 2 - 2 * f * g - g**2 - f**2) + f,
            sympy.log(sympy.exp(f)),
            f * sympy.exp(sympy.log(g)) / g,
            sympy.sqrt(g) ** 2 * f / g,
            f + sympy.log(g**2) - 2 * sympy.log(g),
            sympy.powsimp(sympy.expand_log(f)),
        )
    )


def perturbed(draw: Random) -> Statement | None:
    """A true identity, with next to nothing added to one side."""
    on, f = interval(draw), functions(draw, p, draw.choice((1, 2)))
    eps = tiny(draw)
    other = _rewritten(draw, f, p)
    change = draw.choice(
        (eps, eps * p, eps * functions(draw, p, 1), eps * sympy.exp(-p), eps * p**30, eps * sympy.sqrt(p))
    )
    return _false("perturbed", f, other + change, on, _places(draw, on))


def branches(draw: Random) -> Statement | None:
    """An identity of the wrong branch: of a root, a logarithm, a power or an arcus function."""
    on = interval(draw)
    r, c = inside(draw, on), fraction(draw, 0, 3)
    f, g = p - r, draw.choice((p - r, p - r - c, 1 - p, p + c, -p))
    k = Rational(draw.randint(1, 5), draw.choice((2, 3, 4)))
    a = LETTERS[0]
    pairs = (
        (sympy.sqrt(sympy.expand(f**2)), f),
        (sympy.sqrt(f * g), sympy.sqrt(f) * sympy.sqrt(g)),
        (sympy.log(sympy.expand(f**2)), 2 * sympy.log(f)),
        (sympy.log(sympy.expand(f * g)), sympy.log(f) + sympy.log(g)),
        (sympy.expand(f**2) ** k, f ** (2 * k)),
        (sympy.atan(p) + sympy.atan(c), sympy.atan((p + c) / (1 - c * p))),
        (sympy.asin(sympy.sin((c + 1) * p)), (c + 1) * p),
        (sympy.log(sympy.expand(f**3)), 3 * sympy.log(f)),
        (sympy.cbrt(sympy.expand(f**3)), f),
        (sympy.sqrt(sympy.exp(2 * f) - 2 * sympy.exp(f) + 1), sympy.exp(f) - 1),
        (sympy.Abs(f), f),
        (sympy.Max(f, 0), f),
        (sympy.Max(f, g), f),
        (sympy.Min(f, g), g),
        (sympy.sqrt(sympy.log(p + c) ** 2), sympy.log(p + c)),
        (sympy.acos(sympy.cos(4 * p)), 4 * p),
        (sympy.expand(f**2) ** a, f ** (2 * a)),
        (sympy.sqrt(1 / f), 1 / sympy.sqrt(f)),
        ((f / g) ** k, f**k / g**k),
        (sympy.atan(1 / f), sympy.pi / 2 - sympy.atan(f)),
        (sympy.log(1 / f), -sympy.log(f)),
        (sympy.sqrt(f**2 * p), f * sympy.sqrt(p)),
    )
    left, right = draw.choice(pairs)
    return _false("branches", left, right, on, [{**place, a: Fraction(3, 10)} for place in _places(draw, on)])


def of_letters(draw: Random) -> Statement | None:
    """An identity that holds for some values of the letters only, those below or above 1, or equal ones."""
    chosen = tuple(draw.sample(LETTERS, 2))
    a, b = chosen
    given = given_facts(draw, chosen)
    c = fraction(draw, 0, 8)
    pairs = (
        (sympy.Max(a, c), a),
        (sympy.Min(a, c), a),
        (sympy.Abs(a - c), a - c),
        (sympy.Max(a, b), b),
        (sympy.sqrt((a - b) ** 2 * c), (a - b) * sympy.sqrt(c)),
        (sympy.sqrt(sympy.expand((a - c) ** 2)), a - c),
        (sympy.log(sympy.expand((a - c) ** 2)), 2 * sympy.log(a - c)),
        (a**b, b**a),
        ((a + b) ** 2, a**2 + 2 * a * b + b**2 + tiny(draw) * (a - 1)),
        (polynomial(draw, chosen), polynomial(draw, chosen)),
        (sympy.gamma(a + 1), a * sympy.gamma(a) + tiny(draw) * a),
        (sympy.beta(a, b), sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b + tiny(draw))),
        (sympy.atan(a) + sympy.atan(b), sympy.atan((a + b) / (1 - a * b))),
        ((a - 1) * sympy.Max(0, 1 - a), sympy.S.Zero),
        (sympy.exp(a * sympy.log(b)), b**a + tiny(draw) * b),
        (sympy.log(a**b) - b * sympy.log(a), tiny(draw) * a),
        (sympy.Max(a - c, 0), sympy.S.Zero),
        ((a**2) ** b, a ** (2 * b + tiny(draw))),
    )
    left, right = draw.choice(pairs)
    facts = given.positive if draw.random() < 0.3 else ()
    return _false("of letters", left, right, None, letters_where(draw, chosen, given), given, facts)


def slopes(draw: Random) -> Statement | None:
    """A slope that is nearly, or nearly everywhere, the right one."""
    on, f = interval(draw), functions(draw, p, draw.choice((1, 2)))
    if f.has(sympy.Abs, sympy.Max, sympy.Min) or not f.has(p):
        return None
    change = draw.choice((tiny(draw), tiny(draw) * p, tiny(draw) * functions(draw, p, 1)))
    right = sympy.diff(f, p) + change
    return _false("slopes", right, sympy.diff(f, p), on, _places(draw, on)) and _as_derivative(
        draw, f, right, on
    )


def _as_derivative(draw: Random, f: Expr, right: Expr, on: Interval) -> Statement:
    left, claimed = Derivative(f, p), draw.choice((right, sympy.together(right), _rewritten(draw, right, p)))
    return of_claim(
        "slopes", Equal("", left, claimed, on), "it differs from the slope by a function that is not 0"
    )


def constants(draw: Random) -> Statement | None:
    """Two numbers that are close, but not the same."""
    c, d = draw.randint(2, 30), draw.randint(2, 30)
    eps = draw.choice((1, -1)) * tiny(draw)
    pairs = (
        (sympy.sqrt(sympy.expand((sympy.sqrt(c) + sympy.sqrt(d)) ** 2)), sympy.sqrt(c) + sympy.sqrt(d)),
        (sympy.sqrt(5 + 2 * sympy.sqrt(6)), sympy.sqrt(2) + sympy.sqrt(3)),
        (sympy.log(c * d), sympy.log(c) + sympy.log(d)),
        (sympy.pi, Rational(355, 113)),
        (sympy.exp(sympy.pi * sympy.sqrt(163)), sympy.Integer(640320**3 + 744)),
        (sympy.cbrt(2 + sympy.sqrt(5)), (1 + sympy.sqrt(5)) / 2),
        (4 * sympy.atan(Rational(1, 5)) - sympy.atan(Rational(1, 239)), sympy.pi / 4),
        (sympy.gamma(Rational(1, 3)) * sympy.gamma(Rational(2, 3)), 2 * sympy.pi / sympy.sqrt(3)),
        (sympy.Integer(10) ** 40 + 1, sympy.Integer(10) ** 40),
        (sympy.exp(sympy.log(c) / 2), sympy.sqrt(c)),
        (sympy.erf(6), sympy.S.One),
        (sympy.sqrt(c) - sympy.sqrt(c + 1), -1 / (sympy.sqrt(c) + sympy.sqrt(c + 1))),
        (sympy.E, Rational(19, 7)),
        (sympy.sin(sympy.Integer(3141592653589793238) / 10**18), sympy.S.Zero),
        (sympy.log(sympy.sqrt(c) - 1), -sympy.log(sympy.sqrt(c) + 1) + sympy.log(c - 1)),
        (sympy.Float(0.1), Rational(1, 10)),
        (sympy.Float(1) / 3, Rational(1, 3)),
        (sympy.sqrt(2.0), sympy.sqrt(2)),
    )
    left, right = draw.choice(pairs)
    shift = draw.choice((0, eps, eps))
    return _false("constants", left, right + shift, None, [{}])


def integrals(draw: Random) -> Statement | None:
    """An integral that is given a wrong value, or another integral that is not the same."""
    v, w, on = Symbol("v", positive=True), Symbol("w", positive=True), UNIT
    f = draw.choice(
        (
            certainly_positive(draw, v),
            certainly_positive(draw, v) * v,
            sympy.cos(v),
            v - fraction(draw),
            sympy.exp(-v),
        )
    )
    c, eps = fraction(draw, 0, 3), tiny(draw)
    whole = Integral(f, (v, 0, p))
    pairs = (
        (whole, Integral(f.subs(v, w), (w, 0, p)) + eps),
        (whole, c * whole),
        (whole + Integral(f, (v, p, 1)), Integral(f, (v, 0, 1)) + eps),
        (whole, Integral(f, (v, 0, 1 - p))),
        (whole, Integral(f + eps * v, (v, 0, p))),
        (p * whole, Integral(f * p, (v, 0, p)) + eps * p),
        (Integral(f, (v, c, p)), Integral(f, (v, p, c))),
        (Derivative(whole, p), f.subs(v, p) + eps),
        (Integral(f * c, (v, 0, 1)), c * Integral(f, (v, 0, 1)) + eps),
        (Integral(f * p, (v, 0, p)), Integral(f * v, (v, 0, p))),
        (whole**2, Integral(f**2, (v, 0, p))),
        (Integral(sympy.Symbol("p", real=True) * f, (v, 0, 1)), p * Integral(f, (v, 0, 1)) + eps * p),
    )
    left, right = draw.choice(pairs)
    points = [{**x, Symbol("p", real=True): x[p]} for x in _places(draw, on)]
    return _false("integrals", left, right, on, points)


def on_facts(draw: Random) -> Statement | None:
    """An identity that holds elsewhere than where the facts of the claim hold."""
    a, b = LETTERS[:2]
    facts = draw.choice(((b - a,), (1 - a,), (a * b - 1,), (a - b, b - 1), (1 - a - b,)))
    left, right = draw.choice(
        (
            (sympy.Abs(a - b), a - b),
            (sympy.Max(a, 1), a),
            (sympy.sqrt(sympy.expand((a - b) ** 2)), a - b),
            (sympy.Max(a, b), a),
            (sympy.log((a - 1) ** 2), 2 * sympy.log(a - 1)),
            (sympy.atan(a) + sympy.atan(b), sympy.atan((a + b) / (1 - a * b))),
            (sympy.sqrt(a**2 * b), a * sympy.sqrt(b) + tiny(draw)),
            (sympy.Min(a, b), b),
        )
    )
    points = letters_where(draw, (a, b), Given().also(positive=facts))
    return _false("on facts", left, right, None, points, Given(), facts)


def inner_names(draw: Random) -> Statement | None:
    """Letters with names that the deciders use themselves."""
    x = Symbol(draw.choice(INNER), **draw.choice(({"positive": True}, {"nonnegative": True}, {"real": True})))
    y = draw.choice((p, LETTERS[0]))
    c = draw.randint(2, 5)
    left = draw.choice(
        (
            sympy.log(y),
            sympy.exp(y),
            sympy.sqrt(y),
            sympy.sqrt(1 + y),
            sympy.log(c),
            sympy.pi,
            sympy.erf(y),
            sympy.gamma(y),
            y ** Rational(1, 3),
            sympy.exp(-y),
            sympy.sqrt(c),
        )
    )
    pairs = (
        (left, x),
        (left**2, x**2),
        (left * y, x * y),
        (left + x, 2 * x),
        (x * left - left**2, sympy.S.Zero),
        (left * (1 + x), left + left**2),
        (sympy.exp(x), sympy.exp(left)),
    )
    one, other = draw.choice(pairs)
    on = Interval(y, sympy.S.Zero, sympy.S.One) if draw.random() < 0.5 else None
    return _false("inner names", one, other, on, [{x: Fraction(3, 7), y: Fraction(2, 5)}])


def high_powers(draw: Random) -> Statement | None:
    """Powers that no one multiplies out."""
    n, eps = draw.choice((30, 39, 41, 60, 100, 300)), tiny(draw)
    left = draw.choice(
        (
            (1 + p) ** n,
            (1 - p) ** n * (1 + p) ** n,
            ((1 + p) ** 6 + 1) ** (n // 6),
            (p + Rational(1, n)) ** Rational(n, 7),
        )
    )
    right = draw.choice(
        (
            left + eps * p**n,
            left * (1 + eps),
            left + eps,
            (left - eps) * (1 + p) / (1 + p),
            left + eps * p * (1 - p) ** n,
        )
    )
    return _false("high powers", left, right, UNIT, _places(draw, UNIT))


GENERATORS = (
    perturbed,
    branches,
    of_letters,
    slopes,
    constants,
    integrals,
    on_facts,
    inner_names,
    high_powers,
)
