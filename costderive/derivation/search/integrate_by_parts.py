"""The search for both losses of a threshold weight, in the shortest writing that is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy
from sympy import Expr, Integral

from costderive.core.curve_parameters import CurveParameter
from costderive.core.errors import DivergentCostError
from costderive.core.piecewise import Atom, Given, Interval, Measure, Piece, Pieces
from costderive.core.symbols import p, s
from costderive.core.time_limit import within
from costderive.costs.expected_loss import InnerIntegral, WeightedLoss
from costderive.deciders.enclosure import differ
from costderive.deciders.identities import is_power_of_power, of_one_power
from costderive.deciders.limits import Approach, tail, tends, value_at, value_by_continuity, whole_at
from costderive.deciders.related_gammas import with_least_gammas, with_one_incomplete_gamma
from costderive.derivation.integration.contiguous_betas import with_one_beta
from costderive.derivation.integration.search import Deadline, antiderivative, proved
from costderive.derivation.moves.integrate_by_parts import IntegrateByParts
from costderive.derivation.moves.integrate_magnitude import holds, poles_between
from costderive.derivation.search.along_curves import along_curves
from costderive.derivation.search.exchange import exchanged
from costderive.derivation.search.units import scaled
from costderive.rules import Losses, odds_form

ZERO, ONE = sympy.S.Zero, sympy.S.One

LONG, TIDY_SECONDS = 150, 2.0  # operations of an expression whose writing may take longer than it is worth
LETTER = 0.2  # of an operation, in the length of a formula


def integrate_by_parts(move: IntegrateByParts, before: WeightedLoss, given: Given) -> Losses:
    """Integrate ``s w`` upwards, and with the classes exchanged downwards."""
    return when_sure(_between_reports(move, before, given), before, given)


def when_sure(found: Losses, before: WeightedLoss, given: Given) -> Losses:
    """Add what is paid at the sure reports alone."""
    if not any(before.one_sided):
        return found
    sums = (a + b for a, b in zip((found.worst0, found.worst1), before.one_sided, strict=True))
    worst0, worst1 = (one if one.has(Integral) else odds_form.constant(one, given) for one in sums)
    return replace(found, worst0=worst0, worst1=worst1, one_sided=before.one_sided)


def _between_reports(move: IntegrateByParts, before: WeightedLoss, given: Given) -> Losses:
    deadline, weight = Deadline.after(move.seconds), before.weight
    _refuse_divergence(before, given)
    in_units = scaled(before, given)
    if in_units is not None:
        unknown = (None,) * len(weight.density.pieces)
        found = losses_from(in_units.weight, unknown, unknown, Given(), deadline)
        return in_units.restored(found, weight, given)
    known0, known1 = (_exchanged(before, factor, given, deadline) for factor in (s, 1 - s))
    return losses_from(weight, known0, known1, given, deadline)


def losses_from(
    weight: Measure,
    known0: tuple[Expr | None, ...],
    known1: tuple[Expr | None, ...],
    given: Given,
    deadline: Deadline,
) -> Losses:
    """Accumulate both losses, with candidates for the antiderivatives of ``s w`` and ``(1 - s) w`` on each piece."""
    loss0, worst0 = _accumulated(weight, known0, given, deadline)
    reflected = tuple(None if one is None else -odds_form.reflect(one, s) for one in reversed(known1))
    mirrored, worst1 = _accumulated(_mirrored(weight), reflected, given, deadline)
    loss1 = Pieces(p, tuple(_mirror(piece, given) for piece in reversed(mirrored.pieces)))
    return Losses(loss0, loss1, weight, worst0, mirrored_integrals(worst1))


def _exchanged(
    before: WeightedLoss, factor: Expr, given: Given, deadline: Deadline
) -> tuple[Expr | None, ...]:
    """Return candidates for antiderivatives of ``factor w(s)``, found by another order of integration."""
    found = list(zip(before.inner, exchanged(before, factor, given, deadline), strict=True))
    return tuple(_on_piece(piece, found, given) for piece in before.weight.density)


def _on_piece(piece: Piece, found: list[tuple[InnerIntegral, Expr | None]], given: Given) -> Expr | None:
    """Add up the candidates of a piece, if each part of the weight has one."""
    parts = [(one.value, known) for one, known in found if holds(one.slice, piece.low, piece.high, given)]
    known = [candidate for _, candidate in parts if candidate is not None]
    whole = parts and sympy.Add(*[value for value, _ in parts]) == piece.value
    return sympy.Add(*known) if whole and len(known) == len(parts) else None


def _refuse_divergence(before: WeightedLoss, given: Given) -> None:
    """Each loss must be finite inside (0, 1): ``s w`` has a finite integral at 0, ``(1 - s) w`` at 1, w elsewhere.

    Where the formula of an inner integral has a pole inside its slice, the integral itself has a finite value.
    """
    factors = {ZERO: s, ONE: 1 - s}
    removable = {pole for one in before.inner for pole in poles_between(one.value, one.slice, given)}
    for piece in before.weight.density:
        for end, side in ((piece.low, "+"), (piece.high, "-")):
            if end in removable:
                continue
            integrand = factors.get(end, ONE) * piece.value
            if tail(integrand, Approach(s, end, side), given):
                raise DivergentCostError(
                    f"the expected cost diverges at s = {end}: the integral of {integrand} over s is infinite there",
                    "A scoring rule needs finite integrals of s w(s) at 0, of (1 - s) w(s) at 1 and of w(s) between,"
                    f" and here the threshold weight w(s) is {piece.value} on ({piece.low}, {piece.high}).",
                )


def _mirrored(weight: Measure) -> Measure:
    """Return the weight with the classes exchanged: ``s`` becomes ``1 - s``."""
    pieces = tuple(
        Piece(1 - piece.high, 1 - piece.low, odds_form.reflect(piece.value, s))
        for piece in reversed(weight.density.pieces)
    )
    atoms = tuple(Atom(1 - atom.at, atom.mass) for atom in reversed(weight.atoms))
    return Measure(Pieces(s, pieces), weight.signs[::-1], atoms)


def _mirror(piece: Piece, given: Given) -> Piece:
    terms = [odds_form.reflect(term, p) for term in sympy.Add.make_args(mirrored_integrals(piece.value))]
    termwise = sympy.Add(*[_tidy_term(term, given) for term in terms])
    whole = _tidied(sympy.Add(*terms), given)
    on = Interval(p, 1 - piece.high, 1 - piece.low)
    return Piece(on.low, on.high, _shortest_of([whole, termwise], sympy.Add(*terms), on, given))


def _shortest_of(writings: list[Expr], value: Expr, on: Interval, given: Given) -> Expr:
    """Return the shortest of some writings of a value that is not seen to differ from it somewhere."""
    ordered = sorted(writings, key=_length)
    return next((writing for writing in ordered if not differ(writing, value, on, given)), value)


def _length(writing: Expr) -> float:
    """Count operations, and letters and digits a little: numbers of many digits count as more than small ones.

    SymPy computes an integral that is a number when it prints a sum that holds it.
    """
    names = {node: sympy.Dummy() for node in writing.atoms(Integral)}
    plain = writing.xreplace(names)
    inside = sum(_length(node.function) for node in names)
    return float(sympy.count_ops(plain) + LETTER * len(str(plain))) + inside


def _tidy_term(term: Expr, given: Given) -> Expr:
    """Keep a minus sign in front of a term: the product behind it is written with positive factors."""
    return -_tidied(-term, given) if term.could_extract_minus_sign() else _tidied(term, given)


def _tidied(expr: Expr, given: Given) -> Expr:
    """Write a function of p in a short form; a long one that takes long stays as it is."""
    expr = expr.replace(is_power_of_power, lambda power: of_one_power(power, Interval(p, ZERO, ONE), given))
    if sympy.count_ops(expr) <= LONG:
        return odds_form.tidy(expr, p, given)
    try:
        found: Expr = within(TIDY_SECONDS, odds_form.tidy, expr, p, given)
    except TimeoutError:
        return expr
    return found


def mirrored_integrals(expr: Expr) -> Expr:
    """Put ``1 - s`` for s under every integral over s."""
    return expr.replace(
        lambda node: isinstance(node, Integral) and node.limits[0][0] == s, _mirrored_integral
    )


def _mirrored_integral(node: Integral) -> Expr:
    """Put ``1 - s`` for s under an integral whose upper end is p or a constant."""
    variable, low, high = node.limits[0]
    return Integral(odds_form.reflect(node.function, variable), (variable, 1 - high, 1 - low))


def _accumulated(
    weight: Measure, candidates: tuple[Expr | None, ...], given: Given, deadline: Deadline
) -> tuple[Pieces, Expr]:
    """Integrate ``s w(s)`` from 0 upwards; return the function of p and its limit at 1."""
    pieces, reached = [], ZERO
    for piece, candidate in zip(weight.density, candidates, strict=True):
        increase = _increase(piece, candidate, given, deadline)
        value, end = _up_to(piece, reached, increase, given)
        pieces.append(Piece(piece.low, piece.high, value))
        reached = end + sympy.Add(*[atom.at * atom.mass for atom in weight.atoms if atom.at == piece.high])
    return Pieces(p, tuple(pieces)), _in_lowest_terms(reached, given)


def _in_lowest_terms(value: Expr, given: Given) -> Expr:
    return value if value.is_number or not value.is_rational_function() else odds_form.constant(value, given)


def _up_to(piece: Piece, start: Expr, increase: Expr, given: Given) -> tuple[Expr, Expr]:
    """Return the loss on a piece that it enters with a value, and its limit at the high end.

    A closed form whose limit is not found is useless: the loss stays an integral.
    """
    for writing in (increase, _as_integral(piece)):
        value = _shortest(start, writing, piece, given)
        end = _limit(value, piece.high, "-", given, whole_at)
        if end is not None:
            break
    return value, end


def _as_integral(piece: Piece) -> Expr:
    return Integral(_integrand(piece), (s, piece.low, p))


def _integrand(piece: Piece) -> Expr:
    """Return ``s w(s)``, with its rational factors written as one where that is shorter."""
    factors = sympy.Mul.make_args(s * piece.value)
    rational, rest = sympy.sift(factors, lambda factor: bool(factor.is_rational_function()), binary=True)
    plain = sympy.Mul(*rational)
    writings = [plain] if sympy.count_ops(plain) > LONG else [plain, odds_form.product(plain, s)]
    return sympy.Mul(min(writings, key=sympy.count_ops), *rest)


def _shortest(start: Expr, increase: Expr, piece: Piece, given: Given) -> Expr:
    """Write ``start + increase`` as one expression, as a sum, or as what is missing from its value at the end."""
    writings = [_tidied(start + increase, given), start + _tidied(increase, given)]
    fewer = with_least_gammas(increase)
    writings += [] if fewer == increase else [start + _tidied(fewer, given)]
    end = value_by_continuity(start + increase, Approach(p, piece.high, "-"), given)
    if end is not None and not end.has(Integral) and increase.is_rational_function():
        writings.append(odds_form.constant(end, given) - _tidied(end - start - increase, given))
    on = Interval(p, piece.low, piece.high)
    return _gathered(_shortest_of(writings, start + increase, on, given), given)


def _gathered(value: Expr, given: Given) -> Expr:
    """Write the terms that are numbers as one, and those without p but with letters by what they hold.

    Integrals stay as they are: one that has its value at the end of a piece is the same as before.
    """
    fixed, rest = sympy.sift(
        sympy.Add.make_args(value), lambda term: not (term.has(p) or term.has(Integral)), binary=True
    )
    numbers, letters = sympy.sift(fixed, lambda term: term.is_number, binary=True)
    number = odds_form.constant(sympy.Add(*numbers), given)
    if not letters or number.has(Integral):
        return sympy.Add(number, *rest, *letters)
    whole = with_one_incomplete_gamma(sympy.Add(number, *letters))
    split = sympy.expand_log(odds_form.powers_split(whole, p, given))
    writings = *(odds_form.tidy(one, p, given) for one in (whole, split)), odds_form.constant(whole, given)
    return sympy.Add(min(writings, key=sympy.count_ops), *rest)


def _increase(piece: Piece, candidate: Expr | None, given: Given, deadline: Deadline) -> Expr:
    """Return the integral of ``s w(s)`` from the low end of a piece to ``p``."""
    integrand, on = _integrand(piece), Interval(s, piece.low, piece.high)
    if integrand == 0:
        return ZERO
    found = candidate
    if integrand.has(CurveParameter):
        found = along_curves(piece.value, s, on, given, deadline)
    elif candidate is None or not proved(candidate, integrand, on, given, deadline):
        found = antiderivative(integrand, on, given, deadline)
    if found is None:
        return _as_integral(piece)
    whole = with_one_beta(found.subs(s, p))
    start = _limit(whole, piece.low, "+", given)
    if start is None or (not start.has(Integral) and start.is_finite is False):
        return _as_integral(piece)
    return whole - start


def _limit(
    expr: Expr, point: Expr, side: str, given: Given, limit: Callable[..., Expr | None] = value_at
) -> Expr | None:
    approach = Approach(p, point, side)
    fixed, moving = expr.as_independent(p, as_Add=True)
    if fixed.has(Integral) and moving != 0 and not moving.has(Integral):
        found = _limit(moving, point, side, given, limit)
        return found if found is None or found.is_finite is False else fixed + found
    value = limit(expr, approach, given)
    if value is None and expr.has(Integral):
        value = sympy.oo if tends(expr, approach, sympy.oo, given) else expr.subs(p, point)
        return None if value.has(sympy.zoo, sympy.nan) else value
    if value is None or value.has(
        Integral
    ):  # asking an integral whether it is finite makes SymPy evaluate it
        return value
    return odds_form.constant(value, given) if value.is_finite else value
