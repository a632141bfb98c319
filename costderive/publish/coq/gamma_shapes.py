"""Gamma functions in Coq by those of the least argument that is a whole number away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr

from costderive.publish.coq.terms import atomic

ONE, HALF = sympy.S.One, sympy.S.Half


def steps_down(shapes: Iterable[Expr]) -> Iterator[str]:
    """Yield the tactics that write Gamma functions by those of the least shape, or of 1 or 1/2."""
    for group in _groups(shapes):
        yield from _descent(group)


def _groups(shapes: Iterable[Expr]) -> Iterator[list[Expr]]:
    """Yield shapes that are whole numbers apart, in their order."""
    rest = sorted(shapes, key=sympy.default_sort_key)
    while rest:
        above = {shape: shape - rest[0] for shape in rest if (shape - rest[0]).is_Integer}
        rest = [shape for shape in rest if shape not in above]
        yield sorted(above, key=above.__getitem__)


def _descent(group: list[Expr]) -> Iterator[str]:
    """Yield the steps from the greatest shape down to the least, or to 1 or 1/2 whose function is elementary."""
    least = group[0]
    base = least if not (2 * least).is_Integer else ONE if least.is_Integer else HALF
    shape = group[-1]
    while shape != base:
        below = sympy.expand(shape - 1)
        yield f"next_shape {atomic(shape)} {atomic(below)}."
        if below.is_Integer:
            yield f"whole_power {atomic(below)} {below}%nat."
        elif (2 * below).is_Integer:
            yield f"root_power {atomic(below)} {2 * below}%nat."
        shape = below
    if base in (ONE, HALF):
        yield "known_shapes."
