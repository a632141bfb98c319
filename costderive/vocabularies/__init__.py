"""What certificates call the objects that they hold: one table, in which each kind of derivation has its vocabulary.

A name belongs to the format, not to the program: it stays when a class is renamed or moved, and is never given to
another class, so that certificates that were published stay readable. Nothing that certificates do not hold is here.
The table has places, those of vocabularies in this room. One is imported when it is asked for: two classes need
nothing of several.
"""

from __future__ import annotations

from collections.abc import Mapping

PLACES: Mapping[str, str] = {
    "costderive.derivation.derivation:Derivation": "two_classes:TWO_CLASSES",
    "costderive.multiclass.derive_classes:MulticlassDerivation": "several_classes:SEVERAL_CLASSES",
    "costderive.batch.derive_batch:BatchDerivation": "batches:BATCHES",
}
