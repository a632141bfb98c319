"""Files that are read: by their path or as standard input, plain or compressed by gzip."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO
from weakref import WeakKeyDictionary

from costderive.core.errors import DataError

GZIP = b"\x1f\x8b"
STANDARD_INPUT = "-"
_COPIES: WeakKeyDictionary[BinaryIO, BinaryIO] = WeakKeyDictionary()


def called(path: str | Path) -> str:
    """Return what messages call a file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Refuse what the system cannot read with a ``DataError``."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"{name} cannot be read: {error.strerror or error}", "Give the path of a CSV or a Parquet file."
        ) from None


@contextmanager
def opened(path: str | Path) -> Iterator[tuple[BufferedReader, int]]:
    """Open a file, and say how large it is; what gzip has compressed is read as what it was."""
    with _raw(path) as file:
        size = os.fstat(file.fileno()).st_size
        if file.peek(2)[:2] != GZIP:
            yield file, size
            return
        try:
            with gzip.GzipFile(fileobj=file) as inside:
                yield BufferedReader(inside), size
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"{called(path)} is a broken gzip file: {error}", "Compress it again.") from None


@contextmanager
def _raw(path: str | Path) -> Iterator[Any]:
    is_pipe = str(path) == STANDARD_INPUT
    with open(os.dup(_copied(sys.stdin.buffer).fileno()) if is_pipe else path, "rb") as file:
        if is_pipe:
            file.seek(0)
        yield file


def _copied(stream: BinaryIO) -> BinaryIO:
    """Return a file with what a stream held: files are read more than once, streams cannot be."""
    if stream not in _COPIES:
        copy = tempfile.TemporaryFile()  # noqa: SIM115  (closed when the stream goes)
        weakref.finalize(stream, copy.close)
        shutil.copyfileobj(stream, copy)
        copy.flush()
        _COPIES[stream] = copy
    return _COPIES[stream]
