"""Letters that deciders put in place of an expression: dummies, so that none is a letter of the expression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count

from sympy import Dummy, Expr, Symbol

from costderive.core.piecewise import Given, Interval


def fresh(
    name: str, exprs: Iterable[Expr], on: Interval | None = None, given: Given = Given(), **facts: bool
) -> Iterator[Symbol]:
    """Yield dummies whose names are those of no letter in the expressions, the interval and the facts.

    They are the same ones each time, so that what was decided of them once is found again.
    """
    used = _names(exprs, on, given)
    return (letter for index in count() if str(letter := _letter(name, index, **facts)) not in used)


def _names(exprs: Iterable[Expr], on: Interval | None, given: Given) -> set[str]:
    ends = () if on is None else (on.variable, on.low, on.high)
    known = (*exprs, *ends, *given.positive, *given.nonnegative)
    return {str(letter) for expr in known for letter in expr.atoms(Symbol)}


@cache
def _letter(name: str, index: int, **facts: bool) -> Symbol:
    return Dummy(f"{name}{index}", **facts)
