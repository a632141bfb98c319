"""Compiled losses: right to a few units in the last place everywhere, and strict about what they are given."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import costderive as cd
from costderive.core.errors import CompileTimeError, SpecError
from costderive.numeric import CompiledLoss, compile, reference

TOLERANCE = 9e-16  # relative: four units in the last place
POWERS = (1, -1, 0, 2, -2, "1/2", "-1/2", "oo", "-oo", 3, -3)
RECTANGLES = (
    ((0, 1), (0, 1)),
    ((1, 2), (1, 3)),
    ((1, 2), (2, 5)),
    ((0, "7/3"), ("1/3", "11/7")),
    ((1, "1.000001"), (1, 2)),
    ((1, 1000), ("1/1000", 1)),
)
ENDS = (5e-324, 1e-308, 1e-300, 1e-160, 1e-100, 1e-30, 1e-16, 1e-12, 1e-8, 1e-5, 1e-3)


@cache
def compiled(context: cd.contexts.Context) -> CompiledLoss:
    return compile(cd.derive(context, time_limit=2.0 if isinstance(context, cd.PowerMean) else 60.0))


def power_mean(k: object) -> CompiledLoss:
    return compiled(cd.PowerMean(k))


def rectangle(c0: tuple[object, object], c1: tuple[object, object]) -> CompiledLoss:
    return compiled(cd.IndependentUniform(c0=c0, c1=c1))


def doubles_near(points: list[float]) -> list[float]:
    near = [math.nextafter(x, side) for x in points for side in (0.0, 1.0)]
    return [x for x in (*points, *near) if 0 < x < 1]


def some_points() -> list[float]:
    spread = (
        np.random.default_rng(5).random(8).tolist()
        + (10 ** -np.random.default_rng(6).uniform(0, 20, 6)).tolist()
    )
    near = [*ENDS, *spread, *doubles_near([0.5])]
    return sorted({*near, *(1 - x for x in near)} - {1.0})


# ---------------------------------------------------------------------- the expected costs, without the losses


def magnitude(k: object, s: mpmath.mpf) -> mpmath.mpf:
    """``b(s)`` with the power mean of ``b s`` and ``b (1 - s)`` equal to 1."""
    if k == "oo":
        return 1 / max(s, 1 - s)
    if k == "-oo":
        return 1 / min(s, 1 - s)
    if k == 0:
        return 1 / mpmath.sqrt(s * (1 - s))
    power = mpmath.mpf(Fraction(k).numerator) / Fraction(k).denominator
    return (2 / (s**power + (1 - s) ** power)) ** (1 / power)


def expected_c0(k: object, distances: list[float]) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    """``E[c0; s < x]`` and ``E[c0; s < 1 - x]`` for ascending x up to 1/2: the integral of ``s b(s)``, carried on."""
    xs = [mpmath.mpf(0), *map(mpmath.mpf, distances), mpmath.mpf(0.5)]
    below = list(accumulate(quad(lambda s: s * magnitude(k, s), *ends) for ends in pairwise(xs)))
    down = (log_quad(lambda r: (1 - r) * magnitude(k, r), *ends) for ends in reversed(list(pairwise(xs[1:]))))
    above = list(accumulate(down, initial=below[-1]))
    return below[:-1], above[:0:-1]


def quad(function, low: mpmath.mpf, high: mpmath.mpf) -> mpmath.mpf:
    """Integrate relative to the size of the result, which may be as small as 1e-640."""
    if low == high:
        return mpmath.mpf(0)
    scale = function(high)
    return scale * high * mpmath.quad(lambda y: function(high * y) / scale, [low / high, 1])


def log_quad(function, low: mpmath.mpf, high: mpmath.mpf) -> mpmath.mpf:
    """Integrate in the logarithm: the function may grow like 1/x over hundreds of decades."""
    if low == high:
        return mpmath.mpf(0)
    return mpmath.quad(lambda v: function(mpmath.exp(v)) * mpmath.exp(v), [mpmath.log(low), mpmath.log(high)])


def rectangle_losses(c0, c1, p: mpmath.mpf) -> tuple[mpmath.mpf, mpmath.mpf]:
    """``E[c0; t < p]`` and ``E[c1; t >= p]`` over the rectangle, by integrating over c0 what c1 leaves of it."""
    (a, b), (d, e) = [
        [mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in cost] for cost in (c0, c1)
    ]
    slope = (1 - p) / p  # t < p means c1 > slope c0
    edge = lambda x: min(max(slope * x, d), e)  # noqa: E731
    cuts = sorted({a, b, *(x for x in (d / slope, e / slope) if a < x < b)})
    area = (b - a) * (e - d)
    first = mpmath.quad(lambda x: x * (e - edge(x)), cuts, method="gauss-legendre", maxdegree=2)
    second = mpmath.quad(lambda x: (edge(x) ** 2 - d**2) / 2, cuts, method="gauss-legendre", maxdegree=2)
    return first / area, second / area


def off(got: float, wanted: mpmath.mpf) -> float:
    """The relative error; below the normal doubles, in units of the smallest of them."""
    return float(abs(got - wanted) / max(abs(wanted), mpmath.mpf(2) ** -1022))


@pytest.mark.parametrize("k", POWERS)
def test_losses_of_power_means_equal_the_expected_costs(k: object) -> None:
    loss, distances = power_mean(k), sorted({min(p, 1 - p) for p in some_points()} - {0.0})
    with mpmath.workdps(40):
        below, above = expected_c0(k, distances)
    for x, low, high in zip(distances, below, above, strict=True):
        assert max(off(loss.loss0(x), low), off(loss.loss1(x), high)) < TOLERANCE
        if 1 - (1 - x) == x:  # 1 - x is a double
            assert max(off(loss.loss0(1 - x), high), off(loss.loss1(1 - x), low)) < TOLERANCE


@pytest.mark.parametrize(("c0", "c1"), RECTANGLES)
def test_losses_of_uniform_costs_equal_the_expected_costs(c0, c1) -> None:
    loss = rectangle(c0, c1)
    breaks = [part.high for part in loss.plan if part.high < 1]
    points = sorted({*some_points(), *doubles_near(breaks)})
    with mpmath.workdps(400):
        exact = [rectangle_losses(c0, c1, mpmath.mpf(p)) for p in points]
    worst0 = max(off(loss.loss0(p), wanted) for p, (wanted, _) in zip(points, exact, strict=True))
    worst1 = max(off(loss.loss1(p), wanted) for p, (_, wanted) in zip(points, exact, strict=True))
    assert max(worst0, worst1) < TOLERANCE


OTHERS = {
    "exponential": cd.Independent(c0=cd.laws.exponential(1), c1=cd.laws.exponential(3)),
    "gamma": cd.Independent(c0=cd.laws.gamma(2), c1=cd.laws.gamma("1/2")),
    "known costs": cd.FixedCosts(c0=1, c1=2),
    "mixture with a jump": cd.Mixture(("1/3", cd.FixedCosts(c0=1, c1=2)), ("2/3", cd.PowerMean(3))),
}


@pytest.mark.parametrize("name", OTHERS)
def test_losses_of_other_contexts_equal_the_integral_of_their_threshold_weight(name: str) -> None:
    loss = compiled(OTHERS[name])
    for p in (5e-324, 1e-8, *doubles_near([1 / 3]), 1 - 1e-16):
        assert off(loss.loss0(p), reference(loss.rule, 0, p)) < TOLERANCE
        assert off(loss.loss1(p), reference(loss.rule, 1, p)) < TOLERANCE


@pytest.mark.slow
def test_losses_that_vanish_faster_than_any_power_equal_the_integral_of_their_threshold_weight() -> None:
    loss = compiled(cd.Independent(c0=1, c1=cd.laws.exponential(1)))  # loss 0 has a factor exp(-1/p)
    for p in (5e-324, 1e-3, 0.0015, 0.3):
        steepness = 1 / max(p, 1e-3)  # of exp(-1/p), which magnifies the rounding of 1/p so many times
        assert off(loss.loss0(p), reference(loss.rule, 0, p)) < 1e-15 * (1 + steepness)


# ------------------------------------------------------------------------------------------ ends and values

ALL = [
    *(cd.PowerMean(k) for k in POWERS),
    *(cd.IndependentUniform(c0=c0, c1=c1) for c0, c1 in RECTANGLES[:3]),
]
EVERYWHERE = np.array([0.0, *some_points(), 1.0])


@pytest.mark.parametrize("context", ALL, ids=str)
def test_nothing_is_nan_and_nothing_warns(context: cd.contexts.Context) -> None:
    loss = compiled(context)
    with np.errstate(all="raise"):
        for y in (0, 1):
            labels = np.full(len(EVERYWHERE), y)
            losses = loss.per_sample(labels, EVERYWHERE)
            assert (losses >= 0).all() and not np.isnan(losses).any()
            assert not np.isnan(loss.gradient(labels, EVERYWHERE)).any()
            assert not np.isnan(loss.hessian(labels, EVERYWHERE)).any()


@pytest.mark.parametrize("context", ALL, ids=str)
def test_loss_0_rises_from_0_and_loss_1_falls_to_0(context: cd.contexts.Context) -> None:
    loss, losses = compiled(context), compiled(context).rule.cases[0][1]
    assert (loss.loss0(0.0), loss.loss1(1.0)) == (0.0, 0.0)
    assert loss.loss0(1) == pytest.approx(float(losses.worst0.evalf()), rel=1e-15)
    assert loss.loss1(0) == pytest.approx(float(losses.worst1.evalf()), rel=1e-15)
    first, second = loss.loss0(EVERYWHERE), loss.loss1(EVERYWHERE)
    room = 1 + TOLERANCE  # neighbouring doubles may come out in the wrong order by a rounding
    assert (first[:-1] <= first[1:] * room).all() and (second[1:] <= second[:-1] * room).all()


def test_log_loss_is_infinite_at_the_wrong_end_only() -> None:
    loss = power_mean(-1)
    assert loss.loss0(1) == loss.loss1(0) == math.inf
    assert loss([0, 1], [1.0, 0.5]) == math.inf
    assert loss([0, 1], [0.0, 1.0]) == 0.0


def test_at_a_breakpoint_the_loss_has_the_value_of_its_left_piece() -> None:
    loss = compiled(cd.FixedCosts(c0=1, c1=1))
    assert (loss.loss0(0.5), loss.loss1(0.5)) == (0.0, 1.0)
    assert loss.loss0(math.nextafter(0.5, 1)) == 1.0


@pytest.mark.parametrize("context", ALL, ids=str)
def test_derivatives_are_those_of_the_losses(context: cd.contexts.Context) -> None:
    loss = compiled(context)
    breaks = [part.high for part in loss.plan]
    for p in (0.07, 0.22, 0.31, 0.45, 0.55, 0.63, 0.86):
        with mpmath.workdps(30):
            density = loss.rule.cases[0][1].weight.density
            w = sympy.lambdify(density.variable, density.piece_at(sympy.Rational(p)).value, "mpmath")
            slope, size = w(mpmath.mpf(p)), abs(w(mpmath.mpf(p))) + 1
            fall = mpmath.diff(w, p)
        assert off(loss.gradient([0], [p])[0], p * slope) < TOLERANCE
        assert off(loss.gradient([1], [p])[0], -(1 - mpmath.mpf(p)) * slope) < TOLERANCE
        assert abs(loss.hessian([0], [p])[0] - (slope + p * fall)) < 1e-13 * size
        assert abs(loss.hessian([1], [p])[0] - (slope - (1 - p) * fall)) < 1e-13 * size
        step = 1e-6  # a central difference is right to about step^2 and 1e-16/step
        if not any(abs(p - at) < step for at in breaks):
            difference = (loss.loss0(p + step) - loss.loss0(p - step)) / (2 * step)
            assert loss.gradient([0], [p])[0] == pytest.approx(difference, rel=1e-6, abs=1e-6)


def test_gradient_at_the_ends_is_the_limit() -> None:
    assert power_mean(1).gradient([0, 0, 1, 1], [0, 1, 0, 1]).tolist() == [0, 2, -2, 0]
    assert power_mean(-1).gradient([0, 0, 1, 1], [0, 1, 0, 1]).tolist() == [0.5, math.inf, -math.inf, -0.5]


# ----------------------------------------------------------------------------------------------- the plan


def test_plan_says_why_a_closed_form_is_not_used() -> None:
    plan = power_mean(2).plan
    assert {part.function for part in plan} >= {"loss0", "loss1"}
    first = next(part for part in plan if part.function == "loss0")
    assert first.method == "table" and "the closed form has no digit left at p = 4.9e-324" in first.why
    assert str(plan).splitlines()[0] == str(first)
    assert str(first).startswith("loss0 for 0 < p <= 0.25: table, measured within ")
    assert first.ulps is not None and first.ulps <= 4


def test_plan_covers_the_unit_interval_without_gap() -> None:
    for context in ALL:
        for name in ("loss0", "loss1"):
            parts = [part for part in compiled(context).plan if part.function == name]
            assert (parts[0].low, parts[-1].high) == (0.0, 1.0)
            assert all(left.high == right.low for left, right in pairwise(parts))


def test_rational_and_logarithmic_rules_need_no_table() -> None:
    for loss in (power_mean(1), power_mean(-1), power_mean("-oo")):
        losses = [part for part in loss.plan if part.function in ("loss0", "loss1")]
        assert {part.method for part in losses} == {"closed form"}


def test_a_loss_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COSTDERIVE_CACHE", "off")
    with pytest.raises(CompileTimeError, match=r"not compiled within time_limit = 0.01 s"):
        compile(cd.derive(cd.PowerMean(2)), time_limit=0.01)
    with pytest.raises(SpecError, match="time_limit = 0 is not a time"):
        compile(cd.derive(cd.PowerMean(2)), time_limit=0)


def test_half_normal_and_exponential_costs_compile() -> None:
    loss = compiled(cd.Independent(c0=cd.laws.halfnormal(1), c1=cd.laws.exponential(1)))
    for p in (1e-9, 1e-4, 0.03, 0.3, 0.5, 0.8):
        with mpmath.workdps(30):  # the mean of c0 exp(-z c0), z c0 being what c1 exceeds; with t = z c0
            z = (1 - mpmath.mpf(p)) / p
            mean = mpmath.quad(lambda t, z=z: t * mpmath.exp(-t - (t / z) ** 2 / 2), [0, 1, 4, 16, 64])
            wanted = mpmath.sqrt(2 / mpmath.pi) * mean / z**2
        assert off(loss.loss0(p), wanted) < TOLERANCE


def test_a_loss_that_falls_like_an_exponential_keeps_its_digits() -> None:
    loss = compiled(cd.Independent(c0=cd.laws.uniform(1, 2), c1=cd.laws.exponential(1)))
    for p in (0.0015, 0.004, 0.01, 0.05, 0.2, 0.49, 0.7):
        with mpmath.workdps(
            60
        ):  # the mean of c0 exp(-z c0), z c0 being what c1 exceeds, by its antiderivative
            z = (1 - mpmath.mpf(p)) / p
            ends = [(c / z + 1 / z**2) * mpmath.exp(-z * c) for c in (1, 2)]
            wanted = ends[0] - ends[1]
        assert off(loss.loss0(p), wanted) < TOLERANCE


def test_uniform_costs_that_are_almost_known_compile() -> None:
    almost = rectangle((1, "1.00000000000000000001"), (1, "1.00000000000000000001"))
    assert almost([0, 1], [0.6, 0.6]) == pytest.approx(0.5, rel=1e-15)


@settings(max_examples=100, deadline=None)
@given(
    p=arrays.arrays(float, st.integers(1, 30), elements=st.floats(0, 1)),
    flips=st.integers(0, 2**30),
    context=st.sampled_from(ALL),
)
def test_rows_select_the_loss_of_their_class(p: np.ndarray, flips: int, context: cd.contexts.Context) -> None:
    loss, y = compiled(context), np.array([flips >> i & 1 for i in range(len(p))])
    rows = loss.per_sample(y, p)
    assert rows.tolist() == [loss.loss1(x) if label else loss.loss0(x) for label, x in zip(y, p, strict=True)]
    assert loss(y, p) == pytest.approx(rows.mean(), rel=1e-12)
