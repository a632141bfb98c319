"""The integral over the cost of one class, for many rows at once, with as few nodes as each interval needs.

Between two marks the survival function of a rival's cost is 1, 0, or one formula. A rival whose cost has ended adds
nothing, and where one rival weighs more for sure, nothing else counts. So intervals are put together by how many rivals
take part: if these have polynomials, the number tells how many nodes make a Gauss-Legendre sum exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import exp
from typing import Any, NamedTuple

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.multiclass.gauss import gauss
from costderive.multiclass.node_numbers import HUGE, sum_nodes, wideness
from costderive.multiclass.numeric_laws import NumericLaw
from costderive.multiclass.partial_means import PartialMeans
from costderive.multiclass.row_losses import blocks

Indices = NDArray[Any]  # of whole numbers
CUTS = 0.0, *(exp(1.2 * n) for n in range(-17, 1))
SURE = 1e-17  # a chance that does not change the chance of the opposite
FEW = 128  # what a number of one byte can count to
SIZE = 1 << 17  # numbers in one array, of those that stay in the cache of a processor


@lru_cache
def _powers(count: int, degree: int) -> Array:
    return np.vander(gauss(count)[0], degree + 1, increasing=True)


def join(chances: Array, others: Array) -> None:
    """Add the chance of another event, ``a + b - a b``, so that small chances keep their digits."""
    both = chances * others
    chances += others
    chances -= both


def some(chances: Array) -> Array:
    """Return the chance that some event of the second axis happens; it overwrites those of each."""
    while chances.shape[1] > 1:
        half = chances.shape[1] // 2
        join(chances[:, :half], chances[:, chances.shape[1] - half :])
        chances = chances[:, : chances.shape[1] - half]
    return np.asarray(chances[:, 0])


def at_nodes(table: Sequence[Array], middles: Array, halves: Array, count: int) -> Array:
    """Return polynomials of ``middles + halves t`` at the nodes t, the first axis; the lowest power is first."""
    found = np.empty((len(table), *middles.shape))
    for power, row in enumerate(table):
        found[power] = row
    for last in range(len(table) - 1):  # Horner's scheme, once for each power
        for power in range(len(table) - 2, last - 1, -1):
            found[power] += found[power + 1] * middles
    scale = halves
    for power in range(1, len(table)):
        found[power] *= scale
        scale = scale * halves
    values = _powers(count, len(table) - 1) @ found.reshape(len(found), -1)
    return np.asarray(values.reshape(count, *middles.shape))


class Intervals(NamedTuple):
    """Intervals of costs, each in one row and in a region of the law of the class.

    So many tabled rivals are ``active``: their costs have not ended. Of so many, the first ones, G is a power there
    (``low``). ``nodes`` is how many a sum needs.
    """

    rows: Indices
    middles: Array
    halves: Array
    regions: Indices
    active: Indices
    low: Indices
    nodes: Indices

    def at(self, places: Any) -> Intervals:
        """Return those at places."""
        return Intervals(*[one[places] for one in self])

    def grouped(self) -> tuple[Intervals, list[int]]:
        """Return them by the number of nodes, whether G is a power for some, and for how many not; and groups' ends."""
        keys = ((self.active - self.low).astype(np.int32) * 2 + (self.low > 0)) * (HUGE + 1) + self.nodes
        keys = keys.astype(np.min_scalar_type(int(keys.max(initial=0))))
        order = np.argsort(keys, kind="stable")
        ends = np.flatnonzero(np.diff(keys[order].astype(int), prepend=-1, append=-1))
        return self.at(order), ends.tolist()


class OrderedRivals(NamedTuple):
    """Rivals of rows, all of shape (rivals, n), in descending order of where their costs end.

    Up to ``lows``, the first ones have ``G(x) = c x^k``; with x divided by ``unit``, the logarithm of the product of as
    many is ``powers log x + logarithms``.
    """

    shares: Array
    law: Indices
    begins: Array
    ends: Array
    lows: Array
    unit: Array
    powers: Array
    logarithms: Array

    def at(self, rows: Indices) -> OrderedRivals:
        """Return those of some rows."""
        law = self.law if self.law.shape[1] == 1 else self.law[:, rows]
        shares, begins, ends, lows = (
            one[:, rows] for one in (self.shares, self.begins, self.ends, self.lows)
        )
        sums = self.powers[:, rows], self.logarithms[:, rows]
        return OrderedRivals(shares, law, begins, ends, lows, self.unit[rows], *sums)

    def sure(self) -> Array:
        """Return a cost of each row below which some rival for which G is a power weighs more for sure."""
        with np.errstate(divide="ignore", invalid="ignore"):
            costs = self.unit * np.exp((np.log(SURE) - self.logarithms) / self.powers)
        return np.asarray(np.fmin(costs, self.lows).max(axis=0, initial=0.0))

    def product(self, at: Intervals, count: int) -> Array:
        """Return the product of ``G(x)`` over the rivals for which it is a power, at nodes."""
        unit = 1 / self.unit[at.rows]
        found = at.middles * unit + at.halves * unit * gauss(count)[0][:, None]
        np.log(found, out=found)
        found *= self.powers[at.low - 1, at.rows]
        found += self.logarithms[at.low - 1, at.rows]
        return np.asarray(np.exp(found, out=found))


@dataclass(frozen=True, eq=False)
class PolynomialRivals:
    """Rivals whose survival functions are polynomials between marks.

    ``law`` has the number of the law of each. ``marks`` have a row for each law, filled up with infinity; ``origins``
    and ``coefficients``, the lowest first, are read at ``law * (marks + 1) + region``. Up to ``lows`` the distribution
    function is a factor, whose logarithm is given, times a power of x.
    """

    places: tuple[int, ...]
    law: Indices
    marks: Array
    origins: Array
    coefficients: Array
    begins: Array
    ends: Array
    lows: Array
    powers: Array
    logarithms: Array

    @classmethod
    def of(cls, laws: Sequence[NumericLaw], places: tuple[int, ...]) -> PolynomialRivals:
        """Take the laws at these places."""
        known = list(dict.fromkeys(laws[place] for place in places))
        width = max((len(one.marks) for one in known), default=0) + 1
        tables = [np.asarray(one.survivals.coefficients)[::-1] for one in known]
        marks, origins = np.full((len(known), width - 1), np.inf), np.zeros((len(known), width))
        coefficients = np.zeros((max(map(len, tables), default=1), len(known), width))
        for n, (one, table) in enumerate(zip(known, tables, strict=True)):
            marks[n, : len(one.marks)] = one.marks
            origins[n, : len(one.marks) + 1] = one.survivals.origins
            coefficients[: len(table), n, : len(one.marks) + 1] = table
        law = np.array([known.index(laws[place]) for place in places], dtype=np.intp)
        flat = coefficients.reshape(len(coefficients), -1)
        about = np.array([(one.begin, one.end, *one.start) for one in known], dtype=float).reshape(-1, 5).T
        return cls(places, law, marks, origins.ravel(), flat, *about)

    @property
    def degree(self) -> int:
        """The largest degree of a survival function."""
        return len(self.coefficients) - 1

    def ordered(self, shares: Array) -> OrderedRivals:
        """Return the rivals of rows."""
        shares = shares[:, self.places]
        if len(self.ends) <= 1:
            shares, law = np.sort(shares, axis=1)[:, ::-1].T, np.zeros((len(self.law), 1), np.intp)
        else:
            order = np.argsort(-shares * self.ends[self.law], axis=1)
            shares, law = np.take_along_axis(shares, order, axis=1).T, self.law[order].T
        shares = np.ascontiguousarray(shares)
        begins, ends, lows, powers, logarithms = (
            each[law] for each in (self.begins, self.ends, self.lows, self.powers, self.logarithms)
        )
        unit, lows = shares.max(axis=0, initial=0.0), lows * shares
        sums = np.log(shares / unit)
        sums *= -powers
        sums += logarithms
        np.cumsum(sums, axis=0, out=sums)
        if law.shape[1] > 1:
            np.minimum.accumulate(lows, axis=0, out=lows)
        powers = np.broadcast_to(powers.cumsum(axis=0), shares.shape)
        return OrderedRivals(shares, law, begins * shares, ends * shares, lows, unit, powers, sums)

    def survivals(self, at: Intervals, rivals: OrderedRivals, which: Indices, count: int) -> Array:
        """Return P(cost > x) at nodes, of shape (count, k, n), for the rivals ``which``, of shape (k, n)."""
        law = _law(rivals, which, at.rows)
        inverse = 1 / rivals.shares[which, at.rows]
        middles = at.middles * inverse
        regions = law * (self.marks.shape[1] + 1)
        for column in self.marks.T:
            regions = regions + (middles > column[law])
        middles -= self.origins[regions]
        return at_nodes([row[regions] for row in self.coefficients], middles, at.halves * inverse, count)

    def edges(self, rivals: OrderedRivals, which: Indices, rows: Indices) -> Array:
        """Return the costs at which the laws of rivals change, on one more axis."""
        return np.asarray(rivals.shares[which, rows][..., None] * self.marks[_law(rivals, which, rows)])


def _law(rivals: OrderedRivals, which: Indices, rows: Indices) -> Indices:
    return np.asarray(rivals.law[which, 0] if rivals.law.shape[1] == 1 else rivals.law[which, rows])


@dataclass(frozen=True, eq=False)
class ClassIntegral:
    """The integral of ``x f(x) (1 - prod G_j(x/s_j))`` for the shares ``s_j`` of the rivals of a class.

    ``nodes`` has the numbers of nodes for so many of the tabled rivals and the `wideness` of an interval. ``rare`` has,
    for each r, a cost of each rival below which it is so rare that r of them are not below it together.
    """

    laws: tuple[NumericLaw, ...]
    label: int
    tabled: PolynomialRivals
    others: tuple[int, ...]
    partial: PartialMeans
    nodes: Indices
    rare: tuple[tuple[int, Array], ...]

    @classmethod
    @lru_cache(maxsize=256)
    def of(cls, laws: tuple[NumericLaw, ...], label: int) -> ClassIntegral:
        """Sort the rivals by the kinds of their laws."""
        rivals = [n for n in range(len(laws)) if n != label]
        tabled = tuple(n for n in rivals if laws[n].survivals.coefficients is not None)
        others = tuple(n for n in rivals if n not in tabled)
        tables = PolynomialRivals.of(laws, tabled)
        nodes = sum_nodes(laws[label], [laws[n] for n in tabled], [laws[n] for n in others])
        counts = [2**n for n in range(1, 12) if 2**n <= len(rivals) and others]
        rare = tuple((r, np.array([laws[n].quantile(SURE ** (1 / r)) for n in rivals])) for r in counts)
        return cls(laws, label, tables, others, PartialMeans.of(laws[label]), nodes, rare)

    @property
    def own(self) -> NumericLaw:
        """The law of the class."""
        return self.laws[self.label]

    @property
    def rivals(self) -> list[int]:
        """The other classes."""
        return [n for n in range(len(self.laws)) if n != self.label]

    @property
    def width(self) -> int:
        """How many intervals a row has."""
        return sum(len(law.marks) for law in self.laws) + len(self.cuts)

    @cached_property
    def marks(self) -> tuple[Indices, Array]:
        """The marks of all laws, and whose they are."""
        counts = [len(law.marks) for law in self.laws]
        return np.repeat(np.arange(len(counts)), counts), np.concatenate([law.marks for law in self.laws])

    @property
    def cuts(self) -> tuple[float, ...]:
        """Where intervals are cut, in parts of the largest cost."""
        return CUTS[:1] if self.nodes.max() < HUGE else CUTS

    def of_rows(self, shares: Array) -> Array:
        """Return the integral at shares of shape (n, K)."""
        rivals = self.tabled.ordered(shares)
        sure = np.clip(self._sure(shares, rivals), self.own.begin, self.own.top)
        found, groups = self._intervals(shares, rivals, sure).grouped()
        parts = np.zeros(len(found.rows))
        for start, end in pairwise(groups):
            steep, count = int(found.active[start] - found.low[start]), int(found.nodes[start])
            if found.active[start] or self.others:
                step = max(1, SIZE // (count * max(steep, 1)))
                for first in range(start, end, step):
                    part = slice(first, min(first + step, end))
                    parts[part] = self._sums(found.at(part), shares, rivals)
        return np.asarray(self.partial(sure) + np.bincount(found.rows, parts, len(shares)))

    def _sure(self, shares: Array, rivals: OrderedRivals) -> Array:
        """Return costs below which some rival weighs more for sure."""
        found = np.maximum(rivals.begins.max(axis=0, initial=0.0), rivals.sure())
        for count, costs in self.rare:
            found = np.maximum(found, np.sort(shares[:, self.rivals] * costs, axis=1)[:, -count])
        return np.asarray(found)

    def _sums(self, at: Intervals, shares: Array, rivals: OrderedRivals) -> Array:
        """Integrate over the intervals of a group."""
        count = int(at.nodes[0])
        parts = self._weighed(at, count)
        parts *= self._unchosen(at, count, shares, rivals)
        return np.asarray((gauss(count)[1] @ parts) * at.halves)

    def _unchosen(self, at: Intervals, count: int, shares: Array, rivals: OrderedRivals) -> Array:
        """Return the chance that some rival weighs more, at nodes."""
        steep = int(at.active[0] - at.low[0])
        chances = [self._other(at, rival, shares[at.rows, rival], count) for rival in self.others]
        if steep:
            which = at.low + np.arange(steep)[:, None]
            chances.append(some(self.tabled.survivals(at, rivals, which, count)))
        for more in chances[1:]:
            join(chances[0], more)
        if at.low[0] == 0:
            return np.asarray(chances[0])
        product = rivals.product(at, count)
        return np.asarray(1 - product * (1 - chances[0]) if chances else 1 - product)

    def _other(self, at: Intervals, rival: int, share: Array, count: int) -> Array:
        """Return P(cost > x) for a rival whose law has no table."""
        law, middles, halves = self.laws[rival], at.middles / share, at.halves / share
        costs = halves * gauss(count)[0][:, None]
        costs += middles
        return np.asarray(law.above(costs.T, law.regions(middles)).T)

    def _weighed(self, at: Intervals, count: int) -> Array:
        """Return ``x f(x)`` at nodes."""
        weighed = self.partial.weighed
        if weighed.coefficients is not None:
            table = [row[at.regions] for row in weighed.coefficients[::-1]]
            return at_nodes(table, at.middles - weighed.origins[at.regions], at.halves, count)
        costs = at.middles + at.halves * gauss(count)[0][:, None]
        return np.asarray(costs * self.own.densities(costs.T, at.regions).T)

    def _top(self, shares: Array, rivals: OrderedRivals) -> Array:
        """Return costs above which nothing is left."""
        tops = [shares[:, n] * self.laws[n].top for n in self.others]
        return np.asarray(np.minimum(np.max([*rivals.ends[:1], *tops], axis=0), self.own.top))

    def _intervals(self, shares: Array, rivals: OrderedRivals, sure: Array) -> Intervals:
        """Return the intervals that count, above costs below which some rival weighs more for sure."""
        top, parts = self._top(shares, rivals), []
        for rows in blocks(len(shares), self.width, SIZE):
            places = self._places(shares[rows], sure[rows], top[rows])
            middles, halves = (places[:, 1:] + places[:, :-1]) / 2, np.diff(places) / 2
            counted = np.flatnonzero(halves > 0)
            numbers = (_number(ends[:, rows], middles) for ends in (rivals.ends, rivals.lows))
            found = counted // middles.shape[1] + rows.start, middles, halves, *numbers
            parts.append([one.ravel()[counted] if one.ndim > 1 else one for one in found])
        row, middle, half, active, low = (np.concatenate(one) for one in zip(*parts, strict=True))
        region = np.zeros(len(middle), np.intp)
        for mark in self.own.marks:
            region += middle > mark
        nodes = self.nodes[active, wideness(middle, half)]
        return Intervals(row, middle, half, region, active, low, nodes)

    def _places(self, shares: Array, sure: Array, top: Array) -> Array:
        """Return the ends of intervals, in ascending order: marks of all laws, and cuts."""
        cuts = np.array(self.cuts)
        cuts = cuts[cuts >= np.fmin.reduce(sure / top, initial=1.0)]
        which, marks = self.marks
        ends = np.empty((len(shares), len(cuts) + 2 + len(marks)))
        ends[:, 0], ends[:, 1] = sure, top
        np.multiply(top[:, None], cuts, out=ends[:, 2 : len(cuts) + 2])
        np.multiply(shares[:, which], marks, out=ends[:, len(cuts) + 2 :])
        np.clip(ends, sure[:, None], np.maximum(top, sure)[:, None], out=ends)
        ends.sort(axis=1)
        return ends


def _number(places: Array, middles: Array) -> Indices:
    """Return for each middle, of shape (n, m), how many of the places, of shape (k, n), are above it."""
    found = np.zeros(middles.shape, dtype=np.int8 if len(places) < FEW else np.int16)
    for place in places:
        found += (place[:, None] > middles).view(np.int8)
    return found
