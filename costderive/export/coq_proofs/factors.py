"""What stands under roots, in logarithms and below fraction lines, taken apart into factors.

Coq sees that two formulas are equal once their roots and logarithms are those of the same few irreducible factors,
and it may divide by these once it is on record that they are positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy import Expr, Pow

from costderive.decide.signs import positive
from costderive.export.coq_proofs.signs import Visible, fraction_of, irrational_parts
from costderive.export.coq_proofs.terms import levelled
from costderive.pieces import Given, Interval

Factors = list[tuple[Expr, int]]


def factored(exprs: Iterable[Expr], on: Interval, given: Given) -> tuple[str, ...]:
    """Return the terms, written by their factors, of all that roots and logarithms in the expressions are taken of.

    What differentiation puts under a root is among them.
    """
    return _written(_all_arguments(exprs), on, given)


def factored_at(point: Expr, exprs: Iterable[Expr], on: Interval, given: Given) -> tuple[str, ...]:
    """Return the same at a point: the arguments are taken before SymPy evaluates a function of a number."""
    return _written([x.subs(on.variable, point) for x in _all_arguments(exprs)], None, given)


def _written(arguments: Iterable[Expr], on: Interval | None, given: Given) -> tuple[str, ...]:
    forms = (_factors(argument, on, given) for argument in arguments)
    return tuple(dict.fromkeys(_text(*form) for form in forms if form is not None))


def _all_arguments(exprs: Iterable[Expr]) -> list[Expr]:
    return list(dict.fromkeys(argument for expr in exprs for argument in _arguments(expr)))


def divisors(exprs: Iterable[Expr], on: Interval | None, given: Given) -> tuple[Expr, ...]:
    """Return the factors, made positive, that the expressions divide by or take roots or logarithms of.

    Those of degree one are left out: Coq sees their signs without help.
    """
    found: dict[Expr, None] = {}
    for expr in exprs:
        for node in (*_arguments(expr), *_below(expr)):
            form = _factors(node, on, given)
            found |= dict.fromkeys(factor for factor, _ in (form[1] if form else ()))
    return tuple(factor for factor in found if sympy.Poly(factor, *factor.free_symbols).total_degree() > 1)


def _arguments(expr: Expr) -> Iterator[Expr]:
    """Yield what is under a root or in a logarithm, also those that differentiation makes."""
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, Pow) and node.exp.is_Rational and not node.exp.is_Integer:
            yield node.base
        elif isinstance(node, sympy.log):
            yield node.args[0]
        elif isinstance(node, sympy.asinh):
            yield node.args[0] ** 2 + 1
        elif isinstance(node, sympy.asin | sympy.acos):
            yield sympy.expand(1 - node.args[0] ** 2)


def _below(expr: Expr) -> Iterator[Expr]:
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, Pow) and node.exp.is_Rational and node.exp.is_negative:
            yield node.base


def _factors(expr: Expr, on: Interval | None, given: Given) -> tuple[Expr, Factors] | None:
    """Return a positive number and the irreducible factors of a rational function, each of them made positive."""
    if any(irrational_parts(expr)):
        return None
    top, bottom = (sympy.factor_list(part) for part in sympy.fraction(sympy.together(expr)))
    number = top[0] / bottom[0]
    found: Factors = []
    for factor, power in [*top[1], *[(factor, -power) for factor, power in bottom[1]]]:
        sign = 1 if positive(factor, on, given) else -1 if positive(-factor, on, given) else 0
        if not sign:
            return None
        number *= sign**power
        found.append((sympy.expand(sign * factor), power))
    return (number, found) if number > 0 else None


def _text(number: Expr, factors: Factors) -> str:
    """Write the factors of an argument, prime numbers included."""
    primes = [(sympy.Integer(prime), power) for prime, power in sympy.factorrat(number).items()]
    shown = [(Visible(*levelled(factor)), power) for factor, power in [*primes, *factors]]
    above = [factor**power for factor, power in shown if power > 0]
    below = [factor**-power for factor, power in shown if power < 0]
    return fraction_of(sympy.S.One, above, below).text
