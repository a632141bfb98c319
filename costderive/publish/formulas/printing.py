"""Expressions as formulas, and these as text: LaTeX, and one plain line.

>>> from costderive.symbols import p
>>> latex((5 * p - 2) / (6 * p)), inline((5 * p - 2) / (6 * p))
('\\\\frac{5 p - 2}{6 p}', '(5p − 2)/(6p)')
"""

from __future__ import annotations

import sympy

from costderive.publish.formulas.drawn import DRAWN
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.lines import broken
from costderive.publish.formulas.notation import tex
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.width import width

__all__ = ["broken", "drawn", "inline", "latex", "width"]


def drawn(expr: sympy.Basic) -> Row:
    """Return an expression as the formula that it is written as."""
    return DRAWN.expression(expr)


def latex(expr: sympy.Basic) -> str:
    """Return LaTeX for an expression, without delimiters."""
    return tex(drawn(expr))


def inline(expr: sympy.Basic) -> str:
    """Return an expression as one line of plain text."""
    return text(drawn(expr))
