"""What the report of scores says: ties, intervals of few rows, and tables that fit a terminal."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import costderive as cd
from costderive.cli import main

COSTS = cd.FixedCosts(1, 2)
Y = np.arange(400) % 4 // 3
P = (np.arange(400) * 7 % 400 + 100 * Y + 0.5) / 500


def test_models_that_decide_alike_tie() -> None:
    scores = cd.evaluate.score(COSTS, Y, {"a": P, "b": np.where(P > 1 / 3, 1.0, 0.0), "c": 1 - P})
    assert scores.tied == ("a", "b")
    mean = np.mean(np.where(Y == 1, 2 * (P <= 1 / 3), P > 1 / 3))
    assert f"a and b tie: each costs {mean:.4f} an instance." in str(scores)
    assert "tie" in [line.split()[-1] for line in str(scores).splitlines() if line.startswith("b ")]


def test_models_that_differ_do_not_tie() -> None:
    scores = cd.evaluate.score(COSTS, Y, {"a": P, "c": 1 - P})
    assert scores.tied == () and "costs least" in str(scores)


def test_an_interval_of_a_loss_does_not_go_below_zero() -> None:
    """One row of 40 costs 2: the interval of the mean would be 0.05 ± 0.098."""
    y, p = np.r_[np.zeros(39), 1].astype(int), np.full(40, 0.1)
    (row,) = cd.evaluate.score(COSTS, y, {"a": p})
    assert row.interval.low == 0 and row.interval.high == pytest.approx(0.05 + 1.959964 * 0.05, rel=1e-6)


@pytest.mark.parametrize(("rows", "is_small"), [(29, True), (36, True), (400, False)])
def test_intervals_of_few_rows_are_called_unreliable(rows: int, is_small: bool) -> None:
    scores = cd.evaluate.score(COSTS, Y[:rows], {"a": P[:rows], "b": 1 - P[:rows]})
    assert scores.is_small is is_small and ("Unreliable" in str(scores)) is is_small


def test_groups_of_few_rows_are_named() -> None:
    groups = np.where(np.arange(400) < 12, "north", "south")
    scores = cd.evaluate.score(COSTS, Y, {"a": P}, groups=groups)
    (line,) = [line for line in str(scores).splitlines() if "Unreliable" in line]
    assert "groups" in line and "south" not in str(scores).partition("Unreliable")[2]


def test_no_line_is_wider_than_80_letters() -> None:
    models = {f"{'long ' * 12}{k}": P**k for k in range(1, 4)} | {"x" * 60: 1 - P}
    groups = np.where(P < 0.5, "a group with a name of many letters and words", "b")
    printed = str(cd.evaluate.score(cd.CostMatrix(fp=1, fn=3, tp=-1), Y, models, groups=groups))
    assert max(map(len, printed.splitlines())) <= 80


def test_a_page_without_matplotlib_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, page = tmp_path / "p.csv", tmp_path / "p.html"
    data.write_text("y,a\n" + "\n".join(f"{y},{p}" for y, p in zip(Y, P, strict=True)))
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "matplotlib" else found(name, *more)
    )
    assert main(["score", str(data), "--y-true", "y", "--fp", "1", "--fn", "2", "--html", str(page)]) == 0
    assert "matplotlib is not installed" in capsys.readouterr().err and page.is_file()


def test_a_page_on_one_model_has_its_pictures(tmp_path: Path) -> None:
    data, page = tmp_path / "p.csv", tmp_path / "p.html"
    data.write_text("y,a\n" + "\n".join(f"{y},{p}" for y, p in zip(Y, P, strict=True)))
    assert main(["score", str(data), "--y-true", "y", "--fp", "1", "--fn", "2", "--html", str(page)]) == 0
    assert "recalibrated" in page.read_text()
