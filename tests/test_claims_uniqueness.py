"""Claims that something is the only one of its kind, and claims for every number of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from costderive.core.errors import SpecError
from costderive.literature import Outcome, read, templates
from costderive.literature.kinds import question

HOLDS, FAILS, OPEN = Outcome.HOLDS, Outcome.FAILS, Outcome.OPEN
STEP = {"loss0": "0 if p <= k; a", "loss1": "b if p <= k; 0"}


def ruling(**table: Any) -> Any:
    return question(table, "mine").ruling()


@pytest.mark.parametrize(
    ("losses", "letter", "value", "outcome"),
    [
        (STEP, "k", "a/(a + b)", HOLDS),
        (STEP, "k", "b/(a + b)", FAILS),
        (STEP, "k", "a/(a + 2*b)", FAILS),
        (STEP, "k", "1/2", FAILS),
        ({"loss0": "p^2", "loss1": "m*(1 - p)^2"}, "m", "1", HOLDS),
        ({"loss0": "p^2", "loss1": "m*(1 - p)^2"}, "m", "2", FAILS),
        ({"loss0": "m*p^2", "loss1": "m*(1 - p)^2"}, "m", "1", FAILS),  # proper for every m
        ({"loss0": "m*p", "loss1": "m*(1 - p)"}, "m", "1", FAILS),  # improper for every m
        ({"loss0": "m*p^2", "loss1": "n*(1 - p)^2"}, "n", "m", HOLDS),  # solved for another letter
        ({"loss0": "m*p^2", "loss1": "n*(1 - p)^2"}, "n", "2*m", OPEN),
    ],
)
def test_the_only_value_is_the_one_derived(
    losses: dict[str, str], letter: str, value: str, outcome: Outcome
) -> None:
    found = ruling(kind="proper-only-if", letter=letter, value=value, **losses)
    assert found.outcome is outcome


def test_the_only_value_of_a_letter_that_is_nowhere_is_refused() -> None:
    with pytest.raises(SpecError, match="is not in the losses"):
        question({"kind": "proper-only-if", "letter": "z", "value": 1, **STEP}, "mine")


@pytest.mark.parametrize(
    ("loss0", "loss1", "weight", "outcome"),
    [
        ("p^2", "(1 - p)^2", "2", HOLDS),
        ("p^2/2", "(1 - p)^2/2", "1", HOLDS),
        ("-log(1 - p)", "-log(p)", "1/(s*(1 - s))", HOLDS),
        ("p^2", "(1 - p)^2", "1", FAILS),  # twice the weight
        ("p^2 + 1", "(1 - p)^2", "2", FAILS),  # proper, with another value at right certainty
        ("(1 - p)^2", "p^2", "2", FAILS),
        ("p", "1 - p", "2", FAILS),  # improper
        ("p^2", "(1 - p)^2", "-2", OPEN),  # no rule has it
        ("p^2", "(1 - p)^2", "1/s^3", OPEN),  # infinite losses
    ],
)
def test_the_only_rule_with_a_threshold_weight_is_the_one_derived(
    loss0: str, loss1: str, weight: str, outcome: Outcome
) -> None:
    found = ruling(kind="only-with-weight", loss0=loss0, loss1=loss1, weight=weight)
    assert found.outcome is outcome


@pytest.mark.parametrize(
    ("loss", "outcome"),
    [
        ("-log(p)", HOLDS),
        ("5 - 3*log(p)", HOLDS),
        ("-log(p^2)", HOLDS),
        ("log(p)", FAILS),
        ("(1 - p)^2", FAILS),
        ("1 - p", FAILS),
        ("7", FAILS),
        ("-log(p) + p/10^9", FAILS),
        ("-log(p) - 10^-9*log(p)^2", FAILS),
        ("-log(abs(p - 1/2))", OPEN),
    ],
)
def test_only_logarithms_are_local_and_proper(loss: str, outcome: Outcome) -> None:
    assert ruling(kind="only-local", loss=loss).outcome is not HOLDS or outcome is HOLDS
    assert ruling(kind="only-local", loss=loss).outcome is outcome


@pytest.mark.parametrize("rule", ["brier", "log", "spherical"])
@pytest.mark.parametrize(
    ("says", "outcome"), [("strictly proper", HOLDS), ("proper", HOLDS), ("improper", FAILS)]
)
def test_named_rules_are_strictly_proper_for_every_number_of_classes(
    rule: str, says: str, outcome: Outcome
) -> None:
    assert ruling(kind="classes", rule=rule, says=says).outcome is outcome


@pytest.mark.parametrize("kind", templates.UNPUBLISHED)
def test_a_kind_that_no_source_has_still_has_a_claim_that_decides_as_it_stands(kind: str) -> None:
    (check,) = read(templates.template(kind), "mine").checks
    assert check["kind"] == kind
    assert question(check, "mine").ruling().outcome is HOLDS


PENALISED = {
    "kind": "penalised",
    "rule": "brier",
    "penalty": "(K - 1)/K",
    "ties": "lowest",
    "says": "strictly proper",
}


@pytest.mark.parametrize("rule", ["brier", "log", "spherical"])
@pytest.mark.parametrize(
    ("penalty", "ties", "says", "outcome"),
    [
        ("(K - 1)/K", "lowest", "strictly proper", HOLDS),
        ("(K - 1)/K", "lowest", "proper", HOLDS),
        ("(K - 1)/K", "lowest", "improper", FAILS),
        ("(K - 1)/K", "all", "strictly proper", FAILS),
        ("log(K)", "all", "improper", HOLDS),
        ("0", "lowest", "improper", FAILS),
        ("0", "all", "strictly proper", OPEN),  # it is, but a tie is no witness
        ("-1", "lowest", "strictly proper", OPEN),
        ("(K - 3)/K", "lowest", "strictly proper", OPEN),  # negative for two classes
        ("(K - 3)/K", "all", "improper", OPEN),  # no charge for three classes
        ("1/K^2", "all", "improper", OPEN),  # no one belief for all K
        ("log(K) - 1", "lowest", "strictly proper", OPEN),
    ],
)
def test_a_penalty_is_judged_for_every_number_of_classes(
    rule: str, penalty: str, ties: str, says: str, outcome: Outcome
) -> None:
    assert ruling(kind="penalised", rule=rule, penalty=penalty, ties=ties, says=says).outcome is outcome


def brier(report: Any) -> Any:
    return (report**2).sum() + 1 - 2 * report


def log_loss(report: Any) -> Any:
    return -np.log(np.maximum(report, 1e-300))


@pytest.mark.parametrize("classes", [2, 3, 5, 30])
@pytest.mark.parametrize(("loss", "penalty"), [(brier, lambda k: (k - 1) / k), (log_loss, np.log)])
def test_a_penalised_rule_is_best_at_the_truth_unless_a_tie_is_free(
    loss: Any, penalty: Any, classes: int
) -> None:
    def risk(report: Any, belief: Any, right: Any) -> float:
        charged = penalty(classes) * ~right
        return float(belief @ (loss(report) + charged))

    def first(report: Any) -> Any:
        return np.arange(classes) == report.argmax()

    draw = np.random.default_rng(classes)
    for _ in range(200):
        belief, report = draw.dirichlet([1.0] * classes, 2)
        assert risk(report, belief, first(report)) > risk(belief, belief, first(belief))
    rest = [0.0] * (classes - 2)
    belief, tie = np.array([2 / 3, 1 / 3, *rest]), np.array([1 / 2, 1 / 2, *rest])
    assert risk(tie, belief, tie == 1 / 2) < risk(belief, belief, first(belief))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"penalty": "w"}, "other letters than K"),
        ({"ties": "highest"}, "ties"),
        ({"rule": "absolute"}, "rule"),
    ],
)
def test_a_penalty_that_is_no_function_of_the_number_of_classes_is_refused(
    changed: dict[str, str], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        question(PENALISED | changed, "mine")
