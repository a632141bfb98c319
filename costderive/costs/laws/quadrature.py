"""Densities as numbers: compiled for numbers and for arrays, and integrated by double-exponential quadrature.

What is needed to read a law takes plain numbers; arrays are for what is drawn from it, and for regions of the plane.

Source: Takahasi and Mori (1974), Double exponential formulas for numerical integration.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import sympy
from mpmath import fp, mp
from sympy import Expr, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.expressions.exact_numbers import shown
from costderive.core.numpy_on_demand import Array, np

FARTHEST, COUNT = 4.5, 401
STEP = 2 * FARTHEST / (COUNT - 1)
FAR, FAR_COUNT, FAR_DIGITS = 6, 301, 600  # exp(-pi sinh 6) is 1e-275
LEAST_DIGITS, DOUBLINGS = 50, 4  # at 1e-275 up to 5200 digits
AGREEING = 1e-12
LARGEST_EXPONENT = 1e9
FRACTIONS = 60
STEEPEST = 60  # exponent whose powers, and factorial, are multiplied as they are


def _exponential_integral(order: float, x: float) -> float:
    """Return ``E_n(x)``, for x from 1 on by its continued fraction."""
    if x < 1:
        return float(-fp.ei(-x) if order == 1 else fp.expint(order, x))
    found = 0.0
    for k in range(FRACTIONS, 0, -1):
        found = k * (order + k - 1) / (x + order + 2 * k - found)
    return math.exp(-x) / (x + order - found)


_SPECIAL: dict[str, Callable[..., Any]] = {
    "erf": math.erf,
    "erfc": math.erfc,
    "gamma": math.gamma,
    "loggamma": math.lgamma,
    "expint": _exponential_integral,
    "Ei": fp.ei,
    "uppergamma": fp.gammainc,
    "lowergamma": lambda shape, x: fp.gammainc(shape, 0, x),
    "betainc": fp.betainc,
    "polylog": fp.polylog,
}


@cache
def _special() -> dict[str, Callable[..., Array]]:
    slow = {name: np.vectorize(partial(_real, f), otypes=[float]) for name, f in _SPECIAL.items()}
    return {**slow, NaturalLogarithm.__name__: np.log}


def _real(function: Callable[..., Any], *point: Any) -> float:
    """Return a value that is a real number, else NaN."""
    try:
        found = function(*map(float, point))
    except (ArithmeticError, ValueError):
        return math.nan
    return float(found) if isinstance(found, int | float) else math.nan


@cache
def steps() -> Array:
    """Return the steps on the whole line at which double-exponential quadrature takes its points."""
    return np.linspace(-FARTHEST, FARTHEST, COUNT)


@lru_cache(maxsize=256)
def at_points(expr: Expr, *variables: Symbol) -> Callable[..., list[float]]:
    """Return the expression as a function of a list of numbers for each variable; what is not finite counts as 0."""
    plain = expr.rewrite(sympy.gamma)
    slow = sympy.lambdify(variables, plain, [{"exp": _exp}, "mpmath"])
    try:
        quick = sympy.lambdify(variables, plain, "math")
    except NotImplementedError:  # of an incomplete Gamma function
        quick = slow

    def value(*point: float) -> float:
        try:
            found = quick(*point)
        except (
            ArithmeticError,
            ValueError,
            NameError,
        ):  # a part that is too large, or a function that is rare
            found = _or_zero(slow, *point)
        return float(found) if isinstance(found, int | float) and math.isfinite(found) else 0.0

    return lambda *points: list(map(value, *points))


def _exp(number: Any) -> Any:
    """Return an exponential; for one of exp(1e30) mpmath would need as many digits as that has."""
    return mp.exp(number) if abs(number) < LARGEST_EXPONENT else mp.zero if number < 0 else mp.inf


def _or_zero(function: Callable[..., Any], *point: float) -> float:
    try:
        found = mp.mpmathify(function(*map(mp.mpf, point)))
        return float(found) if isinstance(found, mp.mpf) else 0.0
    except (ArithmeticError, ValueError):
        return 0.0


def points_between(low: float, high: float) -> tuple[list[float], list[float]]:
    """Return points and weights for an integral over ``low < x < high``; ``high`` may be infinite."""
    places = [_mapped_point(-FARTHEST + STEP * k, low, high) for k in range(COUNT)]
    return [point for point, _ in places], [slope * STEP for _, slope in places]


def _mapped_point(step: float, low: float, high: float) -> tuple[float, float]:
    turn, slope = math.pi / 2 * math.sinh(step), math.pi / 2 * math.cosh(step)
    if math.isinf(high):
        return low + math.exp(turn), math.exp(turn) * slope
    share = 1 / (1 + math.exp(-2 * turn))
    return low + (high - low) * share, 2 * (high - low) * share * (1 - share) * slope


def total(values: Sequence[Any]) -> tuple[float, float]:
    """Return the sum of the values at points times their weights, and an estimate of its error."""
    whole, half = float(mp.fsum(values)), float(2 * mp.fsum(values[::2]))
    return whole, abs(whole - half)


@lru_cache(maxsize=256)
def compiled(expr: Expr, *variables: Symbol) -> Callable[..., Array]:
    """Return the expression as a function of arrays; where it has no finite value, the value is 0.

    That function raises ``SpecError`` if there is a number in the expression that no double can hold.
    """
    function = sympy.lambdify(variables, stable(expr.rewrite(sympy.gamma)), modules=[_special(), "numpy"])

    def value(*arrays: Array) -> Array:
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(function(*arrays)) + np.zeros(np.broadcast_shapes(*map(np.shape, arrays)))
        except OverflowError:
            raise SpecError(
                f"a number in {shown(expr)} is beyond 1e308", "Write it in other units."
            ) from None
        return np.where(np.isfinite(found), np.real(found), 0.0)

    return value


@lru_cache(maxsize=256)
def stable(expr: Expr) -> Expr:
    """Return what has steep powers by logarithms of its terms: ``x^200 exp(-x)/200!`` is a double, ``x^200`` is not."""
    if not is_steep(expr):
        return expr
    return sympy.Add(*map(_by_logarithm, sympy.Add.make_args(expr)))


class NaturalLogarithm(sympy.Function):
    """A logarithm whose exponential SymPy does not write as a power again."""

    def fdiff(self, argindex: int = 1) -> Expr:
        """Return the derivative."""
        return 1 / self.args[0]


def _by_logarithm(term: Expr) -> Expr:
    number, rest = term.as_coeff_Mul()
    whole = int(sympy.log(abs(number)))
    logarithms = sympy.expand_log(sympy.log(rest), force=True).replace(sympy.log, NaturalLogarithm)
    left = (number * sympy.exp(-whole)).evalf(20)
    return left * sympy.exp(whole * NaturalLogarithm(S.Exp1) + logarithms)


def is_steep(expr: Expr) -> bool:
    """Return whether a number is a large exponent: powers are then far from the value, a density, that they make."""
    return any(abs(power.exp) > STEEPEST for power in expr.atoms(sympy.Pow) if power.exp.is_number)


def mapped(step: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return the point of (low, high) that belongs to a step on the whole line, and the slope there.

    The step is the number in which double-exponential quadrature is a plain sum; ``high`` may be infinite.
    """
    turn, slope = math.pi / 2 * np.sinh(step), math.pi / 2 * np.cosh(step)
    share, endless = 1 / (1 + np.exp(-2 * turn)), np.isinf(high)
    length = np.where(endless, 1.0, high - low)
    points = np.where(endless, low + np.exp(turn), low + length * share)
    return points, np.where(endless, np.exp(turn) * slope, 2 * length * share * (1 - share) * slope)


def nodes(low: Any, high: Any) -> tuple[Array, Array]:
    """Return points and weights for integrals over each of the intervals ``low[i] < x < high[i]``.

    The arrays have one more axis than ``low`` and ``high``, with ``COUNT`` points; ``high`` may be infinite.
    """
    ends = [np.asarray(end, dtype=float)[..., None] for end in (low, high)]
    points, slope = mapped(steps(), *ends)
    return points, slope * (steps()[1] - steps()[0])


def summed_slowly(expr: Expr, variable: Symbol, low: Expr, high: Expr) -> tuple[float, float]:
    """Integrate in so many digits that nothing is lost at an end where the integrand is as steep as ``x^(1/10)/x``."""
    function = sympy.lambdify(variable, expr, "mpmath")
    with mp.workdps(FAR_DIGITS):
        ends = mp.mpmathify(low), mp.inf if high is S.Infinity else mp.mpmathify(high)
        step = 2 * FAR / (FAR_COUNT - 1)
        places = [_mapped_far(-FAR + k * step, *ends) for k in range(FAR_COUNT)]
        return total([_in_digits(function, point) * slope * step for point, slope in places])


def _in_digits(function: Callable[..., Any], point: Any) -> Any:
    """Return a value in so many digits that twice as many do not change it; at first ``1 + x`` is not 1."""
    found, enough = mp.zero, LEAST_DIGITS + int(abs(mp.log10(point)))
    for doubling in range(DOUBLINGS + 1):
        with mp.workdps(enough * 2**doubling):
            before, found = found, mp.re(function(point))
            if doubling and abs(found - before) <= AGREEING * abs(found):
                break
    return found


def _mapped_far(step: Any, low: Any, high: Any) -> tuple[Any, Any]:
    turn, slope = mp.pi / 2 * mp.sinh(step), mp.pi / 2 * mp.cosh(step)
    if mp.isinf(high):
        return low + mp.exp(turn), mp.exp(turn) * slope
    share = 1 / (1 + mp.exp(-2 * turn))
    return low + (high - low) * share, 2 * (high - low) * share * (1 - share) * slope


def summed(values: Array) -> tuple[float, float]:
    """Return the sum of node values times weights over all axes, and an estimate of its error."""
    every_second = (slice(None, None, 2),) * values.ndim
    whole, half = float(values.sum()), float(2**values.ndim * values[every_second].sum())
    return whole, abs(whole - half)
