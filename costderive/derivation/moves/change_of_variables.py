"""From the law of the costs to the threshold: write the expected loss, and make s the outer variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Derivative, Expr, Symbol

from costderive.core.errors import SpecError
from costderive.core.piecewise import Atom, Given, Interval, Piece
from costderive.core.symbols import c0, c1, s
from costderive.core.time_limit import within
from costderive.costs.expected_loss import Arc, Area, ExpectedLoss, Sheet, Strand, ThresholdIntegral
from costderive.deciders.identities import zero
from costderive.deciders.limits import Approach, value_at
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.proof.claims import Claim, Equal, Move, Positive, Regular, Same, Tends
from costderive.rules import odds_form

COST0 = s * c1 / (1 - s)
UNIT = Interval(s, sympy.S.Zero, sympy.S.One)
SOLVE_SECONDS = 10.0
_r = Symbol("_r", positive=True)
SAME = sympy.Float(10) ** -15


@dataclass(frozen=True, slots=True)
class ChangeOfVariables(Move):
    """Put ``c0 = s c1/(1 - s)``: the threshold s becomes the outer variable, c1 stays the inner one."""

    def apply(self, before: ExpectedLoss, given: Given) -> ThresholdIntegral:
        return ThresholdIntegral(
            sheets=tuple(_sheet(area) for area in before.areas),
            densities=tuple(
                Piece(line.low, line.high, line.magnitude * line.density) for line in before.lines
            ),
            atoms=tuple(Atom(x.c0 / (x.c0 + x.c1), (x.c0 + x.c1) * x.probability) for x in before.points),
            strands=tuple(_strand(arc, given) for arc in before.arcs),
        )

    def claims(self, before: ExpectedLoss, after: ThresholdIntegral, given: Given) -> Iterator[Claim]:
        parts = (before.areas, before.lines, before.points, before.arcs)
        images = (after.sheets, after.densities, after.atoms, after.strands)
        yield Same("every part is carried over", tuple(map(len, parts)), tuple(map(len, images)))
        for area, sheet in zip(before.areas, after.sheets, strict=False):
            yield from _sheet_claims(area, sheet)
        for line, piece in zip(before.lines, after.densities, strict=False):
            yield Same("range of the cost proportion", (line.low, line.high), (piece.low, piece.high))
            on = Interval(s, line.low, line.high)
            yield Equal("magnitude times density", piece.value, line.magnitude * line.density, on)
        for point, atom in zip(before.points, after.atoms, strict=False):
            yield Equal("place of the atom", atom.at * (point.c0 + point.c1), point.c0)
            yield Equal("mass of the atom", atom.mass, (point.c0 + point.c1) * point.probability)
        for arc, strand in zip(before.arcs, after.strands, strict=False):
            yield from _strand_claims(arc, strand)


def _sheet(area: Area) -> Sheet:
    jacobian = c1 / (1 - s) ** 2
    whole = at_threshold(area.density) * c1 / (1 - s) * jacobian
    shorter = sympy.powsimp(whole)  # it puts roots together whatever their signs
    return Sheet(jacobian, shorter if zero(shorter - whole, UNIT) else whole, in_threshold(area))


def at_threshold(density: Expr) -> Expr:
    """Put ``c0 = s c1/(1 - s)`` with a letter for ``1 - s`` on the way: roots split, since it is positive."""
    return density.subs(c0, s * c1 / _r).subs(_r, 1 - s)


def in_threshold(area: Area) -> tuple[Expr, ...]:
    return tuple(constraint.subs(c0, COST0) for constraint in area.constraints)


def _sheet_claims(area: Area, sheet: Sheet) -> Iterator[Claim]:
    yield Equal("Jacobian of c0 = s c1/(1 - s)", sheet.jacobian, Derivative(COST0, s), UNIT)
    yield Positive("the Jacobian is positive", sheet.jacobian, UNIT)
    total = (COST0 + c1) * at_threshold(area.density) * sheet.jacobian
    yield Equal("integrand in the new variables", sheet.integrand, total, UNIT)
    yield Same("constraints in the new variables", in_threshold(area), sheet.constraints)


def _strand(arc: Arc, given: Given) -> Strand:
    """Solve ``s = c0(x)/(c0(x) + c1(x))`` for x on the range of the arc."""
    share = arc.c0 / (arc.c0 + arc.c1)
    ends = [_end(share, arc.variable, arc.low, "+", given), _end(share, arc.variable, arc.high, "-", given)]
    rising = positive(ends[1] - ends[0], None, given) is not None
    low, high = ends if rising else ends[::-1]
    on = Interval(s, low, high)
    inverse = _shorter(arc.inverse if arc.inverse is not None else _inverse(arc, on, given), on, given)
    slope = _shorter(sympy.together(sympy.diff(inverse, s)), on, given)
    speed = slope if rising else -slope
    value = ((arc.c0 + arc.c1) * arc.density).subs(arc.variable, inverse) * speed
    return Strand(inverse, slope, Piece(low, high, _shorter(value, on, given)))


def _shorter(expr: Expr, on: Interval, given: Given) -> Expr:
    """Write a function of s by way of the odds, in which roots split over factors, if that is shorter.

    They split wrongly where a factor is negative on the interval, so the result is compared.
    """
    if expr.is_rational_function():
        return sympy.factor(expr)
    found = odds_form.to_probability(odds_form.to_odds(expr, s, given), s, given)
    shorter = sympy.count_ops(found) < sympy.count_ops(expr)
    return found if shorter and zero(found - expr, on, given) else expr


def _end(share: Expr, variable: Symbol, point: Expr, side: str, given: Given) -> Expr:
    value = value_at(share, Approach(variable, point, side), given)
    if value is None:
        value = _searched_limit(share, variable, point, side)
    if value is None or value.is_finite is False:
        raise SpecError(
            f"the cost proportion {share} has no limit that could be found at {variable} = {point}",
            "Split the curve.",
        )
    return odds_form.constant(value, given) if value.is_number else sympy.factor(value)


def _searched_limit(expr: Expr, variable: Symbol, point: Expr, side: str) -> Expr | None:
    """Ask SymPy for a limit; the claims decide it."""
    try:
        found: Expr = within(SOLVE_SECONDS, sympy.limit, expr, variable, point, side)
    except Exception:  # whatever a search does, there is none
        return None
    return found


def _inverse(arc: Arc, on: Interval, given: Given) -> Expr:
    equation = sympy.numer(sympy.together(arc.c0 * (1 - s) - s * arc.c1))
    for root in _roots(equation, arc.variable):
        if _lies_between(root, arc, on, given):
            return root
    raise SpecError(
        f"s = c0/(c0 + c1) with c0 = {arc.c0}, c1 = {arc.c1} could not be solved for {arc.variable}",
        "Write the curve with its cost proportion as the parameter: c0 = b*x, c1 = b*(1 - x).",
    )


def _roots(equation: Expr, variable: Symbol) -> list[Expr]:
    try:
        return [root for root in within(SOLVE_SECONDS, sympy.solve, equation, variable) if root.has(s)]
    except (NotImplementedError, TimeoutError):
        return []


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


def _strand_claims(arc: Arc, strand: Strand) -> Iterator[Claim]:
    """The inverse gives back s, is smooth, and takes the ends of the piece to those of the arc, and back.

    A continuous function with a left inverse is strictly monotone. So between its last passage of one end of the
    arc and its first of the other it runs once through the arc; and these passages are at the ends of the piece,
    because the cost proportion tends to these at the ends of the arc.
    """
    on = Interval(s, strand.piece.low, strand.piece.high)
    first, second = (cost.subs(arc.variable, strand.inverse) for cost in (arc.c0, arc.c1))
    yield Equal("the inverse gives back the cost proportion", first * (1 - s), s * second, on)
    yield Positive("the costs are not both zero", arc.c0 + arc.c1, Interval(arc.variable, arc.low, arc.high))
    yield Regular("the inverse is smooth, so the cost proportion runs one way", strand.inverse, on)
    yield Equal("slope of the inverse", strand.slope, Derivative(strand.inverse, s), on)
    rising = _rises(strand.slope, on)
    total = (first + second) * arc.density.subs(arc.variable, strand.inverse)
    speed = strand.slope if rising else -strand.slope
    yield Equal("total cost times density", strand.piece.value, total * speed, on)
    low, high = (arc.low, arc.high) if rising else (arc.high, arc.low)
    yield Tends("lower end of the arc", strand.inverse, s, strand.piece.low, "+", low)
    yield Tends("upper end of the arc", strand.inverse, s, strand.piece.high, "-", high)
    share = arc.c0 / (arc.c0 + arc.c1)
    first_end, last_end = (on.low, on.high) if rising else (on.high, on.low)
    yield Tends("cost proportion at the lower end", share, arc.variable, arc.low, "+", first_end)
    yield Tends("cost proportion at the upper end", share, arc.variable, arc.high, "-", last_end)


def _rises(slope: Expr, on: Interval) -> bool:
    """Guess the direction from the sign, else from one point; if it is wrong, the ends of the arc are not met."""
    if positive(slope, on) or positive(-slope, on):
        return positive(slope, on) is not None
    found = points(slope.free_symbols, on, Given())[:1]
    return all(slope.subs(values).evalf(30).is_nonnegative for values in found)
