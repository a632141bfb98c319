"""The expected cost of each error as one integral, over one of the costs: the other cost is integrated out first.

At a report p the decision is for class 1 where ``c0 < u c1`` with ``u = p/(1 - p)``. So at a fixed c0 an instance of
class 0 is misclassified where ``c1 > c0/u``, and ``L0(p)`` is the integral over c0 of c0 times the probability of that;
with the classes exchanged ``L1(p)`` is the integral over c1 of c1 times the probability of ``c0 >= u c1``. Or the other
cost is held, and that of the error integrated out: ``L0(p)`` is the integral over c1 of the integral of c0 times the
density over ``c0 < u c1``. No integrand is negative, so by Tonelli's theorem the order does not matter. This is for
densities whose threshold weight has no closed form: the losses need no integral of the weight, and properness none of
their slopes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import c0, c1, p, q, u
from costderive.costs.expected_loss import (
    NOTHING,
    Area,
    HeldCell,
    HeldCosts,
    HeldStrip,
    Margin,
    WeightedLoss,
)
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.risk_slope import positive_ranges
from costderive.derivation.moves.slices import covering
from costderive.derivation.moves.strips import integral_claims, strip_claims
from costderive.derivation.moves.total_integrals import (
    has_finite_integral,
    increase,
    margin_claims,
    mean_claims,
    worst_claim,
)
from costderive.proof.claims import Claim, Equal, Move, Regular, Same
from costderive.rules.conclusions import Properness
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
COSTS = (c0, c1)  # of an error, by class


@dataclass(frozen=True, slots=True)
class HoldOneCost(Move):
    """Integrate one cost out at each value of the other, as far as the report decides."""

    def apply(self, before: WeightedLoss, given: Given) -> HeldCosts:
        raise SpecError(
            "the costs of a weight are not known from it", "Take steps of a derivation that has them."
        )

    def claims(self, before: WeightedLoss, after: HeldCosts, given: Given) -> Iterator[Claim]:
        yield Same("the threshold weight is the one before", before.weight, after.weight)
        yield Same("the weight has no atoms", after.weight.atoms, ())
        yield Same("both errors cost something", before.one_sided, NOTHING)
        yield Same("the reports are cut where the weight is", _cells(after), ends(after.weight.density))
        yield from covering(_cells(after))
        for number, own in enumerate(COSTS):
            margins = margins_of(after, number)
            yield Same("each area is integrated over", len(margins), len(after.areas))
            for area, one in zip(after.areas, margins, strict=False):
                yield from _mean_claims(area, one, own, given)
            for cell in after.cells:
                strips = strips_of(cell, number)
                yield Same("each area is cut", len(strips), len(margins))
                for one, parts in zip(margins, strips, strict=False):
                    yield from strip_claims(parts, one.held, one.other, ratio_to(one.held), odds(cell))
                    yield from _strip_integrals(one, own, parts, odds(cell))


@dataclass(frozen=True, slots=True)
class AddStrips(Move):
    """Add up what the strips give: the two losses on each range of reports, and the expected costs of sure errors."""

    def apply(self, before: HeldCosts, given: Given) -> Losses:
        loss0, loss1 = (_pieces(before, number) for number in (0, 1))
        return Losses(loss0, loss1, before.weight, sum_of_means(before, 0), sum_of_means(before, 1))

    def claims(self, before: HeldCosts, after: Losses, given: Given) -> Iterator[Claim]:
        yield Same("the weight is the one before", before.weight, after.weight)
        yield Same("nothing is paid on one side alone", after.one_sided, NOTHING)
        bounded = any(has_finite_means(before, number, given) for number in (0, 1))
        for number, (loss, worst) in enumerate(((after.loss0, after.worst0), (after.loss1, after.worst1))):
            yield Same(f"loss {number} is a function of p", loss.variable, p)
            yield Same(f"loss {number} has the pieces of the strips", ends(loss), _cells(before))
            for piece, cell in zip(loss, before.cells, strict=False):
                on = Interval(p, cell.low, cell.high)
                what, total = f"loss {number} is the sum over the strips", sum_of_strips(before, cell, number)
                yield Equal(what, piece.value, total, on)
                if not bounded:
                    at_a_report = total.subs(p, q), on, (q - cell.low, cell.high - q)
                    yield Regular(f"loss {number} is finite, though both means may not be", *at_a_report)
            yield worst_claim(f"the expected cost of class {number}", worst, sum_of_means(before, number))


@dataclass(frozen=True, slots=True)
class ActAsBayes(Move):
    """Conclude that the rule is proper: for each pair of costs, who reports the belief takes the act that costs less.

    At costs c0 and c1 and a belief q the two acts have the risks ``(1 - q) c0`` and ``q c1``, of which the threshold
    ``c0/(c0 + c1)`` picks the smaller for the report q. So does the mean over the costs, as the losses are finite. The
    risk of another report p is larger by the integral of ``|q - s| w(s)`` between both.
    """

    def apply(self, before: Losses, given: Given) -> Properness:
        return Properness(before, positive_ranges(before.weight))

    def claims(self, before: Losses, after: Properness, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        yield Same("strict where the weight is positive", positive_ranges(before.weight), after.strict)


def margins_of(held: HeldCosts, number: int) -> tuple[Margin, ...]:
    """Return the margins of a class."""
    return held.margins1 if number else held.margins0


def strips_of(cell: HeldCell, number: int) -> tuple[tuple[HeldStrip, ...], ...]:
    """Return the strips of a class, area by area."""
    return cell.strips1 if number else cell.strips0


def odds(cell: HeldCell | Piece) -> Interval:
    """Return the range of the odds of a cell, or of a piece of the weight."""
    return Interval(u, cell.low / (1 - cell.low), sympy.oo if cell.high == 1 else cell.high / (1 - cell.high))


def _cells(held: HeldCosts) -> tuple[tuple[Expr, Expr], ...]:
    return tuple((cell.low, cell.high) for cell in held.cells)


def _mean_claims(area: Area, one: Margin, own: Symbol, given: Given) -> Iterator[Claim]:
    """The cost of an error is integrated over an area, and has the mean that it has."""
    yield from margin_claims(replace(area, density=factors(one, own)[1] * area.density), one)
    yield from mean_claims(mean_density(one, own), one.held, one.over, given)


def _strip_integrals(one: Margin, own: Symbol, strips: Sequence[HeldStrip], on: Interval) -> Iterator[Claim]:
    """What is left of each strip has the antiderivative that is given, if one is."""
    for strip in strips:
        if strip.found.function is not None:
            rest = left_over(one, own, strip.cut)
            yield from integral_claims("what is left", strip.found, rest, strip.over, on)


def ratio_to(held: Interval) -> Expr:
    """Return the ratio of the other cost to the one that is held where the report decides."""
    return 1 / u if held.variable == c0 else u


def factors(one: Margin, own: Symbol) -> tuple[Expr, Expr]:
    """Return the cost of an error where it is held, and where it is integrated over: one of them is 1."""
    return (own, ONE) if one.held.variable == own else (ONE, own)


def mean_density(one: Margin, own: Symbol) -> Expr:
    """Return the function of the held cost whose integral is the mean of the cost of an error."""
    return factors(one, own)[0] * one.density


def left_over(one: Margin, own: Symbol, cut: Expr) -> Expr:
    """Return the integral over the other costs at which there is an error: from a cut on, or below it if they err."""
    ends = {one.other.low: one.within.at_low, one.other.high: one.within.at_high}
    function = ZERO if one.within.function is None else one.within.function
    at_cut = ends[cut] if cut in ends else function.subs(one.other.variable, cut)
    return own * (one.within.at_high - at_cut) if one.held.variable == own else at_cut - one.within.at_low


def sum_of_strips(held: HeldCosts, cell: HeldCell, number: int) -> Expr:
    """Add up the strips of a class in a cell, as a function of p."""
    pairs = zip(margins_of(held, number), strips_of(cell, number), strict=False)
    rests = [(x, left_over(one, COSTS[number], x.cut)) for one, strips in pairs for x in strips]
    parts = [increase(x.found, rest, x.over) for x, rest in rests if rest != 0]
    return sympy.Add(*parts).subs(u, p / (1 - p))


def has_finite_means(held: HeldCosts, number: int, given: Given) -> bool:
    """Is the expected cost of a class finite? Then both losses are, as ``c0 < u c1`` or ``u c1 <= c0`` in them."""
    return all(
        has_finite_integral(mean_density(one, COSTS[number]), one.held, one.over, given)
        for one in margins_of(held, number)
    )


def _pieces(held: HeldCosts, number: int) -> Pieces:
    return Pieces(p, tuple(Piece(x.low, x.high, sum_of_strips(held, x, number)) for x in held.cells))


def sum_of_means(held: HeldCosts, number: int) -> Expr:
    """Add up the expected costs of a class over the areas."""
    found = margins_of(held, number)
    return sympy.Add(*[increase(one.over, mean_density(one, COSTS[number]), one.held) for one in found])
