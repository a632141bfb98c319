"""From a context to its expected loss over the costs, with the proof that its laws are laws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import s
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import Arc, ExpectedLoss
from costderive.costs.laws import ImproperLaw, x
from costderive.derivation.moves.total_integrals import evaluation_claims
from costderive.proof.claims import Claim, Move, NonNegative, Positive, Same, Tends


@dataclass(frozen=True, slots=True)
class TakeExpectation(Move):
    """Write the expected loss of a context as integrals over its costs, each law with its total."""

    searched_by = "costderive.derivation.search.total_integrals:take_expectation"

    def claims(self, before: Context, after: ExpectedLoss, given: Given) -> Iterator[Claim]:
        yield Same(
            "the expected loss is that of the context", before.expected_loss(), replace(after, totals=())
        )
        yield from evaluation_claims(before, after.totals, given)
        for fact in before.given().positive:
            yield Positive("a fact about the parameters", fact)
        if before.improper_law is not None:
            yield from _infinite_claims(before.improper_law)
        for area in after.areas:
            yield NonNegative(
                "the density of the costs is not negative", area.density, None, area.constraints
            )
        for line in after.lines:
            on = Interval(s, line.low, line.high)
            yield NonNegative("the density of the cost proportion is not negative", line.density, on)
            yield NonNegative("the cost magnitude is not negative", line.magnitude, on)
        for arc in after.arcs:
            yield from _arc_claims(arc)
        for point in after.points:
            yield NonNegative("a probability is not negative", point.probability)
            for cost in filter(None, (point.c0, point.c1)):
                yield Positive("a known cost is positive", cost)


def _infinite_claims(law: ImproperLaw) -> Iterator[Claim]:
    """At an end of an improper law the density is at least some c/distance, so its mass is infinite there."""
    found = law.infinite()
    yield Same("an end is known at which the mass of the improper law is infinite", found is not None, True)
    if found is not None:
        what, end = "distance from the end times density of the improper law", found.end
        yield Tends(what, found.distance * found.density, x, end.point, end.side, found.limit)
        if found.limit is not sympy.oo:
            yield Positive("the limit is positive, so the mass is infinite", found.limit)


def _arc_claims(arc: Arc) -> Iterator[Claim]:
    on = Interval(arc.variable, arc.low, arc.high)
    yield NonNegative("the density of the curve's parameter is not negative", arc.density, on)
    yield NonNegative("the cost of class 0 is not negative", arc.c0, on)
    yield NonNegative("the cost of class 1 is not negative", arc.c1, on)
