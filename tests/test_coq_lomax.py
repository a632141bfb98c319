"""Coq accepts a Lomax cost of any shape beside an exponential one, by incomplete Gamma functions from a number on."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from mpmath import mp, mpf

import costderive as cd
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, tuple[str, str]] = {
    "Letters": ("lomax(a, m)", "exponential(l)"),
    "FiniteMean": ("exponential(l)", "lomax(a + 1, m)"),
    "Fraction": ("exponential(1)", "lomax(5/3, 1)"),
    "InfiniteMean": ("lomax(1/3, m)", "exponential(1)"),
}
FINITE = ("FiniteMean", "Fraction")
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
    return coq(cd.derive(cd.Independent(*CONTEXTS[name])), library=False)


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
    assert "with_values L0 0 (burr_mean 1 a m)" in text("Letters")
    assert "(extended L1 (5 * beta 2 (2 / 3) / 3) 0)" in text("Fraction")


def test_whole_shapes_keep_their_exponential_integrals() -> None:
    written = coq(cd.derive(cd.Independent("lomax(2, 1)", "exponential(1)")), library=False)
    assert "exponential_integral" in written and "lomax_cost0" not in written


CHANGES: Changes = {
    "another shape of the law": (
        "Fraction",
        "burr_density 1 (5 / 3)",
        "burr_density 1 (7 / 3)",
        "Definition density1",
        "dense1",
    ),
    "another rate of the law": (
        "InfiniteMean",
        "exponential_density 1",
        "exponential_density 2",
        "Definition density1",
        "dense1",
    ),
    "a bound that is false": ("Fraction", "0 < (5 / 3)", "3 < (5 / 3)", "Lemma tail1", "tail1"),
    "another shape in a loss": (
        "Fraction",
        "tail_gamma (- 2 / 3)",
        "tail_gamma (- 1 / 3)",
        "Definition piece1",
        "costs_of_piece1",
    ),
    "another factor of a loss": ("InfiniteMean", "/ 3", "/ 4", "Definition piece1", "costs_of_piece1"),
    "a loss of another class": (
        "Letters",
        "(pay1 p)",
        "(pay0 p)",
        "Theorem expected_cost1",
        "expected_cost1",
    ),
    "an infinite mean as a finite one": (
        "InfiniteMean",
        "(burr_mean 1 (1 / 3) m)",
        "m",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "another mean of the exponential cost": ("Letters", "c1) l", "c1) (2 * l)", "Lemma mean1", "mean1"),
    "a total of 2": ("Letters", "areas 1", "areas 2", "Theorem total_is_1", "total_is_1"),
    "hypotheses that are contradictory": (
        "Letters",
        "0 < l",
        "l < 0 /\\ 0 < l",
        "Definition assumed",
        "possible",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


def test_the_losses_of_a_file_are_the_expected_costs() -> None:
    """By integrals over one cost of what it pays where the other one is greater than the report asks for."""
    tail = mpf(5) / 3

    def paid(q: mpf) -> tuple[mpf, mpf]:
        odds = q / (1 - q)
        first = mp.quad(lambda x: x * mp.exp(-x) * (1 + x / odds) ** -tail, [0, 1, 10, mp.inf])
        second = mp.quad(lambda x: x * tail * (1 + x) ** (-tail - 1) * mp.exp(-x * odds), [0, 1, 10, mp.inf])
        return first, second

    with mp.workdps(20):
        for q in (mpf("0.25"), mpf("0.625")):
            for label, cost in enumerate(paid(q)):
                assert abs(function(text("Fraction"), f"L{label}")(q) - cost) < mpf(10) ** -8, q
