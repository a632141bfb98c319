"""The description of each move in a proof: a table from moves to the functions that describe them.

A new move adds one function. A move without one is described by the claims that it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from costderive.batch import batch_moves
from costderive.batch.auc import FindDependentLabels
from costderive.batch.auc_labels import SumOverWeighedPairs
from costderive.derivation import moves
from costderive.multiclass import bayes_acts, cost_moves, simplex_moves, single_integrals
from costderive.multiclass.act_regions import CompareActs
from costderive.multiclass.affine import CompareWith
from costderive.multiclass.averaged_costs import AverageCosts, TakeCheapestAct
from costderive.multiclass.bounds import BoundLosses
from costderive.multiclass.mixed_acts import MixActs
from costderive.multiclass.penalised import AddPenalty, ChargeWrong, ReportTie
from costderive.multiclass.several_uncertain import ExpectCheapest
from costderive.multiclass.superior import RankPredictions
from costderive.proof.claims import Step
from costderive.publish.words import proofs_by_held_costs as held
from costderive.publish.words import proofs_for_batches as batch
from costderive.publish.words import proofs_for_classes as classes
from costderive.publish.words import proofs_for_matrices as matrices
from costderive.publish.words import proofs_from_costs as costs
from costderive.publish.words import proofs_from_functions as origins
from costderive.publish.words import proofs_of_properness as rule
from costderive.publish.words import proofs_on_the_simplex as simplex
from costderive.publish.words import proofs_over_parts as over_parts
from costderive.publish.words.document_blocks import Block
from costderive.publish.words.scene import Description, say, series

Describer = Callable[[Step, Any], Description]

DESCRIBERS: dict[type, Describer] = {
    moves.TakeExpectation: costs.expectation,
    moves.ChangeOfVariables: costs.variables,
    moves.SliceRegion: costs.slices,
    moves.IntegrateMagnitude: costs.inner,
    moves.IntegrateByParts: rule.by_parts,
    moves.HoldOneCost: held.held,
    moves.AddStrips: held.added,
    moves.HoldInAreas: held.held_beside,
    moves.AddAllCosts: held.added,
    moves.TakeMeanOverPart: over_parts.over_part,
    moves.AddPartStrips: over_parts.added,
    moves.WeighBySlope: over_parts.weighed,
    moves.NameIntegrals: held.by_euler,
    moves.ActAsBayes: held.bayes,
    moves.SlopeOfRisk: rule.risk,
    moves.SignOfWeight: rule.sign,
    moves.TakeWeight: origins.weight,
    moves.DifferentiateLink: origins.weight,
    moves.Represent: origins.represented,
    cost_moves.FindDistributions: classes.distributions,
    cost_moves.ChooseByCost: classes.chances,
    cost_moves.IntegrateCosts: classes.integrals,
    single_integrals.HoldOwnCost: classes.held,
    bayes_acts.ActOptimally: classes.bayes,
    CompareWith: classes.compared,
    CompareActs: matrices.compared,
    AverageCosts: matrices.averaged,
    MixActs: matrices.mixed,
    ExpectCheapest: matrices.expected,
    TakeCheapestAct: matrices.cheapest,
    simplex_moves.SavageForAnyClasses: simplex.savage_for_any,
    simplex_moves.SavageForGivenClasses: simplex.savage,
    simplex_moves.ConcaveSummands: simplex.summands,
    simplex_moves.NegativeNorm: simplex.norm,
    simplex_moves.ConcaveAlongSimplex: simplex.along,
    simplex_moves.FindSimplexWitness: simplex.witness,
    AddPenalty: simplex.penalty,
    ChargeWrong: simplex.charged,
    ReportTie: simplex.witness,
    BoundLosses: simplex.bounds,
    RankPredictions: simplex.ranked,
    batch_moves.AddInstances: batch.sum_of_instances,
    batch_moves.BendOfNorm: batch.norm,
    batch_moves.SumOverPairs: batch.pairs,
    batch_moves.TouchFromAbove: batch.touching,
    batch_moves.BendOfEntropy: batch.bend,
    batch_moves.FindBatchWitness: simplex.witness,
    FindDependentLabels: batch.dependent,
    SumOverWeighedPairs: batch.weighed_pairs,
}


def describe(step: Step, scene: Any) -> tuple[Block, ...]:
    """Describe one step of a proof; the scene has its case."""
    return tuple(DESCRIBERS.get(type(step.move), claims)(step, scene))


def claims(step: Step, scene: Any) -> Description:
    """Describe a move that has no entry in the table: what it claims, and how often."""
    counts = Counter(claim.what for claim in step.claims(scene.case.given))
    made = [f"{what} ({count} times)" if count > 1 else what for what, count in counts.items()]
    text, name = "The step {} rests on these claims: {}.", type(step.move).__name__
    yield say(text, name, series(made, "; "), lead="A further step.")
