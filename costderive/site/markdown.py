"""Pages written in Markdown: mathematics as MathML, and examples that are run while the site is built."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from costderive.core.errors import ExportError
from costderive.publish.formats.html_page import displayed
from costderive.publish.formulas.mathml import in_sentence, unbroken
from costderive.publish.formulas.notation import read
from costderive.site.listings import code, output

Run = Callable[[str], str]
"""Runs an example and returns what it prints."""


def html(text: str, run: Mapping[str, Run] | None = None) -> str:
    """Return Markdown as HTML: tables, headings with anchors, links, ``$mathematics$`` and ``$$displays$$``.

    A link to another page names its source, ``choose.md``, and so leads somewhere on a forge too.

    ``run`` says for each language how its examples are run; what they print follows them. An example whose language is
    followed by ``shown only`` is not run, and of one with ``quiet`` the output is hidden. HTML in the text is shown,
    not obeyed.

    Raises:
        ExportError: if the extra ``site`` is not installed.
    """
    reader = _reader()
    reader.renderer.rules |= {
        "code_block": lambda tokens, index, *_: output(tokens[index].content),
        "fence": _fence(run or {}),
        "link_open": _link,
        "math_block": _display,
        "math_inline": _maths,
        "table_close": lambda *_: "</table></div>\n",
        "table_open": lambda *_: '<div class="wide" tabindex="0"><table>\n',
    }
    return unbroken(reader.render(text))


def _reader() -> Any:
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.anchors import anchors_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
    except ImportError:
        raise ExportError("pages are written in Markdown", "Install costderive[site].") from None
    reader = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])
    reader.use(dollarmath_plugin, allow_space=False, double_inline=False)
    reader.core.ruler.push("corners", _cells)
    return reader.use(anchors_plugin, max_level=3, slug_func=slug)


def _cells(state: Any) -> None:
    """Make an empty head of a column an ordinary cell, and the side to which cells are set a class.

    A reader of the screen would announce a head without a name, and no page may have styles of its own.
    """
    for opening, inside, closing in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if opening.type in ("td_open", "th_open") and "style" in opening.attrs:
            opening.attrs = {"class": str(opening.attrs["style"]).partition(":")[2]}
        if opening.type == "th_open" and not inside.content:
            opening.tag = closing.tag = "td"


def slug(title: str) -> str:
    """Return the anchor of a title.

    >>> slug("I know *ranges* of both costs")
    'i-know-ranges-of-both-costs'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _link(tokens: Sequence[Any], index: int, *_: Any) -> str:
    target = re.sub(r"^([\w-]+)\.md(?=#|$)", r"\1.html", tokens[index].attrs["href"])
    return f'<a href="{escape(target)}">'


def _maths(tokens: Sequence[Any], index: int, *_: Any) -> str:
    return in_sentence(read(tokens[index].content))


def _display(tokens: Sequence[Any], index: int, *_: Any) -> str:
    return displayed(read(tokens[index].content.strip())) + "\n"


def _fence(run: Mapping[str, Run]) -> Callable[..., str]:
    """Return what writes an example, and what it prints if it is run."""

    def write(tokens: Sequence[Any], index: int, *_: Any) -> str:
        language, _, manner = tokens[index].info.partition(" ")
        source = tokens[index].content.rstrip("\n")
        shown = code(source, language)
        if language not in run or manner == "shown only":
            return shown
        printed = run[language](source)
        return shown + (output(printed) if printed.strip() and manner != "quiet" else "")

    return write
