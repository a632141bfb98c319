"""costderive: from a distribution of misclassification costs to a proper scoring rule, with its proof.

The public names load when first touched, so that importing the package imports neither SymPy nor NumPy.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_ROOM_OF = {
    "Additive": "contexts",
    "Calibrated": "thresholds",
    "Curve": "contexts",
    "Density": "laws",
    "Derivation": "derivation",
    "FixedCosts": "contexts",
    "FixedThreshold": "thresholds",
    "Geometric": "contexts",
    "Harmonic": "contexts",
    "Independent": "contexts",
    "IndependentUniform": "contexts",
    "Joint": "contexts",
    "Mixture": "contexts",
    "PowerMean": "contexts",
    "RandomThreshold": "thresholds",
    "ScoringRule": "rule",
    "as_context": "meaning",
    "check": "checker",
    "composite_from_cdf": "cdfs",
    "derive": "walks",
    "empirical_context": "observed",
    "empirical_rule": "observed",
    "examine": "walks",
    "explain": "meaning",
    "fit_context": "observed",
    "identify": "meaning",
    "prove": "constructions",
    "rule_from_cdf": "cdfs",
    "rule_from_entropy": "constructions",
    "rule_from_link": "constructions",
    "rule_from_losses": "constructions",
    "rule_from_weight": "constructions",
}
_ROOMS = frozenset(
    {
        "batch",
        "claims",
        "contexts",
        "errors",
        "evaluate",
        "export",
        "families",
        "laws",
        "multiclass",
        "numeric",
        "plot",
        "proof",
        "rule",
        "sklearn",
        "spec",
        "symbols",
        "warehouse",
    }
)

__all__ = [*_ROOM_OF, *_ROOMS]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _ROOM_OF:
        return getattr(importlib.import_module(f"costderive.{_ROOM_OF[name]}"), name)
    if name in _ROOMS:
        return importlib.import_module(f"costderive.{name}")
    raise AttributeError(f"module 'costderive' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
