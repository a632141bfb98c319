"""Costs in units of their own: letters that only say in what a cost is measured leave the search, and come back after.

With ``c0 = a x``, ``c1 = b y`` the odds of the threshold are ``a/b`` times those of the threshold of x and y. What is
found for these is written in the costs again, each logarithm in one piece, and the claims are decided on that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Add, Expr, Poly

from costderive.core.piecewise import Given, Measure, Piece, Pieces
from costderive.core.symbols import c1, p, s, u
from costderive.costs.expected_loss import InnerIntegral, Sheet, Slice, WeightedLoss
from costderive.deciders.limits import Approach, value_at
from costderive.derivation.integration.partial_fractions import over_linear_factors
from costderive.derivation.moves.integrate_magnitude import poles_between
from costderive.rules import Losses, odds_form

ZERO, ONE = sympy.S.Zero, sympy.S.One
ODDS = s / (1 - s)


# ---- the integral over c1


def inner_in_units(sheet: Sheet, piece: Slice, given: Given) -> InnerIntegral | None:
    """Integrate a rational density of two costs without bounds, if its value has a pole where letters say."""
    if (piece.lower, piece.upper) != (ZERO, sympy.oo) or not sheet.integrand.is_rational_function():
        return None
    density = sympy.factor(sheet.integrand.subs(s, u / (1 + u)) / (1 + u) ** 3)
    unit0, unit1 = _units(density)
    image = sympy.factor(unit1 * density.subs({c1: unit1 * c1, u: unit0 / unit1 * u}, simultaneous=True))
    constant, moving = image.as_independent(c1, u, as_Add=False)
    if not constant.free_symbols or (unit0 * unit1).has(c1, u) or moving.free_symbols - {c1, u}:
        return None
    found = over_linear_factors(moving, c1)
    if found is None or not poles_between(found.subs(u, ODDS), piece, given):
        return None
    lower, upper = (value_at(found, Approach(c1, *end), given) for end in ((ZERO, "+"), (sympy.oo, "-")))
    if lower is None or upper is None:
        return None
    back, factor = {c1: c1 / unit1, u: ODDS * unit1 / unit0}, constant / (1 - s) ** 3
    function, low, high, value = (
        _written(expr, back, factor, given) for expr in (found, lower, upper, upper - lower)
    )
    return InnerIntegral(piece, function, low, high, value)


def _units(density: Expr) -> tuple[Expr, Expr]:
    """Return the units of c0 and c1: what is added to a cost in the denominator of their density in c1 and u."""
    units = [ONE, ONE]
    for factor, _ in odds_form.factor_list(sympy.denom(density))[1]:
        if factor.has(c1) and Poly(factor, c1).degree() == 1:
            slope, start = Poly(factor, c1).all_coeffs()
            units[0 if slope.has(u) else 1] = sympy.cancel(start * (u if slope.has(u) else ONE) / slope)
    return units[0], units[1]


def _written(expr: Expr, back: dict[Expr, Expr], factor: Expr, given: Given, x: Expr = s) -> Expr:
    """Put the costs back, and write a sum over logarithms, each coefficient as a product."""
    return Add(
        *[
            odds_form.product(factor * rational.subs(back), x, given)
            * kernel.replace(
                sympy.log, lambda inner: sympy.log(odds_form.product(inner.subs(back), x, given))
            )
            for kernel, rational in odds_form.kernels(expr, None)
        ]
    )


# ---- the integral over s


@dataclass(frozen=True, slots=True)
class Scaled:
    """A threshold weight as a constant times that of costs in units whose ratio is ``odds``."""

    weight: Measure
    odds: Expr
    constant: Expr

    def restored(self, found: Losses, weight: Measure, given: Given) -> Losses:
        """Return the losses of a weight from those in the units."""
        back = {u: p / ((1 - p) * self.odds)}
        first, second = self.constant * self.odds, self.constant

        def loss(pieces: Pieces, factor: Expr) -> Pieces:
            values = [
                _written(sympy.expand_log(odds_form.to_odds(x.value, p)), back, factor, given, p)
                for x in pieces
            ]
            return Pieces(
                p, tuple(Piece(x.low, x.high, v) for x, v in zip(weight.density, values, strict=True))
            )

        worst = (
            sympy.factor(factor * end) for factor, end in ((first, found.worst0), (second, found.worst1))
        )
        return Losses(loss(found.loss0, first), loss(found.loss1, second), weight, *worst)


def scaled(before: WeightedLoss, given: Given) -> Scaled | None:
    """Return the weight in units in which a pole that letters determine is at odds of 1, if no letter is left then."""
    poles = [pole for one in before.inner for pole in poles_between(one.value, one.slice, given)]
    pole = next((pole for pole in poles if pole.free_symbols), None)
    if pole is None or before.weight.atoms:
        return None
    odds = sympy.cancel(pole / (1 - pole))
    found = list(_scaled_pieces(before.weight.density, odds))
    constants = {constant for constant, _ in found}
    if len(constants) != 1 or any(part.free_symbols - {s} for _, piece in found for part in _parts(piece)):
        return None
    weight = Measure(Pieces(s, tuple(piece for _, piece in found)), before.weight.signs)
    return Scaled(weight, odds, constants.pop())


def _parts(piece: Piece) -> tuple[Expr, Expr, Expr]:
    return piece.low, piece.high, piece.value


def _scaled_pieces(density: Pieces, odds: Expr) -> Iterator[tuple[Expr, Piece]]:
    """Yield the constant and the rest of each piece in units whose ratio is ``odds``."""
    total = odds * s + 1 - s
    for piece in density:
        terms = [
            (sympy.factor(coefficient), kernel)
            for kernel, coefficient in odds_form.kernels(
                _placed(piece.value, odds * s / total) * odds / total**3, s
            )
        ]
        constant = terms[0][0].as_independent(s, as_Add=False)[0] if terms else ONE
        value = Add(*[sympy.factor(coefficient / constant) * kernel for coefficient, kernel in terms])
        low, high = (sympy.cancel(end / (end + odds * (1 - end))) for end in (piece.low, piece.high))
        yield constant, Piece(low, high, value)


def _placed(expr: Expr, place: Expr) -> Expr:
    return expr.subs(s, place).replace(sympy.log, lambda inner: sympy.log(sympy.factor(inner)))
