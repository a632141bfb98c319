"""Exact points of an interval and of the parameters' domain, at which to try a statement."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

import sympy
from sympy import Expr, Rational, Symbol

from costderive.core.exact_values import rough_value
from costderive.core.piecewise import Given, Interval

COUNT = 8
TRIES, WIDE_TRIES = 400, 200
SCATTERED = 32
SCATTER_TRIES = 400
MISSED = 1e-6
TINY = Rational(1, 10**9)
SIZES = tuple(map(Rational, ("1", "1/2", "2", "1/3", "3", "9/10", "11/10", "1/10", "10", "1/1000", "1000")))
SIZES += (TINY, 1 / TINY)
SHARES = (*map(Rational, ("1/2", "1/10", "9/10", "1/1000", "999/1000")), TINY, 1 - TINY)
TEN, MAX_MAGNITUDE = Rational(10), 4

Point = dict[Symbol, Expr]


def points(symbols: set[Symbol], on: Interval | None, given: Given) -> list[Point]:
    """Return a few reproducible rational points that satisfy the facts and lie inside the interval.

    They are of a moderate size, unless the facts leave room for others only.
    """
    return [dict(point) for point in _points(_names(symbols, on, given), on, given)]


@lru_cache(maxsize=4096)
def _points(names: frozenset[Symbol], on: Interval | None, given: Given) -> list[Point]:
    return _within(_parameter_values(names, given), on, given)


def scattered(symbols: set[Symbol], on: Interval | None, given: Given) -> list[Point]:
    """Return such points of all sizes: below 1 and above, close to 0, large, with letters that are equal.

    There are none where a letter in an exponent decides which points there are: a power of such sizes has no end.
    """
    if any(_has_letters_above(expr) for expr in (*_ends(on), *given.positive, *given.nonnegative)):
        return []
    return _within(_scattered_values(_names(symbols, on, given), given), on, given)


def _ends(on: Interval | None) -> tuple[Expr, ...]:
    return () if on is None else (on.low, on.high)


def _has_letters_above(expr: Expr) -> bool:
    return any(power.exp.free_symbols for power in expr.atoms(sympy.Pow, sympy.exp))


def _names(symbols: set[Symbol], on: Interval | None, given: Given) -> frozenset[Symbol]:
    facts = set().union(*[fact.free_symbols for fact in given.positive + given.nonnegative])
    ends = set().union(*[end.free_symbols for end in _ends(on)])
    return frozenset((symbols | facts | ends) - ({on.variable} if on else set()))


def _within(drawn: list[tuple[Point, Expr]], on: Interval | None, given: Given) -> list[Point]:
    """Return points with a place in the interval; without one they are those that the facts have admitted."""
    if on is None:
        return [values for values, _ in drawn]
    placed = [_placed(values, share, on) for values, share in drawn]
    return [values for values in placed if values is not None and given.holds_at(values)]


@lru_cache(maxsize=4096)
def _parameter_values(names: frozenset[Symbol], given: Given) -> list[tuple[Point, Expr]]:
    draw = random.Random(20150427)

    def drawn(magnitude: int = 0) -> tuple[Point, Expr]:
        values = {name: Rational(draw.randint(1, 60), draw.randint(1, 12)) for name in sorted(names, key=str)}
        if magnitude:
            values = {name: x * TEN ** draw.randint(-magnitude, magnitude) for name, x in values.items()}
        return values, Rational(draw.randint(1, 99), 100)

    near = list(_admitted(drawn, given, TRIES, COUNT))
    return near or list(_admitted(partial(drawn, MAX_MAGNITUDE), given, WIDE_TRIES, COUNT))


@lru_cache(maxsize=4096)
def _scattered_values(names: frozenset[Symbol], given: Given) -> list[tuple[Point, Expr]]:
    draw = random.Random(20150427)

    def drawn() -> tuple[Point, Expr]:
        values: Point = {}
        for name in sorted(names, key=str):
            equal = values and draw.random() < 0.2
            values[name] = draw.choice([*values.values()]) if equal else draw.choice(_sizes(name))
        return values, draw.choice(SHARES)

    return list(_admitted(drawn, given, SCATTER_TRIES if names else len(SHARES), SCATTERED))


@lru_cache(maxsize=4096)
def _sizes(name: Symbol) -> tuple[Expr, ...]:
    """Return numbers of all sizes that the assumptions on a letter allow."""
    sizes = (*SIZES, sympy.S.Zero, *[-size for size in SIZES])
    return tuple(size for size in sizes if admits(name, size)) or SIZES


@lru_cache(maxsize=4096)
def admits(name: Symbol, value: Expr) -> bool:
    """Return whether a number has every property that a letter is assumed to have."""
    return all(getattr(value, f"is_{fact}") == known for fact, known in name.assumptions0.items())


def _admitted(
    drawn: Callable[[], tuple[Point, Expr]], given: Given, tries: int, count: int
) -> Iterator[tuple[Point, Expr]]:
    pinned = given.pinned
    for _ in range(tries):
        if count == 0:
            return
        values, share = drawn()
        values |= {letter: value.xreplace(values) for letter, value in pinned.items() if letter in values}
        if (
            not _fails_roughly(values, given)
            and given.holds_at(values)
            and all(admits(*pair) for pair in values.items())
        ):
            count -= 1
            yield values, share


def _fails_roughly(values: Point, given: Given) -> bool:
    """Does a point miss a fact by far, to spare the exact values of what has roots?"""
    rough = {letter: float(value) for letter, value in values.items() if value.is_Rational}
    return any(rough_value(fact, rough) < -MISSED for fact in (*given.positive, *given.nonnegative))


def _placed(values: Point, share: Expr, on: Interval | None) -> Point | None:
    if on is None:
        return values
    low, high = on.low.subs(values), on.high.subs(values)
    if not (low.is_real and (high.is_real or high is sympy.oo) and low < high):
        return None
    inside = low + share / (1 - share) if high is sympy.oo else low + share * (high - low)
    return {**values, on.variable: inside} if admits(on.variable, inside) else None
