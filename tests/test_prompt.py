"""What objects show at a prompt: one short line for each, formulas when printed, and nothing that takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import costderive as cd
from costderive import batch, multiclass
from costderive.costs import laws
from costderive.proof.claims import Report

LONGEST = 320
SHOWN: dict[str, Callable[[], Any]] = {
    "letters": lambda: cd.derive(cd.IndependentUniform(("a", "b"), (0, 1))),
    "cases": lambda: cd.derive(cd.Mixture(("w", cd.FixedCosts("a", 1)), ("1 - w", cd.FixedCosts(1, "b")))),
    "a pair": lambda: cd.examine("p", "1 - p"),
    "classes": lambda: multiclass.derive(multiclass.DirichletCosts((1, 1, 1))),
    "a batch": batch.rank_based,
    "a rule": lambda: cd.derive(cd.Independent("exponential(1)", "gamma(2, 3)")).rule,
    "a compiled loss": lambda: cd.numeric.compile(cd.families.brier()),
    "a law": lambda: laws.gamma(2, 3),
    "a table": lambda: laws.law_of({1: "1/2", 2: "1/2"}, "law"),
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
