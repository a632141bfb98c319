"""A question on rules of several classes: whether every right prediction has a better score than every wrong one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.multiclass import MulticlassDerivation, brier, log_score, penalised, superior
from costderive.proof.checker import check, decide
from costderive.proof.claims import Equal, Positive, Verdict
from costderive.publish.formulas.printing import inline

RANKED: Mapping[str, tuple[str, Callable[[], MulticlassDerivation]]] = {
    "brier": ("the Brier score", brier),
    "log": ("log loss", log_score),
}


@dataclass(frozen=True, slots=True)
class RankingIs(Question):
    """A rule is superior, or not; ``largest`` is what right predictions lose at most, in K, the number of classes.

    Without a number of classes it is asked for all numbers above two. The penalty of a wrong prediction is then the
    largest loss of a right one, so that wrong ones lose more if and only if they lose anything without it.
    """

    rule: str
    superior: bool | None = None
    classes: int | None = None
    penalised: bool = False
    largest: Expr | None = None

    def __post_init__(self) -> None:
        if self.superior is None and self.largest is None:
            raise SpecError("a ranking says nothing", "Write superior = true, or largest = ...")

    def formal(self) -> tuple[str, ...]:
        """The rule and the number of classes, and what is said of them."""
        name = ("penalised: " if self.penalised else "") + RANKED[self.rule][0]
        count = "all K > 2" if self.classes is None else f"K = {self.classes}"
        some = "every right prediction loses less than every wrong one"
        said = "" if self.superior is None else f": {some if self.superior else 'not ' + some}"
        line = f"{name}, {count}{said}"
        return (
            (line,)
            if self.largest is None
            else (line, f"sup of the loss of right predictions = {self._bound}")
        )

    @property
    def _bound(self) -> str:
        return "" if self.largest is None else inline(self.largest)

    def ruling(self) -> Ruling:
        """Derive both bounds and check them."""
        base = RANKED[self.rule][1]()
        for_all = self.penalised and self.classes is None
        ranked = penalised(base, self.classes) if self.penalised and self.classes else base
        derivation = superior(ranked, self.classes)
        report, found = check(derivation), derivation.conclusion
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        right, wrong = found.bounds.largest_right, found.bounds.smallest_wrong
        bounds = f"right predictions lose up to {inline(right)}, wrong ones from "
        bounds += (
            f"{inline(wrong + right if for_all else wrong)} on: {len(report.findings)} claims are proved"
        )
        apart = decide(Positive("wrong predictions lose", wrong)).verdict if for_all else None
        holds = found.superior if apart is None else (True if apart is Verdict.PROVED else None)
        return self._ruled(holds, right, bounds)

    def _ruled(self, holds: bool | None, right: Expr, bounds: str) -> Ruling:
        if self.superior is not None and holds is not self.superior:
            return Ruling(Outcome.OPEN if holds is None else Outcome.FAILS, (bounds,))
        if self.largest is None:
            return Ruling(Outcome.HOLDS, (bounds,))
        return Ruling(outcome_of([decide(Equal("the bound", right, self.largest))]), (bounds,))
