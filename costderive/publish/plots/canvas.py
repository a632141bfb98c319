"""The paper that pictures are drawn on: sizes, colours, axes, and files."""

from __future__ import annotations

import importlib.util
import io
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

from costderive.core.errors import CostDeriveError, ExportError
from costderive.core.short_repr import cut

COLOURS = (  # those of Okabe and Ito, then of Tol
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#882255", "#999933", "#332288", "#44AA99", "#661100", "#AA4499", "#7F8FA9"),
)
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
GREY = "#767676"
PALE = "#D9D9D9"
SIZE = (6.4, 4.2)
LETTERS, MOST = 12.5, 300  # letters of a title: in an inch, and in all
RATIO = "cost proportion $s = c_0/(c_0 + c_1)$"
FORMATS = ("png", "svg", "pdf")
STROKE = re.compile(r'\bd="[^"]*"')
JOINED = re.compile(r"\n\s*(?=<use|</g>|</defs>|</clipPath>)")


def axes(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = SIZE, title: str = "", **more: Any
) -> tuple[Any, Any]:
    """Return a figure with a title and its axes, without a window and without touching global settings.

    Raises:
        CostDeriveError: if matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise CostDeriveError(
            "a picture needs matplotlib, which is not installed",
            'Install it with pip install "costderive[plot]".',
        )
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    found = figure.subplots(rows, columns, **more)
    if title:
        entitle(figure, title)
    for one in getattr(found, "flat", [found]):
        one.spines[["top", "right"]].set_visible(False)
        one.tick_params(labelsize=9)
    return figure, found


def entitle(figure: Any, words: str) -> None:
    """Write words above a figure, in as many lines as they need; nothing in them is read as a formula."""
    lines = wrap(cut(words, MOST).replace("$", r"\$"), int(LETTERS * figure.get_figwidth()))
    figure.suptitle("\n".join(lines), fontsize=10, x=0.02, ha="left")


def round_numbers(low: float, high: float, count: int) -> Any:
    """Return at most so many round numbers, but for two, which cover an interval."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(count).tick_values(low, high)


def styles() -> Iterator[dict[str, Any]]:
    """Yield a look for each line: colour and dashes differ."""
    count = 0
    while True:
        yield {
            "color": COLOURS[count % len(COLOURS)],
            "linestyle": DASHES[(count + count // len(COLOURS)) % len(DASHES)],
            "linewidth": 1.6,
        }
        count += 1


def legend(axis: Any, below: bool = True) -> None:
    """Put the legend where no line can be: under the axes, or beside them."""
    handles, _ = axis.get_legend_handles_labels()
    if handles:
        place = {"loc": "outside lower center", "ncols": 2} if below else {"loc": "outside right upper"}
        axis.figure.legend(handles=handles, fontsize=9, frameon=False, **place)


def saved(figure: Any, file: str | Path) -> None:
    """Write a figure to a file ending in .png, .svg or .pdf: all of it, or nothing.

    Raises:
        ExportError: if it ends in something else, or cannot be written.
    """
    kind = Path(file).suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise ExportError(
            f"{file} does not end in {', '.join('.' + x for x in FORMATS)}", "Give it an ending."
        )
    content, draft = _bytes(figure, kind), Path(file).with_name(f".{Path(file).name}.part")
    try:
        draft.write_bytes(content)
        draft.replace(file)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise ExportError(f"{file} cannot be written: {problem.strerror}", "Choose another file.") from None


def svg(figure: Any) -> str:
    """Return a figure as an SVG element, to stand in a page, with strokes and series of marks on one line."""
    text = _bytes(figure, "svg").decode("utf-8")
    lines = STROKE.sub(lambda stroke: " ".join(stroke[0].split()), text[text.index("<svg") :])
    return JOINED.sub("", lines)


def _bytes(figure: Any, kind: str) -> bytes:
    import matplotlib

    undated: dict[str, dict[str, None]] = {
        "svg": dict.fromkeys(("Creator", "Date", "Format", "Type")),
        "pdf": {"CreationDate": None},
    }
    letters = "dejavusans" if kind == "svg" else "cm"  # in SVG text stays text: in letters that readers have
    settings: Any = {
        "svg.hashsalt": "costderive",
        "svg.fonttype": "none",
        "font.sans-serif": ["DejaVu Sans"],
        "mathtext.fontset": letters,
    }
    out = io.BytesIO()
    with matplotlib.rc_context(settings):
        figure.savefig(out, format=kind, dpi=200, metadata=undated.get(kind))
    return out.getvalue()
