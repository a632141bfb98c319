"""The law of the sum, the product, a function of the difference, the least and the greatest of two quantities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

from sympy import Add, Expr, Max, S, prod, sift

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.costs.laws import Law, Mass, Spread, x
from costderive.costs.laws.distribution_functions import Level, levels
from costderive.deciders.signs import nonnegative
from costderive.derivation.parts.closed_families import product_in_family, sum_in_family
from costderive.derivation.parts.functions_of_one import added, cells, covers, image, together
from costderive.derivation.parts.integrals import integral, z


@dataclass(frozen=True, slots=True)
class _Operation:
    """How two values make a third: ``z = x + y`` or ``z = x y``, and y from the other two."""

    joined: Callable[[Expr, Expr], Expr]
    other: Callable[[Expr, Expr], Expr]
    slope: Expr  # of y as a function of z

    def density(self, first: Spread, second: Spread) -> Expr:
        """Return the density of x, and of z given x."""
        return first.density * second.density.subs(x, self.other(z, x)) * self.slope


SUM = _Operation(lambda a, b: a + b, lambda z, a: z - a, S.One)
PRODUCT = _Operation(lambda a, b: a * b, lambda z, a: z / a, 1 / x)


def convolved(first: Law, second: Law, place: str) -> Law:
    """Return the law of the sum of two independent quantities, neither of which is negative without bound.

    Raises:
        SpecError: if no closed form is found.
    """
    known = sum_in_family(first, second)
    if known is not None:
        return known
    low, other = negative_low(first), negative_low(second)
    return _joined(first.moved(1, -low), second.moved(1, -other), SUM, place).moved(1, low + other)


def multiplied(first: Law, second: Law, place: str) -> Law:
    """Return the law of the product of two independent quantities, neither of which may be negative.

    Raises:
        SpecError: if one may be, or no closed form is found.
    """
    for law in (first, second):
        if not all(nonnegative(low, None, law.given()) for low, _ in law.ends):
            raise SpecError(
                f"{place} is a product in which a factor may be negative",
                "Factors are at least 0: write the costs in parts that are.",
            )
    return product_in_family(first, second) or _joined(first, second, PRODUCT, place)


def negative_low(law: Law) -> Expr:
    """Return the least value of what may be negative, else 0."""
    return min((low for low, _ in law.ends if low.is_negative), default=S.Zero)


def _joined(first: Law, second: Law, operation: _Operation, place: str) -> Law:
    given = _given(first, second)
    pieces = [
        piece
        for f in first.spreads
        for g in second.spreads
        for piece in _pieces(f, g, operation, given, place)
    ]
    masses: list[Mass] = []
    for one, other in ((first, second), (second, first)):
        spread = Law(other.spreads) if other.masses else other
        for mass in one.masses:
            moved = image(spread, operation.joined(x, mass.value), place)
            pieces += [Spread(f.low, f.high, mass.probability * f.density) for f in moved.spreads]
            masses += [Mass(m.value, mass.probability * m.probability) for m in moved.masses]
    masses += [
        Mass(operation.joined(m.value, n.value), m.probability * n.probability)
        for m, n in product(first.masses, second.masses)
    ]
    return Law(tuple(added(pieces, given, place)), together(masses))


def _given(first: Law, second: Law) -> Given:
    return first.given().also(positive=second.given().positive)


def _pieces(f: Spread, g: Spread, operation: _Operation, given: Given, place: str) -> Iterator[Spread]:
    """Yield the density of what two densities make, between the places at which its ends change."""
    low_high, high_low = (operation.joined(f.low, g.high), operation.joined(f.high, g.low))
    ends = [operation.joined(f.low, g.low), low_high, high_low, operation.joined(f.high, g.high)]
    ends = [S.Infinity if end.has(S.NaN) or end is S.Infinity else end for end in ends]
    integrand = operation.density(f, g)
    for low, high in cells(ends, given, place):
        start = operation.other(z, g.high) if _reaches(low, low_high, given) else f.low
        stop = f.high if high_low.has(S.NaN) or _reaches(low, high_low, given) else operation.other(z, g.low)
        found = integral(integrand, (start, stop), Interval(z, low, high), given, place)
        yield Spread(low, high, found.subs(z, x))


def _reaches(low: Expr, point: Expr, given: Given) -> bool:
    """Return whether a cell that starts there lies beyond a point; a product of 0 and infinity is never reached."""
    return not point.has(S.NaN, S.Infinity) and bool(nonnegative(low - point, None, given))


# ---- a difference that may be negative without bound


def of_difference(function: Callable[[Expr], Expr], first: Law, second: Law, place: str) -> Law:
    """Return the law of a function of ``x - y``, two independent quantities that are at least 0.

    What the difference exceeds 0 by is positive, and so is what it falls short of 0 by: the function of each is a
    function of one quantity.

    Raises:
        SpecError: if no closed form is found.
    """
    given = _given(first, second)
    images = [
        (S.One, image(_excess(first, second, place), function(x), place)),
        (S.One, image(_excess(second, first, place), function(-x), place)),
        *((m.probability, image(second, function(m.value - x), place)) for m in first.masses),
        *((m.probability, image(Law(first.spreads), function(x - m.value), place)) for m in second.masses),
    ]
    pieces = [Spread(f.low, f.high, share * f.density) for share, law in images for f in law.spreads]
    masses = [Mass(m.value, share * m.probability) for share, law in images for m in law.masses]
    return Law(tuple(added(pieces, given, place)), together(masses))


def _excess(first: Law, second: Law, place: str) -> Law:
    """Return the densities of ``z = x - y > 0``, whose total is the probability of that."""
    given = _given(first, second)
    pairs = product(first.spreads, second.spreads)
    pieces = [piece for f, g in pairs for piece in _excesses(f, g, given, place)]
    return Law(tuple(added(pieces, given, place)))


def _excesses(f: Spread, g: Spread, given: Given, place: str) -> Iterator[Spread]:
    integrand = f.density.subs(x, x + z) * g.density
    least, low_low, high_high = f.low - g.high, f.low - g.low, f.high - g.high
    ends = [least, low_low, high_high, f.high - g.low, S.Zero]
    ends = [end for end in ends if not end.has(S.NegativeInfinity, S.NaN)]
    for low, high in cells(ends, given, place):
        if not all(nonnegative(low - end, None, given) for end in ends if end in (least, S.Zero)):
            continue
        start = g.low if _reaches(low, low_low, given) else f.low - z
        beyond = high_high.is_infinite is not True and not _reaches(low, high_high, given)
        stop = g.high if beyond or f.high is S.Infinity else f.high - z
        found = integral(integrand, (start, stop), Interval(z, low, high), given, place)
        yield Spread(low, high, found.subs(z, x))


# ---- the least and the greatest


def extreme(function: type[Expr], laws: Sequence[Law], place: str) -> Law:
    """Return the law of the greatest of independent quantities for ``Max``, of the least for ``Min``.

    The probability that all are below a value is the product of those of each; likewise above it.

    Raises:
        SpecError: if several have a density and no formula is found for a distribution function.
    """
    spread, known = sift(laws, lambda law: bool(law.spreads), binary=True)
    first = [_extreme_of_densities(function, spread, place)] if spread else []
    whole: Law = reduce(lambda whole, values: _with_known(function, whole, values, place), [*first, *known])
    return whole


def _extreme_of_densities(function: type[Expr], laws: Sequence[Law], place: str) -> Law:
    if len(laws) == 1:
        return laws[0]
    pieces = []
    for on, shares in _shares(function, laws, place):
        beside = (
            prod(share for other, (_, share) in enumerate(shares) if other != k) for k in range(len(laws))
        )
        density = Add(*[f * share for (f, _), share in zip(shares, beside, strict=True)])
        if density != 0:
            pieces.append(Spread(on.low, on.high, density))
    return Law(tuple(pieces))


def leading(function: type[Expr], first: Law, second: Law, place: str) -> Law:
    """Return the density of the first of two quantities where it is the extreme; its total is the probability of that.

    Raises:
        SpecError: if no formula is found for a distribution function.
    """
    cells_of_both = _shares(function, (first, second), place)
    pieces = (Spread(on.low, on.high, f * share) for on, ((f, _), (_, share)) in cells_of_both)
    return Law(tuple(piece for piece in pieces if piece.density != 0))


def _shares(
    function: type[Expr], laws: Sequence[Law], place: str
) -> Iterator[tuple[Interval, list[tuple[Expr, Expr]]]]:
    """Yield where nothing changes, with the density of each, and the probability of what lies beyond on its side."""
    given = reduce(lambda whole, law: whole.also(positive=law.given().positive), laws, Given())
    known = [levels(law, place) for law in laws]
    ends = [end for law in laws for part in law.spreads for end in (part.low, part.high)]
    for low, high in cells(ends, given, place):
        yield Interval(x, low, high), [_at(level, function, low, high, given) for level in known]


def _with_known(function: type[Expr], law: Law, values: Law, place: str) -> Law:
    """Return the law of an extreme of a quantity and one that has masses alone."""
    found = [(m.probability, image(law, function(x, m.value), place)) for m in values.masses]
    pieces = [Spread(f.low, f.high, share * f.density) for share, one in found for f in one.spreads]
    masses = [Mass(m.value, share * m.probability) for share, one in found for m in one.masses]
    return Law(tuple(added(pieces, law.given(), place)), together(masses))


def _at(
    known: tuple[tuple[Spread, Level], ...], function: type[Expr], low: Expr, high: Expr, given: Given
) -> tuple[Expr, Expr]:
    """Return the density on an interval, and the probability of what lies on the side of the extreme."""
    share = S.Zero
    for part, level in known:
        if covers(part, low, high, given):
            return part.density, level.below if function is Max else level.above
        if part.high is not S.Infinity and nonnegative(low - part.high, None, given):
            share = S.One if part is known[-1][0] else level.below.subs(x, part.high)
    return S.Zero, share if function is Max else 1 - share
