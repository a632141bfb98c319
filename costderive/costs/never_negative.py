"""Refuse what letters can make negative, with values of theirs for which it is."""

from __future__ import annotations

from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.deciders.enclosure import sample as samples
from costderive.deciders.refutation import refuted
from costderive.deciders.signs import nonnegative


def require_never_negative(place: str, expr: Expr, on: Interval | None, given: Given) -> None:
    """Refuse an expression with letters for which values are found, within what is given, that make it negative.

    Raises:
        SpecError: naming these values and the condition.
    """
    if nonnegative(expr, on, given):
        return
    found = refuted(expr, on, given, strict=False)
    below = (one.point for one in samples(expr, on, given) if one.high < 0)
    point = next(below, None) if found is None else found[0].items()
    if point is not None:
        where = ", ".join(f"{letter} = {value}" for letter, value in point)
        reach = "" if on is None else f" where {on.low} < {on.variable} < {on.high}"
        raise SpecError(
            f"{place} = {expr} is negative at {where}, and {expr} >= 0 is needed{reach}",
            "Give the letters numbers, or write them within their bounds: 1 + a for a letter that is above 1,"
            " w/(1 + w) for a share.",
        )
