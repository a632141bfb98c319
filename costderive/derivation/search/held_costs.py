"""The search for losses that are single integrals over one of the costs: margins, and the strips that p cuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import sympy
from sympy import Expr, Integral, Pow, Symbol

from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces
from costderive.core.symbols import p, u
from costderive.costs.contexts import Context
from costderive.costs.expected_loss import (
    Antiderivative,
    Area,
    ExpectedLoss,
    HeldCell,
    HeldCosts,
    HeldStrip,
    Margin,
    WeightedLoss,
)
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative
from costderive.derivation.integration.along_lines import primitive_along_line
from costderive.derivation.integration.binomials import over_binomials
from costderive.derivation.integration.exponentials import beside_power_of_line
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.search import Deadline
from costderive.derivation.moves.held_costs import COSTS, AddStrips, HoldOneCost, left_over, odds, ratio_to
from costderive.derivation.moves.strips import cuts_of, values_at_ends
from costderive.derivation.search.antiderived import Candidates, line_candidates, searched, with_one_base
from costderive.derivation.search.margins import margins_of_mean
from costderive.proof.claims import Step
from costderive.rules import odds_form
from costderive.rules.losses import Losses

STRIP_SECONDS = 3.0
LONG = 100  # operations
INCOMPLETE = (sympy.betainc, sympy.uppergamma)


def most_nesting(context: Context, before: object) -> int | None:
    """Return how nested the integrals may be that are worth a search from the weight on before any other.

    They have to vanish where a weight has a long formula, and may be single ones where it has none while formulas are
    known of what it is the integral of: then any other losses are integrals inside integrals.
    """
    if not isinstance(before, WeightedLoss):
        return None
    if _has_long_weight(before):
        return 0
    return 1 if context.conditionals() and any(one.value.has(Integral) for one in before.inner) else None


def _has_long_weight(before: WeightedLoss) -> bool:
    """Has a threshold weight a long formula with incomplete functions, of which antiderivatives are hardly found?"""
    values = [piece.value for piece in before.weight.density]
    return any(value.has(*INCOMPLETE) and sympy.count_ops(value) > LONG for value in values)


def held_steps(context: Context, start: ExpectedLoss, before: WeightedLoss, given: Given) -> tuple[Step, ...]:
    """Return steps from a threshold weight to losses that are no integrals of it, if costs are spread over areas."""
    if start.lines or start.arcs or start.points or before.weight.atoms:
        return ()
    held = held_areas(context, start.areas, before.weight, given)
    if held is None:
        return ()
    found = tidied(AddStrips().apply(held, given), given)
    return Step(HoldOneCost(), before, held), Step(AddStrips(), held, found)


def tidied(losses: Losses, given: Given) -> Losses:
    """Write both losses in short forms."""
    return replace(losses, loss0=_tidied(losses.loss0, given), loss1=_tidied(losses.loss1, given))


def _tidied(loss: Pieces, given: Given) -> Pieces:
    return Pieces(
        p, tuple(replace(piece, value=_tidy(piece.value, loss.interval(piece), given)) for piece in loss)
    )


def _tidy(value: Expr, on: Interval, given: Given) -> Expr:
    value = value.replace(_is_power_of_complement, _with_one_exponent)
    plain = value if value.has(Integral) else odds_form.arguments_factored(_with_constants(value, given), p)
    return _by_odds(odds_form.tidy(plain, p, given), on, given)


def _is_power_of_complement(node: Expr) -> bool:
    return isinstance(node, Pow) and isinstance(node.base, Pow) and bool(node.base.base == 1 - p)


def _with_one_exponent(node: Pow) -> Expr:
    """Join exponents of 1 - p, of which SymPy does not know that it is positive."""
    base, exponent = node.base.as_base_exp()
    return base ** (exponent * node.exp)


def _with_constants(value: Expr, given: Given) -> Expr:
    """Write what stands before the functions of p in each term in a short form, such as Gamma functions that cancel."""
    terms = (
        term.as_independent(p, as_Add=False) for term in sympy.Add.make_args(sympy.expand(value, deep=False))
    )
    return sympy.Add(*[odds_form.constant(before, given) * moving for before, moving in terms])


def _by_odds(value: Expr, on: Interval, given: Given) -> Expr:
    """Write a loss by way of the odds, in which roots split and exponentials cancel, if that is shorter."""
    if value.has(Integral) or value.is_rational_function():
        return value
    found = odds_form.to_probability(odds_form.to_odds(value, p, given), p, given)
    shorter = sympy.count_ops(found) < sympy.count_ops(value)
    return found if shorter and zero(found - value, on, given) else value


def nesting(losses: Losses) -> int:
    """Return how many integrals are within one another: 0 for losses in closed form."""
    return max((2 if node.function.has(Integral) else 1 for node in integrals_of(losses)), default=0)


def integrals_of(losses: Losses) -> set[Integral]:
    """Return the integrals in losses."""
    values = [piece.value for loss in (losses.loss0, losses.loss1) for piece in loss]
    return {node for value in values for node in value.atoms(Integral)}


def held_areas(context: Context, areas: tuple[Area, ...], weight: Measure, given: Given) -> HeldCosts | None:
    """Return the expected costs of errors in areas as integrals over one of the costs, if strips are found."""
    margins0, margins1 = (margins_of_mean(context, areas, number, given) for number in (0, 1))
    if margins0 is None or margins1 is None:
        return None
    vain = Counter[Expr]()
    found = [_cell(piece, margins0, margins1, given, vain) for piece in weight.density]
    cells = tuple(cell for cell in found if cell is not None)
    whole = len(cells) == len(found)
    return HeldCosts(weight, areas, margins0, margins1, cells) if whole else None


def _cell(
    piece: Piece,
    margins0: tuple[Margin, ...],
    margins1: tuple[Margin, ...],
    given: Given,
    vain: Counter[Expr],
) -> HeldCell | None:
    on = odds(piece)
    strips = [
        [_strips(one, own, on, given, vain) for one in found]
        for found, own in zip((margins0, margins1), COSTS, strict=True)
    ]
    if any(cut is None for found in strips for cut in found):
        return None
    first, second = (tuple(cut for cut in found if cut is not None) for found in strips)
    return HeldCell(piece.low, piece.high, first, second)


def _strips(
    one: Margin, own: Symbol, on: Interval, given: Given, vain: Counter[Expr]
) -> tuple[HeldStrip, ...] | None:
    """Return the strips in which the ray is below the other costs, among them, and above, if that is decided."""
    ratio = ratio_to(one.held)
    crossings = [_crossing(end, ratio, one.held, on, given) for end in (one.other.low, one.other.high)]
    if nonnegative(crossings[0] - crossings[1], on, given):
        crossings.reverse()
    places = (one.held.low, *crossings, one.held.high)
    found = [
        _strip(one, own, ratio, Interval(one.held.variable, low, high), on, given, vain)
        for low, high in pairwise(places)
        if low != high
    ]
    whole = tuple(strip for strip in found if strip is not None)
    return whole if len(whole) == len(found) else None


def _crossing(end: Expr, ratio: Expr, held: Interval, on: Interval, given: Given) -> Expr:
    """Return the held cost at which the ray crosses a line, or the end beyond which that is for all odds of a cell."""
    if end.is_infinite:
        return held.high
    slope = sympy.diff(end, held.variable)
    start = end - slope * held.variable
    return _between(sympy.cancel(start / (ratio - slope)), held, on, given)


def _strip(
    one: Margin, own: Symbol, ratio: Expr, over: Interval, on: Interval, given: Given, vain: Counter[Expr]
) -> HeldStrip | None:
    for cut, gaps in cuts_of(one.held, one.other, ratio).items():
        values = [value for gap in gaps.values() for value in values_at_ends(gap, over)]
        if all(nonnegative(value, on, given) for value in values):
            return HeldStrip(over, cut, _antiderivative(left_over(one, own, cut), over, on, given, vain))
    return None


def _antiderivative(
    rest: Expr, over: Interval, on: Interval, given: Given, vain: Counter[Expr]
) -> Antiderivative:
    """Return an antiderivative for all odds of a cell, if one is found; what was sought in vain is given less time."""
    if rest == 0:
        return Antiderivative()
    deadline = Deadline.after(STRIP_SECONDS / (1 + vain[rest]) ** 2)
    found = searched(rest, over, given.also(positive=(u, *on.facts)), _candidates, deadline)
    vain[rest] += found.function is None
    return found


def _candidates(f: Expr, on: Interval, given: Given, deadline: Deadline) -> Candidates:
    """Antiderivatives of what is left, written as a sum; sums that do not change with the cost stay together."""
    fixed = [node for node in f.atoms(sympy.Pow) if node.base.is_Add and not node.has(on.variable)]
    names = {node: sympy.Dummy(real=True) for node in fixed}
    split = sympy.expand(sympy.expand_power_base(f.xreplace(names)))
    joined = sympy.powsimp(sympy.expand_mul(sympy.powsimp(split, combine="exp")), combine="exp")
    back = {name: node for node, name in names.items()}
    for search in (primitive, primitive_along_line, beside_power_of_line, over_binomials):
        yield partial(search, with_one_base(sympy.expand_power_base(f)), on.variable, given)
    for candidate in line_candidates(joined, on, given, deadline):
        yield partial(_in_names, candidate, back)


def _in_names(candidate: Callable[[], Expr | None], back: dict[Expr, Expr]) -> Expr | None:
    found = candidate()
    return None if found is None else found.xreplace(back)


def _between(at: Expr, held: Interval, on: Interval, given: Given) -> Expr:
    """Return a value if it is in a range for all odds of a cell, else the end beyond which it is."""
    if nonnegative(held.low - at, on, given):
        return held.low
    inside = held.high.is_infinite or nonnegative(held.high - at, on, given)
    return at if inside else held.high
