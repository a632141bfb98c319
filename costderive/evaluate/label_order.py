"""Which of the labels is class 1, found out as they come in, block by block."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import NDArray, np

USUAL = ({0, 1}, {-1, 1})  # labels of which class 1 is known


def number(text: str) -> float | None:
    """Return the number that a text writes in plain digits."""
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def meaning(label: Any) -> Any:
    """Return a label as a number if it is one, written in any way: 1, 1.0, "1", True; else as it is."""
    found = number(label) if isinstance(label, str) else label
    return label if found is None else found


class Classes:
    """The labels met so far; ``pos_label`` names class 1, and is needed unless they are 0 and 1, or -1 and 1."""

    def __init__(self, pos_label: Any = None) -> None:
        self._one = 1 if pos_label is None else meaning(pos_label)
        self._is_named = pos_label is not None
        self._seen: list[Any] = []

    def are_one(self, labels: NDArray[Any], place: Callable[[int], str]) -> NDArray[np.bool_]:
        """Return for each label of shape (n,) whether it is class 1; ``place`` says where one stands.

        Raises:
            DataError: naming the first that is missing or a third label, or if it is not said which is class 1.
        """
        if labels.dtype.kind in "biuf":
            self._admit(_firsts(labels, np.unique(labels).tolist()), place)
            return np.asarray(labels == self._one)
        cells = labels.tolist()
        return np.fromiter(self.of_cells(cells, place), bool, len(cells))

    def of_cells(self, cells: Sequence[Any], place: Callable[[int], str]) -> list[bool]:
        """Return for each of some labels, of any kind, whether it is class 1; ``place`` says where one stands.

        Raises:
            DataError: as ``are_one`` does.
        """
        firsts: dict[Any, int] = {}
        for row, cell in enumerate(cells):
            firsts.setdefault(cell, row)
        self._admit([(row, cell) for cell, row in firsts.items()], place)
        ones = {cell for cell in firsts if meaning(cell) == self._one}
        return [cell in ones for cell in cells]

    def close(self, source: str) -> None:
        """Check, when all labels have been read, that class 1 is among them or could have been.

        Raises:
            DataError: if ``pos_label`` is not.
        """
        if self._is_named and self._one not in self._seen and not _usual([*self._seen, self._one]):
            raise DataError(
                f"{source}: {self._one!r} is not among the labels {_listed(self._seen)}",
                "Give the label of class 1.",
            )

    def _admit(self, firsts: list[tuple[int, Any]], place: Callable[[int], str]) -> None:
        for row, cell in firsts:
            label = meaning(cell)
            if label is None or label == "" or (isinstance(label, float) and math.isnan(label)):
                raise DataError(f"{place(row)}: {cell!r} is not a label", "Drop the rows without a label.")
            if label in self._seen:
                continue
            if len(self._seen) == 2:
                raise DataError(
                    f"{place(row)}: {str(cell)[:60]!r} is a third label, after {_listed(self._seen)}",
                    "A scoring rule here is for two classes.",
                )
            self._seen.append(label)
        if firsts and not self._is_named and not _usual(self._seen):
            raise DataError(
                f"{place(firsts[0][0])}: the labels are {_listed(self._seen)}, and it is not said which is class 1",
                "Say it with pos_label (--pos-label); labels 0 and 1 need none.",
            )


def _firsts(labels: NDArray[Any], distinct: Iterable[Any]) -> list[tuple[int, Any]]:
    """Return distinct labels with the row of each, in the order in which they appear; NaN stands in some row."""
    rows = [(int(np.argmax(labels == cell if cell == cell else labels != labels)), cell) for cell in distinct]  # noqa: PLR0124
    return sorted(rows, key=lambda row: row[0])


def _usual(labels: list[Any]) -> bool:
    return any(set(labels) <= pair for pair in USUAL)


def _listed(labels: list[Any]) -> str:
    shown = [int(x) if isinstance(x, float) and x.is_integer() else x for x in labels]
    return " and ".join(repr(x)[:60] for x in shown) or "none"
