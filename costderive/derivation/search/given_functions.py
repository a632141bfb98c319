"""The search from a threshold weight, an entropy or a link to losses, and from proper losses to entropy and link."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr

from costderive.core.errors import ParametersLeftError, SpecError
from costderive.core.piecewise import Atom, Given, Measure, Piece, Pieces
from costderive.core.symbols import p, q, s
from costderive.costs.expected_loss import WeightedLoss
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import positive
from costderive.derivation.moves.given_functions import DifferentiateLink, Represent, TakeTangents, TakeWeight
from costderive.derivation.search.any_losses import shortest_density, sign_of
from costderive.rules import Losses, Properness, Represented, odds_form
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight
from costderive.rules.loss_pair import LossPair, Value
from costderive.rules.representation import entropy_of, link_of, shorter

ZERO, ONE = sympy.S.Zero, sympy.S.One


def _weighted(density: Pieces, atoms: tuple[Atom, ...], given: Given) -> WeightedLoss:
    return WeightedLoss(Measure(density, tuple(sign_of(piece, given) for piece in density), atoms), ())


def take_weight(move: TakeWeight, before: GivenWeight, given: Given) -> WeightedLoss:
    """See the sign of each piece of the density."""
    return _weighted(before.density, before.atoms, given)


def differentiate_link(move: DifferentiateLink, before: GivenLink, given: Given) -> WeightedLoss:
    """Take the slope of the link, shortened, and its jumps."""
    density = tuple(shortest_density(_slope(piece), piece, given) for piece in before.link)
    jumps = [(left.high, _jump(left, right, given)) for left, right in pairwise(before.link)]
    atoms = tuple(Atom(at, jump) for at, jump in jumps if not zero(jump, None, given))
    return _weighted(Pieces(s, density), atoms, given)


def _slope(piece: Piece) -> Expr:
    return sympy.diff(piece.value, p).subs(p, s)


def _jump(left: Piece, right: Piece, given: Given) -> Expr:
    at = left.high
    before = value_at(left.value, Approach(p, at, "-"), given)
    after = value_at(right.value, Approach(p, at, "+"), given)
    if before is None or after is None or before.is_infinite or after.is_infinite:
        problem = f"the link has no finite limits at p = {at}"
        raise SpecError(problem, "Its jumps are the atoms of the threshold weight.")
    return odds_form.constant(after - before, given)


def take_tangents(move: TakeTangents, before: GivenEntropy, given: Given) -> LossPair:
    """Write the tangents, shortened, with their limits at the ends of pieces."""
    _refuse_jumps(before.entropy, given)
    loss0 = Pieces(p, tuple(_tangent(piece, ZERO, given) for piece in before.entropy))
    loss1 = Pieces(p, tuple(_tangent(piece, ONE, given) for piece in before.entropy))
    sides = [(ZERO, "+", 0), *[(piece.high, "-", k) for k, piece in enumerate(loss0)]]
    values = tuple(
        Value(at, *[_end(loss.pieces[k].value, at, side, given) for loss in (loss0, loss1)])
        for at, side, k in sides
    )
    return LossPair(loss0, loss1, values, before.assumed)


def _refuse_jumps(entropy: Pieces, given: Given) -> None:
    for left, right in pairwise(entropy):
        low, high = (piece.value.subs(q, left.high) for piece in (left, right))
        gap = high - low
        if any(positive(x, None, given) for x in (gap, -gap)):
            problem = f"the entropy jumps from {low} to {high} at q = {left.high}"
            raise SpecError(problem, "A concave function is continuous inside (0, 1).")


def _tangent(piece: Piece, end: Expr, given: Given) -> Piece:
    entropy = piece.value.subs(q, p)
    value = shorter(entropy + (end - p) * sympy.diff(entropy, p), p, given)
    return Piece(piece.low, piece.high, _split_logs(value))


def _split_logs(expr: Expr) -> Expr:
    """Cancel what a logarithm is multiplied by in one term and another."""
    return min((sympy.expand(expr), expr), key=sympy.count_ops)


def _end(loss: Expr, at: Expr, side: str, given: Given) -> Expr:
    found = value_at(loss, Approach(p, at, side), given)
    if found is None or found is sympy.nan or found == -sympy.oo:
        shown = "unknown" if found is None else found
        raise SpecError(
            f"the loss {loss} of the entropy has the limit {shown} at p = {at}",
            "An entropy has tangents whose values at 0 and 1 are bounded from below.",
        )
    return found


def represent(move: Represent, before: Properness, given: Given) -> Represented:
    """Write entropy and link, shortened; the link is left out if it is open where 1/2 lies."""
    return Represented(before, entropy_of(before.losses, given), _link(before.losses, given))


def _link(losses: Losses | LossPair, given: Given) -> Pieces | None:
    try:
        return link_of(losses, given)
    except ParametersLeftError:  # it is open on which piece 1/2 lies
        return None
