"""False claims of kind Tends: a limit that is another number, another infinity, or of other letters."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol, oo

from costderive.core.piecewise import Given, Interval
from costderive.proof.claims import Tends
from tests.falsehoods import referee
from tests.falsehoods.material import (
    LETTERS,
    certainly_positive,
    fraction,
    functions,
    given_facts,
    letters_where,
    p,
    tiny,
)
from tests.falsehoods.statement import Statement, of_claim

REFEREES_LETTER = Symbol("h", positive=True)


def _claim(
    family: str,
    expr: Expr,
    point: Expr,
    side: str,
    value: Expr,
    why: str,
    given: Given = Given(),
    on: Interval | None = None,
) -> Statement:
    return of_claim(family, Tends("", expr, p, point, side, value, on), why, given)


def continuous(draw: Random) -> Statement | None:
    """A function that is bounded near the point by a ball that does not hold the value."""
    f, r, side = functions(draw, p, draw.choice((1, 2, 3))), fraction(draw, 0, 2), draw.choice("+-")
    if not f.has(p):
        return None
    try:
        around = referee.bound_near(
            f, p, Fraction(r) - Fraction(1, 10**200), Fraction(r) + Fraction(1, 10**200), {}
        )
    except referee.NoValueError:
        return None
    value = draw.choice(
        (
            f.subs(p, r) + draw.choice((1, -1)) * tiny(draw),
            f.subs(p, r) * (1 + tiny(draw)),
            oo,
            -oo,
            fraction(draw, -3, 3),
        )
    )
    if value not in (oo, -oo):
        try:
            if (referee.value(value) - around).contains(0):
                return None
        except referee.NoValueError:
            return None
    return _claim("continuous", f, r, side, value, "a ball around all values close by excludes it")


def removable(draw: Random) -> Statement | None:
    """A quotient of what vanishes, whose Laurent series has another first term."""
    h = REFEREES_LETTER
    c = fraction(draw, 0, 3)

    def small():
        return draw.choice(
            (
                h,
                sympy.exp(c * h) - 1,
                sympy.log(1 + c * h),
                sympy.sin(c * h),
                sympy.atan(h),
                1 - sympy.cos(h),
                sympy.erf(h),
                sympy.tan(h),
                h**2,
                sympy.exp(h) - 1 - h,
                sympy.log(1 + h) - h,
                h - sympy.sin(h),
                sympy.asin(h) - h,
            )
        )

    f = draw.choice(
        (
            small() / small(),
            small() * small() / small(),
            (small() + small()) / small(),
            small() / small() - small() / small(),
            1 / small() - 1 / small(),
        )
    )
    try:
        limit = referee.limit_at_zero(f, h)
    except referee.NoValueError:
        return None
    about = Rational(round(float(limit.mid()) * 5040), 5040)
    value = draw.choice((about, about + draw.choice((1, -1)) * tiny(draw), oo, sympy.S.Zero, -about))
    if value is not oo and (limit - referee.value(value).real).contains(0):
        return None
    r, side = fraction(draw, 0, 2), draw.choice("+-")
    at = draw.choice((0, 0, r))
    moved = f.subs(h, p - at) if side == "+" or at == 0 else f.subs(h, at - p)
    return _claim(
        "removable",
        moved,
        sympy.sympify(at),
        "+" if at == 0 else side,
        value,
        f"the series starts with {limit.str(20)}",
    )


def powers_and_logs(draw: Random) -> Statement | None:
    """``x^a (-log x)^b exp(-c/x^d)``: at 0 the exponential decides, else the power, else the logarithm."""
    a, b = Rational(draw.randint(-6, 6), draw.choice((1, 2, 3, 7, 1000))), draw.choice((0, 0, 1, 2, -1, 3))
    c, d = (
        draw.choice((0, 0, 0, fraction(draw, 0, 2), -fraction(draw, 0, 2), tiny(draw))),
        draw.choice((1, 2, Rational(1, 2))),
    )
    limit = (
        (0 if c > 0 else oo)
        if c != 0
        else (0 if a > 0 else oo if a < 0 else (oo if b > 0 else 1 if b == 0 else 0))
    )
    g = draw.choice((1, 1, 1 + p, sympy.exp(-p), sympy.cos(p)))
    f = p**a * (-sympy.log(p)) ** b * sympy.exp(-c / p**d) * g
    wrong = [value for value in (sympy.S.Zero, sympy.S.One, oo, -oo, tiny(draw)) if value != limit]
    if draw.random() < 0.3:
        f = f.subs(p, 1 / p)
        return _claim("powers and logarithms", f, oo, "-", draw.choice(wrong), f"the limit is {limit}")
    shift = draw.choice((0, fraction(draw, -2, 2)))
    value = draw.choice(wrong)
    return _claim(
        "powers and logarithms", f + shift, sympy.S.Zero, "+", value + shift, f"the limit is {limit + shift}"
    )


def of_letters(draw: Random) -> Statement | None:
    """A limit that depends on letters: on which of two is larger, or on which side of 1 one is."""
    a, b = LETTERS[:2]
    given, c = given_facts(draw, (a, b)), fraction(draw, 0, 8)
    power = draw.choice((a - b, a - 1, a - c, 1 - a * b, b - 2 * a, c - b))
    factor = draw.choice((sympy.S.One, a, a - b, 1 - a, b - c))
    f = draw.choice(
        (
            factor * p**power,
            factor * p**power * sympy.log(p),
            factor * p**power + b,
            sympy.exp(-power / p),
            (1 + factor) * p**power,
        )
    )
    value = draw.choice((sympy.S.Zero, oo, -oo, factor, b, sympy.S.One, a))
    for point in letters_where(draw, (a, b), given):
        if (limit := _of_power(f, power, factor, b, point)) is None:
            continue
        exact = value if value in (oo, -oo) else referee.exact(value, point)
        if limit != exact:
            return _claim(
                "of letters", f, sympy.S.Zero, "+", value, f"the limit is {limit} for {point}", given
            )
    return None


def _of_power(f: Expr, power: Expr, factor: Expr, b: Symbol, point: Any) -> Any:
    """Return the limit at 0, a fraction or an infinity, of one of the functions above."""
    n, k = referee.exact(power, point), referee.exact(factor, point)
    if isinstance(f, sympy.exp):
        return 0 if n > 0 else oo if n < 0 else 1
    if f == (1 + factor) * p**power:
        k = 1 + k
    if f.has(sympy.log):
        return None if k == 0 else 0 if n > 0 else (-oo if k > 0 else oo)
    base = referee.exact(b, point) if f == factor * p**power + b else 0
    if k == 0 or n > 0:
        return base
    return base + k if n == 0 else (oo if k > 0 else -oo)


def sides(draw: Random) -> Statement | None:
    """A limit from one side that is the one from the other."""
    r, c = fraction(draw, 0, 2), fraction(draw, 0, 3)
    x = p - r
    f, above, below = draw.choice(
        (
            (1 / x, oo, -oo),
            (sympy.atan(1 / x), sympy.pi / 2, -sympy.pi / 2),
            (sympy.exp(1 / x), oo, sympy.S.Zero),
            (1 / x**3 + c, oo, -oo),
            (sympy.atan(c / x**3) * c, c * sympy.pi / 2, -c * sympy.pi / 2),
            (sympy.erf(c / x), sympy.S.One, -sympy.S.One),
            (x / sympy.sqrt(sympy.expand(x**2)), sympy.S.One, -sympy.S.One),
            (sympy.Abs(x) / x, sympy.S.One, -sympy.S.One),
            (1 / (1 + sympy.exp(c / x)), sympy.S.Zero, sympy.S.One),
            (sympy.asinh(c / x), oo, -oo),
            (1 / sympy.log(p / r) if r else 1 / x, oo, -oo),
        )
    )
    side, value = draw.choice((("+", below), ("-", above)))
    return _claim("sides", f, r, side, value, "that is the limit from the other side")


def integrals(draw: Random) -> Statement | None:
    """An integral with a moving end, whose limit is another, or that is infinite."""
    v = Symbol("v", positive=True)
    g, n = certainly_positive(draw, v), Rational(draw.randint(1, 8), 4)
    infinite = n >= 1
    f = sympy.Integral((1 - v) ** (-n), (v, 0, p))
    limit = oo if infinite else 1 / (1 - n)
    wrong = draw.choice(
        (oo, limit + tiny(draw), sympy.S.Zero, sympy.Integral((1 - v) ** (-n), (v, 0, 1)) + tiny(draw))
        if not infinite
        else (sympy.S.Zero, sympy.S.One, -oo)
    )
    if draw.random() < 0.5:
        return _claim("integrals", f, sympy.S.One, "-", wrong, f"the limit is {limit}")
    r = fraction(draw, 0, 1)
    past = sympy.Integral(g / (v - r) ** 2, (v, 0, p))
    value = draw.choice((sympy.S.Zero, sympy.S.One, -oo, fraction(draw, 0, 9)))
    return _claim("integrals", past, sympy.S.One, "-", value, f"infinite past {r}")


def on_an_interval(draw: Random) -> Statement | None:
    """A limit that is the right one for some points of the interval of another variable only."""
    c, n = LETTERS[0], Symbol("c1", positive=True)
    on = Interval(n, sympy.S.Zero, draw.choice((sympy.S.One, sympy.oo, sympy.Integer(2))))
    r = fraction(draw, 0, 1)
    f, value, bad = draw.choice(
        (
            (p ** (n - r), sympy.S.Zero, r / 2),
            (p ** (r - n), sympy.oo, r / 2),
            ((n - r) / p, sympy.oo, r / 2),
            (sympy.exp(-(n - r) / p), sympy.S.Zero, r / 2),
            (p**n + n, n + tiny(draw), r),
            (sympy.atan((n - r) / p), sympy.pi / 2, r / 2),
            (n * p ** (n - r) * sympy.log(p) + c, c, r / 2),
        )
    )
    return _claim("on an interval", f, sympy.S.Zero, "+", value, f"another one at {n} = {bad}", Given(), on)


GENERATORS = (continuous, removable, powers_and_logs, of_letters, sides, integrals, on_an_interval)
