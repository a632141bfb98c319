"""What a person says of the letters: strict inequalities, as expressions that are positive."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.logic.boolalg import Boolean

from costderive.core.errors import SpecError
from costderive.core.expressions import exact, inequalities
from costderive.core.expressions.exact_numbers import shown
from costderive.core.piecewise import Given
from costderive.core.symbols import RESERVED

ASSUME = 'Give the parameters numbers, or say more of them, as in assuming="k > 7".'
REWRITE = "There are no letters to say more of: write the costs in another way."
MOST_SHOWN = 60  # characters of a fact


def assume(fact: Expr) -> str:
    """Return what to do where the sign of a fact about letters is open: say it, as in ``assuming="m > n"``."""
    is_open = bool(fact.free_symbols) and fact.is_positive is None and fact.is_nonpositive is None
    plain = Given((fact,), (fact,)).in_words().replace("**", "^") if is_open else ""
    if not 0 < len(plain) <= MOST_SHOWN:
        return ASSUME
    return f'Give the parameters numbers, or say more of them, as in assuming="{plain}".'


def remedy(*unknown: Expr) -> str:
    """Return what to do where the sign of expressions is not found: say more of their letters, if there are any."""
    return ASSUME if any(expr.free_symbols for expr in unknown) else REWRITE


def facts_of(assuming: Any) -> tuple[Expr, ...]:
    """Read what is assumed of the letters: inequalities such as ``"k > 7"``, or expressions that are positive.

    Raises:
        SpecError: if something is not strict, or holds for no positive letters.

    >>> facts_of("0 < k < 1")
    (k, 1 - k)
    """
    single = (
        isinstance(assuming, str | sympy.Basic)
        or not isinstance(assuming, Iterable)
        or getattr(assuming, "shape", None) == ()
    )
    return tuple(fact for item in ((assuming,) if single else assuming) for fact in _facts(item))


def facts_about(assuming: Any, letters: Collection[Symbol]) -> tuple[Expr, ...]:
    """Read what is assumed of the letters of costs.

    Raises:
        SpecError: as `facts_of`, or if a fact has another letter.
    """
    facts = facts_of(assuming)
    for fact in facts:
        if strange := sorted(fact.free_symbols - set(letters), key=str):
            problem = f"assuming: {fact} > 0 has {strange[0]}, which is no parameter of the costs"
            raise SpecError(problem, f"Their parameters: {', '.join(sorted(map(str, letters))) or 'none'}.")
    return tuple(fact for fact in facts if fact.free_symbols)


def _facts(item: Any) -> tuple[Expr, ...]:
    assumed = f"assuming: {item[:60] if isinstance(item, str) else shown(item)}"
    if isinstance(item, str) and re.search("[<>=]", item):
        facts = inequalities(item, place="assuming", names={})
    elif isinstance(item, sympy.StrictGreaterThan | sympy.StrictLessThan):
        facts = (exact(item.gts, place="assuming") - exact(item.lts, place="assuming"),)
    elif isinstance(item, Boolean | bool) and item == True:  # noqa: E712
        return ()
    else:
        facts = (exact(item, place="assuming"),) if not isinstance(item, Boolean | bool) else ()
    if not facts or (isinstance(item, str) and "=" in item):
        raise SpecError(f"{assumed} is not a strict inequality", "Write k > 7, or several such.")
    for fact in facts:
        if fact.is_nonpositive or any(symbol.name in RESERVED for symbol in fact.free_symbols):
            raise SpecError(f"{assumed} cannot be satisfied by any parameters", "Write k > 7, say.")
    return facts
