"""Points of [0, 1], with what is known of them beyond a double."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.numeric.logistic import logistic


@cache
def has_long() -> bool:
    """Return whether a ``longdouble`` has more digits than a double."""
    return bool(np.finfo(np.longdouble).nmant > 60)


@cache
def long_epsilon() -> float:
    """Return the relative distance of neighbouring numbers of type ``longdouble``."""
    return float(np.finfo(np.longdouble).eps)


@dataclass(frozen=True, slots=True)
class Points:
    """One-dimensional arrays ``p`` and ``r``, which is ``1 - p`` rounded.

    Those that were read from a ``logit`` are ``p (1 + rest)``.
    """

    p: Array
    r: Array
    logit: Array | None = None
    rest: Array | None = None

    @classmethod
    def of(cls, p: Array) -> Points:
        """Read probabilities."""
        return cls(p, 1 - p)

    @classmethod
    def of_logit(cls, logit: Array) -> Points:
        """Read logits ``log(p/(1 - p))`` that are not above 0."""
        p, rest = logistic(logit)
        return cls(p, 1 - p, logit, rest)

    def __len__(self) -> int:
        return len(self.p)

    def missing(self) -> Array:
        """Return what p has lost by rounding, relative to itself, from ``longdouble`` where it has more digits."""
        assert self.logit is not None and self.rest is not None
        if not has_long():
            return self.rest
        found: Array = _longer(self.logit.astype(np.longdouble), self.p).astype(np.float64)
        return found

    def take(self, rows: NDArray[np.intp]) -> Points:
        """Return some of the points."""
        kept = (None if each is None else each.take(rows) for each in (self.logit, self.rest))
        return Points(self.p.take(rows), self.r.take(rows), *kept)


def missing_of_one(logit: float, p: float, rest: float) -> float:
    """Return what the p of one logit has lost by rounding, as `Points.missing` does."""
    return float(_longer(logit + long_zero(), p)) if has_long() else rest


@cache
def long_zero() -> np.longdouble:
    """Return 0, which makes a ``longdouble`` of what it is added to, in a fifth of the time of a conversion."""
    return np.longdouble(0)


def _longer(logit: Any, p: Any) -> Any:
    ratio = np.exp(logit)
    return (ratio / (1 + ratio) - p) / p


FEW = 4  # groups that are sooner looked for one by one than sorted


def grouped(kinds: NDArray[np.integer[Any]], count: int) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield each kind below ``count`` that there is, and the places of all that are of it."""
    if len(kinds) == 1:
        yield int(kinds[0]), np.zeros(1, dtype=np.intp)
        return
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
    "complement": Points.of,  # by the programs of 1 - p
    "logit": Points.of_logit,
}
