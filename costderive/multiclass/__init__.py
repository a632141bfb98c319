"""Scoring rules for K classes."""

from costderive.multiclass.affine import NotAffine
from costderive.multiclass.class_costs import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.cost_matrix import CostMatrix, ordinal, top
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule
from costderive.multiclass.mean_scores import ActLoss, MulticlassLoss, compile
from costderive.multiclass.named_entropies import (
    brier,
    from_entropy,
    log_score,
    power,
    pseudospherical,
    spherical,
)
from costderive.multiclass.penalised import PenalisedRule
from costderive.multiclass.search.affine import not_affine
from costderive.multiclass.search.cost_moves import derive
from costderive.multiclass.search.penalised import penalised, reversal
from costderive.multiclass.search.superior import superior
from costderive.multiclass.simplex_rule import ClassRule

__all__ = [
    "ActLoss",
    "ClassCosts",
    "ClassRule",
    "CostMatrix",
    "DirichletCosts",
    "IndependentCosts",
    "MulticlassDerivation",
    "MulticlassLoss",
    "MulticlassRule",
    "NotAffine",
    "PenalisedRule",
    "brier",
    "compile",
    "derive",
    "from_entropy",
    "log_score",
    "ordinal",
    "not_affine",
    "penalised",
    "power",
    "pseudospherical",
    "reversal",
    "spherical",
    "superior",
    "top",
]
