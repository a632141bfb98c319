"""What statements are made of: numbers, letters, intervals and functions, drawn at random."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, parameter, s
from tests.falsehoods import referee

LETTERS = tuple(map(parameter, "abkm"))
# names that the package uses for letters of its own
INNER = ("_g0", "_g1", "_r0", "_e0", "_w0", "_w1", "_a0", "_x", "_z", "_y", "_v", "_total", "_p", "x", "u")
SIZES = (1, 2, 3, 3, 6, 6, 8, 10, 15, 20, 30, 45, 60)
EDGES = (
    Fraction(1, 50),
    Fraction(1, 7),
    Fraction(1, 2),
    Fraction(9, 10),
    Fraction(1),
    Fraction(11, 10),
    Fraction(2),
    Fraction(7),
    Fraction(60),
)


def tiny(draw: Random) -> Rational:
    """Return a small positive number, from about 1e-1 to 1e-60."""
    return Rational(draw.randint(1, 9), 10 ** draw.choice(SIZES))


def fraction(draw: Random, low: Any = 0, high: Any = 1) -> Rational:
    """Return a fraction between two rational numbers."""
    n = draw.choice((2, 3, 4, 5, 7, 10, 12, 41, 100, 997))
    low, high = Rational(low), Rational(high)
    return low + Rational(draw.randint(1, n - 1), n) * (high - low)


def interval(draw: Random, variable: Symbol = p) -> Interval:
    """Return an interval with rational ends, or without an upper end."""
    kind = draw.randrange(6)
    if kind < 3:
        return Interval(variable, sympy.S.Zero, sympy.S.One)
    low = fraction(draw, 0, 2) if kind < 5 else sympy.S.Zero
    return Interval(variable, low, sympy.oo if kind == 5 else low + fraction(draw, 0, 3))


def inside(draw: Random, on: Interval) -> Rational:
    """Return a rational point of an interval, now and then one that is close to an end."""
    high = on.low + 4 if on.high is sympy.oo else on.high
    if draw.random() < 0.1:
        gap = (high - on.low) * tiny(draw) / 10
        return on.low + gap if draw.random() < 0.5 else high - gap
    return fraction(draw, on.low, high)


def polynomial(draw: Random, symbols: tuple[Symbol, ...], terms: int = 3, degree: int = 3) -> Expr:
    """Return a polynomial of a few terms."""
    found = sympy.S.Zero
    for _ in range(terms):
        monomial = sympy.Mul(*[x ** draw.randint(0, degree) for x in symbols])
        found += Rational(draw.randint(-6, 6), draw.choice((1, 1, 2, 3))) * monomial
    return found


def certainly_positive(draw: Random, x: Symbol) -> Expr:
    """Return a function that is positive for every positive x."""
    c = fraction(draw, 0, 3)
    return draw.choice(
        (
            c,
            1 + x,
            c + x**2,
            1 / (c + x),
            sympy.exp(-x),
            sympy.exp(c * x),
            sympy.sqrt(c + x),
            x**2 - x + 1,
            x,
            x**c,
        )
    )


def functions(draw: Random, x: Symbol, depth: int = 2) -> Expr:
    """Return a function of a positive x, real in most places."""
    if depth == 0:
        c = fraction(draw, -2, 3)
        return draw.choice((x, x, x - c, c * x, x**2 - c, 1 / (x + abs(c) + 1), 1 - x))
    f, g = functions(draw, x, depth - 1), functions(draw, x, depth - 1)
    c = fraction(draw, 0, 3)
    return draw.choice(
        (
            f + g,
            f - g,
            f * g,
            c * f - g,
            f**2,
            f**2 - c,
            f**3,
            sympy.exp(f),
            sympy.exp(-(f**2)),
            sympy.log(1 + f**2),
            sympy.atan(f),
            sympy.asinh(f),
            sympy.erf(f),
            sympy.sin(f),
            sympy.cos(f),
            sympy.sqrt(f**2 + c),
            f / (1 + g**2),
            (c + f**2) ** Rational(draw.choice((1, 2, 5, -1)), 3),
            sympy.Max(f, g),
            sympy.Min(f, g),
            sympy.Abs(f),
            sympy.log(x) * f,
            x**c + f,
            sympy.gamma(1 + x) - f,
            (1 + x) ** f,
        )
    )


def given_facts(draw: Random, letters: tuple[Symbol, ...]) -> Given:
    """Return facts about letters: differences, bounds, products, as positive or as not negative."""
    found: list[Expr] = []
    for _ in range(draw.choice((0, 1, 1, 2))):
        a, b = draw.choice(letters), draw.choice(letters)
        found.append(
            draw.choice(
                (
                    a - b,
                    a - fraction(draw, 0, 3),
                    fraction(draw, 0, 3) - a,
                    a * b - 1,
                    1 - a - b,
                    a + b - 2,
                    a**2 - b,
                )
            )
        )
    kept = tuple(fact for fact in found if fact.free_symbols)
    return Given().also(positive=kept) if draw.random() < 0.7 else Given().also(nonnegative=kept)


def letters_where(draw: Random, symbols: Any, given: Given, tries: int = 80) -> list[dict[Symbol, Fraction]]:
    """Return rational values of letters for which the facts hold, below and above 1, and equal ones."""
    names = sorted(set(symbols) | _of_facts(given), key=str)
    grid = list(product(EDGES, repeat=len(names))) if len(names) <= 2 else []
    draws = [
        tuple(draw.choice(EDGES) + draw.choice((0, 0, Fraction(1, 997))) for _ in names) for _ in range(tries)
    ]
    points = [dict(zip(names, one, strict=True)) for one in (*grid, *draws)]
    return [point for point in points if holds(given, point)]


def _of_facts(given: Given) -> set[Symbol]:
    return set().union(*[fact.free_symbols for fact in given.positive + given.nonnegative])


def holds(given: Given, point: dict[Symbol, Fraction]) -> bool:
    """Do the facts hold at a point, for certain?"""
    strict = all(referee.is_positive(fact, point) for fact in given.positive)
    return strict and all(referee.is_not_positive(-fact, point) for fact in given.nonnegative)


__all__ = [
    "INNER",
    "LETTERS",
    "certainly_positive",
    "fraction",
    "functions",
    "given_facts",
    "holds",
    "inside",
    "interval",
    "letters_where",
    "p",
    "polynomial",
    "s",
    "tiny",
]
