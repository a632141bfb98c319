"""The law of one cost, of the cost proportion or of a budget: densities on intervals of [0, oo), and point masses.

A law is given as a number (a known cost), a pair of bounds (a uniform law), a SymPy random variable,
``Density("6*x*(1-x)", (0, 1))``, a table of values with their probabilities such as ``{1: "1/3", 4: "2/3"}``, by name:
``exponential(mean)``, ``gamma(shape, scale)`` and so on (``NAMED``), as text that calls one of these names:
``"gamma(2, theta)"``, or in words: ``"5 to 20"`` (``PHRASES``). A law that was given by name keeps it, as ``law.name``;
one that was given by its density has none, unless that is constant. A law of infinite total mass is improper:
``Density("1/x", improper=True)``, or ``"improper(1/x, 0, oo)"``.
"""

from costderive.costs.laws.counting_laws import COUNTING, binomial, geometric, poisson
from costderive.costs.laws.expectation import x
from costderive.costs.laws.law import Density, Expectation, ImproperLaw, Infinite, Law, Mass, Name, Spread
from costderive.costs.laws.named_laws import (
    NAMED,
    arcsine,
    beta,
    betaprime,
    exponential,
    gamma,
    gompertz,
    halfnormal,
    invgamma,
    invgauss,
    known,
    kumaraswamy,
    logitnormal,
    loglogistic,
    lognormal,
    lomax,
    maxwell,
    pareto,
    rayleigh,
    triangular,
    truncnormal,
    uniform,
    weibull,
)
from costderive.costs.laws.parse_laws import (
    cost_law_in,
    is_count,
    law_in,
    law_of,
    part_law_of,
    require_law,
    require_proper,
    share_of,
)
from costderive.costs.laws.phrases import PHRASES, is_in_words
from costderive.costs.laws.quantiles import mean_and_deviation, quantiles

__all__ = [
    "NAMED",
    "PHRASES",
    "Density",
    "Expectation",
    "ImproperLaw",
    "Infinite",
    "Law",
    "Mass",
    "Name",
    "Spread",
    "arcsine",
    "beta",
    "betaprime",
    "COUNTING",
    "binomial",
    "cost_law_in",
    "geometric",
    "poisson",
    "exponential",
    "gamma",
    "gompertz",
    "halfnormal",
    "invgamma",
    "invgauss",
    "is_count",
    "is_in_words",
    "known",
    "kumaraswamy",
    "law_in",
    "law_of",
    "part_law_of",
    "loglogistic",
    "logitnormal",
    "lognormal",
    "lomax",
    "maxwell",
    "mean_and_deviation",
    "pareto",
    "quantiles",
    "require_proper",
    "rayleigh",
    "require_law",
    "share_of",
    "triangular",
    "truncnormal",
    "uniform",
    "weibull",
    "x",
]
