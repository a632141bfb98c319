"""Coq accepts mixtures of costs over areas and of others, by the laws of their parts, and rejects what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, sections
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants, of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
EXPONENTIALS = cd.Independent("exponential(1)", "exponential(2)")
SQUARE = cd.IndependentUniform((0, 1), (0, 1))

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "AreaBesidePoint": lambda: cd.Mixture(("1/2", EXPONENTIALS), ("1/2", cd.FixedCosts(1, 2))),
    "AreaBesidePointOfLetters": lambda: cd.Mixture(("w", EXPONENTIALS), ("1 - w", cd.FixedCosts("a", "b"))),
    "AreaBesideLineAndPoint": lambda: cd.Mixture(
        ("1/3", SQUARE), ("1/3", cd.Additive()), ("1/3", cd.FixedCosts(1, 1))
    ),
    "GammasBesideArc": lambda: cd.Mixture(
        ("1/4", cd.Independent("gamma(1/2, 1)", "gamma(3/2, 1)")),
        ("3/4", cd.Independent("1", "uniform(0, 1)")),
    ),
    "LogNormalBesidePoint": lambda: cd.Mixture(
        ("1/2", cd.Independent("lognormal(0, 1)", "lognormal(1, 1)")), ("1/2", cd.FixedCosts(1, 2))
    ),
    "Nested": lambda: cd.Mixture(
        ("1/2", SQUARE), ("1/2", cd.Mixture(("1/4", cd.Additive()), ("3/4", cd.FixedCosts(1, 3))))
    ),
    "InfiniteMeans": lambda: cd.Mixture(("1/2", EXPONENTIALS), ("1/2", cd.Harmonic())),
}
LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "total_is_1",
}
OF_PARTS = {"lawful_costs", "expected_cost0", "expected_cost1", "prices", "total_is_1"}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_the_whole_theorem_on_mixtures(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", CONTEXTS)
def test_each_part_has_a_law_and_the_whole_is_strictly_proper(name: str) -> None:
    found = [(x.case, y) for x in sections(cd.derive(CONTEXTS[name]()), whole=True) for y in x.theorems]
    parts = {case for case, _ in found if case.startswith("part")}
    assert len(parts) >= 2
    assert all({y for case, y in found if case == part} >= OF_PARTS for part in parts)
    assert {y for case, y in found if case == "rule"} >= LAW | {"expected_loss_of_scores"}
    assert left_out(text(name)) == ()


def test_a_mixture_is_left_out_by_name_where_coq_does_not_get_a_part() -> None:
    disc = cd.Joint("4/pi", ("c0^2 + c1^2 <= 1",))
    found = left_out(coq(cd.derive(cd.Mixture(("1/2", disc), ("1/2", cd.FixedCosts(1, 2)))), library=False))
    assert "expected costs, total" in found[0]


@cache
def text_of_heavy_tail(_: str) -> str:
    return coq(cd.derive(cd.Independent("uniform(1, 2)", "pareto(1, 1)")), library=False)


@with_coq
def test_an_infinite_mean_over_areas_is_paid_at_the_report_0(beside: Path) -> None:
    written = text_of_heavy_tail("HeavyTail")
    assert left_out(written) == ()
    assert "(with_values L1 p_infty 0)" in written
    assert ask(written, library=beside).accepted


HEAVY_TAIL_MUTANTS = of_one_file(text_of_heavy_tail, "HeavyTail", {
    "an infinite mean of the other class": (
        "(with_values L0 0 (Finite (3 / 2)))",
        "(with_values L0 0 p_infty)",
        "law_is_proper_with_ends",
    ),
})  # fmt: skip


@with_coq
@pytest.mark.parametrize("what", HEAVY_TAIL_MUTANTS.changes)
def test_coq_rejects_a_wrong_infinite_mean_over_areas(what: str, beside: Path) -> None:
    HEAVY_TAIL_MUTANTS.require_rejected(what, beside)


CHANGES: Changes = {
    "another probability of a part": (
        "AreaBesidePoint",
        "(1 / 2, part1_priced)",
        "(1 / 3, part1_priced)",
        "Definition parts",
        "lawful_costs",
    ),
    "probabilities exchanged": (
        "GammasBesideArc",
        "[(1 / 4, part1_priced); (3 / 4, part2_priced)]",
        "[(3 / 4, part1_priced); (1 / 4, part2_priced)]",
        "Definition parts",
        "lawful_costs",
    ),
    "another known cost of a part": (
        "AreaBesidePoint",
        "Point 1 2 1",
        "Point 1 3 1",
        "Module part2",
        "part2.lawful_costs",
    ),
    "another density of a part": (
        "AreaBesidePoint",
        "exp (",
        "2 * exp (",
        "Definition area1",
        "part1.lawful_area1",
    ),
    "a part alone": (
        "AreaBesidePoint",
        "over_parts parts (pay0 p) (L0 p)",
        "part1_priced (pay0 p) (L0 p)",
        "Theorem expected_cost0 p : 0 < p < 1 -> over_parts",
        "expected_cost0",
    ),
    "the loss of the other class": (
        "AreaBesideLineAndPoint",
        "(pay1 p) (L1 p)",
        "(pay1 p) (L0 p)",
        "Theorem expected_cost1 p : 0 < p < 1 -> over_parts",
        "expected_cost1",
    ),
    "another total": (
        "AreaBesidePoint",
        "(fun _ _ => 1) 1.",
        "(fun _ _ => 1) 2.",
        "Theorem total_is_1 : over_parts",
        "total_is_1",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_a_wrong_mixture(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)
