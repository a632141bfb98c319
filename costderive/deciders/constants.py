"""Is a number zero that is made of roots, angles and logarithms of such? What else it holds are letters.

``n_1 atan(y_1) + ... + n pi`` with whole n is zero if it is less than 3 in size and the product of ``(1 + i y_k)^n_k``
is real: the sum is then a multiple of pi. ``n_1 log(y_1) + ...`` is zero if the product of ``y_k^n_k`` is 1. For other
relations of these numbers, nothing is decided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

import sympy
from sympy import Add, Expr, Mul, Poly, Pow

from costderive.deciders.enclosure import enclose
from costderive.deciders.radicals import made_of_roots, plain, vanishes

MOST_FACTORS = 48
COARSEST = 1000  # denominator of the ratio of two coefficients

Terms = dict[tuple[int, ...], Expr]
Whole = dict[Expr, int]


def constant_vanishes(expr: Expr) -> bool:
    """Return whether a number is certainly zero.

    >>> half, third = sympy.Rational(1, 2), sympy.Rational(1, 3)
    >>> constant_vanishes(sympy.log(2) * (4 * sympy.atan(half) + 4 * sympy.atan(third) - sympy.pi))
    True
    """
    if not expr.is_number:
        return False
    turned = plain(expr).replace(_is_arc, _as_arctangent)
    bounds = enclose(turned)
    if bounds is None or bounds[0] > 0 or bounds[1] < 0:
        return False
    nodes = sorted(_transcendental(turned), key=str)
    names = {node: sympy.Dummy() for node in nodes}
    numerator: Expr = sympy.fraction(sympy.together(turned.xreplace(names)))[0]
    if not nodes or not numerator.is_polynomial(*names.values()):
        return vanishes(numerator)
    terms: Terms | None = dict(Poly(numerator, *names.values(), domain="EX").as_dict(native=False))
    for kind, holds in (((sympy.atan, type(sympy.pi)), _is_no_angle), ((sympy.log,), _is_logarithm_of_1)):
        family = {i: node for i, node in enumerate(nodes) if isinstance(node, kind)}
        terms = None if terms is None else _without(terms, family, holds)
    return terms == {}


def _is_arc(node: Expr) -> bool:
    return isinstance(node, sympy.asin | sympy.acos)


def _as_arctangent(node: Expr) -> Expr:
    y = node.args[0]
    angle = sympy.atan(_denested(y / sympy.sqrt(1 - y**2)))
    return angle if isinstance(node, sympy.asin) else sympy.pi / 2 - angle


def _denested(tangent: Expr) -> Expr:
    """Write a number with as few roots within roots as its square shows."""
    bounds = enclose(tangent)
    if not made_of_roots(tangent) or bounds is None or bounds[0] <= 0 <= bounds[1]:
        return tangent
    square = sympy.radsimp(sympy.expand(tangent**2))
    shorter = sympy.expand(sympy.sqrtdenest(sympy.sqrt(square)))
    equal = vanishes(sympy.expand(shorter**2 - square))
    return sympy.expand(sympy.sign(bounds[0]) * sympy.Abs(shorter)) if equal else tangent


def _transcendental(expr: Expr) -> set[Expr]:
    """Return the largest parts that are neither made of roots nor sums, products and whole powers of parts."""
    if made_of_roots(expr):
        return set()
    if isinstance(expr, Add | Mul) or (isinstance(expr, Pow) and expr.exp.is_Integer):
        return {node for arg in expr.args for node in _transcendental(arg)}
    return {expr}


def _without(terms: Terms, family: dict[int, Expr], holds: Callable[[Whole], bool]) -> Terms | None:
    """Drop the terms that hold one of a family, if those beside each product of other letters add up to zero."""
    left: Terms = {}
    beside = defaultdict[tuple[int, ...], dict[Expr, Expr]](dict)
    for powers, coefficient in terms.items():
        inside = [i for i in family if powers[i]]
        if vanishes(coefficient):
            continue
        if not inside:
            left[powers] = coefficient
        elif sum(powers[i] for i in inside) == 1:
            (at,) = inside
            beside[(*powers[:at], 0, *powers[at + 1 :])][family[at]] = coefficient
        else:
            return None
    ratios = [_in_whole_numbers(coefficients) for coefficients in beside.values()]
    return left if all(found is not None and holds(found) for found in ratios) else None


def _in_whole_numbers(coefficients: dict[Expr, Expr]) -> Whole | None:
    """Return whole numbers in the proportion of the coefficients, if there are such."""
    first = next(iter(coefficients.values()))
    ratios = {}
    for node, coefficient in coefficients.items():
        bounds = enclose(coefficient / first)
        ratio = sympy.Rational(Fraction(float(bounds[0])).limit_denominator(COARSEST)) if bounds else None
        if ratio is None or not vanishes(coefficient - ratio * first):
            return None
        ratios[node] = ratio
    unit = sympy.gcd_list(list(ratios.values()))
    return {node: int(ratio / unit) for node, ratio in ratios.items()}


def _is_no_angle(angles: Whole) -> bool:
    whole = sympy.Add(*[n * node for node, n in angles.items()])
    turns = {node.args[0]: n for node, n in angles.items() if node != sympy.pi}
    if sum(map(abs, turns.values())) > MOST_FACTORS:
        return False
    factors = [sympy.sign(n) * y for y, n in turns.items() for _ in range(abs(n))]
    imaginary = reduce(_turned, factors, (sympy.S.One, sympy.S.Zero))[1]
    bounds = enclose(whole)
    return bounds is not None and -3 < bounds[0] <= bounds[1] < 3 and vanishes(imaginary)


def _turned(z: tuple[Expr, Expr], y: Expr) -> tuple[Expr, Expr]:
    """Multiply by ``1 + i y``."""
    real, imaginary = z
    return sympy.expand(real - y * imaginary), sympy.expand(imaginary + y * real)


def _is_logarithm_of_1(logs: Whole) -> bool:
    small = sum(map(abs, logs.values())) <= MOST_FACTORS
    return small and vanishes(Mul(*[node.args[0] ** n for node, n in logs.items()]) - 1)
