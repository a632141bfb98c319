"""Signs by inner integrals: a threshold weight is positive where it is the integral of a positive function over c1.

The derivation holds an antiderivative in c1 for each slice; Coq differentiates it and puts the bounds in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.piecewise import Given
from costderive.core.symbols import c1, p, s
from costderive.costs.expected_loss import InnerIntegral, Sheet, SlicedIntegral, WeightedLoss
from costderive.deciders.signs import nonnegative
from costderive.publish.coq.factors import hints
from costderive.publish.coq.setting import Cell, Setting
from costderive.publish.coq.tactics import algebra
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import visible


def by_inner_integrals(cell: Cell, setting: Setting) -> tuple[str, ...]:
    """Return the tactics that prove the weight of a piece positive; none if its inner integrals do not show that."""
    found = [(sheet, inner) for sheet, inner in _sheets(setting) if _holds(inner, cell, setting.given)]
    rises = [_Rise(number, *pair, cell, setting.given) for number, pair in enumerate(found, start=1)]
    shown = [rise.shown() for rise in rises]
    if not all(shown) or not shown:
        return ()
    total = " + ".join(f"({rise.total})" for rise in rises)
    names = ", ".join(f"rise{rise.number}" for rise in rises)
    exprs = (cell.weight, *[expr for rise in rises for expr in rise.ends])
    equal = algebra(hints(exprs, cell.on, setting.given))
    lines = [line for part in shown for line in part]
    return *lines, f"apply (positive_as ({total})); [unfold {names}; {equal} | see]."


def _sheets(setting: Setting) -> Iterator[tuple[Sheet, InnerIntegral]]:
    """Yield the inner integrals with the sheets that they are of, unless something else adds to the weight."""
    for step in setting.case.steps:
        if isinstance(step.after, WeightedLoss) and isinstance(step.before, SlicedIntegral):
            if step.before.integral.pieces:
                return
            slices = zip(step.before.integral.sheets, step.before.slices, strict=True)
            sheets = [sheet for sheet, found in slices for _ in found]
            yield from zip(sheets, step.after.inner, strict=True)


def _holds(inner: InnerIntegral, cell: Cell, given: Given) -> bool:
    """Return whether a slice holds a piece, and something comes from it."""
    gaps = (cell.on.low - inner.slice.low, inner.slice.high - cell.on.high)
    return not inner.slice.empty and all(nonnegative(gap, None, given) for gap in gaps)


@dataclass(frozen=True, slots=True)
class _Rise:
    """An antiderivative in c1 that rises between two bounds, for every p of a piece."""

    number: int
    sheet: Sheet
    inner: InnerIntegral
    cell: Cell
    given: Given

    @property
    def bounds(self) -> tuple[Expr, Expr]:
        """The ends of the range of c1."""
        return self.inner.slice.lower.subs(s, p), self.inner.slice.upper.subs(s, p)

    @property
    def ends(self) -> tuple[Expr, Expr]:
        """The antiderivative at the bounds."""
        return self.inner.at_lower.subs(s, p), self.inner.at_upper.subs(s, p)

    @property
    def total(self) -> str:
        """What the antiderivative rises by, in Coq."""
        lower, upper = map(atomic, self.bounds)
        return f"rise{self.number} {upper} - rise{self.number} {lower}"

    def shown(self) -> tuple[str, ...]:
        """Return the tactics that put on record that it rises; none if a sign is not visible."""
        lower, upper = self.bounds
        found, integrand = self.inner.antiderivative, self.sheet.integrand.subs(s, p)
        if found is None or upper is sympy.oo:
            return ()
        inside = self.given.also(positive=(c1 - lower, upper - c1))
        gap, sign = visible(upper - lower, self.cell.on, self.given), visible(integrand, self.cell.on, inside)
        if gap is None or sign is None or not (gap.strict and sign.strict):
            return ()
        rise = f"rise{self.number}"
        equal = algebra(hints((found.subs(s, p), integrand), self.cell.on, inside))
        return (
            f"pose ({rise} := fun c1 => {term(found.subs(s, p))}).",
            f"assert (inner{self.number} : 0 < {self.total}).",
            f"{{ apply (rises {rise} (fun c1 => {term(integrand)}));",
            f"    [| intros c1 Inside; unfold {rise}; auto_derive; [see | {equal}] | intros c1 Inside].",
            f"  - apply (strictly_below_by ({gap.text})); [{equal} | see].",
            f"  - apply (positive_as ({sign.text})); [{equal} | see]. }}",
        )
