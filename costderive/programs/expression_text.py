"""Expressions as text: as formulas of a language, and as comments show them."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Symbol
from sympy.printing.str import StrPrinter

from costderive.core.errors import ExportError
from costderive.programs.formula_languages.target import Target

MAX_EXACT = 2**53


def formula(expr: Expr, target: Target) -> str:
    """Return the formula of an expression in a target.

    Raises:
        ExportError: if the expression is an integral, or has a function or a number that the target lacks.
    """
    if expr.has(Integral):
        remedy = "Give the parameters numbers, or use costderive.numeric.compile, which also integrates."
        raise ExportError("the loss has no closed form: it is left as an integral", remedy)
    try:
        return str(_Printer(target).doprint(_folded(_with_tails(expr))))
    except OverflowError:
        raise ExportError("a number in the loss is too large for a double", "Rescale the costs.") from None


class _Plain(StrPrinter):
    """Starts a sum with a term that is added, if there is one: b - a, not -a + b."""

    def _as_ordered_terms(self, expr: Expr, order: Any = None) -> list[Expr]:
        terms = list(super()._as_ordered_terms(expr, order=order))
        first = next((term for term in terms if not term.could_extract_minus_sign()), terms[0])
        return [first, *[term for term in terms if term is not first]]


def plain(expr: Expr) -> str:
    """Return an expression as text."""
    return str(_Plain().doprint(expr))


class _Printer(_Plain):
    """Prints an expression of known functions; everything else is refused."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self.target = target

    def _refusal(self, name: str) -> ExportError:
        return ExportError(
            f"there is no {name} in this target", f"Functions: {', '.join(self.target.names)}."
        )

    def emptyPrinter(self, expr: Any) -> str:
        raise self._refusal(type(expr).__name__)

    def _call(self, name: str, *args: Expr) -> str:
        if name not in self.target.names:
            raise self._refusal(name)
        found, texts = self.target.names[name], [self._print(arg) for arg in args]
        return found.format(*texts) if "{" in found else f"{found}({', '.join(texts)})"

    def _print_Function(self, expr: Expr) -> str:
        return self._call(expr.func.__name__, *expr.args)

    def _print_log(self, expr: Expr) -> str:
        argument = expr.args[0]
        return (
            self._call("log1p", argument - 1)
            if argument.is_Add and 1 in argument.args
            else self._call("log", argument)
        )

    def _print_asin(self, expr: Expr) -> str:
        """Write asin(sqrt(x)) as an angle in a triangle: asin itself loses half of the digits near 1."""
        base, exponent = expr.args[0].as_base_exp()
        if exponent == Rational(1, 2):
            return self._call("atan2", sympy.sqrt(base), sympy.sqrt(1 - base))
        return self._call("asin", expr.args[0])

    def _print_betainc(self, expr: Expr) -> str:
        """Write the integral from 0 to x, with 1 - x beside x: near 1 a program only knows x as it was rounded."""
        a, b, low, high = expr.args
        if low != 0:
            raise self._refusal("betainc from another point than 0")
        return self._call("betainc", a, b, high, 1 - high)

    def _print_Abs(self, expr: Expr) -> str:
        return self._call("Abs", *expr.args)

    def _print_Pow(self, expr: Expr, rational: bool = False) -> str:
        if expr.exp == Rational(1, 2):
            return self._call("sqrt", expr.base)
        if expr.exp == -Rational(1, 2):
            return f"1/{self._call('sqrt', expr.base)}"
        if expr.exp == -1 or self.target.shape.has_powers:
            return str(super()._print_Pow(expr, rational=rational))
        return self.target.shape.power(self._print(expr.base), self._print(expr.exp))

    def _print_Symbol(self, expr: Symbol) -> str:
        return self.target.shape.symbol(expr.name)

    def _print_Float(self, expr: Expr) -> str:
        return self.target.shape.number(float(expr))

    def _print_Integer(self, expr: Expr) -> str:
        return self.target.shape.number(int(expr.p) if abs(expr.p) <= MAX_EXACT else float(expr.p))

    def _print_Rational(self, expr: Expr) -> str:
        number = self.target.shape.number
        exact = max(abs(expr.p), expr.q) <= MAX_EXACT
        return f"{number(int(expr.p))}/{number(int(expr.q))}" if exact else number(expr.p / expr.q)

    def _print_Infinity(self, expr: Expr) -> str:
        return self.target.infinity


def _with_tails(expr: Expr) -> Expr:
    """Write each ``c + c erf(z)`` as ``c erfc(-z)``, which does not cancel where it is small, and with minus too."""

    def joined(node: Expr) -> Expr:
        for term in node.args:
            factor, error = term.as_independent(sympy.erf, as_Add=False)
            for sign in (1, -1) if isinstance(error, sympy.erf) else ():
                if sign * factor in node.args:
                    tail = sympy.erfc(-sign * error.args[0], evaluate=False)
                    return node - term - sign * factor + sign * factor * tail
        return node

    return expr.replace(lambda node: isinstance(node, sympy.Add), joined)


def _folded(expr: Expr) -> Expr:
    """Replace each constant that is not rational, and its rational neighbours, by the nearest double."""
    if expr.is_Rational or expr.is_Symbol or expr.is_infinite:
        return expr
    if expr.is_number:
        return sympy.Float(str(expr.evalf(40)), precision=53)
    if not (expr.is_Add or expr.is_Mul):
        return expr.func(*map(_folded, expr.args), evaluate=False)
    numbers = [arg for arg in expr.args if arg.is_number]
    rest = [_folded(arg) for arg in expr.args if not arg.is_number]
    return expr.func(*([_folded(expr.func(*numbers))] if numbers else []), *rest, evaluate=False)
