"""The laws that have names, each written as its density in the grammar of costderive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.costs.laws.expectation import x
from costderive.costs.laws.law import Law, Mass, Name, Spread
from costderive.costs.laws.logs_of_primes import with_logs_of_primes
from costderive.deciders.signs import nonnegative, positive

P = ParamSpec("P")


def _family(*in_units: str, in_logs: tuple[str, ...] = ()) -> Callable[[Callable[P, Law]], Callable[P, Law]]:
    """Name the laws that a function builds after it and its arguments, of which some are in units of the cost.

    Those in ``in_logs`` are added to the logarithm of the cost.
    """

    def named(build: Callable[P, Law]) -> Callable[P, Law]:
        parameters = signature(build)
        units, logs = (tuple(key in keys for key in parameters.parameters) for keys in (in_units, in_logs))

        @wraps(build)
        def law(*args: P.args, **kwargs: P.kwargs) -> Law:
            given = parameters.bind(*args, **kwargs)
            given.apply_defaults()
            places = {key: f"{build.__name__}.{key}" for key in parameters.parameters}
            read: Any = [exact(given.arguments[key], place=place) for key, place in places.items()]
            return replace(build(*read), name=Name(law, tuple(read), units, logs))  # type: ignore[call-arg]

        return law

    return named


@_family("low", "high")
def uniform(low: Any, high: Any) -> Law:
    """Return the uniform law on (low, high), 0 <= low < high."""
    a, b = _ascending("uniform", low=low, high=high)
    return Law((Spread(a, b, _density("uniform", "1/(high - low)", low=a, high=b)),))


@_family("low", "mode", "high")
def triangular(low: Any, mode: Any, high: Any) -> Law:
    """Return the triangular law with its peak at the mode, 0 <= low <= mode <= high."""
    a, b = _ascending("triangular", low=low, high=high)
    c = exact(mode, place="triangular.mode")
    _require_order("triangular", "low", a, "mode", c, strict=False)
    _require_order("triangular", "mode", c, "high", b, strict=False)
    rise, fall = "2*(x - low)/((high - low)*(mode - low))", "2*(high - x)/((high - low)*(high - mode))"
    sides = ((a, c, rise), (c, b, fall))
    ends = {"low": a, "mode": c, "high": b}
    return Law(
        tuple(
            Spread(left, right, _density("triangular", side, **ends))
            for left, right, side in sides
            if left != right
        )
    )


@_family("mean")
def exponential(mean: Any) -> Law:
    """Return the exponential law with a mean."""
    return _on_half_line("exponential", "exp(-x/mean)/mean", mean=mean)


@_family("scale")
def gamma(shape: Any, scale: Any = 1) -> Law:
    """Return the Gamma law with a shape and a scale (its mean is their product)."""
    density = "x^(shape - 1)*exp(-x/scale)/(scale^shape*gamma(shape))"
    return _on_half_line("gamma", density, shape=shape, scale=scale)


@_family("scale")
def invgamma(shape: Any, scale: Any = 1) -> Law:
    """Return the law of 1/X for X of a Gamma law with this shape and the scale ``1/scale``."""
    density = "scale^shape*exp(-scale/x)/(x^(shape + 1)*gamma(shape))"
    return _on_half_line("invgamma", density, shape=shape, scale=scale)


@_family(in_logs=("mu",))
def lognormal(mu: Any, sigma: Any) -> Law:
    """Return the law of ``exp(N(mu, sigma^2))``."""
    density = "exp(-(log(x) - mu)^2/(2*sigma^2))/(x*sigma*sqrt(2*pi))"
    return _on_half_line("lognormal", density, mu=with_logs_of_primes(mu), sigma=sigma)


@_family("scale")
def loglogistic(scale: Any, shape: Any) -> Law:
    """Return the law whose distribution function is ``x^shape/(x^shape + scale^shape)``."""
    density = "shape*scale^shape*x^(shape - 1)/(x^shape + scale^shape)^2"
    return _on_half_line("loglogistic", density, scale=scale, shape=shape)


@_family("scale")
def burr(shape: Any, tail: Any, scale: Any = 1) -> Law:
    """Return the Burr XII (Singh-Maddala) law: its survival function is ``(1 + (x/scale)^shape)^(-tail)``."""
    density = "shape*tail*scale^(shape*tail)*x^(shape - 1)/(scale^shape + x^shape)^(tail + 1)"
    return _on_half_line("burr", density, shape=shape, tail=tail, scale=scale)


@_family("scale")
def dagum(shape: Any, head: Any, scale: Any = 1) -> Law:
    """Return the Dagum (Burr III) law, whose distribution function is ``(1 + (x/scale)^(-shape))^(-head)``."""
    density = "shape*head*scale^shape*x^(shape*head - 1)/(scale^shape + x^shape)^(head + 1)"
    return _on_half_line("dagum", density, shape=shape, head=head, scale=scale)


@_family("scale")
def halfnormal(scale: Any) -> Law:
    """Return the law of ``|N(0, scale^2)|``."""
    return _on_half_line("halfnormal", "sqrt(2/pi)/scale*exp(-x^2/(2*scale^2))", scale=scale)


@_family("scale")
def rayleigh(scale: Any) -> Law:
    """Return the Rayleigh law with a scale."""
    return _on_half_line("rayleigh", "x/scale^2*exp(-x^2/(2*scale^2))", scale=scale)


@_family("scale")
def weibull(shape: Any, scale: Any) -> Law:
    """Return the Weibull law with a shape and a scale."""
    density = "shape/scale*(x/scale)^(shape - 1)*exp(-(x/scale)^shape)"
    return _on_half_line("weibull", density, shape=shape, scale=scale)


@_family("scale")
def frechet(shape: Any, scale: Any = 1) -> Law:
    """Return the Frechet (inverse Weibull) law, whose distribution function is ``exp(-(x/scale)^(-shape))``."""
    density = "shape*scale^shape*x^(-shape - 1)*exp(-scale^shape*x^(-shape))"
    return _on_half_line("frechet", density, shape=shape, scale=scale)


@_family("scale")
def gengamma(shape: Any, power: Any, scale: Any = 1) -> Law:
    """Return the law of ``scale X^(1/power)`` for X of the Gamma law with this shape and the scale 1."""
    density = "power*x^(shape*power - 1)*exp(-(x/scale)^power)/(scale^(shape*power)*gamma(shape))"
    return _on_half_line("gengamma", density, shape=shape, power=power, scale=scale)


@_family("low", "high")
def loguniform(low: Any, high: Any) -> Law:
    """Return the law on (low, high), 0 < low < high, of what has a uniform logarithm."""
    a, b = _positive("loguniform", "low", low), _finite("loguniform", "high", high)
    _require_order("loguniform", "low", a, "high", b)
    return Law((Spread(a, b, _density("loguniform", "1/(x*log(high/low))", low=a, high=b)),))


@_family("low", "mode", "high")
def pert(low: Any, mode: Any, high: Any) -> Law:
    """Return the PERT law of an estimate by three values: Beta on (low, high), its mean ``(low + 4 mode + high)/6``."""
    a, b = _ascending("pert", low=low, high=high)
    c = exact(mode, place="pert.mode")
    _require_order("pert", "low", a, "mode", c, strict=False)
    _require_order("pert", "mode", c, "high", b, strict=False)
    first, second = (sympy.cancel(1 + 4 * part / (b - a)) for part in (c - a, b - c))
    density = "(x - low)^(first - 1)*(high - x)^(second - 1)/(high - low)^5*120/(gamma(first)*gamma(second))"
    return Law((Spread(a, b, _density("pert", density, low=a, high=b, first=first, second=second)),))


@_family("minimum")
def pareto(shape: Any, minimum: Any = 1) -> Law:
    """Return the Pareto law with density ``shape minimum^shape / x^(shape + 1)`` above its minimum."""
    low = _positive("pareto", "minimum", minimum)
    density = _density(
        "pareto", "shape*low^shape/x^(shape + 1)", shape=_positive("pareto", "shape", shape), low=low
    )
    return Law((Spread(low, S.Infinity, density),))


@_family("scale")
def lomax(shape: Any, scale: Any = 1) -> Law:
    """Return the Lomax law, that of a Pareto quantity less its minimum ``scale``."""
    return _on_half_line("lomax", "shape*scale^shape/(scale + x)^(shape + 1)", shape=shape, scale=scale)


@_family("scale")
def betaprime(alpha: Any, beta_: Any, scale: Any = 1) -> Law:
    """Return the law of ``scale B/(1 - B)`` for B of the Beta law with these shapes."""
    density = (
        "x^(alpha - 1)*scale^beta_/(scale + x)^(alpha + beta_)"
        "*gamma(alpha + beta_)/(gamma(alpha)*gamma(beta_))"
    )
    return _on_half_line("betaprime", density, alpha=alpha, beta_=beta_, scale=scale)


@_family("scale")
def maxwell(scale: Any) -> Law:
    """Return the law of the length of a vector of three independent ``N(0, scale^2)``."""
    return _on_half_line("maxwell", "sqrt(2/pi)*x^2/scale^3*exp(-x^2/(2*scale^2))", scale=scale)


@_family("scale")
def gompertz(shape: Any, scale: Any) -> Law:
    """Return the law whose survival function is ``exp(-shape (exp(x/scale) - 1))``."""
    density = "shape/scale*exp(x/scale + shape - shape*exp(x/scale))"
    return _on_half_line("gompertz", density, shape=shape, scale=scale)


@_family("mean", "shape")
def invgauss(mean: Any, shape: Any) -> Law:
    """Return the inverse Gaussian (Wald) law with a mean, and the variance ``mean^3/shape``."""
    density = "sqrt(shape/(2*pi))*x^(-3/2)*exp(-shape*(x - mean)^2/(2*mean^2*x))"
    return _on_half_line("invgauss", density, mean=mean, shape=shape)


@_family("mu", "sigma", "low", "high")
def truncnormal(mu: Any, sigma: Any, low: Any, high: Any) -> Law:
    """Return the law of ``N(mu, sigma^2)``, given that it lies between ``low`` and ``high``, 0 <= low < high <= oo."""
    m, sd = _finite("truncnormal", "mu", mu), _positive("truncnormal", "sigma", sigma)
    bell = "exp(-(x - mu)^2/(2*sigma^2))/(sigma*sqrt(2*pi))"
    if exact(high, place="truncnormal.high") is sympy.oo:
        a, b = _nonnegative("truncnormal", "low", low), sympy.oo
        share, letters = "Phi((mu - low)/sigma)", dict[str, Expr](mu=m, sigma=sd, low=a)
    else:
        a, b = _ascending("truncnormal", low=low, high=high)
        share = "Phi((high - mu)/sigma) - Phi((low - mu)/sigma)"
        letters = dict[str, Expr](mu=m, sigma=sd, low=a, high=b)
    try:
        return Law((Spread(a, b, _density("truncnormal", f"{bell}/({share})", **letters)),))
    except SpecError:  # the share is divided by, and all else was read before
        problem = f"truncnormal: the normal law of mean {m} and sd {sd} is not seen to reach ({a}, {b})"
        raise SpecError(problem, "So far out it is nearly exponential: write such a law.") from None


@_family()
def beta(alpha: Any, beta_: Any) -> Law:
    """Return the Beta law on (0, 1)."""
    density = "x^(alpha - 1)*(1 - x)^(beta_ - 1)*gamma(alpha + beta_)/(gamma(alpha)*gamma(beta_))"
    return _on_unit("beta", density, alpha=alpha, beta_=beta_)


@_family()
def kumaraswamy(a: Any, b: Any) -> Law:
    """Return the law on (0, 1) whose distribution function is ``1 - (1 - x^a)^b``."""
    return _on_unit("kumaraswamy", "a*b*x^(a - 1)*(1 - x^a)^(b - 1)", a=a, b=b)


@_family()
def arcsine() -> Law:
    """Return the arcsine law on (0, 1), which is Beta(1/2, 1/2)."""
    return _on_unit("arcsine", "1/(pi*sqrt(x)*sqrt(1 - x))")


@_family()
def logitnormal(mu: Any, sigma: Any) -> Law:
    """Return the law on (0, 1) whose log-odds are ``N(mu, sigma^2)``."""
    density = "exp(-(log(x/(1 - x)) - mu)^2/(2*sigma^2))/(sigma*sqrt(2*pi)*x*(1 - x))"
    return _on_unit("logitnormal", density, mu=mu, sigma=sigma)


@_family("value")
def known(value: Any) -> Law:
    """Return the law of a known cost."""
    return known_value(exact(value, place="known.value"), "known.value")


def chi2(degrees: Any) -> Law:
    """Return the law of the sum of so many squares of independent ``N(0, 1)``: a Gamma law."""
    return gamma(exact(degrees, place="chi2.degrees") / 2, 2)


def erlang(count: Any, scale: Any = 1) -> Law:
    """Return the law of the sum of so many independent exponential quantities with one mean: a Gamma law."""
    n = exact(count, place="erlang.count")
    if n.is_integer is False or n.is_nonpositive:
        raise SpecError(f"erlang.count = {n} is not a whole number from 1 on", "For others write gamma.")
    return gamma(n, scale)


def levy(scale: Any = 1) -> Law:
    """Return the law of ``scale/X^2`` for X of the law ``N(0, 1)``: an inverse Gamma law."""
    return invgamma(S.Half, exact(scale, place="levy.scale") / 2)


def nakagami(shape: Any, spread: Any = 1) -> Law:
    """Return the law of the root of what has the Gamma law with this shape and the mean ``spread``."""
    m, w = _positive("nakagami", "shape", shape), _positive("nakagami", "spread", spread)
    return gengamma(m, 2, sympy.sqrt(w / m))


def known_value(value: Expr, place: str) -> Law:
    """Return the law of a positive number.

    Raises:
        SpecError: if the value is not positive and finite.
    """
    if not (value.is_positive and value.is_finite is not False) or value.has(x):
        raise SpecError(
            f"{place} = {value} is not a cost",
            "A known cost is a positive, finite number; a law is written as in exponential(2).",
        )
    return Law(masses=(Mass(value, S.One),))


def _on_half_line(name: str, density: str, **parameters: Any) -> Law:
    return Law((Spread(S.Zero, S.Infinity, _of_positive(name, density, parameters)),))


def _on_unit(name: str, density: str, **parameters: Any) -> Law:
    return Law((Spread(S.Zero, S.One, _of_positive(name, density, parameters)),))


def _of_positive(name: str, density: str, parameters: dict[str, Any]) -> Expr:
    """Return a density whose parameters are all positive, but for ``mu``, which is any number."""
    read = {
        key: _finite(name, key, value) if key == "mu" else _positive(name, key, value)
        for key, value in parameters.items()
    }
    return _density(name, density, **read)


def _density(name: str, density: str, **parameters: Expr) -> Expr:
    """Write a density; the grammar bounds what its parameters may make of it."""
    found = parse(density, place=f"the density of {name}", names={"x": x, **parameters})
    constant, rest = found.as_independent(x, as_Add=False)
    if not constant.has(sympy.gamma):
        return found
    return min(constant, sympy.gammasimp(constant), key=sympy.count_ops) * rest  # of Gamma(2 a) it is longer


def _finite(name: str, key: str, value: Any) -> Expr:
    read = exact(value, place=f"{name}.{key}")
    if read.is_finite is False or read.is_real is False:
        raise SpecError(
            f"{name}.{key} = {read} is not a finite number", "The parameters of a law are numbers."
        )
    if read.has(x):
        raise SpecError(
            f"{name}.{key} = {read} holds the letter x", "It is that of the density: take another."
        )
    return read


def _positive(name: str, key: str, value: Any) -> Expr:
    read = _finite(name, key, value)
    if read.is_nonpositive:
        raise SpecError(f"{name}.{key} = {read} is not positive", "Give a positive number or a parameter.")
    return read


def _nonnegative(name: str, key: str, value: Any) -> Expr:
    read = _finite(name, key, value)
    if read.is_negative:
        raise SpecError(f"{name}.{key} = {read} is negative", "Costs and proportions are at least 0.")
    return read


def _ascending(name: str, low: Any, high: Any) -> tuple[Expr, Expr]:
    a, b = _nonnegative(name, "low", low), _finite(name, "high", high)
    _require_order(name, "low", a, "high", b)
    return a, b


def _require_order(name: str, first: str, low: Expr, second: str, high: Expr, *, strict: bool = True) -> None:
    """Refuse ends that certainly descend; where that depends on the parameters, the law states it as a fact."""
    if nonnegative(low - high) if strict else positive(low - high):
        raise SpecError(
            f"{name}.{first} = {low} is not below {name}.{second} = {high}",
            "Write the lower end first; equal ends mean a known value.",
        )


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
        lomax,
        betaprime,
        maxwell,
        gompertz,
        invgauss,
        truncnormal,
        invgamma,
        loglogistic,
        kumaraswamy,
        arcsine,
        logitnormal,
        burr,
        dagum,
        frechet,
        gengamma,
        loguniform,
        pert,
        known,
    )
}
SYNONYMS: dict[str, Callable[..., Law]] = {  # names of members of families above
    law.__name__: law for law in (chi2, erlang, levy, nakagami)
}
