"""The regions of a cost matrix: for each act the forecasts at which it costs least.

An act costs ``e_j(p) = sum_i p_i C_ij`` on average. The *excess* of another act is ``e_k - e_j``, which is linear in p;
it is not negative on the simplex if it is so at the vertices, in each class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.errors import ParametersLeftError
from costderive.core.piecewise import Given
from costderive.core.short_repr import short_repr
from costderive.multiclass.cost_matrix import Columns, CostMatrix, weighed
from costderive.multiclass.simplex_rule import ClassRule, Forecast, numbers
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Same


@dataclass(frozen=True, slots=True)
class ActRegion:
    """The forecasts at which an act costs least: those at which no act among the ``rivals`` costs less.

    For each other act with a region, in order, ``multipliers`` has one number for each rival: so many times the
    excesses of the rivals are at most the excess of the other act, in every class. ``inside`` are forecasts at which
    each of these acts costs more; they are empty if none was found, as the letters of the costs may decide it.
    """

    act: int
    rivals: tuple[int, ...]
    multipliers: tuple[tuple[Expr, ...], ...]
    inside: tuple[Forecast, ...]


@dataclass(frozen=True, slots=True)
class IdleAct:
    """An act that is never needed: acts with a region, in these ``shares``, cost no more on average in any class."""

    act: int
    shares: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ActLosses(ClassRule):
    """The loss ``C[i, a(p)]`` of the act that costs least at a forecast, the first of several."""

    matrix: CostMatrix
    regions: tuple[ActRegion, ...]
    idle: tuple[IdleAct, ...]

    __repr__ = short_repr

    @property
    def classes(self) -> int:
        """The number of classes, K."""
        return self.matrix.classes

    @property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free parameters, by name."""
        return self.matrix.parameters

    @property
    def chosen(self) -> tuple[int, ...]:
        """The acts that have a region."""
        return tuple(region.act for region in self.regions)

    def act(self, forecast: Iterable[Any]) -> int:
        """Return the act with the least expected cost at a forecast, the first of several.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a cost has letters.
        """
        return cheapest(self.matrix, numbers(forecast, self.classes))

    def at(self, forecast: Iterable[Any]) -> tuple[Expr, ...]:
        """Return the loss of each class, exactly.

        Raises:
            SpecError: if the forecast is not K numbers in [0, 1] that add up to one.
            ParametersLeftError: if a cost has letters.

        >>> from costderive.multiclass import CostMatrix, derive
        >>> derive(CostMatrix([[0, 1], [5, 0]], reject="1/2")).rule.at(("3/5", "2/5"))
        (1/2, 1/2)
        """
        return self.matrix.columns[self.act(forecast)]


def cheapest(matrix: CostMatrix, values: Forecast) -> int:
    """Return the first act of the least expected cost among those with known costs."""
    best, least = 0, weighed(matrix.columns[0], values)
    for act, column in enumerate(matrix.columns):
        cost = weighed(column, values)
        if (least - cost).free_symbols:
            raise ParametersLeftError(
                f"the acts 0 and {act} cost {least} and {cost}", "Build the matrix with numbers."
            )
        if (least - cost).is_positive:
            best, least = act, cost
    return best


def excess(columns: Columns, act: int, other: int) -> tuple[Expr, ...]:
    """Return what another act costs more than an act, in each class."""
    return tuple(b - a for a, b in zip(columns[act], columns[other], strict=True))


@dataclass(frozen=True, slots=True)
class CompareActs(Move):
    """Find the regions of the acts, and the acts that are never needed."""

    searched_by = "costderive.multiclass.search.act_regions:compare_acts"

    def claims(self, before: CostMatrix, after: ActLosses, given: Given) -> Iterator[Claim]:
        yield Same("the matrix is the one before", before, after.matrix)
        acts = (*after.chosen, *(idle.act for idle in after.idle))
        known = list(after.chosen) == sorted(after.chosen) and sorted(acts) == list(
            range(len(before.columns))
        )
        yield Same("each act has a region or is never needed", known and len(after.regions) > 0, True)
        if known:
            for region in after.regions:
                yield from _region_claims(before.columns, region, after.chosen)
            for idle in after.idle:
                yield from _idle_claims(before.columns, idle, after.chosen)


def _region_claims(columns: Columns, region: ActRegion, chosen: tuple[int, ...]) -> Iterator[Claim]:
    """No other act costs less where no rival does, and all of them cost more at the forecasts inside."""
    others = tuple(act for act in chosen if act != region.act)
    implied = tuple(act for act in others if act not in region.rivals)
    sizes = [len(region.rivals)] * len(implied)
    listed = region.rivals == tuple(act for act in others if act in region.rivals)
    known = listed and list(map(len, region.multipliers)) == sizes
    yield Same("the other acts have multipliers of the rivals", known, True)
    if known:
        for other, multipliers in zip(implied, region.multipliers, strict=True):
            yield from _implied_claims(columns, region, other, multipliers)
    for forecast in region.inside:
        yield from inside_claims(columns, region.act, others, forecast)


def _implied_claims(
    columns: Columns, region: ActRegion, other: int, multipliers: tuple[Expr, ...]
) -> Iterator[Claim]:
    for multiplier in multipliers:
        yield NonNegative("a multiplier is not negative", multiplier)
    rivals = [excess(columns, region.act, rival) for rival in region.rivals]
    for own, *theirs in zip(excess(columns, region.act, other), *rivals, strict=True):
        least = weighed(tuple(theirs), multipliers)
        yield NonNegative("the excess of another act is at least that of rivals", own - least)


def inside_claims(columns: Columns, act: int, others: tuple[int, ...], forecast: Forecast) -> Iterator[Claim]:
    """A forecast is inside the simplex, and other acts cost more there."""
    known = len(forecast) == len(columns[0])
    yield Same("a forecast has a probability for each class", known, True)
    for value in forecast:
        yield Positive("a probability is positive", value)
    yield Equal("probabilities add up to one", sympy.Add(*forecast), S.One)
    for other in others if known else ():
        more = weighed(excess(columns, act, other), forecast)
        yield Positive("inside a region, every other act costs more", more)


def _idle_claims(columns: Columns, idle: IdleAct, chosen: tuple[int, ...]) -> Iterator[Claim]:
    yield Same("every act with a region has a share", len(idle.shares), len(chosen))
    for share in idle.shares:
        yield NonNegative("a share is not negative", share)
    yield Equal("shares add up to one", sympy.Add(*idle.shares), S.One)
    costs = zip(columns[idle.act], *[columns[act] for act in chosen], strict=True)
    for cost, *others in costs if len(idle.shares) == len(chosen) else ():
        yield NonNegative("the shares cost no more", cost - weighed(tuple(others), idle.shares))
