"""Rules of a batch: Parry's formulas, properness by enumeration and by proof, the AUC, discrimination; errors."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy
from sklearn.metrics import roc_auc_score
from sympy import Rational, S, sqrt

import costderive as cd
from costderive.batch import (
    AucAmong,
    AucScore,
    additive,
    auc,
    auc_alone,
    auc_among,
    discrimination,
    discrimination_bound,
    discrimination_limit,
    from_entropy,
    homogeneous,
    lowest,
    rank_based,
)
from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.proof.claims import Case, Verdict
from costderive.rules import Judgement

LOG = "-q*ln(q) - (1 - q)*ln(1 - q)"
WEIGHTS = (1, 3, "1/2")


def brier(y, w):
    return sum((a - b) ** 2 for a, b in zip(y, w, strict=True)) / 2


def weighted_brier(y, w):
    return sum(c * (a - b) ** 2 / 2 for c, a, b in zip((1, 3, 0.5), y, w, strict=True))


def log_loss(y, w):
    return -sum(np.log(b) if a else np.log(1 - b) for a, b in zip(y, w, strict=True))


def pseudospherical(alpha):
    return lambda y, w: (
        -sum(a * b ** (alpha - 1) for a, b in zip(y, w, strict=True))
        / sum(b**alpha for b in w) ** ((alpha - 1) / alpha)
    )


def zero_one(y, w):
    top = [i for i, b in enumerate(w) if b == max(w)]
    return -sum(y[i] for i in top) / len(top)


def ranks(y, w):
    return -sum(a * (sum(v < b for v in w) - sum(v > b for v in w)) for a, b in zip(y, w, strict=True))


def decisions(y, w):
    """Costs 2 and 2 of misclassifying class 0 and 1: those of the better class, the mean of both at 1/2."""
    chosen = [1.0 if b > 0.5 else 0.5 if b == 0.5 else 0.0 for b in w]
    return sum(2 * c * (1 - a) + 2 * (1 - c) * a for a, c in zip(y, chosen, strict=True))


def quadratic(y, w):
    """``H = -(w . A w)`` has ``S = H + (y - w) . (-2 A w)``."""
    matrix, w, y = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]), np.array(w), np.array(y)
    return -w @ matrix @ w - 2 * (y - w) @ matrix @ w


ACTS = [[f"2*w{n}", f"2 - 2*w{n}"] for n in range(3)]
RULES = {  # derivation, the loss in closed form, whether it is strictly proper
    "Brier": (lambda: additive("q*(1 - q)/2"), brier, True),
    "weighted Brier": (lambda: additive("q*(1 - q)/2", WEIGHTS), weighted_brier, True),
    "log": (lambda: additive(LOG), log_loss, True),
    "spherical": (lambda: homogeneous(2), pseudospherical(2), False),
    "pseudospherical": (lambda: homogeneous("5/2"), pseudospherical(2.5), False),
    "zero-one": (lambda: homogeneous("oo", instances=3), zero_one, False),
    "ranks": (rank_based, ranks, False),
    "decisions": (lambda: lowest(ACTS, 3), decisions, False),
    "quadratic": (lambda: from_entropy("-w0^2 - w1^2 - w0*w1 - w2^2", 3), quadratic, True),
}
CUBE = tuple(product((0, 1), repeat=3))
POINTS = tuple(product(map(Rational, ("1/10", "1/3", "1/2", "9/10")), repeat=3))


@pytest.mark.parametrize("name", RULES)
def test_scores_are_those_of_the_source_in_doubles_and_exactly(name):
    """Parry (2016), Eq. (6), (7), (9), (10), (12) and (25)."""
    make, formula, _ = RULES[name]
    derivation = make()
    for y, w in zip(CUBE, POINTS[:: len(POINTS) // len(CUBE)], strict=True):
        expected = formula(y, [float(b) for b in w])
        assert derivation.score(y, [float(b) for b in w]) == pytest.approx(expected, rel=1e-14, abs=1e-14)
        assert float(derivation.rule.exact(y, w)) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("name", RULES)
def test_no_report_on_a_grid_expects_less_than_independent_labels(name):
    """By all labels and their probabilities, from the formulas of the source."""
    make, formula, strict = RULES[name]
    assert make().verdict is (Judgement.STRICTLY_PROPER if strict else Judgement.PROPER)
    points = np.array(POINTS, dtype=float)
    losses = np.array([[formula(y, w) for y in CUBE] for w in points])
    chances = np.array(
        [[np.prod([q if a else 1 - q for a, q in zip(y, p, strict=True)]) for y in CUBE] for p in points]
    )
    risks = chances @ losses.T
    excess = risks - np.diag(risks)[:, None]
    assert excess.min() > -1e-12
    if strict:
        assert (excess < 1e-12).sum() == len(points)


@pytest.mark.parametrize("name", RULES)
def test_all_claims_are_proved(name):
    cd.check(RULES[name][0]()).require_proved()


@pytest.mark.parametrize("name", RULES)
def test_dependent_labels_expect_what_their_probabilities_do(name):
    rule = RULES[name][0]().rule
    draw = np.random.default_rng(8)
    chances = [Rational(int(n), 400) for n in draw.multinomial(400, np.ones(8) / 8)]
    belief = [sum(c * y[i] for c, y in zip(chances, CUBE, strict=True)) for i in range(3)]
    expected = sum(c * rule.exact(y, ("1/3", "1/2", "1/10")) for c, y in zip(chances, CUBE, strict=True))
    assert sympy.simplify(expected - rule.expected(("1/3", "1/2", "1/10"), belief)) == 0


@pytest.mark.parametrize("instances", [1, 2, 5])
def test_rules_of_a_given_number_of_instances_are_proved(instances):
    for derivation in (rank_based(instances), homogeneous(3, instances), homogeneous("oo", instances)):
        derivation.check().require_proved()
        assert derivation.rule.instances == instances


def test_a_letter_stands_for_any_exponent_and_any_weight():
    assert homogeneous().verdict is Judgement.PROPER
    homogeneous().check().require_proved()
    additive(LOG, ("a", "b")).check().require_proved()


def test_forecasts_of_0_and_1_have_exact_losses():
    assert additive(LOG).score([0, 1], [0, 1]) == 0
    assert additive(LOG).score([1, 1], [0, 1]) == np.inf
    assert additive(LOG).rule.exact((1, 1), (0, 1)) is S.Infinity
    assert additive(LOG).rule.expected((0, 1), (0, 1)) == 0
    assert homogeneous(2).score([1, 0], [0, 0]) == 0
    assert homogeneous(2).score([1, 0], [1e-300, 0]) == -1


def test_costs_of_every_context_make_a_rule_of_a_batch():
    derivation = cd.derive(cd.IndependentUniform(c0=(0, 1), c1=(0, 1)))
    rule = additive(derivation, (1, 2)).rule
    one = cd.numeric.compile(derivation).per_sample([0, 1], [0.2, 0.7])
    assert rule.score([0, 1], [0.2, 0.7]) == pytest.approx(one @ [1, 2], rel=1e-15)
    assert float(rule.exact((0, 1), ("1/5", "7/10"))) == pytest.approx(one @ [1, 2], rel=1e-15)


def test_entropies_that_are_not_concave_have_a_witness():
    derivation = from_entropy("w0*w1", 2)
    assert derivation.verdict is Judgement.IMPROPER
    derivation.check().require_proved()
    found = derivation.witness
    a, b = found.belief
    c, d = found.report
    assert found.truthful == a * b and found.better == c * d + (a - c) * d + (b - d) * c < found.truthful


# ---- the AUC


def test_the_rule_of_ranks_gives_the_auc():
    draw = np.random.default_rng(2)
    for n in (5, 40, 1000):
        y, w = draw.integers(0, 2, n), draw.integers(0, 12, n) / 12
        assert auc(y, w) == pytest.approx(roc_auc_score(y, w), rel=1e-14)
        pairs = y.sum() * (n - y.sum())
        assert rank_based().score(y, w) == pytest.approx(pairs * (1 - 2 * roc_auc_score(y, w)), rel=1e-12)
    assert auc([1, 1], [0.2, 0.3]) == 0.5


@pytest.mark.parametrize("instances", [4, 5, 9])
def test_the_auc_alone_is_no_scoring_rule(instances):
    derivation = auc_alone(instances)
    assert derivation.verdict is Judgement.IMPROPER
    derivation.check().require_proved()
    found, law = derivation.conclusion.witness, derivation.conclusion.law
    report, belief = ([float(q) for q in one] for one in (found.report, found.belief))
    by_sklearn = [-sum(float(c) * roc_auc_score(y, w) for y, c in law) for w in (report, belief)]
    assert by_sklearn == pytest.approx([float(found.better), float(found.truthful)], rel=1e-14)
    marginals = [sum(c * y[i] for y, c in law) for i in range(instances)]
    assert list(found.belief) == marginals
    ranked = [sum(c * rank_based().rule.exact(y, w) for y, c in law) for w in (found.report, found.belief)]
    assert ranked[1] < ranked[0]  # the rule of ranks is not misled


def test_up_to_three_instances_the_auc_is_an_affine_change_of_the_rule_of_ranks():
    for n in (2, 3):
        for y, w in product(product((0, 1), repeat=n), product((0, 1, 2), repeat=n)):
            forecast = [Rational(v, 2) for v in w]
            assert AucScore(n).exact(y, forecast) == (rank_based().rule.exact(y, forecast) / (n - 1) - 1) / 2


def by_sklearn(y, w):
    return roc_auc_score(y, w) if 0 < sum(y) < len(y) else 0.5


ORDERS = [np.array(w) / 4 for w in product(range(4), repeat=4)]
FOUR = list(product((0, 1), repeat=4))


@cache
def areas():
    """Return the AUC of every ranking of four instances for all their labels, shape (256, 16)."""
    return np.array([[by_sklearn(y, w) for y in FOUR] for w in ORDERS])


def laws(labels):
    """Yield probabilities of all labels of four instances, shape (16,), that are independent, or have two ones."""
    draw = np.random.default_rng(5)
    for _ in range(12):
        q = draw.integers(0, 5, 4) / 4
        weights = draw.exponential(size=16) * [sum(y) == 2 for y in FOUR]
        each = np.array([np.prod([p if a else 1 - p for a, p in zip(y, q, strict=True)]) for y in FOUR])
        yield weights / weights.sum() if labels == "counted" else each


@pytest.mark.parametrize("labels", ["independent", "counted"])
def test_no_ranking_expects_a_larger_auc_than_that_of_the_probabilities(labels):
    derivation = auc_among(labels)
    assert derivation.verdict is Judgement.PROPER
    derivation.check().require_proved()
    for law in laws(labels):
        belief = law @ np.array(FOUR)
        truth = law @ [by_sklearn(y, belief.round(12)) for y in FOUR]
        assert truth >= (areas() @ law).max() - 1e-12
    assert derivation.score((0, 1, 1), (0.5, 0.2, 0.7)) == -0.5
    assert AucAmong(derivation.rule.labels).exact((0, 1, 1), ("1/2", "1/5", "7/10")) == -S.Half


class Uneven(AucAmong):
    """Labels of which the first of a pair is a 1 where pairs weigh more."""

    def of_pair(self):
        q, r, first, second = super().of_pair()
        return q, r, 2 * first, second


def test_a_pair_that_weighs_more_one_way_is_not_proper():
    rule = Uneven(auc_among("independent").rule.labels)
    good = auc_among("independent")
    (step,) = good.cases[0].steps
    wrong = replace(step, before=rule, after=replace(step.after, losses=rule))
    case = Case(good.cases[0].given, (wrong,))
    assert replace(good, context=rule, cases=(case,)).check().verdict is Verdict.REFUTED


# ---- discrimination


def test_discrimination_is_that_of_all_labels():
    rule, belief, report = additive(LOG).rule, (0.3, 0.6, 0.5), (0.2, 0.7, 0.6)
    chances = [np.prod([q if a else 1 - q for a, q in zip(y, belief, strict=True)]) for y in CUBE]
    gaps = np.array([log_loss(y, report) - log_loss(y, belief) for y in CUBE])
    mean = chances @ gaps
    expected = mean**2 / (chances @ gaps**2 - mean**2)
    assert float(discrimination(rule, report, belief)) == pytest.approx(expected, rel=1e-12)


def test_discrimination_tends_to_its_limit():
    belief, direction = (Rational(3, 10), Rational(3, 5)), (1, -2)
    covariance = [[q * (1 - q) * int(i == j) for j in range(2)] for i, q in enumerate(belief)]
    bend = [[int(i == j) / (q * (1 - q)) for j in range(2)] for i, q in enumerate(belief)]
    step = Rational(1, 10**6)
    report = [q + step * v for q, v in zip(belief, direction, strict=True)]
    found = discrimination(additive(LOG).rule, report, belief) / step**2
    limit = discrimination_limit(bend, direction, covariance)
    assert float(found / limit) == pytest.approx(1, abs=1e-5)
    assert limit == discrimination_bound(
        direction, covariance
    )  # the log loss of independent labels reaches the bound


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_covariance_alone_bounds_what_a_rule_discriminates(size):
    draw = np.random.default_rng(size)
    for _ in range(10):
        a, b = (draw.integers(-3, 4, (size, size)) for _ in range(2))
        bend, spread = (m @ m.T + np.eye(size, dtype=int) for m in (a, b))
        v = draw.integers(1, 5, size)
        bound = discrimination_bound(v.tolist(), spread.tolist())
        assert discrimination_limit(bend.tolist(), v.tolist(), spread.tolist()) <= bound
        inverse = np.array(sympy.Matrix(spread).inv())
        assert discrimination_limit(inverse, v.tolist(), spread.tolist()) == bound
        own = np.linalg.eig(spread @ bend)[1][
            :, 0
        ].real  # an eigenvector of the covariance times the curvature
        limit = 0.25 * (own @ bend @ own) ** 2 / (own @ bend @ spread @ bend @ own)
        assert limit == pytest.approx(0.25 * own @ np.linalg.inv(spread) @ own, rel=1e-9)


# ---- falsified derivations, and errors


def falsified(derivation, **changes):
    """Change the conclusion, or with ``rule`` both the rule that is given and the one that is concluded."""
    (case,) = derivation.cases
    (step,) = case.steps
    if "rule" in changes:
        rule = replace(derivation.rule, **changes.pop("rule"))
        step = replace(step, before=rule, after=replace(step.after, losses=rule))
        derivation = replace(derivation, context=rule)
    step = replace(step, after=replace(step.after, **changes))
    return replace(derivation, cases=(Case(case.given, (step,)),))


THIRD = (Rational(1, 3), Rational(1, 3))
MUTANTS = [
    (lambda: additive("q*(1 - q)", (1, 2)), {"rule": {"weights": (S.One, -S.One)}}),
    (lambda: additive(cd.derive(cd.FixedCosts(1, 3))), {"strict": True}),
    (
        lambda: additive(LOG),
        {
            "rule": {
                "losses": cd.derive(cd.Additive(budget=2), threshold=cd.FixedThreshold("1/3")).outcome[0][1]
            }
        },
    ),
    (lambda: homogeneous(2), {"rule": {"alpha": Rational(3)}}),
    (lambda: homogeneous(2), {"rule": {"slope": -sympy.Symbol("x", positive=True)}}),
    (lambda: homogeneous(2), {"rule": {"alpha": S.Half}}),
    (homogeneous, {"strict": True}),
    (homogeneous, {"flat": (THIRD, (Rational(1, 3), Rational(1, 4)))}),
    (homogeneous, {"flat": (THIRD, THIRD)}),
    (rank_based, {"strict": True}),
    (rank_based, {"flat": (THIRD, (S.Half, Rational(1, 4)))}),
    (rank_based, {"flat": None}),
    (rank_based, {"flat": ((), ())}),
    (lambda: rank_based(3), {"flat": (THIRD, (S.Half, S.Half))}),
    (lambda: homogeneous(2, 3), {"flat": (THIRD, (S.Half, S.Half))}),
    (lambda: auc_among("counted"), {"strict": True}),
    (lambda: auc_among("counted"), {"flat": None}),
    (lambda: auc_among("independent"), {"flat": (THIRD, THIRD)}),
    (lambda: auc_among("independent"), {"flat": (THIRD, (S.Half, Rational(1, 4)))}),
    (lambda: auc_among("independent"), {"losses": AucAmong(auc_among("counted").rule.labels)}),
    (lambda: lowest(ACTS, 3), {"strict": True}),
    (
        lambda: lowest([["w0", "1 - w0"]], 1),
        {"rule": {"terms": ((sympy.Symbol("w0", positive=True) ** 2,),)}},
    ),
    (lambda: lowest([["w0", "1 - w0"]], 1), {"rule": {"terms": ((),)}}),
    (lambda: from_entropy("-(w0 - w1)^2", 2), {"strict": True}),
    (lambda: from_entropy("-w0^2 - w1^2", 2), {"rule": {"slopes": (S.Zero, S.Zero)}}),
    (lambda: from_entropy("-w0^2 - w1^2", 2), {"rule": {"entropy_function": S.Zero}}),
]


@pytest.mark.parametrize(("make", "change"), MUTANTS)
def test_no_falsified_derivation_passes(make, change):
    try:
        changed = falsified(make(), **dict(change))
    except SpecError:  # there is no such rule
        return
    assert changed.check().verdict is not Verdict.PROVED


@pytest.mark.parametrize("make", [lambda: from_entropy("w0*w1", 2), auc_alone])
def test_no_falsified_witness_passes(make):
    good = make()
    found = good.conclusion.witness
    swapped = replace(found, belief=found.report, report=found.belief)
    wrong = [swapped, replace(found, better=found.better - 1), replace(found, truthful=found.truthful + 1)]
    wrong += [
        replace(found, report=found.belief, better=found.truthful),
        replace(found, belief=(2, *found.belief[1:])),
    ]
    for witness in wrong:
        assert falsified(good, witness=witness).check().verdict is not Verdict.PROVED
    for law in (
        (((1, 0, 0, 0), S.One),),
        (((1, 0, 0, 0), S.Half), ((1, 0, 0, 0), S.Half)),
        (((2, 0, 0, 0), S.One),),
    ):
        assert falsified(good, law=law).check().verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: additive("q^2"), SpecError, "not proper"),
        (lambda: additive(LOG, (1, 0)), SpecError, r"weights\[1\] = 0"),
        (lambda: additive(LOG, ()), SpecError, "empty"),
        (lambda: additive(LOG, 3), SpecError, "weights = 3"),
        (lambda: additive(LOG, ("a",)).score([1], [0.5]), ParametersLeftError, "a has no value"),
        (lambda: homogeneous().score([1], [0.5]), ParametersLeftError, "a has no value"),
        (lambda: lowest(["w0"], 1), SpecError, "terms = 'w0'"),
        (lambda: homogeneous(1), SpecError, "alpha = 1"),
        (lambda: homogeneous("oo"), SpecError, "instances = None"),
        (lambda: rank_based(0), SpecError, "instances = 0"),
        (lambda: lowest([["w0^2"]], 1), SpecError, "not affine"),
        (lambda: lowest([[]], 1), SpecError, "an empty one"),
        (lambda: lowest([["w1"]], 1), SpecError, "w1 is not a letter"),
        (lambda: from_entropy("-w0^2", 5), SpecError, "instances = 5"),
        (lambda: auc_alone(3), SpecError, "instances = 3"),
        (lambda: auc_among("any"), SpecError, "labels = 'any'"),
        (lambda: rank_based().rule.exact((1,), (2,)), SpecError, r"forecast\[0\] = 2"),
        (lambda: rank_based().rule.exact((1, 1), ("1/2",)), SpecError, "belief has 2"),
        (
            lambda: additive(cd.derive(cd.Additive(budget="a"))).rule.at((0.5,)),
            ParametersLeftError,
            "a has no value",
        ),
        (lambda: rank_based().score([0, 1], [0.5]), DataError, r"\(2,\)"),
        (lambda: rank_based(3).score([0, 1], [0.5, 0.5]), DataError, r"\(3,\)"),
        (lambda: rank_based().score([0, 2], [0.5, 0.5]), DataError, r"y_true\[1\] = "),
        (lambda: rank_based().score([0, 1], [0.5, 1.5]), DataError, "above 1"),
        (lambda: rank_based().score([], []), DataError, "shape"),
        (lambda: discrimination(additive(LOG).rule, (0.5,), (0.5,)), SpecError, "variance"),
        (lambda: discrimination_bound((1, 1), [[1, 1], [1, 1]]), SpecError, "singular"),
        (lambda: discrimination_bound((1, 1), [[1, 2], [1, 1]]), SpecError, "not symmetric"),
        (lambda: discrimination_bound((1, 1), [[1, 2]]), SpecError, "2 by 2"),
    ],
)
def test_what_makes_no_rule_or_score_is_refused(build, error, words):
    with pytest.raises(error, match=words):
        build()


def test_the_mean_of_the_tangents_is_taken_at_kinks():
    rule = homogeneous("oo", instances=3).rule
    assert rule.exact((1, 0, 1), ("1/2", "1/2", "1/4")) == -S.Half
    assert lowest([["w0", "1 - w0"]], 1).rule.exact((1,), ("1/2",)) == S.Half
    assert homogeneous(2).rule.entropy(("1/2", "1/2")) == -1 / sqrt(2)
