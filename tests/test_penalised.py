"""Penalised rules: the penalty, properness with a tie rule and without one, right before wrong; mutants; errors."""

from dataclasses import replace
from itertools import product

import pytest
import sympy
from sympy import Rational, log

import costderive as cd
from costderive.errors import SpecError
from costderive.multiclass import (
    DirichletCosts,
    IndependentCosts,
    PenalisedRule,
    brier,
    derive,
    from_entropy,
    log_score,
    penalised,
    power,
    reversal,
    spherical,
)
from costderive.proof import Case, Verdict
from costderive.rule import Judgement


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize(
    ("make", "penalty"),
    [
        (brier, lambda k: Rational(k - 1, k)),
        (log_score, log),
        (lambda: power(3), lambda k: (1 - Rational(1, k**2)) / 2),
    ],
)
def test_penalties_are_the_largest_losses_of_right_predictions(make, penalty, classes):
    derivation = penalised(make(), classes)
    assert derivation.verdict is Judgement.STRICTLY_PROPER
    assert sympy.simplify(derivation.rule.penalty - penalty(classes)) == 0
    cd.check(derivation).require_proved()


def grid(classes):
    counts = product((0, 1, 2, 5), repeat=classes)
    return [tuple(Rational(n, sum(one)) for n in one) for one in counts if sum(one)]


def test_right_predictions_score_better_than_wrong_ones_on_a_grid():
    rule, right, wrong = penalised(brier(), 3).rule, [], []
    for forecast in grid(3):
        predicted = forecast.index(max(forecast))
        for label, loss in enumerate(rule.at(forecast)):
            (right if label == predicted else wrong).append(loss)
    assert max(right) < min(wrong) and max(right) == Rational(2, 3)


def test_no_report_on_a_grid_beats_the_truth_with_ties_to_the_lowest_class():
    rule, forecasts = penalised(brier(), 3).rule, grid(3)
    told = {forecast: rule.at(forecast) for forecast in set(forecasts)}
    for belief, truth in told.items():
        best = sum(q * x for q, x in zip(belief, truth, strict=True))
        assert all(
            sum(q * x for q, x in zip(belief, losses, strict=True)) > best
            for report, losses in told.items()
            if report != belief
        )


def test_ties_charged_to_nobody_are_not_proper():
    """Ahmadian et al. (2024), Theorem 5 with Algorithm 1: the truth expects 0.68, the tie 0.5."""
    rule = PenalisedRule(brier().rule, Rational(1, 2), 2, ties="nobody")
    assert rule.entropy(("0.6", "0.4")) == Rational("0.68")
    assert rule.risk(("0.5", "0.5"), ("0.6", "0.4")) == Rational("0.5")


@pytest.mark.parametrize(("make", "classes"), [(brier, 3), (brier, 10), (log_score, 3), (spherical, 4)])
def test_rules_without_a_penalty_rank_a_wrong_prediction_before_a_right_one(make, classes):
    found = reversal(make().rule, classes)
    assert found.right[found.right_label] == max(found.right) and found.right.count(max(found.right)) == 1
    assert found.wrong[found.wrong_label] < max(found.wrong)
    assert sympy.N(found.right_loss - found.wrong_loss) > 0


def test_two_classes_and_penalised_rules_show_no_reversal():
    assert reversal(brier().rule, 2) is None
    assert reversal(penalised(brier(), 3).rule, 3) is None


@pytest.mark.parametrize(
    "change", [{"penalty": Rational(1, 3)}, {"penalty": Rational(5, 3)}, {"ties": "nobody"}, {"classes": 4}]
)
def test_no_falsified_penalty_passes(change):
    derivation = penalised(brier(), 3)
    (case,) = derivation.cases
    last = case.steps[-1]
    wrong = replace(last, after=replace(last.after, losses=replace(last.after.losses, **change)))
    told = replace(derivation, cases=(Case(case.given, (*case.steps[:-1], wrong)),))
    assert cd.check(told).verdict is not Verdict.PROVED


def test_a_penalty_that_is_too_small_or_an_improper_base_does_not_pass():
    good = penalised(brier(), 3)
    (case,) = good.cases
    last = case.steps[-1]
    small = derive(IndependentCosts((Rational(1, 3),) * 3))
    step = type(last).make(last.move, small.conclusion, case.given)
    told = replace(good, context=small.context, cases=(Case(case.given, (*small.steps, step)),))
    assert cd.check(told).verdict is not Verdict.PROVED
    first, second = brier().steps
    convex = replace(first, after=replace(first.after, loss=-first.after.loss))
    base = replace(brier(), cases=(Case(case.given, (convex, replace(second, before=convex.after))),))
    step = replace(last, move=replace(last.move, base=base))
    told = replace(good, cases=(Case(case.given, (*case.steps[:-1], step)),))
    assert cd.check(told).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: penalised(from_entropy("p0*p1", 2), 2), "any number of classes"),
        (lambda: penalised(derive(DirichletCosts((1, 1))), 2), "any number of classes"),
        (lambda: penalised(spherical(), 3), "not positive"),
        (lambda: penalised(brier(), 1), "classes = 1"),
    ],
)
def test_what_cannot_be_penalised_is_refused(build, words):
    with pytest.raises(SpecError, match=words):
        build()
