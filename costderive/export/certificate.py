"""Certificates: a derivation as one JSON document, from which an equal derivation is rebuilt.

The document is plain data. An expression is a nested list that starts with its head, as in ``["Pow",
["Symbol", "p"], ["Integer", "2"]]``; a record is an object with its ``type``; a tuple is a list that starts
with ``"tuple"``. Whole numbers are texts, so no reader rounds them. Reading builds objects from two closed
tables, one of heads and one of records, each value checked against what its place can hold; no text is
evaluated.

A certificate convinces nobody by what it says of itself: findings are written for people and never read back.
``check(from_json(text))`` decides every claim anew.
"""

from __future__ import annotations

import dataclasses
import json
import keyword
import re
import types
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from math import gcd
from typing import Any, Union, get_args, get_origin, get_type_hints

import sympy
from sympy import Expr, Integral, Symbol

import costderive
from costderive import (
    contexts,
    integrals,
    laws,
    moves,
    origins,
    pairs,
    pieces,
    proof,
    rule,
    symbols,
    thresholds,
)
from costderive.derivation import Derivation
from costderive.errors import CostDeriveError, ExportError, SpecError
from costderive.proof import Report

FORMAT, VERSION = "costderive derivation", 1
MAX_CHARACTERS, MAX_DEPTH, MAX_DIGITS, MAX_EXPONENT = 20_000_000, 100, 3_000, 10_000
WIDTH = 110

_CONSTANTS = {"Pi": sympy.pi, "Exp1": sympy.E, "Infinity": sympy.oo, "NegativeInfinity": -sympy.oo}
_ARGUMENTS = {
    **dict.fromkeys(("Abs", "exp", "log", "sin", "cos", "tan", "cot", "asin", "acos", "atan"), 1),
    **dict.fromkeys(
        ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "gamma", "loggamma"), 1
    ),
    **dict.fromkeys(("Pow", "beta", "lowergamma", "uppergamma", "expint"), 2),
    **dict.fromkeys(("betainc", "betainc_regularized"), 4),
}
_SEVERAL_ARGUMENTS = ("Add", "Mul", "Max", "Min")
_HEADS = {name: getattr(sympy, name) for name in (*_ARGUMENTS, *_SEVERAL_ARGUMENTS)}


def _records() -> Iterator[type]:
    """Yield the types of records: the data of a derivation, its contexts and its moves."""
    for module in (integrals, laws, origins, pairs, pieces, rule, thresholds):
        yield from (
            x
            for x in vars(module).values()
            if isinstance(x, type) and x.__module__.startswith(module.__name__)
        )
    yield from (getattr(moves, name) for name in moves.__all__)
    yield from (x for x in map(vars(contexts).get, contexts.__all__) if isinstance(x, type))
    yield from (proof.Step, proof.Case, Derivation)


_RECORDS: dict[str, Any] = {
    record.__name__: record
    for record in _records()
    if dataclasses.is_dataclass(record) or issubclass(record, Enum)
}


def to_json(derivation: Derivation, report: Report | None = None) -> str:
    """Write a derivation, its rule, and the findings on it, if given, as a JSON document.

    The same derivation and verdicts give the same text. ``from_json`` gives back an equal derivation.

    Raises:
        ExportError: if an expression has a function that certificates do not know.
    """
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "costderive": costderive.__version__}
    document["derivation"] = encode(derivation)
    document["rule"] = _rule(derivation)
    if report is not None:
        document["verdict"] = report.verdict.name
        document["findings"] = [_finding(finding) for finding in report.findings]
    return _laid_out(document) + "\n"


def from_json(text: str, place: str = "certificate") -> Derivation:
    """Rebuild the derivation of a certificate; its findings are not read.

    Raises:
        SpecError: if the text is not a certificate of this version, is too large, or was changed into
            something that describes no derivation.
    """
    document = _document(text, place)
    try:
        derivation: Derivation = _decoded(document.get("derivation"), Derivation, 0)
        _check_whole(derivation)
        same = document.get("rule") == _rule(derivation)
        _require(same, "the rule is not the one that the steps arrive at")
    except _DocumentError as refusal:
        raise SpecError(f"{place}: {refusal}", "Write the certificate again with to_json.") from None
    except CostDeriveError as error:
        raise SpecError(f"{place}: {error.problem}", error.remedy) from None
    except Exception as error:  # a context may fail in any way on values that no constructor of it has seen
        problem = f"{place}: {type(error).__name__}: {error}"
        raise SpecError(problem, "Write the certificate again with to_json.") from None
    return derivation


def _rule(derivation: Derivation) -> list[dict[str, Any]]:
    return [{"given": encode(given), "losses": encode(losses)} for given, losses in derivation.rule.cases]


def _finding(finding: proof.Finding) -> dict[str, str]:
    """Write a finding for people; seconds differ from run to run and stay out."""
    claim = finding.claim
    told = {"claim": claim.what, "kind": type(claim).__name__, "verdict": finding.verdict.name}
    return {
        **told,
        "decider": finding.decider,
        **({"evidence": finding.evidence} if finding.evidence else {}),
    }


# ---- writing


def encode(value: Any) -> Any:
    """Return an expression, a record or a tuple of them as plain data."""
    if isinstance(value, Expr):
        return _expression(value)
    if isinstance(value, tuple):
        return ["tuple", *map(encode, value)]
    if isinstance(value, Enum) and type(value) is _RECORDS.get(type(value).__name__):
        return {"type": type(value).__name__, "name": value.name}
    if type(value) is _RECORDS.get(type(value).__name__):
        fields = {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return float(value)
    raise ExportError(
        f"a certificate has no form for {type(value).__name__}", "Add it to the table of records."
    )


def _expression(expr: Expr) -> list[Any]:
    if expr.is_Integer:
        return ["Integer", str(expr)]
    if expr.is_Rational:
        return ["Rational", str(expr.p), str(expr.q)]
    if expr.is_Symbol:
        return _symbol(expr)
    for name, constant in _CONSTANTS.items():
        if expr is constant:
            return [name]
    if isinstance(expr, Integral) and len(expr.limits) == 1 and len(expr.limits[0]) == 3:
        return ["Integral", *map(_expression, (expr.function, *expr.limits[0]))]
    name = expr.func.__name__
    if _HEADS.get(name) is not expr.func:
        raise ExportError(f"a certificate has no form for {name}", "Add it to the table of heads.")
    return [name, *map(_expression, expr.args)]


def _symbol(symbol: Symbol) -> list[str]:
    if symbol != symbols.parameter(symbol.name) or not _is_name(symbol.name):
        raise ExportError(f"{symbol!r} is not a positive parameter with a plain name", "Name it a, or c_min.")
    return ["Symbol", symbol.name]


def _is_name(name: object) -> bool:
    """A name is an identifier, so that generated code can use it."""
    plain = isinstance(name, str) and re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", name)
    return bool(plain) and not keyword.iskeyword(str(name))


def _laid_out(value: Any, indent: int = 0) -> str:
    """Write JSON with each value on one line if it fits, else its items below one another."""
    line = json.dumps(value)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list):
        return line
    inner, margin = "\n" + " " * (indent + 1), "\n" + " " * indent
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {_laid_out(item, indent + 1)}" for key, item in value.items()]
        return "{" + inner + ("," + inner).join(rows) + margin + "}"
    return "[" + ("," + inner).join(_laid_out(item, indent + 1) for item in value) + "]"


# ---- reading


class _DocumentError(Exception):
    """Why a document is not a certificate, before it is known which file it came from."""


def _require(condition: object, problem: str) -> None:
    if not condition:
        raise _DocumentError(problem)


def _document(text: str, place: str) -> dict[str, Any]:
    if len(text) > MAX_CHARACTERS:
        raise SpecError(f"{place} has more than {MAX_CHARACTERS} characters", "Is this a certificate?")
    try:
        document = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_distinct)
    except (ValueError, RecursionError, _DocumentError) as problem:
        reason = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
        raise SpecError(
            f"{place} is not a certificate: {reason}", "Certificates are written by to_json."
        ) from None
    header = (document.get("format"), document.get("version")) if isinstance(document, dict) else ()
    if header != (FORMAT, VERSION):
        remedy = f"This costderive reads version {VERSION}."
        raise SpecError(f'{place} does not say "format": "{FORMAT}", "version": {VERSION}', remedy)
    return document  # type: ignore[no-any-return]  # a dict, as just seen


def _no_constant(name: str) -> None:
    raise _DocumentError(f"{name} is no number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    _require(len(table) == len(pairs), "a key stands twice in one object")
    return table


def decode(data: Any, depth: int = 0) -> Any:
    """Rebuild an expression, a record or a tuple from plain data; the inverse of `encode`."""
    _require(depth < MAX_DEPTH, f"more than {MAX_DEPTH} levels of nesting")
    if data is None or isinstance(data, bool | float):
        return data
    if isinstance(data, dict):
        return _record(data, depth)
    _require(isinstance(data, list) and data and isinstance(data[0], str), f"{_shown(data)} is not a tree")
    head, *rest = data
    if head == "tuple":
        return tuple(decode(item, depth + 1) for item in rest)
    if head in ("Integer", "Rational", "Symbol"):
        return _atom(head, rest)
    return _application(head, [_decoded(item, Expr, depth + 1) for item in rest])


def _decoded(data: Any, kind: Any, depth: int) -> Any:
    value = decode(data, depth)
    _require(_fits(value, kind), f"{_shown(data)} is not {getattr(kind, '__name__', kind)}")
    return value


def _shown(data: Any) -> str:
    return "a record" if isinstance(data, dict) else ascii(data)[:60]


def _atom(head: str, rest: list[Any]) -> Expr:
    shown = _shown([head, *rest])
    if head == "Symbol":
        _require(len(rest) == 1 and _is_name(rest[0]), f"{shown} is not a name")
        return symbols.parameter(rest[0])
    _require(
        len(rest) == (1 if head == "Integer" else 2) and all(map(_is_whole, rest)), f"{shown} is not a number"
    )
    top, bottom = int(rest[0]), int(rest[1]) if len(rest) == 2 else 1
    _require(head == "Integer" or (bottom > 1 and gcd(top, bottom) == 1), f"{shown} is not in lowest terms")
    return sympy.Rational(top, bottom)


def _is_whole(text: object) -> bool:
    return isinstance(text, str) and bool(re.fullmatch(rf"0|-?[1-9][0-9]{{0,{MAX_DIGITS}}}", text, re.ASCII))


def _application(head: str, args: list[Expr]) -> Expr:
    """Apply a head without evaluation, which gives back exactly what was written."""
    if head in _CONSTANTS and not args:
        return _CONSTANTS[head]
    if head == "Integral":
        _require(len(args) == 4 and args[1].is_Symbol, "an integral has a function, a variable and two ends")
        return Integral(args[0], tuple(args[1:]))
    _require(head in _HEADS, f'"{head[:40]}" is not in the table of heads')
    wanted = len(args) >= 2 if head in _SEVERAL_ARGUMENTS else len(args) == _ARGUMENTS[head]
    _require(wanted, f"{head} of {len(args)} arguments")
    if head == "Pow":
        _check_power(*args)
    return _HEADS[head](*args, evaluate=False)


def _check_power(base: Expr, exponent: Expr) -> None:
    """Refuse what SymPy never leaves standing, since it may be a number too large to work with."""
    small = not exponent.is_Rational or max(abs(exponent.p), exponent.q) <= MAX_EXPONENT
    standing = not exponent.is_Integer or not (base.is_Rational or base.is_Pow or exponent in (0, 1))
    _require(small and standing, "a power that SymPy would not leave standing")


def _record(data: dict[str, Any], depth: int) -> Any:
    record = _RECORDS.get(data["type"]) if isinstance(data.get("type"), str) else None
    if record is None:
        raise _DocumentError(f"type {_shown(data.get('type'))} is not in the table of records")
    if issubclass(record, Enum):
        _require(
            set(data) == {"type", "name"} and data["name"] in record.__members__,
            f"{_shown(data)} is not known",
        )
        return record[data["name"]]
    names = [field.name for field in dataclasses.fields(record)]
    _require(list(data) == ["type", *names], f"{record.__name__} has other fields: {_shown(list(data))}")
    values = {name: _decoded(data[name], _hints(record)[name], depth + 1) for name in names}
    return _BUILDERS.get(record.__name__, record)(**values)


def _joint(density: Any, support: Any) -> contexts.Joint:
    """Put the fields back: what a joint context is made from is not what it holds."""
    _require(_fits(density, Expr) and _fits(support, tuple[Expr, ...]), "not the fields of Joint")
    joint = object.__new__(contexts.Joint)
    object.__setattr__(joint, "density", density)
    object.__setattr__(joint, "support", support)
    return joint


_BUILDERS: dict[str, Callable[..., Any]] = {  # of records that are not built from their fields by name
    "Joint": _joint,
    "Mixture": lambda parts: contexts.Mixture(*parts),
}


@cache
def _hints(record: Any) -> dict[str, Any]:
    return get_type_hints(record)


def _fits(value: Any, kind: Any) -> bool:
    """Tell whether a value is of the kind that an annotation names."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple and parts[-1] is ...:
        return isinstance(value, tuple) and all(_fits(item, parts[0]) for item in value)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(parts) and all(map(_fits, value, parts))
    return isinstance(value, kind)


# ---- is it whole?


def _check_whole(derivation: Derivation) -> None:
    """Require that steps have the right objects and start at the context, and that no case is missing."""
    start = derivation.context
    _require(
        isinstance(start, contexts.Context | pairs.LossPair | origins.Origin),
        "it does not start from a context",
    )
    facts = start.given()
    if isinstance(start, contexts.Context):
        start.expected_loss()  # a context that cannot say it is none
    for case in derivation.cases:
        _require(
            case.steps and case.steps[0].before == derivation.context, "a case does not start at the context"
        )
        _require(isinstance(case.steps[-1].after, rule.Conclusion), "a case does not end with a verdict")
        _require(case.given.positive == facts.positive, "the facts of a case are not those of the context")
        for step in case.steps:
            kinds = _hints(type(step.move).apply)
            _require(
                _fits(step.before, kinds["before"]), f"{type(step.move).__name__} cannot start from this"
            )
            _require(_fits(step.after, kinds["return"]), f"{type(step.move).__name__} cannot give this")
    _require(
        _exhaustive([case.given.nonnegative for case in derivation.cases]),
        "the cases do not cover everything",
    )


def _exhaustive(facts: list[tuple[Expr, ...]]) -> bool:
    """Tell whether lists of facts, each ``x >= 0``, branch at each place into some x and -x."""
    if not all(facts):
        return facts == [()]
    pivot = facts[0][0]
    same = [rest for first, *rest in facts if first == pivot]
    opposite = [rest for first, *rest in facts if sympy.expand(first + pivot) == 0]
    if len(same) + len(opposite) != len(facts):
        return False
    return all(bool(part) and _exhaustive([tuple(rest) for rest in part]) for part in (same, opposite))
