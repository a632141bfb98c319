"""What to decide in each case at the costs at hand, what that is expected to cost, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.costs.contexts import Context
from costderive.costs.contexts.context import whole_number
from costderive.derivation.derivation import Derivation
from costderive.evaluate.cost_matrix import CostMatrix
from costderive.evaluate.data_frames import data_frame
from costderive.evaluate.predictions import column
from costderive.evaluate.row_costs import of_rows, require_costs, require_letters
from costderive.evaluate.scaled_costs import compiled_context
from costderive.numeric import CompiledLoss, compile
from costderive.numeric.checked_data import probabilities
from costderive.rules import ScoringRule

Costs = Context | CostMatrix | ScoringRule | Derivation | CompiledLoss


@dataclass(frozen=True, slots=True, repr=False)
class Decisions:
    """A decision for each case: arrays of shape (n,), in the order of the cases.

    ``decision`` is 0 or 1. ``cost0`` and ``cost1`` are what deciding for class 0 and for class 1 is expected to cost,
    in the units of the costs, and ``doubt`` is the probability that the other decision is right, as `decide` says.
    """

    decision: NDArray[np.int64]
    cost0: Array
    cost1: Array
    doubt: Array

    def __len__(self) -> int:
        return len(self.decision)

    def __repr__(self) -> str:
        total = float(self.cost.sum())
        return (
            f"<Decisions: class 1 in {self.decision.sum()} of {len(self)} cases, expected cost {total:.6g}>"
        )

    @property
    def cost(self) -> Array:
        """What each decision is expected to cost."""
        return np.where(self.decision == 1, self.cost1, self.cost0)

    @property
    def saving(self) -> Array:
        """What deciding for class 1 is expected to save over class 0: below 0 where it costs more."""
        return self.cost0 - self.cost1

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the decision, its expected cost, the saving of class 1 and the doubt, by name."""
        return {name: getattr(self, name) for name in ("decision", "cost", "saving", "doubt")}

    def to_frame(self) -> Any:
        """Return the columns as a data frame of pandas.

        Raises:
            CostDeriveError: if pandas is not installed.
        """
        return data_frame(self.columns())


@dataclass(frozen=True, slots=True)
class Cases:
    """Some cases: probabilities of class 1, of shape (n,), columns of costs, and where case i stands."""

    p: Array
    columns: dict[str, Array] = field(default_factory=dict)
    place: Callable[[int], str] = "row {}".format


def decide(
    p: ArrayLike,
    context: Costs,
    *,
    columns: Mapping[str, ArrayLike] | None = None,
    capacity: int | None = None,
    time_limit: float = 60.0,
) -> Decisions:
    """Return for each case the class for which to decide, at its costs: 1 iff ``(1 - p) E[c0] < p E[c1]``.

    ``p`` has shape (n,): calibrated probabilities of class 1. The costs are expected costs, or those of each case:
    ``columns`` gives letters of the context a number, or an array of shape (n,). With a ``capacity`` class 1 is decided
    for in so many cases at most: those in which it saves most.

    A cost matrix in place of the context is decided by its regrets, and adds ``(1 - p) E[tn] + p E[tp]`` to both costs.

    ``doubt`` is the probability over the costs that the other decision is right, were the costs known: class 1 is
    right iff ``c0/(c0 + c1) < p``. Each pair of costs counts by ``c0 + c1``, what is at stake, so it is a share of the
    threshold weight. So weighted, the decision compares p with the mean of ``c0/(c0 + c1)``, and the probability is
    one of the proper scoring rule alone, which stands in place of a context too. For known costs it is 0, or 1 where
    the capacity forbids what is right.

    Raises:
        DataError: naming the first case without a probability or without costs; or if both expected costs are infinite.
        ParametersLeftError: if a letter of the context has no numbers.

    Source: Elkan (2001), section 1.2.

    Example:
        >>> from costderive import Independent
        >>> context = Independent(fp=5, fn="amount * uniform(1/2, 1)")
        >>> found = decide([0.1, 0.1, 0.1], context, columns={"amount": [10, 80, 600]})
        >>> found.decision, found.cost
        (array([0, 1, 1]), array([0.75, 4.5 , 4.5 ]))
    """
    values = probabilities("p", p)
    if values.ndim != 1 or not len(values):
        raise DataError(f"p has shape {values.shape}", "Give a probability of class 1 for each case.")
    named = {} if columns is None else columns
    given = {name: column(f"columns[{name!r}]", costs, len(values), "p") for name, costs in named.items()}
    loss = compiled(context, time_limit)
    letters = loss.parameters
    if isinstance(context, Context | CostMatrix):
        letters = tuple(symbol.name for symbol in context.parameters)
    require_letters(letters, tuple(given))
    matrix = context if isinstance(context, CostMatrix) else None
    return decided(loss, [Cases(values, given)], capacity, matrix)


def compiled(rule: Costs, time_limit: float = 60.0) -> CompiledLoss:
    """Return the compiled losses of a context, of the regrets of a cost matrix, or of what stands for a context."""
    costs = rule.context if isinstance(rule, CostMatrix) else rule
    if isinstance(costs, Context):
        return compiled_context(costs, time_limit)
    return costs if isinstance(costs, CompiledLoss) else compile(costs, time_limit=time_limit)


def decided(
    loss: CompiledLoss, cases: Iterable[Cases], capacity: int | None = None, matrix: CostMatrix | None = None
) -> Decisions:
    """Return the decisions for cases that come in parts, by the loss of a context or of the regrets of a cost matrix.

    Raises:
        DataError: as `decide` does.
    """
    if capacity is not None:
        whole_number(capacity, "capacity", least=0)
    parts = [_expected(loss, part, matrix) for part in cases]
    cost0, cost1, below, above, rest = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    decision = _chosen(cost0 - cost1, capacity)
    with np.errstate(invalid="ignore"):
        doubt = np.where(decision == 1, above, below) / (below + above)
    return Decisions(decision, cost0 + rest, cost1 + rest, np.nan_to_num(doubt))


def _expected(loss: CompiledLoss, cases: Cases, matrix: CostMatrix | None) -> tuple[Array, ...]:
    """Return the expected costs of deciding for 0 and for 1, the threshold weight below p and beyond, and the rest."""
    columns = cases.columns if matrix is None else matrix.with_regrets(cases.columns, cases.place)
    if columns:
        require_costs(loss, columns, cases.place)
    p, (loss0, loss1) = cases.p, of_rows(loss)
    mean0, mean1 = loss0(np.ones_like(p), columns), loss1(np.zeros_like(p), columns)
    if np.isinf(np.minimum(mean0, mean1)).any():
        raise DataError("both expected costs are infinite", "Decide at c0/(c0 + c1) of each case.")
    at0, at1 = loss0(p, columns), loss1(p, columns)
    with np.errstate(invalid="ignore"):  # infinity less infinity
        below, above = at0 + (mean1 - at1), (mean0 - at0) + at1
        costs = np.where(p > 0, p * mean1, 0.0), np.where(p < 1, (1 - p) * mean0, 0.0)
    rest = 0.0 if matrix is None else (1 - p) * matrix.rest(0, columns) + p * matrix.rest(1, columns)
    return (*costs, np.maximum(below, 0), np.maximum(above, 0), rest + np.zeros_like(p))


def _chosen(saving: Array, capacity: int | None) -> NDArray[np.int64]:
    """Return 1 where class 1 saves something; at most so often, first where it saves most."""
    decision = (saving > 0).astype(np.int64)
    if capacity is not None:
        decision[np.argsort(-saving, kind="stable")[capacity:]] = 0
    return decision


def next_saving(decisions: Decisions) -> float:
    """Return what one case more would save, if a capacity is what limits them; else 0."""
    waiting = decisions.saving[(decisions.decision == 0) & (decisions.saving > 0)]
    return float(waiting.max()) if len(waiting) else 0.0
