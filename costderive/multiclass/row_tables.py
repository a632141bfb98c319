"""The losses of rows for independent costs of any laws with numbers: survival functions as tables of polynomials.

The own cost is integrated by Gauss-Legendre sums between cuts, and at the ends of all laws, over all that counts of
``x f(x)``. Cuts are in the ratio `RATIO`; where a density is not a polynomial between two, to `ROUGH` of all, they are
halved, so that they gather at roots and narrow peaks. Sums must then give the total 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.costs.laws import Law, x
from costderive.costs.laws.quadrature import compiled
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.gauss import gauss
from costderive.multiclass.poles import Pole, poles
from costderive.multiclass.row_losses import RowLosses, blocks

DEGREE, NODES = 15, 20
NEGLIGIBLE = 1e-18  # a share of the total, or of the mean, that is left out at either end
ROUGH = 2e-13
RATIO = 0.5
LEAST, MOST = 1e-300, 1e140  # costs: densities as small as the square of 1/MOST are numbers still
CLOSEST = 1e-14  # half of the distance of two ends, in parts of the larger
FUNCTION_SIZE = 1 << 14  # numbers in an array that stays in the cache of a processor


@cache
def _inside() -> Array:
    """Return the Chebyshev nodes on (-1, 1)."""
    return np.asarray(np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1)))


@dataclass(frozen=True, eq=False)
class TabledLaw:
    """A law in numbers: cuts between which ``x f(x)`` counts, and P(cost > x) between ends.

    ``seams`` are the ends of pieces that are much narrower than `RATIO`; a sum between two cuts resolves others.
    ``coefficients``, of shape (DEGREE + 1, pieces), are those of Chebyshev polynomials.
    """

    law: Law
    mean: float
    marks: Array
    seams: Array
    cuts: Array
    ends: Array
    coefficients: Array

    @classmethod
    def of(cls, law: Law) -> TabledLaw:
        """Make the table."""
        masses = [float(mass.value) for mass in law.masses]
        marks = np.unique(
            [*masses, *[float(end) for spread in law.spreads for end in (spread.low, spread.high)]]
        )
        marks = marks[(marks > 0) & np.isfinite(marks)]
        cuts, ends = _pieces(law, marks) if law.spreads else (marks, marks)
        if len(ends) < 2 or ends[0] in masses:  # costs below the least one are exceeded for sure
            ends = np.append(ends[0] * (1 - RATIO), ends)
        moments = _moments(law, cuts, 1)
        mean = sum(float(mass.value * mass.probability) for mass in law.masses) + float(moments.sum())
        narrow = np.diff(np.log(ends)) < RATIO / 3  # halved more than once
        return cls(law, mean, marks, ends[:-1][narrow], cuts, ends, _coefficients(law, ends))

    @property
    def breaks(self) -> Array:
        """Where the integrals of other classes are cut: marks and seams."""
        return np.union1d(self.marks, self.seams)

    def __reduce__(self) -> tuple[Any, ...]:
        return TabledLaw.of, (self.law,)

    def error(self) -> float:
        """Return how far the total is from 1, or the last coefficients from 0, or how much of the mean is left out."""
        total = float(self.survival(self.ends[:1], np.array([0]))[0])
        total += sum(float(mass.probability) for mass in self.law.masses if mass.value == 0)
        return max(abs(total - 1), self._left_out(), float(np.abs(self.coefficients[-2:]).max()))

    def _left_out(self) -> float:
        """Return the share of the mean beyond `MOST`; moments between cuts fall there as a geometric series does."""
        if self.cuts[-1] < MOST / 2:
            return 0.0
        before, last = _moments(self.law, self.cuts[-3:], 1)
        return float(last**2 / (before - last) / self.mean) if last < before else np.inf

    def survival(self, values: Array, pieces: NDArray[np.intp]) -> Array:
        """Return P(cost > x), with the number of the piece of each value."""
        inside = np.clip(pieces, 0, len(self.ends) - 2)
        low, high = self.ends[inside], self.ends[inside + 1]
        place = np.clip((2 * values - low - high) / (high - low), -1.0, 1.0)
        before, last = np.zeros(values.shape), np.zeros(values.shape)
        for row in self.coefficients[:0:-1]:  # Clenshaw's scheme
            before, last = 2 * place * before - last + row[inside], before
        found = place * before - last + self.coefficients[0][inside]
        return np.asarray(np.where(pieces < 0, 1.0, np.where(pieces > len(self.ends) - 2, 0.0, found)))

    def pieces(self, values: Array, side: Any = "right") -> NDArray[np.intp]:
        """Return the number of the piece of each value: at an end that after it, or before it (``left``)."""
        return np.searchsorted(self.ends, values, side=side) - 1


def chebyshev_places(ends: Array) -> Array:
    """Return the Chebyshev nodes between ends, of shape (pieces, DEGREE + 1)."""
    return np.asarray((ends[1:, None] + ends[:-1, None]) / 2 + np.diff(ends)[:, None] / 2 * _inside())


def chebyshev(values: Array) -> Array:
    """Return the coefficients of the polynomials with values at `chebyshev_places`, of shape (DEGREE + 1, pieces)."""
    return np.asarray(np.linalg.solve(np.polynomial.chebyshev.chebvander(_inside(), DEGREE), values.T))


def density(law: Law, costs: Array) -> Array:
    """Return the density of a law at costs."""
    found = np.zeros(costs.shape)
    for spread in law.spreads:
        there = (costs > float(spread.low)) & (costs < float(spread.high))
        found[there] += compiled(spread.density, x)(costs[there])
    return found


def _pieces(law: Law, marks: Array) -> tuple[Array, Array]:
    """Return cuts between which nearly all of the mean lies, and ends between which nearly all of the probability does.

    Between two of them the density, and x times it, are polynomials to `ROUGH` of all.
    """
    median = law.quantile(0.5)  # a narrow law has all of its probability beside it
    first, last = (int(np.log(most) / RATIO - np.log(median) / RATIO) for most in (LEAST, MOST))
    found = np.unique([*median * np.exp(RATIO * np.arange(first, last + 1)), *marks])
    mean, pairs = max(_moments(law, found, 1).sum(), median / 2), np.stack([found[:-1], found[1:]], axis=1)
    while len(pairs):
        low, high = pairs[_are_rough(law, mean, pairs)].T
        middles = (low + high) / 2
        found = np.append(found, middles)
        pairs = np.concatenate([np.stack(pair, axis=1) for pair in ((low, middles), (middles, high))])
    found.sort()
    return _counted(found, _moments(law, found, 1)), _counted(found, _moments(law, found, 0))


def _are_rough(law: Law, mean: float, pairs: Array) -> NDArray[np.bool_]:
    """Return for pairs of ends whether the density is no polynomial between them, and there is room for another end."""
    half = np.diff(pairs, axis=1)[:, 0] / 2
    places = pairs.mean(axis=1)[:, None] + half[:, None] * _inside()
    chances = density(law, places)
    for pole in poles(law):
        there = pole.is_over(pairs[:, 0], pairs[:, 1])
        chances[there] = pole.density(pole.along(pairs[there, 0], pairs[there, 1], _inside()))
    last = [
        np.abs(chebyshev(values)[-2:]).max(axis=0) * half for values in (chances, places * chances / mean)
    ]
    return np.asarray((np.maximum(*last) > ROUGH) & (half > CLOSEST * pairs[:, 1]))


def _moments(law: Law, ends: Array, power: int) -> Array:
    """Return the integrals of ``x^power f(x)`` between ends."""
    costs, chances = weighed(law, ends[:-1], ends[1:])
    return np.asarray((costs**power * chances).sum(axis=1))


def _counted(ends: Array, parts: Array) -> Array:
    """Return the ends but for those outermost between which next to nothing lies."""
    below, above = np.cumsum(parts), np.cumsum(parts[::-1])[::-1]
    counted = np.flatnonzero(np.minimum(below, above) > NEGLIGIBLE * below[-1])
    return ends[counted[0] : counted[-1] + 2]


def nodes(low: Array, high: Array) -> tuple[Array, Array]:
    """Return Gauss-Legendre nodes and weights for intervals, on one more axis."""
    half = ((high - low) / 2)[..., None]
    places, weights = gauss(NODES)
    return (low + high)[..., None] / 2 + half * places, half * weights


def weighed(law: Law, low: Array, high: Array) -> tuple[Array, Array]:
    """Return costs between ends, on one more axis, and the density there times the weights of a sum over them."""
    costs, weights = nodes(low, high)
    chances = weights * density(law, costs)
    for pole in poles(law):
        there = pole.is_over(low, high)
        distances, chances[there] = pole.weighed(low[there], high[there], *gauss(NODES))
        costs[there] = pole.costs(distances)
    return costs, chances


def _coefficients(law: Law, ends: Array) -> Array:
    """Return the coefficients of P(cost > x) between ends, added up from above."""
    parts = weighed(law, ends[:-1], ends[1:])[1].sum(axis=1)
    masses = np.array([[float(mass.value), float(mass.probability)] for mass in law.masses]).reshape(-1, 2)
    above = np.array([masses[masses[:, 0] >= end, 1].sum() for end in ends[1:]])
    beyond = np.cumsum(np.append(parts[1:], 0.0)[::-1])[::-1] + above
    places = chebyshev_places(ends)
    costs, weights = nodes(places, np.broadcast_to(ends[1:, None], places.shape))
    inside = (weights * density(law, costs)).sum(axis=2)
    for pole in poles(law):
        there = pole.is_over(ends[:-1], ends[1:])
        inside[there] = _beside(pole, ends[:-1][there], ends[1:][there], parts[there])
    return chebyshev(beyond[:, None] + inside)


def _beside(pole: Pole, low: Array, high: Array, parts: Array) -> Array:
    """Return the integrals from the Chebyshev nodes up to the high ends beside a pole, by distances from it.

    The piece at the pole, in which there are few doubles, has a line.
    """
    above, distances = pole.distances(high)[:, None], pole.along(low, high, _inside())
    near, far = np.broadcast_arrays(*((distances, above) if pole.side > 0 else (above, distances)))
    found = pole.between(near, far, *gauss(NODES))[1].sum(axis=2)
    touches = (low == pole.end) | (high == pole.end)
    return np.where(touches[:, None], parts[:, None] * (1 - _inside()) / 2, found)


def intervals(laws: tuple[TabledLaw, ...], shares: Array, label: int) -> Array:
    """Return places, of shape (n, m), between which everything is smooth in the cost of a class, in ascending order."""
    cuts = laws[label].cuts
    marks = [shares[:, [n]] * one.breaks for n, one in enumerate(laws) if n != label]
    ends = np.concatenate([np.tile(cuts, (len(shares), 1)), *marks], axis=1)
    return np.sort(np.clip(np.where(np.isnan(ends), cuts[0], ends), cuts[0], cuts[-1]), axis=1)


def _require_smooth(table: TabledLaw, place: str) -> None:
    error = table.error()
    if np.isinf(error):
        raise SpecError(f"{place} has no finite mean", "Losses are finite if the costs have means.")
    if error > 2 * ROUGH:
        raise SpecError(
            f"{place} is too rough for sums, which are off by {error:.1g}",
            "A density with a pole in the middle, or a mean that hardly exists, has no losses here.",
        )


@dataclass(frozen=True, eq=False)
class TableRows(RowLosses):
    """Independent costs of any laws, in numbers, times a factor."""

    laws: tuple[TabledLaw, ...]
    factor: float = 1.0

    @classmethod
    def of(cls, laws: tuple[Law, ...], factor: float = 1.0) -> TableRows:
        """Make the tables.

        Raises:
            SpecError: if a mean is infinite, or a law is too rough.
        """
        tables = {law: TabledLaw.of(law) for law in dict.fromkeys(laws)}
        for law, table in tables.items():
            _require_smooth(table, f"costs[{laws.index(law)}]{f' = {law.name}' if law.name else ''}")
        return cls(tuple(tables[law] for law in laws), factor)

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        losses = np.empty(len(labels))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            for label in np.unique(labels):
                rows = np.flatnonzero(labels == label)
                width = NODES * (len(self.laws[label].cuts) + sum(len(law.breaks) for law in self.laws))
                for part in blocks(len(rows), width, FUNCTION_SIZE):
                    losses[rows[part]] = self._losses(forecasts[rows[part]], int(label))
        return self.factor * losses

    def _losses(self, forecasts: Array, label: int) -> Array:
        one, own = self.laws[label], forecasts[:, label]
        shares = forecasts / own[:, None]
        rivals, ends = [n for n in range(len(self.laws)) if n != label], intervals(self.laws, shares, label)
        rows, places = np.nonzero(np.diff(ends) > 0)
        costs, chances = weighed(one.law, ends[rows, places], ends[rows, places + 1])
        parts = costs * chances * self._unchosen(costs, shares[rows], rivals, label)
        total = np.asarray(np.bincount(rows, parts.sum(axis=1), len(own)), dtype=float)
        for mass in one.law.masses:
            at = np.full((len(own), 1), float(mass.value))
            total = (
                total + float(mass.value * mass.probability) * self._unchosen(at, shares, rivals, label)[:, 0]
            )
        return np.where(own > 0, total, one.mean)

    def _unchosen(self, costs: Array, shares: Array, rivals: list[int], label: int) -> Array:
        """Return the chance that some rival weighs more; of equals the lowest class is chosen."""
        found = np.zeros(costs.shape)
        for rival in rivals:
            at, law = costs / shares[:, [rival]], self.laws[rival]
            above = law.survival(at, law.pieces(at, "right" if rival > label else "left"))
            above = np.where(shares[:, [rival]] > 0, above, 0.0)
            found += above - found * above
        return found
