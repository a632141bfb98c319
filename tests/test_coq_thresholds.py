"""Coq accepts that losses at another threshold are what is expected to be paid there, and rejects each wrong part."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.derivation.derivation import Derivation
from costderive.publish.coq.coq_file import coq, left_out, sections
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
ATOM_BESIDE_LINE = ("1/2", cd.Additive()), ("1/2", cd.FixedCosts(1, 2))

RULES: Mapping[str, Callable[[], Derivation]] = {
    "KnownAtFixed": lambda: cd.derive(cd.FixedCosts(1, 4), threshold="1/2"),
    "KnownAtRandom": lambda: cd.derive(cd.FixedCosts(1, 1), threshold="uniform(0, 1)"),
    "ProperAtFixed": lambda: cd.derive(cd.Additive(), threshold="1/2"),
    "AreaAtFixed": lambda: cd.derive(cd.IndependentUniform((1, 2), (1, 3)), threshold="1/2"),
    "ProperAreaAtFixed": lambda: cd.derive(cd.IndependentUniform((0, 1), (0, 1)), threshold="1/2"),
    "AreaOfLettersAtRandom": lambda: cd.derive(
        cd.IndependentUniform((0, "b"), (0, 1)), threshold=cd.RandomThreshold(density=1)
    ),
    "LineAtRandom": lambda: cd.derive(cd.Additive("m"), threshold="beta(2, 3)"),
    "ArcAtRandom": lambda: cd.derive(cd.Independent("1", "beta(2, 1)"), threshold="uniform(1/4, 3/4)"),
    "LineAndPointAtFixed": lambda: cd.derive(cd.Mixture(*ATOM_BESIDE_LINE), threshold="1/3"),
    "WrongCosts": lambda: cd.derive(cd.Additive(), threshold="2*c0/(2*c0 + c1)"),
    "WrongCostsOfArea": lambda: cd.derive(
        cd.IndependentUniform((1, 2), (1, 3)), threshold="2*c0/(2*c0 + c1)"
    ),
    "WrongCostsOfLetters": lambda: cd.derive(cd.FixedCosts("a", "b"), threshold="2*c0/(2*c0 + c1)"),
    "BetweenQuarters": lambda: cd.derive(cd.Additive("m"), threshold="1/4 + s/2"),
    "Squared": lambda: cd.derive(cd.Additive("m"), threshold="s^2"),
    "SquaredFromOne": lambda: cd.derive(cd.Additive(), threshold="1 - (1 - s)^2"),
    "SquaredBesidePoint": lambda: cd.derive(cd.Mixture(*ATOM_BESIDE_LINE), threshold="s^2"),
}
LAW = {"lawful_costs", "total_is_1", "expected_cost0", "expected_cost1"}


@cache
def text(name: str) -> str:
    return coq(RULES[name](), library=False)


@with_coq
@pytest.mark.parametrize("name", RULES)
def test_coq_accepts_that_losses_at_other_thresholds_are_the_expected_costs(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", RULES)
def test_the_law_stands_before_the_rule_and_nothing_is_left_out(name: str) -> None:
    found = [(section.case, x) for section in sections(RULES[name](), whole=True) for x in section.theorems]
    assert {x for case, x in found if case == "costs"} >= LAW
    assert {x for case, x in found if case == "rule"} >= {"expected_cost0", "expected_cost1"}
    assert left_out(text(name)) == ()


def test_what_is_expected_is_left_out_by_name_where_coq_does_not_get_it() -> None:
    law = cd.derive(cd.Independent("exponential(1)", "lomax(5/2, 1)"), threshold="1/3")
    assert left_out(coq(law, library=False)) == ("expected costs",)


CHANGES: Changes = {
    "another fixed threshold": (
        "KnownAtFixed",
        "1 / 2) p)",
        "1 / 3) p)",
        "Theorem expected_cost0 p : with_ends",
        "expected_cost0",
    ),
    "another value of a loss": (
        "KnownAtFixed",
        "then 1 else 1",
        "then 1 else 2",
        "Definition L0 (p : R) : R :=\n  if Rle_dec p 0",
        "expected_cost0",
    ),
    "a mean that is not the known cost": ("KnownAtFixed", "c1) 4", "c1) 3", "Module rule.", "mean_is1"),
    "another density of a threshold": (
        "LineAtRandom",
        "Band 0 1 (fun x => ",
        "Band 0 1 (fun x => 2 * ",
        "Definition band1",
        "distributed_band1",
    ),
    "another distribution function": (
        "ArcAtRandom",
        "(fun x => 2 * x)",
        "(fun x => 3 * x)",
        "Definition thresholds",
        "distribution",
    ),
    "thresholds over a wider band": (
        "ArcAtRandom",
        "Band (1 / 4) (3 / 4)",
        "Band (1 / 4) (4 / 5)",
        "Definition band1",
        "distributed_band1",
    ),
    "thresholds above 1": (
        "ArcAtRandom",
        "Band (1 / 4) (3 / 4)",
        "Band (3 / 4) (5 / 4)",
        "Definition band1",
        "distributed_band1",
    ),
    "the other class": (
        "KnownAtRandom",
        "(L0 p)",
        "(L1 p)",
        "Theorem expected_cost0 p : with_ends",
        "expected_cost0",
    ),
    "another wrong cost": (
        "WrongCosts",
        "2 * x / (x + 1)",
        "3 * x / (2 * x + 1)",
        "Definition threshold",
        "grows",
    ),
    "a threshold that falls": (
        "BetweenQuarters",
        "x / 2 + 1 / 4",
        "3 / 4 - x / 2",
        "Definition threshold",
        "grows",
    ),
    "the loss at the threshold of the costs": (
        "WrongCosts",
        "priced (pay0_at (fun c0 c1 => threshold (c0 / (c0 + c1))) p)",
        "priced (pay0 p)",
        "Theorem expected_cost0 p : 0 < p < 1 -> priced (pay0_at",
        "expected_cost0",
    ),
    "a threshold with a larger least value": (
        "BetweenQuarters",
        "0 < p <= (1 / 4)",
        "0 < p <= (1 / 3)",
        "Lemma below_all",
        "below_all",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_a_wrong_law_threshold_or_loss(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)
