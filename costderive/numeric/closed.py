"""Closed forms as NumPy functions of ``p`` and ``r = 1 - p``, written so that they keep their digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from sympy import Expr, Function, Pow
from sympy.codegen.cfunctions import log1p
from sympy.printing.numpy import NumPyPrinter

from costderive.numeric.exact import Evaluate, r
from costderive.symbols import p

KNOWN = (
    sympy.log,
    sympy.exp,
    sympy.asin,
    sympy.acos,
    sympy.atan,
    sympy.atan2,
    sympy.asinh,
    sympy.acosh,
    log1p,
)
ROOT_P, ROOT_R = sympy.sqrt(p), sympy.sqrt(r)


def closed_form(expr: Expr) -> Evaluate | None:
    """Return a vectorised function for an expression in ``p`` and ``r``, or None if NumPy lacks a function of it."""
    written = _constants_folded(_well_conditioned(expr))
    if not all(isinstance(node, KNOWN) for node in written.atoms(Function)):
        return None
    try:
        function = sympy.lambdify(
            (p, r), written, modules=[{"_power": _power}, "numpy"], printer=_DoublePrinter, cse=True
        )
    except OverflowError:  # a number beyond the range of doubles
        return None
    return lambda points, rest: np.broadcast_to(np.asarray(function(points, rest), dtype=float), points.shape)


def _well_conditioned(expr: Expr) -> Expr:
    """Write ``log(1 - p)`` and ``asin(sqrt(p))`` so that neither p = 0 nor p = 1 loses digits."""
    rewritten = {
        sympy.log(r): log1p(-p),
        sympy.asin(ROOT_P): sympy.atan2(ROOT_P, ROOT_R),
        sympy.asin(ROOT_R): sympy.atan2(ROOT_R, ROOT_P),
    }
    return expr.xreplace(rewritten)


def _constants_folded(expr: Expr) -> Expr:
    return expr.replace(lambda node: node.is_number and not node.is_Rational, lambda node: node.evalf(40))


class _DoublePrinter(NumPyPrinter):
    """Prints every number as a double (an integer may be too long for NumPy) and powers as products."""

    def _print_Integer(self, expr: Expr) -> str:
        return repr(float(expr))

    _print_Rational = _print_Half = _print_One = _print_Zero = _print_NegativeOne = _print_Float = (
        _print_Integer
    )

    def _print_Pow(self, expr: Pow, rational: bool = False, sqrt: str = "numpy.sqrt") -> str:
        base, power = self._print(expr.base), expr.exp
        if power.is_number and power.is_negative:
            return f"(1.0/{self._print_Pow(Pow(expr.base, -power, evaluate=False))})"
        if power.is_Integer:
            return f"_power({base}, {int(power)})"
        if power == sympy.S.Half:
            return f"{self._module_format('numpy.sqrt')}({base})"
        return f"{self._module_format('numpy.power')}({base}, {self._print(power)})"


def _power(base: Any, power: int) -> Any:
    """Multiply out an integer power: NumPy's own takes ten times as long beyond a square."""
    if power == 1:
        return base
    half = _power(base, power // 2)
    return half * half * base if power % 2 else half * half
