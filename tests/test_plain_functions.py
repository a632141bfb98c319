"""Sines, tangents, hyperbolic functions and functions of one exponential: signs, identities, integrals, and rules."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
import sympy
from sympy import Integer, Rational, cos, cosh, cot, exp, log, pi, sin, sinh, sqrt, tan, tanh

import costderive as cd
from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import by_exponentials, in_plain_functions
from costderive.core.symbols import c0, c1
from costderive.deciders.enclosure import enclose
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.exponentials import of_exponentials
from costderive.proof.claims import Verdict

UNIT = Interval(c1, sympy.S.Zero, sympy.S.One)
QUARTER = Interval(c1, sympy.S.Zero, pi / 2)


@pytest.mark.parametrize("function", [sympy.sinh, sympy.cosh, sympy.tanh, sympy.coth, sympy.sech, sympy.csch,
                                      sympy.tan, sympy.cot, sympy.sec, sympy.csc])  # fmt: skip
def test_a_function_in_plain_ones_has_the_same_values(function: Callable[[sympy.Expr], sympy.Expr]) -> None:
    for x in (Rational(1, 3), Rational(-7, 5), Integer(2)):
        gap = in_plain_functions(function(c0)).subs(c0, x) - function(x)
        assert abs(sympy.N(gap, 30)) < 1e-25


@pytest.mark.parametrize("function", [sin, cos, tan, cot, sinh, cosh, tanh, sympy.Abs])
def test_enclosures_hold_the_values_of_mpmath(function: Callable[[sympy.Expr], sympy.Expr]) -> None:
    for x in (Rational(-31, 7), Rational(1, 1000), Rational(22, 7), Integer(40)):
        value = function(sqrt(2) * x)
        found = enclose(value)
        with mpmath.workdps(70):
            assert found is not None
            assert found[0] <= mpmath.mpf(sympy.N(value, 70)) <= found[1]


def test_at_a_pole_there_is_no_enclosure() -> None:
    assert enclose(tan(pi * sqrt(2) / sqrt(8), evaluate=False)) is None


SIGNS = {
    "1 - cos": (1 - cos(c1), QUARTER, True),
    "beyond its zero": (1 - 2 * cos(c1), QUARTER, False),
    "a sum": (2 + sin(c1) - cos(c1), QUARTER, True),
    "x - sin": (c1 - sin(c1), UNIT, True),
    "sin - x": (sin(c1) - c1, UNIT, False),
    "a falling one": (cos(c1) - 1 + c1**2 / 2, UNIT, True),
    "too small a square": (cos(c1) - 1 + c1**2 / 3, UNIT, False),
    "turning inside": (sin(c1), Interval(c1, sympy.S.Zero, Integer(4)), False),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs_come_from_slopes(name: str) -> None:
    expr, on, is_positive = SIGNS[name]
    assert bool(positive(expr, on)) == is_positive
    if not is_positive:
        assert not nonnegative(expr, on)


ZEROS = {
    "squares": sin(c1) ** 2 + cos(c1) ** 2 - 1,
    "fourth powers": cos(c1) ** 4 - (1 - sin(c1) ** 2) ** 2,
    "a product of exponentials in a logarithm": log(exp(c1) * (1 + c1)) - c1 - log(1 + c1),
    "a square in a logarithm": log(exp(2 * c1) + 2 * exp(c1) + 1) - 2 * log(exp(c1) + 1),
    "a root in a logarithm": log(sqrt(4 * exp(4 * c1) - 4 * exp(2 * c1) + 1) + 1) - log(2) - 2 * c1,
    "a root of squares of logarithms": sqrt(log(c0) ** 2 + log(c1) ** 2) * sqrt(log(c0) ** 2 + log(c1) ** 2)
    - log(c0) ** 2
    - log(c1) ** 2,
}


@pytest.mark.parametrize("name", ZEROS)
def test_identities_of_functions(name: str) -> None:
    known = Given().also(positive=(c0, 1 - c0))
    assert zero(ZEROS[name], UNIT, known)
    assert not zero(ZEROS[name] + sin(c1) / 1000, UNIT, known)


def test_products_and_roots_have_the_limits_of_their_parts() -> None:
    known, below = Given().also(positive=(c0, 1 - c0)), Approach(c1, sympy.S.Zero, "+")
    root = sqrt(log(c0) ** 2 + log(c1) ** 2)
    assert value_at(log(c0) * exp(-root) / root, below, known) == 0
    assert value_at(root, below, known) is sympy.oo
    assert value_at(exp(-root) * exp(root), below, known) in (1, None)


INTEGRANDS = (
    (c1 - log(exp(c1) - 1)) * exp(-c1),
    2 / (exp(c1) + exp(-c1)),
    2 * c1 * exp(-c1) / (1 + exp(-c1)) ** 2,
    exp(-2 * c1) / (3 + exp(-c1)),
)


@pytest.mark.parametrize("f", INTEGRANDS, ids=str)
def test_functions_of_one_exponential_are_integrated(f: sympy.Expr) -> None:
    found = of_exponentials(f, c1)
    assert found is not None
    assert abs(sympy.N((sympy.diff(found, c1) - f).subs(c1, Rational(7, 5)), 30)) < 1e-25


CURVES: dict[str, tuple[str, str, str, Callable[[float], float], Callable[[float], float], float]] = {
    "cosine and sine": ("1 - cos(x)", "1 + sin(x)", "pi/2", lambda x: 1 - mpmath.cos(x),
                        lambda x: 1 + mpmath.sin(x), mpmath.pi / 2),
    "a tangent": ("tan(x)", "cos(x)", "1", mpmath.tan, mpmath.cos, 1),
    "exponentials": ("exp(x) - 1", "exp(-x)", "2", lambda x: mpmath.exp(x) - 1, lambda x: mpmath.exp(-x), 2),
    "hyperbolic": ("sinh(x)", "1", "2", mpmath.sinh, lambda x: 1, 2),
}  # fmt: skip


@pytest.mark.parametrize("name", CURVES)
def test_curves_of_such_functions_are_proved_and_those_of_quadrature(name: str) -> None:
    first, second, end, cost0, cost1, high = CURVES[name]
    law = cd.Density(f"1/({end})", (0, end))
    derivation = cd.derive(cd.Curve(first, second, density=law))
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss = cd.numeric.compile(derivation.rule)
    for x in (0.2, 0.5, 0.9):
        at = high * x
        p = float(cost0(at) / (cost0(at) + cost1(at)))
        loss0 = mpmath.quad(cost0, [0, at]) / high
        loss1 = mpmath.quad(cost1, [at, high]) / high
        assert loss.loss0(p) == pytest.approx(float(loss0), rel=1e-9)
        assert loss.loss1(p) == pytest.approx(float(loss1), rel=1e-9)


def test_half_a_logistic_law_beside_a_known_cost_is_closed() -> None:
    law = cd.Density("2*exp(-x)/(1 + exp(-x))**2", (0, "oo"))
    derivation = cd.derive(cd.Independent(c0=law, c1=1))
    assert derivation.rule.closed_form
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss = cd.numeric.compile(derivation.rule)
    for p in (0.2, 0.5, 0.8):
        edge = p / (1 - p)
        mean = mpmath.quad(lambda x: 2 * x * mpmath.exp(-x) / (1 + mpmath.exp(-x)) ** 2, [0, edge])
        assert loss.loss0(p) == pytest.approx(float(mean), rel=1e-9)
        assert loss.loss1(p) == pytest.approx(float(1 - mpmath.tanh(edge / 2)), rel=1e-9)


def test_a_sum_written_by_its_exponentials_keeps_its_powers() -> None:
    letter = sympy.Symbol("x", positive=True)
    power = exp(Rational(50, 121) * log(2) * log(letter))
    total = 5 * power / (22 * letter - 11 * letter ** Rational(3, 2) * exp(log(2) ** 2)) + power * letter
    written = by_exponentials(total, [power])
    assert abs((written - total).subs(letter, Rational(3, 7)).evalf(30)) < 1e-25
    assert by_exponentials(2 * power + 3 * power * letter, [power]) == power * (3 * letter + 2)
