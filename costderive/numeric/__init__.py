"""Compiled losses: a scoring rule as numbers, to four units in the last place on all of [0, 1], or to what plans say.

Every piece of a loss is written in several ways, each of them *measured* against exact digits, and the best is
kept. Where it cancels (near the point at which the loss starts from 0, as a rule), or where there is no closed form,
a table takes its place: a power of the exact distance from the end of the piece, times polynomials in that
distance, its root or its logarithm. Nothing is clipped.
"""

from __future__ import annotations

from costderive.numeric.by_quadrature import reference
from costderive.numeric.compiled_loss import CompiledLoss, compile
from costderive.numeric.plan import Part

__all__ = ["CompiledLoss", "Part", "compile", "reference"]
