"""Where the sign of a rational function of one variable changes: every cell of the line, by exact root isolation.

Between neighbouring roots and poles a rational function has one sign, that of its value at any point there. So a few
rational points, one in each cell, and the roots themselves decide any statement about its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import CRootOf, Expr, Poly, Rational, Symbol
from sympy.polys.polyerrors import CoercionFailed, GeneratorsError

from costderive.core.piecewise import Given
from costderive.deciders.exactness import of_exact_numbers
from costderive.deciders.size import steep

MAX_DIGITS = 4096


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A value of the variable at which a sign is not what was said, and what the expression is there."""

    at: Expr
    why: str


@dataclass(frozen=True, slots=True)
class _Function:
    """A rational function of one variable in lowest terms, over the rationals."""

    top: Poly
    bottom: Poly

    @classmethod
    def of(cls, expr: Expr, x: Symbol) -> _Function | None:
        """Return ``None`` unless the expression is a rational function of the variable alone, of moderate degree."""
        if expr.free_symbols - {x} or steep(expr) or expr.has(sympy.zoo, sympy.nan, sympy.oo):
            return None
        try:
            parts = (Poly(part, x, domain=sympy.QQ) for part in sympy.fraction(sympy.together(expr)))
            top, bottom = next(parts), next(parts)
        except (sympy.PolynomialError, CoercionFailed, GeneratorsError):
            return None
        if bottom.is_zero:
            return None
        common = top.gcd(bottom)
        return cls(top.quo(common), bottom.quo(common))

    def sign(self, at: Rational) -> int:
        """Return the sign at a rational point that is not a pole."""
        return int(sympy.sign(self.top.eval(at) * self.bottom.eval(at)))


@dataclass(frozen=True, slots=True)
class _Root:
    """A real root of an irreducible polynomial, between two rational numbers that may be equal."""

    factor: Poly
    low: Rational
    high: Rational

    def value(self) -> Expr:
        if self.low == self.high:
            return self.low
        return CRootOf(self.factor, self.factor.count_roots(None, self.low))

    def of(self, poly: Poly) -> bool:
        """Return whether it is a root of another polynomial too."""
        return bool(not poly.is_zero and poly.rem(self.factor).is_zero)


@of_exact_numbers((False, None))
def falsified(expr: Expr, x: Symbol, given: Given, *, strict: bool) -> tuple[bool, Counterexample | None]:
    """Return whether it is decided that ``expr >= 0`` (``> 0`` if strict) wherever the facts hold, and where it fails.

    The variable runs over all the real numbers that its assumptions allow. Facts with other letters are left out: then,
    and if the expression is not rational over the rationals, nothing is decided, but an example would be one.
    """
    function = _Function.of(expr, x)
    assumed = (x,) if x.is_positive else ()
    weakly = (x,) if x.is_nonnegative and not x.is_positive else ()
    strong = _functions((*given.positive, *assumed), x)
    weak = _functions((*given.nonnegative, *weakly), x)
    if function is None or x.is_integer or not x.is_real or strong is None or weak is None:
        return False, None
    line = _Line.through([function, *strong, *weak])
    return (False, None) if line is None else (True, line.against(function, strong, weak, strict))


def _functions(exprs: Iterable[Expr], x: Symbol) -> list[_Function] | None:
    found = [_Function.of(expr, x) for expr in exprs]
    known = [function for function in found if function is not None]
    return known if len(known) == len(found) else None


@dataclass(frozen=True, slots=True)
class _Line:
    """All real roots of some polynomials, ascending, and a rational point in each cell beside and between them."""

    roots: tuple[_Root, ...]
    points: tuple[Rational, ...]

    @classmethod
    def through(cls, functions: Iterable[_Function]) -> _Line | None:
        factors = {
            Poly(factor, domain=sympy.QQ)
            for f in functions
            for part in (f.top, f.bottom)
            if not part.is_zero
            for factor, _ in part.factor_list()[1]
        }
        digits = 2
        while digits <= MAX_DIGITS:
            roots = sorted((root for f in factors for root in _isolated(f, digits)), key=lambda r: r.low)
            if all(first.high < second.low for first, second in pairwise(roots)):
                return cls(tuple(roots), tuple(_between(roots)))
            digits *= 4
        return None

    def against(
        self, function: _Function, strong: list[_Function], weak: list[_Function], strict: bool
    ) -> Counterexample | None:
        """Return a cell in which the facts hold and the function is negative, or such a zero or pole."""
        for point in self.points:
            allowed = all(f.sign(point) > 0 for f in strong) and all(f.sign(point) >= 0 for f in weak)
            if allowed and (function.sign(point) < 0 or (strict and function.top.is_zero)):
                return Counterexample(point, "zero" if function.top.is_zero else "negative")
        for place, root in enumerate(self.roots):
            why = (
                "infinite" if root.of(function.bottom) else "zero" if strict and root.of(function.top) else ""
            )
            if why and self._allowed(root, self.points[place], strong, weak):
                return Counterexample(root.value(), why)
        return None

    def _allowed(self, root: _Root, beside: Rational, strong: list[_Function], weak: list[_Function]) -> bool:
        """Do the facts hold at a root: a fact that does not vanish there has the sign that it has beside it."""
        if any(root.of(fact.bottom) for fact in (*strong, *weak)):
            return False
        return all(not root.of(fact.top) and fact.sign(beside) > 0 for fact in strong) and all(
            root.of(fact.top) or fact.sign(beside) >= 0 for fact in weak
        )


def _isolated(factor: Poly, digits: int) -> Iterator[_Root]:
    for (low, high), _ in factor.intervals(eps=Rational(1, 10**digits)):
        yield _Root(factor, low, high)


def _between(roots: list[_Root]) -> Iterator[Rational]:
    if not roots:
        yield sympy.S.One
        return
    yield sympy.floor(roots[0].low) - 1
    yield from (simplest(first.high, second.low) for first, second in pairwise(roots))
    yield sympy.floor(roots[-1].high) + 1


def simplest(low: Rational, high: Rational) -> Rational:
    """Return the rational number with the smallest denominator between two.

    >>> simplest(Rational(1, 3), Rational(2, 5))
    3/8
    """
    whole = sympy.floor(low)
    if whole + 1 < high:
        return whole + 1
    if low == whole:
        return whole + 1 / (sympy.floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))
