"""Functions of a line ``a x + b``, integrated over it: laws that start beyond 0 are closed as those from 0 on are."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Pow, Symbol

from costderive.core.piecewise import Given
from costderive.derivation.integration.primitive_table import primitive

MOST_LINES, MOST_TERMS = 2, 4
CUBE = 3
_y = Symbol("_y", positive=True)


def primitive_along_line(expr: Expr, x: Symbol, given: Given = Given()) -> Expr | None:
    """Return an antiderivative of a function of a line: of its logarithm, a root, an incomplete Gamma or Beta function.

    >>> x = Symbol("x", positive=True)
    >>> primitive_along_line(sympy.log(x - 1) ** 2 * sympy.exp(-sympy.log(x - 1) ** 2) / (x - 1), x)
    >>> primitive_along_line(sympy.exp(-sympy.log(x - 1) ** 2) / (x - 1), x)
    sqrt(pi)*(erf(log(x - 1)) + 1)/2
    """
    expr = _completed(expr, x)
    terms = Add.make_args(expr)
    whole = _along(expr, x, given)
    if whole is not None or not 1 < len(terms) <= MOST_TERMS:
        return whole
    total = sympy.S.Zero
    for term in terms:
        found = primitive(term, x, given) or _along(term, x, given)
        if found is None:
            return None
        total += found
    return total


def _completed(expr: Expr, x: Symbol) -> Expr:
    """Write exponents that are, up to a constant, a whole power of a line as that power.

    >>> x = Symbol("x", positive=True)
    >>> _completed(sympy.exp(1 - 3 * x + 3 * x**2) * sympy.exp(-(x**3)), x)
    exp(-(x - 1)**3)
    """
    if not any(_degree(node.args[0], x) >= CUBE for node in expr.atoms(sympy.exp)):
        return expr
    joined = sympy.powsimp(sympy.expand(expr, deep=False), combine="exp")
    nodes = {node: _power_of_line(node.args[0], x) for node in joined.atoms(sympy.exp)}
    return joined.xreplace({node: sympy.exp(power) for node, power in nodes.items() if power is not None})


def _degree(exponent: Expr, x: Symbol) -> int:
    return int(sympy.degree(exponent, x)) if exponent.has(x) and exponent.is_polynomial(x) else 0


def _power_of_line(exponent: Expr, x: Symbol) -> Expr | None:
    degree = _degree(exponent, x)
    if degree < CUBE:
        return None
    poly = sympy.Poly(exponent, x)
    first, second = poly.nth(degree), poly.nth(degree - 1)
    power = first * (x + second / (degree * first)) ** degree
    rest = sympy.expand(exponent - power)
    return None if second == 0 or rest.has(x) else power + rest


def _along(expr: Expr, x: Symbol, given: Given) -> Expr | None:
    for line in _lines(expr, x):
        slope = sympy.diff(line, x)
        place = (_y - line.subs(x, 0)) / slope
        found = primitive(expr.xreplace({line: _y}).subs(x, place) / slope, _y, given)
        if found is not None:
            return found.subs(_y, line)
    return None


def _lines(expr: Expr, x: Symbol) -> Iterator[Expr]:
    """Yield the lines that do not start at 0, if they are few."""
    inside = {node.args[-1] for node in expr.atoms(sympy.log, sympy.uppergamma, sympy.betainc)}
    roots = {node.base for node in expr.atoms(Pow) if not node.exp.is_Integer}
    exponents = [node.args[0] for node in expr.atoms(sympy.exp)]
    cubes = {node.base for exponent in exponents for node in exponent.atoms(Pow) if node.exp.is_Integer}
    lines = [one for one in inside | roots | cubes if _is_line(one, x)]
    if len(lines) <= MOST_LINES:
        yield from sorted(lines, key=str)


def _is_line(expr: Expr, x: Symbol) -> bool:
    return bool(expr.is_polynomial(x) and sympy.degree(expr, x) == 1 and expr.subs(x, 0) != 0)
