"""Functions of a line ``a x + b``, integrated over it: laws that start beyond 0 are closed as those from 0 on are."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Pow, Symbol

from costderive.core.piecewise import Given
from costderive.derivation.integration.primitive_table import primitive

MOST_LINES = 2
_y = Symbol("_y", positive=True)


def primitive_along_line(expr: Expr, x: Symbol, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a function of a line: of its logarithm, a root, an incomplete Gamma or Beta function.

    >>> x = Symbol("x", positive=True)
    >>> primitive_along_line(sympy.log(x - 1) ** 2 * sympy.exp(-sympy.log(x - 1) ** 2) / (x - 1), x)
    >>> primitive_along_line(sympy.exp(-sympy.log(x - 1) ** 2) / (x - 1), x)
    sqrt(pi)*(erf(log(x - 1)) + 1)/2
    """
    for line in _lines(expr, x):
        slope = sympy.diff(line, x)
        place = (_y - line.subs(x, 0)) / slope
        found = primitive(expr.xreplace({line: _y}).subs(x, place) / slope, _y, given)
        if found is not None:
            return found.subs(_y, line)
    return None


def _lines(expr: Expr, x: Symbol) -> Iterator[Expr]:
    """Yield the lines that do not start at 0, if they are few."""
    inside = {node.args[-1] for node in expr.atoms(sympy.log, sympy.uppergamma, sympy.betainc)}
    roots = {node.base for node in expr.atoms(Pow) if not node.exp.is_Integer}
    lines = [one for one in inside | roots if _is_line(one, x)]
    if len(lines) <= MOST_LINES:
        yield from sorted(lines, key=str)


def _is_line(expr: Expr, x: Symbol) -> bool:
    return bool(expr.is_polynomial(x) and sympy.degree(expr, x) == 1 and expr.subs(x, 0) != 0)
