"""The names of laws in words: how each family is written, and what its parameters are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr

from costderive.costs.laws import Law


@dataclass(frozen=True, slots=True)
class Family:
    """The words for a family: its word in titles, its symbol before the parameters, and what these are.

    Those of a normal law are its mean and its variance, which is what ``shown`` makes of the arguments.
    """

    title: str
    symbol: str = ""
    remark: str = ""
    shown: Callable[..., tuple[Expr, ...]] = lambda *arguments: arguments

    @property
    def with_article(self) -> str:
        """The word after an indefinite article."""
        return f"{'an' if self.title[0] in 'aei' else 'a'} {self.title}"


def _normal(mu: Expr, sigma: Expr) -> tuple[Expr, ...]:
    return mu, sigma**2


FAMILIES: Mapping[str, Family] = {
    "uniform": Family("uniform"),
    "exponential": Family("exponential"),
    "gamma": Family("Gamma", "Gamma", "shape and scale"),
    "beta": Family("Beta", "Beta"),
    "lognormal": Family("log-normal", "LogNormal", "mean and variance of the logarithm", _normal),
    "triangular": Family("triangular"),
    "halfnormal": Family("half-normal", "HalfNormal", "standard deviation of the normal law"),
    "rayleigh": Family("Rayleigh", "Rayleigh", "scale"),
    "weibull": Family("Weibull", "Weibull", "shape and scale"),
    "pareto": Family("Pareto", "Pareto", "shape and minimum"),
    "lomax": Family("Lomax", "Lomax", "shape and scale"),
    "betaprime": Family("Beta prime", "BetaPrime", "two shapes and scale"),
    "maxwell": Family("Maxwell", "Maxwell", "scale"),
    "gompertz": Family("Gompertz", "Gompertz", "shape and scale"),
    "invgauss": Family("inverse Gaussian", "InverseGaussian", "mean and shape"),
    "truncnormal": Family(
        "truncated normal", "TruncatedNormal", "mean and standard deviation before truncation, and the bounds"
    ),
    "invgamma": Family("inverse Gamma", "InverseGamma", "shape and scale"),
    "loglogistic": Family("log-logistic", "LogLogistic", "median and shape"),
    "kumaraswamy": Family(
        "Kumaraswamy", "Kumaraswamy", "inner and outer exponent of the distribution function"
    ),
    "arcsine": Family("arcsine"),
    "burr": Family("Burr", "Burr", "two shapes and scale of the Burr law of type XII"),
    "dagum": Family("Dagum", "Dagum", "two shapes and scale"),
    "frechet": Family("Fréchet", "Frechet", "shape and scale"),
    "gengamma": Family("generalised Gamma", "GeneralisedGamma", "shape, power and scale"),
    "loguniform": Family("log-uniform", "LogUniform", "bounds"),
    "pert": Family("PERT", "PERT", "lowest, most likely and highest value"),
    "logitnormal": Family("logit-normal", "LogitNormal", "mean and variance of the log-odds", _normal),
}


def family_of(law: Law) -> Family | None:
    """Return the words for the family of a law, or ``None`` if it has no name or is a known cost."""
    return None if law.name is None else FAMILIES.get(law.name.family)


def in_common(first: Law, *others: Law) -> tuple[str, str]:
    """Return the family that laws share and the remark on its parameters, as both stand in a sentence.

    >>> from costderive.costs.laws import beta, gamma
    >>> in_common(gamma(2, 1), gamma(3, 1)), in_common(gamma(2, 1), beta(3, 1))
    (('Gamma ', ' (shape and scale)'), ('', ''))
    """
    family = family_of(first)
    if family is None or any(family_of(law) != family for law in others):
        return "", ""
    return f"{family.title} ", remark_on(family)


def remark_on(family: Family) -> str:
    """Return what the parameters of a family are, in parentheses, if that is not plain."""
    return f" ({family.remark})" if family.remark else ""
