"""Tactics that put on record what is seen: the order of two numbers, by a difference whose sign is visible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p
from costderive.costs.laws import x
from costderive.publish.coq.factors import divided_at, divisors
from costderive.publish.coq.terms import atomic, term
from costderive.publish.coq.visible_signs import Visible, visible


def sure(
    expr: Expr,
    on: Interval | None,
    given: Given,
    *,
    strict: bool = True,
    known: frozenset[Expr] = frozenset(),
) -> Visible:
    """Return a term equal to an expression that is visibly positive, or at least not negative.

    Factors that are ``known`` to be positive stay as they are.

    Raises:
        ExportError: if no such term is found.
    """
    found = visible(expr, on, given, known=known)
    if found is None or (strict and not found.strict):
        raise ExportError(f"the sign of {str(expr)[:200]} is not visible", "Coq would have to search for it.")
    return found


def positives(formulas: Iterable[Expr], on: Interval | None, given: Given) -> Iterator[str]:
    """Yield tactics that put on record that what formulas divide by, or take roots of, is positive.

    Factors in which other letters stand than the variable and the parameters, as costs, are left out.
    """
    yield from records(positive_parts(formulas, on, given), on, given)


def positive_parts(formulas: Iterable[Expr], on: Interval | None, given: Given) -> list[Expr]:
    """Return what formulas divide by, or take roots of, without factors in costs, each made positive."""
    return [part for part in divisors(formulas, on, given) if not part.free_symbols & {c0, c1, x}]


def records(parts: Iterable[Expr], on: Interval | None, given: Given, *, after: int = 0) -> Iterator[str]:
    """Yield tactics that put on record that parts are positive, where ``after`` others are so already."""
    for number, part in enumerate(parts, start=after + 1):
        yield f"{recorded(number, part, sure(part, on, given))}."


def positives_at(point: Expr, formulas: Iterable[Expr], given: Given) -> Iterator[str]:
    """Yield tactics that put on record that what formulas divide by at a point is positive, where that is seen."""
    for number, part in enumerate(divided_at(point, formulas), start=1):
        for signed in (part, -part):
            if (seen := visible(signed, None, given)) is not None and seen.strict:
                yield f"{recorded(number, signed, seen)}."


def recorded(number: int, part: Expr, seen: Visible) -> str:
    """Return the tactic that puts on record that something is positive, which is seen."""
    proof = f"apply (positive_as ({seen.text})); [field; see | see]"
    return f"assert (positive{number} : 0 < {term(part)}) by ({proof})"


def ordered(
    name: str, low: Expr, high: Expr, on: Interval | None, given: Given, *, strict: bool = False
) -> str:
    """Return the tactic that puts ``low <= high`` (or ``low < high``) on record under a name.

    Raises:
        ExportError: if the sign of the difference is not visible.
    """
    lemma, relation = ("strictly_below_by", "<") if strict else ("below_by", "<=")
    variable, gap = p if on is None else on.variable, sure(high - low, on, given, strict=strict)
    order = f"{atomic(low, variable)} {relation} {atomic(high, variable)}"
    return f"assert ({name} : {order}) by (apply ({lemma} ({gap.text})); [algebra | see])."
