"""From a threshold weight, an entropy or a link to losses; from proper losses to their entropy and link.

Source: Buja, Stuetzle and Shen (2005); Gneiting and Raftery (2007), Theorem 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Derivative, Expr, Rational

from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces
from costderive.core.symbols import p, q, s
from costderive.costs.expected_loss import NOTHING, WeightedLoss
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.any_losses import sign_claims
from costderive.derivation.moves.integrate_by_parts import ends
from costderive.derivation.moves.slices import covering
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Regular, Same, Tends
from costderive.rules.conclusions import Properness, Represented
from costderive.rules.given_by import GivenEntropy, GivenLink, GivenWeight
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses

HALF = Rational(1, 2)


def _whole(function: Pieces) -> Iterator[Claim]:
    """The pieces of a function cover [0, 1], and each has a length."""
    yield from covering(ends(function))
    for piece in function:
        yield Positive("a piece has a length", piece.high - piece.low)


def _weight_claims(weight: Measure, given: Given) -> Iterator[Claim]:
    """A measure on (0, 1): smooth pieces with the signs that it says, and positive atoms at breakpoints."""
    yield Same("the weight is a function of s", weight.density.variable, s)
    yield Same("each piece has a sign", len(weight.density.pieces), len(weight.signs))
    for piece, sign in zip(weight.density, weight.signs, strict=False):
        yield Regular("the weight is smooth on the piece", piece.value, weight.density.interval(piece))
        yield from sign_claims(piece, sign, given)
    places = [atom.at for atom in weight.atoms]
    yield Same("atoms sit at inner breakpoints", set(places) <= set(weight.density.breaks), True)
    yield Same("one atom at a place", len(places), len(set(places)))
    for atom in weight.atoms:
        yield Positive("the mass of an atom is positive", atom.mass)


@dataclass(frozen=True, slots=True)
class TakeWeight(Move):
    """Take a threshold weight as it is given: the expected loss is an integral against it."""

    searched_by = "costderive.derivation.search.given_functions:take_weight"

    def claims(self, before: GivenWeight, after: WeightedLoss, given: Given) -> Iterator[Claim]:
        yield from _whole(before.density)
        yield Same("the density is the one given", before.density, after.weight.density)
        yield Same("the atoms are the ones given", before.atoms, after.weight.atoms)
        yield Same("nothing was integrated", after.inner, ())
        yield Same("nothing is paid on one side alone", after.one_sided, NOTHING)
        yield from _weight_claims(after.weight, given)


@dataclass(frozen=True, slots=True)
class DifferentiateLink(Move):
    """Read the threshold weight off the canonical link: ``w`` is its slope, and it jumps by the atoms."""

    searched_by = "costderive.derivation.search.given_functions:differentiate_link"

    def claims(self, before: GivenLink, after: WeightedLoss, given: Given) -> Iterator[Claim]:
        yield Same("the link is a function of p", before.link.variable, p)
        yield from _whole(before.link)
        yield Same("nothing was integrated", after.inner, ())
        yield Same("the weight has the pieces of the link", ends(after.weight.density), ends(before.link))
        for piece, slope in zip(before.link, after.weight.density, strict=False):
            on = before.link.interval(piece)
            yield Regular("the link is smooth on the piece", piece.value, on)
            yield Equal("slope of the link", Derivative(piece.value, p), slope.value.subs(s, p), on)
        for left, right in pairwise(before.link):
            value = left.value.subs(p, left.high)
            mass = sympy.Add(*[atom.mass for atom in after.weight.atoms if atom.at == left.high])
            yield Tends("the link reaches its value from the left", left.value, p, left.high, "-", value)
            yield Tends("the link jumps by the atom", right.value, p, left.high, "+", value + mass)
        yield Same("nothing is paid on one side alone", after.one_sided, NOTHING)
        yield from _weight_claims(after.weight, given)


# ---- from an entropy


@dataclass(frozen=True, slots=True)
class TakeTangents(Move):
    """Take the losses of the tangents of an entropy: ``L0 = H - p H'`` and ``L1 = H + (1 - p) H'``."""

    searched_by = "costderive.derivation.search.given_functions:take_tangents"

    def claims(self, before: GivenEntropy, after: LossPair, given: Given) -> Iterator[Claim]:
        entropy = before.entropy
        yield Same("the entropy is a function of q", entropy.variable, q)
        yield from _whole(entropy)
        yield Same("the same is assumed", before.assumed, after.assumed)
        yield Same("the losses are functions of p", (after.loss0.variable, after.loss1.variable), (p, p))
        yield Same("loss 0 has the pieces of the entropy", ends(entropy), ends(after.loss0))
        yield Same("loss 1 has the pieces of the entropy", ends(entropy), ends(after.loss1))
        for piece, first, second in zip(entropy, after.loss0, after.loss1, strict=False):
            yield Regular("the entropy is smooth on the piece", piece.value, entropy.interval(piece))
            yield from _tangent_claims(piece.value.subs(q, p), first, second)
        for left, right in pairwise(entropy):
            value = left.value.subs(q, left.high)
            yield Tends("the entropy reaches its value from the left", left.value, q, left.high, "-", value)
            yield Tends("the entropy is continuous", right.value, q, left.high, "+", value)


def _tangent_claims(entropy: Expr, first: Piece, second: Piece) -> Iterator[Claim]:
    on, slope = Interval(p, first.low, first.high), Derivative(entropy, p)
    yield Equal("loss 0 is the tangent's value at 0", first.value, entropy - p * slope, on)
    yield Equal("loss 1 is the tangent's value at 1", second.value, entropy + (1 - p) * slope, on)


# ---- the entropy and the link of a proper rule


@dataclass(frozen=True, slots=True)
class Represent(Move):
    """Represent a proper rule by its entropy H and its link: ``L0 = H - p H'``, and ``-H''`` is the link's slope."""

    searched_by = "costderive.derivation.search.given_functions:represent"

    def claims(self, before: Properness, after: Represented, given: Given) -> Iterator[Claim]:
        losses = before.losses
        yield Same("the rule is the one before", before, after.proper)
        yield Same("the entropy is a function of q", after.entropy.variable, q)
        yield Same("the entropy has the pieces of the losses", ends(after.entropy), ends(losses.loss0))
        for piece, first, second in zip(after.entropy, losses.loss0, losses.loss1, strict=False):
            entropy, on = piece.value.subs(q, p), losses.loss0.interval(first)
            mixture = (1 - p) * first.value + p * second.value
            yield Equal("the entropy is the risk of the truth", entropy, mixture, on)
            yield from _tangent_claims(entropy, first, second)
        for piece, weight in zip(after.entropy, _weight(losses), strict=False):
            bend = -Derivative(piece.value.subs(q, p), (p, 2))
            yield Equal(
                "the entropy bends by the weight", bend, weight.value, Interval(p, piece.low, piece.high)
            )
        if after.link is not None:
            yield from _link_claims(losses, after.link, given)


def _weight(losses: Losses | LossPair) -> Pieces:
    """Return the density of the weight as a function of p: as it is known, or as the slope of a loss over p."""
    if isinstance(losses, Losses):
        return losses.weight.density.map(lambda value: value.subs(s, p))
    return losses.loss0.map(lambda value: Derivative(value, p) / p)


def _link_claims(losses: Losses | LossPair, link: Pieces, given: Given) -> Iterator[Claim]:
    """On each piece the link is the difference of the losses, less its value at 1/2: so it jumps by the atoms."""
    yield Same("the link is a function of p", link.variable, p)
    yield Same("the link has the pieces of the losses", ends(link), ends(losses.loss0))
    middle = _middle(link, given)
    yield Same("1/2 lies on a piece", middle is not None, True)
    if middle is None:
        return
    piece, first, second = (x.pieces[middle] for x in (link, losses.loss0, losses.loss1))
    yield Positive("1/2 lies above the low end of its piece", HALF - piece.low)
    yield NonNegative("1/2 lies below the high end of its piece", piece.high - HALF)
    constant = (first.value - second.value).subs(p, HALF)
    cells = zip(link, losses.loss0, losses.loss1, _weight(losses), strict=False)
    for piece, first, second, weight in cells:
        on, difference = link.interval(piece), first.value - second.value - constant
        yield Equal("the link is the difference of the losses, 0 at 1/2", piece.value, difference, on)
        yield Equal("the weight is the slope of the link", Derivative(piece.value, p), weight.value, on)


def _middle(link: Pieces, given: Given) -> int | None:
    """Return which piece holds 1/2."""
    for index, piece in enumerate(link):
        if positive(HALF - piece.low, None, given) and nonnegative(piece.high - HALF, None, given):
            return index
    return None
