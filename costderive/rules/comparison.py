"""Are two rules the same up to a positive factor and a constant for each class? Decided on the losses themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p
from costderive.core.time_limit import within
from costderive.deciders.enclosure import sample
from costderive.deciders.identities import zero
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import Verdict
from costderive.rules import odds_form
from costderive.rules.loss_arithmetic import as_pair, cells, from_the_left, values
from costderive.rules.loss_pair import LossPair, Value
from costderive.rules.losses import Losses

ZERO = sympy.S.Zero
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Equivalence:
    """``L_y = factor M_y + constants[y]`` for the losses L of one rule and M of another, if it is proved.

    It is true in a condition if it is proved. A rule may be ``k y + c`` apart from another: that changes no
    decision between reports and no divergence. Refuted or open, there is no factor.
    """

    verdict: Verdict
    factor: Expr | None = None
    constants: tuple[Expr, Expr] = (ZERO, ZERO)

    def __bool__(self) -> bool:
        return self.verdict is Verdict.PROVED

    @property
    def up_to_factor(self) -> bool:
        """Whether one rule is a positive multiple of the other, with no constant beside it."""
        return bool(self) and self.constants == (ZERO, ZERO)


REFUTED, OPEN = Equivalence(Verdict.REFUTED), Equivalence(Verdict.OPEN)


def compare(first: Losses | LossPair, second: Losses | LossPair, given: Given) -> Equivalence:
    """Decide whether the losses of two rules are equal up to a positive factor and a constant for each class."""
    one, two = as_pair(first), as_pair(second)
    factor = _factor(one, two, given)
    if factor is None:
        return OPEN
    if not positive(factor, None, given):
        return REFUTED if nonnegative(-factor, None, given) else OPEN
    if any(_refuted(_gap(one, two, factor, label, given), given) for label in (0, 1)):
        return REFUTED
    short = simplified(factor)
    gaps = [_gap(one, two, short, label, given) for label in (0, 1)]
    constants = _settled(gaps[0]), _settled(gaps[1])
    if not all(_is_constant(gap, value, given) for gap, value in zip(gaps, constants, strict=True)):
        return OPEN
    return Equivalence(Verdict.PROVED, short, constants)


def _factor(one: LossPair, two: LossPair, given: Given) -> Expr | None:
    """Return the ratio of the slopes of losses at a point where the second is known not to be 0."""
    for label in (0, 1):
        functions = (one.loss0, two.loss0) if label == 0 else (one.loss1, two.loss1)
        for cell in cells(functions, given):
            slopes = [sympy.diff(value, p) for value in values(functions, cell)]
            point = (cell.low + cell.high) / 2
            top, bottom = (slope.subs(p, point) for slope in slopes)
            if any(positive(x, None, given) for x in (bottom, -bottom)):
                return top / bottom
    return _factor_of_jumps(one, two, given)


def _factor_of_jumps(one: LossPair, two: LossPair, given: Given) -> Expr | None:
    """Return the ratio of what the losses gain from end to end, for losses that are steps."""
    gains = [x.values[-1].loss0 - x.values[0].loss0 for x in (one, two)]
    known = all(gain.is_finite for gain in gains) and any(
        positive(x, None, given) for x in (gains[1], -gains[1])
    )
    return gains[0] / gains[1] if known else None


Gap = list[tuple[Expr, Interval | None]]


def _gap(one: LossPair, two: LossPair, factor: Expr, label: int, given: Given) -> Gap:
    """Return what is left of a loss on each cell, and at each breakpoint where both are finite."""
    functions = (one.loss0, two.loss0) if label == 0 else (one.loss1, two.loss1)
    found: Gap = []
    for cell in cells(functions, given):
        left, right = values(functions, cell)
        found.append((left - factor * right, Interval(p, cell.low, cell.high)))
        found += _at_end(one, two, factor, label, cell.high, given)
    return [*found, *_at_end(one, two, factor, label, ZERO, given)]


def _at_end(
    one: LossPair, two: LossPair, factor: Expr, label: int, at: Expr, given: Given
) -> Iterator[tuple[Expr, None]]:
    at_end = [pair.at(at, given) for pair in (one, two)]
    left, right = (sympy.nan if x is None else x.loss(label) for x in at_end)
    if left is not sympy.oo or right is not sympy.oo:
        yield left - factor * right, None


def _raw(gap: Gap) -> Expr:
    """Return the value of a gap in the middle of its first cell."""
    expr, on = gap[0]
    return expr if on is None else expr.subs(p, (on.low + on.high) / 2)


def _settled(gap: Gap) -> Expr:
    """Return the constant that a gap is, written short."""
    found = _raw(gap)
    return ZERO if zero(found, None, Given()) else simplified(found)


def simplified(expr: Expr) -> Expr:
    """Return a number or a constant in a shorter writing, if SymPy finds one in time."""
    try:
        found: Expr = within(SECONDS, sympy.simplify, expr)
    except Exception:  # SymPy may fail in any way; what is found here is decided on later
        return expr
    return found


def _refuted(gap: Gap, given: Given) -> bool:
    """Do enclosures show that a gap is not one constant?"""
    constant = _raw(gap)
    return any(_differs(expr, constant, on, given) for expr, on in gap)


def _is_constant(gap: Gap, constant: Expr, given: Given) -> bool:
    return all(not expr.has(sympy.nan) and bool(zero(expr - constant, on, given)) for expr, on in gap)


def _differs(expr: Expr, constant: Expr, on: Interval | None, given: Given) -> bool:
    if expr.has(sympy.nan):
        return False
    return bool(expr.is_infinite) or any(x.excludes_zero for x in sample(expr - constant, on, given))


def exchanged(losses: Losses | LossPair) -> LossPair:
    """Exchange the classes: the report 1 - p with the losses the other way round."""
    pair = as_pair(losses)
    first, second = (_reflected(loss) for loss in (pair.loss1, pair.loss0))
    if pair.from_the_left:
        low, high = (Value(1 - x.at, x.loss1, x.loss0) for x in (pair.values[-1], pair.values[0]))
        return from_the_left(first, second, low, high)
    mirrored = tuple(Value(1 - x.at, x.loss1, x.loss0) for x in reversed(pair.values))
    return LossPair(first, second, mirrored, pair.assumed)


def _reflected(function: Pieces) -> Pieces:
    pieces = [Piece(1 - x.high, 1 - x.low, odds_form.reflect(x.value, p)) for x in reversed(function.pieces)]
    return Pieces(function.variable, tuple(pieces))
