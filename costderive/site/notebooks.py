"""The notebooks: a page for each, with what its cells say and draw, and its files to run."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from costderive.site.frame import Page, framed, scrolled
from costderive.site.listings import code, output
from costderive.site.markdown import html

FIRST = "start_here"
_INTRODUCTION = """<h1>Notebooks</h1>
<p>From costs to a classifier, the literature reproduced, and how to go on yourself. Each is a script, run from top to
bottom by the tests, with its outputs in a notebook beside it.</p>"""


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook that was run: its name, and its cells in the format of Jupyter."""

    name: str
    cells: tuple[Mapping[str, Any], ...]

    @property
    def title(self) -> str:
        """The heading of its first cell."""
        return "".join(self.cells[0]["source"]).splitlines()[0].lstrip("# ")

    @property
    def summary(self) -> str:
        """The first paragraph below it, in HTML."""
        _, paragraph, *_ = "".join(self.cells[0]["source"]).split("\n\n")
        return html(paragraph)

    def pictures(self) -> dict[str, bytes]:
        """Return its pictures by path."""
        shown = (one for cell in self.cells for one in cell.get("outputs", ()))
        data = [one["data"]["image/png"] for one in shown if "data" in one]
        return {f"notebooks/{self.name}-{k}.png": base64.b64decode(picture) for k, picture in enumerate(data)}


def files(folder: Path) -> dict[str, bytes]:
    """Return the pages of the notebooks of a folder, with their pictures and files."""
    found = sorted(folder.glob("*.ipynb"), key=lambda path: (path.stem != FIRST, path.stem))
    books = [_read(path) for path in found]
    written = framed([_list(books), *map(_page, books)])
    for path, book in zip(found, books, strict=True):
        written |= book.pictures()
        written |= {f"notebooks/{one.name}": one.read_bytes() for one in (path, path.with_suffix(".py"))}
    return written


def _read(path: Path) -> Notebook:
    return Notebook(path.stem, tuple(json.loads(path.read_text(encoding="utf-8"))["cells"]))


def _list(books: list[Notebook]) -> Page:
    rows = "\n".join(
        f'<li><a href="{book.name}.html">{escape(book.title)}</a>{book.summary}</li>' for book in books
    )
    return Page("notebooks/index.html", "Notebooks", f'{_INTRODUCTION}\n<ul class="entries">\n{rows}\n</ul>')


def _page(book: Notebook) -> Page:
    beside = " and ".join(f'<a href="{book.name}{end}">{book.name}{end}</a>' for end in (".ipynb", ".py"))
    body = "".join(_cells(book))
    return Page(f"notebooks/{book.name}.html", book.title, f'{body}<p class="source">To run: {beside}</p>')


def _cells(book: Notebook) -> Iterator[str]:
    pictures = iter(book.pictures())
    for cell in book.cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield html(source)
            continue
        yield code(source, "python")
        for shown in cell["outputs"]:
            yield _picture(shown, next(pictures)) if "data" in shown else output("".join(shown["text"]))


def _picture(shown: Mapping[str, Any], path: str) -> str:
    words = escape("".join(shown["data"]["text/plain"]))
    return scrolled(f'<img class="figure" src="{Path(path).name}" alt="{words}">')
