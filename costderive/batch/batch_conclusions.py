"""What a derivation of a rule of a batch arrives at."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr

from costderive.batch.linear_rules import BatchLoss, BatchRule, Forecast
from costderive.proof.claims import Conclusion
from costderive.rules.conclusions import Judgement


@dataclass(frozen=True, slots=True)
class BatchProperness(Conclusion):
    """No report has a smaller expected loss than the probabilities of the labels; if ``strict``, no other has the same.

    ``flat`` are two forecasts with the same loss whatever the labels, if such were found.
    """

    losses: BatchLoss
    strict: bool
    flat: tuple[Forecast, Forecast] | None = None

    @property
    def judgement(self) -> Judgement:
        """Strictly proper, or proper."""
        return Judgement.STRICTLY_PROPER if self.strict else Judgement.PROPER


@dataclass(frozen=True, slots=True)
class BatchWitness:
    """Probabilities of the labels, and a report that has a smaller expected loss than they have."""

    belief: Forecast
    report: Forecast
    truthful: Expr
    better: Expr


@dataclass(frozen=True, slots=True)
class BatchImproperness(Conclusion):
    """The rule is not proper, as a witness shows; ``law`` are labels with their probabilities, if they depend."""

    losses: BatchLoss
    witness: BatchWitness
    law: tuple[tuple[tuple[int, ...], Expr], ...] = ()

    @property
    def judgement(self) -> Judgement:
        """Improper."""
        return Judgement.IMPROPER


@dataclass(frozen=True, slots=True)
class BatchUndecided(Conclusion):
    """Neither a proof that the entropy is concave nor a witness against it was found."""

    losses: BatchRule

    @property
    def judgement(self) -> Judgement:
        """Undecided."""
        return Judgement.UNDECIDED
