"""Scores of real predictions: the loss under a cost context, how sure it is, and the total cost that it stands for."""

from __future__ import annotations

from costderive.evaluate.case_decisions import Decisions, decide
from costderive.evaluate.class_scores import ClassModelScore, ClassScores, score_classes
from costderive.evaluate.cost_matrix import CostMatrix
from costderive.evaluate.cost_ranges import CostRanges, Range, cost_ranges
from costderive.evaluate.curves import (
    CostCurve,
    Reliability,
    Roc,
    constant_curves,
    cost_curves,
    optimal_curves,
    reliabilities,
    rocs,
)
from costderive.evaluate.decisions import Cheapest, alike, cheapest, threshold_for
from costderive.evaluate.model_scores import Difference, Estimate, ModelScore, Scores
from costderive.evaluate.prediction_files import column_names
from costderive.evaluate.predictions import Predictions, from_files, read_predictions
from costderive.evaluate.scores import How, score, score_blocks
from costderive.evaluate.simulation import Simulation, simulate
from costderive.evaluate.tally import Tally

__all__ = [
    "Cheapest",
    "ClassModelScore",
    "ClassScores",
    "CostCurve",
    "CostMatrix",
    "CostRanges",
    "Decisions",
    "Difference",
    "Estimate",
    "How",
    "ModelScore",
    "Predictions",
    "Range",
    "Reliability",
    "Roc",
    "Scores",
    "Simulation",
    "Tally",
    "alike",
    "cheapest",
    "column_names",
    "constant_curves",
    "cost_curves",
    "cost_ranges",
    "decide",
    "from_files",
    "optimal_curves",
    "read_predictions",
    "reliabilities",
    "rocs",
    "score",
    "score_blocks",
    "score_classes",
    "simulate",
    "threshold_for",
]
