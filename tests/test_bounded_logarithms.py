"""SymPy is kept from writing powers of numbers with billions of digits."""

from __future__ import annotations

import pytest
import sympy
from sympy import exp, log

import costderive as cd
from costderive.core.symbols import p


@pytest.mark.parametrize("coefficient", [10**9, -(10**12), sympy.Rational(10**9 + 1, 7)])
def test_the_power_of_a_large_coefficient_is_not_written_out(coefficient: sympy.Expr) -> None:
    found = exp((coefficient * log(10) + log(5)) * p)
    assert found.has(log)
    assert sympy.log(found, evaluate=True).subs(p, 0) == 0


def test_small_ones_are_combined_as_before() -> None:
    assert exp(3 * log(p)) == p**3
    assert exp((2 * log(3) + log(5)) * 2) == 45**2


def test_a_location_that_is_a_logarithm_is_no_trap() -> None:
    context = cd.Independent(c0="uniform(5,20)", c1="lognormal(log(10), 1.25584)")
    assert cd.derive(context, time_limit=20).rule.loss0
