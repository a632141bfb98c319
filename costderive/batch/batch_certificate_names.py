"""The vocabulary of certificates of rules of a batch: the rules, what is concluded of them, and the moves.

The rule of one instance that a rule of a batch adds up is derived in the vocabulary of two classes.
"""

from __future__ import annotations

from collections.abc import Iterator

from costderive.batch import (
    auc,
    auc_labels,
    batch_conclusions,
    batch_entropies,
    batch_moves,
    derive_batch,
    linear_rules,
)
from costderive.batch.auc_labels import Labels
from costderive.batch.batch_conclusions import BatchWitness
from costderive.batch.linear_rules import BatchLoss
from costderive.derivation.certificates.document import whole
from costderive.derivation.certificates.records import Vocabulary
from costderive.derivation.certificates.vocabulary import TWO_CLASSES
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Move
from costderive.rules import Conclusion

_ROOMS = (linear_rules, batch_entropies, auc, auc_labels, batch_conclusions, batch_moves)
_KINDS = (BatchLoss, Conclusion, BatchWitness, Labels, Move)


def _records() -> Iterator[type]:
    yield from TWO_CLASSES.records.values()
    yield Derivation
    for room in _ROOMS:
        yield from (x for x in vars(room).values() if isinstance(x, type) and issubclass(x, _KINDS))


derive_batch.BatchDerivation.vocabulary = Vocabulary.of(
    _records(), {**TWO_CLASSES.builders, "Derivation": lambda **fields: whole(Derivation(**fields))}
)
