"""Coq accepts for which letters a rule of a threshold other than that of the costs is proper, and rejects the rest."""

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

WRONG_COSTS, WEIGHING = "a*c0/(a*c0 + b*c1)", "d*s^k/(d*s^k + (1 - s)^k)"
CONTEXTS: Mapping[str, tuple[Callable[[], Context], str]] = {
    "WrongCosts": (lambda: cd.Independent(fp="gamma(2, m)", fn="exponential(n)"), WRONG_COSTS),
    "Weighing": (cd.Additive, WEIGHING),
    "Part": (lambda: cd.Independent(fp="3", fn="uniform(1, 5)"), WRONG_COSTS),
    "Power": (lambda: cd.Independent(fp="uniform(0, 2)", fn="exponential(3)"), "1 - (1 - s)^k"),
}
FORMS = "closed forms of the losses"
OTHERS = "that no other values of the letters make the threshold that of the costs"
LEFT_OUT = {"WrongCosts": FORMS, "Weighing": FORMS, "Part": f"{FORMS}, {OTHERS}", "Power": FORMS}


@cache
def text(name: str) -> str:
    context, threshold = CONTEXTS[name]
    return coq(cd.derive(context(), threshold=threshold), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_them_on_the_axioms_of_the_reals_alone(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_file_says_what_it_leaves_out(name: str) -> None:
    assert left_out(text(name)) == (LEFT_OUT[name],)
    assert {*theorems(text(name))} >= {
        "lawful_costs",
        "cost_at_threshold",
        "better_than_the_truth",
        "calibrated",
    }


def test_a_rule_is_proper_only_if_the_assumed_costs_are_right() -> None:
    assert "(Proper F0 F1 <-> a = b)" in text("WrongCosts")


@pytest.mark.parametrize(("name", "values"), [("Weighing", "d = 1 /\\ k = 1"), ("Power", "k = 1")])
def test_a_rule_is_proper_only_if_a_power_is_the_first(name: str, values: str) -> None:
    assert f"(Proper F0 F1 <-> {values})" in text(name)


CHANGES: Changes = {
    "another threshold": ("WrongCosts", "a * x /", "a * (x - 2) /", "Definition threshold", "grows"),
    "a threshold above 1": ("Weighing", "0 < threshold x < 1", "0 < threshold x < 1 / 2", "inside", "inside"),
    "a truth that costs less": (
        "Weighing",
        "(threshold (threshold x)) (threshold x) <",
        "(threshold x) (threshold x) <",
        "Theorem better_than_the_truth",
        "better_than_the_truth",
    ),
    "a truth that costs more where the threshold is right": (
        "Weighing",
        "threshold x <> x ->",
        "",
        "Theorem better_than_the_truth",
        "better_than_the_truth",
    ),
    "strict where no costs are": ("Part", "(3 / 4)", "1", "strictly_proper_at_own", "strictly_proper_at_own"),
    "other values": ("WrongCosts", "a = b ->", "a = 2 * b ->", "calibrated", "calibrated"),
    "proper for another power": ("Weighing", "/\\ k = 1)", "/\\ k = 2)", "proper_only_if", "proper_only_if"),
    "a power on the other side": ("Power", "(1 - k)", "(k - 1)", "assert (value1", "proper_only_if"),
    "proper for other values": (
        "WrongCosts",
        "<-> a = b",
        "<-> a = 2 * b",
        "proper_only_if",
        "proper_only_if",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_what_is_wrong_at_the_lemma_that_is_false(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)
