"""The JSON Schema of certificates, written from the same tables that reading uses.

Which schema a list or an object has to satisfy is chosen by its head or its ``type``, never by trying one after the
other: so a validator goes through a certificate once.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Iterable
from enum import Enum
from inspect import getdoc
from itertools import chain
from typing import Any, Union, get_args, get_origin

from sympy import Expr, Symbol

from costderive.certificate import trees
from costderive.certificate.document import FORMAT, START, VERSION
from costderive.pieces import Given
from costderive.proof import Case, Move, Step, Verdict
from costderive.rule import Losses

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EXPRESSION, VALUE, RECORD = ({"$ref": f"#/$defs/{name}"} for name in ("expression", "value", "record"))
TEXT = {"type": "string"}
PLAIN = {float: {"type": "number"}, bool: {"type": "boolean"}, type(None): {"type": "null"}}


def schema() -> Schema:
    """Return the JSON Schema (2020-12) that every certificate satisfies.

    It says what a certificate looks like; whether the derivation is right is for a checker to say.
    """
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        **_object(_document(), optional={"verdict": _names(Verdict), "findings": _list(_finding())}),
        "$defs": {"expression": _expression(), "value": _value(), "record": _any_record(), **_records()},
    }


def schema_text() -> str:
    """Return the schema as text."""
    return json.dumps(schema(), indent=1) + "\n"


def _document() -> Schema:
    cases = {"context": _of(START), "cases": _of(tuple[Case, ...])}
    return {
        "format": {"const": FORMAT},
        "version": {"const": VERSION},
        "costderive": TEXT,
        "derivation": _object({"type": {"const": "Derivation"}, **cases}),
        "rule": _list(_object({"given": _of(Given), "losses": _of(Losses | START)})),
    }


def _finding() -> Schema:
    told = {"claim": TEXT, "kind": TEXT, "verdict": _names(Verdict), "decider": TEXT}
    return _object(told, optional={"evidence": TEXT})


# ---- parts of schemas


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


# ---- records


def _records() -> Schema:
    return {name: _record(kind) for name, kind in trees.RECORDS.items()}


def _record(kind: Any) -> Schema:
    told = {"description": (getdoc(kind) or "").partition("\n")[0]}
    name = {"type": {"const": kind.__name__}}
    if issubclass(kind, Enum):
        return {**told, **_object({**name, "name": _names(kind)})}
    hints = trees.hints(kind)
    fields = {field.name: _of(hints[field.name]) for field in dataclasses.fields(kind)}
    moves = {"allOf": _chosen("properties", _moves())} if kind is Step else {}
    return {**told, **_object({**name, **fields}), **moves}


def _moves() -> Iterable[tuple[Schema, Schema]]:
    """Each move starts from one kind of object, and gives another."""
    for name, kind in trees.RECORDS.items():
        if issubclass(kind, Move):
            hints = trees.hints(kind.apply)
            ends = {"before": _of(hints["before"]), "after": _of(hints["return"])}
            yield {"move": {"properties": {"type": {"const": name}}}}, {"properties": ends}


def _any_record() -> Schema:
    rows = (({"type": {"const": name}}, {"$ref": f"#/$defs/{name}"}) for name in trees.RECORDS)
    known = {"type": {"enum": list(trees.RECORDS)}}
    return {
        "type": "object",
        "properties": known,
        "required": ["type"],
        "allOf": _chosen("properties", rows),
    }


def _of(kind: Any) -> Schema:
    """Return the schema of what an annotation names."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _one_of([_of(part) for part in parts])
    if origin is tuple and parts[-1] is ...:
        return _tree("tuple", more=_of(parts[0]))
    if origin is tuple:
        return _tree("tuple", *map(_of, parts))
    if kind is Symbol:
        return _symbol()
    if kind is Expr:
        return EXPRESSION
    return VALUE if kind is Any else PLAIN.get(kind) or _records_of(kind)


def _records_of(kind: type) -> Schema:
    names = [name for name, record in trees.RECORDS.items() if issubclass(record, kind)]
    return {**RECORD, "properties": {"type": {"enum": names}}}


def _one_of(schemas: list[Schema]) -> Schema:
    """Several kinds of records are one schema, with all their names."""
    names = [x["properties"]["type"]["enum"] for x in schemas if x.get("$ref") == RECORD["$ref"]]
    others = [x for x in schemas if x.get("$ref") != RECORD["$ref"]]
    joined = [{**RECORD, "properties": {"type": {"enum": [*chain(*names)]}}}] if names else []
    return (joined + others)[0] if len(joined + others) == 1 else {"anyOf": joined + others}


def _value() -> Schema:
    """Whatever has a form: for the arguments of contexts, which a reader gives to their constructors."""
    rest: list[Schema] = [EXPRESSION, RECORD, *PLAIN.values()]
    return {
        "if": {"type": "array", "prefixItems": [{"const": "tuple"}], "minItems": 1},
        "then": _tree("tuple", more=VALUE),
        "else": {"anyOf": rest},
    }


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
    whole = {"type": "string", "pattern": f"^({trees.WHOLE})$"}
    leaves = {
        "Integer": _tree("Integer", whole),
        "Rational": _tree("Rational", whole, whole),
        "Symbol": _symbol(),
    }
    applied = {name: _tree(name, *[EXPRESSION] * count) for name, count in trees.ARGUMENTS.items()}
    several = {name: _tree(name, EXPRESSION, EXPRESSION, more=EXPRESSION) for name in trees.SEVERAL_ARGUMENTS}
    integral = _tree("Integral", EXPRESSION, _symbol(), EXPRESSION, EXPRESSION)
    return {
        **leaves,
        **{name: _tree(name) for name in trees.CONSTANTS},
        **applied,
        **several,
        "Integral": integral,
    }


def _symbol() -> Schema:
    return _tree("Symbol", {"type": "string", "pattern": f"^{trees.NAME}$"})
