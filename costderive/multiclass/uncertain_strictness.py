"""Strictness of the rule of a matrix with uncertain letters: what decides it, and why.

The letters are independent. A value in the *support* of each is one with a probability, or inside an interval where the
density is positive: then values of all letters together that are as close to it as one likes have a positive
probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive.core.piecewise import Interval
from costderive.costs.laws import x
from costderive.multiclass.cost_matrix import CostMatrix, weighed
from costderive.multiclass.letters import predicted
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
class _ActsAtValues:
    """Two acts, and values of the letters, each between the ends of regions of its law, or with a probability."""

    acts: tuple[int, int]
    values: tuple[Expr, ...]
    regions: tuple[tuple[int, int], ...]

    def costs(self, matrix: CostMatrix) -> tuple[tuple[Expr, ...], ...]:
        """Return the costs of each act, by class."""
        at = dict(zip([letter for letter, _ in matrix.parts], self.values, strict=True))
        return tuple(tuple(cost.subs(at, simultaneous=True) for cost in column) for column in matrix.columns)

    def difference(self, matrix: CostMatrix) -> tuple[Expr, ...]:
        """Return how much more the first act costs than the second, by class."""
        first, second = (self.costs(matrix)[act] for act in self.acts)
        return tuple(a - b for a, b in zip(first, second, strict=True))

    def fits(self, matrix: CostMatrix, parts: tuple[Distribution, ...]) -> bool:
        """Return whether these are two of the acts, and a value and a law for each letter."""
        are_acts = len(set(self.acts)) == 2 and set(self.acts) <= set(range(len(matrix.columns)))
        return are_acts and {len(parts), len(self.values), len(self.regions)} == {len(matrix.parts)}


@dataclass(frozen=True, slots=True)
class MovingThreshold(_ActsAtValues):
    """Values of the letters for all ``x > 0``, at which two acts part at a threshold that moves from 0 to 1.

    The first act costs less for class 0, the second for class 1; at the threshold, all others cost more.
    """

    def gains(self, matrix: CostMatrix) -> tuple[Expr, Expr]:
        """Return how much less the first act costs for class 0, and the second for class 1."""
        less, more = self.difference(matrix)
        return -less, more


@dataclass(frozen=True, slots=True)
class Tie(_ActsAtValues):
    """Values of the letters for every forecast, at which two acts cost the same on average, and all others more.

    The values are functions of the probabilities ``p0, p1, ...``.
    """


@dataclass(frozen=True, slots=True)
class IndependentTies:
    """Ties of K - 1 pairs of acts at every forecast, in linearly independent directions."""

    ties: tuple[Tie, ...]

    def determinant(self, matrix: CostMatrix) -> Expr:
        """Return that of the differences of costs, and of a row of ones."""
        rows = [*[tie.difference(matrix) for tie in self.ties], (S.One,) * matrix.classes]
        terms = [
            sympy.LeviCivita(*order) * sympy.Mul(*[row[k] for row, k in zip(rows, order, strict=True)])
            for order in permutations(range(matrix.classes))
        ]
        return sympy.Add(*terms)


def letter_claims(
    matrix: CostMatrix, parts: tuple[Distribution, ...], scale: Expr, same: Any, stake: Any
) -> Iterator[Claim]:
    """What decides strictness holds of the letters, and the factor is no constant 0."""
    kinds = isinstance(same, SharedAct | None), isinstance(stake, MovingThreshold | IndependentTies | None)
    yield Same("what decides strictness is about the letters", kinds, (True, True))
    if isinstance(same, SharedAct):
        yield from shared_claims(matrix, parts, same)
    if stake is not None:
        yield Positive("the factor is positive on average", scale)
    if isinstance(stake, MovingThreshold):
        yield from threshold_claims(matrix, parts, stake)
    if isinstance(stake, IndependentTies):
        yield from independence_claims(matrix, parts, stake)


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
    fits = matrix.classes == 2 and moving.fits(matrix, parts)
    yield Same("there are two classes, two acts, and a value and a law for each letter", fits, True)
    if not fits:
        return
    yield from _support_claims(parts, moving, CURVE)
    for value in moving.values:
        yield Regular("the letter moves without a jump", value, CURVE)
    (less, more), costs = moving.gains(matrix), moving.costs(matrix)
    yield Positive("the first act costs less for class 0", less, CURVE)
    yield Positive("the second act costs less for class 1", more, CURVE)
    own = weighed(costs[moving.acts[0]], (more, less))
    for other in sorted(set(range(len(costs))) - set(moving.acts)):
        yield Positive(
            "at the threshold, another act costs more", weighed(costs[other], (more, less)) - own, CURVE
        )
    yield Tends("the threshold comes from 0", less / (less + more), x, S.Zero, "+", S.Zero)
    yield Tends("the threshold goes to 1", less / (less + more), x, S.Infinity, "-", S.One)


def independence_claims(
    matrix: CostMatrix, parts: tuple[Distribution, ...], found: IndependentTies
) -> Iterator[Claim]:
    """Wherever the forecast is, pairs of acts cost the same, and all others more, in independent directions."""
    fits = len(found.ties) == matrix.classes - 1 and all(tie.fits(matrix, parts) for tie in found.ties)
    yield Same("there are a pair of acts for each class but one, and values for each letter", fits, True)
    for tie in found.ties if fits else ():
        yield from tie_claims(matrix, parts, tie)
    if fits:
        yield Positive("the differences of costs are independent", found.determinant(matrix))


def tie_claims(matrix: CostMatrix, parts: tuple[Distribution, ...], tie: Tie) -> Iterator[Claim]:
    """At every forecast two acts cost the same, and all others more, for values of the letters in their supports."""
    yield from _support_claims(parts, tie, None)
    forecast = tuple(map(predicted, range(matrix.classes)))
    costs = [weighed(column, forecast) for column in tie.costs(matrix)]
    first, second = tie.acts
    yield Equal("the acts cost the same", costs[first], costs[second])
    for other in sorted(set(range(len(costs))) - set(tie.acts)):
        yield Positive("another act costs more", costs[other] - costs[first])


def _support_claims(
    parts: tuple[Distribution, ...], at: _ActsAtValues, on: Interval | None
) -> Iterator[Claim]:
    for one, value, regions in zip(parts, at.values, at.regions, strict=True):
        yield from _value_claims(one, value, regions, on)


def _value_claims(
    one: Distribution, value: Expr, regions: tuple[int, int], on: Interval | None
) -> Iterator[Claim]:
    """The values of a letter are in the support of its law."""
    if value in one.masses:
        yield Same("a value with a probability is in no region", regions, (0, 0))
        return
    there = len(regions) == 2 and 0 <= regions[0] <= regions[1] < len(one.densities)
    yield Same("the law has such regions", there, True)
    for region in range(regions[0], regions[1] + 1) if there else ():
        yield Positive("the letter has a density", one.densities[region], Interval(x, *one.bounds(region)))
    low, high = (one.bounds(regions[0])[0], one.bounds(regions[1])[1]) if there else (S.Zero, S.Zero)
    yield Positive("the letter is above its least value", value - low, on)
    if high is not S.Infinity:
        yield Positive("the letter is below its largest value", high - value, on)
