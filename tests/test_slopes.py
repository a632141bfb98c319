"""Signs of functions with logarithms, from the value at an end and the slope; what is false is never decided."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Symbol, erfc, exp, expint, log, oo, pi, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.deciders.signs import nonnegative, positive

x, a = Symbol("x", positive=True), Symbol("a", positive=True)

POSITIVE: dict[str, tuple[Expr, object, object]] = {
    "from below": (log(x) - log(3), 3, 4),
    "from above": (log(8) - log(x), 6, 8),
    "two slopes": (x * log(x) - x * log(10) - x + 10, 10, 15),
    "one of each": (x * log(x) - x * log(x - 5) + 5 * log(x - 5) - 5 * log(10) - 5, 15, 20),
    "without end": (x - 1 - log(x), 1, oo),
    "numbers that cancel": (log(2) + log(4) - log(x), 6, 8),
    "a letter": (log(x + a) - log(a), 0, 1),
    "dying out": (expint(1, x) - exp(-x) / (x + 1), 0, oo),
    "a factor before it": (x * exp(-x) - x**2 * expint(1, x), 0, oo),
    "factors that differ by a number": (x * expint(1, x) - x * expint(1, 2 * x) + x * exp(-x), 0, oo),
    "the ratio of Mills": (exp(-(x**2)) - sqrt(pi) * x * erfc(x), 0, oo),
}
NOT_POSITIVE: dict[str, tuple[Expr, object, object]] = {
    "below at the start": (log(x) - 2, 3, 4),
    "below at the end": (log(7) - log(x), 6, 8),
    "a dip": (2 * x * log(x) - x + sympy.Rational(1, 5), sympy.Rational(1, 9), 3),
    "a pole inside": (log((x - 2) ** 2) + 9, 1, 3),
    "no logarithm at the end": (-log(x), 0, 2),
    "dying out too soon": (expint(1, x) - exp(-x) / (x + sympy.Rational(9, 10)), 0, oo),
    "dying out, and below before": (exp(-x) * (x - sympy.Rational(1, 2)) + expint(1, x) / 9, 0, oo),
    "one term": (x * log(x), sympy.Rational(4, 5), 1),
    "one term that dies out": (-x * expint(1, x), 0, oo),
    "a negative factor": (-x * log(x) + x / 9, 1, 2),
    "a letter that may be large": (log(x) + 3 - log(a), 1, 2),
}


@pytest.mark.parametrize("name", POSITIVE)
def test_a_sign_is_decided(name: str) -> None:
    expr, low, high = POSITIVE[name]
    assert positive(expr, Interval(x, sympy.S(low), sympy.S(high)))
    assert not nonnegative(-expr, Interval(x, sympy.S(low), sympy.S(high)))


@pytest.mark.parametrize("name", NOT_POSITIVE)
def test_what_is_not_positive_is_not_decided(name: str) -> None:
    expr, low, high = NOT_POSITIVE[name]
    assert not nonnegative(expr, Interval(x, sympy.S(low), sympy.S(high)))


def test_the_facts_may_name_the_interval() -> None:
    expr = log(x) - log(3)
    assert positive(expr, None, Given(positive=(x - 3,), nonnegative=(4 - x,)))
    assert positive(expr, None, Given(positive=(x - 3,), nonnegative=(x - 3, 4 - x)))
    assert nonnegative(expr, None, Given().also(nonnegative=(x - 3, 4 - x)))
    assert not nonnegative(expr, None, Given().also(nonnegative=(x - 2, 4 - x)))
    assert not nonnegative(expr, None, Given().also(nonnegative=(4 - x,)))


@pytest.mark.parametrize("expr", [log(x) - log(3), log(4) - log(x), x * log(x) - x + 1])
def test_an_end_that_the_facts_do_not_exclude_counts(expr: Expr) -> None:
    known = Given(nonnegative=(x - 3, 4 - x))
    assert bool(positive(expr, None, known)) == all(expr.subs(x, end).evalf() > 1e-9 for end in (3, 4))
    assert nonnegative(expr, None, known)


coefficients = st.fractions(-3, 3, max_denominator=4)


@settings(max_examples=60, deadline=None)
@given(coefficients, coefficients, coefficients, coefficients)
def test_no_false_sign_is_decided(k: Fraction, m: Fraction, n: Fraction, c: Fraction) -> None:
    k, m, n, c = (sympy.Rational(v.numerator, v.denominator) for v in (k, m, n, c))
    expr, on = k * x * log(x) + m * log(x + 1) + n * x + c, Interval(x, sympy.S.One, sympy.S(3))
    if nonnegative(expr, on):
        values = [sympy.N(expr.subs(x, 1 + sympy.Rational(i, 64)), 30) for i in range(129)]
        assert min(values) > -1e-20
