"""The frame of every page: head, navigation, foot."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import costderive

NAVIGATION = {
    "Begin": (
        ("tutorial.html", "Tutorial"),
        ("choose.html", "Choose a context"),
        ("presets.html", "Presets"),
        ("explore.html", "Explore costs"),
        ("derive.html", "Derive a rule"),
        ("notebooks/index.html", "Notebooks"),
    ),
    "Use": (
        ("scores.html", "Score predictions"),
        ("rules.html", "Rules and their costs"),
        ("classes.html", "More than two classes"),
        ("programs.html", "Articles and programs"),
        ("speed.html", "Accuracy and speed"),
        ("reference/index.html", "Reference"),
    ),
    "Understand": (
        ("mathematics.html", "Mathematics"),
        ("gallery/index.html", "Gallery of rules"),
        ("proved.html", "What is proved"),
        ("coq.html", "What Coq has checked"),
        ("claims.html", "Published claims"),
    ),
    "Take part": (
        ("contribute.html", "Contribute a context"),
        ("ledger.html", "Write a claim"),
        ("cite.html", "Cite"),
    ),
}


_OWN = "'self' file:"  # a page that is read from a disk has no origin that 'self' would surely name
POLICY = f"default-src 'none'; script-src {_OWN}; style-src {_OWN}; img-src {_OWN}; base-uri 'none'; form-action 'none'"
"""What a page may load: its own programs, styles and pictures, and nothing from elsewhere."""

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


def scrolled(part: str) -> str:
    """Return a part of a page that scrolls sideways on a narrow screen, by keyboard too."""
    return f'<div class="wide" tabindex="0">\n{part}\n</div>\n'


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its path in the site, its title as text, its body in HTML, its programs, and what it may load."""

    path: str
    title: str
    body: str
    scripts: tuple[str, ...] = ()
    policy: str = POLICY


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
<meta http-equiv="Content-Security-Policy" content="{page.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="stylesheet" href="{root}/assets/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="{root}/index.html"{_current(page.path, "index.html")}>costderive</a>
<form id="search" role="search" hidden>
<input type="search" aria-label="Search the site" placeholder="Search" autocomplete="off" spellcheck="false">
</form>
<button type="button" class="menu" popovertarget="menu">Menu</button>
<section id="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>
</header>
<nav id="menu" aria-label="Main" popover>
<button type="button" class="menu" popovertarget="menu" popovertargetaction="hide">Close</button>
{_links(page, root)}
</nav>
<main id="content" tabindex="-1">
{page.body}
</main>
<footer>costderive {costderive.__version__} · BSD-3-Clause · no network needed</footer>
<script src="{root}/assets/search.js" data-root="{root}"></script>
{scripts}
</body>
</html>
"""


def _links(page: Page, root: str) -> str:
    """Return the navigation: groups of links, each with its name."""
    return "\n".join(_group(name, links, page, root) for name, links in NAVIGATION.items())


def _group(name: str, links: tuple[tuple[str, str], ...], page: Page, root: str) -> str:
    rows = "".join(
        f'<li><a href="{root}/{path}"{_current(page.path, path)}>{escape(title)}</a></li>'
        for path, title in links
    )
    anchor = f"menu-{name.lower().replace(' ', '-')}"
    return f'<p id="{anchor}">{escape(name)}</p>\n<ul aria-labelledby="{anchor}">{rows}</ul>'


def _current(path: str, link: str) -> str:
    """Mark the link to the page itself, or to the room that it is in."""
    if path == link:
        return ' aria-current="page"'
    room = posixpath.dirname(link)
    return ' aria-current="true"' if room and path.startswith(f"{room}/") else ""
