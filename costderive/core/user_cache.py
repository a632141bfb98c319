"""What took long to compute, kept on disk for the next process: in a folder of the user's cache.

What is read back is a pickle, so each file is sealed with a key that only the user can read: a file that was changed,
exchanged for another, or put there by somebody else is not opened, and its value is computed again.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import importlib.metadata
import os
import pickle
import secrets
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import sympy
from sympy.core.operations import LatticeOp

import costderive
from costderive.core.time_limit import cpu_seconds, unsure_tasks

T = TypeVar("T")
OFF = "off"  # as COSTDERIVE_CACHE: nothing is kept
WORTH = 0.25  # seconds of CPU time, below which a value is not worth a file
MOST_BYTES = 200 << 20  # of files, beyond which those that were read least lately go
KEY, ENDING = "key", ".kept"
SEAL = hashlib.sha256().digest_size
UNORDERED = (sympy.Add, sympy.Mul, LatticeOp)  # sums, products; greatest, least, and, or
LOCAL = "<"  # in the name of a function that others may share: one without a name, or made in another
LIBRARIES = ("sympy", "mpmath", "numpy", "python-flint")  # whose versions may show in what was computed


def _same(value: Any) -> Any:
    return value


def kept(
    question: Any,
    make: Callable[[], T],
    *,
    written: Callable[[T], Any] = _same,
    read: Callable[[Any], T] = _same,
) -> T:
    """Return ``make()``, or what it returned earlier for the same question, in this version of the program.

    A question is made of dataclasses, tuples, SymPy expressions, texts and numbers. What a pickle does not give back as
    it was, such as expressions that SymPy would evaluate, is kept as ``written(value)``, which ``read`` reads. A value
    is not kept if a child process died on the way: without that another may have been found.
    """
    store = _Store.opened()
    if store is None:
        return make()
    name = hashlib.sha256(f"{_versions()} {described(question)}".encode()).hexdigest()
    found = store.read(name)
    if found is not None:
        return read(found[0])  # sealed under the name of this question
    start, before = cpu_seconds(), unsure_tasks()
    value = make()
    if cpu_seconds() - start > WORTH and unsure_tasks() == before:
        store.write(name, lambda: written(value))
    return value


def described(question: Any) -> str:
    """Return a text that is the same for equal questions in every process, and differs for others."""
    if isinstance(question, sympy.Basic):
        return _written(question if question.is_Atom else question.as_dummy())
    if is_dataclass(question) and not isinstance(question, type):
        parts = (getattr(question, field.name) for field in fields(question))
        return f"{type(question).__qualname__}({', '.join(map(described, parts))})"
    if isinstance(question, tuple):
        return f"({', '.join(map(described, question))})"
    if isinstance(question, frozenset):
        return f"{{{', '.join(sorted(map(described, question)))}}}"
    name = getattr(question, "__qualname__", LOCAL)  # of a function or a class
    return repr(question) if LOCAL in name else f"{question.__module__}.{name}"


def _written(expr: sympy.Basic) -> str:
    """Return an expression as a text, without the order in which SymPy keeps terms: each process has another.

    SymPy's own order is not asked for: to find it, integrals that are numbers are computed.
    """
    if expr.is_Atom:
        return str(sympy.srepr(expr))
    parts = list(map(_written, expr.args))
    if isinstance(expr, UNORDERED) and getattr(expr, "is_commutative", True):
        parts.sort()
    return f"{expr.func.__name__}({', '.join(parts)})"


def folder() -> Path | None:
    """Return the folder of the user's cache, one that nobody else can write to; None if there is none.

    It is ``costderive`` in ``COSTDERIVE_CACHE``, in ``XDG_CACHE_HOME`` or in ``~/.cache``.
    """
    chosen = os.environ.get("COSTDERIVE_CACHE")
    if chosen == OFF:
        return None
    root = chosen or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    found = Path(root) / "costderive"
    try:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
        return found if _is_private(found) and os.access(found, os.W_OK) else None
    except OSError:
        return None


def contents() -> tuple[int, int]:
    """Return how many values are kept, and in how many bytes."""
    sizes = [file.stat().st_size for file in _files()]
    return len(sizes), sum(sizes)


def clear() -> int:
    """Remove what is kept; return how many values that were."""
    files = list(_files())
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _files() -> Iterator[Path]:
    found = folder()
    return iter(()) if found is None else found.glob(f"*{ENDING}")


def _is_private(path: Path) -> bool:
    """Return whether nobody but the user can write to a folder, as far as the system knows owners."""
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.cache
def _versions() -> str:
    """Return what tells this program from others: its own text, and the versions of libraries."""
    root = Path(costderive.__file__).parent
    text = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        text.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return " ".join([text.hexdigest(), sys.version, sys.platform, *map(_version, LIBRARIES)])


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "none"


@dataclass(frozen=True, slots=True)
class _Store:
    """The folder, and the key that seals what is in it."""

    room: Path
    key: bytes

    @classmethod
    def opened(cls) -> _Store | None:
        room = folder()
        if room is None:
            return None
        try:
            return cls(room, _key(room / KEY))
        except OSError:
            return None

    def read(self, name: str) -> tuple[Any] | None:
        """Return the value of a name, alone in a tuple; None if there is none that can be trusted."""
        file = self.room / f"{name}{ENDING}"
        try:
            data = file.read_bytes()
            if not hmac.compare_digest(data[:SEAL], self._seal(name, data[SEAL:])):
                return None
            os.utime(file)
            return (pickle.loads(data[SEAL:]),)  # sealed by this user
        except Exception:  # a file that cannot be read is one that is not there
            return None

    def write(self, name: str, value: Callable[[], Any]) -> None:
        """Keep a value: all of it, or nothing if the disk is full or it cannot be written."""
        with suppress(Exception):
            data = pickle.dumps(value())
            _replace(self.room / f"{name}{ENDING}", self._seal(name, data) + data)
            self._forget()

    def _seal(self, name: str, data: bytes) -> bytes:
        return hmac.digest(self.key, name.encode() + data, "sha256")

    def _forget(self) -> None:
        """Remove what was read least lately until the rest is no more than a share of the disk."""
        found = sorted(((file.stat(), file) for file in _files()), key=lambda one: -one[0].st_mtime)
        size = 0
        for about, file in found:
            size += about.st_size
            if size > MOST_BYTES:
                file.unlink(missing_ok=True)


def _key(file: Path) -> bytes:
    """Return the user's key, made when it is first asked for; of several processes one makes it."""
    if not file.exists():
        draft = _draft(file.parent, secrets.token_bytes(SEAL))
        with suppress(FileExistsError):
            os.link(draft, file)  # all of it at once, and never over another
        draft.unlink()
    return file.read_bytes()


def _replace(file: Path, data: bytes) -> None:
    _draft(file.parent, data).replace(file)


def _draft(room: Path, data: bytes) -> Path:
    """Write a file that only its owner can read."""
    with tempfile.NamedTemporaryFile(dir=room, delete=False) as draft:
        draft.write(data)
    return Path(draft.name)
