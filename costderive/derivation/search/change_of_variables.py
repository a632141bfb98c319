"""The search for the inverse of a curve of costs, and for short writings in the threshold."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Symbol

from costderive.core.curve_parameters import CurveParameter, OneWay
from costderive.core.errors import SpecError
from costderive.core.piecewise import Atom, Given, Interval, Piece
from costderive.core.symbols import c1, parameter, s
from costderive.core.time_limit import within
from costderive.costs.assumed_facts import ASSUME
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Point, Sheet, Strand, ThresholdIntegral
from costderive.deciders.identities import is_power_of_power, of_one_power, zero
from costderive.deciders.limits import Approach, power_at, value_at
from costderive.deciders.number_signs import number_sign
from costderive.deciders.order import OpenSign
from costderive.deciders.regularity import regular
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.derivation.moves.change_of_variables import (
    UNIT,
    ChangeOfVariables,
    at_threshold,
    in_threshold,
)
from costderive.rules import odds_form

SOLVE_SECONDS = 10.0
MOST_LETTERS = 2  # in what is asked for
SAME = sympy.Float(10) ** -15


def change_variables(move: ChangeOfVariables, before: ExpectedLoss, given: Given) -> ThresholdIntegral:
    """Write every part of the expected loss in s; curves are solved for their parameter."""
    costly = before.two_sided
    return ThresholdIntegral(
        sheets=tuple(_sheet(area) for area in costly.areas),
        densities=tuple(Piece(line.low, line.high, line.magnitude * line.density) for line in costly.lines),
        atoms=tuple(map(_atom, costly.points)),
        strands=tuple(
            _strand(arc, name, given) for arc, name in zip(costly.arcs, _names(costly.arcs), strict=False)
        ),
        one_sided=before.one_sided,
    )


def _atom(point: Point) -> Atom:
    total = point.c0 + point.c1
    return Atom(_in_lowest_terms(point.c0 / total), _in_lowest_terms(total * point.probability))


def _in_lowest_terms(expr: Expr) -> Expr:
    """Reduce a fraction where that makes it shorter."""
    lowest = sympy.cancel(expr)
    return lowest if sympy.count_ops(lowest) <= sympy.count_ops(expr) else expr


def _sheet(area: Area) -> Sheet:
    jacobian = c1 / (1 - s) ** 2
    whole = at_threshold(area.density) * c1 / (1 - s) * jacobian
    shorter = sympy.powsimp(whole)  # it puts roots together whatever their signs
    return Sheet(jacobian, shorter if zero(shorter - whole, UNIT) else whole, in_threshold(area))


def _names(arcs: tuple[Arc, ...]) -> Iterator[Symbol]:
    """Yield x, x2, x3, ... for the parameters of curves, without the letters that are in them."""
    taken = set().union(*[expr.free_symbols for arc in arcs for expr in (*_parts(arc), arc.density)])
    yield from (arc.variable for arc in arcs[:1])
    names = (parameter(f"x{count}") for count in itertools.count(2))
    yield from (name for name in names if name not in taken)


def _strand(arc: Arc, name: Symbol, given: Given) -> Strand:
    """Solve ``s = c0(x)/(c0(x) + c1(x))`` for x on the range of the arc, or name its root."""
    share = arc.c0 / (arc.c0 + arc.c1)
    ends = [_end(arc, Approach(arc.variable, *end), given) for end in ((arc.low, "+"), (arc.high, "-"))]
    rising = positive(ends[1] - ends[0], None, given) is not None
    if not rising and not positive(ends[0] - ends[1], None, given):
        _ask(ends[1] - ends[0], given)
        _require_numbers((ends[1] - ends[0]).free_symbols, arc)
    _require_one_way(share, arc, given)
    low, high = ends if rising else ends[::-1]
    on = Interval(s, low, high)
    inverse = arc.inverse if arc.inverse is not None else _inverse(arc, on, given)
    if inverse is None:
        parts = (part.subs(arc.variable, name) for part in _parts(arc))
        return _along(arc, OneWay(*parts, *ends, 1 if rising else -1), on)
    inverse = _shorter(inverse, on, given)
    slope = _shorter(sympy.together(sympy.diff(inverse, s)), on, given)
    speed = slope if rising else -slope
    value = ((arc.c0 + arc.c1) * arc.density).subs(arc.variable, inverse) * speed
    value = value.replace(is_power_of_power, lambda power: of_one_power(power, on, given))
    value = value.replace(sympy.exp, _as_power)
    return Strand(inverse, slope, Piece(low, high, _shorter(value, on, given)))


def _as_power(exponent: Expr) -> Expr:
    """Write ``exp(k log g + r)`` as ``g^k exp(r)`` where k is free of s: it is a power that can be integrated."""
    whole = sympy.expand(exponent)
    powers = {log: whole.coeff(log) for log in whole.atoms(sympy.log) if log.has(s)}
    rest = sympy.expand(whole - Add(*[power * log for log, power in powers.items()]))
    if rest.has(*powers) or any(power.has(s) for power in powers.values()):
        return sympy.exp(exponent)
    return sympy.Mul(sympy.exp(rest), *[log.args[0] ** power for log, power in powers.items()])


def _parts(arc: Arc) -> tuple[Expr, ...]:
    return arc.c0, arc.c1, arc.variable, arc.low, arc.high


def _along(arc: Arc, curve: OneWay, on: Interval) -> Strand:
    """Keep the parameter of a curve as the root of an equation."""
    inverse = CurveParameter(curve, s)
    slope = sympy.diff(inverse, s)
    turning = curve.turning.subs(curve.variable, arc.variable)
    total = (arc.c0 + arc.c1) ** 3 * arc.density / (curve.direction * turning)
    value = (sympy.factor(total) if total.is_rational_function() else total).xreplace({arc.variable: inverse})
    return Strand(inverse, slope, Piece(on.low, on.high, value))


def _require_one_way(share: Expr, arc: Arc, given: Given) -> None:
    """Refuse a curve along which the cost proportion rises for some parameters and falls for others."""
    slope, on = sympy.diff(share, arc.variable), Interval(arc.variable, arc.low, arc.high)
    found = {number_sign(slope.subs(values)) for values in points(slope.free_symbols, on, given)}
    if {1, -1} <= found:
        _require_numbers(slope.free_symbols - {arc.variable}, arc)
        raise SpecError(
            f"{_named(arc)} turns along the curve, at a place of which no formula was found",
            "Costs on a curve need a proportion that runs one way, or turns at places with formulas: take other laws.",
        )


def _shorter(expr: Expr, on: Interval, given: Given) -> Expr:
    """Write a function of s by way of the odds, in which roots split over factors, if that is shorter.

    They split wrongly where a factor is negative on the interval, so the result is compared.
    """
    if expr.is_rational_function():
        return odds_form.tidy(expr, s, given)  # roots of it split over factors that are positive
    found = odds_form.to_probability(odds_form.to_odds(expr, s, given), s, given)
    shorter = sympy.count_ops(found) < sympy.count_ops(expr)
    return found if shorter and zero(found - expr, on, given) else expr


def _end(arc: Arc, approach: Approach, given: Given) -> Expr:
    share = arc.c0 / (arc.c0 + arc.c1)
    value = value_at(share, approach, given)
    if value is None and share.free_symbols == {arc.variable}:
        value = _searched_limit(share, approach)
    if value is None:
        first, second = (power_at(cost, approach, given) for cost in (arc.c0, arc.c1))
        _ask(sympy.S.Zero if first is None or second is None else first - second, given)
    if value is None or value.is_finite is False:
        raise SpecError(
            f"the cost proportion {share} has no limit that could be found at {arc.variable} = {approach.point}",
            'Split the curve, give its letters numbers, or say more of them, as in assuming="k > 7".',
        )
    return odds_form.constant(value, given) if value.is_number else sympy.factor(value)


def _ask(expr: Expr, given: Given) -> None:
    """Ask for the sign of ``letter - number`` or ``letter - letter`` over what is positive, if nothing is given of it.

    What is asked of ``3^k - 3`` is the sign of k - 1.
    """
    above, below = sympy.fraction(sympy.factor(expr))
    fact = _gap_of_exponents(above) or sympy.expand(above)
    letters = fact.free_symbols
    plain = 0 < len(letters) <= MOST_LETTERS and fact.is_polynomial() and sympy.Poly(fact).total_degree() == 1
    if plain and positive(below, None, given) and not {fact, -fact} & {*given.positive, *given.nonnegative}:
        raise OpenSign(fact)


def _gap_of_exponents(expr: Expr) -> Expr | None:
    """Return ``a - b`` for ``c (n^a - n^b)`` with a number n above 0, whose sign it has up to that of the number c."""
    moving = expr.as_independent(*expr.free_symbols, as_Add=False)[1]
    if not isinstance(moving, Add) or len(moving.args) != 2:
        return None
    ratio = sympy.powsimp(-moving.args[0] / moving.args[1], combine="all")
    base, exponent = ratio.as_base_exp()
    return sympy.expand(exponent) if base.is_Rational and base.is_positive and exponent.free_symbols else None


def _require_numbers(letters: set[Symbol], arc: Arc) -> None:
    """Refuse a curve of which letters decide whether the cost proportion rises or falls along it."""
    if letters:
        raise SpecError(
            f"whether {_named(arc)} rises or falls along the curve is open",
            ASSUME,
        )


def _named(arc: Arc) -> str:
    return f"c0/(c0 + c1) with c0 = {arc.c0}, c1 = {arc.c1}"


def _searched_limit(expr: Expr, approach: Approach) -> Expr | None:
    """Ask SymPy for a limit of what has no letters, whose signs it would take for granted; the claims decide it."""
    variable, point, side = approach.variable, approach.point, approach.side
    try:
        found: Expr = within(SOLVE_SECONDS, sympy.limit, expr, variable, point, side)
    except Exception:  # whatever a search does, there is none
        return None
    return found


def _inverse(arc: Arc, on: Interval, given: Given) -> Expr | None:
    """Return a formula for the parameter that is proved to be right, if one is found in time."""
    try:
        found: Expr | None = within(SOLVE_SECONDS, _proved_root, arc, on, given)
    except Exception:  # whatever a search does, nothing is found then
        return None
    return found


def _proved_root(arc: Arc, on: Interval, given: Given) -> Expr | None:
    equation = sympy.numer(sympy.together(arc.c0 * (1 - s) - s * arc.c1))
    for root in sympy.solve(equation, arc.variable):
        if root.has(s) and not _is_nested(root) and _lies_between(root, arc, on, given):
            first, second = (cost.subs(arc.variable, root) for cost in (arc.c0, arc.c1))
            if regular(root, on, given) and zero(first * (1 - s) - s * second, on, given):
                return root
    return None


def _is_nested(root: Expr) -> bool:
    """Are there roots under roots, as in Cardano's formulas? Nothing is found for what is so written."""
    radicals = [
        power for power in root.atoms(sympy.Pow) if power.exp.is_Rational and not power.exp.is_Integer
    ]
    return any(power.base.has(*[other for other in radicals if other != power]) for power in radicals)


def _lies_between(root: Expr, arc: Arc, on: Interval, given: Given) -> bool:
    """Is a root in the range of the arc, and does it give back s, at a few points? (The claims decide it.)"""
    found = points(root.free_symbols, on, given)[:3]
    return bool(found) and all(_gives_back(root, arc, values) for values in found)


def _gives_back(root: Expr, arc: Arc, values: dict[Symbol, Expr]) -> bool:
    place, low, high = (expr.subs(values).evalf(30) for expr in (root, arc.low, arc.high))
    if not (place.is_real and low < place < high):
        return False
    first, second = (cost.subs({arc.variable: place, **values}).evalf(30) for cost in (arc.c0, arc.c1))
    gap = (first - values[s] * (first + second)).evalf(30)
    return bool(gap.is_real and abs(gap) <= SAME * abs(first + second))
