"""A pair of losses that need not be proper: functions of ``p`` between breakpoints, and values at these.

The two losses share their breakpoints. A value at a breakpoint is whatever the rule says there: it need not be
a limit from either side, and at 0 and 1 it may be infinite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Given, Measure, Piece, Pieces
from costderive.core.short_repr import short_repr
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive


@dataclass(frozen=True, slots=True)
class Value:
    """The losses of the report ``at``."""

    at: Expr
    loss0: Expr
    loss1: Expr

    def loss(self, label: int) -> Expr:
        """Return the loss of class ``label``."""
        return (self.loss0, self.loss1)[label]

    def risk(self, belief: Expr) -> Expr:
        """Return ``(1 - q) loss0 + q loss1``, where a loss of probability 0 does not count."""
        if belief in (0, 1):
            return self.loss1 if belief == 1 else self.loss0
        return (1 - belief) * self.loss0 + belief * self.loss1


@dataclass(frozen=True, slots=True)
class LossPair:
    """Two losses by their pieces, with their values at 0, at each breakpoint and at 1, ascending.

    ``assumed`` are expressions in the parameters that are taken to be positive.
    """

    loss0: Pieces
    loss1: Pieces
    values: tuple[Value, ...]
    assumed: tuple[Expr, ...] = ()

    __repr__ = short_repr

    def given(self) -> Given:
        """Return the facts about the parameters."""
        return Given().also(positive=self.assumed)

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        exprs = [piece.value for loss in (self.loss0, self.loss1) for piece in loss]
        exprs += [expr for value in self.values for expr in (value.at, value.loss0, value.loss1)]
        found = set().union(*[expr.free_symbols for expr in (*exprs, *self.assumed)])
        return tuple(sorted(found - {self.loss0.variable}, key=str))

    @property
    def worst0(self) -> Expr:
        """The loss of the report 1 if the class is 0."""
        return self.values[-1].loss0

    @property
    def worst1(self) -> Expr:
        """The loss of the report 0 if the class is 1."""
        return self.values[0].loss1

    def at(self, point: Expr, given: Given = Given()) -> Value | None:
        """Return the losses of a report, or ``None`` if it is not decided where the report lies."""
        for value in self.values:
            if zero(point - value.at, None, given):
                return value
        for first, second in zip(self.loss0, self.loss1, strict=True):
            if inside(point, first, given):
                variable = self.loss0.variable
                return Value(point, first.value.subs(variable, point), second.value.subs(variable, point))
        return None

    def subs(self, values: Mapping[Symbol, Expr]) -> LossPair:
        """Return the pair at given parameter values, which leave the breakpoints in their order."""
        return LossPair(
            _pieces_at(self.loss0, values),
            _pieces_at(self.loss1, values),
            tuple(Value(*[x.subs(values) for x in (v.at, v.loss0, v.loss1)]) for v in self.values),
            tuple(fact.subs(values) for fact in self.assumed if not fact.subs(values).is_number),
        )

    def with_values(self, values: tuple[Value, ...]) -> LossPair:
        """Return the pair with other values at its breakpoints."""
        return replace(self, values=values)

    @property
    def from_the_left(self) -> bool:
        """Whether each value at an inner breakpoint is that of the piece on its left, as in ``Pieces``."""
        x = self.loss0.variable
        cells = list(zip(self.loss0, self.loss1, self.values[1:], strict=True))[:-1]
        return all(_has(a, x, value, 0) and _has(b, x, value, 1) for a, b, value in cells)

    def to_sympy(self, label: int) -> Expr:
        """Return a loss as one SymPy expression, with its values at breakpoints where they differ from its pieces."""
        loss, variable = (self.loss0, self.loss1)[label], self.loss0.variable
        branches: list[tuple[Expr, sympy.Basic]] = []
        has_value = False  # whether the piece before has the value at the low end
        for piece, low, high in zip(loss, self.values, self.values[1:], strict=False):
            if not (has_value or _has(piece, variable, low, label)):
                # of a positive symbol SymPy would say that it is not 0, and drop the branch
                branches.append((low.loss(label), sympy.Eq(variable, low.at, evaluate=False)))
            has_value = _has(piece, variable, high, label)
            branches.append((piece.value, variable <= high.at if has_value else variable < high.at))
        last = (branches.pop()[0] if has_value else self.values[-1].loss(label), sympy.true)
        evaluate = not any(isinstance(condition, sympy.Eq) for _, condition in branches)
        return sympy.Piecewise(*branches, last, evaluate=evaluate)


def _has(piece: Piece, variable: Symbol, value: Value, label: int) -> bool:
    """Return whether a piece, continued to one of its ends, has the value there; an infinite value is its limit."""
    loss, there = value.loss(label), piece.value.subs(variable, value.at)
    return bool(loss is sympy.oo or there == loss or zero(there - loss))


def inside(point: Expr, piece: Piece, given: Given) -> bool:
    """Return whether a point certainly lies inside a piece."""
    return bool(positive(point - piece.low, None, given) and positive(piece.high - point, None, given))


def _pieces_at(loss: Pieces, values: Mapping[Symbol, Expr]) -> Pieces:
    pieces = tuple(Piece(*[x.subs(values) for x in (y.low, y.high, y.value)]) for y in loss)
    return Pieces(loss.variable, pieces)


@dataclass(frozen=True, slots=True)
class Limits:
    """The one-sided limits of both losses at a breakpoint; at 0 and 1 there is one side only."""

    at: Expr
    left0: Expr | None
    right0: Expr | None
    left1: Expr | None
    right1: Expr | None

    @property
    def mass(self) -> Expr:
        """What both losses jump by together."""
        left0, right0, left1, right1 = (sympy.S.Zero if x is None else x for x in self._sides)
        return right0 - left0 + left1 - right1

    @property
    def _sides(self) -> tuple[Expr | None, ...]:
        return self.left0, self.right0, self.left1, self.right1


@dataclass(frozen=True, slots=True)
class WeighedPair:
    """A pair of losses with its threshold weight and its one-sided limits at 0, at the breakpoints and at 1."""

    pair: LossPair
    weight: Measure
    limits: tuple[Limits, ...]
