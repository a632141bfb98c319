"""Rows to score, as they came: read block by block and checked on the way, so that the data are read once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.numeric import checked_data
from costderive.numeric.function import Pair
from costderive.numeric.panels import Panels
from costderive.numeric.parameters import Parameters
from costderive.numeric.plan import Part
from costderive.numeric.point_pairs import READERS, Points, grouped

BLOCK = 26624  # rows at a time: a temporary array takes 208 kB, and four live at once, so that they stay in the cache
CHUNK = 16 * BLOCK  # rows that one thread takes at a time
PANELLED = 28672  # rows at a time that are read from panels: four temporary arrays of 224 kB
LARGEST = 1e300  # logit of a single row that is read as it is
NUMBERS = (int, float, bool)
MANY = 8192  # rows that are worth sorting
Values = tuple[
    int, NDArray["np.intp"] | None, Array
]  # values of the rows at some places after the first, or of all
Result = TypeVar("Result")


class Unusual(Exception):
    """Data that are not what they mostly are; a closer look says whether they can be scored."""


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """A function for each class, and, if rows would have to be sorted, panels that spare it most of them.

    If they are ``mirrored`` they are functions of ``1 - p``, of which the first is that of class 1, and of which the
    values are ``sign`` times what is wanted.
    """

    functions: Pair
    panels: Panels | None = None
    is_mirrored: bool = False
    sign: int = 1

    @property
    def parts(self) -> tuple[Part, ...]:
        """How both are computed."""
        found = tuple(segment.part for function in self.functions for segment in function.segments)
        parts = found if self.panels is None else (*found, self.panels.part)
        return tuple(part.mirrored() for part in parts) if self.is_mirrored else parts

    @property
    def is_steep(self) -> bool:
        """Whether an argument that was rounded would show somewhere."""
        return any(segment.is_steep for function in self.functions for segment in function.segments)

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to; where a place is given more than once, the last value counts.

        All but the last are 0 then.
        """
        found = self._values(replace(rows, is_flipped=True) if self.is_mirrored else rows)
        yield from found if self.sign > 0 else ((start, some, -values) for start, some, values in found)

    def _values(self, rows: Rows) -> Iterator[Values]:
        if self.panels is None or (rows.name == "logit" and self.is_steep):  # panels know of p alone
            for start, block in rows.blocks(BLOCK):
                for some, found in block.by_segment(self.functions):
                    yield start, some, found
            return
        left: list[NDArray[np.intp]] = []
        for start, block in rows.blocks(PANELLED):
            values = self.panels.values(block.is_one(), READERS[rows.name](block.doubles()))
            unknown = np.flatnonzero(np.isnan(values))
            values[unknown] = 0
            yield start, None, values
            del values
            left.append(start + unknown)
            if sum(map(len, left)) >= MANY:
                yield from self._left(rows, left)
                left = []
        yield from self._left(rows, left)

    def _left(self, rows: Rows, places: list[NDArray[np.intp]]) -> Iterator[Values]:
        """Yield the values that the panels do not have: of many blocks together, as they are few in each."""
        if not any(map(len, places)):
            return
        where = np.concatenate(places)
        for some, found in rows.take(where).by_segment(self.functions):
            yield 0, where.take(some), found


@dataclass(frozen=True, slots=True, eq=False)
class Logits:
    """Functions of logits: those of p up to 1/2, and those of ``1 - p`` beyond."""

    low: Both
    high: Both

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to."""
        for start, block in rows.blocks(BLOCK):
            logits, is_one = block.doubles(), block.is_one()
            is_low = logits <= 0
            for places, both in ((is_low, self.low), (~is_low, self.high)):
                where = np.flatnonzero(places)
                if len(where):
                    some = -abs(logits.take(where))
                    part = Rows(is_one.take(where), "logit", some, None, trusted=True)
                    yield start, where, per_row(part, both)


class Evaluated(Protocol):
    """Losses, or derivatives of them, that can be had for rows."""

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to."""
        ...


@dataclass(frozen=True, slots=True)
class Rows:
    """Labels 0 and 1 of any real type, predictions under the name of their argument, and perhaps weights.

    All have shape (n,), as has each of the ``parameters``. Rows that are ``is_flipped`` exchange the classes. What is
    ``trusted`` has been checked, or its user says that it is right.
    """

    labels: NDArray[Any]
    name: str
    predictions: NDArray[Any]
    weights: NDArray[Any] | None
    trusted: bool
    is_flipped: bool = False
    parameters: Parameters | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def chunks(self) -> Iterator[Rows]:
        """Yield the rows, a chunk at a time."""
        return (chunk for _, chunk in self.blocks(CHUNK))

    def blocks(self, size: int) -> Iterator[tuple[int, Rows]]:
        """Yield the rows, so many at a time, with the place of the first."""
        if 0 < len(self) <= size:
            yield 0, self
            return
        for start in range(0, len(self), size):
            rows = slice(start, start + size)
            weights = None if self.weights is None else self.weights[rows]
            labels, predictions = self.labels[rows], self.predictions[rows]
            own = None if self.parameters is None else self.parameters.of(rows)
            yield (
                start,
                replace(self, labels=labels, predictions=predictions, weights=weights, parameters=own),
            )

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Return some of the rows, which have been checked, without weights."""
        labels, predictions = self.labels.take(rows), self.predictions.take(rows)
        own = None if self.parameters is None else self.parameters.of(rows)
        return replace(
            self, labels=labels, predictions=predictions, weights=None, trusted=True, parameters=own
        )

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
            return ~self.labels if self.is_flipped else self.labels
        found: NDArray[np.bool_] = self.labels == (0 if self.is_flipped else 1)
        if not self.trusted:
            others = self.labels == (1 if self.is_flipped else 0)
            _require(np.count_nonzero(found) + np.count_nonzero(others) == len(found))
        return found

    def size(self) -> list[float]:
        """Return the sums of the weights of the rows, of some at a time, or their number if there are no weights.

        Raises:
            Unusual: if one is negative or not finite.
        """
        if self.weights is None:
            return [float(len(self))]
        return [float(np.add.reduce(block._shares())) for _, block in self.blocks(BLOCK)]

    def _shares(self) -> Array:
        """Return the weights as doubles."""
        assert self.weights is not None
        found = self.weights.astype(np.float64, copy=False)
        _require(self.trusted or (found.min() >= 0 and found.max() < np.inf))
        return found

    def summed(self, part: Values) -> float:
        """Return the sum of values, each times the weight of its row, which has been checked."""
        start, rows, values = part
        if self.weights is None:
            return float(np.add.reduce(values))
        weights = self.weights[start:] if rows is None else self.weights[start:].take(rows)
        return float(np.add.reduce(values * weights[: len(values)]))

    def by_segment(self, functions: Pair) -> Iterator[tuple[NDArray[np.intp], Array]]:
        """Yield losses of a block, and the rows they belong to: those of a class that fall in one segment together."""
        is_one, found, read = self.is_one(), self.doubles(), READERS[self.name]
        if len(self) == 1:
            yield np.zeros(1, dtype=np.intp), functions[int(is_one[0])].alone(read(found))
            return
        first = len(functions[0].segments)
        for kind, rows in grouped(_kinds(functions, is_one, read(found)), first + len(functions[1].segments)):
            label = int(kind >= first)
            yield rows, functions[label].values(kind - label * first, read(found.take(rows)))


def _kinds(functions: Pair, is_one: NDArray[np.bool_], points: Points) -> NDArray[np.integer[Any]]:
    """Return the number of the segment of each row, those of class 1 being counted after those of class 0."""
    below, above = (function.kinds(points) for function in functions)
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
    parameters: Parameters | None = None

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
        weights, count = None if self.weights is None else _plain(self.weights), len(labels)
        if self.pos_label is not None or not count == len(predictions) > 0:
            raise Unusual
        _require(weights is None or len(weights) == count)
        _require(self.parameters is None or self.parameters.fit(count))
        return Rows(labels, self.name, predictions, weights, not validate, False, self.parameters)

    def _checked(self) -> Rows:
        is_one, predictions = checked_data.checked(self.y_true, self.name, self.predictions, self.pos_label)
        weights = None if self.weights is None else checked_data.sample_weights(self.weights, len(is_one))
        if self.parameters is not None:
            self.parameters.require(len(is_one))
        return Rows(is_one, self.name, predictions, weights, trusted=True, parameters=self.parameters)


def row_alone(y_true: ArrayLike, name: str, predictions: ArrayLike) -> tuple[bool, float] | None:
    """Return the class and the number of a single row of two plain numbers, None if there is anything else."""
    label, number = _only(y_true), _only(predictions)
    return (label == 1, float(number)) if label in (0, 1) and is_plain(name, number) else None


def is_plain(name: str, number: float) -> bool:
    """Return whether a number is a prediction that needs no closer look."""
    return -LARGEST <= number <= LARGEST if name == "logit" else 0 <= number <= 1


def _only(values: Any) -> float:
    """Return the number that stands alone in a list, a tuple or an array, NaN if none does."""
    if type(values) not in (list, tuple):
        values = values.tolist() if type(values) is np.ndarray and values.shape == (1,) else ()
    found = values[0] if len(values) == 1 else math.nan
    if type(found) not in NUMBERS and isinstance(found, np.generic):
        found = found.item()
    return found if type(found) in NUMBERS else math.nan


def _plain(values: ArrayLike) -> NDArray[Any]:
    """Return an array of one dimension and of a number type that converts to a double, without copying one."""
    found = values if type(values) is np.ndarray else _converted(values)  # of one row every test shows
    dtype = found.dtype
    if found.ndim != 1 or dtype.kind not in "biuf" or dtype.itemsize > 8:
        raise Unusual
    return found


def _converted(values: ArrayLike) -> NDArray[Any]:
    _require(not isinstance(values, np.ma.MaskedArray))
    try:
        return checked_data.as_numpy(values)
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError):
        raise Unusual from None


def one_of(**arguments: ArrayLike | None) -> tuple[str, ArrayLike]:
    """Return the one argument that was given, with its name.

    Raises:
        DataError: if none or several were given.
    """
    given = [(name, values) for name, values in arguments.items() if values is not None]
    if len(given) != 1:
        names = " and ".join(name for name, _ in given)
        raise DataError(
            f"{names} were given" if names else "no prediction was given",
            f"Give one of {', '.join(arguments)}.",
        )
    return given[0]


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class Sums:
    """The sum of losses, each times its weight, and the sum of weights."""

    losses: float
    weights: float

    @classmethod
    def of(cls, losses: list[float], weights: list[float]) -> Sums:
        """Add numbers up, rounding once; what has no sum makes the mean unusual."""
        try:
            return cls(math.fsum(losses), math.fsum(weights))
        except (OverflowError, ValueError):
            return cls(math.inf, math.nan)

    @property
    def mean(self) -> float:
        """The mean loss.

        Raises:
            Unusual: if a sum has left the range in which doubles have all their digits.
        """
        if not (0 <= self.losses < math.inf and 1e-280 < self.weights < 1e300):
            raise Unusual
        return self.losses / self.weights


def mapped(task: Callable[[Rows], Result], rows: Rows, threads: int) -> list[Result]:
    """Return what a task makes of each chunk, in order."""
    if len(rows) <= CHUNK:
        return [task(rows)]
    if threads == 1:
        return [task(chunk) for chunk in rows.chunks()]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(task, rows.chunks()))


def sums(rows: Rows, losses: Evaluated) -> Sums:
    """Sum losses and weights: pairwise within a block, exactly beyond it."""
    with np.errstate(all="ignore"):
        found = list(map(rows.summed, losses.values(rows)))  # which drops each before the next is made
        sizes = rows.size()
    return Sums.of(found, sizes)


def added(found: list[Sums]) -> Sums:
    """Add sums up, rounding once."""
    if len(found) == 1:
        return found[0]
    return Sums.of([part.losses for part in found], [part.weights for part in found])


def careful_mean(rows: Rows, losses: Evaluated) -> float:
    """Return the mean where sums may overflow or be infinite: a row of weight 0 does not count whatever its loss."""
    size = len(rows) if rows.weights is None else math.fsum(rows.weights)
    total = _careful_total(rows, losses, 1.0)
    return total / size if total < math.inf else _careful_total(rows, losses, size)


def _careful_total(rows: Rows, losses: Evaluated, scale: float) -> float:
    found = []
    for _, block in rows.blocks(BLOCK):
        values = per_row(block, losses)
        with np.errstate(over="ignore", under="ignore"):
            values /= scale
            if block.weights is not None:
                counts = block.weights > 0
                values = values[counts] * block.weights[counts]
            found.append(float(np.sum(values)))
    try:
        return math.fsum(found)
    except OverflowError:
        return math.inf


def per_row(rows: Rows, losses: Evaluated) -> Array:
    """Return the loss of each row."""
    values = np.empty(len(rows))
    for start, some, found in losses.values(rows):
        if some is None:
            values[start : start + len(found)] = found
        else:
            values[start:][some] = found
    return values
