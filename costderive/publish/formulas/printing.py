"""Mathematics as text: LaTeX, and one plain line.

>>> from costderive.symbols import p
>>> latex((5 * p - 2) / (6 * p)), inline((5 * p - 2) / (6 * p))
('\\\\frac{5 p - 2}{6 p}', '(5p − 2)/(6p)')
"""

from __future__ import annotations

import sympy

from costderive.publish.formulas.lines import broken
from costderive.publish.formulas.notation import read
from costderive.publish.formulas.one_line import text
from costderive.publish.formulas.tex import TEX, symbol_tex
from costderive.publish.formulas.width import width

__all__ = ["broken", "inline", "latex", "symbol_tex", "width"]


def latex(expr: sympy.Basic) -> str:
    """Return LaTeX for an expression, without delimiters."""
    return TEX.expression(expr)


def inline(expr: sympy.Basic) -> str:
    """Return an expression as one line of plain text."""
    return text(read(TEX.expression(expr)))
