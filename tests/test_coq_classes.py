"""Coq accepts that costs of several classes give proper losses, and what decisions cost, and no wrong formula."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
import sympy
from mpmath import quad

from costderive.core.errors import ExportError
from costderive.multiclass import DirichletCosts, IndependentCosts, derive
from costderive.publish.coq.class_expectations import bounded_costs
from costderive.publish.coq.class_orders import OrderedRule
from costderive.publish.coq.class_section import classes_of
from costderive.publish.coq.coq_file import combined, coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
SHARES = DirichletCosts((1, 1, 1))
UNIFORM = IndependentCosts(("uniform(0, 1)",) * 3)
RULES: Mapping[str, object] = {
    "Shares": DirichletCosts((2, 1, 1), "B"),
    "Two_classes": DirichletCosts((2, 5)),
    "Letters": IndependentCosts(("exponential(g)", "exponential(i)", "exponential(mean)")),
    "Gammas": IndependentCosts(("exponential(1/3)", "exponential(2)", "gamma(2, 1)")),
    "By_order": IndependentCosts(("uniform(0, b)", "uniform(0, b)", "uniform(0, 3)")),
    "Of_two": IndependentCosts(("beta(2, 1)", "uniform(0, b)")),
    "Exchanged": UNIFORM,
}
OF_LOSSES = {"proper", "strictly_proper"}
ON_AVERAGE = {"lawful_costs", "decisions_cost", "costs_are_proper"}


@cache
def text(name: str) -> str:
    return coq(derive({"Shares": SHARES, "Uniform": UNIFORM}[name]), library=False)


def test_the_theorems_are_properness_the_laws_and_the_expected_costs() -> None:
    of_costs = {f"{kind}{label}" for kind in ("lawful", "expected_cost") for label in range(3)}
    whole = coq(derive(SHARES))
    assert set(theorems(whole)) == OF_LOSSES | of_costs | ON_AVERAGE and left_out(whole) == ()
    short = coq(derive(SHARES), whole=False)
    assert set(theorems(short)) == OF_LOSSES and left_out(short) == ()
    assert len(coq(derive(SHARES), library=False).splitlines()) < 300


@with_coq
@pytest.mark.parametrize("name", RULES)
def test_coq_accepts_the_rules_on_the_axioms_of_the_reals_alone(name: str) -> None:
    answer = ask(combined({name: derive(RULES[name])}, whole=True))
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


OF_THE_RULE = {
    "a loss": (
        "p1 ^ 2 / (p0 + p1) ^ 2 + p2 ^ 2",
        "p1 ^ 2 / (p0 + p1) ^ 2 + 2 * p2 ^ 2",
        "all_of_them_sloped",
    ),
    "a slope": ("2 * p0 ^ 2 * p1 ^ 2 *", "3 * p0 ^ 2 * p1 ^ 2 *", "all_of_them_sloped"),
    "a sign": ("2 * p1 ^ 2 * p2 ^ 2 *", "- 2 * p1 ^ 2 * p2 ^ 2 *", "all_of_them_sloped"),
    "which slope": ("0, 1 | 1, 0", "0, 1", "all_of_them_sloped"),
    "forecasts of probability 0": (
        "forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk q q <= risk p q",
        "forall p q, positive_forecast 3 p -> risk q q <= risk p q",
        "proper",
    ),
    "reports that are not others": (
        ") -> risk q q < risk p q",
        ") \\/ True -> risk q q < risk p q",
        "strictly_proper",
    ),
}
OF_THE_COSTS = {
    "a distribution function": (
        ":= fun x => 1 - exp (- x)",
        ":= fun x => 1 - exp (- 2 * x)",
        "lawful0",
    ),
    "a density": (":= fun x => exp (- x)", ":= fun x => 2 * exp (- x)", "lawful0"),
    "the budget": (
        "costs_of_class 3 1 chance_below density_of_cost 0",
        "costs_of_class 3 2 chance_below density_of_cost 0",
        "expected_cost0",
    ),
    "the class": (
        "costs_of_class 3 1 chance_below density_of_cost 1 p (L 1 p)",
        "costs_of_class 3 1 chance_below density_of_cost 1 p (L 2 p)",
        "expected_cost1",
    ),
    "a factor of what is paid": (
        "paid_on_average 3 1 density_of_cost",
        "paid_on_average 3 2 density_of_cost",
        "decisions_cost",
    ),
    "a loss of what is paid": (
        "density_of_cost label report (L label report)",
        "density_of_cost label report (L 0%nat report)",
        "decisions_cost",
    ),
    "costs that are not expected": (
        "expected_of 3 1 density_of_cost (seq 0 3) label report (E label report)",
        "expected_of 3 1 density_of_cost (seq 0 3) label report (E 0%nat report)",
        "costs_are_proper",
    ),
}
MUTANTS = of_one_file(text, "Shares", OF_THE_RULE | OF_THE_COSTS)

OF_THE_ORDERS = {
    "a loss": ("1 / 2 - p0 ^ 2 / (4 * p1 * p2)", "1 / 3 - p0 ^ 2 / (4 * p1 * p2)", "agree1_2"),
    "a slope": ("p0 ^ 2 / (4 * p2 * p1 ^ 2)", "p0 ^ 2 / (5 * p2 * p1 ^ 2)", "all_of_them_sloped_in1"),
    "an order": (
        "[(0%nat, 1); (1%nat, 1); (2%nat, 1)] L_in1",
        "[(0%nat, 1); (2%nat, 1)] L_in1",
        "signed_order1",
    ),
    "what a mark weighs": ("(1%nat, 1); (2%nat, 1)] L_in1", "(1%nat, 2); (2%nat, 1)] L_in1", "signed_order1"),
    "an order that is missing": ("[order1; order2; order3;", "[order2; order3;", "all_right"),
    "forecasts of probability 0": (
        "forall p q, positive_forecast 3 p -> positive_forecast 3 q -> risk q q <= risk p q",
        "forall p q, positive_forecast 3 p -> risk q q <= risk p q",
        "proper",
    ),
    "a bound": (
        "Definition bound (label : nat) : R := 1",
        "Definition bound (label : nat) : R := 2",
        "laws_up_to_bounds",
    ),
    "a distribution function": (": list R := [0; 1]", ": list R := [0; 0; 1]", "costs_in_order1"),
    "a law that starts above 0": (": list R := [0; 1]", ": list R := [1 / 2; 1 / 2]", "laws_up_to_bounds"),
    "a density that is negative": (": list R := [0; 1]", ": list R := [0; - 1; 2]", "laws_up_to_bounds"),
    "a factor": ("costs_of_order 3 1 bound", "costs_of_order 3 2 bound", "costs_in_order1"),
    "the class": (
        "costs_of_class 3 1 chance_below density_of_cost label report (L label report)",
        "costs_of_class 3 1 chance_below density_of_cost label report (L 0%nat report)",
        "expected_cost",
    ),
    "a loss of what is paid": (
        "paid_on_average 3 1 density_of_cost label report (L label report)",
        "paid_on_average 3 1 density_of_cost 0 report (L label report)",
        "decisions_cost",
    ),
    "costs of one order of integration": (
        "(seq 0 3) label report (E label report)",
        "(label :: others 3 label) label report (E label report)",
        "costs_are_proper",
    ),
}
ORDER_MUTANTS = of_one_file(text, "Uniform", OF_THE_ORDERS)


@with_coq
@pytest.mark.parametrize("what", OF_THE_ORDERS)
def test_coq_stops_where_a_change_of_losses_by_orders_breaks_them(what: str, beside: Path) -> None:
    ORDER_MUTANTS.require_rejected(what, beside)


def test_expected_costs_of_losses_by_orders_are_integrated_in_pieces() -> None:
    assert set(theorems(text("Uniform"))) == OF_LOSSES | ON_AVERAGE | {"expected_cost"}
    assert left_out(text("Uniform")) == ()


def test_costs_without_a_bound_are_not_integrated_in_pieces() -> None:
    rule = classes_of(derive(RULES["Letters"]))
    with pytest.raises(ExportError, match="beyond its bound"):
        bounded_costs(rule.costs)


def test_classes_with_the_same_law_are_exchanged_in_all_orders() -> None:
    rule = classes_of(derive(UNIFORM))
    assert isinstance(rule, OrderedRule)
    assert {tuple(mark.label for mark in cell.order) for cell in rule.cells} == set(permutations(range(3)))
    for cell in rule.cells:
        weights = {mark.label: 3 + place for place, mark in enumerate(cell.order)}
        values = {sympy.Symbol(f"p{label}", positive=True): weight for label, weight in weights.items()}
        for label, loss in enumerate(cell.losses):
            assert float(loss.subs(values)) == pytest.approx(_uniform_loss(label, weights), rel=1e-12)


def _uniform_loss(label: int, weights: Mapping[int, int]) -> float:
    """Integrate the cost of a class in [0, 1] times the chance that another one has a greater weighed cost."""
    ratios = [weights[label] / weights[other] for other in weights if other != label]
    ends = sorted({0.0, 1.0, *[1 / ratio for ratio in ratios if ratio > 1]})
    return float(quad(lambda x: x * (1 - min(1, ratios[0] * x) * min(1, ratios[1] * x)), ends))


@with_coq
@pytest.mark.parametrize("what", MUTANTS.changes)
def test_coq_stops_at_the_theorem_that_a_change_breaks(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


@pytest.mark.parametrize(
    "context, problem",
    [
        (IndependentCosts(("uniform(0, 1)",) * 4), "24 orders"),
        (IndependentCosts(("uniform(1, 2)", "uniform(0, 1)", "uniform(0, 1)")), "several bounds"),
        (IndependentCosts(("uniform(0, 1)", "exponential(1)", "exponential(1)")), "no rational function"),
        (DirichletCosts((1, 1, 1, 1)), "too long"),
    ],
)
def test_other_laws_of_the_costs_are_refused(context: object, problem: str) -> None:
    with pytest.raises(ExportError, match=problem):
        coq(derive(context))
