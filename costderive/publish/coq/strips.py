"""A region of both costs cut into strips: between two values of c1, c0 runs from one linear bound to another.

Which bounds are active is found at one admissible point of the letters and the report. Nothing relies on that: Coq
checks the order of the bounds on each strip, for all letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.exact_values import value_at
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p
from costderive.deciders.sample_points import Point, points
from costderive.deciders.signs import positive

ZERO = sympy.S.Zero
GREATEST_POWER = 10_000
RAY = p * c1 / (1 - p)
_rest = sympy.Symbol("_rest", positive=True)


@dataclass(frozen=True, slots=True)
class Solved:
    """A constraint whose slope in c0 has letters, and its bound of c0: below c0 if the constraint rises with it."""

    constraint: Expr
    slope: Expr
    bound: Expr
    rises: bool


@dataclass(frozen=True, slots=True)
class Sides:
    """What bounds c0, by functions linear in c1, and what must not be negative of c1 itself."""

    lower: tuple[Expr, ...]
    upper: tuple[Expr, ...]
    flat: tuple[Expr, ...]
    solved: tuple[Solved, ...] = ()


@dataclass(frozen=True, slots=True)
class Strip:
    """For c1 between ``low`` and ``high``, c0 runs from ``lower`` to ``upper``; the upper ends may be infinite."""

    low: Expr
    high: Expr
    lower: Expr
    upper: Expr


class Part(StrEnum):
    """How the ray of a report runs: its names in Coq."""

    BELOW = "Below"
    INSIDE = "Inside"
    ABOVE = "Above"


@dataclass(frozen=True, slots=True)
class Cut:
    """How the ray runs up to a value of c1, which may be infinite."""

    part: Part
    high: Expr


@dataclass(frozen=True, slots=True)
class Crossing:
    """Why there is no c0 beyond a value of c1: the bound ``lower`` is above ``upper`` there."""

    lower: Expr
    upper: Expr


def sides(constraints: Iterable[Expr], given: Given) -> Sides:
    """Return the bounds of c0 by constraints that are at least 0.

    Raises:
        ExportError: if a constraint is not linear in the costs, or its slope in c0 has no sign.
    """
    lower: list[Expr] = [ZERO]
    upper: list[Expr] = []
    flat: list[Expr] = []
    solved: list[Solved] = []
    for constraint in constraints:
        slope, rest = _linear(constraint)
        if slope == 0:
            flat.append(rest)
            continue
        rises, bound = _rises(slope, given), sympy.expand(sympy.cancel(-rest / slope))
        (lower if rises else upper).append(bound)
        if not slope.is_Rational:
            solved.append(Solved(constraint, slope, bound, rises))
    return Sides(tuple(dict.fromkeys(lower)), tuple(dict.fromkeys(upper)), tuple(flat), tuple(solved))


def _rises(slope: Expr, given: Given) -> bool:
    if positive(slope, None, given):
        return True
    if positive(-slope, None, given):
        return False
    raise ExportError(f"the slope {str(slope)[:200]} of a side has no sign", "State which it has.")


def _linear(constraint: Expr) -> tuple[Expr, Expr]:
    expr = sympy.expand(constraint)
    slope, rest = sympy.diff(expr, c0), expr.subs(c0, 0)
    if slope.has(c0, c1) or sympy.simplify(sympy.diff(rest, c1, 2)) != 0:
        raise ExportError(
            f"the constraint {str(constraint)[:200]} is not linear in the costs",
            "Coq integrates over c0 between linear bounds.",
        )
    return sympy.factor(slope), rest


def strips(found: Sides, on: Interval | None, given: Given) -> tuple[Strip, ...]:
    """Return the strips in which c0 has somewhere to run, from low c1 to high.

    Raises:
        ExportError: if no admissible point is found.
    """
    at = _sample(found, on, given)
    heights = _heights(found, at)
    cells = [*pairwise(heights), (heights[-1], sympy.oo)]
    kept = [strip for low, high in cells if (strip := _strip(found, low, high, at)) is not None]
    return tuple(_merged(kept))


def _sample(found: Sides, on: Interval | None, given: Given) -> Point:
    symbols = set().union(*[x.free_symbols for x in (*found.lower, *found.upper, *found.flat)])
    admissible = points(symbols - {c1} - ({on.variable} if on else set()), on, given)
    if not admissible:
        raise ExportError("no numbers satisfy the assumptions", "State the assumptions differently.")
    return admissible[0]


def _heights(found: Sides, at: Point) -> list[Expr]:
    """Return where two bounds meet, from c1 = 0 on, each value of c1 once."""
    gaps = [x - y for x, y in combinations((*found.lower, *found.upper), 2)]
    meetings = [zero for gap in (*found.flat, *gaps) if (zero := zero_of(gap)) is not None]
    by_value = {value_at(zero, at): zero for zero in reversed([ZERO, *meetings])}
    return [by_value[value] for value in sorted(by_value) if value >= 0]


def zero_of(gap: Expr) -> Expr | None:
    """Return the c1 at which a function linear in c1 is 0; ``None`` if it does not depend on c1."""
    slope = sympy.diff(gap, c1)
    return None if sympy.simplify(slope) == 0 else in_both_shares(-gap.subs(c1, 0) / slope)


def in_both_shares(expr: Expr) -> Expr:
    """Return a rational function by its factors, in which 1 - p stands and not p - 1.

    Great powers of roots of numbers stay as they are: SymPy would list all lower ones.
    """
    steep = {node: sympy.Dummy(positive=True) for node in sympy.preorder_traversal(expr) if _is_steep(node)}
    found = sympy.factor(expr.xreplace(steep))
    return with_shares(found.xreplace({letter: node for node, letter in steep.items()}))


def _is_steep(node: Expr) -> bool:
    exponent = node.exp if isinstance(node, sympy.Pow | sympy.exp) else ZERO
    return bool(exponent.is_Rational and abs(exponent.p) > GREATEST_POWER)


def with_shares(expr: Expr) -> Expr:
    """Return an expression in which 1 - p stands and not p - 1."""
    return expr.xreplace({p - 1: -_rest}).xreplace({_rest: 1 - p})


def _strip(found: Sides, low: Expr, high: Expr, at: Point) -> Strip | None:
    start = value_at(low, at)
    middle = {**at, c1: start + 1 if high is sympy.oo else (start + value_at(high, at)) / 2}
    if any(value_at(x, middle) < 0 for x in found.flat):
        return None
    lower = max(found.lower, key=lambda x: value_at(x, middle))
    upper = min(found.upper, key=lambda x: value_at(x, middle), default=sympy.oo)
    if upper is not sympy.oo and value_at(upper, middle) <= value_at(lower, middle):
        return None
    return Strip(low, high, lower, upper)


def _merged(found: list[Strip]) -> Iterator[Strip]:
    """Yield strips, those that meet between the same bounds as one."""
    for number, strip in enumerate(found):
        if number and (strip.lower, strip.upper) == (found[number - 1].lower, found[number - 1].upper):
            continue
        same = [x for x in found[number:] if (x.lower, x.upper) == (strip.lower, strip.upper)]
        yield Strip(strip.low, same[-1].high, strip.lower, strip.upper)


def cuts(strip: Strip, on: Interval, given: Given) -> tuple[Cut, ...]:
    """Return how the ray of a report on an interval runs through a strip, from low c1 to high.

    Raises:
        ExportError: if no admissible point is found.
    """
    bounds = [x for x in (strip.lower, strip.upper) if x is not sympy.oo]
    at = _sample(Sides(tuple(bounds), (strip.low, *_finite(strip.high)), ()), on, given)
    met = [zero for bound in bounds if (zero := zero_of(bound - RAY)) is not None]
    low, high = value_at(strip.low, at), value_at(strip.high, at) if strip.high is not sympy.oo else sympy.oo
    inside = {value: zero for zero in reversed(met) if low < (value := value_at(zero, at)) < high}
    found = []
    for start, stop in pairwise([low, *sorted(inside), high]):
        middle = {**at, c1: start + 1 if stop is sympy.oo else (start + stop) / 2}
        found.append(Cut(_part(strip, middle), inside.get(stop, strip.high)))
    last = [k for k, cut in enumerate(found) if k + 1 == len(found) or found[k + 1].part != cut.part]
    return tuple(found[k] for k in last)


def _finite(high: Expr) -> tuple[Expr, ...]:
    return () if high is sympy.oo else (high,)


def _part(strip: Strip, at: Point) -> Part:
    ray = value_at(RAY, at)
    if ray < value_at(strip.lower, at):
        return Part.BELOW
    return Part.ABOVE if strip.upper is not sympy.oo and ray > value_at(strip.upper, at) else Part.INSIDE


def crossing(found: Sides, at: Expr) -> Crossing | None:
    """Return two bounds that meet at a value of c1, beyond which there is no c0; ``None`` if c1 itself ends there.

    Raises:
        ExportError: if there is neither.
    """
    if any(_is_zero(gap, at) for gap in found.flat):
        return None
    for lower in found.lower:
        for upper in found.upper:
            if _is_zero(lower - upper, at):
                return Crossing(lower, upper)
    raise ExportError("a region ends where no two of its bounds meet", "Coq needs them.")


def _is_zero(gap: Expr, at: Expr) -> bool:
    zero = zero_of(gap)
    return zero is not None and sympy.simplify(zero - at) == 0
