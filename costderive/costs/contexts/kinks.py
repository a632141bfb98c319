"""What expressions are on either side of each line or curve where a condition or an extreme in them changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Basic, Expr, Poly, S, Symbol
from sympy.core.relational import Relational

STEPS = (sympy.Heaviside, sympy.sign)
KINKED = (sympy.Abs, sympy.Max, sympy.Min, *STEPS)
Gaps = tuple[Expr, ...]


def smooth_parts(
    expr: Basic, letters: tuple[Symbol, ...], support: Gaps = (), degree: int = 2
) -> Iterator[tuple[Any, Gaps]]:
    """Yield what an expression (or a tuple of them) is where all of some gaps are positive, for each part of a support.

    It is cut where a polynomial of at most a degree in the letters changes its sign; a kink elsewhere stays.
    """
    node = next((node for node in _innermost(expr, letters) if _cuts(node, letters, degree)), None)
    if node is None:
        yield expr, support
        return
    for value, gaps in _values(node):
        new = [gap for gap in map(sympy.expand, gaps) if gap not in support]
        if not any(sympy.expand(-gap) in support for gap in new):
            yield from smooth_parts(expr.xreplace({node: value}), letters, (*support, *new), degree)


def _innermost(expr: Basic, letters: tuple[Symbol, ...]) -> list[Any]:
    nodes = {node for node in expr.atoms(Relational, *KINKED) if node.has(*letters)}
    return sorted((node for node in nodes if not any(arg.has(*KINKED) for arg in node.args)), key=str)


def _cuts(node: Any, letters: tuple[Symbol, ...], degree: int) -> bool:
    """Are all places where a node changes its form on lines, or curves of at most a degree?"""
    gaps = {sympy.expand(gap) for _, gaps in _values(node) for gap in gaps}
    return all(
        gap.is_polynomial(*letters) and 0 < Poly(gap, *letters).total_degree() <= degree for gap in gaps
    )


def _values(node: Any) -> Iterator[tuple[Any, Gaps]]:
    """Yield what a node is where some gaps are positive; a line has no probability."""
    first, second = node.args[0], node.args[-1]
    match node:
        case sympy.Max():
            yield from ((one, tuple(one - arg for arg in node.args if arg != one)) for one in node.args)
        case sympy.Min():
            yield from ((one, tuple(arg - one for arg in node.args if arg != one)) for one in node.args)
        case sympy.Abs():
            yield from ((sign * first, (sign * first,)) for sign in (1, -1))
        case sympy.sign():
            yield from ((sign, (sign * first,)) for sign in (S.One, S.NegativeOne))
        case sympy.Heaviside():
            yield from ((S.One, (first,)), (S.Zero, (-first,)))
        case _:
            signs = (S.One, S.NegativeOne)
            yield from ((node.func(sign, S.Zero), (sign * (first - second),)) for sign in signs)
