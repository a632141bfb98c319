"""Every notebook script runs from top to bottom."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
DATA_SCRIPTS = {"make_predictions.py"}  # writes predictions.csv, which is committed
SCRIPTS = sorted(path.name for path in NOTEBOOKS.glob("*.py") if path.name not in DATA_SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_notebook_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(NOTEBOOKS / name))
    assert capsys.readouterr().out
