"""Rows to score, as they came: read block by block and checked on the way, so that the data are read once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costderive.errors import DataError
from costderive.numeric import data
from costderive.numeric.function import Function
from costderive.numeric.points import READERS, Array, grouped

BLOCK = 28672  # rows at a time: a temporary array takes 224 kB, and four live at once, so that they stay in the cache
CHUNK = 16 * BLOCK  # rows that one thread takes at a time
Pair = tuple[Function, Function]
Result = TypeVar("Result")


class Unusual(Exception):
    """Data that are not what they mostly are; a closer look says whether they can be scored."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Labels 0 and 1 of any real type, predictions under the name of their argument, and perhaps weights.

    All have shape (n,). What is ``trusted`` has been checked, or is said to be right by whoever gave it.
    """

    labels: NDArray[Any]
    name: str
    predictions: NDArray[Any]
    weights: NDArray[Any] | None
    trusted: bool

    def __len__(self) -> int:
        return len(self.labels)

    def chunks(self) -> Iterator[Rows]:
        """Yield the rows, a chunk at a time."""
        return self._parts(CHUNK)

    def blocks(self) -> Iterator[Rows]:
        """Yield the rows, a block at a time."""
        return self._parts(BLOCK)

    def _parts(self, size: int) -> Iterator[Rows]:
        for start in range(0, len(self), size):
            rows = slice(start, start + size)
            weights = None if self.weights is None else self.weights[rows]
            yield Rows(self.labels[rows], self.name, self.predictions[rows], weights, self.trusted)

    def doubles(self) -> Array:
        """Return the predictions of a block as doubles.

        Raises:
            Unusual: if one of them is not what its name says.
        """
        found = self.predictions.astype(np.float64, copy=False)
        if not self.trusted:
            low, high = (-np.inf, np.inf) if self.name == "logit" else (0, 1)
            _require(found.min() >= low and found.max() <= high)
        return found

    def is_one(self) -> NDArray[np.bool_]:
        """Return whether the class is 1 in each row of a block.

        Raises:
            Unusual: if a label is neither 0 nor 1.
        """
        if self.labels.dtype == np.bool_:
            return self.labels
        found: NDArray[np.bool_] = self.labels == 1
        _require(self.trusted or np.count_nonzero(found) + np.count_nonzero(self.labels == 0) == len(found))
        return found

    def shares(self) -> Array | None:
        """Return the weights of a block as doubles, if there are any.

        Raises:
            Unusual: if one is negative or not finite.
        """
        if self.weights is None:
            return None
        found = self.weights.astype(np.float64, copy=False)
        _require(self.trusted or (found.min() >= 0 and found.max() < np.inf))
        return found

    def losses(self, functions: Pair) -> Iterator[tuple[NDArray[np.intp], Array]]:
        """Yield losses of a block, and whose they are: those of a class that fall in one segment together."""
        is_one, found, read = self.is_one(), self.doubles(), READERS[self.name]
        first = len(functions[0].segments)
        for kind, rows in grouped(
            _kinds(functions, is_one, read(found).p), first + len(functions[1].segments)
        ):
            label = int(kind >= first)
            yield rows, functions[label].values(kind - label * first, read(found.take(rows)))


def _kinds(functions: Pair, is_one: NDArray[np.bool_], p: Array) -> NDArray[np.integer[Any]]:
    """Return the number of the segment of each row, those of class 1 being counted after those of class 0."""
    below, above = (function.kinds(p) for function in functions)
    above = above + above.dtype.type(len(functions[0].segments))
    return below + is_one * (above - below)


def _require(fact: Any) -> None:
    if not fact:
        raise Unusual


@dataclass(frozen=True, slots=True)
class Given:
    """What a user gave: labels, predictions under one of their names, and perhaps weights and a positive label."""

    y_true: ArrayLike
    name: str
    predictions: ArrayLike
    weights: ArrayLike | None
    pos_label: Any

    def score(self, task: Callable[[Rows], Result], validate: bool) -> Result:
        """Run a task on the rows as they came, and once more on rows that were looked at one by one if that fails.

        Raises:
            DataError: naming the first row that cannot be scored.
        """
        try:
            return task(self._as_they_came(validate))
        except Unusual:
            return task(self._checked())

    def _as_they_came(self, validate: bool) -> Rows:
        labels, predictions = _plain(self.y_true), _plain(self.predictions)
        weights = None if self.weights is None else _plain(self.weights)
        _require(self.pos_label is None and len(labels) == len(predictions) > 0)
        _require(weights is None or len(weights) == len(labels))
        return Rows(labels, self.name, predictions, weights, trusted=not validate)

    def _checked(self) -> Rows:
        is_one, predictions = data.checked(self.y_true, self.name, self.predictions, self.pos_label)
        weights = None if self.weights is None else data.sample_weights(self.weights, len(is_one))
        return Rows(is_one, self.name, predictions, weights, trusted=True)


def _plain(values: ArrayLike) -> NDArray[Any]:
    """Return an array of one dimension and of a number type that converts to a double, without copying one."""
    _require(not isinstance(values, np.ma.MaskedArray))
    try:
        found = data.as_numpy(values)
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError):
        raise Unusual from None
    _require(found.ndim == 1 and found.dtype.kind in "biuf" and found.dtype.itemsize <= 8)
    return found


def one_of(**arguments: ArrayLike | None) -> tuple[str, ArrayLike]:
    """Return the one argument that was given, with its name.

    Raises:
        DataError: if none or several were given.
    """
    given = [(name, values) for name, values in arguments.items() if values is not None]
    if len(given) != 1:
        raise DataError(
            f"{' and '.join(name for name, _ in given) or 'no prediction'} was given",
            f"Give one of {', '.join(arguments)}.",
        )
    return given[0]


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Sums:
    """The sum of losses, each times its weight, and the sum of weights."""

    losses: float
    weights: float

    @property
    def mean(self) -> float:
        """The mean loss.

        Raises:
            Unusual: if a sum has left the range in which doubles have all their digits.
        """
        _require(0 <= self.losses < np.inf and 1e-280 < self.weights < 1e300)
        return self.losses / self.weights


def mapped(task: Callable[[Rows], Result], rows: Rows, threads: int) -> list[Result]:
    """Return what a task makes of each chunk, in order."""
    if threads == 1 or len(rows) <= CHUNK:
        return [task(chunk) for chunk in rows.chunks()]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(task, rows.chunks()))


def sums(rows: Rows, losses: Pair) -> Sums:
    """Sum losses and weights: pairwise within a block, exactly beyond it."""
    found = [_block_sums(block, losses) for block in rows.blocks()]
    return added([Sums(*pair) for pairs in found for pair in pairs])


def added(found: list[Sums]) -> Sums:
    """Add sums up, rounding once."""
    try:
        return Sums(math.fsum(part.losses for part in found), math.fsum(part.weights for part in found))
    except (OverflowError, ValueError):
        return Sums(math.inf, math.nan)


def _block_sums(block: Rows, losses: Pair) -> Iterator[tuple[float, float]]:
    weights = block.shares()
    with np.errstate(all="ignore"):
        for rows, values in block.losses(losses):
            if weights is None:
                yield float(np.add.reduce(values)), float(len(values))
            else:
                shares = weights.take(rows)
                yield float(np.add.reduce(values * shares)), float(np.add.reduce(shares))


def careful_mean(rows: Rows, losses: Pair) -> float:
    """Return the mean where sums may overflow or be infinite: a row of weight 0 does not count whatever its loss."""
    size = len(rows) if rows.weights is None else math.fsum(rows.weights)
    total = _careful_total(rows, losses, 1.0)
    return total / size if total < math.inf else _careful_total(rows, losses, size)


def _careful_total(rows: Rows, losses: Pair, scale: float) -> float:
    found = []
    for block in rows.blocks():
        values, weights = per_row(block, losses), block.shares()
        with np.errstate(over="ignore", under="ignore"):
            values /= scale
            if weights is not None:
                values = values[weights > 0] * weights[weights > 0]
            found.append(float(np.sum(values)))
    try:
        return math.fsum(found)
    except OverflowError:
        return math.inf


def per_row(given: Rows, losses: Pair) -> Array:
    """Return the loss of each row."""
    values = np.empty(len(given))
    place = 0
    for block in given.blocks():
        here = values[place : place + len(block)]
        for rows, found in block.losses(losses):
            here[rows] = found
        place += len(block)
    return values
