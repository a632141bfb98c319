"""Pictures of scores: cost curves, Murphy diagrams, decision curves and reliability diagrams."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.evaluate import Scores, alike, cheapest
from costderive.evaluate.curves import CostCurve, constant_curves, optimal_curves, reliabilities
from costderive.evaluate.curves import cost_curves as curves_of
from costderive.publish.formats.terminal import context_words
from costderive.publish.plots.canvas import COLOURS, GREY, PALE, RATIO, SIZE, axes, entitle, legend, styles
from costderive.publish.plots.weight_pictures import (
    along,
    ceiling,
    draw_weight,
    has_density,
    in_odds,
    measure_of,
)

Array = NDArray[np.float64]
LONGEST = 28  # letters of a name in a legend
CASES = 1000


def decision(scores: Scores) -> Any:
    """Draw what 1000 cases cost with each model, with its interval, and at which thresholds each is cheapest.

    Costs are those with the costs of right decisions, where these are known. Where each row has its own costs, or
    there is one model, there are no ranges of thresholds.
    """
    order = sorted(range(len(scores)), key=lambda k: (scores[k].loss, k))
    colours = {row.model: COLOURS[k % len(COLOURS)] for k, row in enumerate(scores)}
    is_compared = len(scores) > 1 and not scores.columns
    title, height = context_words(scores.context), 1.1 + 0.34 * len(scores)
    if not is_compared:
        figure, costs = axes(size=(SIZE[0], height + 0.5), title=title)
    else:
        rows = {"gridspec_kw": {"height_ratios": [0.3 + 0.34 * len(scores), 0.55]}}
        figure, (costs, ranges) = axes(2, 1, (SIZE[0], height + 1.7), title=title, **rows)
        _cheapest(ranges, scores, colours)
    _costs(costs, scores, order, colours)
    return figure


def _costs(axis: Any, scores: Scores, order: list[int], colours: dict[str, str]) -> None:
    for place, k in enumerate(order):
        row = scores[k]
        low, middle, high = (
            CASES * (value + scores.rest) for value in (row.interval.low, row.loss, row.interval.high)
        )
        axis.plot([low, high], [place, place], color=colours[row.model], linewidth=2.5, solid_capstyle="butt")
        axis.plot([middle], [place], "o", color=colours[row.model], markersize=7)
    axis.set(ylim=(len(order) - 0.5, -0.5), yticks=range(len(order)))
    axis.set_yticklabels([_in_lines(scores[k].model) for k in order])
    axis.grid(axis="x", color=PALE, linewidth=0.7)
    axis.set_axisbelow(True)
    axis.set_xlabel(f"cost of {CASES} cases, with {100 * scores.level:.4g} % intervals")


def _cheapest(axis: Any, scores: Scores, colours: dict[str, str]) -> None:
    """Draw the range of thresholds in which each model is cheapest, where the context has weight."""
    s, _ = along(axis, scores.rule, "the model that is cheapest, at each threshold $c_0/(c_0 + c_1)$")
    names = {row.model: " = ".join(map(_short, alike(scores, row.model))) for row in scores}
    for part in cheapest(scores):
        low, high = max(part.low, s[0]), min(part.high, s[-1])
        if low < high:
            axis.axvspan(low, high, color=colours[part.model], linewidth=0)
            _named(axis, names[part.model], (low, high))
    atoms = [float(atom.at) for atom in measure_of(scores.rule).atoms]
    axis.plot(atoms, [1.0] * len(atoms), "v", color="black", markersize=6, clip_on=False)
    if atoms:
        axis.set_xlabel(f"{axis.get_xlabel()}\n▼: the context's own")
    axis.set(yticks=[], ylim=(0, 1))
    axis.spines["left"].set_visible(False)


def _named(axis: Any, name: str, ends: tuple[float, float]) -> None:
    """Write a name in a range, if that is wide enough."""
    axis.figure.canvas.draw()
    (left, middle), (right, _) = axis.transData.transform([(ends[0], 0.5), (ends[1], 0.5)])
    at = axis.transData.inverted().transform(((left + right) / 2, middle))
    text = axis.text(*at, name, ha="center", va="center", fontsize=9, color="white")
    text.set_visible(text.get_window_extent().width < 0.95 * (right - left))


def cost_curves(scores: Scores) -> Any:
    """Draw what each model costs at each cost proportion; the area under a line is its loss.

    Grey lines are those of always deciding for one class; thin ones the best that a threshold can do. A threshold
    weight that is all atoms has no density: then the lines are elementary scores, and dots mark the atoms.
    """
    figure, axis = axes(title=context_words(scores.context))
    s, factor = along(axis, scores.rule)
    dense = has_density(scores.rule)

    def height(curve: CostCurve, s: Array) -> Array:
        return curve(s) * factor if dense else curve.elementary(s)

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
    by = r"the log-odds of $s$" if in_odds(scores.rule) else "$s$"
    axis.set(ylabel=f"cost of an instance,\nby {by}" if dense else "elementary score $Q(s)$")
    axis.set_ylim(0, 1.08 * tallest or 1.0)
    legend(axis)
    return figure


def murphy_diagram(scores: Scores) -> Any:
    """Draw the elementary score of each model at each threshold, and the threshold weight of the context under it."""
    figure, axis = axes(title=context_words(scores.context))
    s, _ = along(axis, scores.rule)
    for curve, look in zip(curves_of(scores), styles(), strict=False):
        axis.plot(s, curve.elementary(s), label=f"{_short(curve.name)}: {_number(curve.area)}", **look)
    axis.set_ylabel("elementary score $Q(s)$")
    axis.set_ylim(bottom=0)
    draw_weight(axis, scores.rule)
    legend(axis)
    return figure


def decision_curves(scores: Scores) -> Any:
    """Draw the net benefit of each model at each threshold where the context has weight."""
    figure, axis = axes(title=context_words(scores.context))
    t, _ = along(axis, scores.rule, f"threshold $t$ = {RATIO}", most=0.99)
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
    axis.set(ylabel="net benefit, in true ones", ylim=(lowest - room, top + room))
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
    entitle(figure, context_words(scores.context))
    note = "predicted probability of class 1\nabove: miscalibration − discrimination + uncertainty = loss"
    figure.supxlabel(note, fontsize=10)
    figure.supylabel("recalibrated", fontsize=10)
    return figure


def _histogram(probability: Array, weight: Array) -> tuple[Array, Array, float]:
    """Return left edges, heights (the tallest 1/5) and the width of bars."""
    counts, edges = np.histogram(probability, bins=20, range=(0, 1), weights=weight)
    return edges[:-1], 0.2 * counts / counts.max(), 0.05


def _number(value: float, digits: int = 4) -> str:
    return "∞" if np.isinf(value) else f"{value:.{digits}g}"


def _short(name: str) -> str:
    """Return a name, or both its ends: names of a family differ at the end."""
    half = LONGEST // 2
    shown = name if len(name) <= LONGEST else f"{name[:half]}…{name[1 - half :]}"
    return shown.replace("$", r"\$")


def _in_lines(name: str) -> str:
    """Return a name in two lines at most."""
    lines = wrap(name, LONGEST)
    return "\n".join(lines).replace("$", r"\$") if len(lines) <= 2 else _short(name)
