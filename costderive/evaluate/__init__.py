"""Scores of real predictions: the loss under a cost context, and the total cost that it stands for, simulated."""

from __future__ import annotations

from costderive.evaluate.predictions import Predictions, read_predictions
from costderive.evaluate.scores import ModelScore, score
from costderive.evaluate.simulation import Simulation, simulate

__all__ = ["ModelScore", "Predictions", "Simulation", "read_predictions", "score", "simulate"]
