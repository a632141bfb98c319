"""The search for losses that are single integrals over the cost of an error: margins, and the strips that p cuts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sympy import Expr, Integral

from costderive.core.piecewise import Given, Interval, Piece
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    ExpectedLoss,
    HeldCell,
    HeldCosts,
    HeldStrip,
    Margin,
    WeightedLoss,
)
from costderive.deciders.signs import nonnegative
from costderive.derivation.moves.held_costs import CLASSES, AddStrips, HoldOneCost, odds
from costderive.derivation.search.margins import margins
from costderive.proof.claims import Step
from costderive.rules.losses import Losses


def held_steps(context: Context, steps: tuple[Step, ...], given: Given) -> tuple[Step, ...]:
    """Return other steps from the threshold weight to losses, if those are nested integrals and others are found."""
    start, before, losses = steps[0].after, steps[-1].before, steps[-1].after
    if not (isinstance(losses, Losses) and _nested(losses) and isinstance(before, WeightedLoss)):
        return ()
    if start.lines or start.arcs or start.points or before.weight.atoms:
        return ()
    held = _held(context, start, before, given)
    if held is None:
        return ()
    return Step(HoldOneCost(), before, held), Step.make(AddStrips(), held, given)


def _nested(losses: Losses) -> bool:
    """Is there an integral of an integral?"""
    values = [piece.value for loss in (losses.loss0, losses.loss1) for piece in loss]
    return any(node.function.has(Integral) for value in values for node in value.atoms(Integral))


def _held(context: Context, start: ExpectedLoss, before: WeightedLoss, given: Given) -> HeldCosts | None:
    margins0, margins1 = (margins(context, start.areas, number, given, mean=True) for number in (0, 1))
    if margins0 is None or margins1 is None:
        return None
    cells = tuple(_cell(piece, margins0, margins1, given) for piece in before.weight.density)
    return HeldCosts(before.weight, start.areas, margins0, margins1, cells)


def _cell(piece: Piece, margins0: tuple[Margin, ...], margins1: tuple[Margin, ...], given: Given) -> HeldCell:
    on = odds(piece)
    strips = [
        tuple(tuple(_strips(one, ratio, on, given)) for one in found)
        for found, (_, _, ratio) in zip((margins0, margins1), CLASSES, strict=True)
    ]
    return HeldCell(piece.low, piece.high, *strips)


def _strips(one: Margin, ratio: Expr, on: Interval, given: Given) -> Iterator[HeldStrip]:
    """Yield the strips in which the ray is below the other costs, among them, and above."""
    held, other = one.held, one.other
    entering, leaving = (_between(end / ratio, held, on, given) for end in (other.low, other.high))
    ends = (held.low, entering, leaving, held.high)
    for (low, high), cut in zip(pairwise(ends), (other.low, ratio * held.variable, other.high), strict=True):
        if low != high:
            yield HeldStrip(Interval(held.variable, low, high), cut, Antiderivative())


def _between(at: Expr, held: Interval, on: Interval, given: Given) -> Expr:
    """Return a value if it is in a range for all odds of a cell, else the end beyond which it is."""
    if nonnegative(held.low - at, on, given):
        return held.low
    inside = held.high.is_infinite or nonnegative(held.high - at, on, given)
    return at if inside else held.high
