"""What the ledger of claims must not do: depend on an order, invent a witness, put the truth in, or say too much."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import Any

import mpmath
import pytest

from costderive.core.errors import SpecError
from costderive.literature import Decision, Verdict, decide, read
from costderive.literature.decision import Answer
from costderive.literature.kinds import question
from costderive.literature.published import SLIPS, published
from costderive.literature.report import claim_text, totals

CLAIMS = {claim.id: claim for claim in published()}
HEAD = 'title = "t"\nsource = "A talk, 2026"\nwhere = "w"\nstatement = "s"\n'


def decided(checks: str, head: str = HEAD) -> Decision:
    return decide(read(head + checks, "mine"))


def identity(left: str, right: str, where: str = "", kind: str = "identity") -> str:
    table = f'[[checks]]\nkind = "{kind}"\nleft = "{left}"\nright = "{right}"\n'
    return table + (f"where = {{{where}}}\n" if where else "")


def evidence(decision: Decision) -> str:
    answers: tuple[Answer, ...] = (*decision.answers, *decision.amended, *decision.premises)
    return "\n".join(line for answer in answers for line in answer.ruling.evidence)


# ---- definitions of letters


@pytest.mark.parametrize("order", list(itertools.permutations(['x = "y^2"', 'y = "2*z"', 'z = "3"'])))
def test_definitions_hold_in_any_order(order: tuple[str, ...]) -> None:
    assert decided(identity("x + y", "42", ", ".join(order))).verdict is Verdict.CONFIRMED
    assert decided(identity("x + y", "43", ", ".join(order))).verdict is Verdict.REFUTED


@pytest.mark.parametrize("where", ['x = "x + 1"', 'x = "y", y = "x"', 'x = "2*y", y = "z", z = "1/x"'])
def test_definitions_in_a_circle_are_refused(where: str) -> None:
    with pytest.raises(SpecError, match="circle"):
        decided(identity("x", "1", where))


def test_derivatives_may_go_round_in_a_circle() -> None:
    """The exponential function is its own derivative, and that is no definition."""
    table = '[[checks]]\nkind = "slope"\nleft = "g"\nright = "g"\nrates = {g = "g"}\n'
    assert decided(table).verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("left", "right", "where"),
    [
        ("F0", "F1", 'F0 = "41/7", F1 = "1/2"'),
        ("c0", "c1", 'c0 = "-1", c1 = "1"'),
        ("q", "1", 'q = "a + 2"'),
        ("pi0", "1/3", 'pi0 = "1/2", pi1 = "1/3"'),
    ],
)
def test_definitions_that_nothing_satisfies_refute_nothing(left: str, right: str, where: str) -> None:
    for kind in ("identity", "inequality"):
        assert decided(identity(left, right, where, kind)).verdict is Verdict.UNDECIDED


def test_a_witness_satisfies_its_definitions() -> None:
    """F0 = x/7 is a probability for x up to 7 alone, and Q = 2 F0 - 1 is what the witness says it is."""
    found = decided(identity("Q", "0", 'Q = "2*F0 - 1", F0 = "x/7"'))
    assert found.verdict is Verdict.REFUTED
    assert "at x = 1, Q = −5/7, F₀ = 1/7: −5/7 but 0" in evidence(found)


def test_class_proportions_add_up_to_one_in_a_witness() -> None:
    found = decided(identity("pi0*F0 + pi1*F1", "F0"))
    assert found.verdict is Verdict.REFUTED and "π₀ = 2/3, π₁ = 1/3" in evidence(found)
    assert decided(identity("pi0 + pi1", "1")).verdict is not Verdict.REFUTED


@pytest.mark.parametrize(
    "check", [identity("F0", "1", kind="inequality"), identity("sqrt((1 - q)^2)", "1 - q")]
)
def test_what_holds_of_probabilities_is_not_refuted_by_larger_numbers(check: str) -> None:
    assert decided(check).verdict is not Verdict.REFUTED


# ---- rates of errors


@pytest.mark.parametrize(
    ("positive", "left", "right", "verdict"),
    [
        (0, "FP", "pi1*F1", Verdict.CONFIRMED),
        (0, "FP", "pi0*(1 - F0)", Verdict.REFUTED),
        (1, "FP", "pi0*(1 - F0)", Verdict.CONFIRMED),
        (1, "TP + FN", "pi1", Verdict.CONFIRMED),
        (0, "TP + FN", "pi1", Verdict.REFUTED),
    ],
)
def test_names_of_errors_follow_from_the_positive_class(
    positive: int, left: str, right: str, verdict: Verdict
) -> None:
    table = f'[[checks]]\nkind = "confusion"\nleft = "{left}"\nright = "{right}"\npositive = {positive}\n'
    assert decided(table).verdict is verdict


def test_no_file_says_what_false_positives_are() -> None:
    tables = [table for c in published() for table in (*c.checks, *c.amended, *c.premises)]
    assert not [table for table in tables if {"FP", "FN", "TP", "TN"} & set(table.get("where", {}))]


# ---- the sort of an error, and the scope of a statement


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_no_line_of_a_statement_compares_a_number_with_itself(name: str) -> None:
    claim = CLAIMS[name]
    for place in ("checks", "amended", "premises"):
        for table in getattr(claim, place):
            for line in question(table, place).formal():
                left, _, right = line.split(", where")[0].partition(" = ")
                assert left.strip() != right.strip(), line


def test_an_error_has_a_sort_and_only_an_error() -> None:
    claim = CLAIMS["flach-section-5-euclidean"]
    assert decide(claim).conclusion == "corrected: misprint"
    assert "Verdict     corrected: misprint" in claim_text(decide(claim), 100)
    true = decide(replace(claim, checks=claim.amended))
    assert (true.verdict, true.slip) == (Verdict.CONFIRMED, "")
    with pytest.raises(SpecError, match="'typo' is not known"):
        decided(identity("1", "1"), HEAD + 'slip = "typo"\n')


def test_each_sort_of_error_occurs_and_is_counted() -> None:
    assert {claim.slip for claim in published()} == {*SLIPS, ""}
    names = ("grygorian-section-2-costs", "flach-section-1-costs", "flach-section-5-euclidean")
    text = totals([decide(CLAIMS[name]) for name in names])
    assert text == "3 claims: 3 corrected (1 misprint, 1 convention, 1 simulation error)."


def test_a_statement_on_more_than_was_tried_is_not_confirmed() -> None:
    head = HEAD + 'tried = "two classes"\n'
    found = decided(identity("a + b", "b + a"), head)
    assert found.verdict is Verdict.TRIED and found.conclusion == "holds as tried: two classes"
    assert decided(identity("a", "b"), head).verdict is Verdict.REFUTED


# ---- entries against their sources, by other means


def test_the_integrals_of_class_1_in_equation_36_have_the_first_power_of_c1() -> None:
    """On [0, 1]^2 they give 1 where E[c1] = 1/2: by quadrature."""
    first = mpmath.quad(lambda s: mpmath.quad(lambda c: c, [0, 1]) / (1 - s) ** 2, [0, 0.5])
    second = mpmath.quad(lambda s: mpmath.quad(lambda c: c, [0, (1 - s) / s]) / (1 - s) ** 2, [0.5, 1])
    assert mpmath.almosteq(first + second, 1, 1e-9)
    terms = [term for term in CLAIMS["grygorian-eq-36"].checks[2]["terms"] if term["class"] == 1]
    assert [term["integrand"] for term in terms] == ["c1/(1 - s)^2"] * 2
    assert "the printed integrals give 1, and the expected loss is 1/2" in evidence(
        decide(CLAIMS["grygorian-eq-36"])
    )


@pytest.mark.parametrize("name", ["ahmadian-theorem-6-pbs", "ahmadian-theorem-6-pll"])
def test_theorem_6_is_decided_for_all_numbers_of_classes(name: str) -> None:
    assert all("classes" not in table for table in CLAIMS[name].checks)
    found = decide(CLAIMS[name])
    assert found.verdict is Verdict.CONFIRMED and "all K > 2" in found.answers[1].question.formal()[0]


def test_an_unpenalised_rule_is_not_superior_for_all_numbers_of_classes() -> None:
    table = '[[checks]]\nkind = "ranking"\nrule = "brier"\nsuperior = true\n'
    assert decided(table).verdict is Verdict.REFUTED
    assert decided(table + "penalised = true\n").verdict is Verdict.CONFIRMED


def test_a_wrong_prediction_may_have_the_smaller_brier_score_at_the_same_true_probability() -> None:
    """Eq. (27) of Ahmadian et al. fails for four classes."""

    def score(p: tuple[float, ...]) -> float:
        return (1 - p[0]) ** 2 + sum(x * x for x in p[1:])

    right, wrong = (0.3, 0.29, 0.29, 0.12), (0.3, 0.31, 0.195, 0.195)
    assert sum(right) == pytest.approx(1) and sum(wrong) == pytest.approx(1)
    assert max(right) == right[0] and max(wrong) == wrong[1] and score(right) > score(wrong)
    assert decide(CLAIMS["ahmadian-theorem-2"]).verdict is Verdict.PROOF_INCOMPLETE


def test_algorithm_3_as_listed_rewards_a_wrong_prediction() -> None:
    """With three classes and p = 0.4: log p less the payoff log(1/3) is more than log p."""
    assert mpmath.log(0.4) - mpmath.log(mpmath.mpf(1) / 3) > mpmath.log(0.4)
    found = decide(CLAIMS["ahmadian-algorithm-3"])
    assert [str(a.ruling.outcome) for a in found.answers] == ["holds", "fails"]
    assert found.conclusion == "corrected: misprint"


def test_independent_budgets_are_decided_for_every_law() -> None:
    budgets: list[Any] = [CLAIMS["flach-eq-4"], CLAIMS["flach-eq-9"], CLAIMS["flach-theorem-1"]]
    assert [claim.checks[0]["context"]["budget"] for claim in budgets] == ["b", "d", "d"]


def test_published_claims_say_of_what_sort_their_errors_are() -> None:
    """Each claim with an amended statement, which its printed one needs, names the sort of the error."""
    amended = Counter(bool(claim.slip) for claim in published() if claim.amended)
    assert amended[False] == 0
