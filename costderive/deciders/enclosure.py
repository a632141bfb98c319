"""Rigorous enclosures of an expression's value at exact points, and points where to look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import mpmath
import sympy
from mpmath import iv, mp
from sympy import Add, CRootOf, Expr, Integral, Mul, Pow, Rational, Symbol

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given, Interval
from costderive.deciders.sample_points import points, scattered

DIGITS = 50
FEW = 2
LARGEST_EXPONENT = 10**7

_CONSTANTS: dict[Expr, Any] = {
    sympy.pi: iv.pi,
    sympy.E: iv.e,
    sympy.EulerGamma: iv.euler,
    sympy.GoldenRatio: iv.phi,
    sympy.Catalan: iv.catalan,
}
_MONOTONE: dict[Any, Callable[[Any], Any]] = {
    sympy.log: mpmath.log,
    sympy.asin: mpmath.asin,
    sympy.acos: mpmath.acos,
    sympy.atan: mpmath.atan,
    sympy.asinh: mpmath.asinh,
    sympy.erf: mpmath.erf,
    sympy.erfc: mpmath.erfc,
    sympy.Ei: mpmath.ei,  # of numbers above its zero
    sympy.expint: mpmath.e1,  # of the first order, of positive numbers
    sympy.gamma: mpmath.gamma,  # of positive numbers on one side of its least value
}
_OF_INTERVALS: dict[Any, Callable[[Any], Any]] = {  # a quotient by what may be zero has no finite bounds
    sympy.sin: iv.sin,
    sympy.cos: iv.cos,
    sympy.tan: lambda x: iv.sin(x) / iv.cos(x),
    sympy.cot: lambda x: iv.cos(x) / iv.sin(x),
    sympy.sinh: lambda x: (_exp(x) - _exp(-x)) / 2,
    sympy.cosh: lambda x: (_exp(x) + _exp(-x)) / 2,
    sympy.tanh: lambda x: 1 - 2 / (_exp(2 * x) + 1),
    sympy.Abs: abs,
}
ZERO_OF_EI = iv.mpf("0.38")  # just above it
LEAST_GAMMA = iv.mpf(["1.46", "1.47"])  # where that value is


@dataclass(frozen=True, slots=True)
class Sample:
    """An exact point, as (name, value) pairs, and the enclosure of an expression there."""

    point: tuple[tuple[str, Expr], ...]
    low: Any
    high: Any

    @property
    def excludes_zero(self) -> bool:
        """Whether the value is certainly not zero."""
        return bool(self.low > 0 or self.high < 0)


def sample(expr: Expr, on: Interval | None, given: Given, count: int = 6) -> list[Sample]:
    """Enclose an expression at some exact points of the interval and of the parameters' domain, first at moderate ones.

    An expression that cannot be enclosed (an integral, say) gives no samples.
    """
    samples: list[Sample] = []
    if expr.has(Integral):  # to put a number for its last letter would evaluate it
        return samples
    letters = expr.free_symbols
    for values in [*points(letters, on, given)[:count], *scattered(letters, on, given)]:
        enclosed = enclose(expr, values)
        if enclosed is not None:
            named = tuple((symbol.name, value) for symbol, value in values.items())
            samples.append(Sample(named, *enclosed))
    return samples


def differ(left: Expr, right: Expr, on: Interval | None, given: Given) -> bool:
    """Return whether an enclosure at one of a few points shows that two expressions are not equal on the interval.

    That is for a search, which wants to be quick: the checker decides the same by more than a few points.
    """
    gap = left - right
    if gap == 0:
        return False
    values = (enclose(gap, point) for point in points(gap.free_symbols, on, given)[:FEW])
    return any(found is not None and (found[0] > 0 or found[1] < 0) for found in values)


def enclose(expr: Expr, values: Mapping[Symbol, Expr] = MappingProxyType({})) -> tuple[Any, Any] | None:
    """Return floating-point bounds between which the value of an expression at a point lies, or ``None``.

    Nothing is computed exactly on the way: a power with a large number in its exponent costs no more than another.
    """
    with mp.workdps(DIGITS + 10):
        iv.dps = DIGITS + 10
        try:
            value = _interval(expr, values)
        except (LookupError, NotImplementedError, ZeroDivisionError, ValueError, TypeError, OverflowError):
            return None
        bounds = mp.mpf(value.a), mp.mpf(value.b)
    return bounds if all(mp.isfinite(bound) for bound in bounds) else None


def _interval(expr: Expr, values: Mapping[Symbol, Expr]) -> Any:
    if isinstance(expr, Symbol):
        return _interval(values[expr], {})
    if isinstance(expr, Rational):
        return iv.mpf(expr.p) / iv.mpf(expr.q)
    if expr in _CONSTANTS:
        return +_CONSTANTS[expr]
    if isinstance(expr, Add):
        return sum((_interval(arg, values) for arg in expr.args), iv.mpf(0))
    if isinstance(expr, Mul):
        return sympy.prod([_interval(arg, values) for arg in expr.args])
    if isinstance(expr, Pow | sympy.exp):
        base, exponent = expr.as_base_exp()
        return _power(base, exponent, values)
    return _of_function(expr, values)


def _of_function(expr: Expr, values: Mapping[Symbol, Expr]) -> Any:
    if isinstance(expr, CRootOf) and expr.is_real:
        return _root(expr)
    if isinstance(expr, CurveParameter):
        return _curve_parameter(expr, values)
    if expr.func in _OF_INTERVALS:
        argument = _interval(expr.args[0], values)
        if abs(argument).b > LARGEST_EXPONENT:
            raise OverflowError("an argument that alone would fill the memory")
        return _OF_INTERVALS[expr.func](argument)
    return _monotone(expr, values)


def _curve_parameter(node: CurveParameter, values: Mapping[Symbol, Expr]) -> Any:
    """Enclose the parameter of a curve between two places, of which one is before it and one behind."""
    curve = node.stretch.with_letters(tuple(values.get(letter, letter) for letter in node.stretch.letters))
    at = _interval(node.proportion, values)
    ends = [_beside(curve, mp.mpf(end), side) for end, side in ((at.a, -1), (at.b, 1))]
    return iv.mpf([min(ends), max(ends)])


@lru_cache(maxsize=4096)
def _beside(curve: OneWay, at: Any, side: int) -> Any:
    """Return a place inside a curve where the proportion is certainly below one (side -1) or above it (side 1)."""
    near = curve.place_of(at) * (1 + side * int(curve.direction) * mp.mpf(10) ** -(DIGITS + 2))
    x = Rational(mpmath.nstr(near, DIGITS + 8))
    place, low = _interval(x, {}), _interval(curve.low, {})
    inside = low < place and (curve.high is sympy.oo or place < _interval(curve.high, {}))
    if not (inside and side * (_interval(curve.proportion, {curve.variable: x}) - at) > 0):
        raise ValueError(f"whether the curve is at {at} before or behind {x} is not certain")
    return mp.mpf(place.a if side * int(curve.direction) < 0 else place.b)


def _root(root: CRootOf) -> Any:
    """Enclose a real root of a polynomial over the rationals, isolated and refined exactly."""
    reach = Rational(1, 10 ** (DIGITS + 10))
    near = root.eval_rational(dx=reach)
    return _interval(near - reach, {}) + iv.mpf([0, 1]) * _interval(2 * reach, {})


def _power(base: Expr, exponent: Expr, values: Mapping[Symbol, Expr]) -> Any:
    if base is sympy.E:
        return _exp(_interval(exponent, values))
    known = exponent if exponent.is_Rational or exponent.has(Pow) else value_at(exponent, values)
    if known.is_Integer:
        return _interval(base, values) ** int(known)
    return _exp(_interval(exponent, values) * iv.log(_interval(base, values)))


def _exp(exponent: Any) -> Any:
    if abs(exponent).b > LARGEST_EXPONENT:
        raise OverflowError("an exponential whose exponent alone would fill the memory")
    return iv.exp(exponent)


def _monotone(expr: Expr, values: Mapping[Symbol, Expr]) -> Any:
    """Enclose a monotone function by its values at the ends, each widened by its rounding."""
    function = _MONOTONE.get(expr.func)
    if function is None:
        raise NotImplementedError(f"{expr.func.__name__} has no enclosure")
    argument = _interval(expr.args[-1], values)
    if not _in_domain(expr, argument):
        raise NotImplementedError(f"{expr.func.__name__} may turn here, or have poles or a zero")
    ends = [function(mp.mpf(end)) for end in (argument.a, argument.b)]
    if any(mp.im(end) != 0 for end in ends):
        raise ValueError(f"{expr} is not real")
    slack = (sum(map(abs, ends)) + mp.mpf(10) ** -DIGITS) * mp.mpf(10) ** -(DIGITS + 5)
    return iv.mpf([min(ends) - slack, max(ends) + slack])


def _in_domain(expr: Expr, argument: Any) -> bool:
    """Is a function monotone at an argument, and its value there of the precision that is asked for?"""
    match expr.func:
        case sympy.gamma:
            return bool(0 < argument < LEAST_GAMMA or argument > LEAST_GAMMA)
        case sympy.Ei:
            return bool(argument > ZERO_OF_EI)
        case sympy.expint:
            return bool(expr.args[0] == 1 and argument > 0)
    return True
