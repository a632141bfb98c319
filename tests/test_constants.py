"""Numbers that are zero because angles or logarithms add up to nothing, and others; signs beside exponentials."""

from __future__ import annotations

import pytest
import sympy
from sympy import Expr, Rational, acos, asin, atan, exp, log, pi, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, s
from costderive.deciders.constants import constant_vanishes
from costderive.deciders.identities import zero
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive

x = sympy.Symbol("x", real=True)
HALF, THIRD = Rational(1, 2), Rational(1, 3)

ZEROS = [
    atan(HALF) + atan(THIRD) - pi / 4,
    4 * atan(Rational(1, 5)) - atan(Rational(1, 239)) - pi / 4,
    asin(Rational(3, 5)) - 2 * atan(THIRD),
    acos(Rational(3, 5)) + asin(Rational(3, 5)) - pi / 2,
    atan(sqrt(2)) + atan(1 / sqrt(2)) - pi / 2,
    exp(1) * (atan(2) + atan(3) - 3 * pi / 4),
    sqrt(2) * atan(HALF) + atan(THIRD) * sqrt(2) - sqrt(2) * pi / 4,
    log(3 + 2 * sqrt(2)) - 2 * log(1 + sqrt(2)),
    log(2) * atan(HALF) + log(2) * atan(THIRD) - pi * log(2) / 4,
    1 / (atan(HALF) + atan(THIRD)) - 4 / pi,
    (sqrt(17 - 12 * sqrt(2)) - 3 + 2 * sqrt(2)) * log(7) + atan(HALF) + atan(THIRD) - pi / 4,
]
NEARLY = [
    atan(HALF) + atan(THIRD) - pi / 4 + Rational(1, 10**40),
    atan(HALF) + atan(THIRD) - pi / 2,
    atan(2) + atan(3) + pi / 4,
    4 * atan(Rational(1, 5)) - atan(Rational(1, 238)) - pi / 4,
    log(2) + log(3) - log(6) - Rational(1, 10**60),
    log(3 + 2 * sqrt(2)) - 2 * log(1 + sqrt(2)) + Rational(1, 10**70),
    atan(HALF) + atan(THIRD) - pi / 4 + log(1 + Rational(1, 10**50)),
    (sqrt(2) - Rational(131836323, 93222358)) * pi,
]


@pytest.mark.parametrize("number", ZEROS, ids=str)
def test_numbers_that_are_zero(number: Expr) -> None:
    assert constant_vanishes(number)
    assert zero(number)


@pytest.mark.parametrize("number", NEARLY, ids=str)
def test_numbers_that_are_not_zero(number: Expr) -> None:
    assert not constant_vanishes(number)
    assert not zero(number)


def test_relations_that_are_not_looked_for_are_open() -> None:
    assert not constant_vanishes(log(3) * log(4) - 2 * log(2) * log(3))
    assert not constant_vanishes(c1 - c1**2)


def test_functions_of_equal_arguments_are_equal_and_of_others_are_not() -> None:
    b, k, m = sympy.symbols("b k m", positive=True)
    on = Interval(s, sympy.S.Zero, sympy.S.One)
    one = sympy.uppergamma((1 - k) / k, (m * (1 - s) / s) ** k / b**k)
    other = sympy.uppergamma(1 / k - 1, m**k * (1 - s) ** k / (b * s) ** k)
    assert zero(one - other, on)
    assert not zero(one - other.subs(m, 2 * m), on)
    assert not zero(one - sympy.uppergamma(1 / k, other.args[1]), on)


def test_exponential_integrals_are_smooth_on_either_side_of_0() -> None:
    assert regular(sympy.Ei(-c1), Interval(c1, sympy.S.Zero, sympy.oo), Given())
    assert not regular(sympy.Ei(1 - c1), Interval(c1, sympy.S.Zero, sympy.oo), Given())


def test_sums_with_exponentials_have_the_sign_of_an_end_and_a_slope() -> None:
    on = Interval(x, sympy.S.Zero, log(3))
    assert positive(4 - exp(x), on)
    assert positive(x + log(4 - exp(x)), on)
    assert positive(log(4 - exp(x)) + x * exp(x) / (4 - exp(x)), on)
    assert not positive(2 - exp(x), on)
    assert not positive(x * exp(x) / (2 - exp(x)), on)
    assert not positive(x - log(4 - exp(x)), on)
    assert not positive(exp(x) - 1 - 2 * x, on)
    assert not nonnegative(x / (3 - exp(x)), Interval(x, sympy.S.Zero, sympy.oo))


def test_roots_within_roots_are_split_over_positive_factors() -> None:
    on, below = Interval(s, sympy.S.Zero, sympy.S.One), 2 * s**2 - 2 * s + 1
    odds = s * sqrt(1 / below) / sqrt(1 - s**2 / below)
    assert zero(sqrt(1 + odds) - 1 / sqrt(1 - s), on)
    assert zero(asin(sqrt(odds) / sqrt(1 + odds)) - asin(sqrt(s)), on)
    assert not zero(sqrt(2 + odds) - 1 / sqrt(1 - s), on)
    assert not zero(sqrt(1 + odds) - 1 / sqrt(s), on)
    assert not zero(sqrt((s - HALF) ** 2 + 0 * s) * sqrt(1 + odds) - (s - HALF) / sqrt(1 - s), on)


def test_a_root_of_pi_within_a_root_is_no_obstacle() -> None:
    on, inner = Interval(s, sympy.S.Zero, sympy.S.One), sqrt(pi) * s + sqrt(pi) * s**2
    assert zero(sqrt(1 + sqrt(inner)) - sqrt(1 + sqrt(sqrt(pi)) * sqrt(s) * sqrt(1 + s)), on)
    assert not zero(sqrt(1 + sqrt(inner)) - sqrt(2 + sqrt(inner)), on)


def test_a_root_of_pi_before_a_polynomial_does_not_hide_its_sign() -> None:
    a, b, k = sympy.symbols("a b k", positive=True)
    given = Given().also(positive=(a - k * (a + b),))
    expr = sympy.expand(sqrt(pi) * (a - k * (a + b)) / 4)
    assert positive(expr, None, given)
    assert not positive(-expr, None, given)
    assert not positive(expr - sqrt(pi), None, given)
