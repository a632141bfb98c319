"""What a build of the site leaves for the next one: parts whose inputs and program are the same are not made again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from costderive.core.user_cache import kept

T = TypeVar("T")
WRITERS = ("markdown-it-py", "mdit-py-plugins", "pygments", "matplotlib")  # whose versions show in pages


def made(part: str, inputs: Iterable[Path | Traversable], make: Callable[[], T]) -> T:
    """Return ``make()``, or what it returned in an earlier build from files of the same names and contents."""
    text = hashlib.sha256()
    for file in sorted(inputs, key=lambda file: file.name):
        data = file.read_bytes()
        text.update(f"{file.name}\0{len(data)}\0".encode() + data)
    return kept(("site", part, text.hexdigest(), *map(_version, WRITERS)), make)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
