"""Thresholds that are functions of the cost proportion: against integrals of the definition and simulation."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

import costderive as cd
from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.symbols import parameter
from costderive.proof.claims import Verdict
from costderive.rules import Judgement, Miscalibration
from costderive.spec import parse, threshold_from, to_toml

# context; threshold; the weight on 0 < s < 1 that costs have by definition: E[c0; s in ds] = s w(s) ds
CASES: dict[str, tuple[Any, str, Callable[[float], float]]] = {
    "costs taken for twice as large": (cd.Additive(), "2*c0/(2*c0 + c1)", lambda s: 2.0),
    "harmonic": (cd.Harmonic(), "3*c0/(3*c0 + c1)", lambda s: 0.5 / (s * (1 - s))),
    "towards the middle": (cd.Additive(), "1/4 + s/2", lambda s: 2.0),
    "square": (cd.Geometric(), "s^2", lambda s: 1 / np.sqrt(s * (1 - s))),
    "root": (cd.Additive(density="6*s*(1-s)"), "sqrt(s)", lambda s: 12 * s * (1 - s)),
    "squares of the costs": (cd.Additive(), "c0^2/(c0^2 + c1^2)", lambda s: 2.0),
    "cubes of the costs": (cd.Harmonic(), "c0^3/(c0^3 + c1^3)", lambda s: 0.5 / (s * (1 - s))),
    "squares of Gamma costs": (
        cd.Independent(c0="gamma(2, 1)", c1="gamma(3, 1)"),
        "c0^2/(c0^2 + c1^2)",
        lambda s: 60 * s * (1 - s) ** 2,
    ),
    "pieces": (
        cd.IndependentUniform(c0=(0, 1), c1=(0, 2)),
        "c0/(c0 + 2*c1)",
        # c1^2 f c0/(1-s)^2... with density 1/2: w(s) = integral of b^2/2 over b <= min(1/s, 2/(1-s))
        lambda s: min(1 / s, 2 / (1 - s)) ** 3 / 6,
    ),
    "an S without a formula": (cd.Additive(), "3*s^2 - 2*s^3", lambda s: 2.0),
    "a sine": (cd.Additive(density="6*s*(1-s)"), "sin(pi*s/2)", lambda s: 12 * s * (1 - s)),
    "an exponential": (cd.Harmonic(), "s*exp(s - 1)", lambda s: 0.5 / (s * (1 - s))),
    "a fifth power inside": (
        cd.IndependentUniform(c0=(0, 1), c1=(0, 2)),
        "1/4 + s/8 + s^5/4",
        lambda s: min(1 / s, 2 / (1 - s)) ** 3 / 6,
    ),
}
POINTS = (0.07, 0.3, 0.5, 0.61, 0.93)


@cache
def derivation(name: str) -> Any:
    context, threshold, _ = CASES[name]
    return cd.derive(context, threshold=cd.DistortedThreshold(threshold))


def expected(name: str, x: float) -> tuple[float, float]:
    """Return both losses by the definition: integrals over the proportions below and above the threshold."""
    _, text, weight = CASES[name]
    at = threshold_from(text).of_costs  # type: ignore[union-attr]
    low, high = 0.0, 1.0
    for _ in range(80):  # bisection: the threshold grows
        middle = (low + high) / 2
        below = at((np.array([middle]), np.array([1 - middle])))[0] < x
        low, high = (middle, high) if below else (low, middle)
    points = [1 / 3] if low < 1 / 3 < 1 else None
    l0 = quad(lambda s: s * weight(s), 0, low, points=[1 / 3] if low > 1 / 3 else None, epsabs=1e-13)[0]
    l1 = quad(lambda s: (1 - s) * weight(s), low, 1, points=points, epsabs=1e-13)[0]
    return l0, l1


@pytest.mark.parametrize("name", CASES)
def test_losses_are_those_of_the_definition(name: str) -> None:
    loss = cd.numeric.compile(derivation(name))
    for x in POINTS:
        l0, l1 = expected(name, x)
        assert loss.loss0(x) == pytest.approx(l0, rel=1e-9, abs=1e-10)
        assert loss.loss1(x) == pytest.approx(l1, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_threshold_is_proved_to_be_improper(name: str) -> None:
    found = derivation(name)
    assert found.verdict is Judgement.IMPROPER
    assert cd.check(found).verdict is Verdict.PROVED
    assert cd.Derivation.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "text", ["s", "c0/(c0 + c1)", "2*c0/(2*c0 + 2*c1)", "sin(asin(s))", "(s^3 + s)/(s^2 + 1)"]
)
def test_the_right_threshold_gives_the_proper_rule(text: str) -> None:
    found = cd.derive(cd.Harmonic(), threshold=cd.DistortedThreshold(text))
    assert found.verdict is Judgement.STRICTLY_PROPER
    assert cd.check(found).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("context", "weight", "points"),
    [
        (cd.Additive(), lambda s: 2.0, None),
        (cd.IndependentUniform(c0=(0, 1), c1=(0, 1)), lambda s: min(1 / s, 1 / (1 - s)) ** 3 / 3, [0.5]),
    ],
)
def test_a_power_of_the_costs_is_proper_only_if_it_is_the_first(
    context: Any, weight: Callable[[float], float], points: Any
) -> None:
    """Otherwise the threshold of a belief is a better report: by integrals up to and from the proportion decided at."""
    found = cd.derive(context, threshold=cd.DistortedThreshold("c0^k/(c0^k + c1^k)"))
    assert conditions(found) == {"k": 1} and cd.check(found).verdict is Verdict.PROVED

    def risk(report: float, belief: float, k: float) -> float:
        odds = (report / (1 - report)) ** (1 / k)
        at = odds / (1 + odds)
        l0 = quad(lambda s: s * weight(s), 0, at, points=points)[0]
        l1 = quad(lambda s: (1 - s) * weight(s), at, 1, points=points)[0]
        return (1 - belief) * l0 + belief * l1

    (low, high), *_ = [one.between for one in found.conclusions[0].otherwise]
    for k, belief in itertools.product((0.5, 3.0), (0.2, 0.35, 0.6, 0.9)):
        assert low < belief < high
        better = belief**k / (belief**k + (1 - belief) ** k)
        assert risk(better, belief, k) < risk(belief, belief, k)


def conditions(found: Any) -> dict[str, Any]:
    return {str(one.letter): one.value for one in found.conclusions[0].conditions}


@pytest.mark.parametrize(
    ("context", "text", "values"),
    [
        (cd.Independent("gamma(2, 1)", "1"), "s^k/(s^k + (1 - s)^k)", {"k": 1}),
        (cd.Independent("lognormal(m, v)", "1"), "d*s^k/(d*s^k + (1 - s)^k)", {"d": 1, "k": 1}),
        (cd.Independent("halfnormal(a)", "rayleigh(b)"), "k*s/(k*s + 1 - s)", {"k": 1}),
        (cd.Curve("x + exp(x)", "1", density="exponential(1)"), "k*c0/(k*c0 + c1)", {"k": 1}),
        (cd.Independent("weibull(3, a)", "1"), "m*c0/(m*c0 + n*c1)", {"m": parameter("n")}),
        (cd.Additive(density="beta(a, b)"), "s^k", {"k": 1}),
        (cd.FixedCosts(1, "b"), "s^k", {"k": 1}),
    ],
)
def test_a_threshold_with_letters_is_that_of_the_costs_at_their_values_alone(
    context: Any, text: str, values: dict[str, Any]
) -> None:
    found = cd.derive(context, threshold=text)
    assert conditions(found) == values
    assert found.verdict is Judgement.CONDITIONAL and cd.check(found).verdict is Verdict.PROVED
    assert cd.Derivation.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (cd.IndependentUniform((0, 1), (0, 1)), "a + (b - a)*s"),
        (cd.Independent("gamma(k, 1)", "1"), "s^2"),
        (cd.Independent("uniform(l, h)", "1"), "3*s^2 - 2*s^3"),
        (cd.IndependentUniform(("l", "h"), (1, 2)), "3*s^2 - 2*s^3"),  # pieces may have no length
        (cd.Curve("x", "b", density="exponential(1)"), "3*s^2 - 2*s^3"),
        (cd.Harmonic(), "s*exp(k*(s - 1))"),
        (cd.Mixture(("w", cd.FixedCosts(1, 1)), ("1-w", cd.FixedCosts(1, "b"))), "s^2"),
    ],
)
def test_a_threshold_is_improper_by_the_rule_that_decides_at_s(context: Any, text: str) -> None:
    found = cd.derive(context, threshold=text)
    assert found.verdict is Judgement.IMPROPER and cd.check(found).verdict is Verdict.PROVED
    assert isinstance(found.conclusions[0], Miscalibration)
    assert "T(q)" in cd.export.latex(found)


@pytest.mark.parametrize("text", ["(2 + k - k)*s/(1 + s)", "s + (k - k)*s*(1 - s)"])
def test_a_letter_that_cancels_sets_no_condition(text: str) -> None:
    found = cd.derive(cd.Additive(), threshold=text)
    assert found.verdict in {Judgement.IMPROPER, Judgement.STRICTLY_PROPER}
    assert cd.check(found).verdict is Verdict.PROVED


def test_a_power_of_the_proportion_is_proper_only_if_it_is_the_first() -> None:
    found = cd.derive(cd.Additive(density="beta(2, 3)"), threshold=cd.DistortedThreshold("s^k"))
    assert found.verdict is Judgement.CONDITIONAL
    assert cd.check(found).verdict is Verdict.PROVED
    assert conditions(found) == {"k": 1}


def test_a_power_above_the_first_is_improper_whatever_the_letter() -> None:
    found = cd.derive(cd.Additive(), threshold=cd.DistortedThreshold("s^(k + 1)"))
    assert found.verdict is Judgement.IMPROPER and cd.check(found).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "value", "facts"),
    [
        ("(b*s^3 + s)/(1 + b)", 3, ()),
        ("b*s^3 + (1 - b)*s", 0.5, ("1 - b",)),
        ("(1 - b)/2 + b*s^3", 0.5, ("1 - b",)),
        ("b*s", 0.5, ("1 - b",)),
        ("s*exp(-b*(1 - s))", 2, ()),
        ("b + (1 - b)*(3*s^2 - 2*s^3)", 0.25, ("1 - b",)),  # of slope 0 at both ends
    ],
)
def test_letters_of_a_threshold_are_such_that_it_grows_inside_0_and_1(
    text: str, value: float, facts: tuple[str, ...]
) -> None:
    found = cd.derive(cd.Additive(), threshold=text)
    assert tuple(map(str, found.context.given().positive)) == facts
    assert found.verdict is Judgement.IMPROPER and cd.check(found).verdict is Verdict.PROVED
    loss, at = cd.numeric.compile(found.rule.at(b=value)), threshold_from(text.replace("b", str(value)))
    for share in (0.2, 0.5, 0.8):
        p = at.of_costs((np.array([share]), np.array([1 - share])))[0]  # type: ignore[union-attr]
        assert loss.loss0(p) == pytest.approx(share**2) and loss.loss1(p) == pytest.approx((1 - share) ** 2)


def test_costs_on_a_curve_without_a_formula_at_a_threshold_without_one() -> None:
    found = cd.derive(cd.Curve("x + x^3", "3 - exp(x)", density=1, support=(0, 1)), threshold="3*s^2 - 2*s^3")
    assert found.verdict is Judgement.IMPROPER and cd.check(found).verdict is Verdict.PROVED
    loss, x = cd.numeric.compile(found), 0.6
    c0, c1 = x + x**3, 3 - np.exp(x)
    share = c0 / (c0 + c1)
    p = 3 * share**2 - 2 * share**3
    assert loss.loss0(p) == pytest.approx(x**2 / 2 + x**4 / 4)
    assert loss.loss1(p) == pytest.approx(3 * (1 - x) - np.e + np.exp(x))


def test_a_threshold_ends_below_1_for_every_letter_of_an_exponential() -> None:
    found = cd.derive(cd.Additive(), threshold="1 - exp(-k*s^3 - s)")
    assert not found.context.given().positive
    assert cd.numeric.compile(found.rule)([0], [1 - np.exp(-0.6 * 0.5**3 - 0.5)], k=0.6) == pytest.approx(
        0.25
    )


def test_ends_of_a_law_with_letters_are_places_of_the_losses() -> None:
    found = cd.derive(cd.Additive(density="uniform(l, h)"), threshold="3*s^2 - 2*s^3")
    loss = cd.numeric.compile(found.rule)  # 2 s/(h - l) and 2 (1 - s)/(h - l) are integrated
    for share in (0.3, 0.5, 0.7):
        p = 3 * share**2 - 2 * share**3
        assert loss.loss0(p, l=0.2, h=0.8) == pytest.approx((share**2 - 0.04) / 0.6)
        assert loss.loss1(p, l=0.2, h=0.8) == pytest.approx(((1 - share) ** 2 - 0.04) / 0.6)
    assert loss.loss0(0.01, l=0.2, h=0.8) == 0 and loss.loss1(0.99, l=0.2, h=0.8) == 0


def test_simulation_agrees() -> None:
    generator = np.random.default_rng(3)
    y, scores = generator.integers(0, 2, 200), np.round(generator.random(200), 2)
    found = derivation("pieces")
    run = cd.evaluate.simulate(found.context, y, scores, draws=40_000, seed=5)
    assert abs(run.mean - cd.numeric.compile(found)(y, scores)) < 5 * run.standard_error


def test_losses_with_letters_are_computed_at_values_of_these() -> None:
    found = cd.derive(cd.Additive(), threshold=cd.DistortedThreshold("a*c0/(a*c0 + b*c1)"))
    assert found.verdict is Judgement.CONDITIONAL
    loss = cd.numeric.compile(found)
    twice = cd.numeric.compile(derivation("costs taken for twice as large"))
    assert loss.per_sample([0, 1], [0.3, 0.7], a=2, b=1) == pytest.approx(
        twice.per_sample([0, 1], [0.3, 0.7])
    )


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: cd.DistortedThreshold("1/2"), "does not depend on the costs"),
        (lambda: cd.DistortedThreshold("c0 + c1*s"), "no function of s"),
        (lambda: cd.DistortedThreshold("c0"), "no function of s"),
        (lambda: cd.DistortedThreshold("__import__('os') + s"), "threshold"),
        (lambda: cd.DistortedThreshold(None), "threshold"),
        (lambda: cd.DistortedThreshold("p*s"), "p"),
        (lambda: derived("1 - s"), "not seen to grow"),
        (lambda: derived("2*s"), "runs from 0 to 2"),
        (lambda: derived("s - 1/4"), "runs from -1/4"),
        (lambda: derived("max(s, 1/2)"), "not seen to grow"),
        (lambda: derived("atan(1/(1/2 - s))/pi + 1/2"), "not seen to grow"),  # it does, but for a jump at 1/2
        (lambda: derived("s/4 + s^5/4 + atan(1/(1/3 - s))/16"), "be smooth"),
        (lambda: derived("s + 1/(s - 1/2)"), "threshold"),
        (lambda: parse("threshold = 's*q'\n[context]\nkind = 'additive'"), "spec: threshold"),
    ],
)
def test_bad_thresholds_get_an_error_that_names_the_problem(build: Callable[[], Any], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        build()


def derived(text: str) -> Any:
    return cd.derive(cd.Additive(), threshold=cd.DistortedThreshold(text))


def test_unbounded_losses_beyond_all_thresholds_are_refused() -> None:
    with pytest.raises(DivergentCostError, match="infinite"):
        cd.derive(cd.Harmonic(), threshold=cd.DistortedThreshold("s/2"))


@pytest.mark.parametrize("text", ["2*c0/(2*c0 + c1)", "a*s/(a*s + 1 - s)", "sqrt(s)"])
def test_a_spec_survives_writing(text: str) -> None:
    spec = parse(f'threshold = "{text}"\n[context]\nkind = "additive"')
    assert parse(to_toml(spec)).threshold == spec.threshold == cd.DistortedThreshold(text)
