"""False claims of kind Regular: a function that is not real, not finite or not analytic somewhere inside.

The referee sees a value that is not real; or a zero of a denominator, exactly, where the numerator is not 0; or, for an
integral, an integrand that is at least a constant over the distance from a point of its range, which has no finite
integral; or a corner, ``|p - r|``, which no analytic function has.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Symbol

from costderive.core.piecewise import Interval
from costderive.proof.claims import Regular
from tests.falsehoods import referee
from tests.falsehoods.material import (
    LETTERS,
    certainly_positive,
    fraction,
    given_facts,
    holds,
    inside,
    interval,
    letters_where,
    p,
    tiny,
)
from tests.falsehoods.statement import Statement, of_claim

V = Symbol("v", positive=True)


def _with_pole(draw: Random, x: Symbol, on: Interval) -> tuple[Expr, str] | None:
    """Return a function that grows without bound at a point inside, as a pole or a logarithm."""
    r, g = inside(draw, on), certainly_positive(draw, x)
    zero = draw.choice(
        (
            x - r,
            x**2 - r**2,
            (x - r) * g,
            sympy.expand((x - r) * (x + 1)),
            sympy.log(x / r) if r else x - r,
            sympy.exp(x - r) - 1,
            sympy.sin(x - r),
            sympy.atan(x - r),
            sympy.expand((x - r) ** 2),
            sympy.sqrt(x) - sympy.sqrt(r),
            1 - r / x,
        )
    )
    if zero.subs(x, r) != 0 or not referee.is_positive(g, {x: r}):
        return None
    square = sympy.expand(zero**2) if zero.is_polynomial() else zero**2
    weight = draw.choice((1, tiny(draw)))
    sharp = draw.choice(
        (
            1 / zero,
            1 / square,
            weight / square,
            weight / zero,
            sympy.log(square),
            1 / sympy.log(1 + square),
            square ** Rational(-1, 3),
            sympy.log(sympy.log(1 + square) + square),
            1 / (sympy.exp(square) - 1),
        )
    )
    return draw.choice(
        (sharp + g, sharp * weight + g, sympy.together(sharp + g), sharp * g, sharp, g - sharp)
    ), f"without bound at {x} = {r}"


def poles(draw: Random) -> Statement | None:
    """A pole, or a logarithm's infinity, inside the interval."""
    on = interval(draw)
    found = _with_pole(draw, p, on)
    return found and of_claim("poles", Regular("", found[0], on), found[1])


def irrational_poles(draw: Random) -> Statement | None:
    """A pole at a place that is no fraction."""
    low, width = fraction(draw, 0, 1), fraction(draw, 0, 1)
    h = draw.choice(
        (
            p**2 - low,
            p**3 + p - 1 - low,
            sympy.exp(p) - 1 - low,
            p**2 + p - low,
            sympy.cos(p) - low,
            sympy.log(1 + p) - low / 2,
        )
    )
    on = Interval(p, sympy.S.Zero, 1 + width)
    changes = referee.is_negative(h, {p: on.high}) != referee.is_negative(h, {p: Fraction(1, 10**9)})
    g = certainly_positive(draw, p)
    f = draw.choice((1 / h, 1 / h**2, tiny(draw) / h**2, sympy.log(h**2), g + 1 / sympy.expand(h**2), g / h))
    return of_claim("irrational poles", Regular("", f, on), f"{h} changes its sign") if changes else None


def not_real(draw: Random) -> Statement | None:
    """A root or a logarithm of what is negative somewhere inside."""
    on = interval(draw)
    r, eps = inside(draw, on), tiny(draw)
    h = draw.choice(
        (
            (p - r) ** 2 - eps,
            sympy.expand((p - r) ** 2 - eps),
            p - r - eps,
            r - p - eps,
            sympy.log(p + eps) - sympy.log(r + 2 * eps),
            sympy.cos(p) - sympy.cos(r) - eps,
        )
    )
    f = draw.choice(
        (
            sympy.sqrt(h),
            sympy.log(h),
            h ** Rational(1, 3),
            h ** LETTERS[0],
            sympy.asin(1 - h),
            sympy.acos(1 + p - p - h),
            sympy.sqrt(h * certainly_positive(draw, p)),
            sympy.log(h) ** 2 + p,
            sympy.exp(sympy.sqrt(h)),
            sympy.uppergamma(Rational(1, 2), h),
        )
    )
    for x in (r, r + eps / 100, inside(draw, on), inside(draw, on)):
        if referee.is_not_real(f, {p: x, LETTERS[0]: Fraction(3, 10)}):
            return of_claim("not real", Regular("", f, on), f"not real at {p} = {x}")
    return None


def corners(draw: Random) -> Statement | None:
    """A corner or a root's end: real and continuous, but not analytic."""
    on = interval(draw)
    r, g = inside(draw, on), certainly_positive(draw, p)
    q = sympy.expand((p - r) ** 2)
    f = draw.choice(
        (
            sympy.sqrt(q),
            sympy.Abs(p - r),
            sympy.Max(p, r),
            sympy.Min(p * g, r * g),
            q ** Rational(3, 2),
            q ** Rational(1, 3),
            g + sympy.Abs(p - r) ** 3,
            sympy.exp(sympy.Abs(p - r)),
            sympy.asin(1 - q),
            sympy.Max(0, p - r) ** 2,
            sympy.sqrt(q * (1 + p)),
        )
    )
    return of_claim("corners", Regular("", f, on), f"not analytic at {p} = {r}")


def letters(draw: Random) -> Statement | None:
    """A function that is not real, or has a pole, for some values of the letters."""
    a, b = LETTERS[:2]
    given, on = given_facts(draw, (a, b)), Interval(p, sympy.S.Zero, draw.choice((sympy.S.One, a, sympy.oo)))
    c = fraction(draw, 0, 8)
    f = draw.choice(
        (
            sympy.log(a - c) * p,
            sympy.sqrt(a - b) + p,
            sympy.log(p + a - b),
            sympy.sqrt(p - a),
            sympy.log(1 - a * p),
            (a - p) ** b,
            sympy.sqrt(a - c) * p,
            sympy.asin(a) + p,
            sympy.sqrt(a + p - c),
            sympy.log(sympy.Max(a, c) - c - a / 9 + p / 99),
            (1 - b * p) ** Rational(1, 3),
            sympy.acos(p + a),
        )
    )
    for point in letters_where(draw, (a, b), given):
        high = Fraction(5) if on.high is sympy.oo else referee.exact(on.high, point)
        for share in (Fraction(1, 10**4), Fraction(1, 2), 1 - Fraction(1, 10**4)):
            full = {**point, p: share * high}
            if referee.is_not_real(f, full):
                return of_claim("letters", Regular("", f, on), f"not real at {full}", given)
    return None


def poles_at_letters(draw: Random) -> Statement | None:
    """A pole at a place that letters give: inside for some of their values."""
    a, b = LETTERS[:2]
    given = given_facts(draw, (a, b))
    place = draw.choice((a, b / 2, a / (a + b), a * b, 1 - a, a - b))
    f = draw.choice(
        (
            1 / (p - place),
            1 / (p - place) ** 2,
            sympy.log((p - place) ** 2),
            tiny(draw) / sympy.expand((p - place) ** 2),
            1 / sympy.together(p - place),
        )
    )
    for point in letters_where(draw, (a, b), given):
        x = referee.exact(place, point)
        if x is not None and 0 < x < 1:
            return of_claim(
                "poles at letters",
                Regular("", f, Interval(p, sympy.S.Zero, sympy.S.One)),
                f"without bound at p = {x} for {point}",
                given,
            )
    return None


def integrals(draw: Random) -> Statement | None:
    """An integral that is infinite: its integrand has a pole inside, or at the fixed end, of order 1 or more."""
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    r, g = fraction(draw, 0, 1), certainly_positive(draw, V)
    n = draw.choice((1, 2, 2, 3, 4))
    weight = draw.choice((1, tiny(draw)))
    at = draw.choice((r, r, r, sympy.S.Zero, sympy.S.One))
    core = draw.choice(
        (
            weight / (V - at) ** n,
            weight / sympy.expand((V - at) ** n),
            g + weight / (V - at) ** n,
            weight * g / (V - at) ** (2 * n),
            weight / sympy.Abs(V - at) ** n,
            weight / sympy.log(1 + (V - at) ** 2),
        )
    )
    if not referee.is_positive(g, {V: Fraction(int(at.p), int(at.q))}) and at != 0:
        return None
    if at == 0 and core.has(V) and not _at_least_over_distance(core, 0):
        return None
    whole = draw.choice(
        (
            Integral(core, (V, 0, p)),
            Integral(core, (V, p, 1)),
            Integral(core, (V, 0, 1)) + p,
            p * Integral(core, (V, 0, 1)),
            sympy.exp(-Integral(core, (V, 0, p))),
            Integral(core, (V, 0, sympy.oo)) * p,
        )
    )
    low, high = _range(whole)
    covers = (
        low <= at <= high
        and not (at == high and high is p)
        and (at != 1 or high == 1 or high is sympy.oo)
        and (at != 0 or low == 0)
    )
    return of_claim("integrals", Regular("", whole, on), f"no finite integral past {at}") if covers else None


def _range(expr: Expr) -> tuple[Any, Any]:
    """Return a range that the integral in an expression passes over for some p in (0, 1): p is close to an end."""
    _, low, high = next(iter(expr.atoms(Integral))).limits[0]
    return (Rational(1, 10**9) if low == p else low), (1 - Rational(1, 10**9) if high == p else high)


def _at_least_over_distance(core: Expr, end: int) -> bool:
    """Is the distance times the integrand at least 10^-70 close to the end? Then the factors there do not save it."""
    sizes = [referee.number(sympy.Abs(core) * V, {V: Fraction(1, 10**n)}) for n in (6, 12, 18)]
    return all(size is not None and size > 1e-70 for size in sizes) and sizes[0] <= sizes[-1] * 2


def shapes(draw: Random) -> Statement | None:
    """An incomplete Gamma function at a shape that is 0, -1 or -2, or is so for some value of a letter."""
    a, b = LETTERS[:2]
    given, c = given_facts(draw, (a, b)), draw.choice((0, 0, 1, 2))
    shape = draw.choice(
        (a - b, a - 1, 1 - a, a - fraction(draw, 0, 8), b - 2 * a, -a, -sympy.Integer(c))
    ) - draw.choice((0, 0, c))
    f = sympy.lowergamma(shape, draw.choice((p, 2 * p, p / (1 - p), -sympy.log(p))), evaluate=False)
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    points = letters_where(draw, (a, b), given)
    points += [
        {**x, a: value}
        for x in points
        for value in (x[b], 2 * x[b], Fraction(1), Fraction(2))
        if holds(given, {**x, a: value})
    ]
    for point in points:
        if referee.exact(shape, point) in (0, -1, -2):
            expr = draw.choice((f, p + f, p * f, sympy.exp(-f)))
            return of_claim("shapes", Regular("", expr, on), f"the shape is a pole for {point}", given)
    return None


GENERATORS = (poles, irrational_poles, not_real, corners, letters, poles_at_letters, integrals, shapes)
