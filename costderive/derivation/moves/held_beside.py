"""Costs spread over areas, of which one is held, beside costs on lines, curves and points.

The threshold weight is the sum of that of the areas and that of all other costs. The expected costs of errors are sums
likewise: those in the areas are integrals over one of the costs, all others are found by parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.costs.expected_loss import ExpectedLoss, HeldCosts, WeightedLoss
from costderive.derivation.moves.held_costs import ActAsBayes, AddStrips, HoldOneCost
from costderive.derivation.moves.integrate_by_parts import IntegrateByParts, ends
from costderive.derivation.moves.integrate_magnitude import total_between
from costderive.derivation.moves.mean_over_part import AddPartStrips
from costderive.derivation.moves.name_integrals import NameIntegrals
from costderive.derivation.moves.total_integrals import worst_claim
from costderive.derivation.moves.weigh_by_slope import WeighBySlope
from costderive.proof.claims import Case, Claim, Equal, Move, Same
from costderive.rules.losses import Losses


@dataclass(frozen=True, slots=True)
class HeldBeside:
    """The expected cost of each error in areas, as an integral over one of the costs, beside the losses of the rest."""

    weight: Measure
    held: HeldCosts
    beside: Losses


@dataclass(frozen=True, slots=True)
class HoldInAreas(Move):
    """Split the threshold weight: in the areas hold one cost, and integrate all other costs by parts."""

    def apply(self, before: WeightedLoss, given: Given) -> HeldBeside:
        raise SpecError(
            "the costs of a weight are not known from it", "Take steps of a derivation that has them."
        )

    def claims(self, before: WeightedLoss, after: HeldBeside, given: Given) -> Iterator[Claim]:
        whole, areas, rest = before.weight, after.held.weight, after.beside.weight
        yield Same("the threshold weight is the one before", whole, after.weight)
        yield Same(
            "the weight of the areas is cut where the whole is", ends(areas.density), ends(whole.density)
        )
        yield Same(
            "the weight of the rest is cut where the whole is", ends(rest.density), ends(whole.density)
        )
        yield Same("the atoms are those of the rest", whole.atoms, rest.atoms)
        inner = [Piece(x.slice.low, x.slice.high, x.value) for x in before.inner]
        for piece, area, other in zip(whole.density, areas.density, rest.density, strict=False):
            on = Interval(s, piece.low, piece.high)
            own = total_between(inner, piece.low, piece.high, given)
            yield Equal("the weight of the areas is the sum of their integrals", area.value, own, on)
            yield Equal("the weight is the sum of both", piece.value, area.value + other.value, on)
        yield from HoldOneCost().claims(WeightedLoss(areas, before.inner), after.held, given)
        yield from IntegrateByParts().claims(WeightedLoss(rest, (), before.one_sided), after.beside, given)


@dataclass(frozen=True, slots=True)
class AddAllCosts(Move):
    """Add up the losses in the areas and those of all other costs."""

    def apply(self, before: HeldBeside, given: Given) -> Losses:
        areas, rest = AddStrips().apply(before.held, given), before.beside
        loss0, loss1 = _sum(areas.loss0, rest.loss0), _sum(areas.loss1, rest.loss1)
        worst = areas.worst0 + rest.worst0, areas.worst1 + rest.worst1
        return Losses(loss0, loss1, before.weight, *worst, rest.one_sided)

    def claims(self, before: HeldBeside, after: Losses, given: Given) -> Iterator[Claim]:
        yield Same("the weight is the one before", before.weight, after.weight)
        areas, total = AddStrips().apply(before.held, given), self.apply(before, given)
        yield Same("what is paid on one side alone stays", before.beside.one_sided, after.one_sided)
        yield from AddStrips().claims(before.held, areas, given)
        for number, (loss, both) in enumerate(((after.loss0, total.loss0), (after.loss1, total.loss1))):
            yield Same(f"loss {number} is a function of p", loss.variable, p)
            yield Same(f"loss {number} has the pieces of the weight", ends(loss), ends(both))
            for piece, summed in zip(loss, both, strict=False):
                on = Interval(p, summed.low, summed.high)
                yield Equal(f"loss {number} is the sum of both", piece.value, summed.value, on)
        for number, values in enumerate(((after.worst0, total.worst0), (after.worst1, total.worst1))):
            yield worst_claim(f"the expected cost of class {number}", *values)


def _sum(first: Pieces, second: Pieces) -> Pieces:
    pieces = zip(first, second, strict=True)
    return Pieces(p, tuple(Piece(a.low, a.high, a.value + b.value) for a, b in pieces))


SUMS = (AddStrips, AddAllCosts, AddPartStrips)


def held_claims(case: Case) -> Iterator[Claim]:
    """The areas of a case are all of those of its costs, and it concludes from sums over strips alone."""
    steps = [step for step in case.steps if not isinstance(step.move, NameIntegrals | WeighBySlope)]
    made = [type(step.move) for step in steps]
    for before, step in zip((None, *made), steps, strict=False):
        start = case.steps[0].after
        if isinstance(step.move, HoldOneCost):
            whole = isinstance(start, ExpectedLoss) and replace(start, totals=())
            yield Same("the areas are those of the costs", whole, ExpectedLoss(areas=step.after.areas))
        if isinstance(step.move, HoldInAreas):
            areas = isinstance(start, ExpectedLoss) and start.areas
            yield Same("the areas are those of the costs", areas, step.after.held.areas)
        if isinstance(step.move, AddStrips):
            yield Same("the strips are those of held costs", before, HoldOneCost)
        if isinstance(step.move, AddAllCosts):
            yield Same("the strips are those of held costs", before, HoldInAreas)
        if isinstance(step.move, ActAsBayes):
            yield Same("the losses are sums over strips", before in SUMS, True)
