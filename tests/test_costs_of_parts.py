"""Costs made of parts: their rules against simulation of the parts, which uses nothing of the package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.stats
import sympy

import costderive as cd
from costderive import spec
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.costs.laws import part_law_of, x
from costderive.proof.claims import Verdict

DRAWS = 400_000
Draw = Callable[[np.random.Generator], Any]


def flat(low: float, high: float) -> tuple[str, Draw]:
    return f"uniform({low}, {high})", lambda generator: generator.uniform(low, high, DRAWS)


def half_bell(scale: float) -> tuple[str, Draw]:
    return f"halfnormal({scale})", lambda generator: abs(generator.normal(0, scale, DRAWS))


def decay(mean: float) -> tuple[str, Draw]:
    return f"exponential({mean})", lambda generator: generator.exponential(mean, DRAWS)


def shaped(shape: int, scale: float) -> tuple[str, Draw]:
    return f"gamma({shape}, {scale})", lambda generator: generator.gamma(shape, scale, DRAWS)


def bell(mu: float, sigma: float) -> tuple[str, Draw]:
    return f"lognormal({mu}, {sigma})", lambda generator: generator.lognormal(mu, sigma, DRAWS)


def shared(alpha: float, beta: float) -> tuple[str, Draw]:
    return f"beta({alpha}, {beta})", lambda generator: generator.beta(alpha, beta, DRAWS)


def cases(count: int, probability: float) -> tuple[str, Draw]:
    return f"binomial({count}, {probability})", lambda generator: generator.binomial(
        count, probability, DRAWS
    )


def peaked(low: float, mode: float, high: float) -> tuple[str, Draw]:
    return f"triangular({low}, {mode}, {high})", lambda generator: generator.triangular(
        low, mode, high, DRAWS
    )


FUNCTIONS = {"abs": np.abs, "log": np.log, "sqrt": np.sqrt,
             "max": lambda *args: np.max(np.broadcast_arrays(*args), axis=0),
             "min": lambda *args: np.min(np.broadcast_arrays(*args), axis=0)}  # fmt: skip
CASES: dict[str, tuple[str, str, dict[str, tuple[str, Draw]]]] = {
    "a sum": ("lost + fee", "3", {"lost": flat(0, 1), "fee": flat(0, 2)}),
    "a sum of three": ("a + b + d", "2", {"a": flat(0, 1), "b": flat(0, 1), "d": flat(0, 1)}),
    "a sum of pieces": ("2*a + b", "1", {"a": flat(0, 1), "b": peaked(0, 1, 3)}),
    "a product": ("a*b", "1", {"a": flat(0, 1), "b": flat(0, 1)}),
    "a ratio": ("a/b", "1", {"a": decay(1), "b": shaped(2, 1)}),
    "a power": ("a^2", "1", {"a": flat(0, 1)}),
    "a difference": ("price - discount", "3", {"price": flat(10, 20), "discount": flat(0, 5)}),
    "what is left": ("10 - a", "1", {"a": flat(0, 1)}),
    "a common factor": ("lost", "lost*margin", {"lost": shaped(2, 1), "margin": flat(0, 1)}),
    "a share of what is lost": ("rate*lost", "lost + 2", {"rate": flat(0, 1), "lost": decay(10)}),
    "a common part": ("lost", "lost + fee", {"lost": decay(1), "fee": flat(0, 1)}),
    "a part that is known": (
        "10*a",
        "a + b*k",
        {"a": flat(1, 2), "b": flat(0, 1), "k": ("3", lambda _: 3.0)},
    ),
    "one part in both": ("a", "1 + a", {"a": decay(1)}),
    "a loss of a share and a fine": (
        "d",
        "a*b + k",
        {"d": flat(1, 2), "a": flat(0, 1), "b": flat(5, 10), "k": decay(1)},
    ),
    "a margin that is lost and a penalty": (
        "fee",
        "lost*margin + penalty",
        {"fee": flat(0, 1), "lost": flat(1, 2), "margin": flat(0, 1), "penalty": flat(0, 1)},
    ),
    "a share of a log-normal": ("3", "r*a", {"r": flat(0.25, 0.5), "a": bell(2, 1)}),
    "a product of log-normals": ("a*b", "d", {"a": bell(0, 1), "b": bell(1, 1), "d": bell(1, 0.5)}),
    "a square of a log-normal": ("a^2", "d", {"a": bell(0, 1), "d": bell(1, 0.5)}),
    "a Beta share of an exponential": ("1", "a*b", {"a": shared(2, 2), "b": decay(3)}),
    "exponentials of one mean": ("a + b", "d", {"a": decay(2), "b": decay(2), "d": decay(1)}),
    "no one term": ("a + b", "2", {"a": peaked(0, 1, 2), "b": decay(1)}),
    "a share of a sum in a longer one": (
        "(a + b)/(a + b + d)",
        "1",
        {"a": decay(1), "b": decay(1), "d": decay(1)},
    ),
    "the greatest of its own share": ("max(a, b)/(1 + max(a, b))", "1", {"a": flat(0, 1), "b": flat(0, 1)}),
    "a difference and its square": ("a - b + (a - b)^2", "1", {"a": flat(1, 2), "b": flat(0, 1)}),
    "the greatest": ("1", "max(a, b)", {"a": decay(1), "b": flat(0, 2)}),
    "the least": ("1", "min(a, b, d)", {"a": decay(1), "b": flat(0, 2), "d": flat(1, 3)}),
    "up to a limit": ("k", "min(a, 1)", {"a": decay(1), "k": flat(0, 1)}),
    "above a deductible": ("1", "max(a - 1, 0) + 1/2", {"a": decay(1)}),
    "the size of a difference": ("1", "abs(a - b) + 1", {"a": flat(0, 1), "b": flat(0, 2)}),
    "the size of one without bound": ("1", "abs(a - b) + 1/2", {"a": flat(0, 1), "b": decay(1)}),
    "what is above a cost": ("1", "max(a - b, 0) + 1", {"a": decay(2), "b": decay(1)}),
    "the size of what is left": ("1", "abs(1 - a*b)", {"a": flat(0, 1), "b": decay(1)}),
    "a share of a sum": ("1", "(a + b)/(1 + a + b)", {"a": flat(0, 1), "b": decay(1)}),
    "squares of half-normals": ("1", "a^2 + b^2", {"a": half_bell(1), "b": half_bell(1)}),
    "down and up": ("1", "(a - 1)^2 + 1", {"a": flat(0, 3)}),
    "a count": ("a", "n + 1", {"a": flat(0, 2), "n": cases(3, 0.25)}),
    "a count beside a part in both": ("1 + n*a", "a/2", {"a": decay(1), "n": cases(3, 0.25)}),
    "a count in one of two sums": ("a + b", "a + n", {"a": decay(1), "b": decay(2), "n": cases(2, 0.5)}),
    "a count of sums beside a shifted part": (
        "a + 8",
        "n*d + b",
        {"a": decay(4), "n": cases(3, 0.25), "d": flat(10, 20), "b": decay(50)},
    ),
    "a count of sums": ("1", "n*a + 1", {"a": flat(0, 2), "n": cases(3, 0.25)}),
    "a logarithm of what has a heavy tail": (
        "a",
        "log(1 + b)",
        {"a": flat(0, 1), "b": ("pareto(3, 1)", lambda generator: generator.pareto(3, DRAWS) + 1)},
    ),
    "the letter of densities, in a difference": ("2 + x - y", "1", {"x": flat(0, 1), "y": flat(0, 2)}),
    "the letter of densities, in the size of one": (
        "abs(a - x) + 1",
        "1",
        {"a": flat(0, 1), "x": flat(0, 1)},
    ),
    "the letter of densities, twice": ("1", "1 + x*(1 - x) + a", {"a": flat(0, 1), "x": flat(0, 1)}),
    "a part in both beside one in each": (
        "x + z",
        "y + z",
        {"x": decay(1), "y": decay(3), "z": shaped(2, 1)},
    ),
    "two parts in both": ("a + b + d", "a + 2*b", {"a": flat(0, 1), "b": flat(0, 1), "d": flat(0, 1)}),
    "a part that is a cost, times a share and with a fine": (
        "lost*margin + fine",
        "lost",
        {"lost": decay(1), "margin": flat(1, 2), "fine": decay(1)},
    ),
    "a part that is a cost, with a known fine": (
        "a*b + k",
        "a",
        {"a": decay(1), "b": flat(1, 2), "k": ("1/2", lambda _: 0.5)},
    ),
    "a part and a known fine": ("a + 1", "a*b", {"a": decay(1), "b": flat(1, 2)}),
    "a share": ("a/(a + b + z)", "d", {"a": decay(1), "b": decay(1), "z": decay(1), "d": flat(0, 1)}),
    "a ratio and more": ("1 + (a + b)/b", "d", {"a": flat(0, 1), "b": flat(1, 2), "d": decay(1)}),
    "a flat part in both": ("a + d", "2*b + d", {"a": flat(0, 1), "b": flat(0, 1), "d": flat(0, 1)}),
    "a flat part in both beside exponentials": (
        "a + d",
        "2 - d + b",
        {"a": decay(1), "b": decay(2), "d": flat(0, 1)},
    ),
    "a sum in both": ("a + b + d", "a + b", {"a": decay(1), "b": decay(2), "d": flat(0, 1)}),
    "the greatest and the least": ("max(a, b)", "min(a, b)", {"a": decay(1), "b": decay(2)}),
    "one of two, and their difference": ("a", "abs(a - b)", {"a": flat(0, 1), "b": flat(0, 1)}),
    "the greatest of a cost and another": ("a", "max(a, b)", {"a": decay(1), "b": decay(2)}),
    "the greatest of a cost and what may be negative": (
        "a + 1",
        "max(a, b - 1) + 1",
        {"a": flat(0, 1), "b": decay(1)},
    ),
    "up to a limit in one cost alone": ("min(a, 2)", "2*a + b", {"a": decay(1), "b": flat(1, 2)}),
    "up to a limit in both costs": ("min(a, 2)", "min(a, 2) + b", {"a": decay(1), "b": flat(1, 2)}),
    "from a deductible on": ("max(a, 1)", "a*b", {"a": decay(1), "b": flat(1, 2)}),
    "an uncertain limit": ("min(a, k)", "a", {"a": decay(1), "k": flat(1, 2)}),
    "one that is never the greatest": ("a", "max(a, b)", {"a": flat(0, 1), "b": flat(1, 2)}),
    "a greatest that fills no area on one side": ("max(a, 2*b)", "a + b", {"a": decay(1), "b": flat(0, 1)}),
    "a peaked part in both": ("a", "a + b", {"a": peaked(0, 1, 3), "b": decay(1)}),
    "squares of flat parts": ("a^2 + b^2", "1", {"a": flat(0, 1), "b": flat(0, 1)}),
    "squares of flat parts beside a part": (
        "a^2 + b^2",
        "d",
        {"a": flat(0, 1), "b": flat(0, 1), "d": flat(0, 1)},
    ),
    "a square and more beside its root": ("a^2 + b", "a", {"a": flat(0, 1), "b": flat(0, 1)}),
    "a product beside a square": ("a*b", "b^2", {"a": flat(0, 1), "b": flat(0, 1)}),
    "a product beside a root": ("a*b", "sqrt(b)", {"a": flat(0, 1), "b": flat(0, 1)}),
    "a product beside a cube": ("a*b", "b^3", {"a": decay(1), "b": decay(1)}),
    "letters with meanings elsewhere": ("1", "s/y", {"s": flat(1, 2), "y": flat(1, 3)}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rule_is_proved_and_that_of_simulated_parts(name: str) -> None:
    first, second, parts = CASES[name]
    context = cd.costs_of_parts(first, second, parts={part: law for part, (law, _) in parts.items()})
    derivation = cd.derive(context, time_limit=60)
    assert cd.check(derivation).verdict is Verdict.PROVED
    generator = np.random.default_rng(1)
    values = {part: draw(generator) for part, (_, draw) in parts.items()}
    cost0, cost1 = (
        np.asarray(eval(text.replace("^", "**"), dict(FUNCTIONS), values)) for text in (first, second)
    )
    for report in np.quantile(cost0 / (cost0 + cost1), [0.2, 0.5, 0.8]):
        at = sympy.Rational(float(report)).limit_denominator(10**6)
        decided = cost0 / (cost0 + cost1) < float(at)
        rule = derivation.rule.only_case
        for loss, paid in ((rule.loss0, cost0 * decided), (rule.loss1, cost1 * ~decided)):
            found = float(sympy.N(loss.piece_at(at).value.subs(cd.symbols.p, at), 20))
            assert abs(found - paid.mean()) <= 5 * paid.std() / DRAWS**0.5


def test_a_density_that_is_a_small_difference_of_large_terms_has_its_total() -> None:
    parts = {"a": "lomax(3, 1)", "b": "lomax(3, 1)"}
    context = cd.costs_of_parts("abs(a - b)", "1", parts=parts)
    density = sympy.lambdify(x, context.c0.spreads[0].density, "mpmath")
    value = mpmath.mpf("0.3")
    with mpmath.workdps(60):
        truth = mpmath.quad(lambda y: 18 / ((1 + y) * (1 + y + value)) ** 4, [0, 1, mpmath.inf])
        assert abs(density(value) - truth) < 1e-15


def test_a_letter_that_is_no_part_is_a_parameter() -> None:
    context = cd.costs_of_parts("m*a", "b + k", parts={"a": "uniform(0, 1)", "b": "exponential(1)"})
    assert [letter.name for letter in context.parameters] == ["k", "m"]


def test_a_limit_may_be_a_letter() -> None:
    derivation = cd.derive(
        cd.costs_of_parts("min(a, k)", "a + b", parts={"a": "exponential(1)", "b": "uniform(1, 2)"})
    )
    assert derivation.rule.closed_form and cd.check(derivation).verdict is Verdict.PROVED


REFUSED: dict[str, tuple[str, str, dict[str, str], str]] = {
    "a law without a part": (
        "a",
        "1",
        {"a": "uniform(0, 1)", "b": "uniform(0, 1)"},
        "context.parts.b is the law",
    ),
    "two shared parts of four": (
        "a + b + d",
        "a + 2*b*e",
        dict.fromkeys("abde", "uniform(0, 1)"),
        "the losses at each value of a have no closed form|no rule was derived within",  # a minute on a quiet machine
    ),
    "a sine that turns for ever": ("1", "2 + sin(a)", {"a": "exponential(1)"}, "not seen to rise or to fall"),
    "a greatest of laws with letters": (
        "1",
        "max(a, b)",
        {"a": "uniform(0, k)", "b": "uniform(0, m)"},
        "order of its breakpoints depends on k - m",
    ),
    "several in a power": (
        "1",
        "a^(b*c)",
        {"a": "uniform(0, 1)", "b": "uniform(0, 1)", "c": "uniform(0, 1)"},
        "several uncertain",
    ),
    "a negative cost": ("a - 2", "1", {"a": "uniform(0, 1)"}, "negative"),
    "no closed form": ("a + b", "d + e", dict.fromkeys("abde", "lognormal(0, 1)"), "closed form"),
    "the letter of densities": ("x*a", "1", {"a": "uniform(0, 1)"}, "letter x"),
    "a part in a law": ("a", "b", {"a": "uniform(0, b)", "b": "uniform(0, 1)"}, "which is a part itself"),
    "negative without bound": (
        "a - b",
        "1",
        {"a": "exponential(1)", "b": "exponential(1)"},
        r"context.c0: a - b may be negative without bound.*\n.*max\(a - b, 0\)",
    ),
    "a logarithm": ("log(a)", "1", {"a": "uniform(0, 1)"}, r"context.c0: log\(x\) is negative without bound"),
    "a part that is called as a reserved letter": (
        "x + y + z",
        "x + 2*y*t",
        dict.fromkeys("xyzt", "exponential(1)"),
        "the losses at each value of Y have no closed form",
    ),
    "a sum in both with a part that stands elsewhere": (
        "a + d + b*k + e",
        "(a + d + b*k)*b*k",
        dict.fromkeys("adbke", "uniform(0, 1)"),
        "share some of the parts a, b, d, e, k",
    ),
    "a greatest that is a number": (
        "max(a, b, 1)",
        "a",
        {"a": "exponential(1)", "b": "exponential(1)"},
        "depend on one of their parts alone where",
    ),
    "a limit that a part may not reach": (
        "min(a, k)",
        "a + b",
        {"a": "uniform(0, 1)", "b": "uniform(1, 2)"},
        "rises or falls along the curve is open",
    ),
    "no name": ("a", "1", {"pi": "uniform(0, 1)"}, "not that of a letter"),
    "a bad law": ("a", "1", {"a": "unifrom(0, 1)"}, "context.parts.a"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    first, second, parts, words = REFUSED[name]
    with pytest.raises(SpecError, match=words):
        cd.derive(cd.costs_of_parts(first, second, parts=parts), time_limit=5)


def test_a_law_of_many_parts_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costderive.derivation.parts.law_of_expression.SECONDS", 0.0)
    with pytest.raises(SpecError, match=r"context\.c0: the law of a \+ b is not found within 0 s"):
        cd.costs_of_parts("a + b", "d + e", parts=dict.fromkeys("abde", "uniform(0, 1)"))


def test_specs_and_the_command_line_have_parts(tmp_path: Path) -> None:
    text = """[context]
kind = "parts"
fp = "lost + fee"
fn = 3
parts = {lost = "uniform(0, 1)", fee = "0 to 2"}
"""
    wanted = cd.costs_of_parts("lost + fee", 3, parts={"lost": "uniform(0, 1)", "fee": "uniform(0, 2)"})
    read = spec.parse(text)
    assert read.derive().rule.loss0 == cd.derive(wanted).rule.loss0
    file = tmp_path / "c.json"
    command = [
        "derive",
        "parts",
        "--fp",
        "lost + fee",
        "--fn",
        "3",
        "--parts",
        "lost=uniform:0,1",
        "fee=uniform(0,2)",
    ]
    assert main([*command, "--json", str(file)]) == 0
    derivation = cd.Derivation.from_json(file.read_text())
    assert derivation.context == wanted and cd.check(derivation).verdict is Verdict.PROVED


@pytest.mark.parametrize("parts", [None, [], "a=1", {1: "uniform(0, 1)"}])
def test_what_is_no_table_of_parts_is_refused(parts: Any) -> None:
    with pytest.raises(SpecError, match=r"context\.parts"):
        cd.costs_of_parts("a", "1", parts=parts)


def test_a_part_is_no_column_of_the_file_that_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.csv"
    file.write_text("y,model,amount\n0,0.2,3\n1,0.7,4\n")
    costs = ["--fp", "1", "--fn", "amount", "--parts", "amount=exponential(1)"]
    assert main(["score", str(file), "--y-true", "y", *costs]) == 2
    assert "has a column 'amount'" in capsys.readouterr().err


@pytest.mark.parametrize("parts", [["lost"], ["a=1", "a=2"], {}, "lost=1"])
def test_bad_tables_of_parts_are_refused(parts: Any) -> None:
    with pytest.raises(SpecError, match=r"context\.parts"):
        spec.context_from({"kind": "parts", "c0": "a", "c1": 1, "parts": parts})


def test_a_part_may_be_nothing() -> None:
    context = cd.costs_of_parts("1", "2 + 10*n", parts={"n": {0: "9/10", 1: "1/10"}})
    assert context == cd.Independent(c0=1, c1={2: "9/10", 12: "1/10"})
    found = cd.costs_of_parts("1", "max(a - 1, 0)", parts={"a": "exponential(1)"})
    assert found.c1.chance_of_zero == 1 - sympy.exp(-1)


COUNTS = {
    "binomial(3, 1/4)": {k: scipy.stats.binom(3, 0.25).pmf(k) for k in range(4)},
    "poisson(2, 4)": {k: scipy.stats.poisson(2).pmf(k) / scipy.stats.poisson(2).cdf(4) for k in range(5)},
    "geometric(1/3, 5)": {
        k: scipy.stats.geom(1 / 3).pmf(k) / scipy.stats.geom(1 / 3).cdf(5) for k in range(1, 6)
    },
}


@pytest.mark.parametrize("text", COUNTS)
def test_counts_have_the_probabilities_of_scipy(text: str) -> None:
    law = part_law_of(text, "a part")
    found = {int(mass.value): float(mass.probability) for mass in law.masses}
    assert found == pytest.approx(COUNTS[text], rel=1e-12)
    assert sum(mass.probability for mass in law.masses) == 1


@pytest.mark.parametrize(
    "text",
    [
        "binomial(0, 1/2)",
        "binomial(2.5, 1/2)",
        "binomial(3, 1)",
        "poisson(2, 99)",
        "poisson(0, 3)",
        "geometric(2, 3)",
    ],
)
def test_what_counts_nothing_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match="a part"):
        part_law_of(text, "a part")


def test_tables_of_values_are_added() -> None:
    coin, weighted = {10: "1/2", 20: "1/2"}, {3: "1/3", 13: "2/3"}
    context = cd.costs_of_parts("a + b", 4, parts={"a": coin, "b": weighted})
    assert context == cd.Independent(c0={13: "1/6", 23: "1/2", 33: "1/3"}, c1=4)


MARGIN = {"lost": "gamma(2, 10)", "margin": "uniform(0, 1)", "s": 5}


def test_articles_say_what_costs_are_made_of_and_that_no_claim_does() -> None:
    made_of = cd.CostsOfParts("lost", "lost*margin + s", parts=MARGIN)
    derivation = cd.derive(made_of.context)
    report = cd.check(derivation)
    article = " ".join(cd.export.latex(derivation, report, made_of=made_of).split())
    assert (
        r"c_0 = \mathit{lost}, \qquad c_1 = \mathit{lost} \, \mathit{margin} + s_{\mathit{part}}" in article
    )
    assert r"\(s_{\mathit{part}} = 5\)" in article
    assert r"\(\mathit{margin}\) is uniform on \([0, 1]\)" in article
    assert "is not among the claims that were checked" in article
    assert "made of independent parts" in article
    for written in (cd.export.html(derivation, report, made_of=made_of),
                    cd.export.markdown(derivation, report, made_of=made_of)):  # fmt: skip
        assert "not among the claims that were checked" in " ".join(written.split())
    assert "claims that were checked" not in cd.export.latex(derivation, report)


def test_parts_of_other_costs_are_refused() -> None:
    derivation = cd.derive(cd.Additive(1))
    made_of = cd.CostsOfParts("a", 1, parts={"a": "uniform(0, 1)"})
    for export in (cd.export.latex, cd.export.html, cd.export.markdown):
        with pytest.raises(cd.errors.ExportError, match="parts of other costs"):
            export(derivation, cd.check(derivation), made_of=made_of)
    with pytest.raises(SpecError, match="parts of other costs"):
        spec.Spec("", "", cd.Additive(1), made_of=made_of)


def test_specs_keep_parts_and_are_written_with_them() -> None:
    parts = {"s": "exponential(1)", "fee": "uniform(0, 1)"}
    found = spec.Spec.of({"kind": "parts", "c0": "s", "c1": "s + fee", "parts": parts})
    assert found.made_of == cd.CostsOfParts("s", "s + fee", parts=parts)
    written = spec.to_toml(found)
    assert 'kind = "parts"' in written and spec.parse(written) == found


def test_parts_with_a_factor_are_their_context_alone() -> None:
    parts = {"a": "uniform(0, 1)"}
    found = spec.Spec.of({"kind": "parts", "c0": "a", "c1": 1, "parts": parts, "factor": "uniform(1, 2)"})
    assert found.made_of is None and found.context == cd.CommonFactor(
        "uniform(1, 2)", cd.Independent("uniform(0, 1)", 1)
    )


def test_command_line_says_what_costs_are_made_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    article = tmp_path / "article.tex"
    options = [
        "--c0",
        "lost + fee",
        "--c1",
        "3",
        "--parts",
        "lost=uniform(0, 1)",
        "--parts",
        "fee=uniform(0, 2)",
    ]
    assert main(["derive", "parts", *options, "--latex", str(article)]) == 0
    assert "The costs are made of parts" in article.read_text(encoding="ascii")
    assert "Made of" in capsys.readouterr().out
