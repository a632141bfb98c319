"""The search for the distribution function of a threshold that is independent of the costs."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr, Integral

from costderive.core.errors import DivergentCostError, SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.core.time_limit import within
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, tail, value_at
from costderive.deciders.order import ascending
from costderive.deciders.regularity import outer_integrals, regular
from costderive.derivation.integration.search import Deadline, antiderivative
from costderive.derivation.moves.independent_thresholds import SetThreshold, parts_of_law, probability
from costderive.derivation.moves.integrate_magnitude import total_between
from costderive.derivation.search.integrate_by_parts import mirrored_integrals
from costderive.rules import Losses, odds_form
from costderive.rules.loss_pair import LossPair, Value

ZERO, ONE = sympy.S.Zero, sympy.S.One

SHARE_SECONDS = 10.0


def set_threshold(move: SetThreshold, before: Losses, given: Given) -> LossPair:
    """Integrate the density of the threshold upwards, and that of ``1 - T`` downwards."""
    law, worst = move.threshold.law, tuple(_constant(x, given) for x in (before.worst0, before.worst1))
    for name, cost in zip(("c0", "c1"), worst, strict=True):
        if cost.is_infinite or any(_diverges(mean, given) for mean in outer_integrals(cost)):
            raise DivergentCostError(
                f"the expected cost E[{name}] is infinite",
                "A threshold that is independent of the costs then loses infinitely much: use the calibrated one.",
            )
    below, reached = _distribution(law, given, Deadline.after(move.seconds))
    loss0 = below.map(lambda share: _tidy(worst[0], share, given))
    above, _ = _distribution(_mirrored(law), given, Deadline.after(move.seconds))
    loss1 = tuple(_reflected(piece, worst[1], given) for piece in reversed(above.pieces))
    values = (Value(ZERO, ZERO, worst[1]), *[_value(at, share, worst, given) for at, share in reached])
    return LossPair(loss0, Pieces(p, loss1), values)


def _diverges(mean: Integral, given: Given) -> bool:
    (inner, low, high), *_ = mean.limits
    return any(tail(mean.function, Approach(inner, *end), given) == 1 for end in ((low, "+"), (high, "-")))


def _distribution(law: Law, given: Given, deadline: Deadline) -> tuple[Pieces, list[tuple[Expr, Expr]]]:
    """Return ``P(T < p)`` between breakpoints, and its value at each of them but 0."""
    parts = parts_of_law(law)
    places = [
        ZERO,
        ONE,
        *[end for part in parts for end in (part.low, part.high)],
        *[m.value for m in law.masses],
    ]
    pieces, reached, below = [], [], ZERO
    for low, high in pairwise(ascending(list(dict.fromkeys(places)), given)):
        below += probability(law, low)
        value = odds_form.tidy(
            below + _increase(total_between(parts, low, high, given), low, high, given, deadline), p, given
        )
        below = _end(value, high, given)
        pieces.append(Piece(low, high, value))
        reached.append((high, below))
    reached[-1] = ONE, 1 - probability(law, ONE)
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
