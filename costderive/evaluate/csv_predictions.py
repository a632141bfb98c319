"""CSV files of predictions, block by block, without NumPy: every error names the file, the line and the column."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain
from math import isfinite, nan
from textwrap import shorten
from typing import BinaryIO, NoReturn

from costderive.core.errors import DataError
from costderive.evaluate.csv_files import (
    Line,
    has_decimal_commas,
    read_header,
    some_rows,
    why_no_number,
    with_point,
)
from costderive.evaluate.label_order import number

ROWS = 1 << 16  # of a block
Place = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Chosen:
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

    def of_header(self, header: Sequence[str], origin: str) -> Chosen:
        """Return the columns that are read: of those asked for, or all models.

        Raises:
            DataError: if a column is missing, is there twice, or is to be two things.
        """
        self._require_once(header, origin)
        beside = self.columns if self.by is None else (*self.columns, self.by)
        models = self.models or tuple(name for name in header if name not in (self.y_true, *beside))
        if not models:
            raise DataError(
                f"{origin} has no column beside the label {self.y_true!r}",
                "Add a column of probabilities for each model.",
            )
        return replace(
            self,
            models=tuple(dict.fromkeys(models)),
            columns=tuple(name for name in dict.fromkeys(self.columns) if name in header),
            by=self.by if self.by in header else None,
        )

    def _require_once(self, header: Sequence[str], origin: str) -> None:
        repeated = sorted({name for name in header if header.count(name) > 1})
        if repeated:
            raise DataError(
                f"{origin} has several columns named {repeated[0]!r}", "Give each column its own name."
            )
        named = self.models if self.y_true is None else (self.y_true, *self.models)
        for name in named:
            if name not in header:
                near = get_close_matches(name, header, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise DataError(
                    f"{origin} has no column {name!r}",
                    f"Its columns: {shorten(', '.join(header), 400)}.{hint}",
                )
        if self.y_true in self.models:
            raise DataError(
                f"{origin}: column {self.y_true!r} holds the labels", "A model is a column of probabilities."
            )
        for name in self.columns if self.by is None else (*self.columns, self.by):
            if name in named:
                what = "the labels" if name == self.y_true else "a model"
                role = "a group" if name == self.by else "a cost or weight"
                raise DataError(f"{origin}: column {name!r} is both {role} and {what}", "Rename one of them.")

    def without(self, first: Mapping[str, Sequence[float]]) -> Chosen:
        """Return the choice without models whose first numbers, NaN where a cell has none, are no probabilities.

        It is all of it, if there would be no other model.
        """
        held = {name: what for name, values in first.items() if (what := _other(values))}
        found = {
            name: why for name, why in held.items() if name.rpartition(":")[2].strip() not in self.classes
        }
        models = tuple(model for model in self.models if model not in found)
        return replace(self, models=models, left_out=found) if models else self


def _other(values: Sequence[float]) -> str:
    """Say what numbers are if they are no probabilities."""
    inside, real = sum(0 <= value <= 1 for value in values), [value for value in values if isfinite(value)]
    if inside == len(values):
        return ""
    if 2 * len(real) < len(values):
        return "text"
    if all(value == round(value) for value in real):
        return "whole numbers"
    return "numbers beyond 1" if 2 * inside < len(values) else ""


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file: labels as text, numbers of the models and of other columns, and groups.

    ``place(i)`` says where row i stands, and ``share`` how much of the file has been read.
    """

    chosen: Chosen
    labels: list[str]
    numbers: dict[str, array[float]]
    groups: list[str] | None
    place: Place
    share: float


def csv_rows(
    origin: str, file: BinaryIO, size: int, asked: Chosen, delimiter: str | None = None, most: int = ROWS
) -> Iterator[Rows]:
    """Yield the rows of a CSV file with a header line, so many at a time at most.

    Without names of models all columns that may hold probabilities are.

    Raises:
        DataError: naming the file, the line and the column.
    """
    header, _, _, lines = read_header(origin, file, asked.named, delimiter)
    chosen = asked.of_header(header, origin)
    rows = some_rows(lines, len(header), origin, most)
    first = _cells(rows, header, (*chosen.models, *chosen.columns))
    chosen = replace(chosen, commas=has_decimal_commas(chain.from_iterable(first.values())))
    if rows and not asked.models:
        chosen = chosen.without({name: _if_real(first[name], chosen.commas) for name in chosen.models})
    while rows:
        yield _rows(rows, header, chosen, origin, min(1.0, file.tell() / max(1, size)))
        rows = some_rows(lines, len(header), origin, most)


def _cells(rows: list[Line], header: list[str], names: Iterable[str]) -> dict[str, list[str]]:
    places = {name: header.index(name) for name in names}
    return {name: [row[at].strip() for _, row in rows] for name, at in places.items()}


def _if_real(cells: Sequence[str], commas: bool) -> list[float]:
    """Return numbers, NaN where a cell has none."""
    plain = map(with_point, cells) if commas else cells
    return [nan if (found := number(cell)) is None else found for cell in plain]


def _rows(rows: list[Line], header: list[str], chosen: Chosen, origin: str, share: float) -> Rows:
    def place(row: int) -> str:
        return f"{origin}, line {rows[row][0]}"

    cells = _cells(rows, header, chosen.named)
    numbers = {
        name: _numbers(name, cells[name], place, chosen.commas) for name in (*chosen.models, *chosen.columns)
    }
    labels = cells.get(chosen.y_true or "", [])
    labels = [with_point(cell) for cell in labels] if chosen.commas else labels
    groups = None if chosen.by is None else cells[chosen.by]
    return Rows(chosen, labels, numbers, groups, place, share)


def _numbers(name: str, cells: list[str], place: Place, commas: bool) -> array[float]:
    plain = [with_point(cell) for cell in cells] if commas else cells
    is_mixed = commas and any("." in cell for cell in cells)
    try:
        if not is_mixed and not any("_" in cell for cell in cells):
            return array("d", map(float, plain))
    except ValueError:
        pass
    row = next(
        row for row, cell in enumerate(plain) if number(cell) is None or (is_mixed and "." in cells[row])
    )
    problem, remedy = why_no_number(cells[row], commas)
    raise DataError(f"{place(row)}, column {name!r}: {problem}", remedy)


def no_probability(value: float, name: str, place: str) -> NoReturn:
    """Refuse a number of a model that is no probability.

    Raises:
        DataError: naming it.
    """
    where = f"{place}, column {name!r}"
    if value != value:  # noqa: PLR0124  (NaN)
        raise DataError(f"{where}: 'nan' is not a number", "Drop or fill what is missing before scoring.")
    raise DataError(f"{where}: {value!r} is outside [0, 1]", "Give probabilities of class 1.")
