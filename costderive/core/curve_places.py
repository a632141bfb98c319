"""The place on a curve of costs that has a given cost proportion, found numerically."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, NamedTuple

import mpmath
import sympy
from sympy import Expr, Symbol

from costderive.core.curve_parameters import GUARD, OneWay
from costderive.core.work import spend

NO_NUMBER = ArithmeticError, ValueError, TypeError
MARGIN = 12  # bits that are not known of those computed
DOUBLE = 36  # bits that are known of a root found in doubles
FIRST_BITS = 2 * (2 * DOUBLE - MARGIN) - MARGIN  # those that two steps make of these
FEW_BITS = 100  # with which a root is looked for that doubles do not show
MOST_STEPS = 5000
FEW_STEPS = 5
RATIO = 2  # of two numbers between which a root lies
FAR = 2**10  # from where on bounds are squared rather than doubled
FARTHEST = 2**20  # of the logarithm of a place beyond a finite end,
NEAREST = 2**2560  # or next to one: costs of exponential laws are as large as that logarithm
NEAR = -0.7  # of a number up to which log(1 - exp(z)) is found by way of expm1(z)
GAP_SIZE, IN_DOUBLES = 120, 1  # of both costs and their slope, as work
LARGEST = 5000  # bits before the point of a number whose exponential counts as 0 or infinite


class Place(NamedTuple):
    """A variable, with its distances from both ends of the stretch, right to all digits however near it is."""

    variable: Any
    beyond_low: Any
    before_high: Any


LOG1P, EXPM1, LOG1MEXP = map(sympy.Function, ("log1p", "expm1", "log1mexp"))
Gap = Callable[[Any], tuple[Any, Any]]


def found_place(stretch: OneWay, at: Any) -> Place:
    """Return the place of a cost proportion to the working precision, ``nan`` beyond the ends of a stretch.

    Newton's method for the log-odds of the proportion as a function of the logit or the logarithm of the variable's
    place: next to an end one is nearly linear in the other. It starts with doubles, or if these do not do, with few
    digits more.
    """
    with mpmath.extraprec(GUARD):
        try:
            wanted = mpmath.log(at / (1 - at))
            z = _refined(stretch, wanted)
            found = _placed(stretch, _from_few_digits(stretch, wanted) if z is None else z)
        except NO_NUMBER:  # beyond the ends a cost need not be real
            found = Place(mpmath.nan, mpmath.nan, mpmath.nan)
    return Place(*(+number for number in found))


def _refined(stretch: OneWay, wanted: Any) -> Any:
    """Return the place of a root, found in doubles, whose digits each step doubles; ``None`` if that fails.

    What asks for a place to some precision asks for it to another next: the first digits are kept.
    """
    with mpmath.workprec(FIRST_BITS):
        z = first_digits(stretch, +wanted)
    return None if z is None else _doubled(stretch, wanted, z, FIRST_BITS - MARGIN)


@lru_cache(maxsize=16)
def first_digits(stretch: OneWay, wanted: Any) -> Any:
    """Return the first digits of the place of a root, ``None`` if none are found."""
    with suppress(*NO_NUMBER, NameError):
        z = mpmath.mpf(_bracketed(_gap(stretch, float(wanted), mpmath.fp), mpmath.fp))
        if (found := _doubled(stretch, wanted, z, DOUBLE)) is not None:
            return found
    with suppress(*NO_NUMBER):  # so near an end that no double says how near
        return _bracketed(_gap(stretch, wanted, mpmath.mp), mpmath.mp)
    return None


def _doubled(stretch: OneWay, wanted: Any, z: Any, known: int) -> Any:
    """Return a root to the working precision from one of which some bits are known, ``None`` if a step is too long.

    Where the slope is small, as next to an end that is no 0 or 1, log-odds say less of the place by as many bits.
    """
    size, target, used = max(1, abs(z)), mpmath.mp.prec, 0
    slope = size * _gap(stretch, wanted, mpmath.mp)(z)[1]
    lost = max(0, -mpmath.mag(slope)) if slope else target
    known -= lost
    while used < target:
        if known <= MARGIN:
            return None
        used = min(target, 2 * known - MARGIN + lost)
        with mpmath.workprec(used):
            value, slope = _gap(stretch, wanted, mpmath.mp)(z)
            step = value / slope if slope else mpmath.inf
            if not abs(step) <= size * mpmath.ldexp(1, MARGIN - known):
                return None
            z, known = z - step, used - lost
    return z


def _from_few_digits(stretch: OneWay, wanted: Any) -> Any:
    """Return the place of a root, found with few digits first: next to a turn of the curve doubles see none."""
    z, bits = None, [mpmath.mp.prec]
    while bits[-1] > 2 * FEW_BITS:
        bits.append(bits[-1] // 2)
    for fewer in bits[:0:-1]:
        with mpmath.workprec(fewer), suppress(*NO_NUMBER):
            z = _carried_on(_gap(stretch, wanted, mpmath.mp), z)
    return _carried_on(_gap(stretch, wanted, mpmath.mp), z)


def _carried_on(gap: Gap, near: Any) -> Any:
    """Return the place of a root to the working precision, by a few steps from one that is near if these do."""
    z = near
    with suppress(*NO_NUMBER):  # a step from a place that is not near may end where there is none
        for _ in range(FEW_STEPS if near is not None else 0):
            value, slope = gap(z)
            if not slope:
                break
            z -= value / slope
            if (
                abs(value / slope) <= mpmath.mp.eps * 2**MARGIN * max(1, abs(z))
                or abs(value) <= mpmath.mp.eps
            ):
                return z
    return _bracketed(gap, mpmath.mp)


def _bracketed(gap: Gap, numbers: Any) -> Any:
    """Return the place of a root, first put between bounds, to nearly all digits."""
    low, high = _bounds(gap, numbers)
    z, reach, last = (low + high) / 2, numbers.eps * 2**MARGIN, high - low
    for _ in range(MOST_STEPS):
        value, slope = gap(z)
        low, high = (z, high) if value < 0 else (low, z)
        step = value / slope if slope else numbers.inf
        if min(abs(step), high - low) <= reach * max(1, abs(z)) or abs(value) <= numbers.eps:
            break  # of a value that is rounding alone next to a turn more steps would make no more
        is_quick = (
            low < z - step < high and 2 * abs(step) < last
        )  # not in small steps up a slope that flattens
        z, last = (z - step, abs(step)) if is_quick else ((low + high) / 2, (high - low) / 2)
    return z


def _bounds(gap: Gap, numbers: Any) -> tuple[Any, Any]:
    """Return two numbers between which a root lies, one at most a few times the other unless it is near 0."""
    side = 1 if gap(numbers.zero)[0] < 0 else -1

    def is_short(size: Any) -> bool:
        return bool(side * gap(side * size)[0] < 0)

    near, far = numbers.zero, numbers.one
    while is_short(far):
        near, far = far, 2 * far if far < FAR else far**2
    while near and far > RATIO * near:
        middle = numbers.sqrt(near * far)
        near, far = (middle, far) if is_short(middle) else (near, middle)
    return (near, far) if side == 1 else (-far, -near)


def _gap(stretch: OneWay, wanted: Any, numbers: Any) -> Gap:
    """Return by how much the log-odds at a place are more than those wanted, and their slope."""
    beyond_low, before_high, ends = _functions(stretch, "math" if numbers is mpmath.fp else "mpmath")
    low, high = (end() for end in ends)
    size, rising = IN_DOUBLES if numbers is mpmath.fp else GAP_SIZE, int(stretch.direction)

    def gap(z: Any) -> tuple[Any, Any]:
        spend(size, numbers.prec)
        part, speed = _nearer_end(z, low, high, numbers)
        c0, c1, turning = (before_high if _is_from_high(z, high, numbers) else beyond_low)(part)
        if not abs(c0 + c1) < numbers.inf:  # so far out that what a cost is made of counts as 0 or infinite
            return (numbers.inf if z > 0 else -numbers.inf), 0
        if min(c0, c1) <= 0:  # too few digits are left of a cost that is near 0
            return (numbers.inf if c0 > c1 else -numbers.inf) * rising, 0
        return rising * (numbers.log(c0 / c1) - wanted), rising * turning / (c0 * c1) * speed

    return gap


def _placed(stretch: OneWay, z: Any) -> Place:
    """Return the variable at a place, and its distances from both ends."""
    _, _, ends = _functions(stretch, "mpmath")
    low, high = (end() for end in ends)
    part, _ = _nearer_end(z, low, high, mpmath.mp)
    if _is_from_high(z, high, mpmath.mp):
        return Place(high - part, high - low - part, part)
    return Place(low + part, part, high - low - part)


def _is_from_high(z: Any, high: Any, numbers: Any) -> bool:
    return bool(z > 0 and high != numbers.inf)


def _nearer_end(z: Any, low: Any, high: Any, numbers: Any) -> tuple[Any, Any]:
    """Return how far a place is from the nearer end, and how fast this changes with it."""
    is_bounded = high != numbers.inf
    if abs(z) > (NEAREST if is_bounded else FARTHEST):
        raise OverflowError("no variable of the stretch has this cost proportion")
    step = numbers.exp(-abs(z)) if is_bounded else numbers.exp(z)
    part = (high - low) * step / (1 + step) if is_bounded else step
    return part, part / (1 + step) if is_bounded else part


@lru_cache(maxsize=64)
def _functions(
    stretch: OneWay, module: str
) -> tuple[Callable[..., Any], Callable[..., Any], Sequence[Callable[[], Any]]]:
    """Return both costs and the sign of the slope as functions of the distance from each end, and the ends."""
    distance, *written = beside_ends(stretch)
    precise = {"log1p": math.log1p, "expm1": math.expm1, "log1mexp": partial(_log1mexp, math)}
    longer = {
        "log1p": mpmath.log1p,
        "expm1": mpmath.expm1,
        "log1mexp": partial(_log1mexp, mpmath),
        "exp": _exp,
    }
    names = [precise if module == "math" else longer, module]
    near = (sympy.lambdify(distance, parts, names, cse=True) for parts in written)
    return next(near), next(near), [sympy.lambdify((), end, module) for end in (stretch.low, stretch.high)]


def beside_ends(stretch: OneWay) -> tuple[Symbol, list[Expr], list[Expr]]:
    """Return a distance, and both costs and the sign of the slope as functions of it from the low and the high end."""
    distance = sympy.Dummy("distance", positive=True)
    places = (stretch.low + distance, distance if stretch.high is sympy.oo else stretch.high - distance)
    low, high = ([_at(part, stretch.variable, place, distance) for part in stretch.odds] for place in places)
    return distance, low, high


def _exp(x: Any) -> Any:
    if mpmath.mag(x) > LARGEST:
        return mpmath.mpf(0) if x < 0 else mpmath.inf
    return mpmath.exp(x)


def _log1mexp(numbers: Any, z: Any) -> Any:
    """Return ``log(1 - exp(z))`` for z < 0, to all digits next to 0 and far from it."""
    return numbers.log(-numbers.expm1(z)) if z > NEAR else numbers.log1p(-numbers.exp(z))


def _at(expr: Expr, variable: Symbol, place: Expr, distance: Symbol) -> Expr:
    """Put in a place, so that no polynomial, logarithm or exponential cancels where the distance is 0."""
    found = expr.subs(variable, place)
    written = sympy.expand(found) if expr.is_polynomial(variable) else found
    written = written.replace(sympy.Add, lambda *terms: _without_one(terms, distance))
    return written.replace(sympy.log, partial(_of_all_digits, distance=distance))


def _of_all_digits(z: Expr, distance: Symbol) -> Expr:
    """Write ``log(a + x)`` and ``log(1 - exp(x))`` as functions that lose no digits where x is next to 0."""
    if isinstance(-z, EXPM1):
        return LOG1MEXP(*(-z).args)
    if 1 in sympy.Add.make_args(z):
        return LOG1P(z - 1)
    at_end = z.subs(distance, 0) if z.is_polynomial(distance) else sympy.S.Zero
    return sympy.log(at_end) + LOG1P(sympy.expand(z / at_end) - 1) if at_end.is_positive else sympy.log(z)


def _without_one(terms: tuple[Expr, ...], distance: Symbol) -> Expr:
    """Write ``exp(z) - 1`` in a sum as one function, if z is 0 where the distance is."""
    for term in terms:
        factor, power = term.as_coeff_Mul()
        if isinstance(power, sympy.exp) and -factor in terms and power.args[0].subs(distance, 0) == 0:
            rest = sympy.Add(*terms) - term + factor
            return rest + factor * EXPM1(power.args[0])
    return sympy.Add(*terms)
