"""Contexts beyond the named ones: their losses are E[c0; t < p] and E[c1; t >= p], by direct integration."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from sympy import stats

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import DataError, SpecError
from costderive.core.expressions import parse
from costderive.core.symbols import c0, c1, p, parameter, s
from costderive.costs import laws
from costderive.derivation.moves import ChangeOfVariables
from costderive.proof.checker import decide
from costderive.proof.claims import Verdict
from costderive.vocabularies.two_classes import TWO_CLASSES

REPORTS = ("1/10", "3/10", "2/5", "11/20", "7/10", "9/10")
LOGNORMAL = "exp(-(log(c0)^2 - log(c0)*log(c1) + log(c1)^2)/(2*3/4))/(2*pi*sqrt(3/4)*c0*c1)"


@dataclass(frozen=True)
class Path:
    """One uncertain number with its density, and the costs that follow from it; kinks split the quadrature."""

    build: Callable[[], Any]
    density: Callable[[Any], Any]
    costs: Callable[[Any], tuple[Any, Any]]
    ends: tuple[Any, ...]


def harmonic(budget: float, cost: Any) -> Any:
    return 1 / (1 / mpmath.mpf(budget) - 1 / cost)


# Each truth is written from the definition of the context: a density of one number, and two costs.
PATHS = {
    "H-measure": Path(
        lambda: cd.Additive(density="beta(2, 2)"),
        lambda s: 6 * s * (1 - s),
        lambda s: (2 * s, 2 * (1 - s)),
        (0, 1),
    ),
    "bounded Brier": Path(
        lambda: cd.Additive(2, "uniform(1/5, 3/5)"), lambda s: 2.5, lambda s: (2 * s, 2 * (1 - s)), (0.2, 0.6)
    ),
    "bounded log loss": Path(
        lambda: cd.Harmonic(1, density="uniform(1/5, 3/5)"),
        lambda s: 2.5,
        lambda s: (1 / (1 - s), 1 / s),
        (0.2, 0.6),
    ),
    "arcsine": Path(
        lambda: cd.Additive(density=stats.Arcsin("S", 0, 1)),
        lambda s: 1 / (mpmath.pi * mpmath.sqrt(s * (1 - s))),
        lambda s: (2 * s, 2 * (1 - s)),
        (0, 0.5, 1),
    ),
    "Kumaraswamy": Path(
        lambda: cd.Additive(density=stats.Kumaraswamy("S", 2, 3)),
        lambda s: 6 * s * (1 - s**2) ** 2,
        lambda s: (2 * s, 2 * (1 - s)),
        (0, 1),
    ),
    "maximum with Beta": Path(
        lambda: cd.PowerMean("oo", density="6*s*(1 - s)"),
        lambda s: 6 * s * (1 - s),
        lambda s: (s / max(s, 1 - s), (1 - s) / max(s, 1 - s)),
        (0, 0.5, 1),
    ),
    "harmonic, c0 uniform": Path(
        lambda: cd.Harmonic("1/2", c0="uniform(3/4, 3)"),
        lambda c: mpmath.mpf(4) / 9,
        lambda c: (c, harmonic(0.5, c)),
        (0.75, 3),
    ),
    "harmonic, c1 uniform": Path(
        lambda: cd.Harmonic("1/2", fn="uniform(3/4, 3)"),
        lambda c: mpmath.mpf(4) / 9,
        lambda c: (harmonic(0.5, c), c),
        (0.75, 3),
    ),
    "geometric, c0 uniform": Path(
        lambda: cd.Geometric(c0="uniform(1/2, 2)"),
        lambda c: mpmath.mpf(2) / 3,
        lambda c: (c, 1 / c),
        (0.5, 2),
    ),
    "Euclidean, c0 uniform": Path(
        lambda: cd.PowerMean(2, c0="uniform(0, 1)"),
        lambda c: 1,
        lambda c: (c, mpmath.sqrt(2 - c * c)),
        (0, 1),
    ),
    "minimum, c1 Pareto": Path(
        lambda: cd.PowerMean("-oo", c1="pareto(3, 1)"),
        lambda c: 3 / c**4,
        lambda c: (1, c),
        (1, 4, mpmath.inf),
    ),
    "random budget": Path(
        lambda: cd.Additive(budget="gamma(2, 3)"), lambda s: 1, lambda s: (6 * s, 6 * (1 - s)), (0, 1)
    ),
    "random mean": Path(
        lambda: cd.Geometric(mean="lognormal(0, 1)"),
        lambda s: 1,
        lambda s: (mpmath.exp(0.5) * mpmath.sqrt(s / (1 - s)), mpmath.exp(0.5) * mpmath.sqrt((1 - s) / s)),
        (0, 0.5, 1),
    ),
    "curve": Path(
        lambda: cd.Curve("x*(1 + x)", "(1 - x)*(1 + x)", density="2*x", support=(0, 1)),
        lambda x: 2 * x,
        lambda x: (x * (1 + x), (1 - x) * (1 + x)),
        (0, 1),
    ),
    "curve with a root": Path(
        lambda: cd.Curve("x^2", "1", "uniform(0, 2)"), lambda x: 0.5, lambda x: (x * x, 1), (0, 2)
    ),
}


@cache
def derived(name: str) -> Any:
    return cd.derive(PATHS[name].build(), time_limit=20)


def losses_at(derivation: Any, report: Any) -> list[Any]:
    rule = derivation.rule
    return [sympy.N(loss.subs(p, report), 25) for loss in (rule.loss0, rule.loss1)]


def integrated(path: Path, report: Any) -> tuple[Any, Any]:
    """Integrate with the switch found by bisection on each stretch between kinks."""
    with mpmath.workdps(30):

        def gap(z: Any) -> Any:
            first, second = path.costs(z)
            return first * (1 - report) - report * second

        totals = [mpmath.mpf(0), mpmath.mpf(0)]
        for low, high in zip(path.ends, path.ends[1:], strict=False):
            for left, right in _stretches(gap, mpmath.mpf(low), mpmath.mpf(high)):
                middle = (left + right) / 2 if right < mpmath.inf else left + 1
                which = 0 if gap(middle) < 0 else 1
                totals[which] += mpmath.quad(
                    lambda z, w=which: path.costs(z)[w] * path.density(z), [left, right]
                )
        return totals[0], totals[1]


def _stretches(gap: Any, low: Any, high: Any) -> list[tuple[Any, Any]]:
    inner = [
        low + mpmath.mpf(10) ** -20,
        high - mpmath.mpf(10) ** -20 if high < mpmath.inf else mpmath.mpf(1000),
    ]
    if gap(inner[0]) * gap(inner[1]) >= 0:
        return [(low, high)]
    switch = mpmath.findroot(gap, inner, solver="anderson", tol=1e-40, verify=False)
    return [(low, switch), (switch, high)]


@pytest.mark.parametrize("name", PATHS)
def test_losses_are_expected_costs_of_mistakes(name: str) -> None:
    for report in map(sympy.Rational, REPORTS):
        expected = integrated(PATHS[name], mpmath.mpf(report.p) / report.q)
        for found, truth in zip(losses_at(derived(name), report), expected, strict=True):
            assert abs(found - truth) <= 1e-12 * max(1, abs(truth))  # quadrature in 30 digits, to 1e-12


@pytest.mark.parametrize("name", PATHS)
def test_every_claim_is_proved(name: str) -> None:
    assert cd.check(derived(name)).verdict is Verdict.PROVED


SIMULATED = {
    **{name: path.build for name, path in PATHS.items()},
    "triangle": lambda: cd.Joint("1/2", "c0 + c1 <= 2"),
    "band": lambda: cd.Joint("2/3", "1 <= c0 + c1 <= 2"),
    "wedge without end": lambda: cd.Joint("2*exp(-c0 - c1)", c0 <= c1),
    "polygon": lambda: cd.Joint("8/11", ["1 <= c0 <= 2", "1 <= c1 <= 5/2", "c0 + c1 <= 4", "c0 - c1 <= 1"]),
    "copula": lambda: cd.Joint("1 + 1/2*(1 - 2*c0)*(1 - 2*c1)", ((0, 1), (0, 1))),
    "proportional costs": lambda: cd.Curve("x", "2*x", "gamma(2, 1)"),
    "nested mixture": lambda: cd.Mixture(
        ("1/3", cd.Mixture(("1/2", cd.Additive()), ("1/2", cd.FixedCosts(1, 3)))),
        ("2/3", cd.Joint("1/2", "c0 + c1 <= 2")),
    ),
    "a die": lambda: cd.Independent(c0=stats.Die("D", 3), c1={1: "1/3", 2: "2/3"}),
}


@pytest.mark.parametrize("name", SIMULATED)
def test_drawn_costs_have_the_derived_losses(name: str) -> None:
    """Within five standard errors of 200,000 draws: by chance, one of a million comparisons fails."""
    context = SIMULATED[name]()
    derivation = derived(name) if name in PATHS else cd.derive(context, time_limit=20)
    first, second = context.sample(np.int64(200_000), seed=1)
    threshold = first / (first + second)
    for report in (0.3, 0.55, 0.8):
        paid = first * (threshold < report), second * (threshold >= report)
        for found, drawn in zip(losses_at(derivation, sympy.Rational(str(report))), paid, strict=True):
            assert abs(float(found) - drawn.mean()) <= 5 * drawn.std() / 200_000**0.5 + 1e-9


def test_a_correlated_log_normal_is_drawn_with_its_moments() -> None:
    first, second = np.log(cd.Joint(LOGNORMAL, ((0, "oo"), (0, "oo"))).sample(200_000, seed=2))
    assert np.allclose([first.mean(), second.mean()], 0, atol=0.012)  # five standard errors
    assert np.allclose([first.std(), second.std()], 1, atol=0.01)
    assert abs(np.corrcoef(first, second)[0, 1] - 0.5) < 0.01


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "harmonic on [d, oo)": (lambda: cd.Harmonic("1/2", c0="uniform(1/2, oo)"), "uniform.high = oo"),
    "harmonic below d": (lambda: cd.Harmonic(1, c0="uniform(1/2, 3)"), r"outside \[1, oo\]"),
    "additive above the budget": (lambda: cd.Additive(2, c1="exponential(1)"), r"outside \[0, 2\]"),
    "two laws": (lambda: cd.Additive(density="beta(2, 2)", c0=1), "density and c0 are given together"),
    "proportions beyond 1": (lambda: cd.Additive(density="uniform(0, 2)"), "reaches up to 2"),
    "a density in x": (lambda: cd.Additive(density="2*x"), "holds the letter x"),
    "half a density": (lambda: cd.Additive(density="s"), "total probability 1/2,"),
    "a symbolic density of no total": (lambda: cd.Additive(density="a*s"), "not 1"),
    "a negative density": (lambda: cd.Additive(density="4*s - 1"), "negative density"),
    "an endless budget": (lambda: cd.Additive("pareto(1/2, 1)"), "infinite expectation"),
    "joint of mass 2": (lambda: cd.Joint(1, "c0 + c1 <= 2"), "total probability 2"),
    "joint of symbolic mass": (lambda: cd.Joint("1/B^2", "c0 + c1 <= B"), "total probability 0.5 where B"),
    "empty support": (lambda: cd.Joint(1, ["c0 + c1 <= 1", "c0 >= 2"]), "support is empty"),
    "bent support": (lambda: cd.Joint(1, "c0^2*c1 <= 1"), "not of degree 1 or 2"),
    "union of supports": (lambda: cd.Joint(1, sympy.Or(c0 < 1, c1 < 1)), "has the item"),
    "equality": (lambda: cd.Joint(1, sympy.Eq(c0, c1)), "has the item"),
    "a density that a letter makes negative": (
        lambda: cd.Independent(c0=cd.Density("2*w*exp(-2*x) + (1 - w)*exp(-x)"), c1=1),
        r"context\.c0 = .* is negative at .*, and .* >= 0 is needed where 0 < x < oo",
    ),
    "a density of s that a letter makes negative": (
        lambda: cd.Additive(density="1 + a*(1 - 2*s)"),
        r"is negative at .*, and .* >= 0 is needed",
    ),
    "a joint density that a letter makes negative": (
        lambda: cd.Joint("1 + h*(1 - 2*c0)*(1 - 2*c1)", ((0, 1), (0, 1))),
        r"context\.density = .* is negative at .*, and .* >= 0 is needed",
    ),
    "negative joint density": (lambda: cd.Joint("2 - 4*c0*c1", ((0, 1), (0, 1))), "is negative at c0"),
    "negative cost on a curve": (lambda: cd.Curve("x - 1", "1", "uniform(0, 2)"), "Costs are at least 0"),
    "a curve that turns unseen": (
        lambda: cd.Curve("2 + sin(x^2 + x)", "1", "uniform(0, 3)"),
        "turns near x = .*where no exact point",
    ),
    "a normal cost": (lambda: cd.Independent(c0=stats.Normal("X", 1, 1), c1=1), "support"),
    "a cost below 0": (lambda: cd.Independent(c0={-1: "1/2", 1: "1/2"}, c1=1), "value -1"),
    "a letter of densities": (lambda: cd.Independent(c0="x", c1=1), "holds the letter x"),
    "a Gamma of shape 0": (lambda: cd.Independent(c0="gamma(0, 1)", c1=1), "shape = 0 is not positive"),
    "no rule": (
        lambda: cd.derive(cd.Independent(c0="pareto(1/3, 1)", c1="pareto(1/3, 1)")),
        "diverges",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_context_is_refused_in_words(name: str) -> None:
    build, words = REFUSED[name]
    with pytest.raises(SpecError, match=words):
        build()


EXPLOITS = (
    "__import__('os').system('true')",
    "().__class__.__bases__",
    "9**9**9",
    "(" * 1000,
    "gamma(2, 9**9**9)",
    "beta(10^9, 10^9)",
    "gamma(10^6, 1)",
    "gamma(2, __import__('os'))",
    "uniform(0, " + "(" * 500,
    "lognormal(0, exp(exp(exp(exp(exp(1))))))",
)


@pytest.mark.parametrize("key", ["density", "c0", "budget"])
@pytest.mark.parametrize("text", EXPLOITS)
def test_hostile_laws_are_refused_at_once(text: str, key: str) -> None:
    spec.context_from({"kind": "additive", "density": "beta(2, 2)"})  # what is read once is read
    start = time.perf_counter()
    with pytest.raises(SpecError, match="at column"):
        spec.context_from({"kind": "additive", key: text})
    assert time.perf_counter() - start < 0.5  # 50 ms, ten times slower at most


@pytest.mark.parametrize(
    "text", ["c0 + c1 <= 2, c0 <= 1", "c0 + c1 <= 2 and c0 <= 1", "c0 <= 1, and c0 + c1 <= 2"]
)
def test_inequalities_of_a_support_are_joined_by_commas_or_and(text: str) -> None:
    listed = cd.Joint("2/3", ["c0 + c1 <= 2", "c0 <= 1"])
    assert set(cd.Joint("2/3", text).support) == set(listed.support)


@pytest.mark.parametrize("text", ["c0 + <= 1", "c0 ! c1", "c0 + c1", "<= 1", "c0.real <= 1", "c0 <= 9**9**9"])
def test_hostile_supports_are_refused_at_a_column(text: str) -> None:
    with pytest.raises(SpecError, match="at column"):
        spec.context_from({"kind": "joint", "density": 1, "support": text})


def test_ends_of_a_symbolic_law_are_facts() -> None:
    low, high, d = (parameter(name) for name in ("l", "h", "d"))
    assert set(cd.Additive(density="uniform(l, h)").given().positive) == {high - low, 1 - high}
    assert set(cd.Harmonic("d", c0="uniform(l, h)").given().positive) == {high - low, low - d}
    assert cd.Joint("2/B^2", "c0 + c1 <= B").parameters == (parameter("B"),)


def test_uniform_is_the_default_law_of_the_proportion() -> None:
    assert cd.Additive(density=1) == cd.Additive(2, "uniform(0, 1)") == cd.Additive()


@pytest.mark.parametrize(
    ("law", "mean"),
    [
        (laws.gamma("k", "theta"), "k*theta"),
        (laws.lognormal("mu", "sigma"), "exp(mu + sigma^2/2)"),
        (laws.beta("a", "b"), "a/(a + b)"),
        (laws.triangular(0, 1, 3), "4/3"),
        (laws.uniform("a", "b"), "(a + b)/2"),
        (laws.weibull(2, 1), "sqrt(pi)/2"),
    ],
)
def test_the_mean_of_a_law_is_the_known_one(law: laws.Law, mean: str) -> None:
    assert sympy.simplify(law.mean() - parse(mean)) == 0


@pytest.mark.parametrize("draws", [-1, 2.5, True, "3"])
def test_draws_are_counted_in_whole_numbers(draws: Any) -> None:
    with pytest.raises(DataError, match="draws"):
        cd.Additive().sample(draws)


@pytest.mark.parametrize("name", SIMULATED)
def test_a_context_survives_its_certificate_and_its_spec(name: str) -> None:
    context = SIMULATED[name]()
    assert TWO_CLASSES.decode(TWO_CLASSES.encode(context)) == context
    assert spec.parse(spec.to_toml(spec.Spec("", "", context))).context == context


TURNING = {
    "rises and falls": lambda: cd.Curve("x*(2 - x)", "1", "uniform(0, 2)"),
    "falls and rises": lambda: cd.Curve("1 + (x - 1)^2", "2", "uniform(0, 3)"),
    "of two roots one": lambda: cd.Curve("x^2", "x + 1", density="2*x", support=(0, 1)),
}


@cache
def changed(name: str) -> tuple[Any, Any, Any]:
    context = TURNING[name]()
    before = context.expected_loss()
    return context.given(), before, ChangeOfVariables().apply(before, context.given())


@pytest.mark.parametrize("name", TURNING)
def test_each_branch_of_a_turning_curve_has_its_own_root(name: str) -> None:
    given, before, after = changed(name)
    verdicts = {decide(claim, given).verdict for claim in ChangeOfVariables().claims(before, after, given)}
    assert verdicts == {Verdict.PROVED}
    assert len({strand.inverse for strand in after.strands}) == len(before.arcs)


@pytest.mark.parametrize("name", TURNING)
def test_the_root_of_another_branch_is_not_proved(name: str) -> None:
    """The equation has two roots; a uniform density makes their pieces equal, so they differ in their ends alone."""
    given, before, after = changed(name)
    for number, strand in enumerate(after.strands):
        root = strand.inverse
        other = sympy.simplify(root.replace(lambda e: e.is_Pow and e.exp == sympy.S.Half, lambda e: -e))
        slope = sympy.diff(other if other != root else 1 - root, s)
        wrong = replace(strand, inverse=other if other != root else 1 - root, slope=slope)
        strands = after.strands[:number] + (wrong,) + after.strands[number + 1 :]
        claims = ChangeOfVariables().claims(before, replace(after, strands=strands), given)
        assert min(decide(claim, given).verdict for claim in claims) < Verdict.PROVED


@pytest.mark.parametrize(
    ("arguments", "loss"),
    [
        (["additive", "--density", "beta(2,2)"], "p³(4 − 3p)"),
        (["harmonic", "--c0", "uniform(3/4,3)"], "(3p − 1)(5 − 3p)/(72(1 − p)²)"),
        (["joint", "--density", "1/2", "--support", "c0 + c1 <= 2"], "2p²/3"),
        (["curve", "--c0", "x", "--c1", "2 - x", "--density", "x/2", "--support", "0,2"], "4p³/3"),
        (["additive", "--budget", "gamma(2,theta)"], "expectation θ matters"),
    ],
)
def test_the_command_line_takes_laws(
    arguments: list[str], loss: str, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    assert main(["derive", *arguments]) == 0
    assert loss in capsys.readouterr().out
    article = tmp_path / "proof.tex"
    assert main(["derive", *arguments, "--latex", str(article)]) == 0
    assert "\\begin{document}" in article.read_text(encoding="utf-8")


SYMBOLIC = {
    "bounded Brier": lambda: cd.Additive(density="uniform(l, h)"),
    "harmonic, c0 uniform": lambda: cd.Harmonic("d", c0="uniform(l, h)"),
    "random budget": lambda: cd.Additive("gamma(k, theta)"),
    "triangle": lambda: cd.Joint("2/B^2", "c0 + c1 <= B"),
    "mixture": lambda: cd.Mixture(("w", cd.Additive(density="beta(2, 2)")), ("1 - w", cd.FixedCosts("a", 1))),
}


@pytest.mark.parametrize("name", SYMBOLIC)
def test_a_symbolic_context_is_proved_and_survives_being_written(name: str) -> None:
    context = SYMBOLIC[name]()
    derivation = cd.derive(context, time_limit=20)
    assert cd.check(derivation).verdict is Verdict.PROVED
    assert cd.Derivation.from_json(derivation.to_json()) == derivation
    assert spec.parse(spec.to_toml(spec.Spec("", "", context))).context == context


AT_NUMBERS = {
    "uniform": (
        cd.IndependentUniform(("a", "b"), (0, 1)),
        {"a": 0, "b": 2},
        cd.IndependentUniform((0, 2), (0, 1)),
    ),
    "laws": (
        cd.Independent(c0="gamma(a, m)", c1="exponential(m)"),
        {"a": 2, "m": 3},
        cd.Independent(c0="gamma(2, 3)", c1="exponential(3)"),
    ),
    "a mean": (
        cd.Additive("2*m", "uniform(l, h)"),
        {"m": 1, "l": "1/5", "h": "1/2"},
        cd.Additive(2, "uniform(1/5, 1/2)"),
    ),
    "a region": (cd.Joint("2/B^2", "c0 + c1 <= B"), {"B": 2}, cd.Joint("1/2", "c0 + c1 <= 2")),
    "a mixture": (
        cd.Mixture(("w", cd.Additive("m")), ("1 - w", cd.FixedCosts(1, "m"))),
        {"w": "1/3", "m": 2},
        cd.Mixture(("1/3", cd.Additive(2)), ("2/3", cd.FixedCosts(1, 2))),
    ),
    "a curve": (
        cd.Curve(c0="x", c1="1 + a*x", density="exponential(1)"),
        {"a": 2},
        cd.Curve(c0="x", c1="1 + 2*x", density="exponential(1)"),
    ),
}


@pytest.mark.parametrize(("context", "values", "wanted"), AT_NUMBERS.values(), ids=AT_NUMBERS)
def test_a_context_at_numbers_is_the_one_built_with_them(
    context: Any, values: dict[str, Any], wanted: Any
) -> None:
    assert context.at(**values) == wanted


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"a": 3, "b": 2}, r"a = 3, b = 2"),
        ({"a": -1}, r"a = -1 is not a value of a parameter"),
        ({"z": 1}, r"z is not a parameter of the context"),
    ],
)
def test_numbers_that_a_context_cannot_have_are_refused(values: dict[str, Any], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        cd.IndependentUniform(("a", "b"), (0, 1)).at(**values)


@pytest.mark.parametrize(
    ("density", "support"),
    [("1", (0, "oo")), ("1/(1 + x)", (0, "oo")), ("1/x", (0, 1)), ("1/x^2", (0, 1)), ("2*x", (0, 2))],
)
def test_a_density_with_an_infinite_or_wrong_total_is_no_law(density: str, support: Any) -> None:
    total = "4" if density == "2*x" else "oo"
    with pytest.raises(SpecError, match=rf"context\.c0 has total probability {total}, not 1"):
        cd.Independent(c0=laws.Density(density, support), c1=1)


def test_the_total_of_a_density_that_is_steep_at_0_is_exact() -> None:
    density = cd.Density("x^(-999/1000)/1000", (0, 1))
    assert cd.Independent(c0=density, c1=1).c0.spreads[0].high == 1
    with pytest.raises(SpecError, match="total probability 2, not 1"):
        cd.Independent(c0=cd.Density("x^(-999/1000)/500", (0, 1)), c1=1)


def test_a_total_that_takes_too_long_is_left_to_the_derivation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twice = cd.Density("exp(-x)*x^(-49/50)/25", (0, 1))  # quadrature in doubles misses a third of it
    with pytest.raises(SpecError, match=r"total probability 1\.9688"):
        cd.Independent(c0=twice, c1=1)
    monkeypatch.setattr("costderive.costs.laws.law.SECONDS", 0.0)
    context = cd.Independent(c0=twice, c1=1)
    with pytest.raises(SpecError, match=r"a law of the context has total probability .*gamma\(1/50\)"):
        cd.derive(context)


def test_a_joint_density_with_an_infinite_total_is_refused() -> None:
    with pytest.raises(SpecError, match="total probability"):
        cd.Joint("1", "c0 <= 1")


def test_an_unknown_law_is_refused_with_the_nearest_and_all_that_there_are() -> None:
    with pytest.raises(
        SpecError, match=r'"normal" is neither a law.*\n.*mean lognormal\? Laws: uniform, '
    ) as refused:
        cd.Independent(c0="normal(0, 1)", c1=1)
    assert "context.c0" in str(refused.value)


def test_a_random_threshold_takes_a_law_as_text() -> None:
    assert cd.RandomThreshold("uniform(1/4, 3/4)").law == laws.uniform("1/4", "3/4")
    with pytest.raises(SpecError, match=r"threshold has values in \[0, 2\]"):
        cd.RandomThreshold("uniform(0, 2)")


def test_breakpoints_in_an_order_that_no_polynomial_decides_are_refused() -> None:
    """Or before that it is open how the proportion runs between them."""
    either = "the order of the breakpoints depends on the sign of|rises or falls along the curve is open"
    with pytest.raises(SpecError, match=either):
        cd.derive(cd.PowerMean("k", c0="uniform(1/4, 2/3)"), time_limit=1)
