"""The threshold weight in a picture: where it lies, its density and its atoms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from costderive.core import symbols
from costderive.core.piecewise import Measure, Sign
from costderive.costs.laws.quadrature import compiled
from costderive.evaluate.curves import density
from costderive.numeric import CompiledLoss
from costderive.publish.plots.canvas import GREY, PALE

Array = NDArray[np.float64]


def measure_of(rule: CompiledLoss) -> Measure:
    """Return the threshold weight of a rule in numbers."""
    return rule.rule.measures[0]


def has_density(rule: CompiledLoss) -> bool:
    """Return whether the weight is more than atoms."""
    return any(sign is not Sign.ZERO for sign in measure_of(rule).signs)


def bounds(rule: CompiledLoss) -> tuple[float, float]:
    """Return the ends of the shortest interval that holds the weight, with room around a single atom."""
    measure = measure_of(rule)
    ends = [
        float(end)
        for piece, sign in zip(measure.density, measure.signs, strict=True)
        if sign is not Sign.ZERO
        for end in (piece.low, piece.high)
    ]
    ends += [float(atom.at) for atom in measure.atoms]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.0 if has_density(rule) else 1.0
    return max(0.0, low - room), min(1.0, high + room)


def window(rule: CompiledLoss) -> tuple[float, float]:
    """Return what a picture shows of [0, 1]: all, or, where nearly all the weight is on a short part, that part."""
    low, high = bounds(rule)
    s = np.linspace(low, high, 4001)
    mass = rule.loss0(s) - rule.loss1(s)  # of the weight up to s, but for a constant
    if high - low < 1 and len(mass) and np.isfinite(mass).all() and mass[-1] > mass[0]:
        low, high = np.interp([0.002, 0.998], (mass - mass[0]) / (mass[-1] - mass[0]), s)
    if high - low >= 0.5:
        return 0.0, 1.0
    room = 0.1 * (high - low)
    return max(0.0, low - room), min(1.0, high + room)


def sampled(rule: CompiledLoss, points: int = 400) -> tuple[Array, Array]:
    """Return places and the density there, with a step to 0 at the ends of its support."""
    low, high = bounds(rule)
    s = low + (high - low) * (np.arange(points) + 0.5) / points
    heights = _heights(rule, s)
    return np.concatenate([[low], s, [high]]), np.concatenate([[heights[0]], heights, [heights[-1]]])


def _heights(rule: CompiledLoss, s: Array) -> Array:
    """Return the density, by its formulas if NumPy has their functions: a picture needs no last digits."""
    found = np.zeros_like(s)
    try:
        for piece in measure_of(rule).density:
            inside = (s > float(piece.low)) & (s < float(piece.high))
            found[inside] = compiled(piece.value, symbols.s)(s[inside])
    except (NameError, TypeError, ValueError):
        return density(rule, s)
    return found


def ceiling(heights: Array) -> float:
    """Return a height for pictures: the greatest, or less if a few peaks would flatten all the rest."""
    typical = float(np.quantile(heights, 0.95))
    return float(heights.max()) if heights.max() <= 3 * typical else 1.6 * typical


def draw_weight(axis: Any, rule: CompiledLoss, share: float = 0.35) -> None:
    """Shade the threshold weight under other lines; its greatest height takes that share of the picture."""
    behind = axis.twinx()
    behind.set_zorder(axis.get_zorder() - 1)
    axis.patch.set_visible(False)
    behind.spines[["top", "right"]].set_visible(False)
    behind.set_yticks([])
    label = "threshold weight"
    if has_density(rule):
        s, heights = sampled(rule)
        behind.fill_between(s, heights, color=PALE, linewidth=0, alpha=0.8)
        behind.set_ylim(0, ceiling(heights) / share)
        axis.fill_between([], [], color=PALE, label=label)
    else:
        behind.set_ylim(0, 1)
    atoms = measure_of(rule).atoms
    if atoms:
        masses = np.array([float(atom.mass) for atom in atoms])
        tops = behind.get_ylim()[1] * share * masses / masses.max()
        behind.vlines([float(atom.at) for atom in atoms], 0, tops, color=GREY, linewidth=1.5)
        axis.plot([], [], color=GREY, linewidth=1.5, label=f"{label}: atoms")
