"""Scoring rules: two losses, one per class, and the threshold weight that mixes them from cost-weighted 0/1 losses."""

from costderive.proof.claims import Conclusion
from costderive.rules.case_losses import weight_of
from costderive.rules.comparison import Equivalence
from costderive.rules.conclusions import (
    Calibration,
    Condition,
    ConditionalProperness,
    Improperness,
    Judgement,
    Miscalibration,
    Properness,
    RepairedProperness,
    Represented,
    RiskSlope,
    Undecided,
    Unproved,
    Witness,
    unproved_in_words,
    verdict_of,
)
from costderive.rules.linear_predictor import CompositeLosses, CompositeProperness
from costderive.rules.link import Convexity, LinkedLosses, eta
from costderive.rules.losses import Losses
from costderive.rules.scoring_rule import ScoringRule

__all__ = [
    "Calibration",
    "CompositeLosses",
    "CompositeProperness",
    "Conclusion",
    "Convexity",
    "Equivalence",
    "Improperness",
    "Condition",
    "ConditionalProperness",
    "Judgement",
    "LinkedLosses",
    "Losses",
    "Miscalibration",
    "Properness",
    "RepairedProperness",
    "Represented",
    "RiskSlope",
    "ScoringRule",
    "Undecided",
    "Unproved",
    "Witness",
    "unproved_in_words",
    "eta",
    "verdict_of",
    "weight_of",
]
