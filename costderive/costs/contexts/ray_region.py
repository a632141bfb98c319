"""Regions with boundaries of degree 2, in numbers: on each ray ``c0 = u c1`` from where to where c1 runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations, pairwise
from typing import Any

import mpmath
import sympy
from sympy import Expr

from costderive.core.numpy_on_demand import Array, has_numpy, np
from costderive.core.symbols import c0, c1
from costderive.costs.contexts.conic import degree
from costderive.costs.contexts.region import Region, Strip

Polynomial = tuple[float, ...]  # coefficients, the highest first
Ray = tuple[Polynomial, Polynomial, Polynomial]
STEPS = 500  # and binary digits, in which roots that are almost equal are found
REAL = 1e-9  # how near places are the same, for their size
DOUBLE = 1e-6  # how far a root may be beside the real line: a double root is known to half of the digits


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
    def has_area(self) -> bool:
        return bool(list(self._strips()))

    @staticmethod
    def _costs(x: Any, y: Any) -> tuple[Any, Any, Any]:
        return y * x, x + 0 * y, x

    def _rays(self) -> list[Ray]:
        """Return the coefficients of c1^2, c1 and 1 as polynomials in the ratio, divided by c1 where that can be."""
        found: list[Ray] = []
        for a, b, c, d, e, f in self.rows:
            square, middle = (a, b, c), (d, e)
            divided = f == 0 and any(square)
            found.append(((0.0,), square, middle) if divided else (square, middle, (f,)))
        return found

    def _ends_at(self, y: float) -> tuple[float, float]:
        low, high = 0.0, math.inf
        for ray in self._rays():
            square, middle, rest = (_value(part, y) for part in ray)
            below, above = _bounds_at(square, middle, rest, self._is_near(ray))
            low, high = max(low, below), min(high, above)
        low = 0.0 if math.isinf(low) else low
        return low, max(low, high)

    def _ends(self, y: Array) -> tuple[Array, Array]:
        low, high = np.zeros_like(y), np.full_like(y, np.inf)
        for ray in self._rays():
            square, middle, rest = (_value(part, y) + np.zeros_like(y) for part in ray)
            below, above = self._bounds(square, middle, rest, self._is_near(ray))
            low, high = np.maximum(low, below), np.minimum(high, above)
        low = np.where(np.isinf(low), 0.0, low)
        return low, np.maximum(low, high)

    def _is_near(self, ray: Ray) -> bool:
        """Is the region on the near side of the polar of a boundary?"""
        middle, rest = ray[1], _value(ray[2], 0.0)
        e = _value(middle, 0.0)
        polar = (0.0, 0.0, 0.0, _value(middle, 1.0) - e, e, 2 * rest)
        return any(all(map(partial(math.isclose, abs_tol=REAL), row, polar)) for row in self.rows)

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
        for low, high in pairwise([*kept, math.inf]):
            first, last = self._ends_at(2 * low + 1 if math.isinf(high) else (low + high) / 2)
            if last > first + REAL * (1 + first):
                yield low, high

    def _turning(self) -> Iterator[sympy.Poly]:
        rays = [[sympy.Poly.from_list(part, c0, domain="RR") for part in ray] for ray in self._rays()]
        for a, b, c in rays:
            yield from (a, b, b * b - 4 * a * c)
        for (a, b, c), (d, e, f) in combinations(rays, 2):
            yield b * f - c * e
            yield (a * f - c * d) ** 2 - (a * e - b * d) * (b * f - c * e)


def _value(poly: Polynomial, at: Any) -> Any:
    """Return the value of a polynomial at a number, or at each of an array."""
    return reduce(lambda total, coefficient: total * at + coefficient, poly, 0.0)


def _bounds_at(a: float, b: float, c: float, near: bool) -> tuple[float, float]:
    """Return what ``_bounds`` does, for numbers."""
    square = b * b - 4 * a * c
    never = c < 0 and a <= 0 and (b <= 0 or square < 0)
    always = c >= 0 and a >= 0 and (b >= 0 or square < 0)
    if never or always:
        return 0.0, 0.0 if never else math.inf
    if a == 0:
        return (-c / b, math.inf) if b > 0 else (0.0, -c / b)
    root = math.sqrt(square)
    low = (-b + root) / (2 * a) if c < 0 or (a > 0 and not near) else 0.0
    return low, (-b - root) / (2 * a) if a < 0 or (c > 0 and near) else math.inf


def _positive_roots(poly: sympy.Poly) -> list[float]:
    """Return the positive roots of a polynomial; parts of a double root, which may be a pair, count as real."""
    coefficients = list(map(float, poly.all_coeffs()))
    roots = np.roots(coefficients) if has_numpy() else _roots(coefficients)
    return [float(root.real) for root in roots if root.real > 0 and abs(root.imag) <= DOUBLE * abs(root)]


def _roots(coefficients: list[float]) -> list[Any]:
    return mpmath.polyroots(coefficients, STEPS, extraprec=STEPS) if len(coefficients) > 1 else []
