"""Coq accepts what a law of costs says by itself, without closed forms of losses, and rejects what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.core.errors import ExportError
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Powers": lambda: cd.PowerMean(4, density="beta(2, 1)"),
    "BesidePoint": lambda: cd.Mixture(
        ("1/2", cd.PowerMean(4, density="beta(2, 1)")), ("1/2", cd.FixedCosts(1, 2))
    ),
    "Part": lambda: cd.PowerMean(4, mean="m", density="uniform(1/4, 3/4)"),
    "Opposite": lambda: cd.Copula("countermonotone", fp="uniform(0, 2)", fn="exponential(2)"),
    "Areas": lambda: cd.Independent(fp="gamma(5/2, 1)", fn="loguniform(1, 3)"),
    "PowersOfNumbers": lambda: cd.Independent(fp="uniform(1, 4)", fn="lomax(b, 3)"),
    "SumOfProducts": lambda: cd.Copula("fgm", "-1/4", fp="pareto(4, 2)", fn="exponential(3)"),
    "Frank": lambda: cd.Copula("frank", 3, fp="exponential(1)", fn="exponential(4)"),
    "Gumbel": lambda: cd.Copula("gumbel", 2, fp="exponential(1)", fn="exponential(3)"),
    "Roots": lambda: cd.Copula("clayton", 2, fp="uniform(0, 1)", fn="exponential(3)"),
    "Towers": lambda: cd.Copula("comonotone", fp="pareto(a + 1, 2)", fn="pareto(3, 5)"),
    "ErrorsOfManyDigits": lambda: cd.Independent(fp="median 40, 90% below 120", fn="uniform(50, 90)"),
    "GreatDenominators": lambda: cd.Independent(fp="median 12, 90% below 35", fn="median 60, 90% below 200"),
}
FORMS = "closed forms of the losses, threshold weight, reports 0 and 1, expected loss"
OVER_AREAS = "existence of the expected costs, total, strict properness"
LEFT_OUT = {
    "Powers": FORMS,
    "BesidePoint": FORMS,
    "Part": FORMS,
    "Opposite": f"{FORMS}, existence of the expected costs, strict properness",
    "Areas": f"{FORMS}, total",
    "PowersOfNumbers": f"{FORMS}, total",
    "SumOfProducts": f"{FORMS}, total",
    "Frank": f"{FORMS}, {OVER_AREAS}",
    "Gumbel": f"{FORMS}, {OVER_AREAS}",
    "Roots": f"{FORMS}, {OVER_AREAS}",
    "Towers": f"{FORMS}, strict properness",
    "ErrorsOfManyDigits": f"{FORMS}, existence of the expected costs, total",
    "GreatDenominators": f"{FORMS}, existence of the expected costs, total",
}
LAW = {"lawful_costs", "costs_are_proper"}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_the_law_alone_on_the_axioms_of_the_reals(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_file_without_closed_forms_says_so_and_has_no_losses(name: str) -> None:
    assert left_out(text(name)) == (LEFT_OUT[name],)
    assert {*theorems(text(name))} >= LAW
    assert not {"L0", "piece1"} & set(text(name).split())


def test_of_losses_alone_there_is_no_such_file() -> None:
    with pytest.raises(ExportError):
        coq(cd.derive(CONTEXTS["Powers"]()), whole=False)


def test_what_is_decided_at_another_threshold_does_not_follow_from_the_law() -> None:
    with pytest.raises(ExportError):
        coq(cd.derive(CONTEXTS["Powers"](), threshold="1/3"))


CHANGES: Changes = {
    "another exponent of three": (
        "Gumbel",
        "exp (- c0 - c1 / 3 -",
        "exp (- c0 - c1 / 4 -",
        "Definition area1",
        "lawful_area1",
    ),
    "a density that is negative somewhere": (
        "Powers",
        "(fun x => 2 * x)",
        "(fun x => 2 * x - 1)",
        "",
        "lawful_arc1",
    ),
    "a density that is negative over an area": (
        "Areas",
        "exp (- c0) /",
        "(exp (- c0) - 1) /",
        "",
        "lawful_area1",
    ),
    "a product that counts more often": ("SumOfProducts", "(16, density", "(17, density", "", "sum_of_parts"),
    "a product of other densities": (
        "SumOfProducts",
        "exp (- c1 / 3)",
        "exp (- c1 / 2)",
        "Definition part1",
        "product_1",
    ),
    "a multiple that is not below the density": (
        "SumOfProducts",
        "16",
        "64",
        "spread_if_above",
        "spread_thresholds",
    ),
    "a cost that is negative somewhere": ("Powers", "(1 - x) /", "(1 / 2 - x) /", "", "lawful_arc1"),
    "a cost of a letter that may be negative": (
        "Part",
        "m",
        "(m - 1)",
        "Definition arc1 : arc := Arc",
        "lawful_arc1",
    ),
    "a probability that is negative": (
        "BesidePoint",
        "(1 / 2))",
        "(- (1 / 2)))",
        "Lemma signs_of",
        "signs_of_point1",
    ),
    "another total": ("Powers", "(fun _ _ => 1) 1.", "(fun _ _ => 1) 2.", "total_is_1", "total_is_1"),
    "an antiderivative of another density": ("Powers", "x ^ 2", "x ^ 3", "chance_1", "integrated_chance_1"),
    "a threshold that falls": ("Powers", "true", "false", "settles_by", "settles_arc1"),
    "strict for all laws": (
        "Powers",
        "Proper E0 E1",
        "StrictlyProper E0 E1",
        "costs_are_proper",
        "costs_are_proper",
    ),
    "strict beyond the thresholds": (
        "Part",
        "(1 / 4) (3 / 4) E0",
        "(1 / 5) (3 / 4) E0",
        "StrictlyProperOn",
        "costs_are_strictly_proper",
    ),
    "thresholds that are not attained": ("Part", "1 / 4) < p", "1 / 5) < p", "attained1", "attained1"),
    "other thresholds": ("Powers", "exists p", "exists (p / 2)", "attained1", "attained1"),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_what_is_wrong_at_the_lemma_that_is_false(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)
