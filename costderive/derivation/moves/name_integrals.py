"""Integrals over all positive costs, written with Gauss's hypergeometric function by Euler's integral."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Integral, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c0, c1, p
from costderive.derivation.moves.change_of_variables import UNIT
from costderive.proof.claims import Claim, Equal, Move, NonNegative, Positive, Same
from costderive.rules.hypergeometric import EulerIntegral, EulerTerm
from costderive.rules.losses import Losses

UNIT_IN_P = Interval(p, UNIT.low, UNIT.high)


@dataclass(frozen=True, slots=True)
class NameIntegrals(Move):
    """Write integrals in the losses with the hypergeometric functions that they are."""

    named: tuple[EulerIntegral, ...]

    def apply(self, before: Losses, given: Given) -> Losses:
        values = {one.integral: one.value for one in self.named}
        return before.map(lambda value: value.xreplace(values))

    def claims(self, before: Losses, after: Losses, given: Given) -> Iterator[Claim]:
        yield Same("the losses are those before, with named integrals", after, self.apply(before, given))
        for one in self.named:
            yield from _integral_claims(one)


def _integral_claims(one: EulerIntegral) -> Iterator[Claim]:
    is_plain = isinstance(one.integral, Integral) and len(one.integral.limits) == 1
    yield Same("what is named is one integral", is_plain, True)
    if not is_plain:
        return
    x, low, high = one.integral.limits[0]
    yield Same(
        "it is over a cost, of which its lower end is no function", x in (c0, c1) and not low.has(x), True
    )
    yield NonNegative("its lower end is not negative", low, UNIT_IN_P)
    yield Same("it has no upper end", high, sympy.oo)
    total = sympy.Add(*[term.integrand(x - low) for term in one.terms])
    on = Interval(x, low, sympy.oo)
    yield Equal("the integrand is a sum of Euler's", one.integral.function, total, on, (1 - p,))
    for term in one.terms:
        yield from _term_claims(term, x)


def _term_claims(term: EulerTerm, x: Symbol) -> Iterator[Claim]:
    moving = tuple(part for part in term.parts if part.has(x))
    yield Same("Euler's integral has its variable nowhere else", moving, ())
    yield Positive("the power of the variable is positive", term.n, UNIT_IN_P)
    yield Positive("the scale of the variable is positive", term.scale, UNIT_IN_P)
    yield Positive("the second parameter is positive", term.b, UNIT_IN_P)
    yield Positive("the third parameter is above the second", term.c - term.b, UNIT_IN_P)
    yield Positive("the argument of the hypergeometric function is below 1", 1 - term.z, UNIT_IN_P)
    yield Equal("the coefficient of a hypergeometric function", term.coefficient, term.whole, UNIT_IN_P)
