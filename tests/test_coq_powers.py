"""Coq gets expected costs beside a cost whose density is a power, by what incomplete functions add up to."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
import sympy
from mpmath import mp

import costderive as cd
from costderive.costs.contexts import Context
from costderive.costs.laws import x
from costderive.publish.coq.coq_file import coq, left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from costderive.publish.coq.moments import Interval, family, power_law
from tests.coq_mutants import of_one_file

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
pi, oo = sympy.pi, sympy.oo


CONTEXTS: Mapping[str, Context] = {
    "Weibull": cd.Independent("uniform(0, 1)", "weibull(3, 1)"),
    "OtherWeibull": cd.Independent("uniform(0, 1)", "weibull(3, 2)"),
    "InfiniteMean": cd.Independent("uniform(0, 1)", "pareto(1/3)"),
    "Logarithms": cd.Independent("loguniform(1, 4)", "uniform(0, 1)"),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name]), library=False)


@with_coq
@pytest.mark.parametrize(
    ("c0", "c1"),
    [
        ("uniform(0, 1)", "weibull(3, 1)"),
        ("gamma(a, 1)", "uniform(0, 1)"),
        ("weibull(k, 1)", "uniform(0, 1)"),
        ("halfnormal(1)", "uniform(0, 1)"),
        ("lognormal(0, 1)", "pareto(2, 1)"),
        ("loguniform(1, 10)", "uniform(0, 1)"),
        ("loguniform(1, 4)", "uniform(0, 1)"),
        ("pareto(a + 1, m)", "pareto(b + 1, m)"),
        ("uniform(0, 1)", "pareto(4/3)"),
        ("pareto(2.3, 5)", "pareto(1.7, 50)"),  # products of powers of whole numbers by their prime factors
        ("pareto(2.3, 5)", "exponential(1)"),
        ("pareto(2, 1)", "uniform(0, 1)"),  # a moment is a logarithm, and infinite
        ("pareto(a + 1, m)", "uniform(0, 1)"),  # three cases, in one of which a is 1
        ("invgamma(3, 1)", "uniform(0, 1)"),
        ("invgamma(a + 2, 1)", "uniform(0, 1)"),
        ("uniform(0, 1)", "invgamma(7/2, 1)"),
        ("pareto(3, 2)", "invgamma(5/2, 1)"),
        ("weibull(k, a)", "uniform(0, b)"),
        ("loguniform(m, n)", "uniform(0, b)"),
        ("uniform(0, b)", "loguniform(m, n)"),
        ("uniform(0, 20)", "loguniform(10, 400)"),
        ("uniform(0, 2)", "nakagami(m, w)"),
        ("nakagami(3/2, 1)", "uniform(0, 1)"),
        ("uniform(0, 1)", "pareto(1/3)"),  # its mean is infinite
        ("pareto(1/3)", "uniform(0, 1)"),
        ("uniform(0, 1)", "pareto(a, 1)"),  # five cases, in two of which the mean is infinite
    ],
)
def test_coq_accepts_the_whole_from_the_law(c0: str, c1: str, beside: Path) -> None:
    text = coq(cd.derive(cd.Independent(c0, c1)), library=False)
    assert left_out(text) == ()
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


def test_a_file_names_the_costs_of_fractional_powers_beside_another_scale() -> None:
    derivation = cd.derive(cd.Independent("exponential(2)", "pareto(1.7, 50)"))
    assert "expected costs over areas" in left_out(coq(derivation))[0]


CHANGES = {
    "the density": ("3 * c1 ^ 2 * exp (- c1 ^ 3)", "2 * c1 ^ 2 * exp (- c1 ^ 3)", "product"),
    "the region": ("[c0; 1 - c0; c1]", "[c0; 2 - c0; c1]", "product"),
    "a probability": ("1 * lower_gamma 1 (1", "2 * lower_gamma 1 (1", "law1"),
    "a mean": ("SumUp (fun x => 1 * lower_gamma (4 / 3)", "SumUp (fun x => 1 * lower_gamma (5 / 3)", "law1"),
    "a moment": ("=> 1 * lower_gamma (5 / 3)", "=> 3 * lower_gamma (5 / 3)", "moment_adds_up"),
    "the total": ("has_total_of_areas areas 1", "has_total_of_areas areas 2", "total_is_1"),
}  # fmt: skip
MUTANTS = of_one_file(text, "Weibull", CHANGES)


@with_coq
@pytest.mark.parametrize("what", CHANGES)
def test_coq_stops_at_the_lemma_that_a_change_breaks(what: str, beside: Path) -> None:
    MUTANTS.require_rejected(what, beside)


INFINITE = {
    "an infinite mean with a limit": ("law_along (At 1) (At 1) Beyond", "law_along Beyond (At 1) Beyond", "law1"),
    "an infinite mean as a finite one": ("(with_values L1 p_infty 0)", "(with_values L1 (Finite 1) 0)",
                                         "law_is_proper_with_ends"),
    "a power that vanishes said to grow": ("=> / Rpower p (2 / 3))", "=> Rpower p (2 / 3))", "loss1_grows"),
    "how the mean adds up": ("SumUp (fun x => (1 / 3) / (2 / 3)", "SumUp (fun x => (1 / 3) / (1 / 3)", "law1"),
}  # fmt: skip
INFINITE_MUTANTS = of_one_file(text, "InfiniteMean", INFINITE)


@with_coq
@pytest.mark.parametrize("what", INFINITE)
def test_coq_tells_infinite_means_from_finite_ones(what: str, beside: Path) -> None:
    INFINITE_MUTANTS.require_rejected(what, beside)


@with_coq
def test_a_mean_that_is_infinite_beside_an_incomplete_function_is_paid_at_the_report_0(beside: Path) -> None:
    text = coq(cd.derive(cd.Independent("uniform(0, 1)", "invgamma(1/2, 1)")), library=False)
    assert "(with_values L1 p_infty 0)" in text
    assert left_out(text) == ("endpoints, expected loss",)
    answer = ask(text, library=beside)
    assert answer.accepted, (answer.culprit, answer.words)


LOGARITHMS = {
    "the density": ("1 / (c0 * ln 4)", "1 / (c0 * ln 3)", "product"),
    "the end": ("SumUp (fun x => (1 / (2 * ln 2)) * ln x) ((1 / (2 * ln 2)) * at_place ln (At 1))",
                "SumUp (fun x => (1 / (2 * ln 2)) * ln x) ((1 / (2 * ln 2)) * at_place ln (At 2))", "law0"),
}  # fmt: skip
LOGARITHM_MUTANTS = of_one_file(text, "Logarithms", LOGARITHMS)


@with_coq
@pytest.mark.parametrize("what", LOGARITHMS)
def test_coq_tells_logarithms_of_numbers_apart(what: str, beside: Path) -> None:
    LOGARITHM_MUTANTS.require_rejected(what, beside)


def _rays(low: str) -> str:
    """Return a file that says that all rays of thresholds between two numbers meet a square."""
    required = (
        "From Coq Require Import Reals Lra.\nFrom CostDerive Require Import Elementary Moments Families.\n"
    )
    square = "(At 1) (At 2) (At 1) (At 2)"
    return (
        f"{required}Open Scope R_scope.\nLemma rays t : {low} < t < 2 / 3 -> ray_meets t {square}.\n"
        f"Proof. intro T. ray_meets ({low}) (2 / 3). Qed.\nPrint Assumptions rays.\n"
    )


@with_coq
def test_strictness_by_densities_ends_where_no_costs_have_the_threshold(beside: Path) -> None:
    assert ask(_rays("1 / 3"), library=beside).accepted
    assert ask(_rays("1 / 4"), library=beside).culprit == "rays"


@with_coq
def test_coq_rejects_expected_costs_that_are_not_those_of_the_law(beside: Path) -> None:
    """The losses of one law, which are proper, are not those of another."""
    before, _, after = text("Weibull").partition("Definition area1 ")
    opening, _, _ = text("OtherWeibull").partition("Definition area1 ")
    answer = ask(f"{opening}Definition area1 {after}", library=beside)
    assert before != opening
    assert not answer.accepted and answer.culprit == "Rule.rule.costs_of_piece1"


DENSITIES = [
    (sympy.Rational(3, 2) * sympy.sqrt(x) * sympy.exp(-(x ** sympy.Rational(3, 2))), 0, oo),
    (x ** sympy.Rational(3, 2) * sympy.exp(-x / 2) / (3 * sympy.sqrt(2 * pi)), 0, oo),
    (sympy.exp(-((sympy.log(x) - 1) ** 2) / 8) / (2 * x * sympy.sqrt(2 * pi)), 0, oo),
    (3 * x**2 / 7, 1, 2),
    (1 / (x * sympy.log(3)), 1, 3),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(DENSITIES)))
def test_moments_are_those_by_quadrature(number: int) -> None:
    density, low, high = DENSITIES[number]
    found = family(density, Interval(sympy.sympify(low), sympy.sympify(high)))
    assert found is not None
    for order in (0, 1, 2):
        moment = sympy.lambdify(x, x**order * density, "mpmath")
        truth = mp.quad(moment, [low, 1, 20, 400, mp.inf] if high is oo else [low, high])
        assert abs(sympy.N(found.moment(sympy.Integer(order)).gain) - truth) < 1e-8 * abs(truth)


def test_a_power_is_normed_on_its_interval() -> None:
    for density, low, high in ((5 * x**-3, 2, oo), (x ** sympy.Rational(1, 3), 1, 4), (sympy.S.One, 0, 3)):
        found = power_law(density, Interval(sympy.sympify(low), sympy.sympify(high)))
        assert found is not None
        assert sympy.simplify(sympy.integrate(found.density, (x, low, high)) - 1) == 0
        assert sympy.simplify(sympy.integrate(x * found.density, (x, low, high)) - found.mean) == 0
