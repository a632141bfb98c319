"""From the expected costs to the losses of a threshold that is independent of the costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, Integral

from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.core.time_limit import within
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.costs.thresholds import FixedThreshold, RandomThreshold
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import ascending
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative
from costderive.derivation.integration.search import Deadline, antiderivative
from costderive.derivation.moves.integrate_by_parts import ends, mirrored_integrals
from costderive.derivation.moves.slices import covering
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules import Losses, odds_form
from costderive.rules.loss_pair import LossPair, Value

ZERO, ONE = sympy.S.Zero, sympy.S.One
SHARE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class SetThreshold(Move):
    """Decide at a threshold T that is independent of the costs, instead of at the cost proportion.

    ``L0(p) = E[c0] P(T < p)`` and ``L1(p) = E[c1] P(T >= p)``; the expected costs are the losses of the calibrated
    threshold at the far ends. Both losses are continuous from the left on (0, 1], and ``L1(0) = E[c1]``.
    """

    threshold: FixedThreshold | RandomThreshold
    seconds: float = 60.0

    def apply(self, before: Losses, given: Given) -> LossPair:
        law, worst = self.threshold.law, (before.worst0, before.worst1)
        for name, cost in zip(("c0", "c1"), worst, strict=True):
            if cost.is_infinite:
                raise DivergentCostError(
                    f"the expected cost E[{name}] is infinite",
                    "A threshold that is independent of the costs then loses infinitely much: use the calibrated one.",
                )
        below, reached = _distribution(law, given, Deadline.after(self.seconds))
        loss0 = below.map(lambda share: _tidy(worst[0], share, given))
        above, _ = _distribution(_mirrored(law), given, Deadline.after(self.seconds))
        loss1 = tuple(_reflected(piece, worst[1], given) for piece in reversed(above.pieces))
        values = (Value(ZERO, ZERO, worst[1]), *[_value(at, share, worst, given) for at, share in reached])
        return LossPair(loss0, Pieces(p, loss1), values)

    def claims(self, before: Losses, after: LossPair, given: Given) -> Iterator[Claim]:
        law, pieces = self.threshold.law, after.loss0
        yield from _law_claims(law)
        for name, cost in (("c0", before.worst0), ("c1", before.worst1)):
            yield Same(f"the expected cost {name} is finite", cost.has(sympy.oo, sympy.nan, sympy.zoo), False)
        yield Same("the losses are functions of p", (pieces.variable, after.loss1.variable), (p, p))
        yield Same("both losses have the same pieces", ends(pieces), ends(after.loss1))
        yield from covering(list(ends(pieces)))
        for first, second in zip(pieces, after.loss1, strict=False):
            yield from _slope_claims(law, first, second, before, given)
        places = (ZERO, *(piece.high for piece in pieces))
        yield Same("a value at each end of a piece", tuple(value.at for value in after.values), places)
        inside = {mass.value for mass in law.masses} <= set(places[1:])
        yield Same("a probability at one point sits at a breakpoint", inside, True)
        yield Same("at 0 both losses are known", after.values[:1], (Value(ZERO, ZERO, before.worst1),))
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
    parts = _parts(law)
    density = _total(parts, first.low, first.high, given).subs(s, p)
    yield Regular("loss 0 is smooth on the piece", first.value, on)
    yield Regular("loss 1 is smooth on the piece", second.value, on)
    yield Equal("slope of loss 0", Derivative(first.value, p), before.worst0 * density, on)
    yield Equal("slope of loss 1", Derivative(second.value, p), -before.worst1 * density, on)
    for part in parts:
        if not _holds(part, first.low, first.high, given):
            left = nonnegative(part.low - first.high, None, given)
            apart = part.low - first.high if left else first.low - part.high
            yield NonNegative("the other parts of the law lie beside the piece", apart)


def _joint_claims(law: Law, loss: Pieces, label: int, after: LossPair, before: Losses) -> Iterator[Claim]:
    """A loss is continuous from the left, and jumps to the right of each point that has a probability."""
    worst = (before.worst0, -before.worst1)[label]
    for piece, low, high in zip(loss, after.values, after.values[1:], strict=False):
        start = low.loss(label) + worst * _probability(law, low.at)
        yield Tends(f"loss {label} starts from its value and its jump", piece.value, p, low.at, "+", start)
        yield Tends(f"loss {label} reaches its value", piece.value, p, high.at, "-", high.loss(label))
    end = after.values[-1].loss(label)
    share = 1 - _probability(law, ONE) if label == 0 else -_probability(law, ONE)
    yield Equal(f"loss {label} ends where all probability is counted", end, worst * share)


def _probability(law: Law, at: Expr) -> Expr:
    return sympy.Add(*[mass.probability for mass in law.masses if mass.value == at])


# ---- the distribution function


def _parts(law: Law) -> list[Piece]:
    """Return the densities of the threshold, in s."""
    return [Piece(y.low, y.high, y.density.subs(x, s)) for y in law.spreads]


def _total(parts: list[Piece], low: Expr, high: Expr, given: Given) -> Expr:
    return sympy.Add(*[part.value for part in parts if _holds(part, low, high, given)])


def _holds(part: Piece, low: Expr, high: Expr, given: Given) -> bool:
    return bool(nonnegative(low - part.low, None, given) and nonnegative(part.high - high, None, given))


def _distribution(law: Law, given: Given, deadline: Deadline) -> tuple[Pieces, list[tuple[Expr, Expr]]]:
    """Return ``P(T < p)`` between breakpoints, and its value at each of them but 0."""
    parts = _parts(law)
    places = [
        ZERO,
        ONE,
        *[end for part in parts for end in (part.low, part.high)],
        *[m.value for m in law.masses],
    ]
    pieces, reached, below = [], [], ZERO
    for low, high in pairwise(ascending(list(dict.fromkeys(places)), given)):
        below += _probability(law, low)
        value = odds_form.tidy(
            below + _increase(_total(parts, low, high, given), low, high, given, deadline), p, given
        )
        below = _end(value, high, given)
        pieces.append(Piece(low, high, value))
        reached.append((high, below))
    reached[-1] = ONE, 1 - _probability(law, ONE)
    return Pieces(p, tuple(pieces)), reached


def _mirrored(law: Law) -> Law:
    """Return the law of ``1 - T``: the loss of class 1 is written from the end at which it vanishes."""
    spreads = tuple(Spread(1 - y.high, 1 - y.low, odds_form.reflect(y.density, x)) for y in law.spreads)
    return Law(spreads, tuple(Mass(1 - m.value, m.probability) for m in law.masses))


def _reflected(piece: Piece, cost: Expr, given: Given) -> Piece:
    share = odds_form.reflect(mirrored_integrals(piece.value), p)
    return Piece(1 - piece.high, 1 - piece.low, _tidy(cost, share, given))


def _increase(density: Expr, low: Expr, high: Expr, given: Given, deadline: Deadline) -> Expr:
    """Return the integral of a density from the low end of a piece to p."""
    if density == 0:
        return ZERO
    on = Interval(s, low, high)
    found = antiderivative(density, on, given, deadline) or _integrated(density, on, given, deadline)
    start = None if found is None else value_at(found, Approach(s, low, "+"), given)
    if found is None or start is None or start.is_infinite:
        return Integral(density, (s, low, p))
    return found.subs(s, p) - start


def _integrated(density: Expr, on: Interval, given: Given, deadline: Deadline) -> Expr | None:
    """Ask SymPy: a density of the threshold is often simple in t itself, not in its odds."""
    try:
        found = within(min(deadline.left, SHARE_SECONDS), sympy.integrate, density, s)
    except Exception:  # an integrator that fails has found nothing
        return None
    slope = zero(sympy.diff(found, s) - density, on, given)
    return found if slope and regular(found, on, given) else None


def _end(value: Expr, high: Expr, given: Given) -> Expr:
    found = value_at(value, Approach(p, high, "-"), given)
    if found is None or found.is_infinite:
        raise SpecError(
            f"the distribution function {value} has no limit at {high}", "Is the density integrable?"
        )
    return _constant(found, given)


def _value(at: Expr, share: Expr, worst: tuple[Expr, Expr], given: Given) -> Value:
    return Value(at, _constant(worst[0] * share, given), _constant(worst[1] * (1 - share), given))


def _constant(expr: Expr, given: Given) -> Expr:
    return expr if expr.has(Integral) else odds_form.constant(expr.rewrite(sympy.gamma), given)


def _tidy(cost: Expr, share: Expr, given: Given) -> Expr:
    """Write a cost times a probability; an integral stays a factor."""
    return (
        cost * odds_form.tidy(share, p, given)
        if cost.has(Integral)
        else odds_form.tidy(cost * share, p, given)
    )
