"""Predictions in memory, or from files that need not fit there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, ArrayLike, NDArray, np
from costderive.core.short_repr import short_repr
from costderive.evaluate.csv_predictions import ROWS
from costderive.evaluate.label_order import Classes, number
from costderive.evaluate.prediction_files import Block, blocks
from costderive.numeric.checked_data import Batch, batch, numbers

MOST_PARTS = 200  # groups of rows that are scored apart
LIGHTEST, HEAVIEST = 1e-100, 1e100  # weights whose squares are doubles


@dataclass(frozen=True, slots=True)
class Predictions:
    """Labels of shape (n,) (numbers if all are numbers, else text) and a column of probabilities for each model."""

    labels: NDArray[np.generic]
    models: dict[str, Array]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Known:
    """Rows whose classes are known: whether each is 1, of shape (n,), and a column of probabilities per model.

    ``columns`` are numbers of shape (n,) for letters of the costs, ``weights`` those of the rows, all positive,
    ``groups`` the group that each row belongs to, and ``place(i)`` says where row i stands. ``left_out`` says of
    columns why they are no models.
    """

    is_one: NDArray[np.bool_]
    models: dict[str, Array]
    share: float = 1.0
    columns: dict[str, Array] = field(default_factory=dict)
    place: Callable[[int], str] = str
    weights: Array | None = None
    groups: NDArray[Any] | None = None
    left_out: dict[str, str] = field(default_factory=dict)

    def of_class(self, label: int) -> dict[str, Array]:
        """Return the columns of the rows of class 0 or 1."""
        chosen = self.is_one == bool(label)
        return {name: values[chosen] for name, values in self.columns.items()}

    def weights_of(self, label: int) -> Array | None:
        """Return the weights of the rows of class 0 or 1, if rows have weights."""
        return None if self.weights is None else self.weights[self.is_one == bool(label)]

    def at(self, rows: NDArray[np.bool_]) -> Known:
        """Return some of the rows, given as a mask of shape (n,)."""
        if rows.all():
            return self
        numbers = np.flatnonzero(rows)
        return Known(
            self.is_one[rows],
            {name: values[rows] for name, values in self.models.items()},
            self.share,
            {name: values[rows] for name, values in self.columns.items()},
            lambda row: self.place(int(numbers[row])),
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
            self.left_out,
        )

    def segments(self) -> Iterator[tuple[str, Known]]:
        """Yield the rows of each group, with its name.

        Raises:
            DataError: naming the first row without a group.
        """
        for name, rows in by_group(self.groups, self.place):
            yield name, self.at(rows)

    def weighted_by(self, name: str, columns: Sequence[str]) -> Known:
        """Return the rows with one of the columns as their weights, and the others that are named."""
        kept = {other: self.columns[other] for other in columns}
        return replace(self, columns=kept).weighted(self.columns[name], f"weight {name!r}")

    def weighted(self, weights: Array, name: str) -> Known:
        """Return the rows with weights, but for those whose weight is 0.

        Raises:
            DataError: naming the first row whose weight is none.
        """
        found = checked_weights(weights, name, self.place)
        return replace(self, weights=found).at(found > 0)


def read_predictions(
    path: str | Path, *, y_true: str, y_proba: Sequence[str] = (), delimiter: str | None = None
) -> Predictions:
    """Read a CSV file with a header line, or a Parquet file (extra ``parquet``), as a whole.

    Without names of probability columns, all columns but the label's are models that can hold probabilities.

    Raises:
        DataError: naming the file and what is wrong with it: a missing or repeated column, a row of another
            length, a cell that is not a number.
    """
    parts = list(blocks(path, y_true=y_true, y_proba=y_proba, delimiter=delimiter))
    labels = _labels(np.concatenate([part.labels for part in parts]))
    names = parts[0].models
    return Predictions(
        labels, {name: np.concatenate([part.models[name] for part in parts]) for name in names}
    )


def _labels(cells: NDArray[Any]) -> NDArray[np.generic]:
    if cells.dtype != object:
        return cells
    numbers = [number(str(cell)) for cell in cells]
    return np.array(cells.tolist() if None in numbers else numbers)


def in_memory(
    y_true: ArrayLike,
    models: Mapping[str, ArrayLike],
    pos_label: Any = None,
    columns: Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> Iterator[Known]:
    """Yield predictions that are in memory, checked, block by block.

    ``models`` is a mapping of names to probabilities, or a data frame of pandas or polars. ``columns`` are numbers, or
    arrays of shape (n,), for the letters of the costs.

    Raises:
        DataError: naming the model and the first row that cannot be scored.
    """
    checked = {
        name: _checked(y_true, name, proba, pos_label) for name, proba in named_columns(models).items()
    }
    if not checked:
        raise DataError("models is empty", "Give probabilities for at least one model.")
    is_one = next(iter(checked.values())).is_one
    costs = {
        name: column(f"columns[{name!r}]", values, len(is_one)) for name, values in (columns or {}).items()
    }
    weights = None if sample_weight is None else column("sample_weight", sample_weight, len(is_one))
    of_rows = None if groups is None else grouped(groups, len(is_one))
    for start in range(0, len(is_one), ROWS):
        rows = slice(start, start + ROWS)
        block = Known(
            is_one[rows],
            {name: data.probability[rows] for name, data in checked.items()},
            columns={name: values[rows] for name, values in costs.items()},
            place=partial(_row, start),
            groups=None if of_rows is None else of_rows[rows],
        )
        yield block if weights is None else block.weighted(weights[rows], "sample_weight")


def checked_weights(weights: Array, name: str, place: Callable[[int], str]) -> Array:
    """Return weights of rows, each 0 or a number whose square is a double.

    Raises:
        DataError: naming the first row whose weight is none.
    """
    wrong = ~((weights == 0) | ((weights >= LIGHTEST) & (weights <= HEAVIEST)))
    if wrong.any():
        row = int(np.argmax(wrong))
        require_weight(float(weights[row]), name, place, row)
    return weights


def require_weight(weight: float, name: str, place: Callable[[int], str], row: int) -> None:
    """Require the weight of a row to be 0 or a number whose square is a double.

    Raises:
        DataError: naming the row.
    """
    if not (weight == 0 or LIGHTEST <= weight <= HEAVIEST):
        raise DataError(
            f"{place(row)}: {name} = {weight} is not a weight",
            f"A weight is 0, or a number between {LIGHTEST:g} and {HEAVIEST:g}.",
        )


def by_group(
    groups: NDArray[Any] | None, place: Callable[[int], str]
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield the name of each group, and which rows belong to it, as a mask of shape (n,).

    Raises:
        DataError: naming the first row without a group.
    """
    if groups is None:
        return
    names = np.array([group_name(group, place, row) for row, group in enumerate(groups.tolist())])
    for name in np.unique(names):
        yield str(name), names == name


def group_name(group: Any, place: Callable[[int], str], row: int) -> str:
    """Return the name of the group of a row.

    Raises:
        DataError: naming the row, if it has none.
    """
    name = str(group).strip()
    if group is None or group != group or not name:  # noqa: PLR0124  (NaN)
        raise DataError(f"{place(row)}: {group!r} is no group", "Fill in what is missing, or drop the row.")
    return name


def require_few(groups: Sequence[str]) -> None:
    """Refuse more groups of rows than tables can show.

    Raises:
        DataError: naming one.
    """
    if len(groups) > MOST_PARTS:
        raise DataError(
            f"there are more than {MOST_PARTS} groups, such as {groups[MOST_PARTS]!r}",
            "Group by a column with fewer values.",
        )


def grouped(groups: ArrayLike, count: int) -> NDArray[Any]:
    """Return groups, one for each row."""
    found = np.asarray(groups)
    if found.shape != (count,):
        raise DataError(
            f"groups has shape {found.shape}, and y_true has {count} rows", "Give a group for each row."
        )
    return found


def _row(start: int, row: int) -> str:
    return f"row {start + row}"


def column(name: str, values: ArrayLike, count: int, rows: str = "y_true") -> Array:
    """Return the numbers of a letter for as many rows, which are those of another array.

    Raises:
        DataError: if these are no numbers, or not so many.
    """
    found = numbers(name, values)
    if found.shape not in ((), (count,)):
        raise DataError(
            f"{name} has shape {found.shape}, and {rows} has {count} rows",
            "Give a number for each row, or one for all.",
        )
    return np.broadcast_to(found, (count,))


def named_columns(models: Any) -> dict[str, ArrayLike]:
    """Return the models of a mapping or of a data frame, by name."""
    if hasattr(models, "items"):
        return {str(name): column for name, column in models.items()}
    if hasattr(models, "get_column"):  # polars
        return {name: models.get_column(name) for name in models.columns}
    raise DataError(
        f"models is a {type(models).__name__}", "Give a mapping of names to probabilities, or a data frame."
    )


def _checked(y_true: ArrayLike, name: str, proba: ArrayLike, pos_label: Any) -> Batch:
    try:
        return batch(y_true, proba, pos_label)
    except DataError as error:
        raise DataError(f"model {name!r}: {error.problem}", error.remedy) from None


def from_files(
    paths: Sequence[str | Path],
    *,
    y_true: str,
    y_proba: Sequence[str] = (),
    pos_label: Any = None,
    columns: Sequence[str] = (),
    weights: str | None = None,
    by: str | None = None,
    delimiter: str | None = None,
) -> Iterator[Known]:
    """Yield the rows of files that hold predictions for the same instances, in the same order.

    Every column of probabilities is a model; ``-`` is standard input, and a ``delimiter`` that is not given is found.
    With several files a model is called by its file, and by its column too if a file has several. ``columns`` name
    numbers of the first file for the letters of the costs; another file that has them, too, has the same; likewise
    ``weights``, which names those of the rows. ``by`` names a column of the groups of the rows.

    Raises:
        DataError: if a file cannot be scored, or the files differ in their labels or columns, naming file and row.
    """
    classes = [Classes(pos_label) for _ in paths]
    wanted = tuple(columns) if weights is None else (*columns, weights)
    how: dict[str, Any] = {"columns": wanted, "by": by, "delimiter": delimiter}
    for parts in zip_longest(*[blocks(path, y_true=y_true, y_proba=y_proba, **how) for path in paths]):
        known = [
            _are_one(group, part, y_true) if part else np.empty(0, bool)
            for group, part in zip(classes, parts, strict=True)
        ]
        for path, other, part in zip(paths[1:], known[1:], parts[1:], strict=True):
            _require_same(known[0], other, parts[0], paths[0], path)
            _require_same_columns(parts[0], part, path)
        require_columns(wanted, parts[0], paths[0])
        block = Known(known[0], _named(paths, parts), parts[0].share, parts[0].columns, parts[0].place)
        left_out = {name: what for part in parts for name, what in part.left_out.items()}
        block = replace(block, groups=of_groups(by, parts[0], paths[0]), left_out=left_out)
        yield block if weights is None else block.weighted_by(weights, columns)
    for group, path in zip(classes, paths, strict=True):
        group.close(str(path))


def _are_one(classes: Classes, part: Block, y_true: str) -> NDArray[np.bool_]:
    return classes.are_one(part.labels, lambda row: f"{part.place(row)}, column {y_true!r}")


def _require_same(
    first: NDArray[np.bool_],
    other: NDArray[np.bool_],
    part: Block | None,
    path: str | Path,
    other_path: str | Path,
) -> None:
    remedy = "Files that are compared hold the same instances in the same order; score others one by one."
    if len(first) != len(other):
        shorter, longer = (path, other_path) if len(first) < len(other) else (other_path, path)
        raise DataError(f"{shorter} has fewer rows than {longer}", remedy)
    if part is not None and (first != other).any():
        row = int(np.argmax(first != other))
        raise DataError(f"{part.place(row)} has another label than the same row of {other_path}", remedy)


def require_columns(columns: Sequence[str], part: Block, path: str | Path) -> None:
    """Require columns beside the models in the first file."""
    for name in columns:
        if name not in part.columns:
            raise DataError(
                f"{path} has no column {name!r}", "The first file has the costs and the weight of each row."
            )


def of_groups(by: str | None, part: Block, path: str | Path) -> NDArray[Any] | None:
    """Return the groups of the rows of the first file, if they are asked for."""
    if by is not None and part.groups is None:
        raise DataError(f"{path} has no column {by!r}", "The first file has the group of each row.")
    return part.groups


def _require_same_columns(first: Block, other: Block, path: str | Path) -> None:
    for name in first.columns.keys() & other.columns.keys():
        is_other = first.columns[name] != other.columns[name]
        if is_other.any():
            row = int(np.argmax(is_other))
            raise DataError(
                f"{first.place(row)} has another {name!r} than the same row of {path}",
                "Files that are compared hold the same instances in the same order.",
            )


def _named(paths: Sequence[str | Path], parts: Sequence[Block]) -> dict[str, Array]:
    if len(paths) == 1:
        return parts[0].models
    stems = [Path(path).stem for path in paths]
    files = [
        stem if Counter(stems)[stem] == 1 else str(path) for stem, path in zip(stems, paths, strict=True)
    ]
    if len(set(files)) < len(files):
        raise DataError(f"{Counter(files).most_common(1)[0][0]} is given twice", "Give each file once.")
    alone = all(len(part.models) == 1 for part in parts)
    pairs = zip(files, parts, strict=True)
    return {
        file if alone else f"{file}: {column}": values
        for file, part in pairs
        for column, values in part.models.items()
    }
