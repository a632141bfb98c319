"""Files of predictions, read block by block and with suspicion: every error names the file, the row and the column."""

from __future__ import annotations

import csv
import gzip
import importlib.util
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from io import BufferedReader
from pathlib import Path
from textwrap import shorten
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from costderive.core.errors import DataError
from costderive.evaluate.label_order import number

Array = NDArray[np.float64]
ROWS = 1 << 16  # of a block
MAX_FIELD = 10_000
BUFFER = 1 << 20  # bytes that are read of a column of a Parquet file at a time
PARQUET, GZIP = b"PAR1", b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of predictions: labels of shape (n,), text or numbers, and a column of probabilities per model.

    Where no labels were asked for their shape is (0,). ``place(i)`` says where row i stands, and ``share`` how much of
    the file has been read. ``columns`` are those that were asked for beside the models: any numbers. ``groups`` are, as
    labels, those that the rows belong to.
    """

    labels: NDArray[Any]
    models: dict[str, Array]
    place: Callable[[int], str]
    share: float
    columns: dict[str, Array] = field(default_factory=dict)
    groups: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The names of the columns of labels, of probabilities, and of other numbers that are read."""

    y_true: str | None
    models: tuple[str, ...]
    columns: tuple[str, ...]
    by: str | None


def blocks(
    path: str | Path,
    *,
    y_true: str | None,
    y_proba: Sequence[str] = (),
    columns: Sequence[str] = (),
    by: str | None = None,
) -> Iterator[Block]:
    """Yield the rows of a CSV file with a header line, or of a Parquet file, ``ROWS`` at a time.

    Without names of probability columns, all columns but the label's are models. Those of ``columns`` that the file
    has are no models, and are read beside them.

    Raises:
        DataError: naming the file and what is wrong with it: a missing or repeated column, a row of another
            length, a cell that is not a probability; or if the package that reads Parquet is not installed.
    """
    path, asked = Path(path), _Chosen(y_true, tuple(y_proba), tuple(columns), by)
    with _readable(path), _opened(path) as file:
        found = (_parquet if _is_parquet(file) else _csv)(path, file, asked)
        first = next(found, None)
        if first is None:
            raise DataError(f"{path} has no rows", "Each row is one instance: its label and probabilities.")
        yield first
        yield from found


def header(path: Path) -> tuple[list[str], int] | None:
    """Return the names of all columns of a CSV file, and on which line they end; None if it is a Parquet file."""
    with _opened(path) as file:
        return None if _is_parquet(file) else _header(_lines(path, file), path)


def column_names(path: str | Path) -> list[str]:
    """Return the names of all columns of a file.

    Raises:
        DataError: if it cannot be read.
    """
    path = Path(path)
    with _readable(path), _opened(path) as file:
        if not _is_parquet(file):
            return _header(_lines(path, file), path)[0]
        with _parquet_file(path, file) as source:
            return list(source.schema_arrow.names)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DataError(
            f"{path} cannot be read: {error.strerror or error}", "Give the path of a CSV or a Parquet file."
        ) from None


@contextmanager
def _opened(path: Path) -> Iterator[BufferedReader]:
    """Open a file; what gzip has compressed is read as what it was."""
    with path.open("rb") as file:
        if file.peek(2)[:2] != GZIP:
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as inside:
                yield BufferedReader(inside)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"{path} is a broken gzip file: {error}", "Compress it again.") from None


def _is_parquet(file: BufferedReader) -> bool:
    return file.peek(len(PARQUET))[: len(PARQUET)] == PARQUET


def _chosen(header: Sequence[str], path: Path, asked: _Chosen) -> _Chosen:
    """Return the columns that are read: of those asked for, or all models."""
    y_true, y_proba = asked.y_true, asked.models
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise DataError(f"{path} has several columns named {repeated[0]!r}", "Give each column its own name.")
    named = y_proba if y_true is None else (y_true, *y_proba)
    for name in named:
        if name not in header:
            near = get_close_matches(name, header, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise DataError(
                f"{path} has no column {name!r}", f"Its columns: {shorten(', '.join(header), 400)}.{hint}"
            )
    if y_true in y_proba:
        raise DataError(
            f"{path}: column {y_true!r} holds the labels", "A model is a column of probabilities."
        )
    beside = asked.columns if asked.by is None else (*asked.columns, asked.by)
    for name in beside:
        if name in named:
            what = "the labels" if name == y_true else "a model"
            role = "a group" if name == asked.by else "a cost or weight"
            raise DataError(f"{path}: column {name!r} is both {role} and {what}", "Rename one of them.")
    models = y_proba or tuple(name for name in header if name not in (y_true, *beside))
    if not models:
        raise DataError(
            f"{path} has no column beside the label {y_true!r}",
            "Add a column of probabilities for each model.",
        )
    return _Chosen(
        y_true,
        tuple(dict.fromkeys(models)),
        tuple(name for name in dict.fromkeys(asked.columns) if name in header),
        asked.by if asked.by in header else None,
    )


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


def _csv(path: Path, file: BinaryIO, asked: _Chosen) -> Iterator[Block]:
    size = max(1, path.stat().st_size)
    lines = _lines(path, file)
    header, _ = _header(lines, path)
    chosen = _chosen(header, path, asked)
    while rows := _some(lines, len(header), path):
        yield _block(rows, header, chosen, path, min(1.0, file.tell() / size))


def _header(lines: Iterator[tuple[int, list[str]]], path: Path) -> tuple[list[str], int]:
    line, cells = next(lines, (0, []))
    names = [name.strip() for name in cells]
    if not any(names):
        raise DataError(f"{path} has no header line", "The first line names the columns.")
    return names, line


def _lines(path: Path, file: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """Yield line numbers and cells of the lines that are not empty."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(_text(path, file), strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise DataError(
            f"{path}, line {reader.line_num}: {error}", "Write plain, comma-separated values."
        ) from None


def _text(path: Path, file: BinaryIO) -> Iterator[str]:
    """Decode lines, whose ends may be those of any system."""
    for count, line in enumerate(file, start=1):
        try:
            text = line.decode("utf-8-sig" if count == 1 else "utf-8")
        except UnicodeDecodeError:
            raise DataError(
                f"{path}, line {count} is not UTF-8 text", "Save it as a plain, uncompressed CSV file."
            ) from None
        yield from text.splitlines(keepends=True) if "\r" in text else (text,)


def _some(lines: Iterator[tuple[int, list[str]]], cells: int, path: Path) -> list[tuple[int, list[str]]]:
    """Return as many rows as a block has."""
    rows: list[tuple[int, list[str]]] = []
    for line, row in lines:
        if len(row) != cells:
            raise DataError(
                f"{path}, line {line} has {len(row)} cells, the header {cells}",
                "Every row needs every column.",
            )
        rows.append((line, row))
        if len(rows) == ROWS:
            break
    return rows


def _block(
    rows: list[tuple[int, list[str]]], header: list[str], chosen: _Chosen, path: Path, share: float
) -> Block:
    def place(row: int) -> str:
        return f"{path}, line {rows[row][0]}"

    def cells(name: str) -> list[str]:
        at = header.index(name)
        return [row[at].strip() for _, row in rows]

    models = {name: _in_unit(_numbers(name, cells(name), place), name, place) for name in chosen.models}
    columns = {name: _numbers(name, cells(name), place) for name in chosen.columns}
    labels = [] if chosen.y_true is None else cells(chosen.y_true)
    groups = None if chosen.by is None else np.array(cells(chosen.by), dtype=object)
    return Block(np.array(labels, dtype=object), models, place, share, columns, groups)


def _numbers(name: str, cells: list[str], place: Callable[[int], str]) -> Array:
    try:
        if not any("_" in cell for cell in cells):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        pass
    row = next(row for row, cell in enumerate(cells) if number(cell) is None)
    raise DataError(
        f"{place(row)}, column {name!r}: {cells[row][:60]!r} is not a number",
        "Name the columns of probabilities, or fill what is missing.",
    )


# ---- Parquet


@contextmanager
def _parquet_file(path: Path, file: BinaryIO) -> Iterator[Any]:
    if importlib.util.find_spec("pyarrow") is None:
        raise DataError(
            f"{path} is a Parquet file, and pyarrow, which reads it, is not installed",
            'Install it with pip install "costderive[parquet]", or write a CSV file.',
        )
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        yield ParquetFile(file, pre_buffer=False, buffer_size=BUFFER)  # else it keeps all that it read
    except pyarrow.ArrowException as error:
        raise DataError(
            f"{path} is not a readable Parquet file: {str(error)[:200]}", "Write it again."
        ) from None


def _parquet(path: Path, file: BinaryIO, asked: _Chosen) -> Iterator[Block]:
    with _parquet_file(path, file) as source:
        chosen = _chosen(source.schema_arrow.names, path, asked)
        read, total = 0, max(1, source.metadata.num_rows)
        texts = [name for name in (chosen.y_true, chosen.by) if name is not None]
        wanted = list(dict.fromkeys([*chosen.models, *chosen.columns, *texts]))
        for table in _tables(source.iter_batches(ROWS, columns=wanted)):
            yield _of_table(table, chosen, path, read, total)
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


def _of_table(table: Any, chosen: _Chosen, path: Path, read: int, total: int) -> Block:
    def place(row: int) -> str:
        return f"{path}, row {read + row + 1}"

    models = {name: _in_unit(_real(table[name], name, place), name, place) for name in chosen.models}
    columns = {name: _real(table[name], name, place) for name in chosen.columns}
    share = (read + table.num_rows) / total
    labels = _labels(table[chosen.y_true]) if chosen.y_true else np.array([], dtype=object)
    groups = None if chosen.by is None else _labels(table[chosen.by])
    return Block(labels, models, place, share, columns, groups)


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


def _is_real(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))
