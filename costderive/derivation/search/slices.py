"""The search for the breakpoints of a region in s, and for the bounds of c1 between them."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import sympy
from sympy import Expr

from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Interval
from costderive.core.symbols import c1, s
from costderive.costs.expected_loss import Sheet, Slice, SlicedIntegral, ThresholdIntegral
from costderive.deciders.order import ascending
from costderive.deciders.signs import nonnegative, positive
from costderive.derivation.moves.slices import OnRay, SliceRegion, linear_roots, on_rays

REMEDY = (
    "State more about the letters in the support, as in r <= 1, write a + d for one that is greater than d, or give "
    "them numbers."
)
ZERO, ONE = sympy.S.Zero, sympy.S.One
UNIT = Interval(s, ZERO, ONE)


def slice_region(move: SliceRegion, before: ThresholdIntegral, given: Given) -> SlicedIntegral:
    """Slice every sheet."""
    return SlicedIntegral(before, tuple(sliced(sheet, given) for sheet in before.sheets))


def sliced(sheet: Sheet, given: Given) -> tuple[Slice, ...]:
    """Slice a sheet at its breakpoints, and join neighbours with the same bounds."""
    breaks = ascending(_breakpoints(sheet, given), given)
    found = [_slice(sheet, Interval(s, low, high), given) for low, high in pairwise(breaks)]
    return tuple(_joined(found))


def _joined(slices: list[Slice]) -> list[Slice]:
    joined = slices[:1]
    for piece in slices[1:]:
        last = joined[-1]
        if (last.lower, last.upper, last.empty) == (piece.lower, piece.upper, piece.empty):
            joined[-1] = Slice(last.low, piece.high, piece.lower, piece.upper, piece.empty)
        else:
            joined.append(piece)
    return joined


def _breakpoints(sheet: Sheet, given: Given) -> list[Expr]:
    """Bounds change where two boundaries meet in the region, and where a coefficient or discriminant is zero."""
    rays = on_rays(sheet)
    meets = [
        point for first, second in combinations(rays, 2) for point in _meeting(first, second, rays, given)
    ]
    turns = [root for one in rays for expr in _turning(one) for root in roots_in_threshold(expr)]
    return [ZERO, ONE, *[point for point in dict.fromkeys([*meets, *turns]) if _inside(point, given)]]


def _turning(one: OnRay) -> tuple[Expr, ...]:
    return (one.middle,) if one.square == 0 else (one.square, one.discriminant)


def roots_in_threshold(expr: Expr) -> list[Expr]:
    """Solve for s an equation whose factors are linear or quadratic in s, once its denominators are cleared."""
    top = sympy.numer(sympy.together(expr))
    factors = [factor for factor, _ in sympy.factor_list(top)[1] if factor.has(s)] if top.has(s) else []
    return [root for factor in factors for root in _roots_of(factor)]


def _roots_of(factor: Expr) -> list[Expr]:
    if sympy.degree(factor, s) == 1:
        return linear_roots(factor)
    if sympy.degree(factor, s) > 2:
        return _high_roots(factor)
    a, b, c = sympy.Poly(factor, s).all_coeffs()
    inner = sympy.factor(b**2 - 4 * a * c)
    if inner.is_negative:
        return []
    if _sign(a, UNIT, Given()) is None and _sign(c, UNIT, Given()):  # with letters: a may be 0, and c is not
        return [sympy.factor(2 * c / (-b - sign * sympy.sqrt(inner))) for sign in (1, -1)]
    return [sympy.radsimp((-b + sign * sympy.sqrt(inner)) / (2 * a)) for sign in (1, -1)]


def _high_roots(factor: Expr) -> list[Expr]:
    """Return the real roots of a polynomial of numbers in square roots, as far as they have such a form."""
    if factor.free_symbols != {s}:
        return []
    found = sympy.roots(sympy.Poly(factor, s), cubics=False, quartics=False)
    return [root for root in found if root.is_real]


def _meeting(first: OnRay, second: OnRay, rays: list[OnRay], given: Given) -> list[Expr]:
    meets = sympy.resultant(first.value(c1), second.value(c1), c1)
    line = _line_through(first, second)
    return [root for root in roots_in_threshold(meets) if _in_region(root, line, rays, given)]


def _line_through(first: OnRay, second: OnRay) -> OnRay:
    """Return what is linear in c1 and zero where two constraints are zero."""
    if 0 in (first.square, second.square):
        return first if first.square == 0 and sympy.cancel(first.middle) != 0 else second
    mixed = [
        sympy.cancel(second.square * x - first.square * y)
        for x, y in zip((first.middle, first.rest), (second.middle, second.rest), strict=True)
    ]
    return OnRay(ZERO, *mixed)


def _in_region(root: Expr, line: OnRay, rays: list[OnRay], given: Given) -> bool:
    """Do all constraints hold where two are zero on a ray? It is kept where that is not clear."""
    slope = sympy.cancel(line.middle.subs(s, root))
    if line.square != 0 or slope == 0:
        return True
    height = sympy.cancel(-line.rest.subs(s, root) / slope)
    values = [sympy.cancel(one.value(height).subs(s, root)) for one in rays]
    return not any(positive(-value, None, given) for value in values)


def _inside(point: Expr, given: Given) -> bool:
    return bool(positive(point, None, given) and positive(1 - point, None, given))


def _slice(sheet: Sheet, on: Interval, given: Given) -> Slice:
    found = [_bounds(one, sheet, on, given) for one in on_rays(sheet)]
    known = [bounds for bounds in found if bounds is not None]
    if len(known) < len(found):
        return Slice(on.low, on.high, sympy.oo, ZERO, empty=True)
    lowers = [bound for below, _ in known for bound in below]
    uppers = [bound for _, above in known for bound in above]
    try:
        lower, upper = _extreme(lowers, on, given, ONE), _extreme(uppers or [sympy.oo], on, given, -ONE)
    except SpecError:
        return _contradicted(lowers, uppers, on, given)
    if upper is sympy.oo or (upper != lower and nonnegative(upper - lower, on, given)):
        return Slice(on.low, on.high, lower, upper)
    if upper == lower or nonnegative(lower - upper, on, given):
        return Slice(on.low, on.high, lower, upper, empty=True)
    raise _open_order([lower, upper], on)


def _contradicted(lowers: list[Expr], uppers: list[Expr], on: Interval, given: Given) -> Slice:
    """Slice where no bound is known to be the sharpest: it is empty if one from below is above one from above."""
    for lower, upper in product(dict.fromkeys(lowers), dict.fromkeys(uppers)):
        if nonnegative(lower - upper, on, given):
            return Slice(on.low, on.high, lower, upper, empty=True)
    raise _open_order([*lowers, *uppers], on)


Bounds = tuple[list[Expr], list[Expr]]


def _bounds(one: OnRay, sheet: Sheet, on: Interval, given: Given) -> Bounds | None:
    """Return the lower and the upper bounds that a constraint gives c1 on a ray, or ``None`` if it never holds."""
    if one.square == 0:
        bound, sign = sympy.factor(-one.rest / one.middle), _sign(one.middle, on, given)
        return [bound] if sign == 1 else [], [bound] if sign == -1 else []
    first, second = _zeros(one, on, given)
    match (
        _known_sign(one.rest, "constant term", on, given),
        _known_sign(one.square, "square term", on, given),
    ):
        case -1, 1:
            return [first], []
        case 1, -1:
            return [], [second]
        case -1, _:
            crosses = _sign(one.discriminant, on, given) != -1 and _sign(one.middle, on, given) == 1
            return ([first], [second]) if crosses else None
    if _sign(one.discriminant, on, given) == -1 or _sign(one.middle, on, given) == 1:
        return [], []
    near = any(sympy.cancel(x - one.polar) == 0 for x in sheet.constraints)
    return ([], [second]) if near else ([first], [])


def _zeros(one: OnRay, on: Interval, given: Given) -> tuple[Expr, Expr]:
    """Return the zero at which a constraint rises with c1, and that at which it falls."""
    root = _root(one.discriminant, on, given)
    rising, falling = ((-one.middle + sign * root) / (2 * one.square) for sign in (1, -1))
    return sympy.factor(rising), sympy.factor(falling)


def _root(square: Expr, on: Interval, given: Given) -> Expr:
    """Return a square root, with the factors outside that are squares."""
    inside, outside = ONE, ONE
    for factor, power in _powers(square):
        sign = _sign(factor, on, given) or 1
        outside *= (sign * factor) ** (power // 2)
        inside *= factor ** (power % 2)
    return outside * sympy.sqrt(sympy.expand(inside))


def _powers(expr: Expr) -> list[tuple[Expr, int]]:
    """Return the factors of a rational function with their exponents, those of its number too."""
    top, bottom = sympy.fraction(sympy.together(expr))
    (above, found), (below, more) = sympy.factor_list(top), sympy.factor_list(bottom)
    return [(above / below, 1), *found, *[(factor, -power) for factor, power in more]]


def _known_sign(expr: Expr, what: str, on: Interval, given: Given) -> int:
    sign = _sign(expr, on, given)
    if sign is None:
        raise SpecError(
            f"on the rays {on.low} < s < {on.high} of the support the sign of the {what} {expr} is open",
            REMEDY,
        )
    return sign


def _sign(expr: Expr, on: Interval, given: Given) -> int | None:
    if positive(expr, on, given):
        return 1
    return -1 if positive(-expr, on, given) else None


def _extreme(bounds: list[Expr], on: Interval, given: Given, sign: Expr) -> Expr:
    """Return the largest (sign 1) or smallest (sign -1) of the bounds on the whole interval."""
    for bound in dict.fromkeys(bounds):
        if all(bound == other or nonnegative(sign * (bound - other), on, given) for other in bounds):
            return bound
    raise _open_order(bounds, on)


def _open_order(bounds: list[Expr], on: Interval) -> SpecError:
    return SpecError(
        f"the order of the bounds {', '.join(map(str, bounds))} of c1 is open for {on.low} < s < {on.high}",
        REMEDY,
    )
