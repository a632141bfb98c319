"""The experiment behind every rule: draw costs, set the threshold they ask for, add up what the mistakes cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, np
from costderive.core.short_repr import short_repr
from costderive.costs.contexts import Context
from costderive.costs.contexts.context import whole_number
from costderive.costs.thresholds import ThresholdedContext
from costderive.evaluate.tally import Tally
from costderive.numeric.checked_data import batch


@dataclass(frozen=True, slots=True)
class Simulation:
    """The mean total cost per instance over random costs, its standard error, and the number of draws."""

    mean: float
    standard_error: float
    draws: int

    __repr__ = short_repr


def simulate(
    context: Context,
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    draws: int = 100_000,
    seed: int | None = None,
    pos_label: Any = None,
) -> Simulation:
    """Return the mean over random cost pairs of the total cost per instance, in the units of the costs.

    For each pair (c0, c1) drawn from the context the classifier predicts class 1 where its probability is above
    ``t = c0/(c0 + c1)``, and pays c0 for each instance of class 0 and c1 for each of class 1 that it gets wrong.
    The mean loss of the context's scoring rule is the expectation of this. (The context of a derivation at a
    threshold of its own decides at that one.) Where the expected cost of a mistake is infinite (harmonic costs), so
    may be the variance: then the standard error says little.

    ``y_true`` has shape (n,), ``y_proba`` shape (n,) or (n, 2); ``draws`` is at least 2.

    Raises:
        DataError: if the predictions cannot be scored, or ``draws`` is below 2.
        ParametersLeftError: if a parameter of the context has no number.

    Source: Hernandez-Orallo, Flach and Ferri (2012), section 2.

    Example:
        >>> from costderive import FixedCosts
        >>> simulate(FixedCosts(c0=1, c1=3), [0, 0, 1, 1], [0.1, 0.3, 0.2, 0.9], draws=10, seed=0).mean
        1.0
    """
    if not isinstance(context, Context):
        raise DataError(
            f"{context!r} is no context of two classes", "Draw costs of K classes with its method sample."
        )
    data = batch(y_true, y_proba, pos_label)
    tally = Tally.of(data.probability, data.is_one)
    return simulated(context, (tally,), (1 / len(data), 1 / len(data)), draws=draws, seed=seed)[0]


def simulated(
    context: Context,
    tallies: tuple[Tally, ...],
    weights: tuple[float, float],
    *,
    draws: int,
    seed: int | None,
) -> tuple[Simulation, ...]:
    """Return the simulation of each model, all with the same costs.

    An instance of class k counts ``weights[k]``: one over their number, for a mean.
    """
    draws = whole_number(draws, "draws", least=2)  # a standard error needs two
    seed = int(np.random.default_rng().integers(2**63)) if seed is None else seed
    c0, c1 = context.sample(draws, seed)
    if isinstance(context, ThresholdedContext):
        threshold = context.sample_thresholds(draws, seed)
    else:
        threshold = _thresholds(c0, c1)
    costs = c0 * weights[0], c1 * weights[1]
    return tuple(_one(tally, costs, threshold) for tally in tallies)


def _one(tally: Tally, costs: tuple[Array, Array], threshold: Array) -> Simulation:
    false_ones, false_zeros = tally.mistakes(threshold)
    totals = costs[0] * false_ones + costs[1] * false_zeros
    return Simulation(float(totals.mean()), float(totals.std(ddof=1) / np.sqrt(len(totals))), len(totals))


def _thresholds(c0: Array, c1: Array) -> Array:
    """Return ``c0/(c0 + c1)``, just below 1 where c1 = 0, as class 1 is predicted at 1 at any costs.

    Where both costs are 0 no threshold matters, and 1/2 stands for any.
    """
    total = c0 + c1
    found = np.divide(c0, total, out=np.full_like(total, 0.5), where=total > 0)
    return np.where(found == 1, np.nextafter(1.0, 0.0), found)
