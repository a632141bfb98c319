"""The losses of rows for costs of any laws: Gauss-Legendre sums between all places where a law changes.

The loss of class i is ``E[c_i; i not chosen]``: a sum over the costs that have a probability, and the integral of
``x f_i(x) (1 - prod G_j(p_i x/p_j))``. That is analytic between the ends of the laws, those of rivals divided by
``p_i/p_j``, and everywhere as smooth in ``log x`` as in x, so each interval is cut in the ratio ``exp(1/2)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.multiclass.row_losses import Labels, RowLosses, blocks
from costderive.multiclass.stages import Distribution, IndependentDistributions
from costderive.multiclass.sums import ExponentialSum

NODES, CUTS, RATIO = 20, 48, 0.5
FUNCTION_SIZE = 1 << 17  # numbers in the arrays of a block
Function = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class NumericLaw:
    """A law in doubles: its marks with their probabilities, and its density and survival function in each region.

    Beyond ``top`` its density is 0, or too small to count.
    """

    marks: Array
    jumps: Array
    densities: tuple[Function, ...]
    survivals: tuple[Function, ...]
    top: float

    @classmethod
    def of(cls, one: Distribution) -> NumericLaw:
        """Turn every expression into a function of arrays."""
        survivals = [sympy.factor(sympy.expand(1 - cdf)) for cdf in one.cdfs]
        marks, jumps = (np.array(values, dtype=float) for values in (one.marks, one.jumps))
        return cls(marks, jumps, _functions(one.densities), _functions(survivals), _top(one))

    def in_regions(self, functions: tuple[Function, ...], values: Array, regions: NDArray[np.intp]) -> Array:
        """Return the values of functions, each in its region; regions have a shape that goes with the values."""
        found = np.zeros(np.broadcast_shapes(values.shape, regions.shape))
        for region, function in enumerate(functions):
            if (regions == region).any():
                found = np.where(regions == region, function(values), found)
        return found


def _functions(exprs: Iterable[Expr]) -> tuple[Function, ...]:
    return tuple(sympy.lambdify(x, expr, "numpy") for expr in exprs)


def _top(one: Distribution) -> float:
    last = float(one.marks[-1]) if one.marks else 0.0
    terms = ExponentialSum.read(one.densities[-1], Given()).terms
    return max([last, *[last + (45.0 + 8 * n) / float(rate) for n, rate in terms]])


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
        losses, width = np.empty(len(labels)), NODES * (CUTS + 1 + sum(len(law.marks) for law in self.laws))
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
        for mark, jump in zip(law.marks, law.jumps, strict=True):
            weighed, unchosen = mark * forecasts[:, label], np.zeros(len(forecasts))
            for rival in self._rivals(label):
                other, share = self.laws[rival], forecasts[:, rival]
                ends = share[:, None] * other.marks
                passed = ends <= weighed[:, None] if rival > label else ends < weighed[:, None]
                above = other.in_regions(other.survivals, weighed / share, passed.sum(axis=1))
                _join(unchosen, np.where(share > 0, above, 0.0))
            total += jump * mark * unchosen
        return total

    def _rivals(self, label: int) -> list[int]:
        return [rival for rival in range(len(self.laws)) if rival != label]

    def _spread(self, shares: Array, label: int) -> Array:
        """Integrate over the costs that have a density; shares are ``p_j/p_i``."""
        law, rivals = self.laws[label], self._rivals(label)
        ends = [shares[:, [n]] * self.laws[n].marks for n in rivals]
        top = np.minimum(np.max([shares[:, n] * self.laws[n].top for n in rivals], axis=0), law.top)[:, None]
        cuts = top * np.append(0.0, np.exp(-RATIO * np.arange(CUTS, -1, -1)))
        places = np.sort(
            np.minimum(np.concatenate([cuts, *ends, np.tile(law.marks, (len(top), 1))], axis=1), top), axis=1
        )
        middles, halves = (places[:, 1:] + places[:, :-1]) / 2, np.diff(places) / 2
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        costs = middles[:, :, None] + halves[:, :, None] * nodes
        density = law.in_regions(law.densities, costs, np.searchsorted(law.marks, middles)[:, :, None])
        parts = costs * density * self._unchosen(costs, middles, shares, rivals)
        return np.asarray(((parts @ weights) * halves).sum(axis=1))

    def _unchosen(self, costs: Array, middles: Array, shares: Array, rivals: list[int]) -> Array:
        """Return the chance that some rival weighs more."""
        found = np.zeros(costs.shape)
        for rival in rivals:
            law, share = self.laws[rival], shares[:, rival]
            region = np.searchsorted(law.marks, middles / share[:, None])[:, :, None]
            above = law.in_regions(law.survivals, costs / share[:, None, None], region)
            _join(found, np.where(share[:, None, None] > 0, above, 0.0))
        return found


def _join(chances: Array, others: Array) -> None:
    """Add the chance of another event, ``a + b - a b``, so that small chances keep their digits."""
    chances += others - chances * others
