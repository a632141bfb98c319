"""The site: pages in Markdown, the gallery, notebooks, a page to explore, a reference, and the claims, in one folder.

It needs no network and no server. Examples are run while it is built, and no link within it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from costderive.core.errors import ExportError
from costderive.publish.formulas.mathml import STYLE
from costderive.publish.gallery import folders
from costderive.publish.worker_processes import worker_processes
from costderive.site import engine, entries, explorer, front, ledger, notebooks, reference, search
from costderive.site.examples import Command, runners
from costderive.site.frame import Page, framed
from costderive.site.incremental import made
from costderive.site.links import dangling
from costderive.site.markdown import html

__all__ = ["assets", "build", "write"]

_ROOM = resources.files("costderive.site")


def build(gallery: Path, command: Command) -> dict[str, bytes]:
    """Return the files of the site by path. ``command`` is the command line, which runs the examples.

    Notebooks are those of the folder ``notebooks`` beside the gallery.
    The parts of the site are made in processes of their own, as many at once as there are processors; those
    whose inputs and program have not changed since an earlier build are taken from the user's cache.

    Raises:
        ExportError: if an example fails or a link leads nowhere.
        SpecError: if there is no gallery.
    """
    folders(gallery)  # refuses what is none, before the work begins
    parts = (
        partial(entries.files, gallery),
        partial(explorer.files, gallery),
        _derive,
        partial(front.files, gallery.parent / "notebooks"),
        partial(written, command),
        partial(notebooks.files, gallery.parent / "notebooks"),
        ledger.files,
        reference.files,
    )
    with worker_processes() as pool:
        made = [future.result() for future in [pool.submit(part) for part in parts]]
    files = assets() | {path: data for part in made for path, data in part.items()}
    files[search.INDEX] = search.index(files)
    lost = list(dangling(files))
    if lost:
        raise ExportError("links lead nowhere: " + "; ".join(lost[:9]), "Mend the pages.")
    return files


def _derive() -> dict[str, bytes]:
    return framed([engine.page()])


def written(command: Command) -> dict[str, bytes]:
    """Return the pages that are written in Markdown, their examples run."""
    sources = sorted((_ROOM / "pages").iterdir(), key=lambda source: source.name)
    return framed(made("page", [source], partial(_read, source, command)) for source in sources)


def _read(source: Traversable, command: Command) -> Page:
    text = source.read_text(encoding="utf-8")
    with runners(command) as run:
        body = html(text, run)
    return Page(source.name.replace(".md", ".html"), text.splitlines()[0].lstrip("# "), body)


def assets() -> dict[str, bytes]:
    """Return the style of the pages and the programs that they share."""
    own = {f"assets/{file.name}": file.read_bytes() for file in (_ROOM / "assets").iterdir()}
    return own | {"assets/style.css": STYLE.encode() + own["assets/style.css"]}


def write(files: Mapping[str, bytes], target: Path) -> None:
    """Write files into a folder; what else is there stays."""
    for path, data in files.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
