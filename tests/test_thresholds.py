"""Losses at fixed and random thresholds: against integrals of the definition, simulation, and known verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational

import costderive as cd
from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.symbols import p, parameter
from costderive.costs import laws
from costderive.costs.thresholds import Threshold
from costderive.proof.claims import Verdict
from costderive.publish.export import latex
from costderive.publish.formats import terminal
from costderive.rules import Judgement
from costderive.spec import parse, threshold_from, to_toml

PROPER, IMPROPER, UNDECIDED = Judgement.PROPER, Judgement.IMPROPER, Judgement.UNDECIDED
HALF, THIRD = Rational(1, 2), Rational(1, 3)

# context and threshold; E[c0], E[c1] and P(T < p) worked out on paper; the verdict
CASES: dict[str, tuple[Any, Any, float, float, Callable[[float], float], Judgement]] = {
    "zero-one loss": (cd.Additive(), cd.FixedThreshold("1/2"), 1, 1, lambda x: float(x > 0.5), PROPER),
    "zero-one at 1/3": (cd.Additive(), cd.FixedThreshold("1/3"), 1, 1, lambda x: float(x > 1 / 3), IMPROPER),
    "cost-weighted": (cd.FixedCosts(1, 3), cd.FixedThreshold(0.25), 1, 3, lambda x: float(x > 0.25), PROPER),
    "uniform costs": (
        cd.IndependentUniform(c0=(1, 3), c1=(0, 4)),
        cd.FixedThreshold("1/2"),
        2,
        2,
        lambda x: float(x > 0.5),
        PROPER,
    ),
    "randomised": (cd.Additive(), cd.RandomThreshold(), 1, 1, lambda x: x, IMPROPER),
    "randomised geometric": (
        cd.Geometric(),
        cd.RandomThreshold("6*t*(1-t)"),
        float(mpmath.pi / 2),
        float(mpmath.pi / 2),
        lambda x: 3 * x**2 - 2 * x**3,
        IMPROPER,
    ),
    "exponential costs": (
        cd.Independent(c0=laws.exponential(2), c1=laws.exponential(5)),
        cd.RandomThreshold("4*t^3"),
        2,
        5,
        lambda x: x**4,
        IMPROPER,
    ),
    "in a range": (
        cd.IndependentUniform(c0=(1, 2), c1=(1, 3)),
        cd.RandomThreshold(laws.uniform("1/4", "3/4")),
        1.5,
        2,
        lambda x: min(1, max(0, 2 * x - 0.5)),
        IMPROPER,
    ),
    "triangular": (
        cd.FixedCosts(2, 1),
        cd.RandomThreshold(laws.triangular(0, "1/4", 1)),
        2,
        1,
        lambda x: 4 * x**2 if x <= 0.25 else 1 - 4 * (1 - x) ** 2 / 3,
        IMPROPER,
    ),
    "arcsine": (
        cd.Additive(),
        cd.RandomThreshold(laws.beta("1/2", "1/2")),
        1,
        1,
        lambda x: float(2 / mpmath.pi * mpmath.asin(mpmath.sqrt(x))),
        IMPROPER,
    ),
    "one point by a law": (
        cd.Additive(),
        cd.RandomThreshold(laws.known("1/2")),
        1,
        1,
        lambda x: float(x > 0.5),
        PROPER,
    ),
}
POINTS = (0.0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.9, 1.0)


@pytest.fixture(scope="module")
def derivations() -> dict[str, Any]:
    return {name: cd.derive(case[0], threshold=case[1]) for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_losses_are_expected_costs_times_probabilities(name: str, derivations: dict[str, Any]) -> None:
    _, _, mean0, mean1, below, _ = CASES[name]
    loss = cd.numeric.compile(derivations[name])
    for x in POINTS:  # doubles: 1e-14 leaves room for a few operations
        assert loss.loss0(x) == pytest.approx(mean0 * below(x), abs=1e-14, rel=1e-14)
        assert loss.loss1(x) == pytest.approx(mean1 * (1 - below(x)), abs=1e-14, rel=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_verdict_is_the_known_one_and_is_proved(name: str, derivations: dict[str, Any]) -> None:
    found = derivations[name]
    assert found.verdict is CASES[name][5]
    assert cd.check(found).verdict is Verdict.PROVED
    assert (found.witness is not None) is (found.verdict is IMPROPER)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name][5] is IMPROPER])
def test_witness_expects_less_by_the_definition(name: str, derivations: dict[str, Any]) -> None:
    _, _, mean0, mean1, below, _ = CASES[name]
    witness = derivations[name].witness
    q, x = float(witness.belief), float(witness.report)

    def risk(report: float) -> float:
        return (1 - q) * mean0 * below(report) + q * mean1 * (1 - below(report))

    assert risk(x) < risk(q)
    assert risk(q) == pytest.approx(float(witness.truthful), rel=1e-12)
    assert risk(x) == pytest.approx(float(witness.better), rel=1e-12)


@pytest.mark.parametrize(
    "name", ["zero-one at 1/3", "uniform costs", "in a range", "triangular", "exponential costs"]
)
def test_simulation_of_the_threshold_agrees(name: str, derivations: dict[str, Any]) -> None:
    """The mean loss is the mean cost of decisions at drawn thresholds, within five standard errors."""
    generator = np.random.default_rng(3)
    y = generator.integers(0, 2, 200)
    scores = np.round(generator.random(200), 2)
    found = derivations[name]
    run = cd.evaluate.simulate(found.context, y, scores, draws=40_000, seed=5)
    assert abs(run.mean - cd.numeric.compile(found)(y, scores)) < 5 * run.standard_error


def test_fixed_threshold_is_proper_exactly_where_it_is_the_cost_proportion() -> None:
    for k in range(1, 12):
        at = Rational(k, 12)
        verdict = cd.derive(cd.FixedCosts(1, 2), threshold=cd.FixedThreshold(at)).verdict
        assert verdict is (PROPER if at == THIRD else IMPROPER)


def test_symbolic_threshold_is_proper_where_the_facts_say_so() -> None:
    a, b = parameter("a"), parameter("b")
    costs = cd.FixedCosts("a", "b")
    at_proportion = cd.derive(costs, threshold=cd.FixedThreshold(a / (a + b)))
    assert at_proportion.verdict is PROPER
    assert cd.check(at_proportion).verdict is Verdict.PROVED
    elsewhere = cd.derive(costs, threshold=cd.FixedThreshold("1/2"))
    assert elsewhere.verdict is Judgement.CONDITIONAL
    assert "proper if and only if a = b" in terminal.summary(elsewhere, cd.check(elsewhere))
    assert cd.check(elsewhere).verdict is Verdict.PROVED
    assert cd.derive(cd.FixedCosts("a", "2*a"), threshold=cd.FixedThreshold("1/2")).verdict is IMPROPER


def test_symbolic_costs_at_a_random_threshold_are_improper() -> None:
    found = cd.derive(cd.FixedCosts("a", "b"), threshold=cd.RandomThreshold("2*t"))
    assert found.verdict is IMPROPER
    assert cd.check(found).verdict is Verdict.PROVED
    assert sympy.simplify(found.rule.loss0 - parameter("a") * p**2) == 0


def test_losses_without_closed_form_are_said_to_be_undecided_and_are_computed() -> None:
    found = cd.derive(cd.PowerMean(3), threshold=cd.RandomThreshold("3*t^2"), time_limit=5)
    cost = mpmath.quad(lambda s: s * (2 / (s**3 + (1 - s) ** 3)) ** (mpmath.mpf(1) / 3), [0, 0.5, 1])
    loss = cd.numeric.compile(found)
    assert loss.loss0(0.5) == pytest.approx(float(cost) / 8, rel=1e-14)
    assert found.verdict in (IMPROPER, UNDECIDED)
    assert cd.check(found).verdict in (Verdict.PROVED, Verdict.OPEN)


@pytest.mark.parametrize("law", ["lomax(1/2, 1)", "lomax(1, m)", "frechet(1, m)", "loglogistic(m, 1)"])
def test_a_tail_without_a_mean_is_an_error_without_a_closed_form_too(law: str) -> None:
    with pytest.raises(DivergentCostError, match=r"E\[c1\] is infinite"):
        cd.derive(cd.Independent(c0="exponential(1)", c1=law), threshold="1/3")


def test_a_mean_that_depends_on_letters_is_assumed_to_be_finite() -> None:
    costs = cd.Independent(c0="pareto(a, 1)", c1="loglogistic(1, b)")
    found = cd.derive(costs, threshold="beta(2, 3)")
    assert {str(fact) for fact in found.context.given().positive} >= {"a - 1", "b - 1"}
    assert cd.check(found).verdict is Verdict.PROVED
    loss = cd.numeric.compile(found.rule.at(a=3, b=4))
    share = 1 - (1 - 0.3) ** 3 * (1 + 3 * 0.3)
    assert loss.loss0(0.3) == pytest.approx(3 / 2 * share)
    assert loss.loss1(0.3) == pytest.approx(math.pi / 4 / math.sin(math.pi / 4) * (1 - share))


def test_letters_that_no_value_fits_are_an_error() -> None:
    with pytest.raises(SpecError, match="no values of k fit"):
        cd.derive(cd.Independent(c0="exponential(1)", c1="frechet(k, 1)"), threshold="k")


def test_infinite_expected_cost_is_an_error() -> None:
    with pytest.raises(DivergentCostError, match=r"E\[c0\] is infinite"):
        cd.derive(cd.Harmonic(), threshold=cd.FixedThreshold("1/2"))


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: cd.FixedThreshold(0), "not inside"),
        (lambda: cd.FixedThreshold("3/2"), "not inside"),
        (lambda: cd.FixedThreshold(float("nan")), "NaN"),
        (lambda: cd.FixedThreshold("t"), "reserved"),
        (lambda: cd.RandomThreshold("t"), "total probability"),
        (lambda: cd.RandomThreshold("s"), "reserved"),
        (lambda: cd.RandomThreshold(laws.uniform(0, 2)), "values in"),
        (lambda: cd.RandomThreshold(laws.exponential(1)), "values in"),
        (lambda: cd.derive(cd.Additive(), threshold=None), "threshold = None"),
        (lambda: cd.derive(cd.Additive(), threshold=True), "threshold = True"),
        (lambda: threshold_from("uniform(0)"), "threshold"),
        (lambda: threshold_from("__import__('os')"), "threshold"),
        (lambda: threshold_from({"width": 1}), "width"),
        (lambda: parse("threshold = true\n[context]\nkind = 'additive'"), "spec: threshold"),
    ],
)
def test_bad_thresholds_get_an_error_that_names_the_problem(build: Callable[[], Any], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        build()


@pytest.mark.parametrize(
    "text", ['threshold = "1/3"', 'threshold = "uniform(0, 1)"', 'threshold = {density = "2*t"}', ""]
)
def test_threshold_of_a_spec_survives_writing(text: str) -> None:
    spec = parse(f'{text}\n[context]\nkind = "additive"\nbudget = 2')
    assert parse(to_toml(spec)) == spec
    assert isinstance(spec.threshold, cd.Calibrated) is (not text)


@pytest.mark.parametrize("name", ["zero-one loss", "zero-one at 1/3", "in a range", "triangular"])
def test_certificate_gives_back_the_derivation(name: str, derivations: dict[str, Any]) -> None:
    found = derivations[name]
    read = cd.Derivation.from_json(found.to_json())
    assert read == found
    assert cd.check(read).verdict is Verdict.PROVED


def test_certificate_with_another_threshold_is_not_proved(derivations: dict[str, Any]) -> None:
    text = derivations["zero-one loss"].to_json()
    start, move = text.split('"SetThreshold"', 1)
    number, other = ('"at": ["Rational", "1", "2"]', '"at": ["Rational", "1", "3"]')
    assert number in start and number in move
    with pytest.raises(SpecError, match="does not start at the context"):
        cd.Derivation.from_json(text.replace(number, other, 1))
    read = cd.Derivation.from_json(f'{start}"SetThreshold"{move.replace(number, other, 1)}')
    refuted = [x.claim.what for x in cd.check(read).findings if x.verdict is not Verdict.PROVED]
    assert "the threshold is that of the context" in refuted


@pytest.mark.parametrize("name", ["zero-one loss", "zero-one at 1/3", "randomised"])
def test_article_says_the_verdict(name: str, derivations: dict[str, Any]) -> None:
    article = latex(derivations[name])
    assert f"they are {CASES[name][5]}" in article
    assert ("the truth has a greater risk than" in article) is (CASES[name][5] is IMPROPER)


def test_generated_program_has_the_values_at_ties(derivations: dict[str, Any]) -> None:
    space: dict[str, Any] = {}
    exec(cd.export.code(derivations["zero-one at 1/3"].rule, "python"), space)
    assert [space["loss0"](x) for x in (0.0, 1 / 3, 0.34, 1.0)] == [0, 0, 1, 1]
    assert [space["loss1"](x) for x in (0.0, 1 / 3, 0.34, 1.0)] == [1, 1, 0, 0]


def test_improper_rule_has_no_threshold_weight(derivations: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="no threshold weight"):
        _ = derivations["randomised"].rule.weight


def test_a_threshold_between_two_letters_has_a_witness_wherever_it_is() -> None:
    found = cd.derive(cd.FixedCosts(1, 1), threshold=cd.RandomThreshold("uniform(l, h)"))
    assert cd.check(found).verdict is Verdict.PROVED
    assert found.concluded is cd.rules.Judgement.IMPROPER
    for (low, high), case in zip([(0.6, 0.9), (0.2, 0.7), (0.5, 0.8)], found.cases, strict=True):
        witness = case.steps[-1].after.witness
        belief, report = (
            float(x.subs({parameter("l"): low, parameter("h"): high}))
            for x in (witness.belief, witness.report)
        )
        share = [min(max((x - low) / (high - low), 0), 1) for x in (belief, report)]
        truth, other = ((1 - belief) * f + belief * (1 - f) for f in share)
        assert truth > other + 1e-3


@pytest.mark.parametrize(
    ("law", "shapes"), [("beta(a, b)", (0.7, 2.5)), ("beta(2, b)", (2, 0.3)), ("beta(a, a)", (4, 4))]
)
def test_a_threshold_of_a_beta_law_with_letters_has_a_witness(law: str, shapes: tuple[float, float]) -> None:
    """Whoever decides at random, by a law with a density, decides better for sure."""
    found = cd.derive(cd.IndependentUniform(c0=(0, 2), c1=(0, 2)), threshold=law)
    assert cd.check(found).verdict is Verdict.PROVED
    witness = found.cases[0].steps[-1].after.witness
    belief, report = float(witness.belief), float(witness.report)
    share = [float(mpmath.betainc(*shapes, 0, x, regularized=True)) for x in (belief, report)]
    truth, other = ((1 - belief) * f + belief * (1 - f) for f in share)
    assert truth > other + 1e-3


@pytest.mark.parametrize(
    ("written", "threshold"),
    [
        (0.5, cd.FixedThreshold("1/2")),
        ("1/3", cd.FixedThreshold("1/3")),
        ("uniform(0, 1)", cd.RandomThreshold()),
        ({"density": "2*t"}, cd.RandomThreshold("2*t")),
        ("s^2", cd.DistortedThreshold("s^2")),
        ("2*c0/(2*c0 + c1)", cd.DistortedThreshold("2*c0/(2*c0 + c1)")),
        ("calibrated", cd.Calibrated()),
    ],
)
def test_a_threshold_may_be_written_as_in_a_spec(written: Any, threshold: Threshold) -> None:
    derivation = cd.derive(cd.FixedCosts(1, 2), threshold=written)
    assert derivation.context == cd.derive(cd.FixedCosts(1, 2), threshold=threshold).context
