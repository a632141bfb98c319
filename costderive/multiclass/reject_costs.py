"""An uncertain cost of rejecting in doubles: what rejecting costs below a stake, and how often it costs more.

Where these are polynomials they are taken as such. Else they are integrals of the density, by Gauss-Legendre sums
over intervals that shrink to the ends of a region in a fixed ratio, in the distance from the end: so powers of it do
no harm, and small values keep their digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, S

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.costs.laws import x
from costderive.multiclass.gauss import gauss
from costderive.multiclass.stages import Distribution

NODES, RATIO, CUTS = 20, 0.5, 400  # the least distance is exp(-200) of the largest


@dataclass(frozen=True, eq=False)
class RejectCosts:
    """The law of the cost x of rejecting: for each region between marks, ``E[x; x < e]`` and ``P(x >= e)``."""

    marks: Array
    regions: tuple[tuple[Any, Any], ...]
    made_of: tuple[Distribution, tuple[Expr, ...], float]

    def __reduce__(self) -> Any:
        """Return what it is made from, as functions of arrays cannot go to other processes."""
        return RejectCosts.of, self.made_of

    @classmethod
    def of(cls, law: Distribution, limited: tuple[Expr, ...], top: float) -> RejectCosts:
        """Take a law without letters, for stakes e up to the top."""
        regions = (_functions(law, region, limited[region], top) for region in range(len(law.cdfs)))
        return cls(np.array(law.marks, dtype=float), tuple(regions), (law, limited, top))

    def below(self, ends: Array) -> tuple[Array, Array]:
        """Return ``P(x < z)`` and ``E[x; x < z]`` for ends z from 0 to infinity."""
        spent, kept, regions = np.zeros_like(ends), np.ones_like(ends), np.searchsorted(self.marks, ends)
        for region in np.unique(regions):
            rows = (regions == region) & (ends > 0)
            of_region = self.regions[region]
            spent[rows], kept[rows] = (function(ends[rows]) for function in of_region)
        return 1 - kept, spent

    def mean_losses(self, lost: Array, least: Array) -> Array:
        """Return the mean loss of rows by what the act costs in the class, and what it costs on average."""
        losses, regions = lost.copy(), np.searchsorted(self.marks, least)
        for region in np.unique(regions):
            rows = np.flatnonzero((regions == region) & (least > 0))
            spent, kept = self.regions[region]
            losses[rows] = spent(least[rows]) + lost[rows] * kept(least[rows])
        return losses


def _functions(law: Distribution, region: int, limited: Expr, top: float) -> tuple[Any, Any]:
    kept = 1 - law.cdfs[region]
    spent = sympy.expand(limited - x * kept)
    if spent.is_polynomial(x) and kept.is_polynomial(x):
        return tuple(sympy.lambdify(x, sympy.horner(f) if f.has(x) else f, "numpy") for f in (spent, kept))
    low, high = law.bounds(region)
    start = [_at(spent, low), _at(kept, low)] if low != 0 else [0.0, 1.0]
    ends = [_at(spent, high), _at(kept, high)] if high is not S.Infinity else None
    density = law.densities[region]
    found = _Integrals(density, low, high, top, *start, *(ends or start))
    return found.spent, found.kept


def _at(function: Expr, place: Expr) -> float:
    return float(function.subs(x, place).evalf(20))


class _Integrals:
    """The integrals of a density f, and of x f, from the low end of a region, or to its high end if that is nearer."""

    def __init__(self, density: Expr, low: Expr, high: Expr, top: float, *at_ends: float) -> None:
        self._spent, self._kept = at_ends[::2], at_ends[1::2]
        self._low, self._high = float(low), np.inf if high is S.Infinity else float(high)
        reach = top if high is S.Infinity else self._high - self._low
        self._half = reach if high is S.Infinity else reach / 2
        letter = sympy.Symbol("d", positive=True)
        self._near = _Sums(density.subs(x, low + letter), letter, self._half)
        backwards = density.subs(x, high - letter) if high is not S.Infinity else S.Zero
        self._far = _Sums(backwards, letter, self._half)

    def spent(self, stakes: Array) -> Array:
        """Return ``E[x; x < e]``."""
        near, below, above = self._distances(stakes)
        first, second = self._near.of(below), self._far.of(above)
        from_low = self._spent[0] + self._low * first[0] + first[1]
        if np.isinf(self._high):
            return np.asarray(from_low)
        from_high = self._spent[1] - self._high * second[0] + second[1]
        return np.asarray(np.where(near, from_low, from_high))

    def kept(self, stakes: Array) -> Array:
        """Return ``P(x >= e)``."""
        near, below, above = self._distances(stakes)
        from_low, from_high = self._kept[0] - self._near.of(below)[0], self._kept[1] + self._far.of(above)[0]
        return np.asarray(np.where(near, from_low, from_high))

    def _distances(self, stakes: Array) -> tuple[NDArray[np.bool_], Array, Array]:
        below, above = stakes - self._low, self._high - stakes
        near = below <= self._half
        return near, np.where(near, below, 0.0), np.where(near, 0.0, above)


class _Sums:
    """The integrals of f(d) and d f(d) from 0 to some distance d."""

    def __init__(self, density: Expr, letter: Any, reach: float) -> None:
        self._density = sympy.lambdify(letter, density, "numpy")
        self._cuts = reach * np.append(0.0, np.exp(-RATIO * np.arange(CUTS, -1, -1)))
        self._cuts[-1] = reach
        parts = self._between(self._cuts[:-1], self._cuts[1:])
        self._sums = np.concatenate([np.zeros((2, 1)), np.cumsum(parts, axis=1)], axis=1)

    def of(self, distances: Array) -> Array:
        """Return both integrals, of shape (2, n)."""
        places = np.clip(np.searchsorted(self._cuts, distances, side="right") - 1, 0, len(self._cuts) - 1)
        return np.asarray(self._sums[:, places] + self._between(self._cuts[places], distances))

    def _between(self, lows: Array, highs: Array) -> Array:
        nodes, weights = gauss(NODES)
        halves = (highs - lows) / 2
        places = (lows + halves)[:, None] + halves[:, None] * nodes
        with np.errstate(all="ignore"):
            values = np.broadcast_to(self._density(places), places.shape)
        values = np.where(places > 0, np.nan_to_num(values, posinf=0.0), 0.0)
        return np.array([(values @ weights) * halves, ((places * values) @ weights) * halves])
