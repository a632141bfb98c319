"""Labels for which the AUC is a scoring rule after all: independent ones, and those whose number of ones is known.

With n1 ones among n labels, ``-AUC = -1/2 - sum over i < j of sign(w_i - w_j) (y_i - y_j)/(2 n1 (n - n1))``. So a pair
counts if its labels differ, with the weight ``1/(n1 (n - n1))``, which depends on all labels. Where the mean of that
weight is the same whichever of the two is the 1, forecasts that rank each pair by its probabilities expect least.

Source: Parry (2016), section 2.5, and Byrne (2016), whom it cites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sympy
from sympy import Expr

from costderive.batch.auc import auc, loss_of
from costderive.batch.batch_conclusions import BatchProperness
from costderive.batch.batch_moves import are_ranked_alike, ranked_alike
from costderive.batch.linear_rules import BatchLoss, net_ranks, numbers, quoted, require_count
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.piecewise import Given
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Same

_g, _k, _m = sympy.symbols("_g _k _m", positive=True)
_first, _second, _both = sympy.symbols("_first _second _both", nonnegative=True)


class Labels(StrEnum):
    """What is known of the labels: that they are independent, or how many of them are 1."""

    INDEPENDENT = "independent"
    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class AucAmong(BatchLoss):
    """The AUC as a loss, ``-AUC``, of labels that are independent or counted."""

    labels: Labels
    instances: int | None = None

    def __post_init__(self) -> None:
        require_count(self.instances)

    @property
    def scope(self) -> str:
        known = {
            Labels.INDEPENDENT: "of labels that are independent",
            Labels.COUNTED: "of labels of which it is known how many are 1",
        }
        return known[self.labels]

    def exact(self, labels: Iterable[int], forecast: Iterable[Any]) -> Expr:
        return loss_of(tuple(labels), net_ranks(numbers(forecast, self.instances)))

    def _score(self, is_one: NDArray[np.bool_], forecast: Array) -> float:
        return -auc(is_one.astype(int), forecast)

    def of_pair(self) -> tuple[Expr, Expr, Expr, Expr]:
        """Return the probabilities of two labels, and the chance that the one and the other alone is 1.

        Chances are weighed: each times g, the mean of the pair's weight if the labels differ that way. It is the same g
        both ways: of independent labels it is a mean over the others, of counted ones a number.
        """
        q, r = quoted(0), quoted(1)
        if self.labels is Labels.INDEPENDENT:
            return q, r, q * (1 - r) * _g, r * (1 - q) * _g
        return _first + _both, _second + _both, _first * _g, _second * _g


@dataclass(frozen=True, slots=True)
class SumOverWeighedPairs(Move):
    """The expected AUC is a sum over pairs of instances, and each pair is proper.

    With s the sign of ``w_i - w_j``, the pair expects the loss ``-s g (q_i - q_j)/2``, which is at least
    ``-g |q_i - q_j|/2``, what it expects of the truth.
    """

    def apply(self, before: AucAmong, given: Given) -> BatchProperness:
        return BatchProperness(before, False, ranked_alike(before.instances))

    def claims(self, before: AucAmong, after: BatchProperness, given: Given) -> Iterator[Claim]:
        yield Same("the rule is the one before", before, after.losses)
        yield Positive("the weight of a pair is positive", 1 / (_k * _m))
        q, r, first, second = before.of_pair()
        yield Equal(
            "a pair is right more often by the difference of its labels", first - second, _g * (q - r)
        )
        for larger, smaller in ((q, r), (r, q)):
            for sign in (-1, 0, 1):
                expected, truth = -sign * (first - second) / 2, -_g * (larger - smaller) / 2
                yield NonNegative(
                    "a pair expects least of the truth", expected - truth, None, (larger - smaller,)
                )
        yield Same("the rule is not strictly proper", after.strict, False)
        yield Same("two forecasts have the same loss", are_ranked_alike(before, after.flat), True)
