"""The two losses of a rule, and their first two derivatives, as compiled functions of ``p``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integral

from costderive.numeric.exact import DIGITS, End, Evaluate, Exact, in_p_and_r, number
from costderive.numeric.function import Function, Segment, Stretch, segments
from costderive.numeric.table import Table, integral
from costderive.pairs import LossPair
from costderive.pieces import Pieces
from costderive.rule import Losses
from costderive.symbols import p, s

FACTOR = (
    p,
    1 - p,
)  # the loss of class y grows at the rate FACTOR[y] times the threshold weight, away from p = y


def compiled_loss(losses: Losses | LossPair, label: int) -> Function:
    """Compile the loss of class ``label``."""
    if isinstance(losses, LossPair):
        ends = [float(losses.values[k].loss(label)) for k in (0, -1)]
        return Function(_segments(_pair_stretches(losses, label)), *ends)
    found = [part for stretch in _stretches(losses, label) for part in segments(stretch)]
    worst = _worst(losses, label, found[label - 1].evaluate)
    return Function(tuple(found), *((0.0, worst) if label == 0 else (worst, 0.0)))


def compiled_slope(losses: Losses | LossPair, label: int) -> Function:
    """Compile the derivative of the loss of class ``label``: of a proper rule ``p w(p)``, or ``-(1 - p) w(p)``."""
    if isinstance(losses, LossPair):
        return _compiled(
            f"slope{label}", (losses.loss0, losses.loss1)[label], lambda loss: _derivative(loss, 1)
        )
    sign = 1 - 2 * label
    return _compiled(f"slope{label}", losses.weight.density, lambda w: sign * FACTOR[label] * w)


def compiled_curvature(losses: Losses | LossPair, label: int) -> Function:
    """Compile the second derivative: of a proper rule ``w + p w'``, or ``w - (1 - p) w'``; it may change sign."""
    if isinstance(losses, LossPair):
        return _compiled(
            f"curvature{label}", (losses.loss0, losses.loss1)[label], lambda x: _derivative(x, 2)
        )
    sign = 1 - 2 * label
    return _compiled(
        f"curvature{label}",
        losses.weight.density,
        lambda w: w + sign * FACTOR[label] * sympy.diff(w, p),
        size=True,
    )


def _compiled(name: str, weight: Pieces, write: Callable[[Expr], Expr], size: bool = False) -> Function:
    """Compile a function that is written in terms of the threshold weight, or of a loss."""
    parts: list[Stretch] = []
    for piece in weight:
        w = piece.value.subs(s, p)
        stretch = Stretch(name, End.of(piece.low, 1), End.of(piece.high, -1), write(w), w if size else None)
        parts.append(stretch)
    first, last = parts[0], parts[-1]
    ends = float(_exact(first.value).limit(first.low)), float(_exact(last.value).limit(last.high))
    return Function(_segments(parts), *ends)


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


def _pair_stretches(pair: LossPair, label: int) -> list[Stretch]:
    """Return the pieces of a loss that has no threshold weight."""
    found = []
    for piece in (pair.loss0, pair.loss1)[label]:
        value = _numbers_for_integrals(piece.value)
        stretch = Stretch(f"loss{label}", End.of(piece.low, 1), End.of(piece.high, -1), value)
        found.append(replace(stretch, growth=_own_growth(stretch, label)) if value.has(Integral) else stretch)
    return found


def _numbers_for_integrals(expr: Expr) -> Expr:
    return expr.replace(
        lambda node: isinstance(node, Integral) and not node.free_symbols, lambda node: node.evalf(DIGITS)
    )


def _derivative(loss: Expr, order: int) -> Expr:
    return _numbers_for_integrals(sympy.diff(loss, p, order))


def _own_growth(stretch: Stretch, label: int) -> Callable[[], tuple[Expr, End, Any]]:
    """Return the rate at which a loss grows away from the end of its class, that end, and its value there."""
    zero = stretch.low if label == 0 else stretch.high
    rate = (1 - 2 * label) * sympy.diff(stretch.value, p)
    return lambda: (rate, zero, number(stretch.value.subs(p, zero.at), DIGITS))


def _growth(losses: Losses, label: int, stretch: Stretch) -> Callable[[], tuple[Expr, End, Any]]:
    """Return what gives the rate of growth of a loss, the end it grows from, and its value there."""
    weight = losses.weight.density.piece_at(stretch.high.at).value.subs(s, p)
    zero = stretch.low if label == 0 else stretch.high
    return lambda: (FACTOR[label] * weight, zero, _total(losses, label, zero.at))


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
