"""Published claims: each verdict, what changes it, the numbers behind it, hostile files, and the command."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import pytest

import costderive as cd
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.literature import Decision, Published, Verdict, decide, read, templates
from costderive.literature.kinds import KINDS
from costderive.literature.published import published
from costderive.publish.words.sources import SOURCES

ROOT = Path(__file__).parent.parent
ROOM = ROOT / "costderive" / "literature"
CONFIRMED, CORRECTED, INCOMPLETE = Verdict.CONFIRMED, Verdict.CORRECTED, Verdict.PROOF_INCOMPLETE
TRIED = Verdict.TRIED

EXPECTED = {
    "ahmadian-algorithm-2": CORRECTED,
    "ahmadian-algorithm-3": CORRECTED,
    "ahmadian-algorithm-4": CORRECTED,
    "ahmadian-eq-11": CONFIRMED,
    "ahmadian-eq-16": CORRECTED,
    "ahmadian-eq-18": CORRECTED,
    "ahmadian-eq-34": CONFIRMED,
    "ahmadian-eq-42": CORRECTED,
    "ahmadian-eq-43": CORRECTED,
    "ahmadian-section-1-example": CONFIRMED,
    "ahmadian-section-3-f-measure": CORRECTED,
    "ahmadian-definition-3": CONFIRMED,
    "ahmadian-definition-4": CONFIRMED,
    "ahmadian-theorem-1": CONFIRMED,
    "ahmadian-theorem-2": INCOMPLETE,
    "ahmadian-theorem-3": CONFIRMED,
    "ahmadian-theorem-4": CORRECTED,
    "ahmadian-theorem-5-pbs": CORRECTED,
    "ahmadian-theorem-5-pbs-general": CORRECTED,
    "ahmadian-theorem-5-pll": CORRECTED,
    "ahmadian-theorem-5-pll-general": CORRECTED,
    "ahmadian-theorem-6-pbs": CONFIRMED,
    "ahmadian-theorem-6-pll": CONFIRMED,
    "flach-eq-4": CONFIRMED,
    **{f"flach-eq-{number}": CONFIRMED for number in (1, 2, 3, 5, 6, 7, 8, 9, *range(11, 21))},
    **{f"flach-eq-{number}-general": TRIED for number in (4, 9, 16, 20)},
    "flach-section-1-contexts": CONFIRMED,
    "flach-section-1-costs": CORRECTED,
    "flach-section-4-always-positive": CORRECTED,
    "flach-section-5-commensurate": CONFIRMED,
    "flach-section-5-euclidean": CORRECTED,
    "flach-theorem-1": CONFIRMED,
    **{f"grygorian-eq-{number}": CONFIRMED for number in (1, 2, 9, 12, 13, 14, 19, 21, 22)},
    "grygorian-eq-4": CORRECTED,
    "grygorian-eq-8": CORRECTED,
    "grygorian-section-2-rates": CORRECTED,
    "grygorian-section-2-minimal": CONFIRMED,
    "grygorian-section-4-bounds": CORRECTED,
    "grygorian-section-4-substitution": CONFIRMED,
    "grygorian-eq-25": CORRECTED,
    "grygorian-eq-28": CORRECTED,
    **{f"grygorian-eq-{number}": CONFIRMED for number in (26, 27, 29, 30, 31, 32, 33)},
    "grygorian-eq-36": CORRECTED,
    "grygorian-introduction-additive": CONFIRMED,
    "grygorian-introduction-harmonic": CORRECTED,
    "grygorian-lemma-1": TRIED,
    "grygorian-lemma-2": CONFIRMED,
    "grygorian-section-2-calibration": CONFIRMED,
    "grygorian-section-2-costs": CORRECTED,
    "grygorian-section-2-threshold": CORRECTED,
    "grygorian-section-3-brier": CORRECTED,
    "grygorian-section-3-entropies": CONFIRMED,
    "grygorian-section-3-example": CONFIRMED,
    "grygorian-section-4-rates": CORRECTED,
    "grygorian-section-5-calibration": CORRECTED,
    "grygorian-section-5-costs": CORRECTED,
    "grygorian-theorem-1": CONFIRMED,
    "grygorian-theorem-2": INCOMPLETE,
    "grygorian-theorem-3": CONFIRMED,
    "grygorian-theorem-4": INCOMPLETE,
    "parry-eq-4": CONFIRMED,
    "parry-eq-8": CONFIRMED,
    "parry-eq-30": TRIED,
    "parry-eq-31": INCOMPLETE,
    "parry-figure-1": CONFIRMED,
    "parry-lemma-2": TRIED,
    "parry-section-2-additive-homogeneous": TRIED,
    "parry-section-2-weighted": TRIED,
    "parry-eq-6": CONFIRMED,
    "parry-eq-7": CONFIRMED,
    "parry-eq-9": CONFIRMED,
    "parry-eq-10": TRIED,
    "parry-eq-12": CONFIRMED,
    "parry-eq-13": CONFIRMED,
    "parry-eq-15": TRIED,
    "parry-eq-15-logistic": CONFIRMED,
    "parry-eq-16": CONFIRMED,
    "parry-eq-17": CONFIRMED,
    "parry-eq-21": CONFIRMED,
    "parry-eq-22": CONFIRMED,
    "parry-eq-23": INCOMPLETE,
    "parry-eq-25": CONFIRMED,
    "parry-eq-27": CONFIRMED,
    "parry-lemma-1": INCOMPLETE,
    "parry-section-2-auc": CONFIRMED,
    "parry-section-2-auc-counted": CONFIRMED,
    "parry-section-2-auc-independent": CONFIRMED,
    "parry-section-5": CORRECTED,
    "slides-absolute-loss": CONFIRMED,
    "slides-brier-score": CONFIRMED,
    "slides-log-loss": CONFIRMED,
    "slides-zero-one-loss": CONFIRMED,
}


CLAIMS = {claim.id: claim for claim in published()}


@functools.cache
def decided(name: str) -> Decision:
    return decide(CLAIMS[name])


def shown(decision: Decision) -> str:
    answers = (*decision.answers, *decision.amended, *decision.premises)
    return "\n".join(
        line for answer in answers for line in (*answer.ruling.evidence, *answer.ruling.correction)
    )


# ---- verdicts


def test_every_published_claim_has_an_expected_verdict() -> None:
    assert sorted(CLAIMS) == sorted(EXPECTED)
    assert cd.claims.list() == published()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_verdict_is_the_expected_one(name: str) -> None:
    assert decided(name).verdict is EXPECTED[name], shown(decided(name))


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if EXPECTED[name] is CORRECTED))
def test_correction_says_what_holds_instead(name: str) -> None:
    decision = decided(name)
    derived = [line for ruling in decision.rulings for line in ruling.correction]
    assert derived or decision.amended


def test_no_verdict_is_stored() -> None:
    """Files have no key for it, and the code names no claim, apart from one in an example that runs."""
    for file in (ROOM / "published").iterdir():
        keys = re.findall(r"^(\w+) =", file.read_text("utf-8"), flags=re.M)
        assert not {"verdict", "expected", "outcome"} & set(keys)
    code = "".join(file.read_text("utf-8") for file in ROOM.glob("*.py"))
    assert [name for name in EXPECTED if f'"{name}"' in code] == ["flach-eq-11"]


# ---- files


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_file_says_where_the_claim_stands(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.source in SOURCES or " " in claim.source
    assert claim.where and claim.statement and len(claim.title) < 80
    assert claim.checks and all(
        table["kind"] in KINDS for table in (*claim.checks, *claim.amended, *claim.premises)
    )


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_published_claim_quotes_a_few_words_of_its_source(name: str) -> None:
    claim = CLAIMS[name]
    assert 2 < len(claim.quote.split()) <= 25
    letters = re.sub(r"[\W_]", "", claim.quote).lower()
    assert claim.fingerprint == hashlib.sha256(letters.encode()).hexdigest()
    assert bool(claim.page) == (claim.source in ("Grygorian2019", "Parry2016"))


def test_hash_of_a_quote_survives_another_copy_and_no_other_words() -> None:
    claim = CLAIMS["parry-eq-25"]
    assert (
        replace(claim, quote="This is the only thresh-\nold that is  appropriate").fingerprint
        == claim.fingerprint
    )
    assert replace(claim, quote="This is the best threshold").fingerprint != claim.fingerprint
    assert replace(claim, quote="").fingerprint == ""


def test_every_kind_of_check_is_used() -> None:
    tables = [table for claim in published() for table in (*claim.checks, *claim.amended, *claim.premises)]
    assert {table["kind"] for table in tables} == set(KINDS) - set(templates.UNPUBLISHED)


# ---- what changes a verdict


def plus(text: str, more: str) -> str:
    """Add to a function by cases, to its last case."""
    return f"{text} + {more}"


FALSIFIED = {
    "ranking": lambda x: (
        {**x, "largest": plus(x["largest"], "1/K")}
        if "largest" in x
        else {**x, "superior": not x["superior"]}
    ),
    "batch": lambda x: {**x, "says": "proper" if x["says"] == "improper" else "strictly proper"},
    "losses": lambda x: {**x, "loss0": plus(x["loss0"], "p*(1 - p)")},
    "expected-loss": lambda x: {**x, "terms": [negated(x["terms"][0], "integrand"), *x["terms"][1:]]},
    "proper": lambda x: {
        **x,
        "says": "strictly proper" if x["says"] == "improper" else "improper",
    },
    "classes": lambda x: {**x, "says": "improper"},
    "proper-only-if": lambda x: {**x, "value": f"({x['value']})/2"},
    "sum-of-classes": lambda x: {**x, "own": plus(x["own"], "(1 - p)^3")},
    "superior": lambda x: {**x, "loss0": x["loss1"], "loss1": x["loss0"]},
    "entropy": lambda x: {**x, "entropy": plus(x["entropy"], "p*(1 - p)")},
    "generates": lambda x: {**x, "entropy": f"{x['entropy']} - p^2"},
    "identity": lambda x: {**x, "right": f"{x['right']} + 1/7"},
    "confusion": lambda x: {**x, "right": f"{x['right']} + 1/7"},
    "inequality": lambda x: {**x, "left": x["right"], "right": x["left"]},
    "value": lambda x: {**x, "printed": x["printed"][:-1] + str((int(x["printed"][-1]) + 5) % 10)},
    "slope": lambda x: {**x, "left": f"-({x['left']})"},
    "concave": lambda x: negated(x, "of"),
    "supremum": lambda x: {**x, "value": f"{x['value']} + 1/7"},
    "by-parts": lambda x: {**x, "parts": [negated(x["parts"][0], "kernel"), *x["parts"][1:]]},
    "auc": lambda x: {**x, "formula": f"1 - {x['formula']}"},
    "range": lambda x: {**x, "values": [x["values"][0], f"{x['values'][1]} + 1/7"]},
    "measure": lambda x: {**x, "says": {"proper": "improper", "improper": "proper"}[x["says"]]},
}


def negated(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {**table, key: f"-({table[key]})"}


def one_check(claim: Published, table: Mapping[str, Any]) -> Published:
    return replace(claim, checks=(table,), amended=(), premises=(), shown=None, tried="")


CHECKS = [
    (name, index)
    for name, verdict in EXPECTED.items()
    if verdict in (CONFIRMED, INCOMPLETE, TRIED)
    for index in range(len(CLAIMS[name].checks))
]


def test_every_kind_that_is_confirmed_can_be_falsified() -> None:
    assert {CLAIMS[name].checks[index]["kind"] for name, index in CHECKS} <= set(FALSIFIED)


def test_falsified_statements_are_not_confirmed() -> None:
    survivors = []
    for name, index in CHECKS:
        table = CLAIMS[name].checks[index]
        false = FALSIFIED[table["kind"]](table)
        if decide(one_check(CLAIMS[name], false)).verdict not in (CORRECTED, Verdict.REFUTED):
            survivors.append((name, index, false))
    assert survivors == []
    assert len(CHECKS) > 90


@pytest.mark.parametrize("part", [0, 1])
def test_changed_boundary_term_is_refuted(part: int) -> None:
    claim = CLAIMS["grygorian-eq-31"]
    table = dict(claim.checks[0])
    table["boundary"] = f"{table['boundary']} + ({('1/100', 'B0 - B1')[part]})"
    assert decide(one_check(claim, table)).verdict is CORRECTED


@pytest.mark.parametrize(
    ("name", "index", "change"),
    [
        ("grygorian-section-2-costs", 0, {"printed": "0.79328"}),
        ("grygorian-section-2-costs", 1, {"printed": "0.35030"}),
        ("ahmadian-theorem-4", 0, {"value": "ln(2)"}),
        ("grygorian-section-3-brier", 0, {"loss0": "p^2", "loss1": "(1 - p)^2"}),
        ("ahmadian-theorem-5-pbs", 0, {"loss1": "2*(1 - p)^2 + 1/2 if p <= 1/2; 2*(1 - p)^2"}),
        ("ahmadian-theorem-5-pll", 0, {"loss0": "-ln(1 - p) if p < 1/2; -ln(1 - p) + ln(2)"}),
        ("grygorian-section-2-threshold", 0, {"left": "f1/(f0 + f1)"}),
        ("grygorian-section-5-costs", 0, {"left": "FN*c0 + FP*c1"}),
    ],
)
def test_mended_statement_is_confirmed(name: str, index: int, change: dict[str, str]) -> None:
    table = {**CLAIMS[name].checks[index], **change}
    assert decide(one_check(CLAIMS[name], table)).verdict is CONFIRMED


def test_general_bounds_with_every_piece_are_confirmed() -> None:
    """The pieces that the printed integral lacks, for c0 on [1, 2] and c1 on [1, 3]: c1 starts at (1 - s)/s there."""
    factor = "c1^2/(1 - s)^2/2"
    ranges = [
        ((["1/4", "2/5"]), ["(1 - s)/s", 3]),
        ((["2/5", "1/2"]), ["(1 - s)/s", "2*(1 - s)/s"]),
        ((["1/2", "2/3"]), [1, "2*(1 - s)/s"]),
    ]
    terms = [
        {"class": label, "s": s, "c1": c1, "integrand": f"{factor}{('*s/(1 - s)', '')[label]}"}
        for label in (0, 1)
        for s, c1 in ranges
    ]
    claim = CLAIMS["grygorian-eq-36"]
    table = {**without(claim.checks[0], "where"), "terms": terms}
    assert decide(one_check(claim, table)).verdict is CONFIRMED


def without(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


def test_statement_that_fails_without_a_correction_is_refuted() -> None:
    claim = CLAIMS["grygorian-section-5-costs"]
    assert decide(replace(claim, amended=())).verdict is Verdict.REFUTED
    false = {"kind": "identity", "left": "a", "right": "b"}
    assert decide(replace(claim, amended=(false,))).verdict is Verdict.REFUTED


def test_proof_that_shows_every_condition_is_complete() -> None:
    claim = CLAIMS["grygorian-theorem-4"]
    assert len(decided(claim.id).missing) == 3
    assert decide(replace(claim, shown=("stationary", "sign", "breakpoints", "ends"))).verdict is CONFIRMED
    assert decide(replace(claim, shown=("stationary", "sign", "ends"))).missing == (
        "the losses join at their breakpoints",
    )
    assert decide(replace(claim, shown=None)).verdict is CONFIRMED


def test_proof_with_a_premise_that_holds_is_complete() -> None:
    claim = CLAIMS["parry-lemma-1"]
    premise = {**claim.premises[0], "where": {"w": "3/4", "Q": "ln(w/(1 - w))"}}
    assert decide(replace(claim, premises=(premise,))).verdict is TRIED
    assert decide(replace(claim, premises=(premise,), tried="")).verdict is CONFIRMED


def test_false_amendment_of_a_proper_rule_is_not_a_correction() -> None:
    """The absolute loss is improper, and no value at a tie mends it."""
    claim = one_check(
        CLAIMS["slides-absolute-loss"], {"kind": "proper", "loss0": "p", "loss1": "1 - p", "says": "proper"}
    )
    assert decide(claim).verdict is Verdict.REFUTED


def test_what_only_digits_support_is_undecided() -> None:
    claim = one_check(
        CLAIMS["grygorian-lemma-2"], {"kind": "inequality", "left": "ln(a)", "right": "a - 1", "weak": True}
    )
    assert decide(claim).verdict is Verdict.UNDECIDED


def test_false_witness_shows_nothing() -> None:
    table = {"kind": "proper", "loss0": "p^2", "loss1": "(1 - p)^2", "says": "improper"}
    claim = one_check(CLAIMS["grygorian-theorem-2"], {**table, "witness": {"belief": "1/3", "report": "1/2"}})
    assert decide(claim).verdict is Verdict.UNDECIDED


def verdict_on(table: Mapping[str, Any]) -> Verdict:
    return decide(one_check(CLAIMS["flach-eq-6"], table)).verdict


RISING = {"rate": "2*s", "kernel": "s^2"}


@pytest.mark.parametrize(
    "table",
    [
        {"kind": "supremum", "expression": "p", "on": {"p": [0, 1]}, "at": 2, "value": 2},
        {"kind": "by-parts", "whole": True, "parts": [{"class": 0, "s": [1, 0], **RISING}]},
        # each part is wrong, and the sum is right
        {
            "kind": "by-parts",
            "whole": True,
            "parts": [
                {"class": 0, "s": [0, 1], "rate": "2*s", "kernel": "s^3"},
                {"class": 0, "s": [0, 1], "rate": "3*s^2", "kernel": "s^2"},
            ],
        },
        # the kernel has no limit where its factor does not vanish
        {
            "kind": "by-parts",
            "whole": True,
            "parts": [{"class": 0, "s": [0, 1], "rate": "1/s", "kernel": "ln(s)"}],
        },
        {
            "kind": "expected-loss",
            "context": {"kind": "additive"},
            "terms": [{"class": 0, "s": [1, 0], "integrand": "2*s*pi0"}],
        },
        {
            "kind": "expected-loss",
            "context": {"kind": "additive"},
            "terms": [{"class": 0, "s": [0, 2], "integrand": "2*s*pi0"}],
        },
        {
            "kind": "expected-loss",
            "context": {"kind": "fixed", "c0": 1, "c1": 1},
            "terms": [{"class": 0, "s": [0, 1], "integrand": "2*s*pi0"}],
        },
        {"kind": "identity", "left": "1/x", "right": "1/x", "where": {"x": 0}},
        {"kind": "value", "expression": "a", "printed": "1"},
        {"kind": "superior", "loss0": "p^2", "loss1": "(1 - p)^2", "between": "a"},
    ],
)
def test_statement_that_is_not_well_posed_stays_undecided(table: Mapping[str, Any]) -> None:
    assert verdict_on(table) is Verdict.UNDECIDED


@pytest.mark.parametrize(
    "table",
    [
        {
            "kind": "by-parts",
            "whole": True,
            "parts": [{"class": 0, "s": [0, 1], "rate": "2*s", "kernel": "s^2 + 1"}],
        },
        {"kind": "proper", "loss0": "1 if p = 0; p^2", "loss1": "(1 - p)^2", "says": "strictly proper"},
        {"kind": "proper", "loss0": "p^2", "loss1": "(1 - p)^2", "says": "proper, not strictly"},
        {
            "kind": "losses",
            "context": {"kind": "additive"},
            "threshold": "1/2",
            "loss0": "0 if p < 1/2; 1",
            "loss1": "1 if p <= 1/2; 0",
        },
        {
            "kind": "entropy",
            "loss0": "p^2",
            "loss1": "(1 - p)^2",
            "entropy": "p*(1 - p) if p < 1/3; 5 if p = 1/3; p*(1 - p)",
        },
        {"kind": "inequality", "left": "a", "right": "a"},
        {"kind": "identity", "left": "(a + b)^1000", "right": "0"},
    ],
)
def test_statement_that_fails_at_one_point_or_by_a_constant_fails(table: Mapping[str, Any]) -> None:
    assert verdict_on(table) in (CORRECTED, Verdict.REFUTED)


def test_long_numbers_are_not_written_out() -> None:
    decision = decide(
        one_check(CLAIMS["flach-eq-6"], {"kind": "identity", "left": "(a + b)^1000", "right": "0"})
    )
    assert "about 1.3221e+477" in shown(decision)


# ---- the numbers, by other means


def test_general_bounds_lose_95_over_54_instead_of_three_halves() -> None:
    """The printed double integral over class 0 by quadrature, with F0 = 0 and the density 1/2 put in."""

    def inner(low: Any, high: Any) -> Any:
        return lambda s: mpmath.quad(lambda c: s * c**2 / (1 - s) ** 3, [low(s), high(s)]) / 2

    first = mpmath.quad(inner(lambda s: 1, lambda s: 3), [0.25, 0.4])
    second = mpmath.quad(inner(lambda s: 1, lambda s: 2 * (1 - s) / s), [0.4, mpmath.mpf(2) / 3])
    assert mpmath.almosteq(first + second, mpmath.mpf(95) / 54, 1e-12)
    assert "95/54 ≈ 1.7593, and the expected loss is 3/2" in shown(decided("grygorian-eq-36"))


def test_harmonic_costs_with_c0_uniform_lose_seven_over_72_at_one_half() -> None:
    """L0(1/2) is E[c0; t < 1/2]: with 1/c0 + 1/c1 = 2 the threshold is below 1/2 where c0 < 1."""
    loss = mpmath.quad(lambda c: c / mpmath.mpf("2.25"), [0.75, 1])
    assert mpmath.almosteq(loss, mpmath.mpf(7) / 72, 1e-12)
    text = shown(decided("grygorian-introduction-harmonic"))
    assert "at p = 1/2: ln(2)/2 ≈ 0.34657 but 7/72 ≈ 0.097222" in text


def test_costs_of_the_thesis_are_as_computed_from_the_normal_distribution() -> None:
    def cost(x: Any) -> Any:
        return (9 * (1 - mpmath.ncdf(x + 1)) + mpmath.ncdf(x - 1)) / 2

    text = shown(decided("grygorian-section-2-costs"))
    for threshold in (0, mpmath.log(9) / 2):
        assert mpmath.nstr(cost(threshold), 8) in text


def test_penalised_brier_score_expects_less_of_a_tie_than_of_the_truth() -> None:
    """Belief 2/5: 0.48 without the penalty, 0.68 with it when truthful, 0.5 at a tie that costs neither class."""

    def risk(report: float, belief: float) -> float:
        wrong = {True: belief, False: 1 - belief}[report < 0.5] if report != 0.5 else 0
        return 2 * ((1 - belief) * report**2 + belief * (1 - report) ** 2) + wrong / 2

    assert risk(0.4, 0.4) == pytest.approx(0.68) and risk(0.5, 0.4) == pytest.approx(0.5)
    decision = decided("ahmadian-theorem-5-pbs")
    assert "17/25 ≈ 0.68 but 12/25 ≈ 0.48" in shown(decision)
    witness = decision.derived.derivation.witness
    numbers = float(witness.report), float(witness.belief), float(witness.truthful), float(witness.better)
    report, belief, truthful, better = numbers
    assert risk(belief, belief) == pytest.approx(truthful) and risk(report, belief) == pytest.approx(better)
    assert better < truthful


# ---- hostile files


def test_unknown_claim_names_the_nearest() -> None:
    with pytest.raises(SpecError, match='Did you mean "grygorian-eq-36"'):
        decide("grygorian-eq-63")


HEAD = 'title = "t"\nsource = "Flach2015"\nwhere = "w"\nstatement = "s"\n'
IDENTITY = '[[checks]]\nkind = "identity"\nleft = "{}"\nright = "0"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "title is missing"),
        (HEAD, "checks is missing"),
        (HEAD + "checks = []", "checks = .* is not a list"),
        (HEAD + "verdict = 'confirmed'\n", "verdict = 'confirmed' is an unknown key"),
        (HEAD.replace("Flach2015", "Flach2051") + IDENTITY, "'Flach2051' is not a known source"),
        (HEAD + "[[checks]]\nkind = 'magic'\n", "kind = 'magic' is not a kind of check"),
        (HEAD + "[[checks]]\nkind = 'identity'\nleft = '1'\n", r"right is missing"),
        (HEAD + IDENTITY.format("__import__('os')"), "left"),
        (HEAD + IDENTITY.format("9^9^9^9"), "left"),
        (HEAD + IDENTITY.format("(" * 300), "left"),
        (
            HEAD + "[[checks]]\nkind = 'proper'\nloss0 = 'q'\nloss1 = '1'\nsays = 'proper'\n",
            r"checks\[0\]: loss0",
        ),
        (
            HEAD + "[[checks]]\nkind = 'proper'\nloss0 = 'p'\nloss1 = '1'\nsays = 'nice'\n",
            "'nice' is not known",
        ),
        (HEAD + "[[checks]]\nkind = 'value'\nexpression = '1'\nprinted = 'nan'\n", "'nan' is not a decimal"),
        (HEAD + "shown = ['all']\n" + IDENTITY.format("0"), "'all' is not a condition"),
        (HEAD + f"quote = '{'word ' * 26}'\n" + IDENTITY.format("0"), "Quote 1 to 25 words"),
        (HEAD + "quote = '...'\n" + IDENTITY.format("0"), "Quote 1 to 25 words"),
        ("a = " + "[" * 3000, "line 1 has 3004 characters"),
        ("x" * 70_000, "more than 65536 characters"),
    ],
)
def test_bad_file_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        decide(read(text, "mine"))


@pytest.mark.parametrize("name", ["../mine", "Mine", "mine claim", "m" * 100, "\x1b[2J"])
def test_bad_id_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="not an id"):
        read(HEAD + IDENTITY.format("0"), name)


def test_file_of_ones_own_is_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        HEAD.replace("Flach2015", "A talk, 2026") + IDENTITY.format("(a + b)^2 - a^2 - 2*a*b - b^2"), "utf-8"
    )
    assert main(["claims", str(file)]) == 0
    assert "A talk, 2026; w" in capsys.readouterr().out
    file.write_text(HEAD + '[[checks]]\nkind = "inequality"\nleft = "ln(a)"\nright = "a"\n', "utf-8")
    assert main(["claims", str(file)]) == 1
    assert "Verdict     undecided" in capsys.readouterr().out
    file.write_text(HEAD + IDENTITY.format("a - b"), "utf-8")
    assert main(["claims", str(file)]) == 1, "a refuted claim of one's own is no success"
    assert "Verdict     refuted" in capsys.readouterr().out
    file.write_bytes(b"\xff\xfe")
    assert main(["claims", str(file)]) == 2
    assert main(["claims", str(tmp_path / "none.toml")]) == 2


# ---- the command


SOME = ("flach-eq-13", "grygorian-section-3-brier", "parry-eq-23")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = tuple(CLAIMS[name] for name in SOME)
    monkeypatch.setattr("costderive.claims.published.published", lambda: claims)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_table_shows_each_claim_with_its_verdict(
    columns: int, few: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["claims"]) == 0
    out = capsys.readouterr().out
    for name in SOME:
        assert re.search(rf"{name} +{EXPECTED[name]} +[0-9.]+ s", out)
        assert CLAIMS[name].title in " ".join(out.split())
    assert "3 claims: 1 confirmed, 1 corrected (1 convention), 1 proof incomplete." in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= columns


@pytest.mark.parametrize("columns", [80, 120])
def test_claim_is_shown_whole(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["claims", "grygorian-section-3-brier", "grygorian-theorem-4"]) == 0
    out = capsys.readouterr().out
    assert "Verdict     corrected" in out and "Verdict     proof incomplete" in out
    assert "    L₀(p) = p²\n" in out and "the losses join at their breakpoints" in out
    assert max(map(len, out.splitlines())) <= columns


def test_decisions_are_written_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "grygorian-section-3-brier", "--json", "-"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert (claim["id"], claim["verdict"]) == ("grygorian-section-3-brier", "corrected")
    quoted = CLAIMS["grygorian-section-3-brier"]
    assert (claim["quote"], claim["page"]) == (quoted.quote, "18–19, 28–31")
    assert claim["quote_sha256"] == quoted.fingerprint
    assert claim["answers"][0]["correction"] == ["L₀(p) = p²", "L₁(p) = (1 − p)²"]


def test_derivation_of_a_claim_is_written_as_an_article(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "claim.tex"
    assert main(["claims", "grygorian-theorem-4", "--latex", str(file)]) == 0
    assert r"\begin{theorem}" in file.read_text("utf-8")
    assert main(["claims", "flach-eq-13", "--latex", str(file)]) == 2
    assert "decided without a derivation" in capsys.readouterr().err
    assert main(["claims", "flach-eq-13", "--latex", "-", "--json", "-"]) == 2


def test_unknown_id_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "flach-eq-99"]) == 2
    assert 'Did you mean "flach-eq-9"?' in capsys.readouterr().err


def test_readme_shows_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["claims", "ahmadian-theorem-5-pbs"]) == 0
    assert capsys.readouterr().out in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(templates.UNPUBLISHED)))
def test_each_kind_of_check_has_a_claim_to_start_from(kind: str) -> None:
    found, published_claim = read(templates.template(kind), "mine"), templates.example(kind)
    assert {check["kind"] for check in found.checks} == {kind}
    given = [*published_claim.amended, *published_claim.checks]
    assert found.checks[0] == next(check for check in given if check["kind"] == kind)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_claim_to_start_from_holds(kind: str) -> None:
    assert decide(read(templates.template(kind), "mine")).verdict is CONFIRMED


def test_the_kinds_of_checks_are_described_with_their_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--kinds"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for name, kind in KINDS.items():
        assert f"{name} {kind.about}; needs {', '.join(kind.required)}" in said


def test_a_claim_of_an_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", "--new", "propr"]) == 2
    assert 'Did you mean "proper"?' in capsys.readouterr().err
