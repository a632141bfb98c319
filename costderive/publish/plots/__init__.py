"""Pictures of scores, of contexts and of rules (extra ``plot``): each function returns a figure of matplotlib.

``derivation`` draws all of one; it is no method, since a derivation knows nothing of pictures. Colours are those of
Okabe and Ito, which the colour-blind can distinguish; lines differ by their dashes too, for print.
"""

from __future__ import annotations

from costderive.publish.plots.canvas import saved, svg
from costderive.publish.plots.context_pictures import (
    comparison,
    context,
    derivation,
    entropy,
    losses,
    threshold_weight,
)
from costderive.publish.plots.score_pictures import (
    cost_curves,
    decision,
    decision_curves,
    murphy_diagram,
    reliability_diagrams,
)
from costderive.publish.plots.triangles import simplex

__all__ = [
    "comparison",
    "context",
    "cost_curves",
    "decision",
    "decision_curves",
    "derivation",
    "entropy",
    "losses",
    "murphy_diagram",
    "reliability_diagrams",
    "saved",
    "simplex",
    "svg",
    "threshold_weight",
]
