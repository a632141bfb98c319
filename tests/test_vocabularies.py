"""Certificates have a vocabulary of their own: one table, in which each class that they hold has one name."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass, replace
from enum import Enum
from itertools import chain
from types import ModuleType
from typing import Any

import pytest

import costderive as cd
from costderive import batch, multiclass, rules
from costderive.core.errors import ExportError, SpecError
from costderive.costs import contexts, thresholds
from costderive.costs.laws import NAMED
from costderive.derivation import moves
from costderive.derivation.certificates import document
from costderive.derivation.certificates.document import Certified
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Move
from costderive.vocabularies import two_classes
from costderive.vocabularies.two_classes import TWO_CLASSES

VOCABULARIES = {kind: document.vocabulary_of(kind) for kind in document.kinds()}

NAMES = [*chain.from_iterable(words.records.items() for words in VOCABULARIES.values())]


def test_a_name_is_that_of_one_class_in_all_vocabularies() -> None:
    assert all(dict(NAMES)[name] is record for name, record in NAMES)


@pytest.mark.parametrize("words", VOCABULARIES.values(), ids=lambda words: words.kind)
def test_a_class_has_one_name(words: Any) -> None:
    assert len(words.names) == len(words.records)


def test_no_record_has_the_name_of_a_family_of_laws() -> None:
    assert not set(dict(NAMES)) & set(NAMED)


def test_each_kind_of_derivation_has_a_name_of_its_own() -> None:
    assert len({words.kind for words in VOCABULARIES.values()}) == len(VOCABULARIES)


def records_in(*modules: ModuleType) -> Iterator[type]:
    """Yield the data classes and enumerations that modules show and that are no base of others."""
    for module in modules:
        for x in vars(module).values():
            if isinstance(x, type) and (is_dataclass(x) or issubclass(x, Enum)) and not x.__subclasses__():
                yield x


def test_every_context_and_threshold_has_a_name() -> None:
    wanted = {
        x
        for x in records_in(contexts, thresholds)
        if issubclass(x, contexts.Context) or "Threshold" in x.__name__
    }
    assert wanted <= set(TWO_CLASSES.names)


def test_every_move_and_conclusion_has_a_name() -> None:
    known = {record for _, record in NAMES}
    houses = [
        name for name in sys.modules if name.startswith(("costderive.multiclass.", "costderive.batch."))
    ]
    found = records_in(moves, rules, *[sys.modules[name] for name in houses])
    assert {x for x in found if issubclass(x, Move | rules.Conclusion)} <= known


# ---- names belong to the format


@dataclass(frozen=True, slots=True)
class Costs(contexts.FixedCosts):
    """Known costs, under another name of the class."""


def test_a_class_that_is_renamed_keeps_its_name_in_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    published = cd.derive(contexts.FixedCosts(1, 3)).to_json()
    today = replace(TWO_CLASSES, records={**TWO_CLASSES.records, "FixedCosts": Costs})
    monkeypatch.setattr(two_classes, "TWO_CLASSES", today)
    read = Derivation.from_json(published)
    assert isinstance(read.context, Costs)
    assert read.to_json() == published


@dataclass(frozen=True, slots=True, repr=False)
class Unknown(Derivation):
    """A kind of derivation that no table knows."""


def test_a_derivation_of_an_unknown_kind_is_not_written() -> None:
    derivation = cd.derive(contexts.FixedCosts(1, 3))
    with pytest.raises(ExportError, match="no words for Unknown"):
        Unknown(derivation.cases, derivation.context).to_json()


# ---- nothing is registered by importing


@pytest.mark.parametrize(
    "house", ["derivation.derivation", "multiclass.derive_classes", "batch.derive_batch"]
)
def test_no_import_of_a_derivation_loads_the_table(house: str) -> None:
    code = f"import sys, costderive.{house}; sys.exit('{document.TABLE}' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("kind", VOCABULARIES)
def test_a_kind_of_derivation_has_its_vocabulary_from_the_table(kind: type[Certified]) -> None:
    assert VOCABULARIES[kind].kind == kind.__name__
    assert not hasattr(kind, "vocabulary")


def test_a_certificate_of_two_classes_loads_nothing_of_several() -> None:
    derived = "import sys, costderive as cd; cd.derive(cd.Additive()).to_json()"
    code = f"{derived}; sys.exit('costderive.batch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_derivations_of_every_kind_are_written_and_read() -> None:
    for derivation in (cd.derive(contexts.FixedCosts(1, 3)), multiclass.brier(), batch.rank_based(3)):
        assert type(derivation).from_json(derivation.to_json()) == derivation


# ---- one class may have a name for each kind of derivation


@pytest.mark.parametrize(
    ("derivation", "names"),
    [
        (cd.examine("p", "1 - p"), ("Improperness", "Witness")),
        (multiclass.from_entropy("p0^2 + p1^2", 2), ("SimplexImproperness", "SimplexWitness")),
        (batch.from_entropy("w0*w1", 2), ("BatchImproperness", "BatchWitness")),
    ],
    ids=str,
)
def test_a_witness_has_the_name_and_the_kind_of_belief_of_its_derivations(
    derivation: Any, names: tuple[str, str]
) -> None:
    document = json.loads(derivation.to_json())
    after = document["derivation"]["cases"][1]["steps"][-1]["after"]
    assert (after["type"], after["witness"]["type"]) == names
    assert type(derivation).from_json(json.dumps(document)) == derivation
    of_several = isinstance(after["witness"]["belief"][1], list)
    other = ["Rational", "1", "3"] if of_several else ["tuple", ["Rational", "1", "3"]]
    for belief in (1, True, None, ["tuple", 1, 0], other):
        after["witness"]["belief"] = belief
        with pytest.raises(SpecError, match="has no place here"):
            type(derivation).from_json(json.dumps(document))
