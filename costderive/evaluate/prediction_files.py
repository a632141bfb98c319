"""Files of predictions, read block by block and with suspicion: every error names the file, the row and the column."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from textwrap import shorten
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from costderive.core.errors import DataError
from costderive.evaluate.csv_files import (
    has_decimal_commas,
    read_header,
    some_rows,
    why_no_number,
    with_point,
)
from costderive.evaluate.input_files import called, opened, readable
from costderive.evaluate.label_order import number

Array = NDArray[np.float64]
ROWS = 1 << 16  # of a block
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


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The names of the columns of labels, of probabilities, and of other numbers that are read."""

    y_true: str | None
    models: tuple[str, ...]
    columns: tuple[str, ...]
    by: str | None
    classes: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    commas: bool = False  # whether numbers have decimal commas

    @property
    def named(self) -> tuple[str, ...]:
        """The columns that are asked for by name."""
        return tuple(filter(None, (self.y_true, *self.models, *self.columns, self.by)))

    def without(self, left_out: dict[str, str]) -> _Chosen:
        """Return the choice without models that are none, as it is said why; all of it, if there would be no other."""
        found = {
            name: why for name, why in left_out.items() if name.rpartition(":")[2].strip() not in self.classes
        }
        models = tuple(model for model in self.models if model not in found)
        return replace(self, models=models, left_out=found) if models else self


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
    name, asked = called(path), _Chosen(y_true, tuple(y_proba), tuple(columns), by, tuple(classes))
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


def _chosen(header: Sequence[str], origin: str, asked: _Chosen) -> _Chosen:
    """Return the columns that are read: of those asked for, or all models."""
    y_true, y_proba = asked.y_true, asked.models
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise DataError(
            f"{origin} has several columns named {repeated[0]!r}", "Give each column its own name."
        )
    named = y_proba if y_true is None else (y_true, *y_proba)
    for name in named:
        if name not in header:
            near = get_close_matches(name, header, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise DataError(
                f"{origin} has no column {name!r}", f"Its columns: {shorten(', '.join(header), 400)}.{hint}"
            )
    if y_true in y_proba:
        raise DataError(
            f"{origin}: column {y_true!r} holds the labels", "A model is a column of probabilities."
        )
    beside = asked.columns if asked.by is None else (*asked.columns, asked.by)
    for name in beside:
        if name in named:
            what = "the labels" if name == y_true else "a model"
            role = "a group" if name == asked.by else "a cost or weight"
            raise DataError(f"{origin}: column {name!r} is both {role} and {what}", "Rename one of them.")
    models = y_proba or tuple(name for name in header if name not in (y_true, *beside))
    if not models:
        raise DataError(
            f"{origin} has no column beside the label {y_true!r}",
            "Add a column of probabilities for each model.",
        )
    return _Chosen(
        y_true,
        tuple(dict.fromkeys(models)),
        tuple(name for name in dict.fromkeys(asked.columns) if name in header),
        asked.by if asked.by in header else None,
        asked.classes,
    )


def _no_probabilities(columns: dict[str, Array]) -> dict[str, str]:
    """Say what columns hold that are no probabilities: numbers, NaN where a cell has none."""
    return {name: what for name, values in columns.items() if (what := _other(values))}


def _other(values: Array) -> str:
    inside, real = (values >= 0) & (values <= 1), values[np.isfinite(values)]
    if inside.all():
        return ""
    if 2 * len(real) < len(values):
        return "text"
    if (real == np.round(real)).all():
        return "whole numbers"
    return "numbers beyond 1" if 2 * inside.sum() < len(values) else ""


def _in_unit(values: Array, name: str, place: Callable[[int], str]) -> Array:
    """Return probabilities, checked.

    Raises:
        DataError: naming the first that is not one.
    """
    if values.min() >= 0 and values.max() <= 1:  # false if there is a NaN
        return values
    row = int(np.argmax(~((values >= 0) & (values <= 1))))
    where, value = f"{place(row)}, column {name!r}", float(values[row])
    if np.isnan(value):
        raise DataError(f"{where}: 'nan' is not a number", "Drop or fill what is missing before scoring.")
    raise DataError(f"{where}: {value!r} is outside [0, 1]", "Give probabilities of class 1.")


# ---- CSV


def _csv(origin: str, file: BinaryIO, size: int, asked: _Chosen, delimiter: str | None) -> Iterator[Block]:
    header, _, _, lines = read_header(origin, file, asked.named, delimiter)
    chosen = _chosen(header, origin, asked)
    rows = some_rows(lines, len(header), origin, ROWS)
    first = _cells(rows, header, (*chosen.models, *chosen.columns))
    chosen = replace(chosen, commas=has_decimal_commas(chain.from_iterable(first.values())))
    if not asked.models:
        models = {name: _if_real(first[name], chosen.commas) for name in chosen.models} if rows else {}
        chosen = chosen.without(_no_probabilities(models))
    while rows:
        yield _block(rows, header, chosen, origin, min(1.0, file.tell() / max(1, size)))
        rows = some_rows(lines, len(header), origin, ROWS)


def _cells(
    rows: list[tuple[int, list[str]]], header: list[str], names: Sequence[str]
) -> dict[str, list[str]]:
    places = {name: header.index(name) for name in names}
    return {name: [row[at].strip() for _, row in rows] for name, at in places.items()}


def _if_real(cells: Sequence[str], commas: bool) -> Array:
    """Return numbers, NaN where a cell has none."""
    plain = map(with_point, cells) if commas else cells
    return np.array([np.nan if (found := number(cell)) is None else found for cell in plain])


def _block(
    rows: list[tuple[int, list[str]]], header: list[str], chosen: _Chosen, origin: str, share: float
) -> Block:
    def place(row: int) -> str:
        return f"{origin}, line {rows[row][0]}"

    cells = _cells(rows, header, chosen.named)
    numbers = {
        name: _numbers(name, cells[name], place, chosen.commas) for name in (*chosen.models, *chosen.columns)
    }
    models = {name: _in_unit(numbers[name], name, place) for name in chosen.models}
    columns = {name: numbers[name] for name in chosen.columns}
    labels = cells.get(chosen.y_true or "", [])
    labels = [with_point(cell) for cell in labels] if chosen.commas else labels
    groups = None if chosen.by is None else np.array(cells[chosen.by], dtype=object)
    return Block(
        np.array(labels, dtype=object),
        models,
        place,
        share,
        columns,
        groups,
        chosen.left_out,
        chosen.commas,
    )


def _numbers(name: str, cells: list[str], place: Callable[[int], str], commas: bool) -> Array:
    plain = [with_point(cell) for cell in cells] if commas else cells
    is_mixed = commas and any("." in cell for cell in cells)
    try:
        if not is_mixed and not any("_" in cell for cell in cells):
            return np.fromiter(map(float, plain), np.float64, len(cells))
    except ValueError:
        pass
    row = next(
        row for row, cell in enumerate(plain) if number(cell) is None or (is_mixed and "." in cells[row])
    )
    problem, remedy = why_no_number(cells[row], commas)
    raise DataError(f"{place(row)}, column {name!r}: {problem}", remedy)


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


def _parquet(origin: str, file: BinaryIO, asked: _Chosen) -> Iterator[Block]:
    with _parquet_file(origin, file) as source:
        chosen = _chosen(source.schema_arrow.names, origin, asked)
        if not asked.models:
            for first in islice(_tables(source.iter_batches(ROWS, columns=list(chosen.models))), 1):
                numbers = {model: _if_kind(first[model]) for model in chosen.models}
                chosen = chosen.without(_no_probabilities(numbers))
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


def _of_table(table: Any, chosen: _Chosen, origin: str, read: int, total: int) -> Block:
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
            f"{place(0)}, column {name!r}: {column[0]} is not a number", "Name the columns of probabilities."
        )
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _if_kind(column: Any) -> Array:
    """Return numbers, NaN where there is none."""
    if not _is_real(column.type):
        return np.full(len(column), np.nan)
    return np.asarray(column.to_numpy(), dtype=np.float64)


def _is_real(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))
