"""A question on rules of several classes: whether every right prediction has a better score than every wrong one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr

from costderive.checker import check, decide
from costderive.claims.question import Outcome, Question, Ruling, how, outcome_of
from costderive.errors import SpecError
from costderive.export.printing import inline
from costderive.multiclass import MulticlassDerivation, brier, log_score, penalised, superior
from costderive.proof import Equal, Verdict

RANKED: Mapping[str, tuple[str, Callable[[], MulticlassDerivation]]] = {
    "brier": ("the Brier score", brier),
    "log": ("log loss", log_score),
}


@dataclass(frozen=True, slots=True)
class RankingIs(Question):
    """A rule is superior, or not; ``largest`` is what right predictions lose at most, in K, the number of classes.

    A penalised rule needs the number of classes; without it, any rule is asked about for all numbers above two.
    """

    rule: str
    superior: bool
    classes: int | None = None
    penalised: bool = False
    largest: Expr | None = None

    def __post_init__(self) -> None:
        if self.penalised and self.classes is None:
            raise SpecError("a penalised rule needs its number of classes", "Write classes = 3, say.")

    def formal(self) -> tuple[str, ...]:
        """The rule and the number of classes, and what is said of them."""
        name = ("penalised: " if self.penalised else "") + RANKED[self.rule][0]
        count = "all K > 2" if self.classes is None else f"K = {self.classes}"
        some = "every right prediction loses less than every wrong one"
        said = f"{name}, {count}: {some if self.superior else 'not ' + some}"
        if self.largest is None:
            return (said,)
        return (said, f"sup of the loss of right predictions = {inline(self.largest)}")

    def ruling(self) -> Ruling:
        """Derive both bounds and check them."""
        base = RANKED[self.rule][1]()
        ranked = penalised(base, self.classes) if self.penalised and self.classes else base
        derivation = superior(ranked, self.classes)
        report, found = check(derivation), derivation.conclusion
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        bounds = f"right predictions lose up to {inline(found.bounds.largest_right)}, wrong ones from "
        bounds += f"{inline(found.bounds.smallest_wrong)} on: {len(report.findings)} claims are proved"
        if found.superior is not self.superior:
            return Ruling(Outcome.FAILS, (bounds,))
        if self.largest is None:
            return Ruling(Outcome.HOLDS, (bounds,))
        return Ruling(
            outcome_of([decide(Equal("the bound", found.bounds.largest_right, self.largest))]), (bounds,)
        )
