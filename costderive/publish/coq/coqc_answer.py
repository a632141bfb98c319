"""What Coq says of a proof, for a terminal: what became of each lemma, the axioms, and the result in a line."""

from __future__ import annotations

import re
from itertools import groupby

from costderive.publish.coq.coq_file import left_out
from costderive.publish.coq.coqc import CLASSICAL_REALS, Answer, Lemma, Status
from costderive.publish.coq.library_text import LIBRARY
from costderive.publish.formats import terminal

WORDS = 400  # of Coq's own, at most so many letters


def summary(answer: Answer) -> str:
    """Return the table of lemmas and the result; the lemmas of a file of the library stand on one line."""
    rows: list[tuple[str, ...]] = [("lemma", "Coq"), *_rows(answer.lemmas)]
    return "\n".join([terminal.table(rows), "", _axioms(answer), _result(answer)])


def in_a_line(name: str, text: str, answer: Answer) -> str:
    """Return what Coq says of a file in a line: its theorems, its length and its seconds, and what it leaves out."""
    without = "".join(f"; without {parts}" for parts in left_out(text))
    theorems = len(re.findall(r"^Theorem ", text, re.MULTILINE))
    counted = f"{theorems} theorems, {text.count(chr(10))} lines{without}"
    return f"{name}: {_result(answer).removeprefix('Coq     ')}; {counted}"


def _rows(lemmas: tuple[Lemma, ...]) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for module, found in groupby(lemmas, key=lambda lemma: lemma.name.partition(".")[0]):
        alike = list(found)
        if module in LIBRARY and all(lemma.status is Status.ACCEPTED for lemma in alike):
            rows.append((f"library {module}: {len(alike)} lemmas", Status.ACCEPTED))
        else:
            rows += [(lemma.name, lemma.status) for lemma in alike]
    return rows


def _axioms(answer: Answer) -> str:
    if not answer.axioms:
        return "Axioms  none listed"
    others = [axiom for axiom in answer.axioms if axiom not in CLASSICAL_REALS]
    return f"Axioms  {', '.join(others)}" if others else "Axioms  those of the classical real numbers alone"


def _result(answer: Answer) -> str:
    if answer.accepted:
        return f"Coq     accepts the proof ({answer.seconds:.1f} s)"
    words = " ".join(answer.words.split())[:WORDS]
    return f"Coq     rejects {answer.culprit or 'the proof'}{f': {words}' if words else ''}"
