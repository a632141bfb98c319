"""Tactics and lemmas as text."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy import Expr

from costderive.core.symbols import p

WIDTH = 130  # of a line of Coq
ERRORS = ("Normal", "Bells")  # where the library has tactics for values of the error function


def algebra(hints: tuple[str, ...]) -> str:
    """Return the tactic for an equality of closed forms; hints say how to write roots, logarithms and powers."""
    return f"algebra_by ltac:({'; '.join(hints)})" if hints else "algebra"


def algebra_of(formula: Expr, hints: tuple[str, ...] = ()) -> str:
    """Return the tactic for an equality with a formula, in which exponentials of numbers may be inverses."""
    numbers = sympy.E in formula.atoms() or any(x.args[0].is_number for x in formula.atoms(sympy.exp))
    return f"first [{algebra(hints)} | opposites; field; see]" if numbers else algebra(hints)


def evaluated(formulas: Iterable[Expr], hints: tuple[str, ...]) -> str:
    """Return the tactic for values of formulas at an end of a piece, also of the error function of the report."""
    name = "evaluated_beside_errors" if has_errors(formulas) else "evaluated"
    return f"{name} ltac:({'; '.join(hints) or 'idtac'})"


def has_errors(formulas: Iterable[Expr]) -> bool:
    """Return whether formulas have values of the error function that vary with the report."""
    return any(node.has(p) for formula in formulas for node in formula.atoms(sympy.erf, sympy.erfc))


def lemma(name: str, statement: str, *proof: str, kind: str = "Lemma") -> str:
    """Return a lemma with the lines of its proof, on as few lines as there is room for."""
    head, stated = f"{kind} {name} :", f"{statement}.".split("\n")
    shown = f"Proof. {' '.join(map(str.strip, proof))} Qed."
    plain = not any(line.startswith(_NEW) or "\n" in line for line in proof)
    if plain and len(found := " ".join([head, *map(str.strip, stated), shown])) <= WIDTH:
        return found
    short = plain and (len(proof) == 1 or len(shown) <= WIDTH)
    proved = [shown] if short else ["Proof.", *(f"  {line}" for line in filled(proof, "")), "Qed."]
    return "\n".join([*filled([head, *stated]), *proved])


_NEW = ("- ", "{ ")  # which begin a line


def filled(parts: Iterable[str], indent: str = "  ") -> list[str]:
    """Return parts of a text on as few lines as there is room for, of which all but the first are indented."""
    lines: list[str] = []
    for part in parts:
        if lines and not part.startswith(_NEW) and len(lines[-1]) + len(part.strip()) < WIDTH:
            lines[-1] += f" {part.strip()}"
        else:
            lines.append(f"{indent}{part}" if lines and not part.startswith(" ") else part)
    return lines
