"""The referee: rigorous values of expressions at exact points, with none of the code under test.

Values are complex balls of Arb, through python-flint: a number that is said to be negative, not zero or not real is
certainly so. Powers, roots and logarithms are those of the principal branch, as in SymPy. What has no enclosure (a
pole, a branch cut that a ball touches, a function that is not here) has no value, and nothing is concluded from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy
from flint import acb, arb, arb_series, ctx, fmpq
from sympy import Expr, Rational, Symbol

BITS = 1200
Values = Mapping[Symbol, Any]


class NoValueError(Exception):
    """An expression has no enclosure here."""


def value(expr: Expr, point: Values = None, bits: int = BITS) -> Any:
    """Return a ball that holds the value of an expression at a point of rational numbers.

    Raises:
        NoValueError: if there is none that is finite.
    """
    if point is None:
        point = {}
    before, ctx.prec = ctx.prec, bits
    try:
        found = _value(expr, {symbol: ball(number) for symbol, number in point.items()})
    except (ArithmeticError, ValueError, OverflowError, RecursionError) as problem:
        raise NoValueError(str(problem)) from None
    finally:
        ctx.prec = before
    if not found.is_finite():
        raise NoValueError(f"{expr} has no finite value")
    return found


def ball(number: Any) -> Any:
    """Return a rational number, or a ball as it is, as a complex ball."""
    if isinstance(number, acb | arb):
        return acb(number)
    return acb(_arb(number))


def _arb(number: Any) -> Any:
    return arb(fmpq(int(number.numerator), int(number.denominator)))


def _value(expr: Expr, at: Values) -> Any:
    if isinstance(expr, Symbol):
        return at[expr]
    if isinstance(expr, Rational):
        return ball(Fraction(expr.p, expr.q))
    if isinstance(expr, sympy.Float):
        return ball(_fraction(expr))
    if expr in _CONSTANTS:
        return acb(_CONSTANTS[expr]())
    if isinstance(expr, sympy.Pow):
        return _power(expr, at)
    if isinstance(expr, sympy.Integral):
        return _integral(expr, at)
    if isinstance(expr, sympy.Derivative):
        return _value(expr.doit(), at)
    rule = _RULES.get(expr.func)
    if rule is None:
        raise NoValueError(f"{expr.func.__name__} has no rule")
    return rule(*[_value(arg, at) for arg in expr.args])


def _fraction(number: Any) -> Fraction:
    """Return the binary fraction that a floating-point number is."""
    sign, man, exp, _ = number._mpf_
    return Fraction((-1) ** sign * int(man)) * Fraction(2) ** exp


def _power(expr: Expr, at: Values) -> Any:
    base = _value(expr.base, at)
    if expr.exp.is_Integer:
        return base ** int(expr.exp)
    exponent = _value(expr.exp, at)
    if base == 0:
        if exponent.real > 0:
            return acb(0)
        raise NoValueError("0 to a power that is not positive")
    return base.sqrt() if expr.exp == sympy.S.Half else base.pow(exponent)


def _integral(expr: Expr, at: Values) -> Any:
    """Enclose an integral over a finite interval, of an integrand that is analytic on it."""
    ((variable, low, high),) = expr.limits
    if not (low.is_finite is not False and high.is_finite is not False):
        raise NoValueError("an infinite interval")

    def integrand(z: Any, _: bool) -> Any:
        return _value(expr.function, {**at, variable: z})

    return acb.integral(integrand, _value(low, at), _value(high, at))


def _real(z: Any) -> Any:
    """Return the real part of what is real for certain.

    Raises:
        NoValueError: if it may not be.
    """
    if not z.imag == 0:
        raise NoValueError("a function of real numbers")
    return z.real


def _least(*values: Any) -> Any:
    return acb(reduce(arb.min, map(_real, values)))


def _largest(*values: Any) -> Any:
    return acb(reduce(arb.max, map(_real, values)))


_CONSTANTS: dict[Expr, Callable[[], Any]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
    sympy.I: lambda: acb(0, 1),
}
_RULES: dict[Any, Callable[..., Any]] = {
    sympy.Add: lambda *terms: sum(terms, acb(0)),
    sympy.Mul: lambda *factors: reduce(lambda x, y: x * y, factors, acb(1)),
    sympy.exp: acb.exp,
    sympy.log: acb.log,
    sympy.sin: acb.sin,
    sympy.cos: acb.cos,
    sympy.tan: acb.tan,
    sympy.asin: acb.asin,
    sympy.acos: acb.acos,
    sympy.atan: acb.atan,
    sympy.sinh: acb.sinh,
    sympy.cosh: acb.cosh,
    sympy.tanh: acb.tanh,
    sympy.asinh: acb.asinh,
    sympy.erf: acb.erf,
    sympy.erfc: acb.erfc,
    sympy.gamma: acb.gamma,
    sympy.beta: lambda x, y: x.gamma() * y.gamma() / (x + y).gamma(),
    sympy.uppergamma: lambda shape, y: y.gamma_upper(shape),
    sympy.lowergamma: lambda shape, y: y.gamma_lower(shape),
    sympy.expint: lambda order, y: y.expint(order),
    sympy.Abs: lambda z: acb(abs(_real(z))),
    sympy.Min: _least,
    sympy.Max: _largest,
}

# ---- what is certain


def exact(expr: Expr, point: Values) -> Fraction | None:
    """Return the value of a rational function at a rational point, in fractions; ``None`` elsewhere."""
    try:
        return _exact(expr, point)
    except (LookupError, ZeroDivisionError):
        return None


def _exact(expr: Expr, point: Values) -> Fraction:
    if isinstance(expr, Symbol):
        return Fraction(int(point[expr].numerator), int(point[expr].denominator))
    if isinstance(expr, Rational):
        return Fraction(expr.p, expr.q)
    if isinstance(expr, sympy.Add):
        return sum((_exact(arg, point) for arg in expr.args), Fraction(0))
    if isinstance(expr, sympy.Mul):
        return reduce(lambda x, y: x * y, [_exact(arg, point) for arg in expr.args])
    if isinstance(expr, sympy.Pow) and expr.exp.is_Integer:
        return _exact(expr.base, point) ** int(expr.exp)
    if isinstance(expr, sympy.Min | sympy.Max):
        return (min if isinstance(expr, sympy.Min) else max)(_exact(arg, point) for arg in expr.args)
    if isinstance(expr, sympy.Abs):
        return abs(_exact(expr.args[0], point))
    raise LookupError(expr)


def is_negative(expr: Expr, point: Values) -> bool:
    """Is the value real and below 0, for certain?"""
    found = exact(expr, point)
    if found is not None:
        return found < 0
    try:
        ball = value(expr, point)
    except NoValueError:
        return False
    return bool(ball.imag == 0 and ball.real < 0)


def is_not_positive(expr: Expr, point: Values) -> bool:
    """Is the value real and at most 0, for certain?"""
    found = exact(expr, point)
    return found <= 0 if found is not None else is_negative(expr, point)


def is_positive(expr: Expr, point: Values) -> bool:
    """Is the value real and above 0, for certain?"""
    return is_negative(-expr, point)


def is_not_zero(expr: Expr, point: Values) -> bool:
    """Is the value a number other than 0, for certain?"""
    found = exact(expr, point)
    if found is not None:
        return found != 0
    try:
        return not value(expr, point).contains(acb(0))
    except NoValueError:
        return False


def differ(left: Expr, right: Expr, point: Values) -> bool:
    """Have both expressions a value at a point, and not the same one?"""
    exacts = exact(left, point), exact(right, point)
    if None not in exacts:
        return exacts[0] != exacts[1]
    try:
        return not (value(left, point) - value(right, point)).contains(acb(0))
    except NoValueError:
        return False


def is_not_real(expr: Expr, point: Values) -> bool:
    """Is the value a number that is not real, for certain?"""
    try:
        return not value(expr, point).imag.contains(0)
    except NoValueError:
        return False


def number(expr: Expr, point: Values) -> float | None:
    """Return about what a real value is, ``None`` if there is none: to search with, and for nothing else."""
    try:
        found = value(expr, point, 80)
    except NoValueError:
        return None
    return float(found.real.mid()) if found.imag.contains(0) else None


def bound_near(expr: Expr, variable: Symbol, low: Any, high: Any, point: Values) -> Any:
    """Return a ball that holds the values of an expression for a variable anywhere between two rational numbers.

    Raises:
        NoValueError: if there is none that is finite.
    """
    middle, radius = (Fraction(low) + Fraction(high)) / 2, (Fraction(high) - Fraction(low)) / 2
    before, ctx.prec = ctx.prec, BITS
    try:
        around = arb(_arb(middle), _arb(radius))
    finally:
        ctx.prec = before
    return value(expr, {**point, variable: around})


# ---- limits, by series

TERMS = 10
_SERIES = {
    sympy.exp: arb_series.exp,
    sympy.log: arb_series.log,
    sympy.sin: arb_series.sin,
    sympy.cos: arb_series.cos,
    sympy.tan: arb_series.tan,
    sympy.atan: arb_series.atan,
    sympy.asin: arb_series.asin,
    sympy.erf: arb_series.erf,
}


def limit_at_zero(expr: Expr, variable: Symbol) -> Any:
    """Return a ball that holds the limit at 0 of a function of one variable, by its Laurent series.

    Raises:
        NoValueError: if it has no such series that is found here, or no finite limit.
    """
    before, ctx.prec = ctx.prec, BITS
    try:
        power, series = _laurent(expr, variable)
        if power < 0:
            raise NoValueError("a pole")
        return series[-power] if power <= 0 else arb(0)
    except (ArithmeticError, ValueError, IndexError) as problem:
        raise NoValueError(str(problem)) from None
    finally:
        ctx.prec = before


def _laurent(expr: Expr, variable: Symbol) -> tuple[int, Any]:
    """Return the power and the series of ``x^power (c0 + c1 x + ...)`` with ``c0`` not 0."""
    if expr == variable:
        return 1, arb_series([1], TERMS)
    if variable not in expr.free_symbols:
        return _led(0, arb_series([_real(value(expr))], TERMS))
    if isinstance(expr, sympy.Add):
        parts = [_laurent(arg, variable) for arg in expr.args]
        least = min(power for power, _ in parts)
        return _led(least, sum((_raised(s, power - least) for power, s in parts), arb_series([0], TERMS)))
    if isinstance(expr, sympy.Mul):
        parts = [_laurent(arg, variable) for arg in expr.args]
        return sum(power for power, _ in parts), reduce(lambda x, y: x * y, [s for _, s in parts])
    if isinstance(expr, sympy.Pow) and expr.exp.is_Integer:
        power, series = _laurent(expr.base, variable)
        whole = reduce(lambda x, y: x * y, [series] * abs(int(expr.exp)))
        return power * int(expr.exp), whole if expr.exp > 0 else 1 / whole
    if expr.func not in _SERIES:
        raise NoValueError(f"{expr.func.__name__} has no series")
    power, series = _laurent(expr.args[0], variable)
    if power < 0:
        raise NoValueError("an essential singularity")
    return _led(0, _SERIES[expr.func](_raised(series, power)))


def _raised(series: Any, power: int) -> Any:
    return series * arb_series([0] * power + [1], TERMS)


def _led(power: int, series: Any) -> tuple[int, Any]:
    """Take out a power of x, so that the first coefficient is certainly not 0."""
    for place, coefficient in enumerate(series):
        if not coefficient.contains(0):
            return power + place, arb_series(list(series)[place:], TERMS - place)
        if coefficient != 0:
            break
    raise NoValueError("no leading term")
