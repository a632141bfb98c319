"""Columns of text, the tables that they make at a terminal of some width, and how numbers are written in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from costderive.evaluate import Estimate
from costderive.publish.formats.terminal import decimals, table

BETWEEN = 2  # spaces between columns


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, a cell per model, and what the numbers mean (nothing if the heading says it)."""

    heading: str
    cells: tuple[str, ...]
    meaning: str = ""

    @property
    def width(self) -> int:
        """The length of the longest cell."""
        return max(map(len, (self.heading, *self.cells)))


def tables_within(columns: Sequence[Column], width: int) -> Iterator[str]:
    """Yield tables that are no wider than that, each with the names of the models."""
    name, shown = columns[0], [columns[0]]
    for column in columns[1:]:
        if len(shown) > 1 and sum(each.width + BETWEEN for each in shown) + column.width > width:
            yield in_lines(shown)
            shown = [name]
        shown.append(column)
    yield in_lines(shown)


def in_lines(columns: Sequence[Column]) -> str:
    """Return a table of text; all columns but the first are aligned to the right."""
    rows = list(zip(*[(column.heading, *column.cells) for column in columns], strict=True))
    return table(rows, right=range(1, len(columns)))


def numeric(heading: str, values: Sequence[float], digits: int, meaning: str = "") -> Column:
    """Return a column of numbers with the same decimals, the largest with so many digits."""
    return Column(heading, tuple(decimals(values, digits)), meaning)


def intervals(found: Iterable[Estimate]) -> tuple[str, ...]:
    """Write intervals with as many decimals as two digits of the shortest need."""
    found = list(found)
    ends = [*(each.low for each in found), *(each.high for each in found)]
    cells = decimals(ends, _digits(ends, [(each.high - each.low) / 2 for each in found]))
    pairs = zip(cells[: len(found)], cells[len(found) :], strict=True)
    return tuple("—" if low == high == "—" else f"[{low}, {high}]" for low, high in pairs)


def _digits(ends: Sequence[float], halves: Sequence[float]) -> int:
    """Return how many digits the largest end has if the shortest half has two."""
    widths = [half for half in halves if half > 0]
    largest = max((abs(end) for end in ends if math.isfinite(end)), default=0.0)
    if not widths or not largest:
        return 4
    return min(9, max(2, 2 + math.floor(math.log10(largest)) - math.floor(math.log10(min(widths)))))


def numbers(estimate: Estimate) -> tuple[str, str, str]:
    """Write an estimate and the ends of its interval with the same decimals."""
    ends = [estimate.value, estimate.low, estimate.high]
    shown, low, high = decimals(ends, _digits(ends, [(estimate.high - estimate.low) / 2]))
    return shown, low, high


def short(value: float) -> str:
    """Write a number with four digits."""
    return decimals([value], 4)[0]


def percent(level: float) -> str:
    """Write the level of an interval."""
    return f"{100 * level:.4g} %"
