"""The reference: what each public object says of itself. Its examples are doctests, which the tests run."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from html import escape
from textwrap import dedent, wrap
from types import ModuleType
from typing import Any

import costderive
from costderive.site.frame import Page, framed
from costderive.site.markdown import html

_ROOMS = {
    "contexts": "Cost contexts",
    "laws": "Laws of a cost",
    "rule": "Scoring rules",
    "families": "Families of scoring rules",
    "multiclass": "More than two classes",
    "batch": "Rules of a whole batch",
    "numeric": "Compiled losses",
    "evaluate": "Scores of predictions",
    "warehouse": "Scores in DuckDB",
    "sklearn": "With scikit-learn",
    "plot": "Pictures",
    "export": "Articles and programs",
    "spec": "Spec files",
    "claims": "Published claims",
    "proof": "Claims, findings and verdicts",
    "symbols": "Symbols",
    "errors": "Errors",
}
WIDTH = 90
_SECTION = re.compile(r"(Raises|Example|Source|Sources|Note):(.*)", re.DOTALL)
_ROLE = re.compile(r":[a-z]+:(?=`)")
_ITEM = re.compile(r"^(\S[^:]*): ", re.MULTILINE)


def files() -> dict[str, bytes]:
    """Return the pages of the reference."""
    return framed(pages())


def pages() -> Iterator[Page]:
    """Yield the list of the public names, and a page for each room."""
    yield Page("reference/index.html", "Reference", _index())
    for room, title in _ROOMS.items():
        module = importlib.import_module(f"costderive.{room}")
        yield Page(f"reference/{room}.html", title, _room(title, f"costderive.{room}", _public(module)))


def _public(module: ModuleType) -> dict[str, Any]:
    """Return the public objects of a module that say something of themselves, by name."""
    own = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    names = getattr(module, "__all__", own)
    found = {name: getattr(module, name) for name in names}
    return {
        name: value for name, value in found.items() if inspect.isroutine(value) or inspect.isclass(value)
    }


def _index() -> str:
    names = {name: getattr(costderive, name) for name in costderive.__all__}
    public = {name: value for name, value in sorted(names.items()) if not inspect.ismodule(value)}
    rooms = [
        f'<li><a href="{room}.html">{escape(title)}</a> <code>cd.{room}</code></li>'
        for room, title in _ROOMS.items()
    ]
    return "\n".join(
        [
            "<h1>Reference</h1>",
            "<p>With <code>import costderive as cd</code>. Examples are run by the tests.</p>",
            "<h2>Rooms</h2>",
            '<ul class="columns">',
            *rooms,
            "</ul>",
            "<h2>At the top</h2>",
            *[_object(f"cd.{name}", name, value, 3) for name, value in public.items()],
        ]
    )


def _room(title: str, path: str, public: dict[str, Any]) -> str:
    return "\n".join(
        [
            f"<h1>{escape(title)}</h1>",
            f"<p><code>{path}</code></p>",
            html(_markdown(inspect.getdoc(importlib.import_module(path)) or "")),
            _contents(public),
            *[_object(f"{path.rpartition('.')[2]}.{name}", name, value, 2) for name, value in public.items()],
        ]
    )


def _contents(public: dict[str, Any]) -> str:
    """Return links to the objects of a page."""
    links = "\n".join(f'<li><a href="#{name}"><code>{name}</code></a></li>' for name in public)
    return f'<ul class="columns">\n{links}\n</ul>' if len(public) > 3 else ""


def _object(shown: str, name: str, value: Any, level: int) -> str:
    """Return what an object says of itself, below a heading of a level."""
    parts = [f'<section class="object" id="{name}">', f"<h{level}>{escape(shown)}</h{level}>"]
    parts += [f'<pre class="signature" tabindex="0">{escape(signature(name, value))}</pre>']
    parts += [html(_markdown(documentation(value)))]
    if inspect.isclass(value):
        parts += [_member(key, found, level + 1) for key, found in _members(value)]
    return "\n".join([*parts, "</section>"])


def documentation(value: Any) -> str:
    """Return what an object says of itself, without what Python or SymPy says of its class."""
    own = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
    generated = inspect.isclass(value) and str(own).startswith(f"{value.__name__}(")
    return "" if own is None or generated else inspect.cleandoc(own)


def signature(name: str, value: Any) -> str:
    """Return how an object is called, without annotations, in lines.

    >>> signature("slug", html)
    'slug(text, run=None)'
    """
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return name
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for key, parameter in found.parameters.items()
        if key not in ("self", "cls") and not key.startswith("_")
    ]
    line = f"{name}{found.replace(parameters=bare, return_annotation=inspect.Signature.empty)}"
    line = re.sub(r"=<[^>]*>", "=...", line)  # a default that is a function has no writing of its own
    return "\n".join(wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False))


def _members(value: type) -> Iterator[tuple[str, Any]]:
    """Yield the methods and properties that a class documents itself."""
    for key, found in vars(value).items():
        inner = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
        if (
            not key.startswith("_")
            and (isinstance(found, property) or inspect.isfunction(inner))
            and inner.__doc__
        ):
            yield key, found


def _member(name: str, found: Any, level: int) -> str:
    inner = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    shown = name if isinstance(found, property) else signature(name, inner)
    return f"<h{level}><code>{escape(shown)}</code></h{level}>\n{html(_markdown(documentation(inner)))}"


def _markdown(text: str) -> str:
    """Return a docstring as Markdown: its sections with a title, its examples as listings."""
    return "\n\n".join(map(_paragraph, re.split(r"\n[ ]*\n", _ROLE.sub("", text))))


def _paragraph(text: str) -> str:
    if text.lstrip().startswith(">>>"):
        return f"```pycon\n{dedent(text)}\n```"
    section = _SECTION.match(text)
    if section is None:
        return text
    title, body = section.groups()
    if not body.startswith("\n"):
        return f"**{title}:**{body}"
    body = dedent(body.lstrip("\n"))
    listed = _ITEM.sub(r"- `\1`: ", body) if title == "Raises" else _paragraph(body)
    return f"**{title}:**\n\n{listed}"
