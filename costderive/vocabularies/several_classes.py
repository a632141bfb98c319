"""The vocabulary of certificates of K classes: contexts, entropies, what they pass through, and the moves."""

from __future__ import annotations

from costderive.derivation.certificates.records import Builder, Vocabulary, of_kinds
from costderive.multiclass import (
    act_regions,
    averaged_costs,
    bayes_acts,
    cost_moves,
    mixed_acts,
    several_uncertain,
    simplex,
    simplex_moves,
    single_integrals,
    stages,
    uncertain_strictness,
)
from costderive.multiclass.affine import CompareWith, NotAffine
from costderive.multiclass.bounds import BoundedLosses, BoundLosses
from costderive.multiclass.class_costs import DirichletCosts, IndependentCosts
from costderive.multiclass.cost_matrix import CostMatrix
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.penalised import (
    AddPenalty,
    ChargeWrong,
    PenalisedRule,
    ReportTie,
    Superiority,
    Ties,
)
from costderive.multiclass.simplex_rule import ClassRule, Forecast
from costderive.multiclass.superior import Prediction, Ranked, RankPredictions
from costderive.rules import Improperness, Judgement, Undecided, Witness

RECORDS: dict[str, type] = {
    "Judgement": Judgement,
    "IndependentCosts": IndependentCosts,
    "DirichletCosts": DirichletCosts,
    "CostMatrix": CostMatrix,
    "ActRegion": act_regions.ActRegion,
    "IdleAct": act_regions.IdleAct,
    "ActLosses": act_regions.ActLosses,
    "CompareActs": act_regions.CompareActs,
    "AveragedLosses": averaged_costs.AveragedLosses,
    "AverageCosts": averaged_costs.AverageCosts,
    "MixedLosses": mixed_acts.MixedLosses,
    "MixActs": mixed_acts.MixActs,
    "ExpectedLosses": several_uncertain.ExpectedLosses,
    "ExpectCheapest": several_uncertain.ExpectCheapest,
    "EqualLosses": averaged_costs.EqualLosses,
    "LargestStake": averaged_costs.LargestStake,
    "SharedAct": uncertain_strictness.SharedAct,
    "MovingThreshold": uncertain_strictness.MovingThreshold,
    "Tie": uncertain_strictness.Tie,
    "IndependentTies": uncertain_strictness.IndependentTies,
    "ActProperness": averaged_costs.ActProperness,
    "TakeCheapestAct": averaged_costs.TakeCheapestAct,
    "Distribution": stages.Distribution,
    "IndependentDistributions": stages.IndependentDistributions,
    "Mark": stages.Mark,
    "CostSlice": stages.CostSlice,
    "SplitLoss": stages.SplitLoss,
    "SplitCell": stages.SplitCell,
    "SplitLosses": stages.SplitLosses,
    "TermIntegral": stages.TermIntegral,
    "Cell": stages.Cell,
    "ClassLosses": stages.ClassLosses,
    "BayesProperness": bayes_acts.BayesProperness,
    "FindDistributions": cost_moves.FindDistributions,
    "ChooseByCost": cost_moves.ChooseByCost,
    "SingleIntegrals": single_integrals.SingleIntegrals,
    "HoldOwnCost": single_integrals.HoldOwnCost,
    "IntegrateCosts": cost_moves.IntegrateCosts,
    "ActOptimally": bayes_acts.ActOptimally,
    "SymmetricEntropy": simplex.SymmetricEntropy,
    "GivenSimplexEntropy": simplex.GivenSimplexEntropy,
    "SymmetricLosses": simplex.SymmetricLosses,
    "GivenLosses": simplex.GivenLosses,
    "SimplexProperness": simplex.SimplexProperness,
    "SimplexWitness": Witness,
    "SimplexImproperness": Improperness,
    "SimplexUndecided": Undecided,
    "SavageForAnyClasses": simplex_moves.SavageForAnyClasses,
    "ConcaveSummands": simplex_moves.ConcaveSummands,
    "NegativeNorm": simplex_moves.NegativeNorm,
    "SavageForGivenClasses": simplex_moves.SavageForGivenClasses,
    "ConcaveAlongSimplex": simplex_moves.ConcaveAlongSimplex,
    "FindSimplexWitness": simplex_moves.FindSimplexWitness,
    "MulticlassRule": MulticlassRule,
    "MulticlassDerivation": MulticlassDerivation,
    "NotAffine": NotAffine,
    "CompareWith": CompareWith,
    "Ties": Ties,
    "PenalisedRule": PenalisedRule,
    "Superiority": Superiority,
    "AddPenalty": AddPenalty,
    "ChargeWrong": ChargeWrong,
    "ReportTie": ReportTie,
    "BoundedLosses": BoundedLosses,
    "BoundLosses": BoundLosses,
    "Prediction": Prediction,
    "Ranked": Ranked,
    "RankPredictions": RankPredictions,
}
BUILDERS: dict[str, Builder] = {
    "SimplexWitness": of_kinds(Witness, belief=Forecast, report=Forecast),
    "SimplexImproperness": of_kinds(Improperness, losses=ClassRule),
    "SimplexUndecided": of_kinds(Undecided, losses=ClassRule),
}
SEVERAL_CLASSES = Vocabulary.of("MulticlassDerivation", RECORDS, BUILDERS)
