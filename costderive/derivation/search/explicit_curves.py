"""The losses of costs on curves with a formula for their parameter, integrated over that parameter."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.core.piecewise import Given, Interval, Piece
from costderive.core.symbols import s
from costderive.costs.expected_loss import Arc, ExpectedLoss, Strand, ThresholdIntegral, WeightedLoss
from costderive.deciders.signs import nonnegative
from costderive.derivation.integration.search import Deadline, antiderivative, proved
from costderive.derivation.moves.change_of_variables import rises
from costderive.derivation.moves.integrate_by_parts import IntegrateByParts
from costderive.derivation.search.antiderived import line_candidates
from costderive.derivation.search.integrate_by_parts import losses_from, when_sure
from costderive.proof.claims import Step

SECONDS = 10.0
LONG = 100  # operations


def curve_steps(steps: tuple[Step, ...], given: Given) -> tuple[Step, ...]:
    """Return a step from the weight to losses by antiderivatives in the parameters of curves, if all costs have one."""
    start, before = steps[0].after, steps[-1].after
    strands = [step.after for step in steps if isinstance(step.after, ThresholdIntegral)]
    if not (isinstance(start, ExpectedLoss) and isinstance(before, WeightedLoss) and start.arcs and strands):
        return ()
    deadline, arcs = Deadline.after(SECONDS), list(zip(start.arcs, strands[0].strands, strict=True))
    known0, known1 = (
        tuple(_on_piece(piece, number, arcs, given, deadline) for piece in before.weight.density)
        for number in (0, 1)
    )
    if None in known0 or None in known1:
        return ()
    losses = losses_from(before.weight, known0, known1, given, deadline)
    return (Step(IntegrateByParts(SECONDS), before, when_sure(losses, before, given)),)


def has_long_curves(steps: tuple[Step, ...]) -> bool:
    """Has the weight of curves a long formula, of which antiderivatives in the proportion are hardly found?"""
    start, before = steps[0].after, steps[-1].after
    if not (isinstance(start, ExpectedLoss) and isinstance(before, WeightedLoss) and start.arcs):
        return False
    return any(sympy.count_ops(piece.value) > LONG for piece in before.weight.density)


def _on_piece(
    piece: Piece, number: int, arcs: list[tuple[Arc, Strand]], given: Given, deadline: Deadline
) -> Expr | None:
    """Add up the antiderivatives of the arcs that reach over a piece of the weight, and of what else is there."""
    over = [(arc, strand) for arc, strand in arcs if _covers(strand.piece, piece, given)]
    found = [_along(arc, strand, number, given, deadline) for arc, strand in over]
    rest = sympy.together(piece.value - sympy.Add(*[strand.piece.value for _, strand in over]))
    if rest != 0:
        factor = 1 - s if number else s
        found.append(antiderivative(factor * rest, Interval(s, piece.low, piece.high), given, deadline))
    return None if None in found else sympy.Add(*found)


def _covers(whole: Piece, part: Piece, given: Given) -> bool:
    return bool(
        nonnegative(part.low - whole.low, None, given) and nonnegative(whole.high - part.high, None, given)
    )


def _along(arc: Arc, strand: Strand, number: int, given: Given, deadline: Deadline) -> Expr | None:
    """Return an antiderivative of a cost times the density, as a function of the proportion."""
    integrand = (arc.c0, arc.c1)[number] * arc.density
    on = Interval(arc.variable, arc.low, arc.high)
    for found in _primitives(integrand, on, given, deadline):
        if proved(found, integrand, on, given, deadline):
            rising = rises(strand.slope, Interval(s, strand.piece.low, strand.piece.high), given)
            return (found if rising else -found).subs(arc.variable, strand.inverse)
    return None


def _primitives(integrand: Expr, on: Interval, given: Given, deadline: Deadline) -> Iterator[Expr]:
    for candidate in line_candidates(integrand, on, given, deadline):
        found = candidate() if deadline.left else None
        if found is not None and not found.has(sympy.Integral, sympy.I, sympy.Piecewise):
            yield found
