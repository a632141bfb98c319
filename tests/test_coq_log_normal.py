"""Coq accepts the whole theorem on log-normal costs, and rejects each wrong part of its proof."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy

import costderive as cd
from costderive.core.symbols import c0, c1
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import Area
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.log_normal_pairs import log_normal_pairs
from tests.coq_mutants import Changes, Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Numbers": lambda: cd.Independent("lognormal(0, 1)", "lognormal(1, 2)"),
    "Letters": lambda: cd.Independent("lognormal(mu, sigma)", "lognormal(nu, tau)"),
    "Mixed": lambda: cd.Independent("lognormal(1/2, 1/3)", "lognormal(-2, sigma)"),
    "Correlated": lambda: cd.Copula("gaussian", rho="1/2", c0="lognormal(0, 1)", c1="lognormal(1, 1)"),
    "OddPowers": lambda: cd.Copula("gaussian", rho="3/5", c0="lognormal(0, 1)", c1="lognormal(1, 2)"),
    "CorrelatedLetters": lambda: cd.Copula(
        "gaussian", rho="1/2", c0="lognormal(mu, sigma)", c1="lognormal(nu, tau)"
    ),
    "Mixture": lambda: cd.Mixture(
        ("1/2", cd.Independent("lognormal(0, 1)", "lognormal(1, 2)")),
        ("1/2", cd.Independent("lognormal(0, 1)", "lognormal(0, 1)")),
    ),
    "BesideUniform": lambda: cd.Independent("lognormal(0, 1)", "uniform(0, 1)"),
    "Factor": lambda: cd.CommonFactor("uniform(1, 2)", cd.Independent("lognormal(0, 1)", "lognormal(0, 1)")),
}
LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_the_whole_theorem_from_the_density(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS
    assert {*theorems(text(name))} >= LAW | (set() if name == "Factor" else {"total_is_1"})


@with_coq
def test_coq_accepts_losses_with_logarithms_of_a_quotient_and_of_its_parts(beside: Path) -> None:
    parts = {"a": "pareto(1, 1)", "b": "lognormal(0, 1)"}
    found = coq(cd.derive(cd.costs_of_parts("a*b", "1", parts=parts)), library=False)
    assert "ln (p / (1 - p))" not in found.partition("Lemma order1")[0]
    answer = ask(found, library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])


def test_what_a_file_on_log_normal_costs_leaves_out_is_named() -> None:
    assert left_out(text("Letters")) == ()
    assert left_out(text("Factor")) == ("total over areas",)


CHANGES: Changes = {
    "a density with another spread": (
        "Numbers",
        "(ln c1 - 1) ^ 2 / 8",
        "(ln c1 - 1) ^ 2 / 9",
        "Definition area1",
        "log_normal1",
    ),
    "half of a density": ("Numbers", "/ (4 * PI", "/ (8 * PI", "Definition area1", "log_normal1"),
    "a smaller region": ("Numbers", "[c0; c1]", "[c0; c1; c1 - c0]", "Definition area1", "log_normal1"),
    "another mean of a logarithm": (
        "Letters",
        "area1 1 the_mu",
        "area1 1 the_nu",
        "Lemma log_normal1",
        "log_normal1",
    ),
    "a slope of another variance": (
        "Numbers",
        "sqrt 10 / 10) ^ 2",
        "sqrt 10 / 9) ^ 2",
        "Lemma slope1",
        "slope1",
    ),
    "another loss of class 0": ("Numbers", "(L0 p)", "(L1 p)", "Theorem expected_cost0", "expected_cost0"),
    "another decision": ("Numbers", "(pay0 p)", "(pay1 p)", "Theorem expected_cost0", "expected_cost0"),
    "another share of a mixture": ("Mixture", "/ (8 * PI", "/ (9 * PI", "Definition area1", "log_normal1"),
    "another weight of a mixture": ("Mixture", "/ (20 * ", "/ (21 * ", "Definition piece1", "slopes1"),
    "another loss of a mixture": ("Mixture", "exp 3 / 4", "exp 3 / 5", "Definition piece1", "slopes1"),
    "another weight with values of erf": (
        "BesideUniform",
        "- sqrt 2) + 1) * exp 2 / (2 * p ^ 3)",
        "- sqrt 2) + 1) * exp 2 / (3 * p ^ 3)",
        "Definition piece1",
        "slopes1",
    ),
    "another sign of values of erf": (
        "BesideUniform",
        "- sqrt 2) + 1) / (2",
        "- sqrt 2) + 2) / (2",
        "Lemma sign1",
        "sign1",
    ),
    "another total": ("Numbers", "areas 1.", "areas 2.", "Theorem total_is_1", "total_is_1"),
    "another mean of class 1": ("Numbers", "exp 3", "exp 2", "Lemma mean1", "mean1"),
    "another odd power of the weight": (
        "OddPowers",
        "Rpower p (32 / 13)",
        "Rpower p (31 / 13)",
        "Definition piece1",
        "slopes1",
    ),
    "another exponential of the weight": (
        "OddPowers",
        "exp (29 / 130",
        "exp (31 / 130",
        "Definition piece1",
        "slopes1",
    ),
    "another correlation": ("OddPowers", "1 0 (3 / 10)", "1 0 (4 / 10)", "Lemma log_normal1", "log_normal1"),
    "hypotheses that are contradictory": (
        "Letters",
        "0 < the_mu",
        "the_mu < 0 /\\ 0 < the_mu",
        "Definition assumed",
        "possible",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


def test_the_parameters_of_a_density_give_it_back() -> None:
    x, y = sympy.log(c0), sympy.log(c1)
    density = 3 * sympy.exp(-(x**2) + x * y - 2 * y**2 + x) / (c0 * c1)
    (pair,) = log_normal_pairs([Area(density, (c0, c1))]) or ()
    w, m, k, s, n, t = pair.parameters
    again = w / (2 * sympy.pi * s * t * c0 * c1)
    again *= sympy.exp(-((x - m - k * (y - n)) ** 2) / (2 * s**2) - (y - n) ** 2 / (2 * t**2))
    assert sympy.simplify(again / density) == 1


@pytest.mark.parametrize(
    "area",
    [
        Area(sympy.exp(-(sympy.log(c0) ** 2) - sympy.log(c1) ** 2) / (c0 * c1), (c0, c1, c1 - c0)),
        Area(sympy.exp(sympy.log(c0) ** 2 - sympy.log(c1) ** 2) / (c0 * c1), (c0, c1)),
        Area(sympy.exp(-(sympy.log(c0) ** 2) - sympy.log(c1)) / (c0 * c1), (c0, c1)),
        Area(sympy.exp(-(sympy.log(c0) ** 2) - sympy.log(c1) ** 4) / (c0 * c1), (c0, c1)),
        Area(sympy.exp(-c0) * sympy.exp(-(sympy.log(c1) ** 2)) / (c0 * c1), (c0, c1)),
    ],
    ids=["below a line", "without end", "one-sided", "of degree 4", "exponential beside it"],
)
def test_a_density_that_is_not_log_normal_is_not_read_as_one(area: Area) -> None:
    assert log_normal_pairs([area]) is None
