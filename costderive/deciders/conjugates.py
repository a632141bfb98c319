"""The sign of ``a r + b t``, with roots r and t, where the two terms pull in opposite directions, by their squares."""

from __future__ import annotations

from collections import defaultdict

import sympy
from sympy import Expr, Mul, Pow, Symbol

from costderive.deciders.asking import Asking
from costderive.deciders.fresh_letters import fresh
from costderive.deciders.rational import is_rational

MOST_ROOTS = 2


def by_conjugate(expr: Expr, strict: bool, ask: Asking) -> bool:
    """Is it ``(a r + b t)/c``, ``c > 0``, with ``a > 0`` and ``(a r)^2 > (b t)^2``, or the other way round?

    Here r and t are products of square roots of what is positive, or 1.
    """
    roots = {
        node.base
        for node in expr.atoms(Pow)
        if node.exp.is_Rational and node.exp.q == 2 and node.free_symbols
    }
    if not 0 < len(roots) <= MOST_ROOTS or not all(map(ask.positive, roots)):
        return False
    letters = fresh("g", (expr,), ask.on, ask.given, positive=True)
    names = dict(zip(sorted(roots, key=str), letters, strict=False))
    image = expr.xreplace(
        {node: names[node.base] ** (2 * node.exp) for node in expr.atoms(Pow) if node.base in names}
    )
    if not is_rational(image):
        return False
    top, bottom = sympy.fraction(sympy.together(image))
    if not ask.positive(bottom.xreplace({letter: sympy.sqrt(root) for root, letter in names.items()})):
        return False
    found = _by_roots(top, names)
    if len(found) != 2:
        return False
    (r_squared, a), (t_squared, b) = found.items()
    gap = a**2 * r_squared - b**2 * t_squared
    return any(ask.positive(side) and ask.positive(more) for side, more in ((a, gap), (b, -gap)))


def _by_roots(top: Expr, names: dict[Expr, Symbol]) -> dict[Expr, Expr]:
    """Return what stands before each product of roots in a polynomial of them, by the square of that product."""
    found = defaultdict[Expr, Expr](lambda: sympy.S.Zero)
    for powers, coefficient in sympy.Poly(top, *names.values()).terms():
        raised = list(zip(names, powers, strict=True))
        square = Mul(*[root ** (n % 2) for root, n in raised])
        found[square] += coefficient * Mul(*[root ** (n // 2) for root, n in raised])
    return found
