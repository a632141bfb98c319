"""Questions on what is the only one of its kind: a value of a letter, a rule with a threshold weight, a local rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import CostDeriveError, SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import p
from costderive.costs.laws import x
from costderive.derivation.constructed_rules import prove, rule_from_weight
from costderive.derivation.derivation import Derivation, losses
from costderive.derivation.derive import examine
from costderive.literature.loss_questions import compared, counted
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.literature.wording import pieces
from costderive.multiclass import log_score
from costderive.multiclass.simplex_moves import UNIT
from costderive.proof.checker import check, decide
from costderive.proof.claims import Equal, Positive, Regular, Report, Verdict
from costderive.publish.formulas.printing import inline
from costderive.rules import Judgement, Losses
from costderive.rules.conclusions import ConditionalProperness
from costderive.rules.loss_pair import LossPair

_FOR_ALL = {
    Judgement.PROPER: "proper",
    Judgement.STRICTLY_PROPER: "strictly proper",
    Judgement.IMPROPER: "improper",
    Judgement.PROPER_AFTER_CHANGE: "improper",
}


def _shown(pair: Losses | LossPair) -> Iterator[str]:
    for name, loss in (("L₀(p)", pair.loss0), ("L₁(p)", pair.loss1)):
        yield from pieces(name, loss)


@dataclass(frozen=True, slots=True)
class ProperOnlyIf(Question):
    """A pair of losses is proper for one value of a letter, and for no other that the letter may have."""

    losses: LossPair
    texts: tuple[str, str]
    letter: Symbol
    value: Expr

    def __post_init__(self) -> None:
        values = [
            end for loss in (self.losses.loss0, self.losses.loss1) for x in loss for end in (x.high, x.value)
        ]
        if not any(value.has(self.letter) for value in values):
            raise SpecError(f"letter = {self.letter} is not in the losses", "Name a letter that they hold.")

    def formal(self) -> tuple[str, ...]:
        """The losses, and the condition."""
        return (*_shown(self.losses), f"is proper if and only if {self.letter} = {inline(self.value)}")

    def ruling(self) -> Ruling:
        """Derive the condition under which the pair is proper, and compare it."""
        derivation = examine(*self.texts)
        report = check(derivation)
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, ("neither a proof nor a witness was found",), (), derivation, report)
        if isinstance(derivation.verdict, Judgement) and derivation.verdict in _FOR_ALL:
            shown = f"{_FOR_ALL[derivation.verdict]} for all {self.letter}: {counted(report)}"
            return Ruling(Outcome.FAILS, (shown,), (), derivation, report)
        return self._compared(derivation, report)

    def _compared(self, derivation: Derivation, report: Report) -> Ruling:
        reached = derivation.conclusions[0]
        if len(derivation.conclusions) > 1 or not isinstance(reached, ConditionalProperness):
            return Ruling(Outcome.OPEN, (str(derivation.verdict),), (), derivation, report)
        condition = f"{reached.letter} = {inline(reached.value)}"
        shown = f"proper if and only if {condition}: {counted(report)}"
        outcome = self._agrees(reached, derivation.cases[0].given)
        instead = (f"is proper if and only if {condition}",) if outcome is Outcome.FAILS else ()
        return Ruling(outcome, (shown,), instead, derivation, report)

    def _agrees(self, reached: ConditionalProperness, given: Given) -> Outcome:
        """Compare the conditions: as values of one letter, or as equations that are the same but for the sign."""
        if reached.letter == self.letter:
            return outcome_of([decide(Equal("the only value", reached.value, self.value), given)])
        stated, derived = self.letter - self.value, reached.letter - reached.value
        same = [decide(Equal("the condition", stated, sign * derived), given) for sign in (1, -1)]
        return Outcome.HOLDS if any(x.verdict is Verdict.PROVED for x in same) else Outcome.OPEN


@dataclass(frozen=True, slots=True)
class OnlyWithWeight(Question):
    """A pair of losses is the only proper one with a threshold weight whose losses tend to 0 at right certainty.

    The slopes of proper losses are ``p w(p)`` and ``-(1 - p) w(p)``, so that two rules with one density differ by
    constants.
    """

    losses: LossPair
    weight: Expr

    def formal(self) -> tuple[str, ...]:
        """The losses, and what makes them the only ones."""
        only = f"is the only proper rule with ω(s) = {inline(self.weight)}, L₀(0+) = 0 and L₁(1−) = 0"
        return (*_shown(self.losses), only)

    def ruling(self) -> Ruling:
        """Derive the rule of the threshold weight, and compare its losses."""
        try:
            derivation = prove(rule_from_weight(self.weight))
        except CostDeriveError as refusal:
            return Ruling(Outcome.OPEN, (refusal.problem,))
        report = check(derivation)
        proved = f"derived from the threshold weight: {counted(report)}"
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (proved,), (), derivation, report)
        rows = [row for case in derivation.cases for row in compared(self.losses, losses(case), case.given)]
        found = [decide(claim, given) for claim, given in rows]
        instead = [line for case in derivation.cases for line in _shown(losses(case))]
        outcome = outcome_of(found)
        wrong = tuple(instead) if outcome is Outcome.FAILS else ()
        return Ruling(outcome, (proved, f"the losses printed: {how(found)}"), wrong, derivation, report)


@dataclass(frozen=True, slots=True)
class OnlyLocal(Question):
    """A loss that depends on the probability of the true class alone is the only such proper one of K > 2 classes.

    It is meant up to a positive factor and a constant, among differentiable losses ``f(p_i)``. The mean of ``f`` under
    the belief q is stationary at q only if all ``q_i f'(q_i)`` are equal; since two probabilities may be any two
    numbers with a sum below 1, ``p f'(p)`` is then one constant, so that f is a logarithm.
    """

    loss: Expr

    def __post_init__(self) -> None:
        if not self.loss.free_symbols <= {p}:
            raise SpecError(f"loss = {self.loss} holds other letters than p", "Write it in p.")

    def formal(self) -> tuple[str, ...]:
        """The loss, and among which it is the only one."""
        only = "is the only strictly proper f(pᵢ) of K > 2 classes, f differentiable, up to a factor and a constant"
        return f"Lᵢ(p) = f(pᵢ), f(p) = {inline(self.loss)}", only

    def ruling(self) -> Ruling:
        """Decide whether ``p f'(p)`` is a negative constant; the logarithm is then known to be strictly proper."""
        share = x * sympy.diff(self.loss.subs(p, x), x)
        constant = share.subs(x, sympy.S.Half)
        needed = (
            Regular("the loss is smooth", self.loss.subs(p, x), UNIT),
            Equal("p f'(p) is constant", share, constant, UNIT),
            Positive("and negative", -constant),
        )
        found = [decide(claim) for claim in needed]
        smooth, outcome = outcome_of(found[:1]), outcome_of(found[1:])
        if smooth is not Outcome.HOLDS or outcome is Outcome.OPEN:
            return Ruling(Outcome.OPEN, (how(found),))
        if outcome is Outcome.FAILS:
            return Ruling(Outcome.FAILS, ("p f'(p) is no negative constant, so that it is not even proper",))
        strict = check(log_score())
        shown = f"p f'(p) = {inline(constant)}; log loss of any number of classes is strictly proper: "
        return Ruling(outcome_of(strict.findings), (f"{shown}{len(strict.findings)} claims are proved",))
