"""From the expected costs to the losses of a threshold that is independent of the costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Derivative, Expr

from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.costs.laws import Law, x
from costderive.costs.thresholds import FixedThreshold, RandomThreshold
from costderive.deciders.signs import nonnegative
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.integrate_magnitude import holds, total_between
from costderive.derivation.moves.slices import covering
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(s, ZERO, ONE)


@dataclass(frozen=True, slots=True)
class SetThreshold(Move):
    """Decide at a threshold T that is independent of the costs, instead of at the cost proportion.

    ``L0(p) = E[c0] P(T < p)`` and ``L1(p) = E[c1] P(T >= p)``; the expected costs are the losses of the calibrated
    threshold at the far ends. Both losses are continuous from the left on (0, 1], and ``L1(0) = E[c1]``.
    """

    searched_by = "costderive.derivation.search.independent_thresholds:set_threshold"

    threshold: FixedThreshold | RandomThreshold
    seconds: float = 60.0

    def claims(self, before: Losses, after: LossPair, given: Given) -> Iterator[Claim]:
        law, pieces = self.threshold.law, after.loss0
        yield from _law_claims(law)
        for name, cost in (("c0", before.worst0), ("c1", before.worst1)):
            yield Regular(f"the expected cost {name} is finite", cost, UNIT)
        yield Same("the losses are functions of p", (pieces.variable, after.loss1.variable), (p, p))
        yield Same("both losses have the same pieces", ends(pieces), ends(after.loss1))
        yield from covering(ends(pieces))
        for first, second in zip(pieces, after.loss1, strict=False):
            yield from _slope_claims(law, first, second, before, given)
        places = (ZERO, *(piece.high for piece in pieces))
        yield Same("a value at each end of a piece", tuple(value.at for value in after.values), places)
        inside = {mass.value for mass in law.masses} <= set(places[1:])
        yield Same("a probability at one point sits at a breakpoint", inside, True)
        start = after.values[0]
        yield Same("the first value is at 0, where loss 0 is 0", (start.at, start.loss0), (ZERO, ZERO))
        yield Equal("at 0 loss 1 is the expected cost", start.loss1, before.worst1)
        for loss, label in ((pieces, 0), (after.loss1, 1)):
            yield from _joint_claims(law, loss, label, after, before)
        yield Same("nothing more is assumed", after.assumed, ())


def _law_claims(law: Law) -> Iterator[Claim]:
    for spread in law.spreads:
        yield NonNegative("the density of the threshold is not negative", spread.density, spread.interval)
        yield NonNegative("the threshold is not below 0", spread.low)
        yield NonNegative("the threshold is not above 1", 1 - spread.high)
    for mass in law.masses:
        yield Positive("a probability of the threshold is positive", mass.probability)
        yield Positive("the threshold is above 0", mass.value)
        yield NonNegative("the threshold is not above 1", 1 - mass.value)


def _slope_claims(law: Law, first: Piece, second: Piece, before: Losses, given: Given) -> Iterator[Claim]:
    """The losses grow and fall with the distribution of the threshold; other parts of it lie beside the piece."""
    on = Interval(p, first.low, first.high)
    parts = parts_of_law(law)
    density = total_between(parts, first.low, first.high, given).subs(s, p)
    yield Regular("loss 0 is smooth on the piece", first.value, on)
    yield Regular("loss 1 is smooth on the piece", second.value, on)
    yield Equal("slope of loss 0", Derivative(first.value, p), before.worst0 * density, on)
    yield Equal("slope of loss 1", Derivative(second.value, p), -before.worst1 * density, on)
    for part in parts:
        if not holds(part, first.low, first.high, given):
            left = nonnegative(part.low - first.high, None, given)
            apart = part.low - first.high if left else first.low - part.high
            yield NonNegative("the other parts of the law lie beside the piece", apart)


def _joint_claims(law: Law, loss: Pieces, label: int, after: LossPair, before: Losses) -> Iterator[Claim]:
    """A loss is continuous from the left, and jumps to the right of each point that has a probability."""
    worst = (before.worst0, -before.worst1)[label]
    for piece, low, high in zip(loss, after.values, after.values[1:], strict=False):
        start = low.loss(label) + worst * probability(law, low.at)
        yield Tends(f"loss {label} starts from its value and its jump", piece.value, p, low.at, "+", start)
        yield Tends(f"loss {label} reaches its value", piece.value, p, high.at, "-", high.loss(label))
    end = after.values[-1].loss(label)
    share = 1 - probability(law, ONE) if label == 0 else -probability(law, ONE)
    yield Equal(f"loss {label} ends where all probability is counted", end, worst * share)


def probability(law: Law, at: Expr) -> Expr:
    """Return the probability of one point."""
    return sympy.Add(*[mass.probability for mass in law.masses if mass.value == at])


def parts_of_law(law: Law) -> list[Piece]:
    """Return the densities of the threshold, in s."""
    return [Piece(y.low, y.high, y.density.subs(x, s)) for y in law.spreads]
