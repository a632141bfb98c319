"""Curves whose costs have kinks: cut there, with an atom where the cost proportion stays the same."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy
from costderive.symbols import p
from mpmath import mp, mpf
from sympy import erf, pi, sqrt

import costderive as cd
from costderive.core.errors import SpecError
from costderive.costs.laws import x
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Verdict
from costderive.rules.odds_form import tidy

Function = Callable[[mpf], mpf]
REPORTS = (0.2, 0.45, 0.8)
ROUNDED = 1e-11  # of quadrature that is cut at the kinks and at what is seen of the threshold


def loss(costs: tuple[Function, Function], density: Function, *kinks: float) -> Callable[[float, int], mpf]:
    """Return the expected loss by summing a cost over fine cells on the right side of the threshold."""

    def at(report: float, label: int) -> mpf:
        def counted(x: mpf) -> mpf:
            acts = costs[0](x) * (1 - report) < report * costs[1](x)
            return costs[label](x) * density(x) if acts is (label == 0) else mpf(0)

        return mp.quad(counted, sorted({*map(mpf, kinks), *crossings(report)}))

    def crossings(report: float) -> list[mpf]:
        def gap(x: mpf) -> mpf:
            return costs[0](x) * (1 - report) - report * costs[1](x)

        low, high = kinks[0], min(kinks[-1], 60)
        grid = [low + (high - low) * mpf(k) / 2971 for k in range(2972)]
        pairs = pairwise(grid)
        return [mp.findroot(gap, pair, solver="ridder") for pair in pairs if gap(pair[0]) * gap(pair[1]) < 0]

    return at


def one(_: mpf) -> mpf:
    return mpf(1)


ABOVE_A_BOUND = loss(  # c0 = max(x, 3/2) beside c1 = 1, with x of Gamma(5/2, 1)
    (lambda x: max(x, mpf(3) / 2), one),
    lambda x: x ** mpf(1.5) * mp.exp(-x) / mp.gamma(2.5),
    0,
    1.5,
    8,
    40,
    mp.inf,
)

KINKED = {
    "flat, then rising": (
        lambda: cd.Curve(c0="max(x, 1/2)", c1=1, density="uniform(0, 2)"),
        {},
        loss((lambda x: max(x, mpf(1) / 2), one), lambda _: mpf(1) / 2, 0, 0.5, 2),
    ),
    "falling, then rising": (
        lambda: cd.Curve(c0="abs(x - 1)", c1=1, density="exponential(1)"),
        {},
        loss((lambda x: abs(x - 1), one), lambda x: mp.exp(-x), 0, 1, 8, mp.inf),
    ),
    "rising, then falling": (
        lambda: cd.Curve(c0="min(x, 1)", c1="1 + x", density="exponential(m)"),
        {"m": 2},
        loss((lambda x: min(x, mpf(1)), lambda x: 1 + x), lambda x: mp.exp(-x / 2) / 2, 0, 1, 8, 40, mp.inf),
    ),
    "a kink at a letter": (
        lambda: cd.Curve(c0="max(x, a)", c1=1, density="gamma(k, m)"),
        {"a": "3/2", "k": "5/2", "m": 1},
        ABOVE_A_BOUND,
    ),
    "a kink at a letter, of a shape that is half a number": (
        lambda: cd.Curve(c0="max(x, a)", c1=1, density="gamma(5/2, m)"),
        {"a": "3/2", "m": 1},
        ABOVE_A_BOUND,
    ),
    "cases": (
        lambda: cd.Curve(
            c0=sympy.Piecewise((sympy.Rational(1, 2), x <= 1), (x, True)), c1="2", density="lognormal(0, 1)"
        ),
        {},
        loss(
            (lambda x: mpf(1) / 2 if x <= 1 else x, lambda _: mpf(2)),
            lambda x: mp.npdf(mp.log(x)) / x if x else mpf(0),
            0,
            0.2,
            1,
            3,
            9,
            60,
            mp.inf,
        ),
    ),
}


def derived(build: Callable[[], cd.Curve]) -> Derivation:
    derivation = cd.derive(build())
    assert cd.check(derivation).verdict is Verdict.PROVED
    return derivation


@pytest.mark.parametrize("name", KINKED)
def test_a_curve_is_cut_at_its_kinks(name: str) -> None:
    build, numbers, wanted = KINKED[name]
    rule = derived(build).rule
    assert rule.closed_form
    rule = rule.at(**numbers)
    for report in REPORTS:
        for label, found in ((0, rule.loss0), (1, rule.loss1)):
            assert float(found.subs(p, report)) == pytest.approx(float(wanted(report, label)), rel=ROUNDED)


def test_costs_in_proportion_between_kinks_matter_on_average() -> None:
    rule = derived(lambda: cd.Curve(c0="max(x, 1)", c1="2*max(x, 1)", density="uniform(0, 2)")).rule
    mean = mpf(1) / 2 + mpf(3) / 4  # of max(x, 1)
    assert float(rule.loss0.subs(p, 0.34)) == float(mean)
    assert float(rule.loss1.subs(p, 0.33)) == float(2 * mean)


def test_values_of_x_on_both_sides_of_a_kink_keep_their_costs() -> None:
    rule = derived(lambda: cd.Curve(c0="max(x, 1)", c1=1, density={"1/2": "1/2", 3: "1/2"})).rule
    assert rule.loss0.subs(p, 0.6) == pytest.approx(0.5)
    assert rule.loss0.subs(p, 0.8) == pytest.approx(2)


@pytest.mark.parametrize(
    ("cost", "density", "words"),
    [
        ("x - 1", {"1/2": "1/2", 2: "1/2"}, r"context\.c0 is -1/2 at x = 1/2"),
        ("max(x, a)", "uniform(0, 1)", r"whether 1 - a > 0 is open, and a kink"),
        ("abs(x - a)", "uniform(0, b)", r"whether -a \+ b > 0 is open, and a kink"),
    ],
)
def test_a_negative_cost_and_an_open_kink_are_refused(cost: str, density: object, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        cd.Curve(c0=cost, c1=1, density=density)
    with pytest.raises(SpecError, match=words.replace("c0", "c1")):
        cd.Curve(c0=1, c1=cost, density=density)


def test_no_error_function_is_joined_to_a_term_that_vanishes() -> None:
    vanishing = (p + 1) ** 2 - p**2 - 2 * p - 1
    assert tidy(sqrt(pi) * erf(p) * vanishing + p * erf(p), p) == p * erf(p)


@pytest.mark.parametrize("k", ["1/2", "1", "3"])
@pytest.mark.parametrize("p", [0.2, 0.45, 0.7])
def test_a_letter_that_decides_which_way_a_curve_runs_makes_cases(k: str, p: float) -> None:
    derivation = cd.derive(cd.Curve("x", "x^k", "uniform(0,1)"))
    assert cd.check(derivation).verdict.name == "PROVED"
    loss = cd.numeric.compile(derivation.rule.at(k=k))
    x = (np.arange(1_000_000) + 0.5) / 1_000_000
    power = x ** float(Fraction(k))
    below = x / (x + power) < p
    assert loss.loss0(p) == pytest.approx(np.mean(x * below), abs=2e-6)
    assert loss.loss1(p) == pytest.approx(np.mean(power * ~below), abs=2e-6)


def test_a_curve_has_a_case_for_each_way_it_runs_if_two_letters_decide() -> None:
    derivation = cd.derive(cd.Curve("1 + a*x", "1 + b*x", "uniform(0,1)"))
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert len(derivation.cases) == 3
    rule, report = derivation.rule.at(a=3, b=1), sympy.Rational(3, 5)
    place = sympy.Rational(1, 3)  # (1 + 3 x)/(2 + 4 x) rises, and is 3/5 there
    loss0, loss1 = (loss.subs(p, report) for loss in (rule.loss0, rule.loss1))
    assert sympy.simplify(loss0 - place - 3 * place**2 / 2) == 0
    assert sympy.simplify(loss1 - sympy.Rational(3, 2) + place + place**2 / 2) == 0
