"""The search for numbers at which the form of a loss changes: the integral of ``x^-a`` has another one at a = 1."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Integral, Mul, Pow, Symbol

from costderive.core.symbols import p, s, u
from costderive.core.time_limit import within
from costderive.derivation.search.held_costs import integrals_of
from costderive.rules import odds_form
from costderive.rules.losses import Losses

SECONDS = 3.0


def changes_of_form(losses: Losses) -> tuple[Expr, ...]:
    """Return ``letter - number`` for each number at which a power in an integral that is left becomes a logarithm."""
    nodes = [node for node in integrals_of(losses) if _has_letters_above(node)]
    exponents = (found for node in sorted(nodes, key=str) for found in _exponents_in_time(node))
    facts = (_change(sympy.expand(exponent + 1)) for exponent in exponents)
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def _has_letters_above(node: Integral) -> bool:
    """Has an integral a parameter in the exponent of a power?"""
    letters = node.free_symbols - {p}
    return any(power.exp.free_symbols & letters for power in node.atoms(Pow))


def _exponents_in_time(node: Integral) -> tuple[Expr, ...]:
    """Return the exponents, or none if the integrand takes long to expand."""
    try:
        found: tuple[Expr, ...] = within(SECONDS, _exponents, node)
    except TimeoutError:
        return ()
    return found


def _exponents(node: Integral) -> tuple[Expr, ...]:
    return tuple(_exponents_of(node))


def _exponents_of(node: Integral) -> Iterator[Expr]:
    """Yield the exponents of an integrand that is a sum of powers, in the odds if it is one of a probability."""
    ((variable, *_), *_) = node.limits
    f = node.function
    if variable == s:
        f, variable = odds_form.to_odds(f, s) / (1 + u) ** 2, u
    joined = sympy.powsimp(sympy.expand_power_base(odds_form.powers_split(f, variable)))
    parts = sympy.sift(
        Mul.make_args(joined), lambda part: bool(part.is_rational_function(variable)), binary=True
    )
    rational, rest = (Mul(*side) for side in parts)
    for term in Add.make_args(sympy.expand(sympy.cancel(rational) * rest)):
        exponent = _exponent(term, variable)
        if exponent is not None:
            yield exponent


def _exponent(term: Expr, variable: Symbol) -> Expr | None:
    """Return the exponent of a variable in ``c x^e``."""
    _, moving = term.as_independent(variable, as_Add=False)
    pairs = [part.as_base_exp() for part in Mul.make_args(sympy.powsimp(moving))]
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
