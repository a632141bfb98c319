"""The search for the regions of acts by linear programs, whose solutions certify them, and the derivation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import sympy
from sympy import Expr, Rational, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.deciders.signs import nonnegative, positive
from costderive.multiclass.act_regions import ActLosses, ActRegion, CompareActs, IdleAct, excess
from costderive.multiclass.cost_matrix import Columns, CostMatrix, weighed
from costderive.multiclass.search.linear_programs import best_cover
from costderive.multiclass.simplex_rule import Forecast

LARGEST = 1024  # costs in a matrix whose regions are found
PRUNED = 256  # costs in a matrix whose regions are described by the fewest rivals
HALVINGS = 40
Acts = tuple[int, ...]


def compare_acts(move: CompareActs, before: CostMatrix, given: Given) -> ActLosses:
    """Leave out the acts that are never needed, the last ones first, and bound the regions of the others."""
    columns = before.columns
    if len(columns) * before.classes > LARGEST:
        raise SpecError(
            f"the matrix has {len(columns) * before.classes} costs, above {LARGEST}",
            "Score it without its regions: costderive.multiclass.compile(matrix).",
        )
    search = _Search(columns, given)
    chosen = search.chosen()
    idle = [act for act in range(len(columns)) if act not in chosen]
    shares = [search.shares(act, chosen) for act in idle]
    return ActLosses(
        before,
        tuple(search.region(act, chosen) for act in chosen),
        tuple(IdleAct(act, found) for act, found in zip(idle, shares, strict=True) if found is not None),
    )


class _Search:
    """Linear programs at one value of the letters; what they find counts if it is decided for all values."""

    def __init__(self, columns: Columns, given: Given) -> None:
        self._columns, self._given = columns, given
        self._numbers = [[fraction(cost) for cost in column] for column in columns]

    def chosen(self) -> Acts:
        """Return the acts of which no others are known to cost no more."""
        left = tuple(range(len(self._columns)))
        for act in reversed(left):
            others = tuple(other for other in left if other != act)
            if others and self.shares(act, others) is not None:
                left = others
        return left

    def shares(self, act: int, others: Acts) -> tuple[Expr, ...] | None:
        """Return shares of other acts that cost no more than an act, if there are any."""
        found = best_cover(self._excesses(act, others), [Fraction(0)] * self._classes, total=True)
        shares = rationals(found.shares)
        costs = zip(*[excess(self._columns, other, act) for other in others], strict=True)
        proved = found.slack >= 0 and self._all_at_least_0(weighed(cost, shares) for cost in costs)
        return shares if proved else None

    def region(self, act: int, chosen: Acts) -> ActRegion:
        """Return the region of an act among others."""
        others = tuple(other for other in chosen if other != act)
        rivals, multipliers = self._rivals(act, others)
        points = (
            point
            for point in self._points(act, others)
            if is_inside(self._columns, point, act, others, self._given)
        )
        first = next(points, None)
        inside = tuple(point for point in (first, next(points, None)) if point is not None)
        return ActRegion(act, rivals, multipliers, inside)

    def _rivals(self, act: int, others: Acts) -> tuple[Acts, tuple[tuple[Expr, ...], ...]]:
        """Return the others without those whose excess is not negative where those of the rest are not."""
        rivals = others
        if len(self._columns) * self._classes <= PRUNED:
            for other in others:
                rest = tuple(rival for rival in rivals if rival != other)
                rivals = rivals if self._multipliers(act, other, rest) is None else rest
        implied = [other for other in others if other not in rivals]
        found = [self._multipliers(act, other, rivals) for other in implied]
        return (others, ()) if None in found else (rivals, tuple(one for one in found if one is not None))

    def _multipliers(self, act: int, other: int, rivals: Acts) -> tuple[Expr, ...] | None:
        bound = self._excesses(act, (other,))[0]
        found = best_cover(self._excesses(act, rivals), bound, total=False)
        multipliers = rationals(found.shares)
        excesses = [excess(self._columns, act, rival) for rival in rivals]
        gaps = (
            own - weighed(tuple(theirs), multipliers)
            for own, *theirs in zip(excess(self._columns, act, other), *excesses, strict=True)
        )
        return multipliers if found.slack >= 0 and self._all_at_least_0(gaps) else None

    def _points(self, act: int, others: Acts) -> Iterator[Forecast]:
        """Yield forecasts that may be inside: near the best one by a linear program, or near a class of its own."""
        even = Rational(1, self._classes)
        if others:
            costs = [Fraction(0)] * self._classes
            best = rationals(best_cover(self._excesses(act, others), costs, total=True).prices)
        else:
            best = (S.One, *[S.Zero] * (self._classes - 1))
        for n in range(1, HALVINGS):
            yield tuple((1 - Rational(1, 2**n)) * p + Rational(1, 2**n) * even for p in best)
        if act < self._classes:
            yield from self._near_class(act, others)

    def _near_class(self, act: int, others: Acts) -> Iterator[Forecast]:
        """Give the class of an act as many times the probability of each other class as its letters need."""
        gaps = [excess(self._columns, act, other) for other in others]
        if any(positive(gap[act], None, self._given) is None for gap in gaps):
            return
        elsewhere = [
            self._columns[act][i] / gap[act] for gap in gaps for i in range(self._classes) if i != act
        ]
        for extra in (1, 2):
            times = sympy.Add(*dict.fromkeys(elsewhere)) * self._classes + extra
            whole = times + self._classes - 1
            yield tuple((times if label == act else S.One) / whole for label in range(self._classes))

    def _excesses(self, act: int, others: Acts) -> list[list[Fraction]]:
        own = self._numbers[act]
        return [[b - a for a, b in zip(own, self._numbers[other], strict=True)] for other in others]

    def _all_at_least_0(self, exprs: Iterator[Expr]) -> bool:
        return all(nonnegative(expr, None, self._given) for expr in exprs)

    @property
    def _classes(self) -> int:
        return len(self._columns[0])


def is_inside(columns: Columns, point: Forecast, act: int, others: Acts, given: Given) -> bool:
    """Return whether others are known to cost more than an act at a forecast, whose probabilities are positive."""
    excesses = (weighed(excess(columns, act, other), point) for other in others)
    return all(positive(expr, None, given) for expr in (*point, *excesses))


def fraction(cost: Expr) -> Fraction:
    """Return a cost, with 1 for each letter: as it is if rational, else to the digits of a double."""
    number = cost.subs(dict.fromkeys(cost.free_symbols, S.One))
    return Fraction(int(number.p), int(number.q)) if number.is_Rational else Fraction(float(number))


def rationals(fractions: Sequence[Fraction]) -> tuple[Expr, ...]:
    """Return fractions as numbers of SymPy."""
    return tuple(Rational(value.numerator, value.denominator) for value in fractions)
