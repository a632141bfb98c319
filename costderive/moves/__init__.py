"""The moves: acts that turn a cost context, step by step, into a scoring rule and its proof of properness."""

from costderive.moves.costs import ChangeOfVariables, IntegrateMagnitude, SliceRegion, TakeExpectation
from costderive.moves.losses import IntegrateByParts
from costderive.moves.order import Undecided
from costderive.moves.properness import SignOfWeight, SlopeOfRisk

__all__ = [
    "ChangeOfVariables",
    "IntegrateByParts",
    "IntegrateMagnitude",
    "SignOfWeight",
    "SliceRegion",
    "SlopeOfRisk",
    "TakeExpectation",
    "Undecided",
]
