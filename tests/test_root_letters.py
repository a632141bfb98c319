"""Signs of expressions with roots of letters, and of sums with a common factor; what is false is never decided."""

from __future__ import annotations

import pytest
import sympy
from sympy import Expr, exp, log, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive

x, y, a = parameter("x"), parameter("y"), parameter("a")
SUM = 1 / sqrt(x) + 1 / sqrt(y) - 1


@pytest.mark.parametrize("high", [1, 2, 3])
def test_a_sum_of_roots_in_a_rectangle_is_positive(high: int) -> None:
    top = sympy.Integer(high)
    square = Given().also(positive=(x, y, top - x, top - y))
    assert positive(SUM, Interval(y, sympy.S.Zero, top), Given().also(positive=(x, top - x)))
    assert positive(SUM, None, square)
    assert nonnegative(sqrt(x * y) / SUM**4, None, square)


@pytest.mark.parametrize("high", [5, 6, 40])
def test_one_that_is_negative_near_the_corner_is_not(high: int) -> None:
    top = sympy.Integer(high)
    assert not nonnegative(SUM, Interval(y, sympy.S.Zero, top), Given().also(positive=(x, top - x)))
    assert not nonnegative(SUM, None, Given().also(positive=(x, y, top - x, top - y)))


def test_a_root_of_what_is_bound_by_an_integral_is_no_letter() -> None:
    area = sympy.Integral(sqrt(x) / (1 + sqrt(x) * y), (x, 0, 1)) - y
    assert not nonnegative(area, Interval(y, sympy.S.Zero, sympy.S.One))


@pytest.mark.parametrize(
    "expr",
    [
        exp(-2) * exp(2 * exp(-x)) - exp(-4) * exp(2 * exp(-x)),
        a * log(x + 2) * exp(-3) - 2 * a * log(x + 2) * exp(-9),
    ],
)
def test_a_common_factor_is_taken_out(expr: Expr) -> None:
    assert positive(expr)
    assert not nonnegative(-expr)


def test_an_exponent_may_have_a_generator_below_its_fraction_line() -> None:
    inner = exp(-x / 2)
    expr = exp(-2 + 2 * inner) * exp(2 - 4 * inner) * exp(2 * inner) - 1
    assert zero(expr, Interval(x, sympy.S.Zero, sympy.oo))
    assert not zero(expr + exp(-2 * inner), Interval(x, sympy.S.Zero, sympy.oo))
