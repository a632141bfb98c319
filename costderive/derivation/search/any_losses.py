"""The search for the threshold weight of a pair of losses, in the shortest writing whose sign is seen."""

from __future__ import annotations

import sympy
from sympy import Expr

from costderive.core.piecewise import Atom, Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import p, s
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.any_losses import FindWeight, neighbours, positive_point
from costderive.rules import odds_form
from costderive.rules.loss_pair import Limits, LossPair, WeighedPair

ZERO, ONE = sympy.S.Zero, sympy.S.One


def find_weight(move: FindWeight, before: LossPair, given: Given) -> WeighedPair:
    """Read the weight off the slope of loss 0, and its atoms off the jumps."""
    cells = list(zip(before.loss0, before.loss1, strict=True))
    limits = tuple(_limits_at(before, index, given) for index in range(len(before.values)))
    density = tuple(_density(first, second, given) for first, second in cells)
    signs = tuple(sign_of(piece, given) for piece in density)
    masses = [(joint.at, odds_form.constant(joint.mass, given)) for joint in limits[1:-1]]
    atoms = tuple(Atom(at, mass) for at, mass in masses if not zero(mass, None, given))
    return WeighedPair(before, Measure(Pieces(s, density), signs, atoms), limits)


def _limits_at(pair: LossPair, index: int, given: Given) -> Limits:
    at = pair.values[index].at
    left, right = neighbours(pair)[index]
    lefts = (None, None) if left is None else [_limit(piece, at, "-", given) for piece in left]
    rights = (None, None) if right is None else [_limit(piece, at, "+", given) for piece in right]
    return Limits(at, lefts[0], rights[0], lefts[1], rights[1])


def _limit(piece: Piece, at: Expr, side: str, given: Given) -> Expr | None:
    value = value_at(piece.value, Approach(p, at, side), given)
    return None if value is None or value.is_infinite else value


def _density(first: Piece, second: Piece, given: Given) -> Piece:
    return shortest_density((sympy.diff(first.value, p) / p).subs(p, s), first, given)


def shortest_density(raw: Expr, first: Piece, given: Given) -> Piece:
    """Write a density of s in the shortest way whose sign is seen, on the interval of a piece."""
    on = Interval(s, first.low, first.high)
    writings = [raw, *_shorter(raw, given)]
    if zero(raw, on, given):
        return Piece(first.low, first.high, ZERO)
    seen = [x for x in writings if nonnegative(x, on, given)]
    if not seen:
        seen = [x for x in _simplified(raw) if nonnegative(x, on, given)] or writings
    return Piece(first.low, first.high, min(seen, key=sympy.count_ops))


def _shorter(expr: Expr, given: Given) -> list[Expr]:
    try:
        return [odds_form.shorter_weight(expr, s, given), sympy.factor(expr)]
    except (sympy.PolynomialError, NotImplementedError):
        return [sympy.factor_terms(expr)]


def _simplified(expr: Expr) -> list[Expr]:
    """The last resort; a search calls it in a process that is ended at its deadline."""
    return [sympy.simplify(expr)]


def sign_of(piece: Piece, given: Given) -> Sign:
    """Return what is seen of the sign of a piece of a density."""
    on = Interval(s, piece.low, piece.high)
    if piece.value == 0:
        return Sign.ZERO
    if positive(piece.value, on, given) or positive_point(piece, given) is not None:
        return Sign.POSITIVE
    return Sign.NONNEGATIVE
