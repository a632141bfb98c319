"""costderive gallery: write what belongs beside each spec of a gallery, or compare it with what is there."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costderive.cli.arguments import command, time_limit_argument
from costderive.cli.files import write

if TYPE_CHECKING:
    from costderive.publish.gallery import Entry, Row


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "gallery",
        _gallery,
        "write proof, certificate, code, picture and page beside each spec of a gallery",
    )
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="*",
        default=["derivations"],
        help="a folder with entries, or entries: folders with a spec.toml (default derivations)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="write nothing; status 1 if a file is not as it should be"
    )
    what.add_argument(
        "--pdf", metavar="DIR", help="write nothing beside the specs, but PDFs into DIR (HTML without LaTeX)"
    )
    what.add_argument(
        "--coq",
        action="store_true",
        help="write nothing; let coqc check the library and each proof.v; status 1 if it rejects one, 2 if there is no "
        "coqc",
    )
    time_limit_argument(parser, "for the search of closed forms of each entry (default 60)")


def _gallery(arguments: argparse.Namespace) -> int:
    from costderive.publish import gallery

    roots = [Path(folder) for folder in arguments.folders]
    folders = tuple(folder for root in roots for folder in gallery.folders(root))
    if arguments.coq:
        return _ask_coq([folder / "proof.v" for folder in folders if (folder / "proof.v").is_file()])
    good = True
    rows: tuple[Row, ...] = ()
    for row, line, right in _each(folders, arguments):
        print(line, flush=True)
        good, rows = good and right, (*rows, row)
    whole = [root for root in roots if root not in folders]
    if arguments.pdf is None and len(roots) == len(whole) == 1:
        (root,) = whole
        for name, text in gallery.shared(root, rows).items():
            good = _shared(root / name, text, arguments.check) and good
    return 0 if good else 1


def _ask_coq(files: Sequence[Path]) -> int:
    """Let Coq check proofs with the library, which is compiled once, several at a time."""
    from costderive.publish.coq import coqc, coqc_answer
    from costderive.publish.coq.library_text import library

    texts = {file.parent.name: file.read_text(encoding="utf-8") for file in files}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        beside = coqc.compiled(Path(folder), library())
        answers = pool.map(partial(coqc.ask, library=beside), texts.values())
        good = True
        for (name, text), answer in zip(texts.items(), answers, strict=True):
            print(coqc_answer.in_a_line(name, text, answer), flush=True)
            good = good and answer.accepted
    return 0 if good else 1


def _each(folders: Sequence[Path], arguments: argparse.Namespace) -> Iterator[tuple[Row, str, bool]]:
    """Work on the entries, several at a time, and yield in their order what was done."""
    work = partial(_one, check=arguments.check, pdf=arguments.pdf, time_limit=arguments.time_limit)
    count = min(len(folders), os.cpu_count() or 1)
    if count == 1 or multiprocessing.current_process().daemon:
        yield from map(work, folders)
        return
    from costderive.publish.worker_processes import worker_processes

    with worker_processes(count) as pool:
        yield from pool.map(work, folders)


def _one(folder: Path, *, check: bool, pdf: str | None, time_limit: float) -> tuple[Row, str, bool]:
    from costderive.proof.claims import Verdict
    from costderive.publish import gallery

    entry = gallery.derived(folder, time_limit=time_limit)
    done, right = _done(entry, check, pdf)
    right = right and entry.report.verdict is Verdict.PROVED
    return gallery.Row.of(entry), f"{entry.name}: {entry.verdict}, {entry.report.verdict.name}; {done}", right


def _done(entry: Entry, check: bool, pdf: str | None) -> tuple[str, bool]:
    """Do what is asked for with an entry; say what was done, and whether all was as it should be."""
    from costderive.publish import gallery

    if pdf is not None:
        return f"wrote {gallery.publish(entry, Path(pdf))}", True
    differing = gallery.differing(entry)
    names = ", ".join(differing)
    if check:
        return (f"differs in {names}", False) if differing else ("as it should be", True)
    for name, text in differing.items():
        _replace(entry.folder / name, text)
    return f"wrote {names}" if differing else "nothing to write", True


def _shared(file: Path, text: str, check: bool) -> bool:
    """Write a file of the whole gallery if it is not as it should be, or say so."""
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return True
    print(f"{file} differs" if check else f"wrote {file}")
    if not check:
        file.parent.mkdir(exist_ok=True)
        write(str(file), text)
    return not check


def _replace(file: Path, text: str) -> None:
    """Write a file, or remove one that an entry does not have."""
    if text:
        write(str(file), text)
    else:
        file.unlink()
