"""Coq accepts losses with hypergeometric functions of two Burr costs, by Euler's integral, from the law on."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from mpmath import mp, mpf
from sympy import Rational

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.terms import term
from costderive.rules.hypergeometric import hyp2f1
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function, value

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Fractions": lambda: cd.Independent("lomax(5/2, 1)", "lomax(7/3, 2)"),
    "Letters": lambda: cd.Independent("lomax(a + 1, 1)", "lomax(b + 1, m)"),
    "HalfBesideWhole": lambda: cd.Independent("lomax(3/2, 1)", "lomax(3, m)"),
    "AnyLomax": lambda: cd.Independent("lomax(a, 1)", "lomax(b, m)"),
    "InfiniteMeans": lambda: cd.Independent("lomax(5/6, 1)", "lomax(1/3, 2)"),
    "Burr": lambda: cd.Independent("burr(2, a + 1, 1)", "burr(2, b + 1, m)"),
    "BurrNumbers": lambda: cd.Independent("burr(2, 5/3, l)", "burr(2, 4/3, m)"),
    "AnyBurr": lambda: cd.Independent("burr(k, a, 1)", "burr(k, b, m)"),
    "LogLogistic": lambda: cd.Independent("loglogistic(1, k)", "loglogistic(m, k)"),
}
FINITE = ("Fractions", "Letters", "HalfBesideWhole", "Burr", "BurrNumbers")
THEOREMS = {
    "lawful_costs",
    "total_is_1",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "proper",
    "strictly_proper",
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
def test_a_file_names_the_slopes_and_what_needs_them(name: str) -> None:
    limits = "" if name in FINITE else "endpoints, "
    assert left_out(text(name)) == (f"slopes of the losses, {limits}expected loss",)
    assert set(theorems(text(name))) >= THEOREMS


def test_means_that_may_be_infinite_are_values_of_the_reports_0_and_1() -> None:
    assert "with_values L0 0 (burr_mean 1 a 1)" in text("AnyLomax")
    assert "over_areas areas (fun c0 _ => c0) (2 / 3)" not in text("Fractions")  # by the function that it is
    assert "over_areas areas (fun c0 _ => c0) (5 * beta 2 (3 / 2) / 2)" in text("Fractions")


@pytest.mark.parametrize(
    "laws",
    [
        ("burr(3, 5/3, 1)", "burr(3, 4/3, m)"),  # Gamma(1/3) Gamma(2/3) is written as a multiple of pi
        ("betaprime(2, b)", "betaprime(1, a)"),
    ],
)
def test_other_hypergeometric_functions_are_refused(laws: tuple[str, str]) -> None:
    with pytest.raises(ExportError):
        coq(cd.derive(cd.Independent(*laws)), whole=False)


CHANGES: Changes = {
    "another tail of a density": ("Fractions", "(5 / 2) 1", "(7 / 2) 1", "Definition density0", "dense0"),
    "another power of a density": (
        "AnyBurr",
        "burr_density k",
        "burr_density (k + 1)",
        "Definition density1",
        "dense1",
    ),
    "a bound that is false": ("Fractions", "0 < (5 / 2)", "3 < (5 / 2)", "Lemma tail0", "tail0"),
    "expected costs that may be infinite": (
        "AnyLomax",
        "1 < 1 * (a + b)",
        "2 < 1 * (a + b)",
        "Lemma finite_costs",
        "finite_costs",
    ),
    "an infinite mean as a finite one": (
        "InfiniteMeans",
        "(burr_mean 1 (5 / 6) 1)",
        "2",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "another power in a loss": (
        "LogLogistic",
        "hypergeometric 1 ((k + 1) / k)",
        "hypergeometric 1 ((k + 2) / k)",
        "Definition piece1",
        "costs_of_piece1",
    ),
    "another parameter of a loss": (
        "Letters",
        "hypergeometric (b + 1) 2",
        "hypergeometric (b + 2) 2",
        "Definition piece1",
        "costs_of_piece1",
    ),
    "another argument of a loss": (
        "HalfBesideWhole",
        "m * p + p - 1",
        "m * p + p - 2",
        "Definition piece1",
        "costs_of_piece1",
    ),
    "another factor of a loss": ("Fractions", "90 *", "91 *", "Definition piece1", "costs_of_piece1"),
    "a loss of another class": (
        "Fractions",
        "(pay0 p)",
        "(pay1 p)",
        "Theorem expected_cost0",
        "expected_cost0",
    ),
    "a total of 2": ("Fractions", "areas 1", "areas 2", "Theorem total_is_1", "total_is_1"),
    "another mean": ("Fractions", "(5 * beta", "(4 * beta", "Lemma mean0", "mean0"),
    "hypotheses that are contradictory": (
        "Letters",
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


# ---- the function, and a loss by the law of the costs


def test_a_term_is_the_integral_that_defines_it() -> None:
    """The integral of Euler over all positive numbers, divided by a value of Beta."""
    a, b, c, z = mpf("1.75"), mpf(2), mpf("5.5"), mpf("0.375")
    with mp.workdps(30):
        whole = mp.quad(
            lambda t: t ** (b - 1) * (1 + t) ** (a - c) * (1 + (1 - z) * t) ** -a, [0, 1, 10, 100, mp.inf]
        )
        found = value(term(hyp2f1(Rational(7, 4), 2, Rational(11, 2), p)), {"p": z})
        assert abs(found - whole / mp.beta(b, c - b)) < mpf(10) ** -12


def test_the_loss_of_a_file_is_the_expected_cost() -> None:
    def paid(x: mpf, odds: mpf) -> mpf:
        return x * mpf(5) / 2 * (1 + x) ** mpf("-3.5") * (1 + x / (2 * odds)) ** (-mpf(7) / 3)

    with mp.workdps(20):
        for q in (mpf("0.25"), mpf("0.625")):
            cost = mp.quad(lambda x, q=q: paid(x, q / (1 - q)), [0, 1, 10, 100, 1000, mp.inf])
            assert abs(function(text("Fractions"), "L0")(q) - cost) < mpf(10) ** -8, q
