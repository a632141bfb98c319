"""Coq gets independent costs with rational densities, as Lomax costs, from their law, also at the report of a pole."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp

import costderive as cd
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.fractions import fractions
from costderive.publish.coq.setting import settings
from tests.coq_mutants import of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
x = sympy.Symbol("x", positive=True)


@cache
def text_of_numbers() -> str:
    return coq(cd.derive(cd.Independent("lomax(2, 1)", "lomax(3, 2)")), library=False)


@with_coq
@pytest.mark.parametrize(
    "context",
    [cd.Independent("lomax(3, a)", "lomax(3, b)"), cd.Independent("betaprime(2, 3)", "betaprime(1, 3)")],
    ids=["Lomax, letters", "Beta prime"],
)
def test_coq_accepts_rational_densities_from_their_law(context: Context, beside: Path) -> None:
    text = coq(cd.derive(context), library=False)
    assert left_out(text) == ("slopes of the losses, expected loss",)
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


def test_no_weight_is_said_to_be_continuous_at_a_pole() -> None:
    """There it is 0/0 = 0 in Coq, whatever its limit."""
    assert "continuous (weight" not in text_of_numbers()


CHANGES = {
    "a density": ("density0 (x : R) : R := 2 / (x + 1)", "density0 (x : R) : R := 2 / (x + 2)", "dense0"),
    "a tail": ("tail1 (x : R) : R :=\n  8 /", "tail1 (x : R) : R :=\n  9 /", "law1"),
    "the region": (
        "[independent density0 density1]",
        "[Area (fun c0 c1 => density0 c0 * density1 c1) (fun c0 c1 => [c0 - c1])]",
        "lawful_costs",
    ),
    "a loss": ("(fun p => 48 * p ^ 3 *", "(fun p => 47 * p ^ 3 *", "costs_of_piece1"),
    "the value at the pole": ("p (1 / 3) then 1 / 10", "p (1 / 3) then 1 / 9", "expected_cost0"),
    "the place of the pole": ("p (1 / 3) then 1 / 10", "p (1 / 4) then 1 / 10", "expected_cost0"),
    "where it is strict": ("spread_between 0 1 areas", "spread_between 0 2 areas", "spread_thresholds"),
    "the total": ("has_total_of_areas areas 1", "has_total_of_areas areas 2", "total_is_1"),
    "a mean": ("(fun c0 _ => c0) 1.", "(fun c0 _ => c0) 2.", "mean0"),
}  # fmt: skip
MUTANTS = of_one_file(lambda _: text_of_numbers(), "Numbers", CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_stops_at_the_lemma_that_a_change_breaks(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


def test_the_values_at_a_pole_are_the_expected_costs_there() -> None:
    """By quadrature: whoever decides at 1/3 pays c0 if c0 < c1/2."""
    (setting,) = settings(cd.derive(cd.Independent("lomax(2, 1)", "lomax(3, 2)")))
    (pole,) = setting.poles
    first = mp.quad(lambda c: c * 2 / (1 + c) ** 3 * (2 / (2 + 2 * c)) ** 3, [0, 1, mp.inf])
    second = mp.quad(lambda c: c * 24 / (2 + c) ** 4 / (1 + c / 2) ** 2, [0, 1, mp.inf])
    assert pole.at == sympy.Rational(1, 3) and "Lemma costs_at_pole1 :" in text_of_numbers()
    assert abs(pole.loss0.evalf(20) - first) < 1e-12 and abs(pole.loss1.evalf(20) - second) < 1e-12


def test_partial_fractions_have_antiderivatives_that_vanish_at_infinity() -> None:
    """By quadrature from 0 to infinity."""
    for expr in (3 / (x + 2) ** 4, x / ((x + 1) ** 3 * (2 * x + 3) ** 2), 1 / ((x + 1) * (x + 2))):
        found = fractions(expr, x)
        assert found is not None
        exact = mp.quad(sympy.lambdify(x, expr, "mpmath"), [0, 1, mp.inf])
        assert abs(-found.antiderivative().at_0().evalf(20) - exact) < 1e-12
    assert fractions(1 / (x**2 + 1), x) is None and fractions(sympy.exp(-x), x) is None
    with_infinite_integral = fractions(p / (x + 1), x)
    assert with_infinite_integral is not None
    with pytest.raises(cd.errors.ExportError, match="infinite"):
        with_infinite_integral.antiderivative()
