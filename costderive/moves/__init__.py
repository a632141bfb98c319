"""The moves: acts that turn a cost context, step by step, into a scoring rule and its proof of properness."""

from costderive.moves.composite import IntegrateCdf, SlopeInPredictor
from costderive.moves.costs import ChangeOfVariables
from costderive.moves.expectation import TakeExpectation
from costderive.moves.losses import IntegrateByParts
from costderive.moves.magnitude import IntegrateMagnitude
from costderive.moves.origins import DifferentiateLink, Represent, TakeTangents, TakeWeight
from costderive.moves.pairs import FindWeight, JudgeProperness
from costderive.moves.properness import SignOfWeight, SlopeOfRisk
from costderive.moves.regions import SliceRegion
from costderive.moves.thresholds import SetThreshold
from costderive.moves.witness import ChangeValues, FindWitness, LeaveOpen

__all__ = [
    "ChangeOfVariables",
    "ChangeValues",
    "DifferentiateLink",
    "FindWeight",
    "FindWitness",
    "IntegrateByParts",
    "IntegrateCdf",
    "IntegrateMagnitude",
    "JudgeProperness",
    "LeaveOpen",
    "Represent",
    "SetThreshold",
    "SignOfWeight",
    "SliceRegion",
    "SlopeInPredictor",
    "SlopeOfRisk",
    "TakeExpectation",
    "TakeTangents",
    "TakeWeight",
]
