"""Losses as single integrals over the cost of an error: proved, and refused wherever their evidence was changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import norm, qmc
from sympy import Expr, Integral, Rational, oo

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p, parameter, u
from costderive.derivation.moves import ActAsBayes, AddStrips, HoldOneCost, IntegrateByParts
from costderive.proof.claims import Step, Verdict

UNIT = "uniform(0, 1)"
LOST, EXTRA = "lognormal(0, 1)", "exponential(1)"


@cache
def clayton() -> Any:
    return cd.derive(cd.Copula("clayton", "h", c0="exponential(1/2)", c1="uniform(0, 2)"))


@cache
def shared() -> Any:
    """A part in both costs: below a line, and each error over another cost, as the loss of class 1 holds c0."""
    return cd.derive(cd.costs_of_parts("lost", "lost + extra", parts={"lost": LOST, "extra": EXTRA}))


def steps(derivation: Any = None) -> tuple[Step, ...]:
    (case,) = (derivation or clayton()).cases
    return tuple(case.steps)


def judged(changed: tuple[Step, ...], derivation: Any = None) -> Verdict:
    found = derivation or clayton()
    (case,) = found.cases
    return cd.check(replace(found, cases=(replace(case, steps=changed),))).verdict


def with_held(derivation: Any = None, **changes: Any) -> Verdict:
    """Change what the search left, and go on from it as the moves do."""
    found = derivation or clayton()
    before, (hold, *_) = steps(found)[:-3], steps(found)[-3:]
    held = replace(hold.after, **changes)
    added = Step.make(AddStrips(), held, found.cases[0].given)
    concluded = Step.make(ActAsBayes(), added.after, found.cases[0].given)
    return judged((*before, replace(hold, after=held), added, concluded), found)


def test_losses_of_a_copula_of_an_exponential_cost_are_single_integrals() -> None:
    assert [type(step.move) for step in steps()[-3:]] == [HoldOneCost, AddStrips, ActAsBayes]
    assert cd.check(clayton()).verdict is Verdict.PROVED
    values = [piece.value for loss in clayton().outcome[0][1].loss0 for piece in (loss,)]
    assert all(value.has(Integral) for value in values)
    assert not any(node.function.has(Integral) for value in values for node in value.atoms(Integral))


def test_the_means_are_those_of_the_margins() -> None:
    (_, found), *_ = clayton().outcome
    assert (found.worst0, found.worst1) == (Rational(1, 2), 1)


def test_what_stays_the_same_is_proved() -> None:
    assert with_held() is Verdict.PROVED


def _margins(change: Any) -> dict[str, Any]:
    held = steps()[-3].after
    return {"margins0": tuple(change(one) for one in held.margins0)}


def _within(**changes: Any) -> Any:
    return lambda one: replace(one, within=replace(one.within, **changes))


MARGINS = {
    "twice the antiderivative": lambda one: _within(function=2 * one.within.function)(one),
    "a constant more at one end": lambda one: _within(at_high=one.within.at_high + 1)(one),
    "no antiderivative": _within(function=None),
    "an infinite limit": _within(at_high=oo),
    "a narrower range": lambda one: replace(one, held=Interval(c0, one.held.low + 1, one.held.high)),
    "the costs exchanged": lambda one: replace(one, held=one.other, other=one.held),
    "another mean": lambda one: replace(one, over=replace(one.over, at_high=one.over.at_high + 1)),
    "an infinite mean": lambda one: replace(one, over=replace(one.over, at_high=oo)),
    "a mean from minus infinity": lambda one: replace(one, over=replace(one.over, at_low=-oo)),
}


@pytest.mark.parametrize("name", MARGINS)
def test_margins_that_were_changed_are_not_believed(name: str) -> None:
    assert with_held(**_margins(MARGINS[name])) < Verdict.PROVED


@cache
def heavy() -> Any:
    """A Clayton copula of Pareto costs, of which that of class 1 has no finite mean."""
    return cd.derive(cd.Copula("clayton", 1, c0="pareto(2, 3)", c1="pareto(1/2, 2)"))


def test_an_expected_cost_is_seen_to_be_infinite() -> None:
    (_, found), *_ = heavy().outcome
    assert (found.worst0, found.worst1) == (6, oo)
    assert cd.check(heavy()).verdict is Verdict.PROVED
    assert cd.Derivation.from_json(heavy().to_json()) == heavy()


@pytest.mark.parametrize("report", [0.2, 0.8])
def test_the_losses_beside_an_infinite_mean_are_their_integrals(report: float) -> None:
    """``P(c1 > y | c0)`` of a Clayton copula with the parameter 1 is ``1 - v^2/(u + v - u v)^2``."""
    odds = report / (1 - report)

    def missed(level: float, other: float) -> float:
        return 1 - other**2 / (level + other - level * other) ** 2

    def error0(x: float) -> float:
        second = max(0.0, 1 - np.sqrt(2 / max(x / odds, 2)))
        return x * 18 / x**3 * missed(1 - 9 / x**2, second)

    def error1(y: float) -> float:
        first = max(0.0, 1 - 9 / max(odds * y, 3) ** 2)
        return y * y**-1.5 / np.sqrt(2) * missed(1 - np.sqrt(2 / y), first)

    (_, found), *_ = heavy().outcome
    cuts0, cuts1 = {3.0, max(2 * odds, 3.0), np.inf}, {2.0, max(3 / odds, 2.0), np.inf}
    for loss, error, cuts in ((found.loss0, error0, cuts0), (found.loss1, error1, cuts1)):
        wanted = sum(quad(error, *pair, epsabs=1e-10, limit=200)[0] for pair in pairwise(sorted(cuts)))
        value = next(piece.value for piece in loss if piece.low < report < piece.high)
        assert float(value.subs(p, report).evalf()) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("end", [10, -oo, sympy.nan, sympy.zoo], ids=str)
def test_an_infinite_mean_that_was_changed_is_not_believed(end: Any) -> None:
    (one,) = steps(heavy())[-3].after.margins1
    changed = replace(one, over=replace(one.over, at_high=sympy.sympify(end)))
    assert with_held(heavy(), margins1=(changed,)) < Verdict.PROVED


def _cells(change: Any) -> dict[str, Any]:
    held = steps()[-3].after
    first, *others = held.cells
    (strips,) = first.strips0
    return {"cells": (replace(first, strips0=(tuple(change(strips)),)), *others)}


def _cut(at: Expr) -> Any:
    return lambda strips: [replace(strips[0], cut=at), *strips[1:]]


STRIPS = {
    "a strip less": lambda strips: strips[1:],
    "the strips in another order": lambda strips: strips[::-1],
    "a longer strip": lambda strips: [
        replace(strips[0], over=Interval(c0, strips[0].over.low, 2 * strips[0].over.high)),
        *strips[1:],
    ],
    "cut at the low end": _cut(Rational(0)),
    "cut at the high end": _cut(Rational(2)),
    "cut by the other ratio": _cut(u * c0),
    "cut by another cost": _cut(c1 / u),
}


@pytest.mark.parametrize("name", STRIPS)
def test_strips_that_were_changed_are_not_believed(name: str) -> None:
    assert with_held(**_cells(STRIPS[name])) < Verdict.PROVED


SHARED = {
    "twice the antiderivative": lambda one: _within(function=2 * one.within.function)(one),
    "the density alone": lambda one: _within(function=one.within.function / c1)(one),
    "a constant more at one end": lambda one: _within(at_high=one.within.at_high + 1)(one),
    "from 0 on": lambda one: replace(one, other=Interval(c1, Rational(0), oo)),
    "from a lower line on": lambda one: replace(one, other=Interval(c1, c0 / 2, oo)),
    "from 1 on": lambda one: replace(one, held=Interval(c0, Rational(1), oo)),
    "a curve": lambda one: replace(one, other=Interval(c1, c0**2, oo)),
}


@pytest.mark.parametrize("name", SHARED)
def test_margins_between_lines_that_were_changed_are_not_believed(name: str) -> None:
    held = steps(shared())[-3].after
    assert with_held(shared(), margins1=tuple(map(SHARED[name], held.margins1))) < Verdict.PROVED


@pytest.mark.parametrize("cut", [c0, oo, u * c0, c0 / (2 * u)], ids=str)
def test_strips_between_lines_that_were_changed_are_not_believed(cut: Expr) -> None:
    held = steps(shared())[-3].after
    first, *others = held.cells
    strips = tuple(tuple(replace(strip, cut=cut) for strip in found) for found in first.strips1)
    assert with_held(shared(), cells=(replace(first, strips1=strips), *others)) < Verdict.PROVED


def test_the_losses_of_costs_with_a_part_in_common_are_their_integrals() -> None:
    assert cd.check(shared()).verdict is with_held(shared()) is Verdict.PROVED
    loss = cd.numeric.compile(shared().rule)
    for report in (0.2, 0.4):
        wanted = [_over_lost(error, (1 - report) / report - 1) for error in (_error0, _error1)]
        assert [loss.loss0(report), loss.loss1(report)] == pytest.approx(wanted, rel=1e-6)


def _over_lost(error: Any, ratio: float) -> float:
    """Integrate over what is lost; class 1 is missed where extra/lost is up to a ratio."""

    def weighted(lost: float) -> float:
        return float(np.exp(-(np.log(lost) ** 2) / 2) / (lost * np.sqrt(2 * np.pi))) * error(lost, ratio)

    return sum(quad(weighted, *ends)[0] for ends in ((1e-9, 1), (1, 30), (30, np.inf)))


def _error0(lost: float, ratio: float) -> float:
    return float(lost * np.exp(-ratio * lost))


def _error1(lost: float, ratio: float) -> float:
    return float(quad(lambda extra: (lost + extra) * np.exp(-extra), 0, ratio * lost)[0])


PARTS = {  # a cone with lines that do not meet the origin, a density that only one order integrates, a deductible
    "a constant beside a product": ("lost*margin + 1", "lost", {"lost": EXTRA, "margin": EXTRA}),
    "above a line": ("a + b", "2*b", {"a": LOST, "b": "weibull(2, 1)"}),
    "a constant beside a sum": ("a + b + 1", "3*b", {"a": "lomax(3, 1)", "b": EXTRA}),
}
DRAWN: dict[str, Any] = {
    EXTRA: lambda u: -np.log(u),
    LOST: lambda u: np.exp(norm.ppf(u)),
    "weibull(2, 1)": lambda u: np.sqrt(-np.log(u)),
    "lomax(3, 1)": lambda u: u ** (-1 / 3) - 1,
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_in_both_costs_give_single_integrals(name: str) -> None:
    first, second, laws = PARTS[name]
    derivation = cd.derive(cd.costs_of_parts(first, second, parts=laws))
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss, levels = cd.numeric.compile(derivation.rule), qmc.Sobol(2, seed=7).random_base2(18)
    drawn = {part: DRAWN[law](level) for (part, law), level in zip(laws.items(), levels.T, strict=True)}
    costs = [eval(cost, {}, drawn) for cost in (first, second)]
    for report in (0.3, 0.45, 0.7):
        decided = costs[0] * (1 - report) < costs[1] * report
        wanted = np.mean(costs[0] * decided), np.mean(costs[1] * ~decided)
        assert (loss.loss0(report), loss.loss1(report)) == pytest.approx(wanted, rel=5e-3, abs=1e-3)


def test_areas_are_all_costs_of_the_context() -> None:
    held = steps()[-3].after
    assert with_held(areas=(), margins0=(), margins1=()) < Verdict.PROVED
    assert (
        with_held(areas=held.areas * 2, margins0=held.margins0 * 2, margins1=held.margins1 * 2)
        < Verdict.PROVED
    )


def test_other_losses_are_not_those_of_the_strips() -> None:
    *before, add, conclude = steps()
    wrong = replace(add.after, worst0=add.after.worst0 + 1)
    assert judged((*before, replace(add, after=wrong), replace(conclude, before=wrong))) < Verdict.PROVED
    swapped = replace(add.after, loss0=add.after.loss1, loss1=add.after.loss0)
    assert judged((*before, replace(add, after=swapped), replace(conclude, before=swapped))) < Verdict.PROVED


def test_only_sums_over_strips_are_concluded_from() -> None:
    *before, hold, add, conclude = steps()
    jumped = Step(IntegrateByParts(), hold.before, add.after)
    assert judged((*before, jumped, conclude)) < Verdict.PROVED
    everywhere = replace(conclude.after, strict=((Rational(0), Rational(1, 2)),))
    assert judged((*before, hold, add, replace(conclude, after=everywhere))) < Verdict.PROVED


def test_a_certificate_holds_it() -> None:
    assert cd.Derivation.from_json(clayton().to_json()) == clayton()


def test_at_a_fixed_threshold_such_losses_are_improper() -> None:
    context = cd.Copula("frank", 2, c0=UNIT, c1=UNIT)
    found = cd.derive(context, threshold=cd.FixedThreshold("1/3"))
    assert found.witness is not None
    assert cd.check(found).verdict is Verdict.PROVED


CLOSED = {
    "inverse Gaussian beside exponential": (
        ("invgauss(2, 3)", "exponential(m)", {"m": "3/2"}),
        (lambda x: _inverse_gaussian(x, 2.0, 3.0), lambda y: np.exp(-y / 1.5) / 1.5, (0, 1, 5, 80), (0, 60)),
    ),
    "Weibull laws of one shape": (
        ("weibull(k, v)", "weibull(k, w)", {"k": "3/2", "v": 2, "w": 3}),
        (lambda x: _weibull(x, 1.5, 2.0), lambda y: _weibull(y, 1.5, 3.0), (0, 40), (0, 40)),
    ),
    "Weibull beside uniform": (
        ("weibull(k, 1)", "uniform(1, b)", {"k": "3/2", "b": 3}),
        (lambda x: _weibull(x, 1.5, 1.0), lambda y: 0.5, (0, 20), (1, 3)),
    ),
    "Lomax with letters beside uniform": (
        ("lomax(a, v)", "uniform(0, w)", {"a": "9/2", "v": 1, "w": 3}),
        (lambda x: 4.5 * (1 + x) ** -5.5, lambda y: 1 / 3, (0, 5, 200), (0, 3)),
    ),
    "Weibull of a root beside exponential": (
        ("weibull(1/2, v)", "exponential(3)", {"v": 2}),
        (lambda x: _weibull(x, 0.5, 2.0), lambda y: np.exp(-y / 3) / 3, (0, 1, 60, 2000), (0, 90)),
    ),
    "Beta laws with letters": (
        ("beta(a, 2)", "beta(2, b)", {"a": "3/2", "b": "5/2"}),
        (lambda x: 3.75 * x**0.5 * (1 - x), lambda y: 8.75 * y * (1 - y) ** 1.5, (0, 1), (0, 1)),
    ),
}


def _inverse_gaussian(x: float, mean: float, shape: float) -> float:
    if x == 0:
        return 0.0
    return float(np.sqrt(shape / (2 * np.pi * x**3)) * np.exp(-shape * (x - mean) ** 2 / (2 * mean**2 * x)))


def _weibull(x: float, k: float, v: float) -> float:
    return k / v * (x / v) ** (k - 1) * np.exp(-((x / v) ** k))


def _by_quadrature(density0: Any, density1: Any, ends0: Any, ends1: Any, report: float) -> list[float]:
    """Integrate each loss over the costs of its error, and within it over the other costs beyond the threshold."""
    odds = report / (1 - report)

    def loss(held: Any, other: Any, ends: Any, beyond: Any, ratio: float) -> float:
        low, high = beyond[0], beyond[-1]

        def integrand(x: float) -> float:
            return x * held(x) * quad(other, max(low, min(x / ratio, high)), high)[0]

        cuts = sorted({*ends, *(cut for cut in (low * ratio, high * ratio) if ends[0] < cut < ends[-1])})
        return sum(quad(integrand, *pair)[0] for pair in pairwise(cuts))

    return [loss(density0, density1, ends0, ends1, odds), loss(density1, density0, ends1, ends0, 1 / odds)]


@pytest.mark.parametrize("name", CLOSED)
def test_strips_that_can_be_integrated_give_closed_losses(name: str) -> None:
    (first, second, letters), oracle = CLOSED[name]
    derivation = cd.derive(cd.Independent(c0=first, c1=second))
    assert derivation.rule.closed_form
    assert cd.check(derivation).verdict is Verdict.PROVED
    rule = derivation.rule.at(**letters)
    for report in (0.3, 0.7):
        found = [float(loss.subs(p, report).evalf()) for loss in (rule.loss0, rule.loss1)]
        assert found == pytest.approx(_by_quadrature(*oracle, report), rel=1e-6)


@pytest.mark.parametrize("other", ["exponential(m)", "uniform(0, m)"])
def test_a_mean_that_letters_make_infinite_leaves_losses_that_are_finite(other: str) -> None:
    derivation = cd.derive(cd.Independent(c0="lomax(a, b)", c1=other))
    assert cd.check(derivation).verdict is Verdict.PROVED
    loss = cd.numeric.compile(derivation.rule.at(a="1/2", b=1, m=2))
    left = (lambda y: np.exp(-y / 2)) if "exp" in other else (lambda y: max(1 - y / 2, 0.0))
    wanted = quad(lambda x: x * 0.5 * (x + 1) ** -1.5 * left(x / 3), 0, 6 if "uni" in other else 400)[0]
    assert loss.loss0(0.75) == pytest.approx(wanted, rel=1e-7)
    assert loss.loss0(1.0) == np.inf


@pytest.mark.parametrize("law", ["lomax", "pareto", "loglogistic"])
def test_tails_are_known_to_be_light_enough_for_finite_losses(law: str) -> None:
    """``E[c0; c0 < u c1]`` of two Lomax costs is infinite for shapes whose sum is at most 1."""
    first, second = (
        f"{law}(1, {letter})" if law == "loglogistic" else f"{law}({letter}, 1)" for letter in "ab"
    )
    derivation = cd.derive(cd.Independent(c0=first, c1=second))
    shapes = [parameter(letter) for letter in "ab"]
    assert sum(shapes) - 1 in derivation.context.given().positive
    assert cd.check(derivation).verdict is Verdict.PROVED
    with pytest.raises(SpecError, match="no case of the rule admits that"):
        derivation.rule.at(a="1/4", b="1/2")
    forged = replace(derivation, cases=tuple(replace(case, given=Given()) for case in derivation.cases))
    assert cd.check(forged).verdict is not Verdict.PROVED
