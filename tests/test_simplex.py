"""Scoring rules of several classes from an entropy: closed forms, properness, witnesses, mutants, errors."""

from dataclasses import replace
from itertools import permutations

import pytest
import sympy
from sympy import Rational, log, sqrt

import costderive as cd
from costderive.core.errors import SpecError
from costderive.multiclass import brier, from_entropy, log_score, power, pseudospherical, spherical
from costderive.proof.claims import Case, Verdict
from costderive.rules import Judgement

REPORT, BELIEF = ("0", "0.4", "0.3", "0.3"), ("0.1", "0.1", "0.3", "0.5")
p = tuple(map(Rational, ("1/6", "1/3", "1/2")))
NAMED = {
    "brier": (brier, lambda i: 1 - 2 * p[i] + sum(x**2 for x in p)),
    "log": (log_score, lambda i: -log(p[i])),
    "spherical": (spherical, lambda i: -p[i] / sqrt(sum(x**2 for x in p))),
    "pseudospherical": (
        lambda: pseudospherical(3),
        lambda i: -(p[i] ** 2) / sum(x**3 for x in p) ** Rational(2, 3),
    ),
    "power": (lambda: power("1/2"), lambda i: sum(sqrt(x) for x in p) - 2 + 1 / sqrt(p[i])),
    "own": (
        lambda: from_entropy("p0*p1 + p0*p2 + p1*p2", 3),
        lambda i: (1 - 2 * p[i] + sum(x**2 for x in p)) / 2,
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_rules_have_the_losses_of_the_literature_and_are_proved_strictly_proper(name):
    make, loss = NAMED[name]
    derivation = make()
    assert derivation.verdict is Judgement.STRICTLY_PROPER
    cd.check(derivation).require_proved()
    for label, found in enumerate(derivation.rule.at(p)):
        assert abs(sympy.N(found - loss(label), 40)) < 1e-35  # of 40 digits


@pytest.mark.parametrize("make", [pseudospherical, power])
def test_exponents_may_be_letters_and_classes_any_number(make):
    derivation = make("a")
    cd.check(derivation).require_proved()
    assert derivation.verdict is Judgement.STRICTLY_PROPER
    assert len(derivation.rule.at([Rational(1, 9)] * 9)) == 9


def test_the_example_of_the_thesis_comes_out_exactly():
    """Grygorian (2019), section 2: loss, expected loss, entropy and divergence of four classes."""
    rule = brier().rule
    found = (
        rule.at(REPORT)[1],
        rule.risk(REPORT, BELIEF),
        rule.entropy(BELIEF),
        rule.divergence(REPORT, BELIEF),
    )
    assert found == tuple(map(Rational, ("0.54", "0.78", "0.64", "0.14")))


def test_probability_zero_has_its_limit():
    assert log_score().rule.at(REPORT)[0] == sympy.oo
    expected = -0.4 * sympy.log(0.1) - 0.3 * (sympy.log(0.3) + sympy.log(0.5))
    assert abs(sympy.N(log_score().rule.risk(BELIEF, REPORT)) - expected) < 1e-12
    own = from_entropy("-p0*log(p0) - p1*log(p1) - p2*log(p2)", 3).rule
    assert own.at(("0", "1/4", "3/4")) == (sympy.oo, 2 * log(2), -log(Rational(3, 4)))


@pytest.mark.parametrize(
    ("entropy", "verdict"),
    [
        ("(p0*p1*p2)^(1/3)", Judgement.STRICTLY_PROPER),
        ("-p0*log(p0) - p1*log(p1) - p2*log(p2)", Judgement.STRICTLY_PROPER),
        ("p0*(1 - p0)", Judgement.PROPER),
        ("p0^2 + p1^2 + p2^2", Judgement.IMPROPER),
        ("p0*p1*p2", Judgement.IMPROPER),
    ],
)
def test_a_users_entropy_is_judged_by_its_concavity(entropy, verdict):
    derivation = from_entropy(entropy, 3)
    assert derivation.verdict is verdict
    cd.check(derivation).require_proved()


def test_a_witness_shows_a_report_that_beats_the_truth():
    derivation = from_entropy("p0*p1*p2", 3)
    found = derivation.witness

    def losses(a, b, c):
        return b * c - 2 * a * b * c, a * c - 2 * a * b * c, a * b - 2 * a * b * c

    truthful, better = (
        sum(q * x for q, x in zip(found.belief, losses(*forecast), strict=True))
        for forecast in (found.belief, found.report)
    )
    assert (truthful, better) == (found.truthful, found.better) and better < truthful


def test_what_cannot_be_decided_for_all_letters_is_undecided():
    derivation = from_entropy("a*p0*p1 + b*p0*p2 + p1*p2", 3)
    assert derivation.verdict is Judgement.UNDECIDED
    assert cd.check(derivation).verdict is Verdict.OPEN


def test_divergences_of_proper_rules_are_not_negative():
    for forecast, belief in permutations([p, p[::-1], (p[1], p[2], p[0])], 2):
        for make, _ in NAMED.values():
            assert sympy.N(make().rule.divergence(forecast, belief)) > 0


# ---- mutants


def falsified(derivation):
    (case,) = derivation.cases
    taken, judged = case.steps

    def with_steps(first, second):
        return replace(derivation, cases=(Case(case.given, (first, second)),))

    losses = taken.after
    if hasattr(losses, "loss"):
        changes = ({"loss": losses.loss * 2}, {"loss": losses.loss + 1}, {"multiple": losses.multiple + 1})
    else:
        changes = ({"losses": losses.losses[::-1]}, {"losses": (losses.losses[0] + 1, *losses.losses[1:])})
    for change in changes:
        wrong = replace(losses, **change)
        concluded = replace(judged, before=wrong, after=replace(judged.after, losses=wrong))
        yield with_steps(replace(taken, after=wrong), concluded)


@pytest.mark.parametrize("name", NAMED)
def test_no_falsified_loss_passes(name):
    for wrong in falsified(NAMED[name][0]()):
        assert cd.check(wrong).verdict is not Verdict.PROVED


def test_a_convex_entropy_called_concave_does_not_pass():
    good, bad = (from_entropy(text, 3) for text in ("p0*p1 + p0*p2 + p1*p2", "p0^2 + p1^2 + p2^2"))
    move, conclusion = good.steps[1].move, good.steps[1].after
    for strict in (True, False):
        claimed = replace(conclusion, losses=bad.steps[0].after, strict=strict)
        step = replace(good.steps[1], move=move, before=bad.steps[0].after, after=claimed)
        wrong = replace(bad, cases=(Case(bad.cases[0].given, (bad.steps[0], step)),))
        assert cd.check(wrong).verdict is not Verdict.PROVED


def test_a_proper_rule_called_strictly_proper_does_not_pass():
    derivation = from_entropy("p0*(1 - p0)", 3)
    first, second = derivation.steps
    second = replace(second, after=replace(second.after, strict=True))
    wrong = replace(derivation, cases=(Case(derivation.cases[0].given, (first, second)),))
    assert cd.check(wrong).verdict is not Verdict.PROVED


def test_a_norm_is_not_taken_for_a_sum():
    norm, total = spherical(), brier()
    step = replace(total.steps[1], before=norm.steps[0].after, after=replace(norm.steps[1].after))
    wrong = replace(norm, cases=(Case(norm.cases[0].given, (norm.steps[0], step)),))
    assert cd.check(wrong).verdict is not Verdict.PROVED


def test_a_false_witness_does_not_pass():
    derivation = from_entropy("p0*p1*p2", 3)
    first, second = derivation.steps
    found = second.after.witness
    outside = tuple(map(sympy.Integer, (2, -1, 0)))
    for change in ({"better": found.better / 2}, {"belief": found.report}, {"report": outside}):
        wrong = replace(second, after=replace(second.after, witness=replace(found, **change)))
        with_it = replace(derivation, cases=(Case(derivation.cases[0].given, (first, wrong)),))
        assert cd.check(with_it).verdict is not Verdict.PROVED


# ---- errors


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: power(1), "0/0"),
        (lambda: power(0), "not positive"),
        (lambda: power("t"), "reserved"),
        (lambda: pseudospherical("x"), "a parameter x"),
        (lambda: pseudospherical("1/2"), "not above 1"),
        (lambda: from_entropy("p0*p1", 1), "classes = 1"),
        (lambda: from_entropy("p0*p3", 3), "a letter of the package"),
        (lambda: from_entropy("p0*", 3), "entropy"),
        (lambda: brier().rule.at(("1/2", "1/3")), "adds up to 5/6"),
        (lambda: brier().rule.at(("3/2", "-1/2")), r"forecast\[1\] = -1/2"),
        (lambda: brier().rule.at(("1",)), "has 1 numbers"),
        (lambda: brier().rule.risk(p, ("1/2", "1/2")), "has 3 numbers"),
    ],
)
def test_what_is_no_rule_or_forecast_is_refused(build, words):
    with pytest.raises(SpecError, match=words):
        build()
