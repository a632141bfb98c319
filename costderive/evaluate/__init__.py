"""Scores of real predictions: the loss under a cost context, how sure it is, and the total cost that it stands for."""

from __future__ import annotations

from costderive.evaluate.predictions import Predictions, from_files, read_predictions
from costderive.evaluate.scores import Difference, Estimate, ModelScore, Scores, score, score_blocks
from costderive.evaluate.simulation import Simulation, simulate
from costderive.evaluate.tally import Tally

__all__ = [
    "Difference",
    "Estimate",
    "ModelScore",
    "Predictions",
    "Scores",
    "Simulation",
    "Tally",
    "from_files",
    "read_predictions",
    "score",
    "score_blocks",
    "simulate",
]
