"""Regions with boundaries of degree 2, in numbers: on each ray ``c0 = u c1`` from where to where c1 runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import sympy
from sympy import Expr

from costderive.core.numpy_on_demand import Array, np
from costderive.core.symbols import c0, c1
from costderive.costs.contexts.conic import degree
from costderive.costs.contexts.region import Region, Strip

if TYPE_CHECKING:
    Ray = tuple[np.poly1d, np.poly1d, np.poly1d]
REAL = 1e-9  # how far a root may be beside the real line, for its size


def region_of(constraints: tuple[Expr, ...]) -> Region:
    """Return the region of constraints of degree 1 or 2 in the costs, which hold no other symbol."""
    if all(degree(gap) == 1 for gap in constraints):
        return Region.of(constraints)
    return RayRegion((), tuple(map(_coefficients, constraints)))


def _coefficients(gap: Expr) -> tuple[float, ...]:
    poly = sympy.Poly(gap, c0, c1)
    places = ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0))
    return tuple(float(poly.coeff_monomial(c0**i * c1**j)) for i, j in places)


@dataclass(frozen=True, slots=True)
class RayRegion(Region):
    """Where ``a c0^2 + b c0 c1 + c c1^2 + d c0 + e c1 + f >= 0`` for each row, in the ratio and the second cost."""

    rows: tuple[tuple[float, ...], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not list(self._strips())

    @staticmethod
    def _costs(x: Array, y: Array) -> tuple[Array, Array, Array]:
        return y * x, x + np.zeros_like(y), x

    def _rays(self) -> list[Ray]:
        """Return the coefficients of c1^2, c1 and 1 as polynomials in the ratio, divided by c1 where that can be."""
        found = []
        for a, b, c, d, e, f in self.rows:
            square, middle = np.poly1d([a, b, c]), np.poly1d([d, e])
            divided = f == 0 and bool(square.c.any())
            found.append((np.poly1d([0.0]), square, middle) if divided else (square, middle, np.poly1d([f])))
        return found

    def _ends_at(self, y: float) -> tuple[float, float]:
        low, high = self._ends(np.array([y]))
        return float(low[0]), float(high[0])

    def _ends(self, y: Array) -> tuple[Array, Array]:
        low, high = np.zeros_like(y), np.full_like(y, np.inf)
        for ray in self._rays():
            square, middle, rest = (part(y) + np.zeros_like(y) for part in ray)
            below, above = self._bounds(square, middle, rest, self._is_near(ray))
            low, high = np.maximum(low, below), np.minimum(high, above)
        low = np.where(np.isinf(low), 0.0, low)
        return low, np.maximum(low, high)

    def _is_near(self, ray: Ray) -> bool:
        """Is the region on the near side of the polar of a boundary?"""
        _, (d, e), f = ray[0], _padded(ray[1]), ray[2](0)
        return any(np.allclose(row, (0, 0, 0, d, e, 2 * f)) for row in self.rows)

    @staticmethod
    def _bounds(a: Array, b: Array, c: Array, near: bool) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            root = np.sqrt(b * b - 4 * a * c)
            rising, falling = np.where(a == 0, -c / b, (-b + root) / (2 * a)), (-b - root) / (2 * a)
            falling = np.where(a == 0, -c / b, falling)
        never = (c < 0) & (a <= 0) & ((b <= 0) | np.isnan(root))
        always = (c >= 0) & (a >= 0) & ((b >= 0) | np.isnan(root))
        bounded_below = np.where(a == 0, b > 0, (c < 0) | ((a > 0) & (not near)))
        bounded_above = np.where(a == 0, b < 0, (a < 0) | ((c > 0) & near))
        low = np.where(bounded_below & ~always, rising, 0.0)
        high = np.where(bounded_above & ~always, falling, np.inf)
        return np.where(never, 0.0, low), np.where(never, 0.0, high)

    def _strips(self) -> Iterator[Strip]:
        """Yield the intervals of the ratio, between places where bounds change, on which the region is not empty."""
        places = sorted({0.0, *(place for poly in self._turning() for place in _positive_roots(poly))})
        kept = [u for index, u in enumerate(places) if not index or u - places[index - 1] > REAL * (1 + u)]
        for low, high in pairwise([*kept, np.inf]):
            middle = 2 * low + 1 if np.isinf(high) else (low + high) / 2
            first, last = self._ends(np.array([middle]))
            if last[0] > first[0] + REAL * (1 + first[0]):
                yield low, high

    def _turning(self) -> Iterator[np.poly1d]:
        rays = self._rays()
        for a, b, c in rays:
            yield from (a, b, b * b - 4 * a * c)
        for (a, b, c), (d, e, f) in combinations(rays, 2):
            yield b * f - c * e
            yield (a * f - c * d) ** 2 - (a * e - b * d) * (b * f - c * e)


def _padded(line: np.poly1d) -> tuple[float, float]:
    return float(line(1) - line(0)), float(line(0))


def _positive_roots(poly: np.poly1d) -> list[float]:
    return [float(root.real) for root in poly.roots if root.real > 0 and abs(root.imag) <= REAL * abs(root)]
