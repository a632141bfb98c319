"""The moves: acts that turn a cost context, step by step, into a scoring rule and its proof of properness."""

from costderive.moves.costs import ChangeOfVariables, TakeExpectation
from costderive.moves.losses import IntegrateByParts
from costderive.moves.magnitude import IntegrateMagnitude
from costderive.moves.properness import SignOfWeight, SlopeOfRisk
from costderive.moves.regions import SliceRegion

__all__ = [
    "ChangeOfVariables",
    "IntegrateByParts",
    "IntegrateMagnitude",
    "SignOfWeight",
    "SliceRegion",
    "SlopeOfRisk",
    "TakeExpectation",
]
