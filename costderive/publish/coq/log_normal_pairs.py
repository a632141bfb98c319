"""Densities of costs with normal logarithms, which may depend on each other, by their parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.symbols import c0, c1
from costderive.costs.expected_loss import Area

HALF = sympy.Rational(1, 2)


@dataclass(frozen=True, slots=True)
class LogNormalPair:
    """A ``weight`` times the density of two costs with normal logarithms.

    That of ``c1`` has ``mean1`` and the standard deviation ``spread1``; given ``c1``, that of ``c0`` has the mean
    ``mean0 + rate (log(c1) - mean1)`` and the standard deviation ``spread0``.
    """

    weight: Expr
    mean0: Expr
    rate: Expr
    spread0: Expr
    mean1: Expr
    spread1: Expr

    @property
    def parameters(self) -> tuple[Expr, ...]:
        """All six, in the order of the library of Coq."""
        return astuple(self)

    @property
    def slope(self) -> Expr:
        """1 over the root of twice the variance of ``log(c0/c1)``."""
        number, variance = sympy.factor(
            self.spread0**2 + (self.rate - 1) ** 2 * self.spread1**2
        ).as_coeff_Mul()
        return 1 / (sympy.sqrt(2 * number) * sympy.sqrt(variance))

    @property
    def means(self) -> tuple[Expr, Expr]:
        """The weight times the mean of each cost."""
        variance0 = sympy.factor(self.spread0**2 + self.rate**2 * self.spread1**2)
        return (
            self.weight * sympy.exp(self.mean0 + variance0 / 2),
            self.weight * sympy.exp(self.mean1 + self.spread1**2 / 2),
        )


def log_normal_pairs(areas: Iterable[Area]) -> tuple[LogNormalPair, ...] | None:
    """Return the parameters of each area, or None if one of them is spread otherwise or not over all positive costs."""
    found = tuple(_pair(area) for area in areas)
    kept = tuple(pair for pair in found if pair is not None)
    return kept if kept and len(kept) == len(found) else None


def _pair(area: Area) -> LogNormalPair | None:
    if set(area.constraints) != {c0, c1} or not area.density.has(sympy.log(c0), sympy.log(c1)):
        return None
    x, y = Symbol("x", real=True), Symbol("y", real=True)
    logarithms, costs = {sympy.log(c0): x, sympy.log(c1): y}, {c0: sympy.exp(x), c1: sympy.exp(y)}
    density = sympy.powsimp((area.density * c0 * c1).subs(logarithms).subs(costs), combine="exp")
    constant, exponential = density.as_independent(x, y, as_Add=False)
    if not isinstance(exponential, sympy.exp):
        return None
    exponent = -sympy.expand(exponential.args[0])
    if not exponent.is_polynomial(x, y):
        return None
    return _completed(constant, sympy.Poly(exponent, x, y))


def _completed(constant: Expr, exponent: sympy.Poly) -> LogNormalPair | None:
    """Complete the squares of an exponent, first in ``log(c0)``."""
    if exponent.total_degree() != 2:
        return None
    xx, xy, yy, by_x, by_y, rest = (
        sympy.factor(exponent.coeff_monomial(powers))
        for powers in ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0))
    )
    yy_alone = sympy.factor(yy - xy**2 / (4 * xx)) if xx != 0 else xx
    if not (xx.is_positive and yy_alone.is_positive):
        return None
    mean1 = sympy.simplify((xy * by_x / (2 * xx) - by_y) / (2 * yy_alone))
    mean0 = sympy.simplify(-(by_x + xy * mean1) / (2 * xx))
    spread0, spread1 = (1 / sympy.sqrt(2 * square) for square in (xx, yy_alone))
    peak = sympy.simplify(rest + (by_x * mean0 + by_y * mean1) / 2)
    weight = sympy.simplify(2 * sympy.pi * spread0 * spread1 * constant * sympy.exp(-peak))
    return LogNormalPair(weight, mean0, sympy.simplify(-xy / (2 * xx)), spread0, mean1, spread1)
