"""The search for antiderivatives in c1, and for the order of the pieces that they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import sympy
from sympy import Add, Expr, Integral

from costderive.core.errors import DivergentCostError
from costderive.core.piecewise import Given, Interval, Measure, Piece, Pieces, Sign
from costderive.core.symbols import c1, s, u
from costderive.core.time_limit import within
from costderive.costs.expected_loss import InnerIntegral, Sheet, Slice, SlicedIntegral, WeightedLoss
from costderive.deciders.enclosure import differ, enclose
from costderive.deciders.ends import sign_from_ends
from costderive.deciders.limits import Approach, is_infinite, tail, value_at
from costderive.deciders.order import ascending
from costderive.deciders.regularity import regular
from costderive.deciders.sample_points import points
from costderive.deciders.signs import positive
from costderive.deciders.size import steep
from costderive.derivation.integration.about_centre import centre_of
from costderive.derivation.integration.along_lines import primitive_along_line
from costderive.derivation.integration.binomials import over_binomials
from costderive.derivation.integration.far_out import logarithms_joined
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.integration.primitive_table import primitive
from costderive.derivation.integration.undetermined import by_ansatz
from costderive.derivation.moves.integrate_magnitude import (
    IntegrateMagnitude,
    holds,
    inside_slice,
    parts_of,
    poles_between,
    sheet_slices,
    shown_by,
    total_between,
)
from costderive.derivation.search.antiderived import attempted
from costderive.derivation.search.units import inner_in_units
from costderive.rules import odds_form
from costderive.rules.divisors import divisors_of

ZERO, ONE = sympy.S.Zero, sympy.S.One
SIGN_SECONDS = 2.0
SOME = 4  # points at which a wrong slope is looked for; that a right one is right the claims of the step say


def integrate_magnitude(move: IntegrateMagnitude, before: SlicedIntegral, given: Given) -> WeightedLoss:
    """Integrate every slice, and add the parts up between neighbouring breakpoints."""
    inner = tuple(integrated(sheet, piece, given) for sheet, piece in sheet_slices(before))
    parts, atoms = parts_of(inner, before.integral), before.integral.atoms
    ends = [  # those of atoms first: of equal ones the first is kept as it is written
        *[atom.at for atom in atoms],
        ZERO,
        ONE,
        *[end for part in parts for end in (part.low, part.high)],
        *[pole for one in inner for pole in poles_between(one.value, one.slice, given)],
        *[centre for part in parts for centre in _centres(part, given)],
    ]
    cells = list(pairwise(ascending(list(dict.fromkeys(ends)), given)))
    pieces = tuple(Piece(low, high, _summed(parts, low, high, given)) for low, high in cells)
    signs = tuple(_sign(piece, before, given) for piece in pieces)
    return WeightedLoss(Measure(Pieces(s, pieces), signs, atoms), inner, before.integral.one_sided)


def _summed(parts: list[Piece], low: Expr, high: Expr, given: Given) -> Expr:
    """Add up the parts that hold a range, without what cancels between them, and with what can be joined as one."""
    total = total_between(parts, low, high, given)
    several = sum(holds(part, low, high, given) for part in parts) > 1
    if not several or not total.has(sympy.exp) or total.has(Integral) or steep(total):
        return total
    groups = [(kernel, x, odds_form.product(x, s, given)) for kernel, x in odds_form.kernels(total, s)]
    left = [group for group in groups if group[2] != 0]
    apart = total if len(left) == len(groups) else Add(*[kernel * rational for kernel, rational, _ in left])
    return min(apart, Add(*[kernel * joined for kernel, _, joined in left]), key=sympy.count_ops)


def _centres(part: Piece, given: Given) -> list[Expr]:
    """Return the centre of a quadratic under a root, on each side of which the losses have a closed form."""
    centre = centre_of(part.value, s)
    inside = (
        centre is not None
        and positive(centre - part.low, None, given)
        and positive(part.high - centre, None, given)
    )
    return [centre] if inside else []


def integrated(sheet: Sheet, piece: Slice, given: Given) -> InnerIntegral:
    """Take the first antiderivative that nothing refutes; without one, leave the integral as it stands.

    A value that is written with a pole inside the slice has a limit there, which is that of the integral: the weight is
    split at such a place. One that letters determine is left alone unless
    these are units of the costs: the limits of the losses there take too long.
    """
    if piece.empty:
        return InnerIntegral(piece, None, ZERO, ZERO, ZERO)
    ends = [Approach(c1, piece.lower, "+"), Approach(c1, piece.upper, "-")]
    _refuse_divergence(sheet, piece, ends, given)
    in_units = inner_in_units(sheet, piece, given)
    if in_units is not None:
        return in_units
    for found in _antiderivatives(sheet, piece, given):
        if _has_beta_of_unknown_shape(found, given):
            continue
        inner = _between(found, ends, sheet, piece, given)
        if inner is None:
            continue
        if any(pole.free_symbols for pole in poles_between(inner.value, piece, given)):
            break
        if _is_open_somewhere(inner, given):
            continue
        if not _refuted(sheet, inner, given):
            return inner
    whole = Integral(sheet.integrand, (c1, piece.lower, piece.upper))
    return InnerIntegral(piece, None, ZERO, whole, whole)


def _has_beta_of_unknown_shape(found: Expr, given: Given) -> bool:
    """Has an incomplete Beta function a second shape of no known sign? It is infinite at 1, or not, and no outer
    antiderivative is known: single integrals say more.
    """
    return any(not positive(node.args[1], None, given) for node in found.atoms(sympy.betainc))


def _is_open_somewhere(inner: InnerIntegral, given: Given) -> bool:
    """Is it open whether an antiderivative is smooth, that has a function or letters for which it may not be?

    It may have an incomplete Beta function, or divide by letters that may be 0, as in ``x^(1 - a)/(1 - a)``.
    """
    found, piece = inner.antiderivative, inner.slice
    if found is None:
        return False
    if not found.has(sympy.betainc) and not divisors_of([found], given, found.free_symbols - {c1, s}):
        return False
    known = given.also(positive=Interval(s, piece.low, piece.high).facts)
    return not regular(found, Interval(c1, piece.lower, piece.upper), known)


def _antiderivatives(sheet: Sheet, piece: Slice, given: Given) -> Iterator[Expr]:
    """Yield candidates in the odds, where most quantities are positive as they stand.

    A root splits over a factor, which is wrong if the factor is negative between the bounds: so the integrand is
    written a second time with what is known there.
    """
    tried: list[Expr] = []
    inside = tuple(odds_form.to_odds(fact, s) for fact in inside_slice(piece))
    for known in (given, given.also(positive=inside)):
        integrand = odds_form.to_odds(sheet.integrand, s, known)
        if integrand not in tried:
            found = (attempted(partial(search, integrand)) for search in _searches(given))
            yield from filter(None, found)
        tried.append(integrand)


def _searches(given: Given) -> tuple[Callable[[Expr], Expr | None], ...]:
    return (
        lambda expr: over_linear_factors(expr, c1),
        lambda expr: primitive(expr, c1, given),
        lambda expr: over_binomials(expr, c1, given),
        lambda expr: primitive_along_line(expr, c1, given),
        _by_ansatz,
    )


def _by_ansatz(expr: Expr) -> Expr | None:
    found = by_ansatz(expr, c1)
    return None if found is None else logarithms_joined(found, c1)


def _between(
    found: Expr, ends: list[Approach], sheet: Sheet, piece: Slice, given: Given
) -> InnerIntegral | None:
    """Write the difference of an antiderivative at the bounds in s, if its limits are found and it is real."""
    lower, upper = (_limit(found, end, piece, given) for end in ends)
    if lower is None or upper is None:
        return None
    facts = odds_form.homogeneous((*Interval(s, piece.low, piece.high).facts, *inside_slice(piece)), s)
    known = given.also(positive=facts)
    value = odds_form.shorter_weight(odds_form.to_probability(upper - lower, s, known), s, given)
    found, lower, upper = (_in_probability(expr, known) for expr in (found, lower, upper))
    lower, upper = (
        found.subs(c1, bound) if _has_root(bound) else limit
        for bound, limit in ((piece.lower, lower), (piece.upper, upper))
    )
    if found.has(sympy.I):  # a root split over a factor that is negative between the bounds
        return None
    if value.has(sympy.I):  # as in the odds, where no factor is seen to be negative
        value = odds_form.tidy(upper - lower, s, given)
    return InnerIntegral(piece, found, lower, upper, value)


def _has_root(bound: Expr) -> bool:
    """Is a bound a root of a quadratic, of which any other writing has other roots?"""
    return any(node.is_Pow and node.exp.is_Rational and node.exp.q == 2 for node in bound.atoms(sympy.Pow))


def _in_probability(expr: Expr, given: Given) -> Expr:
    """Write an antiderivative in s; the logarithm of a quotient that has a limit in c1 stays one."""
    logs = {node: sympy.Dummy("log", real=True) for node in expr.atoms(sympy.log) if node.has(c1)}
    arguments = {letter: node.args[0].subs(u, s / (1 - s)) for node, letter in logs.items()}
    shown = {letter: sympy.log(sympy.factor(argument)) for letter, argument in arguments.items()}
    return odds_form.in_probability(expr.xreplace(logs), s, given).xreplace(shown)


def _refuted(sheet: Sheet, inner: InnerIntegral, given: Given) -> bool:
    """Return whether some point shows that the slope in c1 is not the integrand, or the value not the difference."""
    piece, on = inner.slice, Interval(s, inner.slice.low, inner.slice.high)
    if differ(inner.value, inner.at_upper - inner.at_lower, on, given):
        return True
    gap = sympy.diff(inner.antiderivative, c1) - sheet.integrand
    for values in points(gap.free_symbols - {c1}, on, given)[:SOME]:
        within = Interval(c1, *(end.subs(values) for end in (piece.lower, piece.upper)))
        bounds = (enclose(gap, values | inside) for inside in points({c1}, within, Given())[:SOME])
        if any(found is not None and (found[0] > 0 or found[1] < 0) for found in bounds):
            return True
    return False


def _refuse_divergence(sheet: Sheet, piece: Slice, ends: list[Approach], given: Given) -> None:
    known, integrand = _in_slice(piece, given), odds_form.to_odds(sheet.integrand, s)
    for end in ends:
        if tail(integrand, _in_odds(end), known):
            raise DivergentCostError(
                f"the expected cost diverges at c1 = {end.point}:"
                f" the integral of {sheet.integrand} over c1 is infinite there for {piece.low} < s < {piece.high}",
                "Then there is no threshold weight. Give a cost a law with a mean, or a bound, as in uniform(1, 100).",
            )


def _limit(found: Expr, end: Approach, piece: Slice, given: Given) -> Expr | None:
    """Return the limit of an antiderivative in the odds of the slice, if it is known to be finite."""
    value = value_at(found, _in_odds(end), _in_slice(piece, given))
    return None if value is None or is_infinite(value) else value


def _in_slice(piece: Slice, given: Given) -> Given:
    """Add between which odds a slice is."""
    high = sympy.oo if piece.high == 1 else piece.high / (1 - piece.high)
    return given.also(positive=Interval(u, piece.low / (1 - piece.low), high).facts)


def _in_odds(end: Approach) -> Approach:
    point = odds_form.to_odds(end.point, s)
    rational = point.is_rational_function() and point is not sympy.oo
    return Approach(end.variable, sympy.cancel(point) if rational else point, end.side)


def _sign(piece: Piece, before: SlicedIntegral, given: Given) -> Sign:
    if piece.value == 0:
        return Sign.ZERO
    on = Interval(s, piece.low, piece.high)
    shown = shown_by(piece, before, given) or positive(piece.value, on, given) or _from_ends(piece, on, given)
    return Sign.POSITIVE if shown else Sign.NONNEGATIVE


def _from_ends(piece: Piece, on: Interval, given: Given) -> bool:
    """Decide as the checker will where nothing else does, if that does not take long."""
    if steep(piece.value) or piece.value.has(Integral):
        return False
    try:
        return bool(within(SIGN_SECONDS, _is_positive_by_ends, piece.value, on, given))
    except Exception:  # a search that fails has found nothing
        return False


def _is_positive_by_ends(expr: Expr, on: Interval, given: Given) -> str | None:
    return sign_from_ends(expr, on, given, strict=True)
