"""Scoring rules: two losses, one per class, and the threshold weight that mixes them from cost-weighted 0/1 losses."""

from costderive.proof import Conclusion
from costderive.rule.comparison import Equivalence
from costderive.rule.composite import CompositeLosses, CompositeProperness
from costderive.rule.conclusions import (
    Improperness,
    Judgement,
    Properness,
    RepairedProperness,
    Represented,
    RiskSlope,
    Undecided,
    Unproved,
    unproved_in_words,
    verdict_of,
)
from costderive.rule.link import Convexity, LinkedLosses, eta
from costderive.rule.losses import Losses
from costderive.rule.scoring import ScoringRule, weight_of

__all__ = [
    "CompositeLosses",
    "CompositeProperness",
    "Conclusion",
    "Convexity",
    "Equivalence",
    "Improperness",
    "Judgement",
    "LinkedLosses",
    "Losses",
    "Properness",
    "RepairedProperness",
    "Represented",
    "RiskSlope",
    "ScoringRule",
    "Undecided",
    "Unproved",
    "unproved_in_words",
    "eta",
    "verdict_of",
    "weight_of",
]
