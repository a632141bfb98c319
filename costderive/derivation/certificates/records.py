"""Records as plain data, and back: the objects that a derivation is made of, and tuples of them.

A record is an object with its ``type``; a tuple is a list that starts with ``"tuple"``. Reading builds records from a
closed table, each value checked against what its place can hold.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from inspect import signature
from typing import Any, Union, get_args, get_origin, get_type_hints

from sympy import Expr

from costderive.core import piecewise
from costderive.core.errors import ExportError
from costderive.costs import laws
from costderive.derivation.certificates import expression_trees
from costderive.derivation.certificates.expression_trees import MAX_DEPTH, require, shown
from costderive.proof import claims

MAX_COUNT, MAX_NAME = 1000, 60
FAMILIES = laws.NAMED  # of laws: a name in a certificate is a record with the arguments as its fields
Builder = Callable[..., Any]


@dataclass(frozen=True)
class Vocabulary:
    """What the certificates of one kind of derivation call it, and the records that they hold.

    ``builders`` make those records that are not just their fields, or that refuse some values.
    """

    kind: str
    records: Mapping[str, type]
    builders: Mapping[str, Builder]

    @classmethod
    def of(
        cls, kind: str, records: Mapping[str, type], builders: Mapping[str, Builder] | None = None
    ) -> Vocabulary:
        """Return the vocabulary of a kind of derivation that holds some records, and what all proofs hold."""
        return cls(kind, {**_COMMON, **records}, {**_BUILDERS, **(builders or {})})

    @cached_property
    def names(self) -> Mapping[type, str]:
        """The name of each record."""
        return {record: name for name, record in self.records.items()}

    def encode(self, value: Any) -> Any:
        """Return an expression, a record or a tuple of them as plain data.

        Raises:
            ExportError: if it is none of these.
        """
        if isinstance(value, Expr):
            return expression_trees.written(value)
        if isinstance(value, tuple):
            return ["tuple", *map(self.encode, value)]
        if isinstance(value, laws.Name):
            return {"type": value.family, **{key: self.encode(x) for key, x in value.parameters.items()}}
        if type(value) in self.names:
            return self._encoded(value, self.names[type(value)])
        if value is None or isinstance(value, bool | int | float):
            return value
        raise ExportError(
            f"a certificate has no form for {type(value).__name__}", "Add it to the table of records."
        )

    def _encoded(self, record: Any, name: str) -> dict[str, Any]:
        if isinstance(record, Enum):
            return {"type": name, "name": record.name}
        fields = {part.name: self.encode(getattr(record, part.name)) for part in dataclasses.fields(record)}
        return {"type": name, **fields}

    def decode(self, data: Any, depth: int = 0) -> Any:
        """Rebuild an expression, a record or a tuple from plain data; the inverse of `encode`."""
        require(depth < MAX_DEPTH, f"more than {MAX_DEPTH} levels of nesting")
        if isinstance(data, dict):
            return self._decoded(data, depth)
        if isinstance(data, list) and data[:1] == ["tuple"]:
            return tuple(self.decode(item, depth + 1) for item in data[1:])
        if data is None or isinstance(data, bool | float):
            return data
        if isinstance(data, int):
            require(0 <= data <= MAX_COUNT, f"{shown(data)} is not a count")
            return data
        return expression_trees.read(data, depth)

    def decoded(self, data: Any, kind: Any, depth: int) -> Any:
        """Rebuild what has to be of the kind that an annotation names."""
        value = self.decode(data, depth)
        require(fits(value, kind), f"{shown(data)} is not {getattr(kind, '__name__', kind)}")
        return value

    def _decoded(self, data: dict[str, Any], depth: int) -> Any:
        if str(data.get("type")) in FAMILIES:
            return self._name(data, depth)
        record: Any = self.records.get(data["type"]) if isinstance(data.get("type"), str) else None
        if record is None:
            raise expression_trees.NotATreeError(
                f"type {shown(data.get('type'))} is not in the table of records"
            )
        if issubclass(record, Enum):
            known = set(data) == {"type", "name"} and data["name"] in tuple(record.__members__)
            require(known, f"{shown(data)} is not known")
            return record[data["name"]]
        kinds = {part.name: hints(record)[part.name] for part in dataclasses.fields(record)}
        return self.builders.get(data["type"], record)(**self._fields(data, kinds, depth))

    def _name(self, data: dict[str, Any], depth: int) -> laws.Name | None:
        """Rebuild the name of a law, whose fields are its parameters."""
        build = FAMILIES[data["type"]]
        arguments = self._fields(data, dict.fromkeys(signature(build).parameters, Expr), depth)
        return build(**arguments).name

    def _fields(self, data: dict[str, Any], kinds: Mapping[str, Any], depth: int) -> dict[str, Any]:
        require(set(data) == {"type", *kinds}, f"{data['type']} has other fields: {shown(list(data))}")
        return {name: self.decoded(data[name], kind, depth + 1) for name, kind in kinds.items()}


def of_kinds(record: type, **kinds: Any) -> Builder:
    """Return what builds a record some of whose fields are, in a vocabulary, of narrower kinds than elsewhere."""

    def build(**fields: Any) -> Any:
        for name, kind in kinds.items():
            require(fits(fields[name], kind), f"{name} = {str(fields[name])[:MAX_NAME]} has no place here")
        return record(**fields)

    return build


def _law(kind: type[laws.Law], place: str) -> Builder:
    """Build a law from its parts; it has a name only if the law of that name has the same parts."""

    def build(name: laws.Name | None, **parts: Any) -> laws.Law:
        law = laws.require_law(kind(**parts), place)
        require(
            name is None or name.law().knowing(law.assumed) == law,
            f"{place} is called {str(name)[:MAX_NAME]}, and is another one",
        )
        return dataclasses.replace(law, name=name)

    return build


def _pieces(**fields: Any) -> piecewise.Pieces:
    require(fields["pieces"], "a function has no pieces")
    return piecewise.Pieces(**fields)


def _step(**fields: Any) -> claims.Step:
    step = claims.Step(**fields)
    kinds, name = hints(type(step.move).claims), type(step.move).__name__
    require(fits(step.before, kinds["before"]), f"{name} cannot start from this")
    require(fits(step.after, kinds["after"]), f"{name} cannot give this")
    return step


_COMMON: Mapping[str, type] = {
    "Law": laws.Law,
    "AssumedLaw": laws.AssumedLaw,
    "ImproperLaw": laws.ImproperLaw,
    "Mass": laws.Mass,
    "Spread": laws.Spread,
    "Given": piecewise.Given,
    "Step": claims.Step,
    "Case": claims.Case,
}
_BUILDERS: Mapping[str, Builder] = {
    "Law": _law(laws.Law, "a law"),
    "AssumedLaw": _law(laws.AssumedLaw, "a law"),
    "ImproperLaw": _law(laws.ImproperLaw, "an improper law"),
    "Pieces": _pieces,
    "Step": _step,
}


@cache
def hints(record: Any) -> dict[str, Any]:
    """Return what the annotations of a record or a function name."""
    return get_type_hints(record)


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of the kind that an annotation names."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is tuple and parts[-1] is ...:
        return isinstance(value, tuple) and all(fits(item, parts[0]) for item in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(fits, value, parts))
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return isinstance(value, kind)
