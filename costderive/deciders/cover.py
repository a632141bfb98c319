"""Do the conditions of cases cover all parameters? One decision for every kind of derivation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Expr

from costderive.core.piecewise import Given
from costderive.deciders.signs import real

Condition = tuple[Expr, bool]  # that is positive, or else not negative
MAX_SIGNS = 8  # of which all combinations are tried


def covers(cases: Sequence[Given], given: Given = Given()) -> bool:
    """Return whether every admissible point satisfies all conditions of one of several cases.

    A case without conditions covers everything. Else an expression x of a condition is negative, zero or positive, as
    it is real; under each of these the conditions on ``x`` and ``-x`` hold or fail, and the cases whose conditions did
    not fail must cover what is left. The same expression in two writings is taken for two, which covers less.

    Whoever reads a case finds its conditions among what is not negative: a strict one that is not there covers nothing.
    """
    shown = all(set(case.positive) <= set(case.nonnegative) for case in cases)
    return shown and _cover([[*_each(case)] for case in cases], given, MAX_SIGNS)


def _each(case: Given) -> Iterator[Condition]:
    yield from ((fact, True) for fact in case.positive)
    yield from ((fact, False) for fact in case.nonnegative)


def _cover(cases: Sequence[Sequence[Condition]], given: Given, left: int) -> bool:
    if not cases or not all(cases):
        return bool(cases)
    (pivot, _), *_ = cases[0]
    if not left or not real(pivot, None, given):
        return False
    known = {-1: given.also(positive=(-pivot,)), 0: given, 1: given.also(positive=(pivot,))}
    return all(_cover([*_under(pivot, sign, cases)], known[sign], left - 1) for sign in known)


def _under(pivot: Expr, sign: int, cases: Sequence[Sequence[Condition]]) -> Iterator[Sequence[Condition]]:
    """Yield what is left of the conditions of each case that are not false where the pivot has a sign."""
    for case in cases:
        sides = [
            (sign if fact == pivot else -sign, strict) for fact, strict in case if fact in (pivot, -pivot)
        ]
        if all(side > 0 or (side == 0 and not strict) for side, strict in sides):
            yield [(fact, strict) for fact, strict in case if fact not in (pivot, -pivot)]
