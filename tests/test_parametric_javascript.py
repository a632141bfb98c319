"""A formula with parameters as JavaScript says what the rule says, and what the costs themselves say."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mp

import costderive as cd
from costderive.core.symbols import parameter
from costderive.core.symbols import s as proportion
from costderive.programs.program import formulas
from tests.families import checked
from tests.targets import evaluated
from tests.test_parametric import CONTEXTS, REPORTS, handmade, rule, truth

GENERATOR = np.random.default_rng(20261121)


def called(program: str, calls: list[list[Any]]) -> str:
    """Return a script with the values of calls such as ``["loss0", 0.5, {"a": 1}]``."""
    names = ["loss0", "loss1", "loss", *(["thresholdWeight"] if "thresholdWeight" in program else [])]
    exported = f"{program.replace('export function', 'function')}\nconst exported = {{ {', '.join(names)} }};"
    shown = "x => Number.isFinite(x) ? x : String(x)"
    return f"{exported}\nreturn JSON.stringify({json.dumps(calls)}.map(([f, ...x]) => exported[f](...x)).map({shown}))"


def values(program: str, calls: list[list[Any]]) -> list[float]:
    (found,) = evaluated([called(program, calls)])
    assert isinstance(found, list), found
    return [float(x) for x in found]


def test_a_program_has_the_digits_of_the_closed_form() -> None:
    calls = [[f"loss{label}", x] for label in (0, 1) for x in REPORTS]
    scripts = {name: called(formulas(rule(name), "javascript"), calls) for name in CONTEXTS}
    for name, found in zip(scripts, evaluated(list(scripts.values())), strict=True):
        for (function, report), value in zip(calls, found, strict=True):
            expected = truth(name, int(function[-1]), report)
            # As in the Python programs, but V8's own logarithm is some units in the last place off.
            assert abs(float(value) - expected) <= max(1e-13 * abs(expected), 1e-290), (
                name,
                function,
                report,
            )


# ---- the rectangle with letters


def expected_cost(report: float, paid: tuple[float, float], other: tuple[float, float], odds: Any) -> Any:
    """Return ``E[x; y > x/odds]`` for x uniform on ``paid`` and y on ``other``, an integral over x alone."""
    (low, high), (least, most) = [tuple(map(mpmath.mpf, bounds)) for bounds in (paid, other)]
    at = [low, *sorted(x for x in (least * odds, most * odds) if low < x < high), high]
    chance = lambda x: min(max((most - x / odds) / (most - least), 0), 1)  # noqa: E731
    return mpmath.quad(lambda x: x * chance(x), at, method="gauss-legendre") / (high - low)


def losses(report: float, a: float, b: float, d: float, e: float) -> tuple[Any, Any]:
    with mp.workdps(40):
        odds = mpmath.mpf(report) / (1 - mpmath.mpf(report))
        return expected_cost(report, (a, b), (d, e), odds), expected_cost(report, (d, e), (a, b), 1 / odds)


def rectangles() -> list[tuple[float, float, float, float]]:
    """Return random rectangles, and some whose middle breakpoints coincide."""
    found = []
    for _ in range(25):
        a, d = 10 ** GENERATOR.uniform(-2, 2, 2)
        b, e = a + 10 ** GENERATOR.uniform(-1, 2), d + 10 ** GENERATOR.uniform(-1, 2)
        found.append((a, b, d, e))
    return [*found, (1, 2, 1, 2), (0.5, 1.5, 1, 3), (2, 3, 4, 6)]


@cache
def rectangle_program() -> str:
    return formulas(checked("symbolic")[0].rule, "javascript")


def test_the_symbolic_rectangle_agrees_with_its_costs_in_both_orders() -> None:
    tasks = []
    for a, b, d, e in rectangles():
        breaks = [a / (a + e), a / (a + d), b / (b + e), b / (b + d)]
        tasks += [(x, a, b, d, e) for x in (*GENERATOR.uniform(0, 1, 8), *breaks)]
    orders = {a * e < b * d for _, a, b, d, e in tasks}
    assert orders == {True, False}
    calls = [
        [f"loss{label}", x, {"a": a, "b": b, "d": d, "e": e}] for x, a, b, d, e in tasks for label in (0, 1)
    ]
    found = values(rectangle_program(), calls)
    for task, got in zip(tasks, zip(found[::2], found[1::2], strict=True), strict=True):
        # A thin rectangle divides a difference by (b - a)(e - d): losses are right to 1e-12 of the costs.
        assert np.allclose(got, [float(x) for x in losses(*task)], rtol=1e-12, atol=1e-12 * max(task[1:]))


def test_the_threshold_weight_is_the_slope_of_the_loss() -> None:
    """``loss0' = s w``, by differences of exact losses."""
    at = {"a": 0.5, "b": 2.0, "d": 1.0, "e": 4.0}
    points = [0.12, 0.2, 0.3, 0.38, 0.5, 0.62, 0.9]
    for x, got in zip(
        points, values(rectangle_program(), [["thresholdWeight", x, at] for x in points]), strict=True
    ):
        with mp.workdps(40):
            step = mpmath.mpf(10) ** -12
            slope = (losses(x + step, **at)[0] - losses(x - step, **at)[0]) / (2 * step)
        assert got == pytest.approx(float(slope) / x, rel=1e-10, abs=1e-10)


def test_parameters_that_are_no_rectangle_are_refused() -> None:
    calls = [
        ["loss0", 0.5, {"a": 2, "b": 1, "d": 1, "e": 2}],
        ["loss1", 0.5, {"a": -1, "b": 1, "d": 1, "e": 2}],
    ]
    found = evaluated([called(rectangle_program(), [call]) for call in calls])
    assert "the parameters need b - a > 0" in found[0]
    assert "the parameters need a > 0" in found[1]


# ---- the Beta law


def test_incomplete_beta_functions_keep_their_digits() -> None:
    """``loss0 = 2 a/(a + n) I_p(a + 1, n)``, by mpmath."""
    program = formulas(cd.derive(cd.Additive(density="beta(a, n)")).rule, "javascript")
    shapes = [tuple(10 ** GENERATOR.uniform(-1, 1.5, 2)) for _ in range(60)]
    tasks = [
        (x, a, n)
        for a, n in [*shapes, (1, 1), (2, 2), (0.5, 0.5)]
        for x in (1e-6, *GENERATOR.uniform(0, 1, 4))
    ]
    calls = [[f"loss{label}", x, {"a": a, "n": n}] for x, a, n in tasks for label in (0, 1)]
    found = values(program, calls)
    for (x, a, n), got in zip(tasks, zip(found[::2], found[1::2], strict=True), strict=True):
        with mp.workdps(30):
            first = 2 * a / (a + n) * mpmath.betainc(a + 1, n, 0, x, regularized=True)
            second = 2 * n / (a + n) * mpmath.betainc(n + 1, a, 0, 1 - mpmath.mpf(x), regularized=True)
        assert np.allclose(got, [float(first), float(second)], rtol=1e-12, atol=1e-300), (x, a, n)


# ---- edges, and what cannot be a program


def test_a_tie_goes_to_class_0() -> None:
    program = formulas(cd.derive(cd.FixedCosts(3, 1)).rule, "javascript")
    assert values(program, [["loss0", 0.75], ["loss1", 0.75], ["loss0", 0.76], ["loss1", 0.76]]) == [
        0,
        1,
        3,
        0,
    ]


def test_a_program_is_exact_at_0_and_1_and_gives_nan_for_what_is_no_probability() -> None:
    program = formulas(rule("log loss"), "javascript")
    assert values(program, [["loss0", 0], ["loss1", 1], ["loss0", 1], ["loss", 1, 0]]) == [
        0,
        0,
        np.inf,
        np.inf,
    ]
    assert np.isnan(values(program, [["loss0", -0.1], ["loss0", 1.1], ["loss", 2, 0.5]])).all()


def test_a_density_has_no_value_at_the_ends_and_an_improper_rule_has_none() -> None:
    assert all(
        np.isnan(values(formulas(rule("additive"), "javascript"), [["thresholdWeight", x] for x in (0, 1)]))
    )
    fixed = cd.derive(cd.Additive(), threshold=cd.FixedThreshold("1/3")).rule
    assert "thresholdWeight" not in formulas(fixed, "javascript")
    assert values(formulas(fixed, "javascript"), [["loss0", 0.4], ["loss1", 0.3]]) == [1, 1]


@pytest.mark.parametrize("name", ["let", "Math", "loss0", "new"])
def test_a_name_that_would_break_the_program_has_a_mark(name: str) -> None:
    program = formulas(handmade(cd.symbols.p * parameter(name)), "javascript")
    assert values(program, [["loss0", 0.5, {f"{name}_": 3}]]) == [1.5]


def test_a_title_cannot_leave_its_comment() -> None:
    program = formulas(rule("additive"), "javascript", title="x */ throw 1; /*")
    assert values(program, [["loss0", 0.5]]) == [0.25]


def test_a_negative_power_of_what_is_negative_is_no_error_of_syntax() -> None:
    negative = handmade(-(cd.symbols.p**2) + sympy.Pow(cd.symbols.p, -3))
    assert values(formulas(negative, "javascript"), [["loss0", 0.5]]) == [7.75]


def test_the_weight_of_a_mean_is_that_of_its_curve() -> None:
    for name in ("Euclidean", "minimum", "square root"):
        exact = sympy.lambdify(proportion, rule(name).weight, "mpmath")
        points = [0.01, 0.3, 0.5, 0.75, 0.99]
        found = values(formulas(rule(name), "javascript"), [["thresholdWeight", x] for x in points])
        assert found == pytest.approx([float(exact(mpmath.mpf(x))) for x in points], rel=1e-14)
