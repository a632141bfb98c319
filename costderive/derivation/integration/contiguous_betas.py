"""Incomplete Beta functions of one place whose shapes differ by integers: all are multiples of one, and powers.

Source: NIST Digital Library of Mathematical Functions, 8.17(iv).
"""

from __future__ import annotations

from collections import defaultdict

import sympy
from sympy import Expr

MOST_STEPS = 40


def with_one_beta(expr: Expr) -> Expr:
    """Write incomplete Beta functions with a second shape that is not positive through one for each place.

    >>> z = sympy.Symbol("z", positive=True)
    >>> with_one_beta(sympy.betainc(sympy.Rational(3, 2), 0, 0, z) - sympy.betainc(sympy.Rational(1, 2), 0, 0, z))
    -2*sqrt(z)
    """
    groups = defaultdict[tuple[Expr, ...], list[Expr]](list)
    for node in expr.atoms(sympy.betainc):
        a, b, low, z = node.args
        if low == 0 and b.is_Rational and (a.is_Rational or a.is_positive):
            groups[_share(a), _share(b), z].append(node)
    improper = [nodes for nodes in groups.values() if any(node.args[1] <= 0 for node in nodes)]
    images = {node: image for nodes in improper for node, image in _through_one(nodes).items()}
    return sympy.expand(expr.xreplace(images)) if images else expr


def _share(shape: Expr) -> Expr:
    """Return what is left of a shape when whole numbers are taken away."""
    number, letters = shape.as_coeff_Add()
    return letters + number - sympy.floor(number)


def _through_one(nodes: list[Expr]) -> dict[Expr, Expr]:
    first = min((node.args[0] for node in nodes), key=lambda shape: shape.as_coeff_Add()[0])
    return {node: _reduced(node, first) for node in nodes}


def _reduced(node: Expr, first: Expr) -> Expr:
    """Write ``B_z(a, b)`` by that of the least first shape, and of a second one from 0 to below 1."""
    a, b, _, z = node.args
    second = b - sympy.floor(b)
    if abs(b - second) + a - first > MOST_STEPS or (a + b).is_Integer:
        return node
    return _step(a, b, z, first, second)


def _step(a: Expr, b: Expr, z: Expr, first: Expr, second: Expr) -> Expr:
    """Raise or lower the second shape by 1, then lower the first one."""
    if b < second:
        return ((a + b) * _step(a, b + 1, z, first, second) - z**a * (1 - z) ** b) / b
    if b > second:
        lower = b - 1
        return (lower * _step(a, lower, z, first, second) + z**a * (1 - z) ** lower) / (a + lower)
    if a > first:
        lower = a - 1
        return (lower * _step(lower, b, z, first, second) - z**lower * (1 - z) ** b) / (lower + b)
    return sympy.betainc(a, b, 0, z)
