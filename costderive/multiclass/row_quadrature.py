"""The losses of rows for costs of polynomials and exponentials: sums between all places where a law changes.

The loss of class i is ``E[c_i; i not chosen]``: a sum over the costs that have a probability, and the integral of
``x f_i(x) (1 - prod G_j(p_i x/p_j))``. That is analytic between the ends of the laws, those of rivals divided by
``p_i/p_j``, and everywhere as smooth in ``log x`` as in x, so each interval is cut in a fixed ratio for slopes. For the
losses themselves see `row_integrals`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from costderive.core.numpy_on_demand import Array, np
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.gauss import gauss
from costderive.multiclass.numeric_laws import NumericLaw
from costderive.multiclass.row_integrals import ClassIntegral, join
from costderive.multiclass.row_losses import MANY, RowLosses, blocks
from costderive.multiclass.row_segments import SegmentedIntegral
from costderive.multiclass.stages import IndependentDistributions

INTERVALS = 1 << 18  # in a block
KEPT = 1 << 21  # numbers; glibc keeps twice as much memory as the largest array of up to 32 MB that was freed
LEAST, MOST = 1e-200, 1e200  # probabilities of a rival, divided by that of the class, that differ
FEW, SMOOTH = 10, 5  # classes, and powers of x before exponentials, for which SMOOTH_GRID is enough


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
SMOOTH_GRID = Grid.of(16, 20, 1.0)


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
        np.empty(KEPT)  # freed at once, so that blocks find pages that are there: a fifth of the time
        losses = np.empty(len(labels))
        first = np.array([self.laws.index(law) for law in self.laws])[labels]
        for label in np.unique(first):  # classes with the same law change places
            integral = _integral(self.laws, int(label))
            rows = np.flatnonzero(first == label)
            for part in blocks(len(rows), integral.width, INTERVALS):
                some = rows[part]
                losses[some] = self._losses(forecasts[some], labels[some], integral)
        return self.factor * losses

    def _losses(self, forecasts: Array, labels: Labels, integral: ClassIntegral) -> Array:
        each, label = np.arange(len(labels)), integral.label
        own = forecasts[each, labels]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            shares = np.clip(forecasts / own[:, None], LEAST, MOST)
            shares[each, labels] = shares[:, label]
            shares[:, label] = 1.0
            found = integral.of_rows(shares)
            if self.laws[label].source.masses:
                for one in np.unique(labels):
                    found[labels == one] += self._masses(forecasts[labels == one], int(one))
        return np.where(own > 0, found, self.means[label])

    def _masses(self, forecasts: Array, label: int) -> Array:
        """Sum over the costs with a probability; of classes that weigh the same, the lowest is chosen."""
        law, total = self.laws[label], np.zeros(len(forecasts))
        for mark, jump in zip(law.marks[law.jumps > 0], law.jumps[law.jumps > 0], strict=True):
            weighed, unchosen = mark * forecasts[:, label], np.zeros(len(forecasts))
            for rival, other in enumerate(self.laws):
                if rival != label:
                    share = forecasts[:, rival]
                    ends = share[:, None] * other.marks
                    passed = ends <= weighed[:, None] if rival > label else ends < weighed[:, None]
                    above = other.above(weighed / np.maximum(share, LEAST), passed.sum(axis=1))
                    join(unchosen, np.where(share > 0, above, 0.0))
            total += jump * mark * unchosen
        return total


def _integral(laws: tuple[NumericLaw, ...], label: int) -> ClassIntegral:
    return (SegmentedIntegral if len(laws) > MANY else ClassIntegral).of(laws, label)


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
    return (places[:, 1:] + places[:, :-1]) / 2, np.diff(places) / 2, *gauss(grid.nodes)


def _grid(laws: Sequence[NumericLaw]) -> Grid:
    degree = sum(law.degree + 1 for law in laws)
    if degree < 2 * GRID.nodes:
        return Grid(int(degree) // 2 + 1, (0.0, 1.0))
    return SMOOTH_GRID if len(laws) <= FEW and all(law.power <= SMOOTH for law in laws) else GRID
