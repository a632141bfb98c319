"""What derivations of two classes, of K classes and of a batch have in common: steps that lead to conclusions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Self

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.derivation.certificates.document import Certified
from costderive.proof.checker import check
from costderive.proof.claims import Case, Claim, Move, Report, Step
from costderive.rules.conclusions import Judgement


class Derived(Certified):
    """A derivation: what it starts from, the steps of each of its cases, and what these conclude."""

    __slots__ = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all cases, one case after the other."""
        return tuple(step for case in self.cases for step in case.steps)

    @property
    def conclusions(self) -> tuple[Any, ...]:
        """What each case arrives at."""
        return tuple(step.after for case in self.cases for step in case.steps[-1:])

    @property
    def concluded(self) -> Judgement:
        """What the steps conclude of the rule, whether or not their claims hold.

        If cases differ, it is what holds in all of them, or undecided.
        """
        found = {Judgement(conclusion.judgement) for conclusion in self.conclusions}
        if found == {Judgement.CONDITIONAL, Judgement.IMPROPER}:
            return Judgement.CONDITIONAL
        if found == {Judgement.STRICTLY_PROPER, Judgement.PROPER}:
            return Judgement.PROPER
        return found.pop() if len(found) == 1 else Judgement.UNDECIDED

    @property
    def witness(self) -> Any:
        """Where the rule fails to be proper, in the first case in which it does, or ``None``."""
        found = (getattr(conclusion, "witness", None) for conclusion in self.conclusions)
        return next(filter(None, found), None)

    def claims(self, case: Case) -> Iterator[Claim]:
        """Nothing beyond what its moves claim."""
        yield from ()

    def check(self) -> Report:
        """Decide every claim."""
        return check(self)


class OneCase(Derived):
    """A derivation whose steps hold for all values of the parameters alike.

    Raises:
        SpecError: if it has not exactly one case: rule and conclusion would be those of the first alone.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        if len(self.cases) != 1:
            problem = f"{type(self).__name__} has {len(self.cases)} cases"
            raise SpecError(problem, "Rules of several classes and of batches have one.")

    @classmethod
    def by(cls, start: Any, *moves: Move) -> Self:
        """Make moves, each on what the one before it gave."""
        given = start.given()
        return cls(start, (Case(given, made(moves, start, given)),))

    def followed_by(self, *moves: Move) -> Self:
        """Return the derivation with further steps at its end."""
        return self.with_steps(made(moves, self.conclusion, self.given))

    def with_steps(self, steps: Iterable[Step]) -> Self:
        """Return the derivation with steps put at its end."""
        (case,) = self.cases
        return replace(self, cases=(replace(case, steps=(*case.steps, *steps)),))

    @property
    def given(self) -> Given:
        """The facts about the parameters."""
        return self.cases[0].given

    @property
    def conclusion(self) -> Any:
        """What the steps arrive at."""
        return self.conclusions[0]

    @property
    def rule(self) -> Any:
        """The scoring rule."""
        return self.conclusion.losses

    @property
    def outcome(self) -> tuple[tuple[Given, Any], ...]:
        """The facts about the parameters, and the rule."""
        return ((self.given, self.rule),)


def made(moves: Iterable[Move], start: Any, given: Given) -> tuple[Step, ...]:
    """Make moves, each on what the one before it gave; return their steps."""
    steps: list[Step] = []
    for move in moves:
        steps.append(Step.make(move, steps[-1].after if steps else start, given))
    return tuple(steps)
