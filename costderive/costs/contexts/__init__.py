"""Cost contexts: laws of the pair (c0, c1) of misclassification costs.

A context says three things: which facts hold for its parameters, what the expected loss is as an integral over
the costs, and how to draw costs from it. Everything else is derived. Parameters may be numbers (an int, a
fraction, a decimal, read as the decimal it prints as), SymPy expressions, or text such as ``"a"`` or ``"2*a"``;
a name in a text is a positive parameter.

Wherever ``c0`` and ``c1`` are accepted so are ``fp`` and ``fn``: with class 1 positive, ``c0`` is the cost of a
false positive and ``c1`` the cost of a false negative.
"""

from costderive.costs.contexts.common_factor import CommonFactor
from costderive.costs.contexts.context import Context
from costderive.costs.contexts.copula import Copula
from costderive.costs.contexts.copula_families import CopulaFamily
from costderive.costs.contexts.curve import Curve
from costderive.costs.contexts.held_part import HeldPart
from costderive.costs.contexts.independent import Independent, IndependentUniform
from costderive.costs.contexts.joint import Joint
from costderive.costs.contexts.means import Additive, Geometric, Harmonic, PowerMean
from costderive.costs.contexts.mixture import FixedCosts, Mixture

__all__ = [
    "Additive",
    "CommonFactor",
    "Context",
    "Copula",
    "CopulaFamily",
    "Curve",
    "FixedCosts",
    "Geometric",
    "Harmonic",
    "HeldPart",
    "Independent",
    "IndependentUniform",
    "Joint",
    "Mixture",
    "PowerMean",
]
