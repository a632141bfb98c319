"""Coq accepts that losses are expected costs of a density of both costs, and rejects each wrong part of the proof."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.symbols import c0, c1, p
from costderive.costs import laws
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation
from costderive.publish.coq import area_section
from costderive.publish.coq.coq_file import coq, left_out, sections, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.exponential_sums import by_rates, integrated
from costderive.publish.coq.library_text import LIBRARY, header, library_files
from costderive.publish.coq.setting import settings
from costderive.publish.coq.strips import Cut, Part, Strip, cuts, sides, strips
from tests.coq_mutants import Changes, Mutants, mutated

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_proper_with_ends",
    "total_is_1",
    "expected_loss_of_scores",
}

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "Unit": lambda: cd.IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "Rectangle": lambda: cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
    "Letters": lambda: cd.IndependentUniform(c0=(0, "b"), c1=(0, "e")),
    "Below": lambda: cd.Joint("2", ("c0 <= c1", "c1 <= 1")),
    "Steep": lambda: cd.Joint("2/k", ("c0 <= k*c1", "c1 <= 1")),
    "Corner": lambda: cd.Joint("2/(a*b)", "c0/a + c1/b <= 1"),
    "Budget": lambda: cd.Joint("2/B^2", "c0 + c1 <= B"),
    "Wedge": lambda: cd.Joint("3*c0", ("c0 + c1 <= 2", "c0 <= c1")),
    "Hexagon": lambda: cd.Joint("1/3", ("c0 <= c1 + 1", "c1 <= c0 + 1", "c0 <= 2", "c1 <= 2")),
    "Endless": lambda: cd.Joint("exp(-c1)", ("c0 <= c1",)),
    "Hat": lambda: cd.Independent(c0=laws.triangular(0, 1, 2), c1=laws.uniform(0, 1)),
    "Rates": lambda: cd.Independent(c0=laws.exponential("m"), c1=laws.exponential("n")),
    "Shapes": lambda: cd.Independent(c0=laws.gamma(2, "m"), c1=laws.exponential("n")),
    "Half": lambda: cd.Independent(c0=laws.uniform(1, 2), c1=laws.exponential(1)),
    "Powers": lambda: cd.Independent(c0=laws.pareto(3, 1), c1=laws.pareto(4, 1)),
    "Tail": lambda: cd.Independent(c0=laws.uniform(0, 1), c1=laws.pareto("3/2", 1)),
    "Root": lambda: cd.Independent(c0=laws.beta("1/2", 1), c1=laws.uniform(0, 1)),
    "HeavyTail": lambda: cd.Independent(c0=laws.lomax(3, "b"), c1=laws.uniform(0, 1)),
    "FarFromZero": lambda: cd.Independent(c0=laws.pareto(3, 1), c1=laws.uniform(0, 1)),
    "Dependent": lambda: cd.Copula("fgm", "1/2", c0="exponential(1)", c1="exponential(2)"),
    "DependentByLetter": lambda: cd.Copula("fgm", "w", c0="exponential(1)", c1="exponential(1)"),
    "DependentOnUniform": lambda: cd.Copula("fgm", "1/2", c0="uniform(0, 1)", c1="exponential(1)"),
    "HalfNormal": lambda: cd.Independent(c0="halfnormal(1)", c1="uniform(0, 1)"),
    "Rayleigh": lambda: cd.Independent(c0="uniform(0, 1)", c1="rayleigh(2)"),
    "Two": lambda: cd.Mixture(
        ("1/3", cd.IndependentUniform(c0=(0, 1), c1=(0, 1))),
        ("2/3", cd.Independent(c0=laws.exponential(1), c1=laws.exponential(2))),
    ),
}


@cache
def derivation(name: str) -> Derivation:
    return cd.derive(CONTEXTS[name]())


# ---- what Coq accepts


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_that_losses_are_the_expected_costs_of_a_density(name: str, beside: Path) -> None:
    text = coq(derivation(name), library=False)
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS
    assert {*theorems(text)} >= LAW, left_out(text)


# ---- what is wrong is rejected, at the lemma that is wrong

PARTS = ("properness", "law", "total", "ends")


@cache
def text_of(name: str) -> str:
    """Return a file on the law of costs, without the weights, so that nothing but the law can fail."""
    (setting,) = settings(derivation(name))
    parts = [x.text for x in sections(derivation(name), whole=True) if x.name in PARTS]
    imports = f"From CostDerive Require Import {' '.join(LIBRARY)}.\n"
    inner = [setting.opening(), *parts, setting.closing()]
    return "\n".join([header(()), imports, "Module Rule.", *inner, "End Rule.", ""])


CHANGES: Changes = {
    "another density": ("Rectangle", "=> 1 / 2)", "=> 1 / 3)", "Definition area1", "lawful_area1"),
    "a density that is negative": (
        "Rectangle",
        "=> 1 / 2)",
        "=> - (1 / 2))",
        "Definition area1",
        "lawful_area1",
    ),
    "another rate": ("Rates", "exp (- c0 / m", "exp (- c0 / n", "Definition area1", "lawful_area1"),
    "another dependence": ("Dependent", "+ 1 / 2)", "+ 1 / 3)", "Definition area1", "lawful_area1"),
    "a bound that does not hold": ("Dependent", "(1 - exp", "(2 - exp", "Lemma lawful_area1", "lawful_area1"),
    "another limit of erf": ("HalfNormal", "- 1)", "- 2)", "Definition strip1", "certified_strip1"),
    "another bell": ("Rayleigh", "c1 ^ 2 / 8", "c1 ^ 2 / 9", "Definition area1", "lawful_area1"),
    "a region that is too large": (
        "Rectangle",
        "2 - c0",
        "3 - c0",
        "Definition area1",
        "certified_strip1",
    ),
    "a region that is too small": (
        "Rectangle",
        "3 - c1",
        "2 - c1",
        "Definition area1",
        "certified_strip1",
    ),
    "a region that goes on": ("Rectangle", "; 3 - c1]", "; 9 - c1]", "Definition area1", "covered_area1"),
    "a strip that ends too early": (
        "Rectangle",
        "(Finite 3)",
        "(Finite 2)",
        "Definition strip1",
        "covered_area1",
    ),
    "another side": ("Below", "(Side 1 0)", "(Side 2 0)", "Definition strip1", "certified_strip1"),
    "another antiderivative in c0 of the amount": (
        "Unit",
        "(fun c0 c1 => c0 ^ 2 / 2)",
        "(fun c0 c1 => c0 ^ 2 / 3)",
        "Definition strip1",
        "certified_strip1",
    ),
    "another antiderivative in c0 of the probability": (
        "Unit",
        "(fun c0 c1 => c0)",
        "(fun c0 c1 => 2 * c0)",
        "Definition strip1",
        "certified_strip1",
    ),
    "another antiderivative in c1 inside": (
        "Unit",
        "c1 ^ 3 * p ^ 2 / (6",
        "c1 ^ 3 * p ^ 2 / (5",
        "Definition strip1",
        "certified_strip1",
    ),
    "another antiderivative in c1 of all": (
        "Unit",
        "(fun c1 => c1 / 2)",
        "(fun c1 => c1 / 3)",
        "Definition strip1",
        "certified_strip1",
    ),
    "an antiderivative that does not vanish at infinity": (
        "Rates",
        "polynomial [(- m)] c1",
        "1 + polynomial [(- m)] c1",
        "Definition strip1",
        "costs_of_piece1",
    ),
    "another power of a cost": ("Tail", "sqrt c1 ^ 5", "sqrt c1 ^ 3", "Definition area1", "lawful_area1"),
    "another antiderivative with a root in c0": (
        "Root",
        "(fun c0 c1 => sqrt c0)",
        "(fun c0 c1 => sqrt c0 ^ 3)",
        "Definition strip1",
        "certified_strip1",
    ),
    "another antiderivative with a root in c1": (
        "Root",
        "sqrt c1 ^ 5 * sqrt p ^ 3",
        "sqrt c1 ^ 3 * sqrt p ^ 3",
        "Definition strip1",
        "certified_strip1",
    ),
    "a root that does not vanish at infinity": (
        "Tail",
        "(- 3) / sqrt c1 ^ 1",
        "1 + (- 3) / sqrt c1 ^ 1",
        "Definition strip1",
        "mean1",
    ),
    "a mean of a heavy tail": ("Tail", "=> c1) 3.", "=> c1) 4.", "Lemma mean1", "mean1"),
    "another cut": (
        "Unit",
        "(Inside, (1 - p) / p)",
        "(Inside, 1 - p)",
        "Lemma costs_of_piece2",
        "costs_of_piece2",
    ),
    "a cut that is left out": (
        "Unit",
        "[(Inside, (1 - p) / p)], Above",
        "[], Inside",
        "Lemma costs_of_piece2",
        "costs_of_piece2",
    ),
    "parts of the ray exchanged": (
        "Rectangle",
        "[(Below,",
        "[(Above,",
        "Lemma costs_of_piece2",
        "costs_of_piece2",
    ),
    "reports beyond the piece": (
        "Unit",
        "areas 0 (1 / 2)",
        "areas 0 (2 / 3)",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "another loss of class 0": (
        "Unit",
        "p ^ 2 / (6 * (1 - p) ^ 2)",
        "p ^ 2 / (5 * (1 - p) ^ 2)",
        "Definition piece1",
        "slopes1",
    ),
    "another weight": (
        "Unit",
        "(fun p => 1 / (3 * (1 - p) ^ 3))",
        "(fun p => 1 / (2 * (1 - p) ^ 3))",
        "Definition piece1",
        "slopes1",
    ),
    "losses that do not join": (
        "Rectangle",
        "(fun p => 3 / 2)",
        "(fun p => 4 / 2)",
        "Definition piece5",
        "join4",
    ),
    "a breakpoint that is another": (
        "Unit",
        "Rle_dec p (1 / 2)",
        "Rle_dec p (1 / 3)",
        "Definition L0",
        "proper",
    ),
    "a wider interval of strictness": (
        "Rectangle",
        "StrictlyProperOn (1 / 4)",
        "StrictlyProperOn (1 / 5)",
        "Theorem strictly_proper",
        "strictly_proper",
    ),
    "a wider interval of strictness from the law": (
        "Rectangle",
        "StrictlyProperOn (1 / 4)",
        "StrictlyProperOn (1 / 5)",
        "Theorem law_is_strictly_proper",
        "law_is_strictly_proper",
    ),
    "the loss of the other class": (
        "Unit",
        "(pay1 p) (L1 p)",
        "(pay1 p) (L0 p)",
        "Theorem expected_cost1",
        "expected_cost1",
    ),
    "another decision": ("Unit", "(pay0 p)", "(pay1 p)", "Theorem expected_cost0", "expected_cost0"),
    "another total": ("Unit", "areas 1.", "areas 2.", "Theorem total_is_1", "total_is_1"),
    "another mean of class 0": ("Rectangle", "(3 / 2).", "(4 / 3).", "Lemma mean0", "mean0"),
    "another mean of class 1": ("Rectangle", "=> c1) 2.", "=> c1) 3.", "Lemma mean1", "mean1"),
    "means exchanged": (
        "Rectangle",
        "(extended L0 0 (3 / 2))",
        "(extended L0 0 2)",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "hypotheses that are contradictory": (
        "Letters",
        "0 < b /\\",
        "b < 0 /\\ 0 < b /\\",
        "Definition assumed",
        "possible",
    ),
    "an example that satisfies no hypotheses": (
        "Letters",
        "Proof. exists (",
        "Proof. exists (-",
        "Example possible",
        "possible",
    ),
}
MUTANTS = Mutants(text_of, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


@with_coq
def test_coq_rejects_a_letter_that_may_be_0(beside: Path) -> None:
    text = text_of("Rates")
    weaker = mutated(mutated(text, "0 < m /\\", "0 <= m /\\"), "given1 : 0 < m", "given1 : 0 <= m")
    assert ask(weaker, library=beside).culprit == "Rule.rule.sign1"
    assert ask(text, library=beside).accepted


def test_the_reports_0_and_1_are_there_where_a_mean_is_infinite() -> None:
    context = cd.Independent(c0=laws.uniform(0, 1), c1=laws.pareto(1, 1))
    text = cd.export.coq(cd.derive(context), library=False)
    assert left_out(text) == ()
    assert "Theorem expected_cost1" in text and "Theorem law_is_proper_with_ends" in text


# ---- what is read


@pytest.mark.parametrize("page", ["site/pages/coq.md", "publish/coq/README.md"])
def test_the_definitions_of_a_page_are_those_of_the_library(page: str) -> None:
    """What a reader is asked to believe stands in the library, word for word, up to line ends."""
    room = Path(cd.__file__).parent
    library = " ".join(" ".join(text.split()) for text in library_files("coq", ()).values())
    blocks = re.findall(
        r"^```coq\n(.*?)^```", (room / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    statements = [" ".join(x.split()) for block in blocks for x in re.split(r"(?<=\.)\n", block) if x.strip()]
    assert len(statements) > 5
    assert [x for x in statements if x not in library] == []


# ---- strips and antiderivatives


def test_a_triangle_is_one_strip_and_a_hexagon_is_two() -> None:
    given = settings(derivation("Unit"))[0].given
    below = sides((c0, c1 - c0, 1 - c1), given)
    assert strips(below, None, given) == (Strip(sympy.S.Zero, sympy.S.One, sympy.S.Zero, c1),)
    hexagon = sides((c0, c1, c1 + 1 - c0, c0 + 1 - c1, 2 - c0, 2 - c1), given)
    assert strips(hexagon, None, given) == (
        Strip(sympy.S.Zero, sympy.S.One, sympy.S.Zero, c1 + 1),
        Strip(sympy.S.One, sympy.Integer(2), c1 - 1, sympy.Integer(2)),
    )


def test_the_ray_of_a_report_above_one_half_leaves_a_square_at_its_side() -> None:
    square = Strip(sympy.S.Zero, sympy.S.One, sympy.S.Zero, sympy.S.One)
    setting = settings(derivation("Unit"))[0]
    first, second = setting.cells
    assert cuts(square, first.on, setting.given) == (Cut(Part.INSIDE, sympy.S.One),)
    assert cuts(square, second.on, setting.given) == (
        Cut(Part.INSIDE, (1 - p) / p),
        Cut(Part.ABOVE, sympy.S.One),
    )


@pytest.mark.parametrize(
    "text",
    ["x^(-5/2) - x^(1/2)", "x^2*exp(-3*x)", "x*exp(-m*x) - 4*x^3", "(1 + x)*exp(-x - m)", "2/x^3 - 1/x"],
)
def test_an_antiderivative_of_powers_and_exponentials_has_that_slope(text: str) -> None:
    x, m = sympy.symbols("x m", positive=True)
    expr = sympy.sympify(text.replace("^", "**"), {"x": x, "m": m})
    rates = by_rates(expr, x, sympy.factor)
    assert rates is not None
    assert sympy.simplify(sympy.diff(integrated(rates, x), x) - expr) == 0


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (lambda: cd.Joint("4/pi", "(c0 - 2)^2 + (c1 - 2)^2 <= 1/4"), "not linear in the costs"),
        (lambda: cd.Independent(c0=laws.lognormal(0, 1), c1=laws.uniform(0, 1)), "unbounded at 0"),
        (lambda: cd.Independent(c0=laws.uniform(0, 1), c1=laws.pareto("4/3", 1)), "power"),
    ],
)
def test_costs_that_coq_does_not_integrate_are_refused(context: Callable[[], Context], reason: str) -> None:
    with pytest.raises(ExportError, match=reason):
        area_section.sections(cd.derive(context()))
