"""Coq accepts losses with exponential integrals, and incomplete Gamma functions of any shape, from the law on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.terms import term
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function, value

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
a = sympy.Symbol("a", positive=True)

THEOREMS = {
    "lawful_costs",
    "total_is_1",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "expected_loss_of_scores",
    "proper",
    "strictly_proper",
}
CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "ParetoExponential": lambda: cd.Independent("pareto(2, 1)", "exponential(1)"),
    "ParetoOfThree": lambda: cd.Independent("pareto(3, 1)", "exponential(m)"),
    "ExponentialPareto": lambda: cd.Independent("exponential(m)", "pareto(2, b)"),
    "ParetoOfAnyShape": lambda: cd.Independent("pareto(a + 1, 1)", "exponential(1)"),
    "ParetoHalfGamma": lambda: cd.Independent("pareto(2, 1)", "gamma(1/2, 1)"),
    "ParetoWeibull": lambda: cd.Independent("pareto(2, 1)", "weibull(2, 1)"),
    "UniformInverseGamma": lambda: cd.Independent("uniform(0, 1)", "invgamma(2, 1)"),
    "UniformHalfInverseGamma": lambda: cd.Independent("uniform(0, 1)", "invgamma(3/2, 1)"),
    "InverseGammaUniform": lambda: cd.Independent("invgamma(2, m)", "uniform(0, b)"),
    "LomaxExponential": lambda: cd.Independent("lomax(2, 1)", "exponential(1)"),
    "LomaxOfThree": lambda: cd.Independent("lomax(3, 1)", "exponential(m)"),
    "LomaxGamma": lambda: cd.Independent("lomax(2, 1)", "gamma(2, 1)"),
    "ExponentialLomax": lambda: cd.Independent("exponential(a)", "lomax(3, b)"),
    "ExponentialLogUniform": lambda: cd.Independent("exponential(m)", "loguniform(10, 400)"),
    "BetaPrimeExponential": lambda: cd.Independent("betaprime(2, 2)", "exponential(1)"),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_them_on_the_axioms_of_the_reals_alone(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_file_is_whole(name: str) -> None:
    assert left_out(text(name)) == ()
    assert set(theorems(text(name))) >= THEOREMS


CHANGES: Changes = {
    "another density": (
        "LomaxExponential",
        "2 / (x + 1) ^ 3",
        "1 / (x + 1) ^ 2",
        "Definition density0",
        "dense0",
    ),
    "twice a density": ("LomaxExponential", "exp (- x)", "2 * exp (- x)", "Definition density1", "dense1"),
    "another tail": ("LomaxExponential", "[1]", "[2]", "Definition tail1", "law1"),
    "another rate of an antiderivative": (
        "LomaxExponential",
        "exponential_integral (((1 - p) / p)",
        "exponential_integral (((1 - p) / p ^ 2)",
        "Definition paid0",
        "slope_of_paid0",
    ),
    "another factor of an antiderivative": (
        "LomaxExponential",
        "(- (1 - p) ^ 2",
        "(- (1 - p) ^ 3",
        "Definition paid1",
        "slope_of_paid1",
    ),
    "another loss": (
        "LomaxExponential",
        "exponential_integral ((1 - p) / p)",
        "exponential_integral ((1 - p) / p ^ 2)",
        "Definition piece1",
        "costs_of_piece1",
    ),
    "a loss of another class": (
        "LomaxExponential",
        "(pay0 p)",
        "(pay1 p)",
        "Theorem expected_cost0",
        "expected_cost0",
    ),
    "a total of 2": ("LomaxExponential", "areas 1", "areas 2", "Theorem total_is_1", "total_is_1"),
    "another mean": ("LomaxExponential", "c0 _ => c0) 1", "c0 _ => c0) 2", "Lemma mean0", "mean0"),
    "another weight": ("LomaxOfThree", "(fun p => ", "(fun p => 2 * ", ") ^ 3 *", "slopes1"),
    "another region": ("ParetoOfThree", "[c0 - 1;", "[c0 - 2;", "Definition area1", "product"),
    "another density of both": ("ParetoOfThree", "c0 ^ 4", "c0 ^ 5", "Definition area1", "product"),
    "another moment": (
        "ParetoOfThree",
        "tail_gamma (- 1)",
        "tail_gamma 0",
        "Definition moment",
        "moment_adds_up",
    ),
    "a moment of the other sign": (
        "ParetoOfThree",
        "- (/ m ^ 2)",
        "(/ m ^ 2)",
        "Definition moment",
        "moment_adds_up",
    ),
    "another shape of a loss": (
        "ParetoOfAnyShape",
        "tail_gamma (1 - a)",
        "tail_gamma (2 - a)",
        "Definition piece1",
        "slopes1",
    ),
    "another end of the integral": (
        "UniformInverseGamma",
        "exponential_integral (p / (1 - p))",
        "exponential_integral (p / (2 - p))",
        "Definition piece1",
        "slopes1",
    ),
    "hypotheses that are contradictory": (
        "ExponentialPareto",
        "0 < b",
        "b < 0 /\\ 0 < b",
        "Definition assumed",
        "possible",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


# ---- the functions, by the integrals that define them, and the losses, by the law of the costs


@pytest.mark.parametrize(("expr", "shape"), [(sympy.expint(1, p), "0"), (sympy.uppergamma(-a, p), "-0.75")])
def test_a_term_is_the_integral_that_defines_it(expr: sympy.Expr, shape: str) -> None:
    with mp.workdps(60):
        exact = mp.quad(lambda u: u ** (mpf(shape) - 1) * mp.exp(-u), [mpf("0.375"), 1, 8, mp.inf])
        assert abs(value(term(expr), {"a": mpf("0.75"), "p": mpf("0.375")}) - exact) < mpf(10) ** -25


def test_exponential_integrals_of_other_orders_are_refused() -> None:
    with pytest.raises(ExportError, match="of another order than 1"):
        term(sympy.expint(2, p, evaluate=False))


def lomax(x: mpf) -> mpf:
    return 3 / (1 + x) ** 4


# A context, numbers for its letters, and the density of each cost with the least one.
LAWS: Mapping[str, tuple[Mapping[str, float], Callable[[mpf], mpf], mpf, Callable[[mpf], mpf]]] = {
    "ParetoOfThree": ({"m": 2}, lambda x: 3 / x**4, mpf(1), lambda y: mp.exp(-y / 2) / 2),
    "LomaxOfThree": ({"m": 2}, lomax, mpf(0), lambda y: mp.exp(-y / 2) / 2),
    "LomaxGamma": ({}, lambda x: 2 / (1 + x) ** 3, mpf(0), lambda y: y * mp.exp(-y)),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_loss_of_a_file_is_the_expected_cost(name: str) -> None:
    numbers, density0, least, density1 = LAWS[name]
    values = {letter: mpf(number) for letter, number in numbers.items()}
    with mp.workdps(20):
        for q in (mpf("0.25"), mpf("0.625")):

            def paid(y: mpf, q: mpf = q) -> mpf:
                turn = q * y / (1 - q)
                inner = mp.quad(lambda x: x * density0(x), [least, turn]) if turn > least else mpf(0)
                return density1(y) * inner

            start = least * (1 - q) / q
            cost = mp.quad(paid, [start, start + 1, start + 8, start + 40, start + 100])
            assert abs(function(text(name), "L0")(q, **values) - cost) < mpf(10) ** -8, q
