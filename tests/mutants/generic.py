"""Mutants of any object: every expression, flag and tuple in it, changed in every way of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import sympy
from sympy import Expr, I, Rational, Symbol, oo

from costderive.core.errors import CostDeriveError
from costderive.core.piecewise import Sign
from costderive.core.symbols import c0, c1, p, q, s

ZERO, ONE, HALF = sympy.S.Zero, sympy.S.One, Rational(1, 2)
TINY = Rational(1, 10**30)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A falsified object, and in words what is wrong in it."""

    name: str
    after: Any


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an object, the path to it, and how to put something else there."""

    path: str
    part: Any
    put: Callable[[Any], Any]


def places(whole: Any) -> Iterator[Place]:
    """Go through all parts of an object, the object itself first."""
    yield from _places(Place("", whole, lambda new: new))


def _places(here: Place) -> Iterator[Place]:
    yield here
    if isinstance(here.part, tuple):
        for index in range(len(here.part)):
            yield from _places(_element(here, index))
    elif is_dataclass(here.part):
        for name in [field.name for field in fields(here.part)]:
            yield from _places(_field(here, name))


def _element(here: Place, index: int) -> Place:
    def put(new: Any) -> Any:
        return here.put((*here.part[:index], new, *here.part[index + 1 :]))

    return Place(f"{here.path}[{index}]", here.part[index], put)


def _field(here: Place, name: str) -> Place:
    def put(new: Any) -> Any:
        return here.put(replace(here.part, **{name: new}))

    return Place(f"{here.path}.{name}", getattr(here.part, name), put)


def generic(whole: Any) -> Iterator[Mutant]:
    """Change every expression, flag and tuple of an object in every way of the tables below."""
    for place in places(whole):
        for name, change in CHANGES:
            if (new := change(place.part)) is not None and new != place.part:
                yield from _made(f"{place.path} {name}", place, new)
        if isinstance(place.part, tuple) and not isinstance(place.part, sympy.Basic):
            yield from _rearranged(place)


def _rearranged(place: Place) -> Iterator[Mutant]:
    items = place.part
    for index, item in enumerate(items):
        before, after = items[:index], items[index + 1 :]
        yield from _made(f"{place.path} without [{index}]", place, (*before, *after))
        yield from _made(f"{place.path} with [{index}] twice", place, (*before, item, item, *after))
        if after and after[0] != item:
            name = f"{place.path} with [{index}] and the next exchanged"
            yield from _made(name, place, (*before, after[0], item, *after[1:]))


def _made(name: str, place: Place, new: Any) -> Iterator[Mutant]:
    """Yield an object with another part, if there can be such an object."""
    try:
        yield Mutant(name, place.put(new))
    except CostDeriveError:
        return


def _expression(change: Callable[[Expr], Expr]) -> Callable[[Any], Any]:
    def changed(part: Any) -> Any:
        return (
            change(part)
            if isinstance(part, Expr) and not isinstance(part, Symbol) and part.is_finite is not False
            else None
        )

    return changed


def _reparametrised(expr: Expr) -> Expr:
    parameters = sorted(expr.free_symbols - {c0, c1, p, q, s}, key=str)
    return expr.subs(parameters[0], 2 * parameters[0]) if parameters else expr


def _bounded(part: Any) -> Any:
    return sympy.Integer(3) if part is oo else None


def _signed(sign: Sign) -> Callable[[Any], Any]:
    return lambda part: sign if isinstance(part, Sign) else None


def _renamed(part: Any) -> Any:
    return {s: p, p: q}.get(part) if isinstance(part, Symbol) else None


CHANGES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("doubled", _expression(lambda expr: 2 * expr)),
    ("negated", _expression(lambda expr: -expr)),
    ("plus 1", _expression(lambda expr: expr + 1)),
    ("plus 10^-30", _expression(lambda expr: expr + TINY)),
    ("plus i", _expression(lambda expr: expr + I)),
    ("at 1 - s", _expression(lambda expr: expr.subs(s, 1 - s))),
    ("at 1 - p", _expression(lambda expr: expr.subs(p, 1 - p))),
    ("with its parameter doubled", _expression(_reparametrised)),
    ("made finite", _bounded),
    ("in another variable", _renamed),
    ("called zero", _signed(Sign.ZERO)),
    ("called positive", _signed(Sign.POSITIVE)),
    ("called not negative", _signed(Sign.NONNEGATIVE)),
    ("reversed", lambda part: not part if isinstance(part, bool) else None),
)
