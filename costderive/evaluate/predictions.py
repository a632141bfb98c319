"""Predictions from a CSV file, read with suspicion: every error names the line, the column and the value."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from costderive.errors import DataError

MAX_FIELD = 10_000


@dataclass(frozen=True, slots=True)
class Predictions:
    """Labels of shape (n,) (numbers if all are numbers, else text) and a column of probabilities for each model."""

    labels: NDArray[np.generic]
    models: dict[str, NDArray[np.float64]]


def read_predictions(path: str | Path, *, y_true: str, y_proba: Sequence[str] = ()) -> Predictions:
    """Read a CSV file with a header line; without names of probability columns, all other columns are models.

    Raises:
        DataError: naming the file and what is wrong with it: a missing or repeated column, a row of another
            length, a cell that is not a number.
    """
    header, rows = _table(Path(path))
    wanted = [y_true, *(y_proba or [name for name in header if name != y_true])]
    places = [_place(name, header, path) for name in wanted]
    if not rows:
        raise DataError(
            f"{path} has a header and no rows", "Each row is one instance: its label and probabilities."
        )
    columns = {
        name: _numbers(name, place, rows, path) for name, place in zip(wanted[1:], places[1:], strict=True)
    }
    if not columns:
        raise DataError(
            f"{path} has no column beside the label {y_true!r}",
            "Add a column of probabilities for each model.",
        )
    return Predictions(_labels([row[places[0]] for _, row in rows]), columns)


def _table(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    lines = _lines(path)
    _, header = next(lines, (0, []))
    if not any(header):
        raise DataError(f"{path} has no header line", "The first line names the columns.")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise DataError(f"{path} has several columns named {repeated[0]!r}", "Give each column its own name.")
    return header, [(line, _complete(row, header, line, path)) for line, row in lines if row]


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield line numbers and cells, white space around them removed."""
    csv.field_size_limit(MAX_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            for row in reader:
                yield reader.line_num, [cell.strip() for cell in row]
    except csv.Error as error:
        raise DataError(
            f"{path}, line {reader.line_num}: {error}", "Write plain, comma-separated values."
        ) from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 text (byte {error.start})", "Save it as a plain, uncompressed CSV file."
        ) from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}", "Give the path of a CSV file.") from None


def _complete(row: list[str], header: list[str], line: int, path: Path) -> list[str]:
    if len(row) != len(header):
        raise DataError(
            f"{path}, line {line} has {len(row)} cells, the header {len(header)}",
            "Every row needs every column.",
        )
    return row


def _place(name: str, header: list[str], path: str | Path) -> int:
    if name not in header:
        near = get_close_matches(name, header, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise DataError(f"{path} has no column {name!r}", f"Its columns: {', '.join(header)}.{hint}")
    return header.index(name)


def _numbers(
    name: str, place: int, rows: list[tuple[int, list[str]]], path: str | Path
) -> NDArray[np.float64]:
    values = np.empty(len(rows))
    for index, (line, row) in enumerate(rows):
        number = _number(row[place])
        if number is None or math.isnan(number):
            raise DataError(
                f"{path}, line {line}, column {name!r}: {row[place][:60]!r} is not a number",
                "Name the columns of probabilities, or fill what is missing.",
            )
        if not 0 <= number <= 1:
            raise DataError(
                f"{path}, line {line}, column {name!r}: {row[place]} is outside [0, 1]",
                "Give probabilities of class 1.",
            )
        values[index] = number
    return values


def _number(text: str) -> float | None:
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def _labels(cells: list[str]) -> NDArray[np.generic]:
    numbers = [_number(cell) for cell in cells]
    known = [number for number in numbers if number is not None]
    return np.array(known) if len(known) == len(cells) else np.array(cells)
