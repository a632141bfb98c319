"""What a rule asks of one of its cases: a loss as one expression, its lines, its weight, and values for its letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import Expr, Symbol

from costderive.core.curve_parameters import OneWay
from costderive.core.errors import SpecError
from costderive.core.piecewise import Given, Measure
from costderive.core.unevaluated import unevaluated
from costderive.deciders.one_way import curves_in
from costderive.deciders.parameter_values import shown
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses


def loss_of(losses: Losses | LossPair, label: int) -> Expr:
    return losses.to_sympy(label)


def weight_of(losses: Losses | LossPair) -> Measure:
    """Return the threshold weight of losses that have one.

    Raises:
        SpecError: if the losses were not derived from a threshold weight.
    """
    if isinstance(losses, LossPair):
        raise SpecError(
            "this rule has no threshold weight: it is not known to be proper",
            "Only proper rules are mixtures over thresholds.",
        )
    return losses.weight


def lines_of(losses: Losses | LossPair) -> Iterator[str]:
    """Yield a line for each piece of both losses."""
    for label, loss in ((0, losses.loss0), (1, losses.loss1)):
        for piece in loss:
            yield f"L{label}(p) = {unevaluated(piece.value)}  for {piece.low} < p < {piece.high}"
    for curve in curves_of(losses):
        costs = f"c0/(c0 + c1) = p, with c0 = {curve.c0} and c1 = {curve.c1}"
        name = curve.variable
        yield f"{name}(p) is the root {name} of {costs}, for {curve.low} < {name} < {curve.high}"


def curves_of(losses: Losses | LossPair) -> tuple[OneWay, ...]:
    """Return the curves whose parameters, as functions of p, are in the losses."""
    return tuple(dict.fromkeys(curves_in((losses.loss0, losses.loss1))))


def losses_at(losses: Losses | LossPair, values: Mapping[Symbol, Expr]) -> Losses | LossPair:
    """Return losses at values of the parameters.

    Raises:
        SpecError: if a form divides by zero there.
    """
    found = losses.subs(values)
    parts = [*found.loss0, *found.loss1, *(found.weight.density if isinstance(found, Losses) else ())]
    if any(piece.value.has(sympy.nan, sympy.zoo) for piece in parts):
        remedy = "Derive the rule with these values from the start: derive(context.at(...)).rule."
        raise SpecError(f"the form of the losses divides by zero for {shown(values)}", remedy)
    return found


def facts_at(given: Given, values: Mapping[Symbol, Expr]) -> Given:
    return Given().also(
        positive=tuple(fact.subs(values) for fact in given.positive),
        nonnegative=tuple(fact.subs(values) for fact in given.nonnegative),
    )
