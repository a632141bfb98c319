"""The entropy and the canonical link of two losses: what they say together, piece by piece.

The two losses add up, in the proportions of a belief, to the entropy ``H(q) = (1 - q) L0(q) + q L1(q)``. Since
``L0' = p w`` and ``L1' = -(1 - p) w``, their difference has the slope w: up to a constant it is the canonical link.

Source: Buja, Stuetzle and Shen (2005).
"""

from __future__ import annotations

import sympy
from sympy import Expr, Rational, Symbol

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given, Piece, Pieces
from costderive.core.symbols import p, q
from costderive.deciders.signs import nonnegative, positive
from costderive.rules import odds_form
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses

HALF = Rational(1, 2)


def entropy_of(losses: Losses | LossPair, given: Given) -> Pieces:
    """Return the entropy between the breakpoints, as a function of q."""
    cells = zip(losses.loss0, losses.loss1, strict=True)
    values = [(a, shorter((1 - p) * a.value + p * b.value, p, given).subs(p, q)) for a, b in cells]
    return Pieces(q, tuple(Piece(a.low, a.high, value) for a, value in values))


def link_of(losses: Losses | LossPair, given: Given) -> Pieces:
    """Return the canonical link between the breakpoints: ``L0 - L1``, less its value at 1/2.

    Raises:
        ParametersLeftError: if it is open on which piece 1/2 lies.
    """
    cells = list(zip(losses.loss0, losses.loss1, strict=True))
    middle = (_at_half(losses.loss0, given) - _at_half(losses.loss1, given)).subs(p, HALF)
    values = [(a, shorter(a.value - b.value - middle, p, given)) for a, b in cells]
    return Pieces(p, tuple(Piece(a.low, a.high, value) for a, value in values))


def _at_half(loss: Pieces, given: Given) -> Expr:
    """Return the expression of the piece that holds 1/2, of two neighbours the one on the left."""
    for piece in loss:
        if positive(HALF - piece.low, None, given) and nonnegative(piece.high - HALF, None, given):
            return piece.value
    problem = f"on which side of 1/2 the breakpoints {', '.join(map(str, loss.breaks))} lie is open"
    raise ParametersLeftError(problem, "The link is 0 at 1/2: give the parameters numbers with rule.at(...).")


def shorter(expr: Expr, variable: Symbol, given: Given) -> Expr:
    """Return an expression in a shorter writing, if one is found."""
    if expr.has(sympy.Integral):  # rewriting would reach under the integral sign
        return expr
    found = odds_form.tidy(expr, variable, given)
    if isinstance(found, sympy.Add) and found.has(sympy.log):
        found = min((found, sympy.factor_terms(found)), key=sympy.count_ops)
    return min((found, expr), key=sympy.count_ops)
