"""Gradients and Hessians of K classes, against differences of losses that mpmath integrates from the laws alone."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from costderive.core.errors import DataError, SpecError
from costderive.multiclass import (
    DirichletCosts,
    IndependentCosts,
    brier,
    compile,
    from_entropy,
    log_score,
    penalised,
    pseudospherical,
)

# ---- losses of rules, as functions of positive numbers in proportion to the probabilities


def of_sum(p: Any) -> Any:
    return [value / mp.fsum(p) for value in p]


def brier_loss(p: Any, y: int) -> Any:
    return mp.fsum((q - (j == y)) ** 2 for j, q in enumerate(of_sum(p)))


def spherical_loss(p: Any, y: int) -> Any:
    """Of degree 3: ``1 - (p_y/|p|)^2`` with the norm of the third powers."""
    return 1 - p[y] ** 2 / mp.fsum(q**3 for q in p) ** (mpf(2) / 3)


def entropy_loss(p: Any, y: int) -> Any:
    """Of ``H = p0 p1 + p0 p2 + p1 p2`` on the simplex: ``H + dH/dp_y - sum p_j dH/dp_j``."""
    q = of_sum(p)
    slopes = [mp.fsum(q) - one for one in q]
    whole = q[0] * q[1] + q[0] * q[2] + q[1] * q[2]
    return whole + slopes[y] - mp.fsum(a * b for a, b in zip(q, slopes, strict=True))


RULES: dict[str, tuple[Any, Any]] = {
    "brier": (brier(), brier_loss),
    "log": (log_score(), lambda p, y: -mp.log(of_sum(p)[y])),
    "spherical": (pseudospherical(3), spherical_loss),
    "given": (from_entropy("p0*p1 + p0*p2 + p1*p2", 3), entropy_loss),
    "penalised": (penalised(brier(), 3), brier_loss),
}

# ---- losses of costs: E[c_y; some other p_j c_j is larger]

LAWS: dict[str, tuple[Any, Any, Any]] = {  # density, distribution function, ends of pieces
    "uniform(0, 1)": (lambda x: mpf(0 < x < 1), lambda x: min(x, mpf(1)), (0, 1)),
    "uniform(0, 3)": (lambda x: mpf(0 < x < 3) / 3, lambda x: min(x / 3, mpf(1)), (0, 3)),
    "uniform(1, 2)": (lambda x: mpf(1 < x < 2), lambda x: min(max(x - 1, mpf(0)), mpf(1)), (1, 2)),
    "exponential(1)": (lambda x: mp.exp(-x), lambda x: -mp.expm1(-x), (0, 1, 2, 4, 8, 16, 32, 70)),
    "gamma(3, 2)": (
        lambda x: x**2 * mp.exp(-x / 2) / 16,
        lambda x: 1 - (1 + x / 2 + x**2 / 8) * mp.exp(-x / 2),
        (0, 2, 4, 8, 16, 32, 64, 150),
    ),
    "triangular(0, 1, 2)": (
        lambda x: x if 0 < x < 1 else 2 - x if 1 < x < 2 else mpf(0),
        lambda x: x**2 / 2 if x < 1 else 1 - (2 - x) ** 2 / 2 if x < 2 else mpf(1),
        (0, 1, 2),
    ),
    "lognormal(0, 1)": (
        lambda x: mp.npdf(mp.log(x)) / x,
        lambda x: mp.ncdf(mp.log(x)),
        (mpf("1e-6"), mpf("0.05"), mpf("0.4"), 1, 3, 10, 100, 10**6),
    ),
    "weibull(2, 1)": (
        lambda x: 2 * x * mp.exp(-(x**2)),
        lambda x: -mp.expm1(-(x**2)),
        (0, mpf("0.1"), 1, 2, 4, 9),
    ),
    "pareto(5, 1)": (
        lambda x: 5 / x**6 if x > 1 else mpf(0),
        lambda x: 1 - x**-5 if x > 1 else mpf(0),
        (1, 2, 8, 100, 10**4),
    ),
}
CONTEXTS = [
    ("uniform(0, 1)", "uniform(0, 3)", "uniform(0, 1)"),
    ("exponential(1)", "gamma(3, 2)", "exponential(1)"),
    ("uniform(1, 2)", "exponential(1)", "triangular(0, 1, 2)"),
    ("lognormal(0, 1)", "weibull(2, 1)", "pareto(5, 1)"),
]


def cost_loss(laws: tuple[str, ...], p: Any, y: int) -> Any:
    density, _, ends = LAWS[laws[y]]
    places = {mpf(end) for end in ends}
    places |= {p[j] / p[y] * end for j, law in enumerate(laws) if j != y for end in LAWS[law][2]}
    cut = sorted(place for place in places if ends[0] <= place <= ends[-1])

    def rate(x: Any) -> Any:
        chosen = [LAWS[law][1](p[y] / p[j] * x) for j, law in enumerate(laws) if j != y]
        return x * density(x) * (1 - mp.fprod(chosen))

    return mp.quad(rate, cut, method="gauss-legendre", maxdegree=5)


STEP = mpf(10) ** -5


def differences(loss: Any, p: list[Any], v: list[Any], w: list[Any]) -> tuple[float, float]:
    """Return the derivative in the direction v, and the second one in v and w, to about ``STEP^2``."""

    def at(a: int, b: int) -> Any:
        return loss([x + STEP * (a * s + b * t) for x, s, t in zip(p, v, w, strict=True)])

    crossed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * STEP**2)
    return float((at(1, 0) - at(-1, 0)) / (2 * STEP)), float(crossed)


def compare(rule: Any, loss: Any, forecast: list[float]) -> None:
    compiled, generator = compile(rule), np.random.default_rng(3)
    k = len(forecast)
    for label in range(k):
        v, w = (row - row.mean() for row in generator.normal(size=(2, k)))
        numbers = [mpf(q) for q in forecast]
        in_p = differences(lambda q: loss(q, label), numbers, list(map(mpf, v)), list(map(mpf, w)))  # noqa: B023
        logits = [mp.log(q) for q in numbers]
        in_z = differences(
            lambda z: loss([mp.exp(a) for a in z], label),  # noqa: B023
            logits,
            list(map(mpf, v)),
            list(map(mpf, w)),
        )
        for wrt, (first, second) in (("p", in_p), ("logit", in_z)):
            g = compiled.gradient([label], [forecast], wrt=wrt)[0]
            h = compiled.hessian([label], [forecast], wrt=wrt)[0]
            assert g @ v == pytest.approx(first, rel=1e-7, abs=1e-9), (label, wrt)
            assert v @ h @ w == pytest.approx(second, rel=1e-6, abs=1e-8), (label, wrt)
            for sums in (g.sum(), h.sum(axis=0), h.sum(axis=1), h - h.T):
                assert np.abs(sums).max() <= 1e-12 * max(1, np.abs(h).max())


@pytest.mark.parametrize("name", RULES)
def test_derivatives_of_rules_of_an_entropy_are_the_limits_of_differences(name: str) -> None:
    derivation, loss = RULES[name]
    with mp.workdps(30):
        compare(derivation, loss, [0.2, 0.3, 0.5])


@pytest.mark.parametrize("laws", CONTEXTS)
@pytest.mark.parametrize("forecast", [[0.2, 0.3, 0.5], [0.11, 0.68, 0.21]])
def test_derivatives_of_rules_of_costs_are_the_limits_of_differences(
    laws: Any, forecast: list[float]
) -> None:
    with mp.workdps(30):
        compare(IndependentCosts(laws), lambda p, y: cost_loss(laws, p, y), forecast)


def test_two_classes_of_additive_costs_have_the_derivatives_of_the_brier_score() -> None:
    """``(1 - p)^2`` in the direction ``(1, -1)/2``, and ``p (1 - p)`` in the logit."""
    loss, p = compile(DirichletCosts((1, 1))), 0.3
    rows = [[p, 1 - p]]
    np.testing.assert_allclose(loss.gradient([0], rows), [[-(1 - p), 1 - p]], rtol=1e-13)
    np.testing.assert_allclose(loss.hessian([0], rows), [[[0.5, -0.5], [-0.5, 0.5]]], rtol=1e-12)
    slope = -2 * (1 - p) * p * (1 - p)
    np.testing.assert_allclose(loss.gradient([0], rows, wrt="logit"), [[slope, -slope]], rtol=1e-13)


def test_the_log_score_in_logits_is_the_softmax_minus_the_label() -> None:
    logits, y = np.array([[0.0, 3.0, -40.0], [700.0, 0.0, -700.0], [5.0, 5.0, 5.0]]), [1, 0, 2]
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = compile(log_score())
    assert loss([1], logit=[[0.0, 3.0, -40.0]]) == pytest.approx(np.log1p(np.exp(-3)), rel=1e-14)
    np.testing.assert_allclose(loss.gradient(y, logit=logits, wrt="logit"), p - np.eye(3)[y], atol=4e-16)
    wanted = np.einsum("nj,jk->njk", p, np.eye(3)) - p[:, :, None] * p[:, None, :]
    np.testing.assert_allclose(loss.hessian(y, logit=logits, wrt="logit"), wanted, atol=1e-15)


@pytest.mark.parametrize(("rule", "penalty"), [(log_score(), 0), (penalised(log_score(), 3), mp.log(3))])
def test_the_log_score_of_logits_is_their_difference_where_probabilities_are_0_or_1(
    rule: Any, penalty: Any
) -> None:
    rows = [[-1000.0, 0.0, 0.0], [800.0, 0.0, -900.0], [40.0, 0.0, -3.0], [-np.inf, 1e300, 0.0]]
    losses = compile(rule).per_sample([0, 2, 0, 0], logit=rows)
    wanted = [1000 + mp.log(2) + penalty, 1700 + penalty, mp.log1p(mp.exp(-40) + mp.exp(-43)), mp.inf]
    np.testing.assert_allclose(losses, np.array(wanted, dtype=float), rtol=4e-16)


@pytest.mark.parametrize("costs", [("uniform(0, 1)",) * 200, ("exponential(1)",) * 30])
def test_many_classes_have_slopes_in_logits_that_agree_with_differences_of_losses(costs: Any) -> None:
    """Central differences of losses with 14 digits: 1e-9 of the mean cost."""
    generator, k = np.random.default_rng(4), len(costs)
    loss, z, v = compile(IndependentCosts(costs)), generator.normal(0, 2, (1, k)), generator.normal(size=k)

    def at(step: float) -> Any:
        powers = np.exp(z + step * v)
        return loss.per_sample([3], powers / powers.sum())[0]

    assert loss.gradient([3], logit=z, wrt="logit")[0] @ v == pytest.approx(
        (at(1e-5) - at(-1e-5)) / 2e-5, abs=1e-9
    )


def test_labels_have_names_and_rows_come_in_any_order() -> None:
    loss, p = compile(IndependentCosts(CONTEXTS[2])), np.random.default_rng(1).dirichlet(np.ones(3), 50)
    y = np.arange(50) % 3
    names = np.array(["a", "b", "c"])[y]
    found = loss.gradient(names, p, labels=["a", "b", "c"])
    each = [loss.gradient([label], [row])[0] for label, row in zip(y, p, strict=True)]
    np.testing.assert_allclose(found, each, rtol=1e-13, atol=1e-15)
    assert (pickle.loads(pickle.dumps(loss)).gradient(y, p) == found).all()


def test_what_has_no_derivative_is_refused() -> None:
    steps = compile(IndependentCosts(("1", "lognormal(0, 1)")))
    with pytest.raises(SpecError, match="the cost of class 0 is 1 with a positive probability"):
        steps.gradient([0], [[0.5, 0.5]])
    loss = compile(brier())
    with pytest.raises(DataError, match=r"y_proba\[1\] = \[0.0, 1.0\] has a probability 0"):
        loss.gradient([0, 1], [[0.5, 0.5], [0, 1]])
    with pytest.raises(DataError, match=r"logit\[0, 1\] = inf leaves the row without probabilities"):
        loss.gradient([0], logit=[[0, np.inf]])
    with pytest.raises(DataError, match="Give one of y_proba, logit"):
        loss.gradient([0])
    with pytest.raises(DataError, match="wrt = 'q'"):
        loss.gradient([0], [[0.5, 0.5]], wrt="q")
    with pytest.raises(SpecError, match="the cost of class 1 is 2 with a positive probability"):
        compile(IndependentCosts(("uniform(0, 1)", 2))).gradient([0], [[0.5, 0.5]])
