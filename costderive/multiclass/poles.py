"""Densities with poles at ends other than 0: sums over a root of the distance, which doubles next to 0 resolve."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import sympy
from sympy import Expr

from costderive.core.numpy_on_demand import Array, np
from costderive.costs.laws import Law, Spread, x
from costderive.costs.laws.quadrature import compiled

DISTANCE = sympy.Dummy("d", positive=True)
NEAR, NEARER = 1e-30, 1e-60  # distances at which a density is compared
STEEP = -0.01  # a power of the distance that is a pole
SMOOTH = 4  # the least power of the root in the integrals over it
MOST = 400  # roots, of which integrals over the last double hold too much


@dataclass(frozen=True)
class Pole:
    """An end of a density that lies above it (side 1) or below it, where it behaves like ``d^power``.

    ``reach`` is the distance up to which sums are over the root of the distance of this ``degree``.
    """

    end: float
    side: int
    power: float
    degree: int
    reach: float
    density: Callable[..., Array]

    def is_over(self, low: Array, high: Array) -> Array:
        """Return which intervals lie beside the pole."""
        near, far = self._ordered(low, high)
        return np.asarray((self.distances(near) >= 0) & (self.distances(far) <= self.reach))

    def distances(self, costs: Array) -> Array:
        """Return how far costs are from the end."""
        return self.side * (costs - self.end)

    def along(self, low: Array, high: Array, places: Array) -> Array:
        """Return distances at places from -1 to 1 of intervals, on one more axis."""
        first, last = self.distances(low)[:, None], self.distances(high)[:, None]
        return np.asarray(first + (last - first) * (1 + places) / 2)

    def weighed(self, low: Array, high: Array, places: Array, weights: Array) -> tuple[Array, Array]:
        """Return distances between costs on one more axis, and the density times the weights of a sum over them."""
        near, far = self._ordered(low, high)
        return self.between(self.distances(near), self.distances(far), places, weights)

    def between(self, near: Array, far: Array, places: Array, weights: Array) -> tuple[Array, Array]:
        """Return the same between distances."""
        distances, rates = self.nodes(near, far, places, weights)
        return distances, rates * self.density(distances)

    def nodes(self, near: Array, far: Array, places: Array, weights: Array) -> tuple[Array, Array]:
        """Return distances between two, on one more axis, and the weights of a sum over them."""
        first, last = (np.maximum(one, 0.0) ** (1 / self.degree) for one in (near, far))
        half = ((last - first) / 2)[..., None]
        root = (first + last)[..., None] / 2 + half * places
        distances = root**self.degree
        return distances, half * weights * self.degree * root ** (self.degree - 1)

    def costs(self, distances: Array) -> Array:
        """Return costs at distances."""
        return np.asarray(self.end + self.side * distances)

    def _ordered(self, low: Array, high: Array) -> tuple[Array, Array]:
        return (low, high) if self.side > 0 else (high, low)


@lru_cache(maxsize=256)
def poles(law: Law) -> tuple[Pole, ...]:
    """Return the poles of a law, but for those at 0, next to which doubles are close enough."""
    found = (_pole(spread, side) for spread in law.spreads for side in (1, -1))
    return tuple(pole for pole in found if pole is not None)


def _pole(spread: Spread, side: int) -> Pole | None:
    end = spread.low if side > 0 else spread.high
    if not end.is_finite or end == 0:
        return None
    size, density = abs(float(end)), compiled(_by_distance(spread.density, end, side), DISTANCE)
    near, nearer = (float(density(np.array(size * part))) for part in (NEAR, NEARER))
    if not nearer > near > 0:
        return None
    power = math.log(nearer / near) / math.log(NEARER / NEAR)
    degree = math.ceil(SMOOTH / (1 + power)) if power > -1 else MOST
    if not power < STEEP or degree >= MOST:
        return None
    width = float(spread.high - spread.low) if spread.high.is_finite else size
    return Pole(float(end), side, power, degree, min(width, size) / 2, density)


def _by_distance(density: Expr, end: Expr, side: int) -> Expr:
    """Return a density by the distance from an end, with what is 0 there as a factor."""
    moved = density.subs(x, end + side * DISTANCE)
    return moved.replace(
        lambda node: isinstance(node, sympy.Pow) and node.base.is_Add,
        lambda node: sympy.factor(node.base) ** node.exp,
    )
