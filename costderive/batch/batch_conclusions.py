"""What a derivation of a rule of a batch arrives at."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.batch.linear_rules import BatchLoss, Forecast
from costderive.rules.conclusions import Improper, Proper, Witness


@dataclass(frozen=True, slots=True)
class BatchProperness(Proper):
    """No report has a smaller expected loss than the probabilities of the labels; if ``strict``, no other has the same.

    ``flat`` are two forecasts with the same loss whatever the labels, if such were found.
    """

    losses: BatchLoss
    strict: bool
    flat: tuple[Forecast, Forecast] | None = None


@dataclass(frozen=True, slots=True)
class BatchImproperness(Improper):
    """The rule is not proper, as a witness shows; ``law`` are labels with their probabilities, if they depend."""

    losses: BatchLoss
    witness: Witness
    law: tuple[tuple[tuple[int, ...], Expr], ...] = ()
