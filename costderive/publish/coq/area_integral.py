"""One integral over an area of both costs in Coq: c0 between its bounds, then c1 strip after strip.

Antiderivatives are found here and certified there, as is the order of all bounds on each strip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Area
from costderive.derivation.integration.primitive_table import primitive
from costderive.publish.coq.exponential_sums import by_rates, integrated, vanishing
from costderive.publish.coq.facts import positives, sure
from costderive.publish.coq.strips import Sides, Strip, crossing, in_both_shares, sides, strips
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import visible

ZERO = sympy.S.Zero
EQUAL = "[| cbn [polynomial]; equal_exponentials]"
Lines = Iterator[str]


@dataclass(frozen=True, slots=True)
class Payment:
    """What is integrated with the density: a charge on one side of a ray of the plane of the costs, or everywhere."""

    name: str
    charge: Expr
    ray: Expr | None
    below: bool = True

    def part(self, found: Sides) -> Sides:
        """Return the sides of the part of a region where the charge is paid."""
        if self.ray is None:
            return found
        return found.below(self.ray) if self.below else found.above(self.ray)

    @property
    def paid(self) -> str:
        """The tactic that shows the charge where it is paid."""
        if self.ray is None:
            return "reflexivity"
        return "apply pays0_below; lra" if self.below else "apply pays1_above; lra"

    @property
    def unpaid(self) -> str:
        """The tactic that shows that nothing is paid: out of the region, or beyond the ray."""
        if self.ray is None:
            return "exfalso; lra"
        return f"first [exfalso; lra | apply {'pays0_above' if self.below else 'pays1_below'}; lra]"


@dataclass(frozen=True)
class AreaIntegral:
    """The integral of a payment over an area, for reports on an interval, by the name of its lemma."""

    area_name: str
    area: Area
    payment: Payment
    name: str
    on: Interval | None
    given: Given

    @cached_property
    def region(self) -> Sides:
        """The sides of the area."""
        return sides(self.area.constraints)

    @cached_property
    def strips(self) -> tuple[Strip, ...]:
        """The strips where something is paid; else those of the whole area, on which nothing is."""
        found = strips(self.payment.part(self.region), self.on, self.given)
        return found or tuple(
            Strip(x.low, x.high, x.lower, x.upper, empty=True)
            for x in strips(self.region, self.on, self.given)
        )

    @property
    def sides(self) -> Sides:
        """The sides of what the strips fill."""
        return self.region if self.strips[0].empty else self.payment.part(self.region)

    @cached_property
    def slabs(self) -> tuple[Slab, ...]:
        """The strips with their antiderivatives."""
        return tuple(Slab(self, number, strip) for number, strip in enumerate(self.strips, start=1))

    @property
    def value(self) -> Expr:
        """The value of the integral."""
        return in_both_shares(sympy.Add(*[slab.value for slab in self.slabs]))

    def lemmas(self, value: Expr) -> Lines:
        """Yield a lemma for each strip, and the one that the integral has a value."""
        yield from [slab.lemma() for slab in self.slabs]
        yield lemma(
            f"{self.name}{self.binder}",
            f"{self.hypotheses}over_area {self.area_name} {self.pay} {atomic(value)}",
            *self.opening(),
            *positives((value, *[x for slab in self.slabs for x in slab.ends]), self.on, self.given),
            f"apply (over_area_is _ _ ({self._sum()})); {EQUAL}.",
            *self._chain(),
        )

    @property
    def pay(self) -> str:
        """The payment as an argument."""
        return self.payment.name if self.payment.name.startswith("(") else f"({self.payment.name})"

    @property
    def binder(self) -> str:
        """The report, where there is one."""
        return "" if self.on is None else " p"

    @property
    def hypotheses(self) -> str:
        """What is assumed of the report."""
        if self.on is None:
            return ""
        return f"0 < p < 1 -> {atomic(self.on.low)} < p -> p <= {atomic(self.on.high)} ->\n  "

    @property
    def arguments(self) -> str:
        """The report and what is assumed of it."""
        return "" if self.on is None else "p Unit Start Stop"

    def opening(self) -> Lines:
        """Introduce the report."""
        if self.on is not None:
            yield "intros Unit Start Stop."

    def _sum(self) -> str:
        text = "0"
        for slab in reversed(self.slabs):
            text = slab.gain if slab.strip.high is sympy.oo else f"{slab.gain} + ({text})"
        return text

    def _chain(self) -> Lines:
        low, high = self.strips[0].low, self.strips[-1].high
        yield self.from_0(low)
        yield f"apply (start_at _ _ {atomic(low)}); [lra | |]."
        yield f"- intros c1 Positive Before. {self._nothing(low, 'before')}"
        yield f"- apply ({self.slabs[0].name} {self.arguments})."
        for slab in self.slabs[1:]:
            yield f"  apply from_is_beyond, ({slab.name} {self.arguments})."
        if high is not sympy.oo:
            yield f"  apply nothing_beyond. intros c1 Positive After. {self._nothing(high, 'after')}"

    def _nothing(self, at: Expr, where: str) -> str:
        """Return the tactics that show that nothing is paid before, or after, a value of c1."""
        if at == 0:
            return "exfalso; lra."
        met = crossing(self.sides, at)
        return f"{self._crossed(met.lower, met.upper, at, where) if met else ''}{self.no_section()}"

    def _crossed(self, lower: Expr, upper: Expr, at: Expr, where: str) -> str:
        slope = in_both_shares(sympy.diff(upper - lower, c1))
        seen = sure(slope if where == "before" else -slope, self.on, self.given)
        return (
            f"assert ({atomic(upper)} < {atomic(lower)}) by (apply (crossed_{where} ({seen.text}) {atomic(at)} c1);"
            " [assumption | see | algebra]). "
        )

    def no_section(self) -> str:
        """Return the tactics that show that at some c1 nothing is paid, from bounds on record."""
        return f"apply no_section. intros c0 Positive0. {self.unpaid()}."

    def unpaid(self) -> str:
        """Return the tactics that show that nothing is paid at costs that are not paid for."""
        return f"unfold unpaid; cbn [region {self.area_name} hold]; intros Held; {self.payment.unpaid}"

    def from_0(self, low: Expr) -> str:
        """Return the tactic that puts on record that c1 begins at 0, or above it."""
        found = visible(in_both_shares(low), self.on, self.given)
        last = None if self.on is None or self.on.high == 1 else low.subs(self.on.variable, self.on.high)
        if low == 0 or found is None or not found.strict or (last is not None and sympy.simplify(last) == 0):
            return self.not_negative("from_0", low)
        return f"assert (from_0 : 0 < {term(low)}) by (apply (positive_as ({found.text})); [algebra | see])."

    def not_negative(self, name: str, expr: Expr) -> str:
        """Return the tactic that puts on record that an expression without c1 is not negative."""
        return f"assert ({name} : 0 <= {term(expr)}) by ({self.seen(expr)})."

    def seen(self, expr: Expr) -> str:
        """Return the tactic for a goal that an expression without c1 is not negative."""
        found = sure(in_both_shares(expr), self.on, self.given, strict=False)
        return f"apply (not_negative_as ({found.text})); [algebra | see]"

    def primitive(self, expr: Expr, variable: Symbol) -> Expr:
        """Return an antiderivative.

        Raises:
            ExportError: if none is found.
        """
        rates = by_rates(expr, variable, in_both_shares)
        found = None if rates is None else integrated(rates, variable)
        found = primitive(expr, variable, self.given) if found is None else tidy(found, variable)
        if found is None:
            raise ExportError(
                f"there is no elementary antiderivative of {str(expr)[:200]}",
                "Coq needs one in c0, and in c1.",
            )
        return found

    def vanishing(self, expr: Expr, variable: Symbol) -> tuple[str, str]:
        """Return a function that vanishes at infinity in Coq, and the tactic that shows it.

        Raises:
            ExportError: if it is no sum of powers and exponentials.
        """
        rates = by_rates(expr, variable, in_both_shares)
        if rates is None:
            raise ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
        return vanishing(rates, variable, atomic, lambda rate: f"({sure(rate, self.on, self.given).text})")


def tidy(expr: Expr, variable: Symbol) -> Expr:
    """Return a sum of powers and exponentials by its powers, and anything else as it is."""
    rates = by_rates(expr, variable, in_both_shares)
    if rates is None:
        return expr
    return sympy.Add(
        *[
            a * variable**n * sympy.exp(-rate * variable)
            for rate, powers in rates.items()
            for n, a in powers.items()
        ]
    )


@dataclass(frozen=True)
class Slab:
    """A strip of an integral with its antiderivatives in c0 and in c1."""

    integral: AreaIntegral
    number: int
    strip: Strip

    @property
    def name(self) -> str:
        """The name of its lemma."""
        return f"{self.integral.name}_strip{self.number}"

    @cached_property
    def inner(self) -> Expr:
        """An antiderivative in c0."""
        return self.integral.primitive(self.integral.payment.charge * self.integral.area.density, c0)

    @cached_property
    def section(self) -> Expr:
        """The inner integral, a function of c1."""
        if self.strip.empty:
            return ZERO
        top = ZERO if self.strip.upper is sympy.oo else self.inner.subs(c0, self.strip.upper)
        return tidy(top - self.inner.subs(c0, self.strip.lower), c1)

    @cached_property
    def outer(self) -> Expr:
        """An antiderivative of the inner integral in c1."""
        return self.integral.primitive(self.section, c1)

    @property
    def ends(self) -> tuple[Expr, Expr]:
        """The antiderivative in c1 at both ends."""
        top = ZERO if self.strip.high is sympy.oo else self.outer.subs(c1, self.strip.high)
        return self.outer.subs(c1, self.strip.low), top

    @property
    def value(self) -> Expr:
        """What the strip adds."""
        return self.ends[1] - self.ends[0]

    @property
    def outer_text(self) -> str:
        """The antiderivative in c1 as a function in Coq."""
        endless = self.strip.high is sympy.oo
        return f"(fun c1 => {self.integral.vanishing(self.outer, c1)[0] if endless else term(self.outer)})"

    @property
    def gain(self) -> str:
        """What the strip adds, as a term of Coq."""
        function, (low, high) = self.outer_text, (self.strip.low, self.strip.high)
        if high is sympy.oo:
            return f"- {function} {atomic(low)}"
        return f"{function} {atomic(high)} - {function} {atomic(low)}"

    def lemma(self) -> str:
        """Return the lemma that the strip adds its value to what comes beyond it."""
        integral = self.integral
        return lemma(
            f"{self.name}{integral.binder}",
            f"{integral.hypotheses}{self._statement()}",
            *integral.opening(),
            *positives(self._formulas(), integral.on, integral.given),
            integral.from_0(self.strip.low),
            *self._applied(),
            *[f"  {line}" for line in self._orders()],
            *[f"  {line}" for line in self._section()],
            "- intros c1 Within. unfold slope_is; sloped.",
        )

    def _formulas(self) -> tuple[Expr, ...]:
        ends = (self.strip.low, self.strip.high, self.strip.lower, self.strip.upper)
        return (self.section, self.outer, self.inner, *[x for x in ends if x is not sympy.oo])

    def _statement(self) -> str:
        place = f"{self.integral.area_name} {self.integral.pay}"
        if self.strip.high is sympy.oo:
            return f"from {place} {atomic(self.strip.low)} ({self.gain})"
        return (
            f"forall v, beyond {place} {atomic(self.strip.high)} v ->\n"
            f"  from {place} {atomic(self.strip.low)} ({self.gain} + v)"
        )

    def _applied(self) -> Lines:
        """Apply the theorem on a strip, and open the proof of its inner integrals."""
        place = f"{self.integral.area_name} {self.integral.pay} {atomic(self.strip.low)}"
        functions = f"(fun c1 => {term(self.section)}) {self.outer_text}"
        if self.strip.high is sympy.oo:
            limit = self.integral.vanishing(self.outer, c1)[1]
            yield f"apply (last_strip {place} {functions}); [| | {limit}]."
            yield "- intros c1 Positive From. unfold section_is."
            return
        yield "intros v Next."
        yield self.integral.not_negative("width", self.strip.high - self.strip.low)
        yield f"apply (strip {place} {atomic(self.strip.high)} {functions} v); [lra | | | exact Next]."
        yield "- intros c1 Positive From To. unfold section_is."

    def _orders(self) -> Lines:
        """Put on record the order of all bounds of c0 at a c1 of the strip."""
        found, lower, upper = self.integral.sides, self.strip.lower, self.strip.upper
        pairs = [(x, lower) for x in found.lower if x != lower] + [
            (upper, x) for x in found.upper if x != upper
        ]
        pairs += [(lower, upper)] if upper is not sympy.oo else []
        pairs += [(ZERO, x) for x in found.flat]
        if self.strip.empty:
            ray = self.integral.payment.ray
            pairs.append((ray, lower) if self.integral.payment.below else (upper, ray))
        for number, (low, high) in enumerate(dict.fromkeys(pairs), start=1):
            yield f"assert (order{number} : {term(low)} <= {term(high)}) by ({self._ordered(low, high)})."

    def _ordered(self, low: Expr, high: Expr) -> str:
        """Return the tactic for the order of two bounds, which are linear in c1, by that at the ends of the strip."""
        gap = high - low
        slope, rest = in_both_shares(sympy.diff(gap, c1)), in_both_shares(gap.subs(c1, 0))
        if slope == 0:
            seen = sure(rest, self.integral.on, self.integral.given, strict=False)
            return f"apply (below_by ({seen.text})); [algebra | see]"
        start, stop = self.strip.low, self.strip.high
        first = self.integral.seen(slope * start + rest)
        if stop is sympy.oo:
            return (
                f"apply (below_from {atomic(slope)} {atomic(rest)} {atomic(start)} c1);"
                f" [lra | algebra | {first} | {self.integral.seen(slope)}]"
            )
        return (
            f"apply (below_between {atomic(slope)} {atomic(rest)} {atomic(start)} {atomic(stop)} c1);"
            f" [lra | lra | algebra | {first} | {self.integral.seen(slope * stop + rest)}]"
        )

    def _section(self) -> Lines:
        integral, lower = self.integral, atomic(self.strip.lower)
        upper = "" if self.strip.upper is sympy.oo else atomic(self.strip.upper)
        if self.strip.empty:
            edge = lower if integral.payment.below else upper
            yield f"apply (no_section_but _ _ _ {edge}); [lra | |]; intros c0 Positive0 Outside; {integral.unpaid()}."
            return
        charge = f"(fun c0 => {term(integral.payment.charge)})"
        given = f"{integral.area_name} {integral.pay} c1 {charge}"
        if self.strip.upper is sympy.oo:
            text, limit = integral.vanishing(self.inner, c0)
            function = f"(fun c0 => {text})"
            yield f"apply (over_positive_is _ (- {function} {lower})); {EQUAL}."
            yield f"apply (section_above {given} {function} {lower}); [lra | | | | {limit}]."
        else:
            function = f"(fun c0 => {term(self.inner)})"
            yield f"apply (over_positive_is _ ({function} {upper} - {function} {lower})); {EQUAL}."
            yield f"apply (section_between {given} {function} {lower} {upper}); [lra | lra | ..]."
            yield f"+ intros c0 Positive0 Outside. {integral.unpaid()}."
        yield f"+ intros c0 Positive0 Outside. {integral.unpaid()}."
        yield f"+ intros c0 Positive0 Inside{'' if self.strip.upper is sympy.oo else ' Below'}."
        yield f"  cbn [region {integral.area_name} hold]. split; [lra | {integral.payment.paid}]."
        yield f"+ intros c0 Within. cbn [density {integral.area_name}]. unfold slope_is; sloped."
