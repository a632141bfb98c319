"""Is a one-sided limit what it is said to be? By continuity where that holds, by leading terms, else by series."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import sympy
from sympy import Add, Dummy, Expr, Integral, Mul, Pow, Symbol, oo

from costderive.core.curve_parameters import CurveParameter
from costderive.core.piecewise import Given, Interval
from costderive.core.plain_functions import complete_beta
from costderive.core.symbols import t, u
from costderive.deciders.bounded_functions import is_wave
from costderive.deciders.domination import majorants
from costderive.deciders.exactness import of_exact_numbers
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.identities import zero
from costderive.deciders.in_parameters import is_plain, moving, variable_at
from costderive.deciders.leading import leading
from costderive.deciders.leading_terms import Leading, NoLeadingTerm, constant_sign, limit_of, sign_of
from costderive.deciders.regularity import ENTIRE, outer_integrals, regular, regular_integrand
from costderive.deciders.series import leading_by_expansion
from costderive.deciders.signs import nonnegative, positive, real, through_parameters
from costderive.deciders.size import steep

_x = Dummy("x", positive=True)
FAR_OUT = {
    sympy.exp: {-sympy.oo: sympy.S.Zero},
    sympy.erf: {sympy.oo: sympy.S.One, -sympy.oo: sympy.S.NegativeOne},
    sympy.erfc: {sympy.oo: sympy.S.Zero, -sympy.oo: sympy.Integer(2)},
    sympy.atan: {sympy.oo: sympy.pi / 2, -sympy.oo: -sympy.pi / 2},
}


@dataclass(frozen=True, slots=True)
class Approach:
    """``variable -> point`` from above (side ``"+"``) or from below (``"-"``)."""

    variable: Symbol
    point: Expr
    side: str

    @property
    def odds(self) -> Expr | None:
        """The odds of a point between 0 and 1 that letters determine."""
        inside = (
            self.point.free_symbols and self.point.is_positive and sympy.cancel(1 - self.point).is_positive
        )
        return sympy.cancel(self.point / (1 - self.point)) if inside else None

    @property
    def way(self) -> Interval:
        """Return an interval, never an empty one, that ends at the point on the side from which it is approached."""
        before = sympy.S.Zero if self.point is oo or positive(self.point) else self.point - 1
        ends = (self.point, oo) if self.side == "+" else (before, self.point)
        return Interval(self.variable, *ends)

    def near(self, expr: Expr) -> Expr:
        """Write an expression in a distance x from the point: at infinity it is ``1/variable``.

        Where letters determine the odds of the point, the place has ``1 + x`` or ``1 - x`` times these odds.
        """
        if self.point is oo:
            return expr.subs(self.variable, 1 / _x)
        step = _x if self.side == "+" else -_x
        if self.odds is None:
            return expr.subs(self.variable, self.point + step)
        odds = self.odds * (1 + step)
        return _factored(expr.subs(self.variable, odds / (1 + odds)))


def _factored(expr: Expr) -> Expr:
    """Factor what is rational in an expression; the limits of an integral are no expression."""
    if not isinstance(expr, Expr) or not expr.args or steep(expr):
        return expr
    return sympy.factor(expr) if expr.is_rational_function() else expr.func(*map(_factored, expr.args))


@of_exact_numbers(None)
def tends(expr: Expr, approach: Approach, value: Expr, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr -> value``, or return ``None`` if none does."""
    found, method = _limit(expr, approach, given)
    if found is None or not _same(found, value, given):
        return None
    return method


def _same(found: Expr, value: Expr, given: Given) -> bool:
    if is_infinite(found) or is_infinite(value):
        return found == value and value in (oo, -oo)
    return zero(found - value, None, given) is not None


@of_exact_numbers(None)
def whole_at(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the limit, also one that is an integral over a whole range which letters make finite or infinite."""
    value = value_at(expr, approach, given)
    return _with_improper(expr, approach, given) if value is None else value


@of_exact_numbers(None)
def rises_to(expr: Expr, approach: Approach, value: Expr, given: Given = Given()) -> str | None:
    """Name the method that proves ``expr -> value``, which may be an integral that letters make infinite."""
    if method := tends(expr, approach, value, given):
        return method
    found = _with_improper(expr, approach, given)
    return "monotone convergence" if found is not None and _same(found, value, given) else None


def is_infinite(expr: Expr) -> bool:
    """Is there an infinity (or no number) in an expression? The ends of its integrals do not count."""
    plain = expr.xreplace(dict.fromkeys(outer_integrals(expr), _x))
    return bool(plain.has(oo, -oo, sympy.zoo, sympy.nan))


@of_exact_numbers(None)
def value_at(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the limit, possibly infinite, or ``None`` if it was not found."""
    return _limit(expr, approach, given)[0]


def _limit(expr: Expr, approach: Approach, given: Given) -> tuple[Expr | None, str]:
    """Return the limit and the method that found it: integrals by continuity or divergence, the rest by terms."""
    if moved := _along_curve(expr, approach, given):
        return _limit(*moved[:2], given)
    for continuous in (value_by_continuity, _inside_curve):
        if (value := continuous(expr, approach, given)) is not None:
            return value, "continuity"
    if len(moving(expr, approach.variable)) > 1:
        return _sum_along_curves(expr, approach, given), "continuity"
    integrals = [term for term in Add.make_args(expr) if term.has(Integral)]
    values = [_by_continuity(term, approach, given) for term in integrals]
    rest, method = _limit_by_terms(Add(expr, *[-term for term in integrals]), approach, given)
    if None not in values:
        return (None if rest is None else Add(rest, *values)), method
    if rest is None or len(integrals) > 1 or rest == -oo:
        return None, "none"
    if _to_infinity(integrals[0], approach, given):
        return oo, "comparison with 1/x"
    return _monotone_limit(expr, approach, given), "monotone convergence"


def _along_curve(expr: Expr, approach: Approach, given: Given) -> tuple[Expr, Approach, Expr] | None:
    """Let the parameter of a curve approach an end of it: return the expression, the approach, and the speed.

    The speed is the slope of the old variable in the new one, without its sign.
    """
    found = moving(expr, approach.variable)
    if len(found) != 1 or not is_plain(found[0], approach.variable):
        return None
    [node], [letter] = found, islice(fresh("x", (expr, approach.point), None, given, positive=True), 1)
    curve, at = node.stretch, variable_at(node, approach.variable, letter)
    reached = node.proportion.subs(approach.variable, approach.point)
    upwards = (approach.side == "-") == (node.proportion == approach.variable)
    end, value, side = (
        (curve.high, curve.last, "-") if upwards == (curve.direction == 1) else (curve.low, curve.first, "+")
    )
    if not zero(reached - value, None, given):
        return None
    slope = curve.direction * curve.turning / (curve.c0 + curve.c1) ** 2
    speed = slope.xreplace({curve.variable: letter})
    return expr.xreplace({node: letter}).subs(approach.variable, at), Approach(letter, end, side), speed


def _inside_curve(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value of what is smooth all along a curve, at a place inside it."""
    found = moving(expr, approach.variable)
    if len(found) != 1 or not is_plain(found[0], approach.variable):
        return None
    least, greatest = found[0].stretch.reach
    mirrored = found[0].proportion != approach.variable
    on = Interval(approach.variable, *((1 - greatest, 1 - least) if mirrored else (least, greatest)))
    gaps = approach.point - on.low, on.high - approach.point
    inside = all(positive(gap, None, given) for gap in gaps) and regular(expr, on, given)
    return expr.subs(approach.variable, approach.point) if inside else None


def _sum_along_curves(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    terms = Add.make_args(sympy.expand(expr))
    if any(len(moving(term, approach.variable)) > 1 for term in terms):
        return None
    found = [_limit(term, approach, given)[0] for term in terms]
    return None if any(value is None or is_infinite(value) for value in found) else Add(*found)


def _monotone_limit(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """An integral of a non-negative integrand tends to the integral over the whole range, be that infinite or not."""
    end = _moving_end(expr, approach, given) if isinstance(expr, Integral) else None
    if end is None or approach.point in expr.limits[0]:
        return None
    whole = expr.subs(approach.variable, approach.point)
    inside = Interval(end.variable, *whole.limits[0][1:])
    given = given.without(end.variable)
    fixed_end_converges = _converges(expr, given, approach.variable)
    rises = regular_integrand(expr.function, inside, given) and nonnegative(expr.function, inside, given)
    return whole if fixed_end_converges and rises else None


def _with_improper(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return a finite limit and an integral over a whole range, if one term alone rises to that, infinite or not."""
    found = [(term, _improper(term, approach, given)) for term in Add.make_args(expr)]
    known = [(term, value) for term, value in found if value is not None]
    if len(known) != 1:
        return None
    ((term, value),) = known
    rest = _limit(Add(expr, -term), approach, given)[0]
    return None if rest is None or is_infinite(rest) or rest.has(Integral) else rest + value


def _improper(term: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return what an incomplete Beta or Gamma function, times a constant, rises to where letters make it finite or not.

    By its definition that is the integral of a positive function.
    """
    constant, function = term.as_independent(approach.variable, as_Add=False)
    incomplete = isinstance(function, sympy.betainc | sympy.uppergamma)
    if not incomplete or constant_sign(constant, given) is None:
        return None
    decisive, gap, whole = _whole_range(function, given)
    moving = {approach.variable, *whole.variables}
    fixed = not any(shape.free_symbols & moving for shape in function.args[:-1]) and real(
        decisive, None, given
    )
    # where the sign is known, the leading terms find the limit
    known = positive(decisive, None, given) or nonnegative(-decisive, None, given)
    return constant * whole if fixed and not known and _falls_to_zero(gap, approach, given) else None


def _whole_range(function: Expr, given: Given) -> tuple[Expr, Expr, Expr]:
    """Return what has to be positive for a finite integral, how much of the range is missing, and the integral."""
    if isinstance(function, sympy.uppergamma):
        shape, low = function.args
        return shape, low, Integral(u ** (shape - 1) * sympy.exp(-u), (u, 0, oo))
    first, second, low, high = function.args
    gap = 1 - high if low == 0 and positive(first, None, given) else sympy.nan
    return second, gap, Integral(t ** (first - 1) * (1 - t) ** (second - 1), (t, 0, 1))


def _falls_to_zero(gap: Expr, approach: Approach, given: Given) -> bool:
    """Does something positive tend to 0? Of what merely vanishes, or decays, no sign is known."""
    if gap is sympy.nan:
        return False
    term, _ = _leading(sympy.together(gap), approach, given) or (None, "")
    if term is None or term.decays or term.small:
        return False
    return term.order(given) == 1 and constant_sign(term.coefficient, given) == 1


def _limit_by_terms(expr: Expr, approach: Approach, given: Given) -> tuple[Expr | None, str]:
    if (total := _sum_of_limits(approach.near(expr), given)) is not None:
        return total, "leading terms"
    if (found := _leading(expr, approach, given)) is None:
        return _of_limits(expr, approach, given), "limits of parts"
    return limit_of(found[0], given), found[1]


def _of_limits(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """A root of what grows without bound tends to infinity; a sum to the sum of the limits."""
    if expr.func in FAR_OUT:
        return _saturated(expr, approach, given)
    if isinstance(expr, sympy.erfinv):
        return _at_an_end_of_its_range(expr, approach, given)
    if isinstance(expr, sympy.log):
        return _of_logarithm(expr.args[0], approach, given)
    if isinstance(expr, Pow) and not expr.exp.has(approach.variable):
        sign = sign_of(expr.exp, given) if _limit(expr.base, approach, given)[0] is oo else None
        return None if sign is None else oo if sign == 1 else sympy.S.Zero
    if isinstance(expr, Add):
        return _of_sum(expr, approach, given)
    return _of_product(expr, approach, given) if isinstance(expr, Mul) else None


def _of_product(expr: Mul, approach: Approach, given: Given) -> Expr | None:
    """A product tends to the product of the limits of its factors, or to 0 where one of them is tamed.

    So does one of sines and cosines and what vanishes.
    """
    waves, rest = sympy.sift(expr.args, lambda factor: is_wave(factor, approach.variable), binary=True)
    if waves and _limit(Mul(*rest), approach, given)[0] == 0:
        return sympy.S.Zero
    if any(_is_tamed(expr, factor, approach, given) for factor in expr.args):
        return sympy.S.Zero
    found = [_limit(factor, approach, given)[0] for factor in expr.args]
    pairs = zip(expr.args, found, strict=True)
    if all(_is_bounded(*pair, approach, given) for pair in pairs) and (None not in found or 0 in found):
        return Mul(*[value for value in found if value is not None])
    product = None if None in found else _infinite_product(found, given)
    return _share(expr, approach, given) if product is None else product


def _is_tamed(expr: Mul, factor: Expr, approach: Approach, given: Given) -> bool:
    """Does a power of the gap y tame an incomplete function, which grows at most as ``1 + y^a + log(1/y)``?

    ``y^m`` times it vanishes with y for m > 0 and m + a > 0, whatever the sign of its shape a.
    """
    if not isinstance(factor, sympy.betainc | sympy.uppergamma):
        return False
    shape, gap, whole = _whole_range(factor, given)
    moving = {approach.variable, *whole.variables}
    if moving & whole.function.free_symbols - {*whole.variables} or not _falls_to_zero(gap, approach, given):
        return False
    tame, low = _leading(expr / factor, approach, given), _leading(sympy.together(gap), approach, given)
    if tame is None or low is None or tame[0] is None or low[0] is None or tame[0].decays or tame[0].small:
        return False
    power = tame[0].power / low[0].power
    return bool(positive(power, None, given) and positive(power + shape, None, given))


def _is_bounded(factor: Expr, reached: Expr | None, approach: Approach, given: Given) -> bool:
    """Has it a finite limit, or is it a power of what grows without bound whose exponent is nowhere positive?"""
    if reached is not None or not isinstance(factor, Pow):
        return reached is not None and not is_infinite(reached)
    return bool(nonnegative(-factor.exp, None, given)) and value_at(factor.base, approach, given) is oo


def _share(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """A share ``f/(f + g)`` tends to what ``1/(1 + g/f)`` tends to."""
    top, bottom = sympy.fraction(expr)
    if not (isinstance(bottom, Add) and top in bottom.args):
        return None
    odds = _limit((bottom - top) / top, approach, given)[0]
    if odds is None or odds is oo:
        return None if odds is None else sympy.S.Zero
    return 1 / (1 + odds) if not is_infinite(odds) and positive(1 + odds, None, given) else None


def _of_sum(expr: Add, approach: Approach, given: Given) -> Expr | None:
    """A sum tends to the sum of the limits of its terms, if none, or only infinity of one sign, is infinite."""
    stays, moving = expr.as_independent(approach.variable, as_Add=True)
    if not real(stays, None, given):
        return None
    found = [_limit(term, approach, given)[0] for term in Add.make_args(moving)]
    infinite = {value for value in found if value is not None and is_infinite(value)}
    if None in found or len(infinite) > 1:
        return None
    return infinite.pop() if infinite else Add(stays, *found)


def _at_an_end_of_its_range(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """``erfinv(y)`` grows without bound where y rises to 1, and falls where it falls to -1."""
    for sign in (1, -1):
        gap = sympy.together(1 - sign * expr.args[0])
        if _falls_to_zero(gap, approach, given):
            return sign * oo
        if value_at(gap, approach, given) == 0 and positive(gap, approach.way, given):
            return sign * oo
    return None


def _of_logarithm(argument: Expr, approach: Approach, given: Given) -> Expr | None:
    reached = value_at(argument, approach, given)
    if reached == 0:
        return -oo if positive(argument, approach.way, given) else None
    if reached is oo or reached is None:
        return reached
    return sympy.log(reached) if not is_infinite(reached) and positive(reached, None, given) else None


def _infinite_product(values: list[Expr], given: Given) -> Expr | None:
    """Return infinity with the sign of a product, if that of each factor is known."""
    signs = [sympy.sign(value) if value.is_infinite else constant_sign(value, given) for value in values]
    return Mul(oo, *signs) if all(sign in (1, -1) for sign in signs) else None


def _sum_of_limits(local: Expr, given: Given) -> Expr | None:
    """A sum tends to the sum of the limits of its terms where all are finite, whatever sign that has."""
    try:
        found = [_limit_of_term(term, given) for term in Add.make_args(local)]
    except (NoLeadingTerm, RecursionError):
        return None
    return None if None in found else Add(*found)


def _limit_of_term(term: Expr, given: Given) -> Expr | None:
    """Return a finite limit; constant factors, and what a logarithm tends to, may be of any sign."""
    factor, moving = term.as_independent(_x, as_Add=False)
    if isinstance(moving, sympy.log):
        inside = limit_of(leading(moving.args[0], _x, given), given)
        if inside is not None and inside.is_infinite is not True and positive(inside, None, given):
            return factor * sympy.log(inside)
    value = limit_of(leading(moving, _x, given), given)
    return None if value is None or value.is_infinite else factor * value


def power_at(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the power of the distance to a point, or of 1/variable, that leads an expression there, if it is found."""
    found, _ = _leading(expr, approach, given) or (None, "")
    return None if found is None or found.decays or found.small else found.power


def _leading(expr: Expr, approach: Approach, given: Given) -> tuple[Leading | None, str] | None:
    """Return the leading term in the distance to the point, or in 1/variable, and the method that found it, if any."""
    local = approach.near(expr)
    for find, method in ((leading, "leading terms"), (leading_by_expansion, "series")):
        with suppress(NoLeadingTerm, RecursionError):
            return find(local, _x, given), method
    return None


@of_exact_numbers(None)
def value_by_continuity(expr: Expr, approach: Approach, given: Given = Given()) -> Expr | None:
    """Return the value at the point if the expression is continuous there, else ``None``."""
    if approach.point is sympy.oo:
        return expr if approach.variable not in expr.free_symbols else None
    reached = _by_continuity(expr, approach, given)
    if reached is None and expr.is_rational_function() and not steep(expr):
        reached = _by_continuity(sympy.cancel(expr), approach, given)
    return reached


def _by_continuity(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value at the point if the expression is continuous there, piece by piece of its structure."""
    if approach.variable not in expr.free_symbols:
        return expr
    if isinstance(expr, Symbol):
        return approach.point
    if isinstance(expr, Integral):
        return _integral_value(expr, approach, given)
    parts = [_by_continuity(arg, approach, given) for arg in expr.args]
    if any(part is None for part in parts):
        return _saturated(expr, approach, given)
    if isinstance(expr, sympy.asin | sympy.acos):
        return expr.func(*parts) if _from_within(expr.args[0], parts[0], approach, given) else None
    if isinstance(expr, sympy.betainc):
        return _incomplete_beta(expr, parts[-1], approach, given)
    return _joined(expr, parts, given)


def _from_within(argument: Expr, reached: Expr, approach: Approach, given: Given) -> bool:
    """Is what approaches a value between -1 and 1 between them on its way, also where that value is one of both?"""
    if positive(1 - reached**2, None, given):
        return True
    return _falls_to_zero(sympy.cancel(1 - argument**2), approach, given)


def _saturated(expr: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value far out of a function that has one, if its argument grows without bound."""
    if expr.func not in FAR_OUT:
        return None
    reached = value_at(expr.args[0], approach, given)
    return FAR_OUT[expr.func].get(reached)


def _joined(expr: Expr, parts: list[Expr], given: Given) -> Expr | None:
    if isinstance(expr, (Add, Mul, *ENTIRE)):
        return expr.func(*parts)
    if isinstance(expr, CurveParameter):
        (least, greatest), at = parts[0].reach, parts[1]
        inside = all(positive(gap, None, given) for gap in (at - least, greatest - at))
        stays = tuple(parts[2:]) == expr.args[2:]  # where a letter of it moves, a curve may end up as none
        return expr.func(*parts) if inside and stays else None
    if isinstance(expr, sympy.log | sympy.uppergamma | sympy.expint):
        constant_shape = tuple(parts[:-1]) == expr.args[:-1]
        return expr.func(*parts) if constant_shape and positive(parts[-1], None, given) else None
    if isinstance(expr, sympy.erfinv):
        return expr.func(*parts) if real(expr.func(*parts), None, given) else None
    if isinstance(expr, Pow):
        base, exponent = parts
        if exponent.is_Integer and exponent.is_positive:
            return base**exponent
        if positive(base, None, given) or (exponent.is_Integer and positive(-base, None, given)):
            return base**exponent
        return sympy.S.Zero if exponent.is_positive and zero(base, None, given) else None
    return None


def _incomplete_beta(expr: Expr, reached: Expr, approach: Approach, given: Given) -> Expr | None:
    """Return the value of ``B_z(a, b)`` of fixed shapes, ``a > 0``: in z it is continuous from 0 on, to 1 if b > 0."""
    first, second, low, high = expr.args
    fixed = low == 0 and not (first.has(approach.variable) or second.has(approach.variable))
    if not (fixed and positive(first, None, given) and second.is_real):
        return None
    if _falls_to_zero(high, approach, given):
        return sympy.S.Zero
    if positive(second, None, given) and _falls_to_zero(1 - high, approach, given):
        return complete_beta(first, second)
    inside = positive(reached, None, given) and positive(1 - reached, None, given)
    return sympy.betainc(first, second, low, reached) if inside else None


def _integral_value(expr: Integral, approach: Approach, given: Given) -> Expr | None:
    """The value of an integral with the variable as one end, if it converges up to the point."""
    end = _moving_end(expr, approach, given)
    (inner, low, high) = expr.limits[0]
    given = given.without(inner)
    if end is None or tail(expr.function, end, given) != 0:
        return None
    if approach.point in (low, high):
        return sympy.S.Zero
    whole = expr.subs(approach.variable, approach.point)
    inside = Interval(inner, *whole.limits[0][1:])
    return whole if regular_integrand(expr.function, inside, given) and _converges(whole, given) else None


def _moving_end(expr: Integral, approach: Approach, given: Given) -> Approach | None:
    """Return how the inner variable approaches the point, if just one end of the integral is the variable.

    The integral must run forwards: its upper end rises to the point, or falls to it as the lower end, or the
    point is the fixed end itself.
    """
    (inner, low, high), *more = expr.limits
    if more or expr.function.has(approach.variable):
        return None
    forwards = {"-": (high, low, approach.point - low), "+": (low, high, high - approach.point)}
    moving, fixed, room = forwards[approach.side]
    has_room = room is oo or nonnegative(room, None, given)
    if moving == approach.variable and not fixed.has(approach.variable) and has_room:
        return Approach(inner, approach.point, approach.side)
    starting = {"+": (high, low), "-": (low, high)}[approach.side]
    if starting[0] == approach.variable and starting[1] == approach.point:
        return Approach(inner, approach.point, approach.side)
    return None


@of_exact_numbers(False)
def integrals_converge(expr: Expr, on: Interval, given: Given) -> bool:
    """Return whether each integral up to (or from) the interval's variable converges at its fixed end.

    An integral inside the integrand of another is asked for there.
    """
    moved = through_parameters(expr, on, given)
    if moved and moved[1] is not None and moved[1] != on:
        return integrals_converge(moved[0], moved[1], moved[2])
    return all(_converges(node, given, on.variable) for node in outer_integrals(expr))


def _converges(expr: Integral, given: Given, moving: Symbol | None = None) -> bool:
    (inner, low, high), *_ = expr.limits
    given, f, ends = given.without(inner), expr.function, ((low, "+"), (high, "-"))
    return all(end == moving or tail(f, Approach(inner, end, side), given) == 0 for end, side in ends)


@of_exact_numbers(None)
def tail(integrand: Expr, end: Approach, given: Given = Given()) -> int | None:
    """Return 0 if an integral is finite near an end, 1 or -1 if it is infinite there, ``None`` if that is not known."""
    if moved := _along_curve(integrand, end, given):
        whole, approach, speed = moved
        return tail(whole * speed, approach, given)
    inner = [part for part in Mul.make_args(integrand) if isinstance(part, Integral)]
    if len(inner) == 1 and end.variable in inner[0].free_symbols:
        return 0 if _dominated(inner[0], integrand / inner[0], end, given) else None
    if end.point is not oo and value_by_continuity(integrand, end, given) is not None:
        return 0
    slope = end.variable**2 if end.point is oo else sympy.S.One
    if (found := _leading(integrand * slope, end, given)) is None:
        return None
    term, _ = found
    if term is None or _integrates(term, given):
        return 0
    return constant_sign(term.coefficient, given) if _integrates(term, given) is False else None


@of_exact_numbers(None)
def converging_if(integrand: Expr, end: Approach, given: Given = Given()) -> Expr | None:
    """Return what is positive exactly if an integral is finite near an end, where that depends on the parameters.

    The end is finite. ``None`` says that the integral is finite, or infinite, or that nothing is known.
    """
    if tail(integrand, end, given) is not None:
        return None
    term, _ = _leading(integrand, end, given) or (None, "")
    return None if term is None else sympy.expand(term.power + 1)


def _dominated(inner: Integral, rest: Expr, end: Approach, given: Given) -> bool:
    """Is ``rest`` times an integral with the variable as its parameter below something that is finite near the end?"""
    if not _into_the_unit_interval(end, given):
        return False
    return any(
        regular(bound, on, given)
        and regular(factor, Interval(end.variable, sympy.S.Zero, sympy.S.One), given)
        and _converges(Integral(bound, (on.variable, on.low, on.high)), given)
        and tail(rest * factor, end, given) == 0
        for bound, on, factor in majorants(inner, end.variable, given)
    )


def _into_the_unit_interval(end: Approach, given: Given) -> bool:
    """Is the variable between 0 and 1 near the end?"""
    ahead, behind = (nonnegative, positive) if end.side == "+" else (positive, nonnegative)
    return bool(ahead(end.point, None, given) and behind(1 - end.point, None, given))


def _integrates(term: Leading, given: Given) -> bool | None:
    """Has ``x^power (-log x)^logs`` a finite integral near 0?"""
    if term.order(given) in (0, 1):
        return True
    excess = term.power + 1
    if excess == 0:
        excess = -1 - term.logs
    return False if excess == 0 else {1: True, -1: False, None: None}[sign_of(excess, given)]


def _to_infinity(integral: Expr, approach: Approach, given: Given) -> bool:
    """Is it an integral up to the variable whose integrand is at least ``c/x`` near the end, with c > 0?

    It must be finite short of the end: its integrand is smooth inside, and it converges at its fixed end.
    """
    end = _moving_end(integral, approach, given) if isinstance(integral, Integral) else None
    if end is None or approach.point in integral.limits[0]:
        return False
    whole = integral.subs(approach.variable, approach.point)
    inside, known = Interval(end.variable, *whole.limits[0][1:]), given.without(end.variable)
    return (
        tail(integral.function, end, known) == 1
        and regular_integrand(integral.function, inside, known)
        and _converges(integral, known, approach.variable)
    )
