"""Losses as functions of a link ``x = g(p)``: their slopes and curvatures, whether they are convex, and the inverse.

Source: Buja, Stuetzle and Shen (2005); Reid and Williamson (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces
from costderive.core.symbols import p
from costderive.core.time_limit import within
from costderive.deciders.enclosure import sample
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.signs import nonnegative, positive
from costderive.proof.claims import Verdict
from costderive.rules.comparison import simplified
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses
from costderive.rules.representation import shorter

SECONDS = 5.0
UNSEEN = "that the weight is not negative is not seen as it stands; see check(rule.derivation)"
eta = Symbol("eta", real=True)  # a value of a link


@dataclass(frozen=True, slots=True)
class Convexity:
    """Whether both losses are convex functions of a link; refuted or open, ``evidence`` says where it fails."""

    verdict: Verdict
    evidence: str = ""

    def __bool__(self) -> bool:
        return self.verdict is Verdict.PROVED


@dataclass(frozen=True, slots=True)
class LinkedLosses:
    """The losses as functions of ``x = g(p)``, all written in p; ``slopes`` and ``curvatures`` are in x.

    ``dL/dx = L'(p)/g'(p)``, and the same again. In the canonical link the slopes are ``p`` and ``p - 1`` and both
    curvatures are ``1/w(p)``.
    """

    link: Expr
    losses: tuple[Expr, Expr]
    slopes: tuple[Expr, Expr]
    curvatures: tuple[Expr, Expr]
    convexity: Convexity


def in_canonical_link(losses: tuple[Expr, Expr], link: Pieces, weight: Measure, given: Given) -> LinkedLosses:
    """Return the losses in their canonical link, in which they are convex if the threshold weight is not negative.

    The slopes p and p - 1 rise with the link, since its own slope is the weight.
    """
    density = weight.density
    unseen = [x for x in density if not nonnegative(x.value, density.interval(x), given)]
    masses = [atom for atom in weight.atoms if not nonnegative(atom.mass, None, given)]
    seen = not unseen and not masses
    convexity = Convexity(Verdict.PROVED) if seen else Convexity(Verdict.OPEN, UNSEEN)
    bend = 1 / density.to_sympy().subs(density.variable, p)
    return LinkedLosses(link.to_sympy(), losses, (p, p - 1), (bend, bend), convexity)


def in_link(losses: Losses | LossPair, link: Expr, given: Given) -> LinkedLosses:
    """Return the losses in a smooth link that rises on (0, 1)."""
    speed = sympy.diff(link, p)
    functions = (losses.loss0, losses.loss1)
    slopes = [loss.map(lambda value: shorter(sympy.diff(value, p) / speed, p, given)) for loss in functions]
    bends = [loss.map(lambda value: shorter(sympy.diff(value, p) / speed, p, given)) for loss in slopes]
    convexity = _convexity(functions, (slopes[0], slopes[1]), (bends[0], bends[1]), given)
    expressions = [(pair[0].to_sympy(), pair[1].to_sympy()) for pair in (functions, slopes, bends)]
    return LinkedLosses(link, expressions[0], expressions[1], expressions[2], convexity)


Pair = tuple[Pieces, Pieces]


def _convexity(losses: Pair, slopes: Pair, bends: Pair, given: Given) -> Convexity:
    """A loss is convex if it bends upwards on each piece, is continuous, and its slope does not fall at a break."""
    decided = [
        answer
        for label in (0, 1)
        for answer in (
            *_bends(bends[label], label, given),
            *_joints(losses[label], slopes[label], label, given),
        )
    ]
    return min(decided, key=lambda answer: answer.verdict)


def _bends(bends: Pieces, label: int, given: Given) -> Iterator[Convexity]:
    for piece in bends:
        on = bends.interval(piece)
        if nonnegative(piece.value, on, given):
            yield Convexity(Verdict.PROVED)
            continue
        below = [found for found in sample(piece.value, on, given) if found.high < 0]
        where = ", ".join(f"{name} = {value}" for name, value in below[0].point) if below else ""
        yield _refuted(f"loss {label} is concave at {where}") if below else _open(f"loss {label}", piece)


def _joints(loss: Pieces, slope: Pieces, label: int, given: Given) -> Iterator[Convexity]:
    neighbours = pairwise(zip(loss, slope, strict=True))
    for (left, left_slope), (right, right_slope) in neighbours:
        jump, kink = (
            _gap(one, two, left.high, given) for one, two in ((left, right), (left_slope, right_slope))
        )
        if jump is None or kink is None:
            yield _open(f"loss {label}", left)
        elif not zero(jump, None, given):
            jumps = positive(jump, None, given) or positive(-jump, None, given)
            yield (
                _refuted(f"loss {label} jumps at p = {left.high}") if jumps else _open(f"loss {label}", left)
            )
        elif nonnegative(kink, None, given):
            yield Convexity(Verdict.PROVED)
        else:
            falls = positive(-kink, None, given)
            problem = f"the slope of loss {label} falls at p = {left.high}"
            yield _refuted(problem) if falls else _open(f"loss {label}", left)


def _gap(left: Piece, right: Piece, at: Expr, given: Given) -> Expr | None:
    ends = [
        value_at(piece.value, Approach(p, at, side), given) for piece, side in ((left, "-"), (right, "+"))
    ]
    return None if ends[0] is None or ends[1] is None else ends[1] - ends[0]


def _refuted(evidence: str) -> Convexity:
    return Convexity(Verdict.REFUTED, evidence)


def _open(name: str, piece: Piece) -> Convexity:
    return Convexity(Verdict.OPEN, f"{name} on ({piece.low}, {piece.high}) is not decided")


# ---- the inverse


def inverse_of(link: Pieces, given: Given) -> Expr | None:
    """Return p as a function of ``eta = link(p)``, or ``None`` if no closed form was found and proved.

    Values that a link jumps over belong to the breakpoint; of reports with one link value, the least is returned.
    """
    branches: list[tuple[Expr, Expr]] = []
    for piece in link:
        low, high = (piece.value.subs(p, end) for end in (piece.low, piece.high))
        inverse = _inverse(piece, link.interval(piece), given) if piece.value.has(p) else piece.low
        if inverse is None:
            return None
        branches += [(inverse, high)] if piece.low == 0 else [(piece.low, low), (inverse, high)]
    return sympy.Piecewise(*[(value, eta <= end) for value, end in branches[:-1]], (branches[-1][0], True))


def _inverse(piece: Piece, on: Interval, given: Given) -> Expr | None:
    """Keep a candidate only if it is proved to undo the link on the whole piece."""
    try:
        candidates = within(SECONDS, sympy.solve, piece.value - eta, p)
    except Exception:  # SymPy may fail in any way on an equation, and then it has no solution
        return None
    for candidate in map(simplified, candidates):
        if candidate.free_symbols and zero(
            _with_short_roots(candidate.subs(eta, piece.value)) - p, on, given
        ):
            return candidate
    return None


def _with_short_roots(expr: Expr) -> Expr:
    """Write what is under each root as a product: the same function, in which equal radicals look equal."""
    return expr.replace(
        lambda node: isinstance(node, sympy.Pow) and node.exp.is_Rational and not node.exp.is_Integer,
        lambda node: sympy.factor(sympy.together(node.base)) ** node.exp,
    )
