"""Predictions counted, without NumPy: recalibration, and which model is cheapest at which costs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from costderive.core.short_repr import short_repr
from costderive.evaluate.decisions import Cheapest

Line = tuple[float, float]  # its heights at both ends of a cell


@dataclass(frozen=True, slots=True)
class PlainTally:
    """Distinct probabilities, ascending, with the weights of instances of both classes: lists of the same length."""

    probability: list[float]
    zeros: list[float]
    ones: list[float]
    is_exact: bool = True

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.probability)

    @classmethod
    def of(cls, probability: Sequence[float], is_one: Sequence[bool], weights: Sequence[float]) -> PlainTally:
        """Add up the weights of instances."""
        sums: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for p, one, weight in zip(probability, is_one, weights, strict=True):
            sums[p][one] += weight
        points = sorted(sums)
        return cls(points, [sums[p][0] for p in points], [sums[p][1] for p in points])

    def equals(self, other: PlainTally) -> bool:
        """Return whether another tally has the same rows."""
        return self == other

    def weighted(self, proportions: tuple[float, float]) -> PlainTally:
        """Return the tally with weights that add up to the proportion of each class."""
        factors = [
            share / (math.fsum(counts) or 1.0)
            for counts, share in zip((self.zeros, self.ones), proportions, strict=True)
        ]
        zeros, ones = (
            [count * factors[0] for count in self.zeros],
            [count * factors[1] for count in self.ones],
        )
        return PlainTally(self.probability, zeros, ones)

    def pools(self) -> list[tuple[float, float, int]]:
        """Return what each pool of the isotonic recalibration holds of both classes, and of how many probabilities.

        Source: Ayer, Brunk, Ewing, Reid and Silverman (1955).
        """
        pools: list[tuple[float, float, int]] = []
        for zero, one in zip(self.zeros, self.ones, strict=True):
            size = 1
            while pools and pools[-1][1] * zero >= one * pools[-1][0]:
                more_zero, more_one, more = pools.pop()
                zero, one, size = zero + more_zero, one + more_one, size + more  # noqa: PLW2901
            pools.append((zero, one, size))
        return pools

    def recalibrated(self) -> PlainTally:
        """Return the tally of the isotonic recalibration, whose probabilities may be equal."""
        zeros, ones, _ = zip(*self.pools(), strict=True)
        shares = [one / (zero + one) for zero, one in zip(zeros, ones, strict=True)]
        return PlainTally(shares, list(zeros), list(ones))

    def reliability(self) -> list[tuple[float, float, float, float]]:
        """Return of each pool its least and largest probability, its proportion of class 1, and its weight."""
        found, start = [], 0
        for zero, one, size in self.pools():
            ends = self.probability[start], self.probability[start + size - 1]
            found.append((*ends, one / (zero + one), zero + one))
            start += size
        return found

    def mistakes(self, edges: Sequence[float]) -> list[tuple[float, float]]:
        """Return what instances of class 0 lie above each of ascending thresholds, and of class 1 at or below it."""
        zeros, ones = (list(accumulate(counts, initial=0.0)) for counts in (self.zeros, self.ones))
        found, place = [], 0
        for edge in edges:
            while place < len(self) and self.probability[place] <= edge:
                place += 1
            found.append((zeros[-1] - zeros[place], ones[place]))
        return found


def cheapest(weighted: Mapping[str, PlainTally]) -> tuple[Cheapest, ...]:
    """Return which model costs least at each cost proportion in (0, 1), as neighbouring intervals, ascending.

    Of models that cost the same, the first given is named.
    """
    names = list(weighted)
    edges = sorted({0.0, 1.0}.union(*(tally.probability for tally in weighted.values())))
    mistakes = [tally.mistakes(edges[:-1]) for tally in weighted.values()]
    found: list[Cheapest] = []
    for cell, at in zip(pairwise(edges), zip(*mistakes, strict=True), strict=True):
        lines = [tuple(s * above + (1 - s) * below for s in cell) for above, below in at]
        for k, low, high in _lowest(lines, cell):
            if found and found[-1].model == names[k]:
                low = found.pop().low  # noqa: PLW2901
            found.append(Cheapest(names[k], low, high))
    return tuple(found)


def _lowest(lines: Sequence[Line], cell: tuple[float, float]) -> Iterator[tuple[int, float, float]]:
    """Yield the lower envelope of lines in a cell: which one is lowest, from where to where."""
    (first, last), place = cell, 0.0
    current = lines.index(min(lines))
    if lines[current][1] <= min(high for _, high in lines):  # lowest at both ends, and so between them
        yield current, first, last
        return
    while True:
        low, high = lines[current]
        slope = high - low
        crossings = [
            ((line[0] - low) / (slope - (line[1] - line[0])), line[1] - line[0], k)
            for k, line in enumerate(lines)
            if line[1] - line[0] < slope
        ]
        to, _, after = min(crossings, default=(1.0, 0.0, current))
        ends = first + place * (last - first), first + min(1.0, to) * (last - first)
        if ends[1] > ends[0]:
            yield current, *ends
        if to >= 1:
            return
        place, current = to, after
