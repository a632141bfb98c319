"""What the sources of the published claims contain: each numbered item, with its claims or why it has none."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import wrap

from costderive.literature.published import Published, published

INDENT = 24


@dataclass(frozen=True, slots=True)
class Item:
    """A theorem, lemma, equation, algorithm, table, figure or section of a source: ids of claims, or a reason."""

    name: str
    claims: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """A source (a key of the bibliography, or words), the copy of it that was read, and its items."""

    source: str
    read: str
    items: tuple[Item, ...]


@cache
def contents() -> tuple[Contents, ...]:
    """Return the contents of all sources."""
    data = tomllib.loads(files("costderive.literature").joinpath("contents.toml").read_text("utf-8"))
    return tuple(
        Contents(source, table["read"], tuple(_item(*pair) for pair in table["items"].items()))
        for source, table in data.items()
    )


def _item(name: str, found: list[str] | str) -> Item:
    return Item(name, reason=found) if isinstance(found, str) else Item(name, tuple(found))


def contents_text(width: int) -> str:
    """Return the contents of all sources for a terminal."""
    references = {claim.source: claim for claim in published()}
    return "\n\n".join(_source_text(found, references[found.source], width) for found in contents()) + "\n"


def _source_text(found: Contents, claim: Published, width: int) -> str:
    lines = wrap(claim.reference, width) + wrap(f"Read: {found.read}.", width) + [""]
    for item in found.items:
        said = ", ".join(item.claims) or f"no claim: {item.reason}"
        start = f"  {item.name:{INDENT - 3}} "
        hanging = " " * INDENT
        lines += wrap(said, width, initial_indent=start, subsequent_indent=hanging, break_on_hyphens=False)
    return "\n".join(lines)
