"""Rules from distribution functions: known losses, integrals by quadrature, mutants, and bad input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import sympy
from mpmath import mp
from sympy import Expr, Rational, atan, erf, exp, log, pi, sqrt

import costderive as cd
from costderive.core.errors import CostDeriveError, ExportError, SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import p, u
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.cdf_rules import CDFS, CompositeRule
from costderive.proof.checker import decide
from costderive.proof.claims import Claim, Step, Verdict
from costderive.rules import Judgement
from costderive.rules.linear_predictor import predictor as x
from tests.mutants import generic

FUNCTIONS: dict[str, Expr] = {
    "logistic": 1 / (1 + exp(-x)),
    "normal": (1 + erf(x / sqrt(2))) / 2,
    "cauchy": Rational(1, 2) + atan(x) / pi,
    "cloglog": 1 - exp(-exp(x)),
    "laplace": sympy.Piecewise((exp(x) / 2, x <= 0), (1 - exp(-x) / 2, True)),
    "step": sympy.Piecewise((0, x <= 0), (1, True)),
}


@cache
def composite(name: str) -> CompositeRule:
    return cd.composite_from_cdf(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_losses_grow_by_the_integral_of_the_distribution_function(name: str) -> None:
    """25 digits by quadrature; the losses have a constant to spare."""
    rule = composite(name)
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    function = sympy.lambdify(x, FUNCTIONS[name], "mpmath")
    with mp.workdps(25):
        low, high = mp.mpf(-3) / 2, mp.mpf(7) / 4
        grown = mp.quad(function, [low, 0, high])
        ours = (rule.loss0.subs(x, Rational(7, 4)) - rule.loss0.subs(x, Rational(-3, 2))).evalf(25)
        assert abs(mp.mpf(str(ours)) - grown) < 1e-20
        assert abs((rule.loss0 - rule.loss1).subs(x, Rational(7, 4)).evalf(20) - 1.75) < 1e-15


def test_the_step_is_the_perceptron_and_proper_only() -> None:
    rule = composite("step")
    assert [rule.loss0.subs(x, z) for z in (-2, 0, 3)] == [0, 0, 3]
    assert [rule.loss1.subs(x, z) for z in (-2, 0, 3)] == [2, 0, 0]
    assert rule.verdict is Judgement.PROPER
    assert all(composite(name).verdict is Judgement.STRICTLY_PROPER for name in CDFS if name != "step")


def test_an_expression_in_x_is_integrated() -> None:
    rule = cd.composite_from_cdf("1/(1+exp(-2*x))")
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    gap = rule.loss0 - log(1 + exp(2 * x)) / 2
    assert all(abs(gap.subs(x, z).evalf(30)) < 1e-25 for z in (-1, Rational(1, 3), 2))


def test_what_is_no_distribution_function_is_not_proved() -> None:
    for text in ("exp(x)", "1/(1+exp(x))", "1/2"):
        assert cd.check(cd.composite_from_cdf(text).derivation).verdict is not Verdict.PROVED


def test_quantiles_give_the_rules_in_p() -> None:
    """Logistic: the log loss. Laplace: the weight 1/s up to 1/2, so the loss of class 0 is p there."""
    logistic, laplace = cd.rule_from_cdf("logistic"), cd.rule_from_cdf("laplace")
    assert (logistic.loss0, logistic.loss1) == (-log(1 - p), -log(p))
    assert laplace.loss0.subs(p, Rational(1, 3)) == Rational(1, 3)
    assert all(cd.check(rule.derivation).verdict is Verdict.PROVED for rule in (logistic, laplace))
    assert cd.rule_from_cdf("uniform", quantile="2*p - 1").loss0 == p**2


def test_the_rule_in_p_is_the_composite_rule_at_the_quantile() -> None:
    """Complementary log-log: the losses in p stay integrals; 15 digits by quadrature."""
    rule = cd.rule_from_cdf("cloglog")
    assert cd.check(rule.derivation).verdict is Verdict.PROVED
    at = [Rational(1, 5), Rational(4, 5)]
    grown = (rule.loss1.subs(p, at[1]) - rule.loss1.subs(p, at[0])).evalf(15)
    ends = [composite("cloglog").loss1.subs(x, log(-log(1 - z))).evalf(20) for z in at]
    assert abs(grown - (ends[1] - ends[0])) < 1e-12


@pytest.mark.parametrize(
    ("name", "why"), [("normal", "quantile"), ("cauchy", "no lower bound"), ("step", "0 or 1")]
)
def test_what_has_no_rule_in_p_says_why(name: str, why: str) -> None:
    with pytest.raises(SpecError, match=why):
        cd.rule_from_cdf(name)


@pytest.mark.parametrize("bad", ["gumbel(", "__import__('os')", None, "p", float("nan"), "x^9^9^9"])
def test_bad_distribution_functions_are_refused(bad: Any) -> None:
    with pytest.raises(CostDeriveError):
        cd.composite_from_cdf(bad)
    with pytest.raises(CostDeriveError):
        cd.rule_from_cdf(bad)


def test_losses_in_x_have_no_article() -> None:
    with pytest.raises(ExportError, match="no article"):
        cd.export.latex(composite("step").derivation)


# -------------------------------------------------------------------------------------------- mutants


@cache
def verdict(claim: Claim, given: Given) -> Verdict:
    return decide(claim, given).verdict


def steps() -> Iterator[Any]:
    for name in ("logistic", "step", "laplace"):
        for step in composite(name).derivation.cases[0].steps:
            yield pytest.param(step, id=f"{name} {type(step.move).__name__}")


def survives(step: Step) -> bool:
    try:
        return all(verdict(claim, Given()) is Verdict.PROVED for claim in step.claims(Given()))
    except (AttributeError, TypeError, ValueError):  # not even the right kind of object
        return False


@pytest.mark.parametrize("step", list(steps()))
def test_claims_refuse_every_mutant(step: Step) -> None:
    assert survives(step)
    found = list(generic(step.after))
    assert len(found) >= 10
    survivors = [mutant.name for mutant in found if survives(replace(step, after=mutant.after))]
    weaker = [".strict reversed"] if getattr(step.after, "strict", False) else []  # proper, if not strictly
    assert survivors == weaker


def test_a_falling_or_unfinished_distribution_function_is_refused() -> None:
    integrated = composite("laplace").derivation.cases[0].steps[0]
    for change in (lambda y: 1 - y, lambda y: y / 2, lambda y: y + Rational(1, 10**30)):
        cdf = integrated.before.cdf.map(change)
        before = replace(integrated.before, cdf=cdf)
        falsified = replace(integrated, before=before, after=replace(integrated.after, cdf=cdf))
        assert not survives(falsified)


def test_a_strict_verdict_on_a_step_is_refused() -> None:
    judged = composite("step").derivation.cases[0].steps[1]
    assert not survives(replace(judged, after=replace(judged.after, strict=True)))


# ------------------------------------------------------------------------------------------- deciders


def test_signs_of_logarithms() -> None:
    on = Interval(p, sympy.S.Zero, sympy.S.One)
    assert positive(-log(p), on) and positive(-log(1 - p), on) and positive(log(1 + p), on)
    assert positive(1 / ((1 - p) * -log(1 - p)), on)
    for undecided in (log(p), log(2 * p), -log(2 * p), log(p - 1), log(p**2 - p), -log(p - 1)):
        assert nonnegative(undecided, on) is None
    assert nonnegative(log(u), Interval(u, sympy.S.Zero, sympy.oo)) is None
