"""Signs of expressions in sines, cosines and error functions, which are between -1 and 1."""

import pytest
import sympy
from sympy import Expr, Piecewise, Rational, Symbol, cos, erf, pi, sin

from costderive.core.piecewise import Interval
from costderive.deciders.signs import nonnegative, positive

X = Symbol("x", positive=True)


def on(low: object, high: object) -> Interval:
    return Interval(X, sympy.sympify(low), sympy.sympify(high))


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [
        (2 + sin(X) * erf(X - 3), 0, sympy.oo),
        (sin(X) + cos(X), 0, 3 * pi / 4),
        (1 - 2 * sin(X), pi, 2 * pi),
        (2 - sin(X) - cos(X), 0, 5),
    ],
)
def test_what_bounds_or_half_an_angle_show_is_positive(expr: Expr, low: object, high: object) -> None:
    assert positive(expr, on(low, high)) is not None


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [
        (Piecewise((1, sin(X) > Rational(1, 2)), (1, sin(X) < Rational(-1, 2)), (-1, True)), 0, 7),
        (Piecewise((1, sin(X) ** 2 > Rational(1, 2)), (-1, True)), 0, 7),
        (sympy.sign(sin(X) ** 2 - Rational(1, 2)), 0, 7),
        (1 + 4 * (sympy.floor(sin(X) / 2) + sympy.ceiling(-sin(X) / 2)), 0, 7),
        (sin(X) ** 2 - Rational(1, 2), 0, 7),
        (sin(X) + cos(X), 0, pi),
        (cos(X) + Rational(1, 2), 0, Rational(21, 10)),
        (1 + sin(X), 0, 7),
        (1 / cos(X), 0, 2),
        (sin(2 * X), 0, 2),
    ],
)
def test_what_is_negative_or_zero_somewhere_is_not_positive(expr: Expr, low: object, high: object) -> None:
    assert positive(expr, on(low, high)) is None


def test_a_cosine_that_falls_below_is_not_called_nonnegative() -> None:
    assert nonnegative(cos(X) + Rational(1, 2), on(0, Rational(21, 10))) is None
    assert nonnegative(cos(X) + Rational(1, 2), on(0, 2 * pi / 3)) is not None
