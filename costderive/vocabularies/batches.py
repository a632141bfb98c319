"""The vocabulary of certificates of rules of a batch: the rules, what is concluded of them, and the moves.

The rule of one instance that a rule of a batch adds up is derived in the vocabulary of two classes.
"""

from __future__ import annotations

from costderive.batch import batch_moves
from costderive.batch.auc import AucScore, FindDependentLabels
from costderive.batch.auc_labels import AucAmong, Labels, SumOverWeighedPairs
from costderive.batch.batch_conclusions import BatchImproperness, BatchProperness
from costderive.batch.batch_entropies import LowestRule, SmoothRule
from costderive.batch.linear_rules import AdditiveRule, BatchRule, Forecast, NormRule, RankRule
from costderive.derivation.certificates.document import whole
from costderive.derivation.certificates.records import Builder, Vocabulary, of_kinds
from costderive.derivation.derivation import Derivation
from costderive.rules import Undecided, Witness
from costderive.vocabularies import two_classes

OF_ANY_RULE = (Undecided, Witness)  # the rule of one instance is proper, so that only the batch has them
RECORDS: dict[str, type] = {
    **{name: record for name, record in two_classes.RECORDS.items() if record not in OF_ANY_RULE},
    "Derivation": Derivation,
    "AdditiveRule": AdditiveRule,
    "NormRule": NormRule,
    "RankRule": RankRule,
    "LowestRule": LowestRule,
    "SmoothRule": SmoothRule,
    "BatchImproperness": BatchImproperness,
    "BatchWitness": Witness,
    "AucScore": AucScore,
    "FindDependentLabels": FindDependentLabels,
    "BatchProperness": BatchProperness,
    "Labels": Labels,
    "AucAmong": AucAmong,
    "SumOverWeighedPairs": SumOverWeighedPairs,
    "BatchUndecided": Undecided,
    "AddInstances": batch_moves.AddInstances,
    "BendOfNorm": batch_moves.BendOfNorm,
    "SumOverPairs": batch_moves.SumOverPairs,
    "TouchFromAbove": batch_moves.TouchFromAbove,
    "BendOfEntropy": batch_moves.BendOfEntropy,
    "FindBatchWitness": batch_moves.FindBatchWitness,
}
BUILDERS: dict[str, Builder] = {
    **two_classes.BUILDERS,
    "Derivation": lambda **fields: whole(Derivation(**fields)),
    "BatchWitness": of_kinds(Witness, belief=Forecast, report=Forecast),
    "BatchUndecided": of_kinds(Undecided, losses=BatchRule),
}
BATCHES = Vocabulary.of("BatchDerivation", RECORDS, BUILDERS)
