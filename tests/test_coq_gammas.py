"""Coq accepts two independent Gamma costs, and Weibull costs of one shape, from their law to their rule."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from mpmath import mp, mpf

import costderive as cd
from costderive.publish.coq.coq_file import coq, left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.library_text import library
from tests.coq_mutants import Changes, Mutants, mutated, states
from tests.coq_terms import function

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

PAIRS: Mapping[str, tuple[str, str]] = {
    "Letters": ("gamma(a, v)", "gamma(b, v)"),
    "TwoScales": ("gamma(a, l)", "gamma(b, m)"),
    "BesideExponential": ("gamma(a, v)", "exponential(r)"),
    "Halves": ("gamma(5/2, 1)", "gamma(1/2, 2)"),
    "Angles": ("gamma(1/2, 1)", "gamma(1/2, 1)"),
    "ChiSquared": ("chi2(3)", "chi2(5)"),
    "WholeBesideLetter": ("gamma(2, 1)", "gamma(b, 1)"),
    "Cubes": ("weibull(3, 1)", "weibull(3, 2)"),
    "Roots": ("weibull(1/2, 1)", "weibull(1/2, 1)"),
    "Squares": ("rayleigh(1)", "halfnormal(1)"),
    "WeibullLetters": ("weibull(k, l)", "weibull(k, m)"),
}
WHOLE = {
    *("lawful_costs", "expected_cost0", "expected_cost1", "law_is_proper", "law_is_strictly_proper"),
    *("law_is_proper_with_ends", "total_is_1", "proper", "strictly_proper", "expected_loss_of_scores"),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(cd.Independent(*PAIRS[name])), library=False)


@pytest.mark.parametrize("name", PAIRS)
def test_a_file_holds_the_whole_theorem(name: str) -> None:
    assert left_out(text(name)) == ()
    assert set(re.findall(r"^Theorem (\w+)", text(name), re.MULTILINE)) >= WHOLE
    assert text(name).count("\n") < 300


@with_coq
@pytest.mark.parametrize("name", PAIRS)
def test_coq_accepts_it_on_the_axioms_of_the_reals_alone(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS


CHANGES: Changes = {
    "another shape of a cost": ("Letters", "Rpower x a", "Rpower x b", "Definition density0", "density0_is"),
    "another scale of a cost": ("TwoScales", "exp (- x / l)", "exp (- x / m)", "Definition density0", "density0_is"),
    "half of a density": ("Halves", "sqrt 2", "sqrt 2 / 2", "Definition density1", "density1_is"),
    "another scale of Weibull costs": (
        "WeibullLetters",
        "Rpower l (- k)",
        "Rpower m (- k)",
        "Definition density0",
        "density0_is",
    ),
    "the law of another cost": ("Letters", "density1_is]", "density0_is]", "Lemma law1", "law1"),
    "another weight": ("Letters", "pair_weight a b", "pair_weight b a", "Lemma weighs", "weighs"),
    "another power of the weight": ("Cubes", "pair_weight 1 1 3", "pair_weight 1 1 2", "Lemma weighs", "weighs"),
    "twice a loss": ("Letters", "v * incomplete", "2 * v * incomplete", "Definition piece1", "slopes1"),
    "the loss of another class": (
        "Letters",
        "(pay0 p) (loss0",
        "(pay0 p) (loss1",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "another decision": ("TwoScales", "(pay0 p)", "(pay1 p)", "Theorem expected_cost0", "expected_cost0"),
    "another mean": ("Letters", "(a * v)", "(b * v)", "Lemma mean0", "mean0"),
    "a total of 2": ("Letters", "areas 1", "areas 2", "Theorem total_is_1", "total_is_1"),
    "strict where nothing is said": (
        "Letters",
        "StrictlyProperOn 0 1",
        "StrictlyProperOn (- 1) 1",
        "Theorem law_is_strictly_proper",
        "law_is_strictly_proper",
    ),
    "hypotheses that are contradictory": ("Letters", "0 < b", "b < 0 /\\ 0 < b", "Definition assumed", "possible"),
}  # fmt: skip
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


MORE = "asin (sqrt p) / PI -", "1 + asin (sqrt p) / PI -"
MUTANTS_OF_SLOPES = Mutants(
    lambda name: mutated(text(name), *MORE, "Definition L0"),
    {"a constant more, as proper, and no expected cost": ("Angles", *MORE, "Definition piece1", "loss0_vanishes")},
)  # fmt: skip


@with_coq
@pytest.mark.parametrize("what", MUTANTS_OF_SLOPES.changes)
def test_coq_rejects_losses_with_the_right_slopes_that_do_not_vanish(what: str, beside: Path) -> None:
    MUTANTS_OF_SLOPES.require_rejected(what, beside)


# What is changed in the library, and the lemma that falls.
OF_LIBRARY: Mapping[str, tuple[str, str, str, str]] = {
    "another sum of shapes": ("BetaGamma", "Gamma (a + b) * beta", "Gamma (a + b + 1) * beta", "beta_by_gammas"),
    "another share": ("BetaGamma", ":= k / (1 + k)", ":= k / (2 + k)", "of_odds_inside"),
    "another density": ("GammaPairs", "c * Rpower r q", "Rpower r q", "stretched_by_gamma"),
    "another tail": ("GammaPairs", "gamma_density b y * upper", "gamma_density b y * lower", "beside_upper_gamma"),
}  # fmt: skip


@with_coq
@pytest.mark.parametrize("what", OF_LIBRARY)
def test_coq_rejects_a_library_with_another_definition_or_theorem(what: str, beside: Path) -> None:
    name, old, new, lemma = OF_LIBRARY[what]
    answer = ask(mutated(library()[f"{name}.v"], old, new), library=beside)
    assert (answer.accepted, answer.culprit) == (False, lemma)


def test_what_is_changed_in_the_library_is_there() -> None:
    for name, old, new, lemma in OF_LIBRARY.values():
        assert states(mutated(library()[f"{name}.v"], old, new), lemma)


# ---- the losses, by the law of the costs


def below(shape: mpf, x: mpf) -> mpf:
    """``E[c; c < x]`` of a Gamma law of scale 1."""
    return shape * mp.gammainc(shape + 1, 0, x, regularized=True)


def gamma_law(shape: mpf, x: mpf) -> mpf:
    return x ** (shape - 1) * mp.exp(-x) / mp.gamma(shape)


@pytest.mark.parametrize("q", ["0.25", "0.625"])
def test_the_loss_of_a_file_is_the_expected_cost(q: str) -> None:
    with mp.workdps(40):
        odds = mpf(q) / (1 - mpf(q))
        cost = mp.quad(lambda y: gamma_law(mpf("0.5"), y) * below(mpf("0.5"), odds * y), [0, 1, 8, mp.inf])
        assert abs(function(text("Angles"), "L0")(mpf(q)) - cost) < mpf(10) ** -15
