"""Scoring rules for a whole batch of instances."""

from __future__ import annotations

from costderive.batch.auc import AucScore, auc
from costderive.batch.auc_labels import AucAmong
from costderive.batch.derive_batch import (
    BatchDerivation,
    additive,
    auc_alone,
    auc_among,
    from_entropy,
    homogeneous,
    lowest,
    rank_based,
)
from costderive.batch.discrimination import discrimination, discrimination_bound, discrimination_limit
from costderive.batch.linear_rules import BatchRule

__all__ = [
    "AucAmong",
    "AucScore",
    "BatchDerivation",
    "BatchRule",
    "additive",
    "auc",
    "auc_alone",
    "auc_among",
    "discrimination",
    "discrimination_bound",
    "discrimination_limit",
    "from_entropy",
    "homogeneous",
    "lowest",
    "rank_based",
]
