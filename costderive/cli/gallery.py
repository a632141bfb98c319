"""costderive gallery: write what belongs beside each spec of a gallery, or compare it with what is there."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import command, time_limit_argument
from costderive.cli.files import write

if TYPE_CHECKING:
    from costderive.gallery import Entry


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands, "gallery", _gallery, "write proof, certificate, code and page beside each spec of a gallery"
    )
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        default="derivations",
        help="a folder with entries, or one entry: a folder with a spec.toml (default derivations)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="write nothing; status 1 if a file is not as it should be"
    )
    what.add_argument(
        "--pdf", metavar="DIR", help="write nothing beside the specs, but PDFs into DIR (HTML without LaTeX)"
    )
    time_limit_argument(parser, "for the search of closed forms of each entry (default 60)")


def _gallery(arguments: argparse.Namespace) -> int:
    from costderive import gallery
    from costderive.proof import Verdict

    good = True
    for folder in gallery.folders(Path(arguments.folder)):
        entry = gallery.derived(folder, time_limit=arguments.time_limit)
        told, right = _done(entry, arguments)
        print(f"{entry.name}: {entry.derivation.verdict}, {entry.report.verdict.name}; {told}", flush=True)
        good = good and right and entry.report.verdict is Verdict.PROVED
    return 0 if good else 1


def _done(entry: Entry, arguments: argparse.Namespace) -> tuple[str, bool]:
    """Do what is asked for with an entry; say what was done, and whether all was as it should be."""
    from costderive import gallery

    if arguments.pdf is not None:
        return f"wrote {gallery.publish(entry, Path(arguments.pdf))}", True
    differing = gallery.differing(entry)
    names = ", ".join(differing)
    if arguments.check:
        return (f"differs in {names}", False) if differing else ("as it should be", True)
    for name, text in differing.items():
        _replace(entry.folder / name, text)
    return f"wrote {names}" if differing else "nothing to write", True


def _replace(file: Path, text: str) -> None:
    """Write a file, or remove one that an entry does not have."""
    if text:
        write(str(file), text)
    else:
        file.unlink()
