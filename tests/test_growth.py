"""Signs of sums with exponentials that are 0 at one end: where they start, and which way they go from there."""

from __future__ import annotations

import pytest
import sympy
from sympy import Expr, exp, oo

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter, s
from costderive.deciders.signs import nonnegative, positive

x, a, b = parameter("x"), parameter("a"), parameter("b")
ZERO, ONE = sympy.S.Zero, sympy.S.One
ABOVE = Interval(x, ZERO, oo)
ODDS = s / (1 - s)


@pytest.mark.parametrize(
    ("expr", "on"),
    [
        (1 - (1 + x) * exp(-x), ABOVE),
        (1 - (1 + a * x) * exp(-a * x), ABOVE),
        (2 - (2 + 2 * x + x**2) * exp(-x), ABOVE),
        (exp(a * x) - 1 - a * x, ABOVE),
        (x - 2 + (x + 2) * exp(-x), ABOVE),
        (1 - exp(1) * exp(a) * exp(-x), Interval(x, a + 1, a + 2)),
        (1 - 11 * exp(-x / 50) / 10, Interval(x, sympy.Integer(10), sympy.Integer(20))),
        (1 - (exp(ONE / 5) - ONE / 10) * exp(-x / 50), Interval(x, sympy.Integer(10), sympy.Integer(20))),
        (1 - (1 + a * ODDS) * exp(-a * ODDS), Interval(s, ZERO, ONE)),
        (1 - (1 + 1 / ODDS) * exp(-1 / ODDS), Interval(s, ZERO, ONE)),
        (1 - (1 + 1 / ODDS) * exp(-1 / ODDS), Interval(s, ONE / 3, ONE)),
    ],
)
def test_a_sum_that_starts_at_0_and_rises_is_positive(expr: Expr, on: Interval) -> None:
    assert positive(expr, on)
    assert nonnegative(expr, on)
    assert not nonnegative(-expr, on)


@pytest.mark.parametrize(
    ("expr", "on"),
    [
        (1 - (1 + 2 * x) * exp(-x), ABOVE),  # negative at 1
        (1 - (1 + x + x**2) * exp(-x), ABOVE),  # negative at 1
        (exp(-a * x) - exp(-b * x), ABOVE),  # whichever is the faster
        (exp(a * x) - 1 - b * x, ABOVE),
        ((x - 1) ** 2 * exp(x) - exp(-x) - ONE / 2, ABOVE),
        (1 - (1 + ODDS / 2) * exp(-ODDS / 4), Interval(s, ZERO, ONE)),
        (1 / (x - 1) + exp(-x), ABOVE),  # infinite at 1, and negative below
        (2 - exp(x) * (1 - x), Interval(x, ONE, oo)),  # true, and starts elsewhere than at 0
    ],
)
def test_what_is_false_or_starts_elsewhere_is_not_decided(expr: Expr, on: Interval) -> None:
    assert positive(expr, on) != "start and slope"
    assert nonnegative(expr, on) != "start and slope"


@pytest.mark.parametrize("on", [ABOVE, Interval(x, ZERO, ONE)], ids=str)
def test_a_polynomial_beside_numbers_that_are_exponentials_is_not_asked_for_again(on: Interval) -> None:
    expr = (2 * x - 9) * exp(2) * sympy.expint(1, 2) + 3  # which changes its sign at 0.3
    assert not positive(expr, on) and not positive(-expr, on)


def test_what_is_0_everywhere_is_not_positive() -> None:
    nothing = exp(-x) * (1 + x) - sympy.expand(exp(-x) * (1 + x))
    assert not positive(sympy.Add(nothing, 0, evaluate=False), ABOVE)
    assert not positive(1 + x * exp(-x) - exp(-x) * x - 1, ABOVE, Given())


@pytest.mark.parametrize("theta", ["1/3", "-1/3"])
def test_costs_that_depend_on_each_other_as_in_fgm_have_a_strictly_proper_rule(theta: str) -> None:
    context = cd.Copula("fgm", theta, c0=cd.laws.uniform(0, 1), c1=cd.laws.exponential(1))
    derivation = cd.derive(context)
    cd.check(derivation).require_proved()
    assert derivation.verdict == "strictly proper"
