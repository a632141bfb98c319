"""Scoring rules for K classes."""

from costderive.multiclass.affine import NotAffine, not_affine
from costderive.multiclass.class_costs import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.derive_classes import MulticlassDerivation, MulticlassRule, derive
from costderive.multiclass.mean_scores import MulticlassLoss, compile
from costderive.multiclass.named_entropies import (
    brier,
    from_entropy,
    log_score,
    power,
    pseudospherical,
    spherical,
)
from costderive.multiclass.penalised import PenalisedRule, penalised, reversal
from costderive.multiclass.simplex_rule import ClassRule
from costderive.multiclass.superior import superior

__all__ = [
    "ClassCosts",
    "ClassRule",
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
    "not_affine",
    "penalised",
    "power",
    "pseudospherical",
    "reversal",
    "spherical",
    "superior",
]
