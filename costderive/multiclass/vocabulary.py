"""The vocabulary of certificates of K classes: contexts, entropies, what they pass through, and the moves."""

from __future__ import annotations

from collections.abc import Iterator

from costderive.certificate.records import Vocabulary
from costderive.multiclass import (
    affine,
    bounds,
    contexts,
    moves,
    objects,
    penalised,
    simplex,
    simplex_moves,
    superior,
    walk,
)
from costderive.rule import Judgement

_ROOMS = (contexts, objects, moves, simplex, simplex_moves, walk, affine, penalised, bounds, superior)


def _records() -> Iterator[type]:
    yield Judgement
    for room in _ROOMS:
        yield from (x for x in vars(room).values() if isinstance(x, type) and x.__module__ == room.__name__)


walk.MulticlassDerivation.vocabulary = Vocabulary.of(_records(), {})
