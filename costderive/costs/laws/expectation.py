"""The expectation of a density, exact: in closed form where one is proved, else as the integral that it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy
from sympy import Expr, Integral, Pow, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import within
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive

x = Symbol("x", positive=True)
MOMENT_SECONDS = 3.0
_t = Symbol("_t", real=True)
_w = Symbol("_w", positive=True)


@cache
def first_moment(density: Expr, on: Interval, given: Given) -> Expr:
    """Return the integral of ``x f(x)`` over the interval."""
    integrand = sympy.powsimp(x * density)
    value = _by_elasticity(integrand, on, given)
    if value is None:
        value = _by_antiderivative(integrand, on, given)
    return Integral(integrand, (x, on.low, on.high)) if value is None else value


def _by_elasticity(f: Expr, on: Interval, given: Given) -> Expr | None:
    """Recognise integrals of well-known kinds by ``x f'/f``, which determines f up to its value at one point."""
    slope = sympy.expand_power_base(sympy.simplify(x * sympy.diff(f, x) / f), force=True)
    if on.high is S.Infinity and not slope.has(x):
        return _pareto(f, slope, on.low, given)
    for low, high, measured, whole in _KERNELS:
        if (on.low, on.high) != (low, high):
            continue
        line = sympy.expand(sympy.simplify(measured(slope)))
        if not line.has(x) and line.is_polynomial(_t) and sympy.degree(line, _t) <= 1:
            return whole(f, line.coeff(_t, 0), -line.coeff(_t, 1), given)
    return _of_power(f, slope, given) if (on.low, on.high) == (S.Zero, S.Infinity) else None


def _pareto(f: Expr, power: Expr, low: Expr, given: Given) -> Expr | None:
    """Integrate ``K x^power`` over (low, oo)."""
    if not (positive(low, None, given) and positive(-power - 1, None, given)):
        return None
    return _joined(low * f.subs(x, low) / (-power - 1))


def _of_power(f: Expr, slope: Expr, given: Given) -> Expr | None:
    """Integrate over (0, oo) what is elastic as a Gamma or a Beta prime density of ``w = x^m`` is."""
    exponents = {node.exp for node in slope.atoms(Pow) if node.base == x}
    m = min(exponents, key=sympy.default_sort_key, default=S.One)
    quotient = sympy.fraction(sympy.together(sympy.powsimp(slope.subs(x, _w ** (1 / m)))))
    if not all(part.is_polynomial(_w) and sympy.degree(part, _w) <= 1 for part in quotient):
        return None
    (start, end), (one, c) = [[sympy.expand(part).coeff(_w, n) for n in (0, 1)] for part in quotient]
    if one == 0:
        return None
    shape = (start / one + 1) / m
    if c == 0:
        return _gamma(f, m, shape, -end / one / m, given)
    return _beta_prime(f, m, shape, -(end / c + 1) / m, c / one, given)


def _gamma(f: Expr, m: Expr, shape: Expr, rate: Expr, given: Given) -> Expr | None:
    """Integrate ``K x^(m shape - 1) exp(-rate x^m)`` over (0, oo)."""
    if not (positive(shape, None, given) and positive(rate, None, given)):
        return None
    rate = _joined(rate)
    return _joined(f.subs(x, 1) * sympy.exp(rate) * sympy.gamma(shape) / rate**shape / abs(m))


def _beta_prime(f: Expr, m: Expr, first: Expr, second: Expr, c: Expr, given: Given) -> Expr | None:
    """Integrate ``K x^(m first - 1) (1 + c x^m)^(-first - second)`` over (0, oo)."""
    if not all(positive(part, None, given) for part in (first, second, c)):
        return None
    middle, fall = c ** (-1 / m), first + second
    peak = f.subs(x, middle) * middle * 2**fall / abs(m)
    return _joined(peak * sympy.gamma(first) * sympy.gamma(second) / sympy.gamma(fall))


def _joined(value: Expr) -> Expr:
    """Join powers of one base, and Gamma functions whose arguments differ by whole numbers; all are positive."""
    logs = sympy.powdenest(sympy.expand_log(sympy.log(value), force=True, factor=True))
    powers = sympy.expand_power_exp(sympy.exp(sympy.expand(logs))).rewrite(Pow)
    joined = sympy.gammasimp(powers)
    return sympy.factor_terms(powers if joined.has(sympy.sin) else joined)


def _normal(f: Expr, power: Expr, rate: Expr, given: Given) -> Expr | None:
    """Integrate ``K exp(power log(x) - rate log(x)^2/2)`` over (0, oo)."""
    if not positive(rate, None, given):
        return None
    return sympy.powsimp(
        sympy.expand_power_exp(
            f.subs(x, 1)
            * sympy.sqrt(2 * sympy.pi / rate)
            * sympy.exp(sympy.expand((power + 1) ** 2 / (2 * rate)))
        )
    )


def _beta(f: Expr, power: Expr, rate: Expr, given: Given) -> Expr | None:
    """Integrate ``K x^power (1 - x)^(rate - power)`` over (0, 1)."""
    first, second = power + 1, rate - power + 1
    if not (positive(first, None, given) and positive(second, None, given)):
        return None
    scale = (
        f.subs(x, S.Half) * 2**rate * sympy.gamma(first) * sympy.gamma(second) / sympy.gamma(first + second)
    )
    return sympy.gammasimp(sympy.powsimp(scale))


Kernel = tuple[Expr, Expr, Callable[[Expr], Expr], Callable[[Expr, Expr, Expr, Given], Expr | None]]
_KERNELS: tuple[Kernel, ...] = (
    (S.Zero, S.Infinity, lambda slope: sympy.expand_log(slope).subs(sympy.log(x), _t), _normal),
    (S.Zero, S.One, lambda slope: ((1 - x) * slope).subs(x, _t), _beta),
)


def _by_antiderivative(integrand: Expr, on: Interval, given: Given) -> Expr | None:
    """Ask SymPy; its answer counts if its derivative, its smoothness and its limits at both ends are proved."""
    constant, moving = integrand.as_independent(x, as_Add=False)
    try:
        found = within(MOMENT_SECONDS, sympy.integrate, moving, x)
    except Exception:  # whatever an integrator does, the integral itself is right
        return None
    if found.has(Integral) or not (
        zero(sympy.diff(found, x) - moving, on, given) and regular(found, on, given)
    ):
        return None
    low = value_at(found, Approach(x, on.low, "+"), given)
    high = value_at(found, Approach(x, on.high, "-"), given)
    return None if low is None or high is None else sympy.factor(constant * (high - low))
