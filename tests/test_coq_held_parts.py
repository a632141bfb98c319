"""Coq accepts rules of costs of which one part is held, from the law at a value of it, and rejects what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import costderive as cd
from costderive.core.errors import ExportError
from costderive.costs.contexts import Context, HeldPart
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")


def of_parts(first: str, **laws: str) -> Context:
    return cd.costs_of_parts(first, "d", parts=laws)


CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Product": lambda: of_parts("a*b", a="uniform(0, 1)", b="lomax(3, 1)", d="uniform(0, 1)"),
    "Sum": lambda: of_parts("a + b", a="exponential(1)", b="lognormal(0, 1)", d="exponential(1)"),
    "Letter": lambda: of_parts("a*b", a="gamma(2, 1)", b="lognormal(0, 1)", d="exponential(m)"),
    "InPieces": lambda: of_parts("a + b", a="exponential(1)", b="pareto(2, 1)", d="exponential(1)"),
    "BesideKnown": lambda: cd.costs_of_parts(
        "a + b", 40, parts={"a": "exponential(1)", "b": "lognormal(0, 1)"}
    ),
    "Densities": lambda: of_parts("a + b", a="weibull(2, 1)", b="gamma(3/2, 1)", d="exponential(1)"),
}
LEFT_OUT = {
    "Product": "means over the part in closed form",
    "Sum": "total",
    "Letter": "total",
    "InPieces": "endpoints, expected loss, expected costs, strict properness, total",
    "BesideKnown": "strict properness, total",
    "Densities": "expected costs, strict properness, total",
}
LAW = {"lawful_costs", "law_is_proper", "law_is_proper_with_ends"}
COSTS = {"cost_at0", "cost_at1", "expected_cost0", "expected_cost1"}


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
def test_a_file_says_what_it_has_and_what_it_has_not(name: str) -> None:
    assert isinstance(CONTEXTS[name](), HeldPart)
    found, without = set(theorems(text(name))), left_out(text(name))
    assert without == (LEFT_OUT[name],)
    assert found >= LAW
    assert ("proper" in found) == (name == "InPieces")
    assert (found >= COSTS) == ("expected costs" not in without[0])
    assert ("law_is_strictly_proper" in found) == ("strict properness" not in without[0])
    assert ("Theorem total_is_1" in text(name).partition("Module rule.")[2]) == ("total" not in without[0])


def test_without_the_law_only_losses_whose_weight_is_visible_have_a_file() -> None:
    assert "Theorem proper" in coq(cd.derive(CONTEXTS["InPieces"]()), whole=False)
    with pytest.raises(ExportError):
        coq(cd.derive(CONTEXTS["Sum"]()), whole=False)


CHANGES: Changes = {
    "a density of the part that is negative": (
        "Product",
        "(fun x => 1)",
        "(fun x => - 1)",
        "Definition part :",
        "rule.density_not_negative",
    ),
    "a part beyond its values": ("Product", "Finite 1", "Finite 2", "Definition part :", "rule.assumed_at"),
    "another antiderivative of the density of the part": (
        "Product",
        "(fun x => x)",
        "(fun x => 2 * x)",
        "Definition chance_1",
        "rule.integrated_chance_1",
    ),
    "another density at a value": (
        "Densities",
        "exp (",
        "- exp (",
        "Definition area1",
        "held.lawful_area1",
    ),
    "a loss of the other class": (
        "Sum",
        "(held.L0 b p)",
        "(held.L1 b p)",
        "Theorem cost_at0",
        "rule.cost_at0",
    ),
    "another report": (
        "Letter",
        "(pay1 p)",
        "(pay1 (1 - p))",
        "Theorem expected_cost1 E1",
        "rule.expected_cost1",
    ),
    "means exchanged": (
        "Sum",
        "(extended E0 0 mean0) (extended E1 mean1 0)",
        "(extended E0 0 mean1) (extended E1 mean0 0)",
        "Theorem law_is_proper_with_ends E0",
        "rule.law_is_proper_with_ends",
    ),
    "classes exchanged": (
        "Densities",
        "Proper E0 E1",
        "Proper E1 E0",
        "Theorem law_is_proper",
        "rule.law_is_proper",
    ),
    "losses at a value that are no strictly proper ones": (
        "Product",
        "(fun a => held.L1 a)",
        "(fun a => held.L0 a)",
        "Lemma strict_somewhere",
        "rule.strict_somewhere",
    ),
    "a total of 2": (
        "Product",
        "(fun _ _ => 1) 1",
        "(fun _ _ => 1) 2",
        "Theorem total_is_1 : over_held",
        "rule.total_is_1",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


def test_means_of_the_losses_at_the_values_are_what_simulated_decisions_cost() -> None:
    """Of costs that are sums of an exponential and a log-normal part, beside an exponential one."""
    draws = np.random.default_rng(20).exponential(size=(2, 400_000))
    held = np.random.default_rng(21).lognormal(size=400_000)
    c0, c1, q = draws[0] + held, draws[1], 0.75
    decided = c0 / (c0 + c1) < q
    losses = [function(text("Sum"), f"L{label}") for label in (0, 1)]
    means = [np.mean([float(loss(q, b=b)) for b in held[:4000]]) for loss in losses]
    assert means[0] == pytest.approx(np.mean(c0 * decided), rel=0.1)
    assert means[1] == pytest.approx(np.mean(c1 * ~decided), rel=0.05)
