"""The losses of rows under a cost matrix with several uncertain letters.

Of two letters one is integrated, while the other is at the Gauss-Legendre points of its levels; of more, all are at the
levels of a lattice. So the rule that is computed is that of other laws, and as proper as the one it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import sympy
from sympy import Expr

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.cost_matrix import Columns, CostMatrix
from costderive.multiclass.gauss import gauss
from costderive.multiclass.reject_costs import RejectCosts
from costderive.multiclass.row_losses import RowLosses, blocks
from costderive.multiclass.row_mixtures import FARTHEST, MixedRows
from costderive.multiclass.row_tables import density
from costderive.multiclass.several_uncertain import ExpectedLosses
from costderive.multiclass.stages import Distribution

PANELS, NODES, HALVINGS = 64, 8, 40
MOST_POINTS = 3000  # of products of points; above it a lattice is taken
LATTICE, GENERATOR = (
    65521,
    17364,
)  # a prime, and a factor whose powers spread the points of 2 to 10 letters evenly
BLOCK = 1 << 20  # numbers in an array
Points = tuple[Array, Array]  # values, and their probabilities


class SeveralRows(RowLosses):
    """The losses of rows under a matrix with several uncertain letters."""

    matrix: CostMatrix

    def decide(self, forecasts: Array, uncertain: ArrayLike | None) -> NDArray[np.intp]:
        """Return the act of each row; ``uncertain`` has a column for each letter.

        Raises:
            DataError: if it is missing, of another shape, or has a number that is no cost.
        """
        letters = [letter for letter, _ in self.matrix.parts]
        values = _columns(uncertain, tuple(map(str, letters)), len(forecasts))
        costs = _evaluated(self.matrix.costs, dict(zip(letters, values.T, strict=True)))
        return np.asarray(np.einsum("nk,nkj->nj", forecasts, costs).argmin(axis=1))


def several_rows(found: ExpectedLosses) -> SeveralRows:
    """Return the losses of rows for a matrix whose only letters are the uncertain ones."""
    letters = [letter for letter, _ in found.matrix.parts]
    rules = [_rule(found.parts[place]) for place in found.held]
    if sympy.prod([len(weights) for _, weights in rules]) > MOST_POINTS:
        points = _lattice(found.parts)
        costs = _evaluated(found.matrix.costs, dict(zip(letters, points.T, strict=True)))
        return PointRows(found.matrix, float(found.scale) * costs)
    points, weights = (np.array(list(product(*one))) for one in zip(*rules, strict=True))
    held = {letters[place]: points[:, n] for n, place in enumerate(found.held)}
    rest, per_unit = found.matrix.lines_in(letters[found.integrated])
    known, slopes = _evaluated(rest, held), _evaluated(per_unit, held)
    return LineRows(found.matrix, _mixed(found, known[0], slopes[0]), known, slopes, weights.prod(axis=1))


def _mixed(found: ExpectedLosses, known: Array, slopes: Array) -> MixedRows:
    one = found.parts[found.integrated]
    law = RejectCosts.of(one, found.limited[found.integrated], FARTHEST)
    letter, _ = found.matrix.parts[found.integrated]
    values, chances = _masses(one).T
    return MixedRows(known, slopes, law, values, chances, float(found.scale), str(letter))


@dataclass(frozen=True, eq=False)
class PointRows(SeveralRows):
    """Costs of shape (N, K, J) at N points of all letters, which are equally probable."""

    matrix: CostMatrix
    costs: Array

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        count, _, acts = self.costs.shape
        total = np.zeros(len(labels))
        for rows in blocks(len(labels), acts, BLOCK // 16):
            some, own = forecasts[rows], labels[rows]
            for points in blocks(count, len(some) * acts, BLOCK):
                costs = self.costs[points]
                taken = np.matmul(some, costs).argmin(axis=2)
                total[rows] += costs[np.arange(len(costs))[:, None], own, taken].sum(axis=0)
        return np.asarray(total / count)


@dataclass(frozen=True, eq=False)
class LineRows(SeveralRows):
    """Costs ``known + x slopes`` of shape (N, K, J) at N points of the held letters, with the weights of these."""

    matrix: CostMatrix
    mixed: MixedRows
    known: Array
    slopes: Array
    weights: Array

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        total = np.zeros(len(labels))
        for known, slopes, weight in zip(self.known, self.slopes, self.weights, strict=True):
            total += weight * replace(self.mixed, known=known, slopes=slopes).of_rows(forecasts, labels)
        return total


def _evaluated(costs: Columns, values: dict[Any, Array]) -> Array:
    """Return rows of costs at points, of shape (N, K, J)."""
    count = len(next(iter(values.values())))
    cells = [
        [np.broadcast_to(_function(cost, values)(*values.values()), (count,)) for cost in row]
        for row in costs
    ]
    return np.asarray(np.moveaxis(np.array(cells, dtype=float), 2, 0))


def _function(cost: Expr, values: dict[Any, Array]) -> Any:
    return sympy.lambdify(list(values), cost, "numpy")


def _columns(given: ArrayLike | None, names: tuple[str, ...], rows: int) -> Array:
    listed = ", ".join(names)
    if given is None:
        raise DataError(f"{listed} are uncertain", "Give what they are as uncertain: a column for each.")
    found = np.asarray(given, dtype=float)
    if found.shape not in ((len(names),), (rows, len(names))):
        remedy = f"Give a column for each of {listed}: the shape ({rows}, {len(names)}), or one row for all."
        raise DataError(f"uncertain has the shape {found.shape}", remedy)
    found = np.broadcast_to(found, (rows, len(names)))
    if not (found >= 0).all():
        row, column = np.argwhere(~(found >= 0))[0]
        raise DataError(
            f"uncertain[{row}, {column}] = {found[row, column]} is not a cost", "Costs are at least 0."
        )
    return found


# ---- points of laws


def _lattice(laws: tuple[Distribution, ...]) -> Array:
    """Return points of independent letters, of shape (N, letters)."""
    powers = [pow(GENERATOR, n, LATTICE) for n in range(len(laws))]
    levels = (np.outer(np.arange(LATTICE), powers) % LATTICE + 0.5) / LATTICE
    return np.stack([_at_levels(one, levels[:, n]) for n, one in enumerate(laws)], axis=1)


def _masses(one: Distribution) -> Array:
    """Return values and their probabilities, in two columns."""
    pairs = [(float(m), float(j)) for m, j in zip(one.marks, one.jumps, strict=True) if j != 0]
    return np.array(pairs).reshape(-1, 2)


def _rule(one: Distribution) -> Points:
    """Return Gauss-Legendre points of a density, between levels that shrink to 0 and 1, and the masses."""
    masses = _masses(one)
    if not one.carried:
        return masses[:, 0], masses[:, 1]
    small, spread = 2.0 ** -np.arange(1, HALVINGS), replace(one.law, masses=())
    levels = np.unique(np.concatenate([np.arange(1, PANELS) / PANELS, small, 1 - small]))
    inner = spread.at_levels((1 - masses[:, 1].sum()) * levels)
    low, high = one.carried[0][0], one.carried[-1][1]
    ends = np.unique([float(low), *inner, *([] if high is sympy.oo else [float(high)])])
    nodes, weights = gauss(NODES)
    half = np.diff(ends)[:, None] / 2
    values = (ends[:-1, None] + half * (1 + nodes)).ravel()
    chances = (half * weights).ravel() * density(spread, values)
    return np.concatenate([values, masses[:, 0]]), np.concatenate([chances, masses[:, 1]])


def _at_levels(one: Distribution, levels: Array) -> Array:
    """Return values at levels from 0 to 1: first those of the density, then the masses."""
    masses = _masses(one)
    total = 1 - masses[:, 1].sum()
    found = replace(one.law, masses=()).at_levels(levels) if one.carried else np.empty_like(levels)
    if len(masses):
        beyond = total + np.cumsum(masses[:, 1])[:-1]
        there = levels >= total if one.carried else np.ones(len(levels), dtype=bool)
        found[there] = masses[np.searchsorted(beyond, levels[there], side="right"), 0]
    return np.asarray(found)
