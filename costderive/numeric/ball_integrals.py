"""Integrals in the numbers of Arb, by the double-exponential rule: known as far as the steps of the rule agree.

What varies with ``p`` alone is computed once for all nodes, and the nodes at which the integrand counts are found with
wide steps first. Unlike other balls these are no proof: what is left out is estimated from the steps.

Source: Takahasi and Mori (1974), Double exponential formulas for numerical integration.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, Integral, Symbol

from costderive.core.work import SOONER, size_of, spend

FINEST = 16  # steps of t are 2^-FINEST, and the first
WIDE = 2**13  # of these
MOST = 4096  # terms
FARTHEST = 8  # |t|
FEWEST = 8  # terms that count, before the steps of the rule are halved for its value
SPARE = 70  # bits: what is smaller than the largest term by the working precision less these is left out
ENOUGH = 108  # bits
MOST_BITS = 20_000  # of a term
OF_DISTANCES = 1200  # bits, in which 1 less the smallest double has some digits
GONE = 50_000  # bits: what is smaller counts as 0, whatever it is multiplied by
PASSED = 2  # terms in a row that do not count, beyond which none are looked for
START = 2.0**-40  # of two sums: only from here on does each step about double the digits
TINY = 2.0**-1000
Compile = Callable[[tuple[Symbol, ...], Expr], Callable[..., Any]]
Point = Callable[[], tuple[Any, Any]]  # p and 1 - p, to the working precision
Parts = tuple[Any, Any, list[Any]]  # both ends, and constants


class NoValueError(Exception):
    """An integral of which so many terms do not agree with half of them: with more bits they would not either."""


@dataclass(frozen=True, slots=True)
class BallIntegral:
    """An integral over ``x`` whose ends and integrand may depend on ``p`` and ``r``; an end ``None`` is infinity."""

    flint: Any
    low: Callable[..., Any]
    high: Callable[..., Any] | None
    constants: tuple[Callable[..., Any], ...]  # what the integrand has of p and r
    integrand: Callable[..., Any]
    size: int

    @classmethod
    def of(cls, node: Integral, letters: tuple[Symbol, ...], compile: Compile, flint: Any) -> BallIntegral:
        """Compile the parts of an integral with one variable."""
        x, low, high = node.limits[0]
        parts, written = _apart(node.function, x)
        names = tuple(parts)
        return cls(
            flint,
            compile(letters, low),
            None if high is sympy.oo else compile(letters, high),
            tuple(compile(letters, parts[name]) for name in names),
            compile((x, *names), written),
            size_of(written),
        )

    def value(self, point: Point) -> Any:
        """Return the integral at a point ``(p, 1 - p)``, known to any precision, as it is asked for.

        Its radius has an estimate of what is left out; it is nan if the finest steps do not agree.

        Raises:
            NoValueError: if the most terms do not agree.
            ArithmeticError: if a term takes too many bits.
        """
        terms = _Terms(self, point)
        low, high, _ = terms.parts(self.flint.ctx.prec)
        return terms.total() if high is None else terms.total() * (high - low)

    def parts(self, p: Any, r: Any) -> Parts:
        """Return the ends, and the constants of the integrand."""
        high = None if self.high is None else self.high(p, r)
        return self.low(p, r), high, [constant(p, r) for constant in self.constants]


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of the rule at a point, each with as many bits as it needs. Places are in the finest steps."""

    integral: BallIntegral
    point: Point
    known_parts: dict[int, Parts] = field(default_factory=dict)

    def parts(self, bits: int) -> Parts:
        """Return what the integrand has of the point, to so many bits, those of the working precision."""
        if bits not in self.known_parts:
            self.known_parts[bits] = self.integral.parts(*self.point())
        return self.known_parts[bits]

    def term(self, place: int, bits: int) -> Any:
        """Return a term by a computation with so many bits."""
        flint = self.integral.flint
        spend(self.integral.size / SOONER, bits)
        with flint.ctx.workprec(bits):
            low, high, constants = self.parts(bits)
            at, weight = _node(flint, bits, place, high is not None)
            return _or_nan(flint, weight, self.integral.integrand, _placed(at, low, high), *constants)

    def finite(self, place: int, bits: int) -> Any:
        """Return a term by a computation with at least so many bits, as many as make it a number, if any do.

        Next to an end ``1 - p`` may have no digit left with fewer: what is not known is not small.
        """
        term = self.term(place, bits)
        while not term.is_finite() and bits < OF_DISTANCES:
            bits *= 2
            term = self.term(place, bits)
        return term

    @property
    def little(self) -> Any:
        """What may be left out, relative to the largest term."""
        flint = self.integral.flint
        return flint.arb(2) ** (SPARE - flint.ctx.prec)

    def within(self, largest: Any, place: int, term: Any) -> Any:
        """Return a term, from what is known of it, with a radius that is little beside it or the largest one.

        Next to an end what an integrand consists of may cancel, or be 0/0 to the working precision.

        Raises:
            ArithmeticError: if that takes too many bits.
        """
        bits = self.integral.flint.ctx.prec
        while not term.rad() <= self.little * max(largest, abs(term).lower()):
            bits *= 2
            if bits > MOST_BITS:
                raise ArithmeticError(f"the term at {place} is not known with {MOST_BITS} bits")
            term = self.term(place, bits)
        return term

    def total(self) -> Any:
        """Add terms up, bell by bell."""
        arb, seen = self.integral.flint.arb, self._seen(self.integral.flint.ctx.prec)
        if self._are_gone(seen):
            return arb(0)
        return sum(map(self._total_of, self._bells(seen)), arb(0))

    def _total_of(self, seen: dict[int, Any]) -> Any:
        """Add the terms of a bell up with ever smaller steps, where the first ones count."""
        arb, bits = self.integral.flint.arb, self.integral.flint.ctx.prec
        known, step = self._found(seen)
        total, largest, first, last = sum(known.values(), arb(0)), _largest(known), min(known), max(known)
        if total.is_finite() and total.rel_accuracy_bits() < ENOUGH:  # finer steps leave what has cancelled
            return arb(0, sum(abs(term).upper() for term in known.values()))
        sums = [total * step]
        while step > 1 and last - first < MOST * step:
            step //= 2
            between = range(first + step, last, 2 * step)
            total = sum((self.within(largest, place, self.term(place, bits)) for place in between), total)
            sums.append(total * step)
            left = _left_out(sums)
            if left is not None and left > ENOUGH:
                return (sums[-1] + arb(0, abs(sums[-1]).mid() * arb(2) ** -left)) / 2**FINEST
        if step > 1:
            raise NoValueError
        return arb.nan()

    def _bells(self, seen: dict[int, Any]) -> list[dict[int, Any]]:
        """Return the terms with the widest steps by the bells that they are of, cut where none counts.

        Of a bell that is narrow beside these steps only the foot may be seen: how high it is decides.
        """
        sizes = {place: _size(term) for place, term in seen.items()}
        tops = [place for place in seen if _is_top(sizes, place)]
        if len(tops) < 2:
            return [seen]
        heights = {place: self._climbed(place, sizes[place]) for place in tops}
        least = self.little * max(heights.values())
        tops = [place for place in tops if heights[place] > least]
        valleys = (
            min(range(low, high + 1, WIDE), key=sizes.__getitem__) for low, high in itertools.pairwise(tops)
        )
        cuts = [min(seen), *(place for place in valleys if sizes[place] <= least), max(seen)]
        return [
            {place: seen[place] for place in range(low, high + 1, WIDE)}
            for low, high in itertools.pairwise(cuts)
        ]

    def _climbed(self, place: int, size: Any) -> Any:
        """Return how large terms become beside one that is larger than its neighbours."""
        bits, step = self.integral.flint.ctx.prec, WIDE
        while step > 1:
            step //= 2
            beside = {at: _size(self.finite(at, bits)) for at in (place - step, place + step)}
            lowest, (at, best) = min(beside.values()), max(beside.items(), key=operator.itemgetter(1))
            if best > size:
                place, size = at, best
            elif lowest > size / 2:
                break
        return size

    def _found(self, known: dict[int, Any]) -> tuple[dict[int, Any], int]:
        """Return the terms that count with the first steps with which these are not few, and the steps."""
        bits, step = self.integral.flint.ctx.prec, WIDE
        while True:
            known = self._where_they_count(known, step)
            least = self.little * _largest(known)
            if step == 1 or sum(abs(term) > least for term in known.values()) >= FEWEST:
                return known, step
            step //= 2
            between = range(min(known) + step, max(known), 2 * step)
            known |= {place: self.finite(place, bits) for place in between}

    def _seen(self, bits: int) -> dict[int, Any]:
        """Return the terms with the widest steps, with more bits if of none even the sign is known."""
        far = 2**FINEST * FARTHEST
        seen = {place: self.finite(place, bits) for place in range(-far, far + 1, WIDE)}
        return seen if _largest(seen) > 0 or 2 * bits > MOST_BITS else self._seen(2 * bits)

    def _are_gone(self, seen: dict[int, Any]) -> bool:
        """Return whether the largest terms, looked for with ever smaller steps, are too small to count.

        A function with a concave logarithm rises no further than at the rate at which it rose before.
        """
        gone, step = self.integral.flint.arb(2) ** -GONE, WIDE
        sizes = {place: abs(term).upper() for place, term in seen.items()}
        while step > 1 and all(size <= gone for size in sizes.values()):
            place = max(sizes, key=sizes.__getitem__)
            if sizes[place] ** 2 <= gone * min(sizes.get(place + away, gone) for away in (-step, step)):
                return True
            step //= 2
            for beside in (place - step, place + step):
                sizes[beside] = abs(self.term(beside, self.integral.flint.ctx.prec)).upper()
        return False

    def _where_they_count(self, seen: dict[int, Any], step: int) -> dict[int, Any]:
        """Return the terms from one side to the other of those that count, until some in a row do not."""
        largest = _largest(seen)
        counting = [place for place, term in seen.items() if _size(term) > self.little * largest]
        first, last = min(counting), max(counting)
        known = {place: self.within(largest, place, seen[place]) for place in range(first, last + 1, step)}
        for start, away in ((first, -step), (last, step)):
            place, passed = start + away, 0
            while place in seen and passed < PASSED:
                known[place] = self.within(largest, place, seen[place])
                largest = max(largest, _size(known[place]))
                passed = passed + 1 if abs(known[place]).mid() <= self.little * largest else 0
                place += away
        return known


def _is_top(sizes: dict[int, Any], place: int) -> bool:
    """Return whether the term at a place is larger than those beside it."""
    return all(sizes[place] > sizes.get(place + away, 0) for away in (-WIDE, WIDE))


def _largest(terms: dict[int, Any]) -> Any:
    """Return a lower bound on the largest size of the terms."""
    return max(map(_size, terms.values()), default=0)


def _size(term: Any) -> Any:
    """Return a lower bound on the size of a term, 0 if nothing is known."""
    return max(abs(term).lower(), 0) if term.is_finite() else 0


def _or_nan(flint: Any, weight: Any, integrand: Callable[..., Any], *given: Any) -> Any:
    try:
        return weight * integrand(*given)
    except ZeroDivisionError:
        return flint.arb.nan()


def _left_out(sums: list[Any]) -> int | None:
    """Return an estimate of the bits that the last of at least three sums has right.

    Source: Bailey, Jeyabalan and Li (2005), A comparison of three high-precision quadrature schemes, section 5.
    """
    if len(sums) < 3:
        return None
    size = abs(sums[-1]).mid()
    gaps = [abs(sums[-1] - other).mid() / size for other in sums[-2:-4:-1]] if size > 0 else []
    if not gaps or not gaps[0] < START or not gaps[1] < 1:
        return None
    last, before = (-math.log2(float(gap)) if gap > TINY else 10 * float(ENOUGH) for gap in gaps)
    return int(min(last**2 / before, 2 * last))


def _placed(at: tuple[Any, Any], low: Any, high: Any) -> Any:
    """Return the argument at a node, by its distance from the nearer end."""
    near, rest = at
    if high is None:
        return low + near
    return low + (high - low) * near if near < rest else high - (high - low) * rest


@functools.lru_cache(maxsize=2**15)
def _node(flint: Any, bits: int, place: int, is_bounded: bool) -> tuple[tuple[Any, Any], Any]:
    """Return the argument at a place, and its weight, with the working precision of so many bits."""
    t, half_pi = flint.arb(place) / 2**FINEST, flint.arb.pi() / 2
    grown = (half_pi * t.sinh()).exp()
    if is_bounded:
        near, rest = grown / (grown + 1 / grown), 1 / (grown * (grown + 1 / grown))
        return (near, rest), 2 * half_pi * t.cosh() * near * rest
    return (grown, None), half_pi * t.cosh() * grown


def _apart(expr: Expr, x: Symbol) -> tuple[dict[Symbol, Expr], Expr]:
    """Name the largest parts of an expression that are free of x, but for numbers."""
    names: dict[Expr, Symbol] = {}

    def walked(node: Expr) -> Expr:
        if not node.has(x):
            return node if node.is_number else names.setdefault(node, sympy.Dummy("k", real=True))
        if node == x:
            return node
        if isinstance(node, sympy.Add | sympy.Mul):
            free, rest = node.as_independent(x, as_Add=isinstance(node, sympy.Add))
            others = rest.args if isinstance(rest, type(node)) else (rest,)
            return node.func(walked(free), *map(walked, others))
        return node.func(*map(walked, node.args))

    written = walked(expr)
    return {name: part for part, name in names.items()}, written
