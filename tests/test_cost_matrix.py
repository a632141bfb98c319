"""Costs of right decisions: decisions and comparisons follow from regrets, totals from all four costs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import costderive as cd
from costderive.cli import main
from costderive.core.errors import DataError, ParametersLeftError, SpecError
from costderive.costs.laws import law_of
from costderive.evaluate import score

GENERATOR = np.random.default_rng(77)
ROWS = 50
LABELS = (GENERATOR.random(ROWS) < 0.4).astype(int)
MODELS = {name: np.round(GENERATOR.random(ROWS), 3) for name in ("first", "second")}
AMOUNT = np.round(np.exp(GENERATOR.normal(3, 1, ROWS)), 2) + 6
FEE = np.round(GENERATOR.random(ROWS), 2)
MATRIX = cd.CostMatrix(fp=7, fn="amount", tp="5 - fee", tn="-1")  # regrets of 8 and of amount - 5 + fee
COLUMNS = {"amount": AMOUNT, "fee": FEE}


def costs(is_one: Any) -> np.ndarray:
    """Return what each row costs, outcome by outcome."""
    of_one, of_zero = np.where(is_one, 5 - FEE, AMOUNT), np.where(is_one, 7, -1)
    return np.where(LABELS == 1, of_one, of_zero)


def decided(p: np.ndarray) -> np.ndarray:
    """Return whether class 1 costs less in each row, comparing the expected costs of both decisions."""
    return p * (5 - FEE) + (1 - p) * 7 < p * AMOUNT + (1 - p) * -1


def test_totals_are_those_of_the_four_outcomes() -> None:
    scores = score(MATRIX, LABELS, MODELS, columns=COLUMNS)
    totals = [costs(decided(p)) for p in MODELS.values()]
    assert [each.loss + scores.rest for each in scores] == pytest.approx([total.mean() for total in totals])
    gap = scores.over("second")["first"]
    assert gap.value == pytest.approx((totals[0] - totals[1]).mean())
    assert gap.standard_error == pytest.approx((totals[0] - totals[1]).std(ddof=1) / math.sqrt(ROWS))
    constant = [costs(np.full(ROWS, label == 1)).mean() for label in (0, 1)]
    assert [loss + scores.rest for loss in scores.always] == pytest.approx(constant)


def test_a_prevalence_weights_the_classes_of_totals() -> None:
    scores = score(MATRIX, LABELS, MODELS, columns=COLUMNS, prevalence=0.1)
    total = costs(decided(MODELS["first"]))
    expected = 0.9 * total[LABELS == 0].mean() + 0.1 * total[LABELS == 1].mean()
    assert scores[0].loss + scores.rest == pytest.approx(expected)


def test_numbers_alone_need_no_columns() -> None:
    scores = score(cd.CostMatrix(fp=7, fn=30, tp=-20, tn=1), LABELS, MODELS)
    p = MODELS["first"]
    one = p > 6 / 56
    total = np.where(LABELS == 1, np.where(one, -20, 30), np.where(one, 7, 1))
    assert scores[0].loss + scores.rest == pytest.approx(total.mean())


def test_a_benefit_may_be_uncertain() -> None:
    matrix = cd.CostMatrix(fp=7, fn=10, tp="-uniform(10, 30)")
    scores = score(matrix, LABELS, MODELS)
    benefit = GENERATOR.uniform(10, 30, 40_000)
    totals = []
    for one, drawn in ((MODELS["first"] > 7 / (17 + b), b) for b in benefit):
        totals.append(np.where(LABELS == 1, np.where(one, -drawn, 10), np.where(one, 7, 0)).mean())
    error = np.std(totals) / math.sqrt(len(totals))
    assert abs(scores[0].loss + scores.rest - np.mean(totals)) < 5 * error


def test_decisions_count_the_costs_of_right_ones() -> None:
    p = MODELS["first"]
    found = cd.decide(p, MATRIX, columns=COLUMNS)
    assert (found.decision == decided(p)).all()
    assert found.cost0 == pytest.approx(p * AMOUNT - (1 - p))
    assert found.cost1 == pytest.approx(p * (5 - FEE) + (1 - p) * 7)


@pytest.mark.parametrize(
    ("values", "c0", "c1"),
    [
        ({"fp": "1 to 3", "fn": 20, "tn": -2}, "uniform(3, 5)", "known(20)"),
        ({"fp": 5, "fn": 20, "tp": "uniform(1, 4)"}, "known(5)", "uniform(16, 19)"),
        ({"fp": 5, "fn": 20, "tp": "-uniform(1, 4)"}, "known(5)", "uniform(21, 24)"),
        ({"fp": 5, "fn": "a*uniform(1, 2)", "tp": "-a"}, "known(5)", "uniform(2*a, 3*a)"),
        ({"fp": 5, "fn": {10: "1/2", 30: "1/2"}, "tp": 4}, "known(5)", {6: "1/2", 26: "1/2"}),
    ],
)
def test_regrets_are_differences(values: Any, c0: Any, c1: Any) -> None:
    assert cd.CostMatrix(**values).context == cd.Independent(c0=law_of(c0, "c0"), c1=law_of(c1, "c1"))


@pytest.mark.parametrize(
    ("tn", "c0"),
    [("-2 to -1", "uniform(6, 7)"), ((-2, 1), "uniform(4, 7)"), ("between -2 and 1", "uniform(4, 7)")],
)
def test_bounds_may_be_negative(tn: Any, c0: str) -> None:
    assert cd.CostMatrix(fp=5, fn=9, tn=tn).context.c0 == law_of(c0, "c0")


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        (
            {"fp": "uniform(5, 8)", "tn": "uniform(-2, -1)", "fn": 9},
            lambda draw: (draw.uniform(5, 8) - draw.uniform(-2, -1), 9.0),
        ),
        (
            {"fp": 5, "fn": "gamma(2, 3)", "tp": "-exponential(3)"},
            lambda draw: (5.0, draw.gamma(2, 3) + draw.exponential(3)),
        ),
        (
            {"fp": 5, "fn": {10: "1/2", 20: "1/2"}, "tp": {3: "1/2", 9: "1/2"}},
            lambda draw: (5.0, draw.choice([10, 20]) - draw.choice([3, 9])),
        ),
        (
            {"fp": 5, "fn": "30 to 40", "tp": "triangular(-5, 0, 20)"},
            lambda draw: (5.0, draw.uniform(30, 40) - draw.triangular(-5, 0, 20)),
        ),
    ],
)
def test_both_costs_of_a_regret_may_be_uncertain(values: Any, drawn: Any) -> None:
    scores = score(cd.CostMatrix(**values), LABELS, MODELS)
    p, draws = MODELS["first"], np.array([drawn(GENERATOR) for _ in range(20_000)])
    losses = np.where(
        LABELS == 1, draws[:, [1]] * (p <= (t := draws[:, [0]] / draws.sum(1, keepdims=True))), 0
    )
    losses = losses + np.where(LABELS == 0, draws[:, [0]] * (p > t), 0)
    means = losses.mean(axis=1)
    assert abs(scores[0].loss - means.mean()) < 5 * means.std() / math.sqrt(len(means))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_moved_density_has_the_moved_quantiles(sign: int) -> None:
    law = law_of(cd.laws.Density("exp(-x/2)/(2*(1 - exp(-5)))", (0, 10)), "cost")
    at = -2 * math.log(1 - 0.3 * (1 - math.exp(-5)))  # where 0.3 lie below
    share = 0.3 if sign > 0 else 0.7
    assert law.moved(sign, sympy.Integer(20)).quantile(share) == pytest.approx(20 + sign * at, rel=1e-3)


# ---- what is no mistake


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"fp": 5, "fn": "gamma(2, 3)", "tp": 2}, "c₁ = fn - tp is not positive with probability 0.144"),
        ({"fp": 5, "fn": 20, "tp": "gamma(2, 3)"}, "c₁ = fn - tp is not positive with probability 0.00976"),
        (
            {"fp": 5, "fn": {1: "1/4", 9: "3/4"}, "tp": 1},
            "c₁ = fn - tp is not positive with probability 0.25",
        ),
        (
            {"fp": 5, "fn": 9, "tp": {1: "1/4", 9: "3/4"}},
            "c₁ = fn - tp is not positive with probability 0.75",
        ),
        ({"fp": 5, "fn": 3, "tp": 4}, "c₁ = fn - tp = -1 is not positive"),
        ({"fp": 5, "fn": 3, "tn": 5}, "c₀ = fp - tn = 0 is not positive"),
        ({"fp": 5, "fn": "a*uniform(1, 2)", "tp": 3}, "whose sign is not known"),
        ({"fp": 5, "fn": "gamma(2, 3)", "tp": "uniform(0, 1)"}, "c₁ = fn - tp goes down to -1"),
        ({"fp": 5, "fn": {10: "1/2", 20: "1/2"}, "tp": {3: "1/3", 10: "2/3"}}, "c₁ = fn - tp goes down to 0"),
        ({"fp": 5, "fn": "lognormal(1, 1)", "tp": "-gamma(2, 3)"}, "is not found in closed form"),
        ({"fp": 5, "fn": 9, "tp": "uniform(-1, -2)"}, "Write its bounds from the lowest up"),
        ({"fp": "between -1 and 3", "fn": 9}, "c₀ = fp - tn is not positive with probability 0.25"),
        ({"fp": 5, "fn": "improper(1/x)"}, "improper"),
        ({"fp": 5, "fn": "nonsense("}, "fn"),
        ({"fp": 5, "fn": 30, "tp": "-5 to 20"}, "minus sign before words"),
    ],
)
def test_a_regret_that_can_be_0_or_less_is_refused(values: Any, problem: str) -> None:
    with pytest.raises(SpecError) as refused:
        cd.CostMatrix(**values)
    assert problem in str(refused.value)


def test_rows_in_which_a_mistake_is_none_are_named_with_their_share() -> None:
    amount = np.where(np.isin(np.arange(ROWS), (17, 30)), 4, AMOUNT)
    for use in (
        lambda columns: score(MATRIX, LABELS, MODELS, columns=columns),
        lambda columns: cd.decide(MODELS["first"], MATRIX, columns=columns),
    ):
        with pytest.raises(DataError, match=r"row 17: fn - tp = .* is not positive, as in 4 % of these rows"):
            use({"amount": amount, "fee": 0})
        with pytest.raises(DataError, match="row 3: fee = nan"):
            use({"amount": AMOUNT, "fee": np.where(np.arange(ROWS) == 3, np.nan, FEE)})
        with pytest.raises(ParametersLeftError, match="fee"):
            use({"amount": AMOUNT})


# ---- the commands


def written(path: Path) -> str:
    columns = {"label": LABELS, **COLUMNS, **MODELS}
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


CELLS = ("--fp", "7", "--fn", "amount", "--tp", "5 - fee", "--tn", "-1")


def test_the_page_shows_regrets_totals_and_savings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["score", written(tmp_path / "data.csv"), "--y-true", "label", *CELLS]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert "Regrets: c₀ = fp − tn = 8, c₁ = fn − tp = amount + fee - 5." in " ".join(text.split())
    found = text[text.index("decisions") :].replace("−", "-").splitlines()
    table = {line[:15].strip(): [float(cell) for cell in line[15:].split()] for line in found[2:6]}
    everywhere = [costs(np.full(ROWS, label == 1)).sum() for label in (1, 0)]
    wanted = {name: costs(decided(p)).sum() for name, p in MODELS.items()}
    wanted |= {"class 1 for all": everywhere[0], "class 0 for all": everywhere[1]}
    for name, total in wanted.items():
        saved = [than - total for than in (*everywhere, min(everywhere))]
        assert table[name] == pytest.approx([total / ROWS, total, *saved], rel=2e-3, abs=0.6)


def test_json_and_decisions_have_the_costs_of_right_decisions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "data.csv")
    assert main(["score", file, "--y-true", "label", *CELLS, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["always_class_1"] == pytest.approx(costs(np.full(ROWS, True)).mean())
    assert main(["decide", file, "--p", "first", *CELLS]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    place = rows[0].index("cost")
    expected = cd.decide(MODELS["first"], MATRIX, columns=COLUMNS).cost
    assert [float(row[place]) for row in rows[1:]] == expected.tolist()


def test_duckdb_has_the_same_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("duckdb")
    options = ("--y-proba", "first", "--fp", "7", "--fn", "30", "--tp", "-20", "--json")
    found = []
    for engine in ("numpy", "duckdb"):
        assert (
            main(["score", written(tmp_path / "data.csv"), "--y-true", "label", *options, "--engine", engine])
            == 0
        )
        found.append(json.loads(capsys.readouterr().out))
    for name in ("cost_of_right_decisions", "always_class_0", "always_class_1"):
        assert found[0][name] == pytest.approx(found[1][name])
    assert found[0]["models"][0]["loss"] == pytest.approx(found[1]["models"][0]["loss"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--tp", "1"), "neither of --c0 and --fp"),
        (("--fp", "5", "--tp", "1"), "neither of --c1 and --fn"),
        (("--context", "additive", "--tp", "1"), "--context cannot go with --tp"),
        (("--fp", "5", "--fn", "9", "--density", "1", "--tn", "1"), "--density cannot go with --tn"),
        (("--fp", "5", "--fn", "amount", "--tp", "amuont"), "Did you mean 'amount'?"),
    ],
)
def test_costs_of_right_decisions_go_with_those_of_mistakes(
    arguments: tuple[str, ...], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", written(tmp_path / "data.csv"), "--y-true", "label", *arguments]) == 2
    assert problem in capsys.readouterr().err


# ---- decisions at random, as in expected costs that take a probability for that of a decision


def test_a_uniform_threshold_prices_decisions_for_class_1_with_the_predicted_probability() -> None:
    """Bahnsen et al. (2014): the mean of y (p tp + (1 - p) fn) + (1 - y)(p fp + (1 - p) tn), by its definition."""
    fp, fn = GENERATOR.uniform(5, 10, ROWS), GENERATOR.uniform(20, 200, ROWS)
    tp, tn = GENERATOR.uniform(-15, 4, ROWS), GENERATOR.uniform(-3, 1, ROWS)
    matrix = cd.CostMatrix(fp="fp", fn="fn", tp="tp", tn="tn")
    columns = {"fp": fp, "fn": fn, "tp": tp, "tn": tn}
    scores = score(matrix, LABELS, MODELS, columns=columns, threshold=cd.RandomThreshold(density=1))
    for row, p in zip(scores, MODELS.values(), strict=True):
        costs = np.where(LABELS == 1, p * tp + (1 - p) * fn, p * fp + (1 - p) * tn)
        assert row.loss + scores.rest == pytest.approx(costs.mean(), rel=1e-13)


def test_four_rows_cost_at_random_what_they_do_by_hand() -> None:
    columns = {"fp": [4, 1, 2, 2], "fn": [1, 3, 3, 1]}
    found = score(
        cd.Independent(fp="fp", fn="fn"),
        [0, 1, 1, 0],
        {"m": [0.2, 0.9, 0.1, 0.2]},
        columns=columns,
        threshold=cd.RandomThreshold(density=1),
    )
    assert found[0].loss == pytest.approx((0.2 * 4 + 0.1 * 3 + 0.9 * 3 + 0.2 * 2) / 4)
