"""Weights of rows and groups of rows: means, intervals and differences are those of a direct calculation."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import costderive as cd
from costderive import multiclass
from costderive.cli import main
from costderive.core.errors import DataError, SpecError
from costderive.evaluate import Scores, prediction_files, score, score_classes
from costderive.multiclass import DirichletCosts, IndependentCosts

GENERATOR = np.random.default_rng(31)
ROWS = 80
LABELS = (GENERATOR.random(ROWS) < 0.4).astype(int)
MODELS = {name: np.round(GENERATOR.uniform(0.01, 0.99, ROWS), 3) for name in ("first", "second")}
WEIGHTS = np.round(GENERATOR.gamma(1, 2, ROWS), 2)
WEIGHTS[[3, 50]] = 0
AMOUNT = np.round(GENERATOR.uniform(6, 90, ROWS), 1)
GROUPS = GENERATOR.choice(["north", "south", "west"], ROWS)
KNOWN = cd.Independent(fp=5, fn="amount")
BRIER = cd.Additive()


def scores_of(context: Any = KNOWN, rows: Any = slice(None), weights: Any = WEIGHTS, **more: Any) -> Scores:
    if context is not BRIER:
        more["columns"] = {"amount": AMOUNT[rows]}
    models = {name: p[rows] for name, p in MODELS.items()}
    return score(
        context, LABELS[rows], models, sample_weight=None if weights is None else weights[rows], **more
    )


def costs(name: str) -> np.ndarray:
    one = MODELS[name] > 5 / (5 + AMOUNT)
    return np.where(LABELS == 1, np.where(one, 0, AMOUNT), np.where(one, 5, 0))


def standard_error(values: np.ndarray, weights: np.ndarray = WEIGHTS) -> float:
    """Return that of a ratio of two sums: of the weighted values and of the weights."""
    mean, count = np.average(values, weights=weights), np.count_nonzero(weights)
    return math.sqrt(count / (count - 1) * (weights**2 * (values - mean) ** 2).sum()) / weights.sum()


# ---- weights


def test_means_are_weighted() -> None:
    scores = scores_of()
    for model in scores:
        values, p = costs(model.model), MODELS[model.model]
        assert model.loss == pytest.approx(np.average(values, weights=WEIGHTS))
        assert model.loss1 == pytest.approx((WEIGHTS * values)[LABELS == 1].sum() / WEIGHTS.sum())
        assert model.brier == pytest.approx(np.average((p - LABELS) ** 2, weights=WEIGHTS))
        logs = -np.log(np.where(LABELS == 1, p, 1 - p))
        assert model.log_loss == pytest.approx(np.average(logs, weights=WEIGHTS))
    assert scores.proportions[1] == pytest.approx(np.average(LABELS, weights=WEIGHTS))
    assert sum(scores.counts) == ROWS - 2 and scores.is_weighted


def test_standard_errors_are_those_of_a_ratio() -> None:
    scores = scores_of()
    assert scores[0].interval.standard_error == pytest.approx(standard_error(costs("first")))
    gap = scores.over("second")["first"]
    difference = costs("first") - costs("second")
    assert gap.value == pytest.approx(np.average(difference, weights=WEIGHTS))
    assert gap.standard_error == pytest.approx(standard_error(difference))


def test_standard_errors_are_those_of_repeated_samples() -> None:
    context, found = cd.FixedCosts(1, 3), []
    for _ in range(300):
        labels = (GENERATOR.random(300) < 0.3).astype(int)
        p = np.clip(0.2 + 0.3 * labels + GENERATOR.normal(0, 0.2, 300), 0, 1)
        weights = np.where(labels == 1, 1, 4) * GENERATOR.uniform(0.1, 1, 300)
        found.append(score(context, labels, {"m": p}, sample_weight=weights)[0].interval)
    spread = np.std([one.value for one in found])
    assert np.mean([one.standard_error for one in found]) == pytest.approx(
        spread, rel=0.15
    )  # 5 % at 300 runs


def test_equal_weights_of_any_size_change_nothing() -> None:
    plain, same = scores_of(weights=None), scores_of(weights=np.full(ROWS, 3e-7))
    assert same[0].loss == pytest.approx(plain[0].loss) and same.constant == pytest.approx(plain.constant)
    assert same.differences[0].loss.high == pytest.approx(plain.differences[0].loss.high)


def test_whole_weights_have_the_means_of_repeated_rows() -> None:
    times = GENERATOR.integers(0, 4, ROWS)
    rows = np.repeat(np.arange(ROWS), times)
    for context in (KNOWN, BRIER):
        weighted, repeated = scores_of(context, weights=times), scores_of(context, rows, None)
        for one, other in zip(weighted, repeated, strict=True):
            assert one.loss == pytest.approx(other.loss) and one.skill == pytest.approx(other.skill)
            assert one.recalibrated == pytest.approx(other.recalibrated, nan_ok=True)
        assert weighted.always == pytest.approx(repeated.always)


def test_a_prevalence_weights_the_classes_apart() -> None:
    values, ones = costs("first"), LABELS == 1
    parts = [(0.9, ~ones), (0.1, ones)]
    found = scores_of(prevalence=0.1)[0].interval
    means = [share * np.average(values[rows], weights=WEIGHTS[rows]) for share, rows in parts]
    errors = [share * standard_error(values[rows], WEIGHTS[rows]) for share, rows in parts]
    assert found.value == pytest.approx(sum(means))
    assert found.standard_error == pytest.approx(math.hypot(*errors))


def test_a_row_of_weight_0_does_not_count() -> None:
    p = MODELS["first"].copy()
    p[3] = 1 - LABELS[3]  # wrong and sure
    for context in (cd.Harmonic(), cd.FixedCosts(1, 2)):
        found = score(context, LABELS, {"m": p}, sample_weight=WEIGHTS)[0]
        kept = WEIGHTS > 0
        assert found == score(context, LABELS[kept], {"m": p[kept]}, sample_weight=WEIGHTS[kept])[0]
        assert math.isfinite(found.log_loss)


def test_the_bootstrap_and_the_simulation_are_weighted() -> None:
    found = scores_of(bootstrap=600, seed=4)[0].interval
    assert found.standard_error == pytest.approx(scores_of()[0].interval.standard_error, rel=0.15)
    run = scores_of(BRIER, draws=20_000, seed=2)[0]
    assert run.simulation is not None
    assert abs(run.simulation.mean - run.loss) < 5 * run.simulation.standard_error


def test_totals_of_a_cost_matrix_are_weighted() -> None:
    matrix = cd.CostMatrix(fp=5, fn="amount", tp="-amount/2")
    found = score(matrix, LABELS, MODELS, columns={"amount": AMOUNT}, sample_weight=WEIGHTS)
    one = MODELS["first"] > 5 / (5 + 1.5 * AMOUNT)
    total = np.where(LABELS == 1, np.where(one, -AMOUNT / 2, AMOUNT), np.where(one, 5, 0))
    assert found[0].loss + found.rest == pytest.approx(np.average(total, weights=WEIGHTS))
    everywhere = np.where(LABELS == 1, -AMOUNT / 2, 5)
    assert found.always[1] + found.rest == pytest.approx(np.average(everywhere, weights=WEIGHTS))


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        (np.where(np.arange(ROWS) == 7, -1, 1), "row 7: sample_weight = -1"),
        (np.where(np.arange(ROWS) == 7, np.nan, 1), "row 7: sample_weight = nan"),
        (np.where(np.arange(ROWS) == 7, np.inf, 1), "row 7: sample_weight = inf"),
        (np.where(np.arange(ROWS) == 7, 1e200, 1), "row 7: sample_weight = 1e"),
        (np.zeros(ROWS), "at least one row of positive weight"),
        (np.ones(3), r"sample_weight has shape \(3,\)"),
    ],
)
def test_what_is_no_weight_is_refused(weights: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        score(BRIER, LABELS, MODELS, sample_weight=weights)


# ---- groups


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_each_group_is_scored_as_if_it_were_alone(weights: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("costderive.evaluate.predictions.ROWS", 7)
    whole = scores_of(weights=weights, groups=GROUPS)
    assert list(whole.groups) == ["north", "south", "west"]
    assert whole[0].loss == pytest.approx(scores_of(weights=weights)[0].loss)
    for name, part in whole.groups.items():
        alone = scores_of(rows=name == GROUPS, weights=weights)
        assert part.counts == alone.counts and part.constant == pytest.approx(alone.constant)
        for mine, other in (
            (part[0].interval, alone[0].interval),
            (part.differences[0].loss, alone.differences[0].loss),
        ):
            assert [mine.value, mine.low, mine.high] == pytest.approx([other.value, other.low, other.high])


@pytest.mark.parametrize(
    ("groups", "more", "problem"),
    [
        (["a"] * (ROWS - 1) + [""], {}, "row 79: '' is no group"),
        ([1.0] * (ROWS - 1) + [math.nan], {}, "row 79: nan is no group"),
        (["a"] * 3, {}, r"groups has shape \(3,\)"),
        (list(range(ROWS)) * 1, {"prevalence": 0.1}, "group '0': prevalence = 0.1 needs instances of both"),
    ],
)
def test_what_is_no_group_is_refused(groups: Any, more: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        score(BRIER, LABELS, MODELS, groups=groups, **more)


def test_a_column_of_too_many_values_is_no_grouping() -> None:
    with pytest.raises(DataError, match="more than 200 groups"):
        score(BRIER, np.tile(LABELS, 4), {"m": np.tile(MODELS["first"], 4)}, groups=np.arange(4 * ROWS))


# ---- the command


def written(path: Path, weights: Any = WEIGHTS, groups: Any = GROUPS) -> str:
    columns = {"label": LABELS, "amount": AMOUNT, "w": weights, "region": groups, **MODELS}
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows), encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["score", *arguments, "--y-true", "label", "--fp", "5", "--fn", "amount"])
    out, err = capsys.readouterr()
    return code, out + err


def test_the_command_weights_and_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(prediction_files, "ROWS", 7)
    file, options = written(tmp_path / "data.csv"), ("--weights", "w", "--by", "region")
    code, text = run(capsys, file, *options)
    expected = scores_of(groups=GROUPS)
    assert code == 0 and max(map(len, text.splitlines())) <= 80
    assert (
        f"class 1 has {expected.proportions[1]:.3g} of the weight" in text and "Means are taken" not in text
    )
    assert all(f"{name}: {model}" in text for name in ("north", "south", "west", "all") for model in MODELS)
    found = json.loads(run(capsys, file, *options, "--json")[1])
    assert [each["loss"] for each in found["models"]] == pytest.approx([each.loss for each in expected])
    assert found["weights"] == "w" and found["by"] == "region"
    for name, part in expected.groups.items():
        low = found["groups"][name]["differences"][0]["loss"]["low"]
        assert low == pytest.approx(part.differences[0].loss.low)


def test_parquet_files_have_weights_and_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    file = tmp_path / "data.parquet"
    table = pyarrow.table({"label": LABELS, "amount": AMOUNT, "w": WEIGHTS, "region": GROUPS, **MODELS})
    pytest.importorskip("pyarrow.parquet").write_table(table, file)
    found = json.loads(run(capsys, str(file), "--weights", "w", "--by", "region", "--json")[1])
    expected = scores_of(groups=GROUPS)
    assert found["models"][0]["loss"] == pytest.approx(expected[0].loss)
    assert found["groups"]["west"]["models"][0]["loss"] == pytest.approx(expected.groups["west"][0].loss)


def test_wrong_weights_and_groups_in_files_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights, groups = WEIGHTS.copy(), GROUPS.copy()
    weights[40], groups[20] = -2, ""
    code, text = run(capsys, written(tmp_path / "data.csv", weights), "--weights", "w", "--by", "region")
    assert code == 2 and "line 42: weight 'w' = -2.0 is not a weight" in text
    code, text = run(
        capsys, written(tmp_path / "data.csv", groups=groups), "--weights", "w", "--by", "region"
    )
    assert code == 2 and "'' is no group" in text and "line 22" in text
    file = written(tmp_path / "data.csv")
    for option in (("--weights", "v"), ("--by", "regin")):
        code, text = run(capsys, file, *option, "--y-proba", "first")
        assert code == 2 and f"no column '{option[1]}'" in text
    code, text = run(capsys, file, "--weights", "first", "--y-proba", "first")
    assert code == 2 and "'first' is both a cost or weight and a model" in text


def test_the_amount_at_stake_may_be_the_weight_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "data.csv")
    found = json.loads(run(capsys, file, "--y-proba", "first", "--weights", "amount", "--json")[1])
    assert found["models"][0]["loss"] == pytest.approx(np.average(costs("first"), weights=AMOUNT))


def test_engines_without_weights_refuse_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "data.csv")
    arguments = ["score", file, "--y-true", "label", "--fp", "5", "--fn", "9", "--by", "region"]
    assert main([*arguments, "--engine", "duckdb"]) == 2
    assert "--by: --engine duckdb has no weights and groups" in capsys.readouterr().err


# ---- several classes

THREE = DirichletCosts((1, 1, 1))
NAMES = ("ok", "late", "lost")


def of_three(rows: int = 60) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray, np.ndarray]:
    draw = np.random.default_rng(9)
    models = {name: draw.dirichlet((1, 1, 1), rows) for name in ("first", "second")}
    weights = np.where(draw.random(rows) < 0.2, 0.0, np.round(3 * draw.random(rows), 2))
    return draw.integers(0, 3, rows), models, weights, np.array(["north", "south"])[draw.integers(0, 2, rows)]


def ratio(losses: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Return a weighted mean with its standard error, that of a ratio of sums (Särndal et al., result 5.6.1)."""
    count, mean = np.count_nonzero(weights), np.average(losses, weights=weights)
    return mean, np.sqrt((weights**2 * (losses - mean) ** 2).sum() * count / (count - 1)) / weights.sum()


def test_weights_and_groups_of_several_classes_are_those_of_ratios() -> None:
    labels, models, weights, groups = of_three()
    named = np.array(NAMES)[labels]
    scores = score_classes(THREE, named, models, labels=NAMES, sample_weight=weights, groups=groups)
    losses = [multiclass.compile(THREE).per_sample(labels, proba) for proba in models.values()]
    for part, rows in (
        (scores, groups != ""),
        *((scores.groups[g], groups == g) for g in ("north", "south")),
    ):
        for row, each in zip(part, losses, strict=True):
            found = row.loss, row.interval.standard_error
            assert found == pytest.approx(ratio(each[rows], weights[rows]))
            assert sum(row.of_classes) == pytest.approx(row.loss)
        gap = part.differences[0].loss
        expected = ratio((losses[0] - losses[1])[rows], weights[rows])
        assert (gap.value, gap.standard_error) == pytest.approx(expected)
        assert sum(part.counts) == np.count_nonzero(weights[rows])
    frame = scores.to_frame()
    assert frame.loc["first", "loss"] == scores[0].loss
    assert "of late" in frame.columns
    assert "Rows count by their weights" in str(scores)
    assert "north: first" in scores._repr_html_()


def test_files_of_several_classes_have_weights_and_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, models, weights, groups = of_three()
    head = ",".join(["y", "w", "region", *(f"{model}:{name}" for model in models for name in NAMES)])
    rows = [
        ",".join(map(str, [NAMES[y], w, g, *a, *b]))
        for y, w, g, a, b in zip(labels, weights, groups, *models.values(), strict=True)
    ]
    file = tmp_path / "three.csv"
    file.write_text("\n".join([head, *rows]) + "\n")
    command = ["score", str(file), "--y-true", "y", "--context", "dirichlet", "--classes", "3"]
    command += ["--labels", ",".join(NAMES), "--weights", "w", "--by", "region"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    scores = score_classes(THREE, labels, models, sample_weight=weights, groups=groups)
    assert found["models"][1]["loss"] == pytest.approx(scores[1].loss, rel=1e-14)
    south = found["groups"]["south"]["models"][0]["interval"]["high"]
    assert south == pytest.approx(scores.groups["south"][0].interval.high, rel=1e-14)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"sample_weight": -np.arange(60.0)}, "row 1: sample_weight = -1.0 is not a weight"),
        ({"groups": ["a"] * 59 + [None]}, "row 59: None is no group"),
        ({"labels": ("a", "b")}, r"labels = \('a', 'b'\) has 2 names for 3 classes"),
    ],
)
def test_what_is_wrong_with_rows_of_several_classes_is_named(changed: dict[str, Any], problem: str) -> None:
    labels, models, *_ = of_three()
    with pytest.raises((DataError, SpecError), match=problem):
        score_classes(THREE, labels, models, **changed)


def test_any_laws_of_several_classes_are_scored_within_a_time_limit() -> None:
    labels, models, *_ = of_three()
    costs = IndependentCosts(("uniform(1, 3)", "triangular(1, 2, 3)", "exponential(2)"))
    scores = score_classes(costs, labels, models, time_limit=30)
    assert scores[0].loss == pytest.approx(multiclass.compile(costs)(labels, models["first"]))


def endless(*given: Any) -> None:
    while True:
        pass


def test_costs_of_several_classes_that_take_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, models, *_ = of_three()
    monkeypatch.setattr("costderive.multiclass.mean_scores.find_distributions", endless)
    with pytest.raises(SpecError, match="took longer than time_limit"):
        score_classes(THREE, labels, models, time_limit=0.1)


def test_costs_of_several_classes_are_not_scored_as_those_of_two() -> None:
    with pytest.raises(DataError, match="score_classes"):
        cd.evaluate.score(THREE, [0, 1], {"a": [0.1, 0.2]})
