"""Numbers made of roots: zero is distinguished from what is only near it."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Integer, Rational, cbrt, sqrt

from costderive.core.piecewise import Interval
from costderive.core.symbols import p
from costderive.deciders.identities import zero
from costderive.deciders.radicals import vanishes
from costderive.deciders.signs import positive

half = 1 / (1 + sqrt(31))
ZEROS = (
    sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3),
    cbrt(2 + sqrt(5)) - (1 + sqrt(5)) / 2,
    cbrt(cbrt(2) - 1) - (1 - cbrt(2) + cbrt(4)) / cbrt(9),  # Ramanujan
    sqrt(2) * half / sqrt(half**2 + (1 - half) ** 2) - Rational(1, 4),
    (1 + sqrt(2)) ** 7 * (sqrt(2) - 1) ** 7 - 1,
    (3 + sqrt(7)) ** Rational(-2, 3) - cbrt(16 - 6 * sqrt(7)) / cbrt(4),
)
NEAR = (
    sqrt(10) + sqrt(11) - sqrt(5) - sqrt(18),
    sqrt(10**40 + 1) - 10**20,
    sqrt(10**40 + 1) - 10**20 - Rational(1, 2 * 10**20),
    Rational(10**60, 10**60 + 1) - 1,
    sum((sqrt(k) for k in (5, 18, 6)), Integer(0)) - sqrt(8) - sqrt(7) - sqrt(17),
)


@pytest.mark.parametrize("number", ZEROS, ids=str)
def test_nested_radicals_that_are_zero_are_recognised(number: Expr) -> None:
    assert vanishes(number)
    assert zero(number) is not None
    assert not vanishes(number + Rational(1, 10**60))
    assert not vanishes(number * p + Rational(1, 10**60))


@pytest.mark.parametrize("number", NEAR, ids=str)
def test_numbers_close_to_zero_are_not_zero(number: Expr) -> None:
    assert not vanishes(number)
    assert zero(number) is None


def test_roots_of_negative_numbers_and_division_by_zero_prove_nothing() -> None:
    gap = sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)
    assert not vanishes((sqrt(2) - 2) ** Rational(2, 3) - cbrt((2 - sqrt(2)) ** 2))
    assert not vanishes(1 / gap)
    assert not vanishes(gap / gap.func(*gap.args, evaluate=False))
    assert not vanishes(sympy.pi - sympy.pi.evalf(30))


numbers = st.recursive(
    st.fractions(-9, 9, max_denominator=9).map(lambda n: Rational(n.numerator, n.denominator)),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        inner.map(lambda base: sqrt(1 + base**2)),
        inner.map(lambda base: 1 / cbrt(1 + base**2)),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(numbers, st.integers(1, 40))
def test_a_step_away_from_zero_is_not_zero(number: Expr, digits: int) -> None:
    root = sqrt(1 + number**2)
    gap = (root + number) * (root - number) - 1
    assert not vanishes(gap + Rational(1, 10**digits))
    assert not vanishes(gap + number**2 + Rational(1, 10**digits))


def test_functions_whose_arguments_are_equal_are_one() -> None:
    x, y = sympy.symbols("x y", positive=True)
    first, second = sqrt(1 + y) * sqrt(x / (1 + y)) / sqrt(x + y), sqrt(x) / sqrt(x + y)
    assert zero(sympy.asin(first) - sympy.asin(second))
    assert zero(sympy.asin(first) + sympy.asin(-second))
    assert not zero(sympy.asin(first) - sympy.asin(sqrt(y) / sqrt(x + y)))
    assert not zero(sympy.asin(first) + sympy.asin(second))
    assert zero((x + y) * sympy.erf(sqrt(x - y)) - x * sympy.erf(sqrt(x - y)) - y * sympy.erf(sqrt(x - y)))


def test_an_interval_may_end_at_a_power_with_a_letter() -> None:
    k, x = sympy.symbols("k x", positive=True)
    share = 2**k / (2**k + 2)
    for end in (share, 1 - share):
        assert positive(1 - x, Interval(x, Integer(0), end))
        assert positive(end - x, Interval(x, Integer(0), end))
        assert not positive(Rational(1, 2) - x, Interval(x, Integer(0), end))
    assert not positive(1 - x, Interval(x, Integer(0), 2**k))


@pytest.mark.parametrize("content", [Rational(1, 2), Rational(5, 3), sqrt(3), sqrt(3) / 3, sqrt(2) / 5])
@pytest.mark.parametrize("number", [1 + sqrt(3), 1 + sqrt(2), 2 + sqrt(5) - sqrt(3), sqrt(7) - sqrt(2)])
def test_the_logarithm_of_a_multiple_is_a_sum(content: Expr, number: Expr) -> None:
    multiple = sympy.expand(content * number)
    assert zero(sympy.log(multiple) - sympy.log(number) - sympy.log(content))
    assert not zero(sympy.log(multiple) - sympy.log(number) - sympy.log(2 * content))
    assert not zero(sympy.log(multiple) - sympy.log(number + 1) - sympy.log(content))


@pytest.mark.parametrize("power", [-1, 2, Rational(1, 2)])
@pytest.mark.parametrize("number", [1 + sqrt(3), 1 + sqrt(2), sqrt(7) - sqrt(2)])
def test_the_logarithm_of_a_power_is_a_multiple(number: Expr, power: Expr) -> None:
    other = sympy.radsimp(sympy.expand(number**power))
    assert zero(sympy.log(other) - power * sympy.log(number))
    assert not zero(sympy.log(other) + power * sympy.log(number))
    assert not zero(sympy.log(other + 1) - power * sympy.log(number))
