"""A certificate gives back the derivation that it was written from, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integral, Rational, Symbol, sqrt

import costderive as cd
from costderive.core.errors import ExportError, SpecError
from costderive.core.symbols import c0, c1, p, parameter, s
from costderive.costs import laws
from costderive.costs.contexts import (
    Additive,
    Curve,
    FixedCosts,
    Geometric,
    Harmonic,
    Independent,
    IndependentUniform,
    Joint,
    Mixture,
    PowerMean,
)
from costderive.derivation.certificates.document import MAX_CHARACTERS
from costderive.derivation.certificates.versions import VERSION
from costderive.derivation.derivation import Derivation
from costderive.proof.claims import Report, Verdict
from costderive.vocabularies.two_classes import TWO_CLASSES

CONTEXTS = {
    "additive": Additive(),
    "harmonic with a budget": Harmonic("d"),
    "geometric": Geometric(),
    "Euclidean": PowerMean(2),
    "maximum": PowerMean("oo"),
    "integral": PowerMean(5),
    "symbolic exponent": PowerMean("k"),
    "Inverse Score": IndependentUniform(c0=(0, 1), c1=(0, 1)),
    "two orders": IndependentUniform(c0=("a", 2), c1=(1, 3)),
    "atom": FixedCosts(1, 3),
    "laws": Independent(laws.exponential("m"), laws.gamma(2, 1)),
    "joint": Joint(2, [c0 + c1 <= 1]),
    "curve": Curve("x", "1 - x", laws.Density("6*x*(1 - x)", (0, 1))),
    "mixture": Mixture(("1/3", Additive()), ("2/3", FixedCosts("a", 1))),
}
by_context = pytest.mark.parametrize("name", CONTEXTS)


UNSOLVED = ("integral", "symbolic exponent")  # searches that find nothing, which end soon


@cache
def derived(name: str) -> Derivation:
    return cd.derive(CONTEXTS[name], time_limit=2 if name in UNSOLVED else 60)


@cache
def checked(name: str) -> Report:
    return cd.check(derived(name))


@cache
def written(name: str) -> str:
    return derived(name).to_json(checked(name))


# ---- there and back


@by_context
def test_a_derivation_survives_being_written_and_read(name: str) -> None:
    assert Derivation.from_json(written(name)) == derived(name)


@by_context
def test_what_was_read_is_written_the_same(name: str) -> None:
    assert Derivation.from_json(written(name)).to_json(checked(name)) == written(name)


def test_a_report_of_today_and_one_of_yesterday_give_the_same_text() -> None:
    later = Report(tuple(replace(finding, seconds=9.0) for finding in checked("additive").findings))
    assert derived("additive").to_json(later) == written("additive")


def test_what_was_read_is_proved_again() -> None:
    assert cd.check(Derivation.from_json(written("Inverse Score"))).verdict is Verdict.PROVED


def test_a_certificate_says_what_it_is_and_what_was_found() -> None:
    document = json.loads(written("additive"))
    assert (document["format"], document["version"], document["verdict"]) == (
        "costderive derivation",
        VERSION,
        "PROVED",
    )
    assert len(document["findings"]) == len(checked("additive").findings)
    assert document["rule"][0]["losses"]["loss0"]["pieces"][1]["value"] == [
        "Pow",
        ["Symbol", "p"],
        ["Integer", "2"],
    ]


def test_lines_are_short_enough_to_compare() -> None:
    assert max(map(len, written("two orders").splitlines())) <= 130


EXPRESSIONS = [
    sympy.S.Zero,
    Rational(-22, 7),
    sympy.Integer(10) ** 400,
    sympy.pi + sympy.E,
    sympy.oo,
    -sympy.oo,
    sqrt(2) / 3 - 2 ** Rational(1, 3),
    parameter("a") ** parameter("b"),
    sympy.exp(-2 * p) * sympy.log(1 - p),
    sympy.Mul(2, p + 1, evaluate=False),
    sympy.betainc(2, 3, 0, p),
    sympy.uppergamma(2, p),
    sympy.Max(p, s, c0),
    Integral(s**p / (1 - s), (s, 0, p)),
    sympy.asin(sqrt(p)) - sqrt(p) * sqrt(1 - p),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_an_expression_survives_as_plain_data(expr: sympy.Expr) -> None:
    assert TWO_CLASSES.decode(json.loads(json.dumps(TWO_CLASSES.encode(expr)))) == expr


letters = st.sampled_from([p, s, parameter("a"), sympy.S.One, Rational(1, 3), sympy.Integer(-7), sympy.pi])
expressions = st.recursive(
    letters,
    lambda inner: st.one_of(
        st.builds(sympy.Add, inner, inner),
        st.builds(sympy.Mul, inner, inner),
        st.builds(lambda x: sympy.sqrt(x * x + 1), inner),
        st.builds(lambda x: sympy.log(2 + x * x), inner),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(expressions)
def test_any_expression_survives(expr: sympy.Expr) -> None:
    assert TWO_CLASSES.decode(json.loads(json.dumps(TWO_CLASSES.encode(expr)))) == expr


# ---- what cannot be written


@pytest.mark.parametrize(
    "value",
    [
        Symbol("p"),
        Symbol("a b", positive=True),
        Symbol("lambda", positive=True),
        sympy.Function("f")(p),
        sympy.I,
        {1: 2},
        "p",
    ],
    ids=str,
)
def test_what_no_reader_could_rebuild_is_not_written(value: object) -> None:
    with pytest.raises(ExportError):
        TWO_CLASSES.encode(value)


# ---- what cannot be read

FORGED = {
    "a call": ["__import__", ["Symbol", "os"]],
    "a head that SymPy has": ["Lambda", ["Symbol", "p"], ["Symbol", "p"]],
    "a head in lower case": ["add", ["Integer", "1"], ["Integer", "1"]],
    "sympify": ["sympify", ["Symbol", "p"]],
    "a name that is code": ["Symbol", "p); import os; os.system('false'"],
    "a keyword": ["Symbol", "lambda"],
    "a dunder": ["Symbol", "__class__"],
    "no name": ["Symbol"],
    "a sum of one": ["Add", ["Integer", "1"]],
    "a power of three": ["Pow", ["Symbol", "p"], ["Symbol", "p"], ["Symbol", "p"]],
    "a number as a number": ["Integer", 1],
    "a number with a point": ["Integer", "1.5"],
    "a number with a blank": ["Integer", " 1"],
    "Arabic digits": ["Integer", "\u0661"],
    "a number of many digits": ["Integer", "9" * 5000],
    "not in lowest terms": ["Rational", "2", "4"],
    "a zero denominator": ["Rational", "1", "0"],
    "a negative denominator": ["Rational", "1", "-2"],
    "division by zero": ["Pow", ["Integer", "0"], ["Integer", "-1"]],
    "a power as big as the world": ["Pow", ["Integer", "9"], ["Integer", "999999999"]],
    "a tower": ["Pow", ["Pow", ["Symbol", "p"], ["Integer", "9999"]], ["Integer", "9999"]],
    "a huge root": ["Pow", ["Integer", "2"], ["Rational", "99999999", "2"]],
    "an integral over a number": [
        "Integral",
        ["Symbol", "p"],
        ["Integer", "1"],
        ["Integer", "0"],
        ["Integer", "1"],
    ],
    "a tuple in a sum": ["Add", ["tuple"], ["Integer", "1"]],
    "a record in a sum": [
        "Add",
        {"type": "Given", "positive": ["tuple"], "nonnegative": ["tuple"]},
        ["Integer", "1"],
    ],
    "an empty list": [],
    "a list of lists": [["Add"]],
    "text": "p",
    "a record of no type": {"low": ["Integer", "1"]},
    "a record of a type that is not data": {"type": "Popen", "args": ["tuple"]},
    "a record with a missing field": {"type": "Atom", "at": ["Integer", "1"]},
    "a record with a new field": {
        "type": "Atom",
        "at": ["Integer", "1"],
        "mass": ["Integer", "1"],
        "x": None,
    },
    "a record with a field of another kind": {"type": "Atom", "at": ["tuple"], "mass": ["Integer", "1"]},
    "a case whose steps are numbers": {
        "type": "Case",
        "given": {"type": "Given", "positive": ["tuple"], "nonnegative": ["tuple"]},
        "steps": ["tuple", ["Integer", "1"]],
    },
    "a context without bounds": {"type": "IndependentUniform", "c0": ["tuple"], "c1": ["tuple"]},
    "a sign that is not one": {"type": "Sign", "name": "__class__"},
}


def tampered(name: str, **changes: Any) -> str:
    return json.dumps({**json.loads(written(name)), **changes})


@pytest.mark.parametrize("name", FORGED)
def test_forged_data_is_refused_in_words(name: str) -> None:
    document = json.loads(written("additive"))
    document["derivation"]["cases"][1]["given"]["positive"] = ["tuple", FORGED[name]]
    with pytest.raises(SpecError) as refused:
        Derivation.from_json(json.dumps(document), "forged.json")
    assert str(refused.value).startswith("forged.json")


@pytest.mark.parametrize("name", FORGED)
def test_forged_data_is_no_derivation(name: str) -> None:
    with pytest.raises(SpecError):
        Derivation.from_json(tampered("additive", derivation=FORGED[name]))


TEXTS = {
    "empty": "",
    "no JSON": "derivation",
    "a list": "[]",
    "null": "null",
    "another format": '{"format": "pickle", "version": 2}',
    "a later version": '{"format": "costderive derivation", "version": 3}',
    "no derivation": '{"format": "costderive derivation", "version": 2}',
    "NaN": '{"format": "costderive derivation", "version": 2, "x": NaN}',
    "a key twice": '{"format": "costderive derivation", "format": "costderive derivation", "version": 2}',
    "many digits": '{"version": 2' + "0" * 5000 + "}",
    "deep": "[" * 100_000,
    "deep expressions": '{"format": "costderive derivation", "version": 2, "derivation": '
    + '["exp", ' * 500
    + '["Integer", "1"]'
    + "]" * 500
    + "}",
    "large": " " * (MAX_CHARACTERS + 1),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_is_no_certificate_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="certificate"):
        Derivation.from_json(TEXTS[name])


# ---- a certificate cannot pretend


def test_a_rule_other_than_that_of_the_steps_is_refused() -> None:
    document = json.loads(written("additive"))
    document["rule"][0]["losses"]["loss0"]["pieces"][1]["value"] = ["Symbol", "p"]
    with pytest.raises(SpecError, match="the rule is not the one"):
        Derivation.from_json(json.dumps(document))


def test_a_context_other_than_that_of_the_steps_is_refused() -> None:
    document = json.loads(written("additive"))
    document["derivation"]["context"]["mean"] = ["Integer", "2"]
    with pytest.raises(SpecError, match="does not start at the context"):
        Derivation.from_json(json.dumps(document))


def test_a_missing_case_is_refused() -> None:
    document = json.loads(written("two orders"))
    assert len(document["derivation"]["cases"]) == 3
    del document["derivation"]["cases"][2]
    with pytest.raises(SpecError, match="do not cover"):
        Derivation.from_json(json.dumps(document))


def test_an_invented_fact_is_refused() -> None:
    document = json.loads(written("additive"))
    document["derivation"]["cases"][1]["given"]["positive"].append(
        ["Mul", ["Integer", "-1"], ["Symbol", "a"]]
    )
    with pytest.raises(SpecError, match="do not cover"):
        Derivation.from_json(json.dumps(document))


def test_a_derivation_without_its_last_step_is_refused() -> None:
    document = json.loads(written("additive"))
    del document["derivation"]["cases"][1]["steps"][-1]
    with pytest.raises(SpecError, match="does not end with a verdict"):
        Derivation.from_json(json.dumps(document))


def test_findings_are_not_believed() -> None:
    """A loss that is wrong in every step is read, and refuted."""
    document = json.loads(
        written("additive").replace('["Pow", ["Symbol", "p"], ["Integer", "2"]]', '["Symbol", "p"]')
    )
    assert document["verdict"] == "PROVED"
    assert cd.check(Derivation.from_json(json.dumps(document))).verdict is Verdict.REFUTED


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every node of a JSON tree."""
    yield path
    for key, inner in (
        enumerate(tree) if isinstance(tree, list) else tree.items() if isinstance(tree, dict) else ()
    ):
        yield from places(inner, (*path, key))


BASE = "maximum"


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_certificate_changed_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    document = deepcopy(json.loads(written(BASE))["derivation"])
    path = data.draw(st.sampled_from(list(places(document))[1:]))
    parent = document
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = data.draw(
        st.sampled_from([*FORGED.values(), None, 1, True, 0.5, "", {}, ["Integer", "2"], ["Symbol", "x"]])
    )
    try:
        read = Derivation.from_json(tampered(BASE, derivation=document))
    except SpecError:
        return
    assert isinstance(read, Derivation)
