"""Wrong variants of files for Coq: one place of a text is changed, and Coq has to stop at the lemma that is then false.

A change whose place is gone tests nothing, and Coq is not needed to see that: ``test_coq_mutants.py`` walks all tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from costderive.publish.coq.coqc import LEMMAS, ask

Changes = Mapping[str, tuple[str, str, str, str, str]]


def mutated(text: str, old: str, new: str, among: str = "") -> str:
    """Return a text in which ``old``, where it first stands in ``among`` or after that, is replaced by ``new``."""
    assert old != new
    assert among in text, f"the file has no {among!r}"
    before, after = text[: text.index(among)], text[text.index(among) :]
    assert old in after, f"the file has no {old!r} from {among!r} on"
    return before + after.replace(old, new, 1)


def states(text: str, lemma: str) -> bool:
    """Return whether a file has a lemma of that name."""
    return bool(re.search(rf"^({'|'.join(LEMMAS)}) {lemma}\b", text, re.MULTILINE))


@dataclass(frozen=True)
class Mutants:
    """Files by name, and by what is wrong: the file, what is replaced, by what, from which place on, and what falls.

    What falls is a lemma of the module ``rule``, or of the one that is written before it.
    """

    text: Callable[[str], str]
    changes: Changes

    def of(self, file: str) -> list[str]:
        """Return what is wrong in the variants of one file."""
        return [what for what, change in self.changes.items() if change[0] == file]

    def wrong(self, what: str) -> str:
        """Return a file with one change, which has to have the place and the lemma."""
        file, old, new, among, lemma = self.changes[what]
        text, name = self.text(file), lemma.rpartition(".")[2]
        assert states(text, name), f"the file has no lemma {name}"
        return mutated(text, old, new, among)

    def require_rejected(self, what: str, library: Path) -> None:
        """Fail unless Coq stops at the lemma that is false."""
        answer, lemma = ask(self.wrong(what), library=library), self.changes[what][-1]
        assert not answer.accepted, what
        falls = f"Rule.{lemma}" if "." in lemma else f"Rule.rule.{lemma}"
        assert answer.culprit == falls, (what, answer.culprit, answer.words[-500:])


def of_one_file(
    text: Callable[[str], str], file: str, changes: Mapping[str, tuple[str, str, str]]
) -> Mutants:
    """Return variants of one file, by what is replaced where it first stands, by what, and what falls."""
    return Mutants(text, {what: (file, old, new, "", lemma) for what, (old, new, lemma) in changes.items()})
