"""Values in fractions are those that substitution gives, and nothing is lost where fractions do not do."""

from __future__ import annotations

import pytest
import sympy

from costderive.core.exact_values import value_at

x, y = sympy.symbols("x y", positive=True)
POINT = {x: sympy.Rational(2, 3), y: sympy.Integer(5)}


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (x**3 / (y - 1) ** 2 - 7, sympy.Rational(8, 27) / 16 - 7),
        (sympy.S.Zero, 0),
        (x ** sympy.Rational(1, 2), sympy.sqrt(6) / 3),
        (sympy.log(x) + sympy.pi, sympy.log(sympy.Rational(2, 3)) + sympy.pi),
        (1 / (3 * x - 2), sympy.zoo),
        (sympy.oo * x, sympy.oo),
    ],
)
def test_the_value_at_a_point(expr: sympy.Expr, value: sympy.Expr) -> None:
    assert sympy.expand(value_at(expr, POINT) - value) == 0 or value_at(expr, POINT) == value


def test_a_symbol_without_a_value_stays() -> None:
    assert value_at(x * y, {x: sympy.Rational(2, 3)}) == sympy.Rational(2, 3) * y


def test_a_power_that_would_not_fit_is_left_to_sympy() -> None:
    assert value_at(x ** (10**6 + 1), {x: sympy.S.One}) == 1
