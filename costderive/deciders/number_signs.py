"""Signs of numbers: exact for fractions, by enclosures that exclude zero, and zero by a bound for radicals."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy import Add, Expr, Integral, Mul

from costderive.deciders.enclosure import enclose
from costderive.deciders.radicals import vanishes

MOST_TIMES = 1000  # a factor in a product that is 1


def is_number(expr: Expr) -> bool:
    """Return whether an expression is a number whose sign may be asked for: an integral would be evaluated."""
    return bool(expr.is_number) and not expr.has(Integral)


@lru_cache(maxsize=4096)
def number_sign(expr: Expr) -> int | None:
    """Return the sign of a number: of a fraction at sight, of another by an enclosure or as a zero of radicals."""
    if expr.is_Rational:
        return int(sympy.sign(expr))
    bounds = enclose(expr)
    if bounds is not None and (bounds[0] > 0 or bounds[1] < 0):
        return 1 if bounds[0] > 0 else -1
    return 0 if vanishes(expr) or _logarithms_cancel(expr) else None


def _logarithms_cancel(expr: Expr) -> bool:
    """Return whether terms ``c log r`` with rational c and r, times common factors, add up to 0: as powers to 1."""
    products = dict[Expr, list[tuple[Expr, Expr]]]()
    expanded = sympy.expand(expr)
    for term in Add.make_args(expanded) if expanded != 0 else ():
        number, rest = term.as_coeff_Mul()
        logs = [
            node for node in Mul.make_args(rest) if isinstance(node, sympy.log) and node.args[0].is_Rational
        ]
        if not logs:
            return False
        products.setdefault(rest / logs[0], []).append((number, logs[0].args[0]))
    return all(map(_product_is_one, products.values()))


def _product_is_one(powers: list[tuple[Expr, Expr]]) -> bool:
    scale = sympy.ilcm(1, *[exponent.q for exponent, _ in powers])
    if not all(base.is_positive and abs(exponent * scale) < MOST_TIMES for exponent, base in powers):
        return False
    return bool(Mul(*[base ** (exponent * scale) for exponent, base in powers]) == 1)
