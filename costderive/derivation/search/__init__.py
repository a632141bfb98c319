"""How moves find what they give: each search registers for its move, whose claims judge what it finds.

A search may use any means, and nothing here is trusted.
"""

from costderive.derivation.search import (
    any_losses,
    change_of_variables,
    composite_losses,
    given_functions,
    independent_thresholds,
    integrate_by_parts,
    integrate_magnitude,
    slices,
    total_integrals,
    witness,
)

__all__ = [
    "any_losses",
    "change_of_variables",
    "composite_losses",
    "given_functions",
    "independent_thresholds",
    "integrate_by_parts",
    "integrate_magnitude",
    "slices",
    "total_integrals",
    "witness",
]
