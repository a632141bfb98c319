"""A repr for data classes that stays one short line, however much they hold."""

from __future__ import annotations

from dataclasses import fields
from reprlib import Repr
from typing import Any

import costderive

LONGEST = 180
_OF_FIELD = Repr()
_OF_FIELD.maxtuple, _OF_FIELD.maxlist, _OF_FIELD.maxstring, _OF_FIELD.maxother = 3, 3, 60, 60


def short_repr(thing: Any) -> str:
    """Return the class with its fields, long ones shortened, in a line of at most 180 characters.

    A data class takes it by ``__repr__ = short_repr``. It is for readers: neither unique nor to be evaluated.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Line:
    ...     name: str
    ...     heights: tuple[int, ...]
    ...     __repr__ = short_repr
    >>> Line("a", (1, 2, 3, 4, 5))
    Line(name='a', heights=(1, 2, 3, ...))
    """
    found = [
        f"{each.name}={_OF_FIELD.repr(getattr(thing, each.name))}" for each in fields(thing) if each.repr
    ]
    return cut(" ".join(f"{type(thing).__name__}({', '.join(found)})".split()), LONGEST)


def html_of(thing: Any) -> str:
    """Return what a notebook shows of an object, which takes it by ``_repr_html_ = html_of``."""
    return str(costderive.export.fragment(thing))


def cut(text: str, length: int) -> str:
    """Return a text, or its beginning with three dots where it is longer.

    >>> cut("exponential", 6)
    'exp...'
    """
    return text if len(text) <= length else f"{text[: length - 3]}..."
