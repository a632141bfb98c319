"""Pictures of a rule of three classes: its losses and its entropy over the triangle of forecasts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.core.errors import ExportError
from costderive.multiclass import MulticlassDerivation, compile
from costderive.publish.plots.canvas import axes, round_numbers

Array = NDArray[np.float64]
STEPS = 50  # of a probability
INSIDE = 1e-3  # a loss may jump, or be infinite, on the sides
LEVELS = 9
SHOWN = 0.93  # of the losses: the last ones before infinity would leave no line for the others
CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (0.5, np.sqrt(0.75))])


def simplex(found: MulticlassDerivation) -> Any:
    """Draw the loss of each of three classes by the forecast, and the entropy by the belief, as contours.

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
    entropy = (forecasts * np.transpose(losses)).sum(axis=1)
    figure, grid = axes(2, 2, (7.6, 7.0))
    for label, (axis, values) in enumerate(zip(grid.flat, losses, strict=False)):
        _contours(axis, forecasts, values, f"loss if the class is {label}", "p")
    _contours(grid[1, 1], forecasts, entropy, "entropy", "q")
    return figure


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
    axis.plot(*CORNERS[[0, 1, 2, 0]].T, color="black", linewidth=1.0)
    for label, (at, side) in enumerate(zip(CORNERS, ("top", "top", "bottom"), strict=True)):
        shift = -0.02 if side == "top" else 0.02
        axis.text(at[0], at[1] + shift, f"${letter}_{label} = 1$", ha="center", va=side, fontsize=9)
    axis.set_title(title, fontsize=10, loc="left")
    axis.set(xticks=(), yticks=(), aspect="equal")
    axis.spines[:].set_visible(False)
