"""Exact numbers behind the compiled ones: ends of pieces, and values to 30 digits whatever cancels."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Symbol

from costderive.errors import CostDeriveError
from costderive.numeric.points import Array
from costderive.symbols import p

r = Symbol("r", positive=True)  # 1 - p, held as a number of its own: near p = 1 it has more digits than p
DIGITS = 40
MOST_DIGITS = 6400
LOST = 400  # a value below 10^-LOST is 0: no double is so small
AGREE = mpmath.mpf(10) ** -28
ROOT_DIGITS = 60
GRID = 64
STEEPEST = 1e5  # what falls faster than this power of the distance is no power of it
SMALLEST = mpmath.mpf(10) ** -340
FAR = 1e20
VERY_NEAR = (mpmath.mpf(10) ** -200, mpmath.mpf(10) ** -400)


def in_p_and_r(expr: Expr) -> Expr:
    """Write a function of ``p`` in ``p`` and ``r``, with ``r`` wherever ``1 - p`` stands."""
    return expr.subs(1 - p, r)


@functools.lru_cache(maxsize=4096)
def number(expr: Expr, digits: int) -> Any:
    """Return a constant expression as an mpmath number of so many digits."""
    with mpmath.workdps(digits + 10):
        return sympy.N(expr, digits + 10)._to_mpmath(mpmath.mp.prec)


def _erfc(x: Any) -> Any:
    """Return erfc, beyond FAR by its asymptotic series: mpmath's own overflows where a double of x^2 does."""
    if mpmath.im(x) or not x > FAR:
        return mpmath.erfc(x)
    term = total = mpmath.mpf(1)
    odd = 1
    while abs(term) > mpmath.eps:
        term *= -odd / (2 * x**2)
        total, odd = total + term, odd + 2
    return mpmath.exp(-(x**2)) / (x * mpmath.sqrt(mpmath.pi)) * total


@dataclass(frozen=True, slots=True)
class End:
    """An end of a piece that lies above it (side 1) or below it (side -1): the double ``hi`` plus the rest ``lo``."""

    at: Expr
    side: int
    hi: float
    lo: float

    @classmethod
    def of(cls, at: Expr, side: int) -> End:
        """Split an exact number into two doubles."""
        exact = number(at, DIGITS)
        hi = float(exact)
        return cls(at, side, hi, float(exact - hi))

    @property
    def floor(self) -> float:
        """The largest double that is at most the end: what belongs to the piece on the left."""
        return self.hi if self.lo >= 0 else math.nextafter(self.hi, -math.inf)

    @property
    def nearest(self) -> float:
        """A distance below that of every double which is not the end itself; at 1 it may be given as ``1 - p``."""
        if self.at in (0, 1):
            return 5e-324
        return 0.5 * (abs(self.lo) or math.ulp(self.hi) / 2)

    def distance(self, points: Array) -> Array:
        """Return the distances of doubles from the end, each accurate to a unit in the last place."""
        if self.side > 0:
            return points if self.hi == 0 else (points - self.hi) - self.lo
        return (self.hi - points) + self.lo

    def exact_distance(self, point: float) -> Any:
        """Return the distance of a double from the end as an mpmath number."""
        with mpmath.workdps(DIGITS + 340):
            return self.side * (mpmath.mpf(point) - number(self.at, mpmath.mp.dps))

    def point(self, x: Any) -> tuple[Any, Any]:
        """Return ``(p, 1 - p)`` at the distance ``x``, in the working precision."""
        if self.at == 1:
            return 1 - x, +x
        position = number(self.at, mpmath.mp.dps) + self.side * x
        return position, 1 - position


@dataclass(frozen=True, slots=True)
class Exact:
    """A closed form whose values are right to 30 digits."""

    expr: Expr
    function: Callable[[Any, Any], Any]

    @classmethod
    def of(cls, expr: Expr) -> Exact:
        """Compile an expression in ``p`` and ``r``."""
        return cls(expr, sympy.lambdify((p, r), expr, [{"erfc": _erfc}, "mpmath"]))

    def value(self, end: End, x: Any) -> Any:
        """Return the value at the distance ``x`` from an end: the precision grows until two values agree.

        It starts with the digits that ``1 - x`` needs; with fewer, two wrong values could agree. What is too small
        for any double is 0.
        """
        if self.expr == 0:
            return mpmath.mpf(0)
        digits = DIGITS + max(0, int(-mpmath.log10(x)))
        last = self._at(end, x, digits)
        while digits <= MOST_DIGITS:
            digits *= 2
            value = self._at(end, x, digits)
            if value != 0 and abs(value - last) <= AGREE * abs(value):
                return value
            if digits >= 2 * LOST and max(abs(value), abs(last)) < mpmath.mpf(10) ** -LOST:
                return mpmath.mpf(0)
            last = value
        raise CostDeriveError(
            f"{self.expr} has no stable value at {mpmath.nstr(x, 5)} from {end.at}",
            "Report this with the context.",
        )

    def _at(self, end: End, x: Any, digits: int) -> Any:
        with mpmath.workdps(digits):
            return mpmath.re(self.function(*end.point(x)))

    def at(self, end: End, point: float) -> Any:
        """Return the value at a double, the limit if that is the end itself."""
        x = end.exact_distance(point)
        return self.value(end, x) if x > 0 else self.limit(end)

    def limit(self, end: End) -> Any:
        """Return the limit at an end, perhaps infinite, from two values that are very near."""
        near, nearer = (self.value(end, x) for x in VERY_NEAR)
        if near == 0 or abs(nearer / near) < 0.9:
            return mpmath.mpf(0)
        return mpmath.sign(nearer) * mpmath.inf if abs(nearer / near) > 1.1 else nearer

    def bottom(self, end: End, reach: float, weight: int = 0) -> Any:
        """Return the distance from an end below which ``x^weight`` times the function is too small for a double."""
        low, high = mpmath.log(mpmath.mpf(end.nearest)), mpmath.log(abs(end.exact_distance(reach)))
        if self._counts(end, low, weight) or not self._counts(end, high, weight):
            return mpmath.exp(low)
        while high - low > 1:
            middle = (low + high) / 2
            low, high = (low, middle) if self._counts(end, middle, weight) else (middle, high)
        return mpmath.exp(low)

    def _counts(self, end: End, z: Any, weight: int) -> bool:
        x = mpmath.exp(z)
        return bool(abs(self.value(end, x)) * x**weight > SMALLEST)

    def power(self, end: End, x: Any) -> float:
        """Return the ``a`` for which the function behaves like ``x^a`` at a distance from an end."""
        near, twice = self.value(end, x), self.value(end, 2 * x)
        return snapped(float(mpmath.log(abs(twice / near), 2))) if near and twice else 0.0


def snapped(power: float) -> float:
    """Return the nearest sixth, if it is near: a logarithm beside a power hides the power a little."""
    if not abs(power) < STEEPEST:
        return 0.0
    nearest = round(6 * power) / 6
    return nearest if abs(power - nearest) < 0.01 else power


def roots(exact: Exact, low: End, high: End) -> tuple[Expr, ...]:
    """Return where a function changes its sign between two ends, as rational numbers right to 60 digits."""
    if exact.expr == 0:
        return ()
    width = abs(number(high.at, DIGITS) - number(low.at, DIGITS))
    grid = [width * step / (2 * GRID) for step in range(1, GRID + 1)]
    grid = [*(grid[0] * mpmath.mpf(10) ** -k for k in range(12, 0, -1)), *grid]
    found = [*_changes(exact, low, grid), *reversed(tuple(_changes(exact, high, grid)))]
    return tuple(dict.fromkeys(found))


def _changes(exact: Exact, end: End, grid: list[Any]) -> Iterator[Expr]:
    values = [exact.value(end, x) for x in grid]
    for x, y, f, g in zip(grid, grid[1:], values, values[1:], strict=False):
        if f * g < 0 or g == 0:
            yield _root(exact, end, x, y) if g else _rational(end, y)


def _root(exact: Exact, end: End, x: Any, y: Any) -> Expr:
    """Halve a distance until 60 digits are known."""
    with mpmath.workdps(ROOT_DIGITS + 10):
        is_below = exact.value(end, x) < 0
        for _ in range(4 * ROOT_DIGITS):
            middle = (x + y) / 2
            if (exact.value(end, middle) < 0) == is_below:
                x = middle
            else:
                y = middle
        return _rational(end, y)


def _rational(end: End, x: Any) -> Expr:
    with mpmath.workdps(ROOT_DIGITS):
        at = end.point(x)[0]
        short = mpmath.mpf(round(at * 2**53)) / 2**53  # a root that is a double may be known exactly
        at = short if abs(at - short) < mpmath.mpf(10) ** (5 - ROOT_DIGITS) else at
        mantissa, exponent = at.man_exp
        return sympy.Integer(int(mantissa)) * sympy.Integer(2) ** exponent
