"""The law of one cost: densities on intervals of [0, oo), and point masses.

A law is given as a number (a known cost), a SymPy random variable, ``Density("6*x*(1-x)", (0, 1))``, or by name:
``exponential(mean)``, ``gamma(shape, scale)`` and so on (``NAMED``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Piecewise, S, Symbol
from sympy.core.relational import Relational

from costderive.decide.order import Undecided, ascending
from costderive.decide.signs import nonnegative, positive
from costderive.errors import SpecError
from costderive.expressions import exact
from costderive.pieces import Given, Interval

x = Symbol("x", positive=True)

GRID = np.linspace(-60.0, 60.0, 24001)
UNIT_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Spread:
    """A density in ``x`` on the open interval (low, high)."""

    low: Expr
    high: Expr
    density: Expr

    @property
    def interval(self) -> Interval:
        """The interval that carries the density."""
        return Interval(x, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Mass:
    """A probability at one value."""

    value: Expr
    probability: Expr


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a non-negative quantity: spreads and masses that add up to one."""

    spreads: tuple[Spread, ...] = ()
    masses: tuple[Mass, ...] = ()

    def given(self) -> Given:
        """Return the facts under which the law exists: each interval has a length, each probability is positive."""
        lengths = tuple(spread.high - spread.low for spread in self.spreads if spread.high is not S.Infinity)
        return Given().also(positive=lengths + tuple(mass.probability for mass in self.masses))

    @property
    def parameters(self) -> frozenset[Symbol]:
        """The free parameters."""
        exprs = [e for spread in self.spreads for e in (spread.low, spread.high, spread.density)]
        exprs += [e for mass in self.masses for e in (mass.value, mass.probability)]
        return frozenset().union(*[expr.free_symbols for expr in exprs]) - {x}

    def sample(self, generator: np.random.Generator, draws: int) -> NDArray[np.float64]:
        """Draw numbers by inverting the distribution function, tabulated to about 1e-6 relative."""
        parts: list[tuple[float, Any]] = [(float(m.probability), float(m.value)) for m in self.masses]
        tables = [_table(spread) for spread in self.spreads]
        parts += [(float(cdf[-1]), (cdf, values)) for cdf, values in tables]
        weights = np.array([weight for weight, _ in parts])
        chosen = generator.choice(len(parts), size=draws, p=weights / weights.sum())
        uniform = generator.random(draws)
        drawn = np.empty(draws)
        for index, (weight, part) in enumerate(parts):
            here = chosen == index
            drawn[here] = part if isinstance(part, float) else np.interp(uniform[here] * weight, *part)
        return drawn


@cache
def _table(spread: Spread) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tabulate the distribution function on a grid that is fine, in ratios, at both ends (Simpson's rule)."""
    values, slope = _grid(spread)
    with np.errstate(all="ignore"):
        density = np.asarray(sympy.lambdify(x, spread.density, "numpy")(values), dtype=float) * slope
    density = np.where(np.isfinite(density), density, 0.0) + np.zeros_like(values)
    thirds = (GRID[1] - GRID[0]) / 3 * (density[:-2:2] + 4 * density[1:-1:2] + density[2::2])
    return np.concatenate([[0.0], np.cumsum(thirds)]), values[::2]


def _grid(spread: Spread) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low = float(spread.low)
    if spread.high is S.Infinity:
        return low + np.exp(GRID), np.exp(GRID)
    length, share = float(spread.high) - low, 1 / (1 + np.exp(-GRID))
    return low + length * share, length * share * (1 - share)


@dataclass(frozen=True, slots=True)
class Density:
    """A density written as an expression in ``x`` (a number, a SymPy expression or text), and its support."""

    density: Any
    support: tuple[Any, Any] = (0, sympy.oo)


def law_of(value: Any, place: str) -> Law:
    """Read the law of a cost from a number, a SymPy random variable, a ``Density`` or a ``Law``.

    Raises:
        SpecError: if the value is none of these, has negative values, or does not add up to one.
    """
    if isinstance(value, Law):
        return value
    if isinstance(value, Density):
        return _checked(_from_density(value, place), place)
    if hasattr(value, "pspace"):
        return _checked(_from_random_variable(value, place), place)
    return _known(exact(value, place=place), place)


def _known(value: Expr, place: str) -> Law:
    if not (value.is_positive and value.is_finite is not False):
        raise SpecError(f"{place} = {value} is not a cost", "A known cost is a positive, finite number.")
    return Law(masses=(Mass(value, S.One),))


def _from_density(value: Density, place: str) -> Law:
    low, high = (exact(end, place=f"{place}.support") for end in value.support)
    expr = exact(value.density, place=f"{place}.density")
    return Law(tuple(_spreads(expr, low, high, place)))


def _from_random_variable(variable: Any, place: str) -> Law:
    distribution = getattr(variable.pspace, "distribution", None)
    if not isinstance(variable, sympy.stats.rv.RandomSymbol) or distribution is None:
        raise SpecError(
            f"{place} = {variable} is not a single random variable",
            "Give one sympy.stats variable, or a Density.",
        )
    if hasattr(distribution, "dict"):
        pairs = [
            (exact(v, place=place), exact(w, place=place))
            for v, w in sorted(distribution.dict.items(), key=str)
        ]
        return Law(masses=tuple(Mass(v, w) for v, w in pairs))
    support = getattr(distribution, "set", None)
    if not isinstance(support, sympy.Interval):
        raise SpecError(
            f"{place} = {variable} has no interval as its support", "Give a Density with its support."
        )
    low, high = (exact(end, place=place) for end in (support.inf, support.sup))
    return Law(tuple(_spreads(_positive_parameters(distribution.pdf(x), place), low, high, place)))


def _positive_parameters(expr: Expr, place: str) -> Expr:
    return expr.subs({symbol: exact(symbol, place=place) for symbol in expr.free_symbols - {x}})


def _spreads(expr: Expr, low: Expr, high: Expr, place: str) -> list[Spread]:
    """Split a piecewise density at the points where its conditions change."""
    if low.is_negative or low.is_finite is False:
        raise SpecError(
            f"{place} has the support [{low}, {high}]",
            "A cost is not negative: start the support at 0 or above.",
        )
    expr = sympy.piecewise_fold(expr)
    if not isinstance(expr, Piecewise):
        return [Spread(low, high, expr)]
    given = Given().also(positive=(high - low,) if high is not S.Infinity else ())
    try:
        ends = ascending([low, *_turns(expr, low, high, given)], given) + [high]
    except Undecided as unknown:
        raise SpecError(
            f"{place}: the order of its breakpoints depends on {unknown.fact}", "Give the parameters numbers."
        ) from None
    cells = [(Interval(x, left, right), left, right) for left, right in pairwise(ends)]
    return [
        s for on, left, right in cells if (s := Spread(left, right, _branch(expr, on, given))).density != 0
    ]


def _turns(expr: Piecewise, low: Expr, high: Expr, given: Given) -> list[Expr]:
    gaps = [relation.lhs - relation.rhs for relation in expr.atoms(Relational) if relation.has(x)]
    roots = [
        -gap.coeff(x, 0) / gap.coeff(x, 1) for gap in map(sympy.expand, gaps) if sympy.degree(gap, x) == 1
    ]
    above = [root for root in roots if positive(root - low, None, given)]
    return [root for root in above if high is S.Infinity or positive(high - root, None, given)]


def _branch(expr: Piecewise, on: Interval, given: Given) -> Expr:
    for value, condition in expr.args:
        truths = {r: _truth(r, on, given) for r in condition.atoms(Relational)} if condition != True else {}  # noqa: E712
        if condition == True or condition.xreplace(truths) == True:  # noqa: E712
            return value
    return S.Zero


def _truth(relation: Relational, on: Interval, given: Given) -> sympy.Basic:
    gap = relation.gts - relation.lts if hasattr(relation, "gts") else None
    if gap is None:
        return S.false
    return sympy.true if nonnegative(gap, on, given) else sympy.false


def _checked(law: Law, place: str) -> Law:
    """Refuse a law without parameters whose total is not one; with parameters, that is the user's word."""
    if law.parameters:
        return law
    total = sum(_integral(spread) for spread in law.spreads) + sum(float(m.probability) for m in law.masses)
    if not abs(total - 1) < UNIT_TOLERANCE:
        raise SpecError(
            f"{place} has total probability {float(total):.12g}, not 1", "Divide the density by its integral."
        )
    for mass in law.masses:
        if not (mass.value.is_positive and mass.probability.is_positive):
            raise SpecError(
                f"{place} has the value {mass.value} with probability {mass.probability}",
                "Both must be positive.",
            )
    return law


def _integral(spread: Spread) -> float:
    density = sympy.lambdify(x, spread.density, "mpmath")
    ends = [mpmath.mpf(spread.low), mpmath.inf if spread.high is S.Infinity else mpmath.mpf(spread.high)]
    middle = [ends[0] + 1] if spread.high is S.Infinity else []
    return float(mpmath.re(mpmath.quad(density, [ends[0], *middle, ends[1]])))


def uniform(low: Any, high: Any) -> Law:
    """Return the uniform law on (low, high)."""
    a, b = exact(low, place="low"), exact(high, place="high")
    return Law((Spread(a, b, 1 / (b - a)),))


def exponential(mean: Any) -> Law:
    """Return the exponential law with a mean."""
    m = exact(mean, place="mean")
    return Law((Spread(S.Zero, S.Infinity, sympy.exp(-x / m) / m),))


def gamma(shape: Any, scale: Any = 1) -> Law:
    """Return the Gamma law with a shape and a scale (its mean is their product)."""
    k, theta = exact(shape, place="shape"), exact(scale, place="scale")
    return Law(
        (Spread(S.Zero, S.Infinity, x ** (k - 1) * sympy.exp(-x / theta) / (theta**k * sympy.gamma(k))),)
    )


def beta(alpha: Any, beta_: Any) -> Law:
    """Return the Beta law on (0, 1)."""
    a, b = exact(alpha, place="alpha"), exact(beta_, place="beta")
    return Law(
        (Spread(S.Zero, S.One, x ** (a - 1) * (1 - x) ** (b - 1) / sympy.beta(a, b).rewrite(sympy.gamma)),)
    )


def lognormal(mu: Any, sigma: Any) -> Law:
    """Return the law of ``exp(N(mu, sigma^2))``."""
    m, sd = exact(mu, place="mu"), exact(sigma, place="sigma")
    bell = sympy.exp(-((sympy.log(x) - m) ** 2) / (2 * sd**2))
    return Law((Spread(S.Zero, S.Infinity, bell / (x * sd * sympy.sqrt(2 * sympy.pi))),))


def triangular(low: Any, mode: Any, high: Any) -> Law:
    """Return the triangular law with its peak at the mode, low < mode < high."""
    a, c, b = exact(low, place="low"), exact(mode, place="mode"), exact(high, place="high")
    return Law(
        (
            Spread(a, c, 2 * (x - a) / ((b - a) * (c - a))),
            Spread(c, b, 2 * (b - x) / ((b - a) * (b - c))),
        )
    )


def halfnormal(scale: Any) -> Law:
    """Return the law of ``|N(0, scale^2)|``."""
    sd = exact(scale, place="scale")
    return Law(
        (Spread(S.Zero, S.Infinity, sympy.sqrt(2 / sympy.pi) / sd * sympy.exp(-(x**2) / (2 * sd**2))),)
    )


def rayleigh(scale: Any) -> Law:
    """Return the Rayleigh law with a scale."""
    sd = exact(scale, place="scale")
    return Law((Spread(S.Zero, S.Infinity, x / sd**2 * sympy.exp(-(x**2) / (2 * sd**2))),))


def weibull(shape: Any, scale: Any) -> Law:
    """Return the Weibull law with a shape and a scale."""
    k, lam = exact(shape, place="shape"), exact(scale, place="scale")
    return Law((Spread(S.Zero, S.Infinity, k / lam * (x / lam) ** (k - 1) * sympy.exp(-((x / lam) ** k))),))


def pareto(shape: Any, minimum: Any = 1) -> Law:
    """Return the Pareto law with density ``shape minimum^shape / x^(shape + 1)`` above its minimum."""
    k, low = exact(shape, place="shape"), exact(minimum, place="minimum")
    return Law((Spread(low, S.Infinity, k * low**k / x ** (k + 1)),))


def known(value: Any) -> Law:
    """Return the law of a known cost."""
    return _known(exact(value, place="value"), "value")


NAMED: dict[str, Callable[..., Law]] = {
    law.__name__: law
    for law in (
        uniform,
        exponential,
        gamma,
        beta,
        lognormal,
        triangular,
        halfnormal,
        rayleigh,
        weibull,
        pareto,
        known,
    )
}
