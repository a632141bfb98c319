"""Links within a site: each leads to a file of the site, and to an anchor that is there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class _Anchors(HTMLParser):
    """Collects where a page leads to, and the anchors that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.targets.append(value)
            if name == "id" and value is not None:
                self.anchors.add(value)


def dangling(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the links of HTML files that lead nowhere within them; links to other sites are left alone.

    What follows the ``#`` is an anchor, unless it has a ``=``: then it says what a page shows.
    """
    pages = {path: _read(data) for path, data in files.items() if path.endswith(".html")}
    for path, page in pages.items():
        for target in page.targets:
            parts = urlsplit(target)
            if not parts.scheme and not _leads(path, parts.path, unquote(parts.fragment), pages, files):
                yield f"{path}: {target}"


def _read(data: bytes) -> _Anchors:
    page = _Anchors()
    page.feed(data.decode("utf-8"))
    return page


def _leads(
    start: str, path: str, anchor: str, pages: Mapping[str, _Anchors], files: Mapping[str, bytes]
) -> bool:
    end = posixpath.normpath(posixpath.join(posixpath.dirname(start), unquote(path))) if path else start
    return end in files and ("=" in anchor or not anchor or (end in pages and anchor in pages[end].anchors))
