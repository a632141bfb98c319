"""The vocabulary of certificates of K classes: contexts, entropies, what they pass through, and the moves."""

from __future__ import annotations

from collections.abc import Iterator

from costderive.derivation.certificates.records import Vocabulary
from costderive.multiclass import (
    affine,
    bounds,
    class_costs,
    cost_moves,
    derive_classes,
    penalised,
    simplex,
    simplex_moves,
    stages,
    superior,
)
from costderive.rules import Judgement

_ROOMS = (
    class_costs,
    stages,
    cost_moves,
    simplex,
    simplex_moves,
    derive_classes,
    affine,
    penalised,
    bounds,
    superior,
)


def _records() -> Iterator[type]:
    yield Judgement
    for room in _ROOMS:
        yield from (x for x in vars(room).values() if isinstance(x, type) and x.__module__ == room.__name__)


derive_classes.MulticlassDerivation.vocabulary = Vocabulary.of(_records(), {})
