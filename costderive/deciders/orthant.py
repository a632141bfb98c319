"""Positivity of a polynomial with parameters, by mapping its domain onto the positive orthant.

An interval becomes ``x = (low + high v)/(1 + v)`` with ``v > 0``; a fact ``c x + r >= 0`` with ``c > 0``
becomes ``x = (w - r)/c`` with ``w >= 0``, and ``r - c x >= 0`` becomes ``x = r/(c (1 + w))``, in which x may be the w
of another fact, as that of ``x >= 1`` in ``x <= 2``. Each map is onto
the part of the domain that satisfies the fact, so a polynomial whose image has only non-negative coefficients
is non-negative there, whichever facts were used and in whichever order. The converse fails: ``False`` decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import sympy
from sympy import Expr, Symbol
from sympy.polys.polyerrors import CoercionFailed
from sympy.polys.rings import PolyElement, PolyRing

from costderive.core.piecewise import Given, Interval
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.number_signs import number_sign

MAX_IMAGES, MAX_TERMS = 200, 100_000  # the most that are tried, and how many terms they may have all together


def nonnegative_coefficients(poly: Expr, on: Interval | None, given: Given, strict: bool) -> bool:
    """Return whether some image of a polynomial on the positive orthant has only non-negative coefficients.

    If ``strict``, one term must also be made of strictly positive variables only.
    """
    plain = _Problem.of(poly, None, Given())
    if plain and _one_sign(plain.poly, plain.weak, strict):
        return True
    for interval in _relaxed(on, poly, given):
        problem = _Problem.of(poly, interval, given)
        if problem and any(_one_sign(p, weak, strict) for p, weak in _some(problem.images())):
            return True
    return False


def _some(
    images: Iterator[tuple[PolyElement, frozenset[int]]],
) -> Iterator[tuple[PolyElement, frozenset[int]]]:
    """Yield images while they are few, and not too long all together."""
    terms = 0
    for image, weak in islice(images, MAX_IMAGES):
        yield image, weak
        terms += len(image)
        if terms > MAX_TERMS:
            return


def _relaxed(on: Interval | None, poly: Expr, given: Given) -> list[Interval | None]:
    """Wider sets first, on which the decision is quicker: the variable is positive, and one end is often enough."""
    if on is None or on.variable not in poly.free_symbols:
        tied = on is not None and any(_ties(fact, on.variable, poly) for fact in given.positive)
        return [None, on] if tied else [None]
    above = Interval(on.variable, on.low, sympy.oo)
    below = [Interval(on.variable, sympy.S.Zero, on.high)] if on.low.is_nonnegative else []
    return [*dict.fromkeys([above, *below, on])]


def _ties(fact: Expr, variable: Symbol, poly: Expr) -> bool:
    """Does a fact say something of the letters of a polynomial that depends on where the variable is?"""
    return variable in fact.free_symbols and bool(fact.free_symbols & poly.free_symbols)


@dataclass(frozen=True, slots=True)
class _Problem:
    """A polynomial and facts in one ring whose last generators are fresh variables; the ``weak`` ones may be zero."""

    poly: PolyElement
    facts: tuple[tuple[PolyElement, bool], ...]
    parameters: tuple[int, ...]
    slacks: tuple[int, ...]
    weak: frozenset[int]

    @classmethod
    def of(cls, poly: Expr, on: Interval | None, given: Given) -> _Problem | None:
        given_facts = [(fact, False) for fact in given.positive] + [
            (fact, True) for fact in given.nonnegative
        ]
        cleared = [(_numerator(fact), weak) for fact, weak in given_facts]
        facts = [(fact, weak) for fact, weak in cleared if fact is not None]
        ring, names = _ring([poly, *[fact for fact, _ in facts], *_ends(on)], 1 + len(facts))
        weakly = frozenset(i for i, name in enumerate(names) if not name.is_positive)
        try:
            image, *known = (ring.from_expr(part) for part in (poly, *(fact for fact, _ in facts)))
            if on is not None:
                place = (len(names), names.index(on.variable), on, weakly)
                image, *known = (_on_interval(part, *place) for part in (image, *known))
        except (CoercionFailed, ValueError):
            return None
        count = len(ring.gens)
        slacks = tuple(range(count - len(facts), count))
        parameters = tuple(i for i, s in enumerate(names) if on is None or s != on.variable)
        stated = tuple((part, weak) for part, (_, weak) in zip(known, facts, strict=True))
        return None if image is None else cls(image, stated, parameters, slacks, weakly)

    def images(self) -> Iterator[tuple[PolyElement, frozenset[int]]]:
        """Yield the polynomial with facts solved away, no fact first, then in every order."""
        yield self.poly, self.weak
        yield from self._solved(self.poly, self.facts, self.slacks, self.weak)

    def _solved(
        self,
        poly: PolyElement,
        facts: tuple[tuple[PolyElement, bool], ...],
        slacks: tuple[int, ...],
        weak: frozenset[int],
    ) -> Iterator[tuple[PolyElement, frozenset[int]]]:
        for position, (fact, may_vanish) in enumerate(facts):
            others = facts[:position] + facts[position + 1 :]
            for x in self._letters(fact, slacks[0]):
                quotient = _solve(fact, x, slacks[0], weak)
                if quotient is None:
                    continue
                image = _substitute(poly, x, *quotient)
                weaker = weak | {slacks[0]} if may_vanish else weak
                yield image, weaker
                onward = tuple((_substitute(f, x, *quotient), w) for f, w in others)
                yield from self._solved(image, onward, slacks[1:], weaker)

    def _letters(self, fact: PolyElement, next_slack: int) -> tuple[int, ...]:
        """Return what a fact may be solved for: parameters, or of a second bound the variables of the first."""
        held = {i for monomial in fact for i, power in enumerate(monomial) if power}
        return (
            self.parameters
            if held & {*self.parameters}
            else tuple(held & {*range(self.slacks[0], next_slack)})
        )


def _ring(exprs: list[Expr], count: int) -> tuple[PolyRing, list[Symbol]]:
    names = sorted(set().union(*[expr.free_symbols for expr in exprs]), key=str)
    extra = [*islice(fresh("w", exprs, nonnegative=True), count)]
    numbers = set().union(*[expr.atoms(sympy.Pow, sympy.Function, sympy.NumberSymbol) for expr in exprs])
    domain = sympy.EX if any(n.is_number for n in numbers) else sympy.QQ
    return PolyRing([*names, *extra], domain, sympy.lex), names


def _numerator(fact: Expr) -> Expr | None:
    """Clear the denominator of a fact, if it is positive as it stands; a fact of another kind is left out."""
    top, bottom = sympy.fraction(sympy.together(fact))
    terms = sympy.expand(bottom).as_coefficients_dict().values()
    known = fact.is_rational_function() and all(symbol.is_positive for symbol in fact.free_symbols)
    return sympy.expand(top) if known and all(term.is_positive for term in terms) else None


def _ends(on: Interval | None) -> list[Expr]:
    return [] if on is None else [end for end in (on.low, on.high) if end is not sympy.oo]


def _on_interval(
    poly: PolyElement, slack: int, x: int, on: Interval, weak: frozenset[int]
) -> PolyElement | None:
    """Substitute ``x = (low + high v)/(1 + v)``, or ``low + v`` without an upper end, and clear denominators."""
    ring = poly.ring
    v = ring.gens[slack]
    low_top, low_bottom = (ring.from_expr(x) for x in sympy.fraction(sympy.together(on.low)))
    if on.high is sympy.oo:
        found = _substitute(poly, x, low_top + low_bottom * v, low_bottom)
        return found if _clear(low_bottom, weak) else None
    high_top, high_bottom = (ring.from_expr(x) for x in sympy.fraction(sympy.together(on.high)))
    top = low_top * high_bottom + high_top * low_bottom * v
    bottom = low_bottom * high_bottom * (1 + v)
    found = _substitute(poly, x, top, bottom)
    return found if _clear(low_bottom, weak) and _clear(high_bottom, weak) else None


def _clear(bottom: PolyElement, weak: frozenset[int]) -> bool:
    return _one_sign(bottom, weak, True)


def _substitute(poly: PolyElement, x: int, top: PolyElement, bottom: PolyElement) -> PolyElement:
    """Return the numerator of ``poly`` at ``x = top/bottom``, for a positive bottom."""
    ring = poly.ring
    by_power: dict[int, PolyElement] = {}
    for monomial, coefficient in poly.terms():
        rest = monomial[:x] + (0,) + monomial[x + 1 :]
        by_power[monomial[x]] = by_power.get(monomial[x], ring.zero) + ring.term_new(rest, coefficient)
    degree = max(by_power, default=0)
    return sum((c * top**n * bottom ** (degree - n) for n, c in by_power.items()), ring.zero)


def _solve(
    fact: PolyElement, x: int, slack: int, weak: frozenset[int]
) -> tuple[PolyElement, PolyElement] | None:
    """Solve a fact for a variable that it holds linearly; return numerator and positive denominator."""
    ring = fact.ring
    if fact.degree(ring.gens[x]) != 1:
        return None
    slope, rest, w = ring.zero, ring.zero, ring.gens[slack]
    for monomial, coefficient in fact.terms():
        term = ring.term_new(monomial[:x] + (0,) + monomial[x + 1 :], coefficient)
        slope, rest = (slope + term, rest) if monomial[x] else (slope, rest + term)
    if _clear(slope, weak):
        return w - rest, slope
    positive = x not in weak and _clear(-slope, weak) and _clear(rest, weak)
    return (rest, -slope * (1 + w)) if positive else None


def _one_sign(poly: PolyElement, weak: frozenset[int], strict: bool) -> bool:
    number = poly.ring.domain.to_sympy
    if not all(number_sign(number(coefficient)) in (0, 1) for coefficient in poly.values()):
        return False
    return not strict or any(not any(monomial[i] for i in weak) for monomial in poly)
