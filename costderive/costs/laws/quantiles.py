"""Laws from what people know of a cost: some of its quantiles, or its mean and its standard deviation."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from sympy import Expr, Rational, S, log, sqrt

from costderive.core.errors import SpecError
from costderive.core.expressions import exact
from costderive.costs.laws.law import Law, Spread
from costderive.costs.laws.named_laws import lognormal, uniform
from costderive.deciders.signs import nonnegative, positive

WAYS = (
    "Give two quantiles between 0 and 1, for a log-normal law through both, or also those of 0 and 1, which are the "
    "least and the greatest value, for a law that is uniform between neighbours."
)


def quantiles(values: Mapping[Any, Any]) -> Law:
    """Return a law with given quantiles: ``{0.5: 10, 0.9: 50}`` has median 10, and is below 50 nine times in ten.

    The keys are probabilities in [0, 1], the values costs that increase with them. Two quantiles inside (0, 1) give the
    log-normal law through both, its ``sigma`` a number with nine digits. If the quantiles of 0
    and 1 are among them, which are the least and the greatest cost, the law is uniform between neighbours, with exactly
    the quantiles given; two alone make it the uniform law.

    Raises:
        SpecError: for other probabilities, values that do not increase, or a value that is not positive where a
            log-normal law needs one.

    >>> from costderive.laws import quantiles
    >>> print(round(quantiles({0.5: 10, 0.9: 50}).quantile(0.9), 1))
    50.0
    """
    places = {key: f"quantiles: the value of {key}" for key in values}
    pairs = [
        (exact(key, place="quantiles: probability"), exact(values[key], place=places[key])) for key in values
    ]
    pairs.sort(key=lambda pair: _probability(pair[0]))
    for (_, low), (share, high) in pairwise(pairs):
        if positive(high - low) is None:
            raise SpecError(
                f"quantiles: {high}, the quantile of {share}, is not known to be above {low}",
                "Quantiles increase with their probability.",
            )
    inside = [pair for pair in pairs if 0 < pair[0] < 1]
    if len(pairs) - len(inside) == 2:
        return _between(pairs)
    if len(pairs) == len(inside) == 2:
        return _log_normal(*inside)
    raise SpecError(f"quantiles of {', '.join(str(share) for share, _ in pairs) or 'nothing'}", WAYS)


def mean_and_deviation(mean: Any, deviation: Any) -> Law:
    """Return the log-normal law with a mean and a standard deviation, both positive.

    Of numbers the mean is exact, and the standard deviation right to nine digits, as ``sigma`` is.

    Raises:
        SpecError: if one of them is not.
    """
    m, sd = (
        _positive(exact(value, place=name), name)
        for value, name in ((mean, "mean"), (deviation, "deviation"))
    )
    sigma = _nine_digits(sqrt(log(1 + (sd / m) ** 2)))
    return lognormal(log(m) - sigma**2 / 2, sigma)


def _probability(share: Expr) -> Expr:
    if not (share.is_number and 0 <= share <= 1):
        raise SpecError(f"quantiles: {share} is not a probability", "Probabilities are in [0, 1].")
    return share


def _positive(value: Expr, name: str) -> Expr:
    if positive(value) is None:
        raise SpecError(f"the {name} {value} of a cost is not positive", "Costs are positive.")
    return value


def _log_normal(lower: tuple[Expr, Expr], upper: tuple[Expr, Expr]) -> Law:
    (share, low), (other, high) = lower, upper
    _positive(low, f"quantile of {share}")
    if share + other == 1:  # the median lies between them
        return lognormal(log(low * high) / 2, _nine_digits(log(high / low) / (2 * _normal_quantile(other))))
    sigma = _nine_digits(log(high / low) / (_normal_quantile(other) - _normal_quantile(share)))
    return lognormal(log(low) - _normal_quantile(share) * sigma, sigma)


def _normal_quantile(share: Expr) -> Expr:
    """Return the quantile of the standard normal law with nine digits, as a fraction; that of 1/2 is 0."""
    return S.Zero if share == S.Half else Rational(f"{NormalDist().inv_cdf(float(share)):.8e}")


def _nine_digits(sigma: Expr) -> Expr:
    """Round a number: more digits say nothing of what people know, and make long formulas of logarithms."""
    return Rational(f"{float(sigma):.8e}") if sigma.is_number else sigma


def _between(pairs: list[tuple[Expr, Expr]]) -> Law:
    """Return the law that is uniform between neighbouring quantiles."""
    (_, low), *_, (_, high) = pairs
    if nonnegative(low) is None:
        raise SpecError(f"quantiles: the least value {low} is negative", "Costs are at least 0.")
    if len(pairs) == 2:
        return uniform(low, high)
    return Law(tuple(Spread(a, b, (q - r) / (b - a)) for (r, a), (q, b) in pairwise(pairs)))
