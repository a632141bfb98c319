"""Points of [0, 1] as pairs ``p`` and ``r = 1 - p``, each with its own digits: near p = 1 only ``r`` has any left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Points:
    """One-dimensional arrays ``p`` and ``r``; ``derived`` says that r is p's difference from 1 and knows no more.

    A ``logit`` from which both were computed knows more than they do.
    """

    p: Array
    r: Array
    derived: bool
    logit: Array | None = None

    @classmethod
    def of(cls, p: Array) -> Points:
        """Read probabilities."""
        return cls(p, 1 - p, True)

    @classmethod
    def of_complement(cls, r: Array) -> Points:
        """Read numbers ``1 - p``."""
        return cls(1 - r, r, False)

    @classmethod
    def of_logit(cls, logit: Array) -> Points:
        """Read logits ``log(p/(1 - p))``: the smaller of p and r is right to three units in the last place."""
        ratio = np.abs(logit)
        with np.errstate(under="ignore"):
            np.exp(np.negative(ratio, out=ratio), out=ratio)
            small = 1 + ratio
            np.divide(ratio, small, out=small)
        large, is_high = np.subtract(1, small, out=ratio), logit > 0
        return cls(np.where(is_high, large, small), np.where(is_high, small, large), False, logit)

    def __len__(self) -> int:
        return len(self.p)

    def take(self, rows: NDArray[np.intp]) -> Points:
        """Return some of the points."""
        if self.derived:
            return Points.of(self.p.take(rows))
        logit = None if self.logit is None else self.logit.take(rows)
        return Points(self.p.take(rows), self.r.take(rows), self.derived, logit)

    def nudged(self) -> tuple[Points, Points]:
        """Return points with p, and points with r, larger by :data:`NUDGE`, relative to itself."""
        more = 1 + NUDGE
        return Points(self.p * more, self.r, False), Points(self.p, self.r * more, False)

    def missing(self) -> tuple[Array, Array]:
        """Return what p and r have lost by rounding, each relative to itself.

        What a logit has lost is known as far as ``longdouble`` has more digits than a double.
        """
        if self.logit is None:
            return ((1 - self.p) - self.r) / self.p, np.zeros(len(self))
        ratio = np.exp(-np.abs(self.logit).astype(np.longdouble))
        small, large, is_high = ratio / (1 + ratio), 1 / (1 + ratio), self.logit > 0
        p, r = np.where(is_high, large, small), np.where(is_high, small, large)
        return ((p - self.p) / self.p).astype(np.float64), ((r - self.r) / self.r).astype(np.float64)


NUDGE = 2.0**-30
FEW = 4  # groups that are sooner looked for one by one than sorted


def grouped(kinds: NDArray[np.integer[Any]], count: int) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield each kind below ``count`` that there is, and the places of all that are of it."""
    sizes = [int(np.count_nonzero(kinds == kind)) for kind in range(count)]
    if count <= FEW:
        yield from ((kind, np.flatnonzero(kinds == kind)) for kind, size in enumerate(sizes) if size)
        return
    order, first = np.argsort(kinds, kind="stable"), 0  # of small integers: in one pass
    for kind, size in enumerate(sizes):
        if size:
            yield kind, order[first : first + size]
        first += size


Evaluate = Callable[[Points], Array]
READERS: dict[str, Callable[[Any], Points]] = {  # by the name of the argument that holds the predictions
    "p": Points.of,
    "y_proba": Points.of,
    "complement": Points.of_complement,
    "logit": Points.of_logit,
}
ROUNDED = ("complement", "logit")  # those of which p is not all that is known
