"""Sums over the costs of a class with as few nodes as its intervals need, against integrals by mpmath."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from costderive.multiclass import IndependentCosts, compile
from costderive.multiclass.row_integrals import ClassIntegral
from costderive.multiclass.row_segments import SegmentedIntegral

LAWS: dict[str, tuple[Any, Any, float]] = {  # density, distribution function, mean
    "uniform(1, 2)": (lambda x: mpf(1 < x < 2), lambda x: min(max(x - 1, 0), 1), 1.5),
    "exponential(1)": (lambda x: mp.exp(-x), lambda x: -mp.expm1(-x), 1.0),
    "gamma(3, 2)": (
        lambda x: x**2 * mp.exp(-x / 2) / 16,
        lambda x: 1 - mp.exp(-x / 2) * (1 + x / 2 + x * x / 8),
        6.0,
    ),
    "triangular(0, 1, 2)": (
        lambda x: max(min(x, 2 - x), 0),
        lambda x: x * x / 2 if x < 1 else 1 - max(2 - x, 0) ** 2 / 2,
        1.0,
    ),
}
ENDS = 1, 2


def expected_cost(laws: tuple[str, ...], p: Any, y: int) -> float:
    """Return ``E[c_y; some p_j c_j > p_y c_y]``, integrated between all ends."""
    density = LAWS[laws[y]][0]
    shares = {j: mpf(p[j]) / mpf(p[y]) for j in range(len(p)) if j != y and p[j]}
    marks = [share * end for share in (1, *shares.values()) for end in ENDS]
    cuts = [0, *(mpf(2) ** (n / mpf(4)) for n in range(-32, 32))]
    top = 2 if laws[y] in ("uniform(1, 2)", "triangular(0, 1, 2)") else mpf(2) ** 7
    ends = sorted({*(mark for mark in (*marks, *cuts) if mark < top), top})

    def part(x: Any) -> Any:
        return x * density(x) * (1 - mp.fprod(LAWS[laws[j]][1](x / s) for j, s in shares.items()))

    return float(mp.quad(part, ends, method="gauss-legendre", maxdegree=3))


MIXED = ("uniform(1, 2)", "exponential(1)", "gamma(3, 2)") * 2
CASES = [(("triangular(0, 1, 2)",) * 6, 0), (MIXED, 0), (MIXED, 1), (MIXED, 2)]


@pytest.mark.parametrize(("laws", "label"), CASES)
@pytest.mark.parametrize("forecast", [[3, 2, 5, 1, 4, 2], [900, 30, 20, 2, 1, 0]])
def test_losses_of_many_classes_are_expected_costs(laws: Any, label: int, forecast: list[int]) -> None:
    p = np.array(forecast) / sum(forecast)
    found = compile(IndependentCosts(laws)).per_sample([label], [p])[0]
    assert found == pytest.approx(expected_cost(laws, p, label), abs=3e-15 * LAWS[laws[label]][2])


FORTY = np.random.default_rng(5).dirichlet(np.ones(40))
EQUAL = np.full(40, 1 / 40)


@pytest.mark.parametrize("laws", [("triangular(0, 1, 2)",) * 40, (MIXED * 7)[:40]])
@pytest.mark.parametrize("forecast", [FORTY, EQUAL, EQUAL + 1e-7 * (FORTY - EQUAL)])
def test_losses_in_segments_are_expected_costs(laws: Any, forecast: Any) -> None:
    label = int(forecast.argmax())
    found = compile(IndependentCosts(laws)).per_sample([label], [forecast])[0]
    assert found == pytest.approx(expected_cost(laws, forecast, label), abs=3e-15 * LAWS[laws[label]][2])


SEGMENTED = {
    "triangular": ("triangular(0, 1, 2)",) * 2,
    "mixed": ("uniform(1, 2)", "exponential(1)", "gamma(3, 2)"),
    "several tables": (
        "triangular(0, 1, 2)",
        "triangular(1, 2, 4)",
        "uniform(0, 3)",
        "triangular(1/2, 1, 3)",
    ),
    "steep": ("gamma(20, 1)", "exponential(2)", "triangular(0, 1, 2)"),
    "costs with probabilities": ("triangular(0, 1, 2)", {1: "1/2", 2: "1/2"}, "exponential(1)", 2),
}


def forecasts(classes: int) -> Any:
    """Return rows: any, nearly equal ones, one near 1, with zeros, with ties, and far apart."""
    draw = np.random.default_rng(classes)
    any_rows, zeros = draw.dirichlet(np.ones(classes), 8), draw.random((8, classes)) < 0.5
    near_one = 1e-4 * any_rows + (np.arange(classes) == 0)
    kinds = [
        any_rows,
        1 + 1e-9 * any_rows,
        near_one,
        np.where(zeros, 0.0, any_rows),
        np.round(any_rows * classes) + 1e-4,
        any_rows**20,
    ]
    rows = np.concatenate(kinds)
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", SEGMENTED)
@pytest.mark.parametrize("classes", [31, 120])
def test_segments_have_the_sums_of_all_intervals(name: str, classes: int) -> None:
    laws = compile(IndependentCosts((SEGMENTED[name] * classes)[:classes])).rows.laws
    rows = forecasts(classes)
    for label in range(len(SEGMENTED[name])):
        shares = np.clip(rows / np.maximum(rows[:, [label]], 1e-30), 1e-200, 1e200)
        with np.errstate(all="ignore"):
            found = SegmentedIntegral.of(laws, label).of_rows(shares)
            expected = ClassIntegral.of(laws, label).of_rows(shares)
        assert np.allclose(found, expected, rtol=0, atol=1e-14 * float(laws[label].source.mean))


@pytest.mark.parametrize("share", [1e-30, 1e-9, 1e-3])
def test_small_losses_keep_their_digits(share: float) -> None:
    """``E[c_0; c_0 < s c_1] = s^3 E[c_1^3]/3`` if c_0 has the density x up to 2s: with triangular costs ``s^3/2``."""
    p = [1 / (1 + share), share / (1 + share)]
    found = compile(IndependentCosts(("triangular(0, 1, 2)",) * 2)).per_sample([0], [p])[0]
    assert found == pytest.approx((p[1] / p[0]) ** 3 / 2, rel=2e-15)


@pytest.mark.parametrize("tiny", [0.0, 1e-300, 1e-30])
def test_a_rival_that_is_all_but_impossible_adds_nothing(tiny: float) -> None:
    """Powers of its cost before an exponential are beyond all doubles, where NaN had come of it."""
    loss = compile(IndependentCosts(("uniform(1/10, 1)", "exponential(5)", "gamma(12, 1)")))
    found = loss.per_sample([0, 1], [[0.5, 0.5, tiny]] * 2)
    two = compile(IndependentCosts(("uniform(1/10, 1)", "exponential(5)"))).per_sample(
        [0, 1], [[0.5, 0.5]] * 2
    )
    np.testing.assert_allclose(found, two, rtol=1e-14)


@pytest.mark.parametrize("tiny", [1e-40, 1e-300])
def test_slopes_beside_a_rival_that_is_all_but_impossible_are_those_without_it(tiny: float) -> None:
    loss = compile(IndependentCosts(("uniform(1/10, 1)", "exponential(5)", "gamma(12, 1)")))
    two = compile(IndependentCosts(("uniform(1/10, 1)", "exponential(5)")))
    for one in ("gradient", "hessian"):
        found = getattr(loss, one)([0, 1, 2], [[0.5, 0.5, tiny]] * 3, wrt="logit")
        assert (found[2] == 0).all()
        found = found[:2]
        wanted = getattr(two, one)([0, 1], [[0.5, 0.5]] * 2, wrt="logit")
        np.testing.assert_allclose(found[(slice(None), *[slice(2)] * (found.ndim - 1))], wanted, rtol=1e-12)


def test_classes_of_one_law_change_places() -> None:
    laws = ("uniform(1, 2)", "exponential(1)", "uniform(1, 2)")
    loss, p = compile(IndependentCosts(laws)), [0.2, 0.5, 0.3]
    found = loss.per_sample([0, 1, 2], [p] * 3)
    turned = loss.per_sample([2, 1, 0], [p[::-1]] * 3)
    np.testing.assert_allclose(found, turned, rtol=1e-15)
