"""Cost contexts of K classes against two classes, direct integration and simulation; mutants; errors."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import prod

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.multiclass import DirichletCosts, IndependentCosts, brier, derive, not_affine
from costderive.multiclass.letters import predicted
from costderive.proof.claims import Case, Verdict
from costderive.rules import Judgement

FORECASTS = {
    2: [("1/3", "2/3"), ("1/2", "1/2"), ("9/10", "1/10")],
    3: [("1/2", "1/3", "1/6"), ("1/7", "2/7", "4/7"), ("1/3", "1/3", "1/3")],
    4: [("1/10", "2/5", "3/10", "1/5"), ("1/4", "1/4", "1/4", "1/4")],
    5: [("1/15", "1/3", "1/5", "4/15", "2/15"), ("1/5", "1/5", "2/5", "1/10", "1/10")],
}
CASES = [(classes, forecast) for classes, found in FORECASTS.items() for forecast in found]
SEVERAL = [
    IndependentCosts(("uniform(0, 1)", "exponential(2)", 2)),
    IndependentCosts(("uniform(1, 2)", "uniform(1, 3)", "uniform(0, 2)")),
    IndependentCosts(("gamma(2, 1/2)", {1: "1/3", 4: "2/3"}, "triangular(0, 1, 2)")),
    DirichletCosts((2, 1, 3), budget=5),
]


def additive(forecast: tuple[str, ...], label: int) -> Fraction:
    """The loss for independent exponential costs of mean 1, by inclusion and exclusion."""
    values = [Fraction(value) for value in forecast]
    others = [j for j in range(len(values)) if j != label]
    subsets = chain.from_iterable(combinations(others, n) for n in range(len(values)))
    signed = ((-1) ** len(s) / sum((values[label] / values[j] for j in s), Fraction(1)) ** 2 for s in subsets)
    return 1 - sum(signed, Fraction(0))


def inverse(forecast: tuple[str, ...], label: int) -> Fraction:
    """``1/2 - integral of x prod min(1, p_i x/p_j)`` over (0, 1), slice by slice, in fractions."""
    values = [Fraction(value) for value in forecast]
    ratios = [values[label] / value for j, value in enumerate(values) if j != label]
    cuts = sorted({Fraction(0), Fraction(1), *[1 / ratio for ratio in ratios if ratio > 1]})
    total = Fraction(0)
    for low, high in pairwise(cuts):
        rising = [ratio for ratio in ratios if ratio * high <= 1]
        power = len(rising) + 2
        total += prod(rising) * (high**power - low**power) / power
    return Fraction(1, 2) - total


@pytest.mark.parametrize(("classes", "forecast"), CASES)
def test_the_additive_rule_is_the_sum_over_subsets(classes, forecast):
    found = derive(DirichletCosts((1,) * classes)).rule.at(forecast)
    assert [Fraction(str(loss)) for loss in found] == [additive(forecast, i) for i in range(classes)]


@pytest.mark.parametrize(("classes", "forecast"), CASES)
def test_the_inverse_score_is_its_integral(classes, forecast):
    found = derive(IndependentCosts(("uniform(0, 1)",) * classes)).rule.at(forecast)
    assert [Fraction(str(loss)) for loss in found] == [inverse(forecast, i) for i in range(classes)]


@pytest.mark.parametrize("context", [DirichletCosts((1,) * k) for k in (2, 3, 4, 5)])
def test_the_additive_rule_is_proved_strictly_proper(context):
    derivation = derive(context)
    assert derivation.verdict is Judgement.STRICTLY_PROPER
    cd.check(derivation).require_proved()


@pytest.mark.parametrize("classes", [2, 3, 4, 5])
def test_the_inverse_score_is_proved_strictly_proper_with_one_cell(classes):
    derivation = derive(IndependentCosts(("uniform(0, 1)",) * classes))
    assert derivation.verdict is Judgement.STRICTLY_PROPER and len(derivation.rule.cells) == 1
    cd.check(derivation).require_proved()


def drawn(context, draws):
    """Draw costs with NumPy's own generators, not with those of the laws."""
    rng = np.random.default_rng(7)
    if isinstance(context, DirichletCosts):
        shapes = [float(shape) for shape in context.shapes]
        gammas = rng.gamma(shapes, size=(draws, len(shapes)))
        return float(context.budget) * gammas / gammas.sum(axis=1, keepdims=True)
    columns = {
        0: (rng.random(draws), rng.exponential(2, draws), np.full(draws, 2.0)),
        1: (rng.uniform(1, 2, draws), rng.uniform(1, 3, draws), rng.uniform(0, 2, draws)),
        2: (
            rng.gamma(2, 0.5, draws),
            rng.choice([1.0, 4.0], draws, p=[1 / 3, 2 / 3]),
            rng.triangular(0, 1, 2, draws),
        ),
    }
    return np.stack(columns[SEVERAL.index(context)], axis=1)


@pytest.mark.parametrize("context", SEVERAL)
def test_losses_agree_with_simulated_decisions(context):
    costs = drawn(context, 400_000)
    rule = derive(context).rule
    for forecast in FORECASTS[context.classes]:
        numbers = np.array([float(Fraction(value)) for value in forecast])
        chosen = np.argmax(costs * numbers, axis=1)
        for label, loss in enumerate(rule.at(forecast)):
            paid = np.where(chosen == label, 0.0, costs[:, label])
            assert abs(paid.mean() - float(loss)) < 5 * paid.std() / np.sqrt(len(paid)) + 1e-12


@pytest.mark.parametrize("context", SEVERAL)
def test_contexts_with_several_laws_are_proved_proper(context):
    cd.check(derive(context)).require_proved()


@pytest.mark.parametrize("context", SEVERAL)
def test_contexts_sample_themselves(context):
    draws = context.sample(100_000, seed=1)
    expected = drawn(context, 100_000)
    error = 6 * expected.std(axis=0) / np.sqrt(len(draws))
    assert (abs(draws.mean(axis=0) - expected.mean(axis=0)) <= 2 * error + 1e-5).all()


PAIRS = [
    ("uniform(0, 1)", "uniform(0, 1)"),
    ("uniform(1, 2)", "uniform(1, 3)"),
    ("uniform(0, 2)", "exponential(1)"),
    ("gamma(3, 1/2)", "gamma(1, 2)"),
    (2, "uniform(1, 4)"),
    ({1: "1/2", 3: "1/2"}, {1: "1/4", 2: "3/4"}),
    (1, 3),
]


@pytest.mark.parametrize("laws", PAIRS)
def test_two_classes_are_the_binary_derivation(laws):
    binary = cd.derive(cd.Independent(*laws)).rule
    several = derive(IndependentCosts(laws)).rule
    for n in range(1, 24):
        p = sympy.Rational(n, 24)
        for ours, loss in zip(several.at((1 - p, p)), (binary.loss0, binary.loss1), strict=True):
            assert sympy.simplify(ours - loss.subs(cd.symbols.p, p)) == 0


def test_two_classes_with_any_bounds_have_the_strictness_of_the_binary_derivation():
    laws = ("uniform(a, b)", "uniform(d, e)")
    derivation = derive(IndependentCosts(laws))
    b_low, a_low = derivation.conclusion.strict
    a, b, d, e = sympy.symbols("a b d e", positive=True)
    q0, q1 = sympy.symbols("q0 q1", positive=True)
    assert (b_low, a_low) == (b * q0 - d * q1, e * q1 - a * q0)
    cd.check(derivation).require_proved()


def test_additive_costs_of_two_classes_are_the_brier_score():
    (cell,) = derive(DirichletCosts((1, 1))).rule.cells
    p = cd.symbols.p
    losses = [loss.subs({predicted(0): 1 - p, predicted(1): p}) for loss in cell.losses]
    assert [sympy.factor(loss) for loss in losses] == [p**2, (p - 1) ** 2]


@pytest.mark.parametrize("context", [DirichletCosts((1, 1, 1)), IndependentCosts(("uniform(0, 1)",) * 3)])
def test_each_loss_is_a_slope_of_the_entropy(context):
    for cell in derive(context).rule.cells:
        letters = [predicted(label) for label in range(3)]
        entropy = sum(p * loss for p, loss in zip(letters, cell.losses, strict=True))
        for p, loss in zip(letters, cell.losses, strict=True):
            assert sympy.cancel(sympy.together(sympy.diff(entropy, p) - loss)) == 0


def test_strictness_is_lost_where_a_class_is_never_chosen():
    derivation = derive(IndependentCosts(("uniform(1, 2)", "uniform(1, 3)", "uniform(0, 2)")))
    assert derivation.verdict is Judgement.PROPER
    values = {sympy.Symbol(f"q{n}", positive=True): q for n, q in enumerate(map(sympy.Rational, (7, 1, 2)))}
    assert any(fact.subs(values) <= 0 for fact in derivation.conclusion.strict)
    belief, report = ("7/10", "1/10", "2/10"), ("14/19", "1/19", "4/19")
    assert derivation.rule.at(belief) == derivation.rule.at(report)


def multiclass_brier(forecast: tuple[Fraction, ...], label: int) -> Fraction:
    return sum((x * x for x in forecast), Fraction(1)) - 2 * forecast[label]


@pytest.mark.parametrize("classes", [3, 4])
def test_the_additive_rule_of_three_or_more_classes_is_no_affine_change_of_the_brier_score(classes):
    derivation = not_affine(derive(DirichletCosts((1,) * classes)), brier())
    cd.check(derivation).require_proved()
    found = derivation.conclusion
    three = [tuple(Fraction(str(x)) for x in forecast) for forecast in found.forecasts]
    here = [additive(forecast, found.label) for forecast in three]
    there = [multiclass_brier(forecast, found.label) for forecast in three]
    slopes = [(here[n] - here[0]) * (there[3 - n] - there[0]) for n in (1, 2)]
    assert slopes[0] != slopes[1]


def test_two_classes_are_an_affine_change_of_the_brier_score():
    with pytest.raises(SpecError, match="It may be one"):
        not_affine(derive(DirichletCosts((1, 1))), brier())


def test_the_additive_rule_tends_to_that_of_fewer_classes_as_a_probability_vanishes():
    rest = Fraction(1, 10**9)
    forecast = tuple(str(Fraction(n, 6) * (1 - rest)) for n in (1, 2, 3))
    more = derive(DirichletCosts((1,) * 4)).rule.at((*forecast, str(rest)))
    fewer = derive(DirichletCosts((1,) * 3)).rule.at(("1/6", "1/3", "1/2"))
    assert all(abs(a - b) < 1e-8 for a, b in zip(more, fewer, strict=False))


@pytest.mark.parametrize("change", [{"label": 7}, {"losses_here": (1, 2, 4)}, {"forecasts": ()}])
def test_no_falsified_witness_against_affinity_passes(change):
    derivation = not_affine(derive(DirichletCosts((1, 1, 1))), brier())
    (case,) = derivation.cases
    exact = {key: tuple(map(sympy.Integer, v)) if isinstance(v, tuple) else v for key, v in change.items()}
    wrong = replace(case.steps[-1], after=replace(case.steps[-1].after, **exact))
    altered = replace(derivation, cases=(Case(case.given, (*case.steps[:-1], wrong)),))
    assert cd.check(altered).verdict is not Verdict.PROVED


@pytest.mark.parametrize(
    "context", [lambda k: DirichletCosts((1,) * k), lambda k: IndependentCosts(("uniform(0, 2)",) * k)]
)
def test_a_probability_0_leaves_the_rule_of_the_other_classes(context):
    losses = derive(context(4)).rule.at(("0", "1/3", "2/3", "0"))
    assert losses[1:3] == derive(context(2)).rule.at(("1/3", "2/3")) and losses[0] == losses[3] == 1
    assert derive(context(3)).rule.at((0, 0, 1)) == (1, 1, 0)


# ---- mutants


def falsified(derivation):
    """Yield derivations with one thing wrong."""
    (case,) = derivation.cases
    found, split, integrated, proper = case.steps

    def with_steps(*changed):
        steps = tuple({step.move: step for step in (*case.steps, *changed)}.values())
        return replace(derivation, cases=(Case(case.given, steps),))

    yield "factor", with_steps(replace(found, after=replace(found.after, factor=sympy.Integer(2))))
    for name, change in (
        ("cdfs", lambda v: (*v[:-1], v[-1] / 2)),
        ("densities", lambda v: (v[0] * 2, *v[1:])),
        ("moments", lambda v: (v[0] + 1, *v[1:])),
        ("mean", lambda v: v + 1),
    ):
        first = found.after.of_class[0]
        wrong = replace(first, **{name: change(getattr(first, name))})
        yield (
            name,
            with_steps(
                replace(found, after=replace(found.after, of_class=(wrong, *found.after.of_class[1:])))
            ),
        )
    yield "no cells", with_steps(replace(split, after=replace(split.after, cells=())))
    cell = split.after.cells[0]
    part = cell.losses[0].slices[0]
    for name, value in (("integrand", part.integrand * 2), ("regions", (9,) * 9), ("low", part.low + 1)):
        slices = (replace(part, **{name: value}), *cell.losses[0].slices[1:])
        losses = (replace(cell.losses[0], slices=slices), *cell.losses[1:])
        wrong = (replace(cell, losses=losses), *split.after.cells[1:])
        yield f"slice {name}", with_steps(replace(split, after=replace(split.after, cells=wrong)))
    last = integrated.after.cells[0]
    for name, losses in (("scaled", (last.losses[0] * 2, *last.losses[1:])), ("swapped", last.losses[::-1])):
        wrong = (replace(last, losses=losses), *integrated.after.cells[1:])
        after = replace(integrated.after, cells=wrong)
        final = replace(proper, before=after, after=replace(proper.after, losses=after))
        yield f"losses {name}", with_steps(replace(integrated, after=after), final)
    facts = None if proper.after.strict is not None else ()
    yield "strict", with_steps(replace(proper, after=replace(proper.after, strict=facts)))


@pytest.mark.parametrize(
    "context",
    [DirichletCosts((1, 2, 1)), IndependentCosts(("uniform(0, 1)", "uniform(1, 2)", "exponential(1)"))],
)
def test_no_falsified_derivation_passes(context):
    derivation = derive(context)
    for name, wrong in falsified(derivation):
        assert wrong != derivation, name
        assert cd.check(wrong).verdict is not Verdict.PROVED, name


# ---- errors


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: IndependentCosts((1,)), "fewer than two"),
        (lambda: IndependentCosts("uniform(0, 1)"), "one for each class"),
        (lambda: IndependentCosts(("uniform(0, p1)", 1)), "a letter of the package"),
        (lambda: IndependentCosts((1, -1)), r"costs\[1\] = -1"),
        (lambda: DirichletCosts((1, "1/2")), r"shapes\[1\] = 1/2"),
        (lambda: DirichletCosts((1, 1), budget=0), "budget = 0"),
        (lambda: DirichletCosts((1, 1), budget="x"), "a parameter x"),
        (lambda: derive(cd.Additive()), "several classes"),
        (lambda: derive(DirichletCosts((1, 1))).rule.at((-1, 2)), r"forecast\[0\] = -1"),
        (lambda: derive(DirichletCosts((1, 1))).rule.at(("1/3", "1/3")), "adds up to 2/3"),
    ],
)
def test_what_is_no_context_or_forecast_is_refused(build, words):
    with pytest.raises(SpecError, match=words):
        build()


def test_letters_stop_numbers():
    context = IndependentCosts(("uniform(0, b)", 1))
    with pytest.raises(ParametersLeftError, match="b has no value"):
        context.sample(3)
    with pytest.raises(ParametersLeftError, match="letters"):
        derive(context).rule.at(("1/2", "1/2"))
    with pytest.raises(DataError, match="draws = -1"):
        DirichletCosts((1, 1)).sample(-1)
