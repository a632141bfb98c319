"""The integral over the cost of one class among many, where rivals that are smooth over a stretch count once for it.

Marks cut the costs of a row into intervals, and some of these, one after the other, are a segment. The chance
that some rival without a mark inside of the segment weighs more is a polynomial there, and of rivals whose laws have no
marks the sum of ``log G`` is one between cuts that are far from each other. So only the few rivals with marks inside
of the segment are left to its intervals, and the time grows little faster than the number of classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from costderive.core.numpy_on_demand import Array, np
from costderive.multiclass.gauss import gauss
from costderive.multiclass.node_numbers import polynomial_nodes, wideness
from costderive.multiclass.numeric_laws import NumericLaw
from costderive.multiclass.row_integrals import (
    SIZE,
    SURE,
    ClassIntegral,
    Indices,
    Intervals,
    OrderedRivals,
    join,
    some,
)
from costderive.multiclass.row_losses import blocks

SHORTEST, LONGEST = 6, 32  # intervals of a segment
SMALLEST = 1e-12  # of the largest cost: what costs less adds nothing
STRETCHES = tuple(1.25 * 2.0**-n for n in range(8))  # between cuts, in the logarithm of the cost
STRETCH_NODES = 16, 18, 20, 22, 24, 26  # for the polynomial of a stretch
ERROR = 5e-15  # of a distribution function by such a polynomial
ALIKE = 12  # numbers of rivals that are rounded up, so that more segments are computed together
SEVERAL = 16  # rivals, of which some weighs more with a chance that is not small
ROUNDED = 2.0**-52  # a chance that adds nothing to the mean
TRIED = 0.25, 0.5, 0.75, 1.0  # of what is left of the costs
PARTS = 3  # of a stretch, to which segments are confined
BELOW_ONE = 1 - 2.0**-53
BLOCK = 1 << 19  # numbers in the places of a block of rows
Chances = Callable[[Indices, Intervals, Array], Array]  # that some rival weighs more, at costs in segments


# ---- polynomials


@lru_cache
def _to_coefficients(count: int) -> Array:
    """Return what turns values at Gauss-Legendre nodes into the Chebyshev coefficients of a polynomial."""
    return np.asarray(np.linalg.inv(np.polynomial.chebyshev.chebvander(gauss(count)[0], count - 1)))


class Polynomials(NamedTuple):
    """A polynomial for each of some ranges: Chebyshev coefficients of shape (degree + 1, n), and the ranges."""

    coefficients: Array
    middles: Array
    halves: Array

    def __call__(self, which: Indices, places: Array) -> Array:
        """Return the values of those ``which`` at places, the last axis of which is that of ``which``."""
        inside = (places - self.middles[which]) / self.halves[which]
        before, last, twice = np.zeros(inside.shape), np.zeros(inside.shape), 2 * inside
        for row in self.coefficients[:0:-1]:  # Clenshaw's scheme
            before, last = twice * before - last + row[which], before
        return np.asarray(inside * before - last + self.coefficients[0][which])


def _logarithms(law: NumericLaw, costs: Array) -> Array:
    """Return ``log G``, or that of the least chance that a double next to 1 leaves."""
    above = law.survivals(law.near(costs), np.zeros(costs.shape, np.intp))
    return np.log1p(-np.minimum(above, BELOW_ONE))


@lru_cache(maxsize=256)
def _stretch_nodes(law: NumericLaw, width: float) -> int | None:
    """Return how many nodes make a polynomial of ``log G`` on stretches of a width, as tried all along the costs."""
    low = max(law.quantile(SURE), SMALLEST * law.top)
    middles, tried = np.arange(np.log(low), np.log(law.top), width / 7), np.linspace(-1, 1, 101)[:, None]
    halves, each = np.full(len(middles), width / 2), np.arange(len(middles))
    known = np.exp(_logarithms(law, np.exp(middles + halves * tried)))
    for count in STRETCH_NODES:
        values = _logarithms(law, np.exp(middles + halves * gauss(count)[0][:, None]))
        table = Polynomials(_to_coefficients(count) @ values, middles, halves)
        if (np.abs(np.exp(table(each, middles + halves * tried)) - known) < ERROR).all():
            return count
    return None


@lru_cache(maxsize=256)
def _rare(law: NumericLaw) -> tuple[tuple[int, float], ...]:
    """Return numbers of rivals, and a cost below which so many are not together."""
    return tuple((2**n, law.quantile(SURE ** (0.5**n))) for n in range(12))


@lru_cache(maxsize=256)
def _reach(law: NumericLaw) -> float:
    """Return a cost that another one exceeds with a chance that is nothing beside `SURE`."""
    costs = law.top * np.linspace(1 / 500, 1.0, 500)
    gone = law.survivals(costs, np.zeros(len(costs), np.intp)) < SURE / 100
    return float(costs[gone].min(initial=law.top))


# ---- rows and segments


class Rows(NamedTuple):
    """Rows between a cost below which some rival weighs more for sure, and one above which nothing is left.

    ``smooth`` has the shares of rivals for each law without marks, of shape (rivals, n), in descending order. There are
    so many ``stretches``, whose ``widths`` are logarithms.
    """

    shares: Array
    rivals: OrderedRivals
    smooth: tuple[Array, ...]
    sure: Array
    top: Array
    stretches: Indices
    widths: Array

    def at(self, rows: Indices) -> Rows:
        """Return some of them."""
        smooth = tuple(one[:, rows] for one in self.smooth)
        others = (one[rows] for one in self[3:])
        return Rows(self.shares[rows], self.rivals.at(rows), smooth, *others)


class Segments(NamedTuple):
    """Ranges of costs, each in one row, with the ends of their intervals.

    ``marked`` are the rivals with a mark inside, and -1 to fill up. So many tabled rivals are ``active``: their costs
    have not ended; of so many, the first ones, G is a power in all of the segment (``low``).
    """

    rows: Indices
    ends: Array
    marked: Indices
    active: Indices
    low: Indices

    def at(self, places: Indices) -> Segments:
        """Return some of them."""
        return Segments(*[one[places] for one in self])

    @property
    def whole(self) -> Intervals:
        """They themselves as intervals."""
        return Intervals(self.rows, self.middles, self.halves, self.low, self.active, self.low, self.active)

    @property
    def middles(self) -> Array:
        """The middles of segments."""
        return np.asarray((self.ends[:, 0] + self.ends[:, -1]) / 2)

    @property
    def halves(self) -> Array:
        """Half of their lengths."""
        return np.asarray((self.ends[:, -1] - self.ends[:, 0]) / 2)


def _different(owners: Indices, places: Array) -> Indices:
    """Return the owners of the places between the first and the last one, each once, and -1 in place of others."""
    inside = (places[:, 1:-1] > places[:, :1]) & (places[:, 1:-1] < places[:, -1:])
    found = np.where(inside, owners, -1)
    for place in range(1, found.shape[1]):
        found[(found[:, :place] == found[:, [place]]).any(axis=1), place] = -1
    return found


# ---- the integral


@dataclass(frozen=True, eq=False)
class SegmentedIntegral(ClassIntegral):
    """The same integral as that of its base, for many rivals."""

    @cached_property
    def smooth(self) -> tuple[tuple[NumericLaw, list[int]], ...]:
        """The laws without marks, and whose they are."""
        free = [n for n in self.others if not len(self.laws[n].marks)]
        found = dict.fromkeys(self.laws[n] for n in free)
        return tuple((law, [n for n in free if self.laws[n] is law]) for law in found)

    @cached_property
    def direct(self) -> tuple[int, ...]:
        """The rivals with marks whose laws have no tables."""
        return tuple(n for n in self.others if len(self.laws[n].marks))

    @cached_property
    def degrees(self) -> Indices:
        """How many nodes the polynomial of a segment has, by the number of rivals and its width."""
        return polynomial_nodes([self.laws[n] for n in self.tabled.places])

    @property
    def together(self) -> int:
        """How many intervals a segment has: with more, more rivals are left to each of them."""
        return int(np.clip(np.sqrt(len(self.laws)), SHORTEST, LONGEST))

    @cached_property
    def stretch(self) -> float:
        """The logarithm of the largest ratio of two cuts."""
        laws = [law for law, _ in self.smooth]
        good = (width for width in STRETCHES if all(_stretch_nodes(law, width) for law in laws))
        return next(good, STRETCHES[-1])

    def of_rows(self, shares: Array) -> Array:
        rivals = self.tabled.ordered(shares)
        smooth = tuple(np.sort(shares[:, places], axis=1)[:, ::-1].T for _, places in self.smooth)
        sure = np.clip(self._sure_of(rivals, smooth), self.own.begin, self.own.top)
        top = self._top(shares, rivals)
        sure = self._raised(rivals, sure, top)
        found, left = self.partial(sure), np.flatnonzero(sure < top)
        left = left[np.argsort((rivals.ends[:, left] > sure[left]).sum(axis=0), kind="stable")]
        sure = np.maximum(sure, SMALLEST * top)
        stretches = np.ceil(np.log(top / sure) / self.stretch)
        rows = Rows(shares, rivals, smooth, sure, top, stretches, np.log(top / sure) / stretches)
        for part in blocks(len(left), self.width, BLOCK):
            found[left[part]] += self._beyond(rows.at(left[part]))
        return np.asarray(found)

    def _sure_of(self, rivals: OrderedRivals, smooth: tuple[Array, ...]) -> Array:
        """Return costs below which some rival weighs more for sure."""
        found = np.maximum(rivals.begins.max(axis=0, initial=0.0), rivals.sure())
        for (law, _), shares in zip(self.smooth, smooth, strict=True):
            for count, cost in _rare(law):
                if count <= len(shares):
                    found = np.maximum(found, shares[count - 1] * cost)
        return np.asarray(found)

    def _raised(self, rivals: OrderedRivals, sure: Array, top: Array) -> Array:
        """Return larger costs below which some tabled rival weighs more, but for the chance `ROUNDED`, where tried."""
        found, left = sure.copy(), np.flatnonzero((sure < top) & (len(rivals.ends) > 0))
        for part in TRIED:
            costs = (sure + part * (top - sure))[left]
            left = left[self._unchosen_at(rivals, left, costs) >= 1 - ROUNDED]
            found[left] = (sure + part * (top - sure))[left]
        return found

    def _unchosen_at(self, rivals: OrderedRivals, rows: Indices, costs: Array) -> Array:
        """Return the chances that some tabled rival weighs more, at a cost of each row."""
        found, active = np.zeros(len(rows)), (rivals.ends[:, rows] > costs).sum(axis=0)
        order = np.argsort(active, kind="stable")
        for part in blocks(len(order), max(len(rivals.ends), 1), SIZE):
            here = order[part]
            none = np.zeros(len(here), np.intp)
            at = Intervals(rows[here], costs[here], 0 * costs[here], none, none, none, none)
            which = np.arange(active[here].max(initial=0))[:, None] + none
            if which.size:
                found[here] = some(self.tabled.survivals(at, rivals, which, 1))[0]
        return found

    def _beyond(self, rows: Rows) -> Array:
        """Integrate from ``sure`` to ``top``."""
        segments = self._segments(rows)
        chances = [self._shared(segments, rows.rivals), *self._stretched(rows), *self._directly(rows)]
        which, at = self._parts(segments)
        found = np.zeros(len(which))
        for count in np.unique(at.nodes).tolist():
            group = np.flatnonzero(at.nodes == count)
            for part in blocks(len(group), count * self.together, SIZE):
                those, segment = at.at(group[part]), which[group[part]]
                unchosen = self._marked(those, segments.marked[segment].T, rows.rivals, count)
                found[group[part]] = self._sum(those, segment, rows, chances, unchosen)
        return np.asarray(np.bincount(at.rows, found, len(rows.sure)), dtype=float)

    def _sum(
        self, at: Intervals, which: Indices, rows: Rows, chances: list[Chances], unchosen: Array
    ) -> Array:
        """Integrate over intervals of segments ``which``, with the chances that some rival weighs more."""
        nodes, weights = gauss(len(unchosen))
        costs = at.middles + at.halves * nodes[:, None]
        for chance in chances:
            join(unchosen, chance(which, at, costs))
        if at.low.any():
            product = np.where(at.low > 0, rows.rivals.product(at, len(nodes)), 1.0)
            unchosen = np.where(at.low > 0, 1 - product * (1 - unchosen), unchosen)
        return np.asarray((weights @ (self._weighed(at, len(nodes)) * unchosen)) * at.halves)

    # ---- segments and their intervals

    def _segments(self, rows: Rows) -> Segments:
        """Put intervals together, whose ends are the marks of all rivals that are left, and cuts."""
        ends, owners = self._sorted_ends(rows)
        row, start = np.nonzero(ends[:, self.together :: self.together] > ends[:, : -1 : self.together])
        inside = self.together * start[:, None] + np.arange(self.together + 1)
        found, marked = ends[row[:, None], inside], owners[row[:, None], inside[:, 1:-1]]
        active = (rows.rivals.ends[:, row] > found[:, 0]).sum(axis=0)
        low = (rows.rivals.lows[:, row] >= found[:, -1]).sum(axis=0)
        return Segments(row, found, _different(marked, found), active, low)

    def _sorted_ends(self, rows: Rows) -> tuple[Array, Indices]:
        """Return the ends of intervals in ascending order, and whose marks they are; the last one fills up segments."""
        left = int((rows.rivals.ends > rows.sure).sum(axis=0).max(initial=0))
        edges = self.tabled.edges(rows.rivals, np.arange(left)[:, None], np.arange(len(rows.sure)))
        moving, fixed = np.moveaxis(edges, 1, 0).reshape(len(rows.sure), -1), self._fixed(rows)
        owners = np.concatenate([np.repeat(np.arange(left), edges.shape[2]), np.full(fixed.shape[1], -1)])
        places = np.concatenate([moving, fixed], axis=1)
        np.clip(places, rows.sure[:, None], rows.top[:, None], out=places)
        order = np.argsort(places, axis=1)
        more = (0, 0), (0, -(places.shape[1] - 1) % self.together)
        ends = np.pad(np.take_along_axis(places, order, axis=1), more, mode="edge")
        return ends, np.pad(owners[order], more, constant_values=-1)

    def _fixed(self, rows: Rows) -> Array:
        """Return cuts, and the marks of laws that are not tabled."""
        steps = np.arange(PARTS * int(rows.stretches.max(initial=0)) + 1) / PARTS
        cuts = rows.sure[:, None] * np.exp(steps * rows.widths[:, None])
        own = np.broadcast_to(self.own.marks, (len(cuts), len(self.own.marks)))
        direct = [rows.shares[:, [n]] * self.laws[n].marks for n in self.direct]
        return np.concatenate([cuts, own, *direct, rows.sure[:, None], rows.top[:, None]], axis=1)

    def _parts(self, segments: Segments) -> tuple[Indices, Intervals]:
        """Return the intervals of segments, and in which segment each is."""
        which, place = np.nonzero(np.diff(segments.ends) > 0)
        low, high = segments.ends[which, place], segments.ends[which, place + 1]
        middle, half, active = (low + high) / 2, (high - low) / 2, segments.active[which]
        nodes = self.nodes[active, wideness(middle, half)]
        region = np.searchsorted(self.own.marks, middle)
        return which, Intervals(
            segments.rows[which], middle, half, region, active, segments.low[which], nodes
        )

    # ---- chances that some rival weighs more

    def _marked(self, at: Intervals, marked: Indices, rivals: OrderedRivals, count: int) -> Array:
        """Return those of rivals with marks in the segment, at the nodes of intervals."""
        if not (marked >= 0).any():
            return np.zeros((count, len(at.rows)))
        found = self.tabled.survivals(at, rivals, marked, count)
        found[:, marked < 0] = 0.0
        return some(found)

    def _shared(self, segments: Segments, rivals: OrderedRivals) -> Chances:
        """Return those of rivals without marks in a segment, as polynomials."""
        steep = segments.active - segments.low
        nodes = self.degrees[steep, wideness(segments.middles, segments.halves)]
        taken = np.minimum(
            -(-steep // ALIKE) * ALIKE, len(rivals.ends) - segments.low
        )  # with some that have ended
        found = np.zeros((int(nodes.max(initial=1)), len(nodes)))
        keys = np.where(steep > 0, taken * (len(found) + 1) + nodes, 0)
        for key in np.unique(keys[keys > 0]).tolist():
            group, (those, count) = np.flatnonzero(keys == key), divmod(key, len(found) + 1)
            for part in blocks(len(group), count * those, SIZE):
                values = self._unmarked(segments.at(group[part]), rivals, those, count)
                found[:count, group[part]] = _to_coefficients(count) @ values
        table = Polynomials(found, segments.middles, segments.halves)
        return lambda which, _, costs: table(which, costs)

    def _unmarked(self, segments: Segments, rivals: OrderedRivals, taken: int, count: int) -> Array:
        """Return the same at nodes of segments, of so many rivals."""
        which = segments.low + np.arange(taken)[:, None]
        found = self.tabled.survivals(segments.whole, rivals, which, count)
        found[:, which >= segments.active] = 0.0  # also those of probability 0, which are beyond doubles
        each, place = np.nonzero(segments.marked >= 0)
        found[:, segments.marked[each, place] - segments.low[each], each] = 0.0
        if len(which) < SEVERAL:
            return some(found)
        np.subtract(1.0, found, out=found)
        return np.asarray(1 - np.multiply.reduce(found, axis=1))

    def _directly(self, rows: Rows) -> Iterator[Chances]:
        """Return those of rivals whose laws have marks and no tables."""
        return (partial(self._of_rival, rows, rival) for rival in self.direct)

    def _of_rival(self, rows: Rows, rival: int, _: Indices, at: Intervals, costs: Array) -> Array:
        return self._other(at, rival, rows.shares[at.rows, rival], len(costs))

    def _stretched(self, rows: Rows) -> Iterator[Chances]:
        """Return those of rivals whose laws have no marks, from polynomials of ``log G`` on stretches."""
        if not self.smooth:
            return
        stretches = rows.stretches.astype(np.intp)
        firsts, row = np.cumsum(stretches) - stretches, np.repeat(np.arange(len(stretches)), stretches)
        starts, halves = np.log(rows.sure), rows.widths[row] / 2
        middles = starts[row] + (2 * (np.arange(len(row)) - firsts[row]) + 1) * halves
        table = Polynomials(self._of_logarithms(rows, row, middles, halves), middles, halves)

        def chances(_: Indices, at: Intervals, costs: Array) -> Array:
            steps = ((np.log(at.middles) - starts[at.rows]) / rows.widths[at.rows]).astype(np.intp)
            which = firsts[at.rows] + np.minimum(steps, stretches[at.rows] - 1)
            return -np.expm1(np.minimum(table(which, np.log(costs)), 0.0))

        yield chances

    def _of_logarithms(self, rows: Rows, row: Indices, middles: Array, halves: Array) -> Array:
        """Return the coefficients of the sums of ``log G`` on stretches, each of which is in a row."""
        found = np.zeros((STRETCH_NODES[-1], len(row)))
        for (law, _), shares in zip(self.smooth, rows.smooth, strict=True):
            count = _stretch_nodes(law, self.stretch) or STRETCH_NODES[-1]
            costs = np.exp(middles + halves * gauss(count)[0][:, None])
            found[:count] += _to_coefficients(count) @ _summed(law, shares, row, costs)
        return found


def _summed(law: NumericLaw, shares: Array, row: Indices, costs: Array) -> Array:
    """Return the sums of ``log G`` over rivals with the same law, whose shares descend, at costs of rows."""
    found = np.empty(costs.shape)
    near = (shares[:, row] * _reach(law) > costs[0]).sum(axis=0)  # the least cost of each stretch
    order = np.argsort(near, kind="stable")
    for part in blocks(len(order), len(costs) * len(shares), SIZE):
        here = order[part]
        those = shares[: near[here].max(initial=0), row[here]]
        found[:, here] = _logarithms(law, costs[:, None, here] / those).sum(axis=1)
    return found
