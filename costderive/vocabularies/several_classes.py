"""The vocabulary of certificates of K classes: contexts, entropies, what they pass through, and the moves."""

from __future__ import annotations

from costderive.derivation.certificates.records import Vocabulary
from costderive.multiclass.affine import CompareWith, NotAffine
from costderive.multiclass.bounds import BoundedLosses, BoundLosses
from costderive.multiclass.class_costs import DirichletCosts, IndependentCosts
from costderive.multiclass.cost_moves import ActOptimally, ChooseByCost, FindDistributions, IntegrateCosts
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.penalised import (
    AddPenalty,
    ChargeWrong,
    PenalisedRule,
    ReportTie,
    Superiority,
    Ties,
)
from costderive.multiclass.simplex import (
    GivenLosses,
    GivenSimplexEntropy,
    SimplexImproperness,
    SimplexProperness,
    SimplexUndecided,
    SimplexWitness,
    SymmetricEntropy,
    SymmetricLosses,
)
from costderive.multiclass.simplex_moves import (
    ConcaveAlongSimplex,
    ConcaveSummands,
    FindSimplexWitness,
    NegativeNorm,
    SavageForAnyClasses,
    SavageForGivenClasses,
)
from costderive.multiclass.stages import (
    BayesProperness,
    Cell,
    ClassLosses,
    CostSlice,
    Distribution,
    IndependentDistributions,
    Mark,
    SplitCell,
    SplitLoss,
    SplitLosses,
    TermIntegral,
)
from costderive.multiclass.superior import Prediction, Ranked, RankPredictions
from costderive.rules import Judgement

RECORDS: dict[str, type] = {
    "Judgement": Judgement,
    "IndependentCosts": IndependentCosts,
    "DirichletCosts": DirichletCosts,
    "Distribution": Distribution,
    "IndependentDistributions": IndependentDistributions,
    "Mark": Mark,
    "CostSlice": CostSlice,
    "SplitLoss": SplitLoss,
    "SplitCell": SplitCell,
    "SplitLosses": SplitLosses,
    "TermIntegral": TermIntegral,
    "Cell": Cell,
    "ClassLosses": ClassLosses,
    "BayesProperness": BayesProperness,
    "FindDistributions": FindDistributions,
    "ChooseByCost": ChooseByCost,
    "IntegrateCosts": IntegrateCosts,
    "ActOptimally": ActOptimally,
    "SymmetricEntropy": SymmetricEntropy,
    "GivenSimplexEntropy": GivenSimplexEntropy,
    "SymmetricLosses": SymmetricLosses,
    "GivenLosses": GivenLosses,
    "SimplexProperness": SimplexProperness,
    "SimplexWitness": SimplexWitness,
    "SimplexImproperness": SimplexImproperness,
    "SimplexUndecided": SimplexUndecided,
    "SavageForAnyClasses": SavageForAnyClasses,
    "ConcaveSummands": ConcaveSummands,
    "NegativeNorm": NegativeNorm,
    "SavageForGivenClasses": SavageForGivenClasses,
    "ConcaveAlongSimplex": ConcaveAlongSimplex,
    "FindSimplexWitness": FindSimplexWitness,
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
SEVERAL_CLASSES = Vocabulary.of("MulticlassDerivation", RECORDS)
