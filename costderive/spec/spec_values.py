"""The values of a spec: numbers, bounds, laws, regions, losses in pieces, thresholds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from sympy import Expr, S

from costderive.core import symbols
from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Piece, Pieces
from costderive.core.toml_input import as_table, known_keys, shown
from costderive.costs.laws import Density, Law, cost_law_in, is_count, law_of, part_law_of

MAX_CLASSES = 1000


def number(value: object, place: str) -> Expr:
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        remedy = 'Write a number, as in 2 or 0.5, or an expression in quotation marks, as in "1/3" or "2*a".'
        raise SpecError(f"{place} = {shown(value)} is not a number or an expression", remedy)
    return exact(value, place=place)


def numbers(value: object, place: str) -> list[Expr]:
    if not isinstance(value, list | tuple) or len(value) > MAX_CLASSES:
        raise SpecError(f"{place} = {shown(value)} is not a list of numbers", 'Write [1, "1/2"], say.')
    return [number(item, f"{place}[{index}]") for index, item in enumerate(value)]


def classes(value: object, place: str) -> int:
    """Read the number of classes."""
    number_of = number(value, place)
    if not (number_of.is_Integer and 2 <= number_of <= MAX_CLASSES):
        remedy = "Write 3, say."
        raise SpecError(f"{place} = {shown(value)} is not a whole number from 2 to {MAX_CLASSES}", remedy)
    return int(number_of)


def laws(value: object, place: str) -> list[Law]:
    """Read laws of the costs of classes: a list, or one law for all of them."""
    given = value if isinstance(value, list | tuple) else [value]
    if not 0 < len(given) <= MAX_CLASSES:
        raise SpecError(
            f"{place} has {len(given)} laws",
            f"Give one for each class, of which there are up to {MAX_CLASSES}.",
        )
    if len(given) == 1:
        return [law(given[0], place)]
    return [law(item, f"{place}[{index}]") for index, item in enumerate(given)]


def matrix(value: object, place: str) -> str | list[list[Any]]:
    """Read rows of costs, each a list or text such as ``"0,1,2"``, or the name of a matrix: ``ordinal``, ``top-2``."""
    rows: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
    if len(rows) == 1 and isinstance(rows[0], str):
        if re.fullmatch("ordinal|top-[0-9]{1,3}", rows[0]):
            return rows[0]
        rows = rows[0].split(";")
    if len(rows) < 2 or not all(isinstance(row, str | list | tuple) for row in rows):
        remedy = "Write [[0, 1], [5, 0]], say, or a name: ordinal, top-2."
        raise SpecError(f"{place} = {shown(value)} is not a matrix", remedy)
    parted = [split(row) if isinstance(row, str) else row for row in rows]
    return [[_entry(x, f"{place}[{i}][{j}]") for j, x in enumerate(row)] for i, row in enumerate(parted)]


def _entry(value: object, place: str) -> Expr | Law:
    """Read a number, or the law of an uncertain one."""
    is_law = isinstance(value, Mapping) or (isinstance(value, str) and cost_law_in(value, place) is not None)
    return law(value, place) if is_law else number(value, place)


def bounds(value: object, place: str) -> tuple[Expr, Expr]:
    """Read ``[low, high]`` or ``{low = ..., high = ...}``."""
    if isinstance(value, Mapping):
        known_keys(value, ("low", "high"), "", f"{place}.")
        value = [value[end] for end in ("low", "high") if end in value]
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SpecError(
            f"{place} = {shown(value)} is not a pair of bounds", "Write [0, 1], lower bound first."
        )
    low, high = value
    return number(low, f"{place}.low"), number(high, f"{place}.high")


def law(value: object, place: str) -> Law:
    """Read a known cost, or a law: ``"gamma(2, 1)"``, ``{density = "2*x", support = [0, 1]}``, or values."""
    if isinstance(value, Mapping):
        return law_of(law_table(value, place, [0, "oo"]), place, improper=True)
    named = cost_law_in(value, place) if isinstance(value, str) else None
    return law_of(number(value, place), place) if named is None else named


def law_table(value: Mapping[str, Any], place: str, support: list[Any]) -> Any:
    """Read ``{density = ..., support = ..., improper = ...}`` or ``{values = [...], probabilities = [...]}``.

    With ``normalize = true`` a density is divided by its integral.
    """
    if "values" in value or "probabilities" in value:
        known_keys(value, ("values", "probabilities"), "", f"{place}.")
        values, weights = (numbers(value.get(key), f"{place}.{key}") for key in ("values", "probabilities"))
        if len(values) != len(weights) or len(set(values)) < len(values):
            raise SpecError(
                f"{place} has {len(values)} values and {len(weights)} probabilities",
                "Give each value once, with its probability.",
            )
        return dict(zip(values, weights, strict=True))
    known_keys(value, ("density", "support", "improper", "normalize"), "", f"{place}.")
    density = value.get("density")
    if isinstance(density, bool) or not isinstance(density, int | str):
        number(density, f"{place}.density")  # refuses
    improper, normalize = (_switch(value, key, place) for key in ("improper", "normalize"))
    return Density(density, bounds(value.get("support", support), f"{place}.support"), improper, normalize)


def _switch(table: Mapping[str, Any], key: str, place: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise SpecError(f"{place}.{key} = {shown(value)} is not true or false", f"Write {key} = true.")
    return value


def budget(value: object, place: str) -> Expr | Law:
    """Read a budget: a number, an expression, or the law of a random one."""
    if isinstance(value, Mapping):
        return law(value, place)
    named = cost_law_in(value, place) if isinstance(value, str) else None
    return number(value, place) if named is None else named


def share(value: object, place: str) -> Any:
    """Read the law of s: an expression in s, a law such as ``"beta(2, 2)"``, or a table."""
    if isinstance(value, Mapping):
        return law_table(value, place, [0, 1])
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        number(value, place)  # refuses
    return value


def text(value: object, place: str) -> Any:
    """Leave an expression in letters of its own to the context, which reads it."""
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        number(value, place)  # refuses
    return value


def name(value: object, place: str) -> str:
    """Read a word."""
    if not isinstance(value, str):
        raise SpecError(f"{place} = {shown(value)} is not a name", "Write it in quotation marks.")
    return value


def facts(value: object, place: str) -> list[str]:
    """Read what is assumed of letters: an inequality such as ``"d < 2"``, or a list of them."""
    items = list(value) if isinstance(value, list | tuple) else [value]
    found = [item for item in items if isinstance(item, str)]
    if len(found) < len(items):
        raise SpecError(f"{place} = {shown(value)} is not an inequality", 'Write "d < 2", or a list of such.')
    return found


def parts(value: object, place: str) -> dict[str, Law]:
    """Read the laws of the parts of costs: a table, or a list of texts such as ``"fee=uniform(0,5)"``."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) and "=" in item for item in value):
        pairs = [item.partition("=") for item in value]
        value = {name.strip(): law for name, _, law in pairs}
        if len(value) < len(pairs):
            raise SpecError(f"{place} has a name twice", "Give each part one law.")
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        bare = next(item for item in value if "=" not in item)
        raise SpecError(f"{place}: {shown(bare)} is no part with its law", "Write fee=uniform:0,5, say.")
    if not isinstance(value, Mapping) or not value:
        raise SpecError(
            f"{place} = {shown(value)} is not a table of laws", 'Write {fee = "uniform(0, 5)"}, say.'
        )
    return {name: _law_of_part(found, f"{place}.{name}") for name, found in value.items()}


def _law_of_part(value: object, place: str) -> Law:
    """Read a law as of a cost; a table of values, or a count such as ``"binomial(3, 1/10)"``, may hold 0."""
    if isinstance(value, Mapping):
        return part_law_of(law_table(value, place, [0, "oo"]), place)
    return part_law_of(value, place) if is_count(value, place) else law(value, place)


def curve_law(value: object, place: str) -> Any:
    """Read the law of a curve's ``x``: a law, or the density that goes with the key ``support``."""
    return law_table(value, place, [0, "oo"]) if isinstance(value, Mapping) else text(value, place)


def region(value: object, place: str) -> Any:
    """Read two pairs of bounds, an inequality, or a list of inequalities."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not value:
        remedy = 'Write [[0, 1], [0, "oo"]], "c0 + c1 <= 2", or a list of inequalities.'
        raise SpecError(f"{place} = {shown(value)} is not a support", remedy)
    if all(isinstance(item, str) and re.search("[<>]", item) for item in value):
        return tuple(value)
    return tuple(bounds(item, f"{place}[{index}]") for index, item in enumerate(value))


def pieces(value: object, place: str) -> Pieces:
    if not isinstance(value, list) or not value:
        remedy = 'Write [{up_to = "1/2", value = "p"}, {up_to = 1, value = "p^2 + 1/4"}].'
        raise SpecError(f"{place} = {shown(value)} is not a list of pieces", remedy)
    parts = [_part(part, f"{place}[{index}]") for index, part in enumerate(value)]
    breaks = [S.Zero, *[high for high, _ in parts]]
    if breaks[-1] != 1 or any((high - low).is_nonpositive for low, high in pairwise(breaks)):
        ends = ", ".join(map(str, breaks[1:]))
        raise SpecError(f"{place} has pieces up to {ends}", "Pieces ascend, and the last one goes up to 1.")
    found = [Piece(low, high, loss) for (low, high), (_, loss) in zip(pairwise(breaks), parts, strict=True)]
    return Pieces(symbols.p, tuple(found))


def _part(value: object, place: str) -> tuple[Expr, Expr]:
    table = as_table(value, place)
    known_keys(table, ("up_to", "value"), "", f"{place}.")
    if len(table) < 2:
        raise SpecError(f"{place} = {shown(value)} is not a whole piece", "A piece has up_to and value.")
    loss = table["value"]
    if isinstance(loss, str):
        loss = parse(loss, place=f"{place}.value", names={"p": symbols.p})
    return number(table["up_to"], f"{place}.up_to"), number(loss, f"{place}.value")


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
