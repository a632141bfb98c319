"""Two independent costs over an area in Coq: that what they cost is finite, and where their thresholds are.

The density is a product of one in each cost, each of which is positive and continuous at all positive costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.core.piecewise import Interval as Thresholds
from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Arc, Area
from costderive.costs.laws import x
from costderive.publish.coq.factors import divisors
from costderive.publish.coq.facts import records, sure
from costderive.publish.coq.moments import Interval
from costderive.publish.coq.power_section import factors_of
from costderive.publish.coq.strands import CHANCE, Strand
from costderive.publish.coq.tactics import lemma
from costderive.publish.coq.terms import atomic, term

IMPORTS = ("Moments", "Families", "SeparateCosts")


def separate_costs(areas: tuple[Area, ...], given: Given, *, part: int = 0) -> SeparateCosts | None:
    """Return the densities of two independent costs; ``None`` if they depend on each other or are not seen positive.

    They may be a ``part`` of a density, by its number.
    """
    found = factors_of(areas[0], given) if len(areas) == 1 else None
    if found is None:
        return None
    densities = _as_written(areas[0].density)
    costs = SeparateCosts(((densities[0], found[0][1]), (densities[1], found[1][1])), given, part)
    try:
        return costs if all(costs.lemmas()) else None
    except ExportError:
        return None


def _as_written(density: Expr) -> tuple[Expr, Expr]:
    """Return the factors of a product of densities in each cost, as functions of x; exponents stay as they are."""
    parts = [part for factor in sympy.Mul.make_args(density) for part in _exponentials(factor)]
    first = sympy.Mul(*[part for part in parts if not part.has(c1)])
    return first.subs(c0, x), sympy.Mul(*[part for part in parts if part.has(c1)]).subs(c1, x)


def _exponentials(factor: Expr) -> tuple[Expr, ...]:
    """Return the exponentials of the terms in each cost of which an exponential is the product, or a factor itself."""
    if not isinstance(factor, sympy.exp):
        return (factor,)
    first, second = sympy.sift(
        sympy.Add.make_args(factor.args[0]), lambda term: not term.has(c1), binary=True
    )
    return sympy.exp(sympy.Add(*first)), sympy.exp(sympy.Add(*second))


@dataclass(frozen=True, slots=True)
class SeparateCosts:
    """The density of each cost as a function of x, with the interval that it is on."""

    factors: tuple[tuple[Expr, Interval], tuple[Expr, Interval]]
    given: Given
    part: int = 0  # of a density that is a sum of such products, from 1 on

    @property
    def _of_part(self) -> str:
        return f"_{self.part}" if self.part else ""

    @property
    def _area(self) -> str:
        return f"part{self.part}" if self.part else "area1"

    def lemmas(self) -> Iterator[str]:
        """Yield the definitions of both densities, that they are positive, and that their product is that of both."""
        for label, (density, _) in enumerate(self.factors):
            yield f"Definition density{label}{self._of_part} (x : R) : R := {term(density)}."
            yield self._dense(label, density)
        (_, first), (_, second) = self.factors
        own, area = self._of_part, self._area
        read = "area1" if area == "area1" else f"{area} area1"
        yield lemma(
            f"product{own}",
            f"product_of {area} {first.text()} density0{own} {second.text()} density1{own}",
            f"intros c0 c1 Positive0 Positive1. split; [| cbn [region {read} hold within_places]; same_sides].",
            f"cbn [density {read}]; unfold density0{own}, density1{own}; equal_exponentials.",
        )

    def _dense(self, label: int, density: Expr) -> str:
        within = self.given.also(positive=(x,))
        parts = [part for part in divisors((density,), None, within) if part.has(x)]
        sign = f"apply (positive_as ({sure(density, None, within).text})); [equal_exponentials | see]"
        name = f"density{label}{self._of_part}"
        return lemma(
            f"dense{label}{self._of_part} x",
            f"0 < x -> 0 < {name} x /\\ continuous {name} x",
            "intro Positive.",
            *records(parts, None, within),
            f"split; unfold {name}; [{sign} | unfold Rpower; smooth].",
        )

    def _ordered(self) -> tuple[str, str]:
        (_, first), (_, second) = self.factors
        return _interval(first), _interval(second)

    def spread(self, low: Expr, high: Expr) -> Iterator[str]:
        """Yield the lemma that thresholds between two ones are those of costs around which the density is positive."""
        ends, (first, second), own = f"{atomic(low)} {atomic(high)}", self._ordered(), self._of_part
        areas = f"[{self._area}]" if self.part else "areas"
        yield lemma(
            f"spread_thresholds{own}",
            f"spread_between {ends} {areas}",
            f"apply (two_are_spread _ _ _ _ _ _ _ {ends} product{own} dense0{own} dense1{own});",
            f"  [{first} | {second} | see | see | intros t T U; ray_meets {ends}].",
        )

    # -- that what is paid is finite

    def existence(self, shown: tuple[str, ...]) -> Iterator[str]:
        """Yield the lemmas that the expected costs exist, by totals and a mean, beside names that are ``shown``.

        Raises:
            ExportError: if a total or both means have no closed form that Coq sees.
        """
        strands = [self._strand(label) for label in (0, 1)]
        for label, strand in enumerate(strands):
            yield from self._total(label, strand, shown)
        known = (*shown, *(name for strand in strands for name in strand.shown))
        side, lines = self._mean(strands, known)
        yield from lines
        (first, second), own = self._ordered(), self._of_part
        areas = f"[{self._area}]" if self.part else "areas"
        dense = f"exact dense0{own} | exact dense1{own}"
        yield lemma(
            f"exist_over_areas{own}",
            f"costs_exist_over (over_areas {areas})",
            f"apply (separate_costs_exist _ _ _ _ _ _ _ product{own}); [{first} | {second} | {dense}",
            f"  | exact total0{own} | exact total1{own} | {side}; exact mean_of_one{own}].",
        )

    def _strand(self, label: int) -> Strand:
        """A cost as an arc in that cost, beside a cost of 1."""
        density, on = self.factors[label]
        arc = Arc(x, x, sympy.S.One, density, on.low, on.high)
        return Strand(
            2 * max(self.part - 1, 0) + label + 1,
            arc,
            x,
            Thresholds(x, sympy.S.Zero, sympy.S.One),
            self.given,
        )

    def _total(self, label: int, strand: Strand, shown: tuple[str, ...]) -> Iterator[str]:
        if strand.counted is None:
            raise ExportError("a total has no closed form that Coq sees", "Coq needs both.")
        yield from strand.definitions()
        yield strand.reads(shown)
        yield strand.counted.certified(CHANCE)
        name = f"density{label}{self._of_part}"
        statement = f"over_positive (within_only {self.factors[label][1].text()} {name}) v"
        proof = self._adds_up(label, strand, name, 2)
        yield lemma(f"total{label}{self._of_part}", f"exists v, {statement}", proof)

    def _mean(self, strands: list[Strand], shown: tuple[str, ...]) -> tuple[str, list[str]]:
        """Return on which side there is a mean that is seen to be finite, and the lemmas that it is."""
        for label, strand in enumerate(strands):
            for *lines, _ in strand.means_by_value(shown, of=(0,)):
                on, name = self.factors[label][1].text(), f"density{label}{self._of_part}"
                proof = self._adds_up(label, strand, f"(fun x => x * {name} x)", 0)
                stated = f"exists v, over_positive (fun x => x * within_only {on} {name} x) v"
                return ("left", "right")[label], [
                    *lines,
                    lemma(f"mean_of_one{self._of_part}", stated, f"apply mean_within. {proof}"),
                ]
        raise ExportError("no mean is seen to be finite", "Coq needs that of one of both costs.")

    def _adds_up(self, label: int, strand: Strand, density: str, number: int) -> str:
        """Return the proof that one of what `CHARGES` names adds up over a cost."""
        charge, rise = strand.charge(number)
        own = f"{label}{self._of_part}"
        smooth = f"exact (proj2 (dense{own} y Y))"
        if number == 0:
            smooth = f"apply (continuous_mult (fun y => y) density{own}); [apply continuous_id | {smooth}]"
        return (
            f"apply (adds_up_within {strand.name} {self.factors[label][1].text()} {charge} {density} {rise});"
            f" [cbn; repeat split; first [reflexivity | see] | {self._ordered()[label]} | intros y Y; {smooth}"
            f" | intros y Y; unfold density{own}; cbn; ring | exact integrated_{rise}]."
        )


def _interval(on: Interval) -> str:
    return "exact I" if not on.costs else "cbn [interval]; repeat split; see"
