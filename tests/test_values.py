"""What a letter can be is what a value of it can be, wherever letters get values."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import sympy

import costderive as cd
from costderive import multiclass
from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import p, parameter
from costderive.derivation import named_rules
from costderive.proof.claims import Verdict
from costderive.rules import Losses, ScoringRule

a, b = parameter("a"), parameter("b")


@cache
def rule(name: str) -> ScoringRule:
    return {
        "beta": lambda: named_rules.beta("a", "b"),
        "weighted": lambda: named_rules.weighted_zero_one("a", "b"),
        "bounded": lambda: named_rules.bounded_brier("l", "h"),
        "exponential": lambda: cd.derive(cd.Independent(c0="exponential(a)", c1="exponential(b)")).rule,
        "threshold": lambda: cd.derive(cd.FixedCosts("a", 1), threshold=cd.FixedThreshold("b")).rule,
        "pair": lambda: cd.examine("a*p^2", "a*(1-p)^2/b").rule,
    }[name]()


RULES = ("beta", "weighted", "exponential", "threshold", "pair")
NO_VALUES: dict[str, Any] = {
    "negative": -2,
    "zero": 0,
    "infinite": "oo",
    "an infinite double": float("inf"),
    "no number": float("nan"),
    "imaginary": sympy.I,
    "a truth": True,
    "nothing": None,
    "the report": p,
    "the letter of laws": "x",
    "of no certain sign": "d - e",
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("kind", NO_VALUES)
def test_a_rule_has_no_form_where_a_letter_cannot_be(name: str, kind: str) -> None:
    with pytest.raises(SpecError):
        rule(name).at(a=NO_VALUES[kind])


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("beta", {"a": -2, "b": 1}, "a = -2 is not a value of a parameter"),
        ("beta", {"a": p}, "a = p has the letter p"),
        ("beta", {"a": 0}, "a = 0: 0 is not a value"),
        ("bounded", {"l": "1/2", "h": "1/3"}, "h - l is not positive for l = 1/2, h = 1/3"),
        ("bounded", {"h": 2}, "1 - h is not positive for h = 2"),
        ("threshold", {"b": 1}, "1 - b is not positive for b = 1"),
        ("exponential", {"a": 0}, "the density of the law is nan for a = 0"),
        ("beta", {"a": "b", "b": "a"}, "a = b has the letter b, which gets a value too"),
        ("beta", {"c": 1}, "c is not a parameter of the rule"),
    ],
)
def test_the_error_names_letter_value_and_condition(name: str, values: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        rule(name).at(**values)


def test_a_letter_of_a_rule_may_become_another_expression_in_it() -> None:
    assert rule("weighted").at(a="2*a").loss0.subs({a: 1, b: 1, p: "3/4"}) == 2


def test_zero_is_a_bound_of_costs_that_may_be_zero() -> None:
    square = cd.derive(cd.IndependentUniform(("a", "b"), (0, 1))).rule
    assert square.at(a=0, b=1).loss0.subs(p, "1/2") == sympy.Rational(
        1, 6
    )  # E[c0; c0 < c1] of the unit square
    with pytest.raises(SpecError, match="not positive for b = 0"):
        square.at(b=0)


def test_a_rule_that_divides_by_zero_at_a_value_says_so() -> None:
    """The integral of ``1/x^(k+1)`` has another form at k = 1."""
    pareto = cd.derive(cd.Independent(c0="pareto(1 + k, 1)", c1=1)).rule
    losses = pareto.only_case
    assert isinstance(losses, Losses)
    broken = ScoringRule(((Given(), losses.subs({parameter("k"): 1 / (parameter("k") - 1)})),))
    with pytest.raises(SpecError, match="divides by zero for k = 1"):
        broken.at(k=1)


def test_the_weights_of_cases_that_are_left_are_their_own() -> None:
    one, two = cd.examine("p^2", "(1-p)^2").rule, cd.examine("2*p^2", "2*(1-p)^2").rule
    (first,), (second,) = one.weights, two.weights
    facts = (Given((), (a - b,)), one.cases[0][1]), (Given((), (b - a,)), two.cases[0][1])
    assert ScoringRule(facts, (first, second)).at(a=1, b=2).measures == (second,)
    assert ScoringRule(facts, (first, second)).at(a=2, b=1).measures == (first,)


@pytest.mark.parametrize(
    "values",
    [{"a": 3, "b": 2}, {"a": -1}, {"a": "oo"}, {"a": p}, {"a": "x"}, {"b": 0}, {"a": "e - f"}],
    ids=str,
)
def test_costs_have_no_values_that_no_cost_has(values: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        cd.IndependentUniform(("a", "b"), (0, 1)).at(**values)


def test_the_threshold_of_a_context_gets_its_value() -> None:
    context = cd.derive(cd.FixedCosts("a", 1), threshold=cd.FixedThreshold("h")).context
    assert context.at(h="1/2").threshold == cd.FixedThreshold("1/2")  # type: ignore[union-attr]
    with pytest.raises(SpecError, match="1 - h is not positive for h = 2"):
        context.at(h=2)  # type: ignore[union-attr]


@pytest.mark.parametrize("value", [sympy.Integer(-1), sympy.S.Zero, sympy.oo, sympy.nan, p], ids=str)
@pytest.mark.parametrize("law", ["exponential", "gamma", "weibull", "pareto", "rayleigh"])
def test_a_law_has_no_values_that_no_parameter_has(law: str, value: Any) -> None:
    build = getattr(cd.laws, law)
    found = build("a") if law in ("exponential", "rayleigh") else build("a", 2)
    with pytest.raises(SpecError):
        found.at({a: value})


@pytest.mark.parametrize("value", [-2, 0, float("inf"), float("nan")])
def test_a_program_refuses_values_that_no_parameter_has(value: float) -> None:
    program: dict[str, Any] = {}
    exec(cd.export.formulas(rule("weighted")), program)
    with pytest.raises(ValueError, match="a > 0"):
        program["loss0"](0.5, a=value, b=1.0)


# ---- rules whose forms SymPy fails at


@pytest.mark.parametrize("entropy", ["1/(p0-1/2)", "log(p0-1/2)", "sqrt(p0-1/2)"])
def test_an_entropy_with_no_value_inside_is_refused(entropy: str) -> None:
    with pytest.raises(SpecError, match="at the forecast"):
        multiclass.from_entropy(entropy, classes=3)


def test_a_limit_that_is_not_known_is_an_error_in_words() -> None:
    found = multiclass.from_entropy("min(p0,p1)", classes=2)
    with pytest.raises(SpecError, match="the limit of"):
        multiclass.superior(found)


@pytest.mark.parametrize("exponent", ["1+1/10^30", "10^30"])
def test_exponents_of_many_digits_are_decided_in_time(exponent: str) -> None:
    assert cd.check(multiclass.power(exponent), time_limit=120).verdict is Verdict.PROVED


def test_breakpoints_that_are_one_double_apart_compile() -> None:
    density = "1 if s < 1/2; 3 if s < (10^15+1)/(2*10^15+1); 0"
    compiled = cd.numeric.compile(cd.rule_from_weight(density))
    assert compiled.loss0(0.25) == pytest.approx(1 / 32)
    assert compiled.loss0(0.75) == pytest.approx(1 / 8)


@pytest.mark.parametrize("value", [object(), 2j, [], {}, (1, 2)], ids=lambda value: type(value).__name__)
def test_what_is_no_number_is_refused_in_words(value: Any) -> None:
    with pytest.raises(CostDeriveError):
        rule("beta").at(a=value)


def test_an_entropy_that_takes_too_long_is_given_up_in_words() -> None:
    with pytest.raises(SpecError, match=r"took longer than time_limit = 0\.01 s"):
        multiclass.from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3, time_limit=0.01)
