"""What algebra can carry: polynomials of a moderate degree. Beyond it, expressions are left as they stand."""

from __future__ import annotations

from functools import lru_cache

from sympy import Add, Expr, Mul, Pow, Symbol, exp

MAX_DEGREE = 40
MAX_TOTAL_DEGREE = 400
MAX_ROOT = 500


def steep(expr: Expr, roots: bool = True) -> bool:
    """Return whether an expression holds a power too high (or of too fine a root) to be multiplied out.

    Without ``roots`` only whole powers count, and ``x^(184/125)`` is x times a letter.

    >>> from costderive.symbols import s
    >>> steep((1 + s) ** 1000), steep((1 + ((1 + s) ** 30 + 1) ** 30) ** 30), steep((1 + s) ** 3)
    (True, True, False)
    """
    powers = [power for power in expr.atoms(Pow) if power.exp.is_Rational]
    return any(
        _order(power, roots) > MAX_DEGREE or degree(power, roots) > MAX_TOTAL_DEGREE for power in powers
    )


def large_exponentials(expr: Expr) -> set[Expr]:
    """Return the exponentials of large multiples: SymPy takes ``exp(10^6 x)`` for a high power of ``exp(x)``.

    Of ``exp(1001 x/1000)``, too, it takes a high power, that of ``exp(x/1000)``.

    >>> from costderive.symbols import s
    >>> large_exponentials(exp(-s) + exp(-1000 * s))
    {exp(-1000*s)}
    """
    return {
        node
        for node in expr.atoms(exp)
        if any(_is_large(term.as_coeff_Mul()[0]) for term in Add.make_args(node.args[0]))
    }


def _is_large(multiple: Expr) -> bool:
    return bool(abs(multiple) > MAX_DEGREE or (multiple.is_Rational and abs(multiple.p) > MAX_TOTAL_DEGREE))


def _order(power: Pow, roots: bool) -> int:
    top, bottom = abs(power.exp.p), power.exp.q
    return int(max(top, bottom) if roots else -(-top // bottom))


@lru_cache(maxsize=4096)
def degree(expr: Expr, roots: bool = True) -> int:
    """Bound the degree of what an expression multiplies out to, where a root counts by its order."""
    if isinstance(expr, Add):
        return max(degree(arg, roots) for arg in expr.args)
    if isinstance(expr, Mul):
        return sum(degree(arg, roots) for arg in expr.args)
    if isinstance(expr, Pow) and expr.exp.is_Rational:
        return _order(expr, roots) * degree(expr.base, roots)
    return 1 if isinstance(expr, Symbol) or expr.args else 0
