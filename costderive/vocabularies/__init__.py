"""What certificates call the objects that they hold: one table, in which each kind of derivation has its vocabulary.

A name belongs to the format, not to the program: it stays when a class is renamed or moved, and is never given to
another class, so that certificates that were published stay readable. Nothing that certificates do not hold is here.
"""

from __future__ import annotations

from collections.abc import Mapping

from costderive.batch import BatchDerivation
from costderive.derivation.certificates.document import Certified
from costderive.derivation.certificates.records import Vocabulary
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.vocabularies.batches import BATCHES
from costderive.vocabularies.several_classes import SEVERAL_CLASSES
from costderive.vocabularies.two_classes import TWO_CLASSES

VOCABULARIES: Mapping[type[Certified], Vocabulary] = {
    Derivation: TWO_CLASSES,
    MulticlassDerivation: SEVERAL_CLASSES,
    BatchDerivation: BATCHES,
}

__all__ = ["BATCHES", "SEVERAL_CLASSES", "TWO_CLASSES", "VOCABULARIES"]
