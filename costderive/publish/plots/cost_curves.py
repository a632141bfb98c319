"""The curves on which costs lie, for laws from which none can be drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Symbol

from costderive.core.symbols import s
from costderive.costs.expected_loss import ExpectedLoss
from costderive.costs.laws.quadrature import compiled, mapped

Array = NDArray[np.float64]
STEPS = np.linspace(-4.5, 4.5, 20001)
FARTHEST = np.log(19)  # the log-odds of s = 19/20: beyond it costs are too unlike to be seen together


def along(loss: ExpectedLoss, count: int) -> tuple[Array, Array]:
    """Return pairs of costs on lines and arcs, at equal distances in the log-odds of their proportion.

    About ``count`` pairs have a proportion between 1/20 and 19/20; the others are left out.
    """
    first, second = np.hstack([_costs(*curve) for curve in _curves(loss)])
    with np.errstate(divide="ignore", invalid="ignore"):
        place = np.log(first / second)
    near = np.flatnonzero(np.abs(place) <= FARTHEST)
    order = near[np.argsort(place[near])]
    wanted = np.linspace(-FARTHEST, FARTHEST, count)
    found = order[np.unique(np.searchsorted(place[order], wanted).clip(max=len(order) - 1))]
    return first[found], second[found]


def _curves(loss: ExpectedLoss) -> Iterator[tuple[Symbol, Expr, Expr, Expr, Expr]]:
    """Yield the variable of each curve, both costs, and the ends of the variable."""
    for line in loss.lines:
        yield s, s * line.magnitude, (1 - s) * line.magnitude, line.low, line.high
    for arc in loss.arcs:
        yield arc.variable, arc.c0, arc.c1, arc.low, arc.high


def _costs(variable: Symbol, first: Expr, second: Expr, low: Expr, high: Expr) -> Array:
    points, _ = mapped(STEPS, np.asarray(float(low)), np.asarray(float(high)))
    return np.stack([compiled(cost, variable)(points) for cost in (first, second)])
