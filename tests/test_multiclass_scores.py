"""Scores of arrays of several classes: against exact losses, against closed forms for many classes, and refusals."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import sympy
from mpmath import mp, mpf
from sklearn.metrics import log_loss

import costderive as cd
from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.multiclass import (
    DirichletCosts,
    IndependentCosts,
    brier,
    compile,
    derive,
    from_entropy,
    log_score,
    penalised,
    power,
    pseudospherical,
)
from costderive.multiclass.penalised import Ties

CONTEXTS = [
    DirichletCosts((1, 1, 1)),
    DirichletCosts((2, 1, 3, 1), budget=7),
    IndependentCosts(("exponential(1)", "gamma(3, 2)", "exponential(5)")),
    IndependentCosts(("uniform(0, 1)", "uniform(0, 2)", "uniform(0, 3)")),
    IndependentCosts(("uniform(0, 1)",) * 5),
    IndependentCosts(("uniform(1, 2)", "exponential(1)", 2)),
    IndependentCosts(("uniform(1, 2)", "uniform(1/2, 3)")),
    IndependentCosts(("triangular(0, 1, 2)", "gamma(2, 1)", "exponential(3)")),
    IndependentCosts((1, 2, 3)),
]
RULES = [brier, log_score, lambda: power("1/2"), lambda: pseudospherical(3)]


@pytest.mark.parametrize("context", CONTEXTS)
def test_compiled_losses_are_the_exact_ones(context):
    """To 1e-14 relative, forty roundings: the errors of a hundred nodes are not all one way."""
    rule = derive(context).rule
    compiled, draw = compile(rule), np.random.default_rng(5)
    for size in (10, 1000, 10**6):
        counts = [int(n) for n in draw.integers(1, size, rule.classes)]
        forecast = [sympy.Rational(n, sum(counts)) for n in counts]
        rows = np.tile(np.array(forecast, dtype=float), (rule.classes, 1))
        found = compiled.per_sample(range(rule.classes), rows)
        exact = [float(loss.n(30)) for loss in rule.at(forecast)]
        np.testing.assert_allclose(found, exact, rtol=1e-14)


def test_compiled_rules_of_a_given_entropy_are_the_exact_ones():
    rule = from_entropy("-p0*ln(p0) - p1*ln(p1) - p2*ln(p2) + p0*p1", 3).rule
    for forecast in (["1/8", "1/2", "3/8"], ["0", "1/4", "3/4"], ["0", "0", "1"]):
        rows = np.array([[float(sympy.Rational(p)) for p in forecast]] * 3)
        exact = [float(loss) for loss in rule.at(forecast)]
        np.testing.assert_allclose(compile(rule).per_sample(range(3), rows), exact, rtol=1e-15, atol=1e-15)


TIES = ["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], ["0", "1/2", "1/2"], ["0", "1", "0"], ["1/2", "0", "1/2"]


@pytest.mark.parametrize("forecast", TIES)
@pytest.mark.parametrize(
    "costs", [(1, 2, 2), ("uniform(1, 2)", 2, "exponential(1)"), ("uniform(0, 1)", 1, 1)]
)
def test_ties_of_known_costs_and_probabilities_0_go_as_the_exact_rule_says(costs, forecast):
    context = IndependentCosts(costs)
    found = compile(context).per_sample(
        range(3), np.array([[float(sympy.Rational(p)) for p in forecast]] * 3)
    )
    exact = [float(loss) for loss in derive(context).rule.at(forecast)]
    np.testing.assert_allclose(found, exact, rtol=1e-14, atol=1e-15)


def test_any_costs_have_the_mean_loss_of_simulated_ones():
    context = IndependentCosts(("uniform(1, 2)", "exponential(1)", 2, "triangular(0, 1, 2)"))
    forecast, costs = np.array([0.2, 0.3, 0.1, 0.4]), context.sample(200_000, seed=4)
    lost = costs * ((costs * forecast).argmax(axis=1)[:, None] != np.arange(4))
    found = compile(context).per_sample(range(4), np.tile(forecast, (4, 1)))
    error = lost.std(axis=0) / np.sqrt(len(lost))
    assert (abs(found - lost.mean(axis=0)) <= 4 * error).all()


@pytest.mark.parametrize("classes", [2, 3, 10, 100, 1000])
def test_equal_forecasts_of_a_rule_of_costs_cost_what_the_largest_of_equals_saves(classes):
    """By symmetry the chosen class, the one with the largest cost, saves ``E[max]/K`` of each class."""
    rows = np.full((3, classes), 1 / classes)
    additive, inverse = (
        compile(context).per_sample(range(min(3, classes)), rows[:classes])
        for context in (DirichletCosts((1,) * classes), IndependentCosts(("uniform(0, 1)",) * classes))
    )
    harmonic = sum(1 / n for n in range(1, classes + 1))
    np.testing.assert_allclose(additive, 1 - harmonic / classes, rtol=1e-14)
    np.testing.assert_allclose(inverse, 0.5 - 1 / (classes + 1), rtol=1e-13)  # a sum of 1000 parts


def groups(shares):
    """Return a forecast with groups of equal probabilities, from pairs of a number of classes and a weight."""
    weights = np.repeat([weight for _, weight in shares], [count for count, _ in shares])
    return weights / weights.sum()


def integral(costs, forecast, label):
    """Integrate ``x f(x) (1 - prod G_j(p_i x/p_j))`` with 30 digits, from equal rivals taken together."""
    density, cdf, top = costs
    rivals = Counter(mpf(forecast[label]) / mpf(q) for j, q in enumerate(forecast) if j != label)
    with mp.workdps(30):
        turns = {(mp.log(count + 1) + shift) / r for r, count in rivals.items() for shift in (0, 3)}
        ends = [mpf(0), *sorted(x for x in {*turns, *(1 / r for r in rivals), mpf(1)} if x < top), mpf(top)]
        places = [a + (b - a) * k / 4 for a, b in pairwise(ends) for k in range(4)]

        def integrand(x):
            return x * density(x) * (1 - mp.fprod(cdf(r * x) ** count for r, count in rivals.items()))

        return float(mp.quad(integrand, [*places, mpf(top)]))


EXPONENTIAL = (lambda x: mp.exp(-x), lambda x: -mp.expm1(-x), 90)
GAMMA = (lambda x: x**2 * mp.exp(-x) / 2, lambda x: 1 - (1 + x + x * x / 2) * mp.exp(-x), 120)
UNIFORM = (lambda x: mpf(1), lambda x: min(x, mpf(1)), 1)
SHARES = [((2, 1.0), (8, 0.05)), ((2, 1.0), (998, 0.05)), ((1, 1.0), (1, 0.3), (500, 0.02), (498, 1e-4))]


@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize(
    ("costs", "context"),
    [
        (EXPONENTIAL, lambda k: DirichletCosts((1,) * k)),
        (GAMMA, lambda k: IndependentCosts(("gamma(3, 1)",) * k)),
        (UNIFORM, lambda k: IndependentCosts(("uniform(0, 1)",) * k)),
    ],
)
def test_many_classes_in_groups_have_the_losses_of_direct_integration(costs, context, shares):
    """Rivals that all turn at one small cost: where a fixed step of the nodes is off by 3e-7."""
    forecast = groups(shares)
    labels = [0, 1, len(forecast) - 1]
    found = compile(context(len(forecast))).per_sample(labels, np.tile(forecast, (3, 1)))
    exact = [integral(costs, forecast, label) for label in labels]
    np.testing.assert_allclose(found, exact, rtol=2e-14)


def test_penalised_scores_charge_wrong_predictions_and_break_ties_as_the_rule_says():
    rule = penalised(brier(), 3).rule
    rows = [["0.5", "0.25", "0.25"], ["0.4", "0.4", "0.2"], ["0", "0", "1"]]
    for one in (rule, replace(rule, ties=Ties.ALL)):
        for row in rows:
            found = compile(one).per_sample(range(3), np.array([row] * 3, dtype=float))
            np.testing.assert_allclose(found, [float(x) for x in one.at(row)], atol=1e-15)


@pytest.mark.parametrize("make", RULES)
def test_compiled_rules_of_an_entropy_are_the_exact_ones(make):
    rule, forecast = make().rule, ("1/8", "1/2", "3/8", "0")
    found = compile(rule).per_sample(range(4), np.tile([1 / 8, 1 / 2, 3 / 8, 0], (4, 1)))
    exact = [float(loss) for loss in rule.at(forecast)]
    np.testing.assert_allclose(found, exact, rtol=4e-16, atol=4e-16)


def test_log_score_is_that_of_scikit_learn_with_weights_and_one_hot_labels():
    draw = np.random.default_rng(3)
    rows, labels, weights = draw.dirichlet(np.ones(7), 500), draw.integers(0, 7, 500), draw.random(500)
    score = compile(log_score().rule)
    expected = log_loss(labels, rows, sample_weight=weights, labels=range(7))
    assert abs(score(labels, rows, weights) / expected - 1) < 1e-14
    assert score(np.eye(7)[labels], rows, weights) == score(labels, rows, weights)


@pytest.mark.parametrize("context", [CONTEXTS[0], CONTEXTS[3]])
def test_probabilities_0_and_1_have_exact_losses(context):
    means = [float(one.mean) for one in derive(context).rule.losses.costs.of_class]
    rows = [[0, 0.5, 0.5], [0, 1, 0], [0, 1, 0]]
    found = compile(derive(context).rule).per_sample([0, 1, 2], rows)
    np.testing.assert_allclose(found, [means[0], 0, means[2]], rtol=1e-14)


def test_a_probability_0_leaves_the_rule_of_the_other_classes():
    two = compile(derive(DirichletCosts((1, 1))).rule).per_sample([0, 1], [[0.3, 0.7]] * 2)
    three = compile(derive(DirichletCosts((1, 1, 1))).rule).per_sample([0, 1], [[0.3, 0.7, 0]] * 2)
    np.testing.assert_allclose(two, three, rtol=1e-14)
    np.testing.assert_allclose(two, [0.49, 0.09], rtol=1e-14)


@pytest.mark.parametrize(
    ("labels", "rows", "words"),
    [
        ([0], [[0.5, 0.4]], r"y_proba\[0\] adds up to 0.9.*0.1 off"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.7]], r"y_proba\[1\] adds up to 1.2"),
        ([2], [[0.5, 0.5]], r"y_true\[0\] = 2 is not a class"),
        ([0.5], [[0.5, 0.5]], r"y_true\[0\] = 0.5 is not a class"),
        (["a"], [[0.5, 0.5]], "y_true has 1 of 2 classes: 'a'"),
        ([None], [[0.5, 0.5]], r"y_true\[0\] = None is not a label"),
        ([0, 1], [[0.5, 0.5]], r"y_true has the shape \(2,\)"),
        ([[1, 1]], [[0.5, 0.5]], r"y_true\[0\] = \[1, 1\] is not one-hot"),
        ([0], [0.5], r"shape \(1,\)"),
        ([0], [[float("nan"), 1]], "nan is not a probability"),
        ([], np.empty((0, 2)), "(?s)y_proba has no rows.*at least one"),
        ([], [], "y_proba has no rows"),
        ([0], 0.5, r"y_proba has the shape \(\)"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_first_row(labels, rows, words):
    with pytest.raises(DataError, match=words):
        compile(brier().rule)(labels, rows)


@pytest.mark.parametrize(
    ("logit", "words"),
    [
        ([], "logit has no rows"),
        ([[1.0, 2.0]], r"logit has the shape \(1, 2\).*\(n, 3\)"),
        ([1.0, 2.0, 3.0], r"logit has the shape \(3,\)"),
        (1.0, r"logit has the shape \(\)"),
        ([[0, np.inf, 0]], r"logit\[0, 1\] = inf leaves the row without"),
        ([[0, 0, 0], [-np.inf] * 3], r"logit\[1, 0\] = -inf leaves the row without"),
    ],
)
def test_logits_that_cannot_be_scored_are_refused_by_their_own_name(logit, words):
    for score in (loss := compile(DirichletCosts((1, 1, 1))), loss.per_sample, loss.gradient):
        with pytest.raises(DataError, match=f"(?s){words}"):
            score([0], logit=logit)


def test_a_logit_of_minus_infinity_is_a_class_that_is_impossible():
    for loss in (compile(DirichletCosts((1, 2, 1))), compile(IndependentCosts(("lognormal(0, 1)",) * 3))):
        half, logit = [[0.5, 0.0, 0.5]] * 3, [[0.0, -np.inf, 0.0]] * 3
        assert (loss.per_sample(range(3), logit=logit) == loss.per_sample(range(3), half)).all()
        assert np.isfinite(loss.hessian(range(3), logit=logit, wrt="logit")).all()


def test_too_many_classes_for_closed_forms_are_refused_at_once():
    for context in (DirichletCosts((1,) * 40), IndependentCosts(("uniform(0, 1)",) * 40)):
        with pytest.raises(SpecError, match="40 classes"):
            derive(context)


def test_costs_of_classes_are_sent_to_the_function_that_takes_them():
    with pytest.raises(SpecError, match=r"costderive\.multiclass\.derive"):
        cd.derive(DirichletCosts((1, 1, 1)))


def test_what_has_no_numeric_form_is_refused():
    with pytest.raises(ParametersLeftError, match="a has no value"):
        compile(power("a").rule)
    with pytest.raises(ParametersLeftError, match="m has no value"):
        compile(derive(IndependentCosts(("exponential(m)", "exponential(1)"))).rule)
    with pytest.raises(ParametersLeftError, match="a has no value"):
        compile(from_entropy("a*p0*p1", 2).rule)
    with pytest.raises(SpecError, match=r"'brier' is no rule of several classes"):
        compile("brier")
    with pytest.raises(DataError, match=r"\(n, 3\)"):
        compile(derive(DirichletCosts((1, 1, 1))).rule)([0], [[0.5, 0.5]])


# ---- numbers of other types


def softmax(classes, kind, rows=2000):
    logits = np.random.default_rng(classes).normal(0, 4, (rows, classes)).astype(kind)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("kind", "classes"), [("f4", 3), ("f4", 1000), ("f2", 3), ("f2", 200), ("f8", 1000)])
def test_a_softmax_of_any_precision_is_scored_as_its_rows_divided_by_their_sums(kind, classes):
    proba, labels = softmax(classes, kind), np.arange(2000) % classes
    exact = proba.astype(float) / proba.astype(float).sum(axis=1, keepdims=True)
    for loss in (compile(brier().rule), compile(log_score().rule)):
        with np.errstate(divide="ignore"):
            found, wanted = loss.per_sample(labels, proba), loss.per_sample(labels, exact)
        np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_doubles_that_were_single_numbers_are_refused_with_a_hint() -> None:
    rows = np.float32([[0.2, 0.3, 0.5]]).astype(float)
    assert abs(rows.sum() - 1) > 1e-8
    with pytest.raises(DataError, match="of type float32"):
        compile(brier())([0], rows)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_a_sum_that_no_rounding_explains_is_refused_in_any_precision(kind):
    proba = softmax(5, kind)
    proba[7] *= 0.97
    with pytest.raises(DataError, match=r"y_proba\[7\] adds up to 0.9[67]"):
        compile(brier().rule)([0] * 2000, proba)


# ---- names of classes

ROWS = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.3, 0.6, 0.1], [0.25, 0.25, 0.5]])
NUMBERS = [2, 0, 1, 1]


@pytest.mark.parametrize(
    "labels",
    [("c", "a", "b"), (10, -3, 7), (True, "x", None), (1.5, 2.5, 0), ("1", "0", "2"), (b"z", b"y", b"x")],
)
def test_labels_name_the_classes_in_the_order_of_the_columns(labels):
    loss, named = compile(log_score().rule), [labels[n] for n in NUMBERS]
    wanted = loss.per_sample(NUMBERS, ROWS)
    for given in (np.array(named, dtype=object), named if len({*map(type, named)}) == 1 else None):
        if given is not None:
            assert (loss.per_sample(given, ROWS, labels=labels) == wanted).all()
    assert loss(named[:1], ROWS[:1], labels=labels) == wanted[0]


def test_names_without_labels_are_in_ascending_order_as_in_scikit_learn():
    named = np.array(["ant", "bee", "cat"])[NUMBERS]
    assert abs(compile(log_score().rule)(named, ROWS) / log_loss(named, ROWS) - 1) < 1e-14
    two, is_one = ROWS[:, :2] / ROWS[:, :2].sum(axis=1, keepdims=True), np.array([True, False, False, True])
    assert abs(compile(log_score().rule)(is_one, two) / log_loss(is_one, two) - 1) < 1e-14


def test_numbers_kept_as_objects_are_numbers():
    assert compile(brier().rule)(np.array(NUMBERS, dtype=object), ROWS) == compile(brier().rule)(
        NUMBERS, ROWS
    )


@pytest.mark.parametrize(
    ("y_true", "labels", "words"),
    [
        (["a", "d", "b", "c"], ("a", "b", "c"), r"y_true\[1\] = 'd' is not among the labels 'a', 'b', 'c'"),
        ([1, 2, 3, 0], (1, 2, 3), r"y_true\[3\] = 0 is not among the labels 1, 2, 3"),
        ([0, 1, 2, 0], ("a", "b", "c"), r"y_true\[0\] = 0 is not among"),
        (["a", float("nan"), "b", "c"], ("a", "b", "c"), r"y_true\[1\] = nan is not among"),
        (["a", float("nan"), "b", "c"], None, r"y_true\[1\] = nan is not a label"),
        (["a", 1, "b", "c"], None, "no order: they are of the types int and str"),
        (["a", ["b"], "b", "c"], None, "y_true is not an array"),
        (np.ma.array([0, 1, 2, 0], mask=[0, 0, 1, 0]), None, r"y_true\[2\] is masked"),
        ([0, 1, 2, 0], {0, 1, 2}, "labels = {0, 1, 2} is no list"),
        ([0, 1, 2, 0], 3, "labels = 3 is no list"),
        ([0, 1, 2, 0], [[0], [1], [2]], r"labels\[0\] = \[0\] is not a label"),
        ([0, 1, 2, 0], ["a", "b", float("nan")], r"labels\[2\] = nan is not a label"),
        (np.array(["a", None, "b", "c"], dtype=object), ("a", "b", "c"), r"y_true\[1\] = None is not among"),
        (["a", ["b"], "b", "c"], ("a", "b", "c"), "y_true is not an array"),
        (
            np.array(["a", ["b"], "b", "c"], dtype=object),
            ("a", "b", "c"),
            r"y_true\[1\] = \['b'\] is not among",
        ),
        (["a"] * 4, ("a", "b"), "has 2 names for 3 classes"),
        (["a"] * 4, ("a", "b", "a"), r"labels\[2\] = 'a' stands there twice"),
        (["a", "b", "a", "b"], None, "y_true has 2 of 3 classes: 'a', 'b'"),
        ([True, False, True, True], None, "y_true is of booleans, and there are 3 classes"),
        ([1, 2, 3, 1], None, r"y_true\[2\] = 3 is not a class"),
    ],
)
def test_unknown_labels_are_refused_by_name(y_true, labels, words):
    with pytest.raises(DataError, match=words):
        compile(brier().rule)(y_true, ROWS, labels=labels)
