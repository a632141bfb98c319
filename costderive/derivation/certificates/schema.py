"""The JSON Schema of certificates, written from the same tables that reading uses.

Which schema a list or an object has to satisfy is chosen by its head or its ``type``, never by trying one after the
other: so a validator goes through a certificate once.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from inspect import getdoc, signature
from itertools import chain
from typing import Any, Union, get_args, get_origin

from sympy import Expr, Symbol

from costderive.costs.laws import Name
from costderive.derivation.certificates import expression_trees
from costderive.derivation.certificates.document import FORMAT, Certified, vocabulary_of
from costderive.derivation.certificates.records import FAMILIES, MAX_COUNT, hints
from costderive.derivation.certificates.versions import VERSION
from costderive.proof.claims import Case, Move, Step, Verdict

Schema = dict[str, Any]
Kind = type[Certified]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EXPRESSION, VALUE, RECORD = ({"$ref": f"#/$defs/{name}"} for name in ("expression", "value", "record"))
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": MAX_COUNT}
PLAIN: dict[Any, Schema] = {
    float: {"type": "number"},
    int: COUNT,
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}


def schema(kinds: Iterable[Kind]) -> Schema:
    """Return the JSON Schema (2020-12) that every certificate of one of these kinds satisfies.

    It says what a certificate looks like; whether the derivation is right is for a checker to say.
    """
    known = tuple(kinds)
    records = {name: record for kind in known for name, record in vocabulary_of(kind).records.items()}
    writer = _Writer(records)
    return {"$schema": DIALECT, "title": FORMAT, **writer.document(known), "$defs": writer.definitions()}


def schema_text(kinds: Iterable[Kind]) -> str:
    """Return the schema as text."""
    return json.dumps(schema(kinds), indent=1) + "\n"


# ---- parts of schemas


def _finding() -> Schema:
    required = {"claim": TEXT, "kind": TEXT, "verdict": _names(Verdict), "decider": TEXT}
    return _object(required, optional={"evidence": TEXT})


def _object(required: Schema, optional: Schema | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _names(kind: type[Enum]) -> Schema:
    return {"enum": list(kind.__members__)}


def _tree(head: str, *items: Schema, more: Schema | None = None) -> Schema:
    """A list that starts with its head; ``more`` are any number of further items."""
    shape = {"type": "array", "prefixItems": [{"const": head}, *items], "minItems": 1 + len(items)}
    return {**shape, "items": more or False}


def _chosen(by: str, rows: Iterable[tuple[Any, Schema]]) -> list[Schema]:
    """Return a list of "if a part is this, then the whole is that"."""
    return [{"if": {by: part}, "then": whole} for part, whole in rows]


def _one_of(schemas: list[Schema]) -> Schema:
    """Several kinds of records are one schema, with all their names."""
    names = [x["properties"]["type"]["enum"] for x in schemas if x.get("$ref") == RECORD["$ref"]]
    others = [x for x in schemas if x.get("$ref") != RECORD["$ref"]]
    joined = [{**RECORD, "properties": {"type": {"enum": [*chain(*names)]}}}] if names else []
    return (joined + others)[0] if len(joined + others) == 1 else {"anyOf": joined + others}


# ---- expressions


def _expression() -> Schema:
    """An expression is a list that starts with its head."""
    heads = _heads()
    rows = (([{"const": head}], shape) for head, shape in heads.items())
    return {
        "type": "array",
        "prefixItems": [{"enum": list(heads)}],
        "minItems": 1,
        "allOf": _chosen("prefixItems", rows),
    }


def _heads() -> dict[str, Schema]:
    whole = {"type": "string", "pattern": f"^({expression_trees.WHOLE})$"}
    leaves = {
        "Integer": _tree("Integer", whole),
        "Rational": _tree("Rational", whole, whole),
        "Symbol": _symbol(),
    }
    applied = {name: _tree(name, *[EXPRESSION] * count) for name, count in expression_trees.ARGUMENTS.items()}
    several = {
        name: _tree(name, EXPRESSION, EXPRESSION, more=EXPRESSION)
        for name in expression_trees.SEVERAL_ARGUMENTS
    }
    integral = _tree("Integral", EXPRESSION, _symbol(), EXPRESSION, EXPRESSION)
    parameter = _tree("CurveParameter", *[EXPRESSION] * 2, _symbol(), *[EXPRESSION] * 6)
    return {
        **leaves,
        **{name: _tree(name) for name in expression_trees.CONSTANTS},
        **applied,
        **several,
        "Integral": integral,
        "CurveParameter": parameter,
    }


def _symbol() -> Schema:
    return _tree("Symbol", {"type": "string", "pattern": f"^{expression_trees.NAME}$"})


def _value() -> Schema:
    """Whatever has a form: for the arguments of contexts, which a reader gives to their constructors."""
    rest: list[Schema] = [EXPRESSION, RECORD, *PLAIN.values()]
    return {
        "if": {"type": "array", "prefixItems": [{"const": "tuple"}], "minItems": 1},
        "then": _tree("tuple", more=VALUE),
        "else": {"anyOf": rest},
    }


# ---- documents and records


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the schema of documents that hold certain records."""

    records: dict[str, Any]

    def document(self, kinds: tuple[Kind, ...]) -> Schema:
        """A document on a derivation of one of some kinds."""
        keys = {"format": {"const": FORMAT}, "version": {"const": VERSION}, "costderive": TEXT}
        names = {"derivation": _type_of(*map(_called, kinds)), "rule": {"type": "array"}}
        findings = {"verdict": _names(Verdict), "findings": _list(_finding())}
        rows = (({"derivation": _type_of(_called(kind))}, self._of_kind(kind)) for kind in kinds)
        return {**_object({**keys, **names}, optional=findings), "allOf": _chosen("properties", rows)}

    def _of_kind(self, kind: Kind) -> Schema:
        parts = {"context": self.of(hints(kind)["context"]), "cases": self.of(tuple[Case, ...])}
        derivation = _object({"type": {"const": _called(kind)}, **parts})
        (case, _) = get_args(hints(kind.outcome.fget)["return"])  # type: ignore[attr-defined]  # a property
        given, losses = map(self.of, get_args(case))
        rule = _list(_object({"given": given, "losses": losses}))
        return {"properties": {"derivation": derivation, "rule": rule}}

    def definitions(self) -> Schema:
        """What the parts of a document refer to."""
        shared = {"expression": _expression(), "value": _value(), "record": self._any_record()}
        names = {name: _name(build) for name, build in FAMILIES.items()}
        return {**shared, **{name: self._record(name, kind) for name, kind in self.records.items()}, **names}

    def _record(self, name: str, kind: Any) -> Schema:
        described = {"description": (getdoc(kind) or "").partition("\n")[0]}
        typed = {"type": {"const": name}}
        if issubclass(kind, Enum):
            return {**described, **_object({**typed, "name": _names(kind)})}
        found = hints(kind)
        fields = {field.name: self.of(found[field.name]) for field in dataclasses.fields(kind)}
        moves = {"allOf": _chosen("properties", self._moves())} if kind is Step else {}
        return {**described, **_object({**typed, **fields}), **moves}

    def _moves(self) -> Iterable[tuple[Schema, Schema]]:
        """Each move starts from one kind of object, and gives another."""
        for name, kind in self.records.items():
            if issubclass(kind, Move):
                found = hints(kind.claims)
                ends = {place: self.of(found[place]) for place in ("before", "after")}
                yield {"move": _type_of(name)}, {"properties": ends}

    def _any_record(self) -> Schema:
        known = (*self.records, *FAMILIES)
        rows = (({"type": {"const": name}}, {"$ref": f"#/$defs/{name}"}) for name in known)
        return {**_type_of(*known), "required": ["type"], "allOf": _chosen("properties", rows)}

    def of(self, kind: Any) -> Schema:
        """Return the schema of what an annotation names."""
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            return _one_of([self.of(part) for part in parts])
        if origin is tuple and parts[-1] is ...:
            return _tree("tuple", more=self.of(parts[0]))
        if origin is tuple:
            return _tree("tuple", *map(self.of, parts))
        if kind is Symbol:
            return _symbol()
        if kind is Expr:
            return EXPRESSION
        return VALUE if kind is Any else PLAIN.get(kind) or self._records_of(kind)

    def _records_of(self, kind: type) -> Schema:
        found = [name for name, record in self.records.items() if issubclass(record, kind)]
        names = list(FAMILIES) if kind is Name else found
        return {**RECORD, "properties": {"type": {"enum": names}}}


def _name(build: Callable[..., Any]) -> Schema:
    """The name of a law: its family, and the arguments by the names of the parameters."""
    fields = dict.fromkeys(signature(build).parameters, EXPRESSION)
    described = (getdoc(build) or "").partition("\n")[0]
    return {"description": described, **_object({"type": {"const": build.__name__}, **fields})}


def _called(kind: Kind) -> str:
    return vocabulary_of(kind).kind


def _type_of(*names: str) -> Schema:
    return {"type": "object", "properties": {"type": {"enum": list(names)}}}
