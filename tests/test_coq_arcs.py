"""Coq accepts the whole theorem on costs along arcs and beside known costs, and rejects each wrong part of it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.costs.contexts import Context
from costderive.costs.laws import x
from costderive.publish.coq.coq_file import coq, left_out, theorems
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.library_text import library
from costderive.publish.coq.paths import Turn
from tests.coq_mutants import Changes, Mutants
from tests.coq_terms import function

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")

CONTEXTS: Mapping[str, Callable[[], Context]] = {
    "KnownBesideUniform": lambda: cd.Independent("2", "uniform(0, 1)"),
    "UniformBesideKnown": lambda: cd.Independent("uniform(1, 2)", "3"),
    "KnownBesideLetters": lambda: cd.Independent("1", "uniform(a, b)"),
    "KnownLetterBesideExponential": lambda: cd.Independent("k", "exponential(m)"),
    "GammaBesideKnown": lambda: cd.Independent("gamma(2, 1)", "1"),
    "KnownBesideHeavyTail": lambda: cd.Independent("1", "pareto(3/2)"),
    "KnownBesideFractions": lambda: cd.Independent("1", "lomax(3, 2)"),
    "Arcsine": lambda: cd.Independent("1", "beta(1/2, 1/2)"),
    "Halves": lambda: cd.Independent("beta(1/2, 3/2)", "2"),
    "BetaLetters": lambda: cd.Independent("1", "beta(a, b)"),
    "RootOf0": lambda: cd.Independent("beta(2, 1/2)", "1"),
    "FractionsAlong": lambda: cd.Harmonic(budget="1/2", c0="uniform(3/4, 3)"),
    "LogNormalBesideKnown": lambda: cd.Independent("lognormal(mu, sigma)", "k"),
    "KnownBesideLogNormal": lambda: cd.Independent("2", "lognormal(-1, 1/2)"),
    "Segment": lambda: cd.Curve(c0="1 + x", c1="2 - x", density="uniform(0, 1)"),
    "RootsOf0AtBreakpoint": lambda: cd.Independent("beta(3/2, 1/2)", "k"),
    "SegmentOfLetters": lambda: cd.Curve(c0="x", c1="a + b*x", density="uniform(l, h)"),
    "ChangeWhereTheArcStarts": lambda: cd.Curve(c0="a", c1="b*x + c", density="gamma(2, m)"),
    "LogarithmsOfFractions": lambda: cd.Curve(c0="a*x/(1 + x)", c1="b", density="uniform(0, 1)"),
    "HeavyTailOfLetters": lambda: cd.Independent("k", "pareto(a + 1, m)"),
    "InfiniteMean": lambda: cd.Independent("1", "pareto(1)"),
    "InfiniteMeanByALetter": lambda: cd.Independent("1", "pareto(a, 1)"),
    "InfiniteMeanOfClass0ByALetter": lambda: cd.Independent("pareto(a, m)", "1"),
    "InfiniteMeanOfClass0": lambda: cd.Independent("lomax(1, 2)", "k"),
    "InfiniteBesideFractions": lambda: cd.Independent("2", "betaprime(2, 1)"),
    "InfiniteWhereTheArcStarts": lambda: cd.Harmonic(budget="1/2", c0="uniform(1/2, 3)"),
    "InfiniteOnALine": lambda: cd.Mixture(
        ("1/2", cd.Harmonic()), ("1/2", cd.Independent("1", "uniform(0, 1)"))
    ),
    "InfiniteBesidePoint": lambda: cd.Mixture(
        ("1/2", cd.FixedCosts(1, 2)), ("1/2", cd.Independent("1", "pareto(1)"))
    ),
    "GeometricBesideHeavyTail": lambda: cd.Geometric(c1="pareto(2, 1)"),
    "SquareAlong": lambda: cd.Curve(c0="x^2", c1="1", density="uniform(0, b)"),
    "GeometricOfLetters": lambda: cd.Geometric(mean="g", c1="pareto(a + 1, m)"),
    "OneCostAlone": lambda: cd.Curve(c0="x", c1="1", density="beta(2, 3)"),
    "BesidePoint": lambda: cd.Mixture(
        ("1/2", cd.FixedCosts(1, 2)), ("1/2", cd.Independent("1", "uniform(0, 1)"))
    ),
    "BesideLineAndPoint": lambda: cd.Mixture(
        ("1/3", cd.Additive()), ("1/3", cd.FixedCosts(1, 2)), ("1/3", cd.Independent("1", "exponential(1)"))
    ),
}
LAW = {
    "lawful_costs",
    "expected_cost0",
    "expected_cost1",
    "law_is_proper",
    "law_is_strictly_proper",
    "law_is_proper_with_ends",
    "total_is_1",
}
# whose expected loss over scores is left out, as weights are unbounded
WITHOUT_SCORES = {
    "Arcsine",
    "BetaLetters",
    "RootOf0",
    "RootsOf0AtBreakpoint",
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_the_whole_theorem_along_arcs(name: str, beside: Path) -> None:
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words[-2000:])
    assert set(answer.axioms) <= CLASSICAL_REALS
    assert {*theorems(text(name))} >= LAW | (set() if name in WITHOUT_SCORES else {"expected_loss_of_scores"})


@pytest.mark.parametrize(
    "context",
    [
        lambda: cd.Independent("weibull(5/3, 2)", "k"),
        lambda: cd.Curve(c0="x^3", c1="1", density="uniform(0, 1)"),
    ],
    ids=["no limit that is seen", "cube root of the threshold"],
)
def test_what_is_not_seen_along_an_arc_is_left_out_by_name(context: Callable[[], Context]) -> None:
    (found,) = left_out(coq(cd.derive(context()), library=False))
    assert {"expected costs along arcs", "reports 0 and 1 along arcs"} <= {*found.split(", ")}


CHANGES: Changes = {
    "another density": (
        "UniformBesideKnown",
        "(fun x => 1)",
        "(fun x => 2)",
        "Definition arc1",
        "lawful_arc1",
    ),
    "a negative density": (
        "UniformBesideKnown",
        "(fun x => 1)",
        "(fun x => - 1)",
        "Definition arc1",
        "lawful_arc1",
    ),
    "another cost along the arc": (
        "Segment",
        "2 - x",
        "3 - x",
        "Definition arc1",
        "lawful_arc1",
    ),
    "an arc that ends later": (
        "UniformBesideKnown",
        "(Finite 2)",
        "(Finite 3)",
        "Definition arc1",
        "spans_arc1",
    ),
    "an arc that ends before it starts": (
        "UniformBesideKnown",
        "(Finite 2)",
        "(Finite (1 / 2))",
        "Definition arc1",
        "spans_arc1",
    ),
    "another antiderivative": (
        "UniformBesideKnown",
        "x ^ 2 / 2",
        "x ^ 2 / 3",
        "Definition amount0_1",
        "integrated_amount0_1",
    ),
    "an antiderivative that does not vanish at infinity": (
        "GammaBesideKnown",
        "polynomial",
        "1 + polynomial",
        "Definition amount1_1",
        "integrated_amount1_1",
    ),
    "a fraction that does not vanish at infinity": (
        "KnownBesideFractions",
        "(x + 2) ^ 2",
        "(x + 2) ^ 0",
        "Definition amount1_1",
        "integrated_amount1_1",
    ),
    "another mean of the logarithm": (
        "LogNormalBesideKnown",
        "spread_log_normally arc1 1 the_mu",
        "spread_log_normally arc1 1 (the_mu + 1)",
        "Lemma log_normal1",
        "log_normal1",
    ),
    "the other cost known": (
        "KnownBesideLogNormal",
        "cost0 arc1 x = 2",
        "cost0 arc1 x = x",
        "Lemma costs1",
        "costs1",
    ),
    "another logarithm": (
        "FractionsAlong",
        "ln (2 * x - 1)",
        "ln (2 * x + 1)",
        "Definition amount1_1",
        "integrated_amount1_1",
    ),
    "a loss that does not vanish where its class is certain": (
        "GammaBesideKnown",
        "tends_at_0 L0 0",
        "tends_at_0 L0 1",
        "Lemma loss0_starts",
        "loss0_starts",
    ),
    "an angle of another root": (
        "Arcsine",
        "asin (sqrt x)",
        "asin (sqrt (1 - x))",
        "Definition amount0_1",
        "integrated_amount0_1",
    ),
    "another turn": (
        "KnownLetterBesideExponential",
        "(Falling (k * (1 - p) / p))",
        "(Falling (k / p))",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "a turn the other way": (
        "Segment",
        "(Rising",
        "(Falling",
        "Lemma costs_of_piece2",
        "costs_of_piece2",
    ),
    "no turn": ("Segment", "p Never", "p Always", "Lemma costs_of_piece1", "costs_of_piece1"),
    "a point that is not charged": (
        "BesidePoint",
        "point_below",
        "point_above",
        "Lemma costs_of_piece2",
        "costs_of_piece2",
    ),
    "another probability of a point": (
        "BesidePoint",
        "Point 1 2 (1 / 2)",
        "Point 1 2 (1 / 3)",
        "Definition points",
        "lawful_costs",
    ),
    "a law without its point": (
        "BesidePoint",
        "Law [] arcs points",
        "Law [] arcs []",
        "Definition law",
        "lawful_costs",
    ),
    "the loss of the other class": (
        "Segment",
        "(pay1 p) (L1 p)",
        "(pay1 p) (L0 p)",
        "Theorem expected_cost1",
        "expected_cost1",
    ),
    "a wider interval of strictness": (
        "Segment",
        "StrictlyProperOn (1 / 3)",
        "StrictlyProperOn (1 / 4)",
        "Theorem law_is_strictly_proper",
        "law_is_strictly_proper",
    ),
    "an infinite mean as a finite one": (
        "InfiniteMean",
        "(with_values L1 p_infty 0)",
        "(with_values L1 (Finite 1) 0)",
        "Theorem law_is_proper_with_ends",
        "law_is_proper_with_ends",
    ),
    "a limit that an antiderivative has not": (
        "InfiniteMean",
        "integrates_from arc1",
        "integrates_along arc1",
        "Lemma integrated_amount1_1",
        "integrated_amount1_1",
    ),
    "another antiderivative of what is infinite": (
        "InfiniteWhereTheArcStarts",
        "ln (",
        "2 * ln (",
        "Definition amount1_1",
        "integrated_amount1_1",
    ),
    "an infinite cost that is paid on all of the arc": (
        "InfiniteMean",
        "charged_before1 arc1 (Falling ((1 - p) / p))",
        "charged_before1 arc1 Never",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "an infinite cost on the other part of the arc": (
        "InfiniteWhereTheArcStarts",
        "charged_after1",
        "charged_before1",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "an infinite mean by a letter as a finite one": (
        "InfiniteMeanByALetter",
        "(with_values L1 p_infty 0)",
        "(with_values L1 (Finite 1) 0)",
        "Theorem law_is_proper_with_ends",
        "case2.law_is_proper_with_ends",
    ),
    "a power that vanishes said to grow": (
        "InfiniteMeanByALetter",
        "(fun p => / Rpower p (1 - a))",
        "(fun p => Rpower p (1 - a))",
        "Lemma loss1_grows",
        "case2.loss1_grows",
    ),
    "a turn that is no root": (
        "GeometricBesideHeavyTail",
        "(Falling (sqrt (1 - p) / sqrt p))",
        "(Falling ((1 - p) / p))",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "squares of another difference": (
        "GeometricBesideHeavyTail",
        "below_by_squares (((2 * (1 - 2 * p)) / 2) / p)",
        "below_by_squares (((2 * (1 - 2 * p)) / 3) / p)",
        "Lemma costs_of_piece1",
        "costs_of_piece1",
    ),
    "another total": ("Segment", "=> 1) 1.", "=> 1) 2.", "Theorem total_is_1", "total_is_1"),
    "another mean": ("Segment", "=> c1) (3 / 2).", "=> c1) 2.", "Lemma mean1", "mean1"),
}
MUTANTS = Mutants(text, CHANGES)


@with_coq
@pytest.mark.parametrize(
    ("c0", "c1"),
    [
        ("1", "beta(1/2, b)"),  # the weight has Gamma(b + 1/2) as Gamma((2*b + 1)/2)
        ("maxwell(a)", "1"),  # what is left of the error function stands beside exponentials
        ("truncnormal(1, 1, 0, 2)", "1"),  # values of the error function are opposite at a breakpoint
    ],
)
def test_coq_accepts_functions_that_formulas_write_in_several_ways(c0: str, c1: str, beside: Path) -> None:
    answer = ask(coq(cd.derive(cd.Independent(c0, c1)), library=False), library=beside)
    assert answer.accepted, (answer.culprit, answer.words)


def test_equal_shapes_are_written_alike() -> None:
    text = coq(cd.derive(cd.Independent("1", "beta(1/2, b)")), library=False)
    assert "Gamma (b + 1 / 2)" in text
    assert "Gamma ((2 * b + 1) / 2)" not in text


def test_a_file_alone_has_what_its_library_requires() -> None:
    text = coq(cd.derive(cd.Independent("truncnormal(1, 1, 0, 2)", "1")))
    modules = re.findall(r"^Module (\w+)\.$", text, re.M)
    files = [name for name in modules if f"{name}.v" in library()]
    for name in files:
        (required,) = re.findall(
            r"^From CostDerive Require Import (.*)\.$", library()[f"{name}.v"], re.M
        ) or [""]
        assert set(required.split()) <= set(files[: files.index(name)]), name


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_rejects_each_mutant_at_the_lemma_that_is_wrong(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


def test_what_is_paid_along_an_arc_is_gained_up_to_the_turn_or_from_it_on() -> None:
    half = Turn("Rising", sympy.S.Half)
    arc = next(step.after.arcs for step in cd.derive(CONTEXTS["Segment"]()).cases[0].steps[:1])[0]
    assert (half.paid(0, x**2, arc), half.paid(1, x**2, arc)) == (sympy.S(1) / 4, sympy.S(3) / 4)
    assert (Turn("Always").paid(0, x**2, arc), Turn("Always").paid(1, x**2, arc)) == (1, 0)


# Losses of classes whose mean cost is infinite, with numbers for letters, and what is paid up to the turn of a report.
PAID: Mapping[str, tuple[str, Mapping[str, int], Callable[[mpf], mpf]]] = {
    "InfiniteMean": ("L1", {}, lambda q: mp.quad(lambda c: 1 / c, [1, (1 - q) / q])),
    "InfiniteMeanOfClass0": (
        "L0", {"k": 3}, lambda q: mp.quad(lambda c: 2 * c / (2 + c) ** 2, [0, 3 * q / (1 - q)]),
    ),
    "InfiniteBesideFractions": (
        "L1", {}, lambda q: mp.quad(lambda c: 2 * c**2 / (1 + c) ** 3, [0, 2 * (1 - q) / q]),
    ),
    "InfiniteWhereTheArcStarts": (
        "L1", {}, lambda q: mp.quad(lambda c: c / (2 * c - 1) * 2 / 5, [1 / (2 * (1 - q)), 3]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAID)
def test_a_loss_whose_mean_is_infinite_is_what_is_paid_up_to_the_turn(name: str) -> None:
    loss, numbers, paid = PAID[name]
    for q in (mpf("0.125"), mpf("0.375")):
        assert abs(function(text(name), loss)(q, **numbers) - paid(q)) < mpf(10) ** -12, q
