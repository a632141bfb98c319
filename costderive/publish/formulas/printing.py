"""Expressions as formulas, and these as text: LaTeX, and one plain line.

>>> from costderive.symbols import p
>>> latex((5 * p - 2) / (6 * p)), inline((5 * p - 2) / (6 * p))
('\\\\frac{5 p - 2}{6 p}', '(5p − 2)/(6p)')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import sympy

from costderive.publish.formulas import notation
from costderive.publish.formulas.drawn import DRAWN, FLAT
from costderive.publish.formulas.formula import Number, Ratio, Row, walk
from costderive.publish.formulas.lines import broken
from costderive.publish.formulas.notation import read, tex
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.width import width

__all__ = [
    "Part",
    "broken",
    "chain",
    "drawn",
    "flat",
    "formula",
    "with_slashes",
    "inline",
    "latex",
    "taken",
    "width",
]

Part: TypeAlias = sympy.Basic | int | str | Row
"""What stands in a place of a formula: an expression, a number, another formula, or one in the notation."""


def formula(written: Part, *parts: Part) -> Row:
    """Return a formula in the notation, its places filled by the parts."""
    match written:
        case str():
            return read(written, *map(formula, parts))
        case int():
            return drawn(sympy.Integer(written))
        case Row():
            return written
    return drawn(written)


def taken(written: str, left: Iterator[Any]) -> Row:
    """Return a formula whose places are filled by what is next."""
    return formula(written, *islice(left, written.count(notation.PLACE)))


def chain(sign: str, parts: Iterable[Part]) -> Row:
    """Put a sign in the notation between formulas."""
    return notation.chain(sign, map(formula, parts))


def drawn(expr: sympy.Basic) -> Row:
    """Return an expression as the formula that it is written as."""
    return DRAWN.expression(expr)


def with_slashes(part: Part) -> Part:
    """Return what stands in a place of a sentence: an expression whose fractions are not of numbers alone has slashes.

    >>> tex(formula(with_slashes(sympy.sqrt(2) * sympy.log(3) / 5)))
    '\\\\sqrt{2} \\\\ln(3)/5'
    """
    if not isinstance(part, sympy.Basic):
        return part
    fractions = [x for x in walk(drawn(part)) if isinstance(x, Ratio)]
    numeric = all(isinstance(y, Number) for x in fractions for y in (*x.top.parts, *x.bottom.parts))
    return part if numeric else flat(part)


def flat(expr: sympy.Basic) -> Row:
    """Return an expression as it is written in an exponent: its fractions have slashes."""
    return FLAT.expression(expr)


def latex(expr: sympy.Basic) -> str:
    """Return LaTeX for an expression, without delimiters."""
    return tex(drawn(expr))


def inline(expr: sympy.Basic) -> str:
    """Return an expression as one line of plain text."""
    return text(drawn(expr))
