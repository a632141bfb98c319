"""Cost contexts that no test knows otherwise, each with its losses by direct integration over the costs.

Nothing here comes from the package but the contexts themselves. ``L0(p) = E[c0; t < p]`` and
``L1(p) = E[c1; t >= p]`` with ``t = c0/(c0 + c1)`` are integrals over one cost, the probability of the other
being known in closed form, or over the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath
import sympy
from mpmath import mp, mpf
from sympy.stats import FiniteRV

import costderive as cd
from costderive.core.symbols import c0, c1
from costderive.costs import laws
from costderive.costs.contexts import Context

Real = Any
Function = Callable[[Real], Real]


def integral(function: Function, *points: Real) -> Real:
    """Integrate between the ascending points, at each of which the integrand may have a kink."""
    return mp.quad(function, sorted({mpf(point) for point in points}))


# ------------------------------------------------------------------------------------------- one cost


@dataclass(frozen=True, slots=True)
class Cost:
    """The law of a cost: a density with its kinks, or atoms, and the probability of a larger value."""

    above: Function
    density: Function = field(default=lambda _: mpf(0))
    kinks: tuple[Real, ...] = ()
    atoms: tuple[tuple[Real, Real], ...] = ()

    def mean(self, weight: Function, kinks: tuple[Real, ...]) -> Real:
        """Return ``E[C weight(C)]`` for a weight with kinks."""
        total = mpmath.fsum(x * weight(x) * chance for x, chance in self.atoms)
        if not self.kinks:
            return total
        inside = [x for x in kinks if self.kinks[0] < x < self.kinks[-1]]
        return total + integral(lambda x: x * weight(x) * self.density(x), *self.kinks, *inside)


def uniform(low: Real, high: Real) -> Cost:
    low, high = mpf(low), mpf(high)
    return Cost(
        lambda x: min(max((high - x) / (high - low), mpf(0)), mpf(1)),
        lambda _: 1 / (high - low),
        (low, high),
    )


def exponential(mean: Real) -> Cost:
    return gamma(1, mean)


def gamma(shape: Real, scale: Real) -> Cost:
    shape, scale = mpf(shape), mpf(scale)
    return Cost(
        lambda x: mp.gammainc(shape, x / scale, regularized=True),
        lambda x: (x / scale) ** (shape - 1) * mp.exp(-x / scale) / scale / mp.gamma(shape),
        (mpf(0), shape * scale, 4 * shape * scale, mp.inf),
    )


def uniform_and_weibull() -> Cost:
    """Return the law of the sum of two costs, uniform on [0, 1] and with the survival function ``exp(-x^3)``."""

    def rest(low: Real, high: Real) -> Real:
        return mp.gammainc(mpf(1) / 3, max(low, 0) ** 3, max(high, 0) ** 3) / 3

    def density(z: Real) -> Real:
        return mp.exp(-(max(z - 1, mpf(0)) ** 3)) - mp.exp(-(z**3))

    return Cost(
        lambda z: max(1 - z, mpf(0)) + rest(z - 1, z), density, (mpf(0), mpf(1), mpf(2), mpf(4), mp.inf)
    )


def beta(first: Real, second: Real) -> Cost:
    return Cost(
        lambda x: 1 - mp.betainc(first, second, 0, min(x, mpf(1)), regularized=True),
        lambda x: x ** (first - 1) * (1 - x) ** (second - 1) / mp.beta(first, second),
        (mpf(0), mpf(1)),
    )


def lognormal(mu: Real, sigma: Real) -> Cost:
    def score(x: Real) -> Real:
        return (mp.log(x) - mu) / sigma

    return Cost(
        lambda x: mp.ncdf(-score(x)),
        lambda x: mp.npdf(score(x)) / (sigma * x),
        (mpf(0), mp.exp(mu), mp.exp(mu + 2 * sigma), mp.inf),
    )


def triangular(low: Real, mode: Real, high: Real) -> Cost:
    low, mode, high = mpf(low), mpf(mode), mpf(high)
    width = high - low

    def density(x: Real) -> Real:
        rising = x < mode
        return 2 * (x - low) / width / (mode - low) if rising else 2 * (high - x) / width / (high - mode)

    def above(x: Real) -> Real:
        if x <= mode:
            return 1 - max(x - low, 0) ** 2 / width / (mode - low) if x > low else mpf(1)
        return max(high - x, mpf(0)) ** 2 / width / (high - mode)

    return Cost(above, density, (low, mode, high))


def halfnormal(scale: Real) -> Cost:
    return Cost(
        lambda x: mp.erfc(x / scale / mp.sqrt(2)),
        lambda x: 2 * mp.npdf(x / scale) / scale,
        (mpf(0), mpf(scale), 4 * mpf(scale), mp.inf),
    )


def normal_above(mu: Real, sigma: Real, low: Real) -> Cost:
    """Return the law of a normal cost, given that it is above ``low``."""
    share = mp.ncdf((mu - low) / sigma)
    return Cost(
        lambda x: mp.ncdf((mu - max(x, mpf(low))) / sigma) / share,
        lambda x: mp.npdf(x, mu, sigma) / share,
        (mpf(low), mpf(low) + sigma, mpf(low) + 4 * mpf(sigma), mp.inf),
    )


def normal_between(mu: Real, sigma: Real, low: Real, high: Real) -> Cost:
    """Return the law of a normal cost, given that it is between two bounds."""
    share = mp.ncdf((high - mu) / sigma) - mp.ncdf((low - mu) / sigma)
    return Cost(
        lambda x: (mp.ncdf((high - mu) / sigma) - mp.ncdf((min(max(x, low), high) - mu) / sigma)) / share,
        lambda x: mp.npdf(x, mu, sigma) / share,
        (mpf(low), mpf(high)),
    )


def weibull(shape: Real, scale: Real) -> Cost:
    return Cost(
        lambda x: mp.exp(-((x / scale) ** shape)),
        lambda x: shape / scale * (x / scale) ** (shape - 1) * mp.exp(-((x / scale) ** shape)),
        (mpf(0), mpf(scale), 4 * mpf(scale), mp.inf),
    )


def frechet(scale: Real) -> Cost:
    """Return the law with the distribution function ``exp(-(scale/x)^2)``."""
    return Cost(
        lambda x: 1 - mp.exp(-((scale / x) ** 2)) if x else mpf(1),
        lambda x: 2 * scale**2 / x**3 * mp.exp(-((scale / x) ** 2)) if x else mpf(0),
        (mpf(0), mpf(scale), 10 * mpf(scale), mp.inf),
    )


def lomax(shape: Real) -> Cost:
    return Cost(
        lambda x: (1 + x) ** -mpf(shape),
        lambda x: shape * (1 + x) ** -mpf(shape + 1),
        (mpf(0), mpf(1), mpf(10), mpf(100), mp.inf),
    )


def inverse_gamma(shape: Real, scale: Real) -> Cost:
    shape, scale = mpf(shape), mpf(scale)
    return Cost(
        lambda x: mp.gammainc(shape, 0, scale / x, regularized=True) if x > 0 else mpf(1),
        lambda x: (scale / x) ** (shape + 1) * mp.exp(-scale / x) / scale / mp.gamma(shape),
        (mpf(0), scale / 4, scale, 4 * scale, 40 * scale, mp.inf),
    )


def beta_prime(first: Real, second: Real) -> Cost:
    return Cost(
        lambda x: mp.betainc(second, first, 0, 1 / (1 + x), regularized=True),
        lambda x: x ** (first - 1) * (1 + x) ** -(first + second) / mp.beta(first, second),
        (mpf(0), mpf(1), mpf(10), mpf(100), mp.inf),
    )


def levy() -> Cost:
    """Its mean is infinite, but the part below any bound is finite."""
    return Cost(
        lambda x: mp.erf(1 / mp.sqrt(2 * x)),
        lambda x: mp.exp(-1 / (2 * x)) / mp.sqrt(2 * mp.pi * x**3),
        (mpf(0), mpf(1) / 4, mpf(1), mpf(4), mp.inf),
    )


def sine() -> Cost:
    return Cost(lambda x: (1 + mp.cos(min(x, mp.pi))) / 2, lambda x: mp.sin(x) / 2, (mpf(0), mp.pi))


def halfcauchy(scale: Real) -> Cost:
    return Cost(
        lambda x: 1 - 2 * mp.atan(x / scale) / mp.pi,
        lambda x: 2 * scale / mp.pi / (scale**2 + x**2),
        (mpf(0), mpf(scale), 4 * mpf(scale), mp.inf),
    )


def minus_log() -> Cost:
    """The law of a product of two uniform variables."""
    return Cost(
        lambda x: 1 - x + x * mp.log(x) if 0 < x < 1 else mpf(x <= 0),
        lambda x: -mp.log(x),
        (mpf(0), mpf(1)),
    )


def notched() -> Cost:
    """The density ``|x - 1|`` on [0, 2]."""
    return Cost(
        lambda x: HALF - (min(x, mpf(2)) - 1) * abs(min(x, mpf(2)) - 1) / 2,
        lambda x: abs(x - 1),
        (mpf(0), mpf(1), mpf(2)),
    )


def hyperbolic() -> Cost:
    return Cost(
        lambda x: 1 - mp.sinh(min(x, mpf(1))) / mp.sinh(1),
        lambda x: mp.cosh(x) / mp.sinh(1),
        (mpf(0), mpf(1)),
    )


def rayleigh(scale: Real) -> Cost:
    return weibull(2, mp.sqrt(2) * scale)


def damped_wave() -> Cost:
    return Cost(
        lambda x: mp.exp(-x) * (2 + mp.sin(x) + mp.cos(x)) / 3,
        lambda x: 2 * mp.exp(-x) * (1 + mp.sin(x)) / 3,
        (mpf(0), mpf(4), mpf(12), mpf(40), mp.inf),
    )


def beyond(start: Real, cost: Cost) -> Cost:
    """Return the law of a cost and a known one."""
    kinks = tuple(start + kink for kink in cost.kinks)
    return Cost(lambda x: cost.above(max(x - start, mpf(0))), lambda x: cost.density(x - start), kinks)


def pareto(shape: Real, low: Real) -> Cost:
    low = mpf(low)
    return Cost(
        lambda x: min((low / x) ** shape, mpf(1)) if x > 0 else mpf(1),
        lambda x: shape * low**shape / x ** (shape + 1),
        (low, 4 * low, mp.inf),
    )


def finite(**chances: Real) -> Cost:
    atoms = tuple((mpf(name[1:]), mpf(chance)) for name, chance in chances.items())
    return Cost(lambda x: mpmath.fsum(chance for value, chance in atoms if value > x), atoms=atoms)


def kumaraswamy(first: Real, second: Real) -> Cost:
    return Cost(
        lambda x: (1 - min(x, mpf(1)) ** first) ** second,
        lambda x: first * second * x ** (first - 1) * (1 - x**first) ** (second - 1),
        (mpf(0), mpf(1)),
    )


def loglogistic(scale: Real, shape: Real) -> Cost:
    scale = mpf(scale)
    return Cost(
        lambda x: 1 / (1 + (x / scale) ** shape),
        lambda x: shape / scale * (x / scale) ** (shape - 1) / (1 + (x / scale) ** shape) ** 2,
        (mpf(0), scale, 10 * scale, 100 * scale, mp.inf),
    )


def known(value: Real) -> Cost:
    return Cost(lambda x: mpf(value > x), atoms=((mpf(value), mpf(1)),), kinks=())


# ------------------------------------------------------------------------------------------ two costs


@dataclass(frozen=True, slots=True)
class Truth:
    """The two losses as functions of p, integrated directly."""

    loss0: Function
    loss1: Function


def independent(first: Cost, second: Cost) -> Truth:
    """``t < p`` iff ``c1 > c0 (1 - p)/p``, and ``t >= p`` iff ``c0 >= c1 p/(1 - p)``."""

    def corners(cost: Cost) -> tuple[Real, ...]:
        return (*cost.kinks, *[value for value, _ in cost.atoms])

    def loss0(p: Real) -> Real:
        ratio = (1 - p) / p
        return first.mean(lambda x: second.above(x * ratio), tuple(x / ratio for x in corners(second)))

    def loss1(p: Real) -> Real:
        ratio = p / (1 - p)
        return second.mean(lambda y: first.above(y * ratio), tuple(y / ratio for y in corners(first)))

    return Truth(loss0, loss1)


def along(budget: Function, density: Function, *kinks: Real) -> Truth:
    """A budget ``b(s)`` and the density of s between the first kink and the last."""
    low, high = mpf(kinks[0]), mpf(kinks[-1])

    def part(weight: Function, start: Real, end: Real) -> Real:
        start, end = max(start, low), min(end, high)
        inside = [x for x in kinks if start < x < end]
        return integral(weight, start, end, *inside) if start < end else mpf(0)

    return Truth(
        lambda p: part(lambda t: t * budget(t) * density(t), mpf(0), p),
        lambda p: part(lambda t: (1 - t) * budget(t) * density(t), p, mpf(1)),
    )


def planar(density: Callable[[Real, Real], Real], reach: Function, *kinks: Real) -> Truth:
    """A joint density; in polar form ``c0 = b t``, ``c1 = b (1 - t)`` with ``0 < b < reach(t)``, area ``b db dt``."""

    def weight(t: Real) -> Real:
        return integral(lambda b: b**2 * density(b * t, b * (1 - t)), 0, reach(t))

    return along(weight, lambda _: mpf(1), 0, *kinks, 1)


def atom(cost0: Real, cost1: Real) -> Truth:
    at = mpf(cost0) / (cost0 + cost1)
    return Truth(lambda p: mpf(cost0) if at < p else mpf(0), lambda p: mpf(cost1) if at >= p else mpf(0))


def mixed(*parts: tuple[Real, Truth]) -> Truth:
    return Truth(
        lambda p: mpmath.fsum(weight * truth.loss0(p) for weight, truth in parts),
        lambda p: mpmath.fsum(weight * truth.loss1(p) for weight, truth in parts),
    )


def power_mean(k: Real) -> Function:
    return lambda t: (2 / (t**k + (1 - t) ** k)) ** (1 / mpf(k)) if k else 1 / mp.sqrt(t * (1 - t))


def cost_on_mean(k: Real, low: Real, high: Real) -> Truth:
    """Return the losses of a uniform cost c0 beside the cost c1 that makes their power mean 1."""
    low, high = mpf(low), mpf(high)

    def last(p: Real) -> Real:  # the largest c0 whose proportion is below p
        return min(max((2 / (1 + ((1 - p) / p) ** k)) ** (1 / mpf(k)), low), high)

    def other(x: Real) -> Real:
        return (2 - x**k) ** (1 / mpf(k)) / (high - low)

    return Truth(
        lambda p: (last(p) ** 2 - low**2) / 2 / (high - low), lambda p: integral(other, last(p), high)
    )


def flat(_: Real) -> Real:
    return mpf(1)


# --------------------------------------------------------------------------------------------- survey


@dataclass(frozen=True, slots=True)
class Entry:
    """A context, numbers for its parameters, and its losses for these numbers."""

    name: str
    build: Callable[[], Context]
    truth: Truth
    values: dict[str, str] = field(default_factory=dict)
    closed: bool = True

    @property
    def numbers(self) -> dict[str, sympy.Expr]:
        """The parameters' values, exact."""
        return {name: sympy.Rational(value) for name, value in self.values.items()}


def pair(name: str, first: Any, second: Any, truth: Truth, *, closed: bool = True, **values: str) -> Entry:
    return Entry(name, lambda: cd.Independent(c0=first, c1=second), truth, values, closed)


HALF = mpf(1) / 2
COIN = {1: sympy.Rational(1, 2), 3: sympy.Rational(1, 2)}


def _two_points() -> Any:
    return FiniteRV("coin", COIN)


PAIRS = (
    pair("exponential(2) x exponential(3)", laws.exponential(2), laws.exponential(3),
         independent(exponential(2), exponential(3))),
    pair("exponential(m) x exponential(n)", laws.exponential("m"), laws.exponential("n"),
         independent(exponential(mpf(1) / 3), exponential(2)), m="1/3", n="2"),
    pair("normal pair above 0", laws.truncnormal(20, 5, 0, "oo"), laws.truncnormal(100, 30, 0, "oo"),
         independent(normal_above(20, 5, 0), normal_above(100, 30, 0)), closed=False),
    pair("exponential x uniform", laws.exponential(2), laws.uniform(0, 1),
         independent(exponential(2), uniform(0, 1))),
    pair("uniform x exponential", laws.uniform(1, 2), laws.exponential(1),
         independent(uniform(1, 2), exponential(1))),
    pair("gamma(2, v) x gamma(3, w)", laws.gamma(2, "v"), laws.gamma(3, "w"),
         independent(gamma(2, HALF), gamma(3, 3)), v="1/2", w="3"),
    pair("gamma(k, v) x gamma(j, v)", laws.gamma("k", "v"), laws.gamma("j", "v"),
         independent(gamma(mpf(3) / 2, 2), gamma(mpf(7) / 3, 2)), k="3/2", j="7/3", v="2"),
    pair("gamma(k, v) x gamma(j, w)", laws.gamma("k", "v"), laws.gamma("j", "w"),
         independent(gamma(mpf(3) / 2, 2), gamma(mpf(7) / 3, HALF)), k="3/2", j="7/3", v="2", w="1/2"),
    pair("gamma(5/2) x exponential", laws.gamma("5/2", 1), laws.exponential(1),
         independent(gamma(mpf(5) / 2, 1), exponential(1))),
    pair("beta(2, 3) x uniform", laws.beta(2, 3), laws.uniform(0, 1), independent(beta(2, 3), uniform(0, 1))),
    pair("beta(2, 2) x beta(3, 2)", laws.beta(2, 2), laws.beta(3, 2), independent(beta(2, 2), beta(3, 2))),
    pair("half-normal pair", laws.halfnormal(1), laws.halfnormal(2),
         independent(halfnormal(1), halfnormal(2))),
    pair("half-normal pair, symbolic", laws.halfnormal("v"), laws.halfnormal("w"),
         independent(halfnormal(mpf(2) / 3), halfnormal(2)), v="2/3", w="2"),
    pair("Rayleigh pair", laws.rayleigh(1), laws.rayleigh(2), independent(rayleigh(1), rayleigh(2))),
    pair("Rayleigh pair, symbolic", laws.rayleigh("v"), laws.rayleigh("w"),
         independent(rayleigh(mpf(2) / 3), rayleigh(2)), v="2/3", w="2"),
    pair("Pareto pair", laws.pareto(3, 1), laws.pareto(2, 1), independent(pareto(3, 1), pareto(2, 1))),
    pair("Pareto pair, symbolic", laws.pareto("1+k", 1), laws.pareto("1+j", 1),
         independent(pareto(mpf(3) / 2, 1), pareto(3, 1)), k="1/2", j="2"),
    pair("log-normal pair, symbolic", laws.lognormal(0, 1), laws.lognormal("mu", "sigma"),
         independent(lognormal(0, 1), lognormal(HALF, mpf(3) / 4)), mu="1/2", sigma="3/4"),
    pair("triangular x uniform", laws.triangular(0, 1, 3), laws.uniform(1, 2),
         independent(triangular(0, 1, 3), uniform(1, 2))),
    pair("triangular pair", laws.triangular(0, 1, 2), laws.triangular(1, 2, 4),
         independent(triangular(0, 1, 2), triangular(1, 2, 4))),
    pair("triangular x exponential", laws.triangular(0, 1, 2), laws.exponential(1),
         independent(triangular(0, 1, 2), exponential(1))),
    pair("known x uniform", 5, laws.uniform(1, 4), independent(known(5), uniform(1, 4))),
    pair("uniform x known, symbolic", laws.uniform("a", "b"), "k",
         independent(uniform(HALF, 2), known(3)), a="1/2", b="2", k="3"),
    pair("exponential x known", laws.exponential(1), 2, independent(exponential(1), known(2))),
    Entry("two-point x uniform", lambda: cd.Independent(c0=_two_points(), c1=laws.uniform(0, 1)),
          independent(finite(x1=HALF, x3=HALF), uniform(0, 1))),
    pair("Weibull x exponential", laws.weibull(2, 1), laws.exponential(1),
         independent(weibull(2, 1), exponential(1))),
    pair("Frechet x Weibull, symbolic", laws.frechet(2, "a"), laws.weibull(2, "b"),
         independent(frechet(HALF), weibull(2, 3)), a="1/2", b="3"),
    pair("half-normal x exponential", laws.halfnormal(1), laws.exponential(1),
         independent(halfnormal(1), exponential(1))),
    pair("Lomax pair", laws.Density("2/(1 + x)^3"), laws.Density("3/(1 + x)^4"),
         independent(lomax(2), lomax(3))),
    pair("Lomax pair, half shapes", laws.lomax("5/2", 1), laws.lomax("3/2", 1),
         independent(lomax(mpf(5) / 2), lomax(mpf(3) / 2))),
    pair("inverse Gamma x uniform, symbolic", laws.invgamma("a", "b"), laws.uniform(0, 1),
         independent(inverse_gamma(mpf(5) / 3, HALF), uniform(0, 1)), a="5/3", b="1/2"),
    pair("Beta prime x uniform, symbolic", laws.betaprime("a", "b"), laws.uniform(0, 1),
         independent(beta_prime(mpf(3) / 2, mpf(7) / 3), uniform(0, 1)), a="3/2", b="7/3"),
    pair("product of uniforms x exponential", laws.Density("-log(x)", (0, 1)), laws.exponential(1),
         independent(minus_log(), exponential(1))),
    pair("Weibull x known, symbolic", laws.weibull("k", "v"), "c",
         independent(weibull(mpf(3) / 2, mpf(2)), known(3)), k="3/2", v="2", c="3"),
    pair("Weibull x uniform, symbolic", laws.weibull("k", "v"), laws.uniform(0, "b"),
         independent(weibull(mpf(3) / 2, mpf(2)), uniform(0, 3)), k="3/2", v="2", b="3"),
    pair("Lomax x known, symbolic", laws.Density("(1 + k)/(1 + x)^(k + 2)"), "c",
         independent(lomax(mpf(5) / 2), known(3)), k="3/2", c="3"),
    pair("Lomax x exponential, symbolic", laws.lomax("a", 1), laws.exponential("n"),
         independent(lomax(mpf(5) / 2), exponential(2)), a="5/2", n="2"),
    pair("Pareto x known, symbolic", laws.pareto("a", 2), sympy.Rational(3, 4),
         independent(pareto(mpf(5) / 2, 2), known(mpf(3) / 4)), a="5/2"),
    pair("Pareto x Lomax, symbolic", laws.pareto("a", "m"), laws.lomax(2),
         independent(pareto(mpf(5) / 2, HALF), lomax(2)), a="5/2", m="1/2"),
    pair("Lévy x known", sympy.stats.Levy("X", 0, 1), 1,
         independent(levy(), known(1))),
    pair("sine x known", laws.Density("sin(x)/2", (0, "pi")), 1, independent(sine(), known(1))),
    pair("half-Cauchy pair", laws.Density("2*a/(pi*(a^2 + x^2))", (0, "oo")),
         laws.Density("2/(pi*(1 + x^2))", (0, "oo")),
         independent(halfcauchy(2), halfcauchy(1)), a="2"),
    pair("product of uniforms, twice", laws.Density("-log(x)", (0, 1)), laws.Density("-log(x)", (0, 1)),
         independent(minus_log(), minus_log())),
    pair("|x - 1| x uniform", laws.Density("abs(x - 1)", (0, 2)), laws.uniform(0, 1),
         independent(notched(), uniform(0, 1))),
    pair("cosh x max", laws.Density("cosh(x)/sinh(1)", (0, 1)), laws.Density("max(0, 1 - abs(x - 1))", (0, 2)),
         independent(hyperbolic(), triangular(0, 1, 2))),
    pair("log-normal x uniform", laws.lognormal(0, 1), laws.uniform(0, 2),
         independent(lognormal(0, 1), uniform(0, 2))),
    pair("log-normal x uniform, symbolic", laws.lognormal("mu", "sigma"), laws.uniform(0, "b"),
         independent(lognormal(HALF, mpf(3) / 4), uniform(0, 2)), mu="1/2", sigma="3/4", b="2"),
    pair("log-normal x Pareto", laws.lognormal(0, 1), laws.pareto(3, 1),
         independent(lognormal(0, 1), pareto(3, 1))),
    pair("half-normal x uniform, symbolic", laws.halfnormal("v"), laws.uniform(0, "b"),
         independent(halfnormal(mpf(3) / 2), uniform(0, 2)), v="3/2", b="2"),
    pair("Kumaraswamy x beta, symbolic", laws.kumaraswamy("a", 2), laws.beta("b", 1),
         independent(kumaraswamy(mpf(3) / 2, 2), beta(mpf(5) / 2, 1)), a="3/2", b="5/2"),
    pair("log-logistic pair, symbolic", laws.loglogistic(1, 2), laws.loglogistic("b", 2),
         independent(loglogistic(1, 2), loglogistic(3, 2)), b="3"),
    pair("two values x gamma(k, 1)", {1: "w", 3: "1 - w"}, laws.gamma("k", 1),
         independent(finite(x1=mpf(1) / 4, x3=mpf(3) / 4), gamma(mpf(3) / 2, 1)), w="1/4", k="3/2"),
    Entry("1 + log-normal x known, symbolic",
          lambda: cd.costs_of_parts("1 + x", "k", parts={"x": laws.lognormal("m", "v")}),
          independent(beyond(1, lognormal(HALF, mpf(3) / 4)), known(3)), {"m": "1/2", "v": "3/4", "k": "3"}),
    Entry("1 + log-normal x uniform, symbolic",
          lambda: cd.costs_of_parts("1 + x", "y", parts={"x": laws.lognormal("m", "v"), "y": laws.uniform(0, 1)}),
          independent(beyond(1, lognormal(HALF, mpf(3) / 4)), uniform(0, 1)), {"m": "1/2", "v": "3/4"}),
    Entry("1 + log-logistic x known, symbolic",
          lambda: cd.costs_of_parts("1 + x", "k", parts={"x": laws.loglogistic(1, "a")}),
          independent(beyond(1, loglogistic(1, 3)), known(3)), {"a": "3", "k": "3"}),
    Entry("f + Kumaraswamy x uniform, symbolic",
          lambda: cd.costs_of_parts("f + x", "y", parts={"x": laws.kumaraswamy("a", 2), "y": laws.uniform(0, 1)}),
          independent(beyond(HALF, kumaraswamy(mpf(3) / 2, 2)), uniform(0, 1)), {"f": "1/2", "a": "3/2"}),
    Entry("f + Lomax x uniform, symbolic",
          lambda: cd.costs_of_parts("f + x", "y", parts={"x": laws.lomax("a", 1), "y": laws.uniform(1, 2)}),
          independent(beyond(HALF, lomax(mpf(5) / 2)), uniform(1, 2)), {"f": "1/2", "a": "5/2"}, closed=False),
    Entry("1 + exponential x 2 + gamma(a, 1)",
          lambda: cd.costs_of_parts("1 + x", "2 + y", parts={"x": laws.exponential(1), "y": laws.gamma("a", 1)}),
          independent(beyond(1, exponential(1)), beyond(2, gamma(mpf(5) / 2, 1))), {"a": "5/2"}),
    Entry("uniform + Weibull x known",
          lambda: cd.costs_of_parts("a + b", "3", parts={"a": laws.uniform(0, 1), "b": laws.weibull(3, 1)}),
          independent(uniform_and_weibull(), known(3))),
    Entry("uniform + Weibull x uniform",
          lambda: cd.costs_of_parts("a + b", "c", parts={
              "a": laws.uniform(0, 1), "b": laws.weibull(3, 1), "c": laws.uniform(0, 2)}),
          independent(uniform_and_weibull(), uniform(0, 2)), closed=False),
    pair("damped wave x known", laws.Density("2*exp(-x)*(1 + sin(x))/3"), 2, independent(damped_wave(), known(2))),
    pair("damped wave x uniform", laws.Density("2*exp(-x)*(1 + sin(x))/3"), laws.uniform(0, 1),
         independent(damped_wave(), uniform(0, 1))),
    pair("Rayleigh beyond 1 x uniform", laws.Density("(x - 1)*exp(-(x - 1)^2/2)", (1, "oo")), laws.uniform(1, 3),
         independent(beyond(1, rayleigh(1)), uniform(1, 3))),
    pair("half-normal x uniform", laws.halfnormal(1), laws.uniform(0, 1),
         independent(halfnormal(1), uniform(0, 1))),
    pair("positive normal x uniform", laws.truncnormal(1, 1, 0, "oo"), laws.uniform(0, 1),
         independent(normal_above(1, 1, 0), uniform(0, 1))),
    pair("normal from a bound on x exponential", laws.truncnormal(-1, 2, "1/2", "oo"), laws.exponential(1),
         independent(normal_above(-1, 2, HALF), exponential(1))),
    pair("normal between bounds x uniform, symbolic", laws.truncnormal("mu", "sigma", 0, 1), laws.uniform(0, 1),
         independent(normal_between(HALF, mpf(3) / 4, 0, 1), uniform(0, 1)), mu="1/2", sigma="3/4"),
    pair("normal from a bound on x known, symbolic", laws.truncnormal("mu", "sigma", "a", "oo"), 2,
         independent(normal_above(1, HALF, mpf(1) / 4), known(2)), mu="1", sigma="1/2", a="1/4"),
)  # fmt: skip


def _fgm(x: Real, y: Real) -> Real:
    return 1 + (1 - 2 * x) * (1 - 2 * y) / 2


def _joined_by_fgm(theta: Real, first: Cost, second: Cost) -> Truth:
    """Given a cost at the level u, the other is above its level v with chance ``(1 - v)(1 - theta (1 - 2u) v)``."""

    def loss(held: Cost, other: Cost, ratio: Real) -> Real:
        def chance(x: Real) -> Real:
            above = other.above(x * ratio)
            return above * (1 - theta * (2 * held.above(x) - 1) * (1 - above))

        return held.mean(chance, tuple(kink / ratio for kink in other.kinks))

    return Truth(lambda p: loss(first, second, (1 - p) / p), lambda p: loss(second, first, p / (1 - p)))


def _correlated(rho: Real) -> Callable[[Real, Real], Real]:
    def density(x: Real, y: Real) -> Real:
        if not (x > 0 and y > 0):
            return mpf(0)
        u, v = mp.log(x), mp.log(y)
        square = (u**2 - 2 * rho * u * v + v**2) / (1 - rho**2)
        return mp.exp(-square / 2) / (2 * mp.pi * mp.sqrt(1 - rho**2) * x * y)

    return density


def _correlated_lognormal(rho: Real) -> Truth:
    """Condition on one logarithm: the other is normal with mean ``rho`` times it."""
    spread = mp.sqrt(1 - rho**2)

    def loss(p: Real, sign: int) -> Real:
        shift = sign * mp.log(p / (1 - p))
        points = (-mp.inf, -8, -2, 0, 2, 4, 8, mp.inf)
        chance = lambda v: mp.ncdf((shift - v + rho * v) / spread)  # noqa: E731
        return integral(lambda v: mp.exp(v) * mp.npdf(v) * chance(v), *points)

    return Truth(lambda p: loss(p, 1), lambda p: loss(1 - p, 1))


_LOGS = sympy.log(c0), sympy.log(c1)
_CORRELATED = sympy.exp(
    -(_LOGS[0] ** 2 - _LOGS[0] * _LOGS[1] + _LOGS[1] ** 2) / (2 * sympy.Rational(3, 4))
) / (2 * sympy.pi * sympy.sqrt(sympy.Rational(3, 4)) * c0 * c1)

JOINTS = (
    Entry("uniform on c0 + c1 <= 2", lambda: cd.Joint(sympy.Rational(1, 2), c0 + c1 <= 2),
          planar(lambda _x, _y: HALF, lambda _: mpf(2))),
    Entry("uniform on c0 + c1 <= B", lambda: cd.Joint("2/B**2", c0 + c1 <= sympy.Symbol("B", positive=True)),
          planar(lambda _x, _y: 2 / mpf(9), lambda _: mpf(3)), {"B": "3"}),
    Entry("uniform on a wedge", lambda: cd.Joint(sympy.Rational(2, 3), (c0 <= 2 * c1, c1 <= 2 * c0, c0 + c1 <= 3)),
          along(lambda _: mpf(6), flat, mpf(1) / 3, mpf(2) / 3)),
    Entry("FGM copula", lambda: cd.Joint(1 + (1 - 2 * c0) * (1 - 2 * c1) / 2, ((0, 1), (0, 1))),
          planar(_fgm, lambda t: 1 / max(t, 1 - t), HALF)),
    Entry("FGM copula, symbolic", lambda: cd.Joint("1 + h*(1 - 2*c0)*(1 - 2*c1)/(1 + h)", ((0, 1), (0, 1))),
          planar(_fgm, lambda t: 1 / max(t, 1 - t), HALF), {"h": "1"}),
    Entry("FGM copula of Beta and triangular costs",
          lambda: cd.Copula("fgm", -1, c0="beta(2, 3)", c1="triangular(0, 1, 2)"),
          _joined_by_fgm(-1, beta(2, 3), triangular(0, 1, 2))),
    Entry("3 min(c0, c1)", lambda: cd.Joint("3*min(c0, c1)", ((0, 1), (0, 1))),
          planar(lambda x, y: 3 * min(x, y), lambda t: 1 / max(t, 1 - t), HALF)),
    Entry("3 |c0 - c1|", lambda: cd.Joint("3*abs(c0 - c1)", ((0, 1), (0, 1))),
          planar(lambda x, y: 3 * abs(x - y), lambda t: 1 / max(t, 1 - t), HALF)),
    Entry("4 c1 below a parabola", lambda: cd.Joint("4*c1", ("c1^2 <= c0", "c0 <= 1")),
          planar(lambda _, y: 4 * y, lambda t: min(t / (1 - t) ** 2, 1 / t), HALF)),
    Entry("log-normal, correlated", lambda: cd.Joint(_CORRELATED, ((0, sympy.oo), (0, sympy.oo))),
          _correlated_lognormal(HALF)),
)  # fmt: skip


def _logit_half(p: Real) -> Real:
    return min(max(mp.log(p / (1 - p)) / 2, mpf(0)), mpf(1))


def _along_rising(
    costs: tuple[Function, Function], density: Function, parameter: Function, *kinks: Real
) -> Truth:
    """Return the losses of a curve whose proportion p rises with its parameter x, which is below ``parameter(p)``."""
    low, high = mpf(kinks[0]), mpf(kinks[-1])

    def part(cost: Function, start: Real, end: Real) -> Real:
        inside = [x for x in kinks if start < x < end]
        return integral(lambda x: cost(x) * density(x), start, end, *inside) if start < end else mpf(0)

    def at(p: Real) -> Real:
        return min(max(parameter(p), low), high)

    return Truth(lambda p: part(costs[0], low, at(p)), lambda p: part(costs[1], at(p), high))


def _odds_below_half(p: Real) -> Real:
    return p / (1 - 2 * p) if p < HALF else mp.inf


def _lambert(number: Real) -> Real:
    return mp.lambertw(number).real


def _up_and_down() -> Truth:
    """Costs ``27/10 x`` and ``1 + x^2`` of an exponential x: the proportion is above p between two roots, if any."""
    a = mpf(27) / 10

    def between(p: Real) -> tuple[Real, Real]:
        half = a * (1 - p) / (2 * p)
        gap = mp.sqrt(max(half**2 - 1, mpf(0)))
        return half - gap, half + gap

    def loss0(p: Real) -> Real:
        low, high = between(p)
        return a - a * integral(lambda x: x * mp.exp(-x), low, high) if low < high else a

    def loss1(p: Real) -> Real:
        low, high = between(p)
        return integral(lambda x: (1 + x**2) * mp.exp(-x), low, high) if low < high else mpf(0)

    return Truth(loss0, loss1)


def _above_a_deductible(d: Real, m: Real) -> Truth:
    """A fee with the mean 2, and what a Pareto(3, m) loss exceeds d by."""

    def over(function: Function) -> Real:
        return integral(lambda x: function(x - d) * 3 * m**3 / x**4, d, 2 * d, 10 * d, 100 * d, mp.inf)

    def loss0(p: Real) -> Real:
        r = p / (1 - p)
        return over(lambda y: 2 - mp.exp(-r * y / 2) * (2 + r * y))

    return Truth(loss0, lambda p: over(lambda y: y * mp.exp(-p / (1 - p) * y / 2)))


CURVES = (
    Entry("c0 = a x, c1 = 1 + x^2", lambda: cd.Curve(c0="a*x", c1="1 + x^2", density="exponential(1)"),
          _up_and_down(), {"a": "27/10"}),
    Entry("a Pareto loss above a deductible",
          lambda: cd.costs_of_parts("fee", "max(loss - d, 0)", assuming="d > m",
                                    parts={"fee": "exponential(2)", "loss": "pareto(3, m)"}),
          _above_a_deductible(mpf(2), mpf(1)), {"d": "2", "m": "1"}),
    Entry("c0 = x e^x, c1 = 1", lambda: cd.Curve(c0="x*exp(x)", c1=1, density="uniform(0, 1)"),
          _along_rising((lambda x: x * mp.exp(x), lambda x: mpf(1)), flat, lambda p: _lambert(p / (1 - p)), 0, 1)),
    Entry("c0 = x^k, c1 = x, uniform on (0, 2)", lambda: cd.Curve(c0="x^k", c1="x", density="uniform(0, 2)"),
          _along_rising((lambda x: x**3, lambda x: x), lambda _: HALF, lambda p: mp.sqrt(p / (1 - p)), 0, 2),
          {"k": "3"}),
    Entry("c0 = x^k, c1 = x, k below 1", lambda: cd.Curve(c0="x^k", c1="x", density="uniform(0, 2)"),
          Truth(lambda p: integral(lambda x: mp.sqrt(x) / 2, min(((1 - p) / p) ** 2, mpf(2)), 2),
                lambda p: min(((1 - p) / p) ** 2, mpf(2)) ** 2 / 4), {"k": "1/2"}),
    Entry("c0 = x, c1 = x^k, uniform on (1, 3)", lambda: cd.Curve(c0="x", c1="x^k", density="uniform(1, 3)"),
          _along_rising((lambda x: x, mp.sqrt), lambda _: HALF, lambda p: (p / (1 - p)) ** 2, 1, 3), {"k": "1/2"}),
    Entry("c0 = e^(a x), c1 = e^(-b x)", lambda: cd.Curve(c0="exp(a*x)", c1="exp(-b*x)", density="uniform(0, 1)"),
          _along_rising((lambda x: mp.exp(2 * x), lambda x: mp.exp(-3 * x)), flat,
                        lambda p: mp.log(p / (1 - p)) / 5, 0, 1), {"a": "2", "b": "3"}),
    Entry("c0 = log(1 + x), c1 = 1/(1 + x)",
          lambda: cd.Curve(c0="log(1 + x)", c1="1/(1 + x)", density="uniform(0, 4)"),
          _along_rising((lambda x: mp.log(1 + x), lambda x: 1 / (1 + x)), lambda _: mpf(1) / 4,
                        lambda p: mp.exp(_lambert(p / (1 - p))) - 1, 0, 4)),
    Entry("countermonotone exponential and uniform costs",
          lambda: cd.Copula("countermonotone", c0="exponential(1)", c1="uniform(0, 2)"),
          _along_rising((lambda x: x, lambda x: 2 * mp.exp(-x)), lambda x: mp.exp(-x),
                        lambda p: _lambert(2 * p / (1 - p)), 0, 1, 4, mp.inf)),
    Entry("c0 = x, c1 = 1 + x, gamma(k, 1)", lambda: cd.Curve(c0="x", c1="1 + x", density="gamma(k, 1)"),
          _along_rising((lambda x: x, lambda x: 1 + x), gamma(mpf(3) / 2, 1).density, _odds_below_half,
                        0, 1, 4, mp.inf), {"k": "3/2"}),
    Entry("c0 = 1 + x, c1 = 2, beta(a, b)", lambda: cd.Curve(c0="1 + x", c1=2, density="beta(a, b)"),
          _along_rising((lambda x: 1 + x, lambda x: mpf(2)), beta(mpf(3) / 2, mpf(5) / 2).density,
                        lambda p: 2 * p / (1 - p) - 1, 0, 1), {"a": "3/2", "b": "5/2"}),
    Entry("comonotone uniform costs, symbolic",
          lambda: cd.Copula("comonotone", c0="uniform(a, b)", c1="uniform(0, 1)"),
          Truth(lambda p: integral(lambda v: 1 + v, min(max((1 - p) / (2 * p - 1), mpf(0)), mpf(1))
                                   if p > HALF else mpf(1), 1),
                lambda p: min((1 - p) / (2 * p - 1), mpf(1)) ** 2 / 2 if p > HALF else HALF),
          {"a": "1", "b": "2"}),
    Entry("c0 = x, c1 = 2 - x", lambda: cd.Curve(c0="x", c1="2 - x", density=laws.Density("1/2", (0, 2))),
          along(lambda _: mpf(2), flat, 0, 1)),
    Entry("c0 = x^2, c1 = 1", lambda: cd.Curve(c0="x**2", c1=1, density=laws.Density("1/2", (0, 2))),
          Truth(lambda p: min(mp.sqrt(p / (1 - p)), mpf(2)) ** 3 / 6,
                lambda p: 1 - min(mp.sqrt(p / (1 - p)), mpf(2)) / 2)),
    Entry("c0 = e^x, c1 = e^-x", lambda: cd.Curve(c0="exp(x)", c1="exp(-x)", density=laws.uniform(0, 1)),
          Truth(lambda p: mp.exp(_logit_half(p)) - 1, lambda p: mp.exp(-_logit_half(p)) - mp.exp(-1))),
)  # fmt: skip


def _beta_of(first: Real, second: Real) -> Function:
    return beta(mpf(first), mpf(second)).density


BUDGETS = (
    Entry("additive, beta(v, w)", lambda: cd.Additive(density=laws.beta("v", "w")),
          along(lambda _: mpf(2), _beta_of(mpf(3) / 2, mpf(7) / 3), 0, 1), {"v": "3/2", "w": "7/3"}),
    Entry("additive, beta(2, 2)", lambda: cd.Additive(density=laws.beta(2, 2)),
          along(lambda _: mpf(2), _beta_of(2, 2), 0, 1)),
    Entry("additive, uniform(l, h)", lambda: cd.Additive(density=laws.uniform("l", "h")),
          along(lambda _: mpf(2), lambda _: mpf(4), mpf(1) / 4, HALF), {"l": "1/4", "h": "1/2"}),
    Entry("additive, Kumaraswamy(a, b)", lambda: cd.Additive(density=laws.kumaraswamy("a", "b")),
          along(lambda _: mpf(2), lambda t: 6 * t * (1 - t**2) ** 2, 0, 1), {"a": "2", "b": "3"}),
    Entry("additive, truncated exponential", lambda: cd.Additive(density="l*exp(-l*s)/(1 - exp(-l))"),
          along(lambda _: mpf(2), lambda t: 2 * mp.exp(-2 * t) / (1 - mp.exp(-2)), 0, 1), {"l": "2"}),
    Entry("harmonic, truncated exponential", lambda: cd.Harmonic(1, density="l*exp(-l*s)/(1 - exp(-l))"),
          along(power_mean(-1), lambda t: 4 * mp.exp(-2 * t) / (1 - mp.exp(-2)), 0, 1), {"l": "2"}),
    Entry("harmonic, Kumaraswamy(2, b)", lambda: cd.Harmonic(1, density=laws.kumaraswamy(2, "b")),
          along(power_mean(-1), lambda t: 12 * t * (1 - t**2) ** 2, 0, 1), {"b": "3"}),
    Entry("harmonic, beta(v, w)", lambda: cd.Harmonic(1, density=laws.beta("v", "w")),
          along(power_mean(-1), lambda t: 2 * _beta_of(mpf(3) / 2, mpf(7) / 3)(t), 0, 1), {"v": "3/2", "w": "7/3"}),
    Entry("harmonic, uniform(1/10, 1/2)", lambda: cd.Harmonic(1, density=laws.uniform("1/10", "1/2")),
          along(power_mean(-1), lambda _: mpf(5), mpf(1) / 10, HALF)),
    Entry("harmonic, c0 uniform", lambda: cd.Harmonic("1/2", c0=laws.uniform("3/4", 3)),
          along(flat, lambda t: 1 / (9 * t * (1 - t) ** 3), mpf(1) / 3, mpf(5) / 6)),
    Entry("geometric, beta(2, 2)", lambda: cd.Geometric(density=laws.beta(2, 2)),
          along(power_mean(0), _beta_of(2, 2), 0, 1)),
    Entry("geometric, beta(v + 1/2, w + 1/2)", lambda: cd.Geometric(density=laws.beta("v+1/2", "w+1/2")),
          along(power_mean(0), _beta_of(mpf(3) / 2, mpf(7) / 3), 0, 1), {"v": "1", "w": "11/6"}),
    Entry("additive, half a sine", lambda: cd.Additive(density="pi*sin(pi*s)/2"),
          along(lambda _: mpf(2), lambda t: mp.pi * mp.sin(mp.pi * t) / 2, 0, 1)),
    Entry("weighted mean",
          lambda: cd.Curve(c0="(1 + w)*x/(w*x + 1 - x)", c1="(1 + w)*(1 - x)/(w*x + 1 - x)", density="uniform(0, 1)"),
          along(lambda t: 4 / (1 + 2 * t), flat, 0, 1), {"w": "3"}),
    Entry("geometric, c0 log-normal", lambda: cd.Geometric(c0="lognormal(m, v)"),
          _along_rising((lambda x: x, lambda x: 1 / x), lognormal(HALF, mpf(3) / 4).density,
                        lambda p: mp.sqrt(p / (1 - p)), 0, mp.exp(HALF), mp.exp(2), mp.inf), {"m": "1/2", "v": "3/4"}),
    Entry("k = 2, triangular", lambda: cd.PowerMean(2, density=laws.triangular(0, "1/2", 1)),
          along(power_mean(2), triangular(0, HALF, 1).density, 0, HALF, 1)),
    *[Entry(f"k = {k}", lambda k=k: cd.PowerMean(k), along(power_mean(exponent), flat, 0, 1))
      for k, exponent in (("2", 2), ("1/2", HALF), ("-1/2", -HALF), ("-2", -2), ("1/3", mpf(1) / 3))],
    Entry("k = 3/10", lambda: cd.PowerMean("3/10"), along(power_mean(mpf(3) / 10), flat, 0, 1), closed=False),
    *[Entry(f"k = {k}, c0 uniform", lambda k=k: cd.PowerMean(k, c0=laws.uniform("1/4", "2/3")),
            cost_on_mean(exponent, mpf(1) / 4, mpf(2) / 3))
      for k, exponent in (("2", 2), ("1/2", HALF), ("3", 3))],
    Entry("k = 3", lambda: cd.PowerMean(3), along(power_mean(3), flat, 0, 1)),
    Entry("k = 3, beta(2, 2)", lambda: cd.PowerMean(3, density=laws.beta(2, 2)),
          along(power_mean(3), _beta_of(2, 2), 0, HALF, 1)),
    Entry("maximum", lambda: cd.PowerMean("oo"), along(lambda t: 1 / max(t, 1 - t), flat, 0, HALF, 1)),
    Entry("minimum", lambda: cd.PowerMean("-oo"), along(lambda t: 1 / min(t, 1 - t), flat, 0, HALF, 1)),
)  # fmt: skip

MIXTURES = (
    Entry("fixed", lambda: cd.FixedCosts(c0=1, c1="k"), atom(1, 3), {"k": "3"}),
    Entry("additive or harmonic, symbolic", lambda: cd.Mixture(("w", cd.Additive()), ("1-w", cd.Harmonic())),
          mixed((mpf(1) / 3, along(power_mean(1), flat, 0, 1)), (mpf(2) / 3, along(power_mean(-1), flat, 0, 1))),
          {"w": "1/3"}),
    Entry("additive or fixed", lambda: cd.Mixture(("1/3", cd.Additive()), ("2/3", cd.FixedCosts(c0=1, c1=3))),
          mixed((mpf(1) / 3, along(power_mean(1), flat, 0, 1)), (mpf(2) / 3, atom(1, 3)))),
    Entry("exponential pair or uniform pair",
          lambda: cd.Mixture(("1/2", cd.Independent(c0=laws.exponential(1), c1=laws.exponential(2))),
                             ("1/2", cd.IndependentUniform(c0=(0, 1), c1=(1, 2)))),
          mixed((HALF, independent(exponential(1), exponential(2))),
                (HALF, independent(uniform(0, 1), uniform(1, 2))))),
)  # fmt: skip

SURVEY = PAIRS + JOINTS + CURVES + BUDGETS + MIXTURES
