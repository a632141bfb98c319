"""Strictness of the rule of a matrix with uncertain letters: what decides it, and why.

The letters are independent. A value in the *support* of each is one with a probability, or inside an interval where the
density is positive: then values of all letters together that are as close to it as one likes have a positive
probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.piecewise import Interval
from costderive.costs.laws import x
from costderive.multiclass.cost_matrix import CostMatrix, weighed
from costderive.multiclass.simplex_rule import Forecast
from costderive.multiclass.stages import Distribution
from costderive.proof.claims import Claim, Equal, NonNegative, Positive, Regular, Same, Tends

CURVE = Interval(x, S.Zero, S.Infinity)


@dataclass(frozen=True, slots=True)
class SharedAct:
    """Two forecasts at which one act costs least, whatever the letters are: all losses are the same."""

    act: int
    forecasts: tuple[Forecast, ...]


@dataclass(frozen=True, slots=True)
class MovingThreshold:
    """Values of the letters for all ``x > 0``, at which two acts part at a threshold that moves from 0 to 1.

    The first act costs less for class 0, the second for class 1; at the threshold, all others cost more. Each letter is
    between the ends of ``regions`` of its law, from the first to the last, or has a value with a probability.
    """

    acts: tuple[int, int]
    values: tuple[Expr, ...]
    regions: tuple[tuple[int, int], ...]

    def gains(self, matrix: CostMatrix) -> tuple[Expr, Expr]:
        """Return how much less the first act costs for class 0, and the second for class 1."""
        (a, b), (c, d) = (self.column(matrix, act)[:2] for act in self.acts)
        return c - a, b - d

    def column(self, matrix: CostMatrix, act: int) -> tuple[Expr, ...]:
        """Return the costs of an act, by class."""
        at = dict(zip([letter for letter, _ in matrix.parts], self.values, strict=True))
        return tuple(cost.subs(at, simultaneous=True) for cost in matrix.columns[act])


def letter_claims(
    matrix: CostMatrix, parts: tuple[Distribution, ...], scale: Expr, same: Any, stake: Any
) -> Iterator[Claim]:
    """What decides strictness holds of the letters, and the factor is no constant 0."""
    kinds = isinstance(same, SharedAct | None), isinstance(stake, MovingThreshold | None)
    yield Same("what decides strictness is about the letters", kinds, (True, True))
    if isinstance(same, SharedAct):
        yield from shared_claims(matrix, parts, same)
    if isinstance(stake, MovingThreshold):
        yield Positive("the factor is positive on average", scale)
        yield from threshold_claims(matrix, parts, stake)


def shared_claims(matrix: CostMatrix, parts: tuple[Distribution, ...], same: SharedAct) -> Iterator[Claim]:
    """An act costs less than all others, at both forecasts, wherever the letters can be.

    A difference of expected costs is linear in each letter. Between ends it is a mean, with positive weights, of its
    values at these; above the least value of a letter without a largest one, it adds multiples of its slope. So it is
    positive if none of these is negative and one is positive, unless a letter may be at an end.
    """
    columns, laws = matrix.columns, tuple(zip([letter for letter, _ in matrix.parts], parts, strict=False))
    is_pair = len(same.forecasts) == 2 and same.forecasts[0] != same.forecasts[1]
    sizes = {len(forecast) for forecast in same.forecasts} == {matrix.classes}
    fits = is_pair and sizes and 0 <= same.act < len(columns) and len(parts) == len(matrix.parts)
    yield Same("there are two forecasts, an act, and a law for each letter", fits, True)
    for forecast in same.forecasts if fits else ():
        for value in forecast:
            yield Positive("a probability is positive", value)
        yield Equal("probabilities add up to one", sympy.Add(*forecast), S.One)
        for column in columns[: same.act] + columns[same.act + 1 :]:
            yield from _least_claims(weighed(column, forecast) - weighed(columns[same.act], forecast), laws)


def _least_claims(more: Expr, laws: tuple[tuple[Symbol, Distribution], ...]) -> Iterator[Claim]:
    met = [(letter, one) for letter, one in laws if more.has(letter)]
    is_inside = not any(set(one.span) & set(one.masses) for _, one in met)
    least: list[Expr] = []
    for ends in product(*[one.span for _, one in met]):
        at = more
        for (letter, _), end in zip(met, ends, strict=True):
            at = sympy.diff(at, letter) if end is S.Infinity else at.subs(letter, end)
        least.append(at)
        weak = is_inside or S.Infinity in ends
        yield (NonNegative if weak else Positive)("another act costs more, or ever more", at)
    yield Positive("somewhere it costs more", sympy.Add(*least))


def threshold_claims(
    matrix: CostMatrix, parts: tuple[Distribution, ...], moving: MovingThreshold
) -> Iterator[Claim]:
    """The threshold between two acts comes from 0 and goes to 1, for values of the letters in their supports."""
    acts, counts = range(len(matrix.columns)), {len(parts), len(moving.values), len(moving.regions)}
    are_acts = len(set(moving.acts)) == matrix.classes == 2 and set(moving.acts) <= set(acts)
    fits = are_acts and counts == {len(matrix.parts)}
    yield Same("there are two classes, two acts, and a value and a law for each letter", fits, True)
    if not fits:
        return
    for about in zip(parts, moving.values, moving.regions, strict=True):
        yield from _value_claims(*about)
    less, more = moving.gains(matrix)
    yield Positive("the first act costs less for class 0", less, CURVE)
    yield Positive("the second act costs less for class 1", more, CURVE)
    own = moving.column(matrix, moving.acts[0])
    for other in sorted(set(acts) - set(moving.acts)):
        first, second = (cost - known for cost, known in zip(moving.column(matrix, other), own, strict=True))
        yield Positive("at the threshold, another act costs more", more * first + less * second, CURVE)
    yield Tends("the threshold comes from 0", less / (less + more), x, S.Zero, "+", S.Zero)
    yield Tends("the threshold goes to 1", less / (less + more), x, S.Infinity, "-", S.One)


def _value_claims(one: Distribution, value: Expr, regions: tuple[int, int]) -> Iterator[Claim]:
    """The values of a letter are in the support of its law, and continuous."""
    if value in one.masses:
        yield Same("a value with a probability is in no region", regions, (0, 0))
        return
    there = len(regions) == 2 and 0 <= regions[0] <= regions[1] < len(one.densities)
    yield Same("the law has such regions", there, True)
    for region in range(regions[0], regions[1] + 1) if there else ():
        yield Positive("the letter has a density", one.densities[region], Interval(x, *one.bounds(region)))
    low, high = (one.bounds(regions[0])[0], one.bounds(regions[1])[1]) if there else (S.Zero, S.Zero)
    yield Regular("the letter moves without a jump", value, CURVE)
    yield Positive("the letter is above its least value", value - low, CURVE)
    if high is not S.Infinity:
        yield Positive("the letter is below its largest value", high - value, CURVE)
