"""The vocabulary of certificates of K classes: contexts, entropies, what they pass through, and the moves."""

from __future__ import annotations

from costderive.derivation.certificates.records import Builder, Vocabulary, of_kinds
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
    SimplexProperness,
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
from costderive.multiclass.simplex_rule import ClassRule, Forecast
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
from costderive.rules import Improperness, Judgement, Undecided, Witness

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
    "SimplexWitness": Witness,
    "SimplexImproperness": Improperness,
    "SimplexUndecided": Undecided,
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
BUILDERS: dict[str, Builder] = {
    "SimplexWitness": of_kinds(Witness, belief=Forecast, report=Forecast),
    "SimplexImproperness": of_kinds(Improperness, losses=ClassRule),
    "SimplexUndecided": of_kinds(Undecided, losses=ClassRule),
}
SEVERAL_CLASSES = Vocabulary.of("MulticlassDerivation", RECORDS, BUILDERS)
