"""Scoring rules for K classes."""

from costderive.multiclass.contexts import ClassCosts, DirichletCosts, IndependentCosts
from costderive.multiclass.walk import MulticlassDerivation, MulticlassRule, derive

__all__ = [
    "ClassCosts",
    "DirichletCosts",
    "IndependentCosts",
    "MulticlassDerivation",
    "MulticlassRule",
    "derive",
]
