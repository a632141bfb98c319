"""Where a factor stands in a product: numbers, parameters, sums of them, p, 1 - p, other sums, roots, functions."""

from __future__ import annotations

import sympy
from sympy import Expr, Function, Integral, Symbol

from costderive.core import symbols
from costderive.core.curve_parameters import CurveParameter
from costderive.core.unevaluated import unevaluated
from costderive.rules.hypergeometric import hyp2f1

MAIN = (symbols.p, symbols.q, symbols.s, symbols.t, symbols.u)
SPECIAL = (sympy.betainc, sympy.uppergamma, sympy.lowergamma, sympy.expint, sympy.Ei, hyp2f1, Integral)

(
    NUMBERS,
    CONSTANTS,
    LETTERS,
    SUMS,
    MAINS,
    COSTS,
    REST,
    MAIN_SUMS,
    ROOTS,
    POWERS,
    CALLS,
    INTEGRALS,
) = range(12)


def place(base: Expr, exponent: Expr) -> tuple[object, ...]:
    """Numbers, parameters, sums of them, p, 1 - p, other sums with p, roots, functions, integrals."""
    names = "".join(sorted(symbol.name for symbol in base.free_symbols))
    kind = ROOTS if exponent.is_Rational and not exponent.is_Integer and not base.is_number else _kind(base)
    written = str(unevaluated(base))
    return (kind, names, str(exponent), len(written), written)


def _kind(base: Expr) -> int:
    if isinstance(base, Integral):
        return INTEGRALS
    if isinstance(base, CurveParameter):
        return MAINS
    if isinstance(base, Function):
        return POWERS if isinstance(base, sympy.exp) else CALLS
    if base.is_number:
        return NUMBERS if base.is_Integer else CONSTANTS
    if isinstance(base, Symbol):
        return MAINS if base in MAIN else COSTS if base in (symbols.c0, symbols.c1) else LETTERS
    if base.has(*SPECIAL):
        return CALLS
    if not base.has(*MAIN):
        return SUMS
    return REST if any(base == 1 - x for x in MAIN) else MAIN_SUMS
