"""Claims that are false, which no decider may prove."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Abs, Derivative, I, Integral, Rational, Symbol, atan, exp, floor, log, oo, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, p, parameter, s, t
from costderive.proof.claims import Claim, Equal, NonNegative, Positive, Regular, Tends
from tests.mutants.generic import HALF, ONE, TINY, ZERO


@dataclass(frozen=True, slots=True)
class Falsehood:
    """A claim that is false, or meaningless, for at least one admissible point; ``why`` names it."""

    name: str
    claim: Claim
    why: str
    given: Given = field(default_factory=Given)


a, b, d, e = (parameter(letter) for letter in "abde")
REAL = Symbol("r", real=True)
ANY = Symbol("z")
UNIT, REPORTS = Interval(s, ZERO, ONE), Interval(p, ZERO, ONE)
QUARTER = Rational(1, 4)
ROOT_GAP = s - log(s) - 2
HIDDEN_ZEROS = {
    "sin^2 + cos^2 - 1": sympy.sin(1) ** 2 + sympy.cos(1) ** 2 - 1,
    "log 6 - log 2 - log 3": log(6) - log(2) - log(3),
    "denested root": sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3),
    "atan 2 + atan 3 - 3 pi/4": atan(2) + atan(3) - 3 * sympy.pi / 4,
}


def _equal(name: str, left: Any, right: Any, why: str, on: Interval | None = UNIT) -> Falsehood:
    return Falsehood(name, Equal("", sympy.sympify(left), sympy.sympify(right), on), why)


def _at_least_zero(
    name: str, expr: Any, why: str, on: Interval | None = UNIT, given: Given | None = None
) -> Falsehood:
    return Falsehood(name, NonNegative("", sympy.sympify(expr), on), why, given or Given())


def _above_zero(
    name: str, expr: Any, why: str, on: Interval | None = UNIT, given: Given | None = None
) -> Falsehood:
    return Falsehood(name, Positive("", sympy.sympify(expr), on), why, given or Given())


def _smooth(name: str, expr: Any, why: str) -> Falsehood:
    return Falsehood(name, Regular("", sympy.sympify(expr), REPORTS), why)


def _tends(name: str, expr: Any, point: Any, side: str, value: Any, why: str) -> Falsehood:
    claim = Tends("", sympy.sympify(expr), p, sympy.sympify(point), side, sympy.sympify(value))
    return Falsehood(name, claim, why)


FALSE_EQUALITIES = (
    _equal("root of a square", sqrt(s**2 - s + QUARTER), s - HALF, "negative below 1/2"),
    _equal("root of a square of parameters", sqrt(a**2 - 2 * a * b + b**2), a - b, "a < b", None),
    _equal(
        "root of a square of 1 + log", sqrt(log(s) ** 2 + 2 * log(s) + 1), 1 + log(s), "negative below 1/e"
    ),
    _equal(
        "root of a square of asinh",
        sqrt(sympy.expand((sympy.asinh(s - HALF) + QUARTER) ** 2)),
        sympy.asinh(s - HALF) + QUARTER,
        "s = 1/10",
    ),
    _equal(
        "root of a square of erf",
        sqrt(sympy.expand((sympy.erf(s - HALF) + QUARTER) ** 2)),
        sympy.erf(s - HALF) + QUARTER,
        "s = 1/10",
    ),
    _equal("root of a square, turned", sqrt(sympy.expand(ROOT_GAP**2)), -ROOT_GAP, "s - log(s) > 2 near 0"),
    _equal("root of a square of exp", sqrt(exp(2 * s) - 4 * exp(s) + 4), exp(s) - 2, "s < log 2"),
    _equal(
        "product of imaginary roots",
        sqrt(log(s) * log(1 - s)),
        sqrt(log(s)) * sqrt(log(1 - s)),
        "the other sign",
    ),
    _equal("product of imaginary roots of s", sqrt(-s) * sqrt(s - 1), sqrt(s * (1 - s)), "the other sign"),
    _equal(
        "symbolic power of a square", (4 * s**2 - 4 * s + 1) ** a, (2 * s - 1) ** (2 * a), "complex below 1/2"
    ),
    _equal(
        "symbolic power of a square of log",
        (log(s) ** 2 + 2 * log(s) + 1) ** a,
        (1 + log(s)) ** (2 * a),
        "complex below 1/e",
    ),
    _equal("power of a negative base", (s - 1) ** Rational(2, 3), (1 - s) ** Rational(2, 3), "complex"),
    _equal("cube root", sympy.cbrt(-s), -sympy.cbrt(s), "the principal root is complex"),
    _equal("log of a square", log((2 * s - 1) ** 2), 2 * log(2 * s - 1), "complex below 1/2"),
    _equal(
        "log of a square of log", log(log(s) ** 2 + 2 * log(s) + 1), 2 * log(1 + log(s)), "complex below 1/e"
    ),
    _equal(
        "log of a product",
        log((2 * s - 1) * (3 * s - 1)),
        log(2 * s - 1) + log(3 * s - 1),
        "complex below 1/3",
    ),
    _equal(
        "log of a product of parameters", log((a - 1) * (b - 1)), log(a - 1) + log(b - 1), "a, b < 1", None
    ),
    _equal("exp of half a log", exp(log(log(s) ** 2 + 2 * log(s) + 1) / 2), 1 + log(s), "negative below 1/e"),
    _equal(
        "atan addition", atan(2 * s) + atan(3 * s), atan(5 * s / (1 - 6 * s**2)), "jumps by pi at s^2 = 1/6"
    ),
    _equal("atan of a reciprocal", atan(s - HALF) + atan(1 / (s - HALF)), sympy.pi / 2, "-pi/2 below 1/2"),
    _equal("asin of a sine", sympy.asin(sympy.sin(3 * s)), 3 * s, "s > pi/6"),
    _equal("absolute value", Abs(s - HALF), s - HALF, "s < 1/2"),
    _equal("maximum", sympy.Max(s, HALF), s, "s < 1/2"),
    _equal("piecewise", sympy.Piecewise((s, s < HALF), (s + 1, True)), s, "s > 1/2"),
    _equal("floor", floor(2 * s), ZERO, "s >= 1/2"),
    _equal("sign", sympy.sign(s - HALF), ONE, "s < 1/2"),
    _equal("slope of floor", Derivative(floor(2 * s) + s, s), ONE, "no slope at 1/2"),
    _equal("slope of a step", Derivative(sympy.Heaviside(s - HALF) + s, s), ONE, "no slope at 1/2"),
    _equal("slope of a maximum", Derivative(sympy.Max(s, HALF), s), ONE, "0 below 1/2"),
    _equal(
        "one over zero",
        1 / (sqrt(s**2 + 2 * s + 1) - s - 1),
        1 / (sqrt(s**2 + 4 * s + 4) - s - 2),
        "1/0 = 1/0",
    ),
    _equal(
        "zero over zero", (sqrt(s**2 + 2 * s + 1) - s - 1) / (sqrt(s**2 + 4 * s + 4) - s - 2), ZERO, "0/0"
    ),
    _equal("not a number", sympy.nan, sympy.nan, "nothing is said", None),
    _equal("infinity", oo, oo, "no numbers", None),
    _equal("complex infinity", sympy.zoo, sympy.zoo, "no numbers", None),
)

FALSE_SIGNS = (
    _above_zero(
        "absolute values that vanish together", c1 * (sympy.pi * Abs(a - 1) + Abs(b - 1)), "a = b = 1", None
    ),
    _at_least_zero("a symbol of any kind", ANY, "z = -1", None),
    _above_zero("a real symbol", REAL + 1, "r = -2", None),
    _above_zero("an odd power of any symbol", ANY**3 + ANY + 1, "z = -1", None),
    _above_zero("double root inside", (3 * s - 1) ** 2, "s = 1/3"),
    _above_zero("irrational double root inside", (2 * s**2 - 1) ** 2, "s = 1/sqrt(2)"),
    _above_zero("square of parameters", (a - b) ** 2, "a = b", None),
    _above_zero("Motzkin's polynomial", a**4 * b**2 + a**2 * b**4 - 3 * a**2 * b**2 + 1, "a = b = 1", None),
    _at_least_zero(
        "Motzkin's polynomial less a little",
        a**4 * b**2 + a**2 * b**4 - 3 * a**2 * b**2 + 1 - TINY,
        "a = b = 1",
        None,
    ),
    _at_least_zero("tiny dip", (3 * s - 1) ** 2 - TINY, "s = 1/3"),
    _at_least_zero("tiny dip times a parameter", a * ((3 * s - 1) ** 2 - TINY), "s = 1/3"),
    _at_least_zero("cube", (3 * s - 1) ** 3, "s = 1/4"),
    _at_least_zero("1 + log in a product", s * (1 + log(s)), "s < 1/e"),
    _at_least_zero("asin in a product", s * (sympy.asin(2 * s - 1) + 1), "s = 1/100"),
    _at_least_zero("exp - 2 in a product", a * (exp(s) - 2), "s < log 2"),
    _at_least_zero("pi and log in a product", sympy.pi * s * (log(s) + 3), "s < 1/e^3"),
    _at_least_zero("log of a number", s + log(Rational(3, 2)) - 1, "s = 1/2"),
    _at_least_zero("asin of a parameter", sympy.asin(a), "complex for a > 1", None),
    _above_zero("exp of an imaginary root", exp(sqrt(s - HALF)), "complex below 1/2"),
    _above_zero("power with an imaginary exponent", (1 + s) ** sqrt(s - HALF), "complex below 1/2"),
    _at_least_zero("root in a product", a * (sqrt(2) * sqrt(s) - HALF), "s < 1/8"),
    _at_least_zero("minimum", sympy.Min(s, 1 - s, s - QUARTER), "s < 1/4"),
    _at_least_zero("integral backwards", Integral(t, (t, 1, 0)), "is -1/2", None),
    _at_least_zero("integral of a negative function", Integral(t - 1, (t, 0, 1)), "is -1/2", None),
    _at_least_zero("integral up to a parameter", Integral(t - s, (t, 0, 1)), "s > 1/2"),
    _at_least_zero("symbolic power", (a - b) ** (2 * d), "complex for a < b", None),
    _above_zero("strict from weak", a - b, "a = b", None, Given(nonnegative=(a - b,))),
    _above_zero("strict from two weak facts", a - d, "a = b = d", None, Given(nonnegative=(a - b, b - d))),
    _above_zero(
        "strict product from weak facts", a * e - b * d, "equality", None, Given(nonnegative=(a - b, e - d))
    ),
    _at_least_zero(
        "fact with a denominator", a - 1, "a, b < 1", None, Given(nonnegative=((a - 1) / (b - 1),))
    ),
    _at_least_zero("fact with a negative denominator", b - a, "a > b", None, Given(positive=(1 / (a - b),))),
    _at_least_zero("fact that is a quotient", b - a, "a > b", None, Given(positive=(a / (a - b),))),
)

FALSE_SMOOTHNESS = (
    _smooth("shape with a pole", sympy.lowergamma(a - b, p), "infinite at a = b"),
    _smooth("shape below 0", sympy.lowergamma(-a, p), "infinite at a = 1"),
    _smooth("imaginary", I * p, "not real"),
    _smooth("constant i", I, "not real"),
    _smooth("log of a negative constant", p * log(a - 1), "a < 1"),
    _smooth("root of a negative constant", p * sqrt(a - 1), "a < 1"),
    _smooth("pole in a parameter", p / (a - 1), "a = 1"),
    _smooth("root of -2", p * sqrt(-2), "not real"),
    _smooth("complex infinity", sympy.zoo, "not finite"),
    _smooth("not a number", sympy.nan, "not a number"),
    _smooth("absolute value", Abs(p - HALF), "kink"),
    _smooth("maximum", sympy.Max(p, HALF), "kink"),
    _smooth("sign", sympy.sign(p - HALF), "jump"),
    _smooth("floor", floor(p + HALF), "jump"),
    _smooth("piecewise", sympy.Piecewise((p, p < HALF), (p + 1, True)), "jump"),
    _smooth("pole", 1 / (p - HALF), "pole"),
    _smooth("jump of atan", atan(1 / (p - HALF)), "jump"),
    _smooth("root of a square", sqrt(p**2 - p + QUARTER), "kink"),
    _smooth("two thirds of a power", (p - HALF) ** Rational(2, 3), "complex"),
    _smooth("log of a square", log((p - HALF) ** 2), "pole"),
    _smooth("asin beyond 1", sympy.asin(2 * p), "complex above 1/2"),
    _smooth("acos of a parameter", sympy.acos(p + a), "a > 1"),
    _smooth("essential singularity", exp(1 / (p - HALF)), "pole in the exponent"),
    _smooth("symbolic power", (p - HALF) ** a, "complex"),
    _smooth("power of a negative base", (a - 1) ** p, "a < 1"),
    _smooth("log of 1 + log", log(1 + log(p)), "p < 1/e"),
    _smooth("one over 1 + log", 1 / (1 + log(p)), "p = 1/e"),
    _smooth("exp of a root", exp(sqrt(p - HALF)), "complex below 1/2"),
    _smooth("log of exp of a root", log(exp(sqrt(p - HALF)) + 1), "complex below 1/2"),
    _smooth("incomplete Gamma function", sympy.uppergamma(a, p - HALF), "complex"),
    _smooth("incomplete Beta function", sympy.betainc(a, b, 0, 2 * p), "complex"),
    _smooth("integral over a pole", Integral(1 / (s - HALF) ** 2, (s, 0, p)), "diverges"),
    _smooth("integral from a pole", Integral(1 / s, (s, 0, p)), "diverges"),
    _smooth("integral to a pole", Integral(1 / (1 - s), (s, p, 1)), "diverges"),
    _smooth("integral of a complex function", Integral(sqrt(s - HALF), (s, 0, p)), "complex"),
    _smooth("integral of a complex constant", Integral(s * log(a - 1), (s, 0, p)), "a < 1"),
)

FALSE_LIMITS = (
    *[
        _tends(f"hidden zero: {name}", p / (zero + p), 0, "+", 0, "is 1")
        for name, zero in HIDDEN_ZEROS.items()
    ],
    _tends("hidden zero inside log", log(1 + HIDDEN_ZEROS["sin^2 + cos^2 - 1"] + p) / p, 0, "+", 0, "is 1"),
    _tends("coefficient that may vanish", p**2 / ((a - b) ** 2 * p + p**2), 0, "+", 0, "1 for a = b"),
    _tends("log of a parameter", p / log(a + p), 0, "+", 0, "1 for a = 1"),
    _tends("atan of a parameter", p / atan(a - 1 + p), 0, "+", 0, "1 for a = 1"),
    _tends("erf of a parameter", p / sympy.erf(a - 1 + p), 0, "+", 0, "not 0 for a = 1"),
    _tends("power of unknown sign", p ** (a - b), 0, "+", 0, "a <= b"),
    _tends("log of a power of unknown sign", 1 / log(2 * p ** (a - b)), 0, "+", 0, "1/log 2 for a = b"),
    _tends("jump of unknown direction", atan((a - 1) / p), 0, "+", sympy.pi / 2, "a < 1"),
    _tends("infinity of unknown sign", (a - b) / p, 0, "+", oo, "a < b"),
    _tends("integral backwards", Integral(1 / s, (s, 1, p)), 0, "+", oo, "is -oo"),
    _tends("integral backwards at 1", Integral(1 / (1 - s), (s, p, 0)), 1, "-", oo, "is -oo"),
    _tends("both ends move", Integral(1 / s, (s, p, 2 * p)), 0, "+", oo, "is log 2"),
    _tends("both ends move apart", Integral(1 / s, (s, p, p**2)), 0, "+", oo, "is -oo"),
    _tends("both ends are the same", Integral(1 / s, (s, p, p)), 0, "+", oo, "is 0"),
    _tends("negative integral", -Integral(1 / s, (s, p, 1)), 0, "+", oo, "is -oo"),
    _tends(
        "pole at the other end",
        Integral(1 / (1 - s), (s, p, 2 * p)),
        HALF,
        "-",
        Integral(1 / (1 - s), (s, HALF, 1)),
        "infinite",
    ),
    _tends(
        "pole inside",
        Integral(1 / (s - HALF) ** 2, (s, 0, p)),
        1,
        "-",
        Integral(1 / (s - HALF) ** 2, (s, 0, 1)),
        "infinite",
    ),
    _tends("root of a square", sqrt(p**2 - p + QUARTER) / (p - HALF), HALF, "-", 1, "is -1"),
    _tends("imaginary roots", sqrt(p - 1) / sqrt(1 - p), 1, "-", 1, "is i"),
    _tends("absolute value", Abs(p - HALF) / (p - HALF), HALF, "-", 1, "is -1"),
    _tends("floor", floor(p), 1, "-", 1, "is 0"),
    _tends("sign", sympy.sign(p - HALF), HALF, "+", 0, "is 1"),
    _tends("piecewise", sympy.Piecewise((0, p <= HALF), (1, True)), HALF, "+", 0, "is 1"),
    _tends("0^0", p**p, 0, "+", 0, "is 1"),
    _tends("0^0, chosen", p ** (1 / log(p)), 0, "+", 1, "is e"),
    _tends("1^oo", (1 + p) ** (1 / p), 0, "+", 1, "is e"),
    _tends("growing exponential", exp(1 / p) * p**3, 0, "+", 0, "is oo"),
    _tends("growing exponential of logs", exp(log(p) ** 2) * p, 0, "+", 0, "is oo"),
    _tends("exponential of a power of unknown sign", exp((a - b) / p), 0, "+", 0, "a >= b"),
    _tends("quotient of exponentials", exp(-1 / p) / exp(-2 / p), 0, "+", 0, "is oo"),
    _tends("difference of decays", (exp(-1 / p) - exp(-2 / p)) / exp(-1 / p), 0, "+", 0, "is 1"),
    _tends("difference of equal logs", log(p + p**2) - log(p), 0, "+", 1, "is 0"),
    _tends("difference of equal terms", (sqrt(1 + p) - 1) / p, 0, "+", 1, "is 1/2"),
    _tends("the wrong infinity", log(p), 0, "+", oo, "is -oo"),
    _tends("infinity called finite", 1 / p, 0, "+", 0, "is oo"),
    _tends("complex infinity", 1 / p, 0, "+", sympy.zoo, "is oo"),
    _tends("not a number", p, 0, "+", sympy.nan, "is 0"),
    _tends("asin beyond 1", sympy.asin(1 + p), 0, "+", sympy.pi / 3, "is pi/2"),
    _tends("incomplete Beta function", sympy.betainc(a, b, 0, p) / p**b, 0, "+", 1 / b, "a < b"),
    _tends("incomplete Gamma function", sympy.lowergamma(a, p) / p**a, 0, "+", a, "is 1/a"),
    _tends("tail of a Gamma function", sympy.uppergamma(a, 1 / p) / exp(-1 / p), 0, "+", 0, "oo for a > 1"),
)

FALSEHOODS = FALSE_EQUALITIES + FALSE_SIGNS + FALSE_SMOOTHNESS + FALSE_LIMITS
