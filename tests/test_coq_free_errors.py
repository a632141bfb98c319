"""Coq accepts whole files on costs of which one may be 0, and rejects what is wrong in them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")


def above(
    excess: str, loss: str, other: str = "2", assuming: str | tuple[str, ...] = (), **parts: str
) -> Context:
    found: Context = cd.costs_of_parts(
        other, f"max(loss - {excess}, 0)", parts={"loss": loss, **parts}, assuming=assuming
    )
    return found


CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Deductible": lambda: above("5", "exponential(12)"),
    "DeductibleOfLetters": lambda: above("d", "exponential(m)", "k"),
    "DeductibleAssumed": lambda: above("d", "pareto(3, m)", "k", "d > m"),
    "Uniform": lambda: above("5", "uniform(0, 20)"),
    "Gamma": lambda: above("5", "gamma(2, 4)"),
    "BesideUncertain": lambda: above("1", "uniform(0, 2)", "fee", fee="uniform(1, 2)"),
    "Both": lambda: cd.costs_of_parts(
        "max(a - 1, 0)", "max(b - 1, 0)", parts={"a": "uniform(0, 2)", "b": "uniform(0, 3)"}
    ),
    "OnLines": lambda: cd.Mixture(("w", cd.FixedCosts(0, 3)), ("1 - w", cd.Additive())),
    "Layer": lambda: cd.costs_of_parts("2", "min(max(loss - 5, 0), 50)", parts={"loss": "exponential(12)"}),
    "InfiniteMean": lambda: above("2", "pareto(1, 1)", "1"),
}
WHOLE = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "expected_loss_of_scores",
    "total_is_1",
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_costs_that_may_be_0(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", CONTEXTS)
def test_nothing_is_left_out_of_costs_that_may_be_0(name: str) -> None:
    assert left_out(text(name)) == ()
    assert set(theorems(text(name))) >= WHOLE


def test_without_the_law_the_losses_are_those_of_positive_costs() -> None:
    alone = coq(cd.derive(CONTEXTS["Deductible"]()), whole=False, library=False)
    assert theorems(alone) == ("proper", "strictly_proper")


def test_what_letters_are_assumed_to_be_is_stated() -> None:
    assert "m < d" in text("DeductibleAssumed").partition("Definition assumed")[2].partition(".\n")[0]


def test_an_excess_whose_mean_may_be_infinite_leaves_out_the_sure_reports_alone() -> None:
    found = coq(cd.derive(above("d", "pareto(a, m)", assuming="d > m")), library=False)
    assert left_out(found) == ("reports 0 and 1",)
    assert "incomplete_beta 2 (a - 1)" in found


FREE = "Definition free1"
CHANGES: Changes = {
    "another chance that an error is free": (
        "Uniform",
        "Point 2 0 (1 / 4)",
        "Point 2 0 (1 / 5)",
        FREE,
        "charged_on_free0",
    ),
    "an error that is not free": ("Uniform", "Point 2 0", "Point 2 1", FREE, "signs_of_free1"),
    "a negative chance": ("Uniform", "(1 / 4)", "(- 1 / 4)", FREE, "signs_of_free1"),
    "another cost beside free errors": ("Uniform", "Point 2 0", "Point 3 0", FREE, "charged_on_free0"),
    "another charge at the report 1": ("Uniform", "= (1 / 2)", "= (1 / 3)", "charged_on_free0", "charged_on_free0"),
    "another mean at the report 0": (
        "Uniform",
        "(Rbar_plus (Finite (45 / 8)) 0)",
        "(Rbar_plus (Finite (44 / 8)) 0)",
        "law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "a density of another total": ("Uniform", "1 / 20", "1 / 10", "Definition arc1", "costs.lawful_arc1"),
    "another total": ("Uniform", "=> 1) 1", "=> 1) 2", "Theorem total_is_1", "total_is_1"),
    "another total of positive costs": ("Uniform", "3 / 4", "1", "Theorem total_is_less", "costs.total_is_less"),
    "another loss": (
        "Uniform",
        "Definition L0",
        "Definition L0 (p : R) : R := p.\nDefinition L2",
        "Module rule",
        "proper",
    ),
    "an excess above another deductible": ("DeductibleOfLetters", "- d / m", "- 2 * d / m", FREE, "signs_of_free1"),
    "a deductible that is assumed to be less": (
        "DeductibleAssumed",
        "m < d",
        "d < m",
        "Definition assumed",
        "costs.possible",
    ),
}  # fmt: skip
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)
