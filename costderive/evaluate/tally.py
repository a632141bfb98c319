"""Predictions counted: how many instances of each class have each probability. All curves follow from that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.core.short_repr import short_repr

MOST = 1 << 19  # distinct probabilities that are counted one by one
# Leaves 12 of the 53 binary digits of a probability, and of 1 minus it, where there are more of them.
SPLIT = 2.0**41 + 1


@dataclass(frozen=True, slots=True)
class Tally:
    """Distinct probabilities, ascending, with the numbers (or weights) of instances of both classes, of shape (m,)."""

    probability: Array
    zeros: Array
    ones: Array
    is_exact: bool = True

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.probability)

    @classmethod
    def of(cls, probability: Array, is_one: NDArray[np.bool_], weights: Array | None = None) -> Tally:
        """Count instances, or add up their weights."""
        each = np.ones(len(is_one)) if weights is None else weights
        return cls._summed(probability, ~is_one * each, is_one * each, True)

    @classmethod
    def merged(cls, parts: Iterable[Tally]) -> Tally:
        """Add up tallies."""
        parts = list(parts)

        def column(name: str) -> Array:
            return np.concatenate([getattr(part, name) for part in parts])

        is_exact = all(part.is_exact for part in parts)
        return cls._summed(column("probability"), column("zeros"), column("ones"), is_exact)

    @classmethod
    def _summed(cls, probability: Array, zeros: Array, ones: Array, is_exact: bool) -> Tally:
        order = np.argsort(probability)
        ascending = probability[order]
        starts = np.flatnonzero(np.concatenate([[True], ascending[1:] != ascending[:-1]]))
        zeros, ones = np.add.reduceat(zeros[order], starts), np.add.reduceat(ones[order], starts)
        return cls(ascending[starts], zeros, ones, is_exact)

    def equals(self, other: Tally) -> bool:
        """Return whether another tally has the same rows."""
        columns = ("probability", "zeros", "ones")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in columns)

    def coarse(self) -> Tally:
        """Return the tally with rounded probabilities, which has at most so many rows in any number of instances.

        Source: Dekker (1971), section 5.7 (due to Veltkamp).
        """
        is_high = self.probability > 0.5
        exact = np.where(is_high, 1 - self.probability, self.probability)
        small = SPLIT * exact - (SPLIT * exact - exact)
        return Tally._summed(np.where(is_high, 1 - small, small), self.zeros, self.ones, False)

    def weighted(self, proportions: tuple[float, float]) -> Tally:
        """Return the tally with weights in place of counts, which add up to the proportion of each class."""
        totals = [float(counts.sum()) or 1.0 for counts in (self.zeros, self.ones)]
        zeros, ones = (
            counts * (share / total)
            for counts, share, total in zip((self.zeros, self.ones), proportions, totals, strict=True)
        )
        return Tally(self.probability, zeros, ones, self.is_exact)

    def recalibrated(self) -> Tally:
        """Return the isotonic recalibration: the tally of those increasing probabilities that fit the classes best.

        It is the best for every proper scoring rule at once. Neighbours pool as long as their proportions of
        class 1 do not rise.

        Source: Ayer, Brunk, Ewing, Reid and Silverman (1955); Dimitriadis, Gneiting and Jordan (2021).
        """
        zeros, ones, _ = self._pools()
        return Tally(ones / (zeros + ones), zeros, ones, self.is_exact)

    def recalibration(self) -> Array:
        """Return what isotonic recalibration makes of each probability, of shape (m,)."""
        zeros, ones, sizes = self._pools()
        return np.repeat(ones / (zeros + ones), sizes.astype(np.intp))

    def _pools(self) -> tuple[Array, Array, Array]:
        """Return what each pool holds of the two classes, and how many distinct probabilities."""
        pools: list[tuple[float, float, int]] = []
        for zero, one in zip(self.zeros.tolist(), self.ones.tolist(), strict=True):
            size = 1
            while pools and pools[-1][1] * zero >= one * pools[-1][0]:
                more_zero, more_one, more = pools.pop()
                zero, one, size = zero + more_zero, one + more_one, size + more  # noqa: PLW2901
            pools.append((zero, one, size))
        zeros, ones, sizes = np.array(pools).T
        return zeros, ones, sizes

    def mistakes(self, threshold: Array) -> tuple[Array, Array]:
        """Return what instances of class 0 lie above a threshold, and of class 1 at or below it."""
        places = np.searchsorted(self.probability, threshold, side="right")
        zeros, ones = (np.concatenate([[0.0], np.cumsum(counts)]) for counts in (self.zeros, self.ones))
        return zeros[-1] - zeros[places], ones[places]


class Counting:
    """A tally that grows; beyond ``MOST`` distinct probabilities it rounds them, so that its size stays bounded."""

    def __init__(self) -> None:
        self._parts: list[Tally] = []
        self._pending = 0
        self._is_exact = True

    def add(self, part: Tally) -> None:
        """Add instances."""
        self._parts.append(part)
        self._pending += len(part)
        if self._pending > (2 * MOST if self._is_exact else MOST // 2):
            self._parts = [self.tally()]
            self._pending, self._is_exact = len(self._parts[0]), self._parts[0].is_exact

    def tally(self) -> Tally:
        """Return the tally of all instances."""
        whole = Tally.merged(self._parts)
        return whole.coarse() if len(whole) > MOST or not whole.is_exact else whole
