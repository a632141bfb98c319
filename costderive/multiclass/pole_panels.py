"""Intervals of the cost of one class, with sums over them that resolve the poles of the densities of all classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.multiclass.gauss import gauss
from costderive.multiclass.poles import Pole, poles
from costderive.multiclass.row_tables import NODES, TabledLaw, density, intervals, nodes

CLOSE = 2e-15  # of the cost at a pole, up to which a rounded cost is at the pole
INSIDE = 1e-15  # of an end, by which places are inside of it where a density may jump
NO_INTEGRAL = -1 + 1e-6  # a power, with the error of the powers of poles
Mask = NDArray[Any]  # of truth values


@dataclass(frozen=True, eq=False)
class PlacedPole:
    """A pole of the law of a class, whose costs are those of the class that is integrated over, divided by shares."""

    label: int
    pole: Pole
    shares: Array  # one for each row

    @property
    def places(self) -> Array:
        """Return the costs of the class that is integrated over at which the pole is."""
        return self.pole.end * self.shares

    def distances(self, rows: NDArray[np.intp], costs: Array) -> Array:
        """Return how far costs are from the pole, in costs of its own law."""
        found = self.pole.distances(costs / self.shares[rows])
        return np.where(np.abs(found) < CLOSE * abs(self.pole.end), 0.0, found)

    def meets(self, other: PlacedPole) -> Mask:
        """Return in which rows another pole is at the same place, and on the same side."""
        together = np.abs(self.places - other.places) < CLOSE * np.abs(self.places)
        return np.asarray(together & (self.pole.side == other.pole.side))


@dataclass(frozen=True, eq=False)
class Panels:
    """Intervals between which all is smooth, of all rows one after the other, with the nodes and weights of sums.

    A sum is over the root of the distance from the pole ``chosen``, if there is one (-1 where there is none).
    """

    laws: tuple[TabledLaw, ...]
    shares: Array
    label: int
    rows: NDArray[np.intp]
    low: Array
    high: Array
    poles: tuple[PlacedPole, ...]
    chosen: NDArray[np.intp]
    distances: Array
    costs: Array
    weights: Array

    @classmethod
    def of(cls, laws: tuple[TabledLaw, ...], shares: Array, label: int) -> Panels:
        """Cut the costs of a class at all places where a law changes; ``shares`` of shape (n, K) are ``p_j/p_i``."""
        ends = intervals(laws, shares, label)
        rows, places = np.nonzero(np.diff(ends) > 0)
        low, high = ends[rows, places], ends[rows, places + 1]
        found = tuple(
            PlacedPole(n, pole, shares[:, n]) for n, one in enumerate(laws) for pole in poles(one.law)
        )
        chosen = _nearest(found, rows, low, high)
        costs, weights = nodes(low, high)
        distances = np.zeros(costs.shape)
        for k, placed in enumerate(found):
            there = chosen == k
            near, far = np.sort([placed.distances(rows[there], end[there]) for end in (low, high)], axis=0)
            distances[there], sums = placed.pole.nodes(near, far, *gauss(NODES))
            scale = placed.shares[rows[there], None]
            inside = low[there, None] * (1 + INSIDE), high[there, None] * (1 - INSIDE)
            costs[there] = np.clip(scale * placed.pole.costs(distances[there]), *inside)
            weights[there] = scale * sums
        return cls(laws, shares, label, rows, low, high, found, chosen, distances, costs, weights)

    def scaled(self, label: int, costs: Array) -> Array:
        """Return the costs of another class that weigh as much as costs of the class."""
        shares = self.shares[self.rows, label]
        return np.asarray(costs / shares.reshape(shares.shape + (1,) * (costs.ndim - 1)))

    def densities(self, label: int) -> Array:
        """Return the density of a class at the nodes."""
        found = density(self.laws[label].law, self.scaled(label, self.costs))
        for own in self._of(label):
            for k, other in enumerate(self.poles):
                there = (self.chosen == k) & own.meets(other)[self.rows]
                ratio = (other.shares / own.shares)[self.rows[there], None]
                found[there] = own.pole.density(self.distances[there] * ratio)
        return found

    def added(self, values: Array) -> Array:
        """Return the sums over the panels of each row, of values with a first axis of panels."""
        found = np.zeros((len(self.shares), *values.shape[1:]))
        rows, starts = np.unique(self.rows, return_index=True)
        found[rows] = np.add.reduceat(values, starts)
        return found

    def beside(self, label: int) -> Mask:
        """Return which panels have sums by the distance from a pole of a class."""
        numbers = [k for k, placed in enumerate(self.poles) if placed.label == label]
        return np.isin(self.chosen, numbers)

    def differences(self, label: int, weight: Callable[[Array], Array]) -> Array:
        """Return a weight of costs times ``u f(u)`` of a class at low ends of panels beside its poles, less high ones.

        Between two such panels both cancel, unless the weight may jump there; at poles they are left out.
        """
        inside, total = self.beside(label), np.zeros(len(self.rows))
        sides = ((self.low, np.roll(self.high, 1), 1), (self.high, np.roll(self.low, -1), -1))
        for end, neighbour, side in sides:
            goes_on = np.roll(inside, side) & (neighbour == end) & ~np.isin(end, self.laws[self.label].marks)
            rates = side * self._rates(label, end) * weight(end * (1 + side * INSIDE))
            total += np.where(inside & ~goes_on, rates, 0.0)
        return total

    def meets(self, label: int) -> Mask:
        """Return in which rows a pole of a class is at the place of one of another class."""
        return self._any_meet(label, [placed for placed in self.poles if placed.label != label], 0.0)

    def is_infinite(self, rival: int) -> Mask:
        """Return in which rows a pole of a rival is at one of the class, so that their product has no integral."""
        return self._any_meet(rival, self._of(self.label), NO_INTEGRAL)

    def _any_meet(self, label: int, others: Sequence[PlacedPole], power: float) -> Mask:
        """Return in which rows poles of a class and others meet, whose powers add up to at most one."""
        pairs = [(a, b) for a in self._of(label) for b in others if a.pole.power + b.pole.power <= power]
        nowhere = np.zeros(len(self.shares), dtype=bool)
        return np.asarray(np.logical_or.reduce([nowhere, *(a.meets(b) for a, b in pairs)]))

    def _rates(self, label: int, costs: Array) -> Array:
        """Return ``u f(u)`` of a class beside its poles, and 0 at them and elsewhere."""
        found = np.zeros(len(costs))
        for k, placed in enumerate(self.poles):
            there = (self.chosen == k) & (placed.label == label)
            distances = placed.distances(self.rows[there], costs[there])
            rates = placed.pole.costs(distances) * placed.pole.density(distances)
            found[there] = np.where(distances > 0, rates, 0.0)
        return found

    def _of(self, label: int) -> Sequence[PlacedPole]:
        return [placed for placed in self.poles if placed.label == label]


def _nearest(
    found: Sequence[PlacedPole], rows: NDArray[np.intp], low: Array, high: Array
) -> NDArray[np.intp]:
    """Return for each interval the number of the pole that it is beside, of several the nearest, or -1."""
    chosen, least = np.full(len(rows), -1), np.full(len(rows), np.inf)
    for k, placed in enumerate(found):
        near, far = np.sort([placed.distances(rows, end) for end in (low, high)], axis=0)
        distance = far * placed.shares[rows]
        there = (near >= 0) & (far <= placed.pole.reach) & (distance < least)
        chosen[there], least[there] = k, distance[there]
    return chosen
