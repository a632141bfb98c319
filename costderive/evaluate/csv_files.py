"""Lines of CSV files, read with suspicion: their delimiter, their header, and where each row stands."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO

from costderive.core.errors import DataError
from costderive.evaluate.label_order import number

MAX_FIELD = 10_000
DELIMITERS = (",", ";", "\t", "|")  # the first counts where others do as well

WITH_COMMA = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)")
PERHAPS_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")

Line = tuple[int, list[str]]


def read_header(
    name: str, file: BinaryIO, wanted: Sequence[str], delimiter: str | None
) -> tuple[list[str], int, str, Iterator[Line]]:
    """Return the names of the columns, the line on which they end, the delimiter, and the lines that follow.

    Without a delimiter it is the one that finds most of the wanted columns in the first line, and then most columns.

    Raises:
        DataError: naming the file, if it has no header or is no text; or if the delimiter is no single letter.
    """
    texts = _text(name, file)
    first = next(texts, "")
    found = _sniffed(first, wanted) if delimiter is None else _checked(delimiter)
    lines = _lines(name, chain([first], texts), found)
    line, cells = next(lines, (0, []))
    names = [cell.strip() for cell in cells]
    if not any(names):
        raise DataError(f"{name} has no header line", "The first line names the columns.")
    return names, line, found, lines


def _sniffed(first: str, wanted: Sequence[str]) -> str:
    def fit(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip() for cell in next(csv.reader([first], delimiter=delimiter), [])]
        return len(set(wanted) & set(cells)), len(cells)

    csv.field_size_limit(max(MAX_FIELD, len(first)))  # too long a cell is found when it is read
    return max(DELIMITERS, key=fit)


def _checked(delimiter: str) -> str:
    found = {"tab": "\t", r"\t": "\t"}.get(delimiter, delimiter)
    if len(found) != 1 or found in '"\r\n\0':
        raise DataError(f"delimiter = {delimiter!r} is no single letter", "Such as ',' or ';', or tab.")
    return found


def _lines(name: str, texts: Iterator[str], delimiter: str) -> Iterator[Line]:
    """Yield line numbers and cells of the lines that are not empty."""
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(texts, strict=True, delimiter=delimiter)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise DataError(
            f"{name}, line {reader.line_num}: {error}", "Write plain, comma-separated values."
        ) from None


def _text(name: str, file: BinaryIO) -> Iterator[str]:
    """Decode lines, whose ends may be those of any system."""
    for count, line in enumerate(file, start=1):
        try:
            text = line.decode("utf-8-sig" if count == 1 else "utf-8")
        except UnicodeDecodeError:
            raise DataError(
                f"{name}, line {count} is not UTF-8 text", "Save it as a plain, uncompressed CSV file."
            ) from None
        yield from text.splitlines(keepends=True) if "\r" in text else (text,)


def some_rows(lines: Iterator[Line], cells: int, name: str, most: int) -> list[Line]:
    """Return the next rows, so many at most.

    Raises:
        DataError: if one has another number of cells.
    """
    rows: list[Line] = []
    for line, row in lines:
        if len(row) != cells:
            hint = " Where commas separate cells, a decimal comma needs quotes." if len(row) > cells else ""
            raise DataError(
                f"{name}, line {line} has {len(row)} cells, the header {cells}",
                f"Every row needs every column.{hint}",
            )
        rows.append((line, row))
        if len(rows) == most:
            break
    return rows


def has_decimal_commas(cells: Iterable[str]) -> bool:
    """Return whether numbers have decimal commas: one is no mark of thousands, and none has a decimal point.

    >>> has_decimal_commas(["1,234", "1"]), has_decimal_commas(["1,234", "0,5"])
    (False, True)
    """
    found = False
    for cell in cells:
        if "." in cell and number(cell) is not None:
            return False
        found = found or is_decimal(cell)
    return found


def is_decimal(cell: str) -> bool:
    """Return whether a cell is a number with a comma that can only be a decimal one."""
    return bool(WITH_COMMA.fullmatch(cell)) and not PERHAPS_THOUSANDS.fullmatch(cell)


def with_point(cell: str) -> str:
    """Return a number that has a decimal comma as one with a point, and other cells as they are.

    >>> with_point("0,17"), with_point("yes, no")
    ('0.17', 'yes, no')
    """
    found = WITH_COMMA.fullmatch(cell)
    return cell if found is None else f"{found[1]}.{found[2]}"


def why_no_number(cell: str, commas: bool) -> tuple[str, str]:
    """Return what is wrong with a cell that is no number, in a file with decimal commas or points; and a remedy."""
    shown, plain = repr(cell[:60]), "Write all numbers with the same decimal mark, and thousands without one."
    if commas and "." in cell:
        return f"{shown} has a point, and other numbers have decimal commas", plain
    if PERHAPS_THOUSANDS.fullmatch(cell):
        return f"{shown} may be a decimal number or have a mark of thousands", plain
    if is_decimal(cell):
        return f"{shown} has a decimal comma, and other numbers have none", plain
    if any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell)):
        alone = "Write numbers alone: no sign of a currency, no mark of thousands, 0.0429 for 4.29%."
        return f"{shown} is not a number alone", alone
    return f"{shown} is not a number", "Fill or drop what is missing, and name columns of numbers only."
