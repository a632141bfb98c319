"""Frozen laws of ``scipy.stats`` in the words of ``costderive.laws``; SciPy itself is not needed to read them.

Source: the densities in the reference of ``scipy.stats``, with its ``loc`` and ``scale``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.costs.laws import named_laws as laws
from costderive.costs.laws.law import Law


def _generalised_pareto(c: Expr) -> Law:
    """Of a positive shape it is a Lomax law, at 0 the exponential one, and of a negative shape a Beta law, scaled."""
    if c == 0:
        return laws.exponential(1)
    return laws.lomax(1 / c, 1 / c) if c.is_positive else laws.beta(1, -1 / c).scaled(-1 / c)


STANDARD: Mapping[str, Callable[..., Law]] = {  # with loc = 0 and scale = 1
    "uniform": lambda: laws.uniform(0, 1),
    "expon": lambda: laws.exponential(1),
    "gamma": lambda a: laws.gamma(a, 1),
    "beta": laws.beta,
    "lognorm": lambda s: laws.lognormal(0, s),
    "weibull_min": lambda c: laws.weibull(c, 1),
    "pareto": lambda b: laws.pareto(b, 1),
    "lomax": lambda c: laws.lomax(c, 1),
    "betaprime": lambda a, b: laws.betaprime(a, b, 1),
    "maxwell": lambda: laws.maxwell(1),
    "gompertz": lambda c: laws.gompertz(c, 1),
    "invgauss": lambda mu: laws.invgauss(mu, 1),
    "chi2": lambda df: laws.gamma(df / 2, 2),
    "triang": lambda c: laws.triangular(0, c, 1),
    "rayleigh": lambda: laws.rayleigh(1),
    "halfnorm": lambda: laws.halfnormal(1),
    "fisk": lambda c: laws.loglogistic(1, c),
    "invgamma": lambda a: laws.invgamma(a, 1),
    "arcsine": laws.arcsine,
    "burr": lambda c, d: laws.dagum(c, d, 1),
    "burr12": lambda c, d: laws.burr(c, d, 1),
    "chi": lambda df: laws.gengamma(df / 2, 2, sympy.sqrt(2)),
    "erlang": lambda a: laws.gamma(a, 1),
    "gengamma": lambda a, c: laws.gengamma(a, c, 1),
    "genpareto": _generalised_pareto,
    "mielke": lambda k, s: laws.dagum(s, k / s, 1),
    "invweibull": lambda c: laws.frechet(c, 1),
    "levy": laws.levy,
    "loguniform": laws.loguniform,
    "nakagami": laws.nakagami,
    "powerlaw": lambda a: laws.beta(a, 1),
    "reciprocal": laws.loguniform,
}
WITH_PLACE: Mapping[str, Callable[..., Law]] = {  # whose standard law has negative values
    "truncnorm": lambda a, b, loc, scale: laws.truncnormal(loc, scale, loc + a * scale, loc + b * scale),
}
READ = (*STANDARD, *WITH_PLACE)


def from_scipy(frozen: Any, place: str) -> Law:
    """Return the law that a frozen law of SciPy is; its numbers are taken as the decimals that they are printed as.

    Raises:
        SpecError: if no law here has its name, or a number is not one that a law can have.
    """
    _require_known(frozen, place)
    name = frozen.dist.name
    numbers = _numbers(frozen, place)
    try:
        return _placed(name, **numbers)
    except SpecError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None


def _require_known(found: Any, place: str) -> None:
    """Refuse what is no frozen law with a name here: empirical laws, discrete ones, others, laws without numbers."""
    dist = getattr(found, "dist", None)
    name = getattr(dist or found, "name", type(found).__name__)
    if dist is None and (hasattr(found, "_histogram") or not hasattr(found, "freeze")):
        raise SpecError(
            f"{place} is a {type(found).__name__} of scipy.stats, which has no formula",
            'Give values with their probabilities, {1: "1/2", 3: "1/2"}, or fit a law with a name.',
        )
    if dist is None:
        raise SpecError(
            f"{place} is the law {name} of scipy.stats without its numbers", f"Freeze it: {name}(...)."
        )
    if hasattr(dist, "pmf") and name not in READ:
        raise SpecError(
            f"{place} is the law {name} of scipy.stats, which is discrete",
            'Write a law of counts, "binomial(4, 1/3)", "poisson(3, 20)" or "geometric(1/3, 20)", the last two with'
            ' the largest count, or values with their probabilities, {1: "1/2", 3: "1/2"}.',
        )
    if name not in READ:
        raise SpecError(
            f"{place} is the law {name} of scipy.stats, which has no name in costderive.laws",
            "Give its density and support as a Density, if it has no values below 0. "
            f"Laws of SciPy that are read: {', '.join(READ)}.",
        )


def _placed(name: str, loc: Expr, scale: Expr, **shapes: Expr) -> Law:
    if name in WITH_PLACE:
        return WITH_PLACE[name](loc=loc, scale=scale, **shapes)
    found = STANDARD[name](*shapes.values()).scaled(scale)
    return found if loc == 0 else found.moved(1, loc)


def _numbers(frozen: Any, place: str) -> dict[str, Expr]:
    """Return the numbers of a frozen law by name, its shapes first, then ``loc`` and ``scale``."""
    names = [*filter(None, map(str.strip, (frozen.dist.shapes or "").split(","))), "loc", "scale"]
    given = {"loc": 0, "scale": 1} | dict(zip(names, frozen.args, strict=False)) | frozen.kwds
    return {name: exact(_plain(given[name]), place=f"{place}: {name}") for name in names}


def _plain(number: Any) -> Any:
    return number.item() if getattr(number, "size", 0) == 1 else number
