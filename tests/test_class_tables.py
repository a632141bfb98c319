"""Losses of K classes for any laws: against integrals by mpmath, and against the sums for laws that have both."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import stats

import costderive as cd
from costderive.core.errors import ParametersLeftError, SpecError
from costderive.costs.laws import Density, law_of
from costderive.multiclass import IndependentCosts, compile
from costderive.multiclass.row_tables import TableRows

LAWS: dict[str, tuple[Any, Any, Any, Any]] = {  # density, distribution function, mean, where the law begins
    "lognormal(0, 1)": (
        lambda x: mp.exp(-(mp.log(x) ** 2) / 2) / (x * mp.sqrt(2 * mp.pi)),
        lambda x: mp.ncdf(mp.log(x)),
        mp.exp(mpf(1) / 2),
        0,
    ),
    "lognormal(1, 1/10)": (
        lambda x: 10 * mp.npdf(10 * (mp.log(x) - 1)) / x,
        lambda x: mp.ncdf(10 * (mp.log(x) - 1)),
        mp.exp(1 + mpf(1) / 200),
        0,
    ),
    "gamma(5/2, 1)": (
        lambda x: x ** mpf(1.5) * mp.exp(-x) / mp.gamma(2.5),
        lambda x: mp.gammainc(2.5, 0, x, regularized=True),
        mpf(2.5),
        0,
    ),
    "gamma(1/2, 1)": (
        lambda x: mp.exp(-x) / mp.sqrt(mp.pi * x),
        lambda x: mp.erf(mp.sqrt(x)),
        mpf(1) / 2,
        0,
    ),
    "weibull(3/2, 1)": (
        lambda x: mpf(1.5) * mp.sqrt(x) * mp.exp(-(x ** mpf(1.5))),
        lambda x: -mp.expm1(-(x ** mpf(1.5))),
        mp.gamma(mpf(5) / 3),
        0,
    ),
    "pareto(3, 1)": (
        lambda x: 3 / x**4 if x > 1 else mpf(0),
        lambda x: 1 - x**-3 if x > 1 else mpf(0),
        mpf(3) / 2,
        1,
    ),
    "uniform(0, 1)": (lambda x: mpf(x < 1), lambda x: min(x, mpf(1)), mpf(1) / 2, 0),
}


def expected_cost(laws: tuple[str, ...], p: list[float], y: int) -> float:
    """Return ``E[c_y; some p_j c_j > p_y c_y]``, integrated over the logarithm of the cost between all ends."""
    density, _, _, begin = LAWS[laws[y]]
    shares = {j: mpf(p[j]) / mpf(p[y]) for j in range(len(p)) if j != y and p[j]}
    marks = [shares[j] for j in shares if laws[j] in ("pareto(3, 1)", "uniform(0, 1)")]
    top = mpf(1) if laws[y] == "uniform(0, 1)" else mp.exp(17)
    low = mpf(begin) if begin else mp.exp(-24)
    steps = [mp.exp(mpf(k) / 2) for k in range(-48, 35)]
    ends = sorted({low, top, *[m for m in (*marks, *steps) if low < m < top]})

    def rate(z: Any) -> Any:
        x = mp.exp(z)
        chosen = mp.fprod(LAWS[laws[j]][1](x / share) for j, share in shares.items())
        return x * x * density(x) * (1 - chosen)

    logarithms = [mp.log(end) for end in ends]
    return float(mp.quad(rate, logarithms, method="gauss-legendre", maxdegree=4))


CONTEXTS = [
    ("lognormal(0, 1)", "gamma(5/2, 1)", "weibull(3/2, 1)"),
    ("pareto(3, 1)", "lognormal(1, 1/10)", "uniform(0, 1)"),
    ("gamma(1/2, 1)", "pareto(3, 1)"),
]
FORECASTS = [[0.2, 0.3, 0.5], [0.9, 0.09, 0.01]]


@pytest.mark.parametrize("laws", CONTEXTS)
@pytest.mark.parametrize("forecast", FORECASTS)
def test_losses_of_tabulated_laws_are_expected_costs(laws: tuple[str, ...], forecast: list[float]) -> None:
    p = [q / sum(forecast[: len(laws)]) for q in forecast[: len(laws)]]
    found = compile(IndependentCosts(laws)).per_sample(range(len(laws)), [p] * len(laws))
    for label, law in enumerate(laws):
        wanted = expected_cost(laws, p, label)
        assert found[label] == pytest.approx(wanted, abs=1e-12 * float(LAWS[law][2])), law


STEEP: dict[str, Any] = {  # narrow, heavy-tailed, with roots or poles, and with powers beyond all doubles
    "gamma(1/10, 1)": stats.gamma(0.1),
    "gamma(200, 1)": stats.gamma(200),
    "gamma(1000, 1)": stats.gamma(1000),
    "weibull(3/10, 1)": stats.weibull_min(0.3),
    "pareto(6/5, 1)": stats.pareto(1.2),
    "beta(3/2, 11/10)": stats.beta(1.5, 1.1),
    "lognormal(0, 1/1000)": stats.lognorm(0.001),
    "gompertz(1, 1)": stats.gompertz(1),
    "loglogistic(1, 3)": stats.fisk(3),
    "uniform(0, 1)": stats.uniform(),
}


def over_fine_panels(laws: tuple[str, ...], p: list[float], y: int) -> float:
    """Return ``E[c_y; some p_j c_j > p_y c_y]`` over panels of the logarithm of the cost, fine at all ends."""
    own, rivals = STEEP[laws[y]], [(p[j] / p[y], STEEP[laws[j]]) for j in range(len(p)) if j != y]
    low, high = np.log(max(own.ppf(1e-19), 1e-250)), np.log(min(own.isf(1e-19), 1e95))
    spans = [(1.0, own), *rivals]
    middles = [np.log(share) + np.log(law.ppf([1e-15, 0.5]).clip(1e-250)) for share, law in spans]
    tops = [np.log(share * law.isf(1e-15)) for share, law in spans]
    ends = [np.log(share * end) for share, law in spans for end in law.support() if 0 < end < np.inf]
    beside = np.exp2(-np.arange(1, 120) / 2)
    grids = [
        np.linspace(low, high, 1200),
        *[np.linspace(a[0], b, 1200) for a, b in zip(middles, tops, strict=True)],
    ]
    edges = np.unique(np.concatenate([*grids, *[[e, *e + beside, *e - beside] for e in (low, high, *ends)]]))
    edges = edges[(edges >= low) & (edges <= high)]
    nodes, weights = np.polynomial.legendre.leggauss(10)
    half = np.diff(edges)[:, None] / 2
    x = np.exp((edges[:-1, None] + edges[1:, None]) / 2 + half * nodes)
    with np.errstate(divide="ignore"):  # of a cost of which SciPy finds that it is exceeded for sure
        chosen = 1 - np.prod([1 - law.sf(x / share) for share, law in rivals], axis=0)
    return float((x * x * own.pdf(x) * chosen * weights * half).sum())


@pytest.mark.parametrize("law", STEEP)
def test_losses_of_steep_and_of_rough_laws_are_expected_costs(law: str) -> None:
    laws, p = (law, "uniform(0, 1)", law), [0.33, 0.34, 0.33]
    found = compile(IndependentCosts(laws)).per_sample(range(3), [p] * 3)
    for label, cost in enumerate(laws):
        wanted = over_fine_panels(laws, p, label)
        assert found[label] == pytest.approx(wanted, abs=1e-12 * STEEP[cost].mean()), cost


def test_slopes_of_steep_laws_are_those_of_their_losses() -> None:
    loss = compile(IndependentCosts(("gamma(200, 1)", "lognormal(5, 1/20)", "gamma(99, 2)")))
    logits, step = np.array([[0.02, 0.01, -0.03]]), 1e-4 * np.eye(3)
    for label in range(3):
        slopes = loss.gradient([label], logit=logits, wrt="logit")[0]
        for k in range(3):
            above, below = (loss.per_sample([label], logit=logits + side * step[k])[0] for side in (1, -1))
            assert slopes[k] == pytest.approx((above - below) / 2e-4, abs=1e-4 * abs(slopes).max())


def test_a_budget_of_large_shapes_is_shared() -> None:
    context, forecast = cd.multiclass.DirichletCosts((150, 200, 100)), np.array([0.35, 0.27, 0.38])
    costs = context.sample(200_000, seed=5)
    lost = costs * ((costs * forecast).argmax(axis=1)[:, None] != np.arange(3))
    found = compile(context).per_sample(range(3), np.tile(forecast, (3, 1)))
    assert (abs(found - lost.mean(axis=0)) <= 4 * lost.std(axis=0) / np.sqrt(len(lost))).all()


BOTH = [
    ("uniform(1, 2)", "exponential(1)", "triangular(0, 1, 2)"),
    ("uniform(1, 2)", 2, "exponential(1)"),
    ("uniform(0, 1)", 1, 1),
    (1, 2, 2),
    ("gamma(3, 2)", "exponential(1)", "uniform(1/2, 3)"),
]


@pytest.mark.parametrize("costs", BOTH)
def test_tables_agree_with_sums_for_laws_that_have_both(costs: Any) -> None:
    rows = np.random.default_rng(2).dirichlet(np.ones(3), 40)
    ties = [[0.5, 0.25, 0.25], [1 / 3] * 3, [0.0, 0.5, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    rows = np.vstack([rows, ties])
    tables = TableRows.of(tuple(law_of(cost, "cost") for cost in costs))
    for label in range(3):
        labels = np.full(len(rows), label)
        wanted = compile(IndependentCosts(costs)).per_sample(labels, rows)
        np.testing.assert_allclose(tables.of_rows(rows, labels), wanted, atol=1e-12)


def test_a_mixture_with_a_mass_has_the_mean_loss_of_simulated_costs() -> None:
    law = cd.laws.Law(
        tuple(cd.laws.Spread(s.low, s.high, s.density * 3 / 4) for s in cd.laws.lognormal(0, 1).spreads),
        (cd.laws.Mass(cd.laws.known(2).masses[0].value, cd.laws.known(2).masses[0].probability / 4),),
    )
    context, forecast = IndependentCosts((law, "weibull(2, 1)", "pareto(4, 1)")), np.array([0.3, 0.3, 0.4])
    costs = context.sample(200_000, seed=4)
    lost = costs * ((costs * forecast).argmax(axis=1)[:, None] != np.arange(3))
    found = compile(context).per_sample(range(3), np.tile(forecast, (3, 1)))
    assert (abs(found - lost.mean(axis=0)) <= 4 * lost.std(axis=0) / np.sqrt(len(lost))).all()


def test_probabilities_0_and_1_have_their_limits_and_tables_pickle() -> None:
    loss = compile(IndependentCosts(("lognormal(0, 1)", "weibull(2, 1)", "pareto(3, 1)")))
    found = loss.per_sample([0, 1, 2, 0], [[0, 0.5, 0.5], [0, 1, 0], [0, 1, 0], [0.5, 0.5, 0]])
    np.testing.assert_allclose(found[:3], [np.exp(0.5), 0, 1.5], rtol=1e-12)
    two = compile(IndependentCosts(("lognormal(0, 1)", "weibull(2, 1)")))
    assert found[3] == pytest.approx(two.per_sample([0], [[0.5, 0.5]])[0], rel=1e-12)
    assert (
        pickle.loads(pickle.dumps(two)).per_sample([0, 1], [[0.2, 0.8]] * 2)
        == two.per_sample([0, 1], [[0.2, 0.8]] * 2)
    ).all()


def test_scores_take_any_laws() -> None:
    scores = cd.evaluate.score_classes(
        IndependentCosts(("lognormal(0, 1)", "uniform(0, 1)", "weibull(2, 1)")),
        [0, 2],
        {"a": [[0.5, 0.25, 0.25]] * 2},
    )
    assert 0 < scores[0].loss < 2


ANGLES: dict[
    str, tuple[Any, Any, Any]
] = {  # with poles: cost by an angle that has none, chance up to it, end
    "beta(1/2, 1/2)": (lambda a: mp.sin(a) ** 2, lambda c: 2 / mp.pi * mp.asin(mp.sqrt(c)), mpf(1)),
    "from 1 to 2": (
        lambda a: 1 + mp.sin(a) ** 2,
        lambda c: 2 / mp.pi * mp.asin(mp.sqrt(max(c - 1, mpf(0)))),
        mpf(2),
    ),
    "beta(2, 1/2)": (lambda a: mp.sin(a) ** 2, lambda c: 1 - mp.sqrt(1 - c) * (2 + c) / 2, mpf(1)),
}
ABOVE_1 = Density("1/(pi*sqrt((x - 1)*(2 - x)))", (1, 2))
RIVALS: dict[str, tuple[Any, Any]] = {
    **{law: (chance, end) for law, (_, chance, end) in ANGLES.items()},
    "uniform(0, 1)": (lambda c: c, mpf(1)),
    "exponential(1)": (lambda c: -mp.expm1(-c), mp.inf),
}


@mp.workdps(30)
def over_angles(laws: tuple[str, ...], p: list[Any], y: int) -> Any:
    """Return ``E[c_y; some p_j c_j > p_y c_y]``, integrated over the angle; the chance is a slope of the angle."""
    cost = ANGLES[laws[y]][0]
    shares = {j: mpf(p[j]) / mpf(p[y]) for j in range(len(p)) if j != y}

    def unchosen(c: Any) -> Any:
        below = [(RIVALS[laws[j]], c / share) for j, share in shares.items()]
        return 1 - mp.fprod(law(x) if x < end else mpf(1) for (law, end), x in below)

    def rate(a: Any) -> Any:
        weight = mpf(3) / 2 * mp.sin(a) ** 3 if laws[y] == "beta(2, 1/2)" else 2 / mp.pi
        return weight * cost(a) * unchosen(cost(a))

    places = [shares[j] * end for j in shares for end in (mpf(1), mpf(2)) if end <= RIVALS[laws[j]][1]]
    low = cost(mpf(0))
    turns = {mp.asin(mp.sqrt(place - low)) for place in places if low < place < low + 1}
    return mp.quad(rate, sorted({mpf(0), mp.pi / 2, *turns}))


@pytest.mark.parametrize("laws", [("beta(1/2, 1/2)", "uniform(0, 1)", "exponential(1)"), tuple(ANGLES)])
@pytest.mark.parametrize(
    "forecast", [[1 / 3, 1 / 3, 1 / 3], [0.2, 0.3, 0.5], [0.9, 0.09, 0.01], [0.5, 0.25, 0.25]]
)
def test_losses_of_densities_with_poles_at_upper_ends(laws: tuple[str, ...], forecast: list[float]) -> None:
    written = [ABOVE_1 if law == "from 1 to 2" else law for law in laws]
    found = compile(IndependentCosts(written)).per_sample(range(3), [forecast] * 3)
    for label, law in enumerate(laws):
        if law in ANGLES:
            assert found[label] == pytest.approx(float(over_angles(laws, forecast, label)), abs=1e-12), law


def test_costs_with_masses_at_the_pole_of_another_are_counted() -> None:
    rule = compile(IndependentCosts(("beta(1/2, 1/2)", {"1/2": "1/2", "1": "1/2"})))
    halves = rule.per_sample([1], [[0.5, 0.5]])
    assert halves == pytest.approx([0.5 * 0.5 * 0.5], abs=1e-13)


@pytest.mark.parametrize("laws", [("beta(1/2, 1/2)", "uniform(0, 1)", "exponential(1)"), tuple(ANGLES)])
@pytest.mark.parametrize("forecast", [[0.2, 0.3, 0.5], [0.9, 0.09, 0.01], [0.5, 0.28, 0.22]])
@mp.workdps(30)
def test_derivatives_of_losses_with_poles_at_upper_ends(laws: tuple[str, ...], forecast: list[float]) -> None:
    """Central differences in the logits: their errors are higher derivatives, times the square of a step."""
    loss, step = (
        compile(IndependentCosts([ABOVE_1 if law == "from 1 to 2" else law for law in laws])),
        mpf("1e-6"),
    )
    for y in range(len(laws)):
        if laws[y] in ANGLES:
            g = loss.gradient([y], [forecast], wrt="logit")[0]
            h = loss.hessian([y], [forecast], wrt="logit")[0]
            for v in ((1, 0, 0), (0, 1, 0), (0, 1, 1)):
                below, at, above = (
                    over_angles(laws, [p * mp.exp(k * step * e) for p, e in zip(forecast, v, strict=True)], y)
                    for k in (-1, 0, 1)
                )
                assert g @ v == pytest.approx(float((above - below) / (2 * step)), abs=1e-11)
                assert v @ h @ v == pytest.approx(float((above + below - 2 * at) / step**2), abs=1e-9)


def test_derivatives_where_poles_weigh_the_same_are_infinite() -> None:
    """Products of two roots in denominators have no integral, those of fourth roots have one."""
    steep, less = (compile(IndependentCosts((law,) * 3)) for law in ("beta(1/2, 1/2)", "beta(2, 3/4)"))
    thirds, near = [[1 / 3] * 3], [[1 / 3, (1 + 1e-9) / 3, (1 - 1e-9) / 3]]
    assert steep.gradient([0], thirds, wrt="logit").tolist() == [[-math.inf, math.inf, math.inf]]
    assert np.isnan(steep.hessian([0], thirds, wrt="logit")).all()
    slopes = [less.gradient([0], rows, wrt="logit") for rows in (thirds, near)]
    np.testing.assert_allclose(*slopes, atol=3e-4)


def test_a_rival_that_ends_where_the_cost_has_a_pole_counts_up_to_there() -> None:
    """``P(c < 1, u < c)`` of an arcsine cost c and two uniform ones: ``E[c^3] = 5/16`` is the slope in each logit."""
    loss = compile(IndependentCosts(("beta(1/2, 1/2)", "uniform(0, 1)", "uniform(0, 1)")))
    found = loss.gradient([0], [[1 / 3] * 3], wrt="logit")
    np.testing.assert_allclose(found, [[-5 / 8, 5 / 16, 5 / 16]], rtol=1e-13)


@pytest.mark.parametrize("law", ["beta(2, 1/60)", "pareto(1, 1)"])
def test_what_is_too_rough_is_refused(law: str) -> None:
    with pytest.raises(SpecError, match=r"costs\[1\] = .* (is too rough|has no finite mean)"):
        compile(IndependentCosts(("uniform(0, 1)", law)))


def test_letters_are_refused() -> None:
    with pytest.raises(ParametersLeftError, match="m has no value"):
        compile(IndependentCosts(("lognormal(m, 1)", "uniform(0, 1)")))
