"""The moves: acts that turn a cost context, step by step, into a scoring rule and its proof of properness.

Here are their claims, with what these need, which is trusted. How a move finds what it gives is in `derivation.search`.
"""

from costderive.derivation.moves.any_losses import FindWeight, JudgeProperness
from costderive.derivation.moves.change_of_variables import ChangeOfVariables
from costderive.derivation.moves.composite_losses import IntegrateCdf, SlopeInPredictor
from costderive.derivation.moves.conditions import FindCondition
from costderive.derivation.moves.distorted_thresholds import (
    DistortThreshold,
    FindCalibration,
    FindMiscalibration,
)
from costderive.derivation.moves.given_functions import DifferentiateLink, Represent, TakeTangents, TakeWeight
from costderive.derivation.moves.held_beside import AddAllCosts, HoldInAreas
from costderive.derivation.moves.held_costs import ActAsBayes, AddStrips, HoldOneCost
from costderive.derivation.moves.independent_thresholds import SetThreshold
from costderive.derivation.moves.integrate_by_parts import IntegrateByParts
from costderive.derivation.moves.integrate_magnitude import IntegrateMagnitude
from costderive.derivation.moves.mean_over_part import AddPartStrips, TakeMeanOverPart
from costderive.derivation.moves.name_integrals import NameIntegrals
from costderive.derivation.moves.risk_slope import SignOfWeight, SlopeOfRisk
from costderive.derivation.moves.slices import SliceRegion
from costderive.derivation.moves.take_expectation import TakeExpectation
from costderive.derivation.moves.weigh_by_slope import WeighBySlope
from costderive.derivation.moves.witness import ChangeValues, FindWitness, LeaveOpen

__all__ = [
    "ActAsBayes",
    "AddAllCosts",
    "AddPartStrips",
    "AddStrips",
    "ChangeOfVariables",
    "ChangeValues",
    "DifferentiateLink",
    "DistortThreshold",
    "FindCalibration",
    "FindCondition",
    "FindMiscalibration",
    "FindWeight",
    "FindWitness",
    "HoldInAreas",
    "HoldOneCost",
    "IntegrateByParts",
    "IntegrateCdf",
    "IntegrateMagnitude",
    "JudgeProperness",
    "LeaveOpen",
    "NameIntegrals",
    "Represent",
    "SetThreshold",
    "SignOfWeight",
    "SliceRegion",
    "SlopeInPredictor",
    "SlopeOfRisk",
    "TakeExpectation",
    "TakeMeanOverPart",
    "TakeTangents",
    "TakeWeight",
    "WeighBySlope",
]
