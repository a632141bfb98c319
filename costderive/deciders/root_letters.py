"""A statement in letters with roots of them, or powers such as ``2^k``, as one in letters for these."""

from __future__ import annotations

import sympy
from sympy import Expr, Pow, Symbol

from costderive.core.piecewise import Given, Interval
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.in_parameters import Moved
from costderive.deciders.size import MAX_DEGREE


def of_roots_in_ends(expr: Expr, on: Interval, given: Given) -> Moved | None:
    """Take the square of a letter for each letter whose square root stands in the ends of the interval."""
    roots = (node for end in (on.low, on.high) for node in end.atoms(Pow) if abs(node.exp) == sympy.S.Half)
    return _moved(expr, on, given, {node.base: 2 for node in roots})


def of_powers_in_ends(expr: Expr, on: Interval, given: Given) -> Moved | None:
    """Take a letter for each power with letters in its exponent in the ends of the interval, as ``2^k``."""
    powers = {node for end in (on.low, on.high) for node in end.atoms(Pow) if _is_positive(node)}
    letters = fresh("e", (expr,), on, given, positive=True)
    images = {power: _beyond_one(power) + next(letters) for power in sorted(powers, key=str)}
    if not images:
        return None
    low, high = (end.xreplace(images) for end in (on.low, on.high))
    facts = (tuple(fact.xreplace(images) for fact in one) for one in (given.positive, given.nonnegative))
    return expr.xreplace(images), Interval(on.variable, low, high), Given(*facts)


def _is_positive(power: Pow) -> bool:
    return bool(power.base.is_positive and power.exp.is_real and not power.exp.is_number)


def _beyond_one(power: Pow) -> Expr:
    above = (power.base - 1).is_positive and power.exp.is_positive
    return sympy.S.One if above else sympy.S.Zero


def in_root_letters(expr: Expr, on: Interval | None, given: Given) -> Moved | None:
    """Take a power of a letter for each letter of which the expression has a root."""
    degrees: dict[Expr, int] = {}
    for node in expr.atoms(Pow):
        if node.exp.is_Rational and not node.exp.is_Integer and node.base in expr.free_symbols:
            degrees[node.base] = int(sympy.ilcm(degrees.get(node.base, 1), node.exp.q))
    return _moved(expr, on, given, degrees)


def _moved(expr: Expr, on: Interval | None, given: Given, degrees: dict[Expr, int]) -> Moved | None:
    """Put powers of positive letters for positive letters, in the expression, its range and what is given."""
    known = {x: n for x, n in degrees.items() if isinstance(x, Symbol) and x.is_positive and n <= MAX_DEGREE}
    letters = zip(sorted(known, key=str), fresh("q", (expr,), on, given, positive=True), strict=False)
    roots = dict(letters)
    if not roots:
        return None
    powers = {x: letter ** known[x] for x, letter in roots.items()}
    facts = (tuple(_of_roots(fact, powers) for fact in one) for one in (given.positive, given.nonnegative))
    return expr.subs(powers), _range(on, roots, known, powers), Given(*facts)


def _of_roots(fact: Expr, powers: dict[Symbol, Expr]) -> Expr:
    """Say ``y^n < c`` and ``y^n > c`` as ``y < c^(1/n)`` and ``y > c^(1/n)``, for a number c."""
    constant, moving = fact.as_coeff_Add()
    number, x = moving.as_coeff_Mul()
    if x not in powers or not (-constant / number).is_positive:
        return fact.subs(powers)
    letter, degree = powers[x].as_base_exp()
    return sympy.sign(number) * (letter - (-constant / number) ** (1 / degree))


def _range(
    on: Interval | None, roots: dict[Symbol, Symbol], degrees: dict[Expr, int], powers: dict[Symbol, Expr]
) -> Interval | None:
    """Return the range of the root of a positive variable, or that of another, with powers in its ends."""
    if on is None:
        return None
    low, high = (end.subs(powers) for end in (on.low, on.high))
    if on.variable not in roots:
        return Interval(on.variable, low, high)
    exponent = sympy.Rational(1, degrees[on.variable])
    return Interval(roots[on.variable], sympy.Max(0, low) ** exponent, high**exponent)
