"""The sign of a difference of two powers with one exponent: for x, y, k > 0, ``x^k - y^k`` has that of ``x - y``.

Products of powers whose exponents are whole multiples of k are such powers.
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce

import sympy
from sympy import Add, Dummy, Expr, Integral, Mul, Pow

from costderive.core.piecewise import Given, Interval
from costderive.deciders.asking import Asking, Decide
from costderive.deciders.size import MAX_DEGREE

MOST_PAIRS, MOST_TERMS = 3, 12  # terms that are outweighed, and all terms


def by_bases(expr: Expr, on: Interval | None, given: Given, strict: bool, decide: Decide) -> bool:
    """Return whether a difference of two powers is certainly positive, or not negative, on the interval."""
    if not isinstance(expr, Add) or len(expr.args) != 2 or expr.has(Integral):
        return False
    powers = _powers_of(sympy.powsimp(-expr.args[0] / expr.args[1], combine="exp"))
    exponent = _common(list(powers.values()))
    if exponent is None or not all(decide(base, on, given, True) for base in powers):
        return False
    ratio = sympy.prod([base ** sympy.cancel(power / exponent) for base, power in powers.items()])
    rises = decide(exponent, on, given, True) is not None
    if not rises and not decide(-exponent, on, given, True):
        return False
    first_is_positive = decide(expr.args[0], on, given, True) is not None
    if not first_is_positive and not decide(expr.args[1], on, given, True):
        return False
    gap = ratio - 1 if rises == first_is_positive else 1 - ratio
    return decide(sympy.factor(gap), on, given, strict) is not None


def _powers_of(ratio: Expr) -> dict[Expr, Expr]:
    powers = defaultdict[Expr, Expr](lambda: sympy.S.Zero)
    for factor in Mul.make_args(ratio):
        base, exponent = (factor, sympy.S.One) if _is_power_of_e(factor) else factor.as_base_exp()
        primes = sympy.factorrat(base).items() if base.is_Rational else ()
        for part, multiplicity in [(sympy.Integer(prime), m) for prime, m in primes] or [(base, 1)]:
            powers[part] += multiplicity * exponent
    return {base: exponent for base, exponent in powers.items() if exponent != 0}


def _is_power_of_e(factor: Expr) -> bool:
    """Is it a number ``e^x``? As a polynomial in a root of e it may have any degree."""
    return isinstance(factor, sympy.exp) and bool(factor.is_number)


def _common(exponents: list[Expr]) -> Expr | None:
    """Return an exponent with letters, or a fraction, of which all are whole multiples, and small ones."""
    if not exponents:
        return None
    multiples = [sympy.cancel(exponent / exponents[0]) for exponent in exponents]
    if not all(multiple.is_Rational for multiple in multiples):
        return None
    share = reduce(sympy.gcd, multiples)
    common = exponents[0] * share
    small = all(abs(multiple / share) <= MAX_DEGREE for multiple in multiples)
    return common if small and not common.is_Integer else None


def of_powers_of_numbers(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Have both sides of the line one sign, when a sum with powers of fractions is written over one line?

    For ``1/(2^k + 1) - 1/3`` these are ``2 - 2^k`` and ``3 (2^k + 1)``.
    """
    if not isinstance(expr, Add) or not any(map(_is_power_of_number, expr.atoms(Pow))):
        return False
    plain = expr.replace(
        _is_power_of_number, lambda power: Mul(*[b**n for b, n in _powers_of(power).items()])
    )
    images = {node: Dummy() for node in plain.atoms(Pow) if not node.exp.is_number}
    nodes = {image: node for node, image in images.items()}
    if not (flat := plain.xreplace(images)).is_rational_function():
        return False
    top, bottom = (side.xreplace(nodes) for side in sympy.fraction(sympy.factor(flat)))
    if not bottom.free_symbols or not ask.positive(bottom):
        return False
    return ask.positive(top) if strict else ask.nonnegative(top)


def by_pairs(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is each negative term of a sum outweighed by a positive term of its own, by the rule for two powers?

    In ``3^k u^k - x^k u^k + 1`` with x < 3 the first term outweighs the second.
    """
    if not isinstance(expr, Add) or expr.has(Integral):
        return False
    top, bottom = sympy.fraction(sympy.together(expr))
    terms = Add.make_args(sympy.expand_mul(top, deep=False))
    below = [term for term in terms if term.as_coeff_Mul()[0].is_negative]
    if (
        not 0 < len(below) <= MOST_PAIRS
        or len(terms) > MOST_TERMS
        or not any(map(_is_broken, top.atoms(Pow)))
    ):
        return False
    above = [term for term in terms if term not in below]
    return bool(bottom == 1 or ask.positive(bottom)) and _outweighed(below, above, strict, ask)


def _outweighed(below: list[Expr], above: list[Expr], strict: bool, ask: Asking) -> bool:
    if not below:
        return all(map(ask.nonnegative, above)) and (not strict or any(map(ask.positive, above)))
    for term in above:
        if by_bases(term + below[0], ask.on, ask.given, False, ask.decide):
            return _outweighed(below[1:], [other for other in above if other != term], strict, ask)
    return False


def _is_broken(power: Pow) -> bool:
    return not power.exp.is_Integer


def _is_power_of_number(expr: Expr) -> bool:
    is_power = isinstance(expr, Pow) and expr.base.is_Rational and expr.base.is_positive
    return bool(is_power and expr.exp.free_symbols)
