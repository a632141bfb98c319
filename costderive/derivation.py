"""A derivation: a cost context (or a pair of losses) and the steps that lead from it to a proved scoring rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr

from costderive.proof import Case, Step
from costderive.rule import Losses, ScoringRule


@dataclass(frozen=True, slots=True)
class Derivation:
    """The steps from a context to its scoring rule, one case for each order of the symbolic breakpoints."""

    context: Any
    cases: tuple[Case, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all cases, one case after the other."""
        return tuple(step for case in self.cases for step in case.steps)

    @property
    def rule(self) -> ScoringRule:
        """The scoring rule that the steps arrive at."""
        return ScoringRule(tuple((case.given, losses(case)) for case in self.cases))

    @property
    def weight(self) -> Expr:
        """The density of the threshold weight, in ``s``."""
        return self.rule.weight


def losses(case: Case) -> Losses:
    """Return the losses that the steps of a case arrive at."""
    return next(step.after for step in reversed(case.steps) if isinstance(step.after, Losses))
