"""Spec files: a cost context with its title and source, written in TOML.

A spec has a table ``[context]`` with a ``kind`` and the keys of that kind; ``title`` and ``source`` are
optional, and so are ``threshold`` and ``[expected]`` with the losses that the literature gives. Values are
numbers or texts in the grammar of `costderive.expressions`; a decimal means itself, 0.1 is 1/10. Nothing in a
spec is evaluated as code.
"""

from __future__ import annotations

import json
import re
import reprlib
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

import sympy
from sympy import Expr, S, Symbol

from costderive import symbols
from costderive.contexts import (
    Additive,
    Context,
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
from costderive.errors import SpecError
from costderive.expressions import exact
from costderive.expressions import parse as parse_expression
from costderive.laws import Density, Law, Spread, law_in, law_of, x
from costderive.pieces import Piece, Pieces
from costderive.thresholds import Calibrated, FixedThreshold, RandomThreshold, Threshold

MAX_BYTES = 2**16
MAX_LINE = 2_500  # tomllib takes quadratic time and memory for one long dotted key
MAX_TEXT = 300


@dataclass(frozen=True, slots=True)
class Expected:
    """The losses that a source gives for a context, as functions of ``p``."""

    loss0: Pieces
    loss1: Pieces


@dataclass(frozen=True, slots=True)
class Spec:
    """A cost context with its title and source, and the losses that the source gives, if any."""

    title: str
    source: str
    context: Context
    expected: Expected | None = None
    threshold: Threshold = Calibrated()


def load(path: str | Path) -> Spec:
    """Read a spec file.

    Raises:
        SpecError: if the file cannot be read or is not a spec; the message names file, key and value.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as problem:
        remedy = "A spec is a TOML file with a table [context]."
        raise SpecError(f"{path} cannot be read: {problem.strerror}", remedy) from None
    except UnicodeDecodeError as problem:
        byte = f"byte {problem.object[problem.start]:#04x} at offset {problem.start}"
        raise SpecError(f"{path} is not UTF-8: {byte}", "Save the spec as UTF-8 text.") from None
    return parse(text, place=str(path))


def parse(text: str, place: str = "spec") -> Spec:
    """Read a spec from its text; errors start with ``place``.

    Raises:
        SpecError: if the text is not TOML or does not say a meaningful context.

    >>> parse('title = "Half"\\n[context]\\nkind = "additive"\\nbudget = 1').context
    PowerMean(k=1, mean=1/2, density=None, c0=None, c1=None)
    """
    table = _toml(text, place)
    _known_keys(table, ("title", "source", "threshold", "context", "expected"), place, "")
    if "context" not in table:
        raise SpecError(
            f"{place} has no table [context]", 'Write [context] and below it kind = "additive", say.'
        )
    expected = table.get("expected")
    return Spec(
        _words(table.get("title", ""), f"{place}: title"),
        _words(table.get("source", ""), f"{place}: source"),
        context_from(table["context"], place),
        None if expected is None else _expected(expected, place),
        threshold_from(table["threshold"], f"{place}: threshold") if "threshold" in table else Calibrated(),
    )


def context_from(table: Mapping[str, object], place: str = "") -> Context:
    """Build the context that a table with ``kind`` and its keys describes; errors start with ``place``.

    Raises:
        SpecError: for an unknown kind or key, a missing key, or a value that the context cannot have.

    >>> context_from({"kind": "geometric", "mean": "2*m"}).parameters
    (m,)
    """
    prefix = f"{place}: " if place else ""
    kind = _kind(_table(table, f"{prefix}context"), prefix)
    _known_keys(table, ("kind", *kind.keys), place, "context.")
    for key in kind.required:
        if key not in table:
            raise SpecError(
                f"{prefix}context.{key} is missing", f"{table['kind']} needs it: write {key} = 2, say."
            )
    values = {
        key: read(table[key], f"{prefix}context.{key}") for key, read in kind.keys.items() if key in table
    }
    try:
        return kind.build(**values)
    except SpecError as error:
        raise type(error)(f"{prefix}{error.problem}", error.remedy) from None


def threshold_from(value: object, place: str = "threshold") -> Threshold:
    """Read a threshold: ``"calibrated"``, a number, a law such as ``"uniform(0, 1)"``, or a table with its density.

    The density is an expression in ``t``, as in ``{density = "2*t"}``.

    Raises:
        SpecError: if it is none of these, or outside [0, 1].

    >>> threshold_from("1/2")
    FixedThreshold(at=1/2)
    """
    if value == "calibrated":
        return Calibrated()
    try:
        if isinstance(value, Mapping):
            _known_keys(value, ("density",), "", f"{place}.")
            return RandomThreshold(value.get("density", 1))
        law = law_in(value, place) if isinstance(value, str) else None
        return FixedThreshold(_number(value, place)) if law is None else RandomThreshold(law)
    except SpecError as error:
        told = error.problem if error.problem.startswith(place) else f"{place}: {error.problem}"
        raise type(error)(told, error.remedy) from None


def to_toml(spec: Spec) -> str:
    """Write a spec as TOML, which `parse` reads back as an equal spec.

    Raises:
        SpecError: if a value of the context has no text in the grammar of costderive.
    """
    lines = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in _heading(spec)]
    lines += [f"threshold = {text}" for text in _threshold_written(spec.threshold)]
    lines += ["", "[context]", *[f"{key} = {value}" for key, value in _rows(spec.context)]]
    if spec.expected:
        lines += ["", "[expected]", *_expected_rows("loss0", spec.expected.loss0)]
        lines += _expected_rows("loss1", spec.expected.loss1)
    text = "\n".join(lines).lstrip() + "\n"
    if parse(text, "the spec that was written") != spec:
        raise SpecError(f"{spec.context} has no faithful text", "Write the spec by hand.")
    return text


# ---- reading TOML


def _toml(text: str, place: str) -> dict[str, Any]:
    """Read TOML with decimals as they are written, refusing first what would take tomllib long."""
    if len(text) > MAX_BYTES:
        raise SpecError(
            f"{place} has more than {MAX_BYTES} characters", "A spec is short; is this the right file?"
        )
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE:
            raise SpecError(
                f"{place}: line {number} has {len(line)} characters", f"Keep lines below {MAX_LINE}."
            )
    try:
        return tomllib.loads(text, parse_float=lambda number: number.replace("_", ""))
    except RecursionError:
        raise SpecError(f"{place} is nested too deeply", "A spec has tables in tables, no deeper.") from None
    except ValueError as problem:  # also Python's refusal of integers with thousands of digits
        raise SpecError(f"{place} is not TOML: {problem}", 'A line reads key = 1 or key = "text".') from None


def _known_keys(table: Mapping[str, object], known: Collection[str], place: str, path: str) -> None:
    for key in table:
        if key not in known:
            prefix = f"{place}: " if place else ""
            problem = f"{prefix}{path}{_key(key)} = {_shown(table[key])} is an unknown key"
            raise SpecError(problem, f"{_nearest(key, known)}Keys: {', '.join(known)}.")


def _nearest(word: object, known: Collection[str]) -> str:
    close = get_close_matches(str(word)[:MAX_TEXT].lower(), known, n=1)
    return f'Did you mean "{close[0]}"? ' if close else ""


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", key) else _shown(key)


def _shown(value: object) -> str:
    short = reprlib.Repr()
    short.maxlevel, short.maxstring, short.maxother = 2, 60, 60
    try:
        return short.repr(value)
    except ValueError:  # an int of more than 4300 digits
        return f"a large {type(value).__name__}"


def _table(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise SpecError(
            f"{place} = {_shown(value)} is not a table", f"Write [{place.rpartition(' ')[2]}] above its keys."
        )
    return value


def _words(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise SpecError(f"{place} = {_shown(value)} is not text", "Put it in quotation marks.")
    if len(value) > MAX_TEXT or not value.isprintable():
        raise SpecError(
            f"{place} = {_shown(value)} is not one printable line", f"Use at most {MAX_TEXT} characters."
        )
    return value


# ---- values


def _kind(table: Mapping[str, object], prefix: str) -> Kind:
    kind, kinds = table.get("kind"), f"Kinds: {', '.join(KINDS)}."
    if kind is None:
        raise SpecError(f"{prefix}context.kind is missing", kinds)
    if not isinstance(kind, str) or kind not in KINDS:
        problem = f"{prefix}context.kind = {_shown(kind)} is not a kind of context"
        raise SpecError(problem, _nearest(kind, KINDS) + kinds)
    return KINDS[kind]


def _number(value: object, place: str) -> Expr:
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        remedy = 'Write a number, as in 2 or 0.5, or an expression in quotation marks, as in "1/3" or "2*a".'
        raise SpecError(f"{place} = {_shown(value)} is not a number or an expression", remedy)
    return exact(value, place=place)


def _bounds(value: object, place: str) -> tuple[Expr, Expr]:
    """Read ``[low, high]`` or ``{low = ..., high = ...}``."""
    if isinstance(value, Mapping):
        _known_keys(value, ("low", "high"), "", f"{place}.")
        value = [value[end] for end in ("low", "high") if end in value]
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SpecError(
            f"{place} = {_shown(value)} is not a pair of bounds", "Write [0, 1], lower bound first."
        )
    low, high = value
    return _number(low, f"{place}.low"), _number(high, f"{place}.high")


def _law(value: object, place: str) -> Law:
    """Read a known cost, or a law: ``"gamma(2, 1)"``, ``{density = "2*x", support = [0, 1]}``, or values."""
    if isinstance(value, Mapping):
        return law_of(_law_table(value, place, [0, "oo"]), place)
    law = law_in(value, place) if isinstance(value, str) else None
    return law_of(_number(value, place), place) if law is None else law


def _law_table(value: Mapping[str, Any], place: str, support: list[Any]) -> Any:
    """Read ``{density = ..., support = ...}`` or ``{values = [...], probabilities = [...]}``."""
    if "values" in value or "probabilities" in value:
        _known_keys(value, ("values", "probabilities"), "", f"{place}.")
        values, weights = (_numbers(value.get(key), f"{place}.{key}") for key in ("values", "probabilities"))
        if len(values) != len(weights) or len(set(values)) < len(values):
            raise SpecError(
                f"{place} has {len(values)} values and {len(weights)} probabilities",
                "Give each value once, with its probability.",
            )
        return dict(zip(values, weights, strict=True))
    _known_keys(value, ("density", "support"), "", f"{place}.")
    density = value.get("density")
    if isinstance(density, bool) or not isinstance(density, int | str):
        _number(density, f"{place}.density")  # refuses
    return Density(density, _bounds(value.get("support", support), f"{place}.support"))


def _numbers(value: object, place: str) -> list[Expr]:
    if not isinstance(value, list):
        raise SpecError(f"{place} = {_shown(value)} is not a list of numbers", 'Write [1, "1/2"], say.')
    return [_number(item, f"{place}[{index}]") for index, item in enumerate(value)]


def _budget(value: object, place: str) -> Expr | Law:
    """Read a budget: a number, an expression, or the law of a random one."""
    if isinstance(value, Mapping):
        return _law(value, place)
    law = law_in(value, place) if isinstance(value, str) else None
    return _number(value, place) if law is None else law


def _share(value: object, place: str) -> Any:
    """Read the law of s: an expression in s, a law such as ``"beta(2, 2)"``, or a table."""
    if isinstance(value, Mapping):
        return _law_table(value, place, [0, 1])
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        _number(value, place)  # refuses
    return value


def _text(value: object, place: str) -> Any:
    """Leave an expression in letters of its own to the context, which reads it."""
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        _number(value, place)  # refuses
    return value


def _curve_law(value: object, place: str) -> Any:
    """Read the law of a curve's ``x``: a law, or the density that goes with the key ``support``."""
    return _law_table(value, place, [0, "oo"]) if isinstance(value, Mapping) else _text(value, place)


def _region(value: object, place: str) -> Any:
    """Read two pairs of bounds, an inequality, or a list of inequalities."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not value:
        remedy = 'Write [[0, 1], [0, "oo"]], "c0 + c1 <= 2", or a list of inequalities.'
        raise SpecError(f"{place} = {_shown(value)} is not a support", remedy)
    if all(isinstance(item, str) and re.search("[<>]", item) for item in value):
        return tuple(value)
    return tuple(_bounds(item, f"{place}[{index}]") for index, item in enumerate(value))


def split(text: str) -> list[str]:
    """Split at the commas that are outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _parts(value: object, place: str) -> list[tuple[Expr, Context]]:
    """Read the parts of a mixture: tables of a context, each with its weight."""
    if not isinstance(value, list) or not value:
        remedy = 'Write [{weight = "1/2", kind = "additive"}, {weight = "1/2", kind = "harmonic"}].'
        raise SpecError(f"{place} = {_shown(value)} is not a list of contexts", remedy)
    tables = [dict(_table(part, f"{place}[{index}]")) for index, part in enumerate(value)]
    weights = [
        _number(table.pop("weight", None), f"{place}[{index}].weight") for index, table in enumerate(tables)
    ]
    return [
        (weight, context_from(table, f"{place}[{index}]"))
        for index, (weight, table) in enumerate(zip(weights, tables, strict=True))
    ]


def _expected(value: object, place: str) -> Expected:
    table = _table(value, f"{place}: expected")
    _known_keys(table, ("loss0", "loss1"), place, "expected.")
    if len(table) < 2:
        raise SpecError(f"{place}: expected gives one loss", "Give loss0 and loss1, or leave [expected] out.")
    loss0, loss1 = (_pieces(table[key], f"{place}: expected.{key}") for key in ("loss0", "loss1"))
    return Expected(loss0, loss1)


def _pieces(value: object, place: str) -> Pieces:
    if not isinstance(value, list) or not value:
        remedy = 'Write [{up_to = "1/2", value = "p"}, {up_to = 1, value = "p^2 + 1/4"}].'
        raise SpecError(f"{place} = {_shown(value)} is not a list of pieces", remedy)
    parts = [_part(part, f"{place}[{index}]") for index, part in enumerate(value)]
    breaks = [sympy.S.Zero, *[high for high, _ in parts]]
    if breaks[-1] != 1 or any((high - low).is_nonpositive for low, high in pairwise(breaks)):
        ends = ", ".join(map(str, breaks[1:]))
        raise SpecError(f"{place} has pieces up to {ends}", "Pieces ascend, and the last one goes up to 1.")
    pieces = [Piece(low, high, loss) for (low, high), (_, loss) in zip(pairwise(breaks), parts, strict=True)]
    return Pieces(symbols.p, tuple(pieces))


def _part(value: object, place: str) -> tuple[Expr, Expr]:
    table = _table(value, place)
    _known_keys(table, ("up_to", "value"), "", f"{place}.")
    if len(table) < 2:
        raise SpecError(f"{place} = {_shown(value)} is not a whole piece", "A piece has up_to and value.")
    loss = table["value"]
    if isinstance(loss, str):
        loss = parse_expression(loss, place=f"{place}.value", names={"p": symbols.p})
    return _number(table["up_to"], f"{place}.up_to"), _number(loss, f"{place}.value")


# ---- the kinds of contexts


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of context that a spec can name: what builds it, and how each of its keys is read."""

    build: Callable[..., Context]
    keys: Mapping[str, Callable[[Any, str], object]]
    required: tuple[str, ...] = ()


COSTS = ("c0", "c1", "fp", "fn")

SHARE = {"density": _share, **dict.fromkeys(COSTS, _law)}

KINDS: Mapping[str, Kind] = {
    "additive": Kind(Additive, {"budget": _budget, **SHARE}),
    "harmonic": Kind(Harmonic, {"budget": _budget, **SHARE}),
    "geometric": Kind(Geometric, {"mean": _budget, **SHARE}),
    "power-mean": Kind(PowerMean, {"k": _number, "mean": _budget, **SHARE}, required=("k",)),
    "independent-uniform": Kind(IndependentUniform, dict.fromkeys(COSTS, _bounds)),
    "independent": Kind(Independent, dict.fromkeys(COSTS, _law)),
    "joint": Kind(Joint, {"density": _text, "support": _region}, required=("density", "support")),
    "curve": Kind(
        Curve,
        {**dict.fromkeys(COSTS, _text), "density": _curve_law, "support": _bounds},
        required=("density",),
    ),
    "fixed": Kind(FixedCosts, dict.fromkeys(COSTS, _number)),
    "mixture": Kind(lambda parts: Mixture(*parts), {"parts": _parts}, required=("parts",)),
}


# ---- writing TOML


def _heading(spec: Spec) -> list[tuple[str, str]]:
    return [(key, text) for key, text in (("title", spec.title), ("source", spec.source)) if text]


def _rows(context: Context) -> list[tuple[str, str]]:
    """Return the keys and values of a context; a power mean is written as such, whatever its special name."""
    if isinstance(context, Mixture):
        parts = ", ".join(_part_written(weight, part) for weight, part in context.parts)
        return [("kind", json.dumps("mixture")), ("parts", f"[{parts}]")]
    name = next((name for name, kind in KINDS.items() if kind.build is type(context)), None)
    if name is None:
        raise SpecError(f"{context} has no kind in spec files", f"Kinds: {', '.join(KINDS)}.")
    values = [(field.name, getattr(context, field.name)) for field in fields(context)]  # type: ignore[arg-type]
    if isinstance(context, Joint):
        values = [("density", context.density), ("support", [f"{gap} >= 0" for gap in context.support])]
    letter = symbols.s if isinstance(context, PowerMean) else x
    rows = [
        (key, _written(value, letter if key == "density" else x))
        for key, value in values
        if value is not None
    ]
    return [("kind", json.dumps(name)), *rows]


def _part_written(weight: Expr, part: Context) -> str:
    pairs = [("weight", _written(weight)), *_rows(part)]
    return "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"


def _threshold_written(threshold: Threshold) -> Iterator[str]:
    match threshold:
        case FixedThreshold(at=at):
            yield _written(at)
        case RandomThreshold(
            density=Law(spreads=(Spread(low=S.Zero, high=S.One, density=density),), masses=())
        ):
            yield f"{{density = {_written(density.subs(x, symbols.t))}}}"
        case RandomThreshold():
            raise SpecError(
                f"{threshold} has no text", "Spec files have random thresholds with a density on [0, 1]."
            )


def _expected_rows(name: str, loss: Pieces) -> list[str]:
    rows = [
        f"    {{up_to = {_written(piece.high)}, value = {json.dumps(str(piece.value))}}}," for piece in loss
    ]
    return [f"{name} = [", *rows, "]"]


def _written(value: Any, letter: Symbol = x) -> str:
    if isinstance(value, Law):
        return _law_written(value, letter)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_written, value))}]"
    return str(value) if isinstance(value, sympy.Integer) else json.dumps(str(value))


def _law_written(law: Law, letter: Symbol) -> str:
    if len(law.masses) == 1 and not law.spreads:
        return _written(law.masses[0].value)
    if not law.spreads:
        values, weights = ([getattr(m, key) for m in law.masses] for key in ("value", "probability"))
        return f"{{values = {_written(values)}, probabilities = {_written(weights)}}}"
    if len(law.spreads) != 1 or law.masses:
        raise SpecError(f"{law} has several parts", "Spec files have laws of one part; use a mixture.")
    spread = law.spreads[0]
    return f"{{density = {_written(spread.density.subs(x, letter))}, support = {_written((spread.low, spread.high))}}}"
