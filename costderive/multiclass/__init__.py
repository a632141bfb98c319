"""Scoring rules for K classes."""

from costderive.multiclass import vocabulary as _vocabulary  # noqa: F401  (it completes the derivations)
from costderive.multiclass.affine import NotAffine, not_affine
from costderive.multiclass.contexts import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.entropies import (
    brier,
    from_entropy,
    log_score,
    power,
    pseudospherical,
    spherical,
)
from costderive.multiclass.penalised import PenalisedRule, penalised, reversal
from costderive.multiclass.rules import ClassRule
from costderive.multiclass.scores import MulticlassLoss, compile
from costderive.multiclass.superior import superior
from costderive.multiclass.walk import MulticlassDerivation, MulticlassRule, derive

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
