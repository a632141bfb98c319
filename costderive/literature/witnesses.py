"""Points at which a statement is tried: numbers that satisfy its definitions and lie in the domains of its letters.

A letter stands for a positive number. ``F0``, ``F1``, ``p``, ``q``, ``s``, ``pi0`` and ``pi1`` are probabilities, of
which the last two add up to one; a definition may give a probability from 0 to 1, or a cost ``c0``, ``c1`` of 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product

import mpmath
import sympy
from sympy import Expr, Rational, Symbol

from costderive.core import symbols
from costderive.core.piecewise import Given, Interval
from costderive.deciders.enclosure import enclose
from costderive.literature.definitions import Where, filled

SHARES = tuple(Rational(k, n) for n in (2, 3, 4, 5) for k in range(1, n))
SIZES = (*(Rational(n) for n in (1, 2, 3, 5, 7, 10, 11)), Rational(1, 2), Rational(1, 3))
SHOWN_BELOW_ONE = re.compile(
    r"[FABC]\d?(\(.*\))?|[twc]"
)  # for short examples: nothing is asked of these letters
PROBABILITIES = frozenset(("F0", "F1", "p", "q", "s", "pi0", "pi1"))
COSTS = frozenset(("c0", "c1"))
TRIES, DRAWS, MANY = 400, 4000, 7

Point = dict[Symbol, Expr]
Bounds = tuple[mpmath.mpf, mpmath.mpf]


@dataclass(frozen=True, slots=True)
class Setting:
    """Under what a statement is made: definitions of letters, the range of one letter, facts on the others."""

    definitions: Where = ()
    on: Interval | None = None
    given: Given = Given()

    def facts(self, *sides: Expr) -> Given:
        """Return what is known, with the probabilities among the free letters of some sides below one."""
        defined = {name for name, _ in self.definitions}
        free = set().union(*(filled(side, self.definitions).free_symbols for side in sides)) - defined
        inner = {self.on.variable} if self.on else set()
        below = [1 - x for x in sorted(free - inner, key=str) if x.name in PROBABILITIES]
        return self.given.also(positive=tuple(below))

    def constrains(self, *sides: Expr) -> bool:
        """Return whether more is asked of the letters of some sides than that they are positive and in the range."""
        names = {x.name for side in sides for x in side.free_symbols}
        return bool(self.definitions) or bool(names & (PROBABILITIES | COSTS))

    def impossible(self) -> bool:
        """Return whether a definition gives a probability or a cost a number that it cannot be."""
        values = {name: value for name, value in self.defined({}).items() if value.is_number}
        return not _in_domains(values)

    def points(self, letters: set[Symbol]) -> Iterator[Point]:
        """Return points for some letters, and for those of definitions and conditions, at which all of them hold."""
        facts = set().union(*(x.free_symbols for x in self.given.positive + self.given.nonnegative))
        ends = self.on.low.free_symbols | self.on.high.free_symbols if self.on else set()
        values = set().union(*(filled(x, self.definitions).free_symbols for x, _ in self.definitions))
        inner = {self.on.variable} if self.on else set()
        names = sorted((letters | facts | ends | values) - inner, key=str)
        names = [name for name in names if name != symbols.pi1 or symbols.pi0 not in names]
        drawn = islice(product(*_pools(names)), DRAWS)
        for draw in (found for found in drawn if len(set(found)) == len(found) or len(names) > MANY):
            point = _with_proportions(dict(zip(names, draw, strict=True)))
            inside = [point] if self.on is None else _inside(point, self.on)
            yield from (one for one in inside if self.admits(one))

    def admits(self, point: Point) -> bool:
        """Return whether the conditions hold at a point, and all letters lie in their domains."""
        return self.given.holds_at(point) and _in_domains({**point, **self.defined(point)})

    def defined(self, point: Point) -> Point:
        """Return the values of the defined letters at a point."""
        return {name: filled(name, self.definitions).subs(point) for name, _ in self.definitions}

    def witness(self, sides: tuple[Expr, Expr], shows: Callable[[Bounds], bool]) -> Point | None:
        """Return the first point at which enclosing bounds of the difference of two sides show something."""
        left, right = (filled(side, self.definitions) for side in sides)
        for point in islice(self.points(left.free_symbols | right.free_symbols), TRIES):
            bounds = enclose((left - right).subs(point))
            if bounds is not None and shows(bounds):
                return point
        return None


def _pools(names: list[Symbol]) -> list[tuple[Expr, ...]]:
    """Return numbers for letters, each list from another start, so that the first numbers of all differ."""
    pools: list[tuple[Expr, ...]] = []
    for name in names:
        share = name.name in PROBABILITIES or SHOWN_BELOW_ONE.fullmatch(name.name)
        numbers = SHARES if share else SIZES
        start = sum(set(pool) == set(numbers) for pool in pools) % len(numbers)
        pools.append((*numbers[start:], *numbers[:start]))
    return pools


def _with_proportions(point: Point) -> Point:
    """Add the proportion of class 1 to that of class 0."""
    return {**point, symbols.pi1: 1 - point[symbols.pi0]} if symbols.pi0 in point else point


def _in_domains(values: Point) -> bool:
    named = {name.name: value for name, value in values.items()}
    shares = all(_lies(value, 0) and _lies(1 - value, 0) for x, value in named.items() if x in PROBABILITIES)
    costs = all(_lies(value, 0) for x, value in named.items() if x in COSTS)
    proportions = [value for x, value in named.items() if x in ("pi0", "pi1")]
    return shares and costs and (len(proportions) < 2 or sum(proportions) == 1)


def _lies(value: Expr, low: int) -> bool:
    return value.is_number and bool((value - low).is_nonnegative)


def _inside(point: Point, on: Interval) -> Iterator[Point]:
    low, high = on.low.subs(point), on.high.subs(point)
    if low < sympy.S.Half < high:
        yield {**point, on.variable: sympy.S.Half}
    for share in SHARES:
        step = share / (1 - share) if high is sympy.oo else share * (high - low)
        yield {**point, on.variable: low + step}
