"""The project's site: pages in Markdown, the gallery, a page to explore, a reference, and the claims, in one folder.

It needs no network and no server. Examples are run while it is built, and no link within it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path

from costderive.errors import ExportError
from costderive.export import page as katex
from costderive.site import entries, explorer, ledger, reference
from costderive.site.examples import Command, runners
from costderive.site.frame import Page, framed
from costderive.site.links import dangling
from costderive.site.markdown import html

__all__ = ["build", "write"]

_ROOM = resources.files("costderive.site")


def build(gallery: Path, command: Command) -> dict[str, bytes]:
    """Return the files of the site by path. ``command`` is the command line, which runs the examples.

    Raises:
        ExportError: if an example fails or a link leads nowhere.
        SpecError: if there is no gallery.
    """
    files = {page.path: framed(page).encode() for page in _pages(gallery, command)}
    files |= _assets() | entries.files(gallery)
    lost = list(dangling(files))
    if lost:
        raise ExportError("links lead nowhere: " + "; ".join(lost[:9]), "Mend the pages.")
    return files


def _pages(gallery: Path, command: Command) -> Iterator[Page]:
    yield from written(command)
    yield explorer.page()
    yield from entries.pages(gallery)
    yield from reference.pages()
    yield ledger.page()


def written(command: Command) -> Iterator[Page]:
    """Yield the pages that are written in Markdown, their examples run."""
    for source in sorted((_ROOM / "pages").iterdir(), key=lambda file: file.name):
        text = source.read_text(encoding="utf-8")
        with runners(command) as run:
            body = html(text, run)
        yield Page(source.name.replace(".md", ".html"), text.splitlines()[0].lstrip("# "), body)


def _assets() -> dict[str, bytes]:
    own = {f"assets/{file.name}": file.read_bytes() for file in (_ROOM / "assets").iterdir()}
    made = {
        "assets/katex.css": katex.style(),
        "assets/katex.js": katex.script(),
        "assets/models.js": explorer.models(),
    }
    return own | {path: text.encode() for path, text in made.items()}


def write(files: Mapping[str, bytes], target: Path) -> None:
    """Write files into a folder; what else is there stays."""
    for path, data in files.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
