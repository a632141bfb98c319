"""Run notebook scripts cell by cell, and write what they show beside them: ``python -m tests.notebooks [NAME...]``.

A script in percent format is text that can be reviewed; the ``.ipynb`` beside it is for readers, with its outputs.
Cells run in one namespace, as in a kernel; pictures that are open in pyplot when a cell ends are shown below it.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib import pyplot

FOLDER = Path(__file__).parents[1] / "notebooks"
DATA_SCRIPTS = {"make_predictions.py"}  # writes predictions.csv, which is committed
DOTS = 80  # per inch, of pictures
_MARKER = re.compile(r"^# %%(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A cell of a script: prose in Markdown, or code."""

    is_code: bool
    source: str


def scripts() -> list[Path]:
    """Return the notebooks, by name."""
    return sorted(path for path in FOLDER.glob("*.py") if path.name not in DATA_SCRIPTS)


def cells(text: str) -> list[Cell]:
    """Split a script into its cells."""
    _, *parts = _MARKER.split(text)
    return [_cell(mark, body.strip("\n")) for mark, body in zip(parts[::2], parts[1::2], strict=True)]


def _cell(mark: str, body: str) -> Cell:
    if mark.strip() != "[markdown]":
        return Cell(True, body)
    return Cell(False, "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.split("\n")))


# ---- running


def outputs(script: Path) -> Iterator[list[dict[str, Any]]]:
    """Run a script and yield the outputs of each of its cells, in the format of notebooks."""
    mpl.use("Agg")
    namespace: dict[str, Any] = {"__name__": "__main__", "__file__": str(script)}
    for cell in cells(script.read_text(encoding="utf-8")):
        yield _run(cell.source, namespace) if cell.is_code else []


def _run(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        value = _value(ast.parse(source), namespace)
    found = (
        [{"name": "stdout", "output_type": "stream", "text": _lines(said.getvalue())}]
        if said.getvalue()
        else []
    )
    return [*found, *map(_picture, [*([value] if hasattr(value, "savefig") else []), *_open_figures()])]


def _value(tree: ast.Module, namespace: dict[str, Any]) -> Any:
    """Execute statements and return the value of the last, if it is an expression."""
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace) if last else None


def _open_figures() -> list[Any]:
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return figures


def _picture(figure: Any) -> dict[str, Any]:
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DOTS, metadata={"Software": None})
    data = {"image/png": base64.b64encode(drawn.getvalue()).decode() + "\n", "text/plain": [_words(figure)]}
    return {"data": data, "metadata": {}, "output_type": "display_data"}


def _words(figure: Any) -> str:
    """Return what a reader hears who does not see a figure: the titles of its axes, or what they show."""
    titles = [axis.get_title() or axis.get_title("left") for axis in figure.axes]
    labels = [f"{axis.get_ylabel()} by {axis.get_xlabel()}" for axis in figure.axes]
    return "; ".join(filter(None, titles)) or "; ".join(labels)


# ---- writing


def notebook(script: Path) -> str:
    """Return the notebook of a script, with its outputs."""
    found = cells(script.read_text(encoding="utf-8"))
    written = [
        _written(cell, shown, k)
        for k, (cell, shown) in enumerate(zip(found, outputs(script), strict=True), 1)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _written(cell: Cell, shown: list[dict[str, Any]], number: int) -> dict[str, Any]:
    common: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}, "source": _lines(cell.source)}
    if not cell.is_code:
        return {"cell_type": "markdown", **common}
    return {"cell_type": "code", "execution_count": number, "outputs": shown, **common}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for path in scripts():
        if len(sys.argv) == 1 or path.stem in sys.argv[1:]:
            path.with_suffix(".ipynb").write_text(notebook(path), encoding="utf-8")
            print(f"wrote {path.with_suffix('.ipynb')}", flush=True)
