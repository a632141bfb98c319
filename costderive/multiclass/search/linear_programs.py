"""Linear programs with exact fractions, by the simplex method with the rule of Bland, which always ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Optimum:
    """The greatest value, where it is reached, and the prices of the bounds (the dual solution)."""

    value: Fraction
    at: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def maximum(gains: Vector, rows: Sequence[Vector], bounds: Vector) -> Optimum:
    """Maximise ``gains . x`` over ``rows x <= bounds``, ``x >= 0``; no bound is negative, and the maximum is finite."""
    size, count = len(gains), len(rows)
    table = [
        [*row, *[Fraction(place == other) for other in range(count)], bound]
        for place, (row, bound) in enumerate(zip(rows, bounds, strict=True))
    ]
    prices = [*[-gain for gain in gains], *[Fraction(0)] * (count + 1)]
    basis = list(range(size, size + count))
    while (entering := next((n for n, price in enumerate(prices[:-1]) if price < 0), None)) is not None:
        _, _, leaving = min(
            (row[-1] / row[entering], basis[place], place)
            for place, row in enumerate(table)
            if row[entering] > 0
        )
        _pivot(table, prices, leaving, entering)
        basis[leaving] = entering
    found = dict(zip(basis, (row[-1] for row in table), strict=True))
    at = tuple(found.get(n, Fraction(0)) for n in range(size))
    return Optimum(prices[-1], at, tuple(prices[size:-1]))


def _pivot(table: list[list[Fraction]], prices: list[Fraction], leaving: int, entering: int) -> None:
    pivot = table[leaving][entering]
    chosen = table[leaving] = [value / pivot for value in table[leaving]]
    for place, row in enumerate(table):
        if place != leaving and row[entering] != 0:
            table[place] = _reduced(row, chosen, row[entering])
    prices[:] = _reduced(prices, chosen, prices[entering])


def _reduced(row: list[Fraction], chosen: list[Fraction], times: Fraction) -> list[Fraction]:
    return [value - times * other if other else value for value, other in zip(row, chosen, strict=True)]


@dataclass(frozen=True, slots=True)
class Cover:
    """The greatest s with ``sum_m x_m d_m + s <= b`` in every place, the x, and the prices of the places."""

    slack: Fraction
    shares: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def best_cover(columns: Sequence[Vector], bound: Vector, *, total: bool) -> Cover:
    """Find x >= 0, which add up to 1 if that is asked for.

    The prices are probabilities of the places: ``s`` is also the least price of the bound less the columns.
    """
    least = columns[-1] if total else [Fraction(0)] * len(bound)
    free = columns[:-1] if total else columns
    room = [b - low for b, low in zip(bound, least, strict=True)]
    start = min(room)
    rows = [[*[d[place] - least[place] for d in free], Fraction(1)] for place in range(len(bound))]
    bounds = [value - start for value in room]
    if total:
        rows, bounds = [*rows, [*[Fraction(1)] * len(free), Fraction(0)]], [*bounds, Fraction(1)]
    found = maximum([*[Fraction(0)] * len(free), Fraction(1)], rows, bounds)
    *shares, risen = found.at
    shares = [*shares, 1 - sum(shares, Fraction(0))] if total else shares
    return Cover(start + risen, tuple(shares), found.prices[: len(bound)])
