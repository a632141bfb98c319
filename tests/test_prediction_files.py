"""Files of predictions as people have them: from a pipe, with other delimiters, with columns that are no models."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from costderive.cli import main
from costderive.core.errors import DataError
from costderive.evaluate import from_files
from costderive.evaluate.prediction_files import blocks

ROWS = [(k % 3 // 2, (k * 7 % 40 + 0.5) / 41) for k in range(40)]
COSTS = ["--fp", "1", "--fn", "2", "--y-true", "y"]


def table(delimiter: str = ",", **columns: list[str]) -> str:
    names = ["y", "p", *columns]
    cells = [[str(y), str(p), *(column[k] for column in columns.values())] for k, (y, p) in enumerate(ROWS)]
    return "\n".join(delimiter.join(row) for row in [names, *cells]) + "\n"


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def scored(*arguments: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["score", *arguments, *COSTS, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def pipe(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_pipe_is_scored_as_a_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    amounts = [str(10 + k) for k in range(40)]
    file = written(tmp_path / "p.csv", table(amount=amounts))
    expected = scored(file, capsys=capsys)
    pipe(monkeypatch, table(amount=amounts))
    assert scored("-", capsys=capsys) == expected
    pipe(monkeypatch, table(amount=amounts))
    assert main(["score", "-", "--fp", "1", "--fn", "amount", "--y-true", "y"]) == 0  # reads the header, too


def test_what_is_wrong_with_a_pipe_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe(monkeypatch, table().replace("0.5", "none", 1))
    assert main(["score", "-", *COSTS]) == 2
    assert "standard input, line" in capsys.readouterr().err
    pipe(monkeypatch, table())
    assert main(["score", "-", *COSTS, "--engine", "duckdb"]) == 2
    assert "standard input" in capsys.readouterr().err


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_delimiter_is_found(
    delimiter: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, other = (written(tmp_path / f"{k}.csv", table(d)) for k, d in enumerate((",", delimiter)))
    expected = scored(plain, "--engine", engine, capsys=capsys)
    assert scored(other, "--engine", engine, capsys=capsys) == expected


def test_commas_in_names_do_not_hide_the_delimiter(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", "y;a (u, v, w)\n0;0.5\n1;0.75\n")
    (part,) = blocks(file, y_true="y")
    assert part.models["a (u, v, w)"].tolist() == [0.5, 0.75]


def test_a_delimiter_may_be_named(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", "y:p\n0:0.5\n1:0.75\n")
    (part,) = blocks(file, y_true="y", delimiter=":")
    assert part.models["p"].tolist() == [0.5, 0.75]
    tabs = written(tmp_path / "t.csv", "y\tp\n0\t0.5\n1\t0.75\n")
    assert next(blocks(tabs, y_true="y", delimiter="tab")).models["p"].tolist() == [0.5, 0.75]
    with pytest.raises(DataError, match="no single letter"):
        next(blocks(file, y_true="y", delimiter="::"))


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_columns_of_no_probabilities_are_left_out_with_a_note(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {
        "id": [str(k) for k in range(40)],
        "region": ["north"] * 40,
        "amount": [f"{k + 0.5}" for k in range(40)],
    }
    file = written(tmp_path / "p.csv", table(**other))
    found = scored(file, "--engine", engine, capsys=capsys)
    assert [model["model"] for model in found["models"]] == ["p"]  # type: ignore[attr-defined]
    assert found["left_out"] == {"id": "whole numbers", "region": "text", "amount": "numbers beyond 1"}
    assert main(["score", file, *COSTS, "--engine", engine]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Left out, as they hold no probabilities: id (whole numbers), region (text), amount" in said


def test_a_model_with_a_wrong_value_is_an_error_and_not_left_out(tmp_path: Path) -> None:
    wrong = ["0.5"] * 39 + ["1.5"]
    with pytest.raises(DataError, match=r"line 41, column 'q': 1\.5 is outside"):
        next(blocks(written(tmp_path / "p.csv", table(q=wrong)), y_true="y"))
    with pytest.raises(DataError, match="line 41, column 'q': '' is not a number"):
        next(blocks(written(tmp_path / "p.csv", table(q=["0.5"] * 39 + [""])), y_true="y"))
    for cell in ("$0.50", "4.29%"):
        with pytest.raises(DataError, match="is not a number alone"):
            next(blocks(written(tmp_path / "p.csv", table(q=["0.5"] * 39 + [cell])), y_true="y"))
    with pytest.raises(DataError, match=r"line 2, column 'id': 2\.0 is outside"):
        next(blocks(written(tmp_path / "p.csv", table(id=["2"] * 40)), y_true="y", y_proba=["id"]))


def test_a_file_without_probabilities_is_refused_with_the_place_of_the_first_fault(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", "y,id\n0,5\n1,6\n")
    with pytest.raises(DataError, match=r"line 2, column 'id': 5\.0 is outside"):
        next(blocks(file, y_true="y"))


def test_columns_of_parquet_files_are_left_out_too(tmp_path: Path) -> None:
    y, p = np.array(ROWS).T
    columns = {"y": y, "p": p, "id": np.arange(40), "region": ["north"] * 40}
    parquet.write_table(pyarrow.table(columns), tmp_path / "p.parquet")
    (part,) = from_files([tmp_path / "p.parquet"], y_true="y")
    assert list(part.models) == ["p"]
    assert part.left_out == {"id": "whole numbers", "region": "text"}


def test_decisions_in_place_of_probabilities_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "p.csv", table(test=["0", "1"] * 20))
    assert main(["score", file, *COSTS]) == 0
    assert "test has no values but 0 and 1" in capsys.readouterr().out


def with_commas(text: str) -> str:
    return text.replace(".", ",")


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_decimal_commas_are_read(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = scored(written(tmp_path / "p.csv", table()), capsys=capsys)
    file = written(tmp_path / "semicolons.csv", with_commas(table(";")))
    found = scored(file, "--engine", engine, capsys=capsys)
    assert found["models"][0]["loss"] == pytest.approx(expected["models"][0]["loss"], rel=1e-14)  # type: ignore[index]


def test_labels_and_costs_may_have_decimal_commas(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", 'y,p,amount\n"1,0","0,25","1,234"\n"0,0",1,2\n')
    (block,) = from_files([file], y_true="y", columns=["amount"])
    assert block.is_one.tolist() == [True, False]
    assert block.models["p"].tolist() == [0.25, 1.0]
    assert block.columns["amount"].tolist() == [1.234, 2.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("y;p;amount\n1;0.25;1,234\n0;1;2\n", "line 2, column 'amount': '1,234' may be a decimal number or"),
        (
            "y;p;amount\n0;1;2\n1;0.25;12,5\n",
            "line 3, column 'amount': '12,5' has a decimal comma, and other",
        ),
        ("y;p;amount\n1;0,25;1.234,5\n0;1;2\n", "line 2, column 'amount': '1.234,5' has a point, and other"),
        ("y,p\n1,0,25\n", "Where commas separate cells, a decimal comma needs quotes"),
    ],
)
def test_commas_that_may_mean_either_are_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as refused:
        list(from_files([written(tmp_path / "p.csv", text)], y_true="y", columns=["amount"] * (";" in text)))
    assert said in str(refused.value)
