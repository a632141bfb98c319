"""The losses of rows under a cost matrix: a product with the matrix, the first of the least costs, and its entry."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.multiclass.checked_classes import Labels
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.reject_costs import RejectCosts
from costderive.multiclass.row_losses import RowLosses, blocks
from costderive.multiclass.stages import Distribution


@dataclass(frozen=True, eq=False)
class ActRows(RowLosses):
    """Costs of shape (K, J) of the acts with known costs, times a mean factor, and an uncertain cost of rejecting.

    Decisions do not change if each class has its least cost subtracted. Then no term of an expected cost is negative,
    so that its error is at most ``(K + 1) 2^-53`` of itself. What is no further apart is taken to be the same.
    """

    costs: Array
    beyond_least: Array
    scale: float
    reject: RejectCosts | None

    @classmethod
    def of(
        cls,
        matrix: CostMatrix,
        factor: Distribution | None,
        reject: Distribution | None,
        limited: tuple[Expr, ...],
    ) -> ActRows:
        """Take the numbers of a matrix without letters."""
        rows = tuple(zip(*matrix.columns, strict=True))
        beyond = [
            [float(cost - least) for cost in row] for row, least in zip(rows, map(min, rows), strict=True)
        ]
        return cls(
            np.array(rows, dtype=float),
            np.array(beyond),
            1.0 if factor is None else float(factor.mean),
            None if reject is None else RejectCosts.of(reject, limited, float(max(0, *map(max, rows)))),
        )

    def of_rows(self, forecasts: Array, labels: Labels) -> Array:
        parts = [self._block(forecasts[rows], labels[rows]) for rows in self._blocks(len(labels))]
        return np.asarray(self.scale * np.concatenate(parts))

    def _block(self, forecasts: Array, labels: Labels) -> Array:
        acts = self._acts(forecasts)
        lost = self.costs[labels, acts]
        if self.reject is None:
            return lost
        return self.reject.mean_losses(lost, self._expected(forecasts, acts))

    def _blocks(self, rows: int) -> list[slice]:
        return list(blocks(rows, self.costs.shape[1]))

    def _acts(self, forecasts: Array) -> Labels:
        """Return the first act, among those with known costs, of the least expected cost."""
        expected = forecasts @ self.beyond_least
        tied = 1 + 2 * (len(self.costs) + 2) * np.finfo(float).eps
        return np.asarray((expected <= tied * expected.min(axis=1, keepdims=True)).argmax(axis=1))

    def _expected(self, forecasts: Array, acts: Labels) -> Array:
        return np.asarray(np.einsum("nk,nk->n", forecasts, self.costs.T[acts]))

    def decide(self, forecasts: Array, uncertain: ArrayLike | None) -> NDArray[np.intp]:
        """Return the act of each row; an uncertain cost of rejecting is given in each."""
        acts = np.concatenate([self._acts(forecasts[rows]) for rows in self._blocks(len(forecasts))])
        if self.reject is None:
            if uncertain is not None:
                raise DataError("no cost is uncertain that changes a decision", "Leave uncertain out.")
            return acts
        spent = values_of(uncertain, "the cost of rejecting", len(forecasts))
        return np.where(spent < self._expected(forecasts, acts), self.costs.shape[1], acts)


def values_of(given: ArrayLike | None, what: str, rows: int) -> Array:
    """Return what is uncertain as an array of shape (n,).

    Raises:
        DataError: if it is missing, of another shape, or negative.
    """
    if given is None:
        raise DataError(f"{what} is uncertain", "Give what it is in each row as uncertain.")
    found = np.asarray(given, dtype=float)
    if found.shape not in ((), (rows,)):
        raise DataError(
            f"uncertain has the shape {found.shape}", f"Give one number, or one for each of {rows} rows."
        )
    found = np.broadcast_to(found, (rows,))
    bad = np.flatnonzero(~(found >= 0))
    if len(bad):
        row = int(bad[0])
        raise DataError(f"uncertain[{row}] = {found[row]} is not a cost", "Costs are at least 0.")
    return found
