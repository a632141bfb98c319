"""A derivation: a cost context (or a pair of losses) and the steps that lead from it to a proved scoring rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Measure
from costderive.costs.contexts import Context, HeldPart
from costderive.costs.thresholds import ThresholdedContext
from costderive.deciders.parameter_values import shown
from costderive.derivation.derived import Derived
from costderive.derivation.moves import DistortThreshold, SetThreshold
from costderive.derivation.moves.distorted_thresholds import calibration_claims
from costderive.derivation.moves.held_beside import held_claims
from costderive.derivation.moves.mean_over_part import part_claims
from costderive.proof.claims import Case, Claim, Same
from costderive.rules import Losses, Properness, Represented, ScoringRule
from costderive.rules.divisors import divisors
from costderive.rules.given_by import Origin
from costderive.rules.loss_pair import LossPair, WeighedPair

Start = Context | LossPair | Origin


@dataclass(frozen=True, slots=True, repr=False)
class Derivation(Derived):
    """The steps from a context to its scoring rule, one case for each order of the symbolic breakpoints.

    >>> import costderive as cd
    >>> derivation = cd.derive(cd.FixedCosts(1, 3))
    >>> cd.Derivation.from_json(derivation.to_json()) == derivation
    True
    """

    context: Start

    def __str__(self) -> str:
        return f"{self!r}\n{self.rule}"

    def _repr_latex_(self) -> str:
        return self.rule._repr_latex_()

    def claims(self, case: Case) -> Iterator[Claim]:
        """The thresholds that a case decides at, other than the calibrated one, are those of the context."""
        decided = (step.move for step in case.steps if isinstance(step.move, SetThreshold | DistortThreshold))
        made = tuple(move.threshold for move in decided)
        wanted = (self.context.threshold,) if isinstance(self.context, ThresholdedContext) else ()
        if made or wanted:
            yield Same("the threshold is that of the context", made, wanted)
        yield from calibration_claims(case)
        yield from held_claims(case)
        yield from part_claims(self.context, case)

    def require_values(self, chosen: Mapping[Symbol, Expr]) -> None:
        """Refuse values of parameters that the costs cannot have, or that make one 0, and 0 if there are no costs.

        Raises:
            SpecError: naming a letter and its value.
        """
        if isinstance(self.context, Context):
            own = set(self.context.parameters)
            found = self.context.at(**{x.name: value for x, value in chosen.items() if x in own})
            if _free(found) > _free(self.context):
                raise SpecError(
                    f"a cost is 0 for {shown(chosen)}, so that a loss jumps at the report 0 or 1",
                    "Derive the rule at these values: derive(context.at(...)).",
                )
            return
        raise SpecError(
            f"{shown(chosen)}: 0 is not a value of a parameter", "Parameters are positive numbers."
        )

    @property
    def divisors(self) -> tuple[Expr, ...]:
        """What parameters must not make zero: the form of the losses divides by it.

        There the losses have another form; derive it at these values: ``derive(context.at(...))``.
        """
        if not isinstance(self.context, Context | LossPair | Origin):
            return ()
        found = (divisors(losses(case), case.given, self.context.parameters) for case in self.cases)
        return tuple(dict.fromkeys(factor for case in found for factor in case))

    @property
    def outcome(self) -> tuple[tuple[Given, Losses | Start], ...]:
        """For each case its facts, and the losses that its steps are about in the end."""
        return tuple((case.given, losses(case)) for case in self.cases)

    @property
    def rule(self) -> ScoringRule:
        """The scoring rule that the steps arrive at."""
        weights = [weight for case in self.cases for weight in _found_weight(case)]
        cases = tuple((self._said(case.given), losses(case)) for case in self.cases)
        return ScoringRule(cases, tuple(weights) if len(weights) == len(cases) else (), self)

    def _said(self, given: Given) -> Given:
        """Return the facts about parameters: those about a part that is held say nothing of the rule."""
        return given.without(self.context.held) if isinstance(self.context, HeldPart) else given

    @property
    def weight(self) -> Expr:
        """The density of the threshold weight, in ``s``."""
        return self.rule.weight


def _free(context: Context) -> int:
    """Return how many known costs have one that is 0."""
    loss = context.expected_loss()
    return len(loss.points) - len(loss.two_sided.points)


def losses(case: Case) -> Losses | LossPair:
    """Return the losses that the steps of a case are about in the end."""
    found = [step.after for step in case.steps if isinstance(step.after, Losses | LossPair)]
    return found[-1] if found else case.steps[0].before


def _found_weight(case: Case) -> Iterator[Measure]:
    """Yield the threshold weight that was found for a pair of losses, if the steps conclude that it is proper."""
    if case.steps and isinstance(case.steps[-1].after, Properness | Represented):
        yield from (step.after.weight for step in case.steps if isinstance(step.after, WeighedPair))
