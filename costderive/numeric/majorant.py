"""Bounds on functions in the complex plane, by which the error of a fitted polynomial is known without sampling.

Discs stand for sets of numbers: an operation on discs returns one that holds every result, roundings included.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Add, Expr, Function, Mul, Pow

from costderive.core.numpy_on_demand import np
from costderive.core.symbols import p
from costderive.numeric.closed_form import LONGEST_FRACTION, is_short
from costderive.numeric.many_digits import End, Exact, r

ROUNDING = 1e-13  # relative, more than any operation on doubles here loses
CELLS = 14  # along the longer side of a region
T = sympy.Symbol("t", positive=True)


class Unbounded(Exception):
    """A function that has no bound here: it is not analytic, or that could not be shown."""


@dataclass(frozen=True, slots=True)
class Disc:
    """The complex numbers within ``radius`` of ``centre``: one disc, or an array of discs that are treated alike."""

    centre: Any
    radius: Any

    @classmethod
    def about(cls, centre: Any, radius: Any) -> Disc:
        """Widen a disc by what rounding may have lost.

        Raises:
            Unbounded: if it is too large for doubles.
        """
        wide = radius * (1 + ROUNDING) + np.abs(centre) * ROUNDING
        _need(np.isfinite(wide))
        return cls(centre, wide)

    def __add__(self, other: Disc) -> Disc:
        # of two numbers that cancel, each has lost what is relative to itself
        lost = (np.abs(self.centre) + np.abs(other.centre)) * ROUNDING
        return Disc.about(self.centre + other.centre, self.radius + other.radius + lost)

    def __mul__(self, other: Disc) -> Disc:
        spread = np.abs(self.centre) * other.radius + (np.abs(other.centre) + other.radius) * self.radius
        return Disc.about(self.centre * other.centre, spread)

    def inverse(self) -> Disc:
        """Return what holds ``1/z``."""
        size = np.abs(self.centre)
        _need(size > self.radius * 1.001)
        return Disc.about(1 / self.centre, self.radius / (size * (size - self.radius)))

    def log(self) -> Disc:
        """Return what holds the principal logarithm, which is not analytic on the negative axis."""
        size, x, y = np.abs(self.centre), np.real(self.centre), np.imag(self.centre)
        _need(np.where(x > 0, size, np.abs(y)) > self.radius * 1.001)
        return Disc.about(np.log(self.centre), -np.log1p(-self.radius / size))

    def size(self) -> Disc:
        """Return what holds z or -z, with which the absolute value goes on from the real axis on either side of 0."""
        x = np.real(self.centre)
        _need(np.abs(x) > self.radius * 1.001)
        return Disc(np.where(x > 0, self.centre, -self.centre), self.radius)

    def exp(self) -> Disc:
        """Return what holds the exponential."""
        value = np.exp(self.centre)
        return Disc.about(value, np.abs(value) * np.expm1(self.radius))

    def power(self, exponent: Expr) -> Disc:
        """Return what holds a real power."""
        if not exponent.is_Integer:
            return (self.log() * _constant(exponent)).exp()
        if exponent < 0:
            return self.inverse().power(-exponent)
        return math.prod([self] * int(exponent), start=Disc(1 + 0j, 0.0))


FUNCTIONS: dict[Any, Callable[[Disc], Disc]] = {
    sympy.log: Disc.log,
    sympy.exp: Disc.exp,
    sympy.Abs: Disc.size,
}  # a row more bounds more


def _need(facts: Any) -> None:
    if not np.all(facts):
        raise Unbounded


@functools.lru_cache(maxsize=1024)
def _constant(expr: Expr) -> Disc:
    return Disc.about(complex(expr), 0.0)


def enclosed(expr: Expr, disc: Disc) -> Disc:
    """Return a disc that holds the values of an expression in ``t`` on a disc.

    Raises:
        Unbounded: if the expression is not analytic there, or that could not be shown.
    """
    if expr == T:
        return disc
    if expr.is_number:
        return _constant(expr)
    if isinstance(expr, Add | Mul):
        parts = [enclosed(part, disc) for part in expr.args]
        return sum(parts[1:], parts[0]) if isinstance(expr, Add) else math.prod(parts[1:], start=parts[0])
    if isinstance(expr, Pow) and expr.exp.is_Rational:
        return enclosed(expr.base, disc).power(expr.exp)
    function = FUNCTIONS.get(expr.func)
    if function is None:
        raise Unbounded
    return function(enclosed(expr.args[0], disc))


@dataclass(frozen=True, slots=True)
class Region:
    """The rectangle around an ellipse with foci ``low`` and ``high``: its half-axes over theirs add up to ``rho``."""

    low: float
    high: float
    rho: float

    @property
    def half(self) -> complex:
        """The half-axes of the ellipse."""
        length = (self.high - self.low) / 2
        return length * complex((self.rho + 1 / self.rho) / 2, (self.rho - 1 / self.rho) / 2)

    @property
    def discs(self) -> Disc:
        """Discs that cover the upper half of the rectangle: functions here are real on the real axis."""
        centre, half = (self.low + self.high) / 2, self.half
        width, height = 2 * half.real / CELLS, 2 * half.imag / CELLS
        right, up = np.meshgrid(np.arange(CELLS) + 0.5, np.arange(CELLS // 2) + 0.5)
        at = (centre - half.real + right * width) + 1j * (up * height)
        return Disc(at, np.full(at.shape, abs(complex(width, height)) / 2 * (1 + 1e-9)))

    def largest(self, expr: Expr) -> float:
        """Return a bound on the absolute value of an expression in ``t``.

        Raises:
            Unbounded: if there is none, or none could be shown.
        """
        try:
            with np.errstate(all="ignore"):
                found = enclosed(expr, self.discs)
        except (OverflowError, TypeError, ValueError):
            raise Unbounded from None
        return float(np.max(np.abs(found.centre) + found.radius))


@dataclass(frozen=True, slots=True)
class Analytic:
    """A function near an end of a piece, with what bounds it: its closed form, or its rate of growth.

    ``rate`` is the absolute derivative; ``from_here`` says that the function starts from 0 at this end.
    """

    exact: Exact
    end: End
    rate: Expr | None
    from_here: bool

    def bound(self, region: Region, root: int, power: float) -> float:
        """Return a bound on ``f(x) x^-power`` with ``x = t^root``, for t in a region.

        Raises:
            Unbounded: if there is none, or none could be shown.
        """
        total = sympy.Rational(power) * root  # exactly the power that the table has
        if region.low > 0 or total == 0:
            return self._plain(region, root) * (region.largest(T**-total) if total else 1.0)
        if self.rate is None:
            return region.largest(self._in_t(self.exact.expr, root, -total))
        _need(self.from_here and total > 0)
        # f/t^total is the integral over 0 < u < 1 of u^(total - 1) g(tu), g being the derivative over t^(total - 1)
        return region.largest(self._slope(root, 1 - total)) / float(total)

    @property
    def can_be_bounded(self) -> bool:
        """Whether every function in the expression has a row in the table of those that are bounded."""
        expr = self.exact.expr if self.rate is None else self.rate
        nodes = expr.atoms(Function, sympy.Integral)
        return all(node.func in FUNCTIONS or node.is_number for node in nodes)

    def _plain(self, region: Region, root: int) -> float:
        if self.rate is None:
            return region.largest(self._in_t(self.exact.expr, root))
        centre = (region.low + region.high) / 2
        start = abs(float(self.exact.value(self.end, sympy.Float(centre, 30)._to_mpmath(100) ** root)))
        return start * (1 + ROUNDING) + abs(region.half) * region.largest(self._slope(root))

    def _slope(self, root: int, shift: Expr = sympy.S.Zero) -> Expr:
        assert self.rate is not None
        return self._in_t(root * self.rate, root, root - 1 + shift)

    def _in_t(self, expr: Expr, root: int, shift: Expr = sympy.S.Zero) -> Expr:
        return _in_t(expr, self.end, root, shift)


@functools.lru_cache(maxsize=256)
def _in_t(expr: Expr, end: End, root: int, shift: Expr) -> Expr:
    """Write an expression in t, times ``t^shift``."""
    x = T**root
    p_of_t = end.at + end.side * x
    r_of_t = x if end.at == 1 else 1 - p_of_t
    written = expr.subs({p: p_of_t, r: r_of_t}, simultaneous=True)
    is_long = end.at.is_Rational and end.at.q > LONGEST_FRACTION and written.has(sympy.exp)
    if is_short(written) and not is_long:  # with a root of many digits in exponents it would take minutes
        written = sympy.powdenest(sympy.factor(written), force=False)
    return sympy.powsimp(sympy.expand_power_base(written) * T**shift)


RADII = (16.0, 11.0, 8.0, 6.5, 5.5, 4.5, 3.7, 3.0, 2.5)


def left_out(
    analytic: Analytic, low: float, high: float, root: int, power: float, points: int
) -> float | None:
    """Return a bound on what interpolation in so many Chebyshev points leaves out of ``f(x) x^-power``.

    It is the least of ``4 M rho^-n / (rho - 1)`` over some rho, M being a bound on an ellipse; None if there is none.

    Source: Trefethen (2013), Approximation Theory and Approximation Practice, Theorem 8.2.
    """
    found: list[float] = []
    for rho in RADII if analytic.can_be_bounded else ():
        try:
            most = analytic.bound(Region(low, high, rho), root, power)
        except Unbounded:
            continue
        found.append(4 * most * rho ** -(points - 1) / (rho - 1))
        if len(found) == 2:
            break
    return min(found, default=None)
