"""Contexts from observed pairs of costs: as they are, each pair an atom, or with laws fitted to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
from numpy.typing import ArrayLike, NDArray

from costderive import laws
from costderive.contexts import Context, FixedCosts, Independent, Mixture
from costderive.derivation import Derivation
from costderive.errors import DataError
from costderive.numeric.data import batch
from costderive.walks import derive

Array = NDArray[np.float64]
DIGITS = 6  # of a fitted parameter: an exact derivation with all 17 of a double would be unreadable
MOST_ATOMS = 50


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
        return float(losses.mean())

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

    The threshold of a pair is ``c0/(c0 + c1)`` rounded to a double; sums are kept in extended precision.

    Raises:
        DataError: naming the first pair that is no pair of costs.

    >>> rule = empirical_rule([(1, 3), (1, 1)])
    >>> rule.loss0([0.25, 0.3, 0.9]), rule.loss1([0.25, 0.3, 0.9])
    (array([0. , 0.5, 1. ]), array([2. , 0.5, 0. ]))
    """
    pairs = _pairs(costs)
    shares = pairs[:, 0] / pairs.sum(axis=1)
    order = np.argsort(shares, kind="stable")
    places, first = np.unique(shares[order], return_index=True)
    sums = np.cumsum(np.vstack([(0.0, 0.0), pairs[order]]), axis=0, dtype=np.longdouble) / len(pairs)
    at = np.append(first, len(pairs))
    below, rest = sums[at, 0], sums[-1, 1] - sums[at, 1]
    return EmpiricalRule(places, below.astype(float), rest.astype(float))


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
        pairs = np.asarray(costs, dtype=float)
    except (TypeError, ValueError):
        raise DataError("costs are not numbers", "Give an array of pairs (c0, c1).") from None
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
