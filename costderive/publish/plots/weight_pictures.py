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
from costderive.publish.plots.canvas import GREY, PALE, RATIO

Array = NDArray[np.float64]
POINTS = 1200
APART = 0.12  # of the width of an axis, between two labels
NEAREST = 1e-6  # to 0 and 1 on an axis of odds
NEAR_END, FAR, WIDE = (
    0.01,
    0.2,
    2.0,
)  # an axis of odds begins nearer than this, ends before that, and is so wide
EVERYWHERE = np.concatenate([[0.0], 1 / (1 + np.exp(-np.linspace(-18, 18, 6001))), [1.0]])


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
    if high - low < 1 or in_odds(rule):
        low, high = _quantiles(rule, (0.002, 0.998)) or (low, high)
    if in_odds(rule):
        return max(low, NEAREST), min(high, 1 - NEAREST)
    if high - low >= 0.5:
        return 0.0, 1.0
    room = 0.1 * (high - low)
    return max(0.0, low - room), min(1.0, high + room)


def in_odds(rule: CompiledLoss) -> bool:
    """Return whether most of the weight is so near 0 or 1 that pictures have an axis of odds, ``s/(1 - s)``."""
    low, high = _quantiles(rule, (0.1, 0.9)) or (0.5, 0.5)
    near, far = sorted((min(low, 1 - low), min(high, 1 - high)))
    return has_density(rule) and max(low, 1 - high) > 0 and near < NEAR_END and near * WIDE < far < FAR


def _quantiles(rule: CompiledLoss, shares: tuple[float, float]) -> tuple[float, float] | None:
    """Return between which places shares of the weight lie, if it is finite."""
    low, high = bounds(rule)
    s = low + (high - low) * EVERYWHERE
    mass = rule.loss0(s) - rule.loss1(s)  # of the weight up to s, but for a constant
    if not np.isfinite(mass).all() or not mass[-1] > mass[0]:
        return None
    first, last = np.interp(shares, (mass - mass[0]) / (mass[-1] - mass[0]), s)
    return float(first), float(last)


def along(axis: Any, rule: CompiledLoss, name: str = RATIO, most: float = 1.0) -> tuple[Array, Array]:
    """Give an axis the window of a rule; return places in it, and by what densities are to be multiplied there.

    On an axis of odds a density is that of the log-odds, so that areas remain what they are.
    """
    low, high = window(rule)
    high = min(high, most)
    if in_odds(rule):
        u = np.linspace(np.log(low / (1 - low)), np.log(high / (1 - high)), POINTS)
        s = 1 / (1 + np.exp(-u))
        axis.set_xscale("logit")
        places = _apart(low, high)
        axis.set_xticks(places, [f"{x:g}" if x < 0.9 else f"1 − {1 - x:.3g}" for x in places])
        axis.set_xticks([], minor=True)
        factor = s * (1 - s)
    else:
        width = high - low  # without the ends, where a density may be infinite
        s = np.linspace(low + width / (4 * POINTS), high - width / (4 * POINTS), POINTS)
        factor = np.ones_like(s)
    axis.set(xlabel=name, xlim=(low, high))
    return s, factor


def _apart(low: float, high: float) -> list[float]:
    """Return round numbers between two bounds whose labels do not touch on an axis of log-odds, in rising order."""
    found: list[float] = []
    for digits in ((1,), (1, 2, 5), range(1, 10), (1.5, 2.5, 3.5, 4.5)):
        small = [
            digit * 10.0**power for power in range(-9, 0) for digit in digits if digit * 10.0**power <= 0.5
        ]
        for x in (*small, *[1 - x for x in small]):
            if low < x < high and all(abs(_along_odds(x, y, low, high)) > APART for y in found):
                found.append(round(x, 10))
    return sorted(found)


def _along_odds(x: float, y: float, low: float, high: float) -> float:
    """Return the distance between two places, as a share of an axis of log-odds."""
    first, second, start, end = np.log([x / (1 - x), y / (1 - y), low / (1 - low), high / (1 - high)])
    return float((second - first) / (end - start))


def sampled(rule: CompiledLoss, points: int = 400, odds: bool = False) -> tuple[Array, Array]:
    """Return places and the density there, with a step to 0 at the ends of its support; of log-odds if so asked."""
    low, high = bounds(rule)
    if odds:
        first, last = window(rule)
        s = EVERYWHERE[(first <= EVERYWHERE) & (last >= EVERYWHERE)]
        return s, _heights(rule, s) * s * (1 - s)
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
    return float(heights.max()) if heights.max() <= 3 * typical or not typical else 1.6 * typical


def draw_weight(axis: Any, rule: CompiledLoss, share: float = 0.35) -> None:
    """Shade the threshold weight under other lines; its greatest height takes that share of the picture."""
    behind = axis.twinx()
    behind.set_zorder(axis.get_zorder() - 1)
    axis.patch.set_visible(False)
    behind.spines[["top", "right"]].set_visible(False)
    behind.set_yticks([])
    label = "threshold weight"
    if has_density(rule):
        s, heights = sampled(rule, odds=in_odds(rule))
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
