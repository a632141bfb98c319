"""Programs on arrays with a running bound of their error, and again with twice the digits where it is too large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import mpmath

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric import twofold
from costderive.numeric.program_tree import Call, Name, Node, Number, Operation, Program
from costderive.numeric.twofold import Twofold

MOST = 32.0  # units that the bound of a value may have
HOPELESS = 2.0**43  # units beyond which what is left of a sum is taken for nothing
LIBRARY = 2.0  # units by which NumPy's functions may be off
MOST_TWOFOLD = 2.0**40  # units of 2^-100 that the bound of a twofold value may have
PRECISIONS = (60, 120, 240, 480)  # digits for what twofold numbers lose
BESIDE = mpmath.mpf(10) ** -30  # of p, by which a place is left where a formula is 0/0
Arithmetic = TypeVar("Arithmetic")


@dataclass(frozen=True, slots=True)
class Bounded:
    """Doubles, and a bound of the relative error of each in units of 2^-53, infinite where few digits are left.

    The bound is of the first order; a number for all rows alike, as of a product of numbers that were given, stays one.

    Source: Higham (2002), Accuracy and Stability of Numerical Algorithms, section 3.3.
    """

    value: Any
    units: Any = 0.0

    @classmethod
    def number(cls, given: Number) -> Bounded:
        """Read a constant."""
        return cls(given.value, 0.0 if not given.digits or given.value.is_integer() else 1.0)

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.units)

    def __add__(self, other: Bounded) -> Bounded:
        value = self.value + other.value
        if _is_exact(self.units) and _is_exact(other.units):
            return Bounded(value, 1.0)
        units = (_size(self) + _size(other)) / abs(value) + 1.0
        return Bounded(value, np.where(units < HOPELESS, units, np.inf))

    def __mul__(self, other: Bounded) -> Bounded:
        return Bounded(self.value * other.value, self.units + other.units + 1.0)

    def __truediv__(self, other: Bounded) -> Bounded:
        return Bounded(self.value / other.value, self.units + other.units + 1.0)


def _is_exact(units: Any) -> bool:
    return isinstance(units, float) and units == 0.0


def _size(x: Bounded) -> Any:
    return 0.0 if _is_exact(x.units) else abs(x.value) * x.units


def _from(value: Any, change: Any) -> Bounded:
    """Return the values of a function, which change by so many units for those of its arguments."""
    return Bounded(value, change / abs(value) + LIBRARY)


def _log_of(x: Bounded, rest: Bounded) -> Bounded:
    """Return the logarithm of x, where the rest is 1 - x."""
    is_small = x.value < 0.5
    value = np.where(is_small, np.log(x.value), np.log1p(-rest.value))
    return _from(value, np.where(is_small, x.units, rest.units * rest.value / x.value))


def _power(x: Bounded, y: Bounded) -> Bounded:
    change = abs(y.value) * (x.units + abs(np.log(x.value)) * (y.units + 1.0))
    return Bounded(np.power(x.value, y.value), change + LIBRARY)


def _arctan2(y: Bounded, x: Bounded) -> Bounded:
    turned = abs(x.value * y.value) * (y.units + x.units) / (x.value**2 + y.value**2)
    return _from(np.arctan2(y.value, x.value), turned)


def _smooth(function: str, slope: Callable[[Any], Any]) -> Callable[[Bounded], Bounded]:
    """Return a function of NumPy whose slope hardly changes within the error of its argument."""
    return lambda x: _from(getattr(np, function)(x.value), abs(slope(x.value) * x.value) * x.units)


CALLS: Mapping[str, Callable[..., Bounded]] = {
    "sqrt": lambda x: Bounded(np.sqrt(x.value), x.units / 2 + 1.0),
    "log": _smooth("log", lambda x: 1 / x),
    "log_p": _log_of,
    "log_r": lambda p, r: _log_of(r, p),
    "log1p": _smooth("log1p", lambda x: 1 / (1 + x)),
    "exp": lambda x: Bounded(np.exp(x.value), abs(x.value) * x.units + LIBRARY),
    "power": _power,
    "arctan2": _arctan2,
    "arcsin": _smooth("arcsin", lambda x: 1 / np.sqrt((1 - x) * (1 + x))),
    "arccos": _smooth("arccos", lambda x: 1 / np.sqrt((1 - x) * (1 + x))),
    "arctan": _smooth("arctan", lambda x: 1 / (1 + x * x)),
    "arcsinh": _smooth("arcsinh", lambda x: 1 / np.sqrt(1 + x * x)),
    "arccosh": _smooth("arccosh", lambda x: 1 / np.sqrt((x - 1) * (x + 1))),
}


@dataclass(frozen=True, slots=True)
class Traced:
    """Twofold numbers, and a bound of the relative error of each in units of 2^-100."""

    value: Twofold
    units: Any = 0.0

    @classmethod
    def number(cls, given: Number) -> Traced:
        """Read a constant."""
        return cls(Twofold.number(given), 1.0)

    @property
    def bounded(self) -> Bounded:
        """The doubles next to them."""
        return Bounded(self.value.high, self.units)

    def __neg__(self) -> Traced:
        return Traced(-self.value, self.units)

    def __add__(self, other: Traced) -> Traced:
        value = self.value + other.value
        return Traced(value, (_size(self.bounded) + _size(other.bounded)) / abs(value.high) + 1.0)

    def __mul__(self, other: Traced) -> Traced:
        return Traced(self.value * other.value, self.units + other.units + 1.0)

    def __truediv__(self, other: Traced) -> Traced:
        return Traced(self.value / other.value, self.units + other.units + 1.0)


def _traced(name: str) -> Callable[..., Traced]:
    def call(*parts: Traced) -> Traced:
        units = CALLS[name](*(part.bounded for part in parts)).units
        return Traced(twofold.CALLS[name](*(part.value for part in parts)), units)

    return call


TRACED = {name: _traced(name) for name in twofold.CALLS if name in CALLS}
EXACT: Mapping[str, Callable[..., Any]] = {
    "sqrt": mpmath.sqrt,
    "log": mpmath.log,
    "log_p": lambda p, r: mpmath.log(p),
    "log_r": lambda p, r: mpmath.log(r),
    "log1p": lambda x: mpmath.log(1 + x),
    "exp": mpmath.exp,
    "power": mpmath.power,
}


def _of_row(x: Twofold, row: int) -> tuple[float, float]:
    high, low = (part if np.ndim(part) == 0 else part[row] for part in (x.high, x.low))
    return float(high), float(low)


def _with_many_digits(program: Program, names: Mapping[str, tuple[float, float]]) -> float:
    """Return a value as soon as those at two precisions agree, beside p if there is none at p; else nan.

    What has fallen with the digits below half of them is 0: there no two agree.
    """
    last = mpmath.nan
    for digits in PRECISIONS:
        with mpmath.workdps(digits):
            given = {name: mpmath.mpf(high) + mpmath.mpf(low) for name, (high, low) in names.items()}
            try:
                value = _run_exactly(program, given | _summing_to_one(given, mpmath.mpf(0)))
            except ZeroDivisionError:
                value = _run_exactly(program, given | _summing_to_one(given, BESIDE))
            if abs(value - last) <= abs(value) * mpmath.mpf(2) ** -60:
                return float(value)
            last = value
    return 0.0 if abs(last) < mpmath.mpf(10) ** -(PRECISIONS[-1] // 2) else np.nan


def _summing_to_one(given: Mapping[str, Any], beside: Any) -> dict[str, Any]:
    """Return p and 1 - p, where a program has them, from the smaller one, made larger by a share."""
    if "p" not in given:
        return {}
    small = min(("p", "r"), key=given.__getitem__)
    value = given[small] * (1 + beside)
    return {small: value, {"p": "r", "r": "p"}[small]: 1 - value}


def _run_exactly(program: Program, given: Mapping[str, Any]) -> Any:
    return run(program, given, lambda constant: mpmath.mpf(constant.digits or constant.value), EXACT)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The numbers that programs are run at, as doubles and, for some of the rows, as twofold ones."""

    doubles: Mapping[str, Bounded]
    twofold: Callable[[NDArray[np.intp]], Mapping[str, Twofold]]
    count: int

    def values(self, program: Program) -> Array:
        """Return the value in each row, with twice the digits where the bound is above MOST units."""
        return self._checked(program, MOST)

    def signs(self, program: Program) -> Array:
        """Return numbers with the signs of the values in each row."""
        return self._checked(program, HOPELESS)

    def _checked(self, program: Program, most: float) -> Array:
        with np.errstate(all="ignore"):
            found = run(program, self.doubles, Bounded.number, CALLS)
            value = np.array(np.broadcast_to(found.value, self.count), dtype=np.float64)
            is_good = found.units <= most
            if np.all(is_good):
                return value
            rows = np.flatnonzero(~np.broadcast_to(is_good, self.count) & ~np.isinf(value))
            return _mended(value, rows, self._precisely(program, rows))

    def _precisely(self, program: Program, rows: NDArray[np.intp]) -> Array:
        if not len(rows) or not program.calls() <= twofold.CALLS.keys():
            return np.full(len(rows), np.nan)
        names = self.twofold(rows)
        found = run(program, {name: Traced(x) for name, x in names.items()}, Traced.number, TRACED)
        value = np.array(np.broadcast_to(found.value.high, len(rows)))
        lost = ~np.broadcast_to(found.units <= MOST_TWOFOLD, len(rows)) & ~np.isinf(value)
        for row in np.flatnonzero(lost).tolist():
            value[row] = _with_many_digits(program, {name: _of_row(x, row) for name, x in names.items()})
        return value


def _mended(values: Array, rows: NDArray[np.intp], better: Array) -> Array:
    """Put better values in the place of others, where there are any."""
    is_known = ~np.isnan(better)
    values[rows[is_known]] = better[is_known]
    return values


def run(
    program: Program,
    names: Mapping[str, Arithmetic],
    number: Callable[[Number], Arithmetic],
    calls: Mapping[str, Callable[..., Arithmetic]],
) -> Arithmetic:
    """Return the value of a program in any arithmetic; what stands in it more than once is computed once."""
    known, seen = dict(names), {}

    def value(tree: Node) -> Any:
        if id(tree) not in seen:
            seen[id(tree)] = computed(tree)
        return seen[id(tree)]

    def computed(tree: Node) -> Any:
        match tree:
            case Number():
                return number(tree)
            case Name(name):
                return known[name]
            case Call(function, parts):
                return calls[function](*map(value, parts))
            case Operation(sign, parts):
                first, *others = map(value, parts)
                return -first if sign == "-" else _folded(sign, first, others)

    for name, tree in program.steps:
        known[name] = value(tree)
    found: Arithmetic = value(program.result)
    return found


def _folded(sign: str, found: Any, others: list[Any]) -> Any:
    for other in others:
        found = found + other if sign == "+" else found * other if sign == "*" else found / other
    return found
