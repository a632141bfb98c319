"""Penalised rules: the penalty, properness with a tie rule and without one, right before wrong; mutants; errors."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import sympy
from sympy import Rational, S, log

import costderive as cd
from costderive.core.errors import SpecError
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
    pseudospherical,
    reversal,
    spherical,
    superior,
)
from costderive.multiclass.penalised import Ties
from costderive.proof.claims import Case, Verdict
from costderive.rules import Judgement


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
    losses_at = {forecast: rule.at(forecast) for forecast in set(forecasts)}
    for belief, truth in losses_at.items():
        best = sum(q * x for q, x in zip(belief, truth, strict=True))
        assert all(
            sum(q * x for q, x in zip(belief, losses, strict=True)) > best
            for report, losses in losses_at.items()
            if report != belief
        )


def test_ties_charged_to_no_class_are_not_proper():
    """Ahmadian et al. (2024), Theorem 5 with Algorithm 1: the truth expects 0.68, the tie 0.5."""
    rule = PenalisedRule(brier().rule, Rational(1, 2), 2, Ties.ALL)
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


def test_the_old_name_of_ties_charged_to_no_class_is_read_with_a_warning():
    with pytest.warns(DeprecationWarning, match='ties="all"'):
        assert penalised(brier(), 3, ties="nobody").rule == penalised(brier(), 3, ties="all").rule
    assert Ties["NOBODY"] is Ties.ALL  # certificates of version 0.2


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("make", [brier, log_score])
def test_ties_charged_to_no_class_are_refuted_with_a_witness(make, classes):
    derivation = penalised(make(), classes, ties="all")
    assert derivation.verdict is Judgement.IMPROPER
    cd.check(derivation).require_proved()
    found = derivation.conclusion.witness
    assert found.report == (Rational(1, classes),) * classes
    if classes == 2 and make is brier:  # Ahmadian et al. (2024), Theorem 5 with Algorithm 1
        assert found.belief == (Rational(3, 5), Rational(2, 5))
        assert (found.truthful, found.better) == (Rational("0.68"), Rational("0.5"))


def extremes(losses, classes, draws=20000):
    """Return the largest loss of right predictions and the smallest of wrong ones, among random forecasts."""
    draw = np.random.default_rng(1)
    few = draw.dirichlet([0.3] * classes, draws)
    few[:, 2:] *= 1e-6 if classes > 2 else 1
    forecasts = np.concatenate([draw.dirichlet([a] * classes, draws) for a in (0.3, 1.0, 1e3, 1e6)] + [few])
    forecasts /= forecasts.sum(axis=1, keepdims=True)
    right = np.eye(classes, dtype=bool)[forecasts.argmax(axis=1)]
    found = losses(forecasts)
    return found[right].max(), found[~right].min()


FUNCTIONS = {
    "brier": (brier, lambda p: 1 - 2 * p + (p**2).sum(axis=1, keepdims=True)),
    "log": (log_score, lambda p: -np.log(p)),
    "spherical": (spherical, lambda p: -p / np.sqrt((p**2).sum(axis=1, keepdims=True))),
    "power 3": (lambda: power(3), lambda p: (p**3).sum(axis=1, keepdims=True) + (1 - 3 * p**2) / 2),
    "power 1/2": (lambda: power("1/2"), lambda p: np.sqrt(p).sum(axis=1, keepdims=True) - 2 + 1 / np.sqrt(p)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_bounds_are_those_of_random_forecasts_and_decide_who_is_superior(name, classes):
    make, losses = FUNCTIONS[name]
    derivation = superior(make(), classes)
    cd.check(derivation).require_proved()
    found = derivation.conclusion
    most, least = float(found.bounds.largest_right), float(found.bounds.smallest_wrong)
    right, wrong = extremes(losses, classes)
    assert most - 1e-2 < right <= most + 1e-12  # the draws come near to the bounds, and stay within them
    assert least - 1e-12 <= wrong < least + 1e-2
    assert found.superior is (classes == 2)


def behind(classes, pairs=400_000):
    """Return how often a wrong prediction has the larger Brier score, where it gives the class less, and more."""
    draw = np.random.default_rng(classes)
    x, q = (
        np.sort(draw.dirichlet(np.ones(classes), pairs))[:, ::-1],
        draw.dirichlet(np.ones(classes), 2 * pairs),
    )
    q = q[q[:, 1:].max(axis=1) > q[:, 0]][:pairs]
    loss = [(p**2).sum(axis=1) - 2 * p[:, 0] for p in (x, q)]
    less = q[:, 0] < x[:, 0]
    return (loss[1] > loss[0])[less].mean(), (loss[1] > loss[0])[~less].mean()


def test_the_shares_of_the_source_lie_between_those_of_four_and_five_classes():
    """Ahmadian et al. (2024), sections 8.2 and 8.3: 99.996 % and roughly 63 %, of a random number of classes.

    400 000 uniform pairs, of which a hundredth has q above x: errors of 1e-5 and of 0.007 (one sigma).
    """
    (less4, more4), (less5, more5) = behind(4), behind(5)
    assert less5 - 3e-5 < 0.99996 < less4 + 3e-5
    assert more5 - 0.02 < 0.63 < more4 - 0.02


@pytest.mark.parametrize(
    ("derivation", "answer"),
    [
        (lambda: from_entropy("p0*p1", 2), True),
        (lambda: from_entropy("p0*p1 + p0*p2 + p1*p2", 3), False),
        (lambda: from_entropy("p0*p1 + 3*p0*p2 + p1*p2", 3), False),
        (lambda: derive(DirichletCosts((1, 1))), True),
        (lambda: derive(DirichletCosts((1, 1, 1))), False),
        (lambda: derive(IndependentCosts(("uniform(0, 1)",) * 2)), True),
        (lambda: derive(IndependentCosts(("uniform(0, 1)", "uniform(0, 2)"))), False),
        (lambda: penalised(brier(), 4), True),
        (lambda: penalised(log_score(), 3), True),
        (lambda: penalised(brier(), 3, ties="all"), True),
    ],
)
def test_any_rule_of_several_classes_is_decided(derivation, answer):
    decided = superior(derivation())
    assert decided.conclusion.superior is answer
    cd.check(decided).require_proved()


K = sympy.Symbol("K", positive=True)
ANY = [
    (brier, (K - 1) / K),  # Ahmadian et al. (2024), Theorem 3
    (log_score, log(K)),  # Theorem 4
    (spherical, -1 / sympy.sqrt(K)),
    (lambda: power(3), (1 - 1 / K**2) / 2),
    (lambda: power("1/2"), 2 * sympy.sqrt(K) - 2),
    (pseudospherical, -(K ** (1 / sympy.Symbol("a", positive=True) - 1))),
]


@pytest.mark.parametrize(("make", "largest"), ANY)
def test_no_rule_is_superior_for_any_number_of_classes_above_two(make, largest):
    derivation = superior(make())
    assert derivation.conclusion.superior is False
    assert sympy.simplify(derivation.conclusion.bounds.largest_right - largest) == 0
    cd.check(derivation).require_proved()
    low = replace(derivation.conclusion.bounds, smallest_wrong=S.Zero)
    for change in ({"superior": True}, {"superior": None}, {"bounds": low}, {"classes": 3}):
        assert cd.check(with_last(derivation, **change)).verdict is not Verdict.PROVED


def test_bounds_for_a_letter_are_proved_or_left_open():
    cd.check(superior(pseudospherical(), 2)).require_proved()
    for unknown in (superior(power()), superior(power(), 3), superior(pseudospherical(), 3)):
        assert cd.check(unknown).verdict is Verdict.OPEN


def with_last(derivation, **changes):
    (case,) = derivation.cases
    last = case.steps[-1]
    wrong = replace(last, after=replace(last.after, **changes))
    return replace(derivation, cases=(Case(case.given, (*case.steps[:-1], wrong)),))


@pytest.mark.parametrize("classes", [2, 3])
def test_no_falsified_answer_on_superiority_passes(classes):
    good = superior(brier(), classes)
    found = good.conclusion
    wrong = [{"superior": not found.superior}, {"classes": 5}, {"bounds": None}]
    low = replace(found.bounds, largest_right=Rational(1, 3))
    high = replace(found.bounds, smallest_wrong=Rational(3, 4))
    wrong += [{"bounds": low}, {"bounds": high}, {"superior": True, "bounds": high}]
    if not found.superior:
        wrong += [{"right": found.wrong, "wrong": found.right}, {"right": None}]
        wrong += [{"wrong": replace(found.wrong, loss=S.Zero)}, {"right": replace(found.right, label=1)}]
        wrong += [{"right": replace(found.right, forecast=(Rational(1, 3),) * 3)}]
    for change in wrong:
        assert cd.check(with_last(good, **change)).verdict is not Verdict.PROVED


BOUNDED = [
    lambda: superior(brier(), 3),
    lambda: superior(penalised(brier(), 3)),
    lambda: superior(from_entropy("p0*p1", 2)),
    lambda: superior(derive(DirichletCosts((1, 1, 1)))),
]


@pytest.mark.parametrize("change", [{"largest_right": Rational(3, 5)}, {"smallest_wrong": Rational(1, 5)}])
@pytest.mark.parametrize("make", BOUNDED)
def test_no_falsified_bound_passes(make, change):
    derivation = make()
    (case,) = derivation.cases
    *before, bounded, ranked = case.steps
    bounded = replace(bounded, after=replace(bounded.after, **change))
    ranked = replace(ranked, before=bounded.after, after=replace(ranked.after, bounds=bounded.after))
    altered = replace(derivation, cases=(Case(case.given, (*before, bounded, ranked)),))
    assert cd.check(altered).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    "change", [{"penalty": Rational(1, 3)}, {"penalty": Rational(5, 3)}, {"ties": "all"}, {"classes": 4}]
)
def test_no_falsified_penalty_passes(change):
    derivation = penalised(brier(), 3)
    (case,) = derivation.cases
    last = case.steps[-1]
    wrong = replace(last, after=replace(last.after, losses=replace(last.after.losses, **change)))
    altered = replace(derivation, cases=(Case(case.given, (*case.steps[:-1], wrong)),))
    assert cd.check(altered).verdict is not Verdict.PROVED


def test_a_penalty_that_is_too_small_or_an_improper_base_does_not_pass():
    good = penalised(brier(), 3)
    (case,) = good.cases
    last = case.steps[-1]
    small = derive(IndependentCosts((Rational(1, 3),) * 3))
    step = type(last).make(last.move, small.conclusion, case.given)
    altered = replace(good, context=small.context, cases=(Case(case.given, (*small.steps, step)),))
    assert cd.check(altered).verdict is not Verdict.PROVED
    first, second = brier().steps
    convex = replace(first, after=replace(first.after, loss=-first.after.loss))
    base = replace(brier(), cases=(Case(case.given, (convex, replace(second, before=convex.after))),))
    step = replace(last, move=replace(last.move, base=base))
    altered = replace(good, cases=(Case(case.given, (*case.steps[:-1], step)),))
    assert cd.check(altered).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: penalised(from_entropy("p0*p1", 2), 2), "any number of classes"),
        (lambda: penalised(derive(DirichletCosts((1, 1))), 2), "any number of classes"),
        (lambda: penalised(spherical(), 3), "not positive"),
        (lambda: penalised(brier(), 1), "classes = 1"),
        (lambda: penalised(brier(), 3, ties="highest"), "ties = 'highest'"),
        (lambda: superior(power("K")), "a parameter K"),
        (lambda: superior(brier(), 1), "classes = 1"),
        (lambda: superior(penalised(brier(), 3), 4), "the rule has 3"),
    ],
)
def test_what_cannot_be_penalised_is_refused(build, words):
    with pytest.raises(SpecError, match=words):
        build()


def test_two_predictions_show_that_a_rule_in_pieces_is_not_superior() -> None:
    """Their losses are expected costs ``E[c_i; i not chosen]``, here by simulation."""
    laws = ("triangular(0, 1, 2)", "uniform(0, 1)", "uniform(0, 1)")
    derivation = superior(derive(IndependentCosts(laws)))
    found = derivation.conclusion
    assert not found.superior and found.bounds is None
    assert cd.check(derivation).verdict is Verdict.PROVED
    draw = np.random.default_rng(4)
    costs = np.column_stack([draw.triangular(0, 1, 2, 200_000), draw.uniform(size=(200_000, 2))])
    for one in (found.right, found.wrong):
        chosen = (costs * np.array(one.forecast, dtype=float)).argmax(axis=1)
        losses = costs[:, one.label] * (chosen != one.label)
        assert losses.mean() == pytest.approx(float(one.loss), abs=5 * losses.std() / 200_000**0.5)
