"""Families of copulas: the range of their parameter, their density between two margins, and how they are drawn.

A copula is the law of two levels (u, v), each uniform on [0, 1]. Densities are written in sums and products of u, v,
``1 - u`` and ``1 - v`` that are not negative, as far as possible.

Source: Nelsen (2006), An Introduction to Copulas, sections 2.3, 3.2 and 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist
from typing import Any

from sympy import Expr, Integer, S, erf, exp, log, sqrt

from costderive.core.numpy_on_demand import Array, np
from costderive.costs.laws.distribution_functions import Level

Draw = Callable[["np.random.Generator", int, float], tuple[Array, Array]]


class CopulaFamily(StrEnum):
    """The families of copulas, by the name that a spec gives them."""

    CLAYTON = "clayton"
    FRANK = "frank"
    FGM = "fgm"
    GAUSSIAN = "gaussian"
    GUMBEL = "gumbel"
    COMONOTONE = "comonotone"
    COUNTERMONOTONE = "countermonotone"


APART = frozenset(
    {CopulaFamily.CLAYTON, CopulaFamily.FRANK, CopulaFamily.FGM}
)  # bounded where both levels are near 1


@dataclass(frozen=True, slots=True)
class Range:
    """Where the parameter of a family is, as facts, and at which value the levels are independent."""

    words: str
    positive: Callable[[Expr], tuple[Expr, ...]] = lambda theta: ()
    nonnegative: Callable[[Expr], tuple[Expr, ...]] = lambda theta: ()
    independent: Expr = S.Zero


RANGES: Mapping[CopulaFamily, Range] = {
    CopulaFamily.CLAYTON: Range("at least 0", nonnegative=lambda theta: (theta,)),
    CopulaFamily.FRANK: Range("any number"),
    CopulaFamily.FGM: Range("from -1 to 1", nonnegative=lambda theta: (1 - theta, 1 + theta)),
    CopulaFamily.GAUSSIAN: Range("between -1 and 1", positive=lambda rho: (1 - rho, 1 + rho)),
    CopulaFamily.GUMBEL: Range("at least 1", nonnegative=lambda theta: (theta - 1,), independent=Integer(1)),
}


def fgm(theta: Expr, u: Level, v: Level) -> Expr:
    """Return ``1 + theta (1 - 2u)(1 - 2v)``."""
    like, unlike = u.below * v.below + u.above * v.above, u.below * v.above + u.above * v.below
    if theta.is_nonpositive:
        return 1 + theta - 2 * theta * unlike
    return 1 - theta + 2 * theta * like if theta.is_nonnegative else 1 + theta * (like - unlike)


def clayton(theta: Expr, u: Level, v: Level) -> Expr:
    """Return the mixed derivative of ``(u^-theta + v^-theta - 1)^(-1/theta)``."""
    first, second = u.below**theta, v.below**theta
    return (1 + theta) * first * second * (first + second - first * second) ** (-2 - 1 / theta)


def frank(theta: Expr, u: Level, v: Level) -> Expr:
    """Return the mixed derivative of ``-log(1 - (1 - e^(-theta u))(1 - e^(-theta v))/(1 - e^-theta))/theta``."""
    first, second = exp(-theta * u.below), exp(-theta * v.below)
    return theta * (1 - exp(-theta)) * first * second / _frank_rest(theta, u, v) ** 2


def _frank_rest(theta: Expr, u: Level, v: Level) -> Expr:
    """Return ``1 - e^-theta - (1 - e^(-theta u))(1 - e^(-theta v))`` in parts of one sign."""
    second = exp(-theta * v.below)
    return exp(-theta * u.below) * (1 - second) + second * (1 - exp(-theta * v.above))


def gumbel(theta: Expr, u: Level, v: Level) -> Expr:
    """Return the mixed derivative of ``exp(-A)``, ``A = ((-log u)^theta + (-log v)^theta)^(1/theta)``."""
    first, second = -log(u.below), -log(v.below)
    power = first**theta + second**theta
    whole = power ** (1 / theta)
    slope = (first * second) ** (theta - 1) / (u.below * v.below)
    return exp(-whole) * slope * power ** (1 / theta - 2) * (whole + theta - 1)


def gaussian(rho: Expr, first: Expr, second: Expr) -> Expr:
    """Return the density at two normal scores, over the product of their densities."""
    form = rho * (rho * (first**2 + second**2) - 2 * first * second)
    return exp(-form / (2 * (1 - rho**2))) / sqrt(1 - rho**2)


# of the levels of both costs, or of their normal scores
DENSITIES: Mapping[CopulaFamily, Callable[[Expr, Any, Any], Expr]] = {
    CopulaFamily.FGM: fgm,
    CopulaFamily.CLAYTON: clayton,
    CopulaFamily.FRANK: frank,
    CopulaFamily.GUMBEL: gumbel,
    CopulaFamily.GAUSSIAN: gaussian,
}


def _fgm_slope(theta: Expr, u: Level, v: Level) -> Expr:
    return v.below * (1 + theta * (u.above - u.below) * v.above)


def _clayton_slope(theta: Expr, u: Level, v: Level) -> Expr:
    first, second = u.below**theta, v.below**theta
    return v.below ** (1 + theta) * (first + second - first * second) ** (-1 - 1 / theta)


def _frank_slope(theta: Expr, u: Level, v: Level) -> Expr:
    return exp(-theta * u.below) * (1 - exp(-theta * v.below)) / _frank_rest(theta, u, v)


def _gumbel_slope(theta: Expr, u: Level, v: Level) -> Expr:
    first = -log(u.below)
    power = first**theta + (-log(v.below)) ** theta
    return exp(-(power ** (1 / theta))) * power ** (1 / theta - 1) * first ** (theta - 1) / u.below


def _gaussian_slope(rho: Expr, first: Expr, second: Expr) -> Expr:
    return (1 + erf((second - rho * first) / sqrt(2 * (1 - rho**2)))) / 2


SLOPES: Mapping[CopulaFamily, Callable[[Expr, Any, Any], Expr]] = {  # in the first level
    CopulaFamily.FGM: _fgm_slope,
    CopulaFamily.CLAYTON: _clayton_slope,
    CopulaFamily.FRANK: _frank_slope,
    CopulaFamily.GUMBEL: _gumbel_slope,
    CopulaFamily.GAUSSIAN: _gaussian_slope,
}


# ---- draws


def _draw_fgm(generator: np.random.Generator, draws: int, theta: float) -> tuple[Array, Array]:
    u, w = generator.random((2, draws))
    slope = theta * (1 - 2 * u)
    return u, 2 * w / (1 + slope + np.sqrt((1 + slope) ** 2 - 4 * slope * w))


def _draw_clayton(generator: np.random.Generator, draws: int, theta: float) -> tuple[Array, Array]:
    u, w = generator.random((2, draws))
    return u, (1 + u**-theta * (w ** (-theta / (1 + theta)) - 1)) ** (-1 / theta)


def _draw_frank(generator: np.random.Generator, draws: int, theta: float) -> tuple[Array, Array]:
    u, w = generator.random((2, draws))
    part = np.exp(-theta * u)
    return u, -np.log1p(w * np.expm1(-theta) / (w + (1 - w) * part)) / theta


def _draw_gumbel(generator: np.random.Generator, draws: int, theta: float) -> tuple[Array, Array]:
    """Divide two exponentials by one positive stable variable of index 1/theta (Kanter, 1975)."""
    index, angle = 1 / theta, np.pi * generator.random(draws)
    waiting, *levels = generator.exponential(size=(3, draws))
    stable = np.sin(index * angle) / np.sin(angle) ** theta
    stable *= (np.sin((1 - index) * angle) / waiting) ** (theta - 1)
    first, second = (np.exp(-((level / stable) ** index)) for level in levels)
    return first, second


def _draw_gaussian(generator: np.random.Generator, draws: int, rho: float) -> tuple[Array, Array]:
    first, rest = generator.standard_normal((2, draws))
    level = np.vectorize(NormalDist().cdf, otypes=[float])
    return level(first), level(rho * first + np.sqrt(1 - rho**2) * rest)


DRAWS: Mapping[CopulaFamily, Draw] = {
    CopulaFamily.FGM: _draw_fgm,
    CopulaFamily.CLAYTON: _draw_clayton,
    CopulaFamily.FRANK: _draw_frank,
    CopulaFamily.GUMBEL: _draw_gumbel,
    CopulaFamily.GAUSSIAN: _draw_gaussian,
}
