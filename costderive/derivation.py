"""A derivation: a cost context (or a pair of losses) and the steps that lead from it to a proved scoring rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr

from costderive.certificate import document
from costderive.pairs import LossPair, WeighedPair, Witness
from costderive.pieces import Measure
from costderive.proof import Case, Proof, Report, Step
from costderive.rule import (
    Conclusion,
    Improperness,
    Judgement,
    Losses,
    Properness,
    RepairedProperness,
    Represented,
    ScoringRule,
)


@dataclass(frozen=True, slots=True)
class Derivation(Proof):
    """The steps from a context to its scoring rule, one case for each order of the symbolic breakpoints.

    >>> import costderive as cd
    >>> derivation = cd.derive(cd.FixedCosts(1, 3))
    >>> cd.Derivation.from_json(derivation.to_json()) == derivation
    True
    """

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all cases, one case after the other."""
        return tuple(step for case in self.cases for step in case.steps)

    @property
    def rule(self) -> ScoringRule:
        """The scoring rule that the steps arrive at."""
        weights = [weight for case in self.cases for weight in _found_weight(case)]
        told = tuple((case.given, losses(case)) for case in self.cases)
        return ScoringRule(told, tuple(weights) if len(weights) == len(told) else (), self)

    @property
    def weight(self) -> Expr:
        """The density of the threshold weight, in ``s``."""
        return self.rule.weight

    @property
    def conclusions(self) -> tuple[Conclusion, ...]:
        """What each case arrives at."""
        return tuple(step.after for case in self.cases for step in case.steps[-1:])

    @property
    def verdict(self) -> Judgement:
        """What the steps conclude of the rule; ``check`` says whether they prove it.

        If cases differ, it is what holds in all of them, or undecided.
        """
        found = {conclusion.judgement for conclusion in self.conclusions}
        if found == {Judgement.STRICTLY_PROPER, Judgement.PROPER}:
            return Judgement.PROPER
        return found.pop() if len(found) == 1 else Judgement.UNDECIDED

    @property
    def witness(self) -> Witness | None:
        """Where the rule fails to be proper, in the first case in which it does, or ``None``."""
        for conclusion in self.conclusions:
            match conclusion:
                case Improperness(witness=found) | RepairedProperness(improper=Improperness(witness=found)):
                    return found
        return None

    def to_json(self, report: Report | None = None) -> str:
        """Write the derivation as a certificate, with the findings of a report for people to read.

        The same derivation and verdicts give the same text. ``costderive check --format`` tells the format.

        Raises:
            ExportError: if an expression has a function that certificates do not know.
        """
        return document.write(self, report)

    @classmethod
    def from_json(cls, text: str, place: str = "certificate") -> Derivation:
        """Rebuild the derivation of a certificate; its findings are not read, and nothing in it is evaluated.

        What was read is proved only if ``check`` says so. Errors name the ``place`` that the text is from.

        Raises:
            SpecError: if the text is not a certificate of this version, is too large, or was changed into
                something that describes no derivation.
        """
        return document.read(text, cls, place)


def losses(case: Case) -> Losses | LossPair:
    """Return the losses that the steps of a case are about in the end."""
    found = [step.after for step in case.steps if isinstance(step.after, Losses | LossPair)]
    return found[-1] if found else case.steps[0].before


def _found_weight(case: Case) -> Iterator[Measure]:
    """Yield the threshold weight that was found for a pair of losses, if the steps conclude that it is proper."""
    if case.steps and isinstance(case.steps[-1].after, Properness | Represented):
        yield from (step.after.weight for step in case.steps if isinstance(step.after, WeighedPair))
