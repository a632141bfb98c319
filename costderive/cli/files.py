"""Files that commands read and write."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from costderive.core.errors import ExportError, SpecError

MAX_CERTIFICATE = 20_000_000


def read(file: str) -> str:
    """Return the text of a file, of standard input if it is ``-``, up to one character too many."""
    try:
        if file == "-":
            return sys.stdin.read(MAX_CERTIFICATE + 1)
        with open(file, encoding="utf-8") as stream:
            return stream.read(MAX_CERTIFICATE + 1)
    except OSError as problem:
        raise SpecError(
            f"{file} cannot be read: {problem.strerror}", "Give a file that derive --json wrote."
        ) from None
    except UnicodeDecodeError:
        raise SpecError(f"{file} is not text in UTF-8", "Give a file that derive --json wrote.") from None


def write(file: str, text: str) -> None:
    """Write a whole file or nothing: the text goes to a neighbour, which then takes the file's place."""
    if file == "-":
        print(text, end="")
        return
    target = Path(os.path.realpath(file))
    try:
        if target.exists() and not target.is_file():  # /dev/stderr, a pipe; a directory fails here
            target.write_text(text, encoding="utf-8")
            return
        _replace(target, text)
    except OSError as problem:
        raise ExportError(
            f"{file} cannot be written: {problem.strerror}",
            "Choose a file in a folder that you may write to.",
        ) from None


def _replace(target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, _permissions(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _permissions(target: Path) -> int:
    """Return those of the file that is replaced, or those of a new file."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
