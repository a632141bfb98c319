"""Writing constants that are integrals: SymPy evaluates all numbers in a sum by quadrature, to order its terms."""

from __future__ import annotations

from typing import Any

from sympy import AtomicExpr, Expr, Integral


class _Constant(AtomicExpr):
    """A constant that is written as what it stands for, and is no number to evaluate."""

    is_commutative = True
    __slots__ = ("value",)

    def __new__(cls, value: Expr) -> _Constant:
        made: _Constant = super().__new__(cls)
        made.value = value
        return made

    def _hashable_content(self) -> tuple[Expr, ...]:
        return (self.value,)

    def _sympystr(self, printer: Any) -> str:
        return str(printer._print(self.value))

    def _latex(self, printer: Any) -> str:
        return str(printer._print(self.value))


def unevaluated(expr: Expr) -> Expr:
    """Return what is printed as the expression, with no integral in it that printing would evaluate.

    >>> from sympy import exp, Symbol
    >>> x, p = Symbol("x"), Symbol("p")
    >>> print(unevaluated(p * Integral(exp(-x**3), (x, 1, 2)) + p**2))
    p**2 + p*Integral(exp(-x**3), (x, 1, 2))
    """
    return expr.xreplace({node: _Constant(node) for node in expr.atoms(Integral) if not node.free_symbols})


def ordered_terms(total: Expr) -> list[Expr]:
    """Return the terms of a sum in SymPy's order, without evaluating integrals for it."""
    named = unevaluated(total)
    back = {node: node.value for node in named.atoms(_Constant)}
    return [term.xreplace(back) for term in named.as_ordered_terms()]
