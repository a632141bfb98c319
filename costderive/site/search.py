"""The index of the site's search: the text of each section of each page, which a program in the page looks through."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

INDEX = "assets/search-index.js"
HEADINGS = {"h1", "h2", "h3", "summary"}
SILENT = {"math", "svg", "script", "form", "noscript"}  # what is not text, or changes
BLOCKS = {"p", "li", "td", "th", "dt", "dd", "pre", "div", "h4", "tr", "br", *HEADINGS}


@dataclass(slots=True)
class Section:
    """A part of a page below one heading: where it is, its heading, and its text."""

    address: str
    heading: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def index(files: Mapping[str, bytes]) -> bytes:
    """Return a program that defines ``SEARCH``: rows of address, title of the page, heading and text.

    Only what stands in the ``main`` part of a page with the site's frame is in it.
    """
    rows = [
        row for path, data in sorted(files.items()) if path.endswith(".html") for row in _rows(path, data)
    ]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"const SEARCH = [\n{lines}\n];\n".encode()


def _rows(path: str, data: bytes) -> Iterator[tuple[str, str, str, str]]:
    reader = _Reader(path)
    reader.feed(data.decode("utf-8"))
    sections = [section for section in reader.sections if section.heading]
    title = _plain(sections[0].heading) if sections else ""
    for section in sections:
        heading = _plain(section.heading)
        yield section.address, title, "" if heading == title else heading, _plain(section.text)


def _plain(parts: list[str]) -> str:
    return re.sub(r"\s+", " ", "".join(parts)).strip()


class _Reader(HTMLParser):
    """Collects the sections of a page; one begins with each heading, at the anchor that it or what it opens has."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.sections: list[Section] = []
        self._path, self._anchor = path, ""
        self._is_inside, self._is_heading, self._silent = False, False, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "main" and found.get("id") == "content":
            self._is_inside = True
            return
        self._silent += tag in SILENT
        if tag in {"section", "details"} | HEADINGS:
            self._anchor = found.get("id") or ("" if tag in {"section", "details"} else self._anchor)
        if tag in HEADINGS and (self._anchor or tag == "h1"):
            anchor = f"#{self._anchor}" if self._anchor and tag != "h1" else ""
            self.sections.append(Section(self._path + anchor))
            self._is_heading = True
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        self._is_inside &= tag != "main"
        self._is_heading &= tag not in HEADINGS
        self._silent -= tag in SILENT
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._is_inside and self.sections and not self._silent:
            section = self.sections[-1]
            (section.heading if self._is_heading else section.text).append(data)

    def _break(self, tag: str) -> None:
        if tag in BLOCKS:
            self.handle_data(" ")
