"""From losses at each value of a part to the losses of all costs: their mean over the law of the part.

Given the value of a part, the expected cost of an error is the loss at that value; so over all costs it is the integral
of it times the density of the part. Nothing in it is negative, so by Tonelli's theorem the threshold weight is such an
integral, too. What is written between breakpoints that depend on the part changes its form where the report passes
them: the values of the part fall into strips.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise

import sympy
from sympy import Expr, Integral, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import p, s, u
from costderive.costs.contexts import Context, HeldPart
from costderive.costs.expected_loss import NOTHING, Antiderivative
from costderive.costs.laws import Spread, x
from costderive.deciders.signs import positive
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.slices import covering
from costderive.derivation.moves.strips import integral_claims
from costderive.derivation.moves.total_integrals import (
    has_finite_integral,
    increase,
    mean_claims,
    worst_claim,
)
from costderive.proof.claims import Case, Claim, Equal, Move, NonNegative, Open, Positive, Same
from costderive.rules.losses import Losses

REPORT = u / (1 + u)
INFINITE = (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, Integral)  # an integral may be


@dataclass(frozen=True, slots=True)
class PartStrip:
    """Values of the part, between functions of the odds, at which the report is in one and the same piece.

    They are values of one of the part's densities, by its number. The losses of the piece are written in the odds;
    there may be antiderivatives of each, times the density.
    """

    over: Interval
    density: int
    piece: int
    losses: tuple[Expr, Expr]
    found: tuple[Antiderivative, Antiderivative]


@dataclass(frozen=True, slots=True)
class PartCell:
    """A range of reports, with the strips of the part that they cut."""

    low: Expr
    high: Expr
    strips: tuple[PartStrip, ...]


@dataclass(frozen=True, slots=True)
class MeanOverPart:
    """The losses at the value x of a part, its densities, and what the mean over them is made of.

    For each density there may be antiderivatives of it times the expected cost at a value, of class 0 and class 1.
    """

    weight: Measure
    losses: Losses
    part: tuple[Spread, ...]
    cells: tuple[PartCell, ...]
    mean0: tuple[Antiderivative, ...]
    mean1: tuple[Antiderivative, ...]


@dataclass(frozen=True, slots=True)
class TakeMeanOverPart(Move):
    """Integrate the losses at the values of a part over its law."""

    held: Symbol
    part: tuple[Spread, ...]

    def apply(self, before: Losses, given: Given) -> MeanOverPart:
        raise SpecError(
            "the strips of a part have to be searched for", "Take steps of a derivation that has them."
        )

    def claims(self, before: Losses, after: MeanOverPart, given: Given) -> Iterator[Claim]:
        yield Same("the losses are those at a value", at_value(before, self.held), after.losses)
        yield Same("the densities are those of the part", self.part, after.part)
        yield from _law_claims(after.part, self.held)
        yield Same("x stands for nothing else", any(expr.has(x) for expr in _all(before)), False)
        yield Same("the weight at a value has no atoms", before.weight.atoms, ())
        yield Same("at a value both errors cost something", before.one_sided, NOTHING)
        yield Same("the weight has no atoms", after.weight.atoms, ())
        cut = ends(before.weight.density)
        yield Same(
            "the losses are cut where the weight is", (ends(before.loss0), ends(before.loss1)), (cut, cut)
        )
        cells = tuple((cell.low, cell.high) for cell in after.cells)
        yield Same("the reports are cut where the weight is", ends(after.weight.density), cells)
        yield from covering(cells)
        ends_of_cells = [end for cell in after.cells for end in _ends(cell)]
        yield Same("no end depends on the part", any(end.has(x) for end in ends_of_cells), False)
        yield Same("each piece has a sign", len(cells), len(after.weight.signs))
        for cell, piece, sign in zip(after.cells, after.weight.density, after.weight.signs, strict=False):
            yield from _strip_claims(cell, after)
            yield Same("the weight is the integral over the part", piece.value, weight_of(cell, after))
            yield from _sign_claims(cell, sign, piece, after)
        for number in (0, 1):
            yield from _mean_claims(after, number, given)


@dataclass(frozen=True, slots=True)
class AddPartStrips(Move):
    """Add up what the strips of a part give: the two losses on each range of reports, and their limits."""

    def apply(self, before: MeanOverPart, given: Given) -> Losses:
        loss0, loss1 = (
            Pieces(p, tuple(Piece(cell.low, cell.high, _sum(cell, before, number)) for cell in before.cells))
            for number in (0, 1)
        )
        return Losses(loss0, loss1, before.weight, *(mean_of(before, number) for number in (0, 1)))

    def claims(self, before: MeanOverPart, after: Losses, given: Given) -> Iterator[Claim]:
        total = self.apply(before, given)
        yield Same("the weight is the one before", before.weight, after.weight)
        yield Same("nothing is paid on one side alone", after.one_sided, NOTHING)
        for number, found, summed in ((0, after.loss0, total.loss0), (1, after.loss1, total.loss1)):
            yield Same(f"loss {number} is a function of p", found.variable, p)
            yield Same(f"loss {number} has the pieces of the strips", ends(found), ends(summed))
            for piece, whole in zip(found, summed, strict=False):
                on = Interval(p, whole.low, whole.high)
                yield Equal(f"loss {number} is the sum over the strips", piece.value, whole.value, on)
        yield worst_claim("the expected cost of class 0", after.worst0, total.worst0)
        yield worst_claim("the expected cost of class 1", after.worst1, total.worst1)
        if not any(has_finite_mean(before, number, given) for number in (0, 1)):
            yield Open("one of the expected costs is finite, so that both losses are")


def part_claims(context: object, case: Case) -> Iterator[Claim]:
    """The mean is over the part that its context holds, and no case depends on the value of that."""
    if _has_held_inside(context):
        yield Open("costs at each value of a part, within others, have a law")
    made = tuple(step.move for step in case.steps if isinstance(step.move, TakeMeanOverPart))
    starts = (case.start(context),) if isinstance(context, HeldPart) else ()
    wanted = tuple(TakeMeanOverPart(start.held, start.spreads) for start in starts)
    if made or wanted:
        yield Same("the mean is over the part that is held", made, wanted)
    if isinstance(context, HeldPart):
        facts = case.conditions(context.given())
        about = [fact for fact in (*facts.positive, *facts.nonnegative) if fact.has(context.held)]
        yield Same("no case depends on the value of the part", about, [])
        yield from _fact_claims(context)
    for before, move in pairwise(type(step.move) for step in case.steps):
        if move is AddPartStrips:
            yield Same("the strips are those of a part", before, TakeMeanOverPart)


def _fact_claims(context: HeldPart) -> Iterator[Claim]:
    """What the costs at a value ask of it holds at each value that the part may have, here called x."""
    known = context.context.given()
    kinds = ((Positive, known.positive), (NonNegative, known.nonnegative))
    asked = [(kind, fact) for kind, facts in kinds for fact in facts if fact.has(context.held)]
    for spread in context.spreads:
        for kind, fact in asked:
            at_x = fact.xreplace({context.held: x})
            yield kind("what is asked of the part holds at all its values", at_x, spread.interval)


def _has_held_inside(value: object, depth: int = 0) -> bool:
    """Are there costs at each value of a part within others, which have no law then?"""
    if isinstance(value, tuple):
        return any(_has_held_inside(item, depth) for item in value)
    if not isinstance(value, Context):
        return False
    inside = [getattr(value, part.name) for part in fields(value)]  # type: ignore[arg-type]
    return (depth > 0 and isinstance(value, HeldPart)) or any(_has_held_inside(x, depth + 1) for x in inside)


def at_value(losses: Losses, held: Symbol) -> Losses:
    """Return losses with x for the value of a part."""

    def put(expr: Expr) -> Expr:
        return expr.xreplace({held: x})

    loss0, loss1, density = (
        Pieces(f.variable, tuple(Piece(put(y.low), put(y.high), put(y.value)) for y in f))
        for f in (losses.loss0, losses.loss1, losses.weight.density)
    )
    weight = Measure(density, losses.weight.signs, losses.weight.atoms)
    return Losses(loss0, loss1, weight, put(losses.worst0), put(losses.worst1))


def _law_claims(part: tuple[Spread, ...], held: Symbol) -> Iterator[Claim]:
    """The densities are of values that are not negative, on intervals that follow one another."""
    yield Same("the part has a density", len(part) > 0, True)
    for spread in part:
        yield NonNegative("the part is not negative", spread.low)
        written = sympy.Tuple(spread.low, spread.high, spread.density)
        yield Same("the part is no letter of its own law", written.has(held), False)
    for before, after in pairwise(part):
        yield NonNegative("the densities of the part follow one another", after.low - before.high)


def _all(losses: Losses) -> Iterator[Expr]:
    """Yield all that losses and their weight are written with."""
    for function in (losses.loss0, losses.loss1, losses.weight.density):
        yield from (expr for piece in function for expr in (piece.low, piece.high, piece.value))
    yield from (losses.worst0, losses.worst1)


def _ends(cell: PartCell) -> Iterator[Expr]:
    """Yield the ends of a cell and of its strips."""
    yield from (cell.low, cell.high)
    yield from (end for strip in cell.strips for end in (strip.over.low, strip.over.high))


def odds(cell: PartCell | Piece) -> Interval:
    """Return the range of the odds of a cell."""
    return Interval(u, cell.low / (1 - cell.low), sympy.oo if cell.high == 1 else cell.high / (1 - cell.high))


def facts_of(strip: PartStrip, on: Interval) -> tuple[Expr, ...]:
    """Return what is positive inside a strip, without denominators whose sign is the same for all odds of a cell."""
    return tuple(_cleared(fact, on) for fact in strip.over.facts)


def _cleared(fact: Expr, on: Interval) -> Expr:
    top, bottom = sympy.fraction(sympy.together(fact))
    if positive(bottom, on):
        return sympy.expand(top)
    return sympy.expand(-top) if positive(-bottom, on) else fact


def integrands(strip: PartStrip, mean: MeanOverPart) -> tuple[Expr, Expr]:
    """Return the density times each loss at the value x, as functions of the odds."""
    first, second = (mean.part[strip.density].density * loss for loss in strip.losses)
    return first, second


def weight_of(cell: PartCell, mean: MeanOverPart) -> Expr:
    """Return the threshold weight on a cell."""
    pieces = mean.losses.weight.density.pieces
    strips = [
        (strip.over, mean.part[strip.density].density * pieces[strip.piece].value) for strip in cell.strips
    ]
    to_s = {u: s / (1 - s)}
    return sympy.Add(*[Integral(f, (x, on.low.subs(to_s), on.high.subs(to_s))) for on, f in strips if f != 0])


def mean_of(mean: MeanOverPart, number: int) -> Expr:
    """Return an expected cost: the mean over the part of that at its values."""
    return sympy.Add(*[increase(found, f, on) for found, f, on in means(mean, number)])


def has_finite_mean(mean: MeanOverPart, number: int, given: Given) -> bool:
    """Has an expected cost antiderivatives, or else integrals that converge?"""
    return all(has_finite_integral(f, on, found, given) for found, f, on in means(mean, number))


def means(mean: MeanOverPart, number: int) -> Iterator[tuple[Antiderivative, Expr, Interval]]:
    """Yield what an expected cost is made of, for each density: an antiderivative, what it is of, and where."""
    worst, found = ((mean.losses.worst0, mean.mean0), (mean.losses.worst1, mean.mean1))[number]
    for one, spread in zip(found, mean.part, strict=True):
        yield one, spread.density * worst, spread.interval


def _sum(cell: PartCell, mean: MeanOverPart, number: int) -> Expr:
    rests = [(strip, integrands(strip, mean)[number]) for strip in cell.strips]
    parts = [increase(strip.found[number], rest, strip.over) for strip, rest in rests if rest != 0]
    return sympy.Add(*parts).subs(u, p / (1 - p))


def _strip_claims(cell: PartCell, mean: MeanOverPart) -> Iterator[Claim]:
    """The strips of each density follow one another over its values; in each the report is in the piece it names."""
    on, known = odds(cell), all(0 <= strip.density < len(mean.part) for strip in cell.strips)
    yield Same("each strip is of a density of the part", known, True)
    for number, spread in enumerate(mean.part):
        yield from _cover_claims([strip.over for strip in cell.strips if strip.density == number], spread)
    for strip in cell.strips if known else ():
        yield Same("a strip is of the values of the part", strip.over.variable, x)
        if strip.over.high is not sympy.oo:
            yield NonNegative("the ends of a strip ascend", strip.over.high - strip.over.low, on)
        yield from _piece_claims(strip, on, mean)
        for found, f in zip(strip.found, integrands(strip, mean), strict=True):
            if found.function is not None:
                yield from integral_claims("the loss at a value", found, f, strip.over, on)


def _cover_claims(over: list[Interval], spread: Spread) -> Iterator[Claim]:
    yield Same("the first strip starts at the least value", over[0].low if over else None, spread.low)
    yield Same("the last strip ends at the greatest value", over[-1].high if over else None, spread.high)
    for before, after in pairwise(over):
        yield Same("a strip starts where the one before ends", before.high, after.low)


def _piece_claims(strip: PartStrip, on: Interval, mean: MeanOverPart) -> Iterator[Claim]:
    known = 0 <= strip.piece < len(mean.losses.weight.density.pieces)
    yield Same("a strip names a piece of the losses", known, True)
    if not known:
        return
    piece, facts = mean.losses.weight.density.pieces[strip.piece], facts_of(strip, on)
    low, high = REPORT - piece.low, piece.high - REPORT
    yield NonNegative("the report is at or above the low end of its piece", low, on, facts)
    yield NonNegative("the report is at or below the high end of its piece", high, on, facts)
    yield Same("a strip has the losses of both classes", len(strip.losses), 2)
    for loss, written in zip((mean.losses.loss0, mean.losses.loss1), strip.losses, strict=False):
        value = loss.pieces[strip.piece].value.subs(p, REPORT)
        yield Equal("the loss at a value in the odds", written, value, on, facts)


def _sign_claims(cell: PartCell, sign: Sign, piece: Piece, mean: MeanOverPart) -> Iterator[Claim]:
    """Where the weight is said to be positive, it is so at the values of some strip, which has a length."""
    if sign is Sign.ZERO:
        yield Same("the weight is zero", piece.value, sympy.S.Zero)
    if sign is Sign.POSITIVE:
        strip = positive_strip(cell, mean)
        yield Same("the weight is positive at the values of a strip", strip is None, False)
        if strip is not None:
            spread = mean.part[strip.density]
            yield Positive("the density of the part is positive", spread.density, spread.interval)
            if strip.over.high is not sympy.oo:
                yield Positive("the strip has a length", strip.over.high - strip.over.low, odds(cell))


def positive_strip(cell: PartCell, mean: MeanOverPart) -> PartStrip | None:
    """Return a strip at whose values the threshold weight is positive."""
    signs = mean.losses.weight.signs
    return next((strip for strip in cell.strips if signs[strip.piece] is Sign.POSITIVE), None)


def _mean_claims(mean: MeanOverPart, number: int, given: Given) -> Iterator[Claim]:
    worst, found = ((mean.losses.worst0, mean.mean0), (mean.losses.worst1, mean.mean1))[number]
    yield Same("an expected cost at a value is finite", worst.has(*INFINITE), False)
    yield Same("each density has a part of the mean", len(found), len(mean.part))
    for one, integrand, on in means(mean, number) if len(found) == len(mean.part) else ():
        yield from mean_claims(integrand, on, one, given)
