"""Antiderivatives as terms of Coq that visibly vanish at infinity where they are no sums of powers and exponentials.

Their parts are incomplete Gamma functions, what values of the error function lack to 1, powers with letters, and bells,
also beside a square root (``library/Far.v``).
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr

from costderive.core.errors import ExportError
from costderive.core.piecewise import Given
from costderive.costs.laws import x
from costderive.publish.coq.bells import Plain, Write, bells, written
from costderive.publish.coq.facts import sure
from costderive.publish.coq.terms import atomic

IMPORTS = ("Incomplete", "Normal", "LogNormal", "Independent", "Bells", "Far")
ROOT = sympy.sqrt(x)


def from_far(expr: Expr) -> Expr:
    """Return an antiderivative less its limit at infinity, which values of the error function have."""
    limits = [factor for factor, core in _parts(expr) if isinstance(core, sympy.erf)]
    return expr - sympy.Add(*limits)


def far_text(expr: Expr, given: Given) -> str:
    """Return an antiderivative in the parameter of an arc as a term of Coq that visibly vanishes at infinity.

    Raises:
        ExportError: if it does not, or has other parts.
    """
    parts = list(_parts(expr))
    rest = sympy.Add(*[a for a, core in parts if core == 1 or isinstance(core, sympy.erf)])
    if sympy.simplify(rest) != 0:
        raise _unseen()
    return " + ".join(_text(a, core, given) for a, core in parts if core != 1)


def _parts(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield the terms of a sum as a factor without the parameter, and the rest."""
    for part in sympy.Add.make_args(sympy.expand(expr, power_base=False, power_exp=False, log=False)):
        yield part.as_independent(x, as_Add=False)


def _text(factor: Expr, core: Expr, given: Given) -> str:
    if isinstance(core, sympy.uppergamma):
        return f"{atomic(factor)} * upper_gamma {atomic(core.args[0])} ({_growing(core.args[1], given)})"
    if isinstance(core, sympy.erf):
        return f"{atomic(factor)} * (erf ({_growing(core.args[0], given)}) - 1)"
    if core.is_Pow and core.base == x and core.exp.free_symbols:
        return f"{atomic(factor)} * Rpower x (- ({sure(-core.exp, None, given).text}))"
    if (plain := bells(factor * core, x)) is not None and (0, 0) not in plain:
        return " + ".join(written(plain, "x", _rate(given)))
    if (plain := bells(factor * core / ROOT, x)) is not None and _straight(plain):
        return " + ".join(f"sqrt x * ({part})" for part in written(plain, "x", _rate(given)))
    if isinstance(core, sympy.exp):
        return f"{atomic(factor)} * exp (- ({_growing(-core.args[0], given)}))"
    raise _unseen()


def _straight(plain: Plain) -> bool:
    """Return whether the exponents of bells are linear."""
    return all(square == 0 and lean != 0 for square, lean in plain)


def _growing(expr: Expr, given: Given) -> str:
    """Return a positive multiple of a power of the parameter as a term of Coq."""
    factor, power = expr.as_independent(x, as_Add=False)
    base, exponent = power.as_base_exp()
    if base != x or not (exponent == sympy.Rational(1, 2) or (exponent.is_Integer and exponent > 0)):
        raise _unseen()
    shown = "x" if exponent == 1 else f"x ^ {exponent}" if exponent.is_Integer else "sqrt x"
    return f"({sure(factor, None, given).text}) * {shown}"


def _rate(given: Given) -> Write:
    return lambda rate: "0" if rate == 0 else f"({sure(rate, None, given).text})"


def _unseen() -> ExportError:
    return ExportError("an antiderivative has no limit at infinity that Coq sees", "See its terms.")
