"""Signs that densities and probabilities with letters need; what is false at some values is never decided."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, Rational, Symbol, atan, erf, exp, log, sqrt

from costderive.core.piecewise import Given
from costderive.deciders.signs import nonnegative, positive

a, k, m, v, x, y = (Symbol(name, positive=True) for name in "akmvxy")
mu = Symbol("mu", real=True)
SHARE = erf(mu / v) + erf((1 - mu) / v)  # of a normal law between 0 and 1
GAMMA = erf(sqrt(a / m)) - (2 * sqrt(a / m) + 4 * (a / m) ** Rational(3, 2) / 3) * exp(-a / m) / sqrt(
    sympy.pi
)

POSITIVE = {
    "an odd function at two places whose sum is positive": SHARE,
    "a multiple of one": m * atan(mu) + m * atan(x - mu),
    "a Gamma law of shape 5/2 below a letter": GAMMA,
    "a Gamma law of shape 3/2 below a letter": erf(sqrt(a)) - 2 * sqrt(a) * exp(-a) / sqrt(sympy.pi),
}
NOT_POSITIVE = {
    "an odd function at two places whose sum may be negative": erf(mu / v) + erf((k - mu - 1) / v),
    "the same function twice": erf(mu / v) + erf((1 + mu) / v),
    "two multiples": 2 * erf(mu / v) + erf((1 - mu) / v),
    "a function that is not odd": log(a) + log(k),
    "more than a Gamma law": GAMMA - a / (1000 * m),
    "positive near 0 alone": erf(a) - erf(a) ** 2 * 2,
}
VALUES = [Rational(n, d) for n, d in ((1, 50), (1, 2), (1, 1), (3, 1), (40, 1))]


@pytest.mark.parametrize("name", POSITIVE)
def test_a_sign_for_all_letters_is_decided(name: str) -> None:
    expr = POSITIVE[name]
    assert positive(expr)
    assert not nonnegative(-expr)
    assert min(_values(expr)) > 0


@pytest.mark.parametrize("name", NOT_POSITIVE)
def test_what_letters_make_negative_is_not_decided(name: str) -> None:
    expr = NOT_POSITIVE[name]
    assert not nonnegative(expr)
    assert min(_values(expr)) < 0


def _values(expr: Expr) -> list[Expr]:
    letters = sorted(expr.free_symbols, key=str)
    choices = [
        VALUES if letter.is_positive else [*VALUES, *[-value for value in VALUES]] for letter in letters
    ]
    return [
        sympy.N(expr.subs(dict(zip(letters, values, strict=True))), 30, maxn=2000)
        for values in product(*choices)
    ]


BETWEEN = Given().also(positive=(x, 1 - x, y - 1, 2 - y))
GRID = [Rational(2 * n + 1, 24) for n in range(12)]


def test_a_letter_is_between_two_bounds_that_facts_name() -> None:
    assert positive(y * (3 - y) - Rational(19, 10), None, BETWEEN)
    assert positive(1 - x**2 * (2 - y) ** 2, None, BETWEEN)
    assert not nonnegative(y * (3 - y) - Rational(21, 10), None, BETWEEN)


def test_a_bound_that_may_be_reached_leaves_no_strict_sign() -> None:
    closed = Given().also(positive=(x,), nonnegative=(y - 1, 2 - y))
    assert nonnegative(x * (y - 1) * (2 - y), None, closed)
    assert not positive(x * (2 - y) + x**2 * (2 - y) ** 3, None, closed)
    assert not positive(x * (y - 1) + x**2 * (y - 1) ** 3, None, closed)


small = st.fractions(-2, 2, max_denominator=3)


@settings(max_examples=60, deadline=None)
@given(st.lists(small, min_size=6, max_size=6))
def test_no_false_sign_between_bounds_is_decided(numbers: list[Fraction]) -> None:
    terms = (1, x, y, x * y, x**2 * y, y**2)
    expr = sympy.Add(*[Rational(n.numerator, n.denominator) * t for n, t in zip(numbers, terms, strict=True)])
    if nonnegative(expr, None, BETWEEN):
        assert min(expr.subs({x: i, y: 1 + j}) for i in GRID for j in GRID) >= 0
