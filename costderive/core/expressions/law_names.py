"""The names of laws, which no parameter has in a text: ``exponential`` alone would be a letter, and no law of costs."""

from __future__ import annotations

from collections.abc import Mapping

LAWS: Mapping[str, str] = {  # with the parameters in their order
    "arcsine": "",
    "beta": "alpha, beta_",
    "betaprime": "alpha, beta_, scale",
    "binomial": "count, probability",
    "burr": "shape, tail, scale",
    "chi2": "degrees",
    "dagum": "shape, head, scale",
    "erlang": "count, scale",
    "exponential": "mean",
    "frechet": "shape, scale",
    "gamma": "shape, scale",
    "gengamma": "shape, power, scale",
    "geometric": "probability, most",
    "gompertz": "shape, scale",
    "halfnormal": "scale",
    "invgamma": "shape, scale",
    "invgauss": "mean, shape",
    "known": "value",
    "kumaraswamy": "a, b",
    "levy": "scale",
    "logitnormal": "mu, sigma",
    "loglogistic": "scale, shape",
    "lognormal": "mu, sigma",
    "loguniform": "low, high",
    "lomax": "shape, scale",
    "maxwell": "scale",
    "nakagami": "shape, spread",
    "pareto": "shape, minimum",
    "pert": "low, mode, high",
    "poisson": "mean, most",
    "rayleigh": "scale",
    "triangular": "low, mode, high",
    "truncnormal": "mu, sigma, low, high",
    "uniform": "low, high",
    "weibull": "shape, scale",
}
