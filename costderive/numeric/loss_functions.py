"""The two losses of a rule, and their first two derivatives, as compiled functions of ``p``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy
from sympy import Expr, Integral
from sympy.utilities.iterables import sift

from costderive.core.piecewise import Piece, Pieces
from costderive.core.symbols import p, s
from costderive.numeric.closed_form import Closed, is_short
from costderive.numeric.compile_stretch import segments, series
from costderive.numeric.constants import number
from costderive.numeric.end_tables import Table
from costderive.numeric.function import Function, Pair, Segment
from costderive.numeric.integral_losses import integral
from costderive.numeric.many_digits import DIGITS, End, Exact, Valued, in_p_and_r, roots
from costderive.numeric.panels import Panels, panels
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import FEW, Evaluate
from costderive.numeric.scaled import SLOW
from costderive.numeric.smooth_pieces import smooth
from costderive.numeric.stretch import Growth, Stretch
from costderive.numeric.weight_slopes import slope_of
from costderive.rules import Losses
from costderive.rules.loss_pair import LossPair

NAMES = {"p": "", "logit": "logit "}  # what goes before the name of a derivative
INNER = {"p": sympy.Integer(1), "logit": p * (1 - p)}  # the derivative of p in the variable
ROOM = 2.0  # ulp: a table that is certified to be within them leaves room for what panels round off
FACTOR = (
    p,
    1 - p,
)  # the loss of class y grows at the rate FACTOR[y] times the threshold weight, away from p = y


def compiled(
    losses: Losses | LossPair,
    label: int,
    order: int = 0,
    wrt: str = "p",
    in_lanes: bool = False,
    is_mirrored: bool = False,
    of_margin: bool = False,
    is_rough: bool = False,
) -> Function:
    """Compile the loss of class ``label``, or its derivative of the first or second order in ``p`` or the logit.

    Of a proper rule these are ``p w(p)`` or ``-(1 - p) w(p)``, and ``w + p w'`` or ``w - (1 - p) w'``, which may
    change its sign. ``in_lanes`` asks for what a machine program runs fast, rather than NumPy, ``of_margin`` for
    what takes p and ``1 - p`` that were both computed from a logit. Of losses that are ``mirrored`` a breakpoint
    belongs to the piece above it.
    """
    parts = stretches(losses, label, order, wrt, is_mirrored, is_rough)
    found = _segments(parts, in_lanes, of_margin)
    if order:
        first, last = parts[0], parts[-1]
        ends = float(_known(first).limit(first.low)), float(_known(last).limit(last.high))
        return Function(found, *ends)
    if isinstance(losses, LossPair):
        return Function(found, *(float(losses.values[k].loss(label)) for k in (0, -1)))
    worst = _worst(losses, label, found[label - 1].evaluate, is_rough)
    return Function(found, *((0.0, worst) if label == 0 else (worst, 0.0)))


def _known(stretch: Stretch) -> Valued:
    return stretch.sampled() if stretch.terms or stretch.is_rough else _exact(stretch.value)


def stretches(
    losses: Losses | LossPair,
    label: int,
    order: int,
    wrt: str,
    is_mirrored: bool = False,
    is_rough: bool = False,
) -> tuple[Stretch, ...]:
    """Return the intervals on which a loss, or a derivative of one, has one expression."""
    found = tuple(
        replace(part, is_rough=is_rough) for part in _stretches_of(losses, label, order, wrt, is_rough)
    )
    return tuple(map(Stretch.strict, found)) if is_mirrored else found


def _stretches_of(
    losses: Losses | LossPair, label: int, order: int, wrt: str, is_rough: bool
) -> tuple[Stretch, ...]:
    if order:
        name = f"{NAMES[wrt]}{('slope', 'curvature')[order - 1]}{label}"
        if isinstance(losses, Losses) and any(piece.value.has(Integral) for piece in losses.weight.density):
            return tuple(_multiples(losses, label, order, wrt, name))
        pieces = derivative(losses, label, order, wrt)
        return tuple(part for piece in pieces for part in _without_zeros(name, piece, piece.value))
    if isinstance(losses, LossPair):
        return tuple(_pair_stretches(losses, label))
    return tuple(_stretches(losses, label, is_rough))


def in_panels(
    losses: Losses | LossPair, pair: Pair, order: int, wrt: str, is_mirrored: bool = False
) -> Panels | None:
    """Return panels of what was compiled for both classes, if rows would be sorted, or read from tables.

    Second derivatives have none: they are called for least, and take longest to certify.
    """
    is_simple = sum(len(function.segments) for function in pair) <= FEW and not any(map(_has_table, pair))
    if is_simple or order == 2:
        return None
    tables = (
        tuple(_certified(function, stretches(losses, label, order, wrt, is_mirrored)))
        for label, function in enumerate(pair)
    )
    return panels((next(tables), next(tables)))


def _has_table(function: Function) -> bool:
    return any(isinstance(segment.evaluate, Table) for segment in function.segments)


def _certified(function: Function, parts: tuple[Stretch, ...]) -> Iterator[Segment]:
    """Yield certified tables of a function: its own, more where it has closed forms, and what these leave."""
    found = [segment for segment in function.segments if segment.part.bound is not None]
    forms = [segment.part for segment in function.segments if isinstance(segment.evaluate, Closed)]
    for stretch in parts:
        if any(stretch.low.floor <= part.low and part.high <= stretch.high.floor for part in forms):
            found += series(stretch)
    yield from found
    known = [
        segment.part for segment in found if segment.part.bound is not None and segment.part.bound <= ROOM
    ]
    for stretch in parts:
        for low, high in _gaps(stretch, known):
            yield from smooth(stretch, low, high)


def _gaps(stretch: Stretch, known: list[Part]) -> Iterator[tuple[float, float]]:
    """Yield the intervals of a stretch of which no part is known."""
    low, high = stretch.low.floor, stretch.high.floor
    inside = [part for part in known if low <= part.low and part.high <= high]
    for part in sorted(inside, key=lambda part: part.low):
        if low < part.low:
            yield low, part.low
        low = max(low, part.high)
    if low < high:
        yield low, high


def _slope(losses: Losses | LossPair, label: int, wrt: str) -> tuple[Pieces, Callable[[Expr], Expr]]:
    """Return the pieces that give the derivative of a loss, and how: the threshold weight, or the loss itself."""
    if isinstance(losses, LossPair):
        pieces = (losses.loss0, losses.loss1)[label]
        return pieces, lambda loss: INNER[wrt] * _numbers_for_integrals(sympy.diff(loss, p))
    factor = (1 - 2 * label) * FACTOR[label] * INNER[wrt]
    return losses.weight.density, lambda w: factor * w.subs(s, p)


def derivative(losses: Losses | LossPair, label: int, order: int, wrt: str) -> Pieces:
    """Return the first or second derivative of a loss in ``p`` or the logit, away from jumps."""
    pieces, slope = _slope(losses, label, wrt)

    def derived(value: Expr) -> Expr:
        first = slope(value)
        return _cancelled(first if order == 1 else INNER[wrt] * sympy.diff(first, p))

    return pieces.map(derived)


def _multiples(losses: Losses, label: int, order: int, wrt: str, name: str) -> Iterator[Stretch]:
    """Yield the pieces of a derivative of a loss of which the threshold weight is an integral."""
    factor = (1 - 2 * label) * FACTOR[label] * INNER[wrt]
    for piece in losses.weight.density:
        weight, ends = piece.value.subs(s, p), (End.of(piece.low, 1), End.of(piece.high, -1))
        own = sympy.factor(INNER[wrt] * sympy.diff(factor, p)), weight
        other = sympy.factor(INNER[wrt] * factor), slope_of(weight)
        terms = (own, other) if order == 2 else ((factor, weight),)
        yield Stretch(name, *ends, weight, terms=tuple(term for pair in terms for term in _apart(*pair)))


def _terms(factor: Expr, weight: Expr, is_rough: bool) -> tuple[tuple[Expr, Expr], ...]:
    """Return what of a rate of growth is sampled: its integrals, or all of a rough one."""
    return _apart(factor, weight) if weight.has(Integral) else ((factor, weight),) if is_rough else ()


def _apart(factor: Expr, total: Expr) -> tuple[tuple[Expr, Expr], ...]:
    """Return the integrals of a sum and its closed terms, which may cancel, as a factor of 1."""
    integrals, closed = sift(sympy.Add.make_args(total), lambda term: term.has(Integral), binary=True)
    found = ((factor, sympy.Add(*integrals)), (factor * sympy.Add(*closed), sympy.S.One))
    return tuple(pair for pair in found if 0 not in pair)


def _without_zeros(name: str, piece: Piece, value: Expr) -> list[Stretch]:
    """Cut a piece where a function changes its sign."""
    edges = [piece.low, *roots(_exact(value), End.of(piece.low, 1), End.of(piece.high, -1)), piece.high]
    return [Stretch(name, End.of(low, 1), End.of(high, -1), value) for low, high in pairwise(edges)]


def _cancelled(expr: Expr) -> Expr:
    """Factor an expression; of one with exponentials and the like, what goes with each product of them."""
    if expr.has(sympy.exp, sympy.erf, *SLOW):
        return _gathered(expr)
    return sympy.factor(expr) if is_short(expr) else expr


def _gathered(expr: Expr) -> Expr:
    """Write a polynomial in functions with rational coefficients as one with factored coefficients."""
    names = {node: sympy.Dummy() for node in expr.atoms(sympy.exp, sympy.Function)}
    try:
        found = sympy.Poly(expr.xreplace(names), *names.values(), domain=sympy.QQ.frac_field(p))
    except (sympy.PolynomialError, sympy.polys.polyerrors.CoercionFailed):
        return expr
    terms = (
        sympy.factor(factor) * sympy.Mul(*(node**power for node, power in zip(names, powers, strict=True)))
        for powers, factor in found.terms()
    )
    return sympy.Add(*terms)


def _segments(
    parts: Iterable[Stretch], in_lanes: bool = False, of_margin: bool = False
) -> tuple[Segment, ...]:
    whole = (replace(part, in_lanes=in_lanes, of_margin=of_margin) for part in parts if part.holds_doubles)
    return tuple(segment.judged(part) for part in whole for segment in segments(part))


def _exact(expr: Expr) -> Exact:
    return Exact.of(in_p_and_r(expr))


def _stretches(losses: Losses, label: int, is_rough: bool) -> Iterator[Stretch]:
    """Yield the pieces of a loss; one that is integrated is cut at the breakpoints of the weight.

    A rough one is so too: both losses have the same weight, which does not cancel.
    """
    function = (losses.loss0, losses.loss1)[label]
    for piece in function:
        is_grown = piece.value.has(Integral) or (is_rough and not piece.value.is_rational_function(p))
        inner = [at for at in losses.weight.density.breaks if piece.low < at < piece.high]
        edges = [piece.low, *(inner if is_grown else ()), piece.high]
        for low, high in pairwise(edges):
            stretch = Stretch(f"loss{label}", End.of(low, 1), End.of(high, -1), piece.value)
            grown = replace(stretch, growth=_growth(losses, label, stretch))
            weight = losses.weight.density.piece_at(grown.high.at).value.subs(s, p)
            if is_grown:
                grown = replace(grown, terms=_terms(FACTOR[label], weight, is_rough))
            yield grown


def _pair_stretches(pair: LossPair, label: int) -> Iterator[Stretch]:
    """Yield the pieces of a loss that has no threshold weight."""
    name = f"loss{label}"
    for piece in (pair.loss0, pair.loss1)[label]:
        value = _numbers_for_integrals(piece.value)
        if value.has(Integral):
            stretch = Stretch(name, End.of(piece.low, 1), End.of(piece.high, -1), value)
            growth = _own_growth(stretch, label)
            terms = _apart(sympy.S.One, growth.rate) if growth.rate.has(Integral) else ()
            yield replace(stretch, growth=growth, terms=terms)
        else:
            yield from _without_zeros(name, piece, value)


def _numbers_for_integrals(expr: Expr) -> Expr:
    return expr.replace(
        lambda node: isinstance(node, Integral) and not node.free_symbols, lambda node: node.evalf(DIGITS)
    )


def _own_growth(stretch: Stretch, label: int) -> Growth:
    """Return how a loss grows away from the end of its class."""
    zero = stretch.low if label == 0 else stretch.high
    rate = (1 - 2 * label) * sympy.diff(stretch.value, p)
    return Growth(rate, zero, lambda _: number(stretch.value.subs(p, zero.at), DIGITS))


def _growth(losses: Losses, label: int, stretch: Stretch) -> Growth:
    """Return how a loss grows on a stretch."""
    weight = losses.weight.density.piece_at(stretch.high.at).value.subs(s, p)
    zero = stretch.low if label == 0 else stretch.high
    return Growth(FACTOR[label] * weight, zero, lambda is_rough: _total(losses, label, zero.at, is_rough))


def _total(losses: Losses, label: int, upto: Expr, is_rough: bool) -> Any:
    """Integrate the rate of growth from ``label`` to ``upto``, a breakpoint of the weight or the far end."""
    total: Any = sum(
        number((atom.at, 1 - atom.at)[label] * atom.mass, DIGITS)
        for atom in losses.weight.atoms
        if (atom.at <= upto if label == 0 else atom.at >= upto)
    )
    for piece in losses.weight.density:
        if piece.high <= upto if label == 0 else piece.low >= upto:
            stretch = Stretch("", End.of(piece.low, 1), End.of(piece.high, -1), piece.value)
            weight = piece.value.subs(s, p)
            terms = _terms(FACTOR[label], weight, is_rough)
            growth = _growth(losses, label, stretch)
            rate = _known(
                replace(stretch, value=FACTOR[label] * weight, terms=terms, is_rough=is_rough, growth=growth)
            )
            total += integral(rate, stretch.low, stretch.high, stretch.middle)
    return total


def _worst(losses: Losses, label: int, far: Evaluate, is_rough: bool) -> float:
    """Return the limit of a loss at the far end as a double, perhaps infinite; ``far`` computes it near there."""
    worst = (losses.worst0, losses.worst1)[label]
    if not worst.has(Integral):
        return float(worst) if worst.is_infinite else float(number(worst, DIGITS))
    return (
        far.at_end
        if isinstance(far, Table)
        else float(_total(losses, label, sympy.Integer(1 - label), is_rough))
    )
