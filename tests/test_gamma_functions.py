"""Gamma functions of fractions are related by reflection and duplication; Beta laws with such shapes have total 1."""

from __future__ import annotations

import mpmath
import pytest
import sympy
from sympy import Rational, catalan, gamma, pi, sqrt

import costderive as cd
from costderive.core.piecewise import Interval
from costderive.core.plain_functions import complete_beta, without_catalan
from costderive.core.symbols import s
from costderive.deciders.identities import zero
from costderive.deciders.related_gammas import by_fewer_gammas
from costderive.proof.claims import Verdict

FRACTIONS = sorted({Rational(k, n) for n in range(2, 31) for k in range(1, n)})


def test_fewer_gammas_have_the_value_of_the_one() -> None:
    with mpmath.workdps(40):
        for z in FRACTIONS:
            found = mpmath.mpf(str(by_fewer_gammas(z).evalf(35)))
            assert abs(found / mpmath.gamma(mpmath.mpf(z.p) / z.q) - 1) < mpmath.mpf(10) ** -33


DUPLICATION = gamma(Rational(1, 3)) * gamma(Rational(5, 6)) - 2 ** Rational(1, 3) * sqrt(pi) * gamma(
    Rational(2, 3)
)
SIXTH = gamma(Rational(1, 6)) - 2 ** Rational(-1, 3) * sqrt(3) / sqrt(pi) * gamma(Rational(1, 3)) ** 2


@pytest.mark.parametrize("expr", [DUPLICATION, SIXTH])
def test_duplication_is_known(expr: object) -> None:
    assert zero(expr)


@pytest.mark.parametrize(
    "expr",
    [
        DUPLICATION + Rational(1, 10**15),
        SIXTH * gamma(Rational(1, 5)) + gamma(Rational(1, 3)) / 10**12,
        gamma(Rational(1, 12)) - gamma(Rational(1, 4)) * gamma(Rational(1, 3)),
    ],
)
def test_what_is_nearly_so_is_not(expr: object) -> None:
    assert zero(expr) is None


def test_catalan_numbers_of_fractions_are_gamma_functions() -> None:
    assert without_catalan(catalan(Rational(1, 3))).evalf(20) == pytest.approx(
        catalan(Rational(1, 3)).evalf(20)
    )
    assert complete_beta(Rational(4, 3), Rational(7, 3)).evalf(20) == pytest.approx(
        float(mpmath.beta(mpmath.mpf(4) / 3, mpmath.mpf(7) / 3)), rel=1e-15
    )


@pytest.mark.parametrize(
    "law", ["beta(3/2, 5/2)", "beta(4/3, 7/3)", "beta(1/8, 9/8)", "beta(7/6, 2/3)", "loglogistic(2, 5/2)"]
)
def test_laws_of_fractions_have_total_1(law: str) -> None:
    assert cd.check(cd.derive(cd.Independent(law, 1))).verdict is Verdict.PROVED


@pytest.mark.parametrize("wrong", [0, sympy.Rational(1, 10**9)])
def test_incomplete_gamma_functions_of_a_number_are_related(wrong: sympy.Expr) -> None:
    """By parts, ``Gamma(a + 1, y) = a Gamma(a, y) + y^a exp(-y)``."""
    a, y = sympy.Rational(9, 20), sympy.Rational(2, 3)
    gap = sympy.uppergamma(a + 1, y) - (a + wrong) * sympy.uppergamma(a, y) - y**a * sympy.exp(-y)
    assert bool(zero(gap)) == (wrong == 0)
    twice = sympy.uppergamma(a + 2, y) - (a + 1 + wrong) * a * sympy.uppergamma(a, y)
    assert bool(zero(twice - (a + 1 + y) * y**a * sympy.exp(-y))) == (wrong == 0)


@pytest.mark.parametrize("wrong", [0, sympy.Rational(1, 10**9)])
def test_an_exponent_with_a_root_in_its_denominator_is_that_with_none(wrong: sympy.Expr) -> None:
    root, other = sympy.sqrt(s), sympy.sqrt(8 - 7 * s)
    first = -((root * other + 2 * s - 2) ** 2) / (8 * s * (1 - s))
    second = -(8 - 7 * s) / (8 * (1 - s)) - (1 - s) / (2 * s) + (1 + wrong) * other / (2 * root)
    gap = sympy.exp(first) - sympy.exp(second)
    assert bool(zero(gap, Interval(s, sympy.S.Zero, sympy.S.One))) == (wrong == 0)
