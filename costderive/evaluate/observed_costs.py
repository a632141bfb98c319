"""Contexts from observed pairs of costs: as they are, each pair an atom, or with laws fitted to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray

from costderive.core.errors import DataError
from costderive.core.short_repr import short_repr
from costderive.costs import laws
from costderive.costs.contexts import Context, FixedCosts, Independent, Mixture
from costderive.derivation.derivation import Derivation
from costderive.derivation.derive import derive
from costderive.numeric.checked_data import batch, numbers
from costderive.numeric.end_tables import two_product, two_sum

Array = NDArray[np.float64]
DIGITS = 6  # of a fitted parameter: an exact derivation with all 17 of a double would be unreadable
MOST_ATOMS = 50
VANISHING = 2.0**-200  # a cost beside another, or a cost that need not be scaled


# ---- the pairs as they are


@dataclass(frozen=True, slots=True)
class EmpiricalRule:
    """The scoring rule of observed pairs of costs, all equally likely: both losses are step functions.

    ``thresholds`` are the distinct ``c0/(c0 + c1)``, ascending; ``below`` and ``above`` have one entry more:
    loss 0 of a report that is above the first k thresholds, and its loss 1. A tie counts as class 0.
    """

    thresholds: Array
    below: Array
    above: Array

    __repr__ = short_repr

    def loss0(self, p: ArrayLike) -> Array:
        """Return the mean of the c0 with a threshold below each report."""
        return self._at(self.below, p)

    def loss1(self, p: ArrayLike) -> Array:
        """Return the mean of the c1 with a threshold at or above each report."""
        return self._at(self.above, p)

    def __call__(self, y_true: ArrayLike, y_proba: ArrayLike) -> float:
        """Return the mean loss of predictions: what their mistakes would have cost on average over the pairs.

        Raises:
            DataError: if the predictions cannot be scored.
        """
        data = batch(y_true, y_proba)
        losses = np.where(data.is_one, self.loss1(data.probability), self.loss0(data.probability))
        try:
            return math.fsum(losses) / len(losses)
        except OverflowError:
            return math.fsum(losses / len(losses))

    def _at(self, values: Array, p: ArrayLike) -> Array:
        reports = np.asarray(p, dtype=float)
        wrong = ~((reports >= 0) & (reports <= 1))
        if wrong.any():
            index = int(np.flatnonzero(wrong)[0])
            raise DataError(
                f"p[{index}] = {reports.flat[index]} is not in [0, 1]", "A report is a probability."
            )
        return values[np.searchsorted(self.thresholds, reports, side="left")]


def empirical_rule(costs: ArrayLike) -> EmpiricalRule:
    """Return the rule of observed pairs (c0, c1), an array of shape (n, 2), in the time that sorting takes.

    The threshold of a pair is the double below 1 that is nearest to ``c0/(c0 + c1)``. Losses are right to two units
    in the last place, whatever the sizes of the costs: each is a sum of its own terms, in twice the digits of doubles.

    Raises:
        DataError: naming the first pair that is no pair of costs.

    >>> rule = empirical_rule([(1, 3), (1, 1)])
    >>> rule.loss0([0.25, 0.3, 0.9]), rule.loss1([0.25, 0.3, 0.9])
    (array([0. , 0.5, 1. ]), array([2. , 0.5, 0. ]))
    """
    pairs = _pairs(costs)
    shares = _thresholds(pairs[:, 0], pairs[:, 1])
    order = np.argsort(shares, kind="stable")
    places, first = np.unique(shares[order], return_index=True)
    below = _running_means(pairs[order, 0])
    above = _running_means(pairs[order[::-1], 1])[::-1]  # no total less a part: that would cancel
    at = np.append(first, len(pairs))
    return EmpiricalRule(places, below[at], above[at])


def _thresholds(c0: Array, c1: Array) -> Array:
    """Return ``c0/(c0 + c1)``: divided, and then corrected by what is left of c0 (Dekker's product)."""
    exponents = np.frexp(np.maximum(c0, c1))[1]
    with np.errstate(under="ignore"):  # where a cost vanishes beside the other, the ratio is used
        a, b = np.ldexp(c0, -exponents), np.ldexp(c1, -exponents)
        ratio = np.where(c0 < c1, c0 / np.maximum(c0, c1), 1.0)
    total, rest = two_sum(a, b)
    share = a / total
    product, error = two_product(share, total)
    share += (((a - product) - error) - share * rest) / total
    found = np.where(np.minimum(a, b) > VANISHING, share, ratio)
    return np.minimum(found, np.nextafter(1.0, 0.0))


def _running_means(costs: Array) -> Array:
    """Return the sums of the first 0, 1, ... costs, each divided by the number of all."""
    count, room = len(costs), len(costs).bit_length()
    if costs.max() < 2.0 ** (1023 - room):
        return _running_sums(costs) / count
    is_tiny = costs < VANISHING  # which scaling would round
    scaled = _running_sums(np.ldexp(np.where(is_tiny, 0.0, costs), -room))
    return np.ldexp(scaled / count, room) + _running_sums(np.where(is_tiny, costs, 0.0)) / count


def _running_sums(costs: Array) -> Array:
    """Return the sums of the first 0, 1, ... costs, by doubling, in pairs of doubles that are rounded at the end.

    Source: Hillis and Steele (1986); Dekker (1971).
    """
    high, low = np.append(0.0, costs), np.zeros(len(costs) + 1)
    step = 1
    while step < len(high):
        total, error = two_sum(high[step:], high[:-step])
        error += low[step:] + low[:-step]
        high[step:] = total + error
        low[step:] = error - (high[step:] - total)
        step *= 2
    return high


def empirical_context(costs: ArrayLike) -> Context:
    """Return a few observed pairs as a cost context, each with the same probability, to derive and prove its rule.

    Raises:
        DataError: if a pair is no pair of costs, or there are more than 50: `empirical_rule` takes any number.
    """
    pairs = _pairs(costs)
    if len(pairs) > MOST_ATOMS:
        raise DataError(
            f"{len(pairs)} pairs are too many for a proof", "Use empirical_rule for their losses."
        )
    contexts = [FixedCosts(float(c0), float(c1)) for c0, c1 in pairs]
    return Mixture(*[(f"1/{len(pairs)}", context) for context in contexts])


def _pairs(costs: ArrayLike) -> Array:
    try:
        pairs = numbers("costs", costs)
    except DataError as error:
        raise DataError(f"costs are not numbers: {error.problem}", error.remedy) from None
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs):
        raise DataError(
            f"costs have the shape {pairs.shape}", "Give an array of pairs (c0, c1), shape (n, 2)."
        )
    wrong = ~(np.isfinite(pairs) & (pairs > 0)).all(axis=1)
    if wrong.any():
        index = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"costs[{index}] = {pairs[index].tolist()} is no pair of costs", "Costs are positive and finite."
        )
    return pairs


# ---- laws fitted to the pairs


@dataclass(frozen=True, slots=True)
class FittedLaw:
    """A named law with its parameters of greatest likelihood, and Akaike's criterion (less is better)."""

    name: str
    parameters: tuple[float, ...]
    log_likelihood: float

    __repr__ = short_repr

    @property
    def aic(self) -> float:
        """Twice the number of parameters less twice the logarithm of the likelihood."""
        return 2 * len(self.parameters) - 2 * self.log_likelihood

    @property
    def law(self) -> laws.Law:
        """The law, with its parameters rounded to six digits."""
        build: Any = laws.NAMED[self.name]
        return build(*[f"{value:.{DIGITS}g}" for value in self.parameters])  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class FittedContext:
    """Independent costs with fitted laws, the best first; ``correlation`` is that of the logarithms of the pairs.

    A correlation far from 0 says that independence, which was assumed, does not hold.
    """

    c0: tuple[FittedLaw, ...]
    c1: tuple[FittedLaw, ...]
    correlation: float

    __repr__ = short_repr

    @property
    def context(self) -> Independent:
        """The context of the best laws."""
        return Independent(c0=self.c0[0].law, c1=self.c1[0].law)

    @property
    def aic(self) -> float:
        """Akaike's criterion of the best laws together."""
        return self.c0[0].aic + self.c1[0].aic

    def derive(self) -> Derivation:
        """Derive the rule of the best laws."""
        return derive(self.context)


def fit_context(costs: ArrayLike) -> FittedContext:
    """Fit named laws to observed pairs (c0, c1), an array of shape (n, 2), by greatest likelihood.

    Each cost gets its own law: exponential, gamma, log-normal, Weibull, half-normal, Rayleigh, uniform or Pareto.

    Raises:
        DataError: naming the first pair that is no pair of costs; or if a cost never varies.

    Source: Akaike (1974).
    """
    pairs = _pairs(costs)
    for column, name in ((pairs[:, 0], "c0"), (pairs[:, 1], "c1")):
        if len(pairs) < 3 or np.ptp(column) == 0:
            raise DataError(f"{len(pairs)} pairs do not show how {name} varies", "A known cost needs no law.")
    logs = np.log(pairs)
    correlation = float(np.corrcoef(logs[:, 0], logs[:, 1])[0, 1])
    return FittedContext(_fitted(pairs[:, 0]), _fitted(pairs[:, 1]), correlation)


def _fitted(cost: Array) -> tuple[FittedLaw, ...]:
    found = [FittedLaw(name, *fit(cost)) for name, fit in FITS.items()]
    return tuple(sorted(found, key=lambda law: law.aic))


Fit = tuple[tuple[float, ...], float]


def _exponential(cost: Array) -> Fit:
    mean = float(cost.mean())
    return (mean,), -len(cost) * (np.log(mean) + 1)


def _gamma(cost: Array) -> Fit:
    """The likelihood is greatest where ``log(shape) - digamma(shape) = log(mean) - mean(log)``."""
    n, mean, logs = len(cost), float(cost.mean()), float(np.log(cost).mean())
    gap = np.log(mean) - logs
    start = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    shape = float(mpmath.findroot(lambda k: mpmath.log(k) - mpmath.psi(0, k) - gap, start))
    scale = mean / shape
    fit = (shape - 1) * logs - mean / scale - shape * np.log(scale) - float(mpmath.loggamma(shape))
    return (shape, scale), n * fit


def _lognormal(cost: Array) -> Fit:
    logs = np.log(cost)
    mu, sigma = float(logs.mean()), float(logs.std())
    return (mu, sigma), -len(cost) * (mu + np.log(sigma * np.sqrt(2 * np.pi)) + 0.5)


def _weibull(cost: Array) -> Fit:
    """The likelihood is greatest where ``sum x^k log x/sum x^k - 1/k = mean(log x)``, which rises in k: bisect."""
    unit = cost / cost.max()  # so that no power overflows
    logs = np.log(unit)

    def excess(shape: float) -> float:
        powers = unit**shape
        return float((powers * logs).sum() / powers.sum() - 1 / shape - logs.mean())

    low, high = 1e-3, 1.0
    while excess(high) < 0 and high < 1e6:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    shape = (low + high) / 2
    scale = float((unit**shape).mean() ** (1 / shape) * cost.max())
    terms = np.log(shape / scale) + (shape - 1) * np.log(cost / scale) - (cost / scale) ** shape
    return (shape, scale), float(terms.sum())


def _halfnormal(cost: Array) -> Fit:
    scale = float(np.sqrt((cost**2).mean()))
    return (scale,), len(cost) * (np.log(np.sqrt(2 / np.pi) / scale) - 0.5)


def _rayleigh(cost: Array) -> Fit:
    scale = float(np.sqrt((cost**2).mean() / 2))
    return (scale,), float(np.log(cost / scale**2).sum()) - len(cost)


def _uniform(cost: Array) -> Fit:
    low, high = float(cost.min()), float(cost.max())
    return (low, high), -len(cost) * np.log(high - low)


def _pareto(cost: Array) -> Fit:
    low = float(cost.min())
    logs = np.log(cost / low)
    shape = float(1 / logs.mean())
    return (shape, low), float((np.log(shape / low) - (shape + 1) * logs).sum())


FITS: dict[str, Callable[[Array], Fit]] = {
    "exponential": _exponential,
    "gamma": _gamma,
    "lognormal": _lognormal,
    "weibull": _weibull,
    "halfnormal": _halfnormal,
    "rayleigh": _rayleigh,
    "uniform": _uniform,
    "pareto": _pareto,
}
