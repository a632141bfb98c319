"""The losses of rows for independent costs of any laws with numbers: survival functions as tables of polynomials.

The own cost is integrated by Gauss-Legendre sums between cuts in a fixed ratio, and at the ends of all laws, over all
that counts of ``x f(x)``. The ratio is halved until sums give the total 1 and the mean of each law to ``ROUGH``, and
the last coefficients of the tables are as small.
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
from costderive.multiclass.row_losses import RowLosses, blocks

DEGREE, NODES = 15, 20
NEGLIGIBLE = 1e-18  # a share of the total, or of the mean, that is left out at either end
ROUGH = 2e-13
RATIOS = 0.5, 0.25, 0.125, 0.0625
FUNCTION_SIZE = 1 << 14  # numbers in an array that stays in the cache of a processor


@cache
def _gauss() -> tuple[Array, Array]:
    """Return the nodes and weights of a Gauss-Legendre sum on (-1, 1)."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


@cache
def _inside() -> Array:
    """Return the Chebyshev nodes on (-1, 1)."""
    return np.asarray(np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1)))


@dataclass(frozen=True, eq=False)
class TabledLaw:
    """A law in numbers: cuts between which ``x f(x)`` counts, and P(cost > x) between ends.

    ``coefficients``, of shape (DEGREE + 1, pieces), are those of Chebyshev polynomials.
    """

    law: Law
    ratio: float
    mean: float
    marks: Array
    cuts: Array
    ends: Array
    coefficients: Array

    @classmethod
    def of(cls, law: Law, ratio: float, place: str) -> TabledLaw:
        """Make the table.

        Raises:
            SpecError: if the mean is infinite.
        """
        mean = float(law.mean().evalf(30))
        if not 0 < mean < np.inf:
            raise SpecError(f"{place} has the mean {mean:g}", "Losses are finite if the costs have means.")
        masses = [float(mass.value) for mass in law.masses]
        marks = np.unique(
            [*masses, *[float(end) for spread in law.spreads for end in (spread.low, spread.high)]]
        )
        marks = marks[(marks > 0) & np.isfinite(marks)]
        cuts, ends = (_cuts(law, mean, marks, ratio, power) for power in (2, 1))
        if ends[0] in masses:  # costs below the least one are exceeded for sure
            ends = np.append(ends[0] * (1 - ratio), ends)
        return cls(law, ratio, mean, marks, cuts, ends, _coefficients(law, ends))

    def __reduce__(self) -> tuple[Any, ...]:
        return TabledLaw.of, (self.law, self.ratio, "the cost")

    def error(self) -> float:
        """Return how far sums are from the total 1 and, relatively, from the mean, or the last coefficients from 0."""
        costs, weights = nodes(self.cuts[:-1], self.cuts[1:])
        found = float((costs * weights * density(self.law, costs)).sum())
        found += sum(float(mass.value * mass.probability) for mass in self.law.masses)
        total = float(self.survival(self.ends[:1], np.array([0]))[0])
        total += sum(float(mass.probability) for mass in self.law.masses if mass.value == 0)
        return max(abs(found / self.mean - 1), abs(total - 1), float(np.abs(self.coefficients[-2:]).max()))

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


def _cuts(law: Law, mean: float, marks: Array, ratio: float, power: int) -> Array:
    """Return cuts between which nearly all of the probability lies (power 1), or nearly all of the mean (power 2)."""
    places = mean * np.exp(np.linspace(-90.0, 90.0, 36001))
    shares = places**power * density(law, places)
    if shares.sum() == 0:
        return marks if len(marks) > 1 else np.array([marks[0] * (1 - ratio), marks[0]])
    below = np.cumsum(shares) / shares.sum()
    above = np.cumsum(shares[::-1])[::-1] / shares.sum()
    counted = places[(below > NEGLIGIBLE) & (above > NEGLIGIBLE)]
    low, high = counted[0] * np.exp(-ratio), counted[-1] * np.exp(ratio)
    if (
        len(marks)
        and high > marks[-1]
        and law.ends[-1][1].is_finite
        and all(e.is_finite for _, e in law.ends)
    ):
        high = marks[-1]
    count = max(2, int(np.ceil(np.log(high / low) / ratio)))
    return np.unique(np.concatenate([np.geomspace(low, high, count + 1)[:-1], [high], marks[marks < high]]))


def nodes(low: Array, high: Array) -> tuple[Array, Array]:
    """Return Gauss-Legendre nodes and weights for intervals, on one more axis."""
    half = ((high - low) / 2)[..., None]
    places, weights = _gauss()
    return (low + high)[..., None] / 2 + half * places, half * weights


def _coefficients(law: Law, ends: Array) -> Array:
    """Return the coefficients of P(cost > x) between ends, added up from above."""
    costs, weights = nodes(ends[:-1], ends[1:])
    parts = (weights * density(law, costs)).sum(axis=1)
    masses = np.array([[float(mass.value), float(mass.probability)] for mass in law.masses]).reshape(-1, 2)
    above = np.array([masses[masses[:, 0] >= end, 1].sum() for end in ends[1:]])
    beyond = np.cumsum(np.append(parts[1:], 0.0)[::-1])[::-1] + above
    places = chebyshev_places(ends)
    costs, weights = nodes(places, np.broadcast_to(ends[1:, None], places.shape))
    return chebyshev(beyond[:, None] + (weights * density(law, costs)).sum(axis=2))


def intervals(laws: tuple[TabledLaw, ...], shares: Array, label: int) -> Array:
    """Return places, of shape (n, m), between which everything is smooth in the cost of a class, in ascending order."""
    cuts = laws[label].cuts
    marks = [shares[:, [n]] * one.marks for n, one in enumerate(laws) if n != label]
    ends = np.concatenate([np.tile(cuts, (len(shares), 1)), *marks], axis=1)
    return np.sort(np.clip(np.where(np.isnan(ends), cuts[0], ends), cuts[0], cuts[-1]), axis=1)


@dataclass(frozen=True, eq=False)
class TableRows(RowLosses):
    """Independent costs of any laws, in numbers."""

    laws: tuple[TabledLaw, ...]

    @classmethod
    def of(cls, laws: tuple[Law, ...]) -> TableRows:
        """Make the tables, with intervals as fine as the roughest law needs.

        Raises:
            SpecError: if a mean is infinite, or a law is too rough.
        """
        for ratio in RATIOS:
            known = {
                law: TabledLaw.of(law, ratio, f"costs[{laws.index(law)}]") for law in dict.fromkeys(laws)
            }
            errors = {law: table.error() for law, table in known.items()}
            if max(errors.values()) <= ROUGH:
                return cls(tuple(known[law] for law in laws))
        rough = max(errors, key=errors.__getitem__)
        raise SpecError(
            f"costs[{laws.index(rough)}] is too rough for sums, which are off by {errors[rough]:.1g}",
            "A density with a pole or a root at an end above 0, and a law without a mean, has no losses here.",
        )

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        losses = np.empty(len(labels))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            for label in np.unique(labels):
                rows = np.flatnonzero(labels == label)
                width = NODES * (len(self.laws[label].cuts) + sum(len(law.marks) for law in self.laws))
                for part in blocks(len(rows), width, FUNCTION_SIZE):
                    losses[rows[part]] = self._losses(forecasts[rows[part]], int(label))
        return losses

    def _losses(self, forecasts: Array, label: int) -> Array:
        one, own = self.laws[label], forecasts[:, label]
        shares = forecasts / own[:, None]
        rivals, ends = [n for n in range(len(self.laws)) if n != label], intervals(self.laws, shares, label)
        rows, places = np.nonzero(np.diff(ends) > 0)
        costs, weights = nodes(ends[rows, places], ends[rows, places + 1])
        parts = costs * density(one.law, costs) * weights
        parts *= self._unchosen(costs, shares[rows], rivals, label)
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
