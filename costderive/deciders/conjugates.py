"""The sign of ``a + b sqrt(d)`` where the two terms pull in opposite directions, by their squares."""

from __future__ import annotations

import sympy
from sympy import Expr, Pow, Symbol

from costderive.deciders.asking import Asking
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.rational import is_rational


def by_conjugate(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it ``(a + b sqrt(d))/c``, ``c > 0``, and ``a > 0`` with ``a^2 > b^2 d`` or ``b > 0`` with ``b^2 d > a^2``?"""
    roots = {
        node.base
        for node in expr.atoms(Pow)
        if node.exp.is_Rational and node.exp.q == 2 and node.free_symbols
    }
    if len(roots) != 1 or not ask.positive(base := roots.pop()):
        return False
    letter = next(fresh("g", (expr,), ask.on, ask.given, positive=True))
    image = expr.xreplace({node: letter ** (2 * node.exp) for node in expr.atoms(Pow) if node.base == base})
    if not is_rational(image):
        return False
    top, bottom = sympy.fraction(sympy.together(image))
    a, b = _reduced(top, letter, base)
    if not ask.positive(bottom.xreplace({letter: sympy.sqrt(base)})):
        return False
    sides = ((a, a**2 - b**2 * base), (b, b**2 * base - a**2))
    return any(ask.positive(side) and ask.positive(gap) for side, gap in sides)


def _reduced(top: Expr, root: Symbol, square: Expr) -> tuple[Expr, Expr]:
    """Write a polynomial in a root as ``a + b root``."""
    terms = sympy.Poly(top, root).terms()
    parts = [sympy.Add(*[x * square ** (n // 2) for (n,), x in terms if n % 2 == odd]) for odd in (0, 1)]
    return parts[0], parts[1]
