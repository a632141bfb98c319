"""Scores by DuckDB: the table of the other engine, the same faults found in files; the SQL on Spark, if it is there."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.metrics import brier_score_loss

import costderive as cd
from costderive.cli import main
from costderive.core.errors import DataError
from costderive.evaluate import How, Scores, duckdb_scores, from_files, score_blocks
from costderive.evaluate import prediction_files as files_room
from costderive.evaluate import tally as tally_room
from costderive.evaluate.duckdb_scores import score_files
from tests.targets import in_python

ROWS = 5000
CASES: dict[str, tuple[Any, How]] = {
    "rectangle": (cd.IndependentUniform(c0=(0, 1), c1=(0, 3)), How(draws=50, seed=1)),
    "tables, another threshold": (cd.Geometric(), How(threshold=cd.FixedThreshold("1/3"), prevalence=0.1)),
    "infinite losses": (cd.Harmonic(), How()),
    "bootstrap": (cd.Additive(), How(bootstrap=40, seed=2)),
    "bootstrap by class": (cd.FixedCosts(c0=1, c1=3), How(bootstrap=40, seed=2, prevalence=0.05)),
}


def predictions(rows: int = ROWS) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(5)
    logit = generator.normal(-1, 2, rows)
    p = 1 / (1 + np.exp(-logit))
    y = generator.random(rows) < p
    ends = np.where(p < 0.02, 0.0, np.where(p > 0.95, 1.0, p))
    return {
        "y": y.astype(np.int8),
        "calm": np.round(p, 3),
        "odd 'name\"": 1 / (1 + np.exp(-2 * logit)),
        "sure": ends,
    }


COLUMNS = predictions()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the same predictions in both formats; its name has what would be a pattern."""
    place = tmp_path_factory.mktemp("[a]*")
    pa.parquet.write_table(pa.table(COLUMNS), place / "p.parquet", row_group_size=700)
    names = ",".join('"' + name.replace('"', '""') + '"' for name in COLUMNS)
    lines = [",".join(repr(x.item()) for x in row) for row in zip(*COLUMNS.values(), strict=True)]
    (place / "p.csv").write_text("\n".join(["", names, *lines[:9], "", *lines[9:], ""]))
    return place


def numbers(value: Any) -> Iterator[float]:
    """Yield all numbers of a score, in order."""
    if is_dataclass(value):
        for field in fields(value):
            yield from numbers(getattr(value, field.name))
    elif isinstance(value, int | float):
        yield float(value)


def same(found: Scores, wanted: Scores) -> None:
    assert (found.counts, [row.model for row in found]) == (wanted.counts, [row.model for row in wanted])
    for ours, theirs in zip([*found, *found.differences], [*wanted, *wanted.differences], strict=True):
        assert list(numbers(ours)) == pytest.approx(list(numbers(theirs)), rel=1e-12, abs=1e-14, nan_ok=True)
    for ours, theirs in zip(found.tallies, wanted.tallies, strict=True):
        for name in ("probability", "zeros", "ones"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_table_is_that_of_the_other_engine(case: str, kind: str, folder: Path) -> None:
    context, how = CASES[case]
    path = folder / f"p.{kind}"
    same(
        score_files(context, [path], how, y_true="y"),
        score_blocks(context, from_files([path], y_true="y"), how),
    )


def test_losses_are_those_of_scikit_learn_and_of_each_row(folder: Path) -> None:
    calm = COLUMNS["calm"]
    (row,) = score_files(cd.Additive(), [folder / "p.parquet"], y_true="y", y_proba=["calm"])
    each = np.where(COLUMNS["y"] == 1, (1 - calm) ** 2, calm**2)
    assert row.loss == pytest.approx(brier_score_loss(COLUMNS["y"], calm), rel=1e-13)
    assert row.interval.standard_error == pytest.approx(each.std(ddof=1) / math.sqrt(ROWS), rel=1e-12)


def test_probabilities_that_are_too_many_are_rounded_alike(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tally_room, "MOST", 1000)
    context, path = cd.Additive(), folder / "p.parquet"
    found = score_files(context, [path], y_true="y")
    assert [tally.is_exact for tally in found.tallies] == [True, False, False]
    same(found, score_blocks(context, from_files([path], y_true="y")))


def test_more_rows_than_groups_are_drawn_alike(tmp_path: Path) -> None:
    path, how = tmp_path / "p.parquet", How(bootstrap=20, seed=3)
    pa.parquet.write_table(pa.table(predictions(40_000)), path)
    context = cd.Additive()
    same(
        score_files(context, [path], how, y_true="y"),
        score_blocks(context, from_files([path], y_true="y"), how),
    )


def test_files_side_by_side_are_models_of_the_same_instances(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    labels = np.where(COLUMNS["y"] == 1, "1.0", " 0")
    other.write_text("p,y\n" + "".join(f"{p},{y}\n" for p, y in zip(COLUMNS["sure"], labels, strict=True)))
    paths = [folder / "p.parquet", other]
    same(
        score_files(cd.Additive(), paths, y_true="y"),
        score_blocks(cd.Additive(), from_files(paths, y_true="y")),
    )
    other.write_text(other.read_text() + "0.5,1\n")
    with pytest.raises(DataError, match=r"p\.parquet has fewer rows than .*other\.csv"):
        score_files(cd.Additive(), paths, y_true="y")


def test_the_class_of_words_may_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,p\nspam,0.75\nham,0.5\n")
    assert score_files(cd.Additive(), [path], y_true="y", pos_label="spam")[0].loss == 0.15625
    assert score_files(cd.Additive(), [path], y_true="y", pos_label="ham")[0].loss == 0.40625


BAD = {
    "third label": "0,0.5\n" * 40 + "1,0.5\n2,0.5\n",
    "late cell that is no number": "0,0.5\n1,0.5\n" * 40 + "0,half\n",
    "late probability above 1": "0,0.5\n1,0.5\n" * 40 + "0,1.5\n",
    "late ragged row": "0,0.5\n1,0.5\n" * 40 + "0\n",
    "late label that is missing": "0,0.5\n1,0.5\n" * 40 + ",0.5\n",
    "late number with an underscore": "0,0.5\n1,0.5\n" * 40 + "0,0_1\n",
    "late bytes that are no text": "0,0.5\n1,0.5\n" * 40 + "0,0.5\udcff\n",
    "label of class 1 that is not there": "2,0.5\n3,0.5\n",
}


@pytest.mark.parametrize("name", BAD)
def test_faults_are_found_where_the_other_engine_finds_them(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_room, "ROWS", 20)
    path = tmp_path / "p.csv"
    path.write_text("y,p\n" + BAD[name], errors="surrogateescape")
    with pytest.raises(DataError) as wanted:
        list(from_files([path], y_true="y", pos_label=1))
    with pytest.raises(DataError) as found:
        score_files(cd.Additive(), [path], y_true="y", pos_label=1)
    assert str(found.value) == str(wanted.value)


def test_what_duckdb_alone_cannot_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("y,p\n0,0.5\n1,٠.٥\n")  # Arabic digits, which Python reads
    with pytest.raises(DataError, match=r"DuckDB cannot read .*p\.csv"):
        score_files(cd.Additive(), [path], y_true="y")


def test_the_command_line_chooses_the_engine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for engine in ("numpy", "duckdb"):
        costs = ["--c0", "1", "--c1", "3", "--engine", engine, "--json"]
        assert main(["score", str(folder / "p.parquet"), "--y-true", "y", *costs]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    assert [row["loss"] for row in printed[0]["models"]] == pytest.approx(
        [row["loss"] for row in printed[1]["models"]]
    )


def test_columns_that_are_kept_come_out_of_the_query() -> None:
    query = cd.export.code(cd.derive(cd.Additive()).rule, "sql", keep=("id", 'an "odd" name'))
    table = 'SELECT 7 AS id, true AS "an ""odd"" name", 1 AS y, 0.25 AS p'
    with duckdb.connect() as connection:
        answer = connection.execute(f"WITH predictions AS ({table}) SELECT * FROM (\n{query})")
        assert [column[0] for column in answer.description][:2] == ["id", 'an "odd" name']
        assert answer.fetchall() == [(7, True, 1, 0.25, 0.0625, 0.5625, 0.5625)]


def test_a_watcher_learns_how_much_is_done(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_scores, "INTERVAL", 1e-4)
    shares: list[float] = []
    score_files(cd.Additive(), [folder / "p.parquet"], y_true="y", watch=shares.append)
    assert shares and all(0 <= share <= 1 for share in shares) and max(shares) >= 0.25


SPARK = """
from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
)
RESULT = []
for query, rows in DATA:
    spark.createDataFrame(rows, "y INT, p DOUBLE").createOrReplaceTempView("predictions")
    found = {(row.y, row.p): row.loss for row in spark.sql(query).collect()}
    RESULT.append([found[y, p] for y, p in rows])
spark.stop()
"""


@pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None or shutil.which("java") is None, reason="no Spark, or no Java"
)
def test_spark_computes_the_losses() -> None:
    points = [0.0, 5e-324, 1e-9, 0.1, 1 / 3, 0.5, 0.7, 1 - 2**-53, 1.0]
    rows = [(y, p) for y in (0, 1) for p in points]
    rules = [cd.derive(context) for context in (cd.Harmonic(), cd.Geometric(), CASES["rectangle"][0])]
    found = in_python(SPARK, [(cd.export.code(each.rule, "sql", dialect="spark"), rows) for each in rules])
    for derivation, values in zip(rules, found, strict=True):
        loss = cd.numeric.compile(derivation)
        wanted = [(loss.loss1 if y else loss.loss0)(p) for y, p in rows]
        assert values == pytest.approx(wanted, rel=5e-15)
