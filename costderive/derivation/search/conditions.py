"""The search for the value of a parameter for which a pair is proper: where what stands against it vanishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import sympy
from sympy import Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given
from costderive.core.symbols import p
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.derivation.moves.any_losses import FindWeight, JudgeProperness
from costderive.derivation.moves.conditions import FindCondition, sides
from costderive.derivation.moves.witness import FindWitness
from costderive.derivation.search.witness import find_witness, shortly, witness_halfway
from costderive.rules import ConditionalProperness, Witness
from costderive.rules.loss_pair import Limits, LossPair, WeighedPair
from costderive.rules.number_forms import irrational

SHARES = tuple(sympy.Rational(1, n) for n in (2, 3, 5))


def find_condition(move: FindCondition, before: LossPair, given: Given) -> ConditionalProperness:
    """Solve for one letter after the other, and look for a witness on either side."""
    for letter, value in _candidates(before, given):
        found = proper_at(before, letter, value, given, partial(_witness, before, value))
        if found is not None:
            return found
    raise SpecError(
        "no value of a parameter was found for which alone the pair is proper", "There may be none."
    )


def proper_at(
    pair: LossPair, letter: Symbol, value: Expr, given: Given, against: Callable[[Given], Witness | None]
) -> ConditionalProperness | None:
    """Return that a pair is proper at a value of a letter alone, if there are witnesses on both sides of it."""
    weighed = FindWeight().apply(pair.subs({letter: value}), given)
    proper = JudgeProperness().apply(weighed, given)
    nothing = Witness(*[sympy.S.Zero] * 4)
    found = ConditionalProperness(pair, letter, value, weighed, proper, nothing, nothing)
    below, above = (against(given.also(positive=(side,))) for side in sides(found))
    return None if below is None or above is None else replace(found, below=below, above=above)


def _witness(pair: LossPair, value: Expr, given: Given) -> Witness | None:
    try:
        return (
            witness_halfway(pair, given, [*_replies(pair), value])
            or find_witness(FindWitness(), pair, given).witness
        )
    except SpecError:
        return None


def _replies(pair: LossPair) -> list[Expr]:
    """Return reports at which the risk under the belief 1/2 may be least."""
    slopes = (
        sympy.diff(first.value + second.value, p)
        for first, second in zip(pair.loss0, pair.loss1, strict=True)
    )
    found = (_root(factor, p) for slope in slopes for factor in _factors(slope) if slope != 0)
    return [report for report in found if report is not None]


def _candidates(pair: LossPair, given: Given) -> Iterator[tuple[Symbol, Expr]]:
    """Yield values of letters at which all that stands against properness vanishes, those of breakpoints first."""
    against = [x for x in _against(pair, given) if not zero(x, None, given)]
    for letter, value in dict.fromkeys(_solutions(pair, against, given)):
        if positive(value, None, given) and all(zero(x.subs(letter, value), None, given) for x in against):
            yield letter, value


def _solutions(pair: LossPair, against: list[Expr], given: Given) -> Iterator[tuple[Symbol, Expr]]:
    places = set().union(*[value.at.free_symbols for value in pair.values])
    for letter in sorted(pair.parameters, key=lambda x: (x not in places, str(x))):
        for factor in _factors(against[0]) if against else ():
            value = _root(factor, letter)
            if value is not None:
                yield letter, _with_positive_denominator(value, given)


def _with_positive_denominator(value: Expr, given: Given) -> Expr:
    top, bottom = sympy.fraction(value)
    return sympy.expand(-top) / sympy.expand(-bottom) if positive(-bottom, None, given) else value


def _factors(expr: Expr) -> list[Expr]:
    top = sympy.numer(sympy.together(expr))
    names = {number: sympy.Dummy(positive=True) for number in irrational(top)}
    numbers = {name: number for number, name in names.items()}
    try:
        return [factor.xreplace(numbers) for factor, _ in sympy.factor_list(top.xreplace(names))[1]]
    except sympy.PolynomialError:
        return []


def _root(factor: Expr, letter: Symbol) -> Expr | None:
    """Return where a factor that is linear in a letter vanishes."""
    slope = sympy.diff(factor, letter)
    if slope == 0 or letter in slope.free_symbols:
        return None
    return shortly(-factor.subs(letter, 0) / slope)


def _against(pair: LossPair, given: Given) -> Iterator[Expr]:
    """Yield what vanishes if the losses jump, and have slopes, in the ratio of a proper pair."""
    weighed: WeighedPair = FindWeight().apply(pair, given)
    yield from map(_jump, weighed.limits[1:-1])
    for first, second in zip(pair.loss0, pair.loss1, strict=True):
        slope = (1 - p) * sympy.diff(first.value, p) + p * sympy.diff(second.value, p)
        yield from (
            slope.subs(p, first.low + share * (first.high - first.low)) for share in SHARES if slope != 0
        )


def _jump(joint: Limits) -> Expr:
    """Return what the risk under the belief that is the breakpoint jumps by there."""
    left0, right0, left1, right1 = (
        sympy.nan if limit is None else limit
        for limit in (joint.left0, joint.right0, joint.left1, joint.right1)
    )
    return (1 - joint.at) * (right0 - left0) + joint.at * (right1 - left1)
