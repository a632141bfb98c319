"""Sums and positive multiples of losses, and the common pieces of several functions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import sympy
from sympy import Expr

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Atom, Given, Measure, Piece, Pieces, Sign
from costderive.deciders.identities import zero
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.signs import nonnegative
from costderive.rules.loss_pair import LossPair, Value
from costderive.rules.losses import Losses
from costderive.rules.representation import shorter

ZERO, ONE = sympy.S.Zero, sympy.S.One


class Cell(NamedTuple):
    """An interval without breakpoints of several functions, and which piece of each of them it belongs to."""

    low: Expr
    high: Expr
    indices: tuple[int, ...]


def cells(functions: tuple[Pieces, ...], given: Given) -> list[Cell]:
    """Return the intervals between neighbouring breakpoints of any of the functions on [0, 1].

    Raises:
        ParametersLeftError: if the order of the breakpoints depends on the parameters.
    """
    ends = [ZERO, *[x for function in functions for x in function.breaks], ONE]
    try:
        ordered = ascending(list(dict.fromkeys(ends)), given)
    except Undecided as unknown:
        problem = f"the order of the breakpoints of two rules depends on {unknown.fact}"
        remedy = "Give the parameters numbers with rule.at(...) before combining rules."
        raise ParametersLeftError(problem, remedy) from None
    return [
        Cell(low, high, tuple(_index(function, low, high, given) for function in functions))
        for low, high in pairwise(ordered)
    ]


def _index(function: Pieces, low: Expr, high: Expr, given: Given) -> int:
    return next(
        index
        for index, piece in enumerate(function)
        if nonnegative(low - piece.low, None, given) and nonnegative(piece.high - high, None, given)
    )


def values(functions: tuple[Pieces, ...], cell: Cell) -> tuple[Expr, ...]:
    """Return the expression of each function on a cell."""
    chosen = zip(functions, cell.indices, strict=True)
    return tuple(function.pieces[index].value for function, index in chosen)


def aligned(losses: Losses, given: Given) -> Losses:
    """Return losses and their weight cut at the breakpoints of each other."""
    functions = (losses.loss0, losses.loss1, losses.weight.density)
    found = cells(functions, given)
    columns = [[Piece(c.low, c.high, x) for c in found for x in [values(functions, c)[k]]] for k in range(3)]
    loss0, loss1, density = (
        Pieces(function.variable, tuple(column)) for function, column in zip(functions, columns, strict=True)
    )
    signs = tuple(losses.weight.signs[cell.indices[2]] for cell in found)
    weight = Measure(density, signs, losses.weight.atoms)
    return replace(losses, loss0=loss0, loss1=loss1, weight=weight)


# ---- multiples


def scaled(losses: Losses | LossPair, factor: Expr, given: Given) -> Losses | LossPair:
    """Return a positive multiple of both losses."""
    first, second = (_scaled(loss, factor, given) for loss in (losses.loss0, losses.loss1))
    if isinstance(losses, LossPair):
        values = tuple(Value(x.at, factor * x.loss0, factor * x.loss1) for x in losses.values)
        return LossPair(first, second, values, losses.assumed)
    weight = scaled_measure(losses.weight, factor, given)
    worst0, worst1, *one_sided = (
        factor * value for value in (losses.worst0, losses.worst1, *losses.one_sided)
    )
    return Losses(first, second, weight, worst0, worst1, (one_sided[0], one_sided[1]))


def scaled_measure(weight: Measure, factor: Expr, given: Given) -> Measure:
    """Return a positive multiple of a threshold weight."""
    atoms = tuple(Atom(atom.at, factor * atom.mass) for atom in weight.atoms)
    return Measure(_scaled(weight.density, factor, given), weight.signs, atoms)


def _scaled(function: Pieces, factor: Expr, given: Given) -> Pieces:
    return function.map(lambda value: shorter(factor * value, function.variable, given))


# ---- sums


def summed(first: Losses | LossPair, second: Losses | LossPair, given: Given) -> Losses | LossPair:
    """Return the sum of two pairs of losses; that of two mixtures over thresholds is one."""
    if isinstance(first, LossPair) or isinstance(second, LossPair):
        return _summed_pairs(as_pair(first), as_pair(second), given)
    weight = summed_measures(first.weight, second.weight, given)
    worst = first.worst0 + second.worst0, first.worst1 + second.worst1
    loss0, loss1 = (
        _sum(functions, given, weight.density)
        for functions in ((first.loss0, second.loss0), (first.loss1, second.loss1))
    )
    one_sided = tuple(a + b for a, b in zip(first.one_sided, second.one_sided, strict=True))
    return Losses(loss0, loss1, weight, *worst, (one_sided[0], one_sided[1]))


def _summed_pairs(first: LossPair, second: LossPair, given: Given) -> LossPair:
    every = (first.loss0, second.loss0)
    loss0, loss1 = _sum(every, given), _sum((first.loss1, second.loss1), given)
    places = (ZERO, *[piece.high for piece in loss0])
    at_places = [(x, first.at(x, given), second.at(x, given)) for x in places]
    sums = tuple(
        Value(x, one.loss0 + two.loss0, one.loss1 + two.loss1) for x, one, two in at_places if one and two
    )
    assumed = Given().also(positive=first.assumed).also(positive=second.assumed).positive
    return LossPair(loss0, loss1, sums, assumed)


def _sum(functions: tuple[Pieces, ...], given: Given, cut: Pieces | None = None) -> Pieces:
    """Add functions up, cut at their breakpoints and at those of one more."""
    variable = functions[0].variable
    found = cells(functions if cut is None else (*functions, cut), given)
    return Pieces(
        variable,
        tuple(
            Piece(cell.low, cell.high, shorter(_added(functions, cell), variable, given)) for cell in found
        ),
    )


def _added(functions: tuple[Pieces, ...], cell: Cell) -> Expr:
    return sympy.Add(*values(functions, cell._replace(indices=cell.indices[: len(functions)])))


def summed_measures(first: Measure, second: Measure, given: Given) -> Measure:
    """Return the sum of two threshold weights, with a breakpoint at each atom of either."""
    densities = (first.density, second.density)
    signs = tuple(
        _sign({first.signs[cell.indices[0]], second.signs[cell.indices[1]]})
        for cell in cells(densities, given)
    )
    return Measure(_sum(densities, given), signs, _atoms(first, second, given))


def _sign(signs: set[Sign]) -> Sign:
    if Sign.POSITIVE in signs:
        return Sign.POSITIVE
    return Sign.ZERO if signs == {Sign.ZERO} else Sign.NONNEGATIVE


def _atoms(first: Measure, second: Measure, given: Given) -> tuple[Atom, ...]:
    places = ascending([atom.at for atom in (*first.atoms, *second.atoms)], given)
    return tuple(Atom(at, mass_at(first, at, given) + mass_at(second, at, given)) for at in places)


def mass_at(weight: Measure, at: Expr, given: Given) -> Expr:
    """Return the mass of a threshold weight at one point."""
    return sympy.Add(*[atom.mass for atom in weight.atoms if zero(atom.at - at, None, given)])


def as_pair(losses: Losses | LossPair) -> LossPair:
    """Return losses as a pair, each value at a breakpoint that of the piece on its left."""
    if isinstance(losses, LossPair):
        return losses
    ends = Value(ZERO, ZERO, losses.worst1), Value(ONE, losses.worst0, ZERO)
    return from_the_left(losses.loss0, losses.loss1, *ends)


def from_the_left(loss0: Pieces, loss1: Pieces, first: Value, last: Value) -> LossPair:
    """Return a pair with given values at 0 and 1, and at each breakpoint the value of the piece on its left."""
    x = loss0.variable
    joints = list(zip(loss0, loss1, strict=True))[:-1]
    inner = [Value(a.high, a.value.subs(x, a.high), b.value.subs(x, a.high)) for a, b in joints]
    return LossPair(loss0, loss1, (first, *inner, last))
