"""The area under the ROC curve, and why it alone is no scoring rule: the labels may depend on each other.

For labels with ``n1`` ones among n, ``AUC = (1 + y . psi/(n1 (n - n1)))/2`` with the psi of the rule of ranks. The
factor depends on the labels, so the loss is not linear in them, unless n1 is known beforehand.

Source: Parry (2016), section 2.5, Eq. (13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Rational, S

from costderive.batch.batch_conclusions import BatchImproperness
from costderive.batch.linear_rules import (
    BatchLoss,
    Forecast,
    RankRule,
    is_forecast,
    net_ranks,
    numbers,
    require_count,
)
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.piecewise import Given
from costderive.derivation.moves.witness import compared
from costderive.proof.claims import Claim, Equal, Move, Positive, Same
from costderive.rules.conclusions import Witness

FEWEST, MAX_LABELS = 4, 1000
Labels = tuple[int, ...]
Law = tuple[tuple[Labels, Expr], ...]


def auc(y_true: ArrayLike, y_proba: ArrayLike) -> float:
    """Return the area under the ROC curve; a tie counts half, and labels of one class alone give 1/2.

    Raises:
        DataError: naming what cannot be scored.

    Example:
        >>> auc([0, 1, 1, 0], [0.1, 0.8, 0.3, 0.3])
        0.875
    """
    loss, ones = RankRule().score(y_true, y_proba), int(np.sum(np.asarray(y_true) == 1))
    pairs = ones * (np.size(y_true) - ones)
    return 0.5 * (1 - loss / pairs) if pairs else 0.5


@dataclass(frozen=True, slots=True)
class AucScore(BatchLoss):
    """The AUC as a loss, ``-AUC``, of a number of instances."""

    instances: int

    def __post_init__(self) -> None:
        require_count(self.instances)

    def exact(self, labels: Iterable[int], forecast: Iterable[Any]) -> Expr:
        return loss_of(tuple(labels), net_ranks(numbers(forecast, self.instances)))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        return -auc(is_one.astype(int), forecast)

    def under(self, law: Law, forecast: Forecast) -> Expr:
        """Return the expected loss of a forecast under a law of all labels together."""
        ranks = net_ranks(forecast)
        return sympy.Add(*[chance * loss_of(labels, ranks) for labels, chance in law])


def loss_of(labels: Labels, ranks: list[int]) -> Expr:
    """Return the AUC as a loss, exactly, of labels and the net ranks of their forecasts."""
    pairs = sum(labels) * (len(labels) - sum(labels))
    dot = sum(one * psi for one, psi in zip(labels, ranks, strict=True))
    return -(1 + Rational(dot, pairs)) / 2 if pairs else -S.Half


@dataclass(frozen=True, slots=True)
class FindDependentLabels(Move):
    """Find labels that depend, and a report that has a larger expected AUC than their probabilities have.

    Either the first instance alone is of class 1, or the next two are, which is a little likelier. Each pair counts for
    more in the first event, as there are fewer.
    """

    def apply(self, before: AucScore, given: Given) -> BatchImproperness:
        rest = (0,) * (before.instances - 3)
        law = (((1, 0, 0, *rest), Rational(12, 25)), ((0, 1, 1, *rest), Rational(13, 25)))
        belief = _probabilities(law)
        report = (Rational(3, 5), *belief[1:])
        found = Witness(belief, report, before.under(law, belief), before.under(law, report))
        return BatchImproperness(before, found, law)

    def claims(self, before: AucScore, after: BatchImproperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        found, law, n = after.witness, after.law, before.instances
        labels = (
            all(len(y) == n and set(y) <= {0, 1} for y, _ in law)
            and len({y for y, _ in law}) == len(law)
            and 0 < len(law) <= MAX_LABELS
        )
        cube = is_forecast(found.belief, n) and is_forecast(found.report, n)
        yield Same(
            "there are different labels of all instances, and two forecasts", (labels, cube), (True, True)
        )
        if not (labels and cube):
            return
        for _, chance in law:
            yield Positive("the chance of labels", chance)
        yield Equal("all chances add up to one", sympy.Add(*[chance for _, chance in law]), S.One)
        for stated, true in zip(found.belief, _probabilities(law), strict=True):
            yield Equal("the belief is the probability of a label", stated, true)
        yield from compared(found, before.under(law, found.belief), before.under(law, found.report))


def _probabilities(law: Law) -> Forecast:
    count = len(law[0][0])
    return tuple(sympy.Add(*[chance for labels, chance in law if labels[n]]) for n in range(count))
