"""Coq gets laws with unusual numbers: logarithms and powers of fractions, differences of letters, exponentials."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

import costderive as cd
from costderive.core.errors import ExportError
from costderive.costs.contexts import Context
from costderive.publish.coq.coq_file import coq, left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, ask
from tests.coq_mutants import Mutants

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="needs coqc and Coquelicot")
ENDS, ARCS = (
    "endpoints, expected loss",
    "expected costs along arcs, total along arcs, reports 0 and 1 along arcs",
)
TWO = {"a": "exponential(2)", "b": "exponential(3)"}
CAPPED = {"fee": "uniform(1, 2)", "loss": "exponential(10)"}
VISITS = {"visit": "exponential(10)", "n": {0: "1/2", 2: "1/2"}}
AREAS = "expected costs over areas, total over areas, reports 0 and 1 over areas"
WITH_TOTAL = "expected costs along arcs, reports 0 and 1 along arcs"
EXISTENCE = "existence of the expected costs"


def _deductible() -> Context:
    parts = {"fee": "uniform(1, 3)", "loss": "uniform(0, b)"}
    return cd.costs_of_parts("fee", "max(loss - d, 0)", parts=parts, assuming="b > d")


def _uncertain(c0: str, c1: str, **parts: str) -> Context:
    return cd.costs_of_parts(c0, c1, parts=parts)


def _sum(mean: str, other: str, known: str = "k", **parts: str) -> Context:
    return cd.costs_of_parts(known, "a + b", parts={"a": mean, "b": other, **parts})


CONTEXTS: Mapping[str, tuple[Callable[[], Context], str]] = {
    "Fractions": (lambda: cd.Independent("loguniform(1/7, 3)", "uniform(2/3, 5)"), ""),
    "Divisor": (lambda: cd.Independent("exponential(7/3)", "loguniform(2, 9)"), ""),
    "Letters": (lambda: cd.Independent("loguniform(a, b)", "h"), ""),
    "Decimals": (lambda: cd.Independent("uniform(0, g)", "pareto(27/10, 3/2)"), ""),
    "Halves": (lambda: cd.Independent("pareto(5/2, a)", "pareto(5/2, b)"), ""),
    "LogNormal": (lambda: cd.Independent("0.37", "lognormal(1.3, 0.45)"), ""),
    "Frechet": (lambda: cd.Independent("frechet(2, 3)", "uniform(0, 4)"), ""),
    "Root": (lambda: cd.Additive(density="kumaraswamy(5/3, 2)"), "total"),
    "Deductible": (_deductible, ""),
    "Sum": (lambda: _sum("exponential(2)", "exponential(5)"), ""),
    "Copula": (lambda: cd.Copula("fgm", "1/3", fp="exponential(2)", fn="uniform(0, 7)"), ""),
    "HeldSum": (
        lambda: _sum("exponential(m)", "exponential(n)", "d", d="exponential(m)"),
        "means over the part in closed form",
    ),
    "LogLogistic": (lambda: cd.Independent("loglogistic(3, 2)", "k"), ""),
    "RootAtEnd": (lambda: cd.Independent("beta(1/2, 2)", "uniform(0, 4/3)"), ""),
    "RootOfProduct": (lambda: cd.Independent("beta(3/2, 1)", "11/6"), ""),
    "GreatMultiples": (lambda: cd.Independent("loguniform(5/7, 13)", "beta(2, 3)"), AREAS),
    "SmallMean": (lambda: cd.Independent("lognormal(-1/2, 3/5)", "pareto(3, 2)"), ""),
    "ExponentialOfOne": (lambda: cd.costs_of_parts("visit + 5*n", "80", parts=VISITS), ""),
    "OppositeAngles": (lambda: cd.Independent("uniform(0, 5/4)", "loglogistic(2, 3)"), f"{AREAS}, {ENDS}"),
    "IntegralToRoot": (
        lambda: cd.Curve(c0="1 + 2*x", c1="3/(1 + x)", density="exponential(4/3)"),
        f"{WITH_TOTAL}, {ENDS}",
    ),
    "ShiftedParts": (lambda: cd.costs_of_parts("a + 1/2", "b + 2", parts=TWO), ""),
    "FeeAndCap": (
        lambda: cd.costs_of_parts("fee", "min(loss, 12)", parts=CAPPED),
        f"{AREAS}, {ARCS}, {ENDS}, {EXISTENCE}",
    ),
    "Cap": (lambda: cd.costs_of_parts("3/2", "min(loss, 20)", parts={"loss": "gamma(2, 7)"}), ""),
    "InverseGauss": (
        lambda: cd.Independent("invgauss(m, 4)", "k"),
        f"{ARCS}, {ENDS}, {EXISTENCE}",
    ),
    "Gompertz": (lambda: cd.Independent("gompertz(1, 2)", "3"), f"{ARCS}, {ENDS}, {EXISTENCE}"),
    "ProductOfParts": (
        lambda: _uncertain("a*b", "7", a="uniform(0, 2)", b="uniform(0, 3)"),
        f"{ARCS}, {ENDS}",
    ),
    "SumOfParts": (
        lambda: _uncertain("k", "a + b", a="uniform(0, m)", b="exponential(2)"),
        f"{ARCS}, {ENDS}",
    ),
    "ProductOfBetas": (lambda: _uncertain("3/2", "5*a*b", a="beta(2, 2)", b="beta(3, 1)"), f"{ARCS}, {ENDS}"),
    "QuotientOfParts": (
        lambda: _uncertain("k", "a/b", a="exponential(3)", b="uniform(1, 2)"),
        f"{ARCS}, {ENDS}",
    ),
    "PowersByLetters": (
        lambda: _uncertain("k", "a*b", a="beta(m, 1)", b="beta(n, 1)"),
        f"{ENDS}, expected costs, total",
    ),
    "LinesOfBothSigns": (lambda: cd.Independent("lomax(4, 3)", "loguniform(2, 7)"), ""),
    "DividedInside": (lambda: cd.Independent("dagum(3, 1, 2)", "uniform(0, 7/4)"), f"{AREAS}, {ENDS}"),
    "InfiniteAtABreakpoint": (lambda: cd.Curve(c0="3*x", c1="x + 2", density="pareto(3, 1)"), WITH_TOTAL),
}


@cache
def text(name: str) -> str:
    return coq(cd.derive(CONTEXTS[name][0]()), library=False)


@with_coq
@pytest.mark.parametrize("name", CONTEXTS)
def test_coq_accepts_laws_with_unusual_numbers(name: str, beside: Path) -> None:
    assert ", ".join(left_out(text(name))) == CONTEXTS[name][1]
    answer = ask(text(name), library=beside)
    assert answer.accepted, (answer.culprit, answer.words)
    assert set(answer.axioms) <= CLASSICAL_REALS


WRONG = Mutants(text, {
    "a divisor of logarithms": ("Divisor", "2 * ln 3 - ln 2", "2 * ln 3 - ln 7", "", "slopes1"),
    "a divisor that is negative": ("Divisor", "(2 * ln 3 - ln 2)", "(ln 3 - 2 * ln 2)", "pose (rise1", "sign1"),
    "a logarithm of a fraction": ("Fractions", "17 / (6 * p", "18 / (6 * p", "", "slopes3"),
    "letters in another order": ("Letters", "(ln b - ln a)", "(ln a - ln b)", "Lemma sign2", "sign2"),
    "a power of a fraction": ("Decimals", "Rpower 2 (3 / 10)", "Rpower 2 (7 / 10)", "Definition chance_of1", "law1"),
    "a half power of a letter": ("Halves", "sqrt b ^ 5", "sqrt b ^ 3", "Definition chance_of1", "law1"),
    "a root that is above 1": ("Root", "1 - Rpower p (1 / 3)", "1 - Rpower p (2 / 3)", "Lemma sign1", "sign1"),
    "the greater exponential": ("Sum", "exp (- 3 * k", "exp (3 * k", "Lemma sign1", "sign1"),
    "a square of a difference": ("Deductible", "(b - d) ^ 2 * p", "(b - d) ^ 3 * p", "Lemma sign2", "costs.sign2"),
    "an exponential of an exponential": ("Gompertz", "exp (1 - exp", "exp (2 - exp", "", "slopes1"),
    "the mean of an inverse Gauss cost": ("InverseGauss", "exp (8 / m)", "exp (4 / m)", "", "slopes1"),
    "a root at an end": ("RootAtEnd", "3 * sqrt c0 ^ 3 / 8", "3 * sqrt c0 ^ 3 / 7", "strip1", "certified_strip1"),
    "a root of a product": ("RootOfProduct", "121 * sqrt 66", "121 * sqrt 67", "", "slopes1"),
    "a great multiple": ("GreatMultiples", "2400123635 * ln 13", "2400123635 * ln 11", "", "join1"),
    "the inverse of the mean": ("SmallMean", "exp (- 8 / 25)", "exp (8 / 25)", "Lemma mean0", "mean0"),
    "an exponential of 1": ("ExponentialOfOne", "- 5 * exp 1 - 5", "- 6 * exp 1 - 5", "", "slopes2"),
    "an angle": ("OppositeAngles", "atan (sqrt 3 * (5 - 9 * p)", "atan (sqrt 3 * (5 - 8 * p)", "", "slopes1"),
    "an end of an integral": ("IntegralToRoot", "23 * p + 1", "23 * p + 2", "exponential_integral (3", "slopes2"),
    "a product of two exponentials": ("ShiftedParts", "exp (11 / 12)", "exp (12 / 11)", "strip", "certified_strip1"),
    "the weight of a cap": ("FeeAndCap", "144 * exp (- 6 / 5)", "145 * exp (- 6 / 5)", "Lemma sign2", "sign2"),
    "the probability of the cap": ("Cap", "27 / (7 * exp (20 / 7))", "27 / (7 * exp (20 / 9))", "", "lawful_costs"),
    "one of two related exponentials": ("SumOfParts", "exp (k * (p - 1)", "exp (k * (p - 2)", "", "slopes1"),
    "the slope of a sum of logarithms": ("ProductOfParts", "1 / ((1 - p) * p)", "2 / ((1 - p) * p)", "rise1", "rise1"),
    "the slope from the lower end": ("ProductOfBetas", "3 * p * (1 - p) ^ 3", "4 * p * (1 - p) ^ 3", "rise2", "rise2"),
    "the greater product": ("QuotientOfParts", "exp (k / 3 -", "exp (k / 2 -", "greater_by_logarithm", "sign1"),
    "a logarithm of a line": ("LinesOfBothSigns", "ln (c1 + 3 *", "ln (c1 + 2 *", "strip1", "certified_strip1"),
    "a limit at the report 1": ("LogLogistic", "tends_at_1 L1 0", "tends_at_1 L1 1", "", "loss1_ends"),
})  # fmt: skip


@with_coq
@pytest.mark.parametrize("what", WRONG.changes)
def test_coq_stops_at_the_lemma_that_a_change_breaks(what: str, beside: Path) -> None:
    WRONG.require_rejected(what, beside)


def test_fractional_powers_beside_a_log_normal_cost_are_left_out_by_name() -> None:
    derivation = cd.derive(cd.Independent("lognormal(1/3, 1/2)", "pareto(5/2, 3)"))
    assert AREAS in left_out(coq(derivation, library=False))[0]


def test_a_sine_is_not_taken_to_be_positive() -> None:
    derivation = cd.derive(cd.Independent(2, cd.Density("(1 + sin(x))/(pi + 2)", (0, "pi"))))
    with pytest.raises(ExportError, match="the sign of the threshold weight"):
        coq(derivation)


def test_inverse_hyperbolic_sines_of_opposite_numbers_are_refused() -> None:
    with pytest.raises(ExportError, match="of opposite numbers"):
        coq(cd.derive(cd.PowerMean(2, density="triangular(0, 1/3, 1)")), whole=False)
