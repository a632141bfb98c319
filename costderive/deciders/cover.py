"""Do the conditions of cases cover all parameters? One decision for every kind of derivation."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr

from costderive.core.piecewise import Given
from costderive.deciders.signs import real

Conditions = tuple[Expr, ...]


def covers(cases: Sequence[Conditions], given: Given = Given()) -> bool:
    """Return whether every admissible point satisfies all conditions, each ``x >= 0``, of one of several cases.

    One case without conditions covers everything. Else the cases split by the sign of the first condition of one of
    them: those that start with ``x`` cover, by the rest of their conditions, where ``x >= 0``, and those that start
    with ``-x`` where ``-x >= 0``; as x is real, that is everywhere. What starts with something else is not counted.
    """
    if not cases or any(not conditions for conditions in cases):
        return bool(cases)
    pivot = cases[0][0]
    if pivot == -pivot or not real(pivot, None, given):
        return False
    halves = ((side, [one[1:] for one in cases if one[0] == side]) for side in (pivot, -pivot))
    return all(covers(half, given.also(nonnegative=(side,))) for side, half in halves)
