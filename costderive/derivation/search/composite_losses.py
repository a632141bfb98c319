"""The search for the integral of a distribution function over the linear predictor."""

from __future__ import annotations

from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import u
from costderive.core.time_limit import within
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.derivation.moves.composite_losses import IntegrateCdf, SlopeInPredictor
from costderive.rules.given_by import GivenCdf
from costderive.rules.linear_predictor import CompositeLosses, CompositeProperness

SECONDS = 20.0
_x, _root = sympy.log(u), sympy.sqrt(2)
NORMAL = (1 + sympy.erf(_x / _root)) / 2
CAUCHY = sympy.Rational(1, 2) + sympy.atan(_x) / sympy.pi
KNOWN: dict[Expr, tuple[Expr, ...]] = {
    u / (1 + u): (sympy.log(1 + u),),
    NORMAL: (_x * NORMAL + sympy.exp(-(_x**2) / 2) / sympy.sqrt(2 * sympy.pi),),
    CAUCHY: (_x / 2 + _x * sympy.atan(_x) / sympy.pi - sympy.log(1 + _x**2) / (2 * sympy.pi),),
    1 - sympy.exp(-u): (_x + sympy.expint(1, u),),
}


def integrate_cdf(move: IntegrateCdf, before: GivenCdf, given: Given) -> CompositeLosses:
    """Integrate piece by piece, joined so that the loss is continuous."""
    pieces: list[Piece] = []
    for piece in before.cdf:
        found = _integral(piece, given)
        if pieces:
            found += pieces[-1].value.subs(u, piece.low) - found.subs(u, piece.low)
        pieces.append(Piece(piece.low, piece.high, found))
    loss0 = Pieces(u, tuple(pieces))
    return CompositeLosses(before.cdf, loss0, loss0.map(lambda value: value - sympy.log(u)))


def _integral(piece: Piece, given: Given) -> Expr:
    """Return an antiderivative in x, written in u; what the integrator finds is kept if its slope is right."""
    x = Symbol("_x", real=True)
    try:
        raw = within(SECONDS, sympy.integrate, _in_x(piece.value, x), x)
    except Exception:  # SymPy may fail in any way, and then it has found nothing
        raw = sympy.nan
    found: Expr = raw.subs(sympy.exp(x), u).subs(x, sympy.log(u))
    on = Interval(u, piece.low, piece.high)
    for candidate in (*KNOWN.get(piece.value, ()), found):
        if not candidate.has(sympy.nan, sympy.Integral) and zero(
            u * candidate.diff(u) - piece.value, on, given
        ):
            return candidate
    problem = f"no integral of the distribution function {piece.value}, with u = exp(x), was found"
    raise SpecError(problem, "Use a named one: logistic, normal, cauchy, cloglog, laplace, step.")


def _in_x(value: Expr, x: Symbol) -> Expr:
    written: Expr = value.subs(sympy.log(u), x).subs(u, sympy.exp(x))
    return written


def find_slope(move: SlopeInPredictor, before: CompositeLosses, given: Given) -> CompositeProperness:
    """See whether the distribution function rises everywhere, without jumps."""
    rises = all(positive(sympy.diff(x.value, u), before.cdf.interval(x), given) for x in before.cdf)
    return CompositeProperness(before, rises and not _jumps(before.cdf, given))


def _jumps(cdf: Pieces, given: Given) -> bool:
    gaps = [right.value.subs(u, left.high) - left.value.subs(u, left.high) for left, right in pairwise(cdf)]
    return any(not zero(gap, None, given) for gap in gaps)
