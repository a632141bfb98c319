"""Coq accepts losses with incomplete Beta and Gamma functions, by the integrals that define them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.core.errors import ExportError
from costderive.core.symbols import p
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.terms import term
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function, value

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
a, b = sympy.symbols("a b", positive=True)

LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "expected_loss_of_scores",
    "strictly_proper",
}
ENDS = {"proper", "strictly_proper", "strictly_proper_with_ends", "expected_loss_of_scores"}
RULE = {"proper", "strictly_proper"}
WHOLE = {*LAW, "total_is_1"}
CONTEXTS: Mapping[str, tuple[Callable[[], Context], set[str]]] = {
    "Budget": (lambda: cd.Additive("m", "beta(a, b)"), WHOLE | ENDS),
    "Fractions": (lambda: cd.Additive(3, "beta(7/3, 4/3)"), WHOLE),
    "BelowOne": (lambda: cd.Additive(1, "beta(1/2, 1/3)"), WHOLE | ENDS),
    "Half": (lambda: cd.Additive("m", "beta(a, 2/5)"), WHOLE | ENDS),
    "Harmonic": (lambda: cd.Harmonic("m", "beta(a, b)"), WHOLE),
    "HarmonicFractions": (lambda: cd.Harmonic(1, "beta(5/2, 7/3)"), WHOLE),
    "Geometric": (lambda: cd.Geometric("m", "beta(a, b)"), WHOLE),
    "Sixths": (lambda: cd.Geometric(1, "beta(4/3, 7/3)"), WHOLE),
    "Mixture": (
        lambda: cd.Mixture(("w", cd.Additive(2, "beta(a, b)")), ("1 - w", cd.FixedCosts(1, 2))),
        {*WHOLE, "tie1"} - {"expected_loss_of_scores"},
    ),
    "Gammas": (lambda: cd.Independent("gamma(a, v)", "gamma(b, v)"), WHOLE | ENDS),
    "GammasOfTwoScales": (lambda: cd.Independent("gamma(a, 1)", "gamma(b, 3)"), WHOLE | ENDS),
    "GammasOfFractions": (lambda: cd.Independent("gamma(7/2, 1)", "gamma(4/3, 1)"), WHOLE | ENDS),
    "GammaBesideKnown": (lambda: cd.Independent("gamma(a, v)", "known(2)"), WHOLE),
    "KnownBesideGamma": (lambda: cd.Independent("known(1)", "gamma(7/3, 2)"), WHOLE),
    "GammaBesideUniform": (lambda: cd.Independent("gamma(a, 1)", "uniform(0, 1)"), WHOLE),
    "WeibullBesideUniform": (lambda: cd.Independent("weibull(k, 1)", "uniform(0, 1)"), WHOLE),
    "WeibullOfThirds": (lambda: cd.Independent("weibull(7/3, 1)", "uniform(0, 1)"), WHOLE),
    "UniformBesideWeibull": (lambda: cd.Independent("uniform(0, b)", "weibull(k, a)"), WHOLE),
    "Weibull": (lambda: cd.Independent("weibull(3, 1)", "known(1)"), WHOLE),
    "HalfNormalBesideKnown": (lambda: cd.Independent("halfnormal(m)", "known(1)"), WHOLE),
    "RayleighBesideKnown": (lambda: cd.Independent("known(2)", "weibull(2, 1)"), WHOLE),
    "HalfGammaBesideKnown": (lambda: cd.Independent("gamma(1/2, 1)", "known(1)"), WHOLE),
    "ParetoBesideKnown": (lambda: cd.Independent("pareto(a + 1, 1)", "known(1)"), WHOLE),
    "BetaHalves": (lambda: cd.Independent("beta(1/2, 1/2)", "uniform(0, 1)"), RULE),
    "WeibullLetters": (lambda: cd.Independent("weibull(k, a)", "weibull(k, b)"), WHOLE | ENDS),
    "BetaBesideKnown": (lambda: cd.Independent("beta(a, b)", "known(2)"), RULE),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name][0]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_them_on_the_axioms_of_the_reals_alone(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS
    assert {*theorems(text(name))} >= CONTEXTS[name][1]


def test_constants_of_losses_are_not_reflected() -> None:
    """Coq relates Gamma functions whose arguments differ by whole numbers, and knows no reflection."""
    assert "Gamma (2 / 3) / Gamma (1 / 3) ^ 2" in text("Fractions") and "PI" not in text("Fractions")


def test_what_a_file_leaves_out_is_named() -> None:
    assert "expected costs over areas" in left_out(text("BetaHalves"))[0]


@pytest.mark.parametrize("name", [name for name, (_, found) in CONTEXTS.items() if found >= WHOLE])
def test_a_file_on_beta_and_gamma_laws_leaves_out_nothing(name: str) -> None:
    assert left_out(text(name)) == ()


CHANGES: Changes = {
    "another first argument of a loss": ("Budget", "(a + 1) b p", "a b p", "Definition piece1", "slopes1"),
    "another second argument": ("Budget", "(b + 1) a (1", "(b + 1) b (1", "Definition piece1", "slopes1"),
    "another exponent of the weight": ("Budget", "p (a - 1)", "p a", "Definition piece1", "slopes1"),
    "twice a loss": ("Gammas", "v * incomplete", "2 * v * incomplete", "Definition piece1", "slopes1"),
    "another mean": ("Budget", "beta (a + 1) b", "beta a b", "Lemma loss0_ends", "loss0_ends"),
    "another law": ("Budget", "p (a - 1)", "p a", "Definition curve1", "lawful_costs"),
    "other costs": ("Budget", "(fun p => m)", "(fun p => 2 * m)", "Definition curve1", "lawful_costs"),
    "another decision": ("Budget", "(pay0 p)", "(pay1 p)", "Theorem expected_cost0", "expected_cost0"),
    "another step of a Gamma function": (
        "WeibullOfThirds",
        "Gamma (13 / 7)",
        "Gamma (6 / 7)",
        "Definition piece1",
        "slopes1",
    ),
    "another shape": ("GammaBesideKnown", "a (2 * p", "(a + 1) (2 * p", "2 * upper_gamma", "slopes1"),
    "another end of the integral": ("GammaBesideKnown", "a (2 * p", "a (p", "2 * upper_gamma", "slopes1"),
    "another constant": (
        "BetaBesideKnown",
        "2 - 2 * incomplete_beta",
        "1 - 2 * incomplete_beta",
        "Definition piece1",
        "join1",
    ),
    "another density": ("GammaBesideKnown", "Rpower x (a - 1)", "Rpower x a", "Definition arc1", "lawful_arc1"),
    "a density for half of it": (
        "GammaBesideKnown",
        "exp (- x / v)",
        "exp (- x / v) / 2",
        "Definition arc1",
        "lawful_arc1",
    ),
    "another antiderivative": (
        "GammaBesideKnown",
        "upper_gamma (a + 1)",
        "upper_gamma (a + 2)",
        "Definition amount0_1",
        "integrated_amount0_1",
    ),
    "another value at infinity": (
        "HalfNormalBesideKnown",
        "- 1)",
        "- 2)",
        "Definition chance_1",
        "integrated_chance_1",
    ),
    "another power of the density": (
        "ParetoBesideKnown",
        "- a - 2",
        "- a - 3",
        "Definition arc1",
        "lawful_arc1",
    ),
    "a total of 2": ("GammaBesideKnown", "_ => 1) 1", "_ => 1) 2", "Theorem total_is_1", "total_is_1"),
    "a mean of another class": ("GammaBesideKnown", "c0 _ => c0", "_ c1 => c1", "Lemma mean0", "mean0"),
    "another angle": ("BetaHalves", "asin (sqrt p", "2 * asin (sqrt p", "Definition piece1", "slopes1"),
    "a jump at a breakpoint": ("BetaHalves", "(7 * p - 3) / (8", "(8 * p - 3) / (8", "Definition piece2", "join1"),
    "a wrong sign": ("BetaHalves", "positive_as ((rise1", "positive_as (2 * (rise1", "Lemma sign1", "sign1"),
    "another shape of a power": (
        "WeibullLetters",
        "(b * p) (k + 1)",
        "(b * p) (k + 2)",
        "Definition piece1",
        "slopes1",
    ),
    "another letter in a sum of powers": (
        "WeibullLetters",
        "Rpower b k * positive_power p k",
        "Rpower a k * positive_power p k",
        "Lemma loss1_starts",
        "loss1_starts",
    ),
    "hypotheses that are contradictory": ("Gammas", "0 < b", "b < 0 /\\ 0 < b", "Definition assumed", "possible"),
}  # fmt: skip
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


# ---- the functions, by the integrals that define them, and the losses, by the law of the costs


@pytest.mark.parametrize(
    ("expr", "integrand", "end"),
    [
        (sympy.betainc(a, b, 0, p), lambda u: u ** mpf("-0.25") * (1 - u) ** 1.5, 0.375),
        (sympy.beta(a, b), lambda u: u ** mpf("-0.25") * (1 - u) ** 1.5, 1),
        (sympy.lowergamma(a, p), lambda u: u ** mpf("-0.25") * mp.exp(-u), 0.375),
        (sympy.gamma(a) - sympy.uppergamma(a, p), lambda u: u ** mpf("-0.25") * mp.exp(-u), 0.375),
        (sympy.gamma(a), lambda u: u ** mpf("-0.25") * mp.exp(-u), mp.inf),
    ],
    ids=["B[p](a, b)", "B(a, b)", "lower", "upper", "Gamma"],
)
def test_a_term_is_the_integral_that_defines_it(
    expr: sympy.Expr, integrand: Callable[[mpf], mpf], end: float
) -> None:
    with mp.workdps(60):
        exact = mp.quad(integrand, [0, end] if end <= 1 else [0, 1, 8, end])
        found = value(term(expr), {"a": mpf("0.75"), "b": mpf("2.5"), "p": mpf("0.375")})
        assert abs(found - exact) < mpf(10) ** -25


def test_a_regularized_function_is_a_quotient() -> None:
    assert term(sympy.betainc_regularized(a, b, 0, p)) == "incomplete_beta a b p / beta a b"


@pytest.mark.parametrize(
    "expr",
    [
        sympy.betainc(a - 1, b, 0, p),
        sympy.betainc(a, b, p, 1),
        sympy.beta(a, b - 1),
        sympy.lowergamma(a - 1, p),
    ],
    ids=str,
)
def test_an_integral_that_may_be_infinite_is_refused(expr: sympy.Expr) -> None:
    with pytest.raises(ExportError):
        term(expr)


def beta_law(shape0: str, shape1: str, s: mpf) -> mpf:
    x, y = mp.mpmathify(shape0), mp.mpmathify(shape1)
    return s ** (x - 1) * (1 - s) ** (y - 1) / mp.beta(x, y)


def below(shape: mpf, scale: mpf, x: mpf) -> mpf:
    """``E[c; c < x]`` of a Gamma law."""
    return scale * shape * mp.gammainc(shape + 1, 0, x / scale, regularized=True)


def gamma_law(shape: mpf, x: mpf) -> mpf:
    return x ** (shape - 1) * mp.exp(-x) / mp.gamma(shape)


# A context, numbers for its letters, and the expected cost if the class is 0 at a report, by the law of the costs.
COSTS: Mapping[str, tuple[Mapping[str, float], Callable[[mpf], mpf]]] = {
    "Budget": (
        {"a": 0.5, "b": 1.5, "m": 3},
        lambda q: mp.quad(lambda s: 3 * s * beta_law("0.5", "1.5", s), [0, q]),
    ),
    "Fractions": ({}, lambda q: mp.quad(lambda s: 3 * s * beta_law("7/3", "4/3", s), [0, q])),
    "HarmonicFractions": ({}, lambda q: mp.quad(lambda s: beta_law("5/2", "7/3", s) / (1 - s), [0, q])),
    "Sixths": ({}, lambda q: mp.quad(lambda s: mp.sqrt(s / (1 - s)) * beta_law("4/3", "7/3", s), [0, q])),
    "Gammas": (
        {"a": 0.5, "b": 1.5, "v": 1},
        lambda q: mp.quad(
            lambda y: gamma_law(mpf("1.5"), y) * below(mpf("0.5"), mpf(1), q * y / (1 - q)), [0, 1, 8, mp.inf]
        ),
    ),
    "GammaBesideKnown": ({"a": 0.5, "v": 3}, lambda q: below(mpf("0.5"), mpf(3), 2 * q / (1 - q))),
    "BetaBesideKnown": (
        {"a": 0.5, "b": 1.5},
        lambda q: mp.quad(lambda c: c * beta_law("0.5", "1.5", c), [0, min(1, 2 * q / (1 - q))]),
    ),
}


@pytest.mark.parametrize("name", COSTS)
def test_the_loss_of_a_file_is_the_expected_cost(name: str) -> None:
    numbers, cost = COSTS[name]
    values = {letter: mpf(number) for letter, number in numbers.items()}
    with mp.workdps(40):
        for q in (mpf("0.125"), mpf("0.625")):
            assert abs(function(text(name), "L0")(q, **values) - cost(q)) < mpf(10) ** -15, q
