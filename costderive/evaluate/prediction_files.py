"""Files of predictions, read block by block and with suspicion: every error names the file, the row and the column."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import Array, NDArray, np
from costderive.evaluate.csv_files import (
    read_header,
)
from costderive.evaluate.csv_predictions import ROWS, Chosen, csv_rows, no_probability
from costderive.evaluate.input_files import called, opened, readable

BUFFER = 1 << 20  # bytes that are read of a column of a Parquet file at a time
PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of predictions: labels of shape (n,), text or numbers, and a column of probabilities per model.

    Where no labels were asked for their shape is (0,). ``place(i)`` says where row i stands, and ``share`` how much of
    the file has been read. ``columns`` are those that were asked for beside the models: any numbers. ``groups`` are, as
    labels, those that the rows belong to. ``left_out`` says of columns why they are no probabilities and so no models.
    ``commas`` is whether numbers were written with decimal commas.
    """

    labels: NDArray[Any]
    models: dict[str, Array]
    place: Callable[[int], str]
    share: float
    columns: dict[str, Array] = field(default_factory=dict)
    groups: NDArray[Any] | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    commas: bool = False


def blocks(
    path: str | Path,
    *,
    y_true: str | None,
    y_proba: Sequence[str] = (),
    columns: Sequence[str] = (),
    by: str | None = None,
    delimiter: str | None = None,
    classes: Sequence[str] = (),
) -> Iterator[Block]:
    """Yield the rows of a CSV file with a header line, or of a Parquet file, ``ROWS`` at a time; ``-`` is a pipe.

    Without names of probability columns, all columns but the label's are models, except those that in the first rows
    hold text, whole numbers beyond 0 and 1, or mostly other numbers beyond these. Those of ``columns`` that the file
    has are no models, and are read beside them. A column ``MODEL:LABEL`` of one of the ``classes`` is kept.
    Without a ``delimiter`` it is found in the header.

    Raises:
        DataError: naming the file and what is wrong with it: a missing or repeated column, a row of another
            length, a cell that is not a probability; or if the package that reads Parquet is not installed.
    """
    name, asked = called(path), Chosen(y_true, tuple(y_proba), tuple(columns), by, tuple(classes))
    with readable(name), opened(path) as (file, size):
        found = _parquet(name, file, asked) if _is_parquet(file) else _csv(name, file, size, asked, delimiter)
        first = next(found, None)
        if first is None:
            raise DataError(f"{name} has no rows", "Each row is one instance: its label and probabilities.")
        yield first
        yield from found


def header(
    path: str | Path, wanted: Sequence[str] = (), delimiter: str | None = None
) -> tuple[list[str], int, str] | None:
    """Return the columns of a CSV file, on which line their names end, and its delimiter; None of a Parquet file."""
    name = called(path)
    with readable(name), opened(path) as (file, _):
        return None if _is_parquet(file) else read_header(name, file, wanted, delimiter)[:3]


def column_names(path: str | Path, wanted: Sequence[str] = (), delimiter: str | None = None) -> list[str]:
    """Return the names of all columns of a file; names that are wanted help to find its delimiter.

    Raises:
        DataError: if it cannot be read.
    """
    found = header(path, wanted, delimiter)
    if found is not None:
        return found[0]
    name = called(path)
    with readable(name), opened(path) as (file, _), _parquet_file(name, file) as source:
        return list(source.schema_arrow.names)


def _is_parquet(file: BufferedReader) -> bool:
    return file.peek(len(PARQUET))[: len(PARQUET)] == PARQUET


def _in_unit(values: Array, name: str, place: Callable[[int], str]) -> Array:
    """Return probabilities, checked.

    Raises:
        DataError: naming the first that is not one.
    """
    if values.min() >= 0 and values.max() <= 1:  # false if there is a NaN
        return values
    row = int(np.argmax(~((values >= 0) & (values <= 1))))
    no_probability(float(values[row]), name, place(row))


# ---- CSV


def _csv(origin: str, file: BinaryIO, size: int, asked: Chosen, delimiter: str | None) -> Iterator[Block]:
    for rows in csv_rows(origin, file, size, asked, delimiter, ROWS):
        chosen, numbers = rows.chosen, {name: np.asarray(values) for name, values in rows.numbers.items()}
        yield Block(
            np.array(rows.labels, dtype=object),
            {name: _in_unit(numbers[name], name, rows.place) for name in chosen.models},
            rows.place,
            rows.share,
            {name: numbers[name] for name in chosen.columns},
            None if rows.groups is None else np.array(rows.groups, dtype=object),
            chosen.left_out,
            chosen.commas,
        )


# ---- Parquet


@contextmanager
def _parquet_file(origin: str, file: BinaryIO) -> Iterator[Any]:
    if importlib.util.find_spec("pyarrow") is None:
        raise DataError(
            f"{origin} is a Parquet file, and pyarrow, which reads it, is not installed",
            'Install it with pip install "costderive[parquet]", or write a CSV file.',
        )
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        yield ParquetFile(file, pre_buffer=False, buffer_size=BUFFER)  # else it keeps all that it read
    except pyarrow.ArrowException as error:
        raise DataError(
            f"{origin} is not a readable Parquet file: {str(error)[:200]}", "Write it again."
        ) from None


def _parquet(origin: str, file: BinaryIO, asked: Chosen) -> Iterator[Block]:
    with _parquet_file(origin, file) as source:
        chosen = asked.of_header(source.schema_arrow.names, origin)
        if not asked.models:
            for first in islice(_tables(source.iter_batches(ROWS, columns=list(chosen.models))), 1):
                chosen = chosen.without({model: _if_kind(first[model]) for model in chosen.models})
        read, total = 0, max(1, source.metadata.num_rows)
        texts = [name for name in (chosen.y_true, chosen.by) if name is not None]
        wanted = list(dict.fromkeys([*chosen.models, *chosen.columns, *texts]))
        for table in _tables(source.iter_batches(ROWS, columns=wanted)):
            yield _of_table(table, chosen, origin, read, total)
            read += table.num_rows


def _tables(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield tables of ``ROWS`` rows, and a last one, from batches that end where groups of rows do."""
    import pyarrow

    pending: list[Any] = []
    for batch in batches:
        pending.append(batch)
        while sum(part.num_rows for part in pending) >= ROWS:
            table = pyarrow.Table.from_batches(pending)
            yield table.slice(0, ROWS)
            pending = table.slice(ROWS).to_batches()
    if sum(part.num_rows for part in pending):
        yield pyarrow.Table.from_batches(pending)


def _of_table(table: Any, chosen: Chosen, origin: str, read: int, total: int) -> Block:
    def place(row: int) -> str:
        return f"{origin}, row {read + row + 1}"

    models = {name: _in_unit(_real(table[name], name, place), name, place) for name in chosen.models}
    columns = {name: _real(table[name], name, place) for name in chosen.columns}
    share = (read + table.num_rows) / total
    labels = _labels(table[chosen.y_true]) if chosen.y_true else np.array([], dtype=object)
    groups = None if chosen.by is None else _labels(table[chosen.by])
    return Block(labels, models, place, share, columns, groups, chosen.left_out)


def _labels(column: Any) -> NDArray[Any]:
    """Return labels as numbers if all are, else as they are; a missing one is None."""
    if column.null_count or not _is_real(column.type):
        return np.array(column.to_pylist(), dtype=object)
    return np.asarray(column.to_numpy())


def _real(column: Any, name: str, place: Callable[[int], str]) -> Array:
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy()))
        raise DataError(
            f"{place(row)}, column {name!r} is empty", "Drop or fill what is missing before scoring."
        )
    if not _is_real(column.type):
        raise DataError(
            f"{place(0)}, column {name!r}: {column[0]} is not a number", "Name columns of numbers only."
        )
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _if_kind(column: Any) -> list[float]:
    """Return numbers, NaN where there is none."""
    if not _is_real(column.type):
        return [math.nan] * len(column)
    found: list[float] = np.asarray(column.to_numpy(), dtype=np.float64).tolist()
    return found


def _is_real(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))
