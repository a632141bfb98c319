"""Letters, signs and spaces of the notation: what they are in Unicode, and how signs stand between others."""

from __future__ import annotations

import re

from sympy.printing.pretty.pretty_symbology import greek_unicode

LETTERS: dict[str, str] = {rf"\{name}": sign for name, sign in greek_unicode.items()} | {
    r"\varphi": "φ",
    r"\phi": "ϕ",
    r"\epsilon": "ϵ",
    r"\varepsilon": "ε",
    r"\ell": "ℓ",
    r"\infty": "∞",
    r"\partial": "∂",
    r"\#": "#",
    r"\ldots": "…",
    "?": "?",
    "!": "!",
}

FUNCTIONS = {
    rf"\{name}": name
    for name in (
        "arccos",
        "arcsin",
        "arctan",
        "arg",
        "cos",
        "cosh",
        "exp",
        "ln",
        "max",
        "min",
        "Pr",
        "sin",
        "sinh",
        "tan",
    )
}
LARGE = {r"\int": "∫", r"\iint": "∬", r"\sum": "∑", r"\prod": "∏"}
LIMITS = frozenset((r"\sum", r"\prod", r"\max", r"\min"))  # bounds stand below and above them
BINARY = {"+": "+", "-": "−", r"\pm": "±", r"\cdot": "⋅", r"\times": "×", "*": "∗"}
RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    r"\le": "≤",
    r"\ge": "≥",
    r"\ne": "≠",
    r"\in": "∈",
    r"\to": "→",
    r"\mapsto": "↦",
    r"\mid": "|",
    r"\sim": "∼",
    r"\approx": "≈",
}
OPEN = {"(": "(", "[": "[", r"\{": "{"}
CLOSE = {")": ")", "]": "]", r"\}": "}"}
MARKS = {",": ",", ";": ";", ".": ".", ":": ":", r"\colon": ":", "|": "|", "/": "/"}
SIGNS = FUNCTIONS | LARGE | BINARY | RELATIONS | OPEN | CLOSE | MARKS

SPACES = {
    "~": 0.25,
    r"\!": -0.1667,
    r"\,": 0.1667,
    r"\:": 0.2222,
    r"\;": 0.2778,
    r"\ ": 0.25,
    r"\quad": 1.0,
    r"\qquad": 2.0,
}
"""Widths in units of the size of the letters."""

_ESCAPE = re.compile(r"\\(backslash|wedge|sim) ?|\\(.)")
_ESCAPED = {"backslash": "\\", "wedge": "^", "sim": "~"}


def unescaped(text: str) -> str:
    r"""Return the text that a word of the notation stands for.

    >>> unescaped(r"a\$\backslash b")
    'a$\\b'
    """
    return _ESCAPE.sub(lambda found: found[2] or _ESCAPED[found[1]], text)
