"""Tables: a function near an end of a piece as ``x^power`` times polynomials, x being the distance.

A panel is an interval of a variable, x itself, its root or its logarithm, and has a polynomial of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric import chebyshev
from costderive.numeric.many_digits import DIGITS, End
from costderive.numeric.point_pairs import Points, grouped
from costderive.numeric.program_tree import Call, Node

MOST_FACTORS = 4
MOST_POWER = 1000  # of a number from 1/2 to 1 that is a double
ROUNDED = 3  # factors of which the roundings would show
LARGEST_FRACTION = 0.9375  # of a power that makes the least double a number with all digits
SPLITTER = 2.0**27 + 1
FULL = 1e-300  # doubles above it, and their neighbours, have all digits
MANY = 40  # panels, that are sooner searched than compared one by one
TINY = (
    2.0**-960
)  # distances so small that a function is its first term, whose digits a product with them may lose
OCTAVES = 800  # by which these are enlarged


@dataclass(frozen=True, slots=True)
class Variable:
    """What polynomials are in, as a function of the distance (by name, none if it is the distance), and its inverse."""

    function: str
    of: Callable[[Array], Array]
    distance: Callable[[Any], Any]

    def __reduce__(self) -> str:
        return {"": "LINEAR", "sqrt": "ROOT", "log": "LOG"}[
            self.function
        ]  # pickled as a constant of this module

    def tree(self, x: Node) -> Node:
        """Return the variable as a function of the tree of the distance."""
        return Call(self.function, (x,)) if self.function else x


def roots(power: float) -> int:
    """Return the number of equal factors in which a power is taken, so that each is a double."""
    return max(2, math.ceil(abs(power) / MOST_POWER))


def divisible(power: float) -> float:
    """Return a power next to a steep one, such that the exponent of each root is a whole number."""
    count = roots(power)
    return math.copysign(count * math.ceil(abs(power) / count), power) if count > 2 else power


def of_subnormals(power: float) -> float:
    """Return a power next to one whose factors would turn a subnormal distance into another, which loses digits."""
    fraction, whole = math.modf(power)
    if abs(power) > MOST_FACTORS or abs(fraction) <= LARGEST_FRACTION:
        return power
    nearest = 1.0 if abs(fraction) > (1 + LARGEST_FRACTION) / 2 else LARGEST_FRACTION
    return whole + math.copysign(nearest, power)


def _same(x: Any) -> Any:
    return x


def _root(x: Array) -> Array:
    return np.sqrt(x)


def _log(x: Array) -> Array:
    return np.log(x)


LINEAR = Variable("", _same, _same)
ROOT = Variable("sqrt", _root, lambda t: t * t)
LOG = Variable("log", _log, mpmath.exp)


def _rounded_off(x: Array, t: Array) -> Array:
    """Return what ``t = log(x)`` has lost: up to 6e-14, of which 1e-16 stays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.exp(t)
        return np.where(x > FULL, (x - near) / near, 0.0)


@dataclass(frozen=True, slots=True)
class Panel:
    """Where a variable is between ``low`` and ``high``, a function is ``(2^shift x)^power`` times a polynomial.

    The coefficients are for -1 to 1, lowest first. Each of the roots of which a steep power is the product is
    multiplied by ``2^lift``.
    """

    low: float
    high: float
    power: float
    shift: int
    coefficients: tuple[float, ...]
    lift: int = 0


POWER, SHIFT, LIFT = map(attrgetter, ("power", "shift", "lift"))


@dataclass(frozen=True, slots=True)
class Table:
    """A function at distances ``x`` from an end: on each panel, a power of x times a polynomial in a variable.

    ``coefficients`` has one row per degree, highest first, and one column per panel, ``powers``, ``shifts`` and
    ``lifts`` one entry per panel; closer to the end than ``bottom`` the value is ``at_end``.
    """

    end: End
    variable: Variable
    bottom: float
    at_end: float
    edges: Array
    centres: Array
    scales: Array
    powers: Array
    shifts: NDArray[np.int_]
    lifts: NDArray[np.int_]
    coefficients: Array

    @classmethod
    def of(
        cls, end: End, variable: Variable, at_end: float, panels: Iterable[Panel], bottom: float = 0.0
    ) -> Table:
        """Lay panels, in any order, into arrays."""
        found = sorted(panels, key=lambda panel: panel.low)
        high = np.array([panel.high for panel in found])
        centres, scales = np.array(
            [chebyshev.centre_and_scale(panel.low, panel.high) for panel in found]
        ).T.copy()
        rows = np.array([panel.coefficients for panel in found])
        powers, shifts, lifts = (np.array([part(panel) for panel in found]) for part in (POWER, SHIFT, LIFT))
        return cls(
            end,
            variable,
            bottom,
            at_end,
            high[:-1],
            centres,
            scales,
            powers,
            shifts,
            lifts,
            np.ascontiguousarray(rows.T[::-1]),
        )

    def __call__(self, points: Points) -> Array:
        """Return the values at some points."""
        return self._values(points, corrected=True)

    def plain(self, points: Points) -> Array:
        """Return the values as programs in other languages compute them, which leave logarithms rounded."""
        return self._values(points, corrected=False)

    def distances(self, points: Points) -> list[Any]:
        """Return the distances of points as mpmath numbers."""
        if self.is_from_one:
            return [mpmath.mpf(x) for x in points.r.tolist()]
        return [self.end.exact_distance(double) for double in points.p.tolist()]

    def exactly(self, x: Any) -> Any:
        """Return what the polynomials say of a distance, without rounding."""
        with mpmath.workdps(DIGITS):
            t = mpmath.log(x) if self.variable is LOG else mpmath.sqrt(x) if self.variable is ROOT else x
            index = int(np.searchsorted(self.edges, float(t)))
            z = (t - self.centres[index]) * mpmath.mpf(self.scales[index])
            value = mpmath.polyval(list(map(mpmath.mpf, self.coefficients[:, index])), z)
            power = float(self.powers[index])
            lifted = mpmath.ldexp(value, int(self.lifts[index]) * roots(power))
            return lifted * mpmath.ldexp(x, int(self.shifts[index])) ** mpmath.mpf(power)

    @property
    def is_from_one(self) -> bool:
        """Whether distances are those from 1, that is, ``1 - p``."""
        return self.end.is_outer and self.end.hi == 1

    @property
    def loses(self) -> bool:
        """Whether what distances lose by rounding would show."""
        return not self.end.is_outer and bool(abs(self.powers).max() >= ROUNDED)

    def _values(self, points: Points, *, corrected: bool) -> Array:
        x = points.r if self.is_from_one else self.end.distance(points.p)
        lost = self.end.lost(points.p, x) if self.loses else None
        if points.logit is not None and not self.end.is_outer:
            longer = self.end.distance_of_logits(points.logit)
            x = longer.astype(np.float64)
            if self.variable is not LOG and abs(x).min(initial=1) < TINY:
                return self._next_to_the_end(longer, lost)
            lost = None if lost is None else (longer - x).astype(np.float64)
        return self._at(x, lost, corrected)

    def _next_to_the_end(self, longer: NDArray[Any], lost: Array | None) -> Array:
        """Return the values at distances some of which are tiny: these are enlarged, and their values reduced again."""
        octaves = np.where(abs(longer) < TINY, OCTAVES, 0)
        longer = np.ldexp(longer, octaves)
        x = longer.astype(np.float64)
        values = self._at(x, None if lost is None else (longer - x).astype(np.float64), False)
        found: Array = np.ldexp(values, -(octaves * self.powers[0]).astype(int))
        return found

    def _at(self, x: Array, lost: Array | None, corrected: bool) -> Array:
        """Return the values at distances that have ``lost`` something."""
        t = self.variable.of(x)
        off = _rounded_off(x, t) if corrected and self.variable is LOG else np.zeros(1)
        off = np.broadcast_to(off, x.shape)
        if len(self.centres) == 1:
            return self._panel(0, x, t, off, lost)
        values = np.empty_like(x)
        for index, here in grouped(self._places(t), len(self.centres)):
            less = None if lost is None else lost.take(here)
            values[here] = self._panel(index, x.take(here), t.take(here), off.take(here), less)
        return values

    def _places(self, t: Array) -> NDArray[np.integer[Any]]:
        """Return the panel of each point: of many, few edges are sooner compared one by one than searched."""
        if len(self.edges) > MANY or len(t) == 1:
            return np.searchsorted(self.edges, t).astype(np.int16)
        panel = np.zeros(len(t), dtype=np.int8)
        for edge in self.edges:
            panel += t > edge
        return panel

    def _panel(self, index: int, x: Array, t: Array, off: Array, lost: Array | None) -> Array:
        """Return the values on one panel, at distances that have ``lost`` something, and a variable that is ``off``."""
        z = (t - self.centres[index] + off) * self.scales[index]
        power = float(self.powers[index]), int(self.shifts[index]), int(self.lifts[index])
        value: Array = times_power(_polynomial(self.coefficients[:, index], z), x, *power)
        if lost is not None:
            value *= 1 + self.powers[index] * lost / x
        if index == 0 and x.size and x.min() <= self.bottom:
            value[x <= self.bottom] = self.at_end
        return value


def times_power(value: Any, x: Any, power: float, shift: int, lift: int, functions: Any = np) -> Any:
    """Multiply by ``(2^shift x)^power``, in an order in which a subnormal result loses no digits on the way.

    ``functions`` has ``ldexp``, ``power`` and ``sqrt`` of what x is.
    """
    if abs(power) > MOST_FACTORS:
        count = roots(power)
        root = functions.ldexp(functions.power(functions.ldexp(x, shift), power / count), lift)
        for _ in range(count):
            value = value * root
        return value
    whole, fraction = int(power), abs(power - int(power))
    factors = [functions.sqrt(x) if fraction == 0.5 else functions.power(x, fraction)] if fraction else []
    if whole >= ROUNDED:
        return _multiplied(value * factors[0] if factors else value, x, whole)
    for factor in (*factors, *[x] * abs(whole)):
        value = value * factor if power > 0 else value / factor
    return value


def _polynomial(coefficients: Array, z: Array) -> Array:
    """Return a polynomial by Horner's scheme, of which the highest coefficients may be 0."""
    if len(z) == 1:  # Python's numbers take a tenth of the time, and the same steps
        value, point = 0.0, float(z[0])
        for coefficient in coefficients.tolist():
            value = value * point + coefficient
        return np.array([value])
    first = int(np.argmax(coefficients != 0))  # a panel may do with a lower degree than others
    values = np.full_like(z, coefficients[first])
    for coefficient in coefficients[first + 1 :]:
        values *= z
        values += coefficient
    return values


def _multiplied(value: Any, x: Any, times: int) -> Any:
    """Return ``value x^times``, with what each product rounds off added at the end."""
    parts, rest = _split(x), 0.0
    for _ in range(times):
        value, error = _product(value, x, parts)
        rest = rest * x + error
    return value + rest


def two_product(x: Array, y: Array) -> tuple[Array, Array]:
    """Return a product and what it rounds off (Dekker), for factors that are far from the ends of the range."""
    return _product(x, y, _split(y))


def two_sum(x: Array, y: Array) -> tuple[Array, Array]:
    """Return a sum and what it rounds off (Knuth)."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _product(x: Any, y: Any, parts: tuple[Any, Any]) -> tuple[Any, Any]:
    (high, low), (y_high, y_low), value = _split(x), parts, x * y
    return value, ((high * y_high - value) + high * y_low + low * y_high) + low * y_low


def _split(x: Any) -> tuple[Any, Any]:
    """Return two numbers of half as many digits that add up to a number."""
    high = x * SPLITTER
    high -= high - x
    return high, x - high


@dataclass(frozen=True, slots=True)
class Listed:
    """A function by its value at each of the few doubles of a piece."""

    doubles: Array
    values: Array

    @classmethod
    def of(cls, value: Callable[[float], Any], low: End, high: End) -> Listed:
        """List the values at the doubles ``low < p <= high``."""
        doubles = [low.floor]
        while doubles[-1] < high.floor:
            doubles.append(math.nextafter(doubles[-1], math.inf))
        return cls(np.array(doubles[1:]), np.array([float(value(double)) for double in doubles[1:]]))

    def __call__(self, points: Points) -> Array:
        """Return the values at some of these doubles; beside them that of the nearest above, or the last."""
        return self.values[np.minimum(np.searchsorted(self.doubles, points.p), len(self.doubles) - 1)]
