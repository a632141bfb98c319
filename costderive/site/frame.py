"""The frame of every page: head, navigation, foot."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import costderive

NAVIGATION = (
    ("tutorial.html", "Tutorial"),
    ("choose.html", "Choose a context"),
    ("explore.html", "Explore"),
    ("gallery/index.html", "Gallery"),
    ("notebooks/index.html", "Notebooks"),
    ("mathematics.html", "Mathematics"),
    ("proved.html", "What is proved"),
    ("coq.html", "What Coq has checked"),
    ("reference/index.html", "Reference"),
    ("claims.html", "Claims"),
    ("contribute.html", "Contribute"),
    ("cite.html", "Cite"),
)


_SIGNS = (
    (r"\b(pi|[cfFL])([01])\b", lambda found: found[1].replace("pi", "π") + "₀₁"[int(found[2])]),
    (r"\^([23])(?![\w.])", lambda found: "²³"[int(found[1]) - 2]),
    (r" - |(?<=[ (])-(?=[\w(])", lambda found: found[0].replace("-", "−")),
    ("<=", lambda _: "≤"),
    (">=", lambda _: "≥"),
)


def signs(text: str) -> str:
    """Return a line of plain text with the signs of mathematics.

    >>> signs("c0^2 + c1^2 <= -2")
    'c₀² + c₁² ≤ −2'
    """
    for pattern, sign in _SIGNS:
        text = re.sub(pattern, sign, text)
    return text


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its path in the site, its title as text, its body in HTML, and the programs that it runs itself."""

    path: str
    title: str
    body: str
    scripts: tuple[str, ...] = ()


def framed(pages: Iterable[Page]) -> dict[str, bytes]:
    """Return pages as files by path."""
    return {page.path: document(page).encode() for page in pages}


def document(page: Page) -> str:
    """Return a page as a whole document, whose links are relative: it can be read from a disk."""
    root = posixpath.relpath(".", posixpath.dirname(page.path) or ".")
    scripts = "\n".join(f'<script src="{root}/assets/{name}"></script>' for name in page.scripts)
    title = page.title if page.path == "index.html" else f"{page.title} · costderive"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{root}/assets/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="{root}/index.html">costderive</a>
<nav aria-label="Main">{_links(page, root)}</nav>
</header>
<main id="content">
{page.body}
</main>
<footer>costderive {costderive.__version__} · BSD-3-Clause · no network needed</footer>
{scripts}
</body>
</html>
"""


def _links(page: Page, root: str) -> str:
    return " ".join(
        f'<a href="{root}/{path}"{_current(page.path, path)}>{escape(title)}</a>'
        for path, title in NAVIGATION
    )


def _current(path: str, link: str) -> str:
    """Mark the link to the page itself, or to the room that it is in."""
    if path == link:
        return ' aria-current="page"'
    room = posixpath.dirname(link)
    return ' aria-current="true"' if room and path.startswith(f"{room}/") else ""
