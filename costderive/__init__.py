"""costderive: from a distribution of misclassification costs to a proper scoring rule, with its proof.

The public names load when first touched, so that importing the package imports neither SymPy nor NumPy.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from costderive.core.public_paths import PublicPaths

__version__ = "0.2.0"

_HOME_OF = {
    "Additive": "costs.contexts",
    "Calibrated": "costs.thresholds",
    "CostMatrix": "evaluate.cost_matrix",
    "Curve": "costs.contexts",
    "Density": "costs.laws",
    "Derivation": "derivation.derivation",
    "FixedCosts": "costs.contexts",
    "DistortedThreshold": "costs.thresholds",
    "FixedThreshold": "costs.thresholds",
    "Geometric": "costs.contexts",
    "Harmonic": "costs.contexts",
    "Independent": "costs.contexts",
    "IndependentUniform": "costs.contexts",
    "CommonFactor": "costs.contexts",
    "CostsOfParts": "derivation.parts.costs_of_parts",
    "Copula": "costs.contexts",
    "Joint": "costs.contexts",
    "Mixture": "costs.contexts",
    "PowerMean": "costs.contexts",
    "RandomThreshold": "costs.thresholds",
    "ScoringRule": "rules",
    "as_context": "derivation.interpretation",
    "check": "proof.checker",
    "costs_of_parts": "derivation.parts.costs_of_parts",
    "composite_from_cdf": "derivation.cdf_rules",
    "cross_check": "derivation.cross_check",
    "decide": "evaluate.case_decisions",
    "derive": "derivation.derive",
    "empirical_context": "evaluate.observed_costs",
    "empirical_rule": "evaluate.observed_costs",
    "examine": "derivation.derive",
    "explain": "derivation.interpretation",
    "fit_context": "evaluate.observed_costs",
    "flat_parts": "derivation.training",
    "identify": "derivation.interpretation",
    "prove": "derivation.constructed_rules",
    "rule_from_cdf": "derivation.cdf_rules",
    "rule_from_entropy": "derivation.constructed_rules",
    "rule_from_link": "derivation.constructed_rules",
    "rule_from_losses": "derivation.constructed_rules",
    "rule_from_weight": "derivation.constructed_rules",
    "training_start": "derivation.training",
    "with_tails": "derivation.training",
}
PUBLIC_MODULES = {
    "batch": "costderive.batch",
    "claims": "costderive.literature",
    "contexts": "costderive.costs.contexts",
    "errors": "costderive.core.errors",
    "evaluate": "costderive.evaluate",
    "export": "costderive.publish.export",
    "families": "costderive.derivation.named_rules",
    "laws": "costderive.costs.laws",
    "multiclass": "costderive.multiclass",
    "numeric": "costderive.numeric",
    "plot": "costderive.publish.plots",
    "proof": "costderive.proof",
    "rule": "costderive.rules",
    "sklearn": "costderive.evaluate.sklearn_metrics",
    "spec": "costderive.spec",
    "symbols": "costderive.core.symbols",
    "warehouse": "costderive.evaluate.duckdb_scores",
}

__all__ = [*_HOME_OF, *PUBLIC_MODULES]  # noqa: PLE0604

sys.meta_path.append(PublicPaths(PUBLIC_MODULES))


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"costderive.{_HOME_OF[name]}"), name)
    if name in PUBLIC_MODULES:
        return importlib.import_module(PUBLIC_MODULES[name])
    raise AttributeError(f"module 'costderive' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
