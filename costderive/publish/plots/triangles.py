"""Pictures of a rule of three classes: its losses, or acts, and its entropy over the triangle of forecasts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.core.errors import ExportError
from costderive.multiclass import CostMatrix, MulticlassDerivation, compile
from costderive.publish.plots.canvas import COLOURS, axes, round_numbers

Array = NDArray[np.float64]
STEPS = 50  # of a probability
INSIDE = 1e-3  # a loss may jump, or be infinite, on the sides
LEVELS = 9
SHOWN = 0.93  # of the losses: the last ones before infinity would leave no line for the others
SMALLEST = 1e-9  # area of a region of an act that is drawn
CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (0.5, np.sqrt(0.75))])


def simplex(found: MulticlassDerivation) -> Any:
    """Draw the loss of each of three classes by the forecast, and the entropy by the belief, as contours.

    Of a cost matrix, draw where each act is taken instead of the losses.

    Raises:
        ExportError: if there are not three classes.
        ParametersLeftError: if a parameter has no number.
    """
    loss = compile(found.rule)
    if loss.classes not in (None, 3):
        raise ExportError(
            f"a triangle is for three classes, not {loss.classes}", "Draw the losses along a line instead."
        )
    forecasts = _forecasts()
    losses = [loss.per_sample(np.full(len(forecasts), label), forecasts) for label in range(3)]
    if isinstance(found.context, CostMatrix):
        return _acts(found.context, losses)
    figure, grid = axes(2, 2, (7.6, 7.0))
    for label, (axis, values) in enumerate(zip(grid.flat, losses, strict=False)):
        _contours(axis, forecasts, values, f"loss if the class is {label}", "p")
    _entropy(grid[1, 1], losses)
    return figure


def _entropy(axis: Any, losses: list[Array]) -> None:
    forecasts = _forecasts()
    _contours(axis, forecasts, (forecasts * np.transpose(losses)).sum(axis=1), "entropy", "q")


def _forecasts() -> Array:
    """Return forecasts of three classes on a grid, all of them inside of the triangle."""
    counts = [(i, j, STEPS - i - j) for i in range(STEPS + 1) for j in range(STEPS + 1 - i)]
    return INSIDE + (1 - 3 * INSIDE) * np.array(counts) / STEPS


def _contours(axis: Any, forecasts: Array, values: Array, title: str, letter: str) -> None:
    x, y = (forecasts @ CORNERS).T
    levels = round_numbers(values.min(), np.quantile(values, SHOWN), LEVELS)
    axis.tricontourf(x, y, values, levels, cmap="Blues", alpha=0.55, extend="max")
    lines = axis.tricontour(x, y, values, levels, colors="black", linewidths=0.6)
    axis.clabel(lines, levels[1::2], fontsize=7)
    _corners(axis, title, letter)


def _corners(axis: Any, title: str, letter: str) -> None:
    """Draw the triangle, and name its corners."""
    axis.plot(*CORNERS[[0, 1, 2, 0]].T, color="black", linewidth=1.0)
    for label, (at, side) in enumerate(zip(CORNERS, ("top", "top", "bottom"), strict=True)):
        shift = -0.02 if side == "top" else 0.02
        axis.text(at[0], at[1] + shift, f"${letter}_{label} = 1$", ha="center", va=side, fontsize=9)
    axis.set_title(title, fontsize=10, loc="left")
    axis.set(xticks=(), yticks=(), aspect="equal")
    axis.spines[:].set_visible(False)


# ---- the acts of a cost matrix


def _acts(matrix: CostMatrix, losses: list[Array]) -> Any:
    """Draw where each act with known costs is taken, and the entropy."""
    figure, grid = axes(1, 2, (7.6, 3.6))
    left, right = grid.flat
    costs = np.array(matrix.columns, dtype=float)
    for act in range(len(costs)):
        _region(left, act, costs, "reject" if act == len(matrix.costs[0]) else str(act))
    _corners(left, "act that is taken, unless rejected" if matrix.is_uncertain else "act that is taken", "p")
    _entropy(right, losses)
    return figure


def _region(axis: Any, act: int, costs: Array, name: str) -> None:
    corners_of = _polygon(costs - costs[act])
    if len(corners_of) < 3:
        return
    x, y = (corners_of @ CORNERS).T
    area = abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    if area > SMALLEST:
        axis.fill(x, y, facecolor=COLOURS[act % len(COLOURS)], alpha=0.35, edgecolor="black", linewidth=0.6)
        axis.text(x.mean(), y.mean(), name, ha="center", va="center", fontsize=9)


def _polygon(excesses: Array) -> Array:
    """Cut the triangle of forecasts along the line on which each other act costs the same; shape (corners, 3)."""
    found = np.eye(3)
    for excess in excesses:
        kept = []
        for here, there in zip(found, np.roll(found, -1, axis=0), strict=True):
            a, b = here @ excess, there @ excess
            kept += [here] if a >= 0 else []
            kept += [here + (there - here) * a / (a - b)] if a * b < 0 else []
        found = np.array(kept).reshape(-1, 3)
    return found
