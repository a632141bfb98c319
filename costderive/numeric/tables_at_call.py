"""Losses of a rule with parameters that have no formulas in doubles: tables, for each number that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from costderive.core.errors import DataError
from costderive.core.numpy_on_demand import NDArray, np
from costderive.numeric.blocks import Evaluated, Rows, Values
from costderive.numeric.parameter_trees import Case
from costderive.numeric.plan import Part
from costderive.rules import ScoringRule

MOST = 32  # tables of a rule: more than a few seconds of work each would take too long
WHY = "they have parameters and no formulas in doubles; each number has a table of its own, made when it is asked for"
Numbers = tuple[tuple[str, float], ...]


class Compiled(Protocol):
    """What is compiled for a rule with numbers."""

    @property
    def plan(self) -> Any:
        """How it is computed."""

    def evaluated(self, rows: Rows, order: int, wrt: str) -> Evaluated:
        """Return losses, or derivatives of them, as functions of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What is compiled for each of the numbers of the parameters that were asked for so far."""

    rule: ScoringRule
    compiled: Callable[[ScoringRule], Compiled]
    known: dict[Numbers, Compiled] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of what was compiled so far."""
        found = tuple(
            replace(part, why=f"{part.why}, with {_shown(numbers)}")
            for numbers, one in self.known.items()
            for part in one.plan
        )
        return found or tuple(Part(f"loss{label}", 0.0, 1.0, "table", WHY, None) for label in (0, 1))

    def require(self, wanted: list[Numbers]) -> None:
        """Raise a ``DataError`` if these numbers would make too many tables."""
        if len(self.known.keys() | set(wanted)) > MOST:
            names = ", ".join(symbol.name for symbol in self.rule.parameters)
            raise DataError(
                f"the losses have no formulas, and {names} would need more than {MOST} tables",
                "Give fewer different numbers: round them, or compile rule.at(...) for each group of rows.",
            )

    def at(self, numbers: Numbers) -> Compiled:
        """Return what is compiled for numbers.

        Raises:
            SpecError: if the rule does not admit them.
        """
        if numbers not in self.known:
            self.known[numbers] = self.compiled(self.rule.at(**dict(numbers)))
        return self.known[numbers]


@dataclass(frozen=True, slots=True, eq=False)
class OfTables:
    """The losses of rows whose parameters have tables, or their derivatives."""

    tables: Tables
    order: int
    wrt: str

    def values(self, rows: Rows) -> Iterator[Values]:
        """Yield values and the rows they belong to."""
        rows.is_one(), rows.doubles()  # checked: tables are for rows that are right
        distinct, which = self._numbers(rows)
        self.tables.require(distinct)
        for place, numbers in enumerate(distinct):
            among = np.flatnonzero(which == place)
            some = replace(rows.take(among), parameters=None)
            found = self.tables.at(numbers).evaluated(some, self.order, self.wrt)
            for start, where, values in found.values(some):
                inside = np.arange(len(values)) if where is None else where
                yield 0, among.take(start + inside), values

    def _numbers(self, rows: Rows) -> tuple[list[Numbers], NDArray[np.intp]]:
        """Return the different numbers of the parameters, and which of them each row has."""
        assert rows.parameters is not None
        names = [symbol.name for symbol in self.tables.rule.parameters]
        columns = [np.broadcast_to(rows.parameters.values[name], len(rows)) for name in names]
        distinct, which = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        return [tuple(zip(names, row, strict=True)) for row in distinct.tolist()], which.reshape(-1)


def _shown(numbers: Numbers) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in numbers)
