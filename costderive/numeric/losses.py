"""The two losses of a rule, and their first two derivatives, as compiled functions of ``p``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integral

from costderive.numeric.closed import is_short
from costderive.numeric.exact import DIGITS, End, Exact, in_p_and_r, number, roots
from costderive.numeric.function import Function, Growth, Segment, Stretch, segments
from costderive.numeric.integral import integral
from costderive.numeric.points import Evaluate
from costderive.numeric.table import Table
from costderive.pieces import Pieces
from costderive.rule import Losses
from costderive.symbols import p, s

NAMES = {"p": "", "logit": "logit "}  # what goes before the name of a derivative
INNER = {"p": sympy.Integer(1), "logit": p * (1 - p)}  # the derivative of p in the variable
FACTOR = (
    p,
    1 - p,
)  # the loss of class y grows at the rate FACTOR[y] times the threshold weight, away from p = y


def compiled_loss(losses: Losses, label: int, in_lanes: bool = False) -> Function:
    """Compile the loss of class ``label``; ``in_lanes`` for a machine program, else for NumPy."""
    stretches = (replace(stretch, in_lanes=in_lanes) for stretch in _stretches(losses, label))
    found = [part for stretch in stretches for part in segments(stretch)]
    worst = _worst(losses, label, found[label - 1].evaluate)
    return Function(tuple(found), *((0.0, worst) if label == 0 else (worst, 0.0)))


def compiled_slope(losses: Losses, label: int, wrt: str) -> Function:
    """Compile the derivative of the loss of class ``label``: ``p w(p)`` or ``-(1 - p) w(p)``, in the logit times pr."""
    return _compiled(f"{NAMES[wrt]}slope{label}", losses.weight.density, lambda w: _slope(w, label, wrt))


def compiled_curvature(losses: Losses, label: int, wrt: str) -> Function:
    """Compile the second derivative: ``w + p w'``, or ``w - (1 - p) w'``; it may change sign."""
    return _compiled(
        f"{NAMES[wrt]}curvature{label}",
        losses.weight.density,
        lambda w: INNER[wrt] * sympy.diff(_slope(w, label, wrt), p),
    )


def _slope(w: Expr, label: int, wrt: str) -> Expr:
    return (1 - 2 * label) * FACTOR[label] * w * INNER[wrt]


def _compiled(name: str, weight: Pieces, write: Callable[[Expr], Expr]) -> Function:
    """Compile a function that is written in terms of the threshold weight, cut where it changes its sign."""
    parts: list[Stretch] = []
    for piece in weight:
        value = _cancelled(write(piece.value.subs(s, p)))
        edges = [piece.low, *roots(_exact(value), End.of(piece.low, 1), End.of(piece.high, -1)), piece.high]
        parts += [Stretch(name, End.of(low, 1), End.of(high, -1), value) for low, high in pairwise(edges)]
    first, last = parts[0], parts[-1]
    ends = float(_exact(first.value).limit(first.low)), float(_exact(last.value).limit(last.high))
    return Function(_segments(parts), *ends)


def _cancelled(expr: Expr) -> Expr:
    return sympy.factor(expr) if is_short(expr) else expr


def _segments(parts: list[Stretch]) -> tuple[Segment, ...]:
    return tuple(segment for part in parts if part.holds_doubles for segment in segments(part))


def _exact(expr: Expr) -> Exact:
    return Exact.of(in_p_and_r(expr))


def _stretches(losses: Losses, label: int) -> Iterator[Stretch]:
    """Yield the pieces of a loss; one that is an integral is cut at the breakpoints of the weight."""
    function = (losses.loss0, losses.loss1)[label]
    for piece in function:
        inner = [at for at in losses.weight.density.breaks if piece.low < at < piece.high]
        edges = [piece.low, *(inner if piece.value.has(Integral) else ()), piece.high]
        for low, high in pairwise(edges):
            stretch = Stretch(f"loss{label}", End.of(low, 1), End.of(high, -1), piece.value)
            if stretch.holds_doubles:
                yield replace(stretch, growth=_growth(losses, label, stretch))


def _growth(losses: Losses, label: int, stretch: Stretch) -> Growth:
    """Return how a loss grows on a stretch."""
    weight = losses.weight.density.piece_at(stretch.high.at).value.subs(s, p)
    zero = stretch.low if label == 0 else stretch.high
    return Growth(FACTOR[label] * weight, zero, lambda: _total(losses, label, zero.at))


def _total(losses: Losses, label: int, upto: Expr) -> Any:
    """Integrate the rate of growth from ``label`` to ``upto``, a breakpoint of the weight or the far end."""
    total: Any = sum(
        number((atom.at, 1 - atom.at)[label] * atom.mass, DIGITS)
        for atom in losses.weight.atoms
        if (atom.at <= upto if label == 0 else atom.at >= upto)
    )
    for piece in losses.weight.density:
        if piece.high <= upto if label == 0 else piece.low >= upto:
            stretch = Stretch("", End.of(piece.low, 1), End.of(piece.high, -1), piece.value)
            rate = _exact(FACTOR[label] * piece.value.subs(s, p))
            total += integral(rate, stretch.low, stretch.high, stretch.middle)
    return total


def _worst(losses: Losses, label: int, far: Evaluate) -> float:
    """Return the limit of a loss at the far end as a double, perhaps infinite; ``far`` computes it near there."""
    worst = (losses.worst0, losses.worst1)[label]
    if not worst.has(Integral):
        return float(worst) if worst.is_infinite else float(number(worst, DIGITS))
    return far.at_end if isinstance(far, Table) else float(_total(losses, label, sympy.Integer(1 - label)))
