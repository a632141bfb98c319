"""From a distribution function to the losses of a linear predictor, and to their properness.

With ``u = exp(x)``, ``dL0/dx = u dL0/du = F`` and ``L1 = L0 - x``. So the risk of x under the belief q has the slope
``(1 - q) F + q (F - 1) = F - q`` in x: it falls while ``F < q`` and rises while ``F > q``, as F does not fall.

Source: Reid and Williamson (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval, Piece, Pieces
from costderive.core.symbols import u
from costderive.core.time_limit import within
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules.given_by import GivenCdf
from costderive.rules.linear_predictor import CompositeLosses, CompositeProperness

ZERO, ONE, oo = sympy.S.Zero, sympy.S.One, sympy.oo
SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class IntegrateCdf(Move):
    """Integrate the distribution function: ``L0`` is its integral over x, ``L1`` is that less x."""

    def apply(self, before: GivenCdf, given: Given) -> CompositeLosses:
        pieces: list[Piece] = []
        for piece in before.cdf:
            found = _integral(piece, given)
            if pieces:
                found += pieces[-1].value.subs(u, piece.low) - found.subs(u, piece.low)
            pieces.append(Piece(piece.low, piece.high, found))
        loss0 = Pieces(u, tuple(pieces))
        return CompositeLosses(before.cdf, loss0, loss0.map(lambda value: value - sympy.log(u)))

    def claims(self, before: GivenCdf, after: CompositeLosses, given: Given) -> Iterator[Claim]:
        yield Same("the distribution function is the one given", before.cdf, after.cdf)
        yield from _distribution_claims(before.cdf)
        yield Same("the losses are functions of exp(x)", (after.loss0.variable, after.loss1.variable), (u, u))
        yield Same("loss 0 has the pieces of the distribution function", ends(after.loss0), ends(before.cdf))
        yield Same("loss 1 has the pieces of the distribution function", ends(after.loss1), ends(before.cdf))
        for piece, first, second in zip(before.cdf, after.loss0, after.loss1, strict=False):
            on = Interval(u, piece.low, piece.high)
            yield Regular("loss 0 is smooth on the piece", first.value, on)
            yield Equal("slope of loss 0 in x", u * Derivative(first.value, u), piece.value, on)
            yield Equal("loss 1 is loss 0 less x", second.value, first.value - sympy.log(u), on)
        for left, right in pairwise(after.loss0):
            value = left.value.subs(u, left.high)
            yield Tends("loss 0 reaches its value from the left", left.value, u, left.high, "-", value)
            yield Tends("loss 0 is continuous", right.value, u, left.high, "+", value)


def _distribution_claims(cdf: Pieces) -> Iterator[Claim]:
    """A distribution function: on pieces that cover (0, oo) it is smooth and never falls, from 0 up to 1."""
    yield Same("the distribution function is one of exp(x)", cdf.variable, u)
    places = ends(cdf)
    yield Same("the first piece starts at 0", places[0][0] if places else None, ZERO)
    yield Same("the last piece has no end", places[-1][1] if places else None, oo)
    for (_, high), (low, _) in pairwise(places):
        yield Same("a piece starts where the one before ends", low, high)
    for piece in cdf:
        if piece.high is not oo:
            yield Positive("a piece has a length", piece.high - piece.low)
        on = cdf.interval(piece)
        yield Regular("the distribution function is smooth on the piece", piece.value, on)
        yield NonNegative("the distribution function does not fall", sympy.diff(piece.value, u), on)
    for left, right in pairwise(cdf):
        low, high = (piece.value.subs(u, left.high) for piece in (left, right))
        yield Tends("its limit from the left", left.value, u, left.high, "-", low)
        yield Tends("its limit from the right", right.value, u, left.high, "+", high)
        yield NonNegative("it does not fall at a breakpoint", high - low)
    yield Tends("it starts at 0", cdf.pieces[0].value, u, ZERO, "+", ZERO)
    yield Tends("it reaches 1", cdf.pieces[-1].value, u, oo, "-", ONE)


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


_x, _root = sympy.log(u), sympy.sqrt(2)
NORMAL = (1 + sympy.erf(_x / _root)) / 2
CAUCHY = sympy.Rational(1, 2) + sympy.atan(_x) / sympy.pi
KNOWN: dict[Expr, tuple[Expr, ...]] = {
    u / (1 + u): (sympy.log(1 + u),),
    NORMAL: (_x * NORMAL + sympy.exp(-(_x**2) / 2) / sympy.sqrt(2 * sympy.pi),),
    CAUCHY: (_x / 2 + _x * sympy.atan(_x) / sympy.pi - sympy.log(1 + _x**2) / (2 * sympy.pi),),
    1 - sympy.exp(-u): (_x + sympy.expint(1, u),),
}


@dataclass(frozen=True, slots=True)
class SlopeInPredictor(Move):
    """Read properness off the slope ``F - q`` of the risk in x."""

    def apply(self, before: CompositeLosses, given: Given) -> CompositeProperness:
        rises = all(positive(sympy.diff(x.value, u), before.cdf.interval(x), given) for x in before.cdf)
        return CompositeProperness(before, rises and not _jumps(before.cdf, given))

    def claims(self, before: CompositeLosses, after: CompositeProperness, given: Given) -> Iterator[Claim]:
        yield Same("the losses are the ones before", before, after.losses)
        yield Same("strictness is said", after.strict in (True, False), True)
        q = Symbol("q", positive=True)
        for cdf, first, second in zip(before.cdf, before.loss0, before.loss1, strict=False):
            risk = (1 - q) * first.value + q * second.value
            on = before.cdf.interval(cdf)
            yield Equal("slope of the risk in x", u * Derivative(risk, u), cdf.value - q, on)
            if after.strict:
                yield Positive("the distribution function rises", sympy.diff(cdf.value, u), on)
        if after.strict:
            for left, right in pairwise(before.cdf):
                low, high = (piece.value.subs(u, left.high) for piece in (left, right))
                yield Equal("the distribution function is continuous", low, high)


def _jumps(cdf: Pieces, given: Given) -> bool:
    gaps = [right.value.subs(u, left.high) - left.value.subs(u, left.high) for left, right in pairwise(cdf)]
    return any(not zero(gap, None, given) for gap in gaps)
