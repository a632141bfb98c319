"""A rule that is proper for one value of a parameter only: the value, and the witnesses on both sides of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy
from sympy import Integral, Rational

import costderive as cd
from costderive.cli import main
from costderive.core.piecewise import Given
from costderive.core.symbols import parameter
from costderive.derivation.derivation import Derivation
from costderive.derivation.moves import FindCondition
from costderive.proof.checker import check
from costderive.proof.claims import Step, Verdict
from costderive.rules import ConditionalProperness, Judgement, Witness
from costderive.rules.loss_pair import LossPair

a, b, k, m, n, w = map(parameter, "abkmnw")
CASES: dict[
    str, tuple[Callable[[], Any], Any, Any, Any, Any]
] = {  # costs, threshold; their means; what solves
    "letters": (lambda: cd.FixedCosts("m", "n"), "k", m, n, (k, m / (m + n))),
    "known costs": (lambda: cd.FixedCosts(1, 2), "k", 1, 2, (k, Rational(1, 3))),
    "known threshold": (lambda: cd.FixedCosts("m", 2), "1/3", m, 2, (m, 1)),
    "one known cost": (lambda: cd.FixedCosts(1, "n"), "k", 1, n, (k, 1 / (1 + n))),
    "two letters of costs": (lambda: cd.FixedCosts("m", "n"), "1/4", m, n, (m, n / 3)),
    "laws": (
        lambda: cd.Independent(c0="exponential(m)", c1="uniform(0, n)"),
        "k",
        m,
        n / 2,
        (k, 2 * m / (2 * m + n)),
    ),
    "a Gamma law with a letter for its shape": (
        lambda: cd.Independent(c0="gamma(m, 1)", c1="exponential(n)"),
        "1/3",
        m,
        n,
        (m, n / 2),
    ),
    "a tail that has a mean for some letters": (
        lambda: cd.Independent(c0="lomax(m, 1)", c1="exponential(n)"),
        "1/3",
        1 / (m - 1),
        n,
        (m, 1 + 2 / n),
    ),
    "a mean with a root of pi": (
        lambda: cd.Independent(c0="uniform(0, 1)", c1="weibull(2, m)"),
        "1/3",
        Rational(1, 2),
        sympy.sqrt(sympy.pi) * m / 2,
        (m, 2 / sympy.sqrt(sympy.pi)),
    ),
    "a Beta law with letters": (
        lambda: cd.Additive(budget=1, density="beta(m, n)"),
        "k",
        m / (m + n),
        n / (m + n),
        (k, m / (m + n)),
    ),
    "budget": (lambda: cd.Additive(budget="n"), "k", n / 2, n / 2, (k, Rational(1, 2))),
    "mixture": (
        lambda: cd.Mixture(("1/3", cd.FixedCosts("m", 1)), ("2/3", cd.FixedCosts(1, "n"))),
        "k",
        m / 3 + Rational(2, 3),
        Rational(1, 3) + 2 * n / 3,
        (k, (m + 2) / (m + 2 * n + 3)),
    ),
    "weights": (
        lambda: cd.Mixture(("w", cd.FixedCosts(1, 3)), ("1-w", cd.FixedCosts(2, 1))),
        "1/2",
        2 - w,
        1 + 2 * w,
        (w, Rational(1, 3)),
    ),
    "letters everywhere": (
        lambda: cd.Mixture(("w", cd.Additive()), ("1-w", cd.FixedCosts("m", "n"))),
        "k",
        w + (1 - w) * m,
        w + (1 - w) * n,
        (k, (w + (1 - w) * m) / (2 * w + (1 - w) * (m + n))),
    ),
}
POINTS = [Fraction(i, 24) for i in range(25)]


@cache
def derived(name: str) -> Derivation:
    costs, threshold, *_ = CASES[name]
    return cd.derive(costs(), threshold=cd.FixedThreshold(threshold))


def reached(name: str) -> ConditionalProperness:
    found = derived(name).conclusions[0]
    assert isinstance(found, ConditionalProperness)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_condition_is_that_the_threshold_is_the_one_for_the_mean_costs(name: str) -> None:
    letter, value = CASES[name][4]
    found = reached(name)
    assert found.letter == letter and sympy.simplify(found.value - value) == 0
    assert derived(name).verdict is Judgement.CONDITIONAL
    assert check(derived(name)).verdict is Verdict.PROVED


LEAST = {"a tail that has a mean for some letters": 1}


def chosen(name: str, ratio: Fraction) -> dict[Any, Any]:
    """Return numbers for the letters, that of the condition a multiple of the value that it asks for.

    Both are counted from the least value for which the costs have a mean.
    """
    letter, value = CASES[name][4]
    values = {m: Rational(3, 2), n: Rational(4), k: Rational(1, 3), w: Rational(1, 4)}
    least = LEAST.get(name, 0)
    above = sympy.sympify(value).subs(values) - least
    return {**values, letter: least + above * Rational(ratio.numerator, ratio.denominator)}


def risks(name: str, values: dict[Any, Any], belief: Any) -> Callable[[Any], Any]:
    """Return the risk of a report by the definition: class 1 is chosen above the threshold."""
    _, threshold, mean0, mean1, _ = CASES[name]
    at, cost0, cost1 = (sympy.sympify(x, {"k": k}).subs(values) for x in (threshold, mean0, mean1))
    return lambda report: (1 - belief) * cost0 if report > at else belief * cost1


@pytest.mark.parametrize("ratio", [Fraction(1, 3), Fraction(9, 10), Fraction(11, 10), Fraction(5, 4)])
@pytest.mark.parametrize("name", CASES)
def test_a_witness_expects_less_by_the_definition(name: str, ratio: Fraction) -> None:
    values, found = chosen(name, ratio), reached(name)
    witness = found.below if ratio < 1 else found.above
    belief, report, truthful, better = (
        sympy.sympify(x).subs(values)
        for x in (witness.belief, witness.report, witness.truthful, witness.better)
    )
    risk = risks(name, values, belief)
    assert 0 <= belief <= 1 and 0 <= report <= 1
    assert risk(belief) == truthful > better == risk(report)


@pytest.mark.parametrize("name", CASES)
def test_no_report_beats_the_truth_where_the_condition_holds(name: str) -> None:
    values = chosen(name, Fraction(1))
    for belief in map(sympy.Rational, POINTS):
        risk = risks(name, values, belief)
        assert all(risk(belief) <= risk(report) for report in map(sympy.Rational, POINTS))


@pytest.mark.parametrize("name", ["letters", "mixture"])
def test_a_certificate_holds_the_condition(name: str) -> None:
    found = derived(name)
    assert Derivation.from_json(found.to_json()) == found


def test_a_mean_may_be_an_exponential_of_letters() -> None:
    """The mean of a lognormal law is exp(mu + sigma^2/2)."""
    costs = cd.Independent(c0="lognormal(mu, sigma)", c1="n")
    found = cd.derive(costs, threshold=cd.FixedThreshold("k"))
    mu, sigma = (next(x for x in found.context.parameters if x.name == name) for name in ("mu", "sigma"))
    reached = found.conclusions[0]
    at = {mu: Rational(1, 3), sigma: Rational(1, 2), n: 3}
    mean = math.exp(1 / 3 + 1 / 8)
    assert float(reached.value.subs(at)) == pytest.approx(mean / (mean + 3), rel=1e-14)
    assert reached.letter == k and check(found).verdict is Verdict.PROVED


# ---- thresholds by wrong costs


WRONG: dict[str, tuple[Callable[[], Any], str, Any, Callable[[Fraction, Fraction], Fraction]]] = {
    "a budget": (cd.Additive, "a*c0/(a*c0 + b*c1)", b, lambda s, q: (1 - q) * s**2 + q * (1 - s) ** 2),
    "a budget, one wrong": (
        cd.Additive,
        "a*c0/(a*c0 + c1)",
        1,
        lambda s, q: (1 - q) * s**2 + q * (1 - s) ** 2,
    ),
    "known costs": (
        lambda: cd.FixedCosts(1, 3),
        "a*c0/(a*c0 + b*c1)",
        b,
        lambda s, q: 1 - q if s > Fraction(1, 4) else 3 * q,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_costs_give_a_proper_rule_if_and_only_if_they_are_wrong_alike(name: str) -> None:
    """The losses are those of the calibrated rule (by hand), at the proportion s whose threshold is the report."""
    costs, threshold, value, risk = WRONG[name]
    found = cd.derive(costs(), threshold=cd.DistortedThreshold(threshold))
    reached = found.conclusions[0]
    assert [(one.letter, one.value) for one in reached.conditions] == [(a, value)]
    assert check(found).verdict is Verdict.PROVED
    for wrong, belief in ((Fraction(1, 2), Fraction(1, 5)), (Fraction(2), Fraction(3, 10))):
        other = wrong * belief / (wrong * belief + 1 - belief)
        at_belief = belief / (belief + wrong * (1 - belief))
        assert risk(belief, belief) < risk(at_belief, belief)
        loss = cd.numeric.compile(found.rule.at(**_numbers(found, wrong)))
        for report, at in ((float(belief), at_belief), (float(other), belief)):
            mean = (1 - float(belief)) * loss.loss0(report) + float(belief) * loss.loss1(report)
            assert mean == pytest.approx(float(risk(at, belief)))


def _numbers(found: Any, wrong: Fraction) -> dict[str, Any]:
    """Return the letter at a value, beside 1 for the other ones."""
    values = {"a": Rational(wrong.numerator, wrong.denominator), "b": 1}
    return {name: values[name] for name in map(str, found.rule.parameters)}


# ---- falsified conditions


def falsified() -> Iterator[tuple[str, ConditionalProperness]]:
    found = reached("letters")
    zero = Witness(sympy.S.Zero, sympy.S.Zero, sympy.S.Zero, sympy.S.Zero)
    yield "another value", replace(found, value=n / (m + n))
    yield "twice the value", replace(found, value=2 * found.value)
    yield "the value with its letter", replace(found, value=found.value + k - k**2)
    yield "another letter", replace(found, letter=m)
    yield "a letter that is none of the losses", replace(found, letter=w)
    yield "swapped sides", replace(found, below=found.above, above=found.below)
    yield "one witness for both sides", replace(found, above=found.below)
    yield "no witness above", replace(found, above=zero)
    yield "no witness below", replace(found, below=zero)
    yield "proper for the wrong parameters", replace(found, weighed=replace(found.weighed, pair=found.losses))
    yield (
        "strictly proper",
        replace(found, proper=replace(found.proper, strict=((sympy.S.Zero, sympy.S.One),))),
    )
    other = reached("one known cost")
    yield "the condition of other losses", replace(other, losses=found.losses)


FALSIFIED = dict(falsified())


@pytest.mark.parametrize("name", FALSIFIED)
def test_a_false_condition_is_not_proved(name: str) -> None:
    original = derived("letters")
    (case,) = original.cases
    step = Step(FindCondition(), case.steps[-1].before, FALSIFIED[name])
    changed = replace(original, cases=(replace(case, steps=(*case.steps[:-1], step)),))
    assert check(changed).verdict is not Verdict.PROVED


def test_nothing_is_put_into_an_integral_whose_variable_it_could_meet() -> None:
    """In SymPy ``Integral(x*k, (x, 0, 1))`` with x for k is the integral of x^2."""
    found, x = reached("letters"), parameter("x")
    bound = replace(found.losses.values[0], loss1=Integral(x * n, (x, 0, 2)))
    pair: LossPair = found.losses.with_values((bound, *found.losses.values[1:]))
    claims = list(FindCondition().claims(pair, replace(found, losses=pair), Given(positive=(k, 1 - k))))
    guard = next(claim for claim in claims if claim.what == "no letter is bound in the losses")
    assert guard.left is True and guard.right is False


# ---- words


def test_the_terminal_says_for_which_value_and_shows_both_witnesses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["derive", "fixed", "--c0", "m", "--c1", "n", "--threshold", "k"]
    assert main(arguments) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "proper if and only if k = m/(m + n)" in shown
    assert "If k < m/(m + n), then under the belief" in shown and "If k > m/(m + n), then" in shown


def test_means_with_a_root_of_pi_have_a_condition_too(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["derive", "independent", "--c0", "weibull(2, m)", "--c1", "weibull(2, n)"]
    assert main([*arguments, "--threshold", "k"]) == 0
    assert "proper if and only if k = m/(m + n)" in " ".join(capsys.readouterr().out.split())


def test_a_rule_is_said_to_be_strictly_proper_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examine", "--loss0", "a*p^2", "--loss1", "b*(1-p)^2"]) == 0
    assert "strictly proper if and only if a = b" in capsys.readouterr().out


def test_an_article_proves_both_directions() -> None:
    found = derived("known costs")
    article = cd.export.latex(found, check(found))
    assert r"proper if and only if \(k = \frac{1}{3}\)" in article
    proof = article[article.index("First let") :]
    assert [proof.count(rf"let \(k {sign} \frac{{1}}{{3}}\)") for sign in "=<>"] == [1, 1, 1]
