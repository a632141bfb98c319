"""Coq gets known costs beside laws whose antiderivatives are fractions, roots and angles, or powers by fractions."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy

import costderive as cd
from costderive.costs.contexts import Context
from costderive.costs.laws import x
from costderive.publish.coq.coq_file import coq, left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.inverse_parameter import inverted
from tests.coq_mutants import Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

WHOLE: Mapping[str, Callable[[], Context]] = {
    "Angles": lambda: cd.Independent("burr(2, 3, 5)", "3"),
    "AnglesOfLetters": lambda: cd.Independent("k", "loglogistic(a, 2)"),
    "AnglesFromOneOn": lambda: cd.Independent("loglogistic(2, 3)", "7/3"),
    "Roots": lambda: cd.Independent("5/2", "burr(2, 3/2, 40)"),
    "RootsOfCost0": lambda: cd.Independent("dagum(2, 3/2, 1)", "3"),
    "Fractions": lambda: cd.Independent("dagum(2, 2, 3)", "5/2"),
    "Powers": lambda: cd.Independent("beta(7/3, 1)", "g"),
    "PowersOfClass1": lambda: cd.Independent("3/7", "beta(5/3, 1)"),
    "HalfPowers": lambda: cd.Independent("lomax(5/2, 2)", "7/4"),
    "CurveFromOne": lambda: cd.Curve(c0="x/(1 + x)", c1="x", density="pareto(1)"),
    "LogLogistic": lambda: cd.Independent("1", "loglogistic(1, 2)"),
    "PowersByLetters": lambda: cd.Independent("5/3", "beta(a, 1)"),
}
BY_LAW = "WeightOfRoots"
CONTEXTS = {**WHOLE, BY_LAW: lambda: cd.Independent("kumaraswamy(1/2, 2)", "4/3")}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_the_file(name: str, beside: Path) -> None:
    assert left_out(text(name)) == (("strict properness",) if name == BY_LAW else ())
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


INVERTED, START, AMOUNT = "antiderivative_inverse_by", "Lemma integrated_amount0_1", "integrated_amount0_1"
BY_ANGLES, COSTS = "Definition amount0_1", "costs_of_piece1"
WRONG = Mutants(text, {
    "the angle of another inverse": ("Angles", "atan (5 * x)", "atan (3 * x)", INVERTED, AMOUNT),
    "an antiderivative with another limit": ("Angles", "15 * PI / 16", "15 * PI / 17", BY_ANGLES, AMOUNT),
    "a fraction that does not vanish": ("Fractions", "fun x => -", "fun x => 1 -", INVERTED, AMOUNT),
    "a parameter before which the angle turns": ("AnglesFromOneOn", f"{INVERTED} 1", f"{INVERTED} 0", "", AMOUNT),
    "a root of another line": ("Roots", "1600 * x ^ 2", "1601 * x ^ 2", INVERTED, AMOUNT),
    "another power": ("Powers", "Rpower x (10 / 3)", "Rpower x (7 / 3)", START, AMOUNT),
    "a power of 0 that is 1": ("Powers", "positive_power x (10 / 3)", "Rpower x (10 / 3)", "", AMOUNT),
    "half powers of another line": ("HalfPowers", "2 * x + 1", "3 * x + 1", INVERTED, AMOUNT),
    "a loss that the law has not": ("WeightOfRoots", "16 * sqrt 3", "17 * sqrt 3", "Definition piece1", COSTS),
    "a density that is negative": ("WeightOfRoots", "(1 - sqrt x)", "(1 / 2 - sqrt x)", "arc1 : arc", "lawful_arc1"),
    "a power by another letter": ("PowersByLetters", "Rpower x a", "Rpower x (a + 1)", START, AMOUNT),
})  # fmt: skip


@with_coq
@pytest.mark.parametrize("what", WRONG.changes)
def test_coq_stops_at_the_lemma_that_a_change_breaks(what: str, beside: Path) -> None:
    WRONG.require_rejected(what, beside)


@pytest.mark.parametrize(
    "formula",
    [
        x / (x**2 + 1),
        sympy.atan(2 * x - 3),
        x**3 / sympy.sqrt(x**2 + 4) ** 3 + 2 * x * sympy.sqrt(x**2 + 4) / (x**2 + 1),
        sympy.log(x + 2) - sympy.log(x**2 + 3) / 2,
        sympy.sqrt(x) / (x + 1),
    ],
)
def test_the_function_of_the_inverse_is_the_same_one(formula: sympy.Expr) -> None:
    found = inverted(formula, x)
    assert found is not None
    for number in (5, sympy.Rational(17, 3), 100):
        assert number > found.start
        assert abs((formula - found.formula.subs(x, 1 / x)).subs(x, number).evalf(30)) < 1e-25


@pytest.mark.parametrize("formula", [x, sympy.log(x), sympy.exp(-x), sympy.cbrt(x) / (x + 1)])
def test_what_is_not_continuous_there_has_no_function_of_the_inverse(formula: sympy.Expr) -> None:
    assert inverted(formula, x) is None
