"""Losses of a linear predictor ``x``: ``L0 = integral of F`` and ``L1 = L0 - x`` for a distribution function F.

Everything is written in ``u = exp(x)``, which is positive, as the signs and limits of the checker want it.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Piece, Pieces
from costderive.core.symbols import u
from costderive.rules.conclusions import Proper

predictor = Symbol("x", real=True)


@dataclass(frozen=True, slots=True)
class CompositeLosses:
    """The losses of a predictor x with the report ``F(x)``, as functions of ``u = exp(x)``; constants are free."""

    cdf: Pieces
    loss0: Pieces
    loss1: Pieces


@dataclass(frozen=True, slots=True)
class CompositeProperness(Proper):
    """Under each belief q in (0, 1) the risk falls in x while ``F(x) < q`` and rises while ``F(x) > q``.

    ``strict`` says that F rises strictly and is continuous: then its only minimum is where ``F(x) = q``.
    """

    losses: CompositeLosses
    strict: bool


def in_predictor(function: Pieces) -> Expr:
    """Write a function of ``u = exp(x)`` as one of x."""
    pieces = [Piece(x.low, sympy.log(x.high), _in_x(x.value)) for x in function]
    inner = [(piece.value, predictor <= piece.high) for piece in pieces[:-1]]
    return sympy.Piecewise(*inner, (pieces[-1].value, True))


def _in_x(value: Expr) -> Expr:
    written: Expr = value.subs(sympy.log(u), predictor).subs(u, sympy.exp(predictor))
    return written
