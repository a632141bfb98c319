"""The losses of rows for costs of any laws: Gauss-Legendre sums between all places where a law changes.

The loss of class i is ``E[c_i; i not chosen]``: a sum over the costs that have a probability, and the integral of
``x f_i(x) (1 - prod G_j(p_i x/p_j))``. That is analytic between the ends of the laws, those of rivals divided by
``p_i/p_j``, and everywhere as smooth in ``log x`` as in x, so each interval is cut in a fixed ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.regional import Regional
from costderive.multiclass.row_losses import RowLosses, blocks
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.multiclass.sums import ExponentialSum

FEW, SMOOTH = (
    10,
    5,
)  # classes, and the degree of densities times exponentials, for which SMOOTH_GRID is enough
FUNCTION_SIZE = 1 << 15  # numbers in the arrays of a block, which stay in the cache
LEAST = 1e-200  # a rival's probability, divided by that of the class, that counts


@dataclass(frozen=True)
class Grid:
    """How many nodes there are between two cuts, and the cuts, in parts of the largest cost, in ascending order."""

    nodes: int
    cuts: tuple[float, ...]

    @classmethod
    def of(cls, nodes: int, cuts: int, ratio: float) -> Grid:
        """Cut ``(0, 1)`` in a ratio, whose logarithm is given."""
        return cls(nodes, (0.0, *(math.exp(-ratio * n) for n in range(cuts, -1, -1))))


GRID = Grid.of(20, 48, 0.5)
SMOOTH_GRID = Grid.of(
    16, 20, 1.0
)  # an interval is right to 1e-15 of the mean cost, and half as many nodes do


@dataclass(frozen=True, eq=False)
class NumericLaw:
    """A law in doubles: its marks with their probabilities, and its density and survival function in each region.

    Beyond ``top`` its density is 0, or too small to count.
    """

    source: Distribution
    marks: Array
    jumps: Array
    densities: Regional
    survivals: Regional
    top: float
    degree: float  # of the densities, or infinity if one is no polynomial
    power: float  # the largest one of x before an exponential, or infinity

    def __reduce__(self) -> tuple[Any, ...]:
        return NumericLaw.of, (self.source,)  # functions of lambdify do not pickle

    @classmethod
    def of(cls, one: Distribution) -> NumericLaw:
        """Turn every expression into a function of arrays."""
        survivals = [sympy.factor(sympy.expand(1 - cdf)) for cdf in one.cdfs]
        marks, jumps = (np.array(values, dtype=float) for values in (one.marks, one.jumps))
        density, survival = (Regional.of(exprs, one.marks) for exprs in (one.densities, survivals))
        return cls(one, marks, jumps, density, survival, _top(one), _degree(one), _power(one))

    @property
    def is_spread(self) -> NDArray[np.bool_]:
        """Whether there is a density, in each region."""
        return np.array([density != 0 for density in self.source.densities])


def _top(one: Distribution) -> float:
    last = float(one.marks[-1]) if one.marks else 0.0
    terms = ExponentialSum.read(one.densities[-1], Given()).terms
    return max([last, *[last + (45.0 + 8 * n) / float(rate) for n, rate in terms]])


def _degree(one: Distribution) -> float:
    densities = [density for density in one.densities if density != 0]
    if not all(density.is_polynomial(x) for density in densities):
        return math.inf
    return max([int(sympy.degree(density, x)) for density in densities], default=0)


def _power(one: Distribution) -> float:
    return max(
        [n for density in one.densities for n, _ in ExponentialSum.read(density, Given()).terms], default=0
    )


@dataclass(frozen=True, eq=False)
class QuadratureRows(RowLosses):
    """Independent costs of any laws whose densities are known between their ends."""

    factor: float
    means: Array
    laws: tuple[NumericLaw, ...]

    @classmethod
    def of(cls, costs: IndependentDistributions) -> QuadratureRows:
        """Turn the laws of costs into numbers."""
        means = np.array([one.mean for one in costs.of_class], dtype=float)
        known = {one: NumericLaw.of(one) for one in set(costs.of_class)}
        return cls(float(costs.factor), means, tuple(known[one] for one in costs.of_class))

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        grid, marks = _grid(self.laws), sum(len(law.marks) for law in self.laws)
        losses, width = np.empty(len(labels)), grid.nodes * (len(grid.cuts) + marks)
        for label in np.unique(labels):
            rows = np.flatnonzero(labels == label)
            for part in blocks(len(rows), width, FUNCTION_SIZE):
                losses[rows[part]] = self._losses(forecasts[rows[part]], int(label))
        return self.factor * losses

    def _losses(self, forecasts: Array, label: int) -> Array:
        own = forecasts[:, label]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            found = self._masses(forecasts, label) + self._spread(forecasts / own[:, None], label)
        return np.where(own > 0, found, self.means[label])

    def _masses(self, forecasts: Array, label: int) -> Array:
        """Sum over the costs with a probability; of classes that weigh the same, the lowest is chosen."""
        law, total = self.laws[label], np.zeros(len(forecasts))
        for mark, jump in zip(law.marks[law.jumps > 0], law.jumps[law.jumps > 0], strict=True):
            weighed, unchosen = mark * forecasts[:, label], np.zeros(len(forecasts))
            for rival in self._rivals(label):
                other, share = self.laws[rival], forecasts[:, rival]
                ends = share[:, None] * other.marks
                passed = ends <= weighed[:, None] if rival > label else ends < weighed[:, None]
                above = other.survivals(weighed / np.maximum(share, LEAST), passed.sum(axis=1))
                _join(unchosen, np.where(share > 0, above, 0.0))
            total += jump * mark * unchosen
        return total

    def _rivals(self, label: int) -> list[int]:
        return [rival for rival in range(len(self.laws)) if rival != label]

    def _spread(self, shares: Array, label: int) -> Array:
        """Integrate over the costs that have a density, where it is not 0; shares are ``p_j/p_i``."""
        law = self.laws[label]
        middles, halves, nodes, weights = panels(self.laws, shares, label)
        regions = np.searchsorted(law.marks, middles)
        rows, places = np.nonzero((halves > 0) & law.is_spread[regions])
        middle, half = middles[rows, places], halves[rows, places]
        costs = middle[:, None] + half[:, None] * nodes
        parts = costs * law.densities(costs, regions[rows, places])
        parts *= self._unchosen(costs, middle, shares[rows], self._rivals(label))
        return np.asarray(np.bincount(rows, (parts @ weights) * half, len(shares)), dtype=float)

    def _unchosen(self, costs: Array, middles: Array, shares: Array, rivals: list[int]) -> Array:
        """Return the chance that some rival weighs more, at nodes of shape (m, nodes)."""
        found = np.zeros(costs.shape)
        for rival in rivals:
            law, share = self.laws[rival], np.maximum(shares[:, rival], LEAST)
            above = law.survivals(costs / share[:, None], np.searchsorted(law.marks, middles / share))
            above[shares[:, rival] == 0] = 0.0
            _join(found, above)
        return found


def panels(laws: Sequence[NumericLaw], shares: Array, label: int) -> tuple[Array, Array, Array, Array]:
    """Return middles and halves of intervals, of shape (n, intervals), and Gauss-Legendre nodes and weights.

    The ends of the intervals are all places where a law changes; ``shares`` of shape (n, K) are ``p_j/p_i``. Between
    them polynomials need no more cuts, and as many nodes as make the sums exact.
    """
    law, rivals = laws[label], [n for n in range(len(laws)) if n != label]
    ends = [shares[:, [n]] * laws[n].marks for n in rivals]
    top = np.minimum(np.max([shares[:, n] * laws[n].top for n in rivals], axis=0), law.top)[:, None]
    grid = _grid(laws)
    cuts = top * np.array(grid.cuts)
    places = np.sort(
        np.minimum(np.concatenate([cuts, *ends, np.tile(law.marks, (len(top), 1))], axis=1), top), axis=1
    )
    return (places[:, 1:] + places[:, :-1]) / 2, np.diff(places) / 2, *_gauss(grid.nodes)


def _grid(laws: Sequence[NumericLaw]) -> Grid:
    degree = sum(law.degree + 1 for law in laws)
    if degree < 2 * GRID.nodes:
        return Grid(int(degree) // 2 + 1, (0.0, 1.0))
    return SMOOTH_GRID if len(laws) <= FEW and all(law.power <= SMOOTH for law in laws) else GRID


@lru_cache
def _gauss(count: int) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(count)


def _join(chances: Array, others: Array) -> None:
    """Add the chance of another event, ``a + b - a b``, so that small chances keep their digits."""
    both = chances * others
    chances += others
    chances -= both
