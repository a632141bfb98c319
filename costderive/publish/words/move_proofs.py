"""The description of each move in a proof: a table from moves to the functions that describe them.

A new move adds one function. A move without one is described by the claims that it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from costderive.batch.auc import FindDependentLabels
from costderive.batch.auc_labels import SumOverWeighedPairs
from costderive.batch.batch_moves import (
    AddInstances,
    BendOfEntropy,
    BendOfNorm,
    FindBatchWitness,
    SumOverPairs,
    TouchFromAbove,
)
from costderive.derivation.moves import (
    ChangeOfVariables,
    DifferentiateLink,
    IntegrateByParts,
    IntegrateMagnitude,
    Represent,
    SignOfWeight,
    SliceRegion,
    SlopeOfRisk,
    TakeExpectation,
    TakeWeight,
)
from costderive.multiclass.affine import CompareWith
from costderive.multiclass.bounds import BoundLosses
from costderive.multiclass.cost_moves import (
    ActOptimally,
    ChooseByCost,
    FindDistributions,
    IntegrateCosts,
)
from costderive.multiclass.penalised import AddPenalty, ChargeWrong, ReportTie
from costderive.multiclass.simplex_moves import (
    ConcaveAlongSimplex,
    ConcaveSummands,
    FindSimplexWitness,
    NegativeNorm,
    SavageForAnyClasses,
    SavageForGivenClasses,
)
from costderive.multiclass.superior import RankPredictions
from costderive.proof.claims import Step
from costderive.publish.words import proofs_for_batches as batch
from costderive.publish.words import proofs_for_classes as classes
from costderive.publish.words import proofs_from_costs as costs
from costderive.publish.words import proofs_from_functions as origins
from costderive.publish.words import proofs_of_properness as rule
from costderive.publish.words import proofs_on_the_simplex as simplex
from costderive.publish.words.document_blocks import Block, Paragraph, Prose
from costderive.publish.words.scene import Description

Describer = Callable[[Step, Any], Description]

DESCRIBERS: dict[type, Describer] = {
    TakeExpectation: costs.expectation,
    ChangeOfVariables: costs.variables,
    SliceRegion: costs.slices,
    IntegrateMagnitude: costs.inner,
    IntegrateByParts: rule.by_parts,
    SlopeOfRisk: rule.risk,
    SignOfWeight: rule.sign,
    TakeWeight: origins.weight,
    DifferentiateLink: origins.weight,
    Represent: origins.represented,
    FindDistributions: classes.distributions,
    ChooseByCost: classes.chances,
    IntegrateCosts: classes.integrals,
    ActOptimally: classes.bayes,
    CompareWith: classes.compared,
    SavageForAnyClasses: simplex.savage_for_any,
    SavageForGivenClasses: simplex.savage,
    ConcaveSummands: simplex.summands,
    NegativeNorm: simplex.norm,
    ConcaveAlongSimplex: simplex.along,
    FindSimplexWitness: simplex.witness,
    AddPenalty: simplex.penalty,
    ChargeWrong: simplex.charged,
    ReportTie: simplex.witness,
    BoundLosses: simplex.bounds,
    RankPredictions: simplex.ranked,
    AddInstances: batch.sum_of_instances,
    BendOfNorm: batch.norm,
    SumOverPairs: batch.pairs,
    TouchFromAbove: batch.touching,
    BendOfEntropy: batch.bend,
    FindBatchWitness: simplex.witness,
    FindDependentLabels: batch.dependent,
    SumOverWeighedPairs: batch.weighed_pairs,
}


def describe(step: Step, scene: Any) -> tuple[Block, ...]:
    """Describe one step of a proof; the scene has its case."""
    return tuple(DESCRIBERS.get(type(step.move), claims)(step, scene))


def claims(step: Step, scene: Any) -> Description:
    """Describe a move that has no entry in the table: what it claims, and how often."""
    counts = Counter(claim.what for claim in step.claims(scene.case.given))
    text: Prose = (f"The step {type(step.move).__name__} rests on these claims: ",)
    for index, (what, count) in enumerate(counts.items()):
        text += ("; " if index else "", what, f" ({count} times)" if count > 1 else "")
    yield Paragraph((*text, "."), "A further step.")
