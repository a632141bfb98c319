"""Tactics and lemmas as text."""

from __future__ import annotations

WIDTH = 110  # of a line of Coq


def algebra(hints: tuple[str, ...]) -> str:
    """Return the tactic for an equality of closed forms; hints say how to write roots, logarithms and powers."""
    return f"algebra_by ltac:({'; '.join(hints)})" if hints else "algebra"


def lemma(name: str, statement: str, *proof: str, kind: str = "Lemma") -> str:
    """Return a lemma with the lines of its proof; on two lines if both are short."""
    head, last = f"{kind} {name} :", ["Proof.", *[f"  {x}" for x in proof], "Qed."]
    if len(proof) == 1 and len(proof[0]) < WIDTH:
        last = [f"Proof. {proof[0]} Qed."]
    if "\n" not in statement and len(head) + len(statement) < WIDTH:
        return "\n".join([f"{head} {statement}.", *last])
    return "\n".join([head, f"  {statement}.", *last])
