"""Scoring rules for a whole batch of instances."""

from __future__ import annotations

from costderive.batch.auc import AucScore, auc, auc_alone
from costderive.batch.auc_labels import AucAmong, auc_among
from costderive.batch.derive_batch import (
    BatchDerivation,
    additive,
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
