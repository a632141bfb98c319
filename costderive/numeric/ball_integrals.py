"""Integrals in the numbers of Arb, by the double-exponential rule: known as far as the steps of the rule agree.

What varies with ``p`` alone is computed once for all nodes, and the nodes at which the integrand counts are found with
wide steps first. Unlike other balls these are no proof: what is left out is estimated from the steps.

Source: Takahasi and Mori (1974), Double exponential formulas for numerical integration.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Integral, Symbol

WIDEST = 3  # the first step of t is 2^-WIDEST
FINEST = 13
FARTHEST = 7  # |t|
COUNTS = 130  # bits: what is smaller than the largest term by so many is left out
ENOUGH = 108  # bits
MOST_BITS = 3000  # of a term: the least argument is near 2^-1242
START = 2.0**-40  # of two sums: only from here on does each step about double the digits
TINY = 2.0**-1000
Compile = Callable[[tuple[Symbol, ...], Expr], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class BallIntegral:
    """An integral over ``x`` whose ends and integrand may depend on ``p`` and ``r``; an end ``None`` is infinity."""

    flint: Any
    low: Callable[..., Any]
    high: Callable[..., Any] | None
    constants: tuple[Callable[..., Any], ...]  # what the integrand has of p and r
    integrand: Callable[..., Any]

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
        )

    def value(self, p: Any, r: Any) -> Any:
        """Return the integral, with an estimate of what is left out as its radius; nan if the steps do not agree."""
        low, high = self.low(p, r), None if self.high is None else self.high(p, r)
        constants = [constant(p, r) for constant in self.constants]

        def terms(places: range) -> list[tuple[int, Any]]:
            return [(place, self._term(place, low, high, constants)) for place in places]

        total = self._summed(terms)
        return total if high is None else total * (high - low)

    def _term(self, place: int, low: Any, high: Any, constants: list[Any]) -> Any:
        """Return a term, with more bits where the integrand is 0/0 to the working precision, as next to an end."""
        at, weight = _node(self.flint, bits := self.flint.ctx.prec, place, high is not None)
        term = _or_nan(self.flint, weight, self.integrand, _placed(at, low, high), *constants)
        if term.is_finite() or bits >= MOST_BITS:
            return term
        with self.flint.ctx.workprec(2 * bits):
            return self._term(place, low, high, constants)

    def _summed(self, terms: Callable[[range], list[tuple[int, Any]]]) -> Any:
        """Add terms up with ever smaller steps, where the first ones count. Places are in the finest steps."""
        arb, step = self.flint.arb, 2 ** (FINEST - WIDEST)
        far = 2**FINEST * FARTHEST
        known = terms(range(-far, far + 1, step))
        least = max(abs(term).mid() for _, term in known) * arb(2) ** -COUNTS
        places = [place for place, term in known if abs(term).mid() > least] or [0]
        first, last = places[0] - step, places[-1] + step
        total = sum((term for place, term in known if first <= place <= last), arb(0))
        if total.is_finite() and total.rel_accuracy_bits() < ENOUGH:  # finer steps leave what has cancelled
            return arb(0, sum(abs(term).upper() for _, term in known))
        sums = [total / 2**WIDEST]
        for level in range(WIDEST + 1, FINEST + 1):
            step = 2 ** (FINEST - level)
            total = sum((term for _, term in terms(range(first + step, last, 2 * step))), total)
            sums.append(total / 2**level)
            left = _left_out(sums)
            if left is not None and left > ENOUGH:
                return sums[-1] + arb(0, abs(sums[-1]).mid() * arb(2) ** -left)
        return arb.nan()


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
