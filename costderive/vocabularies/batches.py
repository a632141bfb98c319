"""The vocabulary of certificates of rules of a batch: the rules, what is concluded of them, and the moves.

The rule of one instance that a rule of a batch adds up is derived in the vocabulary of two classes.
"""

from __future__ import annotations

from costderive.batch.auc import AucScore, FindDependentLabels
from costderive.batch.auc_labels import AucAmong, Labels, SumOverWeighedPairs
from costderive.batch.batch_conclusions import (
    BatchImproperness,
    BatchProperness,
    BatchUndecided,
    BatchWitness,
)
from costderive.batch.batch_entropies import LowestRule, SmoothRule
from costderive.batch.batch_moves import (
    AddInstances,
    BendOfEntropy,
    BendOfNorm,
    FindBatchWitness,
    SumOverPairs,
    TouchFromAbove,
)
from costderive.batch.linear_rules import AdditiveRule, NormRule, RankRule
from costderive.derivation.certificates.document import whole
from costderive.derivation.certificates.records import Builder, Vocabulary
from costderive.derivation.derivation import Derivation
from costderive.vocabularies import two_classes

RECORDS: dict[str, type] = {
    **two_classes.RECORDS,
    "Derivation": Derivation,
    "AdditiveRule": AdditiveRule,
    "NormRule": NormRule,
    "RankRule": RankRule,
    "LowestRule": LowestRule,
    "SmoothRule": SmoothRule,
    "BatchImproperness": BatchImproperness,
    "BatchWitness": BatchWitness,
    "AucScore": AucScore,
    "FindDependentLabels": FindDependentLabels,
    "BatchProperness": BatchProperness,
    "Labels": Labels,
    "AucAmong": AucAmong,
    "SumOverWeighedPairs": SumOverWeighedPairs,
    "BatchUndecided": BatchUndecided,
    "AddInstances": AddInstances,
    "BendOfNorm": BendOfNorm,
    "SumOverPairs": SumOverPairs,
    "TouchFromAbove": TouchFromAbove,
    "BendOfEntropy": BendOfEntropy,
    "FindBatchWitness": FindBatchWitness,
}
BUILDERS: dict[str, Builder] = {
    **two_classes.BUILDERS,
    "Derivation": lambda **fields: whole(Derivation(**fields)),
}
BATCHES = Vocabulary.of("BatchDerivation", RECORDS, BUILDERS)
