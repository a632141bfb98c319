"""Exact numbers behind the compiled ones: ends of pieces, and values to 30 digits whatever cancels."""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import sympy
from sympy import Expr, Function, Symbol

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import np
from costderive.core.symbols import p
from costderive.core.work import size_of, spend
from costderive.numeric.balls import CONSTANT, PARAMETER, Balls, balls
from costderive.numeric.constants import number
from costderive.numeric.scaled import FUNCTIONS, scaled

PLACE = sympy.Dummy("place", positive=True)
r = Symbol("r", positive=True)  # 1 - p, held as a number of its own: near p = 1 it has more digits than p
DIGITS = 40
MOST_DIGITS = 6400
LOST = 400  # a value below 10^-LOST is 0: no double is so small
AGREE = mpmath.mpf(10) ** -28
MORE = 24  # digits that are added first, or as many as the square of the distance needs; then twice as many
ROOT_DIGITS = 60
MORE_DIGITS = 460
SHORTEST = 2**54  # no short fraction has a denominator beyond this
GRID = 64
STEEPEST = 1e5  # what falls faster than this power of the distance is not a power of it
SMALLEST = mpmath.mpf(10) ** -340
GONE = mpmath.mpf(10) ** -360
CLOSE = 2.0**-8  # in the logarithm of a distance
FIRST = mpmath.mpf(10) ** -80  # below this distance a power that leads stands alone, if any does
ALONE = (FIRST, mpmath.mpf(10) ** -160, mpmath.mpf(10) ** -330)  # where that is tried
VERY_NEAR = (mpmath.mpf(10) ** -200, mpmath.mpf(10) ** -400)


def in_p_and_r(expr: Expr) -> Expr:
    """Write a function of ``p`` in ``p`` and ``r``, with ``r`` wherever ``1 - p`` stands."""
    return expr.subs(1 - p, r)


@dataclass(frozen=True, slots=True)
class End:
    """An end of a piece that lies above it (side 1) or below it (side -1): the double ``hi`` plus the rest ``lo``.

    An inner end belongs to the piece below it, or, if it ``is_strict``, to the one above.
    """

    at: Expr
    side: int
    hi: float
    lo: float
    is_strict: bool = False

    @classmethod
    def of(cls, at: Expr, side: int) -> End:
        """Split an exact number into two doubles."""
        exact = number(at, DIGITS)
        hi = float(exact)
        return cls(at, side, hi, float(exact - hi))

    @property
    def is_outer(self) -> bool:
        """Whether it is 0 or 1."""
        return self.lo == 0 and self.hi in (0.0, 1.0)

    @property
    def floor(self) -> float:
        """The largest double at most at the end, or below one that is strict: the last of the piece on the left."""
        is_below = self.lo > 0 if self.is_strict and self.at not in (0, 1) else self.lo >= 0
        return self.hi if is_below else math.nextafter(self.hi, -math.inf)

    @property
    def nearest(self) -> float:
        """A distance below that of every double which is not the end itself; at 1 it may be given as ``1 - p``."""
        if self.is_outer:
            return 5e-324
        return 0.5 * (abs(self.lo) or math.ulp(self.hi) / 2)

    def distance(self, points: Any) -> Any:
        """Return the distances of doubles, or of one, from the end, each accurate to a unit in the last place."""
        if self.side > 0:
            return points if self.hi == 0 else (points - self.hi) - self.lo
        return (self.hi - points) + self.lo

    def distance_of_logits(self, logits: Any) -> Any:
        """Return the distances of logits, or of one, from an inner end as ``longdouble``, without cancellation."""
        at, high, low = _logit_of(self)
        steps = np.expm1((logits - high) - low)
        return self.side * (at * (1 - at) * steps) / (1 + at * steps)

    @property
    def logit(self) -> tuple[float, float]:
        """The logit of an inner end as two doubles."""
        _, high, low = _logit_of(self)
        return float(high), float(low)

    def lost(self, points: Any, distance: Any) -> Any:
        """Return what has been rounded off the distances of doubles, or of one (Knuth's sums)."""
        whole = points - self.hi
        part = whole - points
        first = (points - (whole - part)) - (self.hi + part)
        second = (whole - self.side * distance) - self.lo
        return self.side * (first + second)

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


@functools.lru_cache(maxsize=256)
def _logit_of(end: End) -> tuple[Any, Any, Any]:
    """Return an inner end, and its logit in two parts, as ``longdouble``."""
    with mpmath.workdps(DIGITS):
        at = number(end.at, DIGITS)
        logit = mpmath.log(at / (1 - at))
        high = float(logit)
        return _long(at), np.longdouble(high), _long(logit - high)


def _long(number: Any) -> Any:
    return np.longdouble(mpmath.nstr(number, 25))


def logit_floor(double: float, end: End | None) -> float:
    """Return the largest logit of a probability up to a double, or of the piece below an end, infinity above 1/2."""
    if double > 0.5 or (end is not None and end.hi > 0.5):
        return math.inf
    with mpmath.workdps(DIGITS):
        p = mpmath.mpf(double) if end is None else number(end.at, DIGITS)
        exact = mpmath.log(p / (1 - p)) if p else -mpmath.inf
    nearest = float(exact)
    is_below = nearest < exact or (nearest == exact and not (end is not None and end.is_strict))
    return nearest if is_below else math.nextafter(nearest, -math.inf)


def _shared(expr: Expr) -> Any:
    """Name what an expression repeats, but nothing with a variable of integration, which has no value outside."""
    bound = {name for integral in expr.atoms(sympy.Integral) for name in integral.bound_symbols}
    return sympy.cse(expr, list=False, ignore=bound)


class Valued(ABC):
    """A function whose values are known at any distance from the ends of a piece."""

    __slots__ = ()

    @abstractmethod
    def value(self, end: End, x: Any) -> Any:
        """Return the value at the distance ``x`` from an end as an mpmath number."""

    def values(self, end: End, distances: list[Any]) -> list[Any]:
        """Return the values at some distances."""
        return [self.value(end, x) for x in distances]

    @property
    def exact(self) -> Exact | None:
        """The closed form that it is made from, if there is one."""
        return None

    def quickly(self, end: End, x: Any) -> Any:
        """Return the value at a distance, however small, None if that would take long."""
        del end, x

    def checked(self, end: End, x: Any) -> Any:
        """Return the value at a distance by the most reliable way there is."""
        return self.value(end, x)

    def noise(self, end: End, distances: list[Any], values: list[Any]) -> float:
        """Return the relative error that rounding may have left in half of the values at some distances."""
        del end, distances, values
        return 0.0

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
        while high - low > 1 or (high - low > CLOSE and self._is_gone(end, low)):
            middle = (low + high) / 2
            low, high = (low, middle) if self._counts(end, middle, weight) else (middle, high)
        return mpmath.exp(low)

    def _is_gone(self, end: End, z: Any) -> bool:
        """Return whether the function has fallen so fast that a table down to here would be hopelessly steep."""
        return bool(abs(self.value(end, mpmath.exp(z))) < GONE)

    def _counts(self, end: End, z: Any, weight: int) -> bool:
        x = mpmath.exp(z)
        return bool(abs(self.value(end, x)) * x**weight > SMALLEST)

    def power(self, end: End, x: Any) -> float:
        """Return the ``a`` for which the function behaves like ``x^a`` at a distance from an end."""
        near, twice = self.value(end, x), self.value(end, 2 * x)
        return snapped(float(mpmath.log(abs(twice / near), 2))) if near and twice else 0.0


@dataclass(frozen=True, slots=True)
class Exact(Valued):
    """A closed form whose values are right to 30 digits."""

    expr: Expr
    function: Callable[[Any, Any], Any]
    balls: Balls | None
    size: int = 1

    @classmethod
    @functools.lru_cache(maxsize=64)
    def of(cls, expr: Expr) -> Exact:
        """Compile an expression in ``p`` and ``r``."""
        written = scaled(expr, lambda z: z.subs(r, 1 - p))
        written, curves = _with_places(written)
        in_balls = balls(written, (p, r), _shared, curves)
        constants: list[Expr] = []

        def named(constant: Expr) -> Expr:
            constants.append(constant)
            return CONSTANT(len(constants) - 1)

        written = written.replace(lambda node: node.is_number and bool(node.atoms(Function)), named)
        names = FUNCTIONS | {"constant": lambda place: number(constants[place], mpmath.mp.dps)}
        names |= {"parameter": lambda curve, which, at: _placed(curves[curve], at, mpmath.mp.prec)[which]}
        function = sympy.lambdify((p, r), written, [names, "mpmath"], cse=_shared)
        return cls(expr, function, in_balls, size_of(expr))

    def value(self, end: End, x: Any) -> Any:
        """Return the value at the distance ``x`` from an end: the precision grows until two values agree.

        It starts with the digits that ``1 - x`` needs; with fewer, two wrong values could agree. What is too small
        for any double is 0.
        """
        if x < FIRST and (leading := _leading(self, end)) is not None:
            return leading.value(x)
        return self.directly(end, x)

    def directly(self, end: End, x: Any) -> Any:
        """Return the value at a distance without use of what is known about the end."""
        if self.expr == 0:
            return mpmath.mpf(0)
        certain = self.quickly(end, x)
        return self._agreeing(end, x) if certain is None else certain

    @property
    def exact(self) -> Exact:
        """The closed form itself."""
        return self

    def quickly(self, end: End, x: Any) -> Any:
        """Return the value at a distance, None if it is not certain in balls."""
        return None if self.balls is None else self.balls.value(end.at, end.side, x)

    def _agreeing(self, end: End, x: Any) -> Any:
        """Return the value at a distance as soon as those at two precisions agree."""
        start = digits = DIGITS * (
            1 + max(0, math.ceil(-mpmath.log10(x) / DIGITS))
        )  # few numbers of digits occur
        last = self._at(end, x, digits)
        while digits <= MOST_DIGITS:
            digits = 2 * digits if digits > start else start + max(MORE, start - DIGITS)
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
            spend(self.size, mpmath.mp.prec)
            try:
                return mpmath.re(self.function(*end.point(x)))
            except (ZeroDivisionError, ValueError):  # too few digits: nothing is left of a denominator
                return mpmath.nan


def _with_places(expr: Expr) -> tuple[Expr, list[OneWay]]:
    """Name parameters of curves, and how far they are from an end of their curve, by their places in a list.

    Next to an end that is not 0 the difference would have no digit left.
    """
    curves: list[OneWay] = []

    def named(node: CurveParameter, which: int = 0) -> Expr:
        if node.stretch not in curves:
            curves.append(node.stretch)
        return PARAMETER(curves.index(node.stretch), which, node.proportion)

    def distance(total: Expr) -> Expr:
        for node in filter(_is_placed, total.atoms(CurveParameter)):
            factor, low, high = total.coeff(node), node.stretch.low, node.stretch.high
            for which, sign, end in ((1, 1, low), (2, -1, high)):
                if factor.is_number and sympy.expand(factor * (node - end)) == total:
                    return sign * factor * named(node, which)
        return total

    def difference(*terms: Expr) -> Expr:
        return _factored(sympy.Add(*terms)).replace(sympy.Add, lambda *terms: distance(sympy.Add(*terms)))

    return expr.replace(sympy.Add, difference).replace(_is_placed, named), curves


def _factored(total: Expr) -> Expr:
    """Factor a polynomial in one parameter of a curve with rational coefficients."""
    (node, *others) = total.atoms(CurveParameter) or (None,)
    names = total.xreplace({node: PLACE}) if node and not others else total
    is_polynomial = names.free_symbols == {PLACE} and names.is_polynomial(PLACE)
    return sympy.factor(names).xreplace({PLACE: node}) if is_polynomial else total


@functools.lru_cache(maxsize=8192)
def _placed(curve: OneWay, at: Any, bits: int) -> tuple[Any, Any, Any]:
    """Return the place on a curve to so many bits, those of mpmath: an expression asks for it several times."""
    del bits
    return curve.placed(at)


def forget_values() -> None:
    """Forget what is known of functions and curves."""
    for known in (Exact.of, _leading, _placed):
        known.cache_clear()


def _is_placed(node: Expr) -> bool:
    return isinstance(node, CurveParameter) and not node.is_number


@dataclass(frozen=True, slots=True)
class Leading:
    """A power of the distance, ``factor (x/unit)^power``, that a function is next to its end."""

    factor: Any
    unit: Any
    power: Any

    def value(self, x: Any) -> Any:
        """Return the value at a distance."""
        with mpmath.workdps(DIGITS):
            return self.factor * (x / self.unit) ** self.power if self.factor else mpmath.mpf(0)


@functools.lru_cache(maxsize=256)
def _leading(exact: Exact, end: End) -> Leading | None:
    """Return the power that a function is like near an end, None if it is like none at three distances.

    A logarithm beside the power, or a second one that differs from it by little, would show there.
    """
    with mpmath.workdps(2 * DIGITS):
        first, second, third = (exact.directly(end, x) for x in ALONE)
        if first == second == third == 0:
            return Leading(first, FIRST, first)
        if 0 in (first, second, third) or not first * second > 0 or not second * third > 0:
            return None
        power = mpmath.log(third / second) / mpmath.log(ALONE[2] / ALONE[1])
        expected = second * (ALONE[0] / ALONE[1]) ** power
        return Leading(third, ALONE[2], power) if abs(expected - first) <= AGREE * abs(first) else None


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
    """Yield where the sign changes; from 0 to 0 the function is too small for a double, as it may be beside an end."""
    values = [exact.value(end, x) for x in grid]
    for x, y, f, g, h in zip(grid, grid[1:], values, values[1:], [*values[2:], mpmath.inf], strict=False):
        if f * g < 0 or (g == 0 and 0 not in (f, h)):
            yield _root(exact, end, x, y) if g else _rational(end, y)


def _root(exact: Exact, end: End, x: Any, y: Any) -> Expr:
    """Halve a distance until ROOT_DIGITS are known; go on by secants if they are not those of a short fraction."""
    with mpmath.workdps(ROOT_DIGITS + 10):
        is_below = exact.value(end, x) < 0
        for _ in range(4 * ROOT_DIGITS):
            middle = (x + y) / 2
            if (exact.value(end, middle) < 0) == is_below:
                x = middle
            else:
                y = middle
    short = _rational(end, y)
    return short if short.q < SHORTEST else _refined(exact, end, y)


def _refined(exact: Exact, end: End, x: Any) -> Expr:
    """Return a root to so many digits that the distance of any double from it is known to 40 of them."""
    with mpmath.workdps(MORE_DIGITS):
        near = x * (1 + mpmath.mpf(10) ** (10 - ROOT_DIGITS))
        found = mpmath.findroot(lambda at: exact.directly(end, at), (x, near), solver="secant", verify=False)
        return _exactly(end.point(found)[0])


def _rational(end: End, x: Any) -> Expr:
    """Return a number that is known to ROOT_DIGITS, as a short fraction if it is one to all of these."""
    with mpmath.workdps(ROOT_DIGITS):
        at = end.point(x)[0]
        exact = Fraction(int(mpmath.nint(mpmath.ldexp(at, 400))), 2**400)
        short = exact.limit_denominator(SHORTEST)
        if abs(short - exact) < Fraction(1, 10 ** (ROOT_DIGITS - 5)):
            return sympy.Rational(short.numerator, short.denominator)
        return _exactly(at)


def _exactly(number: Any) -> Expr:
    mantissa, exponent = number.man_exp
    return sympy.Integer(int(mantissa)) * sympy.Integer(2) ** exponent
