"""Formulas of one variable whose numbers are filled in later: TeX with places, and what goes into each place."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Symbol

from costderive.publish.formulas.printing import latex

PLACE = "N"  # a place in TeX is N_0, N_1, ..., N_{10}, ...


@dataclass(frozen=True, slots=True)
class Template:
    """TeX in which ``N_k`` stands for the k-th of ``numbers``, expressions in the parameters alone."""

    tex: str
    numbers: tuple[Expr, ...]


def template(expr: Expr, variable: Symbol) -> Template:
    """Replace what does not depend on the variable, as much at once as possible, by a place; rationals stay.

    >>> from costderive.symbols import p, parameter
    >>> a, b = parameter("a"), parameter("b")
    >>> template((a + b) * (p + a / b) ** 2 / 3, p)
    Template(tex='N_1 (p + N_0)^2', numbers=(a/b, a/3 + b/3))
    """
    numbers: list[Expr] = []
    return Template(latex(_placed(expr, variable, numbers)), tuple(numbers))


def _placed(expr: Expr, variable: Symbol, numbers: list[Expr]) -> Expr:
    if expr.is_Rational or expr == variable:
        return expr
    if not expr.has(variable):
        numbers.append(expr)
        return Symbol(f"{PLACE}{len(numbers) - 1}", positive=True)
    if not (expr.is_Add or expr.is_Mul):
        return expr.func(*[_placed(arg, variable, numbers) for arg in expr.args], evaluate=False)
    constant, _ = expr.as_independent(variable, as_Add=expr.is_Add)
    rest = [_placed(arg, variable, numbers) for arg in expr.args if arg.has(variable)]
    if constant == (0 if expr.is_Add else 1):
        return expr.func(*rest)
    return expr.func(*rest, _placed(constant, variable, numbers))
