"""What objects show at a prompt: one short line for each, formulas when printed, and nothing that takes long."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import costderive as cd
from costderive import batch, multiclass
from costderive.core.errors import CostDeriveError
from costderive.costs import laws
from costderive.evaluate import Scores
from costderive.evaluate.class_scores import KnownClasses, score_class_rows
from costderive.proof.claims import Finding, Report, Same, Verdict

LONGEST = 200
Y = np.arange(300) % 3 // 2
P = (np.arange(300) * 7 % 300 + Y * 100 + 0.5) / 401
LONG = " + ".join(f"x^{k}" for k in range(1, 30))
CLASSES = KnownClasses(np.arange(30) % 3, {"a": np.full((30, 3), 1 / 3)})


@cache
def scores() -> Scores:
    return cd.evaluate.score(cd.IndependentUniform(fp=(0, 1), fn=(0, 5)), Y, {"plain": P, "squared": P**2})


@cache
def derivation() -> cd.Derivation:
    return cd.derive(cd.IndependentUniform(("a", "b"), (0, 1)))


SHOWN: dict[str, Callable[[], Any]] = {
    "letters": derivation,
    "a report": lambda: cd.check(derivation()),
    "findings": lambda: max(cd.check(derivation()).findings, key=lambda found: len(repr(found))),
    "a case": lambda: derivation().cases[0],
    "a step": lambda: max(derivation().steps, key=lambda step: len(repr(step))),
    "a conclusion": lambda: derivation().conclusions[0],
    "cases": lambda: cd.derive(cd.Mixture(("w", cd.FixedCosts("a", 1)), ("1 - w", cd.FixedCosts(1, "b")))),
    "a pair": lambda: cd.examine("p", "1 - p"),
    "classes": lambda: multiclass.derive(multiclass.DirichletCosts((1, 1, 1))),
    "a batch": batch.rank_based,
    "a rule": lambda: cd.derive(cd.Independent("exponential(1)", "gamma(2, 3)")).rule,
    "a compiled loss": lambda: cd.numeric.compile(cd.families.brier()),
    "a law": lambda: laws.gamma(2, 3),
    "a table": lambda: laws.law_of({1: "1/2", 2: "1/2"}, "law"),
    "a table of many values": lambda: laws.law_of(dict.fromkeys(range(1, 101), "1/100"), "law"),
    "a long density": lambda: laws.Density(LONG, (0, 1), normalize=True),
    "a plan": lambda: cd.numeric.compile(cd.families.brier()).plan,
    "a mixture": lambda: cd.empirical_context([(k + 1, 100 - k) for k in range(40)]),
    "a curve": lambda: cd.Curve(c0=LONG, c1=LONG, density="uniform(0, 1)"),
    "a joint density": lambda: cd.Joint("1/2", "c0 + c1 <= 2"),
    "a copula": lambda: cd.Copula("gaussian", rho="1/2", fp="lognormal(1, 1)", fn="lognormal(3, 1/2)"),
    "a mean": lambda: cd.Additive(density="beta(2, 2)"),
    "a factor": lambda: cd.CommonFactor("uniform(1, 2)", cd.Independent(fp=1, fn="5 to 20, most likely 8")),
    "a matrix": lambda: cd.CostMatrix(fp=5, fn="amount", tp="-uniform(10, 20)"),
    "a threshold": lambda: cd.DistortedThreshold("2*c0/(2*c0 + c1)"),
    "scores": scores,
    "scores of many": lambda: cd.evaluate.score(cd.FixedCosts(1, 2), Y, {f"model {k}": P for k in range(30)}),
    "a model": lambda: scores()[0],
    "a difference": lambda: scores().differences[0],
    "a tally": lambda: scores().tallies[0],
    "a cost curve": lambda: cd.evaluate.cost_curves(scores())[0],
    "reliability": lambda: cd.evaluate.reliabilities(scores())[0],
    "a ROC": lambda: cd.evaluate.rocs(scores())[0],
    "scores of classes": lambda: score_class_rows(multiclass.DirichletCosts((1, 1, 1)), [CLASSES]),
    "decisions": lambda: cd.decide(P, cd.FixedCosts(1, 2)),
    "ranges": lambda: cd.evaluate.cost_ranges(cd.Independent(fp="5 to 20", fn="1 to 3")),
    "an observed rule": lambda: cd.empirical_rule([(k + 1, 100 - k) for k in range(100)]),
    "a rule of classes": lambda: multiclass.derive(multiclass.DirichletCosts((1, 1, 1))).rule,
    "a loss of classes": lambda: multiclass.compile(multiclass.DirichletCosts((1, 1, 1))),
    "a rule of a batch": lambda: batch.rank_based().rule,
    "a spec": lambda: cd.spec.load("derivations/inverse-score/spec.toml"),
    "a published claim": lambda: cd.claims.list()[0],
    "a decision on a claim": lambda: cd.claims.decide("flach-theorem-1"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_object_shows_itself_in_a_short_line(name: str) -> None:
    line = repr(SHOWN[name]())
    assert len(line) <= LONGEST and "\n" not in line
    assert "Spread(" not in line and "Piece(" not in line


def test_a_derivation_shows_what_it_concludes_and_whether_that_was_checked() -> None:
    derivation = cd.derive(cd.FixedCosts(1, 3))
    assert repr(derivation) == "<Derivation of FixedCosts(c0=1, c1=3): proper, not checked>"
    cd.check(derivation)
    assert repr(derivation) == "<Derivation of FixedCosts(c0=1, c1=3): proper, PROVED>"


def test_a_printed_rule_is_its_losses_and_a_notebook_shows_them_as_formulas() -> None:
    derivation = cd.derive(cd.Additive())
    assert str(derivation.rule) == "L0(p) = p**2  for 0 < p < 1\nL1(p) = (1 - p)**2  for 0 < p < 1"
    assert str(derivation) == f"{derivation!r}\n{derivation.rule}"
    assert derivation._repr_latex_() == (
        r"$\displaystyle \begin{aligned} L_0(p) &= p^{2} \\ L_1(p) &= \left(1 - p\right)^{2} \end{aligned}$"
    )


def test_a_printed_report_names_what_is_not_proved() -> None:
    report = cd.check(cd.derive(cd.Additive()))
    assert repr(report) == f"<Report: PROVED, {len(report.findings)} claims>"
    assert str(report) == f"PROVED: {len(report.findings)} of {len(report.findings)} claims are proved"
    undecided = cd.check(cd.examine("a*p + p^2", "(1-p)^2", time_limit=1))
    assert undecided.doubt in str(undecided)
    assert isinstance(undecided, Report)


def test_printed_scores_are_the_tables_of_the_command() -> None:
    """The means are taken here from the losses of each row."""
    loss = cd.numeric.compile(cd.derive(cd.IndependentUniform(fp=(0, 1), fn=(0, 5))))
    mean = float(np.mean(loss.per_sample(Y, P)))
    printed = str(scores())
    assert re.search(rf"^plain +{mean:.4f} ", printed, re.MULTILINE)
    assert "costs least" in printed and max(map(len, printed.splitlines())) <= 80


def test_a_notebook_shows_scores_as_tables() -> None:
    page = scores()._repr_html_()
    assert page.count("<table>") == 2 and "<td>squared</td>" in page
    hostile = cd.evaluate.score(cd.FixedCosts(1, 2), Y, {"<script>": P})
    assert "<script>" not in hostile._repr_html_()


def test_scores_become_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = scores().to_frame()
    assert list(frame.index) == ["plain", "squared"]
    assert frame.loc["plain", "low"] == scores()[0].interval.low
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CostDeriveError, match="pip install pandas"):
        scores().to_frame()


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (lambda: cd.IndependentUniform(fp=(1, 3), fn=(5, 20)), "between 6.8 % and 28 %"),
        (lambda: cd.Independent(fp="a", fn="b"), "c₁ equal to b"),
        (lambda: multiclass.DirichletCosts((1, 2, 3)), "Dirichlet law with the shapes 1, 2, 3"),
        (lambda: cd.laws.gamma(2, 3), "Gamma"),
        (lambda: cd.check(cd.derive(cd.Additive())), "<b>PROVED</b>"),
        (scores, "<table>"),
        (lambda: "1 < 2", "<pre>1 &lt; 2</pre>"),
    ],
)
def test_a_notebook_shows_words_and_tables(shown: Any, words: str) -> None:
    thing = shown()
    html = cd.export.fragment(thing) if isinstance(thing, str) else thing._repr_html_()
    assert words in html
    assert html.startswith("<p")


def test_a_notebook_names_the_claims_of_a_report_that_are_not_proved() -> None:
    finding = Finding(Same("a < b", (1,), (2,)), Verdict.REFUTED, "arithmetic", 0.0, evidence="at <1>")
    html = Report((finding,) * 7)._repr_html_()
    assert html.count("a &lt; b") == 5
    assert "at &lt;1&gt;" in html
    assert "and 2 more that are not proved" in html
