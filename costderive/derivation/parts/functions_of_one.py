"""The law of a function of one quantity: between the places where it turns it carries the law along, or is constant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import sympy
from sympy import Expr, S

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import by_exponentials
from costderive.core.time_limit import within
from costderive.costs.assumed_facts import ASSUME, assume
from costderive.costs.cut_points import gaps, places, turns
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.deciders.conditions import UnsettledError, settled
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.parts.closed_families import function_in_family
from costderive.derivation.parts.integrals import CLOSED, SECONDS, integral, z


def image(law: Law, function: Expr, place: str) -> Law:
    """Return the law of a function of ``x``.

    Raises:
        SpecError: if it is not seen to rise, to fall or to be constant between the places where it is seen to turn, or
            has no inverse in closed form there.
    """
    slope = sympy.diff(function, x)
    if slope.is_number and slope.is_nonzero:
        return _moved(law, slope, function - slope * x)
    return function_in_family(law, function) or _by_pieces(law, function, place)


def _moved(law: Law, slope: Expr, shift: Expr) -> Law:
    scaled = law if slope in (1, -1) else law.scaled(abs(slope))
    return scaled if slope.is_positive and shift == 0 else scaled.moved(int(sympy.sign(slope)), shift)


def _by_pieces(law: Law, function: Expr, place: str) -> Law:
    given, spreads = law.given(), list[Spread]()
    masses = [Mass(_value(function, m.value, place), m.probability) for m in law.masses]
    for part in law.spreads:
        for cell in cells([part.low, *turns_inside(function, part, given), part.high], given, place):
            here = Spread(*cell, part.density)
            plain = without_cases(function, here.interval, given, place)
            if plain.has(x):
                spreads.append(_carried(here, plain, given, place))
            else:
                masses.append(Mass(plain, integral(part.density, cell, here.interval, given, place)))
    return Law(tuple(added(spreads, given, place)), together(masses))


def _value(function: Expr, value: Expr, place: str) -> Expr:
    return without_cases(function.subs(x, value), None, Given(), place)


def without_cases(function: Expr, on: Interval | None, given: Given, place: str) -> Expr:
    """Return what a function is on an interval, or refuse one of which that depends on its parameters."""
    try:
        return settled(function, on, given)
    except UnsettledError as problem:
        found = f"{place}: {function} depends on whether {problem.condition}"
        raise SpecError(found, _to_say(function, on, given)) from None


def _to_say(function: Expr, on: Interval | None, given: Given) -> str:
    """Return a remedy: to say that a place with letters, at which a function changes its form, is inside."""
    if on is None:
        return ASSUME
    found = [place for place in places(gaps(function), x) if place.free_symbols]
    facts = [fact for place in found for fact in (place - on.low, on.high - place) if not fact.is_infinite]
    return next((assume(fact) for fact in facts if not positive(fact, None, given)), ASSUME)


def turns_inside(function: Expr, part: Spread, given: Given) -> list[Expr]:
    """Return the places inside an interval at which a function changes its form or its direction."""
    found = places(gaps(function), x) or turns(sympy.diff(function, x), x)
    return [root for root in found if _inside(root, part, given)]


def _inside(root: Expr, part: Spread, given: Given) -> bool:
    above = positive(root - part.low, None, given) is not None
    return above and (part.high is S.Infinity or positive(part.high - root, None, given) is not None)


def together(masses: Iterable[Mass]) -> tuple[Mass, ...]:
    """Add up the probabilities of equal values."""
    found: dict[Expr, Expr] = {}
    for mass in masses:
        found[mass.value] = found.get(mass.value, S.Zero) + mass.probability
    return tuple(Mass(*pair) for pair in found.items())


# ---- where it rises or falls


def _carried(part: Spread, function: Expr, given: Given, place: str) -> Spread:
    if not regular(function, part.interval, given):
        raise SpecError(
            f"{place}: {function} is not seen to be smooth on ({part.low}, {part.high})",
            "It may have a pole there: write the costs in parts for which it has none.",
        )
    rises = positive(sympy.diff(function, x), part.interval, given)
    if not rises and not positive(-sympy.diff(function, x), part.interval, given):
        raise SpecError(
            f"{place}: {function} is not seen to rise or to fall on ({part.low}, {part.high})",
            "A function carries a law along where it rises or falls.",
        )
    ends = [value_at(function, Approach(x, *end), given) for end in ((part.low, "+"), (part.high, "-"))]
    if None in ends:
        raise SpecError(f"{place}: {function} has no known limit at an end of the support", CLOSED)
    low, high = ends if rises else ends[::-1]
    if low is S.NegativeInfinity:
        raise SpecError(
            f"{place}: {function} is negative without bound",
            "Costs are at least 0: write them in parts that are.",
        )
    inverse = _inverse(function, part, Interval(z, low, high), given)
    if inverse is None:
        raise SpecError(f"{place}: no inverse of {function} is found in closed form", CLOSED)
    density = part.density.subs(x, inverse) * sympy.diff(inverse, z) * (1 if rises else -1)
    return Spread(low, high, sympy.powsimp(density).subs(z, x))


def _inverse(function: Expr, part: Spread, on: Interval, given: Given) -> Expr | None:
    """Return the inverse: a solution that is proved to be one, and to lie in the support."""
    try:
        found = within(SECONDS, sympy.solve, function - z, x)
    except Exception:  # SymPy fails in many ways on what it cannot solve
        return None
    return next((one for one in found if _is_inverse(one, function, part, on, given)), None)


def _is_inverse(inverse: Expr, function: Expr, part: Spread, on: Interval, given: Given) -> bool:
    """Is it one, and in the support? A continuous inverse stays there if one of its values is there."""
    if not regular(inverse, on, given) or zero(function.subs(x, inverse) - z, on, given) is None:
        return False
    inner = part.low + 1 if part.high is S.Infinity else (part.low + part.high) / 2
    return zero(inverse.subs(z, function.subs(x, inner)) - inner, None, given) is not None


# ---- intervals


def cells(ends: list[Expr], given: Given, place: str) -> list[tuple[Expr, Expr]]:
    """Return the intervals between ends, in their order.

    Raises:
        SpecError: if that depends on the parameters.
    """
    finite = [end for end in ends if end is not S.Infinity]
    try:
        ordered = ascending(finite, given)
    except Undecided as unknown:
        raise SpecError(
            f"{place}: the order of its breakpoints depends on {unknown.fact}", assume(unknown.fact)
        ) from None
    return list(pairwise([*ordered, *([S.Infinity] if len(finite) < len(ends) else [])]))


def added(pieces: list[Spread], given: Given, place: str) -> Iterator[Spread]:
    """Yield densities that overlap as one on each interval between their ends; a lone one stays as it is written."""
    ends = [end for piece in pieces for end in (piece.low, piece.high)]
    for low, high in cells(ends, given, place) if pieces else ():
        here = [f.density for f in pieces if covers(f, low, high, given)]
        if here:
            yield Spread(low, high, here[0] if len(here) == 1 else _written(sympy.Add(*here)))


def covers(piece: Spread, low: Expr, high: Expr, given: Given) -> bool:
    """Return whether an interval is certainly one in which a density is defined."""
    starts = nonnegative(low - piece.low, None, given)
    return bool(starts) and (
        piece.high is S.Infinity
        or (high is not S.Infinity and bool(nonnegative(piece.high - high, None, given)))
    )


def _written(density: Expr) -> Expr:
    terms = sympy.expand(density)
    return by_exponentials(terms, [node for node in terms.atoms(sympy.exp) if node.has(x)])
