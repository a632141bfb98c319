"""Tactics and lemmas as text."""

from __future__ import annotations


def algebra(hints: tuple[str, ...]) -> str:
    """Return the tactic for an equality of closed forms; hints say how to write roots, logarithms and powers."""
    return f"algebra_by ltac:({'; '.join(hints)})" if hints else "algebra"


def lemma(name: str, statement: str, *proof: str, kind: str = "Lemma") -> str:
    """Return a lemma with the lines of its proof."""
    return "\n".join([f"{kind} {name} :", f"  {statement}.", "Proof.", *[f"  {x}" for x in proof], "Qed."])
