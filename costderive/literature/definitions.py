"""Definitions of letters, read as a system of equations: the order in which they are written does not matter."""

from __future__ import annotations

from sympy import Expr, Symbol

from costderive.core.errors import SpecError

Where = tuple[tuple[Symbol, Expr], ...]


def system(definitions: Where, place: str) -> Where:
    """Return definitions that define each letter once, and no letter by itself, directly or through others.

    Raises:
        SpecError: if a letter has two definitions, or some definitions go round in a circle.
    """
    names = [name for name, _ in definitions]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SpecError(f"{place} defines {twice[0]} twice", "Define each letter once.")
    left = dict(definitions)
    while known := [name for name, value in left.items() if not value.free_symbols & set(left)]:
        for name in known:
            del left[name]
    if left:
        circle = ", ".join(f"{name} = {value}" for name, value in left.items())
        raise SpecError(f"{place}: {circle:.80} go round in a circle", "Define each letter by others.")
    return definitions


def filled(expr: Expr, definitions: Where) -> Expr:
    """Put definitions into an expression until none of the letters that they define is left."""
    values = dict(definitions)
    for _ in definitions:
        expr = expr.xreplace(values)
    return expr
