"""Cost matrices with several independent uncertain costs: proved proper, and their means against simulation."""

from dataclasses import replace

import numpy as np
import pytest
import sympy
from scipy import stats

import costderive as cd
from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass import CostMatrix, IndependentCosts, compile, derive
from costderive.multiclass.several_uncertain import ExpectCheapest, ExpectedLosses
from costderive.multiclass.uncertain_strictness import IndependentTies
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict

TWO = [
    ("uniform(0, 1)", "uniform(0, 1)"),
    ("lognormal(0, 1)", "gamma(2, 1)"),
    ("exponential(2)", {1: "1/3", 4: "2/3"}),
]
SIX = CostMatrix(
    [
        [0, "lognormal(0, 1)", "gamma(2, 1)"],
        ["uniform(0, 4)", 0, "exponential(2)"],
        ["weibull(2, 1)", "uniform(1, 3)", 0],
    ],
    reject="uniform(0, 1)",
)
SHARED = CostMatrix(
    [[0, "a", "2*a + b"], ["b", 0, "a"], ["3*a*b", "b", 0]],
    parts={"a": "uniform(0, 1)", "b": "gamma(3/2, 1)"},
    reject="1/2",
    factor="exponential(2)",
)
SHARES = np.array([1, 2, 3]) / 6


def six(rng, draws):
    """Draw the costs of the first matrix with NumPy alone."""
    zero, r = np.zeros(draws), rng.random(draws)
    return np.array(
        [
            [zero, rng.lognormal(0, 1, draws), rng.gamma(2, 1, draws), r],
            [rng.uniform(0, 4, draws), zero, rng.exponential(2, draws), r],
            [rng.weibull(2, draws), rng.uniform(1, 3, draws), zero, r],
        ]
    )


def shared(rng, draws):
    """Draw the costs of the second matrix with NumPy alone; the factor has the mean 2."""
    a, b, zero = rng.random(draws), rng.gamma(1.5, 1, draws), np.zeros(draws)
    half = np.full(draws, 0.5)
    return 2 * np.array([[zero, a, 2 * a + b, half], [b, zero, a, half], [3 * a * b, b, zero, half]])


@pytest.mark.parametrize(("matrix", "draw"), [(SIX, six), (SHARED, shared)])
def test_means_agree_with_a_simulation(matrix, draw):
    costs = draw(np.random.default_rng(5), 1_000_000)
    act = np.einsum("k,kjn->jn", SHARES, costs).argmin(axis=0)
    paid = np.take_along_axis(costs, np.broadcast_to(act, (3, 1, len(act))), axis=1)[:, 0]
    found = compile(matrix).per_sample(range(3), [SHARES] * 3)
    error = 5 * paid.std(axis=1) / np.sqrt(len(act)) + 2e-3 * paid.mean(axis=1)  # simulation, and the lattice
    assert (abs(found - paid.mean(axis=1)) < error).all()


@pytest.mark.parametrize("matrix", [SIX, SHARED])
def test_several_uncertain_costs_are_proved_proper(matrix):
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    assert derivation.verdict.value == "proper"
    assert type(derivation).from_json(derivation.to_json()) == derivation


@pytest.mark.parametrize("laws", TWO)
def test_two_classes_have_the_losses_of_costs_of_classes(laws):
    first, second = laws
    matrix = compile(CostMatrix([[0, first], [second, 0]]))
    classes = compile(IndependentCosts(laws))
    for p in (0.1, 1 / 3, 0.5, 0.9):
        rows = [[1 - p, p]] * 2
        assert np.allclose(
            matrix.per_sample([0, 1], rows), classes.per_sample([0, 1], rows), rtol=1e-12, atol=3e-6
        )


def test_two_uniform_costs_are_the_inverse_score():
    found = compile(CostMatrix([[0, "uniform(0, 1)"], ["uniform(0, 1)", 0]])).per_sample(
        [0, 1], [[2 / 3, 1 / 3]] * 2
    )
    assert np.allclose(found, [(1 / 3) ** 2 / (6 * (2 / 3) ** 2), 1 / 2 - (1 / 3) / (3 * (2 / 3))], rtol=1e-6)


def test_values_with_probabilities_are_exact():
    matrix = CostMatrix([[0, {1: "1/2", 3: "1/2"}, 1], [{1: "1/2", 2: "1/2"}, 0, 2], [1, "uniform(0, 4)", 0]])
    exact = derive(matrix).rule.at(("1/6", "1/3", "1/2"))
    assert exact == tuple(map(sympy.Rational, ("19/24", "9/8", "37/72")))
    assert np.allclose(
        compile(matrix).per_sample(range(3), [SHARES] * 3), np.array(exact, dtype=float), rtol=1e-13
    )


def test_the_rule_that_is_computed_is_proper():
    rng = np.random.default_rng(2)
    forecasts = rng.dirichlet([1, 1, 1], 60)
    for matrix in (SIX, SHARED):
        losses = np.stack([compile(matrix).per_sample([k] * 60, forecasts) for k in range(3)], axis=1)
        risks = forecasts @ losses.T  # belief by report
        assert (risks >= np.diag(risks)[:, None] - 1e-12).all()


def test_decisions_take_the_values_of_all_letters():
    loss = compile(SIX)
    rng = np.random.default_rng(3)
    values, forecasts = rng.random((20, 7)), rng.dirichlet([1, 1, 1], 20)
    a, b, c, d, e, f, r = values.T
    zero = np.zeros(20)
    costs = np.array([[zero, a, b, r], [c, zero, d, r], [e, f, zero, r]])
    assert (loss.decide(forecasts, values) == np.einsum("nk,kjn->nj", forecasts, costs).argmin(axis=1)).all()


@pytest.mark.parametrize(
    ("uncertain", "message"),
    [
        (None, "cost_0_1, cost_1_0 are uncertain"),
        ([1.0, 2.0, 3.0], r"uncertain has the shape \(3,\)"),
        ([1.0, -2.0], r"uncertain\[0, 1\] = -2.0 is not a cost"),
        ([float("nan"), 2.0], r"uncertain\[0, 0\] = nan is not a cost"),
    ],
)
def test_values_that_are_missing_or_no_costs_are_refused(uncertain, message):
    loss = compile(CostMatrix([[0, "uniform(0, 1)"], ["uniform(0, 1)", 0]]))
    with pytest.raises(DataError, match=message):
        loss.decide([[0.5, 0.5]], uncertain)


def test_several_densities_have_no_exact_mean_here():
    with pytest.raises(SpecError, match="no closed form here"):
        derive(SIX).rule.at(("1/3", "1/3", "1/3"))
    with pytest.raises(ParametersLeftError, match="m has no value"):
        derive(CostMatrix([[0, "exponential(m)"], ["uniform(0, 1)", 0]])).rule.at(("1/2", "1/2"))


def test_a_letter_may_vanish_where_another_has_a_value():
    matrix = CostMatrix([[0, "a*b - b + 1"], [1, 0]], parts={"a": {1: "1/2", 2: "1/2"}, "b": "uniform(0, 1)"})
    first, second = derive(matrix).rule.at(("1/4", "3/4"))  # act 1 costs at most (1 + b)/4, act 0 costs 3/4
    assert (first, second) == (sympy.Rational(5, 4), 0)


FALSE = {
    "parts exchanged": lambda e: replace(e, parts=e.parts[::-1], limited=e.limited[::-1]),
    "a part forgotten": lambda e: replace(e, parts=e.parts[:1], limited=e.limited[:1]),
    "no limited values": lambda e: replace(e, limited=()),
    "a factor from nowhere": lambda e: replace(e, factor=e.parts[0]),
    "another mean": lambda e: replace(e, parts=(replace(e.parts[0], mean=e.parts[0].mean + 1), e.parts[1])),
    "another matrix": lambda e: replace(e, matrix=CostMatrix([[0, "uniform(0, 1)"], ["uniform(0, 2)", 0]])),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_expectations_are_not_proved(name):
    matrix = CostMatrix([[0, "exponential(2)"], ["exponential(1)", 0]])
    found = derive(matrix).rule
    assert isinstance(found, ExpectedLosses)

    def weakest(after):
        return min(
            decide(claim, Given()).verdict for claim in ExpectCheapest().claims(matrix, after, Given())
        )

    assert weakest(found) is Verdict.PROVED
    assert weakest(FALSE[name](found)) is not Verdict.PROVED


def test_a_cost_that_is_not_linear_in_a_letter_is_refused():
    with pytest.raises(SpecError, match="is not linear in a"):
        CostMatrix([[0, "a^2"], ["b", 0]], parts={"a": "uniform(0, 1)", "b": "uniform(0, 1)"})


def test_a_mean_that_may_be_infinite_is_refused():
    with pytest.raises(SpecError, match="is not known to be finite"):
        derive(CostMatrix([[0, "lomax(a, 1)"], ["uniform(0, 1)", 0]]))


def test_matrices_sample_themselves():
    drawn = SIX.sample(200_000, seed=1)
    assert drawn.shape == (200_000, 3, 4)
    assert np.allclose(drawn[:, 0, 1].mean(), stats.lognorm(1).mean(), rtol=2e-2)
    assert (drawn[:, 0, 3] == drawn[:, 2, 3]).all()


STRICT = [  # with forecasts between which draws are not too rare
    (
        CostMatrix([[0, "uniform(0, 4)"], ["lognormal(2, 1/2)", 0]], reject="uniform(1/2, 1)"),
        (0.02, 0.2),
    ),
    (CostMatrix([[0, "exponential(1)"], ["exponential(1)", 0]], reject="1/4"), (0.05, 0.95)),
    (CostMatrix([[0, "uniform(0, 1)"], ["triangular(0, 1, 2)", 0]]), (0.05, 0.95)),
    (CostMatrix([[0, {1: "1/2", 2: "1/2"}], ["exponential(1)", 0]]), (0.2, 0.95)),
    (CostMatrix([[0, 1], ["lognormal(0, 1)", 0]]), (0.05, 0.95)),
]
NOT_STRICT = [
    CostMatrix([[0, "uniform(0, 4)"], ["uniform(1, 2)", 0]]),
    CostMatrix([[0, "uniform(1, 2)", 1], ["uniform(1, 2)", 0, 1], [1, 1, 0]]),
    CostMatrix([[0, "a"], ["2*a + b", 0]], parts={"a": "uniform(0, 1)", "b": "exponential(1)"}),
    CostMatrix([[0, {1: "1/2", 2: "1/2"}], [{1: "1/2", 2: "1/2"}, 0]]),
    CostMatrix([[0, 1], ["uniform(0, 4)", 0]]),
]


@pytest.mark.parametrize(("matrix", "ends"), STRICT)
def test_a_threshold_that_moves_from_0_to_1_makes_the_rule_strict(matrix, ends):
    """Between any two of a grid of forecasts, acts part for some drawn costs."""
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    assert derivation.verdict.value == "strictly proper"
    assert type(derivation).from_json(derivation.to_json()) == derivation
    costs = matrix.sample(100_000, seed=4)
    beliefs = np.array([[1 - p, p] for p in np.linspace(*ends, 20)])
    acts = np.einsum("qk,dkj->qdj", beliefs, costs).argmin(axis=2)
    assert (acts[1:] != acts[:-1]).any(axis=1).all()


@pytest.mark.parametrize("matrix", NOT_STRICT)
def test_an_act_that_is_the_best_at_two_forecasts_whatever_costs_are_makes_it_not_strict(matrix):
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    same = derivation.conclusion.same
    assert derivation.verdict.value == "proper"
    costs = matrix.sample(20_000, seed=5)
    for forecast in np.array(same.forecasts, dtype=float):
        assert (np.einsum("k,dkj->dj", forecast, costs).argmin(axis=1) == same.act).all()


def test_neither_is_claimed_where_nothing_is_found():
    """Letters that are in several costs may leave too few ways to be sure."""
    conclusion = derive(SHARED).conclusion
    assert conclusion.stake is None
    assert conclusion.same is None


E, U = "exponential(1)", "uniform(0, 4)"
THREE = [
    CostMatrix([[0, E, 1], [E, 0, 1], [1, 1, "uniform(0, 1)"]]),
    CostMatrix([[0, U, U], [U, 0, U], [U, U, 0]], reject="uniform(0, 1)"),
    CostMatrix([[0, "a", "2*a"], ["b", 0, "a"], ["2*b", "b", 0]], parts={"a": E, "b": "uniform(0, 2)"}),
    CostMatrix([[0, {1: "1/2", 2: "1/2"}, E], [E, 0, E], [E, E, 0]], factor=E),
]


@pytest.mark.parametrize("matrix", THREE)
def test_ties_in_independent_directions_make_the_rule_of_three_classes_strict(matrix):
    """Between any two of some forecasts, acts part for some drawn costs."""
    derivation = derive(matrix)
    cd.check(derivation).require_proved()
    assert derivation.verdict.value == "strictly proper"
    assert type(derivation).from_json(derivation.to_json()) == derivation
    beliefs, costs = np.random.default_rng(7).dirichlet([2, 2, 2], 25), matrix.sample(20_000, seed=4)
    means = np.einsum("qk,dkj->qdj", beliefs, costs)
    best = np.isclose(means, means.min(axis=2, keepdims=True), rtol=1e-12)
    parted = [(best[p] & best[q]).any(axis=1).all() for p in range(25) for q in range(p)]
    assert not any(parted)


@pytest.mark.parametrize("matrix", THREE[:3])
def test_falsified_ties_are_not_proved(matrix):
    derivation = derive(matrix)
    step, (first, second) = derivation.steps[-1], derivation.conclusion.stake.ties
    outside = replace(first, values=(-first.values[0], *first.values[1:]))
    moved = replace(first, values=tuple(2 * value for value in first.values[:1]) + first.values[1:])
    beyond = replace(first, regions=((5, 5), *first.regions[1:]))
    for ties in [
        (first,),
        (first, first),
        (second, first),
        (outside, second),
        (moved, second),
        (beyond, second),
    ]:
        after = replace(step.after, stake=IndependentTies(ties))
        assert any(
            decide(c).verdict is not Verdict.PROVED for c in step.move.claims(step.before, after, Given())
        ), ties


def falsified(stake):
    """Yield thresholds that stay, or that values outside of a law move."""
    yield replace(stake, acts=stake.acts[::-1])
    yield replace(stake, values=tuple(value.subs(x, 1) for value in stake.values))
    for n in range(len(stake.values)):
        yield replace(stake, values=(*stake.values[:n], sympy.Integer(-1), *stake.values[n + 1 :]))
        beyond = (*stake.regions[:n], (5, 5), *stake.regions[n + 1 :])
        values = tuple(value + sympy.Rational(1, 10**6) for value in stake.values)
        yield replace(stake, values=values, regions=beyond)


@pytest.mark.parametrize("matrix", [matrix for matrix, _ in STRICT])
def test_falsified_thresholds_are_not_proved(matrix):
    derivation = derive(matrix)
    step = derivation.steps[-1]
    for stake in falsified(derivation.conclusion.stake):
        claims = step.move.claims(step.before, replace(step.after, stake=stake), Given())
        assert any(decide(claim).verdict is not Verdict.PROVED for claim in claims), stake


@pytest.mark.parametrize("matrix", NOT_STRICT)
def test_falsified_acts_are_not_proved(matrix):
    derivation = derive(matrix)
    step, same = derivation.steps[-1], derivation.conclusion.same
    middle = tuple(sympy.Rational(1, matrix.classes) for _ in range(matrix.classes))
    wrong = [replace(same, act=1 - same.act if same.act < 2 else 0)]
    wrong += [
        replace(same, forecasts=same.forecasts[:1] * 2),
        replace(same, forecasts=(middle, same.forecasts[1][::-1])),
    ]
    for one in wrong:
        claims = step.move.claims(step.before, replace(step.after, same=one), Given())
        assert any(decide(claim).verdict is not Verdict.PROVED for claim in claims), one
