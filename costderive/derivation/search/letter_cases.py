"""The search for numbers at which the form of a loss changes.

The integral of ``x^-a`` has another form at a = 1, and that of ``x/((w - 1) x + 1)`` at w = 1, where the degree of the
denominator falls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import sympy
from sympy import Add, Expr, Integral, Mul, Pow, Symbol

from costderive.core.piecewise import Given
from costderive.core.symbols import p, s, u
from costderive.core.time_limit import within
from costderive.derivation.search.held_costs import integrals_of
from costderive.derivation.search.witness import indifferent
from costderive.rules import odds_form
from costderive.rules.joined_powers import joined
from costderive.rules.loss_pair import LossPair
from costderive.rules.losses import Losses

ZERO, ONE = sympy.S.Zero, sympy.S.One
SECONDS = 3.0
MOST_LETTERS = 2  # of a fact on which a form depends


def changes_of_form(losses: Losses) -> tuple[Expr, ...]:
    """Return ``letter - number`` for each number at which an integral that is left takes another form.

    There a power becomes a logarithm, or a factor below or in an exponential loses its highest power.
    """
    facts = (_change(found) for node in sorted(integrals_of(losses), key=str) for found in _vanishing(node))
    return tuple(dict.fromkeys(fact for fact in facts if fact is not None))


def changes_of_verdict(pair: LossPair, given: Given) -> tuple[Expr, ...]:
    """Return what is positive if a breakpoint is above the belief indifferent between 0 and 1, where letters decide.

    The best report is 0 under a smaller belief and 1 under a larger one, if the threshold is independent of the costs.
    """
    places = [value.at for value in pair.values if value.at not in (ZERO, ONE)]
    gaps = [sympy.together(at - middle) for at in places for middle in indifferent(pair, given)]
    return tuple(dict.fromkeys(sympy.numer(gap) for gap in gaps if gap.free_symbols))


def _vanishing(node: Integral) -> Iterator[Expr]:
    """Yield what the form of an integral takes to be other than 0."""
    if _has_letters_above(node):
        yield from (sympy.expand(exponent + 1) for exponent in _in_time(_exponents, node))
        yield from (sympy.expand(exponent + 1) for exponent in _in_time(_exponents_at_ends, node))
    if node.free_symbols - {p}:
        yield from _in_time(_leading, node)


def _has_letters_above(node: Integral) -> bool:
    """Has an integral a parameter in the exponent of a power?"""
    letters = node.free_symbols - {p}
    return any(power.exp.free_symbols & letters for power in node.atoms(Pow))


def _in_time(search: Callable[[Integral], tuple[Expr, ...]], node: Integral) -> tuple[Expr, ...]:
    """Return what a search finds, or nothing if the integrand takes long to expand."""
    try:
        found: tuple[Expr, ...] = within(SECONDS, search, node)
    except TimeoutError:
        return ()
    return found


def _leading(node: Integral) -> tuple[Expr, ...]:
    """Return what is 0 where polynomials below, or in exponentials, are of a lower degree, or share a zero.

    It is a factor of a leading coefficient, or of what two linear polynomials below leave of each other.
    """
    ((variable, *_), *_) = node.limits
    below = [
        power.base for power in _atoms(sympy.together(node.function), Pow) if not power.exp.is_nonnegative
    ]
    terms = Add.make_args(sympy.expand_mul(sympy.powsimp(node.function, combine="exp")))
    exponents = [sympy.numer(sympy.together(e.exp)) for term in terms for e in _atoms(term, sympy.exp)]
    factors = [factor for base in below for factor in _moving(base, variable)]
    lines = [factor for factor in dict.fromkeys(factors) if sympy.degree(factor, variable) == 1]
    shared = [sympy.resultant(*pair, variable) for pair in combinations(lines, 2)]
    polynomials = factors + [exponent for exponent in exponents if exponent.is_polynomial(variable)]
    leading = [sympy.LC(sympy.expand(polynomial), variable) for polynomial in dict.fromkeys(polynomials)]
    return tuple(
        factor for coefficient in [*leading, *shared] for factor in Mul.make_args(sympy.factor(coefficient))
    )


def _atoms(expr: Expr, kind: type[Expr]) -> list[Expr]:
    """Return the atoms of some kind in an expression with its powers put together."""
    return sorted(sympy.powsimp(expr).atoms(kind), key=sympy.default_sort_key)


def _moving(base: Expr, variable: Symbol) -> list[Expr]:
    """Return the polynomial factors of an expression that have the variable."""
    factors = Mul.make_args(sympy.factor(base)) if base.is_rational_function(variable) else ()
    bases = (factor.as_base_exp()[0] for factor in factors)
    return [base for base in bases if base.has(variable) and base.is_polynomial(variable)]


def _exponents(node: Integral) -> tuple[Expr, ...]:
    return tuple(_exponents_of(node))


def _exponents_of(node: Integral) -> Iterator[Expr]:
    """Yield the exponents of an integrand that is a sum of powers, in the odds if it is one of a probability."""
    whole, variable = _in_powers(node)
    fixed = [node for node in whole.atoms(Pow) if node.base.is_Add and not node.has(variable)]
    names = {node: sympy.Dummy() for node in fixed}  # they would be multiplied out below
    back = {name: node for node, name in names.items()}
    for term in _terms(whole.xreplace(names), variable):
        exponent = _exponent(term, variable)
        if exponent is not None:
            yield exponent.xreplace(back)


def _in_powers(node: Integral) -> tuple[Expr, Symbol]:
    """Return an integrand, in the odds if it is one of a probability, with its powers joined, and its variable."""
    ((variable, *_), *_) = node.limits
    f = node.function
    if variable == s:
        f, variable = odds_form.to_odds(f, s) / (1 + u) ** 2, u
    split = sympy.expand_power_base(odds_form.powers_split(f, variable))
    return joined(sympy.powsimp(split)), variable


def _terms(whole: Expr, variable: Symbol) -> list[Expr]:
    """Return the terms of a product; its rational factors are a sum of powers of the variable."""
    factors = Mul.make_args(whole)
    parts = sympy.sift(factors, lambda part: bool(part.is_rational_function(variable)), binary=True)
    rational, rest = (Mul(*side) for side in parts)
    return list(Add.make_args(sympy.expand_mul(_summed(rational, variable) * rest)))


def _summed(rational: Expr, variable: Symbol) -> Expr:
    """Write a rational function as a sum; of a polynomial the powers alone, which constants below might hide."""
    top, bottom = sympy.fraction(sympy.cancel(rational))
    if bottom.has(variable):
        return sympy.expand(top / bottom)
    return Add(*[variable**n for (n,) in sympy.Poly(top, variable).monoms()])


def _exponents_at_ends(node: Integral) -> tuple[Expr, ...]:
    """Return the exponents with which an integrand rises or falls at 0 and 1: below -1 its integral diverges."""
    ((variable, low, high), *_) = node.limits
    powers = [factor.as_base_exp() for factor in Mul.make_args(sympy.factor(node.function))]
    ends = {ZERO, ONE} if {low, high} <= {ZERO, ONE, p} else set()
    found = []
    for end in sorted(ends):
        orders = [_order(base, exponent, variable, end) for base, exponent in powers]
        found += [] if None in orders else [Add(*orders)]
    return tuple(found)


def _order(base: Expr, exponent: Expr, variable: Symbol, end: Expr) -> Expr | None:
    """Return the order of a zero of a power at an end, below 0 that of a pole, if a slope there shows it."""
    reached = base.subs(variable, end)
    if exponent.has(variable) or not reached.is_finite:
        return None
    if reached.is_nonzero:
        return ZERO
    slope = sympy.diff(base, variable).subs(variable, end)
    return exponent if reached == 0 and slope.is_finite and slope.is_nonzero else None


def _exponent(term: Expr, variable: Symbol) -> Expr | None:
    """Return the exponent of a variable in ``c x^e``, or that of a function in ``c g' g^e``."""
    _, moving = sympy.expand_power_base(term).as_independent(variable, as_Add=False)
    pairs = [part.as_base_exp() for part in Mul.make_args(sympy.powsimp(moving))]
    if any(exponent.has(variable) for _, exponent in pairs):
        return None
    outer = [(base, exponent) for base, exponent in pairs if base != variable]
    power = Add(*[exponent for base, exponent in pairs if base == variable])
    if len(outer) != 1:
        return None if outer else power
    ((g, exponent),) = outer
    rest = sympy.powsimp(sympy.expand(variable**power / sympy.diff(g, variable)))
    return None if rest.has(variable) else exponent


def _change(fact: Expr) -> Expr | None:
    """Write what is 0 at one value above 0 of a letter, in which it is linear, as a polynomial that rises with it."""
    fact = sympy.numer(sympy.together(fact))
    letters = sorted(fact.free_symbols, key=str)
    if not 1 <= len(letters) <= MOST_LETTERS or p in letters or not fact.is_polynomial():
        return None
    values = ((letter, _value(fact, letter)) for letter in letters if sympy.degree(fact, letter) == 1)
    return next((_rising(letter, value) for letter, value in values if value is not None), None)


def _value(fact: Expr, letter: Symbol) -> Expr | None:
    """Return the value of a letter at which a linear function of it is 0: a number, or one in the other letter."""
    value = sympy.cancel(letter - fact / sympy.diff(fact, letter))
    is_rational = value.subs(dict.fromkeys(value.free_symbols, ONE)).is_rational
    return value if value.is_positive and is_rational else None


def _rising(letter: Symbol, value: Expr) -> Expr:
    top, bottom = sympy.fraction(value)
    return letter - value if bottom.is_number else sympy.expand(letter * bottom - top)
