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
from sympy import Derivative, Symbol

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import u
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.slices import joined
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules.given_by import GivenCdf
from costderive.rules.linear_predictor import CompositeLosses, CompositeProperness

ZERO, ONE, oo = sympy.S.Zero, sympy.S.One, sympy.oo


@dataclass(frozen=True, slots=True)
class IntegrateCdf(Move):
    """Integrate the distribution function: ``L0`` is its integral over x, ``L1`` is that less x."""

    searched_by = "costderive.derivation.search.composite_losses:integrate_cdf"

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
    yield from joined(ends(cdf), "the last piece has no end", oo)
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


@dataclass(frozen=True, slots=True)
class SlopeInPredictor(Move):
    """Read properness off the slope ``F - q`` of the risk in x."""

    searched_by = "costderive.derivation.search.composite_losses:find_slope"

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
