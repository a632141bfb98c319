"""Costs in words: each phrase is the law that it says, and what is no phrase is refused with examples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import sympy
from scipy import stats

import costderive as cd
from costderive.cli import main
from costderive.core.errors import SpecError
from costderive.costs.laws import PHRASES, law_of, quantiles
from costderive.evaluate import cost_ranges
from costderive.publish.words.paper_of_losses import how

PREDICTIONS = "y,model\n0,0.1\n1,0.4\n0,0.3\n1,0.9\n0,0.05\n"
LOG_NORMAL = {  # shares and values
    "about 5, within a factor of 2": {0.025: 2.5, 0.5: 5, 0.975: 10},
    "around €5 within a factor 2": {0.025: 2.5, 0.5: 5, 0.975: 10},
    "median 10, 90% below 50": {0.5: 10, 0.9: 50},
    "MEDIAN $10, 10 % above $50": {0.5: 10, 0.9: 50},
    "5% below 2, 95% below 50": {0.05: 2, 0.95: 50},
    "80% below 2, 95% below 3": {0.8: 2, 0.95: 3},
    "90% between 2 and 50": {0.05: 2, 0.95: 50},
}


def density(law: cd.laws.Law, at: float) -> float:
    """Return the density of a law, by its own expression alone."""
    letter = cd.laws.x
    parts = [spread for spread in law.spreads if spread.low < at < spread.high]
    return float(parts[0].density.subs(letter, at)) if parts else 0.0


@pytest.mark.parametrize("text", LOG_NORMAL)
def test_quantiles_are_those_said(text: str) -> None:
    law = law_of(text, "cost")
    assert law.name is not None and law.name.family == "lognormal"
    mu, sigma = map(float, law.name.arguments)
    truth = stats.lognorm(s=sigma, scale=np.exp(mu))
    for share, value in LOG_NORMAL[text].items():
        assert truth.cdf(value) == pytest.approx(share, abs=1e-8)
        assert law.quantile(share) == pytest.approx(value, rel=2e-4)
    assert density(law, 3.7) == pytest.approx(truth.pdf(3.7), rel=1e-12)


def test_mean_and_deviation_are_those_said() -> None:
    law = law_of("mean 10, sd 4", "cost")
    assert law.name is not None
    mu, sigma = map(float, law.name.arguments)
    truth = stats.lognorm(s=sigma, scale=np.exp(mu))
    assert (truth.mean(), truth.std()) == pytest.approx((10, 4), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("5 to 20", "uniform(5, 20)"),
        ("from 5 to 20", "uniform(5, 20)"),
        ("between 1/2 and 3/4", "uniform(1/2, 3/4)"),
        ("a to 2*a", "uniform(a, 2*a)"),
        ("5 to 20, most likely 8", "triangular(5, 8, 20)"),
        ("between 5 and 20, most likely 8", "triangular(5, 8, 20)"),
    ],
)
def test_ranges_are_named_laws(text: str, named: str) -> None:
    assert str(law_of(text, "cost").name) == named


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.example)
def test_each_example_of_the_table_is_of_its_own_form(phrase) -> None:
    assert phrase.read(phrase.example) is not None
    assert law_of(phrase.example, "cost").quantile(0.5) > 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("about 5", "not a way to speak of costs"),
        ("5 to 20 to 30", "not a way to speak of costs"),
        ("median 10, 90% below 50, most likely 3", "not a way to speak of costs"),
        ("20 to 5", "20 is not below"),
        ("5 to 20, most likely 30", "triangular"),
        ("-5 to 5", "negative"),
        ("median 10, 90% below 5", "not known to be above 10"),
        ("median 0, 90% below 5", "not positive"),
        ("50% below 10, 150% below 20", "not a probability"),
        ("95% below 3, 95% below 4", "said twice"),
        ("about 5, within a factor of 1/2", "leaves no room"),
        ("mean -1, sd 4", "not positive"),
        ("5 to __import__('os')", "unexpected"),
        ("5 to 9**9**9", "too large"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem) as refused:
        law_of(text, "context.c1")
    assert str(refused.value).startswith("context.c1") and refused.value.remedy


@pytest.mark.parametrize("text", ["5 to " + "9" * 400, "a " * 500, "to " * 200])
def test_long_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(SpecError):
        law_of(text, "context.c1")


def test_quantiles_with_ends_are_uniform_between_neighbours() -> None:
    law = quantiles({0: 5, "1/2": 8, 1: 20})
    assert [law.quantile(share) for share in (0.25, 0.5, 0.75)] == pytest.approx([6.5, 8, 14], rel=1e-4)
    assert density(law, 6) * 3 == pytest.approx(0.5) and density(law, 10) * 12 == pytest.approx(0.5)
    assert str(quantiles({0: 5, 1: 20}).name) == "uniform(5, 20)"


@pytest.mark.parametrize("values", [{}, {0.5: 3}, {0.1: 1, 0.5: 2, 0.9: 3}, {0: 1, 0.5: 2}, {-1: 2, 1: 3}])
def test_other_quantiles_are_refused(values: dict[float, float]) -> None:
    with pytest.raises(SpecError):
        quantiles(values)


def test_the_thresholds_are_those_of_the_costs() -> None:
    found = cost_ranges(cd.Independent(fp=5, fn="5 to 20"))
    assert (found.c1.low, found.c1.median, found.c1.high) == pytest.approx((5.75, 12.5, 19.25), rel=1e-4)
    threshold = (found.threshold.low, found.threshold.high)
    assert threshold == pytest.approx((5 / (5 + 19.25), 5 / (5 + 5.75)), rel=5e-3)
    assert cost_ranges(cd.FixedCosts(1, 3)).threshold.is_known


@pytest.mark.parametrize("words", ["5 to 20", "5 to 20, most likely 8"])
def test_the_command_line_reads_words_and_says_what_it_understood(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "data.csv"
    file.write_text(PREDICTIONS)
    assert main(["score", str(file), "--y-true", "y", "--fp", "5", "--fn", words]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "95 % below 1" in said and "it is right to decide for class 1 from a probability somewhere" in said


@pytest.mark.parametrize("bounds", ["0,5", "0, 5", "uniform:0,5", "uniform(0,5)", "0 to 5"])
def test_all_ways_to_write_bounds_are_the_same(
    bounds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "data.csv"
    file.write_text(PREDICTIONS)
    assert main(["score", str(file), "--y-true", "y", "--fp", "1", "--fn", bounds, "--json"]) == 0
    loss = json.loads(capsys.readouterr().out)["models"][0]["loss"]
    own = cd.numeric.compile(cd.derive(cd.Independent(c0=1, c1=cd.laws.uniform(0, 5))).rule)
    assert loss == pytest.approx(own([0, 1, 0, 1, 0], [0.1, 0.4, 0.3, 0.9, 0.05]))


@pytest.mark.parametrize("pair", [(1, 3), ["1", "3"]])
def test_a_pair_of_bounds_is_a_uniform_law(pair) -> None:
    assert str(cd.Independent(c0=1, c1=pair).c1.name) == "uniform(1, 3)"
    with pytest.raises(SpecError, match=r"context\.c1.*3 is not below"):
        cd.Independent(c0=1, c1=pair[::-1])
    with pytest.raises(SpecError, match=r"context\.c1"):
        cd.Independent(c0=1, c1=(1, 2, 3))


def test_a_spec_in_toml_reads_words() -> None:
    spec = cd.spec.parse('[context]\nkind = "independent"\nc0 = "1"\nc1 = "between 1 and 3"\n')
    assert str(spec.context.c1.name) == "uniform(1, 3)"


def test_a_weight_that_is_not_known_to_be_positive_is_not_said_to_vanish() -> None:
    """The density of this copula is at least 2/3, so the rule is strictly proper, whether or not that is decided."""
    costs = cd.Copula("fgm", "1/3", c0="uniform(0, 2)", c1="exponential(1)")
    [case] = cd.derive(costs, time_limit=20).cases
    assert case.steps[-1].after.strict or "not decided" in how(case.steps[-1].after)[0]
    assert how(cd.derive(cd.FixedCosts(1, 2)).cases[0].steps[-1].after) == (
        "proper, but strictly so for no belief",
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("median 10, 90% below 50", "median 7, 90% below 30"),
        ("mean 10, sd 4", "mean 20, sd 15"),
        ("about 5, within a factor of 2", "about 9, within a factor of 3"),
        ("5 to 20", "median 10, 90% below 50"),
        ("median 10, 90% below 50", "5 to 20"),
        ("5 to 20", "about 5, within a factor of 2"),
    ],
)
def test_two_costs_in_words_are_closed_and_proved(first: str, second: str) -> None:
    derivation = cd.derive(cd.Independent(c0=first, c1=second), time_limit=30)
    cd.check(derivation).require_proved()
    assert not any(piece.value.has(sympy.Integral) for piece in derivation.rule.cases[0][1].loss0)
