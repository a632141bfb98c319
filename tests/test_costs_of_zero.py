"""Costs that are 0 with a probability: the rule, what a sure report pays beyond its limit, and mutants of claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import p
from costderive.costs.expected_loss import NOTHING
from costderive.derivation.derivation import Derivation, losses
from costderive.evaluate import simulate, threshold_for
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict
from costderive.rules import Losses
from costderive.rules.loss_arithmetic import scaled, summed

HALF = sympy.Rational(1, 2)
MANY = 200_000
RARE = 1e-5  # what 200,000 draws may not see of a loss
LEAST = {"a": "uniform(0, 3)"}
Draw = Callable[[np.random.Generator], tuple[Any, Any]]


def _excess(r: np.random.Generator) -> tuple[Any, Any]:
    return np.maximum(r.uniform(0, 3, MANY) - 1, 0), np.full(MANY, 2.0)


def _excess_of_class_1(r: np.random.Generator) -> tuple[Any, Any]:
    return np.full(MANY, 1.0), np.maximum(r.uniform(0, 3, MANY) - 1, 0)


def _count(r: np.random.Generator) -> tuple[Any, Any]:
    return r.binomial(3, 0.5, MANY) * r.exponential(1, MANY), np.full(MANY, 2.0)


def _count_in_both(r: np.random.Generator) -> tuple[Any, Any]:
    n, b = r.binomial(2, 1 / 3, MANY), r.uniform(0, 1, MANY)
    return n * b, n + b


def _along_curve(r: np.random.Generator) -> tuple[Any, Any]:
    a = r.exponential(2, MANY)
    return np.maximum(a - 1, 0), a


def _over_part(r: np.random.Generator) -> tuple[Any, Any]:
    a, b = r.uniform(0, 3, MANY), r.uniform(0, 1, MANY)
    return np.maximum(a - b, 0), b


def _difference_in_both(r: np.random.Generator) -> tuple[Any, Any]:
    a, b = r.uniform(0, 1, MANY), r.uniform(0, 2, MANY)
    return np.maximum(a - b, 0), 2 + np.maximum(a - b, 0)


def _over_a_threshold(r: np.random.Generator) -> tuple[Any, Any]:
    return np.maximum((1 - r.random(MANY)) ** (-1 / 2.5) - 2, 0), r.uniform(0, 3, MANY)


def _times_both(r: np.random.Generator) -> tuple[Any, Any]:
    n = r.binomial(2, 1 / 3, MANY)
    return n * r.uniform(0, 1, MANY), n * r.uniform(0, 1, MANY)


# costs in parts, and the same costs drawn by NumPy alone
CASES: dict[str, tuple[str, str, dict[str, str], Draw]] = {
    "an excess": ("max(a - 1, 0)", "2", LEAST, _excess),
    "an excess of class 1": ("1", "max(a - 1, 0)", LEAST, _excess_of_class_1),
    "a count": ("n*b", "2", {"n": "binomial(3, 1/2)", "b": "exponential(1)"}, _count),
    "a count in both": ("n*b", "n + b", {"n": "binomial(2, 1/3)", "b": "uniform(0, 1)"}, _count_in_both),
    "along a curve": ("max(a - 1, 0)", "a", {"a": "exponential(2)"}, _along_curve),
    "a difference in both": (
        "max(a - b, 0)",
        "2 + max(a - b, 0)",
        {"a": "uniform(0, 1)", "b": "uniform(0, 2)"},
        _difference_in_both,
    ),
    "over a part": ("max(a - b, 0)", "b", LEAST | {"b": "uniform(0, 1)"}, _over_part),
    "a heavy tail": (
        "max(a - 2, 0)",
        "b",
        {"a": "pareto(5/2, 1)", "b": "uniform(0, 3)"},
        _over_a_threshold,
    ),
    "a count times both": (
        "n*b",
        "n*d",
        {"n": "binomial(2, 1/3)", "b": "uniform(0, 1)", "d": "uniform(0, 1)"},
        _times_both,
    ),
}


def _derived(name: str) -> Derivation:
    first, second, parts, _ = CASES[name]
    return cd.derive(cd.costs_of_parts(first, second, parts=parts))


@pytest.mark.parametrize("name", CASES)
def test_the_losses_are_the_expected_costs_of_decisions(name: str) -> None:
    """At 0 class 0 is predicted, at 1 class 1; between them class 1 is wherever ``p c1 > (1 - p) c0``."""
    derivation = _derived(name)
    assert cd.check(derivation).verdict is Verdict.PROVED
    compiled = cd.numeric.compile(derivation.rule)
    c0, c1 = CASES[name][3](np.random.default_rng(7))
    for report in (0.0, 0.05, 0.3, 0.6, 0.95, 1.0):
        chosen = (report * c1 > (1 - report) * c0) if 0 < report < 1 else np.full(MANY, report == 1)
        for paid, found in ((c0 * chosen, compiled.loss0(report)), (c1 * ~chosen, compiled.loss1(report))):
            error = max(float(np.std(paid)), 1e-12) / np.sqrt(MANY)
            assert abs(found - paid.mean()) < 4.5 * error + RARE


@pytest.mark.parametrize("name", CASES)
def test_simulated_decisions_have_the_same_costs(name: str) -> None:
    first, second, parts, _ = CASES[name]
    context = cd.costs_of_parts(first, second, parts=parts)
    compiled = cd.numeric.compile(cd.derive(context).rule)
    for label, report in ((1, 0.0), (0, 1.0), (1, 0.4)):
        found = simulate(context, [label], [report], draws=50_000, seed=1)
        loss = (compiled.loss0, compiled.loss1)[label](report)
        assert abs(loss - found.mean) < 4.5 * found.standard_error + RARE


def test_a_sure_report_has_a_value_of_its_own() -> None:
    rule = _derived("an excess").rule
    assert rule.loss1.subs(p, 0) == 2
    assert sympy.limit(rule.loss1.args[1][0], p, 0) == sympy.Rational(4, 3)
    assert rule.bounds == ((0, sympy.Rational(2, 3)), (0, 2))
    other = _derived("an excess of class 1").rule
    assert other.loss0.subs(p, 1) == 1
    assert sympy.limit(other.loss0.subs(p, 1 - p).args[-1][0], p, 0) == sympy.Rational(2, 3)


def test_with_a_letter_for_the_probability() -> None:
    parts = {"n": "binomial(1, w)", "b": "exponential(1)", "d": "exponential(2)"}
    derivation = cd.derive(cd.costs_of_parts("n*b", "d", parts=parts))
    assert cd.check(derivation).verdict is Verdict.PROVED
    w = sympy.Symbol("w", positive=True)
    whole = cd.derive(cd.Independent("exponential(1)", "exponential(2)")).rule
    assert sympy.simplify(derivation.rule.loss0 - w * whole.loss0) == 0
    at_zero, inside = derivation.rule.loss1.args
    assert at_zero[0] == 2 and sympy.simplify(inside[0] - w * whole.loss1) == 0


def test_known_costs_may_be_free_in_a_mixture() -> None:
    mixed = cd.derive(cd.Mixture((HALF, cd.FixedCosts(0, 4)), (HALF, cd.Additive())))
    assert cd.check(mixed).verdict is Verdict.PROVED
    assert mixed.rule.loss1.subs(p, 0) == 2 + HALF
    assert mixed.rule.loss1.args[1][0] == (1 - p) ** 2 / 2


def test_a_fixed_threshold_pays_for_errors_of_both_classes() -> None:
    """Nobody who decides at 1/2 whatever the costs knows that an error of class 0 costs nothing."""
    context = cd.Independent({0: HALF, 3: HALF}, "exponential(1)")
    found = cd.derive(context, threshold="1/2").rule
    assert found.loss1.subs(p, sympy.Rational(1, 4)) == 1
    assert found.loss0.subs(p, sympy.Rational(3, 4)) == sympy.Rational(3, 2)


BAD: dict[str, Any] = {
    "nothing to score": lambda: cd.derive(cd.FixedCosts(0, 1)),
    "nor in a mixture": lambda: cd.derive(
        cd.Mixture((HALF, cd.FixedCosts(0, 1)), (HALF, cd.FixedCosts(2, 0)))
    ),
    "a cost that is always 0": lambda: cd.Independent(0, "exponential(1)"),
    "a threshold that depends on the costs": lambda: cd.derive(
        cd.Independent({0: HALF, 3: HALF}, 1), threshold="s^2"
    ),
    "a mean that is infinite": lambda: cd.derive(cd.Independent({0: HALF, 3: HALF}, "pareto(1, 1)")),
    "a geometric mean": lambda: cd.Geometric(density={0: HALF, HALF: HALF}),
    "a harmonic mean": lambda: cd.Harmonic(density={1: HALF, HALF: HALF}),
    "a mean that may be a negative one": lambda: cd.PowerMean("k - 1", density={0: HALF, HALF: HALF}),
    "a negative cost": lambda: cd.Independent({-1: HALF, 3: HALF}, 1),
    "a threshold of 0": lambda: cd.RandomThreshold({0: HALF, HALF: HALF}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_costs_are_refused(name: str) -> None:
    with pytest.raises(SpecError):
        BAD[name]()


def test_letters_of_the_other_law_have_what_its_mean_asks() -> None:
    derivation = cd.derive(cd.Independent({0: HALF, 3: HALF}, "pareto(k, 1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    with pytest.raises(SpecError, match="is not positive"):
        derivation.rule.at(k=HALF)


def test_the_threshold_for_all_costs_weighs_the_whole_means() -> None:
    derivation = _derived("an excess")
    assert threshold_for(derivation) == pytest.approx((2 / 3) / (2 / 3 + 2))


def test_a_proportion_of_0_needs_a_mean_with_a_positive_exponent() -> None:
    derivation = cd.derive(cd.PowerMean("k", density={0: HALF, HALF: HALF}))
    assert cd.check(derivation).verdict is Verdict.PROVED
    rule = derivation.rule.at(k=2)  # (c0^2 + c1^2)/2 = 1, so c1 is the root of 2 where c0 is 0
    assert sympy.simplify(rule.loss1.subs(p, 0) - (sympy.sqrt(2) + 1) / 2) == 0


@pytest.mark.parametrize(
    "context",
    [
        cd.Mixture((HALF, cd.FixedCosts("a", 1)), (HALF, cd.Additive())),
        cd.Independent({"a": HALF, 2: HALF}, "uniform(0, 1)"),
    ],
    ids=["a known cost", "a value"],
)
def test_a_letter_that_makes_a_cost_0_is_put_in_before_the_rule_is_derived(context: Any) -> None:
    with pytest.raises(SpecError, match="a cost is 0 for a = 0"):
        cd.derive(context).rule.at(a=0)
    derivation = cd.derive(context.at(a=0))
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert sum(losses(derivation.cases[0]).one_sided) > 0


def test_sums_and_multiples_keep_what_sure_reports_pay() -> None:
    found = losses(_derived("an excess").cases[0])
    assert isinstance(found, Losses)
    twice, both = scaled(found, sympy.Integer(2), Given()), summed(found, found, Given())
    assert isinstance(twice, Losses) and isinstance(both, Losses)
    assert twice.one_sided == both.one_sided == (0, sympy.Rational(4, 3))
    assert twice.limits == both.limits


def test_a_certificate_holds_it() -> None:
    derivation = _derived("a count in both")
    again = Derivation.from_json(derivation.to_json())
    assert again == derivation and cd.check(again).verdict is Verdict.PROVED


# ---- mutants

MUTANTS = {
    "nothing is paid when sure": lambda found: replace(found, one_sided=NOTHING),
    "it is paid of the other class": lambda found: replace(found, one_sided=found.one_sided[::-1]),
    "too much is paid": lambda found: replace(found, one_sided=(found.one_sided[0], found.one_sided[1] + 1)),
}


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.parametrize("kind", ["ThresholdIntegral", "WeightedLoss", "Losses"])
def test_another_amount_is_refused(name: str, kind: str) -> None:
    case = _derived("an excess").cases[0]
    step = next(step for step in case.steps if type(step.after).__name__ == kind)
    mutant = MUTANTS[name](step.after)
    found = [decide(claim, case.given) for claim in step.move.claims(step.before, mutant, case.given)]
    assert min(finding.verdict for finding in found) is not Verdict.PROVED


def test_an_expected_cost_that_leaves_it_out_is_refused() -> None:
    case = _derived("an excess").cases[0]
    step = next(step for step in case.steps if isinstance(step.after, Losses))
    mutant = replace(step.after, worst1=step.after.limits[1])
    found = [decide(claim, case.given) for claim in step.move.claims(step.before, mutant, case.given)]
    assert min(finding.verdict for finding in found) is not Verdict.PROVED


# ---- what people read


def test_an_article_says_what_is_left_out() -> None:
    text = cd.export.latex(_derived("an excess"))
    assert "Errors that cost nothing" in text
    assert "a forecast of exactly 0 costs" in text
    assert "mathbb{E}[c_1; \\; c_0 = 0]" in text


def test_coq_has_the_law_of_positive_costs_in_a_module_of_its_own() -> None:
    assert "Module FreeErrors." in cd.export.coq(_derived("an excess"))


def test_programs_jump_at_the_sure_report() -> None:
    names: dict[str, Any] = {}
    exec(cd.export.code(_derived("an excess").rule, "numpy"), names)
    function = next(value for name, value in names.items() if name.startswith("loss1"))
    assert float(function(np.array([0.0]))[0]) == 2.0
    assert float(function(np.array([1e-9]))[0]) == pytest.approx(4 / 3)


@pytest.mark.parametrize("cost", ["1/x", "log(x) + 5"])
def test_a_cost_that_is_infinite_where_the_part_is_0_is_refused(cost: str) -> None:
    with pytest.raises(SpecError, match="at x = 0"):
        cd.Curve(cost, "1", {0: HALF, 3: HALF})


def test_costs_that_may_be_negative_are_refused_as_such() -> None:
    with pytest.raises(SpecError, match="a - b may be negative, down to -2"):
        cd.costs_of_parts("a - b", "3", parts={"a": "uniform(1, 2)", "b": "uniform(0, 3)"})
