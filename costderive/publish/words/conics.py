"""Discs and ellipses among regions of costs: written around their centre, and named."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Add, Expr

from costderive.core.symbols import c0, c1
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import chain

COSTS = (c0, c1)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """The costs with ``(c0 - u)^2 + k (c1 - v)^2 <= r``: the centre (u, v), the stretch k and the square r."""

    centre: tuple[Expr, Expr]
    stretch: Expr
    square: Expr

    @property
    def inequality(self) -> Row:
        """The ellipse as an inequality."""
        (u, v), k = self.centre, self.stretch
        left = Add((c0 - u) ** 2, k * (c1 - v) ** 2, evaluate=False)
        return chain(r" \le ", (left, self.square))

    @property
    def name(self) -> str:
        """What a title calls it."""
        return "a disc" if self.stretch == 1 else "an ellipse"

    def implies_positive(self, cost: Expr) -> bool:
        """Return whether a cost is plainly not negative on the ellipse."""
        along = dict(zip(COSTS, ((self.centre[0], 1), (self.centre[1], self.stretch)), strict=True))
        centre, factor = along[cost]
        return bool((centre - sympy.sqrt(self.square / factor)).is_nonnegative)


def ellipse(constraint: Expr) -> Ellipse | None:
    """Return the ellipse on which a constraint is not negative, if its axes are those of the costs.

    >>> ellipse(4 * c0 - c0**2 + 4 * c1 - c1**2 - 7)
    Ellipse(centre=(2, 2), stretch=1, square=1)
    """
    if not constraint.is_polynomial(*COSTS):
        return None
    found = dict(sympy.Poly(-constraint, *COSTS).terms())
    first, second = found.get((2, 0), sympy.S.Zero), found.get((0, 2), sympy.S.Zero)
    if found.keys() - {(2, 0), (0, 2), (1, 0), (0, 1), (0, 0)} or not (
        first.is_positive and second.is_positive
    ):
        return None
    stretch = sympy.cancel(second / first)
    u = sympy.cancel(-found.get((1, 0), sympy.S.Zero) / (2 * first))
    v = sympy.cancel(-found.get((0, 1), sympy.S.Zero) / (2 * second))
    square = sympy.cancel(u**2 + stretch * v**2 - found.get((0, 0), sympy.S.Zero) / first)
    return Ellipse((u, v), stretch, square)


def needed(constraints: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return constraints without those that an ellipse among them implies: that its costs are not negative."""
    found = [one for one in map(ellipse, constraints) if one is not None]
    return tuple(
        x for x in constraints if x not in COSTS or not any(one.implies_positive(x) for one in found)
    )


def name_of(constraints: tuple[Expr, ...]) -> str | None:
    """Return what the region of some constraints is called, if it is a disc, an ellipse or a quarter of one."""
    kept = needed(constraints)
    found = [one for one in map(ellipse, kept) if one is not None]
    if len(found) != 1:
        return None
    if len(kept) == 1:
        return found[0].name
    quarter = set(kept) - set(COSTS) and len(kept) == 3 and found[0].centre == (0, 0)
    return f"a quarter of {found[0].name}" if quarter and set(COSTS) <= set(kept) else None
