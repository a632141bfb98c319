"""Compiled losses: a scoring rule as numbers, accurate to a few units in the last place on all of [0, 1].

Every piece of a loss is compiled from its closed form and *measured* against 30 exact digits. Where the closed
form cancels (near the point at which the loss starts from 0, as a rule), or where there is none, a table takes
its place: polynomials in the logarithm of the exact distance from the end of the piece. Nothing is clipped.
"""

from __future__ import annotations

from costderive.numeric.compiled import CompiledLoss, compile
from costderive.numeric.function import Part
from costderive.numeric.reference import reference

__all__ = ["CompiledLoss", "Part", "compile", "reference"]
