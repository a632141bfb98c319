"""The rest of the house serves K classes: certificates, articles, specs, the command line."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import NormalDist, mean, stdev
from typing import Any

import pytest
from sympy import Rational, Symbol

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.multiclass import (
    CostMatrix,
    DirichletCosts,
    IndependentCosts,
    MulticlassDerivation,
    brier,
    derive,
    from_entropy,
    log_score,
    not_affine,
    penalised,
    power,
    pseudospherical,
    superior,
)
from costderive.multiclass.letters import believed
from costderive.proof.claims import Report, Verdict
from costderive.publish.formats import terminal

DERIVED: dict[str, Callable[[], MulticlassDerivation]] = {
    "additive": lambda: derive(DirichletCosts((1, 1, 1))),
    "shares of B": lambda: derive(DirichletCosts((1, 2, 1), budget="B")),
    "inverse": lambda: derive(IndependentCosts(("uniform(0, 1)",) * 4)),
    "laws": lambda: derive(IndependentCosts(("exponential(m)", {1: "1/3", 4: "2/3"}, 2))),
    "matrix": lambda: derive(CostMatrix([[0, 1, 2], [1, 0, 1], [2, "a", 0]], reject="1/4")),
    "uncertain part": lambda: derive(CostMatrix([[0, 1], ["2*m", 0]], parts={"m": "gamma(2, 1)"})),
    "uncertain reject": lambda: derive(CostMatrix([[0, 1], ["b", 0]], reject="uniform(0, 1)")),
    "power": power,
    "norm": pseudospherical,
    "entropy": lambda: from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3),
    "no entropy": lambda: from_entropy("p0^2 + p1^2", classes=2),
    "not affine": lambda: not_affine(derive(DirichletCosts((1, 1, 1))), brier()),
}
by_name = pytest.mark.parametrize("name", DERIVED)


@cache
def checked(name: str) -> tuple[MulticlassDerivation, Report]:
    derivation = DERIVED[name]()
    return derivation, cd.check(derivation)


# ---- certificates


@by_name
def test_a_derivation_survives_being_written_and_read(name: str) -> None:
    derivation, report = checked(name)
    text = derivation.to_json(report)
    again = MulticlassDerivation.from_json(text)
    assert again == derivation and again.to_json(report) == text
    assert cd.check(again).verdict is report.verdict is Verdict.PROVED


def test_a_certificate_of_one_kind_is_not_read_as_the_other() -> None:
    with pytest.raises(SpecError, match="it has no Derivation"):
        cd.Derivation.from_json(checked("power")[0].to_json())
    with pytest.raises(SpecError, match="it has no MulticlassDerivation"):
        MulticlassDerivation.from_json(cd.derive(cd.Additive()).to_json())


def test_a_certificate_shows_the_losses_without_their_proof() -> None:
    derivation, _ = checked("additive")
    (case,) = json.loads(derivation.to_json())["rule"]
    ((order, losses),) = [cell[1:] for cell in case["losses"][1:]]
    assert order == ["tuple"] and len(losses) == 4


def test_the_command_checks_certificates_of_several_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "additive.json"
    file.write_text(checked("additive")[0].to_json())
    assert main(["check", str(file)]) == 0
    assert "PROVED" in capsys.readouterr().out
    file.write_text(file.read_text().replace('"p2"', '"p1"'))
    assert main(["check", str(file)]) == 1
    assert "REFUTED" in capsys.readouterr().out


# ---- where a rule is strictly proper

STRICT = [
    (({1: "1/3", 4: "2/3"}, "exponential(1)"), [("1/2", "1/2"), ("9/10", "1/10")], []),
    (
        ("gamma(2, 1/2)", {1: "1/3", 4: "2/3"}, "uniform(0, 2)"),
        [("1/4", "1/4", "1/2"), ("1/2", "1/4", "1/4")],
        [(("1/10", "7/10", "2/10"), ("10/99", "70/99", "19/99"))],
    ),
    (
        ({1: "1/2", 2: "1/2"}, {1: "1/3", 4: "2/3"}),
        [],
        [(("2/5", "3/5"), ("41/100", "59/100")), (("1/2", "1/2"), ("51/100", "49/100"))],
    ),
]


@pytest.mark.parametrize(("laws", "inside", "outside"), STRICT)
def test_strictness_is_located_with_several_masses(laws: Any, inside: Any, outside: Any) -> None:
    """Near a belief where the rule is strict every report loses; elsewhere one with the same decisions does not."""
    derivation = derive(IndependentCosts(laws))
    cd.check(derivation).require_proved()
    rule, strict = derivation.rule, derivation.conclusion.strict
    for belief in inside:
        assert all(fact.subs(_values(belief)) > 0 for fact in strict)
        for step in itertools.product((-1, 0, 1), repeat=len(belief)):
            q = [Rational(x) for x in belief]
            report = [x + Rational(d, 50) for x, d in zip(q, step, strict=True)]
            report = [x / sum(report) for x in report]
            assert report == q or rule.divergence(report, belief).evalf() > 0
    for belief, report in outside:
        assert not all(fact.subs(_values(belief)) > 0 for fact in strict)
        assert rule.divergence(report, belief) == 0


def _values(belief: tuple[str, ...]) -> dict[Symbol, Rational]:
    return {believed(label): Rational(q) for label, q in enumerate(belief)}


def test_a_rule_has_the_letters_of_its_costs() -> None:
    assert [symbol.name for symbol in checked("laws")[0].rule.parameters] == ["m"]
    assert checked("additive")[0].rule.parameters == ()


def test_where_strictness_is_not_located_it_is_not_claimed() -> None:
    assert derive(IndependentCosts(({1: "1/3", 4: "2/3"}, "uniform(0, 2)"))).conclusion.strict is None


# ---- terminal and articles


def test_the_terminal_shows_costs_decision_losses_and_where_the_rule_is_strict() -> None:
    text = terminal.summary(*checked("laws"), title="Three laws")
    for line in (
        "c₀ exponential with expectation m",
        "Decision        for the class i with the largest pᵢcᵢ",
        "Parameters      m > 0",
        "Losses of the classes where p₁ ≤ 2p₂ ≤ 4p₁",
        "Expected costs  E[c₀] = m, E[c₁] = 3, E[c₂] = 2",
        "It is strictly proper for exactly those beliefs q with",
    ):
        assert line in text, line
    assert max(map(len, text.splitlines())) <= 80


def test_the_terminal_shows_witnesses_and_other_rules() -> None:
    improper = terminal.summary(*checked("no entropy"))
    assert "under the belief q = (1/2, 1/2), the report\np = (1/3, 2/3) has the smaller risk" in improper
    assert "R(p|q) = 4/9 < 1/2 = R(q|q)" in improper
    assert "Lᵢ(p) = kMᵢ(p) + nᵢ" in terminal.summary(*checked("not affine"))
    assert "Here a ≠ 1." in terminal.summary(*checked("power"))


def test_an_article_that_is_not_proved_says_so() -> None:
    derivation, _ = checked("additive")
    (case,) = derivation.cases
    wrong = replace(case.steps[-1], after=replace(case.steps[-1].after, strict=None))
    changed = replace(derivation, cases=(replace(case, steps=(*case.steps[:-1], wrong)),))
    article = cd.export.latex(changed)
    assert "not fully proved" in article and "Where it is strictly so is not decided here." in article


def test_an_article_states_some_orders_and_says_how_many_more_there_are() -> None:
    derivation = derive(IndependentCosts(("uniform(1, 2)", "uniform(1, 3)", "uniform(0, 2)")))
    article = cd.export.latex(derivation, Report(()))
    assert "There are 18 more orders of this kind" in article


# ---- specs and the command line

SPECS = {
    'kind = "dirichlet"\nclasses = 3': DirichletCosts((1, 1, 1)),
    'kind = "dirichlet"\nshapes = [1, 2, 1]\nbudget = "B"': DirichletCosts((1, 2, 1), "B"),
    'kind = "class-costs"\nclasses = 3\ncosts = "uniform(0, 1)"': IndependentCosts(("uniform(0, 1)",) * 3),
    'kind = "class-costs"\ncosts = ["exponential(m)", 2, {values = [1, 4], probabilities = ["1/3", "2/3"]}]': (
        IndependentCosts(("exponential(m)", 2, {1: "1/3", 4: "2/3"}))
    ),
}


@pytest.mark.parametrize("text", SPECS)
def test_a_spec_says_costs_of_several_classes(text: str) -> None:
    found = spec.parse(f"[context]\n{text}")
    assert found.context == SPECS[text]
    assert spec.parse(spec.to_toml(found)) == found


REFUSED = {
    'kind = "dirichlet"': "context.classes is missing",
    'kind = "dirichlet"\nclasses = 1': r"context.classes = 1 is not a whole number from 2 to 1000",
    'kind = "dirichlet"\nclasses = 100000000000': "is not a whole number from 2 to 1000",
    'kind = "dirichlet"\nclasses = true': "context.classes = True",
    'kind = "dirichlet"\nclasses = 2\nshapes = [1, 1, 1]': "context.shapes has 3 numbers for context.classes = 2",
    'kind = "dirichlet"\nshapes = [1, 99999999]': r"shapes\[1\] = 99999999 is not a whole number from 1 to 1000",
    'kind = "dirichlet"\nclasses = 2\nbudget = 0': "budget = 0 is not a positive number",
    'kind = "class-costs"': "context.costs is missing",
    'kind = "class-costs"\ncosts = []': "context.costs has 0 laws",
    'kind = "class-costs"\ncosts = [1, -1]': r"context.costs\[1\] = -1",
    'kind = "class-costs"\ncosts = [1, "uniform(0, p1)"]': r"costs\[1\] has a parameter p1",
    'kind = "class-costs"\ncosts = [1, 2]\nclasses = 3': "2 laws for context.classes = 3",
    'kind = "class-costs"\ncosts = "uniform(0, 1)"': "fewer than two",
    'kind = "class-costs"\ncosts = [1, 2]\nc0 = 1': "context.c0 = 1 is an unknown key",
    'kind = "mixture"\nparts = [{weight = 1, kind = "dirichlet", classes = 2}]': "is of several classes",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_spec_that_says_no_costs_is_refused_with_its_place_and_value(text: str) -> None:
    with pytest.raises(SpecError, match=f"(?s)^spec: .*{REFUSED[text]}"):
        spec.parse(f"[context]\n{text}")


@pytest.mark.parametrize("more", ['threshold = "1/2"', "threshold = 0.25"])
def test_costs_of_several_classes_have_no_threshold(more: str) -> None:
    with pytest.raises(SpecError, match=r"spec: threshold = .* is for costs of two classes"):
        spec.parse(f'{more}\n[context]\nkind = "dirichlet"\nclasses = 3')


def test_too_many_cases_end_in_words_before_they_are_written_down() -> None:
    found = spec.parse('[context]\nkind = "dirichlet"\nclasses = 9')
    with pytest.raises(SpecError, match=r"the losses of 9 classes were not written down in 0\.5 s"):
        found.derive(time_limit=0.5)


def test_the_command_derives_costs_of_several_classes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("a.json", "a.tex", "a.html")]
    outputs = [part for file in files for part in (f"--{_OPTION[file.suffix]}", str(file))]
    assert main(["derive", "class-costs", "--costs", "uniform:0,1", "2", "exponential:m", *outputs]) == 0
    assert "PROVED" in capsys.readouterr().out
    assert MulticlassDerivation.from_json(files[0].read_text()).context == IndependentCosts(
        ("uniform(0, 1)", 2, "exponential(m)")
    )
    assert "three classes" in files[1].read_text() and "three classes" in files[2].read_text()
    assert main(["derive", "dirichlet", "--classes", "3", "--python", "-"]) == 0
    assert "def losses(p):" in capsys.readouterr().out
    assert main(["derive", "dirichlet", "--classes", "3", "--code", "c:-"]) == 0
    assert "double loss(int y, const double *p, int classes)" in capsys.readouterr().out
    assert main(["derive", "dirichlet", "--classes", "3", "--code", "julia:-"]) == 2
    assert "has losses of two classes alone" in capsys.readouterr().err


_OPTION = {".json": "json", ".tex": "latex", ".html": "html"}


# ---- scores of files

LABELS, ROWS = ("no", "yes", "maybe"), 40


def predictions() -> tuple[list[int], dict[str, list[list[Fraction]]]]:
    """Draw labels, and forecasts in percent."""
    draw = random.Random(5)
    labels = [draw.randrange(3) for _ in range(ROWS)]
    counts = {model: [[draw.randint(1, 98) for _ in range(3)] for _ in labels] for model in ("a", "b")}
    forecasts = {m: [[Fraction(n, sum(row)) for n in row] for row in rows] for m, rows in counts.items()}
    return labels, forecasts


def additive(row: list[Fraction], label: int) -> Fraction:
    """The loss for exponential costs of mean 1, by inclusion and exclusion."""
    one, other = [row[label] / row[j] for j in range(3) if j != label]
    return 1 / (1 + one) ** 2 + 1 / (1 + other) ** 2 - 1 / (1 + one + other) ** 2


def write(file: Path, header: list[str], rows: list[list[object]]) -> str:
    lines = [",".join(map(str, row)) for row in (header, *rows)]
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def test_models_are_scored_by_the_mean_of_their_costs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, forecasts = predictions()
    header = ["y", *[f"{model}:{label}" for model in forecasts for label in LABELS]]
    rows = [[LABELS[y], *[float(x) for m in forecasts.values() for x in m[n]]] for n, y in enumerate(labels)]
    file = write(tmp_path / "p.csv", header, rows)
    common = ["--context", "dirichlet", "--classes", "3", "--y-true", "y", "--labels", ",".join(LABELS)]
    assert main(["score", file, *common, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    losses = {
        m: [float(additive(row, y)) for row, y in zip(r, labels, strict=True)] for m, r in forecasts.items()
    }
    for model in found["models"]:
        mine = losses[model["model"]]
        error = stdev(mine) / math.sqrt(ROWS)
        assert model["loss"] == pytest.approx(mean(mine), rel=1e-9)
        assert model["interval"]["high"] == pytest.approx(mean(mine) + NormalDist().inv_cdf(0.975) * error)
        assert sum(model["of_classes"]) == pytest.approx(mean(mine))
    (gap,) = found["differences"]
    both = [x - y for x, y in zip(losses["a"], losses["b"], strict=True)]
    assert gap["loss"]["standard_error"] == pytest.approx(stdev(both) / math.sqrt(ROWS))
    assert found["counts"] == {label: labels.count(k) for k, label in enumerate(LABELS)}
    assert main(["score", file, *common]) == 0
    assert "more than" in capsys.readouterr().out


BAD = {
    "no class": (["y", "0", "1", "2"], [["3", 0.5, 0.25, 0.25]], "the label '3' is not a class"),
    "no sum": (["y", "0", "1", "2"], [["1", 0.5, 0.25, 0.15]], "add up to 0.9"),
    "no column": (["y", "m:0", "m:1"], [["1", 0.5, 0.5]], "has no column 'm:2'"),
    "no label": (["y", "m:0", "m:1", "m:7"], [["1", 0.5, 0.5, 0]], "column 'm:7' belongs to no class"),
    "no number": (["y", "0", "1", "2"], [["1", 0.5, "x", 0.5]], "line 2"),
}


@pytest.mark.parametrize("name", BAD)
def test_files_that_cannot_be_scored_are_refused_with_their_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, rows, words = BAD[name]
    file = write(tmp_path / "bad.csv", header, rows)
    assert main(["score", file, "--costs", "uniform:0,1", "--classes", "3", "--y-true", "y"]) == 2
    assert words in (error := capsys.readouterr().err) and "bad.csv" in error


def test_coq_is_asked_of_costs_and_of_no_entropies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate = tmp_path / "power.json"
    certificate.write_text(DERIVED["power"]().to_json(), encoding="utf-8")
    assert main(["check", str(certificate), "--coq"]) == 2
    assert "the rule is not that of costs of the classes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("derivation", "said"),
    [
        (
            lambda: penalised(brier(), 3),
            ("A penalty for wrong predictions", "strictly proper, and every right"),
        ),
        (
            lambda: penalised(brier(), 3, ties="all"),
            ("A penalty that a tie escapes", "is not proper: under"),
        ),
        (lambda: superior(log_score()), ("Right and wrong predictions", "some right predictions lose more")),
        (
            lambda: superior(brier(), 3),
            ("Right and wrong predictions", "not every right prediction loses less"),
        ),
        (lambda: superior(penalised(brier(), 3)), ("no right prediction loses more than a wrong one",)),
    ],
)
def test_what_goes_beyond_properness_is_a_theorem(
    derivation: Callable[[], MulticlassDerivation], said: tuple[str, ...]
) -> None:
    found = derivation()
    article = " ".join(cd.export.latex(found, cd.check(found)).split())
    assert all(words in article for words in said)
    assert "A further step" not in article


def test_an_open_question_is_no_theorem() -> None:
    found = superior(power("a"), 3)
    article = cd.export.latex(found, cd.check(found))
    assert "stays open" in article
    assert article.count(r"\begin{theorem}") == 2
