"""Compiled losses whose parameters are arguments say what the costs themselves say, row by row."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mp, mpf

import costderive as cd
from costderive.core.errors import DataError, ExportError, SpecError
from costderive.derivation.derivation import Derivation
from costderive.numeric import CompiledLoss, compile
from costderive.numeric import twofold as two
from costderive.numeric.twofold import Twofold
from tests.test_parametric import handmade
from tests.test_parametric_javascript import losses as of_rectangle

GALLERY = Path(__file__).parents[1] / "derivations"
GENERATOR = np.random.default_rng(1122)
ULPS = 40  # the bound of a row is 32 units of 2^-53; twice the digits and the reference are rounded once more


@cache
def rectangle() -> CompiledLoss:
    """Return losses with two cases and breakpoints that depend on parameters."""
    text = (GALLERY / "independent-uniform" / "certificate.json").read_text(encoding="utf-8")
    return compile(Derivation.from_json(text))


@cache
def bounded() -> CompiledLoss:
    return compile(cd.derive(cd.Harmonic(1, density="uniform(l, h)")).rule)


def rectangles(count: int) -> dict[str, Any]:
    a, d = 10 ** GENERATOR.uniform(-1, 1, (2, count))
    rises = 10 ** GENERATOR.uniform(-1, 1, (2, count))
    return {"a": a, "b": a + rises[0], "d": d, "e": d + rises[1]}


def near(at: Any) -> Any:
    """Return numbers beside others, at many distances."""
    return np.clip(
        at * (1 + GENERATOR.choice([-1, 1], len(at)) * 10 ** GENERATOR.uniform(-9, -1, len(at))), 0, 1
    )


def row_of(given: dict[str, Any], row: int) -> dict[str, float]:
    return {name: float(values[row]) for name, values in given.items()}


# ---- against integrals over the costs


def test_rows_may_be_in_different_cases() -> None:
    given = rectangles(60)
    a, b, d, e = given.values()
    assert len({*(a * e < b * d)}) == 2
    reports = np.concatenate([GENERATOR.random(20), near((a / (a + e))[20:40]), near((b / (b + d))[40:])])
    found = [rectangle().per_sample(np.full(60, label), reports, **given) for label in (0, 1)]
    for row, report in enumerate(reports):
        wanted = of_rectangle(float(report), **row_of(given, row))
        for label in (0, 1):
            # the reference integrates to about 30 of its 40 digits, of losses that may be 1e-27 of the costs
            off = abs(found[label][row] - wanted[label])
            assert off <= ULPS * 2**-53 * wanted[label] + mpf(10) ** -28


def bounded_log(report: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """Return the integrals of 1/(1 - s) below a report and of 1/s above it, for s uniform on an interval."""
    inside = min(max(report, low), high)
    first = mpmath.quad(lambda s: 1 / (1 - s), [low, inside]) if inside > low else mpf(0)
    second = mpmath.quad(lambda s: 1 / s, [inside, high]) if inside < high else mpf(0)
    return first / (high - low), second / (high - low)


@pytest.mark.parametrize("name", ["y_proba", "complement", "logit"])
def test_a_loss_keeps_its_digits_where_it_starts_from_0(name: str) -> None:
    low, high = GENERATOR.uniform(0.1, 0.4, 30), GENERATOR.uniform(0.6, 0.9, 30)
    numbers = near(np.concatenate([low[:15], high[15:]]))
    numbers = np.log(numbers / (1 - numbers)) if name == "logit" else numbers
    found = [bounded().per_sample(np.full(30, k), **{name: numbers}, l=low, h=high) for k in (0, 1)]
    with mp.workdps(40):
        for row, number in enumerate(map(mpf, map(float, numbers))):
            report = {"y_proba": number, "complement": 1 - number, "logit": 1 / (1 + mpmath.exp(-number))}[
                name
            ]
            wanted = bounded_log(report, mpf(float(low[row])), mpf(float(high[row])))
            for label in (0, 1):
                assert abs(found[label][row] - wanted[label]) <= ULPS * 2**-53 * wanted[label]


def test_derivatives_are_those_of_the_losses() -> None:
    given, x = {"a": 1.0, "b": 2.0, "d": 1.0, "e": 3.0}, 0.43  # between breakpoints
    z = float(np.log(x / (1 - x)))
    for label in (0, 1):
        with mp.workdps(40):
            loss = lambda report: of_rectangle(report, **given)[label]  # noqa: B023, E731
            of_logit = lambda at: loss(1 / (1 + mpmath.exp(-at)))  # noqa: B023, E731
            for wrt, function, at in (("p", loss, mpf(x)), ("logit", of_logit, mpf(z))):
                step = mpf(10) ** -6
                low, middle, high = function(at - step), function(at), function(at + step)
                slope, curvature = (high - low) / (2 * step), (high - 2 * middle + low) / step**2
                gradient = rectangle().gradient([label], [x], wrt=wrt, **given)
                hessian = rectangle().hessian([label], [x], wrt=wrt, **given)
                assert gradient == pytest.approx([float(slope)], rel=1e-9)
                assert hessian == pytest.approx([float(curvature)], rel=1e-9)


def test_ends_have_the_expected_costs() -> None:
    given = {"a": [1.0, 2.0], "b": 3.0, "d": 1.0, "e": 4.0}
    assert rectangle().loss0([1.0, 1.0], **given).tolist() == [2.0, 2.5]
    assert rectangle().loss1([0.0, 0.0], **given).tolist() == [2.5, 2.5]
    assert (
        rectangle().loss0([0.0, 0.0], **given).tolist()
        == rectangle().loss1([1.0, 1.0], **given).tolist()
        == [0, 0]
    )


def test_a_tie_at_a_breakpoint_of_parameters_goes_to_class_0() -> None:
    known = compile(cd.derive(cd.FixedCosts("c", "d")).rule)
    costs = {"c": [1.0, 1.0, 1.0, 3.0], "d": [3.0, 3.0, 4.0, 7.0]}
    reports = [0.25, np.nextafter(0.25, 1), 0.2, 0.3]  # 0.2 is above 1/5 as a double, 0.3 below 3/10
    assert known.per_sample([0] * 4, reports, **costs).tolist() == [0.0, 1.0, 1.0, 0.0]


# ---- factors of all costs


def test_a_factor_of_all_costs_is_a_factor_of_what_is_compiled_without_it() -> None:
    scaled = compile(cd.derive(cd.Geometric("2*m")).rule)
    plain = compile(cd.derive(cd.Geometric(1)).rule)
    y, p, m = GENERATOR.integers(0, 2, 50), GENERATOR.random(50), GENERATOR.uniform(1, 1000, 50)
    assert (scaled.per_sample(y, p, m=m / 2) == plain.per_sample(y, p) * (m / 2) * 2).all() or np.allclose(
        scaled.per_sample(y, p, m=m / 2), plain.per_sample(y, p) * m, rtol=4e-16
    )
    assert scaled(y, p, m=m / 2) == pytest.approx(float(np.mean(plain.per_sample(y, p) * m)), rel=1e-14)
    assert scaled.hessian(y, p, m=m / 2) == pytest.approx(plain.hessian(y, p) * m, rel=1e-15)


def test_a_factor_is_found_whatever_it_is_called_and_beside_others() -> None:
    both = compile(cd.derive(cd.IndependentUniform(c0=(0, "theta"), c1=(0, "theta"))).rule)
    assert both._factors == ("theta",)
    rule = cd.derive(cd.Additive("2*k", density="uniform(l, h)")).rule
    mixed = compile(rule)
    assert mixed._factors == ("k",)
    alone = compile(rule.at(k=1))
    assert mixed.per_sample([0, 1], [0.4, 0.5], k=[3, 5], l=0.1, h=0.7) == pytest.approx(
        alone.per_sample([0, 1], [0.4, 0.5], l=0.1, h=0.7) * [3, 5], rel=1e-15
    )


@pytest.mark.parametrize("costs", [("exponential({})", "uniform(0, 1)"), ("uniform({}, 3)", "2")])
def test_every_letter_may_be_a_parameter(costs: tuple[str, str]) -> None:
    """Programs call 1 - p by the letter r."""
    with_a, with_r = (
        compile(cd.derive(cd.Independent(*[cost.format(letter) for cost in costs])).rule) for letter in "ar"
    )
    y, p, numbers = [0, 1, 0, 1], [1e-12, 0.3, 0.6, 1 - 1e-12], [0.5, 1.5, 2.0, 2.5]
    assert (with_r.per_sample(y, p, r=numbers) == with_a.per_sample(y, p, a=numbers)).all()
    assert (with_r.gradient(y, p, r=numbers) == with_a.gradient(y, p, a=numbers)).all()


def test_a_condition_of_the_letter_r_is_named_by_it() -> None:
    with pytest.raises(DataError, match=r"^r = 4\.0 breaks the condition 3 - r > 0"):
        compile(cd.derive(cd.Independent("uniform(r, 3)", "2")))([0, 1], [0.3, 0.4], r=4)


def test_losses_without_a_closed_form_may_have_a_factor() -> None:
    rule = cd.derive(cd.PowerMean(5, mean="m"), time_limit=2).rule
    assert not rule.closed_form
    wanted = compile(rule.at(m=1)).per_sample([0, 1], [0.3, 0.6])
    assert compile(rule).per_sample([0, 1], [0.3, 0.6], m=[2.0, 4.0]) == pytest.approx(
        wanted * [2, 4], rel=1e-15
    )


# ---- calls


def test_means_are_weighted_and_other_shapes_are_kept() -> None:
    given = rectangles(9)
    y, p, weight = GENERATOR.integers(0, 2, 9), GENERATOR.random(9), GENERATOR.random(9)
    each = rectangle().per_sample(y, p, **given)
    wanted = pytest.approx(np.average(each, weights=weight), rel=1e-15)
    assert rectangle()(y, p, sample_weight=weight, **given) == wanted
    square = {name: values.reshape(3, 3) for name, values in given.items()}
    assert rectangle().loss0(p.reshape(3, 3), **square).shape == (3, 3)
    assert rectangle().loss0(0.5, **row_of(given, 0)) == rectangle().loss0([0.5], **row_of(given, 0))[0]


def test_many_rows_are_cut_in_blocks() -> None:
    given, many = rectangles(7), 10_000
    y, p = np.resize([0, 1, 1], 7 * many), np.resize(GENERATOR.random(7), 7 * many)
    tiled = {name: np.resize(values, 7 * many) for name, values in given.items()}
    found = rectangle().per_sample(y, p, **tiled, threads=2)
    first = rectangle().per_sample(y[:21], p[:21], **{name: values[:21] for name, values in tiled.items()})
    assert (found[: 7 * many // 21 * 21].reshape(-1, 21) == first).all()


def test_it_pickles() -> None:
    again = pickle.loads(pickle.dumps(bounded()))
    assert again([0, 1], [0.3, 0.5], l=0.2, h=0.8) == bounded()([0, 1], [0.3, 0.5], l=0.2, h=0.8)


BAD = {
    "a is missing": ({"b": 2}, "has the parameter a, and it was given no number"),
    "an unknown one": ({"a": 1, "b": 2, "z": 1}, "z is not a parameter"),
    "bounds in the wrong order": (
        {"a": 1, "b": [2, 0.5]},
        r"b\[1\] = 0.5 breaks the condition b - a > 0.*row 1",
    ),
    "bounds that are equal": ({"a": [1, 2], "b": 2}, r"a\[1\] = 2.0.* b - a > 0"),
    "a negative cost": (
        {"a": [1, -1], "b": 2},
        r"a\[1\] = -1.0 breaks the condition a > 0 and finite in row 1",
    ),
    "a cost of 0": ({"a": 0, "b": 2}, r"a = 0.0 breaks the condition a > 0"),
    "NaN": ({"a": [1, np.nan], "b": 2}, r"a\[1\] = nan"),
    "infinity": ({"a": 1, "b": np.inf}, "b = inf"),
    "text": ({"a": [1, "1"], "b": 2}, r"a\[1\] = '1' is not a number"),
    "beyond the range of formulas": ({"a": 1e-200, "b": 2}, "a = 1e-200 is not between 1e-60 and 1e[+]60"),
    "too many": ({"a": [1, 1, 1], "b": 2}, "a has 3 numbers and y_true has 2"),
    "two lengths": ({"a": [1, 1, 1], "b": [2, 2]}, r"a has shape \(3,\), b has shape \(2,\)"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_parameters_are_named_with_row_and_condition(case: str) -> None:
    given, problem = BAD[case]
    with pytest.raises(DataError, match=problem):
        rectangle()([0, 1], [0.3, 0.4], d=1, e=3, **given)


def test_a_rule_without_parameters_takes_none() -> None:
    with pytest.raises(DataError, match="a is not a parameter of the rule"):
        compile(cd.derive(cd.Additive()))([0, 1], [0.3, 0.4], a=1)


def test_what_cannot_be_compiled_has_a_way_out() -> None:
    with pytest.raises(SpecError, match="Rename it"):
        compile(handmade(cd.symbols.p * sympy.Symbol("threads", positive=True)))
    with pytest.raises(SpecError, match="no machine program"):
        compile(cd.derive(cd.FixedCosts("c", "d")), fast=True)


# ---- twice the digits


def test_twofold_numbers_have_30_digits() -> None:
    high = 10 ** GENERATOR.uniform(-5, 5, 100)
    x = Twofold.of(high, high * GENERATOR.uniform(-1, 1, 100) * 2**-54)
    y = Twofold.of(GENERATOR.uniform(-3, 3, 100))
    small = Twofold.of(10 ** GENERATOR.uniform(-30, -3, 100))
    known = {
        "x + y": (x + y, lambda x, y, _: x + y),
        "x y": (x * y, lambda x, y, _: x * y),
        "x/y": (x / y, lambda x, y, _: x / y),
        "sqrt": (two.sqrt(x), lambda x, *_: mpmath.sqrt(x)),
        "exp": (two.exp(y), lambda _, y, __: mpmath.exp(y)),
        "log": (two.log(x), lambda x, *_: mpmath.log(x)),
        "log1p": (two.log1p(small), lambda *x: mpmath.log1p(x[2])),
        "power": (two.CALLS["power"](x, y), lambda x, y, _: x**y),
    }
    with mp.workdps(60), np.errstate(all="ignore"):
        numbers = [
            [mpf(first) + mpf(rest) for first, rest in zip(t.high, np.broadcast_to(t.low, 100), strict=True)]
            for t in (x, y, small)
        ]
        for name, (found, exact) in known.items():
            for high, low, *at in zip(found.high, np.broadcast_to(found.low, 100), *numbers, strict=True):
                assert abs(mpf(high) + mpf(low) - exact(*at)) <= mpf(10) ** -27 * abs(exact(*at)), name


def test_a_loss_that_needs_numbers_says_which() -> None:
    rule = cd.derive(cd.Independent("lognormal(mu, 1)", "exponential(m)")).rule
    with pytest.raises(ExportError, match=r"integral.*\n.*rule\.at\(m=\.\.\., mu=\.\.\.\)"):
        cd.export.code(rule, "c")


# ---- rules without formulas


def test_a_letter_of_a_loss_without_formulas_has_a_table_for_each_number() -> None:
    """Costs: exponential with mean m, and log-normal; ``L1 = E[c1 exp(-c1 p/((1 - p) m))]`` by quadrature."""
    loss = compile(cd.derive(cd.Independent(c0="exponential(m)", c1="lognormal(0, 1)")))
    assert "no formulas" in str(loss.plan)
    assert pickle.loads(pickle.dumps(loss)).parameters == ("m",)

    def wanted(p: float, m: float) -> float:
        with mpmath.workdps(20):
            rate = mpmath.mpf(p) / (1 - mpmath.mpf(p)) / m
            return float(
                mpmath.quad(
                    lambda z: mpmath.exp(z - rate * mpmath.exp(z)) * mpmath.npdf(z), range(-12, 13, 3)
                )
            )

    p, m = [0.2, 0.3, 0.9], [2.0, 1.0, 2.0]
    found = loss.per_sample([1, 1, 1], p, m=m)
    np.testing.assert_allclose(found, [wanted(*pair) for pair in zip(p, m, strict=True)], rtol=1e-13)
    assert loss([1, 1, 1], p, m=m) == pytest.approx(found.mean(), rel=1e-15)
    assert "with m = 2.0" in str(loss.plan)
    slope = (wanted(0.3 + 1e-5, 2) - wanted(0.3 - 1e-5, 2)) / 2e-5
    assert loss.gradient([1], [0.3], m=2)[0] == pytest.approx(slope, rel=1e-7)
    with pytest.raises(DataError, match="m would need more than 32 tables"):
        loss([0] * 40, [0.2] * 40, m=np.arange(1.0, 41.0))
    with pytest.raises(DataError, match=r"y_proba\[0\] = 1.3"):
        loss([0, 1], [1.3, 0.2], m=2)


# ---- letters that are equal, and losses that are 0


@pytest.mark.parametrize("ends", [(1, 2, 1, 2), (1, 2, 3, 6), (0.1, 0.3, 0.1, 0.3)])
def test_a_condition_of_a_case_may_be_an_equality_up_to_rounding(ends: tuple[float, ...]) -> None:
    a, b, d, e = ends
    plain = compile(cd.derive(cd.IndependentUniform(c0=(a, b), c1=(d, e))).rule)
    for report in (0.2, 0.3, 0.6):
        found = rectangle()([1], [report], a=a, b=b, d=d, e=e)
        assert found == pytest.approx(plain([1], [report]), rel=1e-14, abs=1e-15)


@cache
def heavy() -> CompiledLoss:
    return compile(cd.derive(cd.Independent("beta(a, 1)", "pareto(b, 1)")).rule)


@pytest.mark.parametrize("gap", [1e-13, 1e-12, -1e-12, 1e-11, 1e-7, 0.0])
def test_a_loss_that_is_0_near_an_equality_of_letters_is_0(gap: float) -> None:
    assert heavy()([1], [0.5], a=1.5, b=2.5 + gap) == 0  # a Pareto cost is more than 1, a Beta one less
    known = heavy()([1], [0.4], a=1.5, b=2.5)
    assert heavy()([1], [0.4], a=1.5, b=2.5 + gap) == pytest.approx(known, rel=1e-6)


@cache
def held_uniforms() -> cd.Derivation:
    return cd.derive(cd.costs_of_parts("k", "x + y", parts={"x": "uniform(0, m)", "y": "uniform(0, n)"}))


def test_a_part_that_is_held_is_in_no_condition_of_the_rule() -> None:
    letters = set(held_uniforms().rule.parameters)
    for given, _ in held_uniforms().rule.cases:
        assert all(fact.free_symbols <= letters for fact in given.positive + given.nonnegative)


@pytest.mark.parametrize("ends", [(2, 3), (3, 2), (2, 2)])
def test_a_rule_with_a_part_held_takes_its_letters_as_arguments(ends: tuple[float, float]) -> None:
    m, n = ends
    generator = np.random.default_rng(5)
    cost = generator.uniform(0, m, 400_000) + generator.uniform(0, n, 400_000)
    scope: dict[str, Any] = {}
    exec(cd.export.code(held_uniforms().rule, "python"), scope)
    for report in (0.3, 0.4, 0.6):
        paid = cost * (report * (1.5 + cost) <= 1.5)
        loss = compile(held_uniforms().rule)([1], [report], k=1.5, m=m, n=n)
        assert abs(loss - paid.mean()) < 5 * paid.std() / len(paid) ** 0.5
        assert scope["loss1"](report, k=1.5, m=float(m), n=float(n)) == pytest.approx(loss, rel=1e-12)


def test_a_threshold_needs_numbers_for_letters() -> None:
    with pytest.raises(DataError, match="has the parameter m, and it was given no number"):
        cd.evaluate.threshold_for(cd.Independent("gamma(2, m)", 3))
