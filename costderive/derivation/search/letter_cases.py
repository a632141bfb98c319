"""The search for numbers at which the form of a loss changes: the integral of ``x^-a`` has another one at a = 1."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Integral, Mul, Symbol

from costderive.core.symbols import s, u
from costderive.derivation.search.held_costs import integrals_of
from costderive.rules import odds_form
from costderive.rules.losses import Losses


def changes_of_form(losses: Losses) -> tuple[Expr, ...]:
    """Return ``letter - number`` for each number at which a power in an integral that is left becomes a logarithm."""
    exponents = (found for node in sorted(integrals_of(losses), key=str) for found in _exponents(node))
    facts = (_change(sympy.expand(exponent + 1)) for exponent in exponents)
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def _exponents(node: Integral) -> Iterator[Expr]:
    """Yield the exponents of an integrand that is a sum of powers, in the odds if it is one of a probability."""
    ((variable, *_), *_) = node.limits
    f = node.function
    if variable == s:
        f, variable = odds_form.to_odds(f, s) / (1 + u) ** 2, u
    joined = sympy.powsimp(sympy.expand_power_base(odds_form.powers_split(f, variable)))
    parts = sympy.sift(Mul.make_args(joined), lambda part: part.is_rational_function(variable), binary=True)
    rational, rest = (Mul(*side) for side in parts)
    for term in Add.make_args(sympy.expand(sympy.cancel(rational) * rest)):
        exponent = _exponent(term, variable)
        if exponent is not None:
            yield exponent


def _exponent(term: Expr, variable: Symbol) -> Expr | None:
    """Return the exponent of a variable in ``c x^e``."""
    _, moving = sympy.powsimp(term).as_independent(variable, as_Add=False)
    pairs = [part.as_base_exp() for part in Mul.make_args(moving)]
    if any(base != variable or exponent.has(variable) for base, exponent in pairs):
        return None
    return Add(*[exponent for _, exponent in pairs])


def _change(fact: Expr) -> Expr | None:
    """Write a linear function of one letter as the letter less the number, above 0, at which it vanishes."""
    if len(fact.free_symbols) != 1 or sympy.degree(fact) != 1:
        return None
    (letter,) = fact.free_symbols
    number = -fact.coeff(letter, 0) / fact.coeff(letter)
    return letter - number if number.is_positive and number.is_rational else None
