"""Tables of steep functions: far from the end by the distance itself, whose digits are all there, as those of its
logarithm are not."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from typing import Any

import mpmath

from costderive.core.numpy_on_demand import np
from costderive.numeric.end_tables import LINEAR, Table
from costderive.numeric.many_digits import End, Valued
from costderive.numeric.table_fit import octaves

NORMAL = sys.float_info.min
BESIDE = mpmath.mpf(1) - mpmath.mpf(2) ** -10  # of a distance, at which a slope is seen


@dataclass(frozen=True, slots=True, eq=False)
class Polynomials(Valued):
    """What the polynomials of a table say."""

    table: Table

    def value(self, end: End, x: Any) -> Any:
        """Return the value at the distance ``x`` from the end of the table."""
        return self.table.exactly(x)

    def power(self, end: End, x: Any) -> float:
        """Return the power by which the function grows right below a distance: beyond it the table may end."""
        value, before = self.value(end, x), self.value(end, x * BESIDE)
        return float(mpmath.log(abs(before / value)) / mpmath.log(BESIDE)) if value and before else 0.0

    def is_seen(self, distance: float) -> bool:
        """Whether the value at a distance is a double, and the distance that of one."""
        beside = self.table.end.hi + self.table.end.side * distance
        return beside != self.table.end.hi and abs(self.table.exactly(mpmath.mpf(distance))) > NORMAL


def parted(table: Table, length: int, is_monotone: bool, is_level: bool) -> tuple[float, Table, Table] | None:
    """Return a table in the logarithm of the distance up to a double, and one in the distance itself from there on.

    That is so many octaves long at most. None is returned if the first would be empty, or both are one panel.
    """
    known, seams = Polynomials(table), np.exp(table.edges).tolist()
    top = float(table.centres[-1] + 1 / table.scales[-1])
    first = int(np.searchsorted(table.edges, top - length * math.log(2)))
    kept = next((n + 1 for n in range(first, len(seams)) if known.is_seen(seams[n])), None)
    if kept is None:
        return None
    knee = table.end.hi + table.end.side * seams[kept - 1]
    low = float(abs(table.end.exact_distance(knee)))
    panels = octaves(known, table.end, low, math.exp(top), is_monotone, is_level, seams[kept:])
    return knee, _upto(table, kept), Table.of(table.end, LINEAR, table.at_end, panels)


def _upto(table: Table, count: int) -> Table:
    """Return the table of so many panels next to the end."""
    panels = ("centres", "scales", "powers", "shifts", "lifts")
    return replace(
        table,
        edges=table.edges[: count - 1],
        coefficients=np.ascontiguousarray(table.coefficients[:, :count]),
        **{name: getattr(table, name)[:count] for name in panels},
    )
