"""Logarithms of numbers in densities, written by those of primes."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

LARGEST_SPLIT = 10**12  # a number whose prime factors are found at once


def with_logs_of_primes(expr: Any) -> Any:
    """Split ``log(60)``: SymPy multiplies primes out in ``exp(c log(60))`` for a fraction c, and that has no bound."""
    return expr.replace(_is_log_of_number, _split) if isinstance(expr, Expr) else expr


def _is_log_of_number(node: Expr) -> bool:
    is_plain = isinstance(node, sympy.log) and node.args[0].is_Rational and node.args[0].is_positive
    return bool(is_plain and max(node.args[0].p, node.args[0].q) < LARGEST_SPLIT)


def _split(log: Expr) -> Expr:
    return sympy.Add(*[n * sympy.log(prime) for prime, n in sympy.factorrat(log.args[0]).items()])
