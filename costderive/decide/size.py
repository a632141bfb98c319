"""What algebra can carry: polynomials of a moderate degree. Beyond it, expressions are left as they stand."""

from __future__ import annotations

from sympy import Expr, Pow

MAX_DEGREE = 40
MAX_ROOT = 500


def steep(expr: Expr) -> bool:
    """Tell whether an expression holds a power too high (or of too fine a root) to be multiplied out.

    >>> from costderive.symbols import s
    >>> steep((1 + s) ** 1000), steep((1 + s) ** 3)
    (True, False)
    """
    exponents = [power.exp for power in expr.atoms(Pow) if power.exp.is_Rational]
    return any(max(abs(exponent.p), exponent.q) > MAX_DEGREE for exponent in exponents)
