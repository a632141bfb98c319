"""Examples on a page are run in order, in one folder and one namespace, when the site is built."""

from __future__ import annotations

import io
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from costderive.core.errors import ExportError
from costderive.site.markdown import Run

Command = Callable[[Sequence[str]], int]
"""The command line: arguments to a status."""


@contextmanager
def runners(command: Command) -> Iterator[dict[str, Run]]:
    """Give what runs the examples of one page, by language; files that they write are gone afterwards."""
    names: dict[str, Any] = {"__name__": "__main__"}
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        try:
            yield {
                "python": lambda source: _printed(lambda: _python(source, names)),
                "sh": lambda source: _printed(lambda: _shell(source, command)),
                "toml": _saved,
            }
        finally:
            os.chdir(before)


def _printed(run: Callable[[], None]) -> str:
    stream = io.StringIO()
    with redirect_stdout(stream):
        run()
    return stream.getvalue()


def _saved(source: str) -> str:
    """Save a file whose name is in its first line, a comment."""
    name = source.partition("\n")[0].removeprefix("# ")
    Path(name).write_text(source, encoding="utf-8")
    return ""


def _python(source: str, names: dict[str, Any]) -> None:
    exec(compile(source, "<page>", "exec"), names)


def _shell(source: str, command: Command) -> None:
    """Run lines that call costderive, and no others; a line that ends in a backslash goes on in the next one."""
    for line in source.replace("\\\n", " ").splitlines():
        program, *arguments = shlex.split(line)
        if program != "costderive":
            raise ExportError(f"an example is not run: {line}", "Mark it as shown only.")
        if command(arguments) != 0:
            raise ExportError(f"an example failed: {line}", "Run it at a prompt to see why.")
