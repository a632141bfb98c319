"""The slope of a threshold weight that is an integral, written so that its terms do not cancel at either end."""

from __future__ import annotations

import sympy
from sympy import Expr, Integral, Symbol

from costderive.core.symbols import p
from costderive.numeric.many_digits import in_p_and_r, r


def slope_of(weight: Expr) -> Expr:
    """Differentiate integrals: at an end that moves a slope may be infinite, and then the ends are fixed first."""
    return sympy.diff(weight.replace(Integral, _with_fixed_ends).replace(Integral, _along_rays), p)


def _with_fixed_ends(function: Expr, limits: sympy.Tuple) -> Expr:
    x, low, high = limits
    if not (high - low).has(p) or all(_has_slope(function, x, end) for end in (low, high) if end.has(p)):
        return Integral(function, limits)
    part, width = sympy.Dummy("v", positive=True), high - low
    moved = (width * function).subs(x, low + width * part)
    return Integral(
        moved.replace(lambda node: node.is_Add and node.is_rational_function(), sympy.factor), (part, 0, 1)
    )


def _has_slope(function: Expr, x: Symbol, end: Expr) -> bool:
    """Return whether an integrand has a finite slope at an end."""
    slope = sympy.diff(function, p).subs(x, end).replace(sympy.log, _plain_log)
    return not slope.has(sympy.zoo, sympy.nan, sympy.oo)


def _plain_log(argument: Expr) -> Expr:
    return sympy.log(sympy.cancel(argument) if argument.is_rational_function() else argument)


def _along_rays(function: Expr, limits: sympy.Tuple) -> Expr:
    """Write an integral over all positive costs as one over these divided by p or ``1 - p``, or as it is.

    Of ``x f(p x) g((1 - p) x)`` the slope has terms of its own size, while those of ``c f(c p/(1 - p)) g(c)`` cancel
    next to 1 with the slope of the power of ``1 - p`` before it.
    """
    x, low, high = limits
    if (low, high) != (0, sympy.oo):
        return Integral(function, limits)
    written = in_p_and_r(function)
    forms = [
        sympy.expand_power_base((scale * written.subs(x, scale * x)), force=True)
        for scale in (sympy.S.One, r, p)
    ]
    return Integral(min(forms, key=_powers).subs(r, 1 - p), limits)


def _powers(expr: Expr) -> Expr:
    """Return how many powers of p and ``1 - p`` stand before the rest."""
    powers = (factor.as_base_exp() for factor in sympy.Mul.make_args(expr))
    return sympy.Add(*[abs(power) for base, power in powers if base in (p, r)])
