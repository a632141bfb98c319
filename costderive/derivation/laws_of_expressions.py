"""Laws of sums, products, ratios and monotone functions of independent quantities, in closed form.

An expression in which each quantity stands once, such as ``lost*margin + penalty``, is read from its leaves upwards.
A monotone function carries a law along; the density of a sum or a product of two is an integral, which is kept only if
its derivative is proved to be the integrand. What comes out is a law like any other: that its density is nowhere
negative and that its total is 1 is looked at here, and claimed again by the derivation.

Source: Casella and Berger (2002), Statistical Inference, sections 2.1 and 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product

import sympy
from sympy import Add, Expr, Integral, Mul, S, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.time_limit import within
from costderive.costs.laws import Law, Mass, Spread, require_law, x
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.order import Undecided, ascending
from costderive.deciders.regularity import regular
from costderive.deciders.signs import nonnegative, positive

SECONDS = 5.0  # for one integral
CLOSED = "Only laws with a density in closed form are combined; give the law of the whole by its density, or numbers."
_z = Symbol("_z", positive=True)
_other = Symbol("_other", positive=True)

Laws = Mapping[Symbol, Law]


def law_of_expression(expr: Expr, laws: Laws, place: str) -> Law:
    """Return the law of an expression in independent quantities, each of which stands in it once.

    Raises:
        SpecError: if a quantity stands in two terms, a function is not monotone, or no closed form is found.
    """
    found = _law(sympy.factor_terms(expr), laws, place)
    for part in found.spreads:
        if not regular(part.density, part.interval, found.given()):
            raise SpecError(f"{place}: its density {part.density} is not seen to be smooth", CLOSED)
    return require_law(found, place)


def _law(expr: Expr, laws: Laws, place: str) -> Law:
    inside = expr.free_symbols & set(laws)
    if not inside:
        return Law(masses=(Mass(expr, S.One),))
    if len(inside) == 1:
        part = inside.pop()
        return image(laws[part], expr.subs(part, x), place)
    if isinstance(expr, Add | Mul):
        return _combined(expr, laws, place)
    several = [arg for arg in expr.args if arg.free_symbols & set(laws)]
    if len(several) > 1:
        raise SpecError(
            f"{place}: {expr} has several uncertain quantities", "Write sums, products and ratios."
        )
    inner = _law(several[0], laws, place)
    low = _negative_low(inner)  # x is positive: what may be negative is x and its least value
    return image(inner.moved(1, -low), expr.subs(several[0], x + low), place)


def _negative_low(law: Law) -> Expr:
    """Return the least value of what may be negative, else 0."""
    return min((low for low, _ in law.ends if low.is_negative), default=S.Zero)


def _combined(expr: Expr, laws: Laws, place: str) -> Law:
    """Combine the terms of a sum, or the factors of a product, one by one."""
    known, uncertain = sympy.sift(expr.args, lambda arg: not arg.free_symbols & set(laws), binary=True)
    seen: set[Symbol] = set()
    for arg in uncertain:
        if twice := seen & arg.free_symbols & set(laws):
            name = min(map(str, twice))
            raise SpecError(
                f"{place}: {name} stands more than once in {expr}", "Write it so that it stands once."
            )
        seen |= arg.free_symbols
    combine = convolved if isinstance(expr, Add) else multiplied
    found = _law(uncertain[0], laws, place)
    for arg in uncertain[1:]:
        found = combine(found, _law(arg, laws, place), place)
    return image(found, expr.func(x, *known), place)


# ---- functions of one quantity


def image(law: Law, function: Expr, place: str) -> Law:
    """Return the law of a monotone function of ``x``.

    Raises:
        SpecError: if it is not seen to be monotone on the support, or has no inverse in closed form.
    """
    slope = sympy.diff(function, x)
    if slope.is_number and slope.is_nonzero:
        return _moved(law, slope, function - slope * x)
    spreads = [_carried(part, function, law.given(), place) for part in law.spreads]
    return Law(
        tuple(_added(spreads, law.given(), place)),
        tuple(Mass(function.subs(x, m.value), m.probability) for m in law.masses),
    )


def _moved(law: Law, slope: Expr, shift: Expr) -> Law:
    scaled = law if slope in (1, -1) else law.scaled(abs(slope))
    return scaled if slope.is_positive and shift == 0 else scaled.moved(int(sympy.sign(slope)), shift)


def _carried(part: Spread, function: Expr, given: Given, place: str) -> Spread:
    rises = positive(sympy.diff(function, x), part.interval, given)
    if not rises and not positive(-sympy.diff(function, x), part.interval, given):
        raise SpecError(
            f"{place}: {function} is not seen to rise or to fall on ({part.low}, {part.high})",
            "Only monotone functions carry a law along.",
        )
    ends = [value_at(function, Approach(x, *end), given) for end in ((part.low, "+"), (part.high, "-"))]
    if None in ends:
        raise SpecError(f"{place}: {function} has no known limit at an end of the support", CLOSED)
    low, high = ends if rises else ends[::-1]
    inverse = _inverse(function, part, Interval(_z, low, high), given)
    if inverse is None:
        raise SpecError(f"{place}: no inverse of {function} is found in closed form", CLOSED)
    density = part.density.subs(x, inverse) * sympy.diff(inverse, _z) * (1 if rises else -1)
    return Spread(low, high, sympy.powsimp(density).subs(_z, x))


def _inverse(function: Expr, part: Spread, on: Interval, given: Given) -> Expr | None:
    """Return the inverse: a solution that is proved to be one, and to lie in the support."""
    try:
        found = within(SECONDS, sympy.solve, function - _z, x)
    except Exception:  # SymPy fails in many ways on what it cannot solve
        return None
    return next((one for one in found if _is_inverse(one, function, part, on, given)), None)


def _is_inverse(inverse: Expr, function: Expr, part: Spread, on: Interval, given: Given) -> bool:
    """Is it one, and in the support? A continuous inverse stays there if one of its values is there."""
    if not regular(inverse, on, given) or zero(function.subs(x, inverse) - _z, on, given) is None:
        return False
    inner = part.low + 1 if part.high is S.Infinity else (part.low + part.high) / 2
    return zero(inverse.subs(_z, function.subs(x, inner)) - inner, None, given) is not None


# ---- two quantities


@dataclass(frozen=True, slots=True)
class _Operation:
    """How two values make a third: ``z = x + y`` or ``z = x y``, and y from the other two."""

    joined: Callable[[Expr, Expr], Expr]
    other: Callable[[Expr, Expr], Expr]
    slope: Expr  # of y as a function of z

    def density(self, first: Spread, second: Spread) -> Expr:
        """Return the density of x, and of z given x."""
        return first.density * second.density.subs(x, self.other(_z, x)) * self.slope


SUM = _Operation(lambda a, b: a + b, lambda z, a: z - a, S.One)
PRODUCT = _Operation(lambda a, b: a * b, lambda z, a: z / a, 1 / x)


def convolved(first: Law, second: Law, place: str) -> Law:
    """Return the law of the sum of two independent quantities."""
    if S.NegativeInfinity in (part.low for law in (first, second) for part in law.spreads):
        raise SpecError(f"{place} may be negative without bound", "Costs are at least 0.")
    low, other = _negative_low(first), _negative_low(second)
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
    return _joined(first, second, PRODUCT, place)


def _joined(first: Law, second: Law, operation: _Operation, place: str) -> Law:
    given = first.given().also(positive=second.given().positive)
    pieces = [
        piece
        for f in first.spreads
        for g in second.spreads
        for piece in _pieces(f, g, operation, given, place)
    ]
    for one, other in ((first, second), (second, first)):
        for mass in one.masses:
            kept = Law(tuple(Spread(f.low, f.high, f.density) for f in other.spreads))
            moved = image(kept, operation.joined(x, mass.value), place)
            pieces += [Spread(f.low, f.high, mass.probability * f.density) for f in moved.spreads]
    masses: dict[Expr, Expr] = {}
    for m, n in product(first.masses, second.masses):
        value = operation.joined(m.value, n.value)
        masses[value] = masses.get(value, S.Zero) + m.probability * n.probability
    return Law(tuple(_added(pieces, given, place)), tuple(Mass(*mass) for mass in masses.items()))


def _pieces(f: Spread, g: Spread, operation: _Operation, given: Given, place: str) -> Iterator[Spread]:
    """Yield the density of what two densities make, between the places at which its ends change."""
    low_high, high_low = (operation.joined(f.low, g.high), operation.joined(f.high, g.low))
    ends = [operation.joined(f.low, g.low), low_high, high_low, operation.joined(f.high, g.high)]
    ends = [S.Infinity if end.has(S.NaN) or end is S.Infinity else end for end in ends]
    integrand = operation.density(f, g)
    for low, high in _cells(ends, given, place):
        start = operation.other(_z, g.high) if _reaches(low, low_high, given) else f.low
        stop = f.high if high_low.has(S.NaN) or _reaches(low, high_low, given) else operation.other(_z, g.low)
        yield Spread(low, high, _integral(integrand, (start, stop), Interval(_z, low, high), given, place))


def _reaches(low: Expr, point: Expr, given: Given) -> bool:
    """Return whether a cell that starts there lies beyond a point; a product of 0 and infinity is never reached."""
    return not point.has(S.NaN, S.Infinity) and bool(nonnegative(low - point, None, given))


def _cells(ends: list[Expr], given: Given, place: str) -> list[tuple[Expr, Expr]]:
    finite = [end for end in ends if end is not S.Infinity]
    try:
        ordered = ascending(finite, given)
    except Undecided as unknown:
        remedy = "Give the parameters numbers."
        raise SpecError(f"{place}: the order of its breakpoints depends on {unknown.fact}", remedy) from None
    return list(pairwise([*ordered, *([S.Infinity] if len(finite) < len(ends) else [])]))


def _integral(integrand: Expr, ends: tuple[Expr, Expr], on: Interval, given: Given, place: str) -> Expr:
    """Integrate over x between two ends that depend on z; only what is proved to be an antiderivative is used."""
    found = _antiderivative(integrand, Interval(x, *ends), _inside(ends, on, given))
    sides = zip(ends, "+-", strict=True)
    below, above = (None, None) if found is None else [_limit(found, *side, given) for side in sides]
    if below is None or above is None:
        shown = integrand.subs(_z, Symbol("z"))
        raise SpecError(f"{place}: the integral of {shown} over x is not found in closed form", CLOSED)
    return sympy.expand(above - below).subs(on.variable, x)


def _inside(ends: tuple[Expr, Expr], on: Interval, given: Given) -> Given:
    """Return that x is between its ends, and z between its own."""
    gaps = (x - ends[0], ends[1] - x, _z - on.low, on.high - _z)
    return given.also(positive=tuple(gap for gap in gaps if gap.is_polynomial(x, _z) and not gap.is_infinite))


def _limit(found: Expr, point: Expr, side: str, given: Given) -> Expr | None:
    value = S.NaN if point.is_infinite else found.subs(x, point)
    if not value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
        return value
    return value_at(found, Approach(x, point, side), given)


def _antiderivative(integrand: Expr, on: Interval, inside: Given) -> Expr | None:
    """Return an antiderivative over x, if SymPy finds one that is proved to be smooth and to have this slope."""
    try:
        found = within(SECONDS, sympy.integrate, sympy.powsimp(sympy.expand(integrand)), x)
    except Exception:  # SymPy fails in many ways on what it cannot integrate
        return None
    if found.has(Integral, sympy.Piecewise):
        return None
    real = found.replace(sympy.log, lambda arg: sympy.log(-arg if positive(-arg, None, inside) else arg))
    return real if regular(real, on, inside) and zero(sympy.diff(real, x) - integrand) is not None else None


def _added(pieces: list[Spread], given: Given, place: str) -> Iterator[Spread]:
    """Yield densities that overlap as one on each interval between their ends."""
    ends = [end for piece in pieces for end in (piece.low, piece.high)]
    for low, high in _cells(ends, given, place) if pieces else ():
        here = [f.density for f in pieces if _covers(f, low, high, given)]
        if here:
            yield Spread(low, high, _by_exponentials(Add(*here)))


def _by_exponentials(density: Expr) -> Expr:
    """Write a sum by its exponentials: each stands once, with all that multiplies it."""
    terms = sympy.expand(density)
    return sympy.collect(terms, [node for node in terms.atoms(sympy.exp) if node.has(x)])


def _covers(piece: Spread, low: Expr, high: Expr, given: Given) -> bool:
    starts = nonnegative(low - piece.low, None, given)
    return bool(starts) and (
        piece.high is S.Infinity
        or (high is not S.Infinity and bool(nonnegative(piece.high - high, None, given)))
    )
