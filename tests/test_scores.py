"""Scores of models: intervals, differences, recalibration and prevalence against NumPy and scikit-learn; files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.isotonic import IsotonicRegression

import costderive as cd
from costderive.cli import main
from costderive.core.errors import DataError
from costderive.evaluate import How, Tally, from_files, score, score_blocks
from costderive.evaluate import prediction_files as files_room
from costderive.evaluate import tally as tally_room

CONTEXT = cd.IndependentUniform(c0=(0, 1), c1=(0, 3))
LOSS = cd.numeric.compile(cd.derive(CONTEXT))


def sample(rows: int = 600, seed: int = 3) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Labels and two models, one calibrated and one overconfident; some probabilities are tied."""
    generator = np.random.default_rng(seed)
    logit = generator.normal(-1, 1.5, rows)
    p = 1 / (1 + np.exp(-logit))
    y = (generator.random(rows) < p).astype(int)
    noisy = 1 / (1 + np.exp(-2 * logit - generator.normal(0, 1, rows)))
    return y, {"calm": np.round(p, 3), "bold": noisy}


Y, MODELS = sample()


def losses(name: str) -> np.ndarray:
    return np.where(Y == 1, LOSS.loss1(MODELS[name]), LOSS.loss0(MODELS[name]))


def test_intervals_are_those_of_a_mean() -> None:
    for row in score(CONTEXT, Y, MODELS):
        each = losses(row.model)
        error = each.std(ddof=1) / np.sqrt(len(Y))
        assert row.loss == pytest.approx(each.mean(), rel=1e-13)
        assert row.interval.standard_error == pytest.approx(error, rel=1e-10)
        assert row.interval.high == pytest.approx(each.mean() + 1.959963984540054 * error, rel=1e-10)


def test_differences_are_paired() -> None:
    scores = score(CONTEXT, Y, MODELS, level=0.9)
    each = losses("bold") - losses("calm")
    found = scores.over("calm")["bold"]
    error = each.std(ddof=1) / np.sqrt(len(Y))
    assert found.value == pytest.approx(each.mean(), rel=1e-10)
    assert found.low == pytest.approx(each.mean() - 1.6448536269514722 * error, rel=1e-9)
    assert scores.over("bold")["calm"].value == -found.value


def test_models_that_hardly_differ_have_an_exact_interval() -> None:
    near = MODELS["calm"] * (1 - 1e-9)
    each = LOSS.per_sample(Y, near) - losses("calm")
    found = score(CONTEXT, Y, {"near": near, "calm": MODELS["calm"]}).over("calm")["near"]
    # losses of order 1 are rounded to 1e-16, and so is what is left of them in differences of order 1e-9
    assert found.standard_error == pytest.approx(each.std(ddof=1) / np.sqrt(len(Y)), rel=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_bootstrap_intervals_are_those_of_drawn_rows(prevalence: float | None) -> None:
    """Against samples of rows, drawn here one by one; costs are far from normal in 60 rows."""
    rows = np.r_[:60]
    y, models = Y[rows], {name: p[rows] for name, p in MODELS.items()}
    generator, means = np.random.default_rng(9), []
    for _ in range(4000):
        if prevalence is None:
            drawn = generator.integers(0, len(y), len(y))
            means.append([LOSS(y[drawn], p[drawn]) for p in models.values()])
        else:
            parts = [generator.choice(np.flatnonzero(y == label), (y == label).sum()) for label in (0, 1)]
            each = [[LOSS(y[part], p[part]) for part in parts] for p in models.values()]
            means.append([(1 - prevalence) * zero + prevalence * one for zero, one in each])
    calm, bold = np.array(means).T
    found = score(CONTEXT, y, models, bootstrap=4000, seed=1, prevalence=prevalence)
    for ours, drawn in ((found[0].interval, calm), (found.over("calm")["bold"], bold - calm)):
        low, high = np.quantile(drawn, [0.025, 0.975])
        # a quantile of 4000 samples is uncertain by 4 % of the standard deviation
        assert abs(ours.low - low) + abs(ours.high - high) < 0.25 * drawn.std()
        assert ours.standard_error == pytest.approx(drawn.std(), rel=0.06)


def test_bootstrap_and_delta_method_agree_where_rows_are_many_in_any_order() -> None:
    """Groups of rows must not know the order of the file: here the classes, and then losses, are sorted."""
    y, models = sample(60_000, seed=4)
    order = np.lexsort((models["calm"], y))
    sorted_models = {name: p[order] for name, p in models.items()}
    delta = score(CONTEXT, y, models)
    found = score(CONTEXT, y[order], sorted_models, bootstrap=2000, seed=1)
    for ours, theirs in zip((*found, *found.differences), (*delta, *delta.differences), strict=True):
        one, other = ((each.interval if hasattr(each, "interval") else each.loss) for each in (ours, theirs))
        # 2000 samples: 1.6 %; 16384 groups of rows whose losses have heavy tails: 2 %
        assert one.standard_error == pytest.approx(other.standard_error, rel=0.08)
        assert abs(one.low - other.low) + abs(one.high - other.high) < 0.3 * other.standard_error


def test_an_infinite_loss_has_no_bootstrap_interval() -> None:
    scores = score(cd.Harmonic(), [0, 1, 1], {"sure": [0.5, 0.0, 1.0], "calm": [0.5, 0.4, 0.6]}, bootstrap=20)
    assert np.isnan(scores[0].interval.low) and np.isfinite(scores[1].interval.low)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_standard_errors_agree_with_the_bootstrap(prevalence: float | None) -> None:
    generator, p = np.random.default_rng(0), MODELS["calm"]
    zeros, ones = LOSS.loss0(p[Y == 0]), LOSS.loss1(p[Y == 1])
    means = []
    for _ in range(3000):
        if prevalence is None:
            means.append(generator.choice(losses("calm"), len(Y)).mean())
        else:
            draw = generator.choice(zeros, len(zeros)).mean(), generator.choice(ones, len(ones)).mean()
            means.append((1 - prevalence) * draw[0] + prevalence * draw[1])
    (row,) = score(CONTEXT, Y, {"calm": p}, prevalence=prevalence)
    # the standard deviation of 3000 means is uncertain by 1.3 %
    assert row.interval.standard_error == pytest.approx(np.std(means), rel=0.06)


def test_prevalence_counts_rows_as_if_there_were_more_of_them() -> None:
    p = MODELS["bold"]
    rows = np.concatenate([np.flatnonzero(Y == 0), np.repeat(np.flatnonzero(Y == 1), 5)])
    (wanted,) = score(CONTEXT, Y[rows], {"m": p[rows]})
    (found,) = score(CONTEXT, Y, {"m": p}, prevalence=float(Y[rows].mean()))
    for name in ("loss", "loss0", "loss1", "recalibrated", "skill", "brier", "log_loss"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=1e-11), name


@pytest.mark.parametrize("name", MODELS)
def test_recalibration_is_that_of_scikit_learn(name: str) -> None:
    fitted = IsotonicRegression(y_min=0, y_max=1).fit_transform(MODELS[name], Y)
    rows = {row.model: row for row in score(CONTEXT, Y, MODELS)}
    assert rows[name].recalibrated == pytest.approx(LOSS(Y, np.clip(fitted, 0, 1)), rel=1e-9)
    assert rows[name].recalibrated <= rows[name].loss


def test_skill_is_measured_against_the_best_constant() -> None:
    (row,) = score(CONTEXT, Y, {"calm": MODELS["calm"]})
    constants = [LOSS(Y, np.full(len(Y), p)) for p in (*np.linspace(0.001, 0.999, 500), Y.mean())]
    assert row.skill == pytest.approx(1 - row.loss / min(constants), rel=1e-9)


def test_a_threshold_of_its_own_has_its_price() -> None:
    half = cd.FixedThreshold("1/2")
    (row,) = score(CONTEXT, Y, {"calm": MODELS["calm"]}, threshold=half, draws=50_000, seed=1)
    decided = MODELS["calm"] > 0.5
    assert row.loss == pytest.approx(np.where(Y == 0, 0.5 * decided, 1.5 * ~decided).mean(), rel=1e-12)
    assert row.calibrated == pytest.approx(losses("calm").mean(), rel=1e-12)
    (calibrated,) = score(CONTEXT, Y, {"calm": MODELS["calm"]})
    assert (1 - row.skill) / row.loss == pytest.approx((1 - calibrated.skill) / calibrated.loss, rel=1e-9)
    assert row.simulation is not None
    assert abs(row.simulation.mean - row.loss) < 5 * row.simulation.standard_error


def test_one_class_alone_is_scored() -> None:
    (row,) = score(cd.Additive(), [0, 0], {"m": [0.25, 0.75]})
    assert (row.loss, row.loss1, row.recalibrated) == (0.3125, 0.0, 0.0)
    assert np.isnan(row.skill)
    with pytest.raises(DataError, match="both classes"):
        score(cd.Additive(), [0, 0], {"m": [0.25, 0.75]}, prevalence=0.1)


def test_an_infinite_loss_leaves_the_other_models_their_intervals() -> None:
    scores = score(cd.Harmonic(), [0, 1, 1], {"sure": [0.5, 0.0, 1.0], "calm": [0.5, 0.4, 0.6]})
    assert np.isinf(scores[0].loss) and np.isnan(scores[0].interval.low)
    assert np.isfinite(scores[1].interval.low) and np.isnan(scores.over("calm")["sure"].low)


@pytest.mark.parametrize("keyword", ["prevalence", "level"])
def test_proportions_are_inside_the_unit_interval(keyword: str) -> None:
    with pytest.raises(DataError, match=f"{keyword} = 1.5"):
        score(cd.Additive(), Y, MODELS, **{keyword: 1.5})  # type: ignore[arg-type]


FRAMES = {
    "pandas": pd.DataFrame({"y": Y, **MODELS}),
    "polars": pl.DataFrame({"y": Y, **MODELS}),
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_are_scored_as_arrays_are(library: str) -> None:
    frame, wanted = FRAMES[library], [row.loss for row in score(CONTEXT, Y, MODELS)]
    for models in (frame[list(MODELS)], {name: frame[name] for name in MODELS}):
        found = score(CONTEXT, frame["y"], models)
        assert [(row.model, row.loss) for row in found] == list(zip(MODELS, wanted, strict=True))
    assert LOSS(frame["y"], frame["calm"], sample_weight=frame["bold"]) == pytest.approx(
        np.average(losses("calm"), weights=MODELS["bold"]), rel=1e-12
    )


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["0", "1"])])
def test_labels_of_polars_may_be_words(dtype: Any) -> None:
    labels = pl.Series(Y.astype(str)).cast(dtype)
    assert [row.loss for row in score(CONTEXT, labels, MODELS, pos_label="1")] == pytest.approx(
        [losses(name).mean() for name in MODELS], rel=1e-13
    )


def test_what_is_missing_in_a_frame_is_named() -> None:
    frame = pl.DataFrame({"fine": [0.5, 0.5], "gap": [0.5, None]})
    with pytest.raises(DataError, match=r"model 'gap': y_proba\[1\] = nan is not a probability"):
        score(CONTEXT, [0, 1], frame)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="models is a list"):
        score(CONTEXT, [0, 1], [[0.5, 0.5]])  # type: ignore[arg-type]


# ---- files


def write_csv(path: Path, **columns: Any) -> Path:
    pd.DataFrame(columns).to_csv(path, index=False, float_format="%.17g")
    return path


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_room, "ROWS", 7)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_in_blocks_give_what_memory_gives(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"p.{kind}"
    if kind == "csv":
        write_csv(path, y=Y, **MODELS)
    else:
        pa.parquet.write_table(pa.table({"y": Y, **MODELS}), path, row_group_size=10)
    found = score_blocks(CONTEXT, from_files([path], y_true="y"), How(draws=100, seed=0))
    wanted = score(CONTEXT, Y, MODELS, draws=100, seed=0)
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-14)
        assert ours.interval.low == pytest.approx(theirs.interval.low, rel=1e-12)
        assert ours.recalibrated == pytest.approx(theirs.recalibrated, rel=1e-12)
        assert ours.simulation is not None and theirs.simulation is not None
        assert ours.simulation.mean == pytest.approx(theirs.simulation.mean, rel=1e-12)


def test_many_distinct_probabilities_are_rounded_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    y, models = sample(200_000, seed=1)
    (exact,) = score(CONTEXT, y, {"bold": models["bold"]})
    monkeypatch.setattr(tally_room, "MOST", 1 << 15)
    found = score(CONTEXT, y, {"bold": models["bold"]})
    assert not found.tallies[0].is_exact and len(found.tallies[0]) < 1 << 16
    assert found[0].loss == exact.loss
    assert found[0].recalibrated == pytest.approx(exact.recalibrated, rel=2e-3)


@pytest.mark.usefixtures("small_blocks")
def test_several_files_are_models_of_the_same_instances(tmp_path: Path) -> None:
    one = write_csv(tmp_path / "one.csv", y=Y, p=MODELS["calm"])
    two = tmp_path / "two.parquet"
    pa.parquet.write_table(pa.table({"y": [str(label) for label in Y], "p": MODELS["bold"]}), two)
    found = score_blocks(CONTEXT, from_files([one, two], y_true="y"))
    assert [row.model for row in found] == ["one", "two"]
    assert [row.loss for row in found] == pytest.approx([losses("calm").mean(), losses("bold").mean()])


def test_files_of_other_instances_are_refused(tmp_path: Path) -> None:
    one = write_csv(tmp_path / "one.csv", y=[0, 1, 1], p=[0.1, 0.2, 0.3])
    for other, message in (([0, 1, 0], r"one.csv, line 4 has another label"), ([0, 1], "fewer rows")):
        two = write_csv(tmp_path / "two.csv", y=other, p=[0.5] * len(other))
        with pytest.raises(DataError, match=message):
            score_blocks(CONTEXT, from_files([one, two], y_true="y"))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("late", "message"),
    [
        ("2", "line 21, column 'y': '2' is a third label, after 0 and 1"),
        ("", "line 21, column 'y': '' is not a label"),
    ],
)
def test_a_bad_label_far_down_is_found(late: str, message: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", y=["0", "1"] * 9 + ["0", late], p=[0.5] * 20)
    with pytest.raises(DataError, match=message):
        list(from_files([path], y_true="y"))


@pytest.mark.usefixtures("small_blocks")
def test_a_first_block_of_one_class_does_not_settle_the_labels(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", y=[1] * 10 + [-1] * 10, p=[0.5] * 20)
    assert sum(block.is_one.sum() for block in from_files([path], y_true="y")) == 10
    named = write_csv(tmp_path / "q.csv", y=["spam"] * 10 + ["ham"] * 10, p=[0.5] * 20)
    blocks = from_files([named], y_true="y", pos_label="ham")
    assert sum(block.is_one.sum() for block in blocks) == 10


BAD_TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "outside": ({"y": [0, 1], "p": [0.5, 1.5]}, "row 2, column 'p': 1.5 is outside"),
    "nan": ({"y": [0, 1], "p": [0.5, float("nan")]}, "row 2, column 'p'"),
    "null": ({"y": [0, 1], "p": [None, 0.5]}, "row 1, column 'p' is empty"),
    "text": ({"y": [0, 1], "p": ["a", "b"]}, "column 'p': a is not a number"),
    "null label": ({"y": [0, None], "p": [0.5, 0.5]}, "row 2, column 'y': None is not a label"),
    "no rows": ({"y": pa.array([], pa.int8()), "p": pa.array([], pa.float64())}, "no rows"),
    "no column": ({"z": [0], "p": [0.5]}, "no column 'y'"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_parquet_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    columns, message = BAD_TABLES[name]
    pa.parquet.write_table(pa.table(columns), tmp_path / "p.parquet")
    with pytest.raises(DataError, match=message):
        list(from_files([tmp_path / "p.parquet"], y_true="y"))


def test_a_truncated_parquet_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.parquet").write_bytes(b"PAR1" + b"\0" * 50)
    with pytest.raises(DataError, match=r"p\.parquet is not a readable Parquet file"):
        list(from_files([tmp_path / "p.parquet"], y_true="y"))


def test_a_tally_counts_ties_together() -> None:
    tally = Tally.of(np.array([0.5, 0.25, 0.5]), np.array([True, False, False]))
    assert [tally.probability.tolist(), tally.zeros.tolist(), tally.ones.tolist()] == [
        [0.25, 0.5],
        [1, 1],
        [0, 1],
    ]


# ---- the command line


def test_costs_may_be_given_in_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_csv(tmp_path / "p.csv", y=Y, **MODELS)
    printed = []
    for costs in (
        ["--fp", "uniform:0,1", "--fn", "0,3"],
        ["--context", "independent-uniform", "--c0", "0,1", "--c1", "0,3"],
    ):
        assert main(["score", str(path), "--y-true", "y", *costs, "--json"]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert printed[0]["differences"][0]["loss"]["value"] == pytest.approx(
        (losses("calm") - losses("bold")).mean()
    )
    assert main(["score", str(path), "--y-true", "y"]) == 2
    assert "no context is given" in capsys.readouterr().err


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    width: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    path = write_csv(tmp_path / "p.csv", y=Y, **MODELS)
    assert (
        main(
            ["score", str(path), "--y-true", "y", "--c0", "1", "--c1", "3", "--threshold", "1/2", "--verify"]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= width
    assert "above E[c₀]/(E[c₀] + E[c₁]) = 0.25" in " ".join(out.split())
    assert "calm costs least" in out and "Warning: for bold deciding at the given threshold" in out
    assert "Warning: the simulated cost" not in out  # it has no standard error, and differs by rounding


def test_a_report_needs_no_network(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", y=Y, **{"<b>calm": MODELS["calm"], "bold": MODELS["bold"]})
    page = tmp_path / "report.html"
    assert main(["score", str(path), "--y-true", "y", "--c0", "1", "--c1", "3", "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "&lt;b&gt;calm" in text and "<b>calm" not in text
    assert 'src="http' not in text and 'href="http' not in text


HOSTILE = {
    "a probability above 1": ("y,p\n0,0.5\n1,1.5\n", "line 3, column 'p': 1.5 is outside"),
    "nan": ("y,p\n0,0.5\n1,nan\n", "line 3, column 'p': 'nan' is not a number"),
    "three labels": ("y,p\n0,0.5\n1,0.5\n2,0.5\n", "line 4, column 'y': '2' is a third label"),
    "no label": ("y,p\n0,0.5\n,0.5\n", "line 3, column 'y': '' is not a label"),
    "a missing column": ("z,p\n0,0.5\n", "has no column 'y'"),
    "no rows": ("y,p\n", "has no rows"),
    "an empty file": ("", "has no header line"),
    "a name that drives the terminal": ("\x1b[31mz,p\n0,0.5\n", "has no column 'y'"),
}


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("name", HOSTILE)
def test_bad_input_has_status_2_and_leaves_no_report(
    name: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, problem = HOSTILE[name]
    path, page = tmp_path / "p.csv", tmp_path / "report.html"
    path.write_text(text)
    costs = ["--c0", "1", "--c1", "3", "--engine", engine, "--html", str(page)]
    assert main(["score", str(path), "--y-true", "y", *costs]) == 2
    out, err = capsys.readouterr()
    assert out == "" and problem in err.splitlines()[0] and str(path) in err and "\x1b" not in err
    assert [left.name for left in tmp_path.iterdir()] == ["p.csv"]


def test_labels_are_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_csv(tmp_path / "p.csv", y=Y, **MODELS)
    chosen = ["--y-proba", "calm", "y", "--c0", "1", "--c1", "3"]
    assert main(["score", str(path), "--y-true", "y", *chosen]) == 2
    assert "column 'y' holds the labels" in capsys.readouterr().err
