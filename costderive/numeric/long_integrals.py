"""Functions with integrals in the longest floating-point numbers of the machine, at many points at a time.

An integral becomes one over the whole line, in the logarithm of what its variable is beyond an end, or of the odds of
its place between both ends. There most integrands fall exponentially on either side, so that the trapezoidal rule
converges fast on the intervals where they count, which are looked for first. What rounding and steps leave is measured:
:meth:`Long.checked` is a sum to more digits.

Source: Trefethen and Weideman (2014), The exponentially convergent trapezoidal rule, section 14.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from sympy import Expr, Integral

from costderive.core.errors import CostDeriveError
from costderive.core.numpy_on_demand import NDArray, np
from costderive.core.symbols import p
from costderive.numeric.balls import CONSTANT
from costderive.numeric.bells import Longs, Spans, spans
from costderive.numeric.beside_ends import (
    DISTANCE,
    GAP,
    beside,
    digits_log1mexp,
    long_log1mexp,
    near_one,
    of_gap,
)
from costderive.numeric.constants import mantissa_and_exponent, number
from costderive.numeric.long_gamma import long_below, long_expintx, long_gammax, whole_power
from costderive.numeric.many_digits import DIGITS, End, Exact, Valued, r
from costderive.numeric.normal_scores import long_erf, long_erfc, long_erfcx, long_score, long_tail
from costderive.numeric.remainders import (
    RESTS_IN_DIGITS,
    RESTS_IN_LONG,
    without_cancelling,
)
from costderive.numeric.scaled import BELOW, ERFCX, EXPINTX, FUNCTIONS, GAMMAX, scaled

FEWEST, MOST = 128, 8192  # steps
AGREE = 2.0**-58  # two sums,
NEARLY, FASTER = 2.0**-40, 1.5  # or so nearly, if they agree in that power of the digits of the two before
ROUGHLY, SLOWLY = 1024, 0.1  # which are as near as they ever come if the next two are hardly nearer
NOISE = 2.0**-50  # by which three sums may differ that are as near as rounding lets them be
FINE = 8  # steps to a unit, before which sums may be as near by chance alone
MOST_CHECKED = 2048
ELSEWHERE = 0.3
NOISY = 2.0**-44  # a relative change that is more than what rounding makes where nothing cancels
WHOLE = sympy.Function("whole_power")
TAIL = sympy.Function("tail")  # tail(y, y + z^2, z) = exp(y) erfcx z
ROOTS = {2: sympy.Function("sqrt"), 3: sympy.Function("cbrt")}
LONG_FUNCTIONS = {
    "erf": long_erf,
    "complement": long_erfc,
    "erfcx": long_erfcx,
    "score": long_score,
    "below": long_below,
    "gammax": long_gammax,
    "expintx": long_expintx,
    "log1mexp": long_log1mexp,
    "Abs": abs,
}
KNOWN = {
    "exp",
    "expm1",
    "log",
    "sqrt",
    "sin",
    "cos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    *LONG_FUNCTIONS,
}
LONG_BITS = 64


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Numbers of one kind: floating-point numbers in arrays, or those of mpmath."""

    exp: Callable[[Any], Any]
    sides: tuple[Callable[..., Any], Callable[..., Any] | None]  # the integrand by the distance from an end
    width: Callable[..., Any] | None

    def at(self, z: Any, point: Any) -> Any:
        """Return the integrand in the variable z, times the derivative of its own; arrays have ascending rows of z."""
        if isinstance(z, np.ndarray) and self.width is not None:
            return np.concatenate(tuple(self._parts(z, point)), axis=1)
        return self._from(0 if self.width is None or z < 0 else 1, z, point)

    def _parts(self, z: Longs, point: Longs) -> Iterator[Longs]:
        """Yield what lies nearer to the low end in all rows, nearer to either in some, and nearer to the high end."""
        is_low = z < 0
        first, last = int(is_low.all(axis=0).sum()), int(is_low.any(axis=0).sum())
        yield self._from(0, z[:, :first], point)
        either = z[:, first:last]
        yield np.where(either < 0, self._from(0, either, point), self._from(1, either, point))
        yield self._from(1, z[:, last:], point)

    def _from(self, side: int, z: Any, point: Any) -> Any:
        grown, integrand = self.exp(z), self.sides[side]
        assert integrand is not None
        if self.width is None:
            return integrand(grown, point) * grown
        near, rest, width = 1 / (1 + self.exp(-z)), 1 / (1 + grown), self.width(point)
        return integrand(width * (rest if side else near), point) * width * near * rest


@dataclass(frozen=True, slots=True)
class LongIntegral:
    """An integral with one variable, as a sum over nodes in either arithmetic."""

    long: Arithmetic
    digits: Arithmetic

    @classmethod
    def of(cls, node: Integral) -> LongIntegral:
        """Compile the parts of an integral that depends on a distance of p."""
        x, low, high = node.limits[0]
        integrand, width = node.function, sympy.factor(high - low)
        ends = [(low, 1), *([] if high is sympy.oo else [(high, -1)])]
        first, *others = (_with_tails(without_cancelling(beside(integrand, x, *end))) for end in ends)
        sides = first, others[0] if others else None
        long, digits = (
            Arithmetic(
                exp,
                (compiled((DISTANCE, GAP), sides[0]), sides[1] and compiled((DISTANCE, GAP), sides[1])),
                sides[1] and compiled((GAP,), width),
            )
            for exp, compiled in ((np.exp, _in_long), (mpmath.exp, _in_digits))
        )
        return cls(long, digits)

    def values(self, point: Longs, near: Longs, part: float = 0.0) -> Longs:
        """Return the integral at distances, shape (n,), by nodes that are moved by a part of the widest step.

        Where the integrand counts is looked for at distances that are near.
        """
        return self._summed(point, self._spans(tuple(near)), part)

    def checked(self, long: Longs, point: Any) -> Any:
        """Return the integral at one distance to the working precision."""
        found = self._spans(tuple(long))
        return mpmath.fsum(
            self._checked_between(_mpf(low), _mpf(high), point)
            for low, high in zip(found.low, found.high, strict=True)
        )

    def _checked_between(self, low: Any, high: Any, point: Any) -> Any:
        count, width = FEWEST, high - low

        def nodes(first: Any) -> Any:
            return mpmath.fsum(self.digits.at(low + width * (first + k) / count, point) for k in range(count))

        total, last = nodes(mpmath.mpf(0)), math.inf
        while True:
            finer = total + nodes(mpmath.mpf("0.5"))
            apart = float(abs(finer / 2 - total) / abs(total)) if total else float(finer != 0)
            total, count = finer, 2 * count
            if _agree(apart, last) or count >= max(MOST_CHECKED, FINE * width):
                return total * width / count
            last = apart

    def _summed(self, point: Longs, found: Spans, part: float) -> Longs:
        """Return sums with so many steps that more change nothing."""
        count, last, is_still = FEWEST // 2, np.inf, False
        width, firsts, beside = found.width, found.firsts, point[found.of, None]
        enough = max(ROUGHLY, FINE * width.max())
        low = found.low + part * width / count

        def added(parts: Longs) -> Longs:
            nodes = self._at(beside, low[:, None] + width[:, None] * parts)
            return np.asarray(np.add.reduceat(nodes.sum(axis=1) * width, firsts))

        total = added(np.arange(count) / np.longdouble(count))
        while True:
            finer = total + added((np.arange(count) + np.longdouble(0.5)) / count)
            apart = float(np.max(abs(finer / 2 - total) / np.where(finer == 0, 1, abs(finer / 2))))
            total, count = finer, 2 * count
            was_still, is_still = is_still, apart > SLOWLY * last
            is_slow = count > enough and was_still and is_still
            is_noise = count > ROUGHLY and max(apart, last) < NOISE
            if _agree(apart, last) or is_slow or is_noise or count >= MOST:
                return np.asarray(total / count)
            last = apart

    def _at(self, columns: Longs, z: Longs) -> Longs:
        with np.errstate(all="ignore"):
            found = self.long.at(z, columns)
        return np.asarray(np.where(np.isfinite(found), found, 0))

    @functools.lru_cache(maxsize=16)  # noqa: B019
    def _spans(self, points: tuple[Any, ...]) -> Spans:
        """Return between which numbers the integrand counts, for each point."""
        columns = np.array(points)[:, None]

        def sizes(points: NDArray[np.intp], z: Longs) -> Longs:
            return np.asarray(abs(self._at(columns[points], z)))

        return spans(sizes, len(columns), FEWEST)


@dataclass(frozen=True, slots=True, eq=False)
class Long(Valued):
    """A function of ``p`` and ``r`` with integrals, right to about as many digits as the longest numbers have."""

    expr: Expr
    plain: Expr  # the same as it was given

    @classmethod
    @functools.lru_cache(maxsize=64)
    def of(cls, expr: Expr) -> Long | None:
        """Prepare an expression in ``p`` and ``r``, None if it has no integrals, or functions not in :data:`KNOWN`."""
        written = near_one(scaled(expr.subs(r, 1 - p)))
        nodes = written.atoms(Integral)
        return cls(written, expr) if nodes and all(map(_is_plain, nodes)) and _has_names(written) else None

    def value(self, end: End, x: Any) -> Any:
        """Return the value at the distance ``x`` from an end as an mpmath number."""
        return self.values(end, [x])[0]

    def values(self, end: End, distances: list[Any]) -> list[Any]:
        """Return the values at some distances.

        Raises:
            CostDeriveError: if one is not a number.
        """
        gaps = _longs(distances)
        found = _Beside.of(self.expr, end).at(gaps, gaps)
        if not np.isfinite(found).all():
            raise CostDeriveError(
                "an integral is not a number of this machine", "Report this with the context."
            )
        return [_mpf(value) for value in found]

    def checked(self, end: End, x: Any) -> Any:
        """Return the value at a distance in another way, to more digits, as many more as may cancel."""
        balls = Exact.of(self.plain).balls
        if balls is not None and (found := balls.value(end.at, end.side, x)) is not None:
            return found
        is_noisy = self.noise(end, [x], self.values(end, [x])) > NOISY
        with mpmath.workdps(DIGITS + (cancelling(x) if is_noisy else 0)):
            return _Beside.of(self.expr, end).checked(x)

    def noise(self, end: End, distances: list[Any], values: list[Any]) -> float:
        """Return by how much half of the values change at most, relative to themselves, with other roundings."""
        found, gaps = _longs(values), np.nextafter(_longs(distances), np.longdouble(1))
        beside = _Beside.of(self.expr, end).at(gaps, _longs(distances), ELSEWHERE)
        with np.errstate(all="ignore"):
            return float(np.median(np.where(found == beside, 0, abs(beside / found - 1))))


@dataclass(frozen=True, slots=True)
class _Beside:
    """A function with integrals by the distance of p from an end."""

    long: Callable[..., Any]
    digits: Callable[..., Any]
    integrals: tuple[LongIntegral, ...]

    @classmethod
    @functools.lru_cache(maxsize=64)
    def of(cls, expr: Expr, end: End) -> _Beside:
        """Compile an expression in p."""
        nodes = sorted(expr.atoms(Integral), key=str)
        names = {node: sympy.Dummy("i", real=True) for node in nodes}
        rest, letters = of_gap(expr.xreplace(names), end), (GAP, *names.values())
        integrals = tuple(LongIntegral.of(of_gap(node, end)) for node in nodes)
        return cls(_in_long(letters, rest), _in_digits(letters, rest), integrals)

    def at(self, gaps: Longs, near: Longs, part: float = 0.0) -> Longs:
        """Return the values at distances, by nodes that are moved by a part of the widest step.

        Where integrands count is looked for at distances that are near, and known if it was before.
        """
        with np.errstate(all="ignore"):
            found = self.long(gaps, *(integral.values(gaps, near, part) for integral in self.integrals))
        return np.broadcast_to(found, len(gaps))

    def checked(self, x: Any) -> Any:
        """Return the value at a distance to the working precision."""
        return self.digits(x, *(integral.checked(_longs([x]), x) for integral in self.integrals))


def _with_tails(integrand: Expr) -> Expr:
    """Write ``exp(y) erfcx z`` as one function: far below 0 the first may be 0 and the second infinite."""
    return integrand.replace(sympy.Mul, _with_one_tail)


def _with_one_tail(*factors: Expr) -> Expr:
    powers = [factor for factor in factors if isinstance(factor, sympy.exp)]
    slow = [factor for factor in factors if isinstance(factor, ERFCX)]
    if not (powers and slow):
        return sympy.Mul(*factors)
    (y, z), others = (
        (powers[0].args[0], slow[0].args[0]),
        [x for x in factors if x not in (powers[0], slow[0])],
    )
    return sympy.Mul(*others, TAIL(y, sympy.factor(y + z**2) if y.is_rational_function() else y + z**2, z))


def _agree(apart: float, last: float) -> bool:
    """Return whether a sum is right to the last digit: the one before was, or is so near that this one has to be.

    Where sums converge exponentially each has about twice as many digits as the one before.
    """
    return apart <= AGREE or (apart <= NEARLY and last < 1 and apart <= last**FASTER)


def cancelling(x: Any) -> int:
    """Return how many digits ``1 - x`` and the like may lose."""
    return max(0, -int(mpmath.log10(x)))


def _is_plain(node: Integral) -> bool:
    """Return whether an integral has one variable and a finite low end."""
    if len(node.limits) > 1 or node.function.has(Integral) or len(node.limits[0]) < 3:
        return False
    return node.limits[0][1].is_finite is not False


def _has_names(written: Expr) -> bool:
    functions = (node for node in written.atoms(sympy.Function) if not node.is_number)
    return not written.has(sympy.Max, sympy.Min, sympy.Piecewise) and all(
        type(node).__name__ in KNOWN and all(shape.is_number for shape in _shapes(node)) for node in functions
    )


def _shapes(node: Expr) -> tuple[Expr, ...]:
    return node.args[:1] if isinstance(node, BELOW | GAMMAX | EXPINTX) else ()


def _longs(numbers: list[Any]) -> Longs:
    return np.array([_long(x) for x in numbers])


def _in_long(letters: tuple[Expr, ...], expr: Expr) -> Callable[..., Any]:
    constants: list[Expr] = []
    written = _with_constants_named(expr, constants)
    values = [_long(number(constant, DIGITS)) for constant in constants]
    names = (
        LONG_FUNCTIONS
        | RESTS_IN_LONG
        | {
            "constant": values.__getitem__,
            "whole_power": whole_power,
            "tail": long_tail,
            "expm1": np.expm1,
            "log1p": np.log1p,
            "cbrt": np.cbrt,
        }
    )
    function: Callable[..., Any] = sympy.lambdify(letters, written, [names, "numpy"], cse=True)
    return function


def _in_digits(letters: tuple[Expr, ...], expr: Expr) -> Callable[..., Any]:
    constants: list[Expr] = []
    written = _with_constants_named(expr, constants)
    names = (
        FUNCTIONS
        | RESTS_IN_DIGITS
        | {
            "constant": lambda place: number(constants[place], mpmath.mp.dps),
            "whole_power": operator.pow,
            "tail": lambda y, _, z: FUNCTIONS["exp"](y) * FUNCTIONS["erfcx"](z),
            "expm1": mpmath.expm1,
            "log1p": mpmath.log1p,
            "log1mexp": digits_log1mexp,
            "cbrt": mpmath.cbrt,
        }
    )
    function: Callable[..., Any] = sympy.lambdify(letters, written, [names, "mpmath"], cse=True)
    return function


def _with_constants_named(node: Expr, constants: list[Expr]) -> Expr:
    """Name numbers that are not whole by their places in a list, and write powers with roots and products.

    Powers of long numbers take ten times as long as roots, and a hundred times as long as products.
    """
    if node.is_Integer or (not node.args and not node.is_number):
        return node
    if node.is_number:
        if node not in constants:
            constants.append(node)
        return CONSTANT(constants.index(node))
    if isinstance(node, sympy.Pow) and node.exp.is_Integer:
        return _by_products(_with_constants_named(node.base, constants), node.exp)
    if isinstance(node, sympy.Pow) and node.exp.is_Rational and node.exp.q in ROOTS:
        base, whole = _with_constants_named(node.base, constants), sympy.floor(node.exp)
        return _by_products(base, whole) * ROOTS[node.exp.q](base) ** (node.exp.p - whole * node.exp.q)
    return node.func(*(_with_constants_named(part, constants) for part in node.args))


def _by_products(base: Expr, n: Expr) -> Expr:
    return WHOLE(base, n) if abs(n) > 2 else base**n


def _long(x: Any) -> Any:
    """Return an mpmath number as a long one."""
    mantissa, exponent = mantissa_and_exponent(x)
    spare = max(0, abs(mantissa).bit_length() - LONG_BITS)
    high, low = divmod((abs(mantissa) + (1 << spare >> 1)) >> spare, 2**32)
    size = np.ldexp(np.longdouble(high), exponent + spare + 32) + np.ldexp(
        np.longdouble(low), exponent + spare
    )
    return -size if mantissa < 0 else size


def _mpf(x: Any) -> Any:
    """Return a long number as an mpmath one."""
    part, exponent = np.frexp(np.longdouble(x))
    return mpmath.mpf(int(np.ldexp(part, LONG_BITS))) * mpmath.mpf(2) ** (int(exponent) - LONG_BITS)
