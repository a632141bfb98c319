"""Signs by inner integrals: a threshold weight is positive where it is the integral of a positive function over c1.

The derivation holds an antiderivative in c1 for each slice; Coq differentiates it and puts the bounds in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, p, s
from costderive.costs.expected_loss import InnerIntegral, Sheet, SlicedIntegral, WeightedLoss
from costderive.deciders.signs import nonnegative
from costderive.publish.coq.factors import (
    arguments_of_roots,
    divisors,
    hints,
    hints_at,
    powers_of_slopes,
    roots_last,
)
from costderive.publish.coq.setting import Cell, Setting, with_plain_roots
from costderive.publish.coq.strips import with_shares
from costderive.publish.coq.tactics import algebra
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import Visible, visible


def by_inner_integrals(cell: Cell, setting: Setting) -> tuple[str, ...]:
    """Return the tactics that prove the weight of a piece positive; none if its inner integrals do not show that."""
    found = [(sheet, inner) for sheet, inner in _sheets(setting) if _holds(inner, cell, setting.given)]
    rises = [_Rise(number, *pair, cell, setting.given) for number, pair in enumerate(found, start=1)]
    shown = [rise.shown() for rise in rises]
    if not all(shown) or not shown:
        return ()
    beside = [with_shares(value) for value in _beside(cell, setting)]
    seen = [visible(value, cell.on, setting.given) for value in beside]
    if None in seen:
        return ()
    texts = [rise.total for rise in rises] + [value.text for value in seen if value is not None]
    total = " + ".join(f"({text})" for text in texts)
    names = ", ".join(f"rise{rise.number}" for rise in rises)
    ends = [*beside, *(expr for rise in rises for expr in rise.ends)]
    at_ends = [line for rise in rises for line in rise.hints_at_ends()]
    written = roots_last([*hints((cell.weight, *ends), cell.on, setting.given), *at_ends])
    equal = _equal(cell.weight, sympy.Add(*ends, evaluate=False), tuple(written))
    lines = [line for part in shown for line in part]
    return *lines, f"apply (positive_as ({total})); [unfold {names}; {equal} | see]."


def _sheets(setting: Setting) -> Iterator[tuple[Sheet, InnerIntegral]]:
    """Yield the inner integrals with the sheets that they are of."""
    for step in setting.case.steps:
        if isinstance(step.after, WeightedLoss) and isinstance(step.before, SlicedIntegral):
            slices = zip(step.before.integral.sheets, step.before.slices, strict=True)
            sheets = [sheet for sheet, found in slices for _ in found]
            yield from zip(sheets, step.after.inner, strict=True)


def _beside(cell: Cell, setting: Setting) -> list[Expr]:
    """Return the densities on a piece that add to the weight beside the inner integrals."""
    steps = (step.before for step in setting.case.steps if isinstance(step.after, WeightedLoss))
    pieces = next((x.integral.pieces for x in steps if isinstance(x, SlicedIntegral)), ())
    return [piece.value.subs(s, p) for piece in pieces if _covers(piece.low, piece.high, cell, setting.given)]


def _covers(low: Expr, high: Expr, cell: Cell, given: Given) -> bool:
    """Return whether a piece lies between two thresholds."""
    return all(nonnegative(gap, None, given) for gap in (cell.on.low - low, high - cell.on.high))


def _holds(inner: InnerIntegral, cell: Cell, given: Given) -> bool:
    """Return whether a slice holds a piece, and something comes from it."""
    return not inner.slice.empty and _covers(inner.slice.low, inner.slice.high, cell, given)


def _equal(found: Expr, integrand: Expr, written: tuple[str, ...]) -> str:
    """Return the tactic for an equality, where what is found may have products of the exponentials in the integrand."""
    if any(node not in integrand.atoms(sympy.exp) for node in found.atoms(sympy.exp)):
        return f"equal_exponentials_by ltac:({'; '.join(written) or 'idtac'})"
    numbers = any(x.args[0].is_number for x in found.atoms(sympy.exp))
    return f"first [{algebra(written)} | opposites; algebra]" if numbers else algebra(written)


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
        return with_shares(self.inner.slice.lower.subs(s, p)), with_shares(self.inner.slice.upper.subs(s, p))

    @property
    def ends(self) -> tuple[Expr, Expr]:
        """The antiderivative at the bounds."""
        return with_shares(self.inner.at_lower.subs(s, p)), with_shares(self.inner.at_upper.subs(s, p))

    def hints_at_ends(self) -> Iterator[str]:
        """Yield hints on roots and logarithms of the antiderivative at the bounds, as they stand there."""
        if self.inner.antiderivative is None:
            return
        found = with_shares(self.inner.antiderivative.subs(s, p))
        given = self.given.also(positive=(p, 1 - p, *self.cell.on.facts))
        for bound in self.bounds:
            yield from hints_at(bound, (found,), Interval(c1, *self.bounds), given)

    @property
    def total(self) -> str:
        """What the antiderivative rises by, in Coq."""
        lower, upper = map(atomic, self.bounds)
        return f"rise{self.number} {upper} - rise{self.number} {lower}"

    def shown(self) -> tuple[str, ...]:
        """Return the tactics that put on record that it rises; none if a sign is not visible."""
        lower, upper = self.bounds
        if self.inner.antiderivative is None or upper is sympy.oo:
            return ()
        found = with_shares(self.inner.antiderivative.subs(s, p))
        if any(
            _has_no_value_at(node, bound) for node in sympy.preorder_traversal(found) for bound in self.bounds
        ):
            return ()
        inside = self.given.also(positive=(c1 - lower, upper - c1))
        integrand = with_plain_roots(
            with_shares(self.sheet.integrand.subs(s, p)), inside.also(positive=(p, 1 - p))
        )
        gap, sign = visible(upper - lower, self.cell.on, self.given), visible(integrand, self.cell.on, inside)
        if gap is None or sign is None or not (gap.strict and sign.strict):
            return ()
        rise = f"rise{self.number}"
        equal = _equal(found, integrand, hints((found, integrand), self.cell.on, inside))
        steep = self._steep((found, integrand))
        within = "".join(["intros c1 Inside. ", *self._positives((found, integrand), steep)])
        return (
            f"pose ({rise} := fun c1 => {term(found)}).",
            f"assert (inner{self.number} : 0 < {self.total}).",
            f"{{ apply ({'rises_inside' if steep else 'rises'} {rise} (fun c1 => {term(integrand)})).",
            f"  - apply (strictly_below_by ({gap.text})); [algebra | see].",
            *([f"  - intros c1 Inside. unfold {rise}, Rpower. smooth."] if steep else []),
            f"  - {within}unfold {rise}, Rpower. auto_derive; [see | {equal}].",
            f"  - {within}apply (positive_as ({sign.text})); [{equal} | see]. }}",
        )

    def _steep(self, formulas: tuple[Expr, ...]) -> bool:
        """Return whether something under a root, or an end of an incomplete integral, is 0 at a bound."""
        steep = [base for base, _ in powers_of_slopes(formulas)]
        arguments = [x for x in (*arguments_of_roots(formulas), *steep) if x.has(c1)]
        return any(sympy.simplify(x.subs(c1, bound)) == 0 for x in arguments for bound in self.bounds)

    def _positives(self, formulas: tuple[Expr, ...], steep: bool) -> Iterator[str]:
        """Yield tactics that put on record that c1, divisors and what is under roots are positive there."""
        lower, upper = self.bounds
        begins = visible(lower, self.cell.on, self.given)
        if begins is not None and begins.strict and not lower.is_Rational:
            yield f"{_recorded(lower, begins)}assert (0 < c1) by lra. "
        within = self.given.also(positive=(c1 - lower, upper - c1))
        parts = (*arguments_of_roots(formulas), *divisors(formulas, self.cell.on, within))
        found = dict.fromkeys(part for part in parts if part.has(c1) and part != c1)
        for part in sorted(found, key=lambda part: not part.is_polynomial()):  # by what they are divided
            seen = visible(part, self.cell.on, within) if steep else self._seen_to_the_ends(part)
            if seen is not None and seen.strict:
                yield _recorded(part, seen)

    def _seen_to_the_ends(self, part: Expr) -> Visible | None:
        """See the sign of a part where c1 may be at a bound, which may be 0."""
        lower, upper = self.bounds
        cost = Symbol(c1.name, real=True) if lower == 0 else c1
        given = self.given.also(nonnegative=(cost - lower, upper - cost))
        return visible(part.subs(c1, cost), self.cell.on, given, to_the_ends=True)


def _has_no_value_at(node: Expr, bound: Expr) -> bool:
    """Return whether something is a power or logarithm of 0 at a bound whose value in Coq is no limit."""
    root = node.is_Pow and node.exp.is_positive and (2 * node.exp).is_Integer
    if not (node.is_Pow or isinstance(node, sympy.log)) or root or not node.args[0].has(c1):
        return False
    return bool(sympy.simplify(node.args[0].subs(c1, bound)) == 0)


def _recorded(part: Expr, seen: Visible) -> str:
    return f"assert (0 < {term(part)}) by (apply (positive_as ({seen.text})); [field; see | see]). "
