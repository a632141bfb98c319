"""The expectation of a density, exact: in closed form where one is proved, else as the integral that it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import sympy
from sympy import Expr, Integral, S, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import within
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.regularity import regular
from costderive.deciders.signs import positive

x = Symbol("x", positive=True)
MOMENT_SECONDS = 3.0
_t = Symbol("_t", real=True)


@cache
def first_moment(density: Expr, on: Interval, given: Given) -> Expr:
    """Return the integral of ``x f(x)`` over the interval."""
    integrand = sympy.powsimp(x * density)
    value = _by_elasticity(integrand, on, given)
    if value is None:
        value = _by_antiderivative(integrand, on, given)
    return Integral(integrand, (x, on.low, on.high)) if value is None else value


def _by_elasticity(f: Expr, on: Interval, given: Given) -> Expr | None:
    """Recognise Gamma, Beta and normal integrals by ``x f'/f``, which determines f up to its value at one point."""
    slope = x * sympy.diff(f, x) / f
    for low, high, measured, whole in _KERNELS:
        if (on.low, on.high) != (low, high):
            continue
        line = sympy.expand(sympy.simplify(measured(slope)))
        if line.is_polynomial(_t) and sympy.degree(line, _t) <= 1:
            return whole(f, line.coeff(_t, 0), -line.coeff(_t, 1), given)
    return None


def _gamma(f: Expr, power: Expr, rate: Expr, given: Given) -> Expr | None:
    """Integrate ``K x^power exp(-rate x)`` over (0, oo)."""
    if not (positive(rate, None, given) and positive(power + 1, None, given)):
        return None
    return sympy.gammasimp(
        sympy.powsimp(f.subs(x, 1) * sympy.exp(rate) * sympy.gamma(power + 1) / rate ** (power + 1))
    )


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
    (S.Zero, S.Infinity, lambda slope: slope.subs(x, _t), _gamma),
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
