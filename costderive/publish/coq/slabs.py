"""A strip of an area with its antiderivatives in Coq: in c0 and in c1, once for all reports, and the cuts at a report.

Antiderivatives are found here and certified there, as is the order of all bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p
from costderive.costs.expected_loss import Area
from costderive.publish.coq.antiderivatives import antiderivative, refuse_unbounded, tidy, vanishing_text
from costderive.publish.coq.factors import hints
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.far_terms import FUNCTIONS, far_text, from_far, has_bells
from costderive.publish.coq.strips import (
    RAY,
    Cut,
    Part,
    Sides,
    Strip,
    crossing,
    cuts,
    in_both_shares,
    sides,
    strips,
    with_shares,
)
from costderive.publish.coq.tactics import filled, lemma
from costderive.publish.coq.terms import atomic, term

ZERO, ONE = sympy.S.Zero, sympy.S.One
REPORTS = Interval(p, ZERO, ONE)
Lines = Iterator[str]
PLAIN_PARTS = [  # of the proof that a strip is certified, which ``certified_plainly`` has
    *[f"- opened; intros. {line}" for line in ("split; lra.", "lra.", "lra.")],
    *["- antiderivative_in_c0."] * 2,
    *["- antiderivative_in_c1."] * 3,
    *["- intros p Unit. antiderivative_in_c1."] * 2,
]


@dataclass(frozen=True)
class Slab:
    """A strip with its antiderivatives, by its name in Coq."""

    name: str
    area_name: str
    area: Area
    strip: Strip
    given: Given

    # ---- antiderivatives

    @cached_property
    def amount(self) -> Expr:
        """An antiderivative in c0 of c0 times the density."""
        return self._inwards(c0 * self.area.density)

    @cached_property
    def chance(self) -> Expr:
        """An antiderivative in c0 of the density."""
        return self._inwards(self.area.density)

    @cached_property
    def inside0(self) -> Expr:
        """An antiderivative in c1 of what class 0 pays where the ray runs inside."""
        return self._outer(self.amount.subs(c0, RAY) - self.amount.subs(c0, self.strip.lower))

    @cached_property
    def inside1(self) -> Expr:
        """An antiderivative in c1 of what class 1 pays where the ray runs inside."""
        return self._outer(c1 * (self._top(self.chance) - self.chance.subs(c0, RAY)))

    @cached_property
    def whole0(self) -> Expr:
        """An antiderivative in c1 of what class 0 pays where it always pays."""
        return self._outer(self._all(self.amount))

    @cached_property
    def whole1(self) -> Expr:
        """An antiderivative in c1 of what class 1 pays where it always pays."""
        return self._outer(c1 * self._all(self.chance))

    @cached_property
    def whole(self) -> Expr:
        """An antiderivative in c1 of the probability."""
        return self._outer(self._all(self.chance))

    def _all(self, inner: Expr) -> Expr:
        return self._top(inner) - inner.subs(c0, self.strip.lower)

    def _top(self, inner: Expr) -> Expr:
        return ZERO if self.strip.upper is sympy.oo else inner.subs(c0, self.strip.upper)

    def _inwards(self, charge: Expr) -> Expr:
        found = _elementary(antiderivative(charge, c0, self.given))
        return from_far(found, c0) if self.strip.upper is sympy.oo else found

    def _outer(self, section: Expr) -> Expr:
        found = _elementary(antiderivative(tidy(section, c1), c1, self.given))
        return from_far(found, c1) if self.strip.high is sympy.oo else found

    @property
    def far(self) -> bool:
        """Whether antiderivatives are more than powers, exponentials and logarithms."""
        parts = (self.amount, self.chance, *self._in_c1)
        return any(part.has(*FUNCTIONS) or has_bells(part, (c0, c1)) for part in parts)

    @property
    def _in_c1(self) -> tuple[Expr, ...]:
        """All antiderivatives in c1."""
        return self.inside0, self.inside1, self.whole0, self.whole1, self.whole

    def _refuse_unbounded(self) -> None:
        """Refuse antiderivatives over whole sections that are not continuous at 0 where the strip begins there."""
        if self.strip.lower == 0:
            refuse_unbounded((self.amount, self.chance), c0)
        if self.strip.low == 0:
            refuse_unbounded((self.whole0, self.whole1, self.whole), c1)

    def starts_with(self, part: Part) -> None:
        """Refuse antiderivatives that are not continuous at 0 where the strip begins there, the ray running so.

        Raises:
            ExportError: if Coq would need their limit.
        """
        if self.strip.low == 0:
            refuse_unbounded(self.last(part), c1)

    def gain(self, inner: Expr, outer: Expr) -> Expr:
        """Return what antiderivatives gain over the whole strip.

        Raises:
            ExportError: if one does not vanish at infinity where the strip ends there, as where a mean is infinite.
        """
        for expr, variable, end in ((inner, c0, self.strip.upper), (outer, c1, self.strip.high)):
            if end is sympy.oo:
                self._vanishing(expr, variable, None)
        top = ZERO if self.strip.high is sympy.oo else outer.subs(c1, self.strip.high)
        return top - outer.subs(c1, self.strip.low)

    # ---- in Coq

    def definition(self) -> str:
        """Return the strip with its antiderivatives.

        Raises:
            ExportError: if Coq does not see their limits where c0 begins and ends.
        """
        self._refuse_unbounded()
        high = "p_infty" if self.strip.high is sympy.oo else f"(Finite {atomic(self.strip.high)})"
        upper = "None" if self.strip.upper is sympy.oo else f"(Some {_side(self.strip.upper)})"
        inner = [self._inner(x) for x in (self.amount, self.chance)]
        outer = [
            ("p c1", self.inside0, REPORTS),
            ("c1", self.whole0, None),
            ("p c1", self.inside1, REPORTS),
            ("c1", self.whole1, None),
            ("c1", self.whole, None),
        ]
        functions = [f"(fun c0 c1 => {text})" for text in inner]
        functions += [f"(fun {names} => {self._outer_text(x, on)})" for names, x, on in outer]
        strip = f"(Strip {atomic(self.strip.low)} {high} {_side(self.strip.lower)} {upper})"
        opened = f"Definition {self.name} : slab := closed_forms {strip}"
        return "\n".join(filled([opened, *functions])) + "."

    def _inner(self, expr: Expr) -> str:
        """Write an antiderivative in c0; so that it visibly vanishes at infinity, if it ends there."""
        return term(expr) if self.strip.upper is not sympy.oo else self._vanishing(expr, c0, None)

    def _outer_text(self, expr: Expr, on: Interval | None) -> str:
        """Write an antiderivative in c1; so that it visibly vanishes at infinity, if it ends there and does."""
        if self.strip.high is not sympy.oo:
            return term(expr)
        try:
            return self._vanishing(expr, c1, on)
        except ExportError:
            return term(expr)

    def ends_at(self, outer: Expr, on: Interval | None) -> None:
        """Refuse an antiderivative in c1 whose limit at infinity is needed and not visible.

        Raises:
            ExportError: if the strip ends there and Coq does not see that it vanishes.
        """
        if self.strip.high is sympy.oo:
            self._vanishing(outer, c1, on)

    def _vanishing(self, expr: Expr, variable: Symbol, on: Interval | None) -> str:
        try:
            return vanishing_text(expr, variable, on, self.given)
        except ExportError:
            return far_text(expr, variable, on, self.given)

    def certified(self) -> str:
        """Return the lemma that the strip is part of its area, and that the antiderivatives are right."""
        plain = [
            *positives((self.amount, self.chance, self.whole0, self.whole1, self.whole), None, self.given)
        ]
        inside = [*positives((self.inside0, self.inside1), REPORTS, self.given)]
        widths = orders(self._width())
        parts = [
            *[f"- opened; intros. {line}" for line in self._filled()],
            *[f"- {self._sloped_in_c0()}"] * 2,
            *[f"- {self._sloped()}"] * 3,
            *[f"- intros p Unit. {' '.join([*inside, self._sloped(RAY)])}"] * 2,
        ]
        proof = ["apply certified_by; law_read.", f"- in_order {widths}.", *parts]
        if parts == PLAIN_PARTS:
            proof = [f"certified_plainly law_read {widths}."]
        return lemma(f"certified_{self.name}", f"certified {self.area_name} {self.name}", *plain, *proof)

    def _sloped(self, *rays: Expr) -> str:
        """Return the tactic for antiderivatives in c1, with what stands under roots of c0: a side, or the ray."""
        if self.far:
            return f"antiderivative_in_c1_far ltac:({self.hints()})."
        if not any(
            (2 * node.exp).is_Integer and not node.exp.is_Integer for node in self.amount.atoms(sympy.Pow)
        ):
            return "antiderivative_in_c1."
        bounds = dict.fromkeys((*rays, self.strip.lower, self.strip.upper))
        hints = "; ".join(f"factored ({term(x)})" for x in bounds if x is not sympy.oo)
        return f"antiderivative_in_c1_by ltac:({hints})."

    def _sloped_in_c0(self) -> str:
        return f"antiderivative_in_c0_far ltac:({self.hints()})." if self.far else "antiderivative_in_c0."

    def hints(self) -> str:
        """Return the tactic that writes roots and logarithms of the antiderivatives by their factors."""
        parts = (self.area.density, self.amount, self.chance, *self._in_c1)
        return "; ".join(hints(parts, REPORTS, self.given)) or "idtac"

    def _width(self) -> list[str]:
        low, high = self.strip.low, self.strip.high
        return [self._seen(low), *([] if high is sympy.oo else [self._seen(high - low)])]

    def _seen(self, expr: Expr, on: Interval | None = None) -> str:
        return sure(in_both_shares(expr), on, self.given, strict=False).text

    def _filled(self) -> Lines:
        """Yield the tactics for the order of the sides, strict inside, and for where the region is."""
        orders = [*self._orders()]
        yield " ".join([*orders, "split; lra."])
        yield " ".join([*self._strictly(), "lra."])
        yield " ".join([*orders, *self.solved(), "lra."])

    def _orders(self) -> Lines:
        """Put on record the order of bounds of c0 at a c1 of the strip, where their slopes have letters."""
        found, lower, upper = self.region, self.strip.lower, self.strip.upper
        pairs = [(x, lower) for x in found.lower if x != lower]
        pairs += [(upper, x) for x in found.upper if x != upper]
        pairs += [(lower, upper)] if upper is not sympy.oo else []
        pairs += [(ZERO, x) for x in found.flat]
        for number, (low, high) in enumerate(dict.fromkeys(pairs), start=1):
            if sympy.diff(high - low, c1).free_symbols or not (high - low).subs(c1, 0).is_polynomial():
                yield f"assert (order{number} : {term(low)} <= {term(high)}) by ({self._ordered(low, high)})."

    @property
    def region(self) -> Sides:
        """The sides of the area."""
        return sides(self.area.constraints, self.given)

    def _ordered(self, low: Expr, high: Expr) -> str:
        """Return the tactic for the order of two bounds, which are linear in c1, by that at the ends of the strip."""
        gap = high - low
        slope, rest = in_both_shares(sympy.diff(gap, c1)), in_both_shares(gap.subs(c1, 0))
        start, stop = self.strip.low, self.strip.high
        begins = self._not_negative(slope * start + rest)
        if stop is sympy.oo:
            return (
                f"apply (below_from {atomic(slope)} {atomic(rest)} {atomic(start)} c1);"
                f" [lra | algebra | {begins} | {self._not_negative(slope)}]"
            )
        return (
            f"apply (below_between {atomic(slope)} {atomic(rest)} {atomic(start)} {atomic(stop)} c1);"
            f" [lra | lra | algebra | {begins} | {self._not_negative(slope * stop + rest)}]"
        )

    def _not_negative(self, expr: Expr) -> str:
        return f"apply (not_negative_as ({self._seen(expr)})); [algebra | see]"

    def _strictly(self) -> Lines:
        """Put on record that the sides are apart inside of the strip, where their slopes have letters."""
        if (
            self.strip.upper is sympy.oo
            or not sympy.diff(self.strip.upper - self.strip.lower, c1).free_symbols
        ):
            return
        inside = self.given.also(
            positive=(c1 - self.strip.low, *([] if self.strip.high is sympy.oo else [self.strip.high - c1]))
        )
        gap = self.strip.upper - self.strip.lower
        seen = sure(gap, None, inside).text
        yield f"assert (0 < {term(gap)}) by (apply (positive_as ({seen})); [algebra | see])."

    def solved(self) -> Lines:
        """Solve constraints for c0 whose slope in it has letters."""
        for number, found in enumerate(self.region.solved, start=1):
            name, rise = ("rises_from", found.slope) if found.rises else ("falls_up_to", -found.slope)
            order = f"{term(found.bound)} <= c0" if found.rises else f"c0 <= {term(found.bound)}"
            yield (
                f"assert (solved{number} : 0 <= {term(found.constraint)} <-> {order})"
                f" by (apply ({name} {atomic(rise)}); [see | field; see])."
            )

    # ---- cuts

    def cuts(self, on: Interval) -> tuple[Cut, ...]:
        """Return how the ray of a report on an interval runs, part after part."""
        return cuts(self.strip, on, self.given)

    def orders_of_cuts(self, found: tuple[Cut, ...], on: Interval) -> Lines:
        """Yield certificates for the order of the cuts, and of the ray and the sides at them."""
        start = self.strip.low
        for cut in found:
            gaps = [] if cut.high is sympy.oo else [cut.high - start, cut.high]
            if cut.high is not sympy.oo and self.strip.high is not sympy.oo:
                gaps.append(self.strip.high - cut.high)
            for low, high in self._runs(cut.part):
                gap = high - low
                gaps.append(gap.subs(c1, start))
                gaps.append(sympy.diff(gap, c1) if cut.high is sympy.oo else gap.subs(c1, cut.high))
            yield from [self._seen(gap, on) for gap in gaps]
            start = cut.high

    def _runs(self, part: Part) -> list[tuple[Expr, Expr]]:
        lower, upper = self.strip.lower, self.strip.upper
        if part is Part.BELOW:
            return [(RAY, lower)]
        if part is Part.ABOVE:
            return [(upper, RAY)]
        return [(lower, RAY), *([] if upper is sympy.oo else [(RAY, upper)])]

    def last(self, part: Part) -> tuple[Expr, ...]:
        """Return the antiderivatives in c1 of what the classes pay where the ray runs in one way."""
        if part is Part.INSIDE:
            return self.inside0, self.inside1
        return (self.whole1,) if part is Part.BELOW else (self.whole0,)


def _elementary(found: Expr) -> Expr:
    """Return an antiderivative at reports below 1.

    Raises:
        ExportError: if it has incomplete Gamma functions.
    """
    if found.has(sympy.uppergamma):
        raise ExportError(
            "an antiderivative has incomplete Gamma functions", "Coq gets them along arcs, not over areas."
        )
    return with_shares(_over_factors(found.xreplace({sympy.Abs(p - 1): 1 - p})))


def _over_factors(expr: Expr) -> Expr:
    """Return an expression whose sums below fraction lines are products, of which Coq sees that none is 0.

    A cost with something added to it stays, as Coq sees its sign.
    """

    def divides(node: Expr) -> bool:
        below = node.is_Pow and node.exp.is_Integer and node.exp < 0 and node.base.is_Add
        return bool(below and not any(sympy.diff(node.base, cost) == 1 for cost in (c0, c1)))

    return expr.replace(divides, lambda node: sympy.factor(node.base) ** node.exp)


def orders(certificates: list[str]) -> str:
    """Return certificates of orders as an argument of a tactic, which takes whichever fits."""
    tried = " | ".join(f"seen ({x})" for x in dict.fromkeys(certificates))
    return f"ltac:(fun seen => first [{tried}])"


def _side(bound: Expr) -> str:
    slope = sympy.diff(bound, c1)
    return f"(Side {atomic(in_both_shares(slope))} {atomic(in_both_shares(bound.subs(c1, 0)))})"


def slabs(area_name: str, area: Area, given: Given, prefix: str) -> tuple[Slab, ...]:
    """Return the strips of an area with their antiderivatives, from low c1 to high."""
    found = strips(sides(area.constraints, given), None, given)
    return tuple(
        Slab(f"{prefix}{k}", area_name, area, strip, given) for k, strip in enumerate(found, start=1)
    )


def covered(area_name: str, found: tuple[Slab, ...]) -> str:
    """Return the lemma that the strips are all of their area."""
    listed = "; ".join(x.name for x in found)
    edges = ((found[0], found[0].strip.low, "before"), (found[-1], found[-1].strip.high, "after"))
    proofs = [_beyond(slab, at, where) for slab, at, where in edges]
    proof = ["covered_plainly law_read."]
    if not {"lra", "exact I"}.issuperset(proofs):
        proof = [
            "split; law_read; [repeat split |].",
            f"intros c0 c1 Positive0 Positive1 Held. split; [{proofs[0]} | {proofs[1]}].",
        ]
    return lemma(f"covered_{area_name}", f"covered {area_name} [{listed}]", *proof)


def _beyond(slab: Slab, at: Expr, where: str) -> str:
    """Return the tactic that shows that c1 does not lie before, or after, the region."""
    if at is sympy.oo:
        return "exact I"
    if at == 0 or (met := crossing(slab.region, at)) is None:
        return "lra"
    slope = in_both_shares(sympy.diff(met.upper - met.lower, c1))
    seen = sure(slope if where == "before" else -slope, None, slab.given)
    solved = " ".join(slab.solved()).replace(").", ");")
    return (
        f"apply Rnot_lt_le; intro Out; {solved} assert ({atomic(met.upper)} < {atomic(met.lower)})"
        f" by (apply (crossed_{where} ({seen.text}) {atomic(at)} c1); [assumption | see | algebra]); lra"
    )
