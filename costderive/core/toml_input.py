"""TOML files of unknown origin, read into tables; every error names the place, shows the value and offers a remedy."""

from __future__ import annotations

import re
import reprlib
import tomllib
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from costderive.core.errors import SpecError

MAX_BYTES = 2**16
MAX_LINE = 2_500  # tomllib takes quadratic time and memory for one long dotted key
MAX_TEXT = 300


def content(path: str | Path, remedy: str) -> str:
    """Read a text file, of which no more is read than `toml` accepts.

    Raises:
        SpecError: if the file cannot be read (with ``remedy``) or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1).decode("utf-8-sig")
    except OSError as problem:
        raise SpecError(f"{path} cannot be read: {problem.strerror}", remedy) from None
    except UnicodeDecodeError as problem:
        byte = f"byte {problem.object[problem.start]:#04x} at offset {problem.start}"
        raise SpecError(f"{path} is not UTF-8: {byte}", "Save the file as UTF-8 text.") from None


def toml(text: str, place: str) -> dict[str, Any]:
    """Read TOML with decimals as texts, as they are written.

    Raises:
        SpecError: if the text is not TOML, or would take tomllib long.
    """
    if len(text) > MAX_BYTES:
        raise SpecError(f"{place} has more than {MAX_BYTES} characters", "Is this the right file?")
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE:
            raise SpecError(
                f"{place}: line {number} has {len(line)} characters", f"Keep lines below {MAX_LINE}."
            )
    try:
        return tomllib.loads(text, parse_float=lambda number: number.replace("_", ""))
    except RecursionError:
        raise SpecError(f"{place} is nested too deeply", "Write tables in tables, no deeper.") from None
    except ValueError as problem:  # also Python's refusal of integers with thousands of digits
        raise SpecError(f"{place} is not TOML: {problem}", 'A line reads key = 1 or key = "text".') from None


def nowhere(key: str) -> str:
    """Say nothing of where a key belongs."""
    return ""


def known_keys(
    table: Mapping[str, object],
    known: Collection[str],
    place: str,
    path: str = "",
    *,
    home: Callable[[str], str] = nowhere,
) -> None:
    """Refuse an unknown key; ``path`` leads to the table within ``place``, ``home`` says where a key belongs."""
    for key in table:
        if key not in known:
            prefix = f"{place}: " if place else ""
            problem = f"{prefix}{path}{_key(key)} = {shown(table[key])} is an unknown key"
            raise SpecError(problem, f"{home(key) or nearest(key, known)}Keys: {', '.join(known)}.")


def nearest(word: object, known: Collection[str]) -> str:
    """Ask for the nearest known word, if one is near."""
    close = get_close_matches(str(word)[:MAX_TEXT].lower(), known, n=1)
    return f'Did you mean "{close[0]}"? ' if close else ""


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", key) else shown(key)


def shown(value: object) -> str:
    """Show a value in short, whatever it is."""
    short = reprlib.Repr()
    short.maxlevel, short.maxstring, short.maxother = 2, 60, 60
    try:
        return short.repr(value)
    except ValueError:  # an int of more than 4300 digits
        return f"a large {type(value).__name__}"


def as_table(value: object, place: str) -> Mapping[str, Any]:
    """Return a table, and refuse all else."""
    if not isinstance(value, Mapping):
        raise SpecError(
            f"{place} = {shown(value)} is not a table", f"Write [{place.rpartition(' ')[2]}] above its keys."
        )
    return value


def words(value: object, place: str) -> str:
    """Return a printable line, and refuse all else."""
    if not isinstance(value, str):
        raise SpecError(f"{place} = {shown(value)} is not text", "Put it in quotation marks.")
    if len(value) > MAX_TEXT or not value.isprintable():
        raise SpecError(
            f"{place} = {shown(value)} is not one printable line", f"Use at most {MAX_TEXT} characters."
        )
    return value
