"""Signs up to ends with roots of sums of letters, by the ends and the bend; what is false is never decided."""

from __future__ import annotations

import pytest
import sympy
from sympy import Expr, Rational, asin, expand, pi, sqrt

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import parameter, s
from costderive.deciders.asking import Asking
from costderive.deciders.constants import constant_vanishes
from costderive.deciders.identities import zero
from costderive.deciders.parabolas import by_parabolas
from costderive.deciders.signs import nonnegative, positive

a, b = parameter("a"), parameter("b")
ROOT = sqrt(2 * a**2 + 4 * a + 1)
LOW, HIGH = ((2 * a**2 + 4 * a + 1 + sign * ROOT) / (4 * a**2 + 8 * a + 2) for sign in (-1, 1))
INSIDE, BELOW, ABOVE = (
    Interval(s, *ends) for ends in ((LOW, HIGH), (sympy.S.Zero, LOW), (HIGH, sympy.S.One))
)
# below the root of a disc of radius 1 about (1 + a, 1 + a): positive on the rays that meet it
DISC = expand(s**2 + (1 - s) ** 2 - (1 + a) ** 2 * (2 * s - 1) ** 2)


@pytest.mark.parametrize(
    ("expr", "on"),
    [
        (DISC, INSIDE),
        (-DISC, BELOW),
        (-DISC, ABOVE),
        (1 - s, BELOW),
        (s - LOW, INSIDE),
        (DISC / (1 - s) ** 2, INSIDE),
        (DISC**3 / s, INSIDE),
        ((s**2 + (1 - s) ** 2) / (1 - s) ** 2, BELOW),
        (1 + a - sqrt(DISC), INSIDE),
    ],
    ids=str,
)
def test_signs_between_the_roots_of_a_discriminant_are_known(expr: Expr, on: Interval) -> None:
    assert positive(expr, on) and not nonnegative(-expr, on)


@pytest.mark.parametrize(
    ("expr", "on"),
    [
        (DISC - Rational(1, 10**9), INSIDE),  # 0 at both ends before that
        (DISC, BELOW),
        (DISC, Interval(s, LOW / 2, HIGH)),
        (DISC, Interval(s, LOW, (HIGH + 1) / 2)),
        (-DISC, INSIDE),
        (1 - 2 * s, INSIDE),
        (s - LOW - Rational(1, 10**6), INSIDE),
        (DISC * (1 - 2 * s), INSIDE),
        (a - sqrt(DISC), INSIDE),
    ],
    ids=str,
)
def test_signs_that_change_are_not(expr: Expr, on: Interval) -> None:
    assert not nonnegative(expr, on)


def test_a_product_that_is_0_inside_is_not_positive() -> None:
    square = DISC * (2 * s - 1) ** 2
    assert nonnegative(square, INSIDE) and not positive(square, INSIDE)
    assert not nonnegative(1 / (2 * s - 1) ** 2, INSIDE)


def test_an_end_that_may_divide_by_0_decides_nothing() -> None:
    def decided(expr: Expr, on: Interval | None, given: Given, strict: bool) -> str | None:
        return (positive if strict else nonnegative)(expr, on, given)

    on = Interval(s, sympy.S.Zero, (1 + ROOT) / (a - b))
    ask = Asking(decided, lambda expr, on, given: True, on, Given())
    assert not by_parabolas(1 + s, True, ask) or positive(1 + s, on)
    assert not by_parabolas(1 - s, True, ask)


def test_an_arcsine_of_what_is_1_at_an_end_is_known() -> None:
    for end, sign in ((LOW, -1), (HIGH, 1)):
        inside = (2 * a + 2) * (end - Rational(1, 2)) / sqrt(2 * end**2 - 2 * end + 1)
        assert zero(asin(inside) - sign * pi / 2)
        assert not zero(asin(inside) + sign * pi / 2)
        assert not zero(asin(inside / 2) - sign * pi / 2)
        assert not zero(asin(inside) - sign * pi / 2 - Rational(1, 10**30))
        assert zero(sqrt(sympy.together(1 - inside**2)))


def test_numbers_before_letters_are_zero_each() -> None:
    angle = sympy.atan(Rational(1, 2)) + sympy.atan(Rational(1, 3))
    assert zero(a * (angle - pi / 4) + b**2 * (pi - 4 * angle))
    assert not zero(a * (angle - pi / 4) + b * (pi - 4 * angle + Rational(1, 10**40)))
    assert not zero(a * (angle - pi / 4) + a * b * (pi - 3 * angle))


def test_angles_of_roots_within_roots_are_written_with_as_few_as_their_tangents_have() -> None:
    first = asin((-25 * sqrt(3) / 78 - Rational(3, 26)) / sqrt(Rational(115, 156) - 5 * sqrt(3) / 78))
    tangent = sympy.radsimp(sympy.tan(first)) if first.args[0].is_number else first
    assert abs(sympy.N(tangent)) > 1
    quarter = asin(sqrt(2 - sqrt(2)) / 2) - pi / 8
    eighth = asin(sqrt(2 - sqrt(2 + sqrt(2))) / 2) - pi / 16
    for number in (quarter, eighth):
        assert constant_vanishes(number)
        assert not constant_vanishes(number + Rational(1, 10**40))
    assert not constant_vanishes(asin(sqrt(2 - sqrt(2)) / 2) + pi / 8)
