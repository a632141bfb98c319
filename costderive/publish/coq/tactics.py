"""Tactics and lemmas as text."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy import Expr

from costderive.core.symbols import p

WIDTH = 110  # of a line of Coq
ERRORS = ("Normal", "Bells")  # where the library has tactics for values of the error function


def algebra(hints: tuple[str, ...]) -> str:
    """Return the tactic for an equality of closed forms; hints say how to write roots, logarithms and powers."""
    return f"algebra_by ltac:({'; '.join(hints)})" if hints else "algebra"


def evaluated(formulas: Iterable[Expr], hints: tuple[str, ...]) -> str:
    """Return the tactic for values of formulas at an end of a piece, also of the error function of the report."""
    name = "evaluated_beside_errors" if has_errors(formulas) else "evaluated"
    return f"{name} ltac:({'; '.join(hints) or 'idtac'})"


def has_errors(formulas: Iterable[Expr]) -> bool:
    """Return whether formulas have values of the error function that vary with the report."""
    return any(node.has(p) for formula in formulas for node in formula.atoms(sympy.erf, sympy.erfc))


def lemma(name: str, statement: str, *proof: str, kind: str = "Lemma") -> str:
    """Return a lemma with the lines of its proof; on two lines if both are short."""
    head, last = f"{kind} {name} :", ["Proof.", *[f"  {x}" for x in proof], "Qed."]
    if len(proof) == 1 and len(proof[0]) < WIDTH:
        last = [f"Proof. {proof[0]} Qed."]
    if "\n" not in statement and len(head) + len(statement) < WIDTH:
        return "\n".join([f"{head} {statement}.", *last])
    return "\n".join([head, f"  {statement}.", *last])
