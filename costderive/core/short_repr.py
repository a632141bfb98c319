"""A repr for data classes that stays one short line, however much they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

LONGEST, FIELD = 180, 70
SHOWN = 3  # items of a tuple that has more are counted


def short_repr(thing: Any) -> str:
    """Return the class with its fields, long ones shortened, in a line of at most 180 characters.

    A data class takes it by ``__repr__ = short_repr``. It is for readers: neither unique nor to be evaluated.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Line:
    ...     name: str
    ...     heights: tuple[float, ...]
    ...     __repr__ = short_repr
    >>> Line("a", (1 / 3,) * 100)
    Line(name='a', heights=(100 numbers))
    """
    found = ", ".join(_fields(thing))
    return cut(f"{type(thing).__name__}({found})", LONGEST)


def cut(text: str, length: int) -> str:
    """Return a text, or its beginning with three dots where it is longer.

    >>> cut("exponential", 6)
    'exp...'
    """
    return text if len(text) <= length else f"{text[: length - 3]}..."


def _fields(thing: Any) -> Iterator[str]:
    for each in fields(thing):
        if each.repr:
            yield f"{each.name}={_value(getattr(thing, each.name))}"


def _value(value: Any) -> str:
    if type(value) is float:
        return f"{value:.6g}"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"<array of shape {value.shape}>" if value.shape else f"{value:.6g}"
    if isinstance(value, tuple | list) and len(value) > SHOWN:
        return f"({len(value)} {_sort(value[0])})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))}{',' * (len(value) == 1)})"
    return cut(repr(value), FIELD)


def _sort(item: Any) -> str:
    return "numbers" if isinstance(item, int | float) else f"items: {_value(item)}, ..."
