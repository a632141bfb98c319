"""costderive site: build the site into a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from costderive.cli.arguments import command
from costderive.core.errors import ExportError


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(commands, "site", _site, "build the site, which needs no network (extra site)")
    parser.add_argument("folder", metavar="DIR", help="where to write it; files there are replaced")
    parser.add_argument(
        "--gallery",
        metavar="FOLDER",
        default="derivations",
        help="the folder of the entries (default derivations)",
    )

    parser.add_argument(
        "--engine",
        action="store_true",
        help="let the page that derives run the package itself, in a browser: 25 MB more, Pyodide by npm",
    )
    parser.add_argument(
        "--pyodide", metavar="FOLDER", help="the unpacked npm package pyodide for --engine, instead of npm"
    )


def _site(arguments: argparse.Namespace) -> int:
    from costderive import site
    from costderive.cli import main

    target = Path(arguments.folder)
    files = _engine(arguments) | site.build(Path(arguments.gallery).resolve(), main)
    try:
        site.write(files, target)
    except OSError as problem:
        raise ExportError(
            f"{target} cannot be written: {problem.strerror}", "Choose another folder."
        ) from None
    print(f"wrote {len(files)} files; open {target / 'index.html'}")
    return 0


def _engine(arguments: argparse.Namespace) -> dict[str, bytes]:
    """Return the engine, before the other pages are made: what is missing is said at once."""
    from costderive.site import engine

    if arguments.pyodide is not None:
        return engine.files(Path(arguments.pyodide))
    return engine.fetched() if arguments.engine else {}
