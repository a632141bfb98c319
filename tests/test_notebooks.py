"""Every notebook script runs from top to bottom, and the notebook beside it is of that script."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks import Cell, cells, outputs, scripts

LARGEST = 300_000  # characters of a picture: about 200 KB


def committed(script: Path) -> list[dict[str, Any]]:
    content = json.loads(script.with_suffix(".ipynb").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = content["cells"]
    return found


def words(shown: list[dict[str, Any]]) -> list[str]:
    """Return what a cell says without its numbers, whose last digits another processor may change."""
    said = "".join(text for output in shown for text in output.get("text", ()))
    return re.sub(r"[-+−]?[0-9][0-9.e]*|∞|─+", " ", said).split()


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.stem)
def test_a_notebook_runs_and_says_what_was_committed(script: Path) -> None:
    for kept, shown in zip(committed(script), outputs(script), strict=True):
        assert words(kept.get("outputs", [])) == words(shown)
        assert len(kept.get("outputs", [])) == len(shown)


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.stem)
def test_a_notebook_has_the_cells_of_its_script(script: Path) -> None:
    found = [Cell(cell["cell_type"] == "code", "".join(cell["source"])) for cell in committed(script)]
    assert found == cells(script.read_text(encoding="utf-8"))


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.stem)
def test_the_pictures_of_a_notebook_are_small(script: Path) -> None:
    data = [output.get("data", {}) for cell in committed(script) for output in cell.get("outputs", [])]
    assert all(len(shown.get("image/png", "")) < LARGEST for shown in data)


def test_a_script_is_read_cell_by_cell() -> None:
    text = "# %% [markdown]\n# # Title\n#\n# Prose.\n\n# %%\nx = 1\n\nx + 1\n"
    assert cells(text) == [Cell(False, "# Title\n\nProse."), Cell(True, "x = 1\n\nx + 1")]


def test_what_a_cell_says_and_draws_is_kept(tmp_path: Path) -> None:
    script = tmp_path / "small.py"
    drawing = "from matplotlib import pyplot as plt\nfigure, axis = plt.subplots()"
    script.write_text(f"# %%\nprint('one')\ntwo = 2\n# %%\nprint(two)\n{drawing}\n# %%\n# nothing\n")
    first, second, third = outputs(script)
    assert first == [{"name": "stdout", "output_type": "stream", "text": ["one\n"]}]
    assert second[0]["text"] == ["2\n"]
    assert second[1]["data"]["image/png"].startswith("iVBOR")
    assert third == []


def test_an_error_in_a_cell_is_not_swallowed(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text("# %%\nassert 1 == 2\n")
    with pytest.raises(AssertionError):
        list(outputs(script))
