"""Convex regions of the plane of costs, in numbers: to integrate a density over, and to draw from it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Any

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.numpy_on_demand import Array, has_numpy, np
from costderive.core.symbols import c0, c1
from costderive.costs.laws.quadrature import at_points, compiled, mapped, nodes, points_between, steps, summed

Strip = tuple[float, float]

SLACK = 1e-12
RESOLVED = 1e-3  # of the total probability: a density that the table misses by more is not drawn from
HEADROOM = 1.25  # over the largest density at the corners of a cell


@dataclass(frozen=True, slots=True)
class Region:
    """Where ``a c0 + b c1 + k >= 0`` for each row (a, b, k), and both costs are at least 0."""

    sides: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(cls, constraints: tuple[Expr, ...]) -> Region:
        """Return the region of constraints that are linear in the costs, and hold no other symbol."""
        rows = [(row.coeff(c0), row.coeff(c1), row.subs({c0: 0, c1: 0})) for row in constraints]
        return cls((*[(float(a), float(b), float(k)) for a, b, k in rows], (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))

    @property
    def has_area(self) -> bool:
        """Return whether the costs that satisfy all constraints are more than a point or a line."""
        ends = (
            self._ends_at(low + 1 if math.isinf(high) else (low + high) / 2) for low, high in self._strips()
        )
        return any(high > low * (1 + SLACK) for low, high in ends)

    def integral(self, density: Expr) -> tuple[float, float]:
        """Return the integral of a density over the region, and an estimate of its error."""
        sum_over = self._plain_integral if not has_numpy() else self._integral
        parts = [sum_over(density, strip) for strip in self._strips()]
        return sum(part for part, _ in parts), sum(error for _, error in parts)

    def negative_at(self, density: Expr) -> list[tuple[float, float]]:
        """Return nodes of the quadrature where a density is negative, the least first; rounding may make it so."""
        below = self._below_zero if has_numpy() else self._plainly_below_zero
        found = sorted(node for strip in self._strips() for node in below(density, strip))
        return [(first, second) for _, first, second in found]

    def _below_zero(self, density: Expr, strip: Strip) -> Iterator[tuple[float, float, float]]:
        """Yield the negative values of a density at the nodes of a strip, with the costs there."""
        y = nodes(*strip)[0][:, None]
        x = nodes(*self._ends(y[:, 0]))[0]
        first, second, _ = self._costs(x, y + np.zeros_like(x))
        values = compiled(density, c0, c1)(first, second)
        below = values < 0
        yield from zip(*(found[below].tolist() for found in (values, first, second)), strict=True)

    def _integral(self, density: Expr, strip: Strip) -> tuple[float, float]:
        return summed(self._at_nodes(density, strip))

    def _plain_integral(self, density: Expr, strip: Strip) -> tuple[float, float]:
        rows = [[height * weight for _, height, weight in row] for _, row in self._plain_rows(density, strip)]
        whole = math.fsum(chain(*rows))
        return whole, abs(whole - 4 * math.fsum(chain(*(row[::2] for row in rows[::2]))))

    def _plainly_below_zero(self, density: Expr, strip: Strip) -> Iterator[tuple[float, float, float]]:
        for y, row in self._plain_rows(density, strip):
            yield from ((height, *self._costs(x, y)[:2]) for x, height, _ in row if height < 0)

    def _plain_rows(
        self, density: Expr, strip: Strip
    ) -> Iterator[tuple[float, list[tuple[float, float, float]]]]:
        """Yield for each second coordinate the first ones, with densities and weights, at the nodes of the arrays."""
        heights = at_points(density, c0, c1)
        for y, weight1 in zip(*points_between(*strip), strict=True):
            points, weights = points_between(*self._ends_at(y))
            firsts, seconds, areas = zip(*(self._costs(x, y) for x in points), strict=True)
            found = zip(points, heights(firsts, seconds), areas, weights, strict=True)
            yield y, [(x, height, area * weight0 * weight1) for x, height, area, weight0 in found]

    def _ends_at(self, y: float) -> tuple[float, float]:
        """Return between which ends c0 runs for one c1."""
        low = max([0.0, *[-(b * y + k) / a for a, b, k in self.sides if a > 0]])
        high = min([math.inf, *[-(b * y + k) / a for a, b, k in self.sides if a < 0]])
        return low, max(low, high)

    def sample(self, density: Expr, generator: np.random.Generator, draws: int) -> tuple[Array, Array]:
        """Draw costs by rejection from a table of cells, which is fine in ratios at every end.

        A cell is proposed with the largest density at its four corners, with some headroom, so the draws are exact
        but where a density rises by more than a quarter inside a cell, which is 1/80 of a strip or 3.5 % wide.
        """
        strips = list(self._strips())
        table = np.stack([self._cells(density, strip) for strip in strips])
        heap: list[tuple[Array, Array]] = []
        while sum(len(first) for first, _ in heap) < draws:
            heap.append(self._proposed(density, np.asarray(strips), table, generator, 2 * draws + 16))
        first, second = (
            np.concatenate([part[i] for part in heap])[:draws] if heap else np.empty(0) for i in (0, 1)
        )
        return first, second

    def _proposed(
        self, density: Expr, strips: Array, table: Array, generator: np.random.Generator, tries: int
    ) -> tuple[Array, Array]:
        """Draw cells by their bounds, a point in each, and keep the points that the density accepts."""
        heights = np.cumsum(table.ravel())
        index = np.searchsorted(heights, generator.random(tries) * heights[-1], side="right")
        strip, row, column = np.unravel_index(np.minimum(index, table.size - 1), table.shape)
        width = steps()[1] - steps()[0]
        places = [steps()[cell] + width * generator.random(tries) for cell in (row, column)]
        first, second, value = self._density_at(density, strips[strip, 0], strips[strip, 1], *places)
        kept = generator.random(tries) * table[strip, row, column] < value
        return first[kept], second[kept]

    def _cells(self, density: Expr, strip: Strip) -> Array:
        """Return a bound on the density, in steps, for each cell between neighbouring steps."""
        rows, columns = np.meshgrid(steps(), steps(), indexing="ij")
        low, high = (np.full(rows.size, end) for end in strip)
        _, _, value = self._density_at(density, low, high, rows.ravel(), columns.ravel())
        corners = value.reshape(rows.shape)
        lower = np.maximum(corners[:-1, :-1], corners[:-1, 1:])
        return np.asarray(HEADROOM * np.maximum(lower, np.maximum(corners[1:, :-1], corners[1:, 1:])))

    def _density_at(
        self, density: Expr, low: Array, high: Array, row: Array, column: Array
    ) -> tuple[Array, Array, Array]:
        y, slope1 = mapped(row, low, high)
        x, slope0 = mapped(column, *self._ends(y))
        first, second, area = self._costs(x, y)
        return first, second, compiled(density, c0, c1)(first, second) * area * slope0 * slope1

    @staticmethod
    def _costs(x: Any, y: Any) -> tuple[Any, Any, Any]:
        """Return the costs at coordinates, numbers or arrays, and the area there for one of the coordinates."""
        return x, y, 1.0 + 0 * x

    def _at_nodes(self, density: Expr, strip: Strip) -> Array:
        y, weight1 = nodes(*strip)
        x, weight0 = nodes(*self._ends(y))
        first, second, area = self._costs(x, y[:, None] + np.zeros_like(x))
        return np.asarray(compiled(density, c0, c1)(first, second) * area * weight0 * weight1[:, None])

    def _ends(self, y: Array) -> tuple[Array, Array]:
        """Return between which ends c0 runs, for each c1."""
        low, high = np.zeros_like(y), np.full_like(y, np.inf)
        for a, b, k in self.sides:
            if a > 0:
                low = np.maximum(low, -(b * y + k) / a)
            elif a < 0:
                high = np.minimum(high, -(b * y + k) / a)
        return low, np.maximum(low, high)

    def _strips(self) -> Iterator[Strip]:
        """Yield the intervals of c1 between neighbouring vertices, the last one infinite if the region is."""
        heights = sorted({y for _, y in self._vertices()})
        kept = [y for index, y in enumerate(heights) if not index or y - heights[index - 1] > SLACK]
        yield from pairwise([*kept, math.inf] if kept and self._rises() else kept)

    def _vertices(self) -> Iterator[tuple[float, float]]:
        for (a, b, k), (d, e, m) in combinations(self.sides, 2):
            if (det := a * e - b * d) != 0:
                x, y = (b * m - e * k) / det, (d * k - a * m) / det
                if all(p * x + q * y + r >= -SLACK * (1 + abs(r)) for p, q, r in self.sides):
                    yield x, y

    def _rises(self) -> bool:
        """Return whether the region reaches up without end: along the c1 axis, or along one of its sides."""
        directions = [(0.0, 1.0), *[(-b, a) for a, b, _ in self.sides], *[(b, -a) for a, b, _ in self.sides]]
        return any(y > 0 and all(a * x + b * y >= -SLACK for a, b, _ in self.sides) for x, y in directions)


def sample_of_parts(
    parts: list[tuple[Region, Expr]], generator: np.random.Generator, draws: int
) -> tuple[Array, Array]:
    """Draw costs from a density that is given on each of several regions, in random order.

    Raises:
        SpecError: if the density is too narrow for the table.
    """
    found = [region.integral(density) for region, density in parts]
    shares = np.array([share for share, _ in found])
    if not (abs(shares.sum() - 1) < RESOLVED and sum(error for _, error in found) < RESOLVED):
        shown = ", ".join(dict.fromkeys(str(density) for _, density in parts))
        raise SpecError(
            f"the density {shown} cannot be drawn from: a table of it adds up to {shares.sum():.6g}",
            "It is too narrow or too singular for the table.",
        )
    counts = generator.multinomial(draws, np.maximum(shares, 0) / shares.sum())
    drawn = [
        region.sample(density, generator, int(count))
        for (region, density), count in zip(parts, counts, strict=True)
    ]
    order = generator.permutation(draws)
    first, second = (np.concatenate([part[i] for part in drawn])[order] for i in (0, 1))
    return first, second
