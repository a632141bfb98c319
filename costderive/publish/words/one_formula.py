"""One formula for losses whose breakpoints may be in several orders: by what they gain at each breakpoint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, Mul

from costderive.core.piecewise import Given, Interval, Pieces
from costderive.core.symbols import p
from costderive.deciders.signs import positive
from costderive.publish.formulas.formula import Row
from costderive.publish.formulas.printing import formula, width
from costderive.publish.words.document_blocks import Block, table
from costderive.publish.words.scene import Scene, say, show
from costderive.rules import odds_form

WIDE = 70.0  # digits of what a row of the table may hold


@dataclass(frozen=True, slots=True)
class Gains:
    """A loss as its value next to 0 and what its formula gains at each breakpoint, up to a common factor."""

    start: Expr
    factor: Expr
    at: dict[Expr, Expr]


def one_formula(scenes: tuple[Scene, ...]) -> Iterator[Block]:
    """Write losses as sums over the breakpoints that are below the report, if these are the same in all cases."""
    if len(scenes) < 2:
        return
    first, second = gains(scenes, 0), gains(scenes, 1)
    if first is None or second is None:
        return
    rows = [(at, first.at[at], second.at[at]) for at in first.at]
    if any(sum(map(width, row)) > WIDE for row in rows):
        return
    number = "both cases" if len(scenes) == 2 else "all cases"
    yield say(
        f"For $0 < p < 1$ {number} of Theorem {{#thm:score}} are one formula. With $\\Delta_y(\\beta, p)$ from the "
        "table, and sums over its rows with $\\beta < p$,",
        lead="Whatever the order of the breakpoints.",
    )
    yield show(
        r"L_0(p) & = {}{} \sum_{\beta < p} \Delta_0(\beta, p), \\ L_1(p) & = {}{} \sum_{\beta < p} \Delta_1(\beta, p)",
        *_before_sum(first),
        *_before_sum(second),
    )
    yield say(
        "For in each case the first formulas are ${}$ and ${}$, and at each breakpoint the summand of its row, times "
        "the factor before the sum, is what the formula on the right has more than that on the left.",
        first.start,
        second.start,
    )
    yield table((r"$\beta$", r"$\Delta_0(\beta, p)$", r"$\Delta_1(\beta, p)$"), rows)


def gains(scenes: tuple[Scene, ...], label: int) -> Gains | None:
    """Return what the loss of a class gains at each breakpoint, if that is rational and the same in all cases."""
    return _common([_gains(scene, label) for scene in scenes])


def _before_sum(gains: Gains) -> tuple[Row, Expr]:
    return formula("" if gains.start == 0 else "{} + ", *((gains.start,) * (gains.start != 0))), gains.factor


def _gains(scene: Scene, label: int) -> dict[Expr, Expr] | None:
    """Return what a loss gains at each breakpoint, with its value next to 0 at 0; none if it is not rational."""
    loss: Pieces = (scene.losses.loss0, scene.losses.loss1)[label]
    if scene.losses.weight.atoms or not all(piece.value.is_rational_function() for piece in loss):
        return None
    gained = {
        right.low: _product(right.value - left.value, scene.case.given) for left, right in pairwise(loss)
    }
    return {sympy.S.Zero: loss.pieces[0].value} | gained


def _product(value: Expr, given: Given) -> Expr:
    """Write a rational function as a product of factors that are positive where that is decided, with its sign."""
    on, factors = Interval(p, sympy.S.Zero, sympy.S.One), Mul.make_args(odds_form.product(value, p, given))
    negative = [factor for factor in factors if factor.is_Add and positive(-factor, on, given)]
    turned = {factor: sympy.collect(sympy.expand(-factor), p) for factor in negative}
    return Mul(*[turned.get(factor, factor) for factor in factors], (-1) ** len(negative))


def _common(gains: list[dict[Expr, Expr] | None]) -> Gains | None:
    """Return what a loss gains, if that is known and the same in all cases."""
    first, *others = gains
    if first is None or len(first) < 2 or any(other is None or not _same(first, other) for other in others):
        return None
    terms = {at: gain for at, gain in first.items() if at != 0}
    factor = _shared(list(terms.values()))
    return Gains(first[sympy.S.Zero], factor, {at: gain / factor for at, gain in terms.items()})


def _shared(products: list[Expr]) -> Expr:
    """Return the product of the least powers of all factors: what is left is a polynomial."""
    powers = [_powers(product) for product in products]
    least = {base: min(x.get(base, 0) for x in powers) for x in powers for base in x}
    below = sympy.ilcm(1, *[product.as_coeff_Mul()[0].q for product in products])
    return Mul(sympy.Rational(1, below), *[base**power for base, power in least.items()])


def _powers(product: Expr) -> dict[Expr, int]:
    factors = Mul.make_args(product.as_coeff_Mul()[1])
    return {base: int(power) for base, power in (factor.as_base_exp() for factor in factors)}


def _same(first: dict[Expr, Expr], second: dict[Expr, Expr]) -> bool:
    return first.keys() == second.keys() and all(sympy.cancel(first[at] - second[at]) == 0 for at in first)
