"""The search for losses of costs over areas, of which one is held, beside costs on lines, curves and points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from costderive.core.piecewise import Given, Measure, Piece, Pieces, Sign
from costderive.core.symbols import s
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import ExpectedLoss, WeightedLoss
from costderive.derivation.moves import (
    AddAllCosts,
    ChangeOfVariables,
    HoldInAreas,
    IntegrateByParts,
    IntegrateMagnitude,
    SliceRegion,
)
from costderive.derivation.moves.held_beside import HeldBeside
from costderive.derivation.moves.integrate_magnitude import holds, total_between
from costderive.derivation.search.held_costs import held_areas, held_steps, tidied
from costderive.proof.claims import Move, Step
from costderive.rules.losses import Losses

BY_PARTS: tuple[Move, ...] = (ChangeOfVariables(), SliceRegion(), IntegrateMagnitude(), IntegrateByParts())


def steps_with_held_costs(
    context: Context, start: ExpectedLoss, before: WeightedLoss, given: Given
) -> tuple[Step, ...]:
    """Return steps from a threshold weight to losses that are no integrals of it, as far as costs are over areas."""
    others = replace(start, areas=(), totals=())
    if others == ExpectedLoss():
        return held_steps(context, start, before, given)
    areas = _weight_of_areas(before, given)
    held = held_areas(context, start.areas, areas, given) if start.areas else None
    if held is None:
        return ()
    rest = _between_breaks(_by_parts(others, given), before.weight, given)
    split = HeldBeside(before.weight, held, rest)
    found = tidied(AddAllCosts().apply(split, given), given)
    return Step(HoldInAreas(), before, split), Step(AddAllCosts(), split, found)


def _by_parts(others: ExpectedLoss, given: Given) -> Losses:
    found: Any = others
    for move in BY_PARTS:
        found = move.apply(found, given)
    return cast(Losses, found)


def _weight_of_areas(before: WeightedLoss, given: Given) -> Measure:
    inner = [Piece(one.slice.low, one.slice.high, one.value) for one in before.inner]
    whole = before.weight.density
    values = (replace(one, value=total_between(inner, one.low, one.high, given)) for one in whole)
    return Measure(Pieces(s, tuple(values)), (Sign.NONNEGATIVE,) * len(whole.pieces))


def _between_breaks(losses: Losses, whole: Measure, given: Given) -> Losses:
    """Return losses cut at the breakpoints of a weight in which theirs are included."""
    cut = [
        _cut(function, whole.density, given)
        for function in (losses.loss0, losses.loss1, losses.weight.density)
    ]
    loss0, loss1, density = cut
    weight = Measure(density, (Sign.NONNEGATIVE,) * len(density.pieces), losses.weight.atoms)
    return replace(losses, loss0=loss0, loss1=loss1, weight=weight)


def _cut(function: Pieces, at: Pieces, given: Given) -> Pieces:
    found = (next(one for one in function if holds(one, piece.low, piece.high, given)) for piece in at)
    values = (one.value for one in found)
    pieces = (replace(piece, value=value) for piece, value in zip(at, values, strict=True))
    return Pieces(function.variable, tuple(pieces))
