"""Pictures of scores: cost curves, Murphy diagrams, decision curves and reliability diagrams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.evaluate import Scores
from costderive.evaluate.curves import CostCurve, constant_curves, optimal_curves, reliabilities
from costderive.evaluate.curves import cost_curves as curves_of
from costderive.publish.plots.canvas import GREY, PALE, RATIO, axes, legend, styles
from costderive.publish.plots.weight_pictures import ceiling, draw_weight, has_density, window

Array = NDArray[np.float64]
POINTS = 1200
LONGEST = 28  # letters of a name in a legend


def cost_curves(scores: Scores) -> Any:
    """Draw what each model costs at each cost proportion; the area under a line is its loss.

    Grey lines are those of always deciding for one class; thin ones the best that a threshold can do. A threshold
    weight that is all atoms has no density: then the lines are elementary scores, and dots mark the atoms.
    """
    figure, axis = axes()
    low, high = window(scores.rule)
    dense = has_density(scores.rule)
    height: Callable[[CostCurve, Array], Array] = CostCurve.__call__ if dense else CostCurve.elementary
    s = _grid(low, high)
    for curve, dashes in zip(constant_curves(scores), ("-", "--"), strict=True):
        label = f"{curve.name}: {_number(curve.area)}"
        axis.plot(s, height(curve, s), color=GREY, linewidth=1, linestyle=dashes, label=label)
    tallest = 0.0
    for curve, best, look in zip(curves_of(scores), optimal_curves(scores), styles(), strict=False):
        values = height(curve, s)
        tallest = max(tallest, ceiling(values))
        axis.plot(s, values, label=f"{_short(curve.name)}: {_number(curve.area)}", **look)
        axis.plot(s, height(best, s), color=look["color"], linewidth=0.7, alpha=0.8)
    if not dense:
        draw_weight(axis, scores.rule)
    axis.set(xlabel=RATIO, ylabel="cost of an instance, by $s$" if dense else "elementary score $Q(s)$")
    axis.set(xlim=(low, high), ylim=(0, 1.08 * tallest or 1.0))
    legend(axis)
    return figure


def murphy_diagram(scores: Scores) -> Any:
    """Draw the elementary score of each model at each threshold, and the threshold weight of the context under it."""
    figure, axis = axes()
    low, high = window(scores.rule)
    s = _grid(low, high)
    for curve, look in zip(curves_of(scores), styles(), strict=False):
        axis.plot(s, curve.elementary(s), label=f"{_short(curve.name)}: {_number(curve.area)}", **look)
    axis.set(xlabel=RATIO, ylabel="elementary score $Q(s)$", xlim=(low, high))
    axis.set_ylim(bottom=0)
    draw_weight(axis, scores.rule)
    legend(axis)
    return figure


def decision_curves(scores: Scores) -> Any:
    """Draw the net benefit of each model at each threshold where the context has weight."""
    figure, axis = axes()
    low, high = window(scores.rule)
    t = _grid(low, min(high, 0.99))
    never, always = constant_curves(scores)
    axis.plot(t, never.net_benefit(t), color=GREY, linewidth=1, label="always 0")
    axis.plot(t, always.net_benefit(t), color=GREY, linewidth=1, linestyle="--", label="always 1")
    top = scores.proportions[1] or 1.0
    lowest = top
    for curve, look in zip(curves_of(scores), styles(), strict=False):
        values = curve.net_benefit(t)
        lowest = max(-top, min(lowest, float(np.quantile(values, 0.02))))
        axis.plot(t, values, label=_short(curve.name), **look)
    low_always = min(lowest, float(always.net_benefit(t).min()))
    lowest = (
        low_always if low_always > top / 2 else min(lowest, 0.0)
    )  # lines that are all high have all the room
    room = 0.08 * (top - lowest)
    axis.set(xlabel=f"threshold $t$ = {RATIO}", ylabel="net benefit, in true ones")
    axis.set(xlim=(t[0], t[-1]), ylim=(lowest - room, top + room))
    draw_weight(axis, scores.rule)
    legend(axis)
    return figure


def reliability_diagrams(scores: Scores) -> Any:
    """Draw recalibrated against predicted probabilities, with what miscalibration costs and discrimination saves.

    Raises:
        DataError: if there is one class only.
    """
    found = reliabilities(scores)
    columns = min(3, len(found))
    rows = -(-len(found) // columns)
    figure, grid = axes(
        rows, columns, (2.9 * columns + 0.4, 3.3 * rows + 0.3), squeeze=False, sharex=True, sharey=True
    )
    for axis in grid.flat[len(found) :]:
        axis.set_visible(False)
    for axis, each, look in zip(grid.flat, found, styles(), strict=False):
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
        axis.bar(*_histogram(each.probability, each.weight), color=PALE, align="edge", zorder=0)
        axis.plot(each.probability, each.recalibrated, color=look["color"], linewidth=1.6)
        shown = (_number(x, 3) for x in (each.miscalibration, each.discrimination, each.uncertainty))
        parts = "{} − {} + {}".format(*shown)
        axis.set_title(f"{_short(each.name)}\n{parts}", fontsize=9)
        axis.set(xlim=(0, 1), ylim=(0, 1), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
    note = "predicted probability of class 1\nabove: miscalibration − discrimination + uncertainty = loss"
    figure.supxlabel(note, fontsize=10)
    figure.supylabel("recalibrated", fontsize=10)
    return figure


def _histogram(probability: Array, weight: Array) -> tuple[Array, Array, float]:
    """Return left edges, heights (the tallest 1/5) and the width of bars."""
    counts, edges = np.histogram(probability, bins=20, range=(0, 1), weights=weight)
    return edges[:-1], 0.2 * counts / counts.max(), 0.05


def _grid(low: float, high: float) -> Array:
    """Return numbers between two, without the ends, where a density may be infinite."""
    width = high - low
    return np.linspace(low + width / (4 * POINTS), high - width / (4 * POINTS), POINTS)


def _number(value: float, digits: int = 4) -> str:
    return "∞" if np.isinf(value) else f"{value:.{digits}g}"


def _short(name: str) -> str:
    shown = name.replace("$", r"\$")
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
