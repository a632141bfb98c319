"""A schema and a page describe the format of certificates as it is, for readers of other programs."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from fractions import Fraction
from functools import cache
from importlib import resources
from math import prod
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import costderive as cd
from costderive import batch, multiclass
from costderive.batch import BatchDerivation
from costderive.batch.linear_rules import BatchLoss
from costderive.core.errors import SpecError
from costderive.costs.contexts import (
    Additive,
    Curve,
    FixedCosts,
    Geometric,
    IndependentUniform,
    Joint,
    Mixture,
)
from costderive.derivation.certificates import expression_trees
from costderive.derivation.certificates.document import Certified, vocabulary_of
from costderive.derivation.certificates.schema import schema
from costderive.derivation.derivation import Derivation
from costderive.multiclass import MulticlassDerivation
from costderive.proof.claims import Move
from tests.test_certificate import places

PAGE = (resources.files("costderive.derivation.certificates") / "FORMAT.md").read_text(encoding="utf-8")
TIE = ("p^2 if p<=1/2; p^2+1", "(1-p)^2+1 if p<1/2; (1-p)^2")
DERIVED: dict[str, Any] = {
    "mean": lambda: cd.derive(Geometric("m")),
    "integral": lambda: cd.derive(cd.PowerMean(5), time_limit=1),
    "rectangle": lambda: cd.derive(IndependentUniform(c0=(0, 1), c1=(0, 1))),
    "joint": lambda: cd.derive(Joint(2, "c0 + c1 <= 1")),
    "curve": lambda: cd.derive(Curve("x", "1 - x", "beta(2, 2)")),
    "atoms": lambda: cd.derive(Mixture(("w", FixedCosts("a", 1)), ("1 - w", Additive()))),
    "law of the budget": lambda: cd.derive(Additive(budget="gamma(2, 1)")),
    "fixed threshold": lambda: cd.derive(Additive(), threshold=cd.FixedThreshold("1/3")),
    "distorted threshold": lambda: cd.derive(FixedCosts(1, 3), threshold=cd.DistortedThreshold("s^2")),
    "random threshold": lambda: cd.derive(FixedCosts(1, "b"), threshold=cd.RandomThreshold("2*t")),
    "proper pair": lambda: cd.examine("-log(1-p)", "-log(p)"),
    "improper pair": lambda: cd.examine("p", "1 - p"),
    "tie": lambda: cd.examine(*TIE),
    "condition": lambda: cd.derive(FixedCosts(1, 2), threshold=cd.FixedThreshold("k")),
    "undecided pair": lambda: cd.examine("a*p + p^2", "(1-p)^2", time_limit=1),
}
SCHEMA = schema((Derivation, MulticlassDerivation, BatchDerivation))
OF_CLASSES: dict[str, Any] = {
    "shares of a budget": lambda: multiclass.derive(multiclass.DirichletCosts((1, 2, 1))),
    "laws with masses": lambda: multiclass.derive(multiclass.IndependentCosts(({1: "1/3", 4: "2/3"}, 2))),
    "any number of classes": multiclass.pseudospherical,
    "an entropy": lambda: multiclass.from_entropy("p0*p1 + p0*p2 + p1*p2", classes=3),
    "no entropy": lambda: multiclass.from_entropy("p0^2 + p1^2", classes=2),
    "a penalty": lambda: multiclass.penalised(multiclass.brier(), 3),
    "a penalty unless tied": lambda: multiclass.penalised(multiclass.brier(), 3, ties="all"),
    "right before wrong": lambda: multiclass.superior(multiclass.penalised(multiclass.brier(), 3)),
    "wrong before right": lambda: multiclass.superior(multiclass.brier(), 3),
    "wrong before right for any number": lambda: multiclass.superior(multiclass.brier()),
    "no affine change": lambda: multiclass.not_affine(
        multiclass.derive(multiclass.DirichletCosts((1, 1, 1))), multiclass.brier()
    ),
}
OF_BATCHES: dict[str, Any] = {
    "a sum": lambda: batch.additive(cd.derive(Geometric("m")), ("a", 2)),
    "a sum of any number": lambda: batch.additive("q*(1 - q)"),
    "a norm": batch.homogeneous,
    "ranks": lambda: batch.rank_based(3),
    "the best decisions": lambda: batch.lowest([["w0", "2 - 2*w0"], ["w0 + w1", "1/2"]], 2),
    "a smooth entropy": lambda: batch.from_entropy("-w0^2 - w1^2 - w0*w1", 2),
    "no smooth entropy": lambda: batch.from_entropy("w0*w1", 2),
    "the area alone": batch.auc_alone,
}
VALIDATOR = Draft202012Validator(SCHEMA)


@cache
def written(name: str) -> str:
    derivation = (DERIVED | OF_CLASSES | OF_BATCHES)[name]()
    return derivation.to_json(cd.check(derivation))


# ---- schema


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", [*DERIVED, *OF_CLASSES, *OF_BATCHES])
def test_certificates_satisfy_the_schema(name: str) -> None:
    VALIDATOR.validate(json.loads(written(name)))


WRONG = (None, 1, "p", [], {}, ["tuple"], ["Integer", "1", "2"], {"type": "Popen"}, {"type": "Given"})


def changed(document: dict[str, Any], path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    """Return a copy with another value at a place."""
    copy = deepcopy(document)
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = new
    return copy


@pytest.mark.parametrize(("name", "count"), [("improper pair", 60), ("tie", 8), ("fixed threshold", 6)])
def test_what_the_schema_refuses_is_not_read(name: str, count: int) -> None:
    """Values of a wrong kind are put at random places of the derivation."""
    draw, document = random.Random(name), json.loads(written(name))
    spots = [path for path in places(document["derivation"], ("derivation",)) if len(path) > 1]
    refused = 0
    for path in draw.sample(spots, count):
        other = changed(document, path, draw.choice(WRONG))
        if VALIDATOR.is_valid(other):
            continue
        refused += 1
        with pytest.raises(SpecError):
            Derivation.from_json(json.dumps(other))
    assert refused >= 0.8 * count


def test_a_step_has_the_objects_of_its_move() -> None:
    document = json.loads(written("improper pair"))
    step = document["derivation"]["cases"][1]["steps"][1]
    step["after"] = {"type": "Undecided", "losses": step["before"]}
    assert not VALIDATOR.is_valid(document)


@pytest.mark.parametrize("key", ["format", "version", "derivation", "rule"])
def test_the_document_has_its_keys(key: str) -> None:
    document = json.loads(written("improper pair"))
    del document[key]
    assert not VALIDATOR.is_valid(document)
    with pytest.raises(SpecError):
        Derivation.from_json(json.dumps(document))


def test_the_order_of_keys_means_nothing() -> None:
    text = json.dumps(json.loads(written("tie")), sort_keys=True)
    assert Derivation.from_json(text) == Derivation.from_json(written("tie"))


# ---- page


def example() -> str:
    return PAGE.partition("```json\n")[2].partition("```")[0]


def test_the_example_of_the_page_is_what_is_written() -> None:
    assert example() == cd.examine("p", "1 - p").to_json()


def test_the_page_names_every_head_and_every_move_and_no_other() -> None:
    heads = {
        *expression_trees.ARGUMENTS,
        *expression_trees.SEVERAL_ARGUMENTS,
        *expression_trees.CONSTANTS,
        "Integer",
        "Rational",
        "Symbol",
        "Integral",
        "CurveParameter",
    }
    assert names_in("| head |") == heads
    assert names_in("| move |") == moves(Derivation)
    assert names_in("| move of K classes |") == moves(MulticlassDerivation)
    assert names_in("| move of batches |") == moves(BatchDerivation) - moves(Derivation)
    assert names_in("| type |") <= set(vocabulary_of(Derivation).records)
    assert names_in("| type of K classes |") <= set(vocabulary_of(MulticlassDerivation).records)
    rules = {name for name, x in vocabulary_of(BatchDerivation).records.items() if issubclass(x, BatchLoss)}
    assert names_in("| type of batches |") == rules


def moves(kind: type[Certified]) -> set[str]:
    return {name for name, record in vocabulary_of(kind).records.items() if issubclass(record, Move)}


def names_in(head: str) -> set[str]:
    """Return what stands as code in the first column of a table."""
    table = PAGE[PAGE.index(head) :].partition("\n\n")[0].splitlines()[2:]
    return {name for row in table for name in row.split("|")[1].replace("`", "").replace(",", " ").split()}


def value(tree: list[Any], p: Fraction) -> Fraction:
    """Evaluate an expression as the page says, for a stranger who has nothing but a reader of JSON."""
    head, *rest = tree
    if head == "Symbol":
        return p
    if head in ("Integer", "Rational"):
        return Fraction(*map(int, rest))
    return {"Add": sum, "Mul": prod}[head]([value(item, p) for item in rest])


def test_a_stranger_can_check_the_example_from_the_page_alone() -> None:
    case = json.loads(example())["derivation"]["cases"][1]
    (step,) = case["steps"][1:]
    witness = {
        name: value(tree, Fraction(0)) for name, tree in step["after"]["witness"].items() if name != "type"
    }
    belief = witness["belief"]

    def risk(report: Fraction) -> Fraction:
        first, second = (
            value(step["before"][loss]["pieces"][1]["value"], report) for loss in ("loss0", "loss1")
        )
        return (1 - belief) * first + belief * second

    assert step["move"] == {"type": "FindWitness"}
    assert risk(belief) == witness["truthful"] > witness["better"] == risk(witness["report"])
