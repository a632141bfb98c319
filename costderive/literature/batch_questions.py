"""A question on scoring rules of a whole batch: whether a named one is proper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from costderive.batch import BatchDerivation, auc_alone, auc_among, homogeneous, rank_based
from costderive.literature.question import Outcome, Question, Ruling, how
from costderive.proof.checker import check
from costderive.proof.claims import Verdict
from costderive.publish.formulas.printing import inline

BATCHES: Mapping[str, tuple[str, Callable[[], BatchDerivation]]] = {
    "auc": ("S(y, ω) = −AUC, of 4 instances", auc_alone),
    "auc of counted labels": (
        "S(y, ω) = −AUC, of labels whose number of ones is known",
        lambda: auc_among("counted"),
    ),
    "auc of independent labels": (
        "S(y, ω) = −AUC, of labels that are independent",
        lambda: auc_among("independent"),
    ),
    "homogeneous": ("S(y, ω) = −Σ yᵢωᵢ^(a − 1)/(Σ ωⱼ^a)^((a − 1)/a), a > 1", homogeneous),
    "ranks": ("S(y, ω) = −y·ψ, ψᵢ = #{j: ωⱼ < ωᵢ} − #{j: ωⱼ > ωᵢ}", rank_based),
    "zero-one": (
        "S(y, ω) = −Σ yᵢ/#M over i ∈ M, M = {i: ωᵢ = max ω}, of 4 instances",
        lambda: homogeneous("oo", instances=4),
    ),
}


@dataclass(frozen=True, slots=True)
class BatchIs(Question):
    """A named rule of a batch is strictly proper, proper, or improper, for labels that may depend."""

    rule: str
    says: str

    def formal(self) -> tuple[str, ...]:
        """The rule, and what is said of it."""
        return (
            BATCHES[self.rule][0],
            f"{self.says}, where proper means that E S(Y, ω) is least at ω = E Y for all laws of such labels",
        )

    def ruling(self) -> Ruling:
        """Derive the rule and check its proof, or its witness."""
        derivation = BATCHES[self.rule][1]()
        report = check(derivation)
        if report.verdict is not Verdict.PROVED:
            return Ruling(Outcome.OPEN, (how(report.findings),))
        outcome = Outcome.HOLDS if derivation.verdict == self.says else Outcome.FAILS
        return Ruling(
            outcome,
            (f"{derivation.verdict}: {len(report.findings)} claims are proved", *_witness(derivation)),
        )


def _witness(derivation: BatchDerivation) -> tuple[str, ...]:
    found = getattr(derivation.conclusion, "witness", None)
    if found is None:
        return ()
    belief, report = (", ".join(map(inline, one)) for one in (found.belief, found.report))
    return (
        f"the probabilities ({belief}) expect {inline(found.truthful)}, the report ({report}) {inline(found.better)}",
    )
