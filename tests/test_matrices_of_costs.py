"""Cost matrices of K classes, against all acts tried one by one, and against simulated decisions."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from costderive.sklearn import metric
from sympy import Rational, Symbol

import costderive as cd
from costderive.cli import main
from costderive.core.errors import CostDeriveError, DataError, ParametersLeftError, SpecError
from costderive.multiclass import CostMatrix, MulticlassDerivation, derive, ordinal, top
from costderive.multiclass.search.linear_programs import best_cover, maximum
from costderive.proof.claims import Verdict
from costderive.publish import plots
from costderive.rules import Judgement

ORDINAL = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
UNEVEN = [[0, 2, 7, 3], [5, 0, 1, 3], [9, 4, 0, 3]]  # the last act costs the same in all classes
WITH_BENEFITS = [[-3, 1], [5, -2]]


def grid(classes, steps=12):
    counts = (n for n in product(range(steps + 1), repeat=classes) if sum(n) == steps)
    return [tuple(Fraction(n, steps) for n in one) for one in counts]


def tried(costs, forecast):
    """Return the first act of the least expected cost, and its costs in each class."""
    expected = [sum(p * row[j] for p, row in zip(forecast, costs, strict=True)) for j in range(len(costs[0]))]
    act = expected.index(min(expected))
    return act, [row[act] for row in costs]


def with_reject(costs, reject):
    return [[*row, Fraction(reject)] for row in costs]


KNOWN = {
    "ordinal": (CostMatrix(ORDINAL), ORDINAL),
    "ordinal with reject": (CostMatrix(ORDINAL, reject="1/4"), with_reject(ORDINAL, "1/4")),
    "a reject that is rarely best": (CostMatrix(ORDINAL, reject="3/4"), with_reject(ORDINAL, "3/4")),
    "uneven": (CostMatrix(UNEVEN), UNEVEN),
    "benefits": (CostMatrix(WITH_BENEFITS), WITH_BENEFITS),
    "Chow": (CostMatrix([[0, 1], [1, 0]], reject="0.3"), with_reject([[0, 1], [1, 0]], "3/10")),
    "equal acts": (CostMatrix([[0, 0, 1, 1], [1, 1, 0, 0]]), [[0, 0, 1, 1], [1, 1, 0, 0]]),
    "top 2 of 4": (
        top(2, 4),
        [[0, 0, 0, 1, 1, 1], [0, 1, 1, 0, 0, 1], [1, 0, 1, 0, 1, 0], [1, 1, 0, 1, 0, 0]],
    ),
    "one act for all": (CostMatrix([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
}
by_name = pytest.mark.parametrize("name", KNOWN)


@by_name
def test_losses_are_those_of_the_first_act_of_the_least_expected_cost(name):
    matrix, costs = KNOWN[name]
    rule = derive(matrix).rule
    for forecast in grid(len(costs)):
        act, losses = tried(costs, forecast)
        assert (rule.act(forecast), list(rule.at(forecast))) == (act, losses)


@by_name
def test_every_act_has_a_region_where_it_is_best_or_is_never_needed(name):
    matrix, costs = KNOWN[name]
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    rule = derivation.rule
    assert sorted([*rule.chosen, *(idle.act for idle in rule.idle)]) == list(range(len(costs[0])))
    for forecast in grid(len(costs)):
        expected = [
            sum(p * row[j] for p, row in zip(forecast, costs, strict=True)) for j in range(matrix.acts)
        ]
        assert min(expected) == min(expected[act] for act in rule.chosen)
        for region in rule.regions:
            inside = all(expected[rival] >= expected[region.act] for rival in region.rivals)
            assert inside == (expected[region.act] == min(expected))


@by_name
def test_a_matrix_is_proper_and_never_strictly_so(name):
    matrix, costs = KNOWN[name]
    derivation = derive(matrix)
    assert derivation.verdict is Judgement.PROPER
    one, other = derivation.conclusion.same.forecasts
    assert one != other and tried(costs, one)[1] == tried(costs, other)[1]
    assert MulticlassDerivation.from_json(derivation.to_json()) == derivation


def test_rivals_are_the_neighbours_of_an_ordinal_class():
    rule = derive(ordinal(6)).rule
    assert [region.rivals for region in rule.regions] == [(1,), (0, 2), (1, 3), (2, 4), (3, 5), (4,)]


def test_letters_are_proved_for_all_their_values():
    costs = [[f"a*{i - j}" if i > j else f"b*{j - i}" for j in range(3)] for i in range(3)]
    derivation = derive(CostMatrix(costs))
    cd.check(derivation).require_proved()
    assert [region.rivals for region in derivation.rule.regions] == [(1,), (0, 2), (1,)]
    assert all(region.inside for region in derivation.rule.regions)
    with pytest.raises(ParametersLeftError, match="the acts 0 and 1 cost"):
        derivation.rule.at(("1/3",) * 3)


def test_a_letter_may_decide_whether_it_is_ever_rejected():
    derivation = derive(CostMatrix([[0, 1], [1, 0]], reject="r"))
    cd.check(derivation).require_proved()
    assert [bool(region.inside) for region in derivation.rule.regions] == [True, True, False]


# ---- uncertain costs


def simulated(matrix, forecast, draws=200_000):
    """Return the mean losses of deciding for the least expected cost, draw by draw, and their standard errors."""
    costs = matrix.sample(draws, seed=3)
    acts = np.einsum("k,nkj->nj", np.array(forecast, dtype=float), costs).argmin(axis=1)
    losses = costs[np.arange(draws), :, acts]
    return losses.mean(axis=0), losses.std(axis=0) / draws**0.5


UNCERTAIN = {
    "Chow, uniform": CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/2)"),
    "two classes, exponential": CostMatrix([[0, 1], [5, 0]], reject="exponential(1)", factor="gamma(2, 3)"),
    "ordinal": CostMatrix(ORDINAL, reject="triangular(0, 1/2, 1)"),
    "masses": CostMatrix(ORDINAL, reject={"1/5": "1/2", "2/3": "1/2"}),
    "benefits": CostMatrix(WITH_BENEFITS, reject="uniform(0, 1)"),
    "a factor alone": CostMatrix(UNEVEN, factor="uniform(1, 2)"),
    "log-normal": CostMatrix(ORDINAL, reject="lognormal(-1, 1/2)", factor="lognormal(0, 1/4)"),
    "infinite density": CostMatrix([[0, 1], [5, 0]], reject="weibull(1/2, 1)"),
    "an uncertain cost": CostMatrix([[0, 1], ["uniform(0, 4)", 0]]),
    "an uncertain part": CostMatrix(
        [[0, 1, "m"], ["2*m", 0, 1], [3, "1 + m", 0]],
        reject="1/2",
        factor="uniform(1, 2)",
        parts={"m": "gamma(2, 1/4)"},
    ),
    "a part with masses": CostMatrix(
        [[0, 2, "m"], ["1 - m", 0, 1], [3, "m", 0]], parts={"m": {"1/2": "1/3", 2: "2/3"}}
    ),
    "two ends": CostMatrix([[0, 4], [4, 0]], reject="beta(1/2, 2)"),
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_mean_losses_are_those_of_simulated_decisions(name):
    matrix = UNCERTAIN[name]
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    assert MulticlassDerivation.from_json(derivation.to_json()) == derivation
    forecasts = {
        2: [(0.7, 0.3), (0.45, 0.55), (0.1, 0.9)],
        # where no two acts cost the same for all values of what is uncertain
        3: [(0.6, 0.29, 0.11), (0.3, 0.32, 0.38), (0.2, 0.25, 0.55)],
    }
    for forecast in forecasts[matrix.classes]:
        means, errors = simulated(matrix, forecast)
        exact = np.array(derivation.rule.at(forecast), dtype=float)
        assert (np.abs(exact - means) <= 5 * errors + 1e-12).all()


@pytest.mark.parametrize("law", ["uniform(0, 4)", "gamma(2, 1)"])
def test_a_matrix_of_two_mistakes_has_the_losses_of_two_classes(law):
    """The rule of two classes comes from another engine, by its threshold weight."""
    rule = derive(CostMatrix([[0, 1], [law, 0]])).rule
    two = cd.derive(cd.Independent(c0=1, c1=law)).rule
    for u in (Rational(1, 10), Rational(1, 5), Rational(1, 2), Rational(9, 10)):
        expected = [float(loss.subs(cd.symbols.p, u)) for loss in (two.loss0, two.loss1)]
        assert np.array(rule.at((1 - u, u)), dtype=float) == pytest.approx(expected, rel=1e-12)


def test_a_uniform_cost_of_rejecting_has_the_losses_of_its_integral():
    """With x uniform on (0, 1/2) and p1 = u <= 1/2: rejected if x < u, so L0 = E[x; x < u] = u^2 and L1 adds 1 - 2u."""
    rule = derive(CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/2)")).rule
    for u in (Rational(1, 7), Rational(2, 5), Rational(1, 2)):
        assert rule.at((1 - u, u)) == (u**2, u**2 + 1 - 2 * u)
        assert rule.at((u, 1 - u)) == ((u**2 + 1 - 2 * u, u**2) if u != Rational(1, 2) else (u**2, u**2))


@pytest.mark.parametrize(
    ("costs", "reject", "verdict"),
    [
        ([[0, 1], [1, 0]], "uniform(0, 1/2)", Judgement.STRICTLY_PROPER),
        ([[0, 1], [1, 0]], "uniform(0, 3)", Judgement.STRICTLY_PROPER),
        ([[0, "a"], ["b", 0]], "exponential(m)", Judgement.STRICTLY_PROPER),
        ([[0, 1], [5, 0]], "uniform(0, 5/6)", Judgement.STRICTLY_PROPER),
        ([[0, 1], [5, 0]], "uniform(0, 4/5)", Judgement.PROPER),
        ([[0, 1], [1, 0]], "uniform(1/8, 1/2)", Judgement.PROPER),
        ([[0, 1], [1, 0]], {"1/4": 1}, Judgement.PROPER),
        ([[0, 3, 1], [3, 0, 1]], "uniform(0, 2)", Judgement.PROPER),
        (ORDINAL, "uniform(0, 2)", Judgement.PROPER),
    ],
)
def test_strictness_is_decided(costs, reject, verdict):
    derivation = derive(CostMatrix(costs, reject=reject))
    cd.check(derivation).require_proved()
    assert derivation.verdict is verdict
    if verdict is Judgement.PROPER:
        one, other = derivation.conclusion.same.forecasts
        rule = derivation.rule
        assert one != other and rule.at(one) == rule.at(other)


@pytest.mark.parametrize("name", UNCERTAIN)
def test_no_report_beats_the_truth(name):
    rule = derive(UNCERTAIN[name]).rule
    beliefs = grid(rule.classes, 10 if rule.classes == 2 else 6)
    losses = np.array([rule.at(forecast) for forecast in beliefs], dtype=float)
    risks = losses @ np.array(beliefs, dtype=float).T  # of each report under each belief
    assert (risks >= risks.diagonal() - 1e-12).all()


# ---- falsehoods


def altered(derivation, step, **changes):
    """Return a derivation with changes in what a step gave, carried on to the steps after it."""
    (case,) = derivation.cases
    steps = list(case.steps)
    steps[step] = replace(steps[step], after=replace(steps[step].after, **changes))
    return replace(derivation, cases=(replace(case, steps=tuple(steps)),))


def test_falsified_regions_are_refused():
    derivation = derive(CostMatrix([*ORDINAL[:2], [3, 1, 0]], reject="3/4"))
    rule = derivation.rule
    first, *others = rule.regions
    wrong = [
        replace(first, rivals=()),
        replace(first, act=1),
        replace(first, inside=((Rational(1, 3),) * 3,)),
        replace(first, inside=((Rational(1, 2), Rational(1, 2)),)),
        replace(first, inside=((Rational(3, 2), Rational(-1, 4), Rational(-1, 4)),)),
        replace(first, multipliers=tuple(tuple(10 * x for x in one) for one in first.multipliers)),
        replace(first, multipliers=first.multipliers[:-1]),
    ]
    for region in wrong:
        changed = altered(derivation, 0, regions=(region, *others))
        assert cd.check(changed).verdict is Verdict.REFUTED
    for regions in ((first, first, *others), tuple(others), (*others, first), ()):
        assert cd.check(altered(derivation, 0, regions=regions)).verdict is Verdict.REFUTED


def test_an_act_that_is_needed_is_not_idle():
    derivation = derive(CostMatrix([[0, 1, "1/2"], [1, 0, "3/5"]]))
    (idle,) = derivation.rule.idle
    assert idle.act == 2
    for shares in ((1, 0), (Rational(1, 2), Rational(1, 3)), (2, -1), (1,)):
        changed = altered(derivation, 0, idle=(replace(idle, shares=tuple(map(Rational, shares))),))
        assert cd.check(changed).verdict is Verdict.REFUTED


def test_no_strictness_is_claimed_that_does_not_hold():
    proper = derive(CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/4)"))
    stake = derive(CostMatrix([[0, 1], [1, 0]], reject="uniform(0, 1/2)")).conclusion.stake
    for regions in (0, 1, 2, 3):
        changed = altered(proper, -1, same=None, stake=replace(stake, regions=regions))
        assert cd.check(changed).verdict is Verdict.REFUTED
    known = derive(CostMatrix([[0, 1], [1, 0]], reject="1/4"))
    assert cd.check(altered(known, -1, stake=stake)).verdict is Verdict.REFUTED
    three = derive(CostMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]], reject="uniform(0, 2)"))
    assert cd.check(altered(three, -1, stake=replace(stake, shares=(1, 0, 0)))).verdict is Verdict.REFUTED


# ---- what is refused


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CostMatrix([[0, 1], [1]]), r"costs\[1\] has 1 costs and costs\[0\] has 2"),
        (lambda: CostMatrix([[0, 1]]), "costs has 1 entries"),
        (lambda: CostMatrix([[0], [1]]), "one act"),
        (lambda: CostMatrix("0, 1"), "not a row of a matrix"),
        (lambda: CostMatrix([[0, 1], 5]), r"costs\[1\] = 5 is not a row"),
        (lambda: CostMatrix([[0, "oo"], [1, 0]]), r"costs\[0\]\[1\] = oo is not a finite number"),
        (lambda: CostMatrix([[0, "m"], [1, 0]], parts={"n": "uniform(0, 1)"}), "n, which is in no cost"),
        (
            lambda: CostMatrix([[0, "m^2"], [1, 0]], parts={"m": "uniform(0, 1)"}),
            r"m\*\*2 is not linear in m",
        ),
        (lambda: CostMatrix([[0, "x"], [1, 0]], parts={"x": "uniform(0, 1)"}), "letter of the package"),
        (lambda: CostMatrix([[0, "p0"], [1, 0]]), "letter of the package"),
        (lambda: CostMatrix([[0, 1], [1, 0]], reject=-1), "reject"),
        (lambda: CostMatrix([[0, 1], [1, 0]], reject="improper(1/x)"), "improper"),
        (lambda: top(4, 30), "27405 sets"),
        (lambda: derive(ordinal(33)), "1089 costs, above 1024"),
    ],
)
def test_what_is_no_matrix_is_refused(make, words):
    with pytest.raises(SpecError, match=words):
        make()


def test_counts_are_whole_numbers():
    for make in (lambda: ordinal(1), lambda: ordinal(3, 0), lambda: top(0, 3), lambda: top(1, 1)):
        with pytest.raises(DataError, match="is not a whole number"):
            make()


@pytest.mark.parametrize("k", [3, 4])
def test_as_many_names_as_classes_are_refused(k):
    with pytest.raises(DataError, match=f"k = {k} of 3 classes leaves no class out.*\n.*at most 2"):
        top(k, 3)


# ---- linear programs


def test_linear_programs_are_solved_exactly():
    """Maximise 3x + 2y over x + y <= 4, x + 3y <= 6, x <= 3: the best corner is (3, 1), with the prices (2, 0, 1)."""
    found = maximum((3, 2), [(1, 1), (1, 3), (1, 0)], (4, 6, 3))
    assert (found.value, found.at, found.prices) == (11, (3, 1), (2, 0, 1))


def test_the_best_cover_is_the_value_of_a_game():
    """Stone, paper, scissors: equal shares, value 0."""
    game = [tuple(map(Fraction, one)) for one in ((0, 1, -1), (-1, 0, 1), (1, -1, 0))]
    found = best_cover(game, [Fraction(0)] * 3, total=True)
    assert found.slack == 0 and found.shares == found.prices == (Fraction(1, 3),) * 3


def test_parameters_are_letters_of_costs_and_laws():
    matrix = CostMatrix([[0, "a"], [1, 0]], reject="exponential(m)")
    assert matrix.parameters == (Symbol("a", positive=True), Symbol("m", positive=True))
    with pytest.raises(ParametersLeftError, match="a, m has no value"):
        matrix.sample(3)


# ---- numbers


@by_name
def test_compiled_losses_and_decisions_are_those_of_all_acts_tried(name):
    matrix, costs = KNOWN[name]
    loss, forecasts = cd.multiclass.compile(matrix), grid(len(costs))
    labels = np.arange(len(forecasts)) % len(costs)
    found = [tried(costs, forecast) for forecast in forecasts]
    rows = np.array(forecasts, dtype=float)
    assert loss.decide(rows).tolist() == [act for act, _ in found]  # also where acts are tied
    exact = [float(losses[label]) for label, (_, losses) in zip(labels, found, strict=True)]
    assert loss.per_sample(labels, rows).tolist() == exact
    assert loss(labels, rows) == pytest.approx(np.mean(exact))
    assert cd.multiclass.compile(derive(matrix).rule).per_sample(labels, rows).tolist() == exact


@pytest.mark.parametrize("name", UNCERTAIN)
def test_compiled_mean_losses_are_the_exact_ones(name):
    matrix = UNCERTAIN[name]
    rule = derive(matrix).rule
    forecasts = grid(matrix.classes, 8)
    labels = np.arange(len(forecasts)) % matrix.classes
    exact = [float(rule.at(forecast)[label]) for label, forecast in zip(labels, forecasts, strict=True)]
    for compiled in (cd.multiclass.compile(matrix), cd.multiclass.compile(rule)):
        assert compiled.per_sample(labels, np.array(forecasts, dtype=float)) == pytest.approx(
            exact, rel=1e-13, abs=1e-13
        )


@pytest.mark.parametrize(
    ("law", "density"),
    [
        ("lognormal(0, 1)", lambda x: np.exp(-(np.log(x) ** 2) / 2) / (x * np.sqrt(2 * np.pi))),
        ("weibull(3/2, 1)", lambda x: 1.5 * np.sqrt(x) * np.exp(-(x**1.5))),
        ("gamma(1/2, 2)", lambda x: np.exp(-x / 2) / np.sqrt(2 * np.pi * x)),
        ("triangular(0, 1, 2)", lambda x: 1 - np.abs(x - 1)),
    ],
)
def test_two_thresholds_that_are_random_have_the_losses_of_their_integrals(law, density):
    """Rejected if x < e, where act 0 costs e = 3u and act 1 costs e = 1 - u; by the midpoint rule in log x."""
    loss = cd.multiclass.compile(CostMatrix([[0, 1], [3, 0]], reject=law))
    logs = np.linspace(-60, np.log(0.75), 400_001)
    places, width = np.exp((logs[1:] + logs[:-1]) / 2), logs[1] - logs[0]
    mass = density(places) * places * width
    for u in (1e-3, 0.1, 0.2, 0.25, 0.4, 0.9):
        act = int(3 * u > 1 - u)
        stake = [3 * u, 1 - u][act]
        parts = np.clip((np.log(stake) - logs[:-1]) / width, 0, 1) * mass
        for label in (0, 1):
            expected = (parts * places).sum() + [[0, 1], [3, 0]][label][act] * (1 - parts.sum())
            found = loss.per_sample([label], [[1 - u, u]])[0]
            assert found == pytest.approx(expected, rel=1e-6)  # of the rule with steps of 1.5e-4 in log x


def test_decisions_with_an_uncertain_cost_of_rejecting_take_it_from_each_row():
    loss = cd.multiclass.compile(UNCERTAIN["Chow, uniform"])
    rows = [[0.7, 0.3], [0.7, 0.3], [0.2, 0.8], [0.7, 0.3]]
    assert loss.decide(rows, [0.2, 0.4, 0.1, 0.3]).tolist() == [2, 0, 2, 0]
    assert loss.decide(rows, 0.25).tolist() == [2, 2, 1, 2]
    part = cd.multiclass.compile(UNCERTAIN["an uncertain cost"])  # act 0 costs p1 x, act 1 costs p0
    assert part.decide([[0.75, 0.25]] * 3, [2.5, 3.5, 3]).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("name", "costs", "words"),
    [
        ("Chow, uniform", None, "the cost of rejecting is uncertain"),
        ("Chow, uniform", [0.1, 0.2], r"uncertain has the shape \(2,\)"),
        ("Chow, uniform", -1, r"uncertain\[0\] = -1.0 is not a cost"),
        ("Chow, uniform", float("nan"), r"uncertain\[0\] = nan is not a cost"),
        ("an uncertain cost", None, "cost_1_0 is uncertain"),
        ("a factor alone", 0.1, "no cost is uncertain"),
    ],
)
def test_costs_of_rejecting_that_do_not_fit_are_refused(name, costs, words):
    loss = cd.multiclass.compile(UNCERTAIN[name])
    with pytest.raises(DataError, match=words):
        loss.decide([[1 / loss.classes] * loss.classes], costs)


@pytest.mark.parametrize("name", ["Chow, uniform", "log-normal", "an uncertain part"])
def test_compiled_losses_go_to_other_processes_and_have_no_derivatives(name):
    loss = cd.multiclass.compile(UNCERTAIN[name])
    rows, labels = np.full((2, loss.classes), 1 / loss.classes), [0, 1]
    assert (
        pickle.loads(pickle.dumps(loss)).per_sample(labels, rows).tolist()
        == loss.per_sample(labels, rows).tolist()
    )
    for derivative in (loss.gradient, loss.hessian):
        with pytest.raises(SpecError, match="jump between acts"):
            derivative(labels, rows)


def test_matrices_are_metrics_of_scikit_learn():
    costs, rows = [[0, 2], [5, 0]], [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]
    assert metric(CostMatrix(costs))([0, 1, 0], rows) == pytest.approx(2 / 3)  # 0, 0 and 2


def test_a_matrix_with_letters_is_not_compiled():
    with pytest.raises(ParametersLeftError, match="a has no value"):
        cd.multiclass.compile(CostMatrix([[0, "a"], [1, 0]]))


def test_hundreds_of_classes_are_decided_at_once():
    draw = np.random.default_rng(5)
    costs = draw.integers(0, 1000, (150, 120))
    forecasts = draw.dirichlet(np.ones(150), 400)
    labels = draw.integers(0, 150, 400)
    acts = np.array([(forecast[:, None] * costs).sum(axis=0).argmin() for forecast in forecasts])
    loss = cd.multiclass.compile(CostMatrix(costs.tolist()))
    assert (loss.decide(forecasts) == acts).all()
    assert (loss.per_sample(labels, forecasts) == costs[labels, acts]).all()


# ---- doors


SPECS = {
    "rows": ('costs = [[0, "a"], ["1/2", -3]]\nreject = 2', CostMatrix([[0, "a"], ["1/2", -3]], reject=2)),
    "a law": (
        'costs = "0,1;5,0"\nreject = "uniform(0, 1)"\nfactor = "gamma(2, 3)"',
        CostMatrix([[0, 1], [5, 0]], reject="uniform(0, 1)", factor="gamma(2, 3)"),
    ),
    "a part": (
        'costs = [[0, "1 + m"], ["2*m", 0]]\nparts = {m = "uniform(1, 2)"}',
        CostMatrix([[0, "1 + m"], ["2*m", 0]], parts={"m": "uniform(1, 2)"}),
    ),
    "a law in its place": (
        'costs = [[0, 1], ["gamma(2, 1)", 0]]',
        CostMatrix([[0, 1], ["gamma(2, 1)", 0]]),
    ),
    "ordinal": ('costs = "ordinal"\nclasses = 4', ordinal(4)),
    "top": ('costs = "top-2"\nclasses = 4\nreject = "1/3"', replace(top(2, 4), reject="1/3")),
}


@pytest.mark.parametrize("name", SPECS)
def test_specs_have_matrices(name):
    text, matrix = SPECS[name]
    spec = cd.spec.parse(f'[context]\nkind = "cost-matrix"\n{text}')
    assert spec.context == matrix
    assert cd.spec.parse(cd.spec.to_toml(spec)) == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("reject = 1", r"write costs = \[\[0, 1\], \[5, 0\]\]"),
        ("costs = [0, 1]", "not a matrix"),
        ("costs = 5", "not a matrix"),
        ('costs = [[0, "x y"], [1, 0]]', r"context.costs\[0\]\[1\]"),
        ("costs = [[0, 1], [1, 0]]\nclasses = 3", "2 rows for context.classes = 3"),
        ('costs = "ordinal"', "classes is missing"),
        ("costs = [[0, 1]]", "not a matrix"),
        ('costs = "cardinal"\nclasses = 3', "not a matrix"),
    ],
)
def test_specs_that_have_no_matrix_are_refused(text, words):
    with pytest.raises(SpecError, match=words):
        cd.spec.parse(f'[context]\nkind = "cost-matrix"\n{text}')


def test_the_command_line_derives_and_scores_a_matrix(tmp_path, capsys):
    options = ["--costs", "0,1,2", "1,0,1", "2,1,0", "--reject", "1/4"]
    assert main(["derive", "cost-matrix", *options]) == 0
    out = capsys.readouterr().out
    assert "3 (reject)    p₁ + 2p₂ ≥ 1/4, p₀ + p₂ ≥ 1/4, 2p₀ + p₁ ≥ 1/4" in out and "PROVED" in out
    file = tmp_path / "p.csv"
    file.write_text("y,m:0,m:1,m:2\n0,0.9,0.1,0\n1,0.3,0.6,0.1\n2,0.1,0.8,0.1\n")
    assert main(["score", str(file), "--y-true", "y", "--context", "cost-matrix", *options]) == 0
    assert "m      0.4167" in capsys.readouterr().out  # 0, 1/4 and 1


def test_a_letter_gives_thresholds_of_chow(capsys):
    assert main(["derive", "cost-matrix", "--costs", "0,a;b,0", "--reject", "r"]) == 0
    out = capsys.readouterr().out
    assert "p ≥ r/b, p ≤ (a − r)/a" in out and "2 (reject)" in out


def test_what_is_for_two_classes_says_so():
    for make in (
        lambda: cd.evaluate.simulate(ordinal(3), [0, 1], [0.1, 0.2], draws=10),
        lambda: cd.evaluate.score(ordinal(3), [0, 1], {"a": [0.1, 0.2]}),
    ):
        with pytest.raises(CostDeriveError, match="classes"):
            make()


def test_the_picture_has_the_regions_of_the_acts():
    figure = plots.simplex(derive(CostMatrix(ORDINAL, reject="1/4")))
    acts, entropy = figure.axes
    names = {text.get_text() for text in acts.texts}
    assert {"0", "1", "2", "reject"} <= names and entropy.get_title(loc="left") == "entropy"
    areas = [polygon_area(patch.get_xy()) for patch in acts.patches]
    whole = np.sqrt(3) / 4
    assert sum(areas) == pytest.approx(whole)
    assert areas[0] / whole == pytest.approx(1 / 4 * 1 / 8)  # corners (1, 0, 0), (3/4, 1/4, 0), (7/8, 0, 1/8)


def polygon_area(corners):
    x, y = np.array(corners).T
    return abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) / 2
