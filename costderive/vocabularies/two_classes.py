"""The vocabulary of certificates of two classes: contexts, losses, what they pass through, and the moves."""

from __future__ import annotations

from typing import Any

from sympy import Expr

from costderive import rules
from costderive.core import piecewise
from costderive.costs import contexts, expected_loss, thresholds
from costderive.derivation import moves
from costderive.derivation.certificates.expression_trees import require
from costderive.derivation.certificates.records import Builder, Vocabulary, fits, of_kinds
from costderive.derivation.moves.held_beside import HeldBeside
from costderive.derivation.moves.mean_over_part import MeanOverPart, PartCell, PartStrip
from costderive.rules import given_by, hypergeometric, loss_pair


def _joint(density: Any, support: Any) -> contexts.Joint:
    """Build from the fields: what a joint context is made from otherwise is not what it holds."""
    require(fits(density, Expr) and fits(support, tuple[Expr, ...]), "not the fields of Joint")
    return contexts.Joint.over(density, support)


RECORDS: dict[str, type] = {
    "Area": expected_loss.Area,
    "Line": expected_loss.Line,
    "Arc": expected_loss.Arc,
    "Point": expected_loss.Point,
    "Plane": expected_loss.Plane,
    "Antiderivative": expected_loss.Antiderivative,
    "ExpectedLoss": expected_loss.ExpectedLoss,
    "Sheet": expected_loss.Sheet,
    "Strand": expected_loss.Strand,
    "ThresholdIntegral": expected_loss.ThresholdIntegral,
    "Slice": expected_loss.Slice,
    "SlicedIntegral": expected_loss.SlicedIntegral,
    "InnerIntegral": expected_loss.InnerIntegral,
    "PlaneIntegral": expected_loss.PlaneIntegral,
    "Factor": expected_loss.Factor,
    "ProductIntegral": expected_loss.ProductIntegral,
    "Margin": expected_loss.Margin,
    "MarginIntegral": expected_loss.MarginIntegral,
    "HeldStrip": expected_loss.HeldStrip,
    "HeldCell": expected_loss.HeldCell,
    "HeldCosts": expected_loss.HeldCosts,
    "HeldBeside": HeldBeside,
    "PartStrip": PartStrip,
    "PartCell": PartCell,
    "MeanOverPart": MeanOverPart,
    "WeightedLoss": expected_loss.WeightedLoss,
    "GivenWeight": given_by.GivenWeight,
    "GivenEntropy": given_by.GivenEntropy,
    "GivenLink": given_by.GivenLink,
    "GivenCdf": given_by.GivenCdf,
    "Value": loss_pair.Value,
    "LossPair": loss_pair.LossPair,
    "Limits": loss_pair.Limits,
    "WeighedPair": loss_pair.WeighedPair,
    "Witness": rules.Witness,
    "Interval": piecewise.Interval,
    "Piece": piecewise.Piece,
    "Pieces": piecewise.Pieces,
    "Atom": piecewise.Atom,
    "Sign": piecewise.Sign,
    "Measure": piecewise.Measure,
    "Equivalence": rules.Equivalence,
    "Calibration": rules.Calibration,
    "Condition": rules.Condition,
    "ConditionalProperness": rules.ConditionalProperness,
    "Improperness": rules.Improperness,
    "Judgement": rules.Judgement,
    "Miscalibration": rules.Miscalibration,
    "Properness": rules.Properness,
    "RepairedProperness": rules.RepairedProperness,
    "Represented": rules.Represented,
    "RiskSlope": rules.RiskSlope,
    "Undecided": rules.Undecided,
    "CompositeLosses": rules.CompositeLosses,
    "CompositeProperness": rules.CompositeProperness,
    "Convexity": rules.Convexity,
    "LinkedLosses": rules.LinkedLosses,
    "Losses": rules.Losses,
    "EulerIntegral": hypergeometric.EulerIntegral,
    "EulerTerm": hypergeometric.EulerTerm,
    "ScoringRule": rules.ScoringRule,
    "Calibrated": thresholds.Calibrated,
    "DistortedThreshold": thresholds.DistortedThreshold,
    "FixedThreshold": thresholds.FixedThreshold,
    "RandomThreshold": thresholds.RandomThreshold,
    "ThresholdedContext": thresholds.ThresholdedContext,
    "ActAsBayes": moves.ActAsBayes,
    "AddAllCosts": moves.AddAllCosts,
    "AddPartStrips": moves.AddPartStrips,
    "AddStrips": moves.AddStrips,
    "ChangeOfVariables": moves.ChangeOfVariables,
    "ChangeValues": moves.ChangeValues,
    "DifferentiateLink": moves.DifferentiateLink,
    "DistortThreshold": moves.DistortThreshold,
    "FindCalibration": moves.FindCalibration,
    "FindCondition": moves.FindCondition,
    "FindMiscalibration": moves.FindMiscalibration,
    "FindWeight": moves.FindWeight,
    "FindWitness": moves.FindWitness,
    "HoldInAreas": moves.HoldInAreas,
    "HoldOneCost": moves.HoldOneCost,
    "IntegrateByParts": moves.IntegrateByParts,
    "IntegrateCdf": moves.IntegrateCdf,
    "IntegrateMagnitude": moves.IntegrateMagnitude,
    "JudgeProperness": moves.JudgeProperness,
    "LeaveOpen": moves.LeaveOpen,
    "NameIntegrals": moves.NameIntegrals,
    "Represent": moves.Represent,
    "SetThreshold": moves.SetThreshold,
    "SignOfWeight": moves.SignOfWeight,
    "SliceRegion": moves.SliceRegion,
    "SlopeInPredictor": moves.SlopeInPredictor,
    "SlopeOfRisk": moves.SlopeOfRisk,
    "TakeExpectation": moves.TakeExpectation,
    "TakeMeanOverPart": moves.TakeMeanOverPart,
    "TakeTangents": moves.TakeTangents,
    "TakeWeight": moves.TakeWeight,
    "WeighBySlope": moves.WeighBySlope,
    "CommonFactor": contexts.CommonFactor,
    "Copula": contexts.Copula,
    "CopulaFamily": contexts.CopulaFamily,
    "Curve": contexts.Curve,
    "HeldPart": contexts.HeldPart,
    "FixedCosts": contexts.FixedCosts,
    "Independent": contexts.Independent,
    "IndependentUniform": contexts.IndependentUniform,
    "Joint": contexts.Joint,
    "Mixture": contexts.Mixture,
    "PowerMean": contexts.PowerMean,
}
BUILDERS: dict[str, Builder] = {
    "Joint": _joint,
    "Mixture": lambda parts: contexts.Mixture(*parts),
    "Witness": of_kinds(rules.Witness, belief=Expr, report=Expr),
    "Improperness": of_kinds(rules.Improperness, losses=loss_pair.LossPair),
    "Undecided": of_kinds(rules.Undecided, losses=loss_pair.LossPair),
}
TWO_CLASSES = Vocabulary.of("Derivation", RECORDS, BUILDERS)
