"""The inputs of a check, read from its table: expressions, ranges, pairs of losses, lists of terms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from sympy import Expr, S, Symbol

from costderive.core import symbols
from costderive.core.errors import SpecError
from costderive.core.expressions import exact, parse
from costderive.core.piecewise import Interval
from costderive.core.toml_input import known_keys
from costderive.deciders.signs import positive
from costderive.literature.definitions import Where, system
from costderive.spec import context_from, threshold_from

Reader = Callable[[Any, str], Any]

MAX_TEXT, MAX_ITEMS = 1000, 40
LETTERS = {
    symbol.name: symbol
    for symbol in (
        *(symbols.p, symbols.q, symbols.s, symbols.t, symbols.u, symbols.c0, symbols.c1),
        *(symbols.pi0, symbols.pi1, symbols.parameter("y")),
    )
}


def words(value: Any, place: str) -> str:
    """Read a text of one paragraph; line breaks count as spaces."""
    if not isinstance(value, str) or not value.strip():
        raise SpecError(f"{place} = {value!r:.60} is not text", "Put it in quotation marks.")
    text = " ".join(value.split())
    if len(text) > MAX_TEXT or not text.isprintable():
        raise SpecError(
            f"{place} = {text!r:.60} is too long or not printable", f"At most {MAX_TEXT} characters."
        )
    return text


def one_of(*known: str) -> Reader:
    """Return a reader of one of a few words."""

    def read(value: Any, place: str) -> str:
        if value not in known:
            raise SpecError(f"{place} = {value!r:.60} is not known", f"Known: {', '.join(known)}.")
        return str(value)

    return read


def flag(value: Any, place: str) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise SpecError(f"{place} = {value!r:.60} is not true or false", "Write true or false.")
    return value


def whole(value: Any, place: str) -> int:
    """Read a small whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 5:
        raise SpecError(f"{place} = {value!r:.60} is not a whole number from 0 to 5", "Write 0, 1, 2 ...")
    return value


def expression(value: Any, place: str) -> Expr:
    """Read an expression; the letters of `costderive.symbols` keep their meaning, ``y`` is a label."""
    if isinstance(value, str):
        return parse(value, place=place, names=LETTERS)
    return exact(value, place=place)


def expressions(value: Any, place: str) -> tuple[Expr, ...]:
    """Read a list of expressions."""
    return tuple(expression(item, f"{place}[{index}]") for index, item in enumerate(_list(value, place)))


def letter(name: str, place: str) -> Symbol:
    """Read the name of a letter."""
    found = expression(name, place)
    if not isinstance(found, Symbol):
        raise SpecError(f"{place}: {name!r:.60} is not a letter", "Write a name such as F0 or c.")
    return found


def where(value: Any, place: str) -> Where:
    """Read definitions of letters, which may use one another in any order, but not in a circle."""
    return system(rates(value, place), place)


def rates(value: Any, place: str) -> Where:
    """Read an expression for each of some letters, such as its derivative."""
    return tuple(
        (letter(name, place), expression(text, f"{place}.{name}"))
        for name, text in table(value, place).items()
    )


def interval(value: Any, place: str) -> Interval:
    """Read the range of one letter: ``{p = [0, 1]}``."""
    ranges = table(value, place)
    if len(ranges) != 1:
        raise SpecError(f"{place} has {len(ranges)} ranges", "Write {p = [0, 1]}.")
    ((name, ends),) = ranges.items()
    low, high = bounds(ends, f"{place}.{name}")
    unbounded = high is S.Infinity and low.is_infinite is not True
    if not unbounded and not positive(high - low):
        raise SpecError(f"{place}.{name} = [{low}, {high}] is empty, or may be", "Write the lower end first.")
    return Interval(letter(name, place), low, high)


def bounds(value: Any, place: str) -> tuple[Expr, Expr]:
    """Read two ends."""
    ends = expressions(value, place)
    if len(ends) != 2:
        raise SpecError(f"{place} has {len(ends)} ends", "Write two, as in [0, 1].")
    return ends[0], ends[1]


def table(value: Any, place: str) -> Mapping[str, Any]:
    """Read a table."""
    if not isinstance(value, Mapping) or len(value) > MAX_ITEMS:
        raise SpecError(
            f"{place} = {value!r:.60} is not a table of at most {MAX_ITEMS} keys", "Write {a = 1}."
        )
    return value


def tables(read: Callable[[Mapping[str, Any], str], Any]) -> Reader:
    """Return a reader of a list of tables."""

    def read_all(value: Any, place: str) -> tuple[Any, ...]:
        items = _list(value, place)
        return tuple(read(table(item, f"{place}[{i}]"), f"{place}[{i}]") for i, item in enumerate(items))

    return read_all


def record(
    build: Callable[..., Any], keys: Mapping[str, Reader], required: Collection[str]
) -> Callable[..., Any]:
    """Return a reader of a table with the given keys, which builds an object of them."""

    def read(value: Mapping[str, Any], place: str) -> Any:
        known_keys(value, keys, place)
        for key in required:
            if key not in value:
                raise SpecError(f"{place}.{key} is missing", f"Needed: {', '.join(required)}.")
        return build(**{key: keys[key](value[key], f"{place}.{key}") for key in value})

    return read


def context(value: Any, place: str) -> Any:
    """Read a cost context, as in a spec file."""
    return context_from(table(value, place), place)


threshold: Reader = threshold_from


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_ITEMS:
        raise SpecError(f"{place} = {value!r:.60} is not a list of 1 to {MAX_ITEMS} items", "Write [1, 2].")
    return value
