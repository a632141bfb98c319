"""Arithmetic of truncated expansions as ``x -> 0`` from above, each with an order for all that it leaves out.

An expansion is a sum of blocks ``exp(E) * (sum of c x^a l^b + error)`` with ``l = -log x``, where ``E`` is a sum
of terms that grow faster than ``l``: so blocks of different exponents are apart by more than any power of x. The
error of a block of order N is at most ``x^N l^K`` for some K; an infinite order says that nothing is left out.

Source: van der Hoeven (2006), Transseries and Real Differential Algebra, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cmp_to_key
from itertools import chain

import sympy
from sympy import Add, Expr, Integral, Pow, oo

from costderive.core.piecewise import Given
from costderive.deciders.identities import zero
from costderive.deciders.leading_terms import NoLeadingTerm, constant_sign

ZERO, ONE = sympy.S.Zero, sympy.S.One
MAX_COUNT = 48
MAX_COEFFICIENT = 200
MAX_EXPANDED = 6


class Undetermined(NoLeadingTerm):
    """The terms that are known do not settle it; more of them may."""


@dataclass(frozen=True, slots=True)
class Term:
    """The term ``coefficient * x^power * (-log x)^logs``; its coefficient may turn out to be zero."""

    coefficient: Expr
    power: Expr = ZERO
    logs: Expr = ZERO

    def __mul__(self, other: Term) -> Term:
        coefficient = _plain(self.coefficient * other.coefficient)
        return Term(coefficient, _plain(self.power + other.power), _plain(self.logs + other.logs))


def _plain(expr: Expr) -> Expr:
    """Multiply out, or write over one denominator; no integral and no high power of a sum is multiplied out."""
    if expr.is_Rational or expr.has(Integral) or any(_high(power) for power in expr.atoms(Pow)):
        return expr
    expanded = sympy.expand(expr)
    if len(Add.make_args(expanded)) <= MAX_COEFFICIENT:
        return expanded
    joined = sympy.cancel(expr)
    if len(Add.make_args(sympy.numer(joined))) > MAX_COEFFICIENT:
        raise NoLeadingTerm
    return joined


def _high(power: Pow) -> bool:
    return bool(power.base.is_Add and power.exp.is_Rational and abs(power.exp) > MAX_EXPANDED)


@dataclass(frozen=True, slots=True)
class Block:
    """Terms in order, the largest first, up to an error of the given order; all times ``exp`` of the exponent."""

    terms: tuple[Term, ...]
    order: Expr = oo
    exponent: tuple[Term, ...] = ()

    @property
    def low(self) -> Expr:
        """The power that bounds the block, beside its exponential."""
        return self.terms[0].power if self.terms else self.order


Expansion = tuple[Block, ...]
NOTHING: Expansion = ()


def constant(value: Expr) -> Expansion:
    """Return the expansion of a constant."""
    return monomial(Term(value)) if value != 0 else NOTHING


def monomial(term: Term, exponent: tuple[Term, ...] = ()) -> Expansion:
    """Return the expansion that is one term."""
    return (Block((term,), oo, exponent),)


@dataclass(frozen=True, slots=True)
class Algebra:
    """Sums, products and series of expansions, under facts about the parameters, to about a given depth.

    Its methods raise ``NoLeadingTerm`` where a sign is not known that the answer hangs on.
    """

    given: Given
    depth: int

    def sign(self, expr: Expr) -> int:
        """Return the sign of a constant."""
        if expr == 0 or zero(expr, None, self.given):
            return 0
        return self.definite_sign(expr)

    def definite_sign(self, expr: Expr) -> int:
        """Return the sign of a constant that is not zero."""
        sign = constant_sign(expr, self.given)
        if sign is None:
            raise NoLeadingTerm
        return sign

    def gap(self, first: Expr, second: Expr) -> int:
        """Return the sign of the difference of two powers or orders."""
        if first is second or first is oo or second is oo:
            return int(first is oo) - int(second is oo)
        return self.sign(first - second)

    def least(self, values: Iterable[Expr]) -> Expr:
        """Return the least of some powers or orders."""
        found = oo
        for value in values:
            found = value if self.gap(value, found) < 0 else found
        return found

    def growth(self, term: Term) -> int:
        """Return 1 if a power and logarithms grow without bound, 0 if they are constant, -1 if they vanish."""
        return -self.gap(term.power, ZERO) or self.gap(term.logs, ZERO)

    def scale(self, first: tuple[Term, ...], second: tuple[Term, ...] = ()) -> int:
        """Return 1 if ``exp(first)`` outgrows ``exp(second)``, 0 if they are the same, -1 else."""
        if first == second:
            return 0
        turned = tuple(replace(term, coefficient=-term.coefficient) for term in second)
        for term in self._collected(first + turned, oo):
            sign = self.sign(term.coefficient)
            if sign:
                return sign
        return 0

    def times(self, count: Expr, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return terms with their coefficients multiplied by a constant."""
        return tuple(Term(count) * term for term in terms)

    def _collected(self, terms: Iterable[Term], order: Expr) -> tuple[Term, ...]:
        """Add up terms of one kind, leave out those below the error, and put the largest first."""
        sums: dict[tuple[Expr, Expr], list[Expr]] = {}
        for term in terms:
            sums.setdefault((term.power, term.logs), []).append(term.coefficient)
        added = [Term(_plain(Add(*coefficients)), *kind) for kind, coefficients in sums.items()]
        kept = [term for term in added if term.coefficient != 0 and self.gap(term.power, order) < 0]
        return tuple(sorted(kept, key=cmp_to_key(self._before)))

    def _before(self, first: Term, second: Term) -> int:
        return self.gap(first.power, second.power) or self.gap(second.logs, first.logs)

    def add(self, *parts: Expansion) -> Expansion:
        """Return a sum."""
        groups: list[list[Block]] = []
        for block in chain(*parts):
            alike = [group for group in groups if not self.scale(group[0].exponent, block.exponent)]
            alike[0].append(block) if alike else groups.append([block])
        merged = [self._merged(group) for group in groups]
        return self._settled([block for block in merged if block.terms or block.order is not oo])

    def _merged(self, blocks: list[Block]) -> Block:
        order = self.least(block.order for block in blocks)
        terms = self._collected(chain(*[block.terms for block in blocks]), order)
        return Block(terms, order, blocks[0].exponent)

    def _settled(self, blocks: list[Block]) -> Expansion:
        """Put the largest block first; whatever is below a block that has an error is lost in that error."""
        kept: list[Block] = []
        for block in sorted(blocks, key=cmp_to_key(self._larger)):
            kept.append(block)
            if block.order is not oo:
                break
        return tuple(kept)

    def _larger(self, first: Block, second: Block) -> int:
        return -self.scale(first.exponent, second.exponent)

    def multiply(self, first: Expansion, second: Expansion) -> Expansion:
        """Return a product."""
        return self.add(tuple(self._product(one, other) for one in first for other in second))

    def _product(self, one: Block, other: Block) -> Block:
        """Multiply term by term, but nothing that is below the error."""
        order = self.least((one.order + other.low, other.order + one.low))
        pairs = [(a, b, _plain(a.power + b.power)) for a in one.terms for b in other.terms]
        terms = [
            Term(a.coefficient * b.coefficient, power, _plain(a.logs + b.logs))
            for a, b, power in pairs
            if self.gap(power, order) < 0
        ]
        return Block(self._collected(terms, order), order, self._collected(one.exponent + other.exponent, oo))

    def subtract(self, first: Expansion, second: Expansion) -> Expansion:
        """Return a difference."""
        return self.add(first, self.multiply(constant(-ONE), second))

    def compose(self, coefficient: Callable[[int], Expr], small: Expansion) -> Expansion:
        """Return ``sum of coefficient(k) small^k``, for a power series of a function or an asymptotic one.

        ``small`` must vanish at a positive power of x, or faster; the error is that of the first term left out.
        """
        small = self._without_zeros(small)
        if not small:
            return constant(coefficient(0))
        count, rest = self._cut(small[0])
        total, power, small = [constant(coefficient(0)), (rest,)], constant(ONE), self.add(small, (rest,))
        for k in range(1, count):
            power = self.multiply(power, small)
            total.append(self.multiply(constant(coefficient(k)), power))
        return self.add(*total)

    def _without_zeros(self, small: Expansion) -> Expansion:
        """Leave out terms that do not vanish as x does, if their coefficients are zero."""
        return self.add(tuple(replace(block, terms=self._vanishing(block.terms)) for block in small))

    def _vanishing(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(
            term
            for term in terms
            if self.gap(term.power, ZERO) > 0 or not zero(term.coefficient, None, self.given)
        )

    def _cut(self, top: Block) -> tuple[int, Block]:
        """Return how many terms of a series to take, and a bound for the first one that is left out."""
        if top.exponent and self.scale(top.exponent) > 0:
            raise NoLeadingTerm
        if not top.exponent and self.gap(top.low, ZERO) <= 0:
            raise NoLeadingTerm if top.terms else Undetermined
        count = 2 if top.exponent else self._count(top.low)
        return count, Block((), count * top.low, self.times(sympy.Integer(count), top.exponent))

    def _count(self, low: Expr) -> int:
        count = int(sympy.ceiling(self.depth / low)) + 1 if low.is_Rational else self.depth
        if count > MAX_COUNT:
            raise NoLeadingTerm
        return count

    def lead(self, expansion: Expansion) -> tuple[Block, Expansion] | None:
        """Split off the leading term, whose coefficient has a sign for all parameters; ``None`` for zero."""
        for place, block in enumerate(expansion):
            for number, term in enumerate(block.terms):
                if self.sign(term.coefficient):
                    rest = replace(block, terms=block.terms[number + 1 :])
                    return Block((term,), oo, block.exponent), self.add((rest, *expansion[place + 1 :]))
            if block.order is not oo:
                raise Undetermined
        return None

    def limit(self, expansion: Expansion) -> Expr:
        """Return the limit, possibly infinite."""
        for block in expansion:
            pace = self.scale(block.exponent)
            if pace < 0:
                return ZERO
            found = self._limit_of_terms(block.terms, pace)
            if found is not None:
                return found
            if block.order is not oo and (pace or self.gap(block.order, ZERO) <= 0):
                raise Undetermined
        return ZERO

    def _limit_of_terms(self, terms: tuple[Term, ...], pace: int) -> Expr | None:
        """Return the limit that the first term that counts gives, or ``None`` if all of them are zero."""
        for term in terms:
            growth = pace or self.growth(term)
            if growth < 0:
                return ZERO
            if zero(term.coefficient, None, self.given):
                continue
            return term.coefficient if growth == 0 else self.definite_sign(term.coefficient) * oo
        return None

    def relative(self, expansion: Expansion) -> tuple[Block, Expansion]:
        """Write an expansion as its leading term times ``1 + small``; return the term and ``small``."""
        found = self.lead(expansion)
        if found is None:
            raise NoLeadingTerm
        top, rest = found
        return top, self.multiply(rest, (self.raised(top, -ONE),))

    def raised(self, top: Block, exponent: Expr) -> Block:
        """Return a power of a single term."""
        (term,) = top.terms
        if not exponent.is_Integer and self.definite_sign(term.coefficient) < 0:
            raise NoLeadingTerm
        coefficient = _plain(term.coefficient**exponent)
        powers = (_plain(term.power * exponent), _plain(term.logs * exponent))
        return Block((Term(coefficient, *powers),), oo, self.times(exponent, top.exponent))
