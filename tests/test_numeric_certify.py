"""Bounds on fitted polynomials hold at every point, and grow with the error of the polynomial."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from functools import cache

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from costderive.core.symbols import p
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.certify import certified
from costderive.numeric.majorant import Analytic, Disc, Region, T, Unbounded, enclosed, left_out
from costderive.numeric.many_digits import End, Exact, r
from costderive.numeric.table_fit import tabulated
from tests.accuracy import TRIED, gallery

ZERO = End.of(sympy.Integer(0), 1)


@cache
def compiled(name: str) -> CompiledLoss:
    return compile(gallery([name])[name])


@pytest.mark.parametrize("name", TRIED)
def test_every_table_of_the_gallery_is_certified(name: str) -> None:
    loss = compiled(name)
    loss.gradient([0], [0.5])
    loss.hessian([0], [0.5])
    bounds = [part.bound for part in loss.plan if part.method == "table"]
    assert all(bound is not None and 0 < bound < 4 for bound in bounds)


def geometric(reach: float = 0.25) -> tuple[Analytic, object]:
    """The loss ``asin(sqrt(p)) - sqrt(p(1 - p))``, which grows at the rate ``sqrt(p/(1 - p))``, and its first table."""
    exact = Exact.of(sympy.asin(sympy.sqrt(p)) - sympy.sqrt(p * r))
    return Analytic(exact, ZERO, sympy.sqrt(p / r), True), tabulated(exact, ZERO, reach)[0][1]


def distance(table, x: mpmath.mpf) -> mpmath.mpf:
    """The relative distance of the polynomial, evaluated exactly, from the loss."""
    z = (x - float(table.centres[0])) * float(table.scales[0])
    polynomial = mpmath.polyval([mpmath.mpf(float(c)) for c in table.coefficients[:, 0]], z)
    exact = (mpmath.asin(mpmath.sqrt(x)) - mpmath.sqrt(x * (1 - x))) * x ** mpmath.mpf("-1.5")
    return abs(polynomial / exact - 1)


def test_the_bound_holds_between_the_points_of_the_fit() -> None:
    analytic, table = geometric()
    bound = certified(table, analytic)
    with mpmath.workdps(60):
        worst = max(distance(table, mpmath.mpf(k) / 4000) for k in range(1, 1001, 7))
    assert worst * 2**53 <= bound < 4


def test_panels_are_halved_where_a_function_is_large_around_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next to the real axis ``exp(-(1 - p)^3/p^3)`` is small here, and farther off beyond all bounds."""
    end, reach = End.of(sympy.Rational(1, 8), 1), 0.1875
    exact = Exact.of(1 + p + sympy.exp(-(r**3) / p**3))
    table, analytic = tabulated(exact, end, reach)[0][1], Analytic(exact, end, None, False)
    bound = certified(table, analytic)
    with mpmath.workdps(60):
        values = [
            (x, exact.value(end, x))
            for x in (mpmath.mpf(k) * (reach - 0.125) / 501 for k in range(1, 500, 7))
        ]
        worst = max(abs(table.exactly(x) / value - 1) for x, value in values)
    assert worst * 2**53 <= bound < 4
    monkeypatch.setattr("costderive.numeric.certify.HALVINGS", 0)
    assert certified(table, analytic) is None


@pytest.mark.parametrize("degree", [0, 3, 9])
def test_a_falsified_coefficient_shows_in_the_bound(degree: int) -> None:
    analytic, table = geometric()
    wrong = table.coefficients.copy()
    wrong[-1 - degree] += 1e-12
    with mpmath.workdps(60):
        worst = max(
            distance(replace(table, coefficients=wrong), mpmath.mpf(k) / 4000) for k in range(1, 1001, 7)
        )
    assert certified(replace(table, coefficients=wrong), analytic) >= worst * 2**53 > 100


def test_a_polynomial_for_another_function_is_not_certified() -> None:
    analytic, table = geometric()
    other = replace(analytic, exact=Exact.of(p ** sympy.Rational(3, 2)))
    assert certified(table, other) is None or certified(table, other) > 1e12


def test_a_singularity_close_by_has_no_bound() -> None:
    pole = Analytic(Exact.of(1 / (p - sympy.Rational(1, 8))), ZERO, None, False)
    assert left_out(pole, 0.0, 0.25, 1, 0.0, 30) is None
    cut = Analytic(Exact.of(sympy.sqrt(sympy.Rational(1, 4) - p)), ZERO, None, False)
    assert left_out(cut, 0.0, 0.25, 1, 0.0, 30) is None
    unknown = Analytic(Exact.of(sympy.gamma(1 + p)), ZERO, None, False)
    assert left_out(unknown, 0.0, 0.25, 1, 0.0, 30) is None


EXPRESSIONS = (
    T**2 - 2 * T + 1,
    1 / (2 + T),
    sympy.sqrt(2 + T),
    sympy.log(3 + T**2),
    sympy.exp(-T) * T,
    (1 + T) ** sympy.Rational(-3, 2),
    sympy.sqrt((2 + T) / (3 - T)),
)


@settings(max_examples=300, deadline=None)
@given(
    expr=st.sampled_from(EXPRESSIONS),
    centre=st.complex_numbers(max_magnitude=1.5),
    radius=st.floats(1e-6, 0.7),
    share=st.floats(0, 1),
    turn=st.floats(0, 2 * math.pi),
)
def test_a_disc_holds_every_value(expr, centre: complex, radius: float, share: float, turn: float) -> None:
    try:
        found = enclosed(expr, Disc(centre, radius))
    except Unbounded:
        return
    z = centre + share * radius * cmath.exp(1j * turn)
    value = complex(sympy.lambdify(T, expr, "mpmath")(mpmath.mpc(z)))
    assert abs(value - found.centre) <= found.radius


@pytest.mark.parametrize(("at", "sign"), [(0.5 + 0.4j, -1), (1.5 - 0.4j, 1)])
def test_an_absolute_value_goes_on_from_the_side_of_0(at: complex, sign: int) -> None:
    found = enclosed(sympy.Abs(T - 1), Disc(at, 0.1))
    assert abs(found.centre - sign * (at - 1)) + 0.1 <= found.radius * (1 + 1e-9)
    with pytest.raises(Unbounded):
        enclosed(sympy.Abs(T - 1), Disc(at, 0.51))


def test_a_region_holds_its_ellipse() -> None:
    region = Region(0.25, 0.75, 3.0)
    turns = np.exp(1j * np.linspace(0, np.pi, 200)) * 3.0
    ellipse = 0.5 + 0.25 * (turns + 1 / turns) / 2
    discs = region.discs
    assert all(np.any(abs(z - discs.centre) <= discs.radius) for z in ellipse)
