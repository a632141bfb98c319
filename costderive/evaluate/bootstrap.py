"""The bootstrap of mean losses, in memory that does not grow with the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from costderive.core.numpy_on_demand import Array, NDArray, np

Rows = NDArray["np.intp"]
GROUPS = 1 << 14
LOW = 0xFFFFFFFF  # the bits that a number mixed by ``group_of`` keeps
MIXERS = (0x85EBCA6B, 0xC2B2AE35)


def group_of(row: Rows) -> Rows:
    """Return the group that each row falls into, as if by chance, whatever the order of the file.

    Source: Appleby's MurmurHash3, its finaliser of 32 bits.
    """
    mixed = (row ^ (row >> 32)) & LOW
    mixed = ((mixed ^ (mixed >> 16)) * MIXERS[0]) & LOW
    mixed = ((mixed ^ (mixed >> 13)) * MIXERS[1]) & LOW
    return (mixed ^ (mixed >> 16)) % GROUPS


class Groups:
    """Losses added up by groups of rows: weights of shape (2, groups), and sums of shape (2, models, groups).

    As long as there are no more than ``GROUPS`` rows each is a group of its own; after that, every row is in
    a random one. To draw random groups is then as good as to draw rows: what rows of a group have in common beyond
    chance cancels, in the mean over the ways to make groups.
    """

    def __init__(self, models: int) -> None:
        self.counts = np.zeros((2, GROUPS))
        self.sums = np.zeros((2, models, GROUPS))
        self._placed = 0
        self._pending: list[tuple[NDArray[np.bool_], tuple[Array, Array], Array]] = []

    def add(
        self, is_one: NDArray[np.bool_], losses: tuple[Array, Array], weights: Array | None = None
    ) -> None:
        """Add rows: classes and weights, of shape (n,), and for each class losses, of shape (models, rows of it)."""
        self._pending.append((is_one, losses, np.ones(len(is_one)) if weights is None else weights))
        if self._placed + sum(len(rows) for rows, *_ in self._pending) > GROUPS:
            self._place(group_of)

    def means(self, draws: int, seed: int | None, proportions: tuple[float, float] | None) -> Array:
        """Return the mean losses of models in ``draws`` samples drawn with replacement, of shape (draws, models).

        With ``proportions`` the classes are drawn separately and weighted by them; else together. They are NaN for
        a model whose loss is infinite.

        Source: Efron and Tibshirani (1993), chapter 6.
        """
        self._place(lambda row: row)
        generator = np.random.default_rng(seed)
        if proportions is None:
            return _drawn(self.counts.sum(axis=0), self.sums.sum(axis=0), draws, generator)
        parts = zip(proportions, self.counts, self.sums, strict=True)
        return np.asarray(sum(share * _drawn(n, total, draws, generator) for share, n, total in parts))

    def _place(self, group: Callable[[Rows], Rows]) -> None:
        for is_one, losses, weights in self._pending:
            rows = np.arange(self._placed, self._placed + len(is_one))
            self._put(group(rows), is_one, losses, weights)
            self._placed += len(is_one)
        self._pending = []

    def _put(
        self, group: Rows, is_one: NDArray[np.bool_], losses: tuple[Array, Array], weights: Array
    ) -> None:
        for label, (chosen, found) in enumerate(zip((~is_one, is_one), losses, strict=True)):
            places, own = group[chosen], weights[chosen]
            self.counts[label] += np.bincount(places, weights=own, minlength=GROUPS)
            for total, loss in zip(self.sums[label], found, strict=True):
                total += np.bincount(places, weights=own * loss, minlength=GROUPS)  # noqa: PLW2901  (in place)


def _drawn(counts: Array, sums: Array, draws: int, generator: np.random.Generator) -> Array:
    """Return means over groups drawn with replacement, as many as have rows."""
    filled = counts > 0
    counts, sums = counts[filled], np.where(np.isfinite(sums), sums, np.nan)[:, filled]
    rows = np.vstack([sums, counts])  # einsum, since the threads of BLAS cost more than they bring here
    drawn = np.array([np.einsum("ij,j->i", rows, times) for times in _times(len(counts), draws, generator)])
    return np.asarray(drawn[:, :-1] / drawn[:, -1:])


def _times(groups: int, draws: int, generator: np.random.Generator) -> Iterator[Array]:
    """Yield how often each group is drawn."""
    for _ in range(draws):
        yield np.bincount(generator.integers(0, groups, groups), minlength=groups).astype(np.float64)
