"""Coq accepts the steps of derivations, not only their rules: weights, expected losses, ends, atoms, refutations."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from sympy import Rational
from sympy.stats import Exponential, Triangular, Uniform

import costderive as cd
from costderive.cli import main
from costderive.core.errors import ExportError
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation
from costderive.publish.coq import improperness_section
from costderive.publish.coq.coq_file import coq, left_out, sections
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.enclosures import Irrational, enclosed
from tests.coq_mutants import Changes, Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
m, n = sympy.symbols("m n", positive=True)

PROPER: Mapping[str, Callable[[], Derivation]] = {
    "Rectangle": lambda: cd.derive(cd.IndependentUniform(c0=(1, 2), c1=(1, 3))),
    "Symbols": lambda: cd.derive(cd.IndependentUniform(c0=("a", "b"), c1=("d", "e"))),
    "Rates": lambda: cd.derive(cd.Independent(c0=Exponential("X", 1 / m), c1=Exponential("Y", 1 / n))),
    "Triangle": lambda: cd.derive(cd.Independent(c0=Triangular("X", 0, 2, 1), c1=Uniform("Y", 0, 1))),
    "Geometric": lambda: cd.derive(cd.Geometric()),
    "Harmonic": lambda: cd.derive(cd.Harmonic()),
    "Euclidean": lambda: cd.derive(cd.PowerMean(2)),
    "Steep": lambda: cd.derive(cd.PowerMean(-2)),
    "Boosting": lambda: cd.derive(
        cd.Geometric(density=cd.Density("1/(2*log(19)*s*(1-s))", ("1/20", "19/20")))
    ),
    "KnownLetters": lambda: cd.derive(cd.FixedCosts("c", "d")),
    "Atom": lambda: cd.derive(cd.Mixture(("1/2", cd.Additive()), ("1/2", cd.FixedCosts(1, 2)))),
}
LAW = {"lawful_costs", "expected_cost0", "expected_cost1", "law_is_proper", "law_is_proper_with_ends"}
IMPROPER: Mapping[str, Callable[[], Derivation]] = {
    "Absolute": lambda: cd.examine("p", "1 - p"),
    "Fixed": lambda: cd.derive(
        cd.IndependentUniform(c0=(1, 2), c1=(1, 3)), threshold=cd.FixedThreshold("1/2")
    ),
    "Random": lambda: cd.derive(
        cd.IndependentUniform(c0=(0, "b"), c1=(0, 1)), threshold=cd.RandomThreshold(density=1)
    ),
    "Tie": lambda: cd.examine("0 if p <= 1/2; 1", "1 if p < 1/2; 0"),
    "Logarithms": lambda: cd.examine("-m*log(1-p)", "-2*m*log(p)"),
    "Exponentials": lambda: cd.examine("exp(p) - 1", "exp(1-p) - 1"),
    "Roots": lambda: cd.examine("sqrt(p/(1-p))", "2*sqrt((1-p)/p)"),
}


@cache
def derivation(name: str) -> Derivation:
    return (PROPER | IMPROPER)[name]()


@cache
def text(name: str) -> str:
    return coq(derivation(name), library=False)


def theorems(name: str) -> set[str]:
    return {x for section in sections(derivation(name), whole=True) for x in section.theorems}


@with_coq
@pytest.mark.parametrize("name", PROPER | IMPROPER)
def test_coq_accepts_derivations_on_the_axioms_of_the_reals_alone(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


def test_each_derivation_has_the_theorems_of_its_steps() -> None:
    assert theorems("Rectangle") >= {
        "proper",
        "proper_with_ends",
        "expected_loss_of_scores",
    }
    assert theorems("Geometric") >= {"strictly_proper_with_ends", "expected_loss_of_scores"}
    assert theorems("Harmonic") == {
        "proper",
        "strictly_proper",
        "expected_loss_of_scores",
        *LAW,
        "law_is_strictly_proper",
        "total_is_1",
    }
    assert theorems("Euclidean") >= {*LAW, "law_is_strictly_proper", "expected_loss_of_scores", "total_is_1"}
    assert theorems("Boosting") >= {*LAW, "law_is_strictly_proper", "total_is_1"}
    assert theorems("KnownLetters") >= {*LAW, "total_is_1"}
    assert theorems("Rectangle") >= {*LAW, "total_is_1"}
    assert theorems("Atom") >= {"strictly_proper", "tie1", "strictly_proper_with_ends", *LAW, "total_is_1"}
    assert all("expected_loss_of_scores" in theorems(name) for name in ("Atom", "KnownLetters"))
    given = set(IMPROPER) - {"Fixed", "Random", "Roots"}
    assert all({"better_report", "not_proper"} == theorems(name) for name in given)
    assert theorems("Fixed") >= {"better_report", "not_proper", "expected_cost0", "expected_cost1"}


# ---- what is wrong is rejected, at the lemma that is wrong

CHANGES: Changes = {
    "losses exchanged in the expected loss": (
        "Geometric",
        "L0 p * d0 p",
        "L1 p * d0 p",
        "Theorem expected_loss",
        "expected_loss_of_scores",
    ),
    "the other class at an atom": (
        "Atom",
        "(1 - F0 (1 / 3))",
        "(1 - F1 (1 / 3))",
        "Theorem expected_loss",
        "expected_loss_of_scores",
    ),
    "another mass in the expected loss": (
        "Atom",
        "- ((3 / 2) *",
        "- ((4 / 3) *",
        "Theorem expected_loss",
        "expected_loss_of_scores",
    ),
    "another value at an end": (
        "Geometric",
        "tends_at_1 L0 (PI / 2)",
        "tends_at_1 L0 (PI / 3)",
        "Lemma loss0_ends",
        "loss0_ends",
    ),
    "another mass": ("Atom", "jumps (1 / 3) (3 / 2)", "jumps (1 / 3) (4 / 3)", "Lemma join1", "join1"),
    "a tie that shares more": (
        "Atom",
        "= (1 / 3) * (1 - (1 / 3)) *",
        "= (2 / 3) * (1 - (1 / 3)) *",
        "Theorem tie1",
        "tie1",
    ),
    "a witness that is none": (
        "Absolute",
        "risk L0 L1 0 (1 / 3) <",
        "risk L0 L1 (1 / 2) (1 / 3) <",
        "Theorem better_report",
        "better_report",
    ),
    "the witness the other way round": (
        "Tie",
        "(1 / 2) (1 / 3) < risk L0 L1 (1 / 3) (1 / 3)",
        "(1 / 3) (1 / 3) < risk L0 L1 (1 / 2) (1 / 3)",
        "Theorem better_report",
        "better_report",
    ),
    "another density of thresholds": ("Atom", "=> 1 / 2)", "=> 1 / 3)", "Definition curve1", "lawful_costs"),
    "another magnitude of costs": ("Atom", "=> 2)", "=> 3)", "Definition curve1", "lawful_costs"),
    "another range of thresholds": ("Atom", "ray 0 1", "ray 0 (1 / 3)", "Definition curve1", "lawful_costs"),
    "another probability": (
        "Atom",
        "Point 1 2 (1 / 2)",
        "Point 1 2 (1 / 3)",
        "Definition points",
        "lawful_costs",
    ),
    "costs at a point exchanged": (
        "Atom",
        "Point 1 2 (1 / 2)",
        "Point 2 1 (1 / 2)",
        "Definition points",
        "lawful_costs",
    ),
    "more cost on a curve": (
        "Geometric",
        "on_curves Rplus curves p =",
        "2 * on_curves Rplus curves p =",
        "Lemma cost_of_piece1",
        "cost_of_piece1",
    ),
    "the loss of the other class": (
        "Atom",
        "(pay1 p) (L1 p)",
        "(pay0 p) (L1 p)",
        "Theorem expected_cost1",
        "expected_cost1",
    ),
    "a finite mean that is infinite": (
        "Harmonic",
        "(with_values L0 0 p_infty)",
        "(with_values L0 0 (Finite 1))",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "an infinite mean that is finite": (
        "Geometric",
        "(with_values L0 0 (Finite (PI / 2)))",
        "(with_values L0 0 p_infty)",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "a loss that is bounded said to grow": (
        "Steep",
        "filterlim L0 (at_left 1)",
        "filterlim L1 (at_left 1)",
        "Lemma loss0_grows",
        "loss0_grows",
    ),
    "strictness beyond (0, 1)": (
        "Euclidean",
        "StrictlyProperOn 0 1 E0 E1",
        "StrictlyProperOn 0 2 E0 E1",
        "Theorem law_is_strictly_proper",
        "law_is_strictly_proper",
    ),
    "another total": ("Atom", "points 1.", "points 2.", "Theorem total_is_1", "total_is_1"),
    "a logarithm out of its bounds": (
        "Logarithms",
        "<= ln 2 <=",
        "<= ln 3 <=",
        "Theorem better_report",
        "better_report",
    ),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


# ---- numbers between fractions


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (Irrational("ln", Rational(2, 3), "ln (2 / 3)"), sympy.log(Rational(2, 3))),
        (Irrational("ln", Rational(1000), "ln 1000"), sympy.log(1000)),
        (Irrational("sqrt", Rational(1, 7), "sqrt (1 / 7)"), sympy.sqrt(Rational(1, 7))),
        (Irrational("exp", Rational(-5, 4), "exp (- 5 / 4)"), sympy.exp(Rational(-5, 4))),
    ],
)
def test_an_enclosure_holds_its_number_and_is_narrow(number: Irrational, value: sympy.Expr) -> None:
    found = enclosed("bounds", number, Rational(1, 10**5))
    assert found.low < value < found.high
    assert found.high - found.low <= Rational(1, 10**5)


# ---- what Coq does not get


def test_a_part_that_coq_does_not_get_is_left_out_by_name() -> None:
    text = cd.export.coq(cd.derive(cd.Geometric(density="improper(1/(s*(1-s)))")))
    assert "(* Left out: total. *)" in text
    assert "Theorem strictly_proper" in text


def test_losses_that_are_given_have_no_law_that_could_be_left_out() -> None:
    assert left_out(cd.export.coq(cd.examine("p", "1 - p"), library=False)) == ()


@pytest.mark.parametrize(
    ("context", "without"),
    [
        (cd.Additive(), "total"),
        (cd.FixedCosts(1, "a"), "total"),
        (cd.IndependentUniform((0, 1), (0, 1)), "total over areas"),
    ],
    ids=["a line", "a point", "an area"],
)
def test_no_total_of_1_is_stated_of_densities_times_the_mean_of_a_common_factor(
    context: Context, without: str
) -> None:
    text = cd.export.coq(cd.derive(cd.CommonFactor("uniform(1, 2)", context)), library=False)
    assert left_out(text) == (without,)
    assert "Theorem total_is_1" not in text
    assert "Theorem expected_cost0" in text


def test_the_command_says_what_the_proof_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = Path(__file__).parents[1] / "derivations" / "boosting-exponential" / "spec.toml"
    assert main(["derive", str(spec), "--coq", str(tmp_path / "boosting.v")]) == 0
    assert "boosting.v: left out: total\n" in capsys.readouterr().err
    assert main(["derive", "harmonic", "--coq", str(tmp_path / "harmonic.v")]) == 0
    assert "left out" not in capsys.readouterr().err


def test_a_witness_with_an_angle_is_refused() -> None:
    with pytest.raises(ExportError, match="no fractions enclose"):
        improperness_section.sections(cd.examine("2*asin(sqrt(p)) + p", "asin(sqrt(1-p))"))
