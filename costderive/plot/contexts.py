"""Pictures of a context and its rule: the plane of the costs, the threshold weight, the losses, the entropy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.contexts import Context
from costderive.derivation import Derivation
from costderive.errors import SpecError
from costderive.numeric import CompiledLoss, compile
from costderive.pairs import Witness
from costderive.plot.paper import COLOURS, DASHES, GREY, PALE, RATIO, SIZE, axes, legend, styles
from costderive.plot.weights import ceiling, has_density, measure_of, sampled, window
from costderive.rule import Improperness, RepairedProperness, ScoringRule

Array = NDArray[np.float64]
Rule = ScoringRule | Derivation | CompiledLoss
ANGLES = (15, 30, 45, 60, 75)  # of the rays on paper
DRAWS = 3000


def context(costs: Context, *, draws: int = DRAWS, seed: int = 0) -> Any:
    """Draw the plane of the costs: random pairs of them, and the rays on which the cost proportion is constant."""
    figure, axis = axes(size=(5.0, 4.6))
    _plane(axis, costs, draws, seed)
    return figure


def threshold_weight(*rules: Rule, names: tuple[str, ...] = ()) -> Any:
    """Draw the threshold weight of a rule with its atoms; of several, how they differ."""
    figure, axis = axes()
    _weights(axis, [_compiled(rule) for rule in rules], names)
    legend(axis)
    return figure


def losses(rule: Rule) -> Any:
    """Draw both losses."""
    figure, axis = axes()
    _losses(axis, _compiled(rule))
    legend(axis)
    return figure


def entropy(rule: Rule, *, belief: float | None = None, report: float | None = None) -> Any:
    """Draw the entropy with its tangent at a report: the gap above the belief is the divergence."""
    figure, axis = axes()
    _entropy(axis, _compiled(rule), belief, report)
    legend(axis)
    return figure


def context_panel(derivation: Derivation, *, at: Mapping[str, Any] | None = None, draws: int = DRAWS) -> Any:
    """Draw the four pictures of a context: its costs, its weight, its losses and its entropy.

    ``at`` has a number for each parameter. A rule that is not proper has neither weight nor entropy: in their place
    stands the risk under the belief of the witness against it.

    Raises:
        ParametersLeftError: if a parameter has no number.
        SpecError: if the derivation does not start from a cost context.
    """
    if not isinstance(derivation.context, Context):
        raise SpecError("the derivation has no cost context to draw", "Draw the rule itself.")
    costs, rule = derivation.context.at(**at or {}), compile(derivation.rule.at(**at or {}))
    witness = _witness(derivation)
    if witness is not None:
        return _improper_panel(costs, rule, witness, draws)
    figure, grid = axes(2, 2, (2 * SIZE[0] * 0.78, 2 * SIZE[1] * 0.92))
    _plane(grid[0, 0], costs, draws, 0)
    _weights(grid[0, 1], [rule], ())
    _losses(grid[1, 0], rule)
    _entropy(grid[1, 1], rule)
    _titled(grid.flat, ("costs", "threshold weight", "losses", "entropy and divergence"))
    return figure


def _improper_panel(costs: Context, rule: CompiledLoss, witness: Witness, draws: int) -> Any:
    figure, grid = axes(1, 3, (3 * SIZE[0] * 0.72, SIZE[1] * 0.92))
    _plane(grid[0], costs, draws, 0)
    _losses(grid[1], rule, (0.0, 1.0))
    _risk(grid[2], rule, witness)
    _titled(grid, ("costs", "losses", "expected loss under a belief"))
    return figure


def _witness(derivation: Derivation) -> Witness | None:
    """Return what shows that a rule is not proper, if anything does."""
    reached = derivation.cases[0].steps[-1].after
    if isinstance(reached, RepairedProperness):
        reached = reached.improper
    return reached.witness if isinstance(reached, Improperness) else None


def _titled(grid: Iterable[Any], titles: tuple[str, ...]) -> None:
    for axis, title in zip(grid, titles, strict=True):
        axis.set_title(title, fontsize=10, loc="left")
        if len(axis.get_legend_handles_labels()[1]) > 1:
            axis.legend(fontsize=8, frameon=False)


def _compiled(rule: Rule) -> CompiledLoss:
    return rule if isinstance(rule, CompiledLoss) else compile(rule)


def _plane(axis: Any, costs: Context, draws: int, seed: int) -> None:
    c0, c1 = costs.sample(draws, seed)
    right, top = (1.15 * max(float(np.quantile(c, 0.98)), 1e-300) for c in (c0, c1))
    is_one = len(np.unique(c0)) == len(np.unique(c1)) == 1
    size = 40 if is_one else 4
    axis.scatter(c0, c1, s=size, color=COLOURS[0], alpha=1 if is_one else 0.35, linewidths=0)
    for angle in ANGLES:
        s = float(f"{1 / (1 + np.tan(np.deg2rad(angle)) * top / right):.2g}")
        slope = (1 - s) / s
        x = min(right, top / slope)
        axis.plot([0, x], [0, slope * x], color=GREY, linewidth=0.7, zorder=0)
        axis.annotate(
            f"{s:g}",
            (x, slope * x),
            fontsize=8,
            color=GREY,
            xytext=(3, 3),
            textcoords="offset points",
            annotation_clip=False,
        )
    axis.set(xlim=(0, right), ylim=(0, top))
    axis.set(xlabel="$c_0$, cost of misclassifying class 0", ylabel="$c_1$, cost of misclassifying class 1")


def _weights(axis: Any, rules: list[CompiledLoss], names: tuple[str, ...]) -> None:
    tallest = 0.0
    for k, (rule, look) in enumerate(zip(rules, styles(), strict=False)):
        name = names[k] if k < len(names) else ""
        if has_density(rule):
            s, heights = sampled(rule)
            tallest = max(tallest, ceiling(heights))
            axis.plot(*_with_drops(s, heights), label=name or None, **look)
            if len(rules) == 1:
                axis.fill_between(s, heights, color=PALE, linewidth=0, zorder=0)
        elif name:
            axis.plot([], [], label=name, **look)
    lows, highs = zip(*map(window, rules), strict=True)
    axis.set(xlabel=RATIO, ylabel=r"threshold weight $\omega(s)$", xlim=(min(lows), max(highs)))
    axis.set_ylim(0, 1.08 * tallest or 1.0)
    if not tallest:  # atoms alone: their masses are written beside them
        axis.set_yticks([])
    _atoms(axis, rules)


def _with_drops(s: Array, heights: Array) -> tuple[Array, Array]:
    """Let a line drop to 0 at its ends, unless they are those of the axis."""
    first, last = s[:1][s[:1] > 0], s[-1:][s[-1:] < 1]
    places = np.concatenate([first, s, last])
    return places, np.concatenate([0 * first, heights, 0 * last])


def _atoms(axis: Any, rules: list[CompiledLoss]) -> None:
    """Draw atoms as stems whose heights compare among themselves, with their masses."""
    found = [
        (float(atom.at), float(atom.mass), look)
        for rule, look in zip(rules, styles(), strict=False)
        for atom in measure_of(rule).atoms
    ]
    most = max((mass for _, mass, _ in found), default=1.0)
    top = 0.8 * axis.get_ylim()[1]
    for at, mass, look in found:
        axis.plot(
            [at, at], [0, top * mass / most], color=look["color"], linewidth=2, marker="o", markevery=[1]
        )
        if len(found) <= 4:
            axis.annotate(
                f"atom {mass:.3g}",
                (at, top * mass / most),
                fontsize=8,
                xytext=(5, 4),
                textcoords="offset points",
            )


def _losses(axis: Any, rule: CompiledLoss, shown: tuple[float, float] | None = None) -> None:
    low, high = window(rule) if shown is None else shown
    p = np.linspace(low, high, 1001)
    both = rule.loss0(p), rule.loss1(p)
    finite = np.concatenate(both)
    finite = finite[np.isfinite(finite)]
    for label, values in enumerate(both):
        name = f"$L_{label}(p)$, if the class is {label}"
        axis.plot(p, values, color=COLOURS[label], linestyle=DASHES[label], linewidth=1.6, label=name)
    axis.set(
        xlabel="prediction $p$", ylabel="loss", xlim=(low, high), ylim=(0, 1.08 * ceiling(finite) or 1.0)
    )


def _risk(axis: Any, rule: CompiledLoss, witness: Witness) -> None:
    """Draw what each report is expected to lose under one belief, and mark the truth and what is better."""
    q = float(witness.belief)
    p = np.linspace(0, 1, 1001)
    values = (1 - q) * rule.loss0(p) + q * rule.loss1(p)
    axis.plot(p, values, color=COLOURS[0], linewidth=1.6, label=f"of each report, if $q$ = {q:.3g}")
    for report, value, colour, mark in (
        (q, witness.truthful, COLOURS[1], "o"),
        (float(witness.report), witness.better, COLOURS[2], "s"),
    ):
        label = f"$p$ = {report:.3g}" + ", the truth" * (report == q)
        axis.plot([report], [float(value)], mark, color=colour, markersize=7, label=label, clip_on=False)
    axis.set(xlabel="report $p$", ylabel="expected loss", xlim=(0, 1))
    axis.set_ylim(0, 1.08 * ceiling(values[np.isfinite(values)]) or 1.0)


def _entropy(axis: Any, rule: CompiledLoss, belief: float | None = None, report: float | None = None) -> None:
    left, right = window(rule)
    p = float(f"{left + 0.35 * (right - left):.2g}") if report is None else report
    at = float(f"{left + 0.7 * (right - left):.2g}") if belief is None else belief
    q = np.linspace(left, right, 1003)[1:-1]
    values = (1 - q) * rule.loss0(q) + q * rule.loss1(q)
    line = [(1 - x) * rule.loss0(p) + x * rule.loss1(p) for x in (left, right, at)]
    least = (1 - at) * rule.loss0(at) + at * rule.loss1(at)
    axis.plot(q, values, color=COLOURS[0], linewidth=1.6, label="entropy $H(q)$")
    label = f"expected loss of $p$ = {p:g}"
    axis.plot([left, right], line[:2], color=COLOURS[1], linestyle=DASHES[1], linewidth=1.3, label=label)
    label = f"divergence at $q$ = {at:g}"
    axis.plot([at, at], [least, line[2]], color=COLOURS[2], linewidth=2.5, label=label)
    axis.set(xlabel="belief $q$", ylabel="expected loss", xlim=(left, right))
    axis.set_ylim(0, 1.08 * max(float(values.max()), line[2]) or 1.0)
