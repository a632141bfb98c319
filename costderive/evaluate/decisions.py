"""What to decide: which model is cheapest at which costs, and which single threshold, if one must do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import np
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation
from costderive.evaluate.case_decisions import compiled
from costderive.evaluate.curves import CostCurve, cost_curves
from costderive.evaluate.model_scores import Scores
from costderive.numeric import CompiledLoss
from costderive.rules import ScoringRule


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The model that costs least for cost proportions between ``low`` and ``high``."""

    model: str
    low: float
    high: float


def cheapest(scores: Scores) -> tuple[Cheapest, ...]:
    """Return which model costs least at each cost proportion in (0, 1), as neighbouring intervals, ascending.

    Of models that cost the same, the first given is named. What the costs add up to does not matter here, nor does
    the context: deciding at ``c0/(c0 + c1)`` the models are compared by their elementary scores.
    """
    curves = cost_curves(scores)
    edges = np.unique(np.concatenate([curve.edges for curve in curves]))
    found: list[Cheapest] = []
    for part in _lowest(curves, edges):
        if found and found[-1].model == part.model:
            found[-1] = Cheapest(part.model, found[-1].low, part.high)
        else:
            found.append(part)
    return tuple(found)


def _lowest(curves: Sequence[CostCurve], edges: np.ndarray) -> Iterator[Cheapest]:
    """Yield the lowest line of each cell, cut where lines cross."""
    cells = [np.searchsorted(curve.edges, edges[:-1], side="right") - 1 for curve in curves]
    above = np.array([curve.above[cell] for curve, cell in zip(curves, cells, strict=True)])
    below = np.array([curve.below[cell] for curve, cell in zip(curves, cells, strict=True)])
    at_low, at_high = (edge * above + (1 - edge) * below for edge in (edges[:-1], edges[1:]))
    first, last = at_low.argmin(axis=0).tolist(), at_high.argmin(axis=0).tolist()
    for k, (one, other) in enumerate(zip(first, last, strict=True)):
        if one == other:  # a line that is lowest at both ends is so between them
            yield Cheapest(curves[one].name, float(edges[k]), float(edges[k + 1]))
            continue
        yield from _envelope(curves, (edges[k], edges[k + 1]), at_low[:, k], at_high[:, k])


def _envelope(
    curves: Sequence[CostCurve], ends: tuple[float, float], at_low: np.ndarray, at_high: np.ndarray
) -> Iterator[Cheapest]:
    """Yield the lower envelope of lines, given by their values at both ends of a cell."""
    place = 0.0  # in the cell, from 0 to 1
    current = int(np.lexsort((at_high, at_low))[0])
    while True:
        slopes = at_high - at_low
        falls = slopes < slopes[current]
        heights = at_low - at_low[current]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings = np.where(falls, heights / (slopes[current] - slopes), np.inf)
        after = int(np.lexsort((slopes, crossings))[0])
        to = min(1.0, float(crossings[after]))
        low, high = (ends[0] + x * (ends[1] - ends[0]) for x in (place, to))
        if high > low:
            yield Cheapest(curves[current].name, float(low), float(high))
        if to >= 1:
            return
        place, current = to, after


def threshold_for(rule: Context | ScoringRule | Derivation | CompiledLoss) -> float:
    """Return the threshold to decide at, for calibrated probabilities, if one must do for all costs.

    It is ``E[c0]/(E[c0] + E[c1])``: to decide before the costs are known costs their means. Where the costs of a
    case are known, it is cheaper to decide at ``c0/(c0 + c1)``.

    Raises:
        DataError: if both expected costs are infinite.

    Source: Elkan (2001), Eq. (2).

    Example:
        >>> from costderive import IndependentUniform
        >>> threshold_for(IndependentUniform(c0=(0, 2), c1=(4, 14)))
        0.1
    """
    loss = compiled(rule)
    first, second = loss.loss0(1.0), loss.loss1(0.0)
    if math.isinf(first) and math.isinf(second):
        raise DataError("both expected costs are infinite", "Decide at c0/(c0 + c1) of each case.")
    return 1.0 if math.isinf(first) else float(first / (first + second))


def alike(scores: Scores, model: str) -> tuple[str, ...]:
    """Return the models that predict what a model does, but for the order of rows of a class: they cost the same.

    Of probabilities that were rounded to be counted, it is that model alone.
    """
    tallies = {row.model: tally for row, tally in zip(scores, scores.tallies, strict=True)}
    own = tallies[model]
    return tuple(
        name for name, tally in tallies.items() if name == model or (own.is_exact and own.equals(tally))
    )
