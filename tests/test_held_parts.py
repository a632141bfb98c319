"""Costs made of parts without a closed law: one part is held, its rule proved, and mutants refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import quad
from scipy.stats import expon, gamma, lognorm, triang, weibull_min
from sympy import Integral, Rational, S, Symbol, oo

import costderive as cd
from costderive.core.errors import SpecError
from costderive.core.piecewise import Atom, Sign
from costderive.core.symbols import p
from costderive.costs.contexts import HeldPart
from costderive.costs.laws import x
from costderive.costs.thresholds import Calibrated
from costderive.derivation.derive import _over_part, _walk
from costderive.derivation.moves import ActAsBayes, AddPartStrips, TakeMeanOverPart, WeighBySlope
from costderive.numeric.compiling import functions
from costderive.proof.claims import Case, Step, Verdict

LOG_NORMAL, EXPONENTIAL = "lognormal(2, 1)", "exponential(10)"


@cache
def beside_known() -> Any:
    """The sum of a log-normal and an exponential part beside a known cost."""
    parts = {"lost": LOG_NORMAL, "fee": EXPONENTIAL}
    return cd.derive(cd.costs_of_parts("lost + fee", 40, parts=parts), time_limit=300)


@cache
def beside_random() -> Any:
    """A sum of two parts beside an exponential cost, where the mean over a part is closed."""
    parts = {"a": "weibull(2, 1)", "b": "gamma(3/2, 1)", "other": "exponential(1)"}
    return cd.derive(cd.costs_of_parts("a + b", "other", parts=parts), time_limit=300)


def test_losses_are_single_integrals_and_proved() -> None:
    moves = [TakeMeanOverPart, AddPartStrips, ActAsBayes]
    assert [type(step.move) for step in beside_known().steps[-3:]] == moves
    assert cd.check(beside_known()).verdict is Verdict.PROVED
    values = [piece.value for piece in beside_known().outcome[0][1].loss0]
    nodes = [node for value in values for node in value.atoms(Integral)]
    assert nodes and not any(node.function.has(Integral) for node in nodes)


def test_a_mean_over_a_part_may_be_closed() -> None:
    assert cd.check(beside_random()).verdict is Verdict.PROVED
    (_, found), *_ = beside_random().outcome
    assert not any(piece.value.has(Integral) for loss in (found.loss0, found.loss1) for piece in loss)


@pytest.mark.parametrize("at", [0.02, 0.15, 0.4, 0.9])
def test_losses_beside_a_known_cost_are_its_expected_costs(at: float) -> None:
    """``L0(p) = E[c0; c0 < u k]`` and ``L1(p) = k P(c0 >= u k)``, by integrals over the other part than was held."""
    cut, law = 40 * at / (1 - at), lognorm(1, scale=np.exp(2))
    below = quad(lambda y: expon(scale=10).pdf(y) * law.cdf(cut - y), 0, cut)[0]
    mean = quad(lambda z: quad(lambda y: expon(scale=10).pdf(y) * law.cdf(z - y), 0, z)[0], 0, cut)[0]
    compiled = cd.numeric.compile(beside_known().rule)
    assert compiled.loss1(at) == pytest.approx(40 * (1 - below), rel=1e-7)
    assert compiled.loss0(at) == pytest.approx(cut * below - mean, rel=1e-5)


@pytest.mark.parametrize("at", [0.1, 0.5, 0.8])
def test_losses_beside_a_random_cost_are_its_expected_costs(at: float) -> None:
    ratio, first, second = at / (1 - at), weibull_min(2), gamma(1.5)

    def density(z: float) -> float:
        return quad(lambda y: first.pdf(y) * second.pdf(z - y), 0, z)[0]

    missed = quad(lambda z: z * density(z) * np.exp(-z / ratio), 0, 30)[0]
    compiled = cd.numeric.compile(beside_random().rule)
    assert compiled.loss0(at) == pytest.approx(missed, rel=1e-6)


PROVED = {
    "a sum that the costs do not determine": ("a*b", "a + b", {"a": "uniform(0, 1)", "b": "uniform(0, 1)"}),
    "a factor that may be negative": ("(a - 1)*b + 9", "1", {"a": "uniform(0, 1)", "b": "uniform(1, 2)"}),
    "a difference below no bound": (
        "max(a - b, d)", "1", {"a": "exponential(1)", "b": "exponential(1)", "d": "uniform(0, 1)"}),
    "a power of two parts": ("1", "a^b", {"a": "uniform(0, 1)", "b": "uniform(0, 1)"}),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_what_no_law_of_the_whole_is_read_from_is_proved_and_as_drawn(name: str) -> None:
    """The draws are of NumPy's, and know nothing of the part that is held."""
    first, second, parts = PROVED[name]
    found = cd.derive(cd.costs_of_parts(first, second, parts=parts), time_limit=300)
    assert cd.check(found).verdict is Verdict.PROVED
    generator = np.random.default_rng(11)
    laws = {"uniform(0, 1)": (0, 1), "uniform(1, 2)": (1, 2)}
    drawn = {
        letter: generator.uniform(*laws[law], 400_000) if law in laws else generator.exponential(1, 400_000)
        for letter, law in parts.items()
    }
    cost0, cost1 = (
        np.broadcast_to(
            sympy.lambdify(sorted(drawn), sympy.sympify(text.replace("^", "**").replace("max", "Max")))(
                *(drawn[letter] for letter in sorted(drawn))
            ),
            400_000,
        )
        for text in (first, second)
    )
    share, (_, losses) = cost0 / (cost0 + cost1), found.outcome[0]
    for at in np.quantile(share, [0.1, 0.4, 0.8]):
        for values, loss in (
            (np.where(share < at, cost0, 0), losses.loss0),
            (np.where(share >= at, cost1, 0), losses.loss1),
        ):
            exact = loss.piece_at(Rational(float(at))).value.subs(p, Rational(float(at))).evalf(8)
            assert abs(float(exact) - values.mean()) < 5 * values.std() / np.sqrt(len(values)) + 1e-6


def test_costs_are_drawn_from_the_parts() -> None:
    first, second = beside_known().context.sample(200_000, seed=1)
    assert first.mean() == pytest.approx(10 + np.exp(2.5), rel=0.02)
    assert (second == 40).all()


def test_parts_are_no_parameters() -> None:
    costs = cd.costs_of_parts("a + b", "k", parts={"a": "lognormal(m, v)", "b": "exponential(r)"})
    assert isinstance(costs, HeldPart)
    assert [letter.name for letter in costs.parameters] == ["k", "m", "r", "v"]
    assert [letter.name for letter in costs.at(k=3, m=1).parameters] == ["r", "v"]


def test_another_threshold_is_refused() -> None:
    for threshold in ("1/2", "beta(2, 3)", "s^2"):
        with pytest.raises(SpecError, match="has losses that are means over its part lost"):
            cd.derive(beside_known().context, threshold=threshold)


def test_no_other_costs_are_made_of_those_at_a_value() -> None:
    context = beside_known().context
    refused = pytest.raises(SpecError, match="of which no other context is made")
    with refused:
        cd.Mixture(("1/2", cd.FixedCosts(1, 2)), ("1/2", context))
    with refused:
        cd.CommonFactor("uniform(1, 2)", context)
    with refused:
        replace(context, context=context)


def test_costs_at_a_value_within_others_are_not_believed() -> None:
    """As in an object that was made past its checks: at a letter for the part, not over its law."""
    (case,) = beside_known().cases
    *inner, _, _, _ = case.steps
    mixture = cd.Mixture(("1/2", cd.FixedCosts(1, 2)), ("1/2", cd.FixedCosts(2, 1)))
    object.__setattr__(mixture, "parts", ((S.One, beside_known().context),))
    concluded = Step.make(ActAsBayes(), inner[-1].after, case.given)
    steps = (replace(inner[0], before=mixture), *inner[1:], concluded)
    forged = replace(beside_known(), context=mixture, cases=(replace(case, steps=steps),))
    report = cd.check(forged)
    assert "costs at each value of a part, within others, have a law" in [
        f.claim.what for f in report.findings if f.verdict < Verdict.PROVED
    ]


def test_parts_that_depend_on_each_other_are_refused() -> None:
    context = beside_known().context
    parts = tuple((letter, cd.laws.exponential("fee")) for letter, _ in context.parts)
    with pytest.raises(SpecError, match="parts depend on each other"):
        replace(context, parts=parts)


def test_a_part_with_values_of_their_own_is_not_held() -> None:
    context = beside_known().context
    parts = tuple((letter, cd.laws.known(1)) for letter, _ in context.parts)
    with pytest.raises(SpecError, match="has no law with densities"):
        replace(context, parts=parts)


def below_1(law: cd.laws.Law) -> HeldPart:
    """Return costs of which one is between the part and 1: they ask that the part is below 1."""
    held, other = Symbol("h", positive=True), Symbol("b", positive=True)
    parts = ((held, law), (other, cd.laws.uniform(0, 1)))
    return HeldPart((held + other, S(3)), parts, held, cd.Independent(cd.laws.uniform("h", 1), 3))


def test_what_the_costs_ask_of_the_part_holds_at_all_its_values() -> None:
    with pytest.raises(SpecError, match="asks that 1 - h is positive"):
        below_1(cd.laws.exponential(1))
    bounded = below_1(cd.laws.uniform(0, 1))
    assert cd.check(cd.derive(bounded)).verdict is Verdict.PROVED
    forged = below_1(cd.laws.uniform(0, 1))
    object.__setattr__(forged, "parts", ((forged.held, cd.laws.exponential(1)), *forged.parts[1:]))
    *_, steps = _over_part(forged, _walk(Calibrated(), 60.0), forged.given())
    found = replace(cd.derive(bounded), context=forged, cases=(Case(forged.given(), steps),))
    assert cd.check(found).verdict < Verdict.PROVED


# ---- mutants


def judged(mean: Any, move: Any = None, context: Any = None, **changes: Any) -> Verdict:
    """Go on from what a step may have left as the moves do, or with the losses that are given."""
    found = beside_known()
    (case,) = found.cases
    *before, take, _, _ = case.steps
    take = replace(take, after=mean, move=move or take.move)
    added = Step.make(AddPartStrips(), mean, case.given)
    added = replace(added, after=replace(added.after, **changes))
    concluded = Step.make(ActAsBayes(), added.after, case.given)
    steps = (*before, take, added, concluded)
    changed = replace(found, cases=(replace(case, steps=steps),))
    return cd.check(changed if context is None else replace(changed, context=context)).verdict


def mean() -> Any:
    return beside_known().steps[-3].after


def cells(change: Any) -> Any:
    first, *others = mean().cells
    return replace(mean(), cells=(replace(first, strips=tuple(change(list(first.strips)))), *others))


def strip(number: int, **changes: Any) -> Any:
    return cells(lambda strips: [replace(y, **changes) if n == number else y for n, y in enumerate(strips)])


def longer(strips: list[Any]) -> list[Any]:
    low, high = (y.over for y in strips)
    at = 2 * low.high
    return [replace(strips[0], over=replace(low, high=at)), replace(strips[1], over=replace(high, low=at))]


def through_the_part(strips: list[Any]) -> list[Any]:
    low, high = (y.over for y in strips)
    return [
        replace(strips[0], over=replace(low, high=x + 1)),
        replace(strips[1], over=replace(high, low=x + 1)),
    ]


MUTANTS: Mapping[str, Any] = {
    "another density": lambda: replace(
        mean(), part=(replace(mean().part[0], density=2 * mean().part[0].density),)
    ),
    "a strip less": lambda: cells(lambda strips: strips[:1]),
    "strips in another order": lambda: cells(lambda strips: strips[::-1]),
    "a strip that is longer": lambda: cells(longer),
    "an end that is the part itself": lambda: cells(through_the_part),
    "another piece": lambda: strip(0, piece=0),
    "a piece that there is not": lambda: strip(0, piece=7),
    "another loss": lambda: strip(0, losses=(S.One, mean().cells[0].strips[0].losses[1])),
    "another mean": lambda: replace(mean(), mean0=(replace(mean().mean0[0], at_high=S(5)),)),
    "the weight of one value": lambda: replace(mean(), weight=mean().losses.weight),
    "a weight that is zero": lambda: replace(mean(), weight=replace(mean().weight, signs=(Sign.ZERO,))),
    "no sign": lambda: replace(mean(), weight=replace(mean().weight, signs=())),
    "losses at another value": lambda: replace(
        mean(), losses=mean().losses.map(lambda value: value.xreplace({x: 2 * x}))
    ),
}


def test_what_stays_the_same_is_proved() -> None:
    assert judged(mean()) is Verdict.PROVED
    assert judged_of_two(of_two()) is Verdict.PROVED


# ---- a part with a density in two pieces


@cache
def piecewise() -> Any:
    """The sum of an exponential and a triangular part, which is held, beside a known cost."""
    held, other = Symbol("h", positive=True), Symbol("b", positive=True)
    parts = ((held, cd.laws.triangular(1, 2, 4)), (other, cd.laws.exponential(1)))
    inner = cd.Independent(cd.costs_of_parts("h + b", 1, parts={"b": "exponential(1)"}).c0, 3)
    return cd.derive(HeldPart((held + other, S(3)), parts, held, inner))


def mean_of_two() -> int:
    return next(n for n, step in enumerate(piecewise().steps) if isinstance(step.move, TakeMeanOverPart))


def of_two() -> Any:
    return piecewise().steps[mean_of_two()].after


def judged_of_two(mean: Any) -> Verdict:
    found = piecewise()
    (case,) = found.cases
    *before, take = case.steps[: mean_of_two() + 1]
    added = Step.make(AddPartStrips(), mean, case.given)
    concluded = Step.make(ActAsBayes(), added.after, case.given)
    steps = (*before, replace(take, after=mean), added, concluded)
    return cd.check(replace(found, cases=(replace(case, steps=steps),))).verdict


def each_strip(change: Any) -> Any:
    mean = of_two()
    cells = (replace(cell, strips=tuple(change(list(cell.strips)))) for cell in mean.cells)
    return replace(mean, cells=tuple(cells))


TWO_DENSITIES: Mapping[str, Any] = {
    "a density less": lambda: replace(of_two(), part=of_two().part[:1]),
    "the densities in another order": lambda: replace(of_two(), part=of_two().part[::-1]),
    "strips of one density": lambda: each_strip(lambda strips: [y for y in strips if y.density == 0]),
    "the density of the others": lambda: each_strip(
        lambda strips: [replace(y, density=1 - y.density) for y in strips]
    ),
    "one density for all": lambda: each_strip(lambda strips: [replace(y, density=0) for y in strips]),
    "a density that there is not": lambda: each_strip(
        lambda strips: [*strips, replace(strips[-1], density=2)]
    ),
    "a density from the end": lambda: each_strip(
        lambda strips: [replace(y, density=y.density - 2) for y in strips]
    ),
    "a strip twice": lambda: each_strip(lambda strips: [strips[0], *strips]),
    "a mean less": lambda: replace(of_two(), mean1=of_two().mean1[:1]),
    "the means in another order": lambda: replace(of_two(), mean0=of_two().mean0[::-1]),
}


@pytest.mark.parametrize("name", TWO_DENSITIES)
def test_what_was_changed_in_one_of_two_densities_is_not_believed(name: str) -> None:
    try:
        verdict = judged_of_two(TWO_DENSITIES[name]())
    except (IndexError, ValueError):  # what no move can go on from
        return
    assert verdict < Verdict.PROVED


def reweighed(**changes: Any) -> Verdict:
    """Give the step to a closed weight another result."""
    found = piecewise()
    (case,) = found.cases
    *before, weigh, _ = case.steps
    weigh = replace(weigh, after=replace(weigh.after, **changes))
    concluded = Step.make(ActAsBayes(), weigh.after, case.given)
    return cd.check(replace(found, cases=(replace(case, steps=(*before, weigh, concluded)),))).verdict


def test_closed_losses_have_a_closed_weight() -> None:
    assert isinstance(piecewise().steps[-2].move, WeighBySlope)
    losses = piecewise().steps[-2].after
    assert not any(piece.value.has(Integral) for piece in losses.weight.density)
    assert reweighed() is Verdict.PROVED
    weight = losses.weight
    for other in (
        replace(weight, density=weight.density.map(lambda value: 2 * value)),
        replace(weight, density=weight.density.map(lambda value: value + 1)),
        replace(weight, signs=tuple(reversed(weight.signs))),
        replace(weight, atoms=(Atom(Rational(1, 2), S.One),)),
        piecewise().steps[-3].before.losses.weight,
    ):
        assert reweighed(weight=other) < Verdict.PROVED
    assert reweighed(loss1=losses.loss1.map(lambda value: value / 2)) < Verdict.PROVED
    assert reweighed(worst0=losses.worst0 / 2) < Verdict.PROVED


def test_a_weight_by_a_slope_is_no_conclusion_from_any_losses() -> None:
    found = piecewise()
    (case,) = found.cases
    at_a_value = next(n for n, step in enumerate(case.steps) if isinstance(step.move, TakeMeanOverPart))
    weighed = Step.make(WeighBySlope(0), case.steps[at_a_value].before, case.given)
    concluded = Step.make(ActAsBayes(), weighed.after, case.given)
    steps = (*case.steps[:at_a_value], weighed, concluded)
    assert cd.check(replace(found, cases=(replace(case, steps=steps),))).verdict < Verdict.PROVED


@pytest.mark.parametrize("at", [0.3, 0.45, 0.6])
def test_losses_with_two_densities_are_expected_costs(at: float) -> None:
    """By integrals over the part that is held, of what an exponential part adds below a cut."""
    cut, law = 3 * at / (1 - at), triang(1 / 3, 1, 3)

    def over_part(expected: Any) -> float:
        marks = [1, min(2, cut), min(4, cut)]
        return sum(quad(lambda h: law.pdf(h) * expected(h, cut - h), *ends)[0] for ends in pairwise(marks))

    mean = over_part(lambda h, room: h * -np.expm1(-room) + 1 - (1 + room) * np.exp(-room))
    below = over_part(lambda h, room: -np.expm1(-room))
    compiled = cd.numeric.compile(piecewise().rule)
    assert compiled.loss0(at) == pytest.approx(mean, rel=1e-6)
    assert compiled.loss1(at) == pytest.approx(3 * (1 - below), rel=1e-6)


@pytest.mark.parametrize("other", ["3", "exponential(1)"])
def test_a_sum_whose_density_is_not_seen_to_be_positive_is_a_mean_over_a_part(other: str) -> None:
    parts = {"a": "lognormal(0, 1)", "b": "triangular(1, 3, 5)", "c": other}
    costs = cd.costs_of_parts("a + b", "c", parts=parts)
    assert isinstance(costs, HeldPart)
    assert cd.check(cd.derive(costs)).verdict is Verdict.PROVED


def test_densities_that_do_not_follow_one_another_are_not_believed() -> None:
    forged = replace(piecewise().context)
    parts = ((forged.held, cd.laws.Law(forged.spreads[::-1])), *forged.parts[1:])
    with pytest.raises(SpecError, match="has no law with densities, in their order"):
        replace(forged, parts=parts)
    object.__setattr__(forged, "parts", parts)
    *_, steps = _over_part(forged, _walk(Calibrated(), 60.0), piecewise().context.given())
    found = replace(piecewise(), context=forged, cases=(Case(piecewise().context.given(), steps),))
    assert cd.check(found).verdict < Verdict.PROVED


@pytest.mark.parametrize("name", MUTANTS)
def test_what_was_changed_is_not_believed(name: str) -> None:
    try:
        verdict = judged(MUTANTS[name]())
    except (IndexError, ValueError):  # what no move can go on from
        return
    assert verdict < Verdict.PROVED


def test_a_mean_over_another_part_is_not_believed() -> None:
    held = Symbol("fee", positive=True)
    assert judged(mean(), move=replace(beside_known().steps[-3].move, held=held)) < Verdict.PROVED


def test_the_part_of_the_context_is_the_one_that_counts() -> None:
    context = beside_known().context
    other = replace(context, parts=((context.held, cd.laws.lognormal(0, 1)), *context.parts[1:]))
    assert judged(mean(), context=other) < Verdict.PROVED


def test_a_case_that_depends_on_the_part_is_not_believed() -> None:
    found = beside_known()
    (case,) = found.cases
    held = found.context.held
    sides = [case.given.also(nonnegative=(side,)) for side in (held - 1, 1 - held)]
    assert (
        cd.check(replace(found, cases=tuple(replace(case, given=side) for side in sides))).verdict
        < Verdict.PROVED
    )


def test_losses_at_a_value_are_not_the_rule() -> None:
    found = beside_known()
    (case,) = found.cases
    *inner, _, _, _ = case.steps
    concluded = Step.make(ActAsBayes(), inner[-1].after, case.given)
    assert (
        cd.check(replace(found, cases=(replace(case, steps=(*inner, concluded)),))).verdict < Verdict.PROVED
    )


def test_larger_losses_are_not_believed() -> None:
    losses = beside_known().steps[-2].after
    assert judged(mean(), loss0=losses.loss0.map(lambda value: 2 * value)) < Verdict.PROVED
    assert judged(mean(), worst0=Rational(1)) < Verdict.PROVED
    assert losses.worst0 is not oo


def test_there_is_no_second_way_to_a_mean_over_a_part() -> None:
    with pytest.raises(SpecError, match="no second way"):
        cd.cross_check(beside_random())


def test_a_certificate_holds_it() -> None:
    assert cd.Derivation.from_json(beside_known().to_json()) == beside_known()


def test_an_article_states_the_losses_at_a_value_and_the_mean() -> None:
    text = cd.export.latex(beside_known())
    assert "At a value of the part." in text
    assert "The mean over the part." in text


@pytest.mark.parametrize("at", [1e-3, 0.2, 0.7, 1 - 2.0**-20])
def test_exponentials_that_cancel_at_values_of_a_part_are_compiled(at: float) -> None:
    """``L0(p) = E[a b exp(-a b/u)]`` and ``L1(p) = E[1 - (1 + a b/u) exp(-a b/u)]``, by integrals over both parts."""
    logs, log_weights = _by_gauss(np.arange(-9.0, 14))
    shares, share_weights = _by_gauss(np.append(0, 2.0 ** np.arange(-16, 1)))
    normal = log_weights * np.exp(-(logs**2) / 2) / np.sqrt(2 * np.pi)
    laws = np.outer(normal, share_weights * 6 * shares * (1 - shares))
    cost, odds = np.outer(np.exp(logs), shares), at / (1 - at)
    compiled = cd.numeric.compile(_products())
    assert compiled.loss0(at) == pytest.approx(float(np.sum(laws * cost * np.exp(-cost / odds))), rel=1e-12)
    wanted = float(np.sum(laws * gamma(2).cdf(cost / odds)))
    assert compiled.loss1(at) == pytest.approx(wanted, rel=1e-12)


def _by_gauss(edges: Any) -> tuple[Any, Any]:
    """Return the points and weights of Gauss's rule between some edges."""
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return (middle + half * nodes).ravel(), (half * weights).ravel()


def test_tables_of_what_cancels_state_little() -> None:
    for order in (0, 1, 2):
        for function in functions(_products(), order):
            assert max(segment.part.ulps or 0 for segment in function.segments) < 10


@cache
def _products() -> cd.rule.ScoringRule:
    parts = {"a": "lognormal(0, 1)", "b": "beta(2, 2)", "c": "exponential(1)"}
    return cd.derive(cd.costs_of_parts("a*b", "c", parts=parts), time_limit=300).rule


def test_a_long_weight_is_written_by_the_slope_of_a_loss() -> None:
    parts = {"a": "triangular(0, 1, 2)", "b": "weibull(3/2, 1)"}
    article = cd.export.latex(cd.derive(cd.costs_of_parts("a + b", "7", parts=parts)))
    assert "\n\\omega(s) = -L_1'(s)/(1 - s)" in article
    assert "(9 s - 2)^{3/2}" not in article
