"""The search for ties of acts at every forecast, which make the rule of a matrix with uncertain letters strict.

Letters of the two acts are *quiet*, near the least value, or *loud*, near the greatest; those of other acts are loud.
One letter of the two is what makes them cost the same. Candidates are first tried at a few forecasts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice, product
from typing import Any

import sympy
from sympy import Expr, Rational, S, Symbol

from costderive.core.piecewise import Given
from costderive.multiclass.cost_matrix import CostMatrix, weighed
from costderive.multiclass.letters import predicted
from costderive.multiclass.search.uncertain_strictness import Path, holds, runs
from costderive.multiclass.stages import Distribution
from costderive.multiclass.uncertain_strictness import IndependentTies, Tie, independence_claims, tie_claims

MOST_CLASSES, MOST_LETTERS, MOST_PATHS, MOST_TIES = 3, 8, 300, 24
SMALL, LARGE = Rational(1, 4), 16
FORECASTS = 12


def independent_ties(
    matrix: CostMatrix, parts: tuple[Distribution, ...], given: Given
) -> IndependentTies | None:
    """Gather ties of all pairs of acts until as many are independent as there are classes but one."""
    if matrix.parameters or matrix.classes > MOST_CLASSES or len(parts) > MOST_LETTERS:
        return None
    found: tuple[Tie, ...] = ()
    for tie in islice(_ties(matrix, parts, given), MOST_TIES):
        more = IndependentTies((*found, tie))
        if not _is_new(matrix, more):
            continue
        found = more.ties
        if len(found) == matrix.classes - 1:
            return _oriented(matrix, parts, more, given)
    return None


def _oriented(
    matrix: CostMatrix, parts: tuple[Distribution, ...], found: IndependentTies, given: Given
) -> IndependentTies | None:
    """Exchange the acts of one tie if that makes the determinant positive."""
    first, *others = found.ties
    if found.determinant(matrix).subs(_somewhere(matrix)) < 0:
        found = IndependentTies((Tie(first.acts[::-1], first.values, first.regions), *others))
    return found if holds(independence_claims(matrix, parts, found), given) else None


def _somewhere(matrix: CostMatrix) -> dict[Expr, Rational]:
    return {predicted(k): Rational(3 + 2 * k * k, 7) for k in range(matrix.classes)}


def _is_new(matrix: CostMatrix, found: IndependentTies) -> bool:
    """See whether ties are independent, at one forecast."""
    rows = [[cost.subs(_somewhere(matrix)) for cost in tie.difference(matrix)] for tie in found.ties]
    return bool(sympy.Matrix(rows).rank() == len(rows))


def _ties(matrix: CostMatrix, parts: tuple[Distribution, ...], given: Given) -> Iterator[Tie]:
    letters = [letter for letter, _ in matrix.parts]
    ways = [_ways(matrix, *about, given) for about in zip(letters, parts, strict=True)]
    sample = _Sample.of(matrix, parts)
    for acts in combinations(range(len(matrix.columns)), 2):
        of_acts = frozenset().union(*[cost.free_symbols for act in acts for cost in matrix.columns[act]])
        choices = [way if letter in of_acts else way[-1:] for letter, way in zip(letters, ways, strict=True)]
        for chosen in islice(product(*choices), MOST_PATHS):
            for place, letter in enumerate(letters):
                if letter in of_acts and sample.may_tie(acts, chosen, place):
                    tie = _solved(matrix, acts, chosen, place)
                    if holds(tie_claims(matrix, parts, tie), given):
                        yield tie


def _solved(matrix: CostMatrix, acts: tuple[int, int], chosen: tuple[Path, ...], place: int) -> Tie:
    """Take the value of one letter at which both acts cost the same."""
    letters, forecast = [letter for letter, _ in matrix.parts], tuple(map(predicted, range(matrix.classes)))
    values, regions = zip(*chosen, strict=True)
    others = {
        letter: value for n, (letter, value) in enumerate(zip(letters, values, strict=True)) if n != place
    }
    first, second = (weighed(matrix.columns[act], forecast) for act in acts)
    more = sympy.expand(first - second).subs(others)
    level, slope = more.subs(letters[place], 0), sympy.diff(more, letters[place])
    value = sympy.factor(-level / slope)
    return Tie(acts, (*values[:place], value, *values[place + 1 :]), regions)


@dataclass(frozen=True, slots=True)
class _Sample:
    """A few forecasts, the costs at values of the letters as a function of numbers, and the ends of the laws."""

    forecasts: tuple[tuple[float, ...], ...]
    letters: tuple[Symbol, ...]
    columns: Callable[..., Any]
    ends: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, matrix: CostMatrix, parts: tuple[Distribution, ...]) -> _Sample:
        """Take the middle, and forecasts near faces and corners."""
        draw, letters = random.Random(1), tuple(letter for letter, _ in matrix.parts)
        some = [[10 ** draw.uniform(-3, 0) for _ in range(matrix.classes)] for _ in range(FORECASTS)]
        columns = sympy.lambdify(letters, [list(column) for column in matrix.columns], "math")
        ends = tuple((float(low), float(high)) for low, high in (one.span for one in parts))
        return cls(tuple(map(tuple, some)), letters, columns, ends)

    def may_tie(self, acts: tuple[int, int], chosen: tuple[Path, ...], place: int) -> bool:
        """Look whether a value of the letter is inside its law, and all other acts cost more, at these forecasts."""
        return all(self._ties_at(forecast, acts, chosen, place) for forecast in self.forecasts)

    def _ties_at(
        self, forecast: tuple[float, ...], acts: tuple[int, int], chosen: tuple[Path, ...], place: int
    ) -> bool:
        values = [_number(value, forecast) for value, _ in chosen]
        more = []
        for values[place] in (0.0, 1.0):
            costs = self._expected(values, forecast)
            more.append(costs[acts[0]] - costs[acts[1]])
        slope = more[1] - more[0]
        values[place] = -more[0] / slope if slope else -1.0
        costs, (low, high) = self._expected(values, forecast), self.ends[place]
        others = [cost for act, cost in enumerate(costs) if act not in acts]
        return low < values[place] < high and costs[acts[0]] < min(others, default=math.inf)

    def _expected(self, values: list[float], forecast: tuple[float, ...]) -> list[float]:
        columns = self.columns(*values)
        return [sum(p * cost for p, cost in zip(forecast, column, strict=True)) for column in columns]


@cache
def _number(value: Expr, forecast: tuple[float, ...]) -> float:
    return float(value.subs({predicted(k): p for k, p in enumerate(forecast)}))


def _ways(matrix: CostMatrix, letter: Symbol, one: Distribution, given: Given) -> tuple[Path, ...]:
    """Return values near the least and the greatest of a letter: nearer, the smaller a probability is."""
    found, masses = list(runs(one, given)), one.masses
    if not found:
        return tuple((value, (0, 0)) for value in dict.fromkeys((masses[0], masses[-1])))
    shares = [predicted(k) / sympy.Add(*map(predicted, range(matrix.classes))) for k in range(matrix.classes)]
    met = [
        share
        for share, row in zip(shares, matrix.costs, strict=True)
        if any(cost.has(letter) for cost in row)
    ]
    close, far = SMALL * sympy.Mul(*shares), LARGE * sympy.Add(*[1 / share for share in met])
    quiet, loud = found[0], found[-1]
    low, high = one.bounds(quiet[0])[0], one.bounds(loud[1])[1]
    if high is S.Infinity:
        return (low + close, quiet), (low + far, loud)
    return (low + (high - low) * close, quiet), (high - (high - low) * close, loud)
