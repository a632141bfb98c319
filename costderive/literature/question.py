"""What a check of a published claim is: a question with inputs, put in symbols, and answered by the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from costderive.core.short_repr import short_repr
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Finding, Report, Verdict


class Outcome(StrEnum):
    """What became of a question."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "is not decided"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to a question: what shows it and, where it fails, what holds instead if the engine derives that."""

    outcome: Outcome
    evidence: tuple[str, ...]
    correction: tuple[str, ...] = ()
    derivation: Derivation | None = None
    report: Report | None = None

    __repr__ = short_repr


class Question(ABC):
    """A statement that is decided by derivation, by exact identities and signs, or by an exact witness."""

    __slots__ = ()

    @abstractmethod
    def formal(self) -> tuple[str, ...]:
        """Return the statement in symbols, line by line: just what is decided, and nothing else."""

    @abstractmethod
    def ruling(self) -> Ruling:
        """Decide the statement."""


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """Return what findings amount to together; agreement in digits alone decides nothing."""
    verdicts = {finding.verdict for finding in findings}
    if Verdict.REFUTED in verdicts:
        return Outcome.FAILS
    return Outcome.HOLDS if verdicts == {Verdict.PROVED} else Outcome.OPEN


def how(findings: Iterable[Finding]) -> str:
    """Name the methods that decided, or say what is open."""
    found = list(findings)
    weak = [f for f in found if f.verdict is not Verdict.PROVED]
    if weak:
        worst = min(weak, key=lambda finding: finding.verdict)
        return f"{worst.claim.what}: {worst.verdict.name.lower()} by {worst.decider}" + (
            f" ({worst.evidence})" if worst.evidence and worst.verdict is not Verdict.NUMERIC else ""
        )
    return f"proved by {', '.join(dict.fromkeys(f.decider for f in found))}"
