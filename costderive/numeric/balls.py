"""Values of closed forms in balls of Arb, each with a bound on its error, where python-flint is installed.

A ball holds its number for certain, so that no second value at more digits is needed. Arb takes a tenth of the time of
mpmath or less.

Source: Johansson (2017), Arb: efficient arbitrary-precision midpoint-radius interval arithmetic.
"""

from __future__ import annotations

import functools
import importlib
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from mpmath.libmp import from_man_exp
from sympy import Expr, Pow, Symbol
from sympy.core.function import AppliedUndef

from costderive.core.curve_parameters import OneWay
from costderive.core.work import OF_FUNCTION, SOONER, size_of, spend
from costderive.numeric.ball_integrals import BallIntegral, NoValueError
from costderive.numeric.ball_places import BallPlaces
from costderive.numeric.constants import mantissa_and_exponent, number

flint: Any
try:
    flint = importlib.import_module("flint")
except ImportError:
    flint = None

CONSTANT = sympy.Function("constant")  # a number, known by its place in a list
PARAMETER = sympy.Function("parameter")  # of a curve, likewise
CERTAIN = 100  # bits of a value
MOST_BITS = 20_000
ENOUGH = 2_700  # bits with which a value that is not known by then may be taken for 0
STEP = 128
TRIES = 3  # of precisions at which a ball may be no finite one
HALF = 0.5
FAR, FAR_OF_SQUARES = 20, 100  # before which Arb finds functions that fall sooner, with hardly fewer digits
FAR_OF_FIRST = 4000  # likewise for E_1
QUICK, OF_ERROR_FUNCTION = {"erf", "erfc", "erfcx", "complement"}, 50  # additions that take as long
TOO_SMALL = mpmath.mpf(10) ** -400  # for any double


def _slow_gamma(a: Any, z: Any) -> Any:
    """Return ``exp(z)`` times the upper incomplete Gamma function, far out by one that does not fall (DLMF 13.6.6)."""
    return z.exp() * z.gamma_upper(a) if 0 < z < FAR else z.hypgeom_u(1 - a, 1 - a)


def _slow_expint(n: Any, z: Any) -> Any:
    if n == 1 and 0 < z < FAR_OF_FIRST:
        return -z.exp() * (-z).ei()
    return z.exp() * z.expint(n) if 0 < z < FAR else z ** (n - 1) * z.hypgeom_u(n, n)


def _slow_erfc(z: Any) -> Any:
    """Return ``exp(z^2) erfc z``, far out by a function that does not fall (DLMF 7.11.5)."""
    if z > FAR_OF_SQUARES:
        half = flint.arb(0.5)
        return (z * z).hypgeom_u(half, half) / flint.arb.pi().sqrt()
    return (z * z).exp() * z.erfc()


def _score(low: Any, high: Any) -> Any:
    return -low.erfcinv() if low < high else high.erfcinv()


def _incomplete_beta(a: Any, b: Any, low: Any, high: Any) -> Any:
    below = _beta_up_to(high, a, b)
    return below if low == 0 else below - _beta_up_to(low, a, b)


def _beta_up_to(z: Any, a: Any, b: Any) -> Any:
    """Return ``B_z(a, b)`` from the middle of a ball and its slope on it, or from its ends, for it rises with z.

    Arb takes many seconds for a ball that is wide for its distance from 1, and finds hardly a digit.
    """
    if not (z >= 0 and b >= 0):
        return z.beta_lower(a, b)
    if 0 < z < 1:
        middle = z.mid()
        known = _beta_of_zero(middle, a) if b == 0 and middle > HALF else middle.beta_lower(a, b)
        return known + (z - middle) * z ** (a - 1) * (1 - z) ** (b - 1)
    low, high = z.lower(), z.upper()
    return low.beta_lower(a, b).union(high.beta_lower(a, b) if high < 1 else FUNCTIONS["beta"](a, b))


def _beta_of_zero(z: Any, a: Any) -> Any:
    """Return ``B_z(a, 0)`` by its series in ``1 - z``, for which Arb takes a second or more (DLMF 8.17.7, 15.8.10)."""
    x = 1 - z
    series = x.hypgeom([flint.arb(1), flint.arb(1), 2 - a], [flint.arb(2), flint.arb(2)])
    return (a - 1) * x * series - x.log() - flint.arb.const_euler() - a.digamma()


def _hypergeometric(above: Sequence[Any], below: Sequence[Any], z: Any) -> Any:
    return z.hypgeom_2f1(*above, *below) if len(above) == 2 * len(below) == 2 else z.hypgeom(above, below)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "complement": lambda z: z.erfc(),
    "erfcx": _slow_erfc,
    "expintx": _slow_expint,
    "gammax": _slow_gamma,
    "below": lambda a, z: z.gamma_lower(a),
    "gamma": lambda a: a.gamma(),
    "score": _score,
    "erf": lambda z: z.erf(),
    "erfc": lambda z: z.erfc(),
    "exp": lambda z: z.exp(),
    "log": lambda z: z.log(),
    "sqrt": lambda z: z.sqrt(),
    "atan": lambda z: z.atan(),
    "asin": lambda z: z.asin(),
    "asinh": lambda z: z.asinh(),
    "atanh": lambda z: z.atanh(),
    "sin": lambda z: z.sin(),
    "cos": lambda z: z.cos(),
    "log1p": lambda z: z.log1p(),
    "expm1": lambda z: z.expm1(),
    "log1mexp": lambda z: (-z.expm1()).log(),
    "Abs": abs,
    "Ei": lambda z: z.ei(),
    "betainc": _incomplete_beta,
    "beta": lambda a, b: a.gamma() * b.gamma() / (a + b).gamma(),
    "hyper": _hypergeometric,
    "polylog": lambda n, z: z.polylog(n),
}


@dataclass(frozen=True, slots=True)
class Balls:
    """A function of ``p``, ``1 - p`` and the values of its integrals, in balls."""

    function: Callable[..., Any]
    integrals: tuple[BallIntegral, ...] = ()
    size: int = 1

    def value(self, at: Expr, side: int, x: Any) -> Any:
        """Return the value at the distance x from an end as an mpmath number, None if it is not certain enough.

        What is certainly too small for any double is 0.
        """
        try:
            return self._certain(at, side, x)
        except NoValueError:
            return None

    def _certain(self, at: Expr, side: int, x: Any) -> Any:
        lost, failed = 0 if self.integrals else _lost(x), 0
        if lost > ENOUGH and at in (0, 1) and (known := self._with(2 * CERTAIN, at, side, x)[0]) is not None:
            return known  # of what is so near to 0 or 1 few functions need that it is not that
        bits = 2 * CERTAIN + lost
        while bits <= MOST_BITS and failed < TRIES:
            known, is_finite = self._with(bits, at, side, x)
            if known is not None:
                return known
            failed += not is_finite
            bits *= 2
        return None

    def _with(self, bits: int, at: Expr, side: int, x: Any) -> tuple[Any, bool]:
        """Return the value to so many bits, None if it is not certain enough, and whether anything is known of it."""
        spend(self.size / SOONER, bits)
        with flint.ctx.workprec(bits):
            ball = self._ball(Place(at, side, _arb(x)))
            if ball.rel_accuracy_bits() >= CERTAIN:
                return _midpoint(ball, bits), True
            is_finite = bool(ball.is_finite())
            is_gone = bits > ENOUGH and is_finite and bool(abs(ball) < _arb(TOO_SMALL))
            return (mpmath.mpf(0) if is_gone else None), is_finite

    def _ball(self, place: Place) -> Any:
        try:
            values = (integral.value(place) for integral in self.integrals)
            return self.function(*place(), *values) + flint.arb(0)
        except (
            ArithmeticError,
            AttributeError,
            TypeError,
            ValueError,
        ):  # a constant that is not real, for example
            return flint.arb.nan()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function is asked for: an end of a stretch, and the distance from it on one side."""

    at: Expr
    side: int
    distance: Any

    def __call__(self) -> tuple[Any, Any]:
        """Return ``p`` and ``1 - p`` to the working precision."""
        if self.at == 1:
            return 1 - self.distance, self.distance
        position = constant(self.at, flint.ctx.prec) + self.side * self.distance
        return position, 1 - position


def balls(
    written: Expr,
    letters: tuple[Symbol, Symbol],
    shared: Callable[[Expr], Any],
    curves: Sequence[OneWay] = (),
) -> Balls | None:
    """Return an expression as a function of balls, None if there are none or a function in it has no row here.

    Parameters of curves stand in it as :data:`PARAMETER`.
    """
    if flint is None or not all(
        map(_has_rows, (written, *(part for curve in curves for part in curve.odds)))
    ):
        return None
    integrals = list(written.atoms(sympy.Integral))
    if any(len(node.limits) > 1 or node.function.has(sympy.Integral) for node in integrals):
        return None
    constants: list[Expr] = []

    def named(expr: Expr) -> Expr:
        constants.append(expr)
        return CONSTANT(len(constants) - 1)

    def compiled(names_of: tuple[Symbol, ...], expr: Expr) -> Callable[..., Any]:
        plain = expr.replace(_is_constant, named)
        function: Callable[..., Any] = sympy.lambdify(names_of, plain, [names, "mpmath"], cse=shared)
        return function

    def parameter(curve: int, which: int, at: Any) -> Any:
        return places[curve](at)[which]

    names = {**FUNCTIONS, "mpf": flint.arb, "constant": lambda n: constant(constants[n], flint.ctx.prec)}
    names |= {"parameter": parameter}
    places = [BallPlaces.of(curve, compiled, flint) for curve in curves]
    found = tuple(BallIntegral.of(node, letters, compiled, flint) for node in integrals)
    values = {node: sympy.Dummy("i", real=True) for node in integrals}
    rest = written.xreplace(values)
    return Balls(compiled((*letters, *values.values()), rest), found, _size(rest, letters[0]))


def _size(expr: Expr, letter: Symbol) -> int:
    """Return the size of an expression as work in balls, but for places on curves, which count their own."""
    plain = expr.replace(PARAMETER, lambda *_: letter)
    quick = sum(type(node).__name__ in QUICK for node in sympy.preorder_traversal(plain))
    return size_of(plain) - quick * (OF_FUNCTION - OF_ERROR_FUNCTION)


def _has_rows(written: Expr) -> bool:
    """Return whether each function in an expression has a row here."""
    used = {type(node).__name__ for node in written.atoms(sympy.Function)}
    return not written.has(sympy.Max, sympy.Min) and used <= {*FUNCTIONS, PARAMETER.name}


def _is_constant(node: Expr) -> bool:
    """Return whether an expression is a number that takes a name; to SymPy scaled functions of numbers are none."""
    if isinstance(node, AppliedUndef):
        return node.func != CONSTANT and all(argument.is_Rational for argument in node.args)
    return bool(node.is_number) and not node.is_Rational


@functools.lru_cache(maxsize=4096)
def constant(expr: Expr, bits: int) -> Any:
    """Return a ball of so many bits that holds a constant."""
    if expr.is_Rational:
        return flint.arb(expr.p) / expr.q
    if (ball := _by_row(expr, bits)) is not None and ball.is_finite():
        return ball
    digits = math.ceil(bits * math.log10(2)) + 5
    near = number(expr, digits)
    return flint.arb(_arb(near), _arb(2 * abs(near) * mpmath.mpf(10) ** -digits))


def _by_row(expr: Expr, bits: int) -> Any:
    """Return the ball of a power or a function of constants, None if it is another constant."""
    if expr is sympy.pi:
        return flint.arb.pi()
    row = operator.pow if isinstance(expr, Pow) else FUNCTIONS.get(type(expr).__name__)
    if row is None or not all(argument.is_real for argument in expr.args):
        return None
    return row(*(constant(argument, bits) for argument in expr.args))


def _arb(x: Any) -> Any:
    return flint.arb(mantissa_and_exponent(x))


def _midpoint(ball: Any, bits: int) -> Any:
    return mpmath.make_mpf(from_man_exp(*map(int, ball.mid().man_exp()), bits, "n"))


def _lost(x: Any) -> int:
    """Return the bits that ``1 - x`` needs, rounded up so that few precisions occur."""
    return STEP * max(0, math.ceil(-int(mpmath.mag(x)) / STEP))
