"""Boundaries of degree 2 in the costs: the parts of a region that each ray from the origin crosses only once."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import c0, c1
from costderive.deciders.signs import nonnegative, positive

Constraints = tuple[Expr, ...]


def degree(gap: Expr) -> int:
    """Return the degree of a polynomial in the costs."""
    return int(sympy.Poly(gap, c0, c1).total_degree())


def ray_parts(constraints: Constraints, given: Given) -> Iterator[Constraints]:
    """Cut a region along the polars of the origin, so that each ray crosses each part in one interval.

    The polar of a curve halves harmonically what a ray cuts out of it, so it runs between the two points where a ray
    enters and leaves a disc, say, behind and before which is the region outside the disc.

    Raises:
        SpecError: if it depends on letters on which side of a boundary the origin is.
    """
    parts = [constraints]
    for gap in constraints:
        if degree(gap) == 2 and (line := _polar(gap, given)) is not None:
            sides = (line,) if nonnegative(line, None, given) else (line, -line)
            parts = [(*part, side) for part in parts for side in sides]
    yield from parts


def _polar(gap: Expr, given: Given) -> Expr | None:
    """Return the polar of a boundary, if rays may leave the region there and come back."""
    terms = sympy.Poly(gap, c0, c1).terms()
    form, line, rest = (
        sympy.Add(*[x * c0**i * c1**j for (i, j), x in terms if i + j == total]) for total in (2, 1, 0)
    )
    if nonnegative(-rest, None, given) or nonnegative(-form, None, given):
        return None
    if positive(rest, None, given):
        return sympy.expand(line + 2 * rest)
    raise SpecError(
        f"context.support: whether {gap} is positive at c0 = c1 = 0, as {rest} is, depends on its letters",
        'Say in the support what is known of them, as in "r <= 1", or give them numbers.',
    )
