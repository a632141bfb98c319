"""Listings: programs in colours that are set while the site is built, and what they print."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import Any

from costderive.core.errors import ExportError

LEXERS = {"sh": "bash"}  # what Pygments calls a language, where it has another name there
KINDS = ("Comment", "Keyword", "Literal.String", "Literal.Number", "Generic.Output")
"""The kinds of tokens that have a colour; the class of one is its last word."""


def code(source: str, language: str) -> str:
    """Return a listing, which can be scrolled by keyboard.

    Raises:
        ExportError: if the extra ``site`` is not installed.
    """
    shown = coloured(source, language)
    return f'<pre class="code {escape(language)}" tabindex="0"><code>{shown}</code></pre>\n'


def output(text: str) -> str:
    """Return what a program printed."""
    return f'<pre class="output" tabindex="0">{escape(text.rstrip())}</pre>\n'


def coloured(source: str, language: str) -> str:
    """Return a program as HTML whose comments, keywords, texts and numbers have classes; plain in an unknown language.

    >>> coloured("x = 1  # < 2", "python")
    'x = <span class="number">1</span>  <span class="comment"># &lt; 2</span>'
    """
    try:
        from pygments.lexers import get_lexer_by_name
        from pygments.util import ClassNotFound
    except ImportError:
        raise ExportError("listings are set in colours", "Install costderive[site].") from None
    try:
        lexer = get_lexer_by_name(LEXERS.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return escape(source)
    tokens = groupby(lexer.get_tokens(source), lambda token: _kind(token[0]))
    return "".join(_marked("".join(text for _, text in found), kind) for kind, found in tokens)


def _kind(token: Any) -> str:
    name = str(token).removeprefix("Token.")
    return next((kind.rpartition(".")[2].lower() for kind in KINDS if name.startswith(kind)), "")


def _marked(text: str, kind: str) -> str:
    shown = escape(text, quote=False)
    return f'<span class="{kind}">{shown}</span>' if kind else shown
