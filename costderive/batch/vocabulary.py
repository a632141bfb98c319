"""The vocabulary of certificates of rules of a batch: the rules, what is concluded of them, and the moves.

The rule of one instance that a rule of a batch adds up is derived in the vocabulary of two classes.
"""

from __future__ import annotations

from collections.abc import Iterator

from costderive.batch import auc, auc_labels, entropies, moves, objects, rules, walk
from costderive.batch.auc_labels import Labels
from costderive.batch.objects import BatchWitness
from costderive.batch.rules import BatchLoss
from costderive.certificate.document import whole
from costderive.certificate.records import Vocabulary
from costderive.certificate.two_classes import TWO_CLASSES
from costderive.derivation import Derivation
from costderive.proof import Move
from costderive.rule import Conclusion

_ROOMS = (rules, entropies, auc, auc_labels, objects, moves)
_KINDS = (BatchLoss, Conclusion, BatchWitness, Labels, Move)


def _records() -> Iterator[type]:
    yield from TWO_CLASSES.records.values()
    yield Derivation
    for room in _ROOMS:
        yield from (x for x in vars(room).values() if isinstance(x, type) and issubclass(x, _KINDS))


walk.BatchDerivation.vocabulary = Vocabulary.of(
    _records(), {**TWO_CLASSES.builders, "Derivation": lambda **fields: whole(Derivation(**fields))}
)
