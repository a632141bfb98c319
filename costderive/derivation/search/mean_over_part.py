"""The search for the mean of losses over a part: where the report passes their breakpoints, and antiderivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import sympy
from sympy import Expr, Integral

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import p, s, u
from costderive.costs.contexts.held_part import HeldPart
from costderive.costs.expected_loss import Antiderivative
from costderive.costs.laws import Spread, x
from costderive.deciders.limits import Approach, is_infinite, value_at
from costderive.deciders.order import ascending
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.mean_over_part import (
    REPORT,
    AddPartStrips,
    MeanOverPart,
    PartCell,
    PartStrip,
    TakeMeanOverPart,
    at_value,
    facts_of,
    integrands,
    means,
    odds,
    positive_strip,
    weight_of,
)
from costderive.derivation.moves.weigh_by_slope import WeighBySlope
from costderive.derivation.search.antiderived import line_candidates, searched
from costderive.derivation.search.held_costs import integrals_of, tidied
from costderive.proof.claims import Step
from costderive.rules import odds_form
from costderive.rules.losses import Losses

ZERO, ONE, oo = sympy.S.Zero, sympy.S.One, sympy.oo
STRIP_SECONDS = 2.0
LONG = 3  # a closed weight beside an integral
_gap = sympy.Symbol("_gap", positive=True)
NUMBERS = (
    'Give letters numbers, say more of them, as in assuming="k > 7", or give the joint law of the costs.'
)


def steps_over_part(context: HeldPart, before: Losses, given: Given) -> tuple[Step, ...]:
    """Return steps from the losses at each value of a part to their mean.

    Raises:
        SpecError: if these are no closed forms, or where the report passes their breakpoints is not found.
    """
    if fault := _fault_at_a_value(context, before):
        name = context.held.name.removeprefix("_")
        raise SpecError(f"the losses at each value of {name} have no {fault}", NUMBERS)
    move = TakeMeanOverPart(context.held, context.spreads)
    mean = _mean(at_value(before, context.held), context.spreads, given.without(context.held))
    found = tidied(AddPartStrips().apply(mean, given), given)
    return Step(move, before, mean), Step(AddPartStrips(), mean, found)


def _fault_at_a_value(context: HeldPart, before: Losses) -> str:
    """Name what losses lack whose means are to be taken, if they lack something."""
    worst = before.worst0, before.worst1
    if any(map(is_infinite, worst)):
        return "finite means"
    if integrals_of(before) or sympy.Tuple(*worst).has(Integral):
        return "closed form for all letters" if context.parameters else "closed form"
    return "weight without atoms" if before.weight.atoms else ""


def with_closed_weight(losses: Losses, given: Given) -> tuple[Step, ...]:
    """Return a step to the weight in closed form, if it is an integral and the losses have one that is not long."""
    weight = losses.weight
    if integrals_of(losses) or not any(piece.value.has(Integral) for piece in weight.density):
        return ()
    written = {
        label: _by_slope(loss, label, given) for label, loss in enumerate((losses.loss0, losses.loss1))
    }
    label = min(written, key=lambda label: _length(written[label]))
    if _length(written[label]) > LONG * _length(weight.density):
        return ()
    found = replace(losses, weight=replace(weight, density=written[label]))
    return (Step(WeighBySlope(label), losses, found),)


def _by_slope(loss: Pieces, label: int, given: Given) -> Pieces:
    """Return the weight by the slope of a loss, in the odds: ``s ds`` is ``u du/(1 + u)^3``."""
    share = -1 if label else u

    def weight(value: Expr) -> Expr:
        slope = sympy.powdenest(odds_form.to_odds(value, p, given).diff(u)) * (1 + u) ** 3 / share
        return odds_form.to_probability(odds_form.tidy(slope, u, given), s, given)

    return Pieces(s, loss.map(weight).pieces)


def _length(density: Pieces) -> int:
    return sum(int(sympy.count_ops(piece.value)) for piece in density)


def _mean(losses: Losses, part: tuple[Spread, ...], given: Given) -> MeanOverPart:
    breaks = [piece.high for piece in losses.weight.density.pieces[:-1]]
    ends = dict.fromkeys(end for spread in part for end in ((spread.low, "+"), (spread.high, "-")))
    limits = [_limit(at, *end, given) for at in breaks for end in ends]
    inner = ascending([end for end in dict.fromkeys(limits) if end not in (0, 1)], given)
    cells = pairwise((ZERO, *inner, ONE))
    bare = [
        PartCell(low, high, tuple(_strips(Piece(low, high, ZERO), breaks, losses, part, given)))
        for low, high in cells
    ]
    none = (Antiderivative(),) * len(part)
    draft = MeanOverPart(losses.weight, losses, part, tuple(bare), none, none)
    filled = tuple(_filled(cell, draft, given) for cell in bare)
    mean0, mean1 = (
        tuple(_searched(f, on, given, infinite=True) for _, f, on in means(draft, number))
        for number in (0, 1)
    )
    return MeanOverPart(_weight(filled, draft, given), losses, part, filled, mean0, mean1)


def _limit(at: Expr, point: Expr, side: str, given: Given) -> Expr:
    found = value_at(at, Approach(x, point, side), given)
    if found is None:
        raise SpecError(f"the limit of the breakpoint {at} is open", NUMBERS)
    return found


def _strips(
    cell: Piece, breaks: list[Expr], losses: Losses, part: tuple[Spread, ...], given: Given
) -> Iterator[PartStrip]:
    """Yield the strips between the values of each density at which breakpoints are at the report."""
    on = odds(cell)
    for number, spread in enumerate(part):
        crossings = [_crossing(at, on, spread, given) for at in breaks]
        inside = _ascending([at for at in dict.fromkeys(crossings) if at is not None], on, given)
        for low, high in pairwise((spread.low, *inside, spread.high)):
            yield replace(_strip(Interval(x, low, high), on, losses, given), density=number)


def _crossing(at: Expr, on: Interval, part: Spread, given: Given) -> Expr | None:
    """Return the value at which a breakpoint has the odds u, if the density has it for all of these."""
    top = sympy.numer(sympy.together(at * (1 + u) - u))
    if not top.has(x):
        return None
    found = _root(top)
    if found is None:
        raise SpecError(f"where the breakpoint {at} is passed is not found", NUMBERS)
    low = nonnegative(found - part.low, on, given)
    high = part.high is oo or nonnegative(part.high - found, on, given)
    return found if low and high else None


def _root(top: Expr) -> Expr | None:
    """Solve what is linear in one power of x."""
    powers = [node for node in top.atoms(sympy.Pow) if node.base == x]
    power = powers[0] if len(powers) == 1 else x
    in_power = top.xreplace({power: _gap})
    if in_power.has(x) or not in_power.is_polynomial(_gap) or sympy.degree(in_power, _gap) != 1:
        return None
    root = sympy.factor(-in_power.subs(_gap, 0) / sympy.diff(in_power, _gap))
    exponent = power.as_base_exp()[1]
    return root if exponent == 1 else root ** (1 / exponent)


def _ascending(values: list[Expr], on: Interval, given: Given) -> list[Expr]:
    """Put functions of the odds in their order, which is the same for all odds of a cell."""
    found = list[Expr]()
    for value in values:
        below = [bool(nonnegative(value - other, on, given)) for other in found]
        found.insert(sum(below), value)
    return found


def _strip(over: Interval, on: Interval, losses: Losses, given: Given) -> PartStrip:
    bare = PartStrip(over, 0, 0, (ZERO, ZERO), (Antiderivative(), Antiderivative()))
    inside = given.also(positive=facts_of(bare, on))
    for number, piece in enumerate(losses.weight.density):
        if all(nonnegative(gap, on, inside) for gap in (REPORT - piece.low, piece.high - REPORT)):
            first, second = (
                _written(loss.pieces[number].value, over, inside) for loss in (losses.loss0, losses.loss1)
            )
            return replace(bare, piece=number, losses=(first, second))
    raise SpecError("the piece of a report is not decided at each value of a part", NUMBERS)


def _written(loss: Expr, over: Interval, given: Given) -> Expr:
    """Write a loss in the odds; where the part ends at a function of them by what it lacks of that, which is short."""
    value, end = odds_form.to_odds(loss, p, given), sympy.numer(sympy.together(over.high - x - _gap))
    if not over.high.has(u) or not end.is_polynomial(u) or sympy.degree(end, u) != 1:
        return odds_form.tidy(value, u, given)
    by_gap = -end.subs(u, 0) / sympy.diff(end, u)
    found: Expr = odds_form.tidy(value.subs(u, sympy.factor(by_gap)), _gap, given).subs(_gap, over.high - x)
    return found


def _filled(cell: PartCell, mean: MeanOverPart, given: Given) -> PartCell:
    on = odds(cell)
    inside = given.also(positive=(u, *on.facts))
    strips = []
    for strip in cell.strips:
        first, second = (_searched(f, strip.over, inside) for f in integrands(strip, mean))
        strips.append(replace(strip, found=(first, second)))
    return replace(cell, strips=tuple(strips))


def _searched(integrand: Expr, on: Interval, given: Given, infinite: bool = False) -> Antiderivative:
    if integrand == 0:
        return Antiderivative()
    return searched(integrand, on, given, line_candidates, Deadline.after(STRIP_SECONDS), infinite=infinite)


def _weight(cells: tuple[PartCell, ...], mean: MeanOverPart, given: Given) -> Measure:
    pieces = tuple(Piece(cell.low, cell.high, weight_of(cell, mean)) for cell in cells)
    signs = tuple(_sign(cell, piece.value, mean, given) for cell, piece in zip(cells, pieces, strict=True))
    return Measure(Pieces(s, pieces), signs)


def _sign(cell: PartCell, value: Expr, mean: MeanOverPart, given: Given) -> Sign:
    if value == 0:
        return Sign.ZERO
    strip = positive_strip(cell, mean)
    if strip is None:
        return Sign.NONNEGATIVE
    spread = mean.part[strip.density]
    if not positive(spread.density, spread.interval, given):
        return Sign.NONNEGATIVE
    length = strip.over.high is oo or positive(strip.over.high - strip.over.low, odds(cell), given)
    return Sign.POSITIVE if length else Sign.NONNEGATIVE
