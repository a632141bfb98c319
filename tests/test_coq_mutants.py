"""What the mutants of files for Coq replace is in their files, and so are the lemmas that fall; Coq is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.coq_mutants import Mutants, mutated


def tables() -> Iterator[tuple[str, Mutants]]:
    """Yield the tables of mutants with the tests that they belong to."""
    for path in sorted(Path(__file__).parent.glob("test_coq_*.py")):
        if path != Path(__file__):
            found = vars(import_module(f"tests.{path.stem}")).values()
            yield from ((path.stem, table) for table in found if isinstance(table, Mutants))


FILES = [
    pytest.param(table, file, id=f"{module.removeprefix('test_coq_')}-{file}")
    for module, table in tables()
    for file in dict.fromkeys(change[0] for change in table.changes.values())
]


@pytest.mark.parametrize(("table", "file"), FILES)
def test_what_mutants_replace_is_in_their_file(table: Mutants, file: str) -> None:
    for what in table.of(file):
        assert table.wrong(what) != table.text(file), what


def test_a_mutant_without_its_place_is_no_mutant() -> None:
    assert mutated("a b a b", "a", "c", "b") == "a b c b"
    for old, new, among in (("c", "a", "b"), ("a", "c", "b b"), ("a", "a", "")):
        with pytest.raises(AssertionError):
            mutated("a b a b", old, new, among)


def test_a_mutant_of_a_lemma_that_is_not_in_its_file_is_no_mutant() -> None:
    table = Mutants(lambda file: f"Lemma {file} : True.", {
        "another name": ("one", "True", "False", "", "two"),
        "its name": ("one", "True", "False", "Lemma", "one"),
    })  # fmt: skip
    assert table.wrong("its name") == "Lemma one : False."
    with pytest.raises(AssertionError):
        table.wrong("another name")
