"""Rules of a batch in the rest of the house: certificates, hostile ones, the command, articles, pages, the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sympy import Rational

import costderive as cd
from costderive.batch import (
    BatchDerivation,
    additive,
    auc_alone,
    from_entropy,
    homogeneous,
    lowest,
    rank_based,
)
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.proof.checker import latest
from costderive.proof.claims import Report, Step, Verdict
from costderive.publish.formats import terminal
from costderive.publish.formats.article import latex
from costderive.publish.formats.html_page import html
from costderive.rules import Judgement

TIE = ("0 if p < 1/2; 1/2 if p <= 1/2; 1", "1 if p < 1/2; 1/2 if p <= 1/2; 0")
DERIVED: dict[str, Callable[[], BatchDerivation]] = {
    "weighted": lambda: additive("q*(1 - q)", ("a", 2)),
    "costs": lambda: additive(cd.derive(cd.IndependentUniform(c0=(0, 1), c1=(0, 1)))),
    "symbolic costs": lambda: additive(cd.derive(cd.IndependentUniform(c0=("l", "h"), c1=(0, 1)))),
    "tie": lambda: additive(cd.prove(cd.rule_from_losses(*TIE)), (1, 2)),
    "any norm": homogeneous,
    "spherical": lambda: homogeneous(2, 3),
    "high norm": lambda: homogeneous("9999/7"),
    "root norm": lambda: homogeneous("sqrt(3)"),
    "ranks": rank_based,
    "zero-one": lambda: homogeneous("oo", instances=200),
    "decisions": lambda: lowest([["2*w0", "2*(1 - w0)"], ["w0 + w1", "sqrt(2)/2"]], 2),
    "entropy": lambda: from_entropy("-w0^2 - w1^2 - w0*w1", 2),
    "not concave": lambda: from_entropy("w0*w1", 2),
    "undecided": lambda: from_entropy("-cosh(w0 - w1)", 2),
    "area": auc_alone,
    "large area": lambda: auc_alone(1000),
}


@cache
def checked(name: str) -> tuple[BatchDerivation, Report]:
    derivation = DERIVED[name]()
    return derivation, cd.check(derivation)


# ---- certificates


@pytest.mark.parametrize("name", DERIVED)
def test_a_certificate_gives_the_derivation_back(name: str) -> None:
    derivation, report = checked(name)
    text = derivation.to_json(report)
    again = BatchDerivation.from_json(text)
    assert again == derivation
    assert again.to_json(report) == text
    assert cd.check(again).verdict is report.verdict
    assert report.verdict is (Verdict.OPEN if name == "undecided" else Verdict.PROVED)


def test_what_was_read_scores_the_same() -> None:
    for name, count in (("costs", 4), ("spherical", 3), ("ranks", 4), ("decisions", 2), ("entropy", 2)):
        derivation, _ = checked(name)
        again = BatchDerivation.from_json(derivation.to_json())
        batch = [0, 1, 1, 0][:count], [0.2, 0.7, 0.4, 0.4][:count]
        assert again.score(*batch) == derivation.score(*batch)


def test_the_derivation_of_one_instance_is_part_of_the_certificate() -> None:
    document = json.loads(checked("costs")[0].to_json())
    base = step_of(document)["move"]["base"]
    assert base["type"] == "Derivation"
    assert base["context"]["type"] == "IndependentUniform"
    assert base["cases"][1]["steps"][-1]["after"]["type"] == "Properness"


def test_an_area_that_improves_is_written_with_its_labels() -> None:
    document = json.loads(checked("area")[0].to_json())
    after = step_of(document)["after"]
    assert after["type"] == "BatchImproperness"
    assert after["law"][1] == ["tuple", ["tuple", 1, 0, 0, 0], ["Rational", "12", "25"]]


def step_of(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["derivation"]["cases"][1]["steps"][1]
    return found


def changed(name: str, **fields: Any) -> str:
    """Return a certificate whose rule has other fields, wherever it stands."""
    document = json.loads(checked(name)[0].to_json())
    step = step_of(document)
    rules = (document["derivation"]["context"], step["before"], step["after"]["losses"])
    for rule in (*rules, document["rule"][0]["losses"]):
        rule.update(deepcopy(fields))
    return json.dumps(document)


def concluded(name: str, **fields: Any) -> str:
    """Return a certificate whose conclusion has other fields."""
    document = json.loads(checked(name)[0].to_json())
    step_of(document)["after"].update(fields)
    return json.dumps(document)


def integer(n: int) -> list[str]:
    return ["Integer", str(n)]


LETTER, W0 = ["Symbol", "x"], ["Symbol", "w0"]
POWER = ["Pow", ["Add", W0, integer(1)], integer(9999)]
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no instances": ("ranks", {"instances": 0}, "instances = 0 is not a whole number"),
    "many instances": ("ranks", {"instances": 4 * 10**9}, "4000000000 is not a count"),
    "a truth of instances": ("ranks", {"instances": True}, "True is not int"),
    "many weights": ("weighted", {"weights": ["tuple", *[integer(1)] * 30_000]}, "instances = 30000"),
    "no weights": ("weighted", {"weights": ["tuple"]}, "instances = 0"),
    "a weight that is a report": ("weighted", {"weights": ["tuple", ["Symbol", "p"]]}, "has the letter p"),
    "an exponent of another meaning": ("spherical", {"alpha": LETTER}, "alpha = x is neither"),
    "an exponent of terms": ("spherical", {"alpha": ["Add", integer(1), ["Symbol", "a"]]}, "is neither"),
    "a huge exponent": ("spherical", {"alpha": integer(10**2999)}, "is neither a number of up to 10000"),
    "a tower": ("spherical", {"alpha": ["exp", ["exp", ["exp", integer(9)]]]}, "too large to work with"),
    "a slope of another letter": ("spherical", {"slope": W0}, "the slope has other letters"),
    "many terms": ("decisions", {"terms": ["tuple", *[["tuple", W0]] * 30_000]}, "more than 10000 summands"),
    "no terms": ("decisions", {"terms": ["tuple"]}, "terms has none"),
    "a power": ("decisions", {"terms": ["tuple", ["tuple", POWER]]}, "is not affine"),
    "an infinite function": ("decisions", {"terms": ["tuple", ["tuple", ["Infinity"]]]}, "is not affine"),
    "five slopes": ("entropy", {"slopes": ["tuple", *[integer(0)] * 5]}, "instances = 5"),
    "a foreign letter": ("entropy", {"entropy_function": ["Symbol", "w7"]}, "w7 is not a letter"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_rule_is_not_read(name: str) -> None:
    family, fields, words = REFUSED[name]
    with pytest.raises(SpecError, match=f"hostile.json: .*{words}"):
        BatchDerivation.from_json(changed(family, **fields), "hostile.json")


LONG = ["tuple", *[["Rational", "1", "3"]] * 20_000]
TWICE = [["tuple", 1, 0, 0, 0], ["Rational", "1", "2"]]
UNPROVED: dict[str, str] = {
    "forecasts without end": concluded("ranks", flat=["tuple", LONG, [*LONG[:-1], ["Rational", "1", "2"]]]),
    "forecasts with a letter": concluded("ranks", flat=["tuple", ["tuple", LETTER], ["tuple", integer(1)]]),
    "no forecasts": concluded("any norm", flat=None),
    "strict": concluded("any norm", strict=True, flat=None),
    "labels twice": concluded("area", law=["tuple", ["tuple", *TWICE], ["tuple", *TWICE]]),
    "no labels": concluded("area", law=["tuple"]),
    "laws without end": concluded(
        "area", law=["tuple", *[["tuple", ["tuple", 1, 0, 0, 0], ["Rational", "1", "2000"]]] * 2000]
    ),
    "negative weight": changed("weighted", weights=["tuple", integer(-1), integer(2)]),
    "infinite weight": changed("weighted", weights=["tuple", ["Infinity"], integer(2)]),
    "an exponent below 1": changed("spherical", alpha=["Rational", "1", "2"]),
    "another exponent": changed("spherical", alpha=integer(3)),
    "an exponent that is an integral": changed(
        "spherical", alpha=["Integral", ["exp", ["Pow", LETTER, LETTER]], LETTER, integer(0), integer(1)]
    ),
}


@pytest.mark.parametrize("name", UNPROVED)
def test_a_hostile_conclusion_is_not_proved(name: str) -> None:
    read = BatchDerivation.from_json(UNPROVED[name])
    assert cd.check(read).verdict in (Verdict.OPEN, Verdict.REFUTED)


def test_facts_that_cannot_be_are_not_assumed() -> None:
    impossible = {"type": "Given", "positive": ["tuple", integer(-1)], "nonnegative": ["tuple"]}
    document = json.loads(changed("weighted", known=impossible))
    document["derivation"]["cases"][1]["given"] = document["rule"][0]["given"] = impossible
    assert cd.check(BatchDerivation.from_json(json.dumps(document))).verdict is Verdict.REFUTED


def test_a_rule_of_one_instance_is_whole_and_that_of_the_sum() -> None:
    document = json.loads(checked("weighted")[0].to_json())
    other = json.loads(checked("costs")[0].to_json())
    step_of(document)["move"] = step_of(other)["move"]
    assert cd.check(BatchDerivation.from_json(json.dumps(document))).verdict is Verdict.REFUTED
    for case in step_of(other)["move"]["base"]["cases"][1:]:
        del case["steps"][2]
    with pytest.raises(SpecError, match=r"does not start|cannot start"):
        del other["derivation"]["cases"][1]["steps"][1]["move"]["base"]["cases"][1]["steps"][1]
        BatchDerivation.from_json(json.dumps(other))


def test_an_improper_rule_of_one_instance_is_refused() -> None:
    """A derivation that says that it is proper has to prove it, and a certificate has no room for a witness there."""
    derivation, improper = checked("weighted")[0], cd.examine("p", "1 - p")
    (step,) = derivation.steps
    rule = replace(step.before, losses=improper.context)
    forged = Step(replace(step.move, base=improper), rule, replace(step.after, losses=rule))
    case = replace(derivation.cases[0], steps=(forged,))
    assert cd.check(replace(derivation, context=rule, cases=(case,))).verdict is Verdict.REFUTED
    document = json.loads(derivation.to_json())
    step_of(document)["move"]["base"] = json.loads(improper.to_json())["derivation"]
    with pytest.raises(SpecError, match="type 'Witness' is not in the table of records"):
        BatchDerivation.from_json(json.dumps(document))


def test_claims_that_take_too_long_are_given_up() -> None:
    whole = ["Pow", ["Add", *[["Symbol", f"w{n}"] for n in range(2)]], integer(9999)]
    read = BatchDerivation.from_json(changed("entropy", entropy_function=whole))
    report = cd.check(read, time_limit=0.5)
    begun, rest = report.findings[-2:]
    assert report.verdict is not Verdict.PROVED
    assert not report.is_whole
    assert begun.evidence.startswith("not decided within time_limit = 0.5 s")
    assert rest.claim.what == "what is claimed after that"
    assert latest(read) is None
    with pytest.raises(SpecError, match="time_limit = 0 is not a time"):
        cd.check(read, time_limit=0)


def test_a_report_within_a_time_limit_is_the_same() -> None:
    for name in ("weighted", "area", "any norm"):
        derivation, report = checked(name)
        assert cd.check(derivation, time_limit=60) == report


# ---- the command


def test_the_command_checks_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "batch.json"
    for name, status, words in (
        ("ranks", 0, "S(y, w) = −Σᵢ yᵢ ψᵢ(w)"),
        ("area", 0, "labels are then q = (12/25, 13/25, 13/25, 0)"),
        ("undecided", 1, "neither a proof nor a witness"),
    ):
        file.write_text(checked(name)[0].to_json(), encoding="utf-8")
        assert main(["check", str(file)]) == status
        assert words in capsys.readouterr().out
    assert main(["check", "--coq", str(file)]) == 2
    assert "the rule is of a batch" in capsys.readouterr().err


# ---- articles, pages, the terminal

SAID = {
    "weighted": (
        r"S(y, w) = \sum_i v_i \bigl(",
        "(a, 2)",
        r"The rule is strictly proper",
        r"Theorem~\ref{thm:proper}",
    ),
    "any norm": (
        r"H(w) = -t^{1/a}",
        "Lagrange's identity",
        r"(\frac{1}{2}, \frac{1}{2})",
        "not strictly proper",
    ),
    "ranks": (r"-\sum_{i < j} s_{ij}", r"\mathrm{AUC}", "not strictly proper: for example"),
    "zero-one": (r"\min\bigl\{-w_0", r"\ldots", "The rule is proper"),
    "entropy": (r"\frac{\partial H}{\partial w_0}", "Sylvester's criterion"),
    "not concave": ("The rule is not proper", r"R(w|q) = "),
    "undecided": ("Neither a proof that the rule is proper nor a witness", "not fully proved"),
    "area": (r"\{1, 2\} \text{ with probability } \frac{13}{25}", r"-\frac{37}{50} < -\frac{17}{25}"),
}


@pytest.mark.parametrize("name", SAID)
def test_an_article_states_and_proves(name: str) -> None:
    text = latex(*checked(name))
    assert [words for words in SAID[name] if words not in text] == []
    assert text.count(r"\begin{theorem}") == text.count(r"\begin{proof}") - text.count(r"\begin{corollary}")
    page = html(*checked(name))
    assert page.count('class="theorem"') == text.count(r"\begin{theorem}") + text.count(r"\begin{corollary}")


def test_the_terminal_says_what_is_concluded() -> None:
    for name, words in (
        ("weighted", "(v₀, v₁, …) = (a, 2)"),
        ("tie", "p = 1/2"),
        ("large area", "(12/25, 13/25, 13/25, 0, …, 0)"),
        ("zero-one", "min{−w₀,  −w₁,  −w₂,  −w₃,  …,  −w₁₉₉}"),
        ("any norm", "have the same loss, whatever the labels"),
    ):
        assert words in terminal.summary(*checked(name)), name


def test_a_tie_that_is_shared_out_is_proper_in_a_batch() -> None:
    derivation, _ = checked("tie")
    assert derivation.verdict is Judgement.PROPER
    half = Rational(1, 2)
    assert derivation.rule.exact((1, 0), (half, half)) == Rational(3, 2)
