"""Gamma functions of one expression through as few of them as the functional equations leave."""

from __future__ import annotations

from itertools import combinations_with_replacement

import sympy
from sympy import Expr, Rational

from costderive.deciders.size import MAX_DEGREE


def in_fewest_functions(expr: Expr) -> Expr:
    """Write Beta and Gamma functions, whole and incomplete, through as few of them as is known here."""
    expr = with_one_incomplete_beta(with_one_incomplete_gamma(in_gammas(expr)))
    return with_related_gammas(with_related_incomplete_gammas(expr))


def with_related_gammas(expr: Expr) -> Expr:
    """Write Gamma functions by those of least arguments, and of fractions that are related leave one."""
    return with_least_gammas(expr).replace(_is_gamma_of_fraction, lambda node: by_fewer_gammas(node.args[0]))


def with_least_gammas(expr: Expr) -> Expr:
    """Write ``Gamma(z + n)`` as ``z (z + 1) ... (z + n - 1) Gamma(z)`` where both are there, or z is a number."""
    least = dict[Expr, Expr]()
    shifts = {node: sympy.expand(node.args[0]).as_coeff_Add() for node in expr.atoms(sympy.gamma)}
    for number, rest in shifts.values():
        share = number - sympy.floor(number)
        least[rest + share] = share if rest == 0 else min(number, least.get(rest + share, number))
    starts = {
        node: rest + least[rest + number - sympy.floor(number)] for node, (number, rest) in shifts.items()
    }
    steps = {node: sympy.expand(node.args[0] - start) for node, start in starts.items()}
    shifted = {
        node: sympy.gamma(start) * (sympy.rf(start, step) if step > 0 else 1 / sympy.rf(node.args[0], -step))
        for node, start in starts.items()
        if abs(step := steps[node]) <= MAX_DEGREE
    }
    return expr.xreplace(shifted)


def in_gammas(expr: Expr) -> Expr:
    """Write Beta functions as quotients of Gamma functions."""
    return expr.replace(
        sympy.beta, lambda a, b: sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(sympy.cancel(a + b))
    )


def with_one_incomplete_gamma(expr: Expr) -> Expr:
    """Write the lower incomplete Gamma function by the upper one, if an expression holds both."""
    if not expr.has(sympy.uppergamma):
        return expr
    return expr.replace(sympy.lowergamma, lambda a, z: sympy.gamma(a) - sympy.uppergamma(a, z))


def with_one_incomplete_beta(expr: Expr) -> Expr:
    """Write ``B_z(a, b)`` as ``B(a, b) - B_(1 - z)(b, a)`` where an expression has both, for positive shapes.

    Source: NIST Digital Library of Mathematical Functions, 8.17.4.

    >>> a, z = sympy.symbols("a z", positive=True)
    >>> with_one_incomplete_beta(sympy.betainc(a, 2, 0, z) + sympy.betainc(2, a, 0, 1 - z))
    gamma(a)/gamma(a + 2)
    """
    turned = dict[Expr, Expr]()
    for first, second in combinations_with_replacement(sorted(expr.atoms(sympy.betainc), key=str), 2):
        if _is_mirrored(first, second):
            whole = in_gammas(sympy.beta(*second.args[:2]))
            turned[second] = whole / 2 if first == second else whole - first
    return expr.xreplace(turned)


def _is_mirrored(node: Expr, other: Expr) -> bool:
    (a, b, start, y), (*shapes, other_start, z) = node.args, other.args
    known = a.is_positive and b.is_positive and shapes == [b, a] and start == other_start == 0
    return bool(known and (y + z).is_rational_function() and sympy.cancel(y + z) == 1)


def with_related_incomplete_gammas(expr: Expr) -> Expr:
    """Write ``Gamma(a + n, y)`` by ``Gamma(a, y)`` and powers where an expression has both.

    >>> y = sympy.Symbol("y", positive=True)
    >>> a = Rational(1, 3)
    >>> with_related_incomplete_gammas(sympy.uppergamma(a + 1, y) - a * sympy.uppergamma(a, y))
    y**(1/3)*exp(-y)
    """
    expr = expr.replace(sympy.uppergamma, _with_plain_argument)
    least = dict[tuple[Expr, Expr], Expr]()
    nodes = expr.atoms(sympy.uppergamma)
    for shape, y in (node.args for node in nodes):
        first = least.setdefault((_share(shape), y), shape)
        least[_share(shape), y] = first if sympy.expand(shape - first).is_positive else shape
    starts = {node: least[_share(node.args[0]), node.args[1]] for node in nodes}
    return expr.xreplace(
        {node: _by_lower(node.args[0], node.args[1], start) for node, start in starts.items()}
    )


def _with_plain_argument(shape: Expr, y: Expr) -> Expr:
    return sympy.uppergamma(shape, sympy.cancel(y) if y.is_rational_function() else y)


def _share(shape: Expr) -> Expr:
    number, rest = sympy.expand(shape).as_coeff_Add()
    return rest + number - sympy.floor(number)


def _by_lower(shape: Expr, y: Expr, start: Expr) -> Expr:
    """``Gamma(a + 1, y) = a Gamma(a, y) + y^a exp(-y)``."""
    if not 0 < sympy.expand(shape - start) <= MAX_DEGREE:
        return sympy.uppergamma(shape, y)
    lower = sympy.expand(shape - 1)
    return lower * _by_lower(lower, y, start) + y**lower * sympy.exp(-y)


def _is_gamma_of_fraction(expr: Expr) -> bool:
    return isinstance(expr, sympy.gamma) and bool(expr.args[0].is_Rational) and 0 < expr.args[0] < 1


def by_fewer_gammas(z: Expr) -> Expr:
    """Return Gamma at a fraction by reflection and duplication, which leave one where several are related.

    Reflection leads to fractions below 1/2. There duplication, with ``Gamma(z + 1/2)`` reflected, says that
    ``Gamma(z) = 2^(1 - 2z) cos(pi z) Gamma(2z) Gamma(1/2 - z)/sqrt(pi)``: of an odd number over twice another, this
    leads to odd denominators; of denominators that 4 divides, to smaller ones, and to fractions below 1/4.

    Source: NIST Digital Library of Mathematical Functions, 5.5.3 and 5.5.5.
    """
    half, angle = Rational(1, 2), sympy.pi * z
    if z > half:
        return sympy.pi / (sympy.sin(angle) * by_fewer_gammas(1 - z))
    if z < half and (z.q % 4 == 2 or (z.q % 4 == 0 and z > half / 2)):
        factor = 2 ** (1 - 2 * z) * sympy.cos(angle) / sympy.sqrt(sympy.pi)
        return factor * by_fewer_gammas(2 * z) * by_fewer_gammas(half - z)
    return sympy.gamma(z)
