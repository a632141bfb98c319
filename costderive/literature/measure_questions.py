"""A question on measures of decisions, such as accuracy and F: whether honesty has the best expectation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from sympy import Expr, Integer, nan

from costderive.core.errors import SpecError
from costderive.core.symbols import parameter
from costderive.literature.question import Outcome, Question, Ruling
from costderive.publish.formulas.printing import inline

COUNTS = {(1, 1): parameter("TP"), (1, 0): parameter("FN"), (0, 1): parameter("FP"), (0, 0): parameter("TN")}
MOST = 3
HALF = Fraction(1, 2)

Classes = tuple[int, ...]
Beliefs = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class MeasureIs(Question):
    """A measure of the counts TP, FN, FP and TN is a proper scoring rule of a few independent instances, or is not.

    Class 1 is positive, and predicted where its probability is above 1/2; more of the measure is better. ``otherwise``
    is its value where the formula is 0/0.
    """

    measure: Expr
    says: str
    instances: int
    otherwise: Expr | None = None

    def formal(self) -> tuple[str, ...]:
        """The measure, and what is said of it."""
        gap = "" if self.otherwise is None else f", and {inline(self.otherwise)} where that is 0/0"
        return (
            f"M = {inline(self.measure)}{gap}; class 1 is positive, and predicted above 1/2",
            f"{self.says} for {self.instances} independent instances, where proper means that E M is largest "
            "for the true probabilities",
        )

    def ruling(self) -> Ruling:
        """Compare the expectation of each decision with that of the honest one, where each is honest.

        Both are linear in each single belief, so that the least difference over all beliefs with one honest decision,
        a box, lies at a corner; a difference below 0 there is below 0 near it, inside the box.
        """
        expected = self._expectation()
        for honest in product((0, 1), repeat=self.instances):
            for other in product((0, 1), repeat=self.instances):
                for corner in _corners(honest):
                    if expected(honest, corner) < expected(other, corner):
                        return self._shown("improper", _witness(expected, honest, other, corner))
        return self._shown(
            "proper", "no decision expects more than the honest one, at any corner of its beliefs"
        )

    def _shown(self, found: str, evidence: str) -> Ruling:
        return Ruling(Outcome.HOLDS if found == self.says else Outcome.FAILS, (f"{found}: {evidence}",))

    def _expectation(self) -> Expectation:
        if not 1 <= self.instances <= MOST:
            raise SpecError(f"{self.instances} instances are not decided", f"Give 1 to {MOST}.")
        value = cache(self._value)

        def expected(decisions: Classes, beliefs: Beliefs) -> Fraction:
            drawn = product((0, 1), repeat=len(beliefs))
            return sum((_chance(labels, beliefs) * value(labels, decisions) for labels in drawn), Fraction(0))

        return expected

    def _value(self, labels: Classes, decisions: Classes) -> Fraction:
        counted = Counter(zip(labels, decisions, strict=True))
        found = self.measure.xreplace({name: Integer(counted[pair]) for pair, name in COUNTS.items()})
        found = self.otherwise if found is nan and self.otherwise is not None else found
        if not found.is_Rational:
            problem = (
                f"{inline(self.measure)} is {found} for the labels {labels} and the decisions {decisions}"
            )
            raise SpecError(problem, "Write it in TP, FN, FP and TN, with its value at 0/0 as otherwise.")
        return Fraction(int(found.p), int(found.q))


Expectation = Callable[[Classes, Beliefs], Fraction]


def _chance(labels: Classes, beliefs: Beliefs) -> Fraction:
    return prod((q if label else 1 - q for label, q in zip(labels, beliefs, strict=True)), start=Fraction(1))


def _corners(honest: Classes) -> Iterator[Beliefs]:
    """Return the corners of the beliefs whose honest decision is given: each in [0, 1/2] or [1/2, 1]."""
    return product(*((HALF, Fraction(1)) if decision else (Fraction(0), HALF) for decision in honest))


def _witness(expected: Expectation, honest: Classes, other: Classes, corner: Beliefs) -> str:
    """Return beliefs between the corner and the centre of a box, under which the other decision is better."""
    centre = tuple(HALF / 2 + HALF * decision for decision in honest)
    share = HALF
    while True:
        beliefs = tuple(q + share * (m - q) for q, m in zip(corner, centre, strict=True))
        if expected(honest, beliefs) < expected(other, beliefs):
            break
        share /= 2
    truthful, better = expected(honest, beliefs), expected(other, beliefs)
    names = [f"({', '.join(map(str, row))})" for row in (beliefs, other)]
    return (
        f"the probabilities {names[0]} expect {truthful} of themselves and {better} of the report {names[1]}"
    )
