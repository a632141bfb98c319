"""Parameters that all costs are proportional to: a rule is a multiple of one without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy
from sympy import Expr, Symbol

from costderive.core.piecewise import Atom, Given, Measure, Pieces
from costderive.deciders.identities import zero
from costderive.deciders.signs import positive
from costderive.rules import Losses, ScoringRule
from costderive.rules.loss_pair import LossPair, Value


def split(rule: ScoringRule) -> tuple[tuple[str, ...], ScoringRule]:
    """Return the parameters that a rule is proportional to, and the rule with 1 in their place."""
    names = []
    for symbol in rule.parameters:
        if all(_is_factor(symbol, given, losses) for given, losses in rule.cases):
            names.append(symbol.name)
            cases = ((_without(given, symbol), _at_one(losses, symbol)) for given, losses in rule.cases)
            rule = ScoringRule(tuple(cases))
    return tuple(names), rule


def _is_factor(symbol: Symbol, given: Given, losses: Losses | LossPair) -> bool:
    """Return whether losses are certainly proportional to a parameter, and facts and breakpoints free of it."""
    facts = _without(given, symbol)
    fixed = [*facts.positive, *facts.nonnegative, *_places(losses)]
    if any(symbol in expr.free_symbols for expr in fixed):
        return False
    return all(_is_proportional(expr, symbol, given) for expr in _sizes(losses))


def _without(given: Given, symbol: Symbol) -> Given:
    """Return the facts less those of a parameter that hold as all parameters are positive."""
    strict, weak = (
        tuple(x for x in facts if symbol not in x.free_symbols or not positive(x))
        for facts in (given.positive, given.nonnegative)
    )
    return Given(strict, weak)


def _is_proportional(expr: Expr, symbol: Symbol, given: Given) -> bool:
    if expr in (0, sympy.oo):
        return True
    _, rest = sympy.factor_terms(expr).as_independent(symbol, as_Add=False)
    if rest == symbol:
        return True
    return bool(zero(expr - symbol * expr.subs(symbol, 1), None, given))


def _pieces(losses: Losses | LossPair) -> tuple[Pieces, ...]:
    density = (losses.weight.density,) if isinstance(losses, Losses) else ()
    return losses.loss0, losses.loss1, *density


def _places(losses: Losses | LossPair) -> Iterator[Expr]:
    for pieces in _pieces(losses):
        yield from pieces.breaks
    if isinstance(losses, Losses):
        yield from (atom.at for atom in losses.weight.atoms)
    else:
        yield from losses.assumed


def _sizes(losses: Losses | LossPair) -> Iterator[Expr]:
    for pieces in _pieces(losses):
        yield from (piece.value for piece in pieces)
    if isinstance(losses, Losses):
        yield from (losses.worst0, losses.worst1, *losses.one_sided)
        yield from (atom.mass for atom in losses.weight.atoms)
    else:
        yield from (size for value in losses.values for size in (value.loss0, value.loss1))


def _at_one(losses: Losses | LossPair, symbol: Symbol) -> Losses | LossPair:
    """Return losses with 1 in the place of a parameter; facts and breakpoints do not have it."""

    def put(expr: Expr) -> Expr:
        return expr.subs(symbol, 1)

    loss0, loss1 = losses.loss0.map(put), losses.loss1.map(put)
    if isinstance(losses, LossPair):
        values = tuple(Value(value.at, put(value.loss0), put(value.loss1)) for value in losses.values)
        return replace(losses, loss0=loss0, loss1=loss1, values=values)
    atoms = tuple(Atom(atom.at, put(atom.mass)) for atom in losses.weight.atoms)
    measure = Measure(losses.weight.density.map(put), losses.weight.signs, atoms)
    one_sided = put(losses.one_sided[0]), put(losses.one_sided[1])
    return Losses(loss0, loss1, measure, put(losses.worst0), put(losses.worst1), one_sided)
