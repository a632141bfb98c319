"""Can facts hold together? A point of positive rational numbers at which every one of them is decided.

The search may go about it in any way: a point is returned only after each fact was decided there, so it proves that
the facts are consistent. That no point is found proves nothing.
"""

from __future__ import annotations

import random
from functools import lru_cache

from sympy import Expr, Rational, Symbol

from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given
from costderive.deciders.sample_points import Point
from costderive.deciders.signs import nonnegative, positive

TRIES, REACH, PATIENCE = 600, 8, 40


@lru_cache(maxsize=256)
def admissible(given: Given) -> Point | None:
    """Return positive rational numbers at which all facts hold, one for each of their letters, or ``None``.

    The search repairs one fact that fails after the other, by a new value for one of its letters: near the value at
    which the fact, if it is linear in the letter, changes its sign.
    """
    draw = random.Random(20150427)
    facts = given.positive + given.nonnegative
    letters = sorted(set().union(*[fact.free_symbols for fact in facts]), key=str)
    values: Point = {letter: Rational(draw.randint(1, 60), draw.randint(1, 12)) for letter in letters}
    failing = _failing(given, values)
    for number in range(TRIES):
        if not failing:
            return values
        tried = _repaired(draw.choice(failing), values, draw, REACH * (1 + number // PATIENCE))
        left = _failing(given, tried)
        if len(left) <= len(failing) or draw.random() < 0.1:
            values, failing = tried, left
    return None


def _failing(given: Given, values: Point) -> list[Expr]:
    """Return the facts that are not decided at a point; all of its numbers are positive."""
    strict = [fact for fact in given.positive if not _holds(fact, values, strict=True)]
    return strict + [fact for fact in given.nonnegative if not _holds(fact, values, strict=False)]


def _holds(fact: Expr, values: Point, *, strict: bool) -> bool:
    value = value_at(fact, values)
    if value.is_Rational:
        return bool(value > 0 if strict else value >= 0)
    if value.free_symbols or not value.is_finite:
        return False
    return bool(positive(value) if strict else nonnegative(value))


def _repaired(fact: Expr, values: Point, draw: random.Random, reach: int) -> Point:
    """Return the point with another value for one letter of a fact."""
    if not fact.free_symbols:
        return values
    letter: Symbol = draw.choice(sorted(fact.free_symbols, key=str))
    step = Rational(2) ** draw.randint(-reach, reach) * Rational(draw.randint(4, 7), 4)
    at_zero, at_one = (value_at(fact, {**values, letter: Rational(n)}) for n in (0, 1))
    known = at_zero.is_Rational and at_one.is_Rational and at_zero != at_one
    turn = at_zero / (at_zero - at_one) if known else Rational(0)
    beside = turn + draw.choice((-1, 1)) * step
    return {**values, letter: beside if beside > 0 else step}
