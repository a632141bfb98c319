"""Few functions instead of many: exponentials, sine and cosine for what is made of them, Gamma for Catalan numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy
from sympy import Expr, cos, exp, gamma, sin

_WRITTEN: Mapping[Any, Callable[[Expr], Expr]] = {
    sympy.sinh: lambda z: (exp(z) - exp(-z)) / 2,
    sympy.cosh: lambda z: (exp(z) + exp(-z)) / 2,
    sympy.tanh: lambda z: 1 - 2 / (exp(2 * z) + 1),
    sympy.coth: lambda z: 1 + 2 / (exp(2 * z) - 1),
    sympy.sech: lambda z: 2 / (exp(z) + exp(-z)),
    sympy.csch: lambda z: 2 / (exp(z) - exp(-z)),
    sympy.tan: lambda z: sin(z) / cos(z),
    sympy.cot: lambda z: cos(z) / sin(z),
    sympy.sec: lambda z: 1 / cos(z),
    sympy.csc: lambda z: 1 / sin(z),
}


def complete_beta(a: Expr, b: Expr) -> Expr:
    """Return ``B(a, b)``, which SymPy writes with a Catalan number of a fraction where b is a + 1.

    For fractions with ``a + b = 1`` it is ``pi/sin(pi a)``.

    >>> complete_beta(sympy.Rational(3, 2), sympy.Rational(5, 2))
    pi/16
    >>> complete_beta(sympy.Rational(1, 4), sympy.Rational(3, 4))
    sqrt(2)*pi
    """
    if a.is_Rational and a + b == 1:
        return sympy.pi / sympy.sin(sympy.pi * a)
    return without_catalan(sympy.beta(a, b))


def without_catalan(expr: Expr) -> Expr:
    """Write Catalan numbers of fractions by Gamma functions."""
    return expr.replace(sympy.catalan, lambda n: gamma(2 * n + 1) / (gamma(n + 1) * gamma(n + 2)))


def by_exponentials(total: Expr, nodes: Iterable[Expr]) -> Expr:
    """Write a sum by some of its exponentials: each stands once, with all that multiplies it.

    They have names while that is done: for ``exp(a log(x))`` SymPy takes other powers of x for powers of it, wrongly.
    """
    names = {node: sympy.Dummy(positive=True) for node in sorted(nodes, key=str)}
    collected = sympy.collect(total.xreplace(names), list(names.values()))
    return collected.xreplace({name: node for node, name in names.items()})


def in_plain_functions(expr: Expr) -> Expr:
    """Write an expression with exponentials, sines and cosines in place of what is made of them.

    >>> in_plain_functions(sympy.tan(sympy.Symbol("x")))
    sin(x)/cos(x)
    """
    for function, written in _WRITTEN.items():
        expr = expr.replace(function, written)
    return expr
