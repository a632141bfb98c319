"""Expressions as formulas of a language, printed from the trees that compiled losses are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sympy import Expr, Function, Integral

from costderive.core.errors import ExportError
from costderive.numeric.parameter_trees import formula as tree
from costderive.numeric.program_tree import (
    Name,
    Node,
    Number,
    Operation,
    Printer,
    negated,
    substituted,
    total,
)
from costderive.numeric.tree_of import NAMES, SPECIAL
from costderive.programs.formula_languages.target import Target

COMPLEMENT = {"r": total(Number(1.0), negated(Name("p")))}


def formula(expr: Expr, target: Target) -> str:
    """Return the formula of an expression in a target.

    Raises:
        ExportError: if the expression is an integral, or has a function or a number that the target lacks.
    """
    if expr.has(Integral):
        remedy = "Give the parameters numbers, or use costderive.numeric.compile, which also integrates."
        raise ExportError("the loss has no closed form: it is left as an integral", remedy)
    for node in expr.atoms(Function):
        if node.func not in NAMES and node.func not in SPECIAL:
            raise _refusal(node.func.__name__, target)
    try:
        program = tree(expr)
    except OverflowError:
        raise ExportError("a number in the loss is too large for a double", "Rescale the costs.") from None
    for name in sorted(program.calls() - target.names.keys()):
        raise _refusal(name, target)
    return FormulaPrinter(target).text(substituted(program.inlined(), COMPLEMENT))


def _refusal(name: str, target: Target) -> ExportError:
    return ExportError(f"there is no {name} in this target", f"Functions: {', '.join(target.names)}.")


def _is_negative(term: Node) -> bool:
    return isinstance(term, Operation) and term.sign == "-"


@dataclass(frozen=True, slots=True)
class FormulaPrinter(Printer):
    """Prints trees with the names that a target has for functions."""

    target: Target

    def number(self, number: Number) -> str:
        """Return a number, which may be infinite."""
        if math.isinf(number.value):
            return self.target.infinity
        return self.target.shape.number(number.value)

    def name(self, name: str) -> str:
        """Return a variable or a parameter."""
        return self.target.shape.symbol(name)

    def call(self, function: str, arguments: list[str]) -> str:
        """Return a call, of a name or as a template says."""
        found = self.target.names[function]
        return found.format(*arguments) if "{" in found else f"{found}({', '.join(arguments)})"

    def _operation(self, sign: str, parts: tuple[Node, ...]) -> str:
        """Start a sum with a term that is added, if there is one: b - a, not -a + b."""
        if sign == "+":
            parts = tuple(sorted(parts, key=_is_negative))
        return Printer._operation(self, sign, parts)

    def is_left_out(self, function: str) -> bool:
        """Return whether the language does without a function."""
        return self.target.names[function] == "{0}"
