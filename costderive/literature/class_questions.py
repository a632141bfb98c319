"""A question on a rule of any number of classes that adds up over them: its entropy, and whether it is proper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.symbols import p
from costderive.costs.laws import x
from costderive.literature.question import Outcome, Question, Ruling, how, outcome_of
from costderive.multiclass import MulticlassDerivation, brier, log_score, spherical
from costderive.multiclass.named_entropies import derive_entropy
from costderive.multiclass.simplex import SymmetricEntropy, t
from costderive.multiclass.simplex_moves import UNIT
from costderive.proof.checker import check, decide
from costderive.proof.claims import Claim, Equal, Report, Verdict
from costderive.publish.formulas.printing import inline
from costderive.rules import Judgement

STRICT, PROPER = "strictly proper", "proper"
OF_CLASSES: Mapping[str, tuple[str, Callable[[], MulticlassDerivation]]] = {
    "brier": ("Lᵢ(p) = (1 − pᵢ)² + Σⱼ≠ᵢ pⱼ²", brier),
    "log": ("Lᵢ(p) = −ln pᵢ", log_score),
    "spherical": ("Lᵢ(p) = −pᵢ/√(Σⱼ pⱼ²)", spherical),
}


@dataclass(frozen=True, slots=True)
class ForAllClasses(Question):
    """A named rule is strictly proper, proper or improper for every number K > 1 of classes: K stays a letter."""

    rule: str
    says: str

    def formal(self) -> tuple[str, ...]:
        """The losses, and what is said of them for all K."""
        return OF_CLASSES[self.rule][0], f"is {self.says} for all K > 1"

    def ruling(self) -> Ruling:
        """Derive the rule of its entropy for any number of classes, and check the proof."""
        derivation = OF_CLASSES[self.rule][1]()
        report = check(derivation)
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        found = str(derivation.verdict)
        holds = found == self.says or (found == STRICT and self.says == PROPER)
        shown = f"{found} for any number of classes: {len(report.findings)} claims are proved"
        return Ruling(Outcome.HOLDS if holds else Outcome.FAILS, (shown,))


@dataclass(frozen=True, slots=True)
class SumOfClasses(Question):
    """The loss ``own(p_i)`` plus the sum of ``other(p_j)`` over all other classes has an entropy, and is proper.

    All are functions of a letter p; the entropy is the sum of ``entropy(p_j)``, for any number of classes.
    """

    own: Expr
    other: Expr
    entropy: Expr
    says: str

    def __post_init__(self) -> None:
        for name in ("own", "other", "entropy"):
            if not getattr(self, name).free_symbols <= {p}:
                raise SpecError(
                    f"{name} = {getattr(self, name)} holds other letters than p", "Write it in p."
                )

    def formal(self) -> tuple[str, ...]:
        """The loss, its entropy and what is said of it."""
        others = "" if self.other == 0 else f" + Σⱼ≠ᵢ f(pⱼ), f(p) = {inline(self.other)}"
        own = f"Lᵢ(p) = g(pᵢ){others}, g(p) = {inline(self.own)}"
        return own, f"H(q) = Σⱼ h(qⱼ), h(p) = {inline(self.entropy)}", f"is {self.says}"

    def ruling(self) -> Ruling:
        """Derive the rule of the entropy, and compare its losses with those given."""
        entropy = SymmetricEntropy(self.entropy.subs(p, x), t)
        derivation = derive_entropy(entropy)
        report = check(derivation)
        same = Report(
            tuple(decide(claim) for claim in self._same(derivation.rule.multiple, derivation.rule.slope))
        )
        outcome = outcome_of(same.findings)
        if outcome is not Outcome.HOLDS:
            return Ruling(outcome, (how(same.findings),))
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        found = derivation.verdict
        shown = f"for any number of classes {found}: {len(report.findings)} claims are proved"
        strict = self.says == STRICT and found is Judgement.PROPER
        wrong = found in (Judgement.IMPROPER, Judgement.UNDECIDED)
        return Ruling(Outcome.OPEN if strict else Outcome.FAILS if wrong else Outcome.HOLDS, (shown,))

    def _same(self, multiple: Expr, slope: Expr) -> Iterator[Claim]:
        """The risk of the truth adds up to the entropy; the losses are those of the Savage representation.

        With ``x h' = m h + n x`` that is ``h'(p_i) - n + (1 - m) sum h(p_j)``. The probabilities add up to one, so a
        multiple of one of them counts as a constant.
        """
        own, other, entropy = (each.subs(p, x) for each in (self.own, self.other, self.entropy))
        yield Equal("the entropy of a class", entropy, x * own + (1 - x) * other, UNIT)
        constant = (other - (1 - multiple) * entropy).subs(x, 1)
        yield Equal("what all classes add", other - (1 - multiple) * entropy, constant * x, UNIT)
        yield Equal(
            "what the class itself adds", sympy.diff(entropy, x) - slope - own + other, constant, UNIT
        )
