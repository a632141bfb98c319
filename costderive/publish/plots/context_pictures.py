"""Pictures of a context and its rule: the plane of the costs, the threshold weight, the losses, the entropy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.core.errors import SpecError
from costderive.costs.contexts import Context
from costderive.derivation.derivation import Derivation
from costderive.numeric import CompiledLoss, compile
from costderive.publish.formats.terminal import context_words
from costderive.publish.plots.canvas import (
    COLOURS,
    DASHES,
    GREY,
    PALE,
    RATIO,
    SIZE,
    axes,
    legend,
    styles,
)
from costderive.publish.plots.cost_curves import along as pairs_along
from costderive.publish.plots.weight_pictures import (
    along,
    ceiling,
    has_density,
    in_odds,
    measure_of,
    sampled,
    window,
)
from costderive.rules import Improperness, RepairedProperness, ScoringRule, Witness

Array = NDArray[np.float64]
Rule = ScoringRule | Derivation | CompiledLoss
ANGLES = (15, 30, 45, 60, 75)  # of the rays on paper
DRAWS = 3000
REPEATED = 0.005  # of the draws: a pair that comes so often is an atom
FEW = 20  # different costs that are all shown
APART = 8  # times as high is one loss as the other, if each has an axis of its own


def context(costs: Context, *, draws: int = DRAWS, seed: int = 0) -> Any:
    """Draw the plane of the costs: random pairs of them, and the rays on which the cost proportion is constant.

    Of an improper law, from which none can be drawn at random, stand pairs at equal distances in the log-odds.
    """
    figure, axis = axes(size=(5.0, 4.9), title=context_words(costs))
    _plane(axis, [_pairs(costs, draws, seed)])
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


def derivation(found: Derivation, *, at: Mapping[str, Any] | None = None, draws: int = DRAWS) -> Any:
    """Draw the four pictures of a context: its costs, its weight, its losses and its entropy.

    ``at`` has a number for each parameter. A rule that is not proper has neither weight nor entropy: in their place
    stands the risk under the belief of the witness against it.

    Raises:
        ParametersLeftError: if a parameter has no number.
        SpecError: if the derivation does not start from a cost context.
    """
    costs, rule = _costs(found, at or {}, draws), compile(found.rule.at(**at or {}))
    witness = _witness(found)
    if witness is not None:
        return _improper(costs, rule, witness, _words(found, at or {}))
    is_improper = isinstance(found.context, Context) and found.context.improper_law is not None
    name = "costs (improper law)" if is_improper else "costs"
    figure, grid = _four(
        name, "threshold weight", "losses", "entropy and divergence", words=_words(found, at or {})
    )
    _plane(grid[0, 0], [costs])
    _weights(grid[0, 1], [rule], ())
    _losses(grid[1, 0], rule)
    _entropy(grid[1, 1], rule)
    _legends(figure.axes)
    return figure


def _improper(costs: tuple[Array, Array], rule: CompiledLoss, witness: Witness, words: str) -> Any:
    figure, grid = axes(1, 3, (3 * SIZE[0] * 0.72, SIZE[1] * 0.92), words)
    _plane(grid[0], [costs])
    _losses(grid[1], rule, (0.0, 1.0))
    _risk(grid[2], rule, witness)
    for axis, title in zip(grid, ("costs", "losses", "expected loss under a belief"), strict=True):
        axis.set_title(title, fontsize=10, loc="left")
    _legends(figure.axes)
    return figure


def _words(found: Derivation, at: Mapping[str, Any]) -> str:
    return context_words(found.context.at(**at)) if isinstance(found.context, Context) else ""


def _witness(derivation: Derivation) -> Witness | None:
    """Return what shows that a rule is not proper, if anything does."""
    reached = derivation.cases[0].steps[-1].after
    if isinstance(reached, RepairedProperness):
        reached = reached.improper
    return reached.witness if isinstance(reached, Improperness) else None


def _legends(grid: Iterable[Any]) -> None:
    for axis in grid:
        if axis.get_legend() is None and axis.get_legend_handles_labels()[1]:
            axis.legend(fontsize=8, framealpha=0.8, edgecolor="none")


def comparison(first: Derivation, second: Derivation, *, names: tuple[str, str]) -> Any:
    """Draw how two contexts without parameters differ: in their costs, and, whatever their units, in their rules.

    Threshold weights are shares of the weight between 0.01 and 0.99, if it has none beyond all of it; entropies are
    shares of their maxima.

    Raises:
        SpecError: if a derivation does not start from a cost context.
    """
    derivations = first, second
    rules = [compile(each) for each in derivations]
    figure, grid = _four("costs", "threshold weight", "weight up to $s$", "entropy")
    _plane(grid[0, 0], [_costs(each, {}) for each in derivations])
    shares = [_share(rule) for rule in rules]
    _weights(grid[0, 1], rules, (), [1 / (end - start) for start, end in shares])
    for rule, (start, end), name, look in zip(rules, shares, names, styles(), strict=False):
        s = np.linspace(*_ends(rules), 1001)
        grid[1, 0].plot(s, np.clip((_mass(rule, s) - start) / (end - start), 0, 1), label=name, **look)
        q = np.linspace(0, 1, 1003)[1:-1]
        values = (1 - q) * rule.loss0(q) + q * rule.loss1(q)
        grid[1, 1].plot(q, values / values.max(), **look)
    grid[0, 1].set_ylabel("share of the weight, by $s$")
    grid[1, 0].set(xlabel=RATIO, ylabel="share of the weight", xlim=_ends(rules), ylim=(0, 1.02))
    grid[1, 1].set(xlabel="belief $q$", ylabel="share of its maximum", xlim=(0, 1), ylim=(0, 1.02))
    legend(grid[1, 0])
    return figure


def _costs(found: Derivation, at: Mapping[str, Any], draws: int = DRAWS) -> tuple[Array, Array]:
    if not isinstance(found.context, Context):
        raise SpecError("the derivation has no cost context to draw", "Draw the rule itself.")
    return _pairs(found.context.at(**at), draws, 0)


def _pairs(costs: Context, draws: int, seed: int) -> tuple[Array, Array]:
    """Return random pairs of costs or, of an improper law, pairs along the curve on which they lie."""
    return (
        costs.sample(draws, seed) if costs.improper_law is None else pairs_along(costs.expected_loss(), draws)
    )


def _four(*titles: str, words: str = "") -> tuple[Any, Any]:
    figure, grid = axes(2, 2, (2 * SIZE[0] * 0.78, 2 * SIZE[1] * 0.92), words)
    for axis, title in zip(grid.flat, titles, strict=True):
        axis.set_title(title, fontsize=10, loc="left")
    return figure, grid


def _mass(rule: CompiledLoss, s: Array) -> Array:
    """Return the weight below s, but for a constant."""
    return np.asarray(rule.loss0(s) - rule.loss1(s))


def _share(rule: CompiledLoss) -> tuple[float, float]:
    """Return the mass at the ends of [0, 1], or, where it is infinite, at 0.01 and 0.99."""
    whole, inner = (_mass(rule, np.array(ends)) for ends in ((0.0, 1.0), (0.01, 0.99)))
    start, end = whole if np.isfinite(whole).all() else inner
    return float(start), float(end)


def _ends(rules: list[CompiledLoss]) -> tuple[float, float]:
    """Return what pictures show of [0, 1]."""
    lows, highs = zip(*map(window, rules), strict=True)
    return min(lows), max(highs)


def _compiled(rule: Rule) -> CompiledLoss:
    return rule if isinstance(rule, CompiledLoss) else compile(rule)


def _plane(axis: Any, samples: list[tuple[Array, Array]]) -> None:
    """Draw pairs of costs; where many draws are the same pair, a dot as large as their share."""
    right, top = (1.15 * max(_reach(sample[k]) for sample in samples) for k in (0, 1))
    has_named = False
    for (c0, c1), colour in zip(samples, COLOURS, strict=False):
        pairs, counts = np.unique(np.column_stack([c0, c1]), axis=0, return_counts=True)
        is_atom = counts > REPEATED * len(c0)
        axis.scatter(*pairs[~is_atom].T, s=4, color=colour, alpha=0.35, linewidths=0)
        name = {} if has_named or not is_atom.any() else {"label": "one pair, as large as it is probable"}
        has_named = has_named or bool(is_atom.any())
        axis.scatter(
            *pairs[is_atom].T, s=12 + 60 * counts[is_atom] / len(c0), color=colour, linewidths=0, **name
        )
    _rays(axis, right, top)
    place: Any = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)}  # below: data may be anywhere
    axis.legend(fontsize=8, frameon=False, ncols=2, **place)
    axis.set(xlim=(0, right), ylim=(0, top))
    axis.set(xlabel="$c_0$, cost of misclassifying class 0", ylabel="$c_1$, cost of misclassifying class 1")


def _reach(costs: Array) -> float:
    """Return how far an axis goes: to the greatest of a few costs, else not far into a long tail."""
    if len(np.unique(costs)) <= FEW:
        return max(float(costs.max()), 1e-300)
    middle, most = np.quantile(costs, [0.5, 0.98])
    return max(float(min(most, max(6 * middle, np.quantile(costs, 0.8)))), 1e-300)


def _rays(axis: Any, right: float, top: float) -> None:
    for angle in ANGLES:
        s = float(f"{1 / (1 + np.tan(np.deg2rad(angle)) * top / right):.2g}")
        slope = (1 - s) / s
        x = min(right, top / slope)
        name = {"label": "$c_0/(c_0 + c_1)$ is the same"} if angle == ANGLES[0] else {}
        axis.plot([0, x], [0, slope * x], color=GREY, linewidth=0.7, zorder=0, **name)
        place = {"xytext": (3, 3), "textcoords": "offset points", "annotation_clip": False}
        axis.annotate(f"{s:g}", (x, slope * x), fontsize=8, color=GREY, **place)


def _weights(
    axis: Any, rules: list[CompiledLoss], names: tuple[str, ...], factors: list[float] | None = None
) -> None:
    """Draw threshold weights, each times its factor."""
    factors = factors or [1.0] * len(rules)
    tallest, odds = 0.0, len(rules) == 1 and in_odds(rules[0])
    for k, (rule, factor, look) in enumerate(zip(rules, factors, styles(), strict=False)):
        name = names[k] if k < len(names) else ""
        if has_density(rule):
            s, heights = sampled(rule, odds=odds)
            tallest = max(tallest, factor * ceiling(heights))
            axis.plot(*_with_drops(s, factor * heights), label=name or None, **look)
            if len(rules) == 1:
                axis.fill_between(s, heights, color=PALE, linewidth=0, zorder=0)
        elif name:
            axis.plot([], [], label=name, **look)
    axis.set(xlabel=RATIO, ylabel=r"threshold weight $\omega(s)$", xlim=_ends(rules))
    if odds:
        along(axis, rules[0])
        axis.set_ylabel("threshold weight, by the log-odds of $s$")
    axis.set_ylim(0, 1.08 * tallest or 1.0)
    _atoms(axis, rules, factors, is_alone=not tallest)


def _with_drops(s: Array, heights: Array) -> tuple[Array, Array]:
    """Let a line drop to 0 at its ends, unless they are those of the axis."""
    first, last = s[:1][s[:1] > 0], s[-1:][s[-1:] < 1]
    places = np.concatenate([first, s, last])
    return places, np.concatenate([0 * first, heights, 0 * last])


def _atoms(axis: Any, rules: list[CompiledLoss], factors: list[float], is_alone: bool) -> None:
    """Draw atoms as stems, as high as their masses if there is nothing else, and with their masses if they are few."""
    found = [
        (float(atom.at), factor * float(atom.mass), look)
        for rule, factor, look in zip(rules, factors, styles(), strict=False)
        for atom in measure_of(rule).atoms
    ]
    most = max((mass for _, mass, _ in found), default=1.0)
    if is_alone:
        axis.set(ylim=(0, 1.25 * most), ylabel="threshold weight: masses of atoms")
    scale = 1.0 if is_alone else 0.8 * axis.get_ylim()[1] / most
    for at, mass, look in found:
        axis.plot([at, at], [0, scale * mass], marker="o", markevery=[1], **{**look, "linewidth": 2})
        if len(found) <= 4:
            place = {"xytext": (5, 4), "textcoords": "offset points"}
            axis.annotate(f"atom {mass:.3g}", (at, scale * mass), fontsize=8, **place)


def _losses(axis: Any, rule: CompiledLoss, shown: tuple[float, float] | None = None) -> None:
    """Draw both losses, each in a picture of its own if the one would be flat beside the other."""
    odds = shown is None and in_odds(rule)
    p = along(axis, rule)[0] if odds else np.linspace(*(window(rule) if shown is None else shown), 1001)
    both = rule.loss0(p), rule.loss1(p)
    tops = [
        _top(values, float(worst))
        for values, worst in zip(both, (rule.loss0(1.0), rule.loss1(0.0)), strict=True)
    ]
    is_apart = max(tops) > APART * min(tops)
    sides = _halves(axis) if is_apart else (axis, axis)
    for label, (side, values) in enumerate(zip(sides, both, strict=True)):
        name = f"$L_{label}(p)$, if the class is {label}"
        look = {"color": COLOURS[label], "linestyle": DASHES[label], "linewidth": 1.6}
        side.plot(p, values, label=name, **look)
        side.set_ylim(0, 1.08 * (tops[label] if is_apart else max(tops)) or 1.0)
        if odds:
            along(side, rule)
        side.set(xlabel="", xlim=(p[0], p[-1]), ylabel=f"$L_{label}(p)$" if is_apart else "loss")
    sides[1].set_xlabel("prediction $p$")


def _top(values: Array, worst: float) -> float:
    """Return how high a picture of a loss is: all of it, unless it has no bound."""
    return float(values.max()) if np.isfinite(worst) else ceiling(values[np.isfinite(values)])


def _halves(axis: Any) -> tuple[Any, Any]:
    """Put two axes in the place of one, the one above the other."""
    upper, lower = axis.get_subplotspec().subgridspec(2, 1).subplots()
    for half in (upper, lower):
        half.spines[["top", "right"]].set_visible(False)
        half.tick_params(labelsize=9)
    upper.set_title(axis.get_title(loc="left"), fontsize=10, loc="left")
    axis.remove()
    return upper, lower


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
        label = f"$p$ = {report:.3g}{', the truth' if report == q else ''}"
        axis.plot([report], [float(value)], mark, color=colour, markersize=7, label=label, clip_on=False)
    axis.set(xlabel="report $p$", ylabel="expected loss", xlim=(0, 1))
    axis.set_ylim(0, 1.08 * ceiling(values[np.isfinite(values)]) or 1.0)


def _entropy(axis: Any, rule: CompiledLoss, belief: float | None = None, report: float | None = None) -> None:
    left, right = window(rule)
    middle = _median(rule, left, right)
    p = float(f"{(left + middle) / 2:.2g}") if report is None else report
    at = float(f"{(middle + right) / 2:.2g}") if belief is None else belief
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


def _median(rule: CompiledLoss, low: float, high: float) -> float:
    """Return where half of the weight of an interval lies on either side: its middle, if the weight is infinite."""
    s = np.linspace(low, high, 1001)
    mass = _mass(rule, s)
    if not np.isfinite(mass).all():
        return (low + high) / 2
    return float(np.interp((mass[0] + mass[-1]) / 2, mass, s))
