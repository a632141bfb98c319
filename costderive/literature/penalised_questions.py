"""A question on a rule of K classes with a penalty for a wrong prediction: is it proper, whatever K is?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, Rational, Symbol

from costderive.core.errors import SpecError
from costderive.costs.laws import x
from costderive.literature.class_questions import OF_CLASSES, PROPER, STRICT
from costderive.literature.question import Outcome, Question, Ruling, how
from costderive.multiclass.penalised import Ties
from costderive.multiclass.simplex import SymmetricLosses
from costderive.proof.checker import check, decide
from costderive.proof.claims import Claim, NonNegative, Positive, Tends, Verdict
from costderive.publish.formulas.printing import inline

CLASSES = Symbol("K", positive=True)
SEVERAL = (CLASSES - Rational(3, 2),)  # positive for every whole number from 2 on
BELIEFS = tuple(Rational(1, 2) - Rational(1, n) for n in (6, 20, 100))  # in the less probable of two classes
WHOM = {Ties.LOWEST: "of several largest pⱼ the lowest is predicted", Ties.ALL: "a tie costs no class"}


@dataclass(frozen=True, slots=True)
class PenalisedForAllClasses(Question):
    """A named rule, with a penalty unless ``p_i`` is the largest, is strictly proper or improper for every K > 1.

    The penalty is a function of K. If ties go to the lowest class, the excess of the risk is that of the rule, positive
    for p unlike q, plus the penalty times ``q_a - q_b``, where a is the first largest of q and b that of p: so no
    penalty that is not negative makes the rule less than strictly proper. If a tie costs no class, a belief in two
    classes that are almost equally probable may be a witness, for all K at once: a class of probability 0 adds nothing.
    """

    rule: str
    penalty: Expr
    ties: Ties
    says: str

    def __post_init__(self) -> None:
        if not self.penalty.free_symbols <= {CLASSES}:
            raise SpecError(f"penalty = {self.penalty} holds other letters than K", "Write it in K.")

    def formal(self) -> tuple[str, ...]:
        """The losses, the penalty and what is said of them for all K."""
        penalised = f"plus {inline(self.penalty)} if pᵢ is not the largest; {WHOM[self.ties]}"
        return OF_CLASSES[self.rule][0], penalised, f"is {self.says} for all K > 1"

    def ruling(self) -> Ruling:
        """Check the proof of the rule without the penalty, and decide what the penalty adds to it."""
        derivation = OF_CLASSES[self.rule][1]()
        report = check(derivation)
        if report.verdict is not Verdict.PROVED or str(derivation.verdict) != STRICT:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        if self.ties is Ties.LOWEST:
            return self._with_bayes_acts(len(report.findings))
        return self._with_a_tie(derivation.rule)

    def _with_bayes_acts(self, proved: int) -> Ruling:
        found = decide(NonNegative("the penalty is not negative", self.penalty, None, SEVERAL))
        if found.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how((found,)),))
        holds = self.says in (STRICT, PROPER)
        shown = f"strictly proper for any number of classes: {proved + 1} claims are proved"
        return Ruling(Outcome.HOLDS if holds else Outcome.FAILS, (shown,))

    def _with_a_tie(self, base: SymmetricLosses) -> Ruling:
        for belief in BELIEFS:
            findings = tuple(map(decide, self._against(base, belief)))
            if all(finding.verdict is Verdict.PROVED for finding in findings):
                shown = (
                    f"for any number of classes, under the belief q = ({1 - belief}, {belief}, 0, ..., 0), the report "
                    "p = (1/2, 1/2, 0, ..., 0) is better than the truth"
                )
                return Ruling(Outcome.HOLDS if self.says == "improper" else Outcome.FAILS, (shown,))
        return Ruling(Outcome.OPEN, ("no witness for every number of classes was found",))

    def _against(self, base: SymmetricLosses, belief: Expr) -> Iterator[Claim]:
        """The tie is better than the truth, which is charged where the less probable class is the true one."""
        shares, half = (1 - belief, belief), Rational(1, 2)
        truth, tie = (
            sum(q * loss for q, loss in zip(shares, base.at(report), strict=True))
            for report in (shares, (half, half))
        )
        yield Tends(
            "a class of probability 0 adds nothing", base.entropy_function.inner, x, x * 0, "+", x * 0
        )
        yield Positive("the tie has the smaller risk", truth + belief * self.penalty - tie, None, SEVERAL)
