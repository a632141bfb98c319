"""Published claims as data: what a source says, in words, and the checks that decide it. No file holds a verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from costderive.core.errors import SpecError
from costderive.core.short_repr import short_repr
from costderive.core.toml_input import content, nearest, toml
from costderive.literature import fields
from costderive.publish.words.sources import SOURCES, authors

SUFFIX = ".toml"
MAX_QUOTED = 25
SLIPS = ("misprint", "convention", "simulation error", "mathematical error")


@dataclass(frozen=True, slots=True)
class Published:
    """A published claim: where it stands, what it says, what it assumes, and how it is decided.

    The source is a key of the package's bibliography, or a source in words. ``page`` is where the printed source says
    it, if its pages have numbers, and ``quote`` a few of its words there.
    The tables are read as questions when the claim is decided: ``checks`` is the statement as it was printed,
    ``amended`` the statement with a slip corrected, ``premises`` what the printed proof relies on, and ``shown`` which
    of the conditions of a proof of properness the printed proof shows (``None``: the proof is not judged).
    ``slip`` says of what sort it is, if the printed statement fails: a misprint, another convention (of names, units or
    orientation) than the source uses elsewhere, a simulation error, or a mathematical error. ``tried`` says to which
    instances the checks are limited, if the statement is about more than these.
    """

    id: str
    title: str
    source: str
    where: str
    statement: str
    assumptions: tuple[str, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    amended: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    amendment: str = ""
    premises: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    shown: tuple[str, ...] | None = None
    slip: str = ""
    tried: str = ""
    page: str = ""
    quote: str = ""

    __repr__ = short_repr

    @property
    def reference(self) -> str:
        """The source in words."""
        found = SOURCES.get(self.source)
        return f"{authors(found)} ({found.year}), {found.title}" if found else self.source

    @property
    def place(self) -> str:
        """Where in the source the statement stands, with its page if that has a number."""
        return f"{self.where}, p. {self.page}" if self.page else self.where

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the letters and digits of the quote, in lower case, or "" without a quote.

        Line breaks, hyphens, fonts and signs of formulas, which differ from copy to copy of a source, do not change it.
        """
        text = re.sub(r"[\W_]", "", self.quote).lower()
        return sha256(text.encode()).hexdigest() if text else ""


@cache
def published() -> tuple[Published, ...]:
    """Return the claims that come with the package, source by source."""
    folder = files("costderive.literature").joinpath("published")
    names = [item.name for item in folder.iterdir() if item.name.endswith(SUFFIX)]
    read_all = [read(folder.joinpath(name).read_text("utf-8"), name.removesuffix(SUFFIX)) for name in names]
    return tuple(sorted(read_all, key=lambda claim: (claim.source, _natural(claim.id))))


def _natural(text: str) -> tuple[tuple[int, str], ...]:
    """Order ``eq-9`` before ``eq-10``."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text))


def find(name: str) -> Published:
    """Return the claim with an id, or the one in a file.

    Raises:
        SpecError: if there is none (naming the nearest id), or the file is not a claim.
    """
    if name.endswith(SUFFIX):
        return read(content(name, remedy="Give the id or the file of a claim."), Path(name).stem, place=name)
    known = {claim.id: claim for claim in published()}
    if name not in known:
        remedy = f"{nearest(name, known)}The command costderive claims lists them."
        raise SpecError(f"{name!r:.60} is not a published claim", remedy)
    return known[name]


def read(text: str, name: str, place: str = "") -> Published:
    """Read a claim from the text of its file; errors start with ``place``.

    Raises:
        SpecError: if the text is not TOML, or not a claim.
    """
    where = place or name
    return Published(id=_id(name, where), **READ(toml(text, where), where))


def _id(name: str, place: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9.]+)*", name) or len(name) > 60:
        raise SpecError(f"{place}: {name!r:.60} is not an id", "Name the file such as flach-eq-11.toml.")
    return name


def _source(value: Any, place: str) -> str:
    text = fields.words(value, place)
    if " " not in text and text not in SOURCES:
        remedy = f"Known: {', '.join(SOURCES)}; or write the source in words."
        raise SpecError(f"{place} = {text!r:.60} is not a known source", remedy)
    return text


def _quote(value: Any, place: str) -> str:
    text = fields.words(value, place)
    if len(text.split()) > MAX_QUOTED or not any(map(str.isalnum, text)):
        raise SpecError(f"{place} = {text!r:.60} is too long, or no text", f"Quote 1 to {MAX_QUOTED} words.")
    return text


def _texts(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > fields.MAX_ITEMS:
        raise SpecError(f"{place} = {value!r:.60} is not a list of texts", 'Write ["a text"].')
    return tuple(fields.words(item, f"{place}[{index}]") for index, item in enumerate(value))


def _as_tables(value: Any, place: str) -> tuple[Mapping[str, Any], ...]:
    found: tuple[Mapping[str, Any], ...] = fields.tables(lambda table, _: table)(value, place)
    return found


READ = fields.record(
    dict,
    {
        "title": fields.words,
        "source": _source,
        "where": fields.words,
        "statement": fields.words,
        "assumptions": _texts,
        "checks": _as_tables,
        "amended": _as_tables,
        "amendment": fields.words,
        "premises": _as_tables,
        "shown": _texts,
        "slip": fields.one_of(*SLIPS),
        "tried": fields.words,
        "page": fields.words,
        "quote": _quote,
    },
    ("title", "source", "where", "statement", "checks"),
)
